//! Represents what expressions stand for while equations are made: numbers by their formulas, arrays by what gives their
//! elements.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Index, Unfit};
use crate::first::Expr;
use crate::nest::ir::Value;
use crate::nest::ir::value::replace;
use redexter_language::term::Size;

#[derive(Clone)]
pub(super) enum Symbol<'a> {
    Number(Value),
    Pair(Rc<(Symbol<'a>, Symbol<'a>)>),
    Array(Rc<Array<'a>>),
}

pub(super) enum Array<'a> {
    /// What was named: its element for these indices, of which the first are known.
    Open(Rc<[Index]>, Vec<Value>, Symbol<'a>),
    /// A `build` that was not named.
    Build(Size, u32, Rc<str>, &'a Expr, Env<'a>),
    List(Vec<Symbol<'a>>),
    Choice(Value, Symbol<'a>, Symbol<'a>),
}

/// What variables stand for, the innermost first. Scopes share their tails, so that each build can keep the one in which it
/// stands.
#[derive(Clone, Default)]
pub(super) struct Env<'a>(Option<Rc<(u32, Symbol<'a>, Env<'a>)>>);

impl<'a> Env<'a> {
    pub(super) fn with(&self, var: u32, symbol: Symbol<'a>) -> Env<'a> {
        Env(Some(Rc::new((var, symbol, self.clone()))))
    }

    pub(super) fn get(&self, var: u32) -> Option<Symbol<'a>> {
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

impl<'a> Symbol<'a> {
    pub(super) fn pair(first: Symbol<'a>, second: Symbol<'a>) -> Symbol<'a> {
        Symbol::Pair(Rc::new((first, second)))
    }

    pub(super) fn array(array: Array<'a>) -> Symbol<'a> {
        Symbol::Array(Rc::new(array))
    }

    pub(super) fn number(self) -> Result<Value, Unfit> {
        match self {
            Symbol::Number(value) => Ok(value),
            Symbol::Pair(_) | Symbol::Array(_) => Err(Unfit),
        }
    }

    pub(super) fn half(&self, first: bool) -> Result<Symbol<'a>, Unfit> {
        match self {
            Symbol::Pair(p) => Ok(if first { p.0.clone() } else { p.1.clone() }),
            Symbol::Number(_) | Symbol::Array(_) => Err(Unfit),
        }
    }

    /// With other values for indices; of what was named alone.
    pub(super) fn replace(&self, by: &FxHashMap<u32, Value>) -> Result<Symbol<'a>, Unfit> {
        Ok(match self {
            Symbol::Number(value) => Symbol::Number(replace(value, by)),
            Symbol::Pair(p) => Symbol::pair(p.0.replace(by)?, p.1.replace(by)?),
            Symbol::Array(array) => match &**array {
                Array::Open(indices, known, element) => {
                    let known = known.iter().map(|value| replace(value, by)).collect();
                    Symbol::array(Array::Open(indices.clone(), known, element.replace(by)?))
                }
                Array::List(items) => {
                    Symbol::array(Array::List(items.iter().map(|item| item.replace(by)).collect::<Result<_, _>>()?))
                }
                // The elements of a build are still to be read in its own scope, where nothing is replaced: it needs a name
                // first.
                Array::Build(..) | Array::Choice(..) => return Err(Unfit),
            },
        })
    }
}
