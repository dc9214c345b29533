//! `let` and `if` outwards, through every constructor.

use crate::rule::{Focus, Reason};
use crate::term::{Kind, Slot, Term, View};

/// `f(let x := a; b) --> let x := a; f(b)`, for the leftmost child in one of these places where it is allowed.
pub(super) fn float_let(focus: &Focus, places: fn(Slot) -> bool) -> Result<Term, Reason> {
    let kind = focus.term.kind();
    if let Kind::Let(_) = kind {
        return Err(Reason::native("letSwap and letLet move a let out of a let"));
    }
    let mut reason = Reason::native("no let in the place that it floats from");
    for (k, kid) in focus.term.kids().into_iter().enumerate() {
        let View::Let(x, value, body) = kid.view() else { continue };
        if !places(kind.slot(k)) {
            continue;
        }
        let binders = kind.binders(k);
        let Some(outer) = value.lower(binders) else {
            reason = Reason { progress: 1, ..Reason::native("the let's value mentions the function's variable") };
            continue;
        };
        let inside = body.rename(|i| match i {
            0 => binders,
            i if i <= binders => i - 1,
            i => i,
        });
        let rest = focus.term.shift(1);
        let floated = rest.with_kid(k, inside).and_then(|body| Term::let_in(&x, outer, body));
        return floated.map_err(|_| Reason::native("the let can't stand further out"));
    }
    Err(reason)
}

/// `f(if c then a else b) --> if c then f(a) else f(b)`, for the leftmost child in one of these places where it is
/// allowed.
pub(super) fn float_if(focus: &Focus, places: fn(Slot) -> bool) -> Result<Term, Reason> {
    let kind = focus.term.kind();
    let mut reason = Reason::native("no if in the place that it floats from");
    for (k, kid) in focus.term.kids().into_iter().enumerate() {
        let View::If(condition, a, b) = kid.view() else { continue };
        let slot = kind.slot(k);
        if matches!(slot, Slot::ThenBranch | Slot::ElseBranch) || !places(slot) {
            continue;
        }
        let Some(outer) = condition.lower(kind.binders(k)) else {
            reason = Reason { progress: 1, ..Reason::native("the condition mentions a variable that is bound here") };
            continue;
        };
        let around = |branch: Term| focus.term.with_kid(k, branch);
        let floated = around(a).and_then(|a| around(b).and_then(|b| Term::if_else(outer, a, b)));
        return floated.map_err(|_| Reason::native("the if can't stand further out"));
    }
    Err(reason)
}
