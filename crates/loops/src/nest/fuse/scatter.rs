//! Writes scatters: sums that begin together, and a loop whose rounds add to those that they find, in order.

use super::write::NestWriter;
use crate::nest::equations::{Equation, EquationBody, LoopIndex};
use crate::nest::ir::value::{is_index, load, replace, replace_at};
use crate::nest::ir::{LoopRange, NestValue, ScalarKind, Stmt};

/// The dimensions of a scatter for all of which a round adds at one place, behind each other in memory: their loops are inside of
/// that over rounds. None of other equations.
pub(super) fn rows(equation: &Equation) -> &[LoopIndex] {
    let EquationBody::Scatter(scatter) = &equation.work else { return &[] };
    let place = equation.dims.iter().position(|index| load(index.cell) == scatter.place);
    let behind = place.map_or(&[][..], |k| &equation.dims[k + 1..]);
    // Conditions under which somebody asks for sums are asked outside of their rows.
    let is_asked =
        |index: &LoopIndex| [&scatter.key].into_iter().chain(&equation.guards).any(|value| value.mentions(index.cell));
    let from = behind.iter().rposition(is_asked).map_or(0, |k| k + 1);
    &behind[from..]
}

impl NestWriter {
    /// All of it, or what a pass without strips adds in an iteration: then the sums have begun.
    pub(super) fn scatter(&mut self, k: usize, out: &mut Vec<Stmt>) {
        if self.here.is_some() {
            return self.rounds(&[k], out);
        }
        let equation = self.equation(k).clone();
        let EquationBody::Scatter(scatter) = &equation.work else { return };
        let place = equation.dims.iter().filter(|index| load(index.cell) == scatter.place);
        let zeros = vec![Stmt::Set(self.own(k, scatter.sum.slot.cell), self.value(k, &scatter.sum.init))];
        let mut body = looped(place.chain(rows(&equation)), zeros);
        let mut round = Vec::new();
        self.round(k, &mut round);
        body.extend(looped([&scatter.over].into_iter(), round));
        self.guarded(k, body, out);
    }

    /// What the rounds of a strip add to each of these, or an iteration of a pass without strips.
    pub(super) fn rounds(&mut self, all: &[usize], out: &mut Vec<Stmt>) {
        let inside = |writer: &mut NestWriter, body: &mut Vec<Stmt>| {
            for k in all {
                let mut round = Vec::new();
                writer.round(*k, &mut round);
                writer.guarded(*k, round, body);
            }
        };
        self.in_rounds(inside, out);
    }

    /// What one round adds.
    fn round(&mut self, k: usize, out: &mut Vec<Stmt>) {
        let equation = self.equation(k).clone();
        let EquationBody::Scatter(scatter) = &equation.work else { return };
        let Some(place) = equation.dims.iter().find(|index| load(index.cell) == scatter.place) else { return };
        let is_checked = !self.plan.system.is_below(&scatter.key, place.cell);
        let mut found = self.value(k, &scatter.key);
        // What is asked twice has a name, so that it is the same number in what is shown of its range and where it is used.
        if is_checked && !matches!(&found, NestValue::Load(place) if place.indices.is_empty()) {
            let slot = self.plan.system.number("place", ScalarKind::Int);
            let known = load(slot.cell);
            out.push(Stmt::Let(slot, found));
            found = known;
        }
        let by = [(place.cell, found.clone())].into_iter().collect();
        let to = replace_at(&self.own(k, scatter.sum.slot.cell), &by);
        let own = NestValue::Load(to.clone());
        let running = [(scatter.sum.slot.cell, own.clone())].into_iter().collect();
        let next = replace(&self.value(k, &scatter.sum.next), &running);
        let added = looped(rows(&equation).iter(), vec![self.set(k, to, &own, next)]);
        match is_checked {
            true => out.push(Stmt::If(is_index(&found, &place.size), added, Vec::new())),
            false => out.extend(added),
        }
    }
}

/// Statements in loops.
fn looped<'a>(indices: impl DoubleEndedIterator<Item = &'a LoopIndex>, body: Vec<Stmt>) -> Vec<Stmt> {
    indices.rev().fold(body, |body, index| vec![Stmt::For(LoopRange::of(index.cell, &index.hint, &index.size), body)])
}
