//! Reads first-order programs as equations: each fold and each name is one, builds are evaluated at the indices that ask for
//! them.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::key::key;
use super::symbol::{SymbolEnv, SymbolicArray, SymbolicValue};
use super::{Equation, EquationBody, EquationResult, EquationSystem, Freedom, Inexpressible, LoopIndex, StripLayout};
use crate::first::{Expr, FirstOrder, Guard};
use crate::nest::ir::types::{PairTree, index_ranges, leaves};
use crate::nest::ir::value::{applied, is_condition, is_index, load, replace, walk};
use crate::nest::ir::{DenseArray as Dense, NestPlace, NestSlot, NestValue, ScalarKind};
use crate::nest::lower::shape::number_of;
use crate::nest::lower::{SlotView, SlotViews};
use redexter_language::ground::Name;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, Size, SizeAtom, SizeBounds, Type, TypeView};

/// The most expressions that are gone through, equations that are made, parts of a value that has no name. A build without a
/// name is read again wherever it is indexed, which may double with each level: hence the limits.
const MOST_STEPS: usize = 200_000;
const MOST_EQUATIONS: usize = 4_000;
const MOST_PARTS: usize = 2_000;

/// The longest array of written elements that is read at an index which isn't known.
const MOST_CHOICES: usize = 16;

pub(in crate::nest) struct EquationReader {
    pub(super) freedom: Freedom,
    pub(super) system: EquationSystem,
    /// Equations by what they compute.
    known: FxHashMap<String, usize>,
    /// What loops carry that are being read.
    pub(super) live: Vec<u32>,
    /// What holds where the reader is.
    guards: Vec<NestValue>,
    pub(super) numbers: FxHashMap<u32, ScalarKind>,
    steps: usize,
}

/// The equations of a program, for the sizes from the outside in.
pub(in crate::nest) fn read(
    program: &FirstOrder,
    sizes: Vec<Name>,
    order: Vec<Size>,
    freedom: Freedom,
) -> EquationResult<EquationSystem> {
    let system = EquationSystem {
        sizes,
        parameters: Vec::new(),
        results: Vec::new(),
        equations: Vec::new(),
        indices: FxHashMap::default(),
        order,
        cells: 0,
        ranges: FxHashMap::default(),
    };
    let mut reader = EquationReader {
        system,
        freedom,
        known: FxHashMap::default(),
        live: Vec::new(),
        guards: Vec::new(),
        numbers: FxHashMap::default(),
        steps: 0,
    };
    let mut env = SymbolEnv::default();
    for var in &program.parameters {
        let shape = leaves(&var.ty).map_err(|_| Inexpressible)?;
        let mut slots = Vec::new();
        let data = reader.slots(&shape, &var.hint, &mut slots);
        let ranges = slots.iter().zip(index_ranges(&var.ty)).filter_map(|(slot, range)| Some((slot.cell, range?)));
        reader.system.ranges.extend(ranges);
        reader.system.parameters.extend(slots);
        env = env.with(var.number, reader.given(&var.ty, &data)?);
    }
    let mut results = Vec::new();
    let to = reader.slots(&leaves(&program.result).map_err(|_| Inexpressible)?, "out", &mut results);
    reader.system.results = results;
    let result = reader.symbol(&program.body, &env)?;
    reader.out(&result, &to)?;
    Ok(reader.system)
}

impl<'a> EquationReader {
    fn slots(&mut self, shape: &PairTree<Dense>, hint: &str, all: &mut Vec<NestSlot>) -> SlotViews {
        shape.map(&mut |array| {
            let slot = NestSlot { cell: self.system.cell(), hint: hint.into(), array: array.clone() };
            self.numbers.insert(slot.cell, array.number);
            all.push(slot.clone());
            SlotView::of(&slot)
        })
    }

    /// What a parameter of this type stands for.
    fn given(&mut self, ty: &Type, data: &SlotViews) -> EquationResult<SymbolicValue<'a>> {
        Ok(match (ty.view(), data) {
            (TypeView::Array(..), _) => {
                let (mut indices, mut inner, mut data) = (Vec::new(), ty, data.clone());
                while let TypeView::Array(n, element) = inner.view() {
                    let index = self.index("i", n);
                    data = data.map(&mut |view| view.at(load(index.cell)));
                    indices.push(index);
                    inner = element;
                }
                SymbolicValue::array(SymbolicArray::Open(indices.into(), Vec::new(), self.given(inner, &data)?))
            }
            (TypeView::Pair(a, b), PairTree::Pair(p)) => {
                SymbolicValue::pair(self.given(a, &p.0)?, self.given(b, &p.1)?)
            }
            (_, PairTree::Leaf(view)) => SymbolicValue::Number(NestValue::Load(view.place.clone())),
            _ => return Err(Inexpressible),
        })
    }

    pub(super) fn index(&mut self, hint: &str, size: &Size) -> LoopIndex {
        let index = LoopIndex { cell: self.system.cell(), hint: hint.into(), size: size.clone() };
        self.numbers.insert(index.cell, ScalarKind::Int);
        self.system.indices.insert(index.cell, index.clone());
        index
    }

    pub(super) fn slot(&mut self, hint: &str, number: ScalarKind) -> NestSlot {
        let slot = NestSlot { cell: self.system.cell(), hint: hint.into(), array: Dense { dims: Vec::new(), number } };
        self.numbers.insert(slot.cell, number);
        slot
    }

    pub(super) fn symbol(&mut self, code: &'a Expr, env: &SymbolEnv<'a>) -> EquationResult<SymbolicValue<'a>> {
        self.steps += 1;
        // Where it was ended it is unfit, too: the caller falls back to lowering, which asks first and ends.
        if self.steps > MOST_STEPS || !goes_on() {
            return Err(Inexpressible);
        }
        Ok(match code {
            Expr::Var(var) => env.get(var.number).ok_or(Inexpressible)?,
            Expr::Real(x) => SymbolicValue::Number(NestValue::Real(*x)),
            Expr::Int(k) => SymbolicValue::Number(NestValue::Int(*k)),
            Expr::Size(name) => SymbolicValue::Number(NestValue::Size(name.clone())),
            Expr::Truth(a) => SymbolicValue::Number(truth(self.value(a, env)?)),
            Expr::Prim(prim, operands) => {
                let first = operands.first().map_or(Ok(ScalarKind::Int), number_of).map_err(|_| Inexpressible)?;
                let operands =
                    operands.iter().map(|operand| self.value(operand, env)).collect::<EquationResult<_>>()?;
                SymbolicValue::Number(applied(*prim, first, operands, self.freedom.reorders()))
            }
            Expr::Pair(p) => SymbolicValue::pair(self.symbol(&p.0, env)?, self.symbol(&p.1, env)?),
            Expr::Half(p, first) => self.symbol(p, env)?.half(*first)?,
            Expr::Index(p) => {
                let array = self.symbol(&p.0, env)?;
                let index = self.value(&p.1, env)?;
                self.get(&array, index)?
            }
            Expr::Array(_, items) => {
                let items = items.iter().map(|item| self.symbol(item, env)).collect::<EquationResult<_>>()?;
                SymbolicValue::array(SymbolicArray::List(items))
            }
            Expr::If(p) => {
                let condition = self.value(&p.0, env)?;
                let (a, b) = (self.under(condition.clone(), &p.1, env)?, self.under(negated(&condition), &p.2, env)?);
                self.choose(&condition, a, b)?
            }
            Expr::Guard(guard) => self.guard(guard, env)?,
            Expr::Lets(lets, body) => {
                let mut env = env.clone();
                for (var, value) in lets {
                    let symbol = self.symbol(value, &env)?;
                    let named = self.named(&var.hint, symbol)?;
                    self.ranged(&named, &var.ty);
                    env = env.with(var.number, named);
                }
                self.symbol(body, &env)?
            }
            Expr::Fold(fold) => self.fold(fold, env)?,
            Expr::Scatter(scatter) => self.scatter(scatter, env)?,
            // Equations have no loop that keeps what it carries: it is lowered as it stands.
            Expr::Scan(_) => return Err(Inexpressible),
            Expr::Build(n, index, body) => SymbolicValue::array(SymbolicArray::Build(
                n.clone(),
                index.number,
                index.hint.clone(),
                body,
                env.clone(),
            )),
        })
    }

    /// Both branches may be computed and one of them dropped: so what is read where the number is no index is the first element,
    /// and where that may not exist nothing is asked for at all.
    fn guard(&mut self, guard: &'a Guard, env: &SymbolEnv<'a>) -> EquationResult<SymbolicValue<'a>> {
        let mut number = self.value(&guard.number, env)?;
        // Proofs of ranges take what may wrap for a new number wherever it stands, so that it has a name.
        if !number.is_atom() && !self.is_linear(&number) {
            number = self.named_number(&guard.index.hint, number)?;
        }
        let condition = is_index(&number, &guard.size);
        let index = NestValue::Select(Box::new((condition.clone(), number.clone(), NestValue::Int(0))));
        let inner = env.with(guard.index.number, SymbolicValue::Number(index));
        let exists = self.exists_with(&number, &guard.size);
        let not_empty = NestValue::Prim(Prim::Lt, ScalarKind::Int, vec![NestValue::Int(0), NestValue::of(&guard.size)]);
        self.guards.extend((!exists).then(|| not_empty.clone()));
        let inside = self.under(condition.clone(), &guard.inside, &inner);
        if !exists {
            self.guards.pop();
        }
        let (inside, other) = (inside?, self.under(negated(&condition), &guard.other, env)?);
        let chosen = self.choose(&condition, inside, other.clone())?;
        if exists { Ok(chosen) } else { self.choose(&not_empty, chosen, other) }
    }

    /// Whether a number is a sum of indices of loops, sizes and constants, or these times constants.
    fn is_linear(&self, value: &NestValue) -> bool {
        match value {
            NestValue::Int(_) | NestValue::Size(_) => true,
            NestValue::Load(place) => place.indices.is_empty() && self.system.indices.contains_key(&place.cell),
            NestValue::Prim(Prim::Mul, ScalarKind::Int, operands) => {
                operands.iter().any(|operand| matches!(operand, NestValue::Int(_)))
                    && operands.iter().all(|operand| self.is_linear(operand))
            }
            NestValue::Prim(prim, ScalarKind::Int, operands) => {
                let is_sum = matches!(prim, Prim::Add | Prim::Sub | Prim::Neg | Prim::Offset(_) | Prim::ToInt);
                is_sum && operands.iter().all(|operand| self.is_linear(operand))
            }
            _ => false,
        }
    }

    /// Whether a size isn't 0 wherever a number exists, since that is made of indices.
    fn exists_with(&self, number: &NestValue, size: &Size) -> bool {
        let mut least = SizeBounds::default();
        walk(number, &mut |part| {
            let NestValue::Load(place) = part else { return };
            let Some(index) = self.system.indices.get(&place.cell) else { return };
            // A product is at least 1 where each factor is; of a sum nothing is known.
            if index.size.terms().count() == 1 {
                index.size.atoms().for_each(|atom| {
                    if let SizeAtom::Var(name) = atom {
                        least.require(name, 1);
                    }
                });
            }
        });
        size.least(&least) > 0
    }

    fn value(&mut self, code: &'a Expr, env: &SymbolEnv<'a>) -> EquationResult<NestValue> {
        self.symbol(code, env)?.number()
    }

    fn under(
        &mut self,
        condition: NestValue,
        code: &'a Expr,
        env: &SymbolEnv<'a>,
    ) -> EquationResult<SymbolicValue<'a>> {
        self.behind(condition, |reader| reader.symbol(code, env))
    }

    /// What is read where a condition holds.
    fn behind<T>(&mut self, condition: NestValue, read: impl FnOnce(&mut Self) -> T) -> T {
        self.guards.push(condition);
        let found = read(self);
        self.guards.pop();
        found
    }

    pub(super) fn get(&mut self, array: &SymbolicValue<'a>, index: NestValue) -> EquationResult<SymbolicValue<'a>> {
        let SymbolicValue::Array(array) = array else { return Err(Inexpressible) };
        match &**array {
            SymbolicArray::Open(indices, known, element) => {
                let known: Vec<NestValue> = known.iter().cloned().chain([index]).collect();
                if known.len() < indices.len() {
                    return Ok(SymbolicValue::array(SymbolicArray::Open(indices.clone(), known, element.clone())));
                }
                element.replace(&indices.iter().map(|index| index.cell).zip(known).collect())
            }
            SymbolicArray::Build(_, var, _, body, env) => {
                self.symbol(body, &env.with(*var, SymbolicValue::Number(index)))
            }
            SymbolicArray::List(items) => match index {
                NestValue::Int(k) => {
                    items.get(usize::try_from(k).map_err(|_| Inexpressible)?).cloned().ok_or(Inexpressible)
                }
                index => self.one_of(items, &index),
            },
            SymbolicArray::Choice(condition, a, b) => {
                // What either side has to be computed for is asked for under the condition, as if the choice stood here.
                let a = self.behind(condition.clone(), |reader| reader.get(a, index.clone()))?;
                let b = self.behind(negated(condition), |reader| reader.get(b, index))?;
                self.choose(condition, a, b)
            }
        }
    }

    fn one_of(&mut self, items: &[SymbolicValue<'a>], index: &NestValue) -> EquationResult<SymbolicValue<'a>> {
        // The last element needs no comparison: by its type the index is one of the array's.
        let [rest @ .., last] = items else { return Err(Inexpressible) };
        if items.len() > MOST_CHOICES {
            return Err(Inexpressible);
        }
        rest.iter().enumerate().rev().try_fold(last.clone(), |other, (k, item)| {
            let here = NestValue::Prim(Prim::Eq, ScalarKind::Int, vec![index.clone(), NestValue::Int(k as i64)]);
            self.choose(&here, item.clone(), other)
        })
    }

    fn choose(
        &mut self,
        condition: &NestValue,
        a: SymbolicValue<'a>,
        b: SymbolicValue<'a>,
    ) -> EquationResult<SymbolicValue<'a>> {
        Ok(match (a, b) {
            (SymbolicValue::Number(a), SymbolicValue::Number(b)) if a == b => SymbolicValue::Number(a),
            (SymbolicValue::Number(a), SymbolicValue::Number(b)) => {
                SymbolicValue::Number(NestValue::Select(Box::new((condition.clone(), a, b))))
            }
            (SymbolicValue::Pair(a), SymbolicValue::Pair(b)) => {
                let first = self.choose(condition, a.0.clone(), b.0.clone())?;
                SymbolicValue::pair(first, self.choose(condition, a.1.clone(), b.1.clone())?)
            }
            (a, b) => SymbolicValue::array(SymbolicArray::Choice(condition.clone(), a, b)),
        })
    }

    /// How long an array is.
    pub(super) fn length(array: &SymbolicArray<'a>) -> Size {
        match array {
            SymbolicArray::Open(indices, known, _) => indices[known.len()].size.clone(),
            SymbolicArray::Build(n, ..) => n.clone(),
            SymbolicArray::List(items) => Size::literal(items.len() as u64),
            SymbolicArray::Choice(_, SymbolicValue::Array(a), _) => Self::length(a),
            SymbolicArray::Choice(..) => Size::literal(0),
        }
    }

    /// What is named is computed once: a number by an equation, an array by one for each of its numbers.
    fn named(&mut self, hint: &str, symbol: SymbolicValue<'a>) -> EquationResult<SymbolicValue<'a>> {
        Ok(match symbol {
            SymbolicValue::Number(value) => SymbolicValue::Number(self.named_number(hint, value)?),
            SymbolicValue::Pair(p) => {
                let first = self.named(hint, p.0.clone())?;
                SymbolicValue::pair(first, self.named(hint, p.1.clone())?)
            }
            SymbolicValue::Array(array) => match &*array {
                // It has a name already, so that nothing is computed for it again.
                SymbolicArray::Open(..) => SymbolicValue::Array(array),
                SymbolicArray::List(items) => {
                    let items =
                        items.iter().map(|item| self.named(hint, item.clone())).collect::<EquationResult<_>>()?;
                    SymbolicValue::array(SymbolicArray::List(items))
                }
                SymbolicArray::Build(..) | SymbolicArray::Choice(..) => {
                    self.table(hint, SymbolicValue::Array(array))?
                }
            },
        })
    }

    /// What has a name has the ranges of its type.
    fn ranged(&mut self, symbol: &SymbolicValue<'a>, ty: &Type) {
        match (symbol, ty.view()) {
            (SymbolicValue::Number(NestValue::Load(place)), TypeView::Fin(n))
                if !self.system.indices.contains_key(&place.cell) =>
            {
                self.system.ranges.insert(place.cell, n.clone());
            }
            (SymbolicValue::Pair(p), TypeView::Pair(a, b)) => {
                self.ranged(&p.0, a);
                self.ranged(&p.1, b);
            }
            (SymbolicValue::Array(array), TypeView::Array(..)) => {
                let SymbolicArray::Open(indices, _, element) = &**array else { return };
                let mut inner = ty;
                for _ in indices.iter() {
                    let TypeView::Array(_, element) = inner.view() else { return };
                    inner = element;
                }
                self.ranged(element, inner);
            }
            _ => {}
        }
    }

    fn table(&mut self, hint: &str, mut symbol: SymbolicValue<'a>) -> EquationResult<SymbolicValue<'a>> {
        let mut indices: Vec<LoopIndex> = Vec::new();
        while let SymbolicValue::Array(array) = &symbol {
            // No index runs through written elements: each is named by itself, over the indices so far.
            if matches!(&**array, SymbolicArray::List(_)) {
                break;
            }
            let own = match &**array {
                SymbolicArray::Build(_, _, hint, ..) => hint.clone(),
                _ => Rc::from("i"),
            };
            let index = self.index(&own, &Self::length(array));
            symbol = self.get(&symbol, load(index.cell))?;
            indices.push(index);
        }
        let element = self.named(hint, symbol)?;
        Ok(SymbolicValue::array(SymbolicArray::Open(indices.into(), Vec::new(), element)))
    }

    pub(super) fn named_number(&mut self, hint: &str, value: NestValue) -> EquationResult<NestValue> {
        let atoms = |place: &NestPlace| place.indices.iter().all(NestValue::is_atom);
        let read = matches!(&value, NestValue::Load(place) if atoms(place));
        let cheap = value.is_atom() || read || self.system.is_divided_index(&value) || is_condition(&value);
        let live = self.is_live(&value);
        // What costs nothing to repeat needs no equation, and what reads a running loop's state can't have one. The latter is
        // copied wherever its name stands, which may double with each name: so it may not be large.
        if cheap || live {
            return if live && value.size() > MOST_PARTS { Err(Inexpressible) } else { Ok(value) };
        }
        let number = value.number(&|cell| self.numbers.get(&cell).copied().unwrap_or(ScalarKind::Int));
        let slot = self.slot(hint, number);
        Ok(self.add(EquationBody::Map(slot, value))?.remove(0))
    }

    fn is_live(&self, value: &NestValue) -> bool {
        self.live.iter().any(|cell| value.mentions(*cell))
    }

    /// Another equation, or an equal one that there is; what reads its numbers.
    pub(super) fn add(&mut self, work: EquationBody) -> EquationResult<Vec<NestValue>> {
        let mut equation = Equation { dims: Vec::new(), work, guards: Vec::new(), layout: StripLayout::Lanes };
        let (mut free, mut live) = (FxHashSet::default(), false);
        equation.each(&mut |value| {
            live |= self.is_live(value);
            walk(value, &mut |part| match part {
                NestValue::Load(place) if self.system.indices.contains_key(&place.cell) => {
                    free.insert(place.cell);
                }
                _ => {}
            });
        });
        // It would have to be computed in each iteration of a loop that is being read, which equations can't say.
        if live || self.system.equations.len() > MOST_EQUATIONS {
            return Err(Inexpressible);
        }
        if let Some(over) = equation.over() {
            free.remove(&over.cell);
        }
        equation.dims = match &equation.work {
            EquationBody::Out(place, _) => self.sorted_as(place, free),
            _ => self.system.sorted(free.into_iter().collect()),
        };
        // Other guards read elements, or what a running loop carries, and couldn't be asked where the equation is computed.
        // Without one more is computed than is asked for, never less.
        let guards = self.guards.iter().filter(|guard| is_condition(guard) && !self.is_live(guard));
        equation.guards = guards.cloned().collect();
        let at = |dims: &[LoopIndex]| dims.iter().map(|index| load(index.cell)).collect::<Vec<NestValue>>();
        let (found, indices) = (key(&equation), at(&equation.dims));
        let position = found.as_ref().and_then(|key| self.known.get(key)).copied();
        let own = match position {
            Some(k) => {
                let other = &mut self.system.equations[k];
                let names =
                    equation.dims.iter().map(|index| index.cell).zip(at(&other.dims)).collect::<FxHashMap<_, _>>();
                let guards: Vec<NestValue> = equation.guards.iter().map(|guard| replace(guard, &names)).collect();
                // It is needed wherever either asks for it, so that only guards on which both agree stay.
                other.guards.retain(|guard| guards.contains(guard));
                k
            }
            None => {
                found.map(|key| self.known.insert(key, self.system.equations.len()));
                self.system.equations.push(equation);
                self.system.equations.len() - 1
            }
        };
        let cells = self.system.equations[own].cells();
        Ok(cells.into_iter().map(|cell| NestValue::Load(NestPlace { cell, indices: indices.clone() })).collect())
    }

    /// Indices in the order in which a result has them, so that it is written along its rows; others behind.
    fn sorted_as(&self, place: &NestPlace, free: FxHashSet<u32>) -> Vec<LoopIndex> {
        let mut dims = self.system.sorted(free.into_iter().collect());
        let own = |index: &LoopIndex| place.indices.iter().position(|at| *at == load(index.cell)).unwrap_or(usize::MAX);
        dims.order_by_key(own);
        dims
    }

    /// Equations for the parts of a result.
    fn out(&mut self, symbol: &SymbolicValue<'a>, to: &SlotViews) -> EquationResult<()> {
        match (symbol, to) {
            (SymbolicValue::Pair(p), PairTree::Pair(both)) => {
                self.out(&p.0, &both.0)?;
                self.out(&p.1, &both.1)
            }
            (SymbolicValue::Number(value), PairTree::Leaf(view)) => {
                self.add(EquationBody::Out(view.place.clone(), value.clone())).map(drop)
            }
            (SymbolicValue::Array(array), to) => {
                if let SymbolicArray::List(items) = &**array {
                    return (0..).zip(items).try_for_each(|(k, item)| {
                        let part = to.map(&mut |view| view.at(NestValue::Int(k)));
                        self.out(item, &part)
                    });
                }
                let index = self.index("o", &Self::length(array));
                let element = self.get(symbol, load(index.cell))?;
                self.out(&element, &to.map(&mut |view| view.at(load(index.cell))))
            }
            _ => Err(Inexpressible),
        }
    }
}

/// What holds where a condition doesn't.
pub(super) fn negated(condition: &NestValue) -> NestValue {
    NestValue::Prim(Prim::Not, ScalarKind::Int, vec![condition.clone()])
}

/// Whether a number isn't 0; of what is 0 or 1 itself.
pub(super) fn truth(value: NestValue) -> NestValue {
    match &value {
        NestValue::Prim(prim, ..) if prim.class().is_truth() => value,
        NestValue::Truth(_) => value,
        _ => NestValue::Truth(Box::new(value)),
    }
}
