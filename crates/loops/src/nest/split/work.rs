//! Estimates how much a loop does: operations, each index at its largest.

use rustc_hash::FxHashMap;

use crate::nest::ir::{NestValue, ScalarKind, Stmt};
use redexter_language::ground::Name;
use redexter_language::term::{Prim, PrimClass, Size, SizeAtom};

/// How many operations a function of the library is.
const FUNCTION_OPERATIONS: f64 = 20.0;

struct WorkBounds<'a> {
    size: &'a dyn Fn(&Name) -> u64,
    cells: FxHashMap<u32, f64>,
}

/// How many iterations a loop has.
pub(super) fn rounds(stmt: &Stmt, size: &dyn Fn(&Name) -> u64) -> f64 {
    let bounds = WorkBounds { size, cells: FxHashMap::default() };
    match stmt {
        Stmt::Strips(strips, _) => bounds.extent(&strips.size),
        Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => bounds.of(&range.to),
        _ => 0.0,
    }
}

/// How many operations it takes.
pub(super) fn work(stmt: &Stmt, size: &dyn Fn(&Name) -> u64) -> f64 {
    WorkBounds { size, cells: FxHashMap::default() }.all(std::slice::from_ref(stmt))
}

impl WorkBounds<'_> {
    fn extent(&self, size: &Size) -> f64 {
        let atom = |atom: &SizeAtom| match atom {
            SizeAtom::Var(name) => (self.size)(name) as f64,
            SizeAtom::Unknown(_) => 1.0,
        };
        let terms = size.terms().map(|(monomial, coefficient)| {
            monomial.iter().fold(coefficient as f64, |product, (a, power)| product * atom(a).powf(f64::from(*power)))
        });
        terms.sum()
    }

    /// What an index or an extent may be; 1 where that isn't known.
    fn of(&self, value: &NestValue) -> f64 {
        match value {
            NestValue::Int(k) => *k as f64,
            NestValue::Size(name) => (self.size)(name) as f64,
            NestValue::Load(place) => self.cells.get(&place.cell).copied().unwrap_or(1.0),
            NestValue::Prim(prim, ScalarKind::Int, both) if both.len() == 2 => {
                let (a, b) = (self.of(&both[0]), self.of(&both[1]));
                match prim {
                    Prim::Add => a + b,
                    Prim::Sub => (a - b).max(0.0),
                    Prim::Mul => a * b,
                    _ => 1.0,
                }
            }
            NestValue::Select(p) => self.of(&p.1).max(self.of(&p.2)),
            _ => 1.0,
        }
    }

    fn all(&mut self, body: &[Stmt]) -> f64 {
        let mut sum = 0.0;
        for stmt in body {
            sum += match stmt {
                Stmt::Var(_) => 0.0,
                Stmt::Let(_, value) => 1.0 + operations(value),
                Stmt::Set(place, value) => 1.0 + place.indices.iter().map(operations).sum::<f64>() + operations(value),
                // Of pairs the statements for one iteration are taken: they are done as often, two at once or not.
                Stmt::For(range, inside) | Stmt::Lanes(range, inside) | Stmt::Pairs(range, _, inside) => {
                    let to = self.of(&range.to);
                    self.cells.insert(range.cell, to);
                    to * self.all(inside)
                }
                Stmt::Strips(strips, inside) => {
                    let (n, lanes) = (self.extent(&strips.size), f64::from(strips.lanes.max(1)));
                    self.cells.insert(strips.base, n);
                    self.cells.insert(strips.count, lanes.min(n));
                    (n / lanes).ceil() * self.all(inside)
                }
                Stmt::If(condition, a, b) => operations(condition) + self.all(a).max(self.all(b)),
            };
        }
        sum
    }
}

fn operations(value: &NestValue) -> f64 {
    match value {
        NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => 0.0,
        NestValue::Load(place) => f64::from(u8::from(!place.indices.is_empty())),
        NestValue::Truth(a) => operations(a),
        NestValue::Select(p) => operations(&p.0) + operations(&p.1).max(operations(&p.2)),
        NestValue::Prim(prim, _, all) => {
            let own = match prim {
                // It is a function by its class, but takes one instruction.
                Prim::Abs => 1.0,
                prim if prim.class() == PrimClass::Function => FUNCTION_OPERATIONS,
                _ => 1.0,
            };
            own + all.iter().map(operations).sum::<f64>()
        }
    }
}
