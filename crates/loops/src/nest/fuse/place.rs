//! Decides how much is kept of what an equation computes (array contraction): nothing of the loops that all who read it share
//! with it.

use rustc_hash::FxHashMap;

use super::level::{FusePlan, StreamClass};
use super::tree::{LoopNode, reads};
use crate::nest::equations::{EquationBody, StripLayout};
use crate::nest::ir::NestValue;
use crate::nest::ir::value::load;

/// Where the numbers of an equation stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeptExtent {
    /// In a variable of a lane or of a loop.
    Local,
    /// For the lanes of a strip.
    Strip,
    /// For all of the streamed size.
    Whole,
    /// It doesn't depend on the streamed size.
    Still,
}

/// What is kept: the positions of dimensions, and what else.
#[derive(Clone, Debug)]
pub(super) struct KeptDims {
    pub(super) dims: Vec<usize>,
    pub(super) extent: KeptExtent,
}

/// A step on the way from the whole program to an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathStep {
    Pass(usize, bool),
    Loop(u32, usize),
    Lane(usize),
}

/// What is kept of each equation; `passes` are the trees with their levels, of the streamed ones and the others.
pub(super) fn kept(plan: &FusePlan, passes: &[(usize, bool, Vec<LoopNode>)]) -> Vec<KeptDims> {
    let mut paths: FxHashMap<usize, Vec<PathStep>> = FxHashMap::default();
    let mut count = 0;
    for (level, streamed, nodes) in passes {
        walk(nodes, &mut vec![PathStep::Pass(*level, *streamed)], &mut count, &mut paths);
    }
    let mut readers: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (k, equation) in plan.system.equations.iter().enumerate() {
        equation.each(&mut |value| {
            crate::nest::ir::value::walk(value, &mut |part| {
                if let NestValue::Load(place) = part
                    && let Some(other) = plan.defined.get(&place.cell)
                    && *other != k
                {
                    readers.entry(*other).or_default().push(k);
                }
            });
        });
    }
    let none = Vec::new();
    (0..plan.system.equations.len()).map(|k| one(plan, k, &paths, readers.get(&k).unwrap_or(&none))).collect()
}

/// Numbers for all of the streamed size that stand in a result until that is written: what writes it reads each only where it
/// writes, and comes last.
pub(super) fn aliases(plan: &FusePlan, kept: &[KeptDims]) -> FxHashMap<u32, u32> {
    let mut all = FxHashMap::default();
    for (k, equation) in plan.system.equations.iter().enumerate() {
        let EquationBody::Map(slot, _) = &equation.work else { continue };
        if kept[k].extent != KeptExtent::Whole || equation.dims.len() != 1 {
            continue;
        }
        let readers: Vec<usize> =
            (0..plan.system.equations.len()).filter(|r| *r != k && !reads(plan, *r, k).is_empty()).collect();
        let last = readers.iter().map(|r| plan.levels[*r]).max();
        let late: Vec<usize> = readers.into_iter().filter(|r| Some(plan.levels[*r]) == last).collect();
        let [reader] = late[..] else { continue };
        let (EquationBody::Out(place, _), Some(own)) =
            (&plan.system.equations[reader].work, plan.classes[reader].stream())
        else {
            continue;
        };
        let result = plan.system.results.iter().find(|result| result.cell == place.cell);
        let fits = result.is_some_and(|result| {
            result.array.number == slot.array.number
                && result.array.dims.len() == 1
                && result.array.dims.first() == plan.stream.as_ref()
        });
        let is_own = |at: &Vec<NestValue>| *at == [load(own)];
        // A result has room for one of them alone, and its last pass has to be behind the one that fills it.
        let apart = !all.values().any(|cell| *cell == place.cell) && plan.levels[k] < plan.levels[reader];
        if fits && apart && place.indices == [load(own)] && reads(plan, reader, k).iter().all(is_own) {
            all.insert(slot.cell, place.cell);
        }
    }
    all
}

fn walk(nodes: &[LoopNode], way: &mut Vec<PathStep>, count: &mut usize, paths: &mut FxHashMap<usize, Vec<PathStep>>) {
    for node in nodes {
        // Each node has its own number, since two loops may run over the same index.
        *count += 1;
        match node {
            LoopNode::Leaf(k) => drop(paths.insert(*k, way.clone())),
            LoopNode::Rounds(all) => all.iter().for_each(|k| drop(paths.insert(*k, way.clone()))),
            LoopNode::Lane(all) => {
                way.push(PathStep::Lane(*count));
                all.iter().for_each(|k| drop(paths.insert(*k, way.clone())));
                way.pop();
            }
            LoopNode::Loop(index, inner) => {
                way.push(PathStep::Loop(index.cell, *count));
                walk(inner, way, count, paths);
                way.pop();
            }
        }
    }
}

fn one(plan: &FusePlan, k: usize, paths: &FxHashMap<usize, Vec<PathStep>>, readers: &[usize]) -> KeptDims {
    let equation = &plan.system.equations[k];
    let own = paths.get(&k).map_or(&[][..], Vec::as_slice);
    let shared = readers
        .iter()
        .filter_map(|reader| paths.get(reader))
        .fold(own.len(), |least, theirs| own.iter().zip(theirs).take(least).take_while(|(a, b)| a == b).count());
    // It begins with the pass, so that nothing shared means that some reader stands in another one.
    let shared = &own[..shared];
    let is_shared = |cell: u32| shared.iter().any(|step| matches!(step, PathStep::Loop(own, _) if *own == cell));
    let in_lane = shared.iter().any(|step| matches!(step, PathStep::Lane(_)));
    let class = plan.classes[k];
    let stream = |cell: u32| class == StreamClass::Streamed(cell);
    let all = || equation.dims.iter().enumerate();
    let least: Vec<usize> =
        all().filter(|(_, index)| !stream(index.cell) && !is_shared(index.cell)).map(|(k, _)| k).collect();
    let still: Vec<usize> = all().filter(|(_, index)| !stream(index.cell)).map(|(k, _)| k).collect();
    let is_local = least.is_empty() && equation.layout == StripLayout::Lanes;
    match class {
        _ if matches!(equation.work, EquationBody::Out(..)) => KeptDims { dims: Vec::new(), extent: KeptExtent::Local },
        StreamClass::Streamed(_) if in_lane => KeptDims { dims: Vec::new(), extent: KeptExtent::Local },
        StreamClass::Streamed(_) if !shared.is_empty() && plan.lanes == 1 && is_local => {
            KeptDims { dims: Vec::new(), extent: KeptExtent::Local }
        }
        StreamClass::Streamed(_) if !shared.is_empty() => KeptDims { dims: least, extent: KeptExtent::Strip },
        StreamClass::Streamed(_) => KeptDims { dims: still, extent: KeptExtent::Whole },
        // Its sums grow from strip to strip, so that all of them have to be there until the pass ends.
        StreamClass::Summed(_) => KeptDims { dims: still, extent: KeptExtent::Still },
        StreamClass::Still if !shared.is_empty() => KeptDims { dims: least, extent: KeptExtent::Still },
        StreamClass::Still => KeptDims { dims: still, extent: KeptExtent::Still },
    }
}
