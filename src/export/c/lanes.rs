//! Loops whose rounds may be done side by side, in vectors: each statement is written once for each vector of a round, loops
//! inside run once for all lanes. What can't be written so stays a loop.

use rustc_hash::FxHashSet;

use super::body::{Body, c_type, depth_of};
use super::vector::v_type;
use crate::nest::{Number, Place, Range, Stmt, Value};
use crate::term::Prim;

/// The most vectors of a round: so many sums fit registers.
pub(super) const MOST_VECTORS: u32 = 4;

/// What differs between lanes: the index, and numbers that are computed from it.
pub(super) struct Lanes {
    pub(super) index: u32,
    differing: FxHashSet<u32>,
    /// Which lane the first of a vector is, as text.
    pub(super) first: String,
    pub(super) vector: u32,
}

impl Lanes {
    /// An index alone.
    pub(super) fn along(index: u32) -> Lanes {
        Lanes { index, differing: [index].into_iter().collect(), first: String::new(), vector: 0 }
    }

    /// What differs in these statements, if vectors can do them.
    fn of(index: u32, inside: &[Stmt]) -> Option<Lanes> {
        let mut lanes = Lanes::along(index);
        let mut count = 0;
        while count != lanes.differing.len() {
            count = lanes.differing.len();
            lanes.spread(inside);
        }
        lanes.fits(inside).then_some(lanes)
    }

    fn spread(&mut self, inside: &[Stmt]) {
        for stmt in inside {
            match stmt {
                Stmt::Let(slot, value) if self.differs(value) => drop(self.differing.insert(slot.cell)),
                Stmt::Set(place, value) if place.indices.is_empty() && self.differs(value) => {
                    self.differing.insert(place.cell);
                }
                Stmt::Let(..) | Stmt::Set(..) | Stmt::Var(_) => {}
                Stmt::For(_, inner) | Stmt::Lanes(_, inner) | Stmt::Strips(_, inner) => self.spread(inner),
                Stmt::If(_, a, b) => {
                    self.spread(a);
                    self.spread(b);
                }
            }
        }
    }

    fn fits(&self, inside: &[Stmt]) -> bool {
        inside.iter().all(|stmt| match stmt {
            Stmt::Let(..) | Stmt::Var(_) => true,
            Stmt::Set(place, value) => place.indices.is_empty() || self.at(place) || !self.differs(value),
            Stmt::For(range, inner) => !self.differs(&range.from) && !self.differs(&range.to) && self.fits(inner),
            Stmt::Lanes(..) | Stmt::Strips(..) => false,
            Stmt::If(condition, a, b) => !self.differs(condition) && self.fits(a) && self.fits(b),
        })
    }

    pub(super) fn differs(&self, value: &Value) -> bool {
        match value {
            Value::Real(_) | Value::Int(_) | Value::Size(_) => false,
            Value::Load(place) => self.differing.contains(&place.cell) || self.at(place),
            Value::Prim(_, _, operands) => operands.iter().any(|operand| self.differs(operand)),
            Value::Truth(a) => self.differs(a),
            Value::Select(p) => self.differs(&p.0) || self.differs(&p.1) || self.differs(&p.2),
        }
    }

    /// Whether a place differs between lanes.
    pub(super) fn at(&self, place: &Place) -> bool {
        place.indices.iter().any(|index| self.differs(index))
    }

    /// Whether the places of lanes lie side by side.
    pub(super) fn is_dense(&self, place: &Place) -> bool {
        let Some((last, outside)) = place.indices.split_last() else { return false };
        let is_index = |value: &Value| matches!(value, Value::Load(p) if p.cell == self.index && p.indices.is_empty());
        let runs = match last {
            Value::Prim(Prim::Add, Number::Int, operands) => match &operands[..] {
                [a, b] => (is_index(b) && !self.differs(a)) || (is_index(a) && !self.differs(b)),
                _ => false,
            },
            last => is_index(last),
        };
        runs && !outside.iter().any(|index| self.differs(index))
    }
}

impl Body<'_> {
    /// A loop over lanes.
    pub(super) fn lanes(&mut self, range: &Range, inside: &[Stmt], depth: usize) {
        let width = self.width();
        let Some(lanes) = Lanes::of(range.cell, inside).filter(|_| width > 1) else {
            return self.for_loop(range, inside, depth);
        };
        self.lanes = Some(lanes);
        let (i, to) = (self.names.cell(range.cell).to_owned(), self.value(&range.to));
        let known = self.known(&range.to);
        let most = if depth_of(inside) > 0 { MOST_VECTORS.min(32 / width) } else { 1 };
        match known {
            Some(extent) if extent % width == 0 => {
                let vectors = (1..=most).rev().find(|k| extent % (k * width) == 0).unwrap_or(1);
                let step = vectors * width;
                let line = format!("for (int64_t {i} = 0; {i} < {to}; {i} += {step}) {{");
                self.line(depth, &line);
                self.vectors(inside, vectors, &i, depth + 1);
                self.line(depth, "}");
            }
            _ => {
                let line = format!("int64_t {i} = 0;");
                self.line(depth, "{");
                self.line(depth + 1, &line);
                let beyond = range.most.as_ref().map(|most| self.value(most));
                let mut vectors = most;
                while vectors > 0 {
                    let step = vectors * width;
                    let goes_on = match &beyond {
                        Some(beyond) => format!("{i} < {to} && {i} + {step} <= {beyond}"),
                        None => format!("{i} + {step} <= {to}"),
                    };
                    let line = format!("for (; {goes_on}; {i} += {step}) {{");
                    self.line(depth + 1, &line);
                    self.vectors(inside, vectors, &i, depth + 2);
                    self.line(depth + 1, "}");
                    vectors /= 2;
                }
                let lanes = self.lanes.take();
                let line = format!("for (; {i} < {to}; {i}++) {{");
                self.line(depth + 1, &line);
                self.body(inside, depth + 2);
                self.line(depth + 1, "}");
                self.line(depth, "}");
                drop(lanes);
            }
        }
        self.lanes = None;
    }

    pub(super) fn on(&mut self, vector: u32, i: &str) {
        let width = self.width();
        if let Some(lanes) = &mut self.lanes {
            lanes.vector = vector;
            lanes.first = if vector == 0 { i.to_owned() } else { format!("({i} + {})", vector * width) };
        }
    }

    pub(super) fn differs(&self, value: &Value) -> bool {
        self.lanes.as_ref().is_some_and(|lanes| lanes.differs(value))
    }

    fn vectors(&mut self, inside: &[Stmt], vectors: u32, i: &str, depth: usize) {
        for stmt in inside {
            match stmt {
                Stmt::Let(slot, value) if !self.differs(value) => {
                    let text = self.value(value);
                    let line = format!("const {} {} = {text};", c_type(slot.array.number), self.names.slot(slot));
                    self.line(depth, &line);
                }
                Stmt::Let(slot, value) => {
                    for vector in 0..vectors {
                        self.on(vector, i);
                        let value = self.held(value, slot.array.number);
                        let line = format!("const {} {} = {value};", v_type(slot.array.number), self.local(slot.cell));
                        self.line(depth, &line);
                    }
                }
                Stmt::Var(slot) if !self.lanes.as_ref().is_some_and(|lanes| lanes.differing.contains(&slot.cell)) => {
                    let line = format!("{} {} = 0;", c_type(slot.array.number), self.names.slot(slot));
                    self.line(depth, &line);
                }
                Stmt::Var(slot) => {
                    for vector in 0..vectors {
                        self.on(vector, i);
                        let line = format!("{} {} = {{0}};", v_type(slot.array.number), self.local(slot.cell));
                        self.line(depth, &line);
                    }
                }
                Stmt::Set(place, value) => self.set(place, value, vectors, i, depth),
                Stmt::For(range, inner) => {
                    let (from, to) = (self.value(&range.from), self.value(&range.to));
                    let own = self.names.cell(range.cell);
                    let line = format!("for (int64_t {own} = {from}; {own} < {to}; {own}++) {{");
                    self.line(depth, &line);
                    self.vectors(inner, vectors, i, depth + 1);
                    self.line(depth, "}");
                }
                Stmt::If(condition, a, b) => {
                    let line = format!("if ({}) {{", self.value(condition));
                    self.line(depth, &line);
                    self.vectors(a, vectors, i, depth + 1);
                    if !b.is_empty() {
                        self.line(depth, "} else {");
                        self.vectors(b, vectors, i, depth + 1);
                    }
                    self.line(depth, "}");
                }
                Stmt::Lanes(..) | Stmt::Strips(..) => {}
            }
        }
    }

    /// A number that differs between lanes, in the vector that is being written.
    pub(super) fn local(&self, cell: u32) -> String {
        let vector = self.lanes.as_ref().map_or(0, |lanes| lanes.vector);
        format!("{}_{vector}", self.names.cell(cell))
    }

    fn set(&mut self, place: &Place, value: &Value, vectors: u32, i: &str, depth: usize) {
        let Some(lanes) = &self.lanes else { return };
        let (is_local, dense) = (place.indices.is_empty(), lanes.is_dense(place));
        if !lanes.differing.contains(&place.cell) && !lanes.at(place) {
            let line = format!("{} = {};", self.place(place), self.value(value));
            return self.line(depth, &line);
        }
        let number = self.number(place.cell);
        for vector in 0..vectors {
            self.on(vector, i);
            let value = self.held(value, number);
            if is_local {
                let line = format!("{} = {value};", self.local(place.cell));
                self.line(depth, &line);
            } else if dense {
                let line = format!("*({} *)&{} = {value};", v_type(number), self.place(place));
                self.line(depth, &line);
            } else {
                let line = format!("{{ const {} all = {value};", v_type(number));
                self.line(depth, &line);
                for lane in 0..self.width() {
                    self.at_lane(vector * self.width() + lane, i);
                    let line = format!("  {} = all[{lane}];", self.place(place));
                    self.line(depth, &line);
                }
                self.line(depth, "}");
            }
        }
    }

    /// The lane at which scalar text is written.
    fn at_lane(&mut self, lane: u32, i: &str) {
        if let Some(lanes) = &mut self.lanes {
            lanes.first = if lane == 0 { i.to_owned() } else { format!("({i} + {lane})") };
        }
    }
}
