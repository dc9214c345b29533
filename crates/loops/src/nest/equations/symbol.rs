//! Represents what expressions stand for while equations are made: numbers by their formulas, arrays by what gives their
//! elements.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Inexpressible, LoopIndex};
use crate::first::Expr;
use crate::nest::ir::NestValue;
use crate::nest::ir::value::replace;
use redexter_language::term::Size;

#[derive(Clone)]
pub(super) enum SymbolicValue<'a> {
    Number(NestValue),
    Pair(Rc<(SymbolicValue<'a>, SymbolicValue<'a>)>),
    Array(Rc<SymbolicArray<'a>>),
}

pub(super) enum SymbolicArray<'a> {
    /// What was named: its element for these indices, of which the first are known.
    Open(Rc<[LoopIndex]>, Vec<NestValue>, SymbolicValue<'a>),
    /// A `build` that was not named.
    Build(Size, u32, Rc<str>, &'a Expr, SymbolEnv<'a>),
    List(Vec<SymbolicValue<'a>>),
    Choice(NestValue, SymbolicValue<'a>, SymbolicValue<'a>),
}

/// What variables stand for, the innermost first. Scopes share their tails, so that each build can keep the one in which it
/// stands.
#[derive(Clone, Default)]
pub(super) struct SymbolEnv<'a>(Option<Rc<(u32, SymbolicValue<'a>, SymbolEnv<'a>)>>);

impl<'a> SymbolEnv<'a> {
    pub(super) fn with(&self, var: u32, symbol: SymbolicValue<'a>) -> SymbolEnv<'a> {
        SymbolEnv(Some(Rc::new((var, symbol, self.clone()))))
    }

    pub(super) fn get(&self, var: u32) -> Option<SymbolicValue<'a>> {
        let mut here = self;
        while let Some(cell) = &here.0 {
            if cell.0 == var {
                return Some(cell.1.clone());
            }
            here = &cell.2;
        }
        None
    }
}

impl<'a> SymbolicValue<'a> {
    pub(super) fn pair(first: SymbolicValue<'a>, second: SymbolicValue<'a>) -> SymbolicValue<'a> {
        SymbolicValue::Pair(Rc::new((first, second)))
    }

    pub(super) fn array(array: SymbolicArray<'a>) -> SymbolicValue<'a> {
        SymbolicValue::Array(Rc::new(array))
    }

    pub(super) fn number(self) -> Result<NestValue, Inexpressible> {
        match self {
            SymbolicValue::Number(value) => Ok(value),
            SymbolicValue::Pair(_) | SymbolicValue::Array(_) => Err(Inexpressible),
        }
    }

    pub(super) fn half(&self, first: bool) -> Result<SymbolicValue<'a>, Inexpressible> {
        match self {
            SymbolicValue::Pair(p) => Ok(if first { p.0.clone() } else { p.1.clone() }),
            SymbolicValue::Number(_) | SymbolicValue::Array(_) => Err(Inexpressible),
        }
    }

    /// With other values for indices; of what was named alone.
    pub(super) fn replace(&self, by: &FxHashMap<u32, NestValue>) -> Result<SymbolicValue<'a>, Inexpressible> {
        Ok(match self {
            SymbolicValue::Number(value) => SymbolicValue::Number(replace(value, by)),
            SymbolicValue::Pair(p) => SymbolicValue::pair(p.0.replace(by)?, p.1.replace(by)?),
            SymbolicValue::Array(array) => match &**array {
                SymbolicArray::Open(indices, known, element) => {
                    let known = known.iter().map(|value| replace(value, by)).collect();
                    SymbolicValue::array(SymbolicArray::Open(indices.clone(), known, element.replace(by)?))
                }
                SymbolicArray::List(items) => SymbolicValue::array(SymbolicArray::List(
                    items.iter().map(|item| item.replace(by)).collect::<Result<_, _>>()?,
                )),
                // The elements of a build are still to be read in its own scope, where nothing is replaced: it needs a name
                // first.
                SymbolicArray::Build(..) | SymbolicArray::Choice(..) => return Err(Inexpressible),
            },
        })
    }
}
