//! What the native rules inspect, by name. Whatever has no row here may look at anything.

use super::halves::zipped;
use super::sum::Sum;
use crate::rule::footprint::{ANY, ANYTHING, Inspection};
use crate::term::{Class, Head, Kind, Prim, Term, TypeView};

/// The row for a rule.
pub(super) fn scan(name: &str) -> &'static Inspection {
    SCANS.iter().find(|(all, _)| all.contains(&name)).map_or(&ANYTHING, |(_, scan)| scan)
}

/// A function that looks at constructors as deep as these ways go.
const SHALLOW: Inspection = Inspection { deep: false, context: false, ..ANYTHING };
/// A function that looks at anything below the term.
const BELOW: Inspection = Inspection { context: false, ..ANYTHING };

const SCANS: &[(&[&str], Inspection)] = &[
    (&["ifTrue"], Inspection { heads: |h| h == Head::If, ways: &[&[0]], ..SHALLOW }),
    (&["ifKnown"], Inspection { heads: |h| h == Head::If, ways: &[&[0]], guard: asks, ..BELOW }),
    (&["eqOffset"], Inspection { heads: compares, ways: &[&[ANY]], ..SHALLOW }),
    (
        &["constFold", "constFoldArithmetic", "constFoldComparison", "constFoldLogic", "constFoldConversion"],
        Inspection { heads: |h| matches!(h, Head::Prim(_)), ways: &[&[ANY]], ..SHALLOW },
    ),
    (&["letFloat"], Inspection { heads: |h| h != Head::Let && has_kids(h), ways: &[&[ANY]], scope: 2, ..SHALLOW }),
    (&["ifFloat"], Inspection { heads: has_kids, ways: &[&[ANY]], scope: 2, ..SHALLOW }),
    (&["letFloatBody", "ifFloatBody"], Inspection { heads: |h| h == Head::Lam, ways: &[&[0]], scope: 2, ..SHALLOW }),
    (&["letFloatFunction", "ifFloatFunction"], Inspection { heads: |h| h == Head::App, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatArgument", "ifFloatArgument"], Inspection { heads: |h| h == Head::App, ways: &[&[1]], ..SHALLOW }),
    (&["letFloatCondition", "ifFloatCondition"], Inspection { heads: |h| h == Head::If, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatPairFirst", "ifFloatPairFirst"], Inspection { heads: |h| h == Head::Pair, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatPairSecond", "ifFloatPairSecond"], Inspection { heads: |h| h == Head::Pair, ways: &[&[1]], ..SHALLOW }),
    (
        &["letFloatProjected", "ifFloatProjected"],
        Inspection { heads: |h| matches!(h, Head::Fst | Head::Snd), ways: &[&[0]], ..SHALLOW },
    ),
    (&["letFloatArray", "ifFloatArray"], Inspection { heads: |h| h == Head::Get, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatIndex", "ifFloatIndex"], Inspection { heads: |h| h == Head::Get, ways: &[&[1]], ..SHALLOW }),
    (&["letFloatBuildBody", "ifFloatBuildBody"], Inspection { heads: |h| h == Head::Build, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatFoldBody", "ifFloatFoldBody"], Inspection { heads: |h| h == Head::Ifold, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatFoldInit", "ifFloatFoldInit"], Inspection { heads: |h| h == Head::Ifold, ways: &[&[1]], ..SHALLOW }),
    (
        &["letFloatOperand", "ifFloatOperand"],
        Inspection { heads: |h| matches!(h, Head::Prim(_)), ways: &[&[ANY]], ..SHALLOW },
    ),
    (&["letFloatElement", "ifFloatElement"], Inspection { heads: |h| h == Head::Array, ways: &[&[ANY]], ..SHALLOW }),
    (
        &["unroll", "unrollUpTo"],
        Inspection { heads: |h| matches!(h, Head::Build | Head::Ifold | Head::Get), ways: &[&[ANY]], ..SHALLOW },
    ),
    (&["letArray"], Inspection { heads: |h| h == Head::Let, ways: &[&[0]], scope: 1, ..BELOW }),
    (&["ifArray"], Inspection { heads: |h| h == Head::If, ways: &[&[1], &[2]], ..SHALLOW }),
    (&["letIntoArray"], Inspection { heads: |h| h == Head::Let, ways: &[&[1]], scope: 1, context: true, ..BELOW }),
    (&["getArray"], Inspection { heads: |h| h == Head::Get, ways: &[&[ANY]], ..SHALLOW }),
    (&["collect", "gather", "sumMerge"], Inspection { heads: sums, guard: is_real, ..BELOW }),
    (&["ifMerge"], Inspection { heads: sums, ..BELOW }),
    (&["mulRecip"], Inspection { heads: |h| matches!(h, Head::Prim(Prim::Mul | Prim::Div)), guard: is_real, ..BELOW }),
    (&["letLinear"], Inspection { heads: |h| h == Head::Let, scope: 1, guard: used_twice, context: true, ..BELOW }),
    (&["cse"], Inspection { heads: has_kids, guard: |term| term.kid_count() > 1, ..BELOW }),
    (&["letBuild"], Inspection { heads: |h| h == Head::Let, ways: &[&[0, 0]], scope: 1, guard: binds_build, ..BELOW }),
    (&["sumIntro"], Inspection { heads: |h| h == Head::Ifold, ways: &[&[0, 0]], guard: rounds, ..BELOW }),
    (
        &["sumOneHot"],
        Inspection { heads: |h| h == Head::Ifold, ways: SUM, scope: 3, guard: |term| Sum::of(term).is_some(), ..BELOW },
    ),
    (
        &["sumReassoc"],
        Inspection {
            heads: |h| h == Head::Ifold,
            ways: SUM,
            scope: 3,
            guard: |term| is_real(term) && Sum::of(term).is_some(),
            context: true,
            ..BELOW
        },
    ),
    (
        &["sumOrder"],
        Inspection {
            heads: |h| matches!(h, Head::Ifold | Head::If) || products(h),
            guard: is_real,
            context: true,
            ..BELOW
        },
    ),
    (&["arrange"], Inspection { heads: |h| sums(h) || products(h), guard: is_real, ..BELOW }),
    (&["letReuse"], Inspection { heads: |h| h == Head::Let, ..BELOW }),
    (&["letFloatBranch"], Inspection { heads: |h| h == Head::If, ways: &[&[1], &[2]], ..SHALLOW }),
    (&["tabulate"], Inspection { heads: |h| has_kids(h) && !matches!(h, Head::Lam | Head::Let | Head::App), ..BELOW }),
    (&["letUnzip"], Inspection { heads: |h| h == Head::Let, ways: &[&[0]], guard: binds_pairs, ..BELOW }),
    (&["ifPair"], Inspection { heads: |h| h == Head::If, guard: |term| zipped(term.ty()), ..BELOW }),
    (
        &["ifoldUnzip"],
        Inspection {
            heads: |h| h == Head::Ifold,
            ways: &[&[0, 0]],
            guard: |term| zipped(term.ty()) && loops(term),
            ..BELOW
        },
    ),
];

/// What [`Sum::of`] looks at; the body must not use the state.
const SUM: &[&[u32]] = &[&[0, 0, 0, 0], &[1]];

fn has_kids(head: Head) -> bool {
    !head.is_leaf()
}

fn compares(head: Head) -> bool {
    matches!(head, Head::Prim(prim) if prim.class() == Class::Comparison)
}

fn sums(head: Head) -> bool {
    matches!(head, Head::Prim(Prim::Add | Prim::Sub))
}

fn products(head: Head) -> bool {
    matches!(head, Head::Prim(Prim::Mul | Prim::Div | Prim::Neg))
}

fn is_real(term: &Term) -> bool {
    *term.ty().view() == TypeView::Real
}

fn asks(choice: &Term) -> bool {
    let head = choice.kid(0).kind().head();
    matches!(head, Head::Prim(prim) if matches!(prim.class(), Class::Comparison | Class::Connective))
}

fn used_twice(binding: &Term) -> bool {
    is_real(binding) && is_real(&binding.kid(0)) && binding.kid(1).occurrences(0) > 1
}

fn binds_build(binding: &Term) -> bool {
    let (value, body) = (binding.kid(0), binding.kid(1));
    matches!(value.kind(), Kind::Build(_)) && matches!(value.kid(0).kind(), Kind::Lam(..)) && body.occurrences(0) > 0
}

fn binds_pairs(binding: &Term) -> bool {
    let value = binding.kid(0);
    zipped(value.ty()) && !matches!(value.kind(), Kind::Var)
}

/// Whether a loop's function is written out.
fn loops(term: &Term) -> bool {
    let f = term.kid(0);
    match term.kind() {
        Kind::Ifold(_) => matches!(f.kind(), Kind::Lam(..)) && matches!(f.kid(0).kind(), Kind::Lam(..)),
        _ => matches!(f.kind(), Kind::Lam(..)),
    }
}

/// Whether a fold adds up numbers.
fn rounds(fold: &Term) -> bool {
    matches!(fold.ty().view(), TypeView::Real | TypeView::Int) && loops(fold)
}
