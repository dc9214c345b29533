//! What is known inside a branch, and comparisons of shifted indices.

use crate::rule::replace::{Exchange, replace};
use crate::rule::{Focus, Reason};
use crate::term::{Class, Kind, Prim, Size, Term, TypeView, View};

/// `if c then a else b`, with c replaced by 1 in a and by 0 in b.
pub(super) fn if_known(focus: &Focus) -> Result<Term, Reason> {
    let View::If(condition, a, b) = focus.term.view() else {
        return Err(Reason::native("the term is no if"));
    };
    if !matches!(condition.kind(), Kind::Prim(p) if matches!(p.class(), Class::Comparison | Class::Connective)) {
        return Err(Reason::native("the condition is no comparison, `&&`, `||` or `not`"));
    }
    let put =
        |branch: &Term, truth: i64| replace(branch, &[Exchange { from: condition.clone(), to: Term::int(truth) }]);
    let (then, other) = (put(&a, 1), put(&b, 0));
    if then == a && other == b {
        return Err(Reason { progress: 1, ..Reason::native("the condition does not occur in a branch") });
    }
    Term::if_else(condition, then, other).map_err(|_| Reason::native("the branches differ in type"))
}

/// `if k then a else b --> a` for a number k other than 0.
pub(super) fn if_true(focus: &Focus) -> Result<Term, Reason> {
    match focus.term.view() {
        View::If(condition, a, _) => match condition.kind() {
            Kind::Int(k) if *k != 0 => Ok(a),
            _ => Err(Reason { progress: 1, ..Reason::native("the condition is no number other than 0") }),
        },
        _ => Err(Reason::native("the term is no if")),
    }
}

/// `i + c = k + d`, for any comparison of indices, with the smaller of c and d gone from both sides.
pub(super) fn compare_offsets(focus: &Focus) -> Result<Term, Reason> {
    let refuse = || Reason::native("no comparison of two indices with something added to both");
    let Kind::Prim(op) = focus.term.kind() else { return Err(refuse()) };
    if op.class() != Class::Comparison {
        return Err(refuse());
    }
    let (left, right) = (focus.term.kid(0), focus.term.kid(1));
    let ((i, c), (k, d)) = (offset(&left), offset(&right));
    let common = c.min(d);
    let sides = if common > 0 {
        Some((plus(i, c - common), plus(k, d - common)))
    } else if c > 0 {
        below(&right, &i, c, focus).map(|k| (i, k))
    } else {
        below(&left, &k, d, focus).map(|i| (i, k))
    };
    let (i, k) = sides.ok_or_else(refuse)?;
    Term::prim(*op, vec![i, k]).map_err(|_| refuse())
}

/// An index without what is added to it, and that.
fn offset(index: &Term) -> (Term, u64) {
    match index.kind() {
        Kind::Prim(Prim::Offset(c)) => (index.kid(0), *c),
        _ => (index.clone(), 0),
    }
}

fn plus(index: Term, c: u64) -> Term {
    if c == 0 { index } else { Term::prim(Prim::Offset(c), vec![index.clone()]).unwrap_or(index) }
}

/// A constant less `c`, if it then is an index as `like` is one for every value of the sizes.
fn below(constant: &Term, like: &Term, c: u64, focus: &Focus) -> Option<Term> {
    let (Kind::Fin(k, _), TypeView::Fin(n)) = (constant.kind(), like.ty().view()) else { return None };
    let rest = k.checked_sub(c).filter(|rest| c > 0 && Size::least(n, focus.bounds) > *rest)?;
    Term::fin(rest, n.clone()).ok()
}
