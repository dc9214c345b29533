//! Counts the expensive parts of a block: where each is computed first, and how often it stands there.

use rustc_hash::FxHashMap;

use super::numbers::ValueNumbers;
use crate::nest::ir::{NestValue, Stmt};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::PrimClass;

/// An expensive part of a block.
pub(in crate::nest) struct ExpensivePart {
    /// The first statement that computes it in any case.
    pub(in crate::nest) first: usize,
    /// How often it stands from there on, but for what stands in another one that is repeated.
    pub(in crate::nest) times: usize,
    /// Its name, once it has one.
    pub(in crate::nest) name: Option<u32>,
}

/// The expensive parts of a block by their numbers, which are known by the addresses of the parts: the block must not be moved
/// meanwhile.
pub(in crate::nest) struct ExpensiveParts {
    numbers: FxHashMap<*const NestValue, u32>,
    pub(in crate::nest) all: FxHashMap<u32, ExpensivePart>,
}

impl ExpensiveParts {
    /// Those of a block.
    pub(in crate::nest) fn of(body: &[Stmt]) -> ExpensiveParts {
        let (mut numbers, mut parts) =
            (ValueNumbers::default(), ExpensiveParts { numbers: FxHashMap::default(), all: FxHashMap::default() });
        for (at, stmt) in body.iter().enumerate().take_while(|_| goes_on()) {
            each_own(stmt, &mut |value| {
                numbers.of(value, &mut |part, number| {
                    parts.numbers.insert(part, number);
                });
            });
            // What is computed in any case begins; choices that stand before it in the statement have its name, too.
            for is_sure in [true, false] {
                each_own(stmt, &mut |value| parts.count(value, (true, is_sure), at));
            }
            numbers.after(stmt);
        }
        parts
    }

    /// Counts the parts that are computed in any case, or those that aren't.
    fn count(&mut self, value: &NestValue, (sure, wanted): (bool, bool), at: usize) {
        if let Some(number) = self.number(value).filter(|_| sure == wanted) {
            match self.all.get_mut(&number) {
                Some(part) => {
                    // What stands in a repeated part is computed with it, and isn't counted again.
                    part.times += 1;
                    return;
                }
                None if sure => drop(self.all.insert(number, ExpensivePart { first: at, times: 1, name: None })),
                None => {}
            }
        }
        let mut is_first = true;
        value.each_part(&mut |part| {
            self.count(part, (sure && (is_first || !is_choice(value)), wanted), at);
            is_first = false;
        });
    }

    /// The number of an expensive part of the block.
    pub(in crate::nest) fn number(&self, value: &NestValue) -> Option<u32> {
        self.numbers.get(&std::ptr::from_ref(value)).copied()
    }
}

/// What a statement computes itself, once.
fn each_own<'a>(stmt: &'a Stmt, work: &mut dyn FnMut(&'a NestValue)) {
    match stmt {
        Stmt::Let(_, value) => work(value),
        Stmt::Set(place, value) => place.indices.iter().chain([value]).for_each(work),
        _ => {}
    }
}

/// Whether only the first part is computed in any case.
fn is_choice(value: &NestValue) -> bool {
    matches!(value, NestValue::Select(_))
        || matches!(value, NestValue::Prim(prim, ..) if prim.class() == PrimClass::Connective)
}
