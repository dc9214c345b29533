//! Simplifies a linear term in which some variables are 0: what that makes 0 goes, with the sums and products around it.

use super::scatter_parts::ScatterParts;
use redexter_language::term::{Prim, Term, View};

/// The term with 0 for those of its free variables that are asked for; of the others nothing changes.
pub(super) fn at_zero(term: &Term, is_zero: &dyn Fn(u32) -> bool) -> Option<Term> {
    if !term.places().iter().any(|place| is_zero(*place)) {
        return Some(term.clone());
    }
    match term.view() {
        View::Var(_) => return Term::zero(term.ty()),
        View::Let(x, value, body) => {
            let value = at_zero(&value, is_zero)?;
            let named = value.is_zero();
            let body = at_zero(&body, &|place| if place == 0 { named } else { is_zero(place - 1) })?;
            return if named { body.lower(1) } else { Term::let_in(&x, value, body).ok() };
        }
        _ => {}
    }
    let kids = (0..term.kid_count()).map(|k| {
        let binders = term.binders(k);
        at_zero(&term.kid(k), &|place| place >= binders && is_zero(place - binders))
    });
    let whole = Term::of(term.kind(), kids.collect::<Option<_>>()?).ok()?;
    Some(without_zeros(&whole).unwrap_or(whole))
}

/// The same with less around a 0 that is one of its children, if there is one.
fn without_zeros(term: &Term) -> Option<Term> {
    let zero = || Term::zero(term.ty());
    match term.view() {
        View::Get(part, _) | View::Fst(part) | View::Snd(part) if part.is_zero() => zero(),
        View::If(_, then, other) | View::Guard(_, _, _, then, other) if then.is_zero() && other.is_zero() => zero(),
        View::Scatter(..) if ScatterParts::of(term).is_some_and(|parts| parts.value.is_zero()) => zero(),
        View::Plus(a, b) if b.is_zero() => Some(a),
        View::Plus(a, b) if a.is_zero() => Some(b),
        View::Ifold(_, f, start) | View::Scan(_, f, start) | View::Scanr(_, f, start)
            if start.is_zero() && stays_zero(&f) =>
        {
            zero()
        }
        View::Ifold(_, f, start) => keeps_state(&f).then_some(start),
        View::Prim(prim, operands) => match (prim, &operands[..]) {
            (Prim::Neg, [a]) if a.is_zero() => zero(),
            (Prim::Mul, [a, b]) if a.is_zero() || b.is_zero() => zero(),
            (Prim::Div, [a, _]) if a.is_zero() => zero(),
            (Prim::Add | Prim::Sub, [a, b]) if b.is_zero() => Some(a.clone()),
            (Prim::Add, [a, b]) if a.is_zero() => Some(b.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether each round of a loop gives nothing but 0 for a state of 0.
fn stays_zero(f: &Term) -> bool {
    let View::Lam(_, _, f) = f.view() else { return false };
    let View::Lam(_, _, step) = f.view() else { return false };
    at_zero(&step, &|place| place == 1).is_some_and(|step| step.is_zero())
}

/// Whether each round of a loop gives its state back.
fn keeps_state(f: &Term) -> bool {
    let View::Lam(_, _, f) = f.view() else { return false };
    matches!(f.view(), View::Lam(_, _, step) if matches!(step.view(), View::Var(1)))
}
