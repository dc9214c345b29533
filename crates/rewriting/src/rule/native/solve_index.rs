//! Solves an equation between whole numbers for the innermost variable, where that stands in it once.

use redexter_language::ground::Name;
use redexter_language::term::{Kind, Prim, RangeProver, Size, SizeBounds, Term, Type, View};

/// What the innermost variable is where `a = b`, outside of its binder: `n - 1 - int j` for i of `n - 1 - i = j`. An index of
/// another size stands for its number. Whole numbers wrap, as those of a ring, so that both equations hold at the same places.
pub(super) fn solved(a: &Term, b: &Term) -> Option<Term> {
    let holds = |t: &Term| t.free_at(0).is_some();
    let (side, other) = match (holds(a), holds(b)) {
        (true, false) => (a, b),
        (false, true) => (b, a),
        _ => return None,
    };
    let mut value = other.lower(1)?;
    let mut side = side.clone();
    loop {
        side = match side.view() {
            View::Var(0) => return Some(value),
            View::Within(_, number) => number,
            View::Prim(Prim::ToInt, operands) => operands[0].clone(),
            View::Prim(Prim::Offset(c), operands) => {
                value = Term::prim(Prim::Sub, vec![number(value)?, Term::int(i64::try_from(c).ok()?)]).ok()?;
                operands[0].clone()
            }
            View::Prim(Prim::Neg, operands) => {
                value = Term::prim(Prim::Neg, vec![number(value)?]).ok()?;
                operands[0].clone()
            }
            View::Prim(op @ (Prim::Add | Prim::Sub), operands) => {
                let (x, y) = (&operands[0], &operands[1]);
                let (kept, known) = match (holds(x), holds(y)) {
                    (true, false) => (x, number(y.lower(1)?)?),
                    (false, true) => (y, number(x.lower(1)?)?),
                    _ => return None,
                };
                let value_now = number(value)?;
                let (op, operands) = match (op, std::ptr::eq(kept, x)) {
                    (Prim::Add, _) => (Prim::Sub, vec![value_now, known]),
                    (_, true) => (Prim::Add, vec![value_now, known]),
                    (_, false) => (Prim::Sub, vec![known, value_now]),
                };
                value = Term::prim(op, operands).ok()?;
                kept.clone()
            }
            _ => return None,
        };
    }
}

/// The number of an index; a whole number is its own.
pub(super) fn number(term: Term) -> Option<Term> {
    if *term.ty() == Type::int() {
        return Some(term);
    }
    match term.view() {
        View::Within(_, number) => Some(number),
        View::Fin(c, _) => Some(Term::int(i64::try_from(c).ok()?)),
        _ => Term::prim(Prim::ToInt, vec![term]).ok(),
    }
}

/// This number or index as one below a size, where that is its type or can be shown whatever the sizes are within these bounds.
pub(super) fn index_below(value: &Term, size: &Size, bounds: &SizeBounds) -> Option<Term> {
    let fin = Type::fin(size.clone());
    if *value.ty() == fin {
        return Some(value.clone());
    }
    if let Kind::Prim(Prim::ToInt) = value.kind()
        && *value.kid(0).ty() == fin
    {
        return Some(value.kid(0));
    }
    let number = number(value.clone())?;
    RangeProver::new(bounds, &[]).is_index(&number, size).ok()?;
    match number.kind() {
        Kind::Int(c) => Term::fin(u64::try_from(*c).ok()?, size.clone()).ok(),
        _ => Term::within(size.clone(), number).ok(),
    }
}

/// A body where its innermost variable, an index below a size, is this number: behind a guard where it may be none, with this
/// otherwise.
pub(super) fn at_number(
    (name, size): (&Name, &Size),
    value: &Term,
    body: &Term,
    otherwise: Option<Term>,
    bounds: &SizeBounds,
) -> Option<Term> {
    match index_below(value, size, bounds) {
        Some(k) => at_index(name, k, body),
        None => Term::guard(name, size.clone(), number(value.clone())?, body.clone(), otherwise?).ok(),
    }
}

/// A body where its innermost variable is this index, which is named unless it has a name already, so that it is computed once
/// however often the body mentions it.
pub(super) fn at_index(name: &Name, index: Term, body: &Term) -> Option<Term> {
    match index.kind() {
        Kind::Var | Kind::Fin(..) => body.instantiate(&index).ok(),
        _ => Term::let_in(name, index, body.clone()).ok(),
    }
}
