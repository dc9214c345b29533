//! Takes terms whose types are made of dual numbers apart into what they are without tangents, and the tangents.
//!
//! A pair of two reals counts as a dual number; `int`, `fin` and a single real have no tangent. So a state of D's, of whatever
//! type, splits into the state that the program had and a value made of reals.

use super::halves::{each, is_cheap, scatters};
use redexter_language::term::{Term, Type, TypeView, View};

/// The type of the tangents in a type; `None` where there are none, or something holds a function.
pub(super) fn tangents(ty: &Type) -> Option<Type> {
    match ty.view() {
        TypeView::Pair(a, b) if is_number(a) && is_number(b) => Some(Type::real()),
        TypeView::Pair(a, b) => match (tangents(a), tangents(b)) {
            (Some(a), Some(b)) => Some(Type::pair(a, b)),
            (one, other) => one.or(other),
        },
        TypeView::Array(n, element) => Some(Type::array(n.clone(), tangents(element)?)),
        _ => None,
    }
}

/// Whether there are tangents in a type, and no functions.
pub(super) fn is_dual(ty: &Type) -> bool {
    !ty.has_function() && tangents(ty).is_some()
}

fn is_number(ty: &Type) -> bool {
    matches!(ty.view(), TypeView::Real)
}

/// A term without its tangents, and those, taken inside of it. `None` where that would repeat work other than that of lets and
/// conditions.
pub(super) fn split(term: &Term) -> Option<(Term, Option<Term>)> {
    if tangents(term.ty()).is_none() {
        return Some((term.clone(), None));
    }
    if is_cheap(term) {
        return taken(term);
    }
    match term.view() {
        View::Pair(a, b) if is_number(a.ty()) && is_number(b.ty()) => Some((a, Some(b))),
        View::Pair(a, b) => paired(split(&a)?, split(&b)?),
        View::Build(n, f) => {
            let View::Lam(i, ty, body) = f.view() else { return None };
            let (a, b) = split(&body)?;
            let around = |part| Term::build(n.clone(), Term::lam(&i, &ty, part).ok()?).ok();
            Some((around(a)?, Some(around(b?)?)))
        }
        View::Scatter(rounds, places, f) => {
            let both = |value: &Term| split(value).and_then(|(a, b)| Some((a, b?)));
            scatters((rounds, places), &f, &both).map(|(a, b)| (a, Some(b)))
        }
        View::If(c, then, other) => {
            let ((a, b), (x, y)) = (split(&then)?, split(&other)?);
            Some((Term::if_else(c.clone(), a, x).ok()?, Some(Term::if_else(c, b?, y?).ok()?)))
        }
        View::Guard(k, n, number, inside, other) => {
            let ((a, b), (x, y)) = (split(&inside)?, split(&other)?);
            let around = |a, x| Term::guard(&k, n.clone(), number.clone(), a, x).ok();
            Some((around(a, x)?, Some(around(b?, y?)?)))
        }
        View::Let(x, value, body) => {
            let (a, b) = split(&body)?;
            Some((Term::let_in(&x, value.clone(), a).ok()?, Some(Term::let_in(&x, value, b?).ok()?)))
        }
        View::Array(_, elements) => {
            let both: Vec<(Term, Option<Term>)> = elements.iter().map(split).collect::<Option<_>>()?;
            let (a, b): (Vec<Term>, Vec<Option<Term>>) = both.into_iter().unzip();
            let array = |all: Vec<Term>| Term::array(&all.first()?.ty().clone(), all).ok();
            Some((array(a)?, Some(array(b.into_iter().collect::<Option<_>>()?)?)))
        }
        _ => None,
    }
}

/// The same of what costs nothing, from outside.
fn taken(term: &Term) -> Option<(Term, Option<Term>)> {
    if tangents(term.ty()).is_none() {
        return Some((term.clone(), None));
    }
    match term.ty().view() {
        TypeView::Pair(a, b) => {
            let (first, second) = (Term::fst(term.clone()).ok()?, Term::snd(term.clone()).ok()?);
            if is_number(a) && is_number(b) {
                Some((first, Some(second)))
            } else {
                paired(taken(&first)?, taken(&second)?)
            }
        }
        TypeView::Array(n, _) => {
            let element = |i: Term| taken(&Term::get(term.shift(1), i).ok()?);
            Some((each(n, |i| Some(element(i)?.0))?, Some(each(n, |i| element(i)?.1)?)))
        }
        _ => None,
    }
}

fn paired((a, b): (Term, Option<Term>), (x, y): (Term, Option<Term>)) -> Option<(Term, Option<Term>)> {
    let tangents = match (b, y) {
        (Some(b), Some(y)) => Some(Term::pair(b, y).ok()?),
        (one, other) => one.or(other),
    };
    Some((Term::pair(a, x).ok()?, tangents))
}

/// The term of such a type with these numbers and tangents; repeats them, so that they should be variables.
pub(super) fn joined_duals(first: &Term, tangent: Option<&Term>, ty: &Type) -> Option<Term> {
    if tangents(ty).is_none() {
        return Some(first.clone());
    }
    let tangent = tangent?;
    match ty.view() {
        TypeView::Pair(a, b) if is_number(a) && is_number(b) => Term::pair(first.clone(), tangent.clone()).ok(),
        TypeView::Pair(a, b) => {
            let (of_a, of_b) = match (tangents(a), tangents(b)) {
                (Some(_), Some(_)) => (Term::fst(tangent.clone()).ok(), Term::snd(tangent.clone()).ok()),
                (Some(_), None) => (Some(tangent.clone()), None),
                (None, _) => (None, Some(tangent.clone())),
            };
            let a = joined_duals(&Term::fst(first.clone()).ok()?, of_a.as_ref(), a)?;
            Term::pair(a, joined_duals(&Term::snd(first.clone()).ok()?, of_b.as_ref(), b)?).ok()
        }
        TypeView::Array(n, element) => each(n, |i| {
            let of = |array: &Term| Term::get(array.shift(1), i.clone()).ok();
            joined_duals(&of(first)?, Some(&of(tangent)?), element)
        }),
        _ => None,
    }
}
