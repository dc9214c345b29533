//! Equations as loop nests: passes over one size in strips, in which what depends on it is fused, and little else is kept.
//!
//! `level` says which pass computes an equation, `tree` which loops it shares with others, `place` how much of it has to be
//! kept, `write` puts statements in the loops. Each number goes through the same operations in the same order as in the
//! program; [`Freedom::Fast`](super::Freedom) is used by targets, and by the equations.

mod constants;
mod jam;
mod joined;
mod leaf;
mod level;
mod outer;
mod pack;
mod place;
mod powers;
mod rounds;
mod sink;
mod stream;
mod tree;
mod unroll;
mod values;
mod write;

use super::code::Nest;
use super::equation::{Freedom, Work, read, simplify};
use crate::first::FirstOrder;
use crate::ground::Name;

/// How a nest is to be.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// What results may differ in.
    pub freedom: Freedom,
    /// How many rounds a strip has where numbers go through several loops in it.
    pub lanes: u32,
    /// How many it has where they go through none.
    pub long: u32,
    /// How many it has where it goes through rows of data, or through many numbers at once.
    pub short: u32,
}

impl Style {
    /// For compiled code.
    pub const fn compiled(freedom: Freedom) -> Style {
        Style { freedom, lanes: 32, long: 256, short: 8 }
    }
}

/// The nest of a program with something to fuse; none where it can't be written as equations.
pub(super) fn fused(program: &FirstOrder, sizes: Vec<Name>, style: &Style) -> Option<Nest> {
    let order = stream::order(program);
    let mut system = read(program, sizes, order).ok()?;
    simplify(&mut system, style.freedom);
    if system.equations.iter().all(|equation| matches!(equation.work, Work::Out(..))) {
        return None;
    }
    let stream = stream::stream(program);
    let lanes = stream::lanes(&system, stream.as_ref(), style);
    if lanes > 1 {
        if style.freedom == Freedom::Exact {
            outer::outer(&mut system, stream.as_ref());
        }
        pack::pack(&mut system, stream.as_ref(), style.freedom);
    }
    sink::sink(&mut system);
    let plan = level::levels(system, stream, lanes, style.freedom);
    write::write(plan)
}
