//! Takes a term that holds pairs, at any depth of arrays, apart into both halves, and makes such a term of both halves.

use rustc_hash::FxHashMap;

use redexter_language::ground::Name;
use redexter_language::term::{ConstructorGroups, Head, Kind, Size, Term, Type, TypeView, View};

/// Whether a type is a pair, or arrays of such.
pub(super) fn zipped(ty: &Type) -> bool {
    match ty.view() {
        TypeView::Pair(..) => true,
        TypeView::Array(_, element) => zipped(element),
        _ => false,
    }
}

/// The name for the second half of what `x` names.
pub(super) fn second_name(x: &Name) -> Name {
    Name::new(&format!("d{x}"))
}

/// Both halves of a zipped term, taken inside of it. `None` where that would repeat work other than that of lets and
/// conditions.
pub(super) fn halves(term: &Term) -> Option<(Term, Term)> {
    if !zipped(term.ty()) {
        return None;
    }
    // A half of a variable, or of an element of one, is taken from outside, because to name it twice repeats no work.
    if is_cheap(term) {
        return Some((half(term, false)?, half(term, true)?));
    }
    match term.view() {
        View::Pair(a, b) => Some((a, b)),
        View::Build(n, f) => {
            let View::Lam(i, ty, body) = f.view() else { return None };
            let (a, b) = halves(&body)?;
            let around = |half| Term::build(n.clone(), Term::lam(&i, &ty, half).ok()?).ok();
            Some((around(a)?, around(b)?))
        }
        View::Scatter(rounds, places, f) => scatters((rounds, places), &f, &halves),
        View::If(c, then, other) => {
            let ((a, b), (x, y)) = (halves(&then)?, halves(&other)?);
            Some((Term::if_else(c.clone(), a, x).ok()?, Term::if_else(c, b, y).ok()?))
        }
        View::Guard(k, n, number, inside, other) => {
            let ((a, b), (x, y)) = (halves(&inside)?, halves(&other)?);
            let around = |a, x| Term::guard(&k, n.clone(), number.clone(), a, x).ok();
            Some((around(a, x)?, around(b, y)?))
        }
        View::Let(x, value, body) => {
            let (a, b) = halves(&body)?;
            Some((Term::let_in(&x, value.clone(), a).ok()?, Term::let_in(&x, value, b).ok()?))
        }
        View::Array(_, elements) => {
            let both: Option<Vec<(Term, Term)>> = elements.iter().map(halves).collect();
            let (a, b): (Vec<Term>, Vec<Term>) = both?.into_iter().unzip();
            let array = |all: Vec<Term>| Term::array(&all.first()?.ty().clone(), all).ok();
            Some((array(a)?, array(b)?))
        }
        _ => None,
    }
}

/// A scatter as two: of the first and of the second parts of what its entries add. Both have the keys.
pub(super) fn scatters(
    (rounds, places): (Size, Size),
    f: &Term,
    of: &impl Fn(&Term) -> Option<(Term, Term)>,
) -> Option<(Term, Term)> {
    let View::Lam(e, ty, entry) = f.view() else { return None };
    let (a, b) = entries(&entry, of)?;
    let around = |entry| Term::scatter(places.clone(), rounds.clone(), Term::lam(&e, &ty, entry).ok()?).ok();
    Some((around(a)?, around(b)?))
}

fn entries(entry: &Term, of: &impl Fn(&Term) -> Option<(Term, Term)>) -> Option<(Term, Term)> {
    match entry.view() {
        View::Pair(key, value) => {
            let (a, b) = of(&value)?;
            Some((Term::pair(key.clone(), a).ok()?, Term::pair(key, b).ok()?))
        }
        View::Let(x, value, body) => {
            let (a, b) = entries(&body, of)?;
            Some((Term::let_in(&x, value.clone(), a).ok()?, Term::let_in(&x, value, b).ok()?))
        }
        View::If(c, then, other) => {
            let ((a, b), (x, y)) = (entries(&then, of)?, entries(&other, of)?);
            Some((Term::if_else(c.clone(), a, x).ok()?, Term::if_else(c, b, y).ok()?))
        }
        _ => None,
    }
}

/// A variable, a projection or an element of one.
pub(super) fn is_cheap(term: &Term) -> bool {
    match term.kind() {
        Kind::Var => true,
        Kind::Fst | Kind::Snd => is_cheap(&term.kid(0)),
        Kind::Get => is_cheap(&term.kid(0)) && (is_cheap(&term.kid(1)) || matches!(term.kid(1).kind(), Kind::Fin(..))),
        _ => false,
    }
}

/// One half, taken from outside.
fn half(term: &Term, second: bool) -> Option<Term> {
    match term.ty().view() {
        TypeView::Pair(..) if second => Term::snd(term.clone()).ok(),
        TypeView::Pair(..) => Term::fst(term.clone()).ok(),
        TypeView::Array(n, _) => each(n, |i| half(&Term::get(term.shift(1), i).ok()?, second)),
        _ => None,
    }
}

/// The zipped term whose halves these are; repeats them for arrays, so that they should be variables there.
pub(super) fn joined(first: &Term, second: &Term, ty: &Type) -> Option<Term> {
    match ty.view() {
        TypeView::Pair(..) => Term::pair(first.clone(), second.clone()).ok(),
        TypeView::Array(n, element) => each(n, |i| {
            let (a, b) = (Term::get(first.shift(1), i.clone()).ok()?, Term::get(second.shift(1), i).ok()?);
            joined(&a, &b, element)
        }),
        _ => None,
    }
}

/// `joined`, with the halves bound first where it would repeat them.
pub(super) fn joined_once(x: &Name, first: Term, second: Term, ty: &Type) -> Option<Term> {
    if let TypeView::Pair(..) = ty.view() {
        return Term::pair(first, second).ok();
    }
    let body = joined(&Term::var(1, first.ty()), &Term::var(0, second.ty()), ty)?;
    bind_both(x, first, second, body)
}

/// `let x := first; let dx := second; body`, body under both.
pub(super) fn bind_both(x: &Name, first: Term, second: Term, body: Term) -> Option<Term> {
    let inner = Term::let_in(&second_name(x), second.shift(1), body).ok()?;
    Term::let_in(x, first, inner).ok()
}

/// `build n (fun i => body(i))`
pub(super) fn each(n: &Size, body: impl FnOnce(Term) -> Option<Term>) -> Option<Term> {
    let ty = Type::fin(n.clone());
    let body = body(Term::var(0, &ty))?;
    Term::build(n.clone(), Term::lam(&Name::new("i"), &ty, body).ok()?).ok()
}

/// A term with projections of pairs, elements of builds and dead lets worked off: what is left mentions only what it
/// needs.
pub(super) fn needed(term: &Term) -> Term {
    ProjectionReducer { memo: FxHashMap::default() }.go(term).unwrap_or_else(|| term.clone())
}

/// Whether something stands in a term that may be worked off; most parts of a long one hold nothing of that.
fn has_work(term: &Term) -> bool {
    let [lets, first, second, get, build] =
        [Head::Let, Head::Fst, Head::Snd, Head::Get, Head::Build].map(ConstructorGroups::of);
    term.holds_any(lets.and(first).and(second)) || term.holds(get.and(build))
}

struct ProjectionReducer {
    memo: FxHashMap<Term, Term>,
}

impl ProjectionReducer {
    fn go(&mut self, term: &Term) -> Option<Term> {
        if !has_work(term) {
            return Some(term.clone());
        }
        if let Some(done) = self.memo.get(term) {
            return Some(done.clone());
        }
        // Children first, so that a projection finds the pair that its child has become.
        let kids = term.kids();
        let mut reduced = kids.clone();
        for kid in &mut reduced {
            *kid = self.go(kid)?;
        }
        // Making the same term again would take as long as making another.
        let is_same = kids == reduced;
        let done = self.root(if is_same { term.clone() } else { term.with_kids(reduced).ok()? })?;
        self.memo.insert(term.clone(), done.clone());
        Some(done)
    }

    fn root(&mut self, term: Term) -> Option<Term> {
        match term.view() {
            View::Fst(p) => self.projected(&term, &p, 0),
            View::Snd(p) => self.projected(&term, &p, 1),
            View::Get(array, index) => match array.view() {
                View::Build(_, f) => match f.view() {
                    View::Lam(_, _, body) => self.go(&body.instantiate(&index).ok()?),
                    _ => Some(term),
                },
                _ => Some(term),
            },
            View::Let(_, value, body) => match value.view() {
                _ if body.free_at(0).is_none() => body.lower(1),
                View::Var(_) => self.go(&body.instantiate(&value).ok()?),
                // Only a pair whose halves cost nothing may be put in wherever it is used.
                View::Pair(a, b) if is_cheap(&a) && is_cheap(&b) => self.go(&body.instantiate(&value).ok()?),
                _ => Some(term),
            },
            _ => Some(term),
        }
    }

    fn projected(&mut self, term: &Term, p: &Term, k: usize) -> Option<Term> {
        match p.view() {
            View::Pair(a, b) => Some(if k == 0 { a } else { b }),
            View::Let(x, value, body) => {
                let inside = if k == 0 { Term::fst(body) } else { Term::snd(body) };
                let floated = Term::let_in(&x, value, self.root(inside.ok()?)?).ok()?;
                self.root(floated)
            }
            _ => Some(term.clone()),
        }
    }
}
