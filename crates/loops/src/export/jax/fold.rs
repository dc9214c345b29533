//! Lowers loops: those that only gather along their axis become reductions, the rest steps of `jax.lax.scan`.

use std::rc::Rc;

use super::lower::{Block, JaxLowering, bug};
use super::node::{Axis, AxisNode, AxisReduction, AxisValue, Number, PyVar, parts};
use crate::first::{Fold, Lowered};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, Type};

/// Loops of so many steps, known beforehand, are written out where they carry something.
const MOST_WRITTEN_OUT: u64 = 4;

/// A number that a loop carries, or the numbers of an array that it carries.
struct State {
    var: Rc<PyVar>,
    /// The axes of loops around, for each of whose indices there is one; then its own.
    outer: Vec<Axis>,
    own: Vec<Axis>,
    init: AxisNode,
    next: AxisNode,
}

/// What a step keeps at its index.
struct KeptNumber {
    own: Vec<Axis>,
    node: AxisNode,
}

/// A loop whose body has been lowered.
struct LoweredLoop {
    over: Axis,
    states: Vec<State>,
    kept: Vec<KeptNumber>,
    is_reversed: bool,
}

impl JaxLowering {
    /// What a loop comes to, beside what it keeps if it does: whether it goes backwards, and the type of what it keeps.
    pub(super) fn fold(&mut self, fold: &Fold, kept: Option<(bool, &Type)>) -> Lowered<AxisValue> {
        let init = self.value(&fold.init)?;
        let mut outer: Vec<Vec<Axis>> = vec![Vec::new(); parts(&fold.acc.ty).len()];
        loop {
            let lines: Vec<usize> = self.blocks.iter().map(|block| block.lines.len()).collect();
            let whole = self.body(fold, &init, &outer, kept)?;
            let mut results: Vec<Option<AxisNode>> =
                whole.states.iter().map(|state| self.gathered(state, &whole.states, whole.over)).collect();
            self.carry_what_is_read(&whole, &mut results);
            let carried: Vec<usize> = (0..results.len()).filter(|k| results[*k].is_none()).collect();
            if kept.is_none() && !carried.is_empty() && fold.size.as_literal().is_some_and(|n| n <= MOST_WRITTEN_OUT) {
                self.back_to(&lines, &whole.states);
                return self.written_out(fold, init);
            }
            let wanted = self.outer_axes(&whole, &carried);
            if wanted != outer && goes_on() {
                // Each index of a loop around has numbers of its own: the body is lowered again with these.
                outer = wanted;
                self.back_to(&lines, &whole.states);
                continue;
            }
            return self.finished(fold, whole, results, kept);
        }
    }

    /// Lines since then, and the innermost block, are forgotten.
    fn back_to(&mut self, lines: &[usize], states: &[State]) {
        self.forget_block(states);
        for (k, kept) in lines.iter().enumerate() {
            let gone: Vec<String> = self.blocks[k].lines.drain(kept..).collect();
            self.blocks[k].known.retain(|right, var| {
                let stays = !gone.contains(&format!("{} = {right}", var.name));
                if !stays {
                    self.names.forget(&var.name);
                }
                stays
            });
        }
    }

    /// Ends the innermost block, whose lines nobody needs.
    fn forget_block(&mut self, states: &[State]) {
        let block = self.blocks.pop();
        let known = block.iter().flat_map(|block| block.known.values());
        let given = block.iter().flat_map(|block| block.given.iter().map(|(_, var)| var));
        known.chain(given).chain(states.iter().map(|state| &state.var)).for_each(|var| self.names.forget(&var.name));
    }

    /// The body, in a block of its own.
    fn body(
        &mut self,
        fold: &Fold,
        init: &AxisValue,
        outer: &[Vec<Axis>],
        kept: Option<(bool, &Type)>,
    ) -> Lowered<LoweredLoop> {
        let over = self.axis(&fold.size, &fold.index.hint);
        let level = self.blocks.len();
        self.axes[over as usize].scalar_in = Some(level);
        self.blocks.push(Block::default());
        self.env.insert(fold.index.number, AxisValue::Number(AxisNode::Axis(over)));
        let mut states = Vec::new();
        let all = parts(&fold.acc.ty);
        let carried = self.data(&fold.acc.ty, &mut |lower, own| {
            let k = states.len();
            let lifted = outer[k].iter().map(|axis| lower.size_of(*axis).clone());
            let dims = lifted.chain(all[k].0.iter().cloned()).collect();
            let name = lower.names.fresh(&fold.acc.hint);
            let var = lower.variable(name, level, all[k].1, dims);
            states.push((var.clone(), own.to_vec()));
            AxisNode::Read(var, outer[k].iter().chain(own).map(|axis| AxisNode::Axis(*axis)).collect())
        });
        self.env.insert(fold.acc.number, carried);
        let body = self.value(&fold.body)?;
        let (next, kept_value) = match (kept, body) {
            (None, body) => (body, None),
            (Some(_), AxisValue::Pair(p)) => (p.0.clone(), Some(p.1.clone())),
            (Some(_), _) => return Err(bug("a scan of no pairs")),
        };
        let along = |leaf: &(Vec<Axis>, AxisNode), own: &[Axis]| {
            leaf.0.iter().zip(own).fold(leaf.1.clone(), |node, (from, to)| node.at(*from, &AxisNode::Axis(*to)))
        };
        let (init, next) = (init.leaves(), next.leaves());
        if init.len() != states.len() || next.len() != states.len() {
            return Err(bug("a loop that carries data of different types"));
        }
        let states = states.into_iter().enumerate().map(|(k, (var, own))| State {
            init: along(&init[k], &own),
            next: along(&next[k], &own),
            outer: outer[k].clone(),
            var,
            own,
        });
        let kept_leaves = kept_value.iter().flat_map(AxisValue::leaves);
        let kept_leaves = kept_leaves.map(|(own, node)| KeptNumber { own, node }).collect();
        let is_reversed = kept.is_some_and(|(is_reversed, _)| is_reversed);
        Ok(LoweredLoop { over, states: states.collect(), kept: kept_leaves, is_reversed })
    }

    /// What a number comes to that only gathers along the axis; nothing where it needs what the step before left.
    fn gathered(&self, state: &State, all: &[State], over: Axis) -> Option<AxisNode> {
        let next = self.resolved(&state.next);
        let own = AxisNode::Read(
            state.var.clone(),
            state.outer.iter().chain(&state.own).map(|a| AxisNode::Axis(*a)).collect(),
        );
        let level = state.var.level;
        if next == own {
            return Some(state.init.clone());
        }
        if let [only] = all
            && let Some(found) = self.searched(only, &own, &next, over)
        {
            return Some(found);
        }
        let is_free = |node: &AxisNode| node.level() < level;
        if let Some(addend) = addend(&next, &own).filter(is_free) {
            return Some(sum(state.init.clone(), AxisNode::reduce(AxisReduction::Sum, over, addend)));
        }
        let (AxisNode::Prim(prim, of), true) = (&next, state.var.number == Number::Real) else { return None };
        let how = match prim {
            Prim::Mul => AxisReduction::Product,
            Prim::Max => AxisReduction::Max,
            Prim::Min => AxisReduction::Min,
            _ => return None,
        };
        let other = match &of[..] {
            [a, b] if *a == own => b,
            [a, b] if *b == own => a,
            _ => return None,
        };
        is_free(other).then(|| AxisNode::prim(*prim, [state.init.clone(), AxisNode::reduce(how, over, other.clone())]))
    }

    /// `fun best i => if v[best] < v[i] then i else best` from 0 on finds the first of the greatest.
    fn searched(&self, state: &State, own: &AxisNode, next: &AxisNode, over: Axis) -> Option<AxisNode> {
        let AxisNode::Select(p) = next else { return None };
        let AxisNode::Prim(prim @ (Prim::Lt | Prim::Gt), of) = self.resolved(&p.0) else { return None };
        let [a, b] = &of[..] else { return None };
        let index = AxisNode::Axis(over);
        if p.1 != index || p.2 != *own || !state.init.is_zero() || a.number() != Number::Real {
            return None;
        }
        // The index stands for the best so far, so that both sides are read alike.
        let here = |node: &AxisNode| replaced(node, own, &index);
        let (body, is_right) = match (a.mentions(&state.var), b.mentions(&state.var)) {
            (true, false) if here(a) == *b => (b, true),
            (false, true) if here(b) == *a => (a, false),
            _ => return None,
        };
        let how = if (prim == Prim::Lt) == is_right { AxisReduction::ArgMax } else { AxisReduction::ArgMin };
        (body.level() < state.var.level).then(|| AxisNode::reduce(how, over, body.clone()))
    }

    /// The value where an index is that of the greatest, if the node reads that.
    pub(super) fn best(&self, node: &AxisNode, index: &AxisNode) -> Option<AxisNode> {
        let AxisNode::Reduce(how, axis, body) = self.resolved(index) else { return None };
        let how = match how {
            AxisReduction::ArgMax => AxisReduction::Max,
            AxisReduction::ArgMin => AxisReduction::Min,
            _ => return None,
        };
        (body.at(axis, index) == *node).then_some(AxisNode::Reduce(how, axis, body))
    }

    /// What only gathers is carried all the same where something that is carried or kept reads it on the way.
    fn carry_what_is_read(&self, whole: &LoweredLoop, results: &mut [Option<AxisNode>]) {
        let mut grows = true;
        while grows {
            grows = false;
            for k in 0..results.len() {
                let var = &whole.states[k].var;
                let carried = whole.states.iter().zip(&*results).filter(|(_, result)| result.is_none());
                let is_read = carried.into_iter().any(|(state, _)| self.mentions_deep(&state.next, var))
                    || whole.kept.iter().any(|kept| self.mentions_deep(&kept.node, var));
                if results[k].is_some() && is_read {
                    results[k] = None;
                    grows = true;
                }
            }
        }
    }

    /// For each state that is carried the axes of loops around on which it depends, directly or by other states.
    fn outer_axes(&self, whole: &LoweredLoop, carried: &[usize]) -> Vec<Vec<Axis>> {
        let level = self.here();
        let mut all: Vec<Vec<Axis>> = whole.states.iter().map(|state| state.outer.clone()).collect();
        let is_outer =
            |axis: &Axis, own: &[Axis]| *axis != whole.over && !own.contains(axis) && self.is_real(*axis, level - 1);
        let add = |all: &mut Vec<Axis>, more: Vec<Axis>| {
            let before = all.len();
            all.extend(more);
            all.sort_unstable();
            all.dedup();
            all.len() > before
        };
        for k in carried {
            let state = &whole.states[*k];
            let more = [&state.init, &state.next].into_iter().flat_map(|node| node.axes());
            let more = more.filter(|axis| is_outer(axis, &state.own)).collect();
            add(&mut all[*k], more);
        }
        let mentions = |k: usize, other: usize| {
            let var = &whole.states[other].var;
            self.mentions_deep(&whole.states[k].next, var)
        };
        let mut grows = true;
        while grows {
            grows = false;
            for k in carried {
                for other in carried.iter().filter(|other| mentions(*k, **other)) {
                    let more = all[*other].clone();
                    grows |= add(&mut all[*k], more);
                }
            }
        }
        all
    }

    /// Whether a variable occurs in a node, or in what variables in it are defined as.
    fn mentions_deep(&self, node: &AxisNode, var: &PyVar) -> bool {
        node.any(&mut |part| match part {
            AxisNode::Read(own, _) if **own == *var => true,
            AxisNode::Read(own, _) if own.level >= var.level => {
                self.definitions.get(&own.id).is_some_and(|(_, definition)| self.mentions_deep(definition, var))
            }
            _ => false,
        })
    }

    /// The loop's steps one after the other.
    fn written_out(&mut self, fold: &Fold, init: AxisValue) -> Lowered<AxisValue> {
        let mut value = init;
        for k in 0..fold.size.as_literal().unwrap_or(0) {
            let carried = self.named(&fold.acc.hint, &value);
            self.env.insert(fold.acc.number, carried);
            self.env.insert(fold.index.number, AxisValue::Number(AxisNode::Int(k as i64)));
            value = self.value(&fold.body)?;
        }
        Ok(value)
    }

    /// The value of a loop, whose steps are written where it carries something.
    fn finished(
        &mut self,
        fold: &Fold,
        whole: LoweredLoop,
        results: Vec<Option<AxisNode>>,
        kept: Option<(bool, &Type)>,
    ) -> Lowered<AxisValue> {
        let level = self.here();
        let (over, is_reversed) = (whole.over, whole.is_reversed);
        let carried: Vec<usize> = (0..results.len()).filter(|k| results[*k].is_none()).collect();
        let stepwise: Vec<usize> = (0..whole.kept.len()).filter(|k| whole.kept[*k].node.level() >= level).collect();
        if carried.is_empty() && !stepwise.is_empty() {
            return Err(bug("a loop that keeps what it doesn't carry"));
        }
        let mut at_end: Vec<Option<Rc<PyVar>>> = vec![None; results.len()];
        let mut stacked: Vec<Option<(Rc<PyVar>, Vec<Axis>)>> = vec![None; whole.kept.len()];
        if carried.is_empty() {
            self.forget_block(&whole.states);
        } else {
            let dims = |state: &State| state.outer.iter().chain(&state.own).copied().collect::<Vec<Axis>>();
            let around: Vec<(Vec<Axis>, AxisNode)> = stepwise
                .iter()
                .map(|k| {
                    let kept = &whole.kept[*k];
                    let mut outer = kept.node.axes();
                    outer.retain(|a| *a != over && !kept.own.contains(a) && self.is_real(*a, level - 1));
                    outer.extend(&kept.own);
                    (outer, kept.node.clone())
                })
                .collect();
            let states: Vec<(Rc<PyVar>, Vec<Axis>, AxisNode)> = carried
                .iter()
                .map(|k| &whole.states[*k])
                .map(|state| (state.var.clone(), dims(state), state.next.clone()))
                .collect();
            let inits: Vec<(Vec<Axis>, AxisNode)> =
                carried.iter().map(|k| (dims(&whole.states[*k]), whole.states[*k].init.clone())).collect();
            let (lasts, all) = self.scan_text(over, is_reversed, &states, &inits, &around);
            carried.iter().zip(lasts).for_each(|(k, var)| at_end[*k] = Some(var));
            let all = all.into_iter().zip(around).map(|(var, (axes, _))| Some((var, axes)));
            stepwise.iter().zip(all).for_each(|(k, own)| stacked[*k] = own);
        }
        self.axes[over as usize].scalar_in = None;
        let mut states = whole.states.iter().zip(results).zip(at_end);
        let value = self.data(&fold.acc.ty, &mut |_, axes| {
            let Some(((state, result), var)) = states.next() else { return AxisNode::Int(0) };
            let node = match (result, var) {
                (Some(node), _) => node,
                (None, Some(var)) => {
                    AxisNode::Read(var, state.outer.iter().chain(&state.own).map(|a| AxisNode::Axis(*a)).collect())
                }
                (None, None) => AxisNode::Int(0),
            };
            state.own.iter().zip(axes).fold(node, |node, (from, to)| node.at(*from, &AxisNode::Axis(*to)))
        });
        let Some((_, element)) = kept else { return Ok(value) };
        let place = self.axis(&fold.size, &fold.index.hint);
        let mut all = whole.kept.iter().zip(stacked);
        let element = self.data(element, &mut |_, axes| {
            let Some((kept, stacked)) = all.next() else { return AxisNode::Int(0) };
            let node = match stacked {
                None => kept.node.at(over, &AxisNode::Axis(place)),
                Some((var, own)) => {
                    AxisNode::Read(var, [place].iter().chain(&own).map(|a| AxisNode::Axis(*a)).collect())
                }
            };
            kept.own.iter().zip(axes).fold(node, |node, (from, to)| node.at(*from, &AxisNode::Axis(*to)))
        });
        Ok(AxisValue::pair(value, AxisValue::Array(place, Rc::new(element))))
    }
}

/// The node with `by` wherever `what` stands.
fn replaced(node: &AxisNode, what: &AxisNode, by: &AxisNode) -> AxisNode {
    if node == what { by.clone() } else { node.map(&mut |part| replaced(part, what, by)) }
}

/// What a step adds, if adding is all that it does.
fn addend(next: &AxisNode, own: &AxisNode) -> Option<AxisNode> {
    let AxisNode::Read(var, _) = own else { return None };
    let zero = if var.number == Number::Real { AxisNode::Real(0.0) } else { AxisNode::Int(0) };
    match next {
        node if node == own => Some(zero),
        AxisNode::Prim(Prim::Add | Prim::RoundedAdd, of) => {
            let [a, b] = &of[..] else { return None };
            match (a.mentions(var), b.mentions(var)) {
                (true, false) => Some(sum(addend(a, own)?, b.clone())),
                (false, true) => Some(sum(a.clone(), addend(b, own)?)),
                _ => None,
            }
        }
        AxisNode::Prim(Prim::Sub | Prim::RoundedSub, of) => {
            let [a, b] = &of[..] else { return None };
            if b.mentions(var) {
                return None;
            }
            let rest = addend(a, own)?;
            let less = if rest.is_zero() {
                AxisNode::prim(Prim::Neg, [b.clone()])
            } else {
                AxisNode::prim(Prim::Sub, [rest, b.clone()])
            };
            Some(less)
        }
        AxisNode::Select(p) if !p.0.mentions(var) => {
            Some(AxisNode::select(p.0.clone(), addend(&p.1, own)?, addend(&p.2, own)?))
        }
        _ => None,
    }
}

fn sum(a: AxisNode, b: AxisNode) -> AxisNode {
    if a.is_zero() {
        b
    } else if b.is_zero() {
        a
    } else {
        AxisNode::prim(Prim::Add, [a, b])
    }
}
