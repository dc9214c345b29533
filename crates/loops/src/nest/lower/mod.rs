//! Lowers first-order programs to loop nests as they stand.

mod common_prefix;
mod fold;
mod in_place;
mod interchange;
pub(super) mod shape;
mod write;

use rustc_hash::FxHashMap;

use crate::first::{Expr, FirstOrder, Lowered, Refusal, Var};
use crate::nest::ir::types::{PairTree, leaves};
use crate::nest::ir::{DenseArray, Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt};
pub(super) use interchange::interchange;
use redexter_language::ground::Name;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::SizeBounds;
use shape::shape;

/// A part of a slot, and what it is.
#[derive(Clone, Debug)]
pub(super) struct SlotView {
    pub(super) place: NestPlace,
    pub(super) array: DenseArray,
}

pub(super) type SlotViews = PairTree<SlotView>;

#[derive(Default)]
pub(super) struct NestLowering {
    /// Whether operations that aren't kept may be reordered later.
    reorders: bool,
    cells: u32,
    temporaries: Vec<NestSlot>,
    /// What the variables in scope stand for. None is ever taken out, since no two have the same number.
    scope: FxHashMap<u32, SlotViews>,
}

pub(super) fn lower(parts: &FirstOrder, sizes: Vec<Name>, reorders: bool) -> Lowered<Nest> {
    let mut lower = NestLowering { reorders, ..NestLowering::default() };
    let (mut parameters, mut results) = (Vec::new(), Vec::new());
    for var in &parts.parameters {
        let data = lower.slots(&leaves(&var.ty)?, &var.hint, &mut parameters);
        lower.scope.insert(var.number, data);
    }
    let result = lower.slots(&leaves(&parts.result)?, "out", &mut results);
    let mut body = Vec::new();
    lower.write(&parts.body, &result, &mut body)?;
    let (bounds, computed, below) = (SizeBounds::default(), Vec::new(), Vec::new());
    Ok(Nest { sizes, bounds, computed, parameters, below, results, temporaries: lower.temporaries, body })
}

impl NestLowering {
    pub(super) fn cell(&mut self) -> u32 {
        self.cells += 1;
        self.cells
    }

    pub(super) fn slot(&mut self, hint: &str, array: &DenseArray) -> NestSlot {
        NestSlot { cell: self.cell(), hint: hint.into(), array: array.clone() }
    }

    /// A new slot for each leaf.
    fn slots(&mut self, shape: &PairTree<DenseArray>, hint: &str, all: &mut Vec<NestSlot>) -> SlotViews {
        shape.map(&mut |array| {
            let slot = self.slot(hint, array);
            all.push(slot.clone());
            SlotView::of(&slot)
        })
    }

    /// A temporary for each array, a variable for each number.
    pub(super) fn fresh(&mut self, shape: &PairTree<DenseArray>, hint: &str, out: &mut Vec<Stmt>) -> SlotViews {
        let mut all = Vec::new();
        let data = self.slots(shape, hint, &mut all);
        for slot in all {
            match slot.array.dims.is_empty() {
                true => out.push(Stmt::Var(slot)),
                false => self.temporaries.push(slot),
            }
        }
        data
    }

    pub(super) fn bind(&mut self, var: &Var, data: SlotViews) {
        self.scope.insert(var.number, data);
    }

    /// A variable for a number that is computed once.
    pub(super) fn bind_number(&mut self, var: &Var, value: NestValue, number: ScalarKind, out: &mut Vec<Stmt>) {
        let slot = self.slot(&var.hint, &DenseArray { dims: Vec::new(), number });
        self.bind(var, PairTree::Leaf(SlotView::of(&slot)));
        out.push(Stmt::Let(slot, value));
    }

    pub(super) fn lets(&mut self, lets: &[(Var, Expr)], out: &mut Vec<Stmt>) -> Lowered<()> {
        for (var, value) in lets {
            match leaves(&var.ty)? {
                PairTree::Leaf(array) if array.dims.is_empty() => {
                    let value = self.number(value, out)?;
                    self.bind_number(var, value, array.number, out);
                }
                _ => {
                    let data = self.data(value, &var.hint, out)?;
                    self.bind(var, data);
                }
            }
        }
        Ok(())
    }

    /// An index as something that costs nothing to repeat, since it is put into each of the arrays that an array of pairs is.
    pub(super) fn atom(&mut self, index: &Expr, out: &mut Vec<Stmt>) -> Lowered<NestValue> {
        let value = self.number(index, out)?;
        if value.is_atom() {
            return Ok(value);
        }
        let slot = self.slot("i", &DenseArray { dims: Vec::new(), number: ScalarKind::Int });
        let place = SlotView::of(&slot).place;
        out.push(Stmt::Let(slot, value));
        Ok(NestValue::Load(place))
    }

    /// Where the data of an expression stands: where it does already, or in a temporary.
    pub(super) fn data(&mut self, code: &Expr, hint: &str, out: &mut Vec<Stmt>) -> Lowered<SlotViews> {
        Ok(match code {
            _ if !goes_on() => return Err(ended()),
            Expr::Var(var) => self.var(var)?,
            Expr::Lets(lets, body) => {
                self.lets(lets, out)?;
                self.data(body, hint, out)?
            }
            Expr::Half(p, first) => match &**p {
                // Only the half that is asked for is computed.
                Expr::Pair(both) => self.data(if *first { &both.0 } else { &both.1 }, hint, out)?,
                p => self.data(p, hint, out)?.half(*first).clone(),
            },
            Expr::Index(p) => {
                let index = self.atom(&p.1, out)?;
                match &p.0 {
                    // Only the element that is asked for is computed: the table isn't made.
                    Expr::Build(_, i, body) => {
                        self.bind_number(i, index, ScalarKind::Int, out);
                        self.data(body, hint, out)?
                    }
                    array => self.data(array, hint, out)?.map(&mut |view| view.at(index.clone())),
                }
            }
            code => {
                let data = self.fresh(&shape(code)?, hint, out);
                self.write(code, &data, out)?;
                data
            }
        })
    }

    fn var(&self, var: &Var) -> Lowered<SlotViews> {
        self.scope.get(&var.number).cloned().ok_or_else(|| Refusal {
            reason: format!("its variable `{}` is bound nowhere", var.hint),
            help: "report this as a bug",
        })
    }
}

impl SlotView {
    pub(super) fn of(slot: &NestSlot) -> SlotView {
        SlotView { place: NestPlace { cell: slot.cell, indices: Vec::new() }, array: slot.array.clone() }
    }

    pub(super) fn at(&self, index: NestValue) -> SlotView {
        let mut view = self.clone();
        view.place.indices.push(index);
        view.array.dims = view.array.dims.into_iter().skip(1).collect();
        view
    }
}

pub(super) fn ended() -> Refusal {
    Refusal { reason: "writing it was ended".to_owned(), help: "allow it more time" }
}
