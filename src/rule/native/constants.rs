//! Primitives of constants, computed as the evaluator computes them.

use smallvec::SmallVec;

use super::{Exactness, Row};
use crate::rule::{Focus, Reason};
use crate::term::{Class, Kind, Prim, Scalar, Term, TypeView};

macro_rules! constants {
    ($($suffix:literal $classes:pat => $law:literal, $of:literal;)*) => {
        pub(super) const ROWS: &[Row] = &[
            $(Row {
                name: concat!("constFold", $suffix),
                group: "Constants",
                law: $law,
                condition: "x and y are numbers, and the result is finite",
                doc: concat!("Computes ", $of, " of numbers beforehand; a size is no number."),
                exactness: Exactness::Exact,
                function: |focus| fold(focus, |class| matches!(class, $classes)),
            },)*
        ];
    };
}

constants! {
    "" _ => "x + y --> z, and so for each primitive that isn't a named function", "an operator";
    "Arithmetic" Class::Arithmetic => "x + y --> z, and so for `-`, `*`, `/`, `min` and `max`", "arithmetic";
    "Comparison" Class::Comparison => "x < y --> 1 or 0, and so for `<=`, `>`, `>=`, `=` and `!=`", "a comparison";
    "Logic" Class::Connective => "x && y --> 1 or 0, and so for `||` and `not`", "a truth";
    "Conversion" Class::Conversion => "real k --> x, int k --> l", "a conversion";
}

fn fold(focus: &Focus, wanted: fn(Class) -> bool) -> Result<Term, Reason> {
    let Kind::Prim(prim) = focus.term.kind() else { return Err(Reason::native("the term is no such primitive")) };
    if !wanted(prim.class()) {
        return Err(Reason::native("the term is no such primitive"));
    }
    let refuse = || Reason { progress: 1, ..Reason::native("an operand is no number, or the result is none") };
    computed(*prim, focus.term).ok_or_else(refuse)
}

/// The number that a primitive of numbers gives, if it is one.
fn computed(prim: Prim, term: &Term) -> Option<Term> {
    if prim.class() == Class::Function {
        return None;
    }
    let operands: SmallVec<[Scalar; 2]> = term.kids().iter().map(number).collect::<Option<_>>()?;
    let is_nan = |operand: &Scalar| matches!(operand, Scalar::Real(x) if x.is_nan());
    match (prim.compute(&operands)?, term.ty().view()) {
        (Scalar::Real(x), _) => (x.is_finite() && !operands.iter().any(is_nan)).then(|| Term::real(x)),
        (Scalar::Int(x), _) => Some(Term::int(x)),
        (Scalar::Fin(x), TypeView::Fin(n)) => Term::fin(x, n.clone()).ok(),
        (Scalar::Fin(_), _) => None,
    }
}

fn number(constant: &Term) -> Option<Scalar> {
    match constant.kind() {
        Kind::Real(x) => Some(Scalar::Real(*x)),
        Kind::Int(x) => Some(Scalar::Int(*x)),
        Kind::Fin(x, _) => Some(Scalar::Fin(*x)),
        _ => None,
    }
}
