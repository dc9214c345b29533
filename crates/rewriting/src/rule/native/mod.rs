//! Holds the rules of the book that the notation of rules can't say: tables of records, each of which has a function.

mod adjoint;
mod arrange;
mod at_zero;
mod choices;
mod collect;
mod conditionals;
mod constants;
mod duals;
mod elements;
mod floats;
mod fold_parts;
mod gather;
mod guards;
mod halves;
mod if_plus;
mod ifold_build;
mod ifold_lookup;
mod let_names;
mod let_put;
mod let_swap;
mod lets;
mod name_operand;
mod naming;
mod parts;
mod plus;
mod pull;
mod pull_map;
mod pull_path;
mod pull_rows;
mod pull_start;
mod ring;
mod scan_keep;
mod scan_merge;
mod scan_parts;
mod scan_split;
mod scan_sum;
mod scan_unzip;
mod scans;
mod scatter_intro;
mod scatter_parts;
mod share;
mod shared_subterms;
mod solve_index;
mod sum_order;
mod sum_rules;
mod sum_separate;
mod tabulate;
mod total;
mod transpose;
mod unroll;
mod untabulate;
mod unzip;
mod vanish;

use super::record::NativeRule;

pub use pull_start::nest;

const TABLES: [&[NativeRule]; 43] = [
    let_names::RULES,
    let_swap::RULES,
    lets::RULES,
    conditionals::RULES,
    guards::RULES,
    floats::BRANCH_RULES,
    conditionals::OFFSET_RULES,
    unzip::RULES,
    sum_rules::RULES,
    scatter_intro::RULES,
    sum_order::RULES,
    sum_separate::RULES,
    collect::RULES,
    choices::RULES,
    arrange::RULES,
    gather::RULES,
    adjoint::RULES,
    share::RULES,
    tabulate::RULES,
    constants::RULES,
    unroll::RULES,
    elements::RULES,
    unroll::UP_TO_RULES,
    floats::RULES,
    name_operand::RULES,
    ifold_build::RULES,
    ifold_lookup::RULES,
    untabulate::RULES,
    scans::RULES,
    scan_keep::RULES,
    scan_merge::RULES,
    scan_unzip::RULES,
    scan_split::RULES,
    scan_sum::RULES,
    vanish::RULES,
    pull_start::RULES,
    pull_rows::RULES,
    pull::RULES,
    pull_path::RULES,
    pull_map::RULES,
    if_plus::RULES,
    plus::RULES,
    total::RULES,
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
