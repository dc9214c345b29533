//! Makes users' names legal in Futhark, and distinct where they are in scope together.

use rustc_hash::FxHashMap;

use super::code::FutharkName;
use crate::export::spelling::spelled;
use redexter_language::term::{FutharkForm, Prim};

/// Words of Futhark, and the library names that the output uses or that would mislead.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "assert", "bool", "case", "copy", "def", "do", "else", "entry", "f16", "f32", "f64", "false", "filter",
    "for", "hist", "i16", "i32", "i64", "i8", "if", "import", "in", "include", "intrinsics", "iota", "length", "let",
    "local", "loop", "map", "map2", "match", "module", "open", "reduce", "replicate", "scan", "scatter", "tabulate", "then",
    "true", "type", "u16", "u32", "u64", "u8", "unsafe", "unzip", "val", "while", "with", "zip",
];

#[derive(Default)]
pub(super) struct NameSupply {
    /// For each name in scope, the number from which to look for a free variant.
    live: FxHashMap<FutharkName, u32>,
    order: Vec<(FutharkName, FutharkName, u32)>,
}

impl NameSupply {
    /// A name like `hint` that nothing in scope has; it is in scope from now on.
    pub(super) fn fresh(&mut self, hint: &str) -> FutharkName {
        self.add(&legal(hint, "'"))
    }

    /// The same for an entry point or its parameter: what other languages call it by has no prime.
    pub(super) fn fresh_entry(&mut self, hint: &str) -> FutharkName {
        self.add(&legal(hint, "_"))
    }

    fn add(&mut self, base: &str) -> FutharkName {
        let base: FutharkName = FutharkName::from(base);
        let Some(from) = self.live.get(&base).copied() else {
            return self.enter(base.clone(), base, 0);
        };
        // A number behind a digit would read as another number.
        let between = if base.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let free = (from..).map(|k| (k, FutharkName::from(format!("{base}{between}{k}"))));
        let (k, name) = free.into_iter().find(|(_, name)| !self.live.contains_key(name)).unwrap_or((0, base.clone()));
        self.live.insert(base.clone(), k + 1);
        self.enter(name, base, k)
    }

    fn enter(&mut self, name: FutharkName, base: FutharkName, number: u32) -> FutharkName {
        self.live.insert(name.clone(), 1);
        self.order.push((name.clone(), base, number));
        name
    }

    /// What [`NameSupply::release`] goes back to.
    pub(super) fn mark(&self) -> usize {
        self.order.len()
    }

    /// Names that were added since the mark leave the scope.
    pub(super) fn release(&mut self, mark: usize) {
        for (name, base, number) in self.order.drain(mark..).rev() {
            self.live.remove(&name);
            if let Some(next) = self.live.get_mut(&base) {
                *next = (*next).min(number.max(1));
            }
        }
    }
}

/// Whether it may be defined on top.
fn is_defined(name: &str) -> bool {
    matches!(name, "f64_argmax" | "f64_argmin" | "f64_power")
        || Prim::ALL.iter().any(|prim| matches!(prim.futhark(), FutharkForm::Defined(own, _) if *own == name))
}

/// A name that Futhark allows for `text`.
fn legal(text: &str, prime: &str) -> String {
    let mut name = spelled(text, prime);
    // What an entry is given is held against `all`.
    if TAKEN.contains(&name.as_str()) || is_defined(&name) || prime == "_" && name == "all" {
        name.push('_');
    }
    name
}
