//! What the native rules inspect, by name. Whatever has no row here may look at anything.

use super::halves::zipped;
use super::sum::Sum;
use crate::rule::look::ANY;
use crate::rule::sight::{BLIND, Scan};
use crate::term::{Head, Kind, Prim, Term, TypeView};

/// The row for a rule.
pub(super) fn scan(name: &str) -> &'static Scan {
    SCANS.iter().find(|(all, _)| all.contains(&name)).map_or(&BLIND, |(_, scan)| scan)
}

/// A function that looks at constructors as deep as these ways go.
const SHALLOW: Scan = Scan { deep: false, place: false, ..BLIND };
/// A function that looks at anything below the term.
const BELOW: Scan = Scan { place: false, ..BLIND };

const SCANS: &[(&[&str], Scan)] = &[
    (&["ifTrue"], Scan { heads: |h| h == Head::If, ways: &[&[0]], ..SHALLOW }),
    (&["ifKnown"], Scan { heads: |h| h == Head::If, ways: &[&[0]], guard: asks, ..BELOW }),
    (&["eqOffset"], Scan { heads: compares, ways: &[&[ANY]], ..SHALLOW }),
    (
        &["constFold", "constFoldArithmetic", "constFoldComparison", "constFoldLogic", "constFoldConversion"],
        Scan { heads: |h| matches!(h, Head::Prim(_)), ways: &[&[ANY]], ..SHALLOW },
    ),
    (&["letFloat"], Scan { heads: |h| h != Head::Let && has_kids(h), ways: &[&[ANY]], scope: 2, ..SHALLOW }),
    (&["ifFloat"], Scan { heads: has_kids, ways: &[&[ANY]], scope: 2, ..SHALLOW }),
    (&["letFloatBody", "ifFloatBody"], Scan { heads: |h| h == Head::Lam, ways: &[&[0]], scope: 2, ..SHALLOW }),
    (&["letFloatFunction", "ifFloatFunction"], Scan { heads: |h| h == Head::App, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatArgument", "ifFloatArgument"], Scan { heads: |h| h == Head::App, ways: &[&[1]], ..SHALLOW }),
    (&["letFloatCondition", "ifFloatCondition"], Scan { heads: |h| h == Head::If, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatPairFirst", "ifFloatPairFirst"], Scan { heads: |h| h == Head::Pair, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatPairSecond", "ifFloatPairSecond"], Scan { heads: |h| h == Head::Pair, ways: &[&[1]], ..SHALLOW }),
    (
        &["letFloatProjected", "ifFloatProjected"],
        Scan { heads: |h| matches!(h, Head::Fst | Head::Snd), ways: &[&[0]], ..SHALLOW },
    ),
    (&["letFloatArray", "ifFloatArray"], Scan { heads: |h| h == Head::Get, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatIndex", "ifFloatIndex"], Scan { heads: |h| h == Head::Get, ways: &[&[1]], ..SHALLOW }),
    (&["letFloatBuildBody", "ifFloatBuildBody"], Scan { heads: |h| h == Head::Build, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatFoldBody", "ifFloatFoldBody"], Scan { heads: |h| h == Head::Ifold, ways: &[&[0]], ..SHALLOW }),
    (&["letFloatFoldInit", "ifFloatFoldInit"], Scan { heads: |h| h == Head::Ifold, ways: &[&[1]], ..SHALLOW }),
    (
        &["letFloatOperand", "ifFloatOperand"],
        Scan { heads: |h| matches!(h, Head::Prim(_)), ways: &[&[ANY]], ..SHALLOW },
    ),
    (&["letFloatElement", "ifFloatElement"], Scan { heads: |h| h == Head::Array, ways: &[&[ANY]], ..SHALLOW }),
    (
        &["unroll", "unrollUpTo"],
        Scan { heads: |h| matches!(h, Head::Build | Head::Ifold | Head::Get), ways: &[&[ANY]], ..SHALLOW },
    ),
    (&["letArray"], Scan { heads: |h| h == Head::Let, ways: &[&[0]], scope: 1, ..BELOW }),
    (&["ifArray"], Scan { heads: |h| h == Head::If, ways: &[&[1], &[2]], ..SHALLOW }),
    (&["letIntoArray"], Scan { heads: |h| h == Head::Let, ways: &[&[1]], scope: 1, place: true, ..BELOW }),
    (&["getArray"], Scan { heads: |h| h == Head::Get, ways: &[&[ANY]], ..SHALLOW }),
    (&["collect", "gather", "sumMerge"], Scan { heads: sums, guard: is_real, ..BELOW }),
    (&["ifMerge"], Scan { heads: sums, ..BELOW }),
    (&["mulRecip"], Scan { heads: |h| matches!(h, Head::Prim(Prim::Mul | Prim::Div)), guard: is_real, ..BELOW }),
    (&["letLinear"], Scan { heads: |h| h == Head::Let, scope: 1, guard: used_twice, place: true, ..BELOW }),
    (&["cse"], Scan { heads: has_kids, guard: |term| term.kid_count() > 1, ..BELOW }),
    (&["letBuild"], Scan { heads: |h| h == Head::Let, ways: &[&[0, 0]], scope: 1, guard: binds_build, ..BELOW }),
    (&["sumIntro"], Scan { heads: |h| h == Head::Ifold, ways: &[&[0, 0]], guard: rounds, ..BELOW }),
    (
        &["sumOneHot"],
        Scan { heads: |h| h == Head::Ifold, ways: SUM, scope: 3, guard: |term| Sum::of(term).is_some(), ..BELOW },
    ),
    (
        &["sumReassoc"],
        Scan {
            heads: |h| h == Head::Ifold,
            ways: SUM,
            scope: 3,
            guard: |term| is_real(term) && Sum::of(term).is_some(),
            place: true,
            ..BELOW
        },
    ),
    (
        &["sumOrder"],
        Scan { heads: |h| matches!(h, Head::Ifold | Head::If) || products(h), guard: is_real, place: true, ..BELOW },
    ),
    (&["arrange"], Scan { heads: |h| sums(h) || products(h), guard: is_real, ..BELOW }),
    (&["letReuse"], Scan { heads: |h| h == Head::Let, ..BELOW }),
    (&["letFloatBranch"], Scan { heads: |h| h == Head::If, ways: &[&[1], &[2]], ..SHALLOW }),
    (&["tabulate"], Scan { heads: |h| has_kids(h) && !matches!(h, Head::Lam | Head::Let | Head::App), ..BELOW }),
    (&["letUnzip"], Scan { heads: |h| h == Head::Let, ways: &[&[0]], guard: binds_pairs, ..BELOW }),
    (&["ifPair"], Scan { heads: |h| h == Head::If, guard: |term| zipped(term.ty()), ..BELOW }),
    (
        &["ifoldUnzip"],
        Scan { heads: |h| h == Head::Ifold, ways: &[&[0, 0]], guard: |term| zipped(term.ty()) && loops(term), ..BELOW },
    ),
];

/// What [`Sum::of`] looks at; the body must not use the state.
const SUM: &[&[u32]] = &[&[0, 0, 0, 0], &[1]];

fn has_kids(head: Head) -> bool {
    !matches!(head, Head::Var | Head::Real | Head::Int | Head::Fin | Head::SizeVar)
}

fn compares(head: Head) -> bool {
    matches!(head, Head::Prim(Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne))
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
    compares(head) || matches!(head, Head::Prim(Prim::And | Prim::Or | Prim::Not))
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
