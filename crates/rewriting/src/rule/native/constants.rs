//! Folds constants: primitives of numbers are computed as the evaluator computes them.

use smallvec::SmallVec;

use crate::rule::footprint::{ANY_KID, HeadFilter, Inspection, SHALLOW};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Prim, PrimClass, Scalar, Term, TypeView};

macro_rules! constants {
    ($($suffix:literal $class:path => $law:literal, $of:literal,
        [$($left:literal),*] [$($before:literal => $after:literal),*] [$refused:literal];
    )*) => {
        pub(super) const RULES: &[NativeRule] = &[
            NativeRule {
                name: "constFold",
                params: &[],
                group: "Constants",
                law: Words("x + y --> z, and so for each primitive that isn't a named function"),
                condition: "x and y are numbers, and the result is finite",
                doc: "Computes an operator of numbers beforehand; a size is no number.",
                exactness: Exactness::Exact,
                inspects: Inspection { heads: HeadFilter::AnyPrim, holds: &[Head::Int], ways: &[&[ANY_KID]], ..SHALLOW },
                left_sides: &[$($($left,)*)*],
                examples: &[("fun (v : real) => v + 2 * 3", "fun (v : real) => v + 6")],
                refused: for_tests(&["fun (v : real) => v + 1 / 0"]),
                function: |focus, _| fold(focus, |_| true),
            },
            $(NativeRule {
                name: concat!("constFold", $suffix),
                params: &[],
                group: "Constants",
                law: Words($law),
                condition: "x and y are numbers, and the result is finite",
                doc: concat!("Computes ", $of, " of numbers beforehand; a size is no number."),
                exactness: Exactness::Exact,
                inspects: Inspection {
                    heads: HeadFilter::Prims(&[$class]),
                    holds: &[Head::Int],
                    ways: &[&[ANY_KID]],
                    ..SHALLOW
                },
                left_sides: &[$($left),*],
                examples: &[$(($before, $after)),*],
                refused: for_tests(&[$refused]),
                function: |focus, _| fold(focus, |class| class == $class),
            },)*
        ];
    };
}

constants! {
    "Arithmetic" PrimClass::Arithmetic => "x + y --> z, and so for `-`, `*`, `/`, `min` and `max`", "arithmetic",
        ["(2 : real) * 3", "(2 : real) + 3", "0 - (0 : real)", "(1 : real) / 4", "exp 1", "(2 : int) * 3",
         "(2 : int) - 3", "min 1 2", "max 2 1", "pow 2 3",
         "-(-(3 : int))", "tanh 2", "-0 * (1 : real)", "sqrt 2", "log 3"]
        ["fun (v : real) => v + 1 / 4" => "fun (v : real) => v + 0.25",
         "fun (v : int) => v - 2 * 3" => "fun (v : int) => v - 6"]
        ["fun (v : real) => v + real n"];
    "Comparison" PrimClass::Comparison => "x < y --> 1 or 0, and so for `<=`, `>`, `>=`, `=` and `!=`", "a comparison",
        ["(2 : real) < 1", "(1 : int) <= 2", "(0 : real) = -0", "(1 : int) != 2", "(1 : real) >= 1",
         "(3 : fin 5) > (2 : fin 4)"]
        ["fun (v : real) => if (2 : real) < 1 then v else 3" => "fun (v : real) => if 0 then v else 3"]
        ["fun (v : real) => if v < 1 then v else 3"];
    "Logic" PrimClass::Connective => "x && y --> 1 or 0, and so for `||` and `not`", "a truth",
        ["not (2 : int)", "not (0 : int)", "(2 : int) && 1", "(2 : int) && 0", "(0 : int) || 0", "(0 : int) || 2"]
        ["fun (v : real) => if not 2 then v else 3" => "fun (v : real) => if 0 then v else 3"]
        ["fun (v : int) => not v"];
    "Conversion" PrimClass::Conversion => "real k --> x, int k --> l", "a conversion",
        ["real (3 : int)", "real (2 : fin 3)", "int (2 : fin 3)", "real (-(2 : int))"]
        ["fun (v : real) => v + real 3" => "fun (v : real) => v + 3"]
        ["fun (v : real) => real n + v"];
}

fn fold(focus: &Focus, wanted: fn(PrimClass) -> bool) -> Result<Term, Reason> {
    let Kind::Prim(prim) = focus.term.kind() else { return Err(Reason::native("the term is no such primitive")) };
    if !wanted(prim.class()) {
        return Err(Reason::native("the term is no such primitive"));
    }
    // Further than a term that is no such primitive, so that this is what a user is told of several failures.
    let refuse = || Reason { progress: 1, ..Reason::native("an operand is no number, or the result is none") };
    computed(*prim, focus.term).ok_or_else(refuse)
}

/// The number that a primitive of numbers gives, if it is one.
fn computed(prim: Prim, term: &Term) -> Option<Term> {
    if prim.class() == PrimClass::Function {
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
