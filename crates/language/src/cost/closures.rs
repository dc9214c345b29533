//! Interns abstract values, which say what functions a value may hold: each is stored once, so that equal ones have equal
//! numbers.

use rustc_hash::FxHashMap;

use crate::term::Term;

/// The number of an abstract value.
pub(super) type Id = u32;

/// Data, or a function that isn't known.
pub(super) const DATA: Id = 0;

/// An abstract value. Pairs and arrays of data are data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Abstract {
    Data,
    /// A λ and the values of its free variables, in their order; the λ is found by its fingerprint.
    Function(u128, Vec<Id>),
    Pair(Id, Id),
    /// An array of such elements.
    Array(Id),
    /// One of several functions, sorted.
    Any(Vec<Id>),
}

/// Every abstract value that was made.
pub(super) struct Values {
    all: Vec<Abstract>,
    numbers: FxHashMap<Abstract, Id>,
    lambdas: FxHashMap<u128, Term>,
}

impl Values {
    pub(super) fn new() -> Values {
        Values {
            all: vec![Abstract::Data],
            numbers: FxHashMap::from_iter([(Abstract::Data, DATA)]),
            lambdas: FxHashMap::default(),
        }
    }

    fn intern(&mut self, value: Abstract) -> Id {
        if let Some(id) = self.numbers.get(&value) {
            return *id;
        }
        let id = self.all.len() as Id;
        self.all.push(value.clone());
        self.numbers.insert(value, id);
        id
    }

    pub(super) fn get(&self, id: Id) -> &Abstract {
        &self.all[id as usize]
    }

    /// The λ with this fingerprint. Its free variables are the closure's; their indices mean nothing.
    pub(super) fn lambda(&self, print: u128) -> &Term {
        &self.lambdas[&print]
    }

    pub(super) fn function(&mut self, lambda: &Term, captured: Vec<Id>) -> Id {
        self.lambdas.entry(lambda.fingerprint()).or_insert_with(|| lambda.clone());
        self.intern(Abstract::Function(lambda.fingerprint(), captured))
    }

    pub(super) fn pair(&mut self, a: Id, b: Id) -> Id {
        if (a, b) == (DATA, DATA) { DATA } else { self.intern(Abstract::Pair(a, b)) }
    }

    pub(super) fn array(&mut self, element: Id) -> Id {
        if element == DATA { DATA } else { self.intern(Abstract::Array(element)) }
    }

    pub(super) fn half(&self, pair: Id, second: bool) -> Id {
        match self.get(pair) {
            Abstract::Pair(a, b) => {
                if second {
                    *b
                } else {
                    *a
                }
            }
            _ => DATA,
        }
    }

    pub(super) fn element(&self, array: Id) -> Id {
        match self.get(array) {
            Abstract::Array(element) => *element,
            _ => DATA,
        }
    }

    /// A value that may be either.
    pub(super) fn join(&mut self, a: Id, b: Id) -> Id {
        if a == b || b == DATA {
            return a;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (Abstract::Data, _) => b,
            (Abstract::Pair(a1, a2), Abstract::Pair(b1, b2)) => {
                let (first, second) = (self.join(a1, b1), self.join(a2, b2));
                self.pair(first, second)
            }
            (Abstract::Array(a), Abstract::Array(b)) => {
                let element = self.join(a, b);
                self.array(element)
            }
            _ => {
                let mut each = self.choices(a);
                each.extend(self.choices(b));
                each.sort_unstable();
                each.dedup();
                self.intern(Abstract::Any(each))
            }
        }
    }

    /// The functions that it may be.
    pub(super) fn choices(&self, id: Id) -> Vec<Id> {
        match self.get(id) {
            Abstract::Any(each) => each.clone(),
            _ => vec![id],
        }
    }
}
