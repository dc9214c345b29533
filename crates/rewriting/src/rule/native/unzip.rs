//! Separates primal parts from tangent parts: lets, choices and folds over pairs are split by their types.

use super::fold_parts::{FoldParts, is_written_out};
use super::halves::{bind_both, halves, joined, joined_once, needed, second_name, zipped};
use super::scan_unzip::duals_apart;
use crate::rule::condition::is_cheap;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "letUnzip",
        params: &[],
        group: "Unzipping",
        law: Words(
            "let x := (a, b); c(x) --> let x := a; let dx := b; c((x, dx)), and so by type for arrays of pairs: \
              let x := build n (fun i => (a(i), b(i))); c(x) --> let x := build n a; let dx := build n b; \
              c(build n (fun i => (x[i], dx[i])))",
        ),
        condition: "x holds pairs, be it in arrays; a fold that can't be split, or another call, stays whole",
        doc: "Makes two lets of one, so that primal and tangent go their own ways; the conditions and inner lets that \
              both halves need are repeated, and shared again by letCse and cse.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0]], guard: binds_pairs, ..BELOW },
        left_sides: &[
            "let x := (a, b); c(x)",
            "let x := build n (fun i => (a(i), b(i))); c(x)",
            "let x := (if c then (a, b) else (d, e)); f(x)",
            "let x := (let y := a; (b(y), d(y))); c(x)",
            "let x := build n (fun i => let y := a(i); (b(i, y), d(i, y))); c(x)",
        ],
        examples: &[
            (
                "fun (v : array n real) => let x := build n (fun i => (v[i], 1)); ifold n (fun a i => a + fst x[i]) 0",
                "fun (v : array n real) => let x := build n (fun i => v[i]); let dx := build n (fun i => 1); ifold n \
             (fun a i => a + fst (build n (fun i => (x[i], dx[i])))[i]) 0",
            ),
            (
                "fun (c : int) (v : real) => let x := (let y := v * v; if c then (y, 1) else (v, 2)); fst x",
                "fun (c : int) (v : real) => let x := (let y := v * v; if c then y else v); let dx := (let y := v * \
             v; if c then 1 else 2); fst (x, dx)",
            ),
        ],
        refused: for_tests(&[
            "fun (v : real * real) => let x := v; fst x",
            "fun (v : array n real) => let x := ifold n (fun a i => (snd a, fst a)) (0, 1); fst x",
            "fun (v : real) => let x := v * v; x + x",
        ]),
        function: |focus, _| let_unzip(focus.term).ok_or(Reason::native("no let of pairs that can be taken apart")),
    },
    NativeRule {
        name: "letHalves",
        params: &[],
        group: "Unzipping",
        law: Words(
            "let x := (a, b); c(fst x, snd x) --> let x := a; let dx := b; c(x, dx), and so by type for arrays of pairs, as \
              letUnzip does",
        ),
        condition: "as of letUnzip; lets of the value itself go out before",
        doc: "Makes two lets of one, and reads each half where it was projected: letUnzip, fstPair and sndPair in one step. A half \
              that costs nothing needs no let.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Let]), ways: &[&[0]], guard: binds_pairs, ..BELOW },
        left_sides: &[
            "let x := (a, b); c(fst x, snd x)",
            "let x := (a, b); c(x)",
            "let x := build n (fun i => (a(i), b(i))); build n (fun i => fst x[i] * snd x[i])",
            "let x := (if c then (a, b) else (d, e)); f(snd x)",
        ],
        examples: &[
            (
                "fun (v : real) => let x := (v * v, v + v); fst x * snd x + fst x",
                "fun (v : real) => let x := v * v; let dx := v + v; x * dx + x",
            ),
            (
                "fun (v : array n real) => let x := build n (fun i => (v[i], 1)); ifold n (fun a i => a + snd x[i]) 0",
                "fun (v : array n real) => ifold n (fun a i => a + (build n (fun i1 => 1))[i]) 0",
            ),
        ],
        refused: for_tests(&[
            "fun (v : real * real) => let x := v; fst x",
            "fun (v : array n real) => let x := ifold n (fun a i => (snd a, fst a)) (0, 1); fst x",
            "fun (v : real) => let x := (let y := v * v; (y, y + y)); fst x",
        ]),
        function: |focus, _| let_halves(focus.term).ok_or(Reason::native("no let of pairs that can be taken apart")),
    },
    NativeRule {
        name: "ifPair",
        params: &[],
        group: "Unzipping",
        law: Words(
            "if c then (a, b) else (x, y) --> (if c then a else x, if c then b else y), and so by type for arrays of \
              pairs, and for a guard",
        ),
        condition: "both branches can be taken apart without repeating more than conditions and lets",
        doc: "Makes two choices of one, so that primal and tangent go their own ways; repeats c.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::If, Head::Guard]),
            guard: |term| zipped(term.ty()),
            ..BELOW
        },
        left_sides: &[
            "if c then (a, b) else (d, e)",
            "if c then (a, b) else (let y := g; (d(y), e(y)))",
            "if c then build n (fun i => (a(i), b(i))) else build n (fun i => (d(i), e(i)))",
            "if k : fin n := c then (a(k), b(k)) else (d, e)",
        ],
        examples: &[
            (
                "fun (c : int) (v w : real) => if c then (v, 1) else (w, 2)",
                "fun (c : int) (v w : real) => (if c then v else w, if c then 1 else 2)",
            ),
            (
                "fun (c : int) (v : array n (real * int)) (w : array n real) => if c then v else build n (fun i => \
             (w[i], 1))",
                "fun (c : int) (v : array n (real * int)) (w : array n real) => let x := if c then build n (fun i => \
             fst v[i]) else build n (fun i => w[i]); let dx := if c then build n (fun i => snd v[i]) else build n \
             (fun i => 1); build n (fun i => (x[i], dx[i]))",
            ),
        ],
        refused: for_tests(&["fun (c : int) (v w : real) => if c then v else w"]),
        function: |focus, _| {
            if_pair(focus.term).ok_or(Reason::native("no choice between pairs that can be taken apart"))
        },
    },
    NativeRule {
        name: "scatterUnzip",
        params: &[],
        group: "Unzipping",
        law: Words(
            "scatter n m (fun e => (k(e), (a(e), b(e)))) --> let x := scatter n m (fun e => (k(e), a(e))); let dx := scatter n m (fun e \
             => (k(e), b(e))); build n (fun i => (x[i], dx[i])), and so by type for arrays of pairs, and below lets and choices",
        ),
        condition: "what is added can be taken apart without repeating more than conditions and lets",
        doc: "Makes two scatters of one, so that primal and tangent go their own ways; repeats k.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Scatter]), guard: |term| zipped(term.ty()), ..BELOW },
        left_sides: &[
            "scatter n m (fun e => (k(e), (a(e), b(e))))",
            "scatter n m (fun e => (int p(e), let x := a(e); (x, b(e, x))))",
            "scatter n m (fun e => let x := a(e); (k(e), (x, b(e, x))))",
            "scatter n m (fun e => if c(e) then (k(e), (a(e), b(e))) else (l(e), (b(e), a(e))))",
            "scatter n m (fun e => (k(e), build l (fun j => (a(e, j), b(e, j)))))",
        ],
        examples: &[
            (
                "fun (k : array m (fin n)) (v w : array m real) => scatter n m (fun e => (int k[e], (v[e], w[e])))",
                "fun (k : array m (fin n)) (v w : array m real) => let x := scatter n m (fun e => (int k[e], v[e])); let dx := scatter n m \
                 (fun e => (int k[e], w[e])); build n (fun i => (x[i], dx[i]))",
            ),
            (
                "fun (k : array m (fin n)) (v : array m (real * real)) => scatter n m (fun e => (int k[e], let x := v[e]; x))",
                "fun (k : array m (fin n)) (v : array m (real * real)) => let x := scatter n m (fun e => (int k[e], let x := v[e]; fst x)); \
                 let dx := scatter n m (fun e => (int k[e], let x := v[e]; snd x)); build n (fun i => (x[i], dx[i]))",
            ),
        ],
        refused: for_tests(&[
            "fun (k : array m (fin n)) (v : array m real) => scatter n m (fun e => (int k[e], v[e]))",
            "fun (k : array m (fin n)) (v : array m real) => scatter n m (fun e => (int k[e], ifold n (fun s i => (fst s + v[e], snd s)) \
             (0, 1)))",
        ]),
        function: |focus, _| {
            scatter_unzip(focus.term).ok_or(Reason::native("no scatter of pairs that can be taken apart"))
        },
    },
    NativeRule {
        name: "ifoldUnzip",
        params: &[],
        group: "Unzipping",
        law: Words(
            "ifold n (fun a i => (f(fst a, i), g(snd a, i))) z --> (ifold n f (fst z), ifold n g (snd z)), and so by \
              type for arrays of pairs, for all dual numbers that the state is made of, and below lets and choices",
        ),
        condition: "neither half of the new state needs the other half of the old one",
        doc: "Fission: the primal part of a fold from its tangent part. A fold whose tangent needs the primal state \
              stays whole.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Ifold]),
            ways: &[&[0, 0]],
            guard: |term| zipped(term.ty()) && is_written_out(term),
            ..BELOW
        },
        left_sides: &[
            "ifold n (fun a i => (f(fst a, i), g(snd a, i))) z",
            "ifold n (fun a i => (f(fst a, i), g(snd a, i))) (y, z)",
            "ifold n (fun a i => let x := h(i); (f(fst a, i, x), g(snd a, i, x))) z",
            "ifold n (fun a i => if c(i) then (f(fst a, i), g(snd a, i)) else (fst a, h(snd a, i))) z",
            "ifold n (fun a i => build m (fun j => (fst a[j] + f(i, j), snd a[j] * g(i, j)))) (build m (fun j => \
             (y(j), z(j))))",
            "ifold n (fun s i => (build m (fun j => (fst (snd s)[j] * f(i), snd (snd s)[j] * f(i))), fst s)) (build m (fun j => (a(j), b(j))), build m (fun j => (d(j), e(j))))",
        ],
        examples: &[
            (
                "fun (v : array n real) => ifold n (fun a i => let x := v[i] * 2; (fst a + x, snd a * v[i])) (0, 1)",
                "fun (v : array n real) => (ifold n (fun a i => let x := v[i] * 2; a + x) 0, ifold n (fun da i => da \
             * v[i]) 1)",
            ),
            (
                "fun (v w : array m real) => ifold n (fun a i => build m (fun j => (fst a[j] + v[j], snd a[j] + \
             w[j]))) (build m (fun j => (0, 1)))",
                "fun (v w : array m real) => let a := ifold n (fun a i => build m (fun j => a[j] + v[j])) (build m \
             (fun j => 0)); let da := ifold n (fun da i => build m (fun j => da[j] + w[j])) (build m (fun j => \
             1)); build m (fun i => (a[i], da[i]))",
            ),
            (
                "fun (v : array n (array m real)) (w : array m real) => ifold n (fun s i => (build m (fun j => (fst (snd s)[j] * v[i][j], snd (snd s)[j] * \
                 v[i][j])), fst s)) (build m (fun j => (1, 0)), build m (fun j => (2, w[j])))",
                "fun (v : array n (array m real)) (w : array m real) => let t := ifold n (fun a i => (build m (fun j => (snd a)[j] * v[i][j]), \
                 build m (fun i1 => (fst a)[i1]))) (build m (fun j => 1), build m (fun j => 2)); let dt := ifold n (fun ds i => (build m \
                 (fun j => (snd ds)[j] * v[i][j]), build m (fun i1 => (fst ds)[i1]))) (build m (fun j => 0), build m (fun j => w[j])); \
                 (build m (fun i => ((fst t)[i], (fst dt)[i])), build m (fun i => ((snd t)[i], (snd dt)[i])))",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) => ifold n (fun a i => (fst a * v[i], snd a * fst a)) (1, 1)",
            "fun (v : array n real) => ifold n (fun a i => a * v[i]) 1",
        ]),
        function: |focus, _| {
            let unzipped = ifold_unzip(focus.term).or_else(|| duals_apart(focus.term));
            unzipped.ok_or(Reason::native("no fold over pairs whose halves are independent"))
        },
    },
];

fn binds_pairs(binding: &Term) -> bool {
    let value = binding.kid(0);
    zipped(value.ty()) && !matches!(value.kind(), Kind::Var)
}

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

fn let_halves(term: &Term) -> Option<Term> {
    let View::Let(x, value, body) = term.view() else { return None };
    if let Kind::Var | Kind::Let(_) = value.kind() {
        return None;
    }
    let (first, second) = halves(&value)?;
    let (first, second) = (without_unread(&first)?, without_unread(&second)?);
    let inner = read_by_halves(&body, 0, (first.ty(), second.ty()))?;
    let inner = bound_where_it_costs(&second_name(&x), second.shift(1), inner)?;
    bound_where_it_costs(&x, first, inner)
}

/// The term without the lets at its front that nothing reads, as one half doesn't read what only the other one needs.
fn without_unread(term: &Term) -> Option<Term> {
    match term.view() {
        View::Let(x, value, body) => {
            let body = without_unread(&body)?;
            if body.free_at(0).is_none() { body.lower(1) } else { Term::let_in(&x, value, body).ok() }
        }
        View::Build(n, f) => {
            let View::Lam(i, ty, body) = f.view() else { return Some(term.clone()) };
            Term::build(n, Term::lam(&i, &ty, without_unread(&body)?).ok()?).ok()
        }
        _ => Some(term.clone()),
    }
}

/// A term in whose scope both halves, variables `x + 1` and `x`, stand where variable `x` stood.
fn read_by_halves(term: &Term, x: u32, types: (&Type, &Type)) -> Option<Term> {
    let Some(whole) = term.free_at(x) else { return Some(term.shift_from(x, 1)) };
    let (first, second) = (Term::var(x + 1, types.0), Term::var(x, types.1));
    let element = match term.view() {
        View::Var(_) => return joined(&first, &second, whole.ty),
        View::Fst(p) => element_of(&p, x, types, first),
        View::Snd(p) => element_of(&p, x, types, second),
        _ => None,
    };
    if element.is_some() {
        return element;
    }
    let kids = (0..term.kid_count()).map(|k| read_by_halves(&term.kid(k), x + term.binders(k), types));
    Term::of(term.kind(), kids.collect::<Option<_>>()?).ok()
}

/// The element of a half at the place at which variable `x` is read here, if that is all that is done.
fn element_of(term: &Term, x: u32, types: (&Type, &Type), half: Term) -> Option<Term> {
    match term.view() {
        View::Var(index) => (index == x).then_some(half),
        View::Get(array, index) => {
            let array = element_of(&array, x, types, half)?;
            Term::get(array, read_by_halves(&index, x, types)?).ok()
        }
        _ => None,
    }
}

/// A let, unless the value costs nothing or isn't read.
pub(super) fn bound_where_it_costs(x: &Name, value: Term, body: Term) -> Option<Term> {
    if body.free_at(0).is_none() {
        return body.lower(1);
    }
    match is_cheap(&value, body.as_part()) {
        true => body.instantiate(&value).ok(),
        false => Term::let_in(x, value, body).ok(),
    }
}

fn if_pair(term: &Term) -> Option<Term> {
    let (Kind::If | Kind::Guard(..)) = term.kind() else { return None };
    let (first, second) = halves(term)?;
    joined_once(&Name::new("x"), first, second, term.ty())
}

fn scatter_unzip(term: &Term) -> Option<Term> {
    let Kind::Scatter(..) = term.kind() else { return None };
    let (first, second) = halves(term)?;
    joined_once(&Name::new("x"), first, second, term.ty())
}

fn ifold_unzip(term: &Term) -> Option<Term> {
    let fold = FoldParts::of(term)?;
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
    // Taking halves leaves projections behind, which must go before it shows what each half needs.
    let (first, second) = (needed(&first), needed(&second));
    let without = |half: &Term, other: u32| {
        half.free_at(other).is_none().then(|| half.rename(|i| if i > other { i - 1 } else { i }))
    };
    let (first, second) = (without(&first, 1)?, without(&second, 2)?);
    let part = |state: Name, body: Term, start: Term| {
        FoldParts { n: fold.n.clone(), state, index: fold.index.clone(), body, start }.term()
    };
    let (p, q) = (part(fold.state.clone(), first, y)?, part(second_name(&fold.state), second, z)?);
    match term.ty().view() {
        TypeView::Pair(..) => Term::pair(p, q).ok(),
        _ => joined_once(&fold.state, p, q, term.ty()),
    }
}
