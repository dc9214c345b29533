//! Work of an inner loop that an outer loop repeats, moved into a table.

use std::collections::HashMap;

use super::ring::Product;
use super::share::Costs;
use super::{Exactness, Row};
use crate::ground::Name;
use crate::rule::Reason;
use crate::term::{Kind, Prim, Size, Term, Type, TypeView, View};

pub(super) const ROWS: &[Row] = &[Row {
    name: "tabulate",
    group: "Sharing",
    law: "build m (fun j => .. ifold n (fun a i => .. g(i) .. h(i, j) ..) z ..) --> let t := build n (fun i => g(i)); \
          build m (fun j => .. ifold n (fun a i => .. t[i] .. h(i, j) ..) z ..), and so for an outer ifold, for \
          several inner indices, and for none (loop-invariant motion)",
    condition: "g costs flops, compares or rounds, and mentions neither j nor an accumulator nor an inner let; the \
                largest such g, or the factors of a product that are such",
    doc: "Computes once what each round of the outer loop repeats. What stood in branches is now computed in any case, \
          which can add work.",
    exactness: Exactness::Reassociating,
    function: |site| tabulate(site.term).ok_or(Reason::native("no loop that repeats work of its own inner loops")),
}];

/// A variable bound between the outer loop and a place.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Inner {
    /// It counts to a size, under this name.
    Counter(Size, Name),
    Other,
}

/// What is looked for below the outer loop, and what takes its place.
struct Tables {
    /// The outer loop's own variables.
    own: u32,
    costs: Costs,
    /// The largest table so far; once it is chosen, it is only put in.
    best: Option<Term>,
    chosen: bool,
    /// The scopes met so far, so that shared terms are walked once in each.
    scopes: HashMap<Vec<Inner>, usize>,
    memo: HashMap<(Term, usize), Term>,
}

fn tabulate(term: &Term) -> Option<Term> {
    let (own, kid) = match term.view() {
        View::Build(_, f) => (1, f),
        View::Ifold(_, f, _) => (2, f),
        _ => return None,
    };
    let mut body = kid.clone();
    for _ in 0..own {
        let View::Lam(_, _, inner) = body.view() else { return None };
        body = inner;
    }
    let (scopes, memo) = (HashMap::new(), HashMap::new());
    let mut tables = Tables { own, costs: Costs::default(), best: None, chosen: false, scopes, memo };
    tables.walk(&body, &mut Vec::new())?;
    let table = tables.best.clone()?;
    tables.chosen = true;
    tables.memo.clear();
    let new = tables.walk(&body, &mut Vec::new())?;
    // The table's variable is bound around the outer loop; `walk` has left room for it.
    let f = rebind(&kid.shift(1), own, new)?;
    let whole = term.shift(1).with_kid(0, f).ok()?;
    Term::let_in(&Name::new("t"), table, whole).ok()
}

/// `own` λs with another body.
fn rebind(f: &Term, own: u32, body: Term) -> Option<Term> {
    match (own, f.view()) {
        (0, _) => Some(body),
        (_, View::Lam(x, ty, inner)) => Term::lam(&x, &ty, rebind(&inner, own - 1, body)?).ok(),
        _ => None,
    }
}

impl Tables {
    /// The term with the chosen table put in and room for its variable; before it is chosen, the term is only looked
    /// at.
    fn walk(&mut self, term: &Term, inner: &mut Vec<Inner>) -> Option<Term> {
        let bound = self.own + inner.len() as u32;
        if !self.costs.any(term) {
            return Some(term.shift_from(bound, 1));
        }
        let next = self.scopes.len();
        let scope = *self.scopes.entry(inner.clone()).or_insert(next);
        let key = (term.clone(), scope);
        if let Some(done) = self.memo.get(&key) {
            return Some(done.clone());
        }
        let done = match self.table(term, inner) {
            Some(put) => put,
            None => self.below(term, inner)?,
        };
        self.memo.insert(key, done.clone());
        Some(done)
    }

    fn below(&mut self, term: &Term, inner: &mut Vec<Inner>) -> Option<Term> {
        if let Some((group, rest)) = self.group(term, inner)
            && let Some(put) = self.table(&group, inner)
        {
            return Term::prim(Prim::Mul, vec![put, self.walk(&rest, inner)?]).ok();
        }
        let mut kids = smallvec::SmallVec::new();
        for k in 0..term.kid_count() {
            kids.push(self.kid(term, k, inner)?);
        }
        term_like(term, inner.len() as u32 + self.own, kids)
    }

    fn kid(&mut self, term: &Term, k: usize, inner: &mut Vec<Inner>) -> Option<Term> {
        let kid = term.kid(k);
        match (term.kind(), kid.view()) {
            (Kind::Build(n), View::Lam(i, ty, body)) => {
                inner.push(Inner::Counter(n.clone(), i.clone()));
                let body = self.walk(&body, inner);
                inner.pop();
                Term::lam(&i, &ty, body?).ok()
            }
            (Kind::Ifold(n), View::Lam(a, ty, rounds)) if k == 0 => {
                let View::Lam(i, fin, body) = rounds.view() else { return self.plain(&kid, 0, inner) };
                inner.extend([Inner::Other, Inner::Counter(n.clone(), i.clone())]);
                let body = self.walk(&body, inner);
                inner.truncate(inner.len() - 2);
                Term::lam(&a, &ty, Term::lam(&i, &fin, body?).ok()?).ok()
            }
            _ => self.plain(&kid, term.kind().binders(k), inner),
        }
    }

    fn plain(&mut self, kid: &Term, binders: u32, inner: &mut Vec<Inner>) -> Option<Term> {
        inner.extend((0..binders).map(|_| Inner::Other));
        let done = self.walk(kid, inner);
        inner.truncate(inner.len() - binders as usize);
        done
    }

    /// What takes the term's place if it can stand in a table: before one is chosen the term itself, which is noted;
    /// after that an element of the chosen table, if it is that one.
    fn table(&mut self, term: &Term, inner: &[Inner]) -> Option<Term> {
        if term.ty().has_function() || !self.costs.any(term) {
            return None;
        }
        let (table, indices) = as_table(term, inner, self.own)?;
        let bound = self.own + inner.len() as u32;
        if !self.chosen {
            if self.best.as_ref().is_none_or(|best| best.size() < table.size()) {
                self.best = Some(table);
            }
            return Some(term.shift_from(bound, 1));
        }
        if self.best.as_ref() != Some(&table) {
            return None;
        }
        let element = |array: Option<Term>, i: &Term| Term::get(array?, i.clone()).ok();
        indices.iter().fold(Some(Term::var(bound, table.ty())), element)
    }

    /// Of a product of reals the factors that can stand in a table, and the rest.
    fn group(&mut self, term: &Term, inner: &[Inner]) -> Option<(Term, Term)> {
        let Kind::Prim(Prim::Mul | Prim::Div) = term.kind() else { return None };
        if *term.ty().view() != TypeView::Real {
            return None;
        }
        let mut rest = Product::of(term);
        let mut group = Product::one();
        let fits = |t: &Term| as_table(t, inner, self.own).is_some();
        for (from, to) in [(&mut rest.factors, &mut group.factors), (&mut rest.divisors, &mut group.divisors)] {
            let (fitting, others) = std::mem::take(from).into_iter().partition(fits);
            (*to, *from) = (fitting, others);
        }
        let both = !rest.factors.is_empty() && group.factors.len() + group.divisors.len() > 1;
        if both { Some((group.term()?, rest.term()?)) } else { None }
    }
}

/// The same constructor around children that have room for one more variable from `bound` on.
fn term_like(term: &Term, bound: u32, kids: smallvec::SmallVec<[Term; 2]>) -> Option<Term> {
    term.shift_from(bound, 1).with_kids(kids).ok()
}

/// The table of a term over the inner indices that it mentions, in the order of their first occurrence, in the scope
/// around the outer loop; and these indices. `None` if it mentions another variable that is bound in between.
fn as_table(term: &Term, inner: &[Inner], own: u32) -> Option<(Term, Vec<Term>)> {
    let between = inner.len() as u32;
    let mut used: Vec<(u32, &Size, &Name)> = Vec::new();
    for (i, _) in term.free() {
        match i.checked_sub(between) {
            Some(i) if i < own => return None,
            Some(_) => {}
            None => match &inner[inner.len() - 1 - i as usize] {
                Inner::Counter(n, name) => used.push((i, n, name)),
                Inner::Other => return None,
            },
        }
    }
    let count = used.len() as u32;
    let place = |i: u32| used.iter().position(|(j, ..)| *j == i).map_or(0, |p| count - 1 - p as u32);
    let mut table = term.rename(|i| if i < between { place(i) } else { i - between - own + count });
    for (_, n, name) in used.iter().rev() {
        table = Term::build((*n).clone(), Term::lam(name, &Type::fin((*n).clone()), table).ok()?).ok()?;
    }
    let index = |(i, n, _): &(u32, &Size, &Name)| Term::var(*i, &Type::fin((*n).clone()));
    Some((table, used.iter().map(index).collect()))
}
