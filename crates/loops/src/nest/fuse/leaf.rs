//! Writes the statements of one equation.

use super::index_sets::pieces;
use super::level::{FusePlan, StreamClass};
use super::powers::{PowerCells, exponent, powers};
use super::write::NestWriter;
use crate::nest::Pass;
use crate::nest::equations::{EquationBody, FoldEquation, FoldState, StripLayout};
use crate::nest::ir::value::{is_condition, load, replace, walk};
use crate::nest::ir::{LoopRange, NestPlace, NestSlot, NestValue, ScalarKind, Stmt};

impl NestWriter {
    /// Statements behind the conditions under which somebody asks for an equation: what one condition reads may only be there
    /// where those before it hold.
    pub(super) fn guarded(&self, k: usize, body: Vec<Stmt>, out: &mut Vec<Stmt>) {
        self.begun(k, &[], body, out);
    }

    /// The same where these states begin, with what they begin with: indices among them get a harmless value before.
    pub(super) fn begun(&self, k: usize, states: &[(&NestSlot, &NestValue)], body: Vec<Stmt>, out: &mut Vec<Stmt>) {
        let (mut declared, mut rest, mut is_guarded) = (Vec::new(), body, false);
        // The last guard is wrapped first, so that each is asked only where those before it hold. Those in `held` are kept by
        // the ranges of loops around.
        for guard in self.equation(k).guards.iter().rev() {
            if self.is_known(guard, None) && !self.held.contains(guard) {
                // Numbers are declared outside of the branch, since who reads them stands behind it.
                let (first, inside): (Vec<Stmt>, _) = rest.into_iter().partition(|stmt| matches!(stmt, Stmt::Var(_)));
                declared.extend(first);
                rest = vec![Stmt::If(self.value(k, guard), inside, Vec::new())];
                is_guarded = true;
            }
        }
        out.extend(declared);
        out.extend(states.iter().filter(|_| is_guarded).filter_map(|(slot, init)| self.harmless(k, slot, init)));
        out.extend(rest);
    }

    /// An index for where the conditions of an equation don't hold: what finds an element by it may be one side of a choice of
    /// which targets compute both, or stand behind the same conditions in another place, where they aren't known to be the
    /// same. That with which a loop begins is an index wherever it can be computed; 0 is, where there are elements. Tables
    /// whose elements are found behind conditions alone do without.
    fn harmless(&self, k: usize, slot: &NestSlot, init: &NestValue) -> Option<Stmt> {
        let is_read = self.dims(k).is_empty() || self.is_chosen(slot);
        let init = if self.is_given(init) { self.value(k, init) } else { NestValue::Int(0) };
        (slot.array.number == ScalarKind::Int && is_read).then(|| Stmt::Set(self.own(k, slot.cell), init))
    }

    /// Whether a value reads nothing but parameters and indices: by its type it is an index then, whatever conditions hold.
    fn is_given(&self, value: &NestValue) -> bool {
        let mut found = true;
        walk(value, &mut |part| {
            found &= !matches!(part, NestValue::Load(place) if self.plan.defined.contains_key(&place.cell));
        });
        found
    }

    pub(super) fn map(&mut self, k: usize, out: &mut Vec<Stmt>) {
        let equation = self.equation(k).clone();
        let is_guarded = equation.guards.iter().any(|guard| self.is_known(guard, None) && !self.held.contains(guard));
        match &equation.work {
            EquationBody::Out(place, value) => {
                let indices = place.indices.iter().map(|index| self.value(k, index)).collect();
                out.push(Stmt::Set(NestPlace { cell: place.cell, indices }, self.value(k, value)));
            }
            EquationBody::Map(slot, value) if self.dims(k).is_empty() && !is_guarded => {
                out.push(Stmt::Let(slot.clone(), self.value(k, value)));
            }
            EquationBody::Map(slot, value) => {
                let declared = self.dims(k).is_empty().then(|| Stmt::Var(slot.clone()));
                let set = Stmt::Set(self.own(k, slot.cell), self.value(k, value));
                let body = declared.into_iter().chain([set]).collect();
                self.begun(k, &[(slot, &NestValue::Int(0))], body, out);
            }
            EquationBody::Fold(_) | EquationBody::Scatter(_) => {}
        }
    }

    /// Writes one equation for one lane.
    pub(super) fn lane(&mut self, k: usize, out: &mut Vec<Stmt>) {
        match self.equation(k).work.clone() {
            EquationBody::Fold(fold) => {
                let mut body = Vec::new();
                self.fold(k, &fold, &mut body);
                let states: Vec<_> = fold.states.iter().map(|state| (&state.slot, &state.init)).collect();
                self.begun(k, &states, body, out);
            }
            EquationBody::Map(..) | EquationBody::Out(..) => self.map(k, out),
            EquationBody::Scatter(_) => {}
        }
    }

    pub(super) fn leaf(&mut self, k: usize, out: &mut Vec<Stmt>) {
        let equation = self.equation(k).clone();
        let class = self.plan.classes[k];
        let streamed = self.here.is_some() && class != StreamClass::Still;
        match (&equation.work, class) {
            (EquationBody::Fold(_), StreamClass::Summed(_)) if streamed => self.summed(k, out),
            (EquationBody::Fold(_), _) => self.lane(k, out),
            (EquationBody::Map(slot, value), _) if equation.layout != StripLayout::Lanes => {
                self.copied(k, slot, value, out)
            }
            (EquationBody::Map(slot, value), _) => match self.plan.exponent(k, streamed) {
                Some(_) if self.plan.lanes > 1 => {
                    let lanes = self.in_lanes(|writer, body| writer.powers(k, slot, value, body));
                    out.push(lanes);
                }
                Some(_) => self.powers(k, slot, value, out),
                None => self.map(k, out),
            },
            (EquationBody::Scatter(_), _) => self.scatter(k, out),
            (EquationBody::Out(..), _) => self.map(k, out),
        }
    }

    fn powers(&mut self, k: usize, slot: &NestSlot, value: &NestValue, out: &mut Vec<Stmt>) {
        let cells = PowerCells::new(&mut self.plan.system);
        let dims = &self.equation(k).dims;
        let (Some(last), NestValue::Prim(_, _, operands)) = (dims.last(), value) else { return };
        let at: Vec<NestValue> = dims[..dims.len() - 1].iter().map(|index| load(index.cell)).collect();
        let place = |j: NestValue| {
            let indices: Vec<NestValue> = at.iter().cloned().chain([load(last.cell)]).collect();
            let place = self.place(k, k, slot.cell, &indices);
            let by = [(last.cell, j)].into_iter().collect();
            let indices = place.indices.iter().map(|index| replace(index, &by)).collect();
            NestPlace { cell: place.cell, indices }
        };
        out.extend(powers(&cells, self.value(k, &operands[0]), &NestValue::of(&last.size), &place));
    }

    /// A copy for a strip: of rows lane by lane, turned also.
    fn copied(&mut self, k: usize, slot: &NestSlot, value: &NestValue, out: &mut Vec<Stmt>) {
        let equation = self.equation(k).clone();
        let own = self.plan.classes[k].stream();
        let inner: Vec<_> = match equation.layout {
            StripLayout::Turned => equation.dims.last().into_iter().collect(),
            _ => equation.dims.iter().filter(|index| Some(index.cell) != own).collect(),
        };
        let cell = self.plan.system.cell();
        let mut body =
            self.at_lane(cell, |writer, body| body.push(Stmt::Set(writer.own(k, slot.cell), writer.value(k, value))));
        for index in inner.into_iter().rev() {
            body = vec![Stmt::For(LoopRange::of(index.cell, &index.hint, &index.size), body)];
        }
        let lanes = LoopRange::to(cell, "lane", self.count.clone());
        out.push(Stmt::For(lanes, body));
    }

    /// A loop whose states are variables while it runs.
    fn fold(&mut self, k: usize, fold: &FoldEquation, out: &mut Vec<Stmt>) {
        let is_kept = !self.dims(k).is_empty();
        let mut running = Vec::new();
        for state in &fold.states {
            // Where the state's own cell is an array, the running number needs another.
            let cell = if is_kept { self.plan.system.cell() } else { state.slot.cell };
            running.push((state.slot.cell, load(cell)));
            out.push(Stmt::Var(NestSlot { cell, ..state.slot.clone() }));
        }
        for (state, (_, own)) in fold.states.iter().zip(&running) {
            out.push(Stmt::Set(place_of(own), self.value(k, &state.init)));
        }
        let splits = fold.beside.as_ref() != self.plan.classes[k].stream().map(load).as_ref();
        for piece in pieces(fold, splits, self.plan.style.does(Pass::SplitIndexSets)) {
            if piece.is_one {
                self.step(k, &piece.states, &running, out);
                continue;
            }
            let mut inside = Vec::new();
            self.step(k, &piece.states, &running, &mut inside);
            let whole = LoopRange::of(fold.over.cell, &fold.over.hint, &fold.over.size);
            let [from, to] = [&piece.range.0, &piece.range.1].map(|end| end.as_ref().map(|end| self.value(k, end)));
            let range = LoopRange { from: from.unwrap_or(whole.from), to: to.unwrap_or(whole.to), ..whole };
            out.push(Stmt::For(range, inside));
        }
        if is_kept {
            for (state, (_, own)) in fold.states.iter().zip(running) {
                out.push(Stmt::Set(self.own(k, state.slot.cell), own));
            }
        }
    }

    /// An iteration: states that read each other change together.
    fn step(&mut self, k: usize, states: &[FoldState], running: &[(u32, NestValue)], out: &mut Vec<Stmt>) {
        let by = running.iter().cloned().collect();
        let next = |writer: &NestWriter, state: &FoldState| replace(&writer.value(k, &state.next), &by);
        if let ([state], [(_, own)]) = (states, running) {
            let value = next(self, state);
            out.push(self.set(k, place_of(own), own, value));
            return;
        }
        // All next values are computed before a state changes, since each reads what the iteration before left.
        let mut later = Vec::new();
        for (state, (_, own)) in states.iter().zip(running) {
            let slot = self.plan.system.number(&state.slot.hint, state.slot.array.number);
            later.push(Stmt::Set(place_of(own), load(slot.cell)));
            let value = next(self, state);
            out.push(Stmt::Let(slot, value));
        }
        out.extend(later);
    }

    /// A state that changes only where a condition holds: a branch, unless lanes differ in it.
    pub(super) fn set(&self, k: usize, to: NestPlace, own: &NestValue, value: NestValue) -> Stmt {
        let lane = match &self.here {
            Some((_, Some(NestValue::Load(lane)))) => Some(lane.cell),
            _ => None,
        };
        let differs = |c: &NestValue| lane.is_some_and(|lane| c.mentions(lane)) || (lane.is_some() && !is_condition(c));
        let in_lanes = lane.is_some() && !matches!(self.plan.classes[k], StreamClass::Summed(_));
        match value {
            NestValue::Select(p) if p.2 == *own && !(in_lanes && differs(&p.0)) => {
                let (condition, value, _) = *p;
                Stmt::If(condition, vec![Stmt::Set(to, value)], Vec::new())
            }
            value => Stmt::Set(to, value),
        }
    }

    /// What a strip, or an iteration, adds to what is summed over the streamed size.
    pub(super) fn summed(&mut self, k: usize, out: &mut Vec<Stmt>) {
        let equation = self.equation(k).clone();
        let EquationBody::Fold(fold) = &equation.work else { return };
        let mut body = Vec::new();
        let is_kept = !equation.dims.is_empty();
        let mut running = Vec::new();
        for state in &fold.states {
            let own = NestValue::Load(self.own(k, state.slot.cell));
            if is_kept {
                let slot = NestSlot { cell: self.plan.system.cell(), ..state.slot.clone() };
                running.push((state.slot.cell, load(slot.cell)));
                body.extend([Stmt::Var(slot.clone()), Stmt::Set(place_of(&load(slot.cell)), own)]);
            } else {
                running.push((state.slot.cell, own));
            }
        }
        let states = fold.states.clone();
        let round = running.clone();
        self.in_rounds(|writer, body| writer.step(k, &states, &round, body), &mut body);
        if is_kept {
            for (state, (_, own)) in fold.states.iter().zip(running) {
                body.push(Stmt::Set(self.own(k, state.slot.cell), own));
            }
        }
        self.guarded(k, body, out);
    }

    /// For each iteration of a strip; once, where there are none.
    pub(super) fn in_rounds(&mut self, inside: impl FnOnce(&mut NestWriter, &mut Vec<Stmt>), out: &mut Vec<Stmt>) {
        // A pass without strips is itself the loop over iterations.
        if self.plan.lanes == 1 {
            return inside(self, out);
        }
        let cell = self.plan.system.cell();
        let body = self.at_lane(cell, inside);
        let range = LoopRange::to(cell, "lane", self.count.clone());
        out.push(Stmt::For(range, body));
    }
}

fn place_of(value: &NestValue) -> NestPlace {
    match value {
        NestValue::Load(place) => place.clone(),
        _ => NestPlace { cell: 0, indices: Vec::new() },
    }
}

impl FusePlan {
    /// The exponent of an equation that is a table of powers in a pass over the streamed size; copies are written as they are.
    pub(super) fn exponent(&self, k: usize, streamed: bool) -> Option<u32> {
        let equation = &self.system.equations[k];
        let is_copy = equation.layout != StripLayout::Lanes;
        exponent(equation, self.classes[k], streamed).filter(|_| self.style.does(Pass::Powers) && !is_copy)
    }
}
