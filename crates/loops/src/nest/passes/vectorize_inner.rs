//! Vectorises loops whose iterations are independent, where they stand in a loop that isn't: a step's tables of numbers.

use super::strip::Strip;
use crate::nest::NestStyle;
use crate::nest::dependence::{Divergence, Iterations};
use crate::nest::ir::value::real_operations;
use crate::nest::ir::walk::places;
use crate::nest::ir::{Nest, Stmt, each_value};

/// Shorter loops of a known length aren't worth a strip.
const SHORT: u64 = 8;

/// Writes such loops in strips of lanes.
pub(in crate::nest) fn vectorize_inner(nest: &mut Nest, style: &NestStyle) {
    let mut inner = InnerLoops { cells: nest.last_cell(), lanes: style.long, reorders: style.freedom.reorders() };
    let body = std::mem::take(&mut nest.body);
    nest.body = body.into_iter().map(|stmt| inner.within(stmt)).collect();
}

struct InnerLoops {
    cells: u32,
    lanes: u32,
    reorders: bool,
}

impl InnerLoops {
    fn within(&mut self, stmt: Stmt) -> Stmt {
        match stmt {
            Stmt::For(range, inside) => {
                let inside = inside.into_iter().map(|stmt| self.strips(stmt)).collect();
                Stmt::For(range, inside)
            }
            stmt => stmt,
        }
    }

    fn strips(&mut self, stmt: Stmt) -> Stmt {
        let Stmt::For(range, inside) = &stmt else { return stmt };
        let size = range.to.as_size().filter(|size| size.as_literal().is_none_or(|n| n >= SHORT));
        let Some(size) = size.filter(|_| range.is_whole() && is_plain(inside, true)) else { return self.within(stmt) };
        if !Iterations::of(&stmt).is_some_and(|iterations| iterations.are_independent()) {
            return self.within(stmt);
        }
        let strip = Strip::behind(self.cells);
        let inside = strip.iteration(range, inside);
        match Divergence::of(strip.lane, &inside) {
            Some(differing) if self.is_worth(&inside, &differing) => {}
            _ => return self.within(stmt),
        }
        self.cells = strip.lane;
        strip.around(&range.hint, inside, size, self.lanes)
    }

    /// Whether it computes something; and of loops inside, which wait for their sums, whether lanes lie side by side. Where sums
    /// may be added in another order a row is better summed by itself; where they may not, lanes hide that it waits.
    fn is_worth(&self, inside: &[Stmt], differing: &Divergence) -> bool {
        let (mut operations, mut is_dense) = (0, true);
        each_value(inside, &mut |value| operations += real_operations(value));
        let mut waits = true;
        for stmt in inside {
            if let Stmt::For(_, round) = stmt {
                waits &= Iterations::of(stmt).is_some_and(|iterations| !iterations.are_independent());
                places(round, &mut |place| {
                    is_dense &= place.indices.is_empty() || !differing.at(place) || differing.is_dense(place);
                });
            }
        }
        operations > 0 && waits && (is_dense || !self.reorders)
    }
}

/// Whether it holds no branches, and no loops but such as hold none.
fn is_plain(inside: &[Stmt], may_loop: bool) -> bool {
    inside.iter().all(|stmt| match stmt {
        Stmt::Let(..) | Stmt::Var(_) | Stmt::Set(..) => true,
        Stmt::For(_, round) => may_loop && is_plain(round, false),
        _ => false,
    })
}
