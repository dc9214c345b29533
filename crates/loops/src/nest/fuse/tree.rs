//! Decides which loops equations share (loop fusion): each goes into the last loop over the same size in which all that it reads
//! is there.

use rustc_hash::FxHashMap;

use super::level::{FusePlan, StreamClass};
use super::outer::is_outer;
use super::scatter::rows;
use crate::nest::equations::{EquationBody, EquationSystem, LoopIndex, StripLayout};
use crate::nest::ir::NestValue;
use crate::nest::ir::value::{load, replace, walk};

/// Loops and what stands in them.
#[derive(Debug)]
pub(super) enum LoopNode {
    Loop(LoopIndex, Vec<LoopNode>),
    /// Numbers that are computed one behind the other in each lane.
    Lane(Vec<usize>),
    /// What is added to sums that are found, one behind the other in each round of a strip.
    Rounds(Vec<usize>),
    /// One equation, whose own loop is inside.
    Leaf(usize),
}

struct FuseItem {
    equation: usize,
    /// The loops that are still to be opened.
    loops: Vec<LoopIndex>,
    in_lanes: bool,
    /// It adds to sums that are found in a strip.
    in_rounds: bool,
    /// The last loop is over neighbours side by side, and its own.
    is_outer: bool,
}

#[derive(PartialEq)]
enum LoopKey {
    Size(redexter_language::term::Size),
    Outer(redexter_language::term::Size),
    Lane,
    Rounds,
    Leaf,
}

/// The loops of one pass, of its equations in their order; indices are renamed to those of shared loops.
pub(super) fn tree(plan: &mut FusePlan, equations: &[usize], streamed: bool) -> Vec<LoopNode> {
    let items = equations.iter().map(|k| item(plan, *k, streamed)).collect();
    grouped(plan, items)
}

fn item(plan: &FusePlan, k: usize, streamed: bool) -> FuseItem {
    let equation = &plan.system.equations[k];
    let class = plan.classes[k];
    let rows = rows(equation);
    let is_stream = |index: &LoopIndex| streamed && class == StreamClass::Streamed(index.cell);
    let is_own = |index: &&LoopIndex| !is_stream(index) && rows.iter().all(|row| row.cell != index.cell);
    let mut loops: Vec<LoopIndex> = equation.around().filter(is_own).cloned().collect();
    let mut in_lanes = streamed && plan.lanes > 1 && matches!(class, StreamClass::Streamed(_));
    if let Some(cell) = plan.exponent(k, streamed) {
        loops.retain(|index| index.cell != cell);
        in_lanes = false;
    }
    match equation.layout {
        StripLayout::Lanes => {}
        // Copies write these loops themselves, inside of the one over lanes.
        StripLayout::Packed => loops.clear(),
        StripLayout::Turned => drop(loops.pop()),
    }
    in_lanes &= equation.layout == StripLayout::Lanes;
    let is_outer = |own, index: &LoopIndex| {
        !plan.style.freedom.reorders() && plan.lanes > 1 && is_outer(&plan.system, equation, own, index.cell)
    };
    let is_outer = match (class, loops.last()) {
        (StreamClass::Summed(own), Some(last)) if streamed => is_outer(own, last),
        _ => false,
    };
    let in_rounds = streamed && plan.lanes > 1 && matches!(equation.work, EquationBody::Scatter(_));
    FuseItem { equation: k, loops, in_lanes, in_rounds, is_outer }
}

fn key(item: &FuseItem) -> LoopKey {
    match item.loops.first() {
        Some(index) if item.is_outer && item.loops.len() == 1 => LoopKey::Outer(index.size.clone()),
        Some(index) => LoopKey::Size(index.size.clone()),
        None if item.in_lanes => LoopKey::Lane,
        None if item.in_rounds => LoopKey::Rounds,
        None => LoopKey::Leaf,
    }
}

fn grouped(plan: &mut FusePlan, items: Vec<FuseItem>) -> Vec<LoopNode> {
    let mut groups: Vec<(LoopKey, Vec<FuseItem>)> = Vec::new();
    for item in items {
        let own = key(&item);
        let mut found = None;
        for (g, (key, members)) in groups.iter().enumerate().rev() {
            if !matches!(own, LoopKey::Leaf | LoopKey::Outer(_))
                && *key == own
                && members.iter().all(|other| is_fusible(plan, other, &item))
            {
                found = Some(g);
                break;
            }
            // It reads what these compute, so that it can't go into a loop before theirs.
            if members.iter().any(|other| depends(plan, item.equation, other.equation)) {
                break;
            }
        }
        match found {
            Some(g) => groups[g].1.push(item),
            None => groups.push((own, vec![item])),
        }
    }
    groups.into_iter().flat_map(|(key, members)| node(plan, key, members)).collect()
}

fn node(plan: &mut FusePlan, key: LoopKey, members: Vec<FuseItem>) -> Vec<LoopNode> {
    match key {
        LoopKey::Leaf => members.iter().map(|item| LoopNode::Leaf(item.equation)).collect(),
        LoopKey::Lane => vec![LoopNode::Lane(members.iter().map(|item| item.equation).collect())],
        LoopKey::Rounds => vec![LoopNode::Rounds(members.iter().map(|item| item.equation).collect())],
        LoopKey::Size(_) | LoopKey::Outer(_) => {
            let index = members[0].loops[0].clone();
            let inner = members.into_iter().map(|mut item| {
                let own = item.loops.remove(0);
                if own.cell != index.cell {
                    // An inner loop that is called so gets another name first, otherwise two indices would become one.
                    let other = plan.system.index_like(&index);
                    for (from, to) in [(index.cell, &other), (own.cell, &index)] {
                        plan.rename(item.equation, from, to);
                        item.loops.iter_mut().filter(|index| index.cell == from).for_each(|index| *index = to.clone());
                    }
                }
                item
            });
            let inner: Vec<FuseItem> = inner.collect();
            vec![LoopNode::Loop(index, grouped(plan, inner))]
        }
    }
}

impl FusePlan {
    /// Gives an index of an equation another name, also where it is the one that runs along the streamed size.
    fn rename(&mut self, equation: usize, cell: u32, to: &LoopIndex) {
        self.classes[equation] = match self.classes[equation] {
            StreamClass::Streamed(own) if own == cell => StreamClass::Streamed(to.cell),
            StreamClass::Summed(own) if own == cell => StreamClass::Summed(to.cell),
            class => class,
        };
        rename(&mut self.system, equation, cell, to);
    }
}

fn rename(system: &mut EquationSystem, equation: usize, cell: u32, to: &LoopIndex) {
    let equation = &mut system.equations[equation];
    let over = match &mut equation.work {
        EquationBody::Fold(fold) => Some(&mut fold.over),
        EquationBody::Scatter(scatter) => Some(&mut scatter.over),
        EquationBody::Map(..) | EquationBody::Out(..) => None,
    };
    equation.dims.iter_mut().chain(over).filter(|index| index.cell == cell).for_each(|index| *index = to.clone());
    let names: FxHashMap<u32, NestValue> = [(cell, load(to.cell))].into_iter().collect();
    equation.rewrite(&mut |value| replace(value, &names));
}

/// The places at which an equation reads another.
pub(super) fn reads(plan: &FusePlan, reader: usize, read: usize) -> Vec<Vec<NestValue>> {
    let cells = plan.system.equations[read].cells();
    let mut all = Vec::new();
    plan.system.equations[reader].each(&mut |value| {
        walk(value, &mut |part| match part {
            NestValue::Load(place) if cells.contains(&place.cell) => all.push(place.indices.clone()),
            _ => {}
        });
    });
    all
}

fn depends(plan: &FusePlan, reader: usize, read: usize) -> bool {
    !reads(plan, reader, read).is_empty()
}

/// Whether an item may go into the loop of another: of what the other computes it reads what this iteration has.
fn is_fusible(plan: &FusePlan, other: &FuseItem, item: &FuseItem) -> bool {
    let all = reads(plan, item.equation, other.equation);
    let (Some(theirs), Some(own)) = (other.loops.first(), item.loops.first()) else { return true };
    let position = plan.system.equations[other.equation].dims.iter().position(|index| index.cell == theirs.cell);
    all.iter().all(|at| position.and_then(|k| at.get(k)) == Some(&load(own.cell)))
}
