//! Primal parts from tangent parts: lets, choices and folds over pairs, split by their types.

use super::halves::{bind_both, halves, joined, joined_once, needed, second_name, zipped};
use super::{Exactness, Row};
use crate::ground::Name;
use crate::rule::Reason;
use crate::term::{Kind, Size, Term, Type, TypeView, View};

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "letUnzip",
        group: "Unzipping",
        law: "let x := (a, b); c(x) --> let x := a; let dx := b; c((x, dx)), and so by type for arrays of pairs: \
              let x := build n (fun i => (a(i), b(i))); c(x) --> let x := build n a; let dx := build n b; \
              c(build n (fun i => (x[i], dx[i])))",
        condition: "x holds pairs, be it in arrays; a fold that can't be split, or another call, stays whole",
        doc: "Makes two lets of one, so that primal and tangent go their own ways; the conditions and inner lets that \
              both halves need are repeated, and shared again by letCse and cse.",
        exactness: Exactness::Exact,
        function: |focus| let_unzip(focus.term).ok_or(Reason::native("no let of pairs that can be taken apart")),
    },
    Row {
        name: "ifPair",
        group: "Unzipping",
        law: "if c then (a, b) else (x, y) --> (if c then a else x, if c then b else y), and so by type for arrays of \
              pairs",
        condition: "both branches can be taken apart without repeating more than conditions and lets",
        doc: "Makes two choices of one, so that primal and tangent go their own ways; repeats c.",
        exactness: Exactness::Exact,
        function: |focus| if_pair(focus.term).ok_or(Reason::native("no choice between pairs that can be taken apart")),
    },
    Row {
        name: "ifoldUnzip",
        group: "Unzipping",
        law: "ifold n (fun a i => (f(fst a, i), g(snd a, i))) z --> (ifold n f (fst z), ifold n g (snd z)), and so by \
              type for arrays of pairs, and below lets and choices",
        condition: "neither half of the new state needs the other half of the old one",
        doc: "Fission: the primal part of a fold from its tangent part. A fold whose tangent needs the primal state \
              stays whole.",
        exactness: Exactness::Exact,
        function: |focus| {
            ifold_unzip(focus.term).ok_or(Reason::native("no fold over pairs whose halves are independent"))
        },
    },
];

fn let_unzip(term: &Term) -> Option<Term> {
    let View::Let(x, value, body) = term.view() else { return None };
    if let Kind::Var = value.kind() {
        return None;
    }
    let (first, second) = halves(&value)?;
    let both = joined(&Term::var(1, first.ty()), &Term::var(0, second.ty()), value.ty())?;
    let inner = body.shift_from(1, 2).instantiate(&both).ok()?;
    bind_both(&x, first, second, inner)
}

fn if_pair(term: &Term) -> Option<Term> {
    let Kind::If = term.kind() else { return None };
    let (first, second) = halves(term)?;
    joined_once(&Name::new("x"), first, second, term.ty())
}

/// An `ifold` with the parts of its body's binders.
struct Fold {
    n: Size,
    state: Name,
    index: Name,
    /// Under the state and the index.
    body: Term,
    start: Term,
}

impl Fold {
    fn of(term: &Term) -> Option<Fold> {
        let View::Ifold(n, f, start) = term.view() else { return None };
        let View::Lam(state, _, f) = f.view() else { return None };
        let View::Lam(index, _, body) = f.view() else { return None };
        Some(Fold { n, state, index, body, start })
    }

    fn term(self) -> Option<Term> {
        let rounds = Term::lam(&self.index, &Type::fin(self.n.clone()), self.body).ok()?;
        let step = Term::lam(&self.state, &self.start.ty().clone(), rounds).ok()?;
        Term::ifold(self.n, step, self.start).ok()
    }
}

fn ifold_unzip(term: &Term) -> Option<Term> {
    let fold = Fold::of(term)?;
    if !zipped(term.ty()) {
        return None;
    }
    let (y, z) = halves(&needed(&fold.start))?;
    // The states of both halves stand where the state stood: variable 2 is the first, 1 the second, 0 the index.
    let both = joined(&Term::var(2, y.ty()), &Term::var(1, z.ty()), term.ty())?;
    let fin = Type::fin(fold.n.clone());
    let body = fold.body.substitute(&|i| match i {
        0 => Term::var(0, &fin),
        1 => both.clone(),
        _ => Term::var(i + 1, &fold.body.free_at(i).map_or_else(Type::int, |free| free.ty.clone())),
    });
    let (first, second) = halves(&needed(&body.ok()?))?;
    let (first, second) = (needed(&first), needed(&second));
    let without = |half: &Term, other: u32| {
        half.free_at(other).is_none().then(|| half.rename(|i| if i > other { i - 1 } else { i }))
    };
    let (first, second) = (without(&first, 1)?, without(&second, 2)?);
    let part = |state: Name, body: Term, start: Term| {
        Fold { n: fold.n.clone(), state, index: fold.index.clone(), body, start }.term()
    };
    let (p, q) = (part(fold.state.clone(), first, y)?, part(second_name(&fold.state), second, z)?);
    match term.ty().view() {
        TypeView::Pair(..) => Term::pair(p, q).ok(),
        _ => joined_once(&fold.state, p, q, term.ty()),
    }
}
