//! Fuses neighbouring loops over the same lanes into one.

use super::unroll_and_jam::renamed;
use crate::nest::dependence::Iterations;
use crate::nest::ir::Stmt;
use crate::nest::ir::value::load;

/// Loops over the same lanes as one, where lanes are independent in it: what was done in all lanes before is then done in each.
pub(in crate::nest) fn joined(cells: &mut u32, body: Vec<Stmt>) -> Vec<Stmt> {
    let mut all: Vec<Stmt> = Vec::new();
    for stmt in body {
        match (all.last_mut(), stmt) {
            (Some(Stmt::Lanes(first, before)), Stmt::Lanes(range, inside))
                if (&first.to, &first.most) == (&range.to, &range.most) =>
            {
                // In one loop there is one index, the first one's, and no name may be declared twice.
                let mut names = [(range.cell, load(first.cell))].into_iter().collect();
                let more = renamed(cells, &inside, &mut names);
                if Iterations::of_both(first, before, &more).are_independent() {
                    before.extend(more);
                } else {
                    all.push(Stmt::Lanes(range, inside));
                }
            }
            (_, stmt) => all.push(stmt),
        }
    }
    all
}
