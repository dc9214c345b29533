//! Loops whose rounds may be done side by side, in vectors: each statement is written once for each vector of a round, loops
//! inside run once for all lanes. What can't be written so stays a loop.

use rustc_hash::FxHashSet;

use super::body::{Body, c_type, depth_of};
use super::prelude::function;
use crate::nest::{Freedom, Number, Place, Range, Stmt, Value};
use crate::term::{Class, Prim};

/// The most vectors of a round: so many sums fit registers.
const MOST_VECTORS: u32 = 4;

/// What differs between lanes: the index, and numbers that are computed from it.
pub(super) struct Lanes {
    pub(super) index: u32,
    differing: FxHashSet<u32>,
    /// Which lane the first of a vector is, as text.
    pub(super) first: String,
    vector: u32,
}

/// How a value is held.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Real,
    Int,
    /// All bits where it holds.
    Mask,
}

struct Vector {
    text: String,
    kind: Kind,
    differs: bool,
}

impl Lanes {
    /// What differs in these statements, if vectors can do them.
    fn of(index: u32, inside: &[Stmt]) -> Option<Lanes> {
        let mut lanes = Lanes { index, differing: [index].into_iter().collect(), first: String::new(), vector: 0 };
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

    fn differs(&self, value: &Value) -> bool {
        match value {
            Value::Real(_) | Value::Int(_) | Value::Size(_) => false,
            Value::Load(place) => self.differing.contains(&place.cell) || self.at(place),
            Value::Prim(_, _, operands) => operands.iter().any(|operand| self.differs(operand)),
            Value::Truth(a) => self.differs(a),
            Value::Select(p) => self.differs(&p.0) || self.differs(&p.1) || self.differs(&p.2),
        }
    }

    /// Whether a place differs between lanes.
    fn at(&self, place: &Place) -> bool {
        place.indices.iter().any(|index| self.differs(index))
    }

    /// Whether the places of lanes lie side by side.
    fn is_dense(&self, place: &Place) -> bool {
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
                self.round(&format!("int64_t {i} = 0;"), &i, &to, vectors, inside, depth);
            }
            _ => {
                let line = format!("int64_t {i} = 0;");
                self.line(depth, "{");
                self.line(depth + 1, &line);
                let beyond = range.most.as_ref().map(|most| self.value(most));
                for vectors in [most, 1] {
                    if let Some(beyond) = &beyond {
                        let step = vectors * width;
                        let line = format!("for (; {i} < {to} && {i} + {step} <= {beyond}; {i} += {step}) {{");
                        self.line(depth + 1, &line);
                        self.vectors(inside, vectors, &i, depth + 2);
                        self.line(depth + 1, "}");
                        if vectors == most && most > 1 {
                            continue;
                        }
                        break;
                    }
                    self.round("", &i, &to, vectors, inside, depth + 1);
                    if most == 1 {
                        break;
                    }
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

    /// Rounds of so many vectors, as long as there are lanes for all of them.
    fn round(&mut self, first: &str, i: &str, to: &str, vectors: u32, inside: &[Stmt], depth: usize) {
        let step = vectors * self.width();
        let head = if first.is_empty() { ";" } else { first };
        let line = format!("for ({head} {i} + {step} <= {to}; {i} += {step}) {{");
        self.line(depth, &line);
        self.vectors(inside, vectors, i, depth + 1);
        self.line(depth, "}");
    }

    fn on(&mut self, vector: u32, i: &str) {
        let width = self.width();
        if let Some(lanes) = &mut self.lanes {
            lanes.vector = vector;
            lanes.first = if vector == 0 { i.to_owned() } else { format!("({i} + {})", vector * width) };
        }
    }

    fn differs(&self, value: &Value) -> bool {
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
    fn local(&self, cell: u32) -> String {
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

    /// A value as a vector of numbers.
    fn held(&self, value: &Value, number: Number) -> String {
        let vector = self.vector(value);
        match (vector.differs, vector.kind, number) {
            (false, _, Number::Real) => format!("redexter_all({})", vector.text),
            (false, ..) => format!("redexter_ints({})", vector.text),
            (true, Kind::Mask, _) => format!("({} & 1)", vector.text),
            (true, ..) => vector.text,
        }
    }

    fn mask(&self, value: &Value) -> String {
        let vector = self.vector(value);
        match (vector.differs, vector.kind) {
            (false, _) => format!("redexter_ints({} ? -1 : 0)", vector.text),
            (true, Kind::Mask) => vector.text,
            (true, _) => format!("({} != 0)", vector.text),
        }
    }

    fn vector(&self, value: &Value) -> Vector {
        if !self.differs(value) {
            let kind = match self.number_of(value) {
                Number::Real => Kind::Real,
                Number::Int => Kind::Int,
            };
            return Vector { text: self.value(value), kind, differs: false };
        }
        let (text, kind) = match value {
            Value::Real(_) | Value::Int(_) | Value::Size(_) => (self.value(value), Kind::Int),
            Value::Load(place) => self.vector_load(place),
            Value::Truth(a) => (self.mask(a), Kind::Mask),
            Value::Select(p) => {
                let number = self.number_of(&p.1);
                let (a, b) = (self.held(&p.1, number), self.held(&p.2, number));
                let (name, kind) = match number {
                    Number::Real => ("redexter_choose", Kind::Real),
                    Number::Int => ("redexter_choose_int", Kind::Int),
                };
                match self.differs(&p.0) {
                    true => (format!("{name}({}, {a}, {b})", self.mask(&p.0)), kind),
                    false => {
                        let ty = v_type(number);
                        (format!("(({}) ? ({ty}){a} : ({ty}){b})", self.value(&p.0)), kind)
                    }
                }
            }
            Value::Prim(prim, number, operands) => self.vector_prim(*prim, *number, operands),
        };
        Vector { text, kind, differs: true }
    }

    fn vector_load(&self, place: &Place) -> (String, Kind) {
        let number = self.number(place.cell);
        let kind = if number == Number::Real { Kind::Real } else { Kind::Int };
        let Some(lanes) = &self.lanes else { return (self.place(place), kind) };
        if place.cell == lanes.index {
            return (format!("(redexter_ints({}) + redexter_lanes)", lanes.first), Kind::Int);
        }
        if place.indices.is_empty() {
            return (self.local(place.cell), kind);
        }
        let text = self.place(place);
        if lanes.is_dense(place) {
            return (format!("(*(const {} *)&{text})", v_type(number)), kind);
        }
        (self.gathered(place), kind)
    }

    /// A place of which each lane has another, one by one.
    fn gathered(&self, place: &Place) -> String {
        let all: Vec<String> =
            (0..self.width()).map(|lane| self.scalar_at(&Value::Load(place.clone()), lane)).collect();
        format!("(({}){{{}}})", v_type(self.number(place.cell)), all.join(", "))
    }

    /// A value in one lane of the vector.
    fn scalar_at(&self, value: &Value, lane: u32) -> String {
        match value {
            Value::Load(place) if place.indices.is_empty() && self.differs(value) => match &self.lanes {
                Some(lanes) if place.cell == lanes.index => format!("({} + {lane})", lanes.first),
                _ => format!("{}[{lane}]", self.local(place.cell)),
            },
            Value::Load(place) => {
                let indices = place.indices.iter().map(|index| self.scalar_at(index, lane)).collect::<Vec<_>>();
                self.element(place.cell, &indices)
            }
            Value::Real(_) | Value::Int(_) | Value::Size(_) => self.value(value),
            Value::Truth(a) => format!("({} != 0)", self.scalar_at(a, lane)),
            Value::Select(p) => {
                let [c, a, b] = [&p.0, &p.1, &p.2].map(|part| self.scalar_at(part, lane));
                format!("({c} ? {a} : {b})")
            }
            Value::Prim(prim, number, operands) => {
                let operands: Vec<String> = operands.iter().map(|operand| self.scalar_at(operand, lane)).collect();
                self.primitive(*prim, *number, &operands)
            }
        }
    }

    fn vector_prim(&self, prim: Prim, number: Number, operands: &[Value]) -> (String, Kind) {
        let own = if number == Number::Real { Kind::Real } else { Kind::Int };
        let held = |k: usize| self.held(&operands[k], number);
        // A scalar beside a vector is one in each lane.
        let near = |k: usize| {
            let vector = self.vector(&operands[k]);
            if vector.kind == Kind::Mask { self.held(&operands[k], Number::Int) } else { vector.text }
        };
        let text = prim.text();
        match (prim, number) {
            (Prim::Add | Prim::Sub | Prim::Mul, Number::Int) => {
                (format!("((redexter_i)((redexter_u){} {text} (redexter_u){}))", held(0), held(1)), Kind::Int)
            }
            (Prim::Neg, Number::Int) => (format!("((redexter_i)(0 - (redexter_u){}))", held(0)), Kind::Int),
            (Prim::Neg, Number::Real) => (format!("(-{})", near(0)), Kind::Real),
            (Prim::Add | Prim::Sub | Prim::Mul | Prim::Div, _) => (format!("({} {text} {})", near(0), near(1)), own),
            (Prim::Not, _) => (format!("(~{})", self.mask(&operands[0])), Kind::Mask),
            (Prim::And, _) => (format!("({} & {})", self.mask(&operands[0]), self.mask(&operands[1])), Kind::Mask),
            (Prim::Or, _) => (format!("({} | {})", self.mask(&operands[0]), self.mask(&operands[1])), Kind::Mask),
            (Prim::Eq, _) => (format!("({} == {})", held(0), held(1)), Kind::Mask),
            _ if prim.class() == Class::Comparison => (format!("({} {text} {})", held(0), held(1)), Kind::Mask),
            (Prim::Min | Prim::Max, _) => (format!("redexter_{text}s({}, {})", held(0), held(1)), Kind::Real),
            (Prim::Pow, _) if !self.differs(&operands[1]) => {
                (format!("redexter_pows({}, {})", held(0), self.value(&operands[1])), Kind::Real)
            }
            (Prim::ToReal, _) => (format!("__builtin_convertvector({}, redexter_v)", held(0)), Kind::Real),
            (Prim::ToInt, _) => (held(0), Kind::Int),
            (Prim::Offset(c), _) => (format!("({} + INT64_C({c}))", held(0)), Kind::Int),
            (Prim::Abs | Prim::Sqrt, _) => (format!("redexter_{text}s({})", held(0)), Kind::Real),
            (Prim::Exp | Prim::Log | Prim::Sin | Prim::Cos | Prim::Tanh, _) if self.target.freedom == Freedom::Fast => {
                (format!("redexter_{text}s({})", held(0)), Kind::Real)
            }
            (Prim::Exp, _) => {
                (format!("redexter_exact_exp({}, {})", function(prim, &self.target), held(0)), Kind::Real)
            }
            _ if prim.class() == Class::Function && operands.len() == 1 => {
                (format!("redexter_each({}, {})", function(prim, &self.target), held(0)), Kind::Real)
            }
            _ => {
                let value = Value::Prim(prim, number, operands.to_vec());
                let all: Vec<String> = (0..self.width()).map(|lane| self.scalar_at(&value, lane)).collect();
                let number = self.number_of(&value);
                let kind = if number == Number::Real { Kind::Real } else { Kind::Int };
                (format!("(({}){{{}}})", v_type(number), all.join(", ")), kind)
            }
        }
    }

    /// What a loop adds up over lanes, in an order of its own: only where that is allowed.
    pub(super) fn added_up(&mut self, range: &Range, inside: &[Stmt], depth: usize) -> bool {
        let width = self.width();
        let Some(extent) = self.known(&range.to).filter(|extent| extent % width == 0 && width > 1) else {
            return false;
        };
        let (condition, place, value) = match inside {
            [Stmt::Set(place, value)] => (None, place, value),
            [Stmt::If(condition, a, b)] if b.is_empty() => match &a[..] {
                [Stmt::Set(place, value)] => (Some(condition), place, value),
                _ => return false,
            },
            _ => return false,
        };
        let own = Value::Load(place.clone());
        let is_most = |condition: &Value| matches!(condition, Value::Prim(Prim::Lt | Prim::Gt, Number::Real, all) if all.contains(&own) && all.contains(value));
        let lanes =
            Lanes { index: range.cell, differing: [range.cell].into_iter().collect(), first: String::new(), vector: 0 };
        if lanes.at(place) || self.target.freedom == Freedom::Exact {
            return false;
        }
        let i = self.names.cell(range.cell).to_owned();
        let mut lines = Vec::new();
        if let Some(condition) = condition.filter(|condition| is_most(condition)) {
            let Value::Prim(prim, _, operands) = condition else { return false };
            let more = if (*prim == Prim::Lt) == (operands[0] == own) { "<" } else { ">" };
            let sums = MOST_VECTORS.min(extent / width);
            if (extent / width) % sums != 0 {
                return false;
            }
            let step = sums * width;
            self.lanes = Some(lanes);
            let to = self.place(place);
            let names: Vec<String> = (0..sums).map(|k| format!("most{k} = redexter_all({to})")).collect();
            lines.push(format!("redexter_v {};", names.join(", ")));
            lines.push(format!("for (int64_t {i} = 0; {i} < {extent}; {i} += {step}) {{"));
            for vector in 0..sums {
                self.on(vector, &i);
                let value = self.held(value, Number::Real);
                lines.push(format!("  const redexter_v own{vector} = {value};"));
                lines.push(format!(
                    "  most{vector} = redexter_choose(most{vector} {more} own{vector}, own{vector}, most{vector});"
                ));
            }
            lines.push("}".to_owned());
            for vector in 1..sums {
                lines.push(format!("most0 = redexter_choose(most0 {more} most{vector}, most{vector}, most0);"));
            }
            lines.push(format!("for (int k = 0; k < {width}; k++) {to} = {to} {more} most0[k] ? most0[k] : {to};"));
        } else {
            let Value::Prim(Prim::Add, Number::Real, operands) = value else { return false };
            let [first, added] = &operands[..] else { return false };
            if *first != own || super::body::mentions(added, place.cell) || !lanes.differs(added) {
                return false;
            }
            if condition.is_some_and(|condition| super::body::mentions(condition, place.cell)) {
                return false;
            }
            let vectors = extent / width;
            let sums = MOST_VECTORS.min(vectors);
            if vectors % sums != 0 {
                return false;
            }
            let step = sums * width;
            self.lanes = Some(lanes);
            let names: Vec<String> = (0..sums).map(|k| format!("sum{k} = {{0}}")).collect();
            lines.push(format!("redexter_v {};", names.join(", ")));
            lines.push(format!("for (int64_t {i} = 0; {i} < {extent}; {i} += {step}) {{"));
            for vector in 0..sums {
                self.on(vector, &i);
                let mut text = self.held(added, Number::Real);
                if let Some(condition) = condition {
                    text = format!("redexter_choose({}, {text}, redexter_all(0.0))", self.mask(condition));
                }
                lines.push(format!("  sum{vector} += {text};"));
            }
            lines.push("}".to_owned());
            let all = (1..sums).fold("sum0".to_owned(), |all, k| format!("{all} + sum{k}"));
            lines.push(format!("{} += redexter_sum({all});", self.place(place)));
        }
        self.lanes = None;
        self.line(depth, "{");
        lines.iter().for_each(|line| self.line(depth + 1, line));
        self.line(depth, "}");
        true
    }
}

fn v_type(number: Number) -> &'static str {
    match number {
        Number::Real => "redexter_v",
        Number::Int => "redexter_i",
    }
}
