//! Writes a loop whose iterations are independent in strips of lanes (strip-mining).

use std::rc::Rc;

use crate::nest::ir::value::{int, load, replace};
use crate::nest::ir::walk::rewritten;
use crate::nest::ir::{LoopRange, Stmt, Strips};
use redexter_language::term::{Prim, Size};

/// The cells of a strip: where it begins, how many lanes it has, and the lane.
#[derive(Clone, Copy)]
pub(super) struct Strip {
    base: u32,
    count: u32,
    pub(super) lane: u32,
}

impl Strip {
    /// With the three cells behind the last one that is taken.
    pub(super) fn behind(last: u32) -> Strip {
        Strip { base: last + 1, count: last + 2, lane: last + 3 }
    }

    /// An iteration of a loop as that of a lane.
    pub(super) fn iteration(self, range: &LoopRange, inside: &[Stmt]) -> Vec<Stmt> {
        let names = [(range.cell, int(Prim::Add, load(self.base), load(self.lane)))].into_iter().collect();
        rewritten(inside.to_vec(), &|value| replace(value, &names))
    }

    /// A size in strips of so many lanes with these iterations.
    pub(super) fn around(self, hint: &Rc<str>, iteration: Vec<Stmt>, size: Size, lanes: u32) -> Stmt {
        let range = LoopRange::to(self.lane, hint, load(self.count));
        let strips = Strips { base: self.base, count: self.count, size, lanes };
        Stmt::Strips(strips, vec![Stmt::Lanes(range, iteration)])
    }
}
