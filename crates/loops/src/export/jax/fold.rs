//! Lowers loops: those that only gather along their axis become reductions, the rest steps of `jax.lax.scan`.

use std::rc::Rc;

use super::lower::{Block, JaxLowering, bug};
use super::node::{Axis, Node, Number, PyVar, Reduction, Value, parts};
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
    init: Node,
    next: Node,
}

/// What a step keeps at its index.
struct Kept {
    own: Vec<Axis>,
    node: Node,
}

/// A loop whose body has been lowered.
struct LoweredLoop {
    over: Axis,
    states: Vec<State>,
    kept: Vec<Kept>,
    is_reversed: bool,
}

impl JaxLowering {
    /// What a loop comes to, beside what it keeps if it does: whether it goes backwards, and the type of what it keeps.
    pub(super) fn fold(&mut self, fold: &Fold, kept: Option<(bool, &Type)>) -> Lowered<Value> {
        let init = self.value(&fold.init)?;
        let mut outer: Vec<Vec<Axis>> = vec![Vec::new(); parts(&fold.acc.ty).len()];
        loop {
            let lines: Vec<usize> = self.blocks.iter().map(|block| block.lines.len()).collect();
            let whole = self.body(fold, &init, &outer, kept)?;
            let mut results: Vec<Option<Node>> =
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
        init: &Value,
        outer: &[Vec<Axis>],
        kept: Option<(bool, &Type)>,
    ) -> Lowered<LoweredLoop> {
        let over = self.axis(&fold.size, &fold.index.hint);
        let level = self.blocks.len();
        self.axes[over as usize].scalar_in = Some(level);
        self.blocks.push(Block::default());
        self.env.insert(fold.index.number, Value::Number(Node::Axis(over)));
        let mut states = Vec::new();
        let all = parts(&fold.acc.ty);
        let carried = self.data(&fold.acc.ty, &mut |lower, own| {
            let k = states.len();
            let lifted = outer[k].iter().map(|axis| lower.size_of(*axis).clone());
            let dims = lifted.chain(all[k].0.iter().cloned()).collect();
            let name = lower.names.fresh(&fold.acc.hint);
            let var = lower.variable(name, level, all[k].1, dims);
            states.push((var.clone(), own.to_vec()));
            Node::Read(var, outer[k].iter().chain(own).map(|axis| Node::Axis(*axis)).collect())
        });
        self.env.insert(fold.acc.number, carried);
        let body = self.value(&fold.body)?;
        let (next, kept_value) = match (kept, body) {
            (None, body) => (body, None),
            (Some(_), Value::Pair(p)) => (p.0.clone(), Some(p.1.clone())),
            (Some(_), _) => return Err(bug("a scan of no pairs")),
        };
        let along = |leaf: &(Vec<Axis>, Node), own: &[Axis]| {
            leaf.0.iter().zip(own).fold(leaf.1.clone(), |node, (from, to)| node.at(*from, &Node::Axis(*to)))
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
        let kept_leaves = kept_value.iter().flat_map(Value::leaves);
        let kept_leaves = kept_leaves.map(|(own, node)| Kept { own, node }).collect();
        let is_reversed = kept.is_some_and(|(is_reversed, _)| is_reversed);
        Ok(LoweredLoop { over, states: states.collect(), kept: kept_leaves, is_reversed })
    }

    /// What a number comes to that only gathers along the axis; nothing where it needs what the step before left.
    fn gathered(&self, state: &State, all: &[State], over: Axis) -> Option<Node> {
        let next = self.resolved(&state.next);
        let own = Node::Read(state.var.clone(), state.outer.iter().chain(&state.own).map(|a| Node::Axis(*a)).collect());
        let level = state.var.level;
        if next == own {
            return Some(state.init.clone());
        }
        if let [only] = all
            && let Some(found) = self.searched(only, &own, &next, over)
        {
            return Some(found);
        }
        let is_free = |node: &Node| node.level() < level;
        if let Some(addend) = addend(&next, &own).filter(is_free) {
            return Some(sum(state.init.clone(), Node::reduce(Reduction::Sum, over, addend)));
        }
        let (Node::Prim(prim, of), true) = (&next, state.var.number == Number::Real) else { return None };
        let how = match prim {
            Prim::Mul => Reduction::Product,
            Prim::Max => Reduction::Max,
            Prim::Min => Reduction::Min,
            _ => return None,
        };
        let other = match &of[..] {
            [a, b] if *a == own => b,
            [a, b] if *b == own => a,
            _ => return None,
        };
        is_free(other).then(|| Node::prim(*prim, [state.init.clone(), Node::reduce(how, over, other.clone())]))
    }

    /// `fun best i => if v[best] < v[i] then i else best` from 0 on finds the first of the greatest.
    fn searched(&self, state: &State, own: &Node, next: &Node, over: Axis) -> Option<Node> {
        let Node::Select(p) = next else { return None };
        let Node::Prim(prim @ (Prim::Lt | Prim::Gt), of) = self.resolved(&p.0) else { return None };
        let [a, b] = &of[..] else { return None };
        let index = Node::Axis(over);
        if p.1 != index || p.2 != *own || !state.init.is_zero() || a.number() != Number::Real {
            return None;
        }
        // The index stands for the best so far, so that both sides are read alike.
        let here = |node: &Node| replaced(node, own, &index);
        let (body, is_right) = match (a.mentions(&state.var), b.mentions(&state.var)) {
            (true, false) if here(a) == *b => (b, true),
            (false, true) if here(b) == *a => (a, false),
            _ => return None,
        };
        let how = if (prim == Prim::Lt) == is_right { Reduction::ArgMax } else { Reduction::ArgMin };
        (body.level() < state.var.level).then(|| Node::reduce(how, over, body.clone()))
    }

    /// The value where an index is that of the greatest, if the node reads that.
    pub(super) fn best(&self, node: &Node, index: &Node) -> Option<Node> {
        let Node::Reduce(how, axis, body) = self.resolved(index) else { return None };
        let how = match how {
            Reduction::ArgMax => Reduction::Max,
            Reduction::ArgMin => Reduction::Min,
            _ => return None,
        };
        (body.at(axis, index) == *node).then_some(Node::Reduce(how, axis, body))
    }

    /// What only gathers is carried all the same where something that is carried or kept reads it on the way.
    fn carry_what_is_read(&self, whole: &LoweredLoop, results: &mut [Option<Node>]) {
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
    fn mentions_deep(&self, node: &Node, var: &PyVar) -> bool {
        node.any(&mut |part| match part {
            Node::Read(own, _) if **own == *var => true,
            Node::Read(own, _) if own.level >= var.level => {
                self.definitions.get(&own.id).is_some_and(|(_, definition)| self.mentions_deep(definition, var))
            }
            _ => false,
        })
    }

    /// The loop's steps one after the other.
    fn written_out(&mut self, fold: &Fold, init: Value) -> Lowered<Value> {
        let mut value = init;
        for k in 0..fold.size.as_literal().unwrap_or(0) {
            let carried = self.named(&fold.acc.hint, &value);
            self.env.insert(fold.acc.number, carried);
            self.env.insert(fold.index.number, Value::Number(Node::Int(k as i64)));
            value = self.value(&fold.body)?;
        }
        Ok(value)
    }

    /// The value of a loop, whose steps are written where it carries something.
    fn finished(
        &mut self,
        fold: &Fold,
        whole: LoweredLoop,
        results: Vec<Option<Node>>,
        kept: Option<(bool, &Type)>,
    ) -> Lowered<Value> {
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
            let around: Vec<(Vec<Axis>, Node)> = stepwise
                .iter()
                .map(|k| {
                    let kept = &whole.kept[*k];
                    let mut outer = kept.node.axes();
                    outer.retain(|a| *a != over && !kept.own.contains(a) && self.is_real(*a, level - 1));
                    outer.extend(&kept.own);
                    (outer, kept.node.clone())
                })
                .collect();
            let states: Vec<(Rc<PyVar>, Vec<Axis>, Node)> = carried
                .iter()
                .map(|k| &whole.states[*k])
                .map(|state| (state.var.clone(), dims(state), state.next.clone()))
                .collect();
            let inits: Vec<(Vec<Axis>, Node)> =
                carried.iter().map(|k| (dims(&whole.states[*k]), whole.states[*k].init.clone())).collect();
            let (lasts, all) = self.scan_text(over, is_reversed, &states, &inits, &around);
            carried.iter().zip(lasts).for_each(|(k, var)| at_end[*k] = Some(var));
            let all = all.into_iter().zip(around).map(|(var, (axes, _))| Some((var, axes)));
            stepwise.iter().zip(all).for_each(|(k, own)| stacked[*k] = own);
        }
        self.axes[over as usize].scalar_in = None;
        let mut states = whole.states.iter().zip(results).zip(at_end);
        let value = self.data(&fold.acc.ty, &mut |_, axes| {
            let Some(((state, result), var)) = states.next() else { return Node::Int(0) };
            let node = match (result, var) {
                (Some(node), _) => node,
                (None, Some(var)) => {
                    Node::Read(var, state.outer.iter().chain(&state.own).map(|a| Node::Axis(*a)).collect())
                }
                (None, None) => Node::Int(0),
            };
            state.own.iter().zip(axes).fold(node, |node, (from, to)| node.at(*from, &Node::Axis(*to)))
        });
        let Some((_, element)) = kept else { return Ok(value) };
        let place = self.axis(&fold.size, &fold.index.hint);
        let mut all = whole.kept.iter().zip(stacked);
        let element = self.data(element, &mut |_, axes| {
            let Some((kept, stacked)) = all.next() else { return Node::Int(0) };
            let node = match stacked {
                None => kept.node.at(over, &Node::Axis(place)),
                Some((var, own)) => Node::Read(var, [place].iter().chain(&own).map(|a| Node::Axis(*a)).collect()),
            };
            kept.own.iter().zip(axes).fold(node, |node, (from, to)| node.at(*from, &Node::Axis(*to)))
        });
        Ok(Value::pair(value, Value::Array(place, Rc::new(element))))
    }
}

/// The node with `by` wherever `what` stands.
fn replaced(node: &Node, what: &Node, by: &Node) -> Node {
    if node == what { by.clone() } else { node.map(&mut |part| replaced(part, what, by)) }
}

/// What a step adds, if adding is all that it does.
fn addend(next: &Node, own: &Node) -> Option<Node> {
    let Node::Read(var, _) = own else { return None };
    let zero = if var.number == Number::Real { Node::Real(0.0) } else { Node::Int(0) };
    match next {
        node if node == own => Some(zero),
        Node::Prim(Prim::Add | Prim::RoundedAdd, of) => {
            let [a, b] = &of[..] else { return None };
            match (a.mentions(var), b.mentions(var)) {
                (true, false) => Some(sum(addend(a, own)?, b.clone())),
                (false, true) => Some(sum(a.clone(), addend(b, own)?)),
                _ => None,
            }
        }
        Node::Prim(Prim::Sub | Prim::RoundedSub, of) => {
            let [a, b] = &of[..] else { return None };
            if b.mentions(var) {
                return None;
            }
            let rest = addend(a, own)?;
            let less = if rest.is_zero() {
                Node::prim(Prim::Neg, [b.clone()])
            } else {
                Node::prim(Prim::Sub, [rest, b.clone()])
            };
            Some(less)
        }
        Node::Select(p) if !p.0.mentions(var) => {
            Some(Node::select(p.0.clone(), addend(&p.1, own)?, addend(&p.2, own)?))
        }
        _ => None,
    }
}

fn sum(a: Node, b: Node) -> Node {
    if a.is_zero() {
        b
    } else if b.is_zero() {
        a
    } else {
        Node::prim(Prim::Add, [a, b])
    }
}
