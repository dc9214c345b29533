//! Writes the nest: the loops of each pass as `tree` has grouped them, and in them the statements of each equation.

use rustc_hash::{FxHashMap, FxHashSet};

use super::level::{FusePlan, StreamClass};
use super::outer::{is_outer, row};
use super::place::{KeptDims, KeptExtent, aliases, kept};
use super::tree::{LoopNode, tree};
use crate::nest::Pass;
use crate::nest::equations::{Equation, EquationBody, EquationSystem, LoopIndex, StripLayout};
use crate::nest::ir::value::{is_condition, load, walk};
use crate::nest::ir::{DenseArray, LoopRange, Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt, Strips};
use crate::nest::passes::jam;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, Size, SizeBounds};

/// The most numbers that a vector has.
const MAX_VECTOR_WIDTH: u64 = 8;

pub(super) struct NestWriter {
    pub(super) plan: FusePlan,
    pub(super) kept: Vec<KeptDims>,
    /// Results in which numbers stand meanwhile.
    pub(super) aliases: FxHashMap<u32, u32>,
    /// What others read on one side of a choice.
    pub(super) chosen: FxHashSet<u32>,
    temporaries: Vec<NestSlot>,
    /// The indices of loops around.
    pub(super) scope: Vec<u32>,
    /// The conditions that hold in these loops, since they run only where they do.
    pub(super) held: Vec<NestValue>,
    /// What the streamed index stands for, and its number in a strip.
    pub(super) here: Option<(NestValue, Option<NestValue>)>,
    /// How many iterations the strip has.
    pub(super) count: NestValue,
}

/// The nest of a plan; none where writing it was ended.
pub(super) fn write(mut plan: FusePlan) -> Option<Nest> {
    let last = plan.levels.iter().copied().max().unwrap_or(0);
    let mut passes = Vec::new();
    for level in 0..=last {
        // What doesn't depend on the streamed size comes first, since the pass of its level may read it.
        for streamed in [false, true] {
            let is_own = |k: &usize| plan.levels[*k] == level && (plan.classes[*k] != StreamClass::Still) == streamed;
            let own: Vec<usize> = (0..plan.levels.len()).filter(is_own).collect();
            let nodes = tree(&mut plan, &own, streamed);
            passes.push((level, streamed, nodes));
        }
    }
    let kept = kept(&plan, &passes);
    let aliases = aliases(&plan, &kept);
    let chosen = chosen(&plan.system);
    let mut writer = NestWriter {
        plan,
        kept,
        aliases,
        chosen,
        temporaries: Vec::new(),
        scope: Vec::new(),
        held: Vec::new(),
        here: None,
        count: NestValue::Int(1),
    };
    let mut body = Vec::new();
    for (_, streamed, nodes) in &passes {
        if *streamed { writer.pass(nodes, &mut body) } else { writer.nodes(nodes, &mut body) }
    }
    writer.temporaries();
    let system = writer.plan.system;
    // Where it was ended statements may be missing.
    goes_on().then_some(Nest {
        sizes: system.sizes,
        bounds: SizeBounds::default(),
        computed: Vec::new(),
        parameters: system.parameters,
        below: Vec::new(),
        results: system.results,
        temporaries: writer.temporaries,
        body,
    })
}

impl NestWriter {
    pub(super) fn equation(&self, k: usize) -> &Equation {
        &self.plan.system.equations[k]
    }

    /// A slot for each number that is kept and has indices.
    fn temporaries(&mut self) {
        for k in 0..self.kept.len() {
            let equation = self.equation(k).clone();
            let slots = match &equation.work {
                EquationBody::Map(slot, _) => vec![slot.clone()],
                EquationBody::Scatter(scatter) => vec![scatter.sum.slot.clone()],
                EquationBody::Out(..) => Vec::new(),
                EquationBody::Fold(fold) => fold.states.iter().map(|state| state.slot.clone()).collect(),
            };
            let dims = self.dims(k);
            let slots: Vec<NestSlot> =
                slots.into_iter().filter(|slot| !self.aliases.contains_key(&slot.cell)).collect();
            if !dims.is_empty() {
                let array = |slot: &NestSlot| DenseArray { dims: dims.clone(), number: slot.array.number };
                self.temporaries.extend(slots.iter().map(|slot| NestSlot { array: array(slot), ..slot.clone() }));
            }
        }
    }

    /// The dimensions of what is kept of an equation.
    pub(super) fn dims(&self, k: usize) -> Vec<Size> {
        let (kept, equation) = (&self.kept[k], self.equation(k));
        // Vectors along the last index of a turned copy end behind its size.
        let is_along = |d: usize| equation.layout == StripLayout::Turned && d + 1 == equation.dims.len();
        let size = |d: &usize| match &equation.dims[*d].size {
            size if is_along(*d) => padded(size),
            size => size.clone(),
        };
        let mut dims: Vec<Size> = kept.dims.iter().map(size).collect();
        match kept.extent {
            KeptExtent::Local => {}
            KeptExtent::Still => {
                let class = self.plan.classes[k];
                // Sums that lie side by side are stored in whole vectors, the last of which may end behind the size.
                if let (StreamClass::Summed(own), Some(last), Some(size)) =
                    (class, equation.dims.last(), dims.last_mut())
                    && self.is_outer(k, own, last.cell)
                {
                    *size = padded(size);
                }
            }
            KeptExtent::Whole => dims.extend(self.plan.stream.clone()),
            KeptExtent::Strip if self.plan.lanes == 1 => {}
            KeptExtent::Strip => {
                let at = dims.len() - usize::from(equation.layout == StripLayout::Turned);
                dims.insert(at, Size::literal(self.plan.lanes.into()));
            }
        }
        dims
    }

    /// A pass over the streamed size.
    fn pass(&mut self, nodes: &[LoopNode], out: &mut Vec<Stmt>) {
        let Some(size) = self.plan.stream.clone().filter(|_| !nodes.is_empty()) else { return };
        let mut all = Vec::new();
        gather(nodes, &mut all);
        all.iter().for_each(|k| self.begin(*k, out));
        let cell = self.plan.system.cell();
        let mut body = Vec::new();
        if self.plan.lanes == 1 {
            self.here = Some((load(cell), None));
            self.nodes(nodes, &mut body);
            out.push(Stmt::For(LoopRange::of(cell, &"row".into(), &size), body));
        } else {
            let count = self.plan.system.cell();
            self.here = Some((load(cell), None));
            self.count = load(count);
            self.nodes(nodes, &mut body);
            out.push(Stmt::Strips(Strips { base: cell, count, size, lanes: self.plan.lanes }, body));
        }
        self.here = None;
        self.count = NestValue::Int(1);
    }

    /// What is summed over the streamed size begins.
    fn begin(&mut self, k: usize, out: &mut Vec<Stmt>) {
        if !matches!(self.plan.classes[k], StreamClass::Summed(_)) {
            return;
        }
        let equation = self.equation(k).clone();
        let states = match &equation.work {
            EquationBody::Fold(fold) => &fold.states[..],
            EquationBody::Scatter(scatter) => std::slice::from_ref(&scatter.sum),
            EquationBody::Map(..) | EquationBody::Out(..) => return,
        };
        for state in states {
            if equation.dims.is_empty() {
                out.push(Stmt::Var(state.slot.clone()));
            }
            let begins = vec![Stmt::Set(self.own(k, state.slot.cell), self.value(k, &state.init))];
            let scope = self.scope.len();
            self.scope.extend(equation.dims.iter().map(|index| index.cell));
            let mut inside = Vec::new();
            match state.init {
                // A constant is there whoever asks for the sum, so that no guard is needed.
                NestValue::Real(_) | NestValue::Int(_) => inside = begins,
                // What it begins with may only be there where somebody asks for the sum.
                _ => self.begun(k, &[(&state.slot, &state.init)], begins, &mut inside),
            }
            self.scope.truncate(scope);
            for index in equation.dims.iter().rev() {
                inside = vec![Stmt::For(LoopRange::of(index.cell, &index.hint, &index.size), inside)];
            }
            out.extend(inside);
        }
    }

    fn nodes(&mut self, nodes: &[LoopNode], out: &mut Vec<Stmt>) {
        for node in nodes.iter().take_while(|_| goes_on()) {
            match node {
                LoopNode::Loop(index, inner) => self.looped(index, inner, out),
                LoopNode::Lane(all) => {
                    let body = self.in_lanes(|writer, body| all.iter().for_each(|k| writer.lane(*k, body)));
                    out.push(body);
                }
                LoopNode::Rounds(all) => self.rounds(all, out),
                LoopNode::Leaf(k) => self.leaf(*k, out),
            }
        }
    }

    fn looped(&mut self, index: &LoopIndex, inner: &[LoopNode], out: &mut Vec<Stmt>) {
        let mut all = Vec::new();
        gather(inner, &mut all);
        let mut range = LoopRange::of(index.cell, &index.hint, &index.size);
        let mut guards = self.equation(all[0]).guards.clone();
        // The loop may be narrowed only by what all equations in it are guarded by.
        guards.retain(|guard| all.iter().all(|k| self.equation(*k).guards.contains(guard)));
        let held = self.held.len();
        let is_whole = all.iter().any(|k| self.is_whole(*k));
        for guard in guards.into_iter().filter(|_| self.plan.style.does(Pass::Narrow) && !is_whole) {
            if self.is_known(&guard, Some(index.cell)) && self.plan.system.narrowed(&mut range, &guard, &index.size) {
                self.held.push(guard);
            }
        }
        self.scope.push(index.cell);
        if let ([LoopNode::Leaf(k)], StreamClass::Summed(own)) = (inner, self.plan.classes[all[0]])
            && self.plan.lanes > 1
            && matches!(range.from, NestValue::Int(0))
            && self.is_outer(*k, own, index.cell)
        {
            let is_row = row(&self.plan.system, self.equation(*k), own, index.cell).is_some();
            // A row of a parameter ends with its size, whereas a turned copy has room for a whole vector behind.
            range.most = Some(if is_row { NestValue::of(&index.size) } else { NestValue::of(&padded(&index.size)) });
            let mut body = Vec::new();
            self.summed(*k, &mut body);
            out.push(Stmt::Lanes(range, body));
        } else {
            let mut body = Vec::new();
            self.nodes(inner, &mut body);
            out.push(match self.plan.style.does(Pass::UnrollAndJam) {
                true => jam(&mut self.plan.system.cells, range, body),
                false => Stmt::For(range, body),
            });
        }
        self.held.truncate(held);
        self.scope.pop();
    }

    /// Whether a table of indices needs all of its elements: where they are one side of a choice, targets may compute both.
    fn is_whole(&self, k: usize) -> bool {
        !self.dims(k).is_empty() && self.equation(k).slots().any(|slot| self.is_chosen(slot))
    }

    /// Whether an integer is read on one side of a choice.
    pub(super) fn is_chosen(&self, slot: &NestSlot) -> bool {
        slot.array.number == ScalarKind::Int && self.chosen.contains(&slot.cell)
    }

    /// Whether an equation is summed for neighbours in a dimension side by side.
    fn is_outer(&self, k: usize, own: u32, last: u32) -> bool {
        !self.plan.style.freedom.reorders() && is_outer(&self.plan.system, self.equation(k), own, last)
    }

    /// Whether a condition can be asked here: of indices of loops around, sizes and numbers that are given.
    pub(super) fn is_known(&self, guard: &NestValue, also: Option<u32>) -> bool {
        let mut known = is_condition(guard);
        walk(guard, &mut |part| {
            if let NestValue::Load(place) = part {
                known &= !self.plan.system.indices.contains_key(&place.cell)
                    || self.scope.contains(&place.cell)
                    || also == Some(place.cell);
            }
        });
        known
    }

    /// A loop over the lanes of a strip.
    pub(super) fn in_lanes(&mut self, inside: impl FnOnce(&mut Self, &mut Vec<Stmt>)) -> Stmt {
        let cell = self.plan.system.cell();
        let body = self.at_lane(cell, inside);
        Stmt::Lanes(LoopRange::to(cell, "lane", self.count.clone()), body)
    }

    pub(super) fn at_lane(&mut self, cell: u32, inside: impl FnOnce(&mut Self, &mut Vec<Stmt>)) -> Vec<Stmt> {
        let before = self.here.clone();
        if let Some((base, _)) = &before {
            let index = NestValue::Prim(Prim::Add, ScalarKind::Int, vec![base.clone(), load(cell)]);
            self.here = Some((index, Some(load(cell))));
        }
        let mut body = Vec::new();
        inside(self, &mut body);
        self.here = before;
        body
    }
}

/// What equations read of others on one side of a choice.
fn chosen(system: &EquationSystem) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    for equation in &system.equations {
        let own = equation.cells();
        equation.each(&mut |value| {
            walk(value, &mut |part| {
                if let NestValue::Select(p) = part {
                    let mut add = |place: &NestPlace| {
                        if !own.contains(&place.cell) {
                            all.insert(place.cell);
                        }
                    };
                    [&p.1, &p.2].into_iter().for_each(|side| side.places(&mut add));
                }
            });
        });
    }
    all
}

/// A size that leaves room for a whole vector at its end.
fn padded(size: &Size) -> Size {
    size.plus(&Size::literal(MAX_VECTOR_WIDTH - 1)).unwrap_or_else(|| size.clone())
}

/// All equations in some loops.
fn gather(nodes: &[LoopNode], all: &mut Vec<usize>) {
    for node in nodes {
        match node {
            LoopNode::Loop(_, inner) => gather(inner, all),
            LoopNode::Lane(own) | LoopNode::Rounds(own) => all.extend(own),
            LoopNode::Leaf(k) => all.push(*k),
        }
    }
}

impl EquationSystem {
    /// Lets a loop over a whole size run only where a comparison of its index holds, if it can: with what is an index itself, or
    /// a size, or a number. It ends with its size in any case: what it is compared with may be larger.
    fn narrowed(&self, range: &mut LoopRange, guard: &NestValue, size: &Size) -> bool {
        let NestValue::Prim(prim, ScalarKind::Int, operands) = guard else { return false };
        let [a, b] = &operands[..] else { return false };
        // One side has to be the loop's index, and the other mustn't be.
        let (prim, other) = match (*a == load(range.cell), *b == load(range.cell)) {
            (true, false) => (Some(*prim), b),
            (false, true) => (turned(*prim), a),
            _ => return false,
        };
        // No end is computed of what may be negative or overflow.
        let is_below = match other {
            NestValue::Load(place) => match self.indices.get(&place.cell) {
                Some(index) => index.size == *size,
                None => return false,
            },
            NestValue::Int(k) if (0..i64::from(u32::MAX)).contains(k) => false,
            NestValue::Size(_) => false,
            _ => return false,
        };
        let whole = NestValue::of(size);
        let join = |prim: Prim, a: &NestValue, b: &NestValue| {
            NestValue::Prim(prim, ScalarKind::Int, vec![a.clone(), b.clone()])
        };
        let next = || join(Prim::Add, other, &NestValue::Int(1));
        // An index of the same size stays below it; anything else may be larger, and the loop must still end with its size.
        let least = |end: NestValue| match is_below {
            true => end,
            false => NestValue::Select(Box::new((join(Prim::Lt, &end, &whole), end, whole.clone()))),
        };
        match prim {
            // Each end takes one comparison: where it has one already, the next is asked inside.
            Some(Prim::Lt) if range.to == whole => range.to = least(other.clone()),
            Some(Prim::Le) if range.to == whole => range.to = least(next()),
            Some(Prim::Gt) if range.from == NestValue::Int(0) => range.from = next(),
            Some(Prim::Ge) if range.from == NestValue::Int(0) => range.from = other.clone(),
            _ => return false,
        }
        true
    }
}

fn turned(prim: Prim) -> Option<Prim> {
    Some(match prim {
        Prim::Lt => Prim::Gt,
        Prim::Le => Prim::Ge,
        Prim::Gt => Prim::Lt,
        Prim::Ge => Prim::Le,
        _ => return None,
    })
}
