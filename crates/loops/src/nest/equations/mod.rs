//! Writes programs as equations over index spaces: each number of a table, each sum and each number with a name is one equation,
//! for all indices that it depends on at once.
//!
//! `read` makes them of a program, the other modules make them better: what is cheap is computed where it is used, sums skip
//! what their conditions exclude, what stays the same is computed once. None changes an operation or the order of a sum
//! unless [`Freedom`] allows it. Nothing here knows loops or memory: [`fuse`](super::fuse) does.

mod bounds;
mod invariant;
mod key;
mod loops;
mod read;
mod reciprocal;
pub(super) mod relation;
mod required;
mod scan;
mod scatter;
mod simplify;
mod sums;
mod symbol;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::nest::ir::value::{index_number, load};
use crate::nest::ir::{DenseArray, NestPlace, NestSlot, NestValue, ScalarKind};
use redexter_language::ground::Name;
use redexter_language::ground::order::InOrder;
use redexter_language::term::{Prim, Program, Size};

pub(super) use read::read;
pub(super) use scatter::scatters;
pub(super) use simplify::{in_order, simplify};
pub(super) use sums::addend;

/// How exactly results follow the evaluator: to the bit, or with sums added in another order and 0 times anything taken for 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freedom {
    /// To the bit.
    #[default]
    Exact,
    /// As if reals were numbers.
    Fast,
    /// So, but for operations that are kept as they are written, and with the evaluator's functions: a compiler can't be told
    /// what it may reorder and what not, so that it may reorder nothing.
    FastButKept,
}

impl Freedom {
    /// What is left of it for a program, which may keep arithmetic as it is written.
    pub fn within(self, program: &Program) -> Freedom {
        match self {
            Freedom::Fast if program.term.keeps_arithmetic() => Freedom::FastButKept,
            other => other,
        }
    }

    /// Whether sums may be added in another order, where they aren't kept.
    pub(crate) fn reorders(self) -> bool {
        self != Freedom::Exact
    }
}

/// A program that can't be written as equations; it is lowered as it stands.
#[derive(Debug)]
pub(super) struct Inexpressible;

pub(super) type EquationResult<T> = Result<T, Inexpressible>;

/// A number from 0 to below a size.
#[derive(Clone, Debug)]
pub(super) struct LoopIndex {
    pub(super) cell: u32,
    pub(super) hint: Rc<str>,
    pub(super) size: Size,
}

/// What is computed for each combination of indices.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    /// From the outside in: of which indices it is a function.
    pub(super) dims: Vec<LoopIndex>,
    pub(super) work: EquationBody,
    /// Nobody asks for it where one of these is 0.
    pub(super) guards: Vec<NestValue>,
    pub(super) layout: StripLayout,
}

/// How numbers of the streamed size lie in a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StripLayout {
    /// Those for one lane each side by side.
    Lanes,
    /// So, and copied from rows.
    Packed,
    /// Those for the last index side by side.
    Turned,
}

#[derive(Clone, Debug)]
pub(super) enum EquationBody {
    /// A number.
    Map(NestSlot, NestValue),
    /// A part of a result.
    Out(NestPlace, NestValue),
    /// Numbers that a loop carries.
    Fold(FoldEquation),
    /// Sums to each of which some rounds of a loop add.
    Scatter(ScatterEquation),
}

#[derive(Clone, Debug)]
pub(super) struct FoldEquation {
    pub(super) over: LoopIndex,
    pub(super) states: Vec<FoldState>,
    /// The index around it on which it depends what an iteration does: below, at and above it.
    pub(super) beside: Option<NestValue>,
}

/// Sums along a dimension: each round of a loop adds to the one that it finds, in order, and to none where it finds no index.
#[derive(Clone, Debug)]
pub(super) struct ScatterEquation {
    pub(super) over: LoopIndex,
    /// The index of that dimension.
    pub(super) place: NestValue,
    /// What a round finds, of indices of loops around and its own.
    pub(super) key: NestValue,
    pub(super) sum: FoldState,
}

/// A number that a loop carries: in `next` the cell alone stands for what the iteration before left.
#[derive(Clone, Debug)]
pub(super) struct FoldState {
    pub(super) slot: NestSlot,
    pub(super) init: NestValue,
    pub(super) next: NestValue,
}

/// A program.
pub(super) struct EquationSystem {
    pub(super) sizes: Vec<Name>,
    pub(super) parameters: Vec<NestSlot>,
    pub(super) results: Vec<NestSlot>,
    /// Each behind what it reads.
    pub(super) equations: Vec<Equation>,
    /// All indices that occur.
    pub(super) indices: FxHashMap<u32, LoopIndex>,
    /// Sizes from the outside in, as they are nested in types; the streamed one first.
    pub(super) order: Vec<Size>,
    pub(super) cells: u32,
    /// Below which size integers are that types say are indices: of parameters, of what has a name, of what loops carry.
    pub(super) ranges: FxHashMap<u32, Size>,
}

impl Equation {
    /// The numbers that others read.
    pub(super) fn slots(&self) -> impl Iterator<Item = &NestSlot> {
        let (one, states) = match &self.work {
            EquationBody::Map(slot, _) => (Some(slot), &[][..]),
            EquationBody::Out(..) => (None, &[][..]),
            EquationBody::Fold(fold) => (None, &fold.states[..]),
            EquationBody::Scatter(scatter) => (Some(&scatter.sum.slot), &[][..]),
        };
        one.into_iter().chain(states.iter().map(|state| &state.slot))
    }

    /// The cells by which others read it.
    pub(super) fn cells(&self) -> Vec<u32> {
        self.slots().map(|slot| slot.cell).collect()
    }

    /// Does something with each value in it.
    pub(super) fn each<'a>(&'a self, work: &mut impl FnMut(&'a NestValue)) {
        self.guards.iter().for_each(&mut *work);
        match &self.work {
            EquationBody::Map(_, value) => work(value),
            EquationBody::Out(place, value) => {
                place.indices.iter().for_each(&mut *work);
                work(value);
            }
            EquationBody::Fold(fold) => {
                fold.beside.iter().for_each(&mut *work);
                for state in &fold.states {
                    work(&state.init);
                    work(&state.next);
                }
            }
            EquationBody::Scatter(scatter) => {
                [&scatter.place, &scatter.key, &scatter.sum.init, &scatter.sum.next].into_iter().for_each(work);
            }
        }
    }

    /// Puts another value in the place of each.
    pub(super) fn rewrite(&mut self, work: &mut impl FnMut(&NestValue) -> NestValue) {
        self.guards.iter_mut().for_each(|value| *value = work(value));
        match &mut self.work {
            EquationBody::Map(_, value) => *value = work(value),
            EquationBody::Out(place, value) => {
                place.indices.iter_mut().for_each(|index| *index = work(index));
                *value = work(value);
            }
            EquationBody::Fold(fold) => {
                fold.beside.iter_mut().for_each(|value| *value = work(value));
                for state in &mut fold.states {
                    state.init = work(&state.init);
                    state.next = work(&state.next);
                }
            }
            EquationBody::Scatter(scatter) => {
                let sum = &mut scatter.sum;
                for value in [&mut scatter.place, &mut scatter.key, &mut sum.init, &mut sum.next] {
                    *value = work(value);
                }
            }
        }
    }

    /// The index that it is summed over.
    pub(super) fn over(&self) -> Option<&LoopIndex> {
        match &self.work {
            EquationBody::Fold(fold) => Some(&fold.over),
            EquationBody::Scatter(scatter) => Some(&scatter.over),
            EquationBody::Map(..) | EquationBody::Out(..) => None,
        }
    }

    /// Its dimensions but the one along which rounds find their places: there is no loop over that.
    pub(super) fn around(&self) -> impl Iterator<Item = &LoopIndex> {
        let place = match &self.work {
            EquationBody::Scatter(scatter) => Some(&scatter.place),
            _ => None,
        };
        self.dims.iter().filter(move |index| place.is_none_or(|place| *place != load(index.cell)))
    }
}

impl EquationSystem {
    /// An index like another one.
    pub(super) fn index_like(&mut self, like: &LoopIndex) -> LoopIndex {
        let index = LoopIndex { cell: self.cell(), ..like.clone() };
        self.indices.insert(index.cell, index.clone());
        index
    }

    /// Whether types say that a value is an index of the size that an index has.
    pub(super) fn is_below(&self, value: &NestValue, index: u32) -> bool {
        let NestValue::Load(place) = value else { return false };
        let own = self.indices.get(&place.cell).map(|index| &index.size);
        let size = self.indices.get(&index).map(|index| &index.size);
        size.is_some() && own.or(self.ranges.get(&place.cell)) == size
    }

    /// Whether it is the quotient or the rest of an index by a size: a table of these would be as long as a loop over a product
    /// of sizes, and where that is two loops they cost nothing.
    pub(super) fn is_divided_index(&self, value: &NestValue) -> bool {
        let NestValue::Prim(Prim::Quot | Prim::Rem, _, of) = value else { return false };
        let index = index_number(&of[0]);
        let is_index = matches!(index, NestValue::Load(place) if self.indices.contains_key(&place.cell));
        is_index && index.is_atom() && of[1].as_size().is_some()
    }

    /// A slot for a number.
    pub(super) fn number(&mut self, hint: &str, number: ScalarKind) -> NestSlot {
        NestSlot { cell: self.cell(), hint: hint.into(), array: DenseArray { dims: Vec::new(), number } }
    }

    pub(super) fn cell(&mut self) -> u32 {
        self.cells += 1;
        self.cells
    }

    /// The number of the equation that defines each cell.
    pub(super) fn defined(&self) -> FxHashMap<u32, usize> {
        let all = self.equations.iter().enumerate();
        all.flat_map(|(k, equation)| equation.cells().into_iter().map(move |cell| (cell, k))).collect()
    }

    /// How far inside a size is nested. Sizes that stand in no type come last, so that their loops are innermost.
    pub(super) fn rank(&self, size: &Size) -> usize {
        self.order.iter().position(|own| own == size).unwrap_or(self.order.len())
    }

    /// Indices from the outside in.
    pub(super) fn sorted(&self, mut cells: Vec<u32>) -> Vec<LoopIndex> {
        // Cells come out of hash sets: they are sorted, so that equal programs give equal nests.
        cells.sort_unstable();
        cells.dedup();
        let mut all: Vec<LoopIndex> = cells.iter().filter_map(|cell| self.indices.get(cell).cloned()).collect();
        all.order_by_key(|index| (self.rank(&index.size), index.cell));
        all
    }
}
