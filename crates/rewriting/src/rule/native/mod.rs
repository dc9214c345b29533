//! Holds the rules of the book that text can't say: tables of records, each beside its function.

mod adjoint;
mod collect;
mod common;
mod constants;
mod elements;
mod floats;
mod gather;
mod halves;
mod ifold_build;
mod known;
mod naming;
mod normal;
mod order;
mod ring;
mod separate;
mod share;
mod sum;
mod sums;
mod swap;
mod tabulate;
mod transpose;
mod unroll;
mod untabulate;
mod unzip;

use super::record::NativeRule;

const TABLES: [&[NativeRule]; 21] = [
    swap::RULES,
    known::RULES,
    floats::BRANCH,
    known::OFFSETS,
    unzip::RULES,
    sums::RULES,
    order::RULES,
    separate::RULES,
    collect::RULES,
    normal::RULES,
    gather::RULES,
    adjoint::RULES,
    share::RULES,
    tabulate::RULES,
    constants::RULES,
    unroll::RULES,
    elements::RULES,
    unroll::UP_TO,
    floats::RULES,
    ifold_build::RULES,
    untabulate::RULES,
];

// Checked at compile time, so that no native rule is without what it is tested and shown on.
const _: () = {
    let mut k = 0;
    while k < TABLES.len() {
        assert!(NativeRule::all_shown(TABLES[k]), "a native rule has no left side, no example or no refusal");
        k += 1;
    }
};

/// The native rules, in the order of the book.
pub(super) fn all() -> impl Iterator<Item = &'static NativeRule> {
    TABLES.into_iter().flatten()
}
