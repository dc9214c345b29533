//! Writes loops whose iterations may be done side by side, in vectors: each statement is written once for each vector of an
//! iteration, loops inside run once for all lanes. What can't be written so stays a loop.

use super::body::{CBody, c_type};
use super::loops::depth_of;
use super::vector::v_type;
use crate::nest::{Divergence, LoopRange, NestPlace, NestValue, Stmt};

/// The most vectors of an iteration: so many sums fit registers.
pub(super) const MOST_VECTORS: u32 = 4;

/// The lane that is being written, among what differs between lanes.
pub(super) struct Lanes {
    pub(super) what: Divergence,
    /// Which lane the first of a vector is, as text.
    pub(super) first: String,
    pub(super) vector: u32,
}

impl Lanes {
    pub(super) fn of(what: Divergence) -> Lanes {
        Lanes { what, first: String::new(), vector: 0 }
    }
}

impl CBody<'_> {
    /// A loop over lanes.
    pub(super) fn lanes(&mut self, range: &LoopRange, inside: &[Stmt], depth: usize) {
        let width = self.width();
        let Some(what) = Divergence::of(range.cell, inside).filter(|_| width > 1) else {
            return self.for_loop(range, inside, depth);
        };
        self.lanes = Some(Lanes::of(what));
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
                    // The last vector may end beyond the lanes, as long as it begins in them and stays below what `most` allows.
                    let goes_on = match &beyond {
                        Some(beyond) => format!("{i} + {} < {to} && {i} + {step} <= {beyond}", step - width),
                        None => format!("{i} + {step} <= {to}"),
                    };
                    let line = format!("for (; {goes_on}; {i} += {step}) {{");
                    self.line(depth + 1, &line);
                    self.vectors(inside, vectors, &i, depth + 2);
                    self.line(depth + 1, "}");
                    vectors /= 2;
                }
                // Lanes that fill no vector are written as scalars, so that nothing is a lane meanwhile.
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

    pub(super) fn differs(&self, value: &NestValue) -> bool {
        self.lanes.as_ref().is_some_and(|lanes| lanes.what.differs(value))
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
                Stmt::Var(slot) if !self.lanes.as_ref().is_some_and(|lanes| lanes.what.has(slot.cell)) => {
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
                    if depth_of(inner) > 0 {
                        self.asks(depth + 1);
                    }
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
                // `Divergence::of` gives nothing where one of these is inside.
                Stmt::Lanes(..) | Stmt::Pairs(..) | Stmt::Strips(..) => {}
            }
        }
    }

    /// A number that differs between lanes, in the vector that is being written.
    pub(super) fn local(&self, cell: u32) -> String {
        let vector = self.lanes.as_ref().map_or(0, |lanes| lanes.vector);
        format!("{}_{vector}", self.names.cell(cell))
    }

    fn set(&mut self, place: &NestPlace, value: &NestValue, vectors: u32, i: &str, depth: usize) {
        let Some(lanes) = &self.lanes else { return };
        let (is_local, dense) = (place.indices.is_empty(), lanes.what.is_dense(place));
        if !lanes.what.has(place.cell) && !lanes.what.at(place) {
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
                let line = format!("*({} *)&{} = {value};", v_type(number), self.span(place, self.width()));
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
