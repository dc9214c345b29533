//! Writes what a nest does, as statements of C.

use rustc_hash::{FxHashMap, FxHashSet};

use super::CTarget;
use super::lanes::Lanes;
use super::names::CNames;
use crate::nest::{Nest, NestValue, ScalarKind, Stmt, each};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Size, SizeAtom};

pub(super) struct CBody<'a> {
    pub(super) nest: &'a Nest,
    pub(super) names: &'a CNames,
    pub(super) target: CTarget,
    /// Which numbers stand in what.
    numbers: FxHashMap<u32, ScalarKind>,
    pub(super) in_strip: bool,
    /// How many iterations the strip has that is being written.
    pub(super) strip: Option<(u32, u32)>,
    /// The lanes that are being written, in vectors.
    pub(super) lanes: Option<Lanes>,
    pub(super) vectors: u32,
    /// The loop that is written for a part of its iterations.
    pub(super) part: Option<u32>,
    /// How long what has indices is in each direction.
    pub(super) dims: FxHashMap<u32, Vec<Size>>,
    /// Numbers that are pointed to.
    pub(super) pointed: FxHashSet<u32>,
    pub(super) text: String,
}

pub(super) fn c_type(number: ScalarKind) -> &'static str {
    match number {
        ScalarKind::Real => "double",
        ScalarKind::Int => "int64_t",
    }
}

/// A size; where `bytes`, one that is the largest there is where it would be larger.
pub(super) fn size(size: &Size, names: &CNames, bytes: bool) -> String {
    let join = |a: String, b: String, op: &str, function: &str| match bytes {
        true => format!("{function}({a}, {b})"),
        false => format!("({a} {op} {b})"),
    };
    let literal = |k: u64| if bytes { format!("(size_t)UINT64_C({k})") } else { format!("INT64_C({k})") };
    let mut sum: Option<String> = None;
    for (monomial, coefficient) in size.terms() {
        let mut product = (coefficient != 1 || monomial.is_empty()).then(|| literal(coefficient));
        for (atom, power) in monomial {
            let SizeAtom::Var(name) = atom else { continue };
            for _ in 0..*power {
                let factor = if bytes { format!("(size_t){}", names.size(name)) } else { names.size(name).to_owned() };
                product = Some(match product {
                    Some(p) => join(p, factor, "*", "redexter_times"),
                    None => factor,
                });
            }
        }
        let product = product.unwrap_or_else(|| literal(1));
        sum = Some(match sum {
            Some(s) => join(s, product, "+", "redexter_plus"),
            None => product,
        });
    }
    sum.unwrap_or_else(|| literal(0))
}

impl CBody<'_> {
    pub(super) fn new<'a>(names: &'a CNames, target: &CTarget, nest: &'a Nest) -> CBody<'a> {
        let all = nest.parameters.iter().chain(&nest.results).chain(&nest.temporaries);
        let dims = all.map(|slot| (slot.cell, slot.array.dims.clone())).collect();
        let pointed = nest.results.iter().map(|slot| slot.cell).collect();
        let mut numbers: FxHashMap<u32, ScalarKind> = FxHashMap::default();
        let all = nest.parameters.iter().chain(&nest.results).chain(&nest.temporaries);
        numbers.extend(all.map(|slot| (slot.cell, slot.array.number)));
        gather(&nest.body, &mut numbers);
        let (target, vectors, text) = (*target, target.vectors, String::new());
        let (in_strip, strip, lanes, part) = (false, None, None, None);
        CBody { nest, names, target, numbers, in_strip, strip, lanes, vectors, part, dims, pointed, text }
    }

    /// How many numbers a vector has.
    pub(super) fn width(&self) -> u32 {
        self.vectors
    }

    /// What stands in a slot; indices are integers.
    pub(super) fn number(&self, cell: u32) -> ScalarKind {
        self.numbers.get(&cell).copied().unwrap_or(ScalarKind::Int)
    }

    /// What a value is.
    pub(super) fn number_of(&self, value: &NestValue) -> ScalarKind {
        value.number(&|cell| self.number(cell))
    }

    /// An extent that is known.
    pub(super) fn known(&self, value: &NestValue) -> Option<u32> {
        match (value, self.strip) {
            (NestValue::Int(k), _) => u32::try_from(*k).ok(),
            (NestValue::Load(place), Some((count, lanes))) if place.cell == count => Some(lanes),
            _ => None,
        }
    }

    pub(super) fn line(&mut self, depth: usize, line: &str) {
        // Deep nests would otherwise be written as blanks for the most part.
        self.text += &"  ".repeat(depth.min(64));
        self.text += line;
        self.text.push('\n');
    }

    pub(super) fn body(&mut self, body: &[Stmt], depth: usize) {
        for stmt in body.iter().take_while(|_| goes_on()) {
            match stmt {
                Stmt::Let(slot, value) => {
                    let (ty, name) = (c_type(slot.array.number), self.names.slot(slot));
                    let line = format!("const {ty} {name} = {};", self.value(value));
                    self.line(depth, &line);
                }
                Stmt::Var(slot) => {
                    let line = format!("{} {} = 0;", c_type(slot.array.number), self.names.slot(slot));
                    self.line(depth, &line);
                }
                Stmt::Set(place, value) => {
                    let line = format!("{} = {};", self.place(place), self.value(value));
                    self.line(depth, &line);
                }
                Stmt::For(range, inside) => {
                    if !self.reduced(range, inside, depth) && !self.side_by_side(range, inside, depth) {
                        self.for_loop(range, inside, depth);
                    }
                }
                Stmt::Lanes(range, inside) => self.lanes(range, inside, depth),
                Stmt::Pairs(range, two, one) => self.pairs(range, two, one, depth),
                Stmt::Strips(strips, inside) => self.strips(strips, inside, depth),
                Stmt::If(condition, a, b) => {
                    let line = format!("if ({}) {{", self.value(condition));
                    self.line(depth, &line);
                    self.body(a, depth + 1);
                    if !b.is_empty() {
                        self.line(depth, "} else {");
                        self.body(b, depth + 1);
                    }
                    self.line(depth, "}");
                }
            }
        }
    }
}

/// Which numbers stand in what is declared inside.
fn gather(body: &[Stmt], numbers: &mut FxHashMap<u32, ScalarKind>) {
    each(body, &mut |stmt| {
        if let Stmt::Let(slot, _) | Stmt::Var(slot) = stmt {
            numbers.insert(slot.cell, slot.array.number);
        }
    });
}
