//! Primitives of constants, computed as the evaluator computes them.

use super::{Exactness, Row};
use crate::rule::{Focus, Reason};
use crate::term::{Kind, Prim, Term};

macro_rules! constants {
    ($($suffix:literal $prims:pat => $law:literal, $of:literal;)*) => {
        pub(super) const ROWS: &[Row] = &[
            $(Row {
                name: concat!("constFold", $suffix),
                group: "Constants",
                law: $law,
                condition: "x and y are numbers, and the result is finite",
                doc: concat!("Computes ", $of, " of numbers beforehand; a size is no number."),
                exactness: Exactness::Exact,
                function: |focus| fold(focus, |prim| matches!(prim, $prims)),
            },)*
        ];
    };
}

constants! {
    "" _ => "x + y --> z, and so for each primitive that isn't a named function", "an operator";
    "Arithmetic" Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Neg | Prim::Min | Prim::Max | Prim::Offset(_) =>
        "x + y --> z, and so for `-`, `*`, `/`, `min` and `max`", "arithmetic";
    "Comparison" Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne =>
        "x < y --> 1 or 0, and so for `<=`, `>`, `>=`, `=` and `!=`", "a comparison";
    "Logic" Prim::And | Prim::Or | Prim::Not => "x && y --> 1 or 0, and so for `||` and `not`", "a truth";
    "Conversion" Prim::ToReal | Prim::ToInt => "real k --> x, int k --> l", "a conversion";
}

fn fold(focus: &Focus, wanted: fn(Prim) -> bool) -> Result<Term, Reason> {
    let Kind::Prim(prim) = focus.term.kind() else { return Err(Reason::native("the term is no such primitive")) };
    if !wanted(*prim) {
        return Err(Reason::native("the term is no such primitive"));
    }
    let refuse = || Reason { progress: 1, ..Reason::native("an operand is no number, or the result is none") };
    let kids = focus.term.kids();
    match &kids[..] {
        [a] => unary(*prim, a),
        [a, b] => binary(*prim, a, b),
        _ => None,
    }
    .ok_or_else(refuse)
}

fn unary(prim: Prim, a: &Term) -> Option<Term> {
    match (prim, a.kind()) {
        (Prim::Neg, Kind::Real(a)) => Some(Term::real(-a)),
        (Prim::Neg, Kind::Int(a)) => Some(Term::int(a.wrapping_neg())),
        (Prim::Not, Kind::Int(a)) => Some(truth(*a == 0)),
        (Prim::ToReal, Kind::Int(a)) => Some(Term::real(*a as f64)),
        (Prim::ToReal, Kind::Fin(a, _)) => Some(Term::real(*a as f64)),
        (Prim::ToInt, Kind::Fin(a, _)) => Some(Term::int(*a as i64)),
        (Prim::Offset(c), Kind::Fin(a, n)) => {
            Term::fin(a.checked_add(c)?, n.plus(&crate::term::Size::literal(c))?).ok()
        }
        _ => None,
    }
}

fn binary(prim: Prim, a: &Term, b: &Term) -> Option<Term> {
    match (a.kind(), b.kind()) {
        (Kind::Real(a), Kind::Real(b)) => compared(prim, a, b).or_else(|| real(prim, *a, *b)),
        (Kind::Int(a), Kind::Int(b)) => compared(prim, a, b).or_else(|| int(prim, *a, *b)),
        (Kind::Fin(a, n), Kind::Fin(b, m)) => match prim {
            Prim::Add => Term::fin(a.checked_add(*b)?, n.plus(m)?).ok(),
            _ => compared(prim, a, b),
        },
        _ => None,
    }
}

fn real(prim: Prim, a: f64, b: f64) -> Option<Term> {
    let value = match prim {
        Prim::Add => a + b,
        Prim::Sub => a - b,
        Prim::Mul => a * b,
        Prim::Div => a / b,
        Prim::Min if b < a => b,
        Prim::Max if b > a => b,
        Prim::Min | Prim::Max => a,
        _ => return None,
    };
    value.is_finite().then(|| Term::real(value))
}

fn int(prim: Prim, a: i64, b: i64) -> Option<Term> {
    match prim {
        Prim::Add => Some(Term::int(a.wrapping_add(b))),
        Prim::Sub => Some(Term::int(a.wrapping_sub(b))),
        Prim::Mul => Some(Term::int(a.wrapping_mul(b))),
        Prim::And => Some(truth(a != 0 && b != 0)),
        Prim::Or => Some(truth(a != 0 || b != 0)),
        _ => None,
    }
}

fn compared<T: PartialOrd>(prim: Prim, a: &T, b: &T) -> Option<Term> {
    match prim {
        Prim::Lt => Some(truth(a < b)),
        Prim::Le => Some(truth(a <= b)),
        Prim::Gt => Some(truth(a > b)),
        Prim::Ge => Some(truth(a >= b)),
        Prim::Eq => Some(truth(a == b)),
        Prim::Ne => Some(truth(a != b)),
        _ => None,
    }
}

fn truth(holds: bool) -> Term {
    Term::int(i64::from(holds))
}
