//! Interns abstract values, which say what functions a value may hold: each is stored once, so that equal ones have equal
//! numbers.

use rustc_hash::FxHashMap;

use crate::term::Term;

/// The number of an abstract value.
pub(super) type ValueId = u32;

/// Data.
pub(super) const DATA: ValueId = 0;

/// What comes from outside and holds functions.
pub(super) const GIVEN: ValueId = 1;

/// What holds functions that couldn't be followed.
pub(super) const LOST: ValueId = 2;

/// An abstract value. Pairs and arrays of data are data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum CostValue {
    Data,
    Given,
    Lost,
    /// A λ and the values of its free variables, in their order; the λ is found by its fingerprint.
    Function(u128, Vec<ValueId>),
    Pair(ValueId, ValueId),
    /// An array of such elements.
    Array(ValueId),
    /// One of several functions, sorted.
    Any(Vec<ValueId>),
}

/// Every abstract value that was made.
pub(super) struct CostValues {
    all: Vec<CostValue>,
    numbers: FxHashMap<CostValue, ValueId>,
    lambdas: FxHashMap<u128, Term>,
}

impl CostValues {
    pub(super) fn new() -> CostValues {
        let all = vec![CostValue::Data, CostValue::Given, CostValue::Lost];
        let numbers = all.iter().cloned().zip(0..).collect();
        CostValues { all, numbers, lambdas: FxHashMap::default() }
    }

    fn intern(&mut self, value: CostValue) -> ValueId {
        if let Some(id) = self.numbers.get(&value) {
            return *id;
        }
        let id = self.all.len() as ValueId;
        self.all.push(value.clone());
        self.numbers.insert(value, id);
        id
    }

    pub(super) fn get(&self, id: ValueId) -> &CostValue {
        &self.all[id as usize]
    }

    /// The λ with this fingerprint. Its free variables are the closure's; their indices mean nothing.
    pub(super) fn lambda(&self, print: u128) -> &Term {
        &self.lambdas[&print]
    }

    pub(super) fn function(&mut self, lambda: &Term, captured: Vec<ValueId>) -> ValueId {
        self.lambdas.entry(lambda.fingerprint()).or_insert_with(|| lambda.clone());
        self.intern(CostValue::Function(lambda.fingerprint(), captured))
    }

    pub(super) fn pair(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if (a, b) == (DATA, DATA) { DATA } else { self.intern(CostValue::Pair(a, b)) }
    }

    pub(super) fn array(&mut self, element: ValueId) -> ValueId {
        if element == DATA { DATA } else { self.intern(CostValue::Array(element)) }
    }

    pub(super) fn half(&self, pair: ValueId, second: bool) -> ValueId {
        match self.get(pair) {
            CostValue::Pair(a, b) => {
                if second {
                    *b
                } else {
                    *a
                }
            }
            CostValue::Given | CostValue::Lost => pair,
            _ => DATA,
        }
    }

    pub(super) fn element(&self, array: ValueId) -> ValueId {
        match self.get(array) {
            CostValue::Array(element) => *element,
            CostValue::Given | CostValue::Lost => array,
            _ => DATA,
        }
    }

    /// A value that may be either.
    pub(super) fn join(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if a == b || b == DATA {
            return a;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (CostValue::Data, _) => b,
            (CostValue::Lost, _) | (_, CostValue::Lost) => LOST,
            (CostValue::Pair(..), _) | (_, CostValue::Pair(..)) => {
                let [first, second] = [false, true].map(|k| self.join(self.half(a, k), self.half(b, k)));
                self.pair(first, second)
            }
            (CostValue::Array(..), _) | (_, CostValue::Array(..)) => {
                let element = self.join(self.element(a), self.element(b));
                self.array(element)
            }
            _ => {
                let mut each = self.choices(a);
                each.extend(self.choices(b));
                each.sort_unstable();
                each.dedup();
                self.intern(CostValue::Any(each))
            }
        }
    }

    /// A value that may be either, where what differs isn't followed.
    pub(super) fn widen(&mut self, a: ValueId, b: ValueId) -> ValueId {
        match (self.get(a).clone(), self.get(b).clone()) {
            _ if a == b => a,
            (CostValue::Pair(..), CostValue::Pair(..)) => {
                let [first, second] = [false, true].map(|k| self.widen(self.half(a, k), self.half(b, k)));
                self.pair(first, second)
            }
            (CostValue::Array(a), CostValue::Array(b)) => {
                let element = self.widen(a, b);
                self.array(element)
            }
            _ => LOST,
        }
    }

    /// The functions that it may be.
    pub(super) fn choices(&self, id: ValueId) -> Vec<ValueId> {
        match self.get(id) {
            CostValue::Any(each) => each.clone(),
            _ => vec![id],
        }
    }
}
