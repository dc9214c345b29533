//! Finds what differs between iterations of a loop that are done side by side (divergence analysis).

use rustc_hash::FxHashSet;

use crate::nest::ir::value::index_number;
use crate::nest::ir::{NestPlace, NestValue, ScalarKind, Stmt, each};
use redexter_language::term::Prim;

/// What differs between lanes: the index, and numbers that are computed from it.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The index, each lane its own.
    pub index: u32,
    cells: FxHashSet<u32>,
}

impl Divergence {
    /// An index alone.
    pub fn along(index: u32) -> Divergence {
        Divergence { index, cells: [index].into_iter().collect() }
    }

    /// What differs in these statements, if each can be done in all lanes before the next: none asks what differs whether it
    /// is done, or how often.
    pub fn of(index: u32, inside: &[Stmt]) -> Option<Divergence> {
        let differing = Divergence::with(index, inside, &|_| false);
        differing.fits(inside).then_some(differing)
    }

    /// What differs in these statements, where some arrays may differ as numbers do.
    pub(in crate::nest) fn with(index: u32, inside: &[Stmt], may: &dyn Fn(u32) -> bool) -> Divergence {
        let mut differing = Divergence::along(index);
        let mut count = 0;
        // A statement may read what a later one stores, in a loop around both: so all are gone through until nothing more is
        // found.
        while count != differing.cells.len() {
            count = differing.cells.len();
            differing.spread(inside, may);
        }
        differing
    }

    fn spread(&mut self, inside: &[Stmt], may: &dyn Fn(u32) -> bool) {
        for stmt in inside {
            match stmt {
                Stmt::Let(slot, value) if self.differs(value) => drop(self.cells.insert(slot.cell)),
                Stmt::Set(place, value)
                    if (place.indices.is_empty() || may(place.cell)) && (self.differs(value) || self.at(place)) =>
                {
                    self.cells.insert(place.cell);
                }
                Stmt::Let(..) | Stmt::Set(..) | Stmt::Var(_) => {}
                Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => {
                    let differs = self.differs(&range.from) || self.differs(&range.to);
                    if differs {
                        self.cells.insert(range.cell);
                    }
                    self.spread_within(stmt, differs, may);
                }
                // How strips run follows from a size, which is the same in all lanes.
                Stmt::Strips(..) => self.spread_within(stmt, false, may),
                Stmt::If(condition, ..) => self.spread_within(stmt, self.differs(condition), may),
            }
        }
    }

    /// What is stored where whether it is, or how often, differs is what differs, too.
    fn spread_within(&mut self, stmt: &Stmt, differs: bool, may: &dyn Fn(u32) -> bool) {
        for inside in stmt.inside() {
            if differs {
                each(inside, &mut |stmt| match stmt {
                    Stmt::Set(place, _) if place.indices.is_empty() || may(place.cell) => {
                        self.cells.insert(place.cell);
                    }
                    _ => {}
                });
            }
            self.spread(inside, may);
        }
    }

    fn fits(&self, inside: &[Stmt]) -> bool {
        inside.iter().all(|stmt| match stmt {
            Stmt::Let(..) | Stmt::Var(_) => true,
            // Lanes have no copies of an array: at a place that all share they must store the same, otherwise they would
            // overwrite each other.
            Stmt::Set(place, value) => place.indices.is_empty() || self.at(place) || !self.differs(value),
            Stmt::For(range, inner) => !self.differs(&range.from) && !self.differs(&range.to) && self.fits(inner),
            // Who writes lanes knows plain loops and branches inside of them alone.
            Stmt::Lanes(..) | Stmt::Pairs(..) | Stmt::Strips(..) => false,
            Stmt::If(condition, a, b) => !self.differs(condition) && self.fits(a) && self.fits(b),
        })
    }

    /// Whether a number or an index differs.
    pub fn has(&self, cell: u32) -> bool {
        self.cells.contains(&cell)
    }

    /// Whether a value does.
    pub fn differs(&self, value: &NestValue) -> bool {
        match value {
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => false,
            NestValue::Load(place) => self.has(place.cell) || self.at(place),
            NestValue::Prim(_, _, operands) => operands.iter().any(|operand| self.differs(operand)),
            NestValue::Truth(a) => self.differs(a),
            NestValue::Select(p) => self.differs(&p.0) || self.differs(&p.1) || self.differs(&p.2),
        }
    }

    /// Whether a place does.
    pub fn at(&self, place: &NestPlace) -> bool {
        place.indices.iter().any(|index| self.differs(index))
    }

    /// Whether the places of lanes lie side by side.
    pub fn is_dense(&self, place: &NestPlace) -> bool {
        // Indices further out jump by whole rows: they must be the same in all lanes.
        let split = place.indices.split_last();
        split.is_some_and(|(last, outside)| self.runs(last) && !outside.iter().any(|index| self.differs(index)))
    }

    /// Whether an integer is one more in each lane than in the one before: what is added to the index has to be the same in all
    /// lanes.
    fn runs(&self, value: &NestValue) -> bool {
        match index_number(value) {
            NestValue::Load(place) => place.cell == self.index && place.indices.is_empty(),
            NestValue::Prim(prim, ScalarKind::Int, operands) => match (prim, &operands[..]) {
                (Prim::Offset(_), [a]) => self.runs(a),
                (Prim::Add, [a, b]) => self.runs(a) && !self.differs(b) || self.runs(b) && !self.differs(a),
                (Prim::Sub, [a, b]) => self.runs(a) && !self.differs(b),
                _ => false,
            },
            _ => false,
        }
    }
}
