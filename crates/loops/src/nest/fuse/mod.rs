//! Fuses equations into loop nests: passes over one size in strips, which share what depends on it and keep little else.
//!
//! `level` says which pass computes an equation, `tree` which loops it shares with others, `place` how much of it has to be
//! kept, `write` puts statements in the loops. Each number goes through the same operations in the same order as in the
//! program; [`Freedom::Fast`](super::Freedom) is used by targets, and by the equations.

mod index_sets;
mod leaf;
mod level;
mod outer;
mod pack;
mod place;
mod powers;
mod scatter;
mod sink;
mod stream;
mod tree;
mod values;
mod write;

use super::equations::{EquationBody, read, scatters, simplify};
use super::ir::Nest;
use super::{NestStyle, Pass};
use crate::first::FirstOrder;
use redexter_language::ground::Name;

/// Whether a program can be written as equations.
pub(super) fn is_expressible(program: &FirstOrder, sizes: Vec<Name>, style: &NestStyle) -> bool {
    read(program, sizes, stream::order(program), style.freedom).is_ok()
}

/// The nest of a program with something to fuse; none where it can't be written as equations.
pub(super) fn fused(program: &FirstOrder, sizes: Vec<Name>, style: &NestStyle) -> Option<Nest> {
    let order = stream::order(program);
    let mut system = read(program, sizes, order, style.freedom).ok()?;
    // Parts of a result share nothing, so that there is nothing to fuse: they are lowered as they stand.
    if system.equations.iter().all(|equation| matches!(equation.work, EquationBody::Out(..))) {
        return None;
    }
    simplify(&mut system, style);
    let stream = stream::stream(program);
    if style.does(Pass::Scatter) {
        scatters(&mut system, stream.as_ref());
    }
    let lanes = stream::lanes(&system, stream.as_ref(), style);
    // Copies lie as vectors load them: without lanes nobody would gain by them.
    if lanes > 1 {
        // Where sums may be reordered, each is done in lanes by itself, and nothing has to be turned for it.
        if !style.freedom.reorders() && style.does(Pass::Turn) {
            outer::outer(&mut system, stream.as_ref());
        }
        if style.does(Pass::Pack) {
            pack::pack(&mut system, stream.as_ref(), style.freedom);
        }
    }
    if style.does(Pass::Sink) {
        sink::sink(&mut system);
    }
    let plan = level::levels(system, stream, lanes, *style);
    write::write(plan)
}
