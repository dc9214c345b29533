//! Maps size variables to their values, and finds which of them a program needs.

use std::collections::{BTreeMap, BTreeSet};

use crate::ground::{Diagnostic, Name, code};
use crate::term::{OpenVariables, Program, Size, SizeAtom, Term, Type};

/// Values of size variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes(BTreeMap<Name, u64>);

impl Sizes {
    /// The value of a size variable, if it is known.
    pub fn get(&self, name: &Name) -> Option<u64> {
        self.0.get(name).copied()
    }

    /// Gives a size variable a value.
    pub fn set(&mut self, name: &Name, value: u64) {
        self.0.insert(name.clone(), value);
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, u64)> {
        self.0.iter().map(|(name, value)| (name, *value))
    }

    /// The value of a size. A variable that isn't known counts as 0; saturates at 2^64-1.
    pub fn value(&self, size: &Size) -> u64 {
        size.value(|atom| match atom {
            SizeAtom::Var(name) => self.get(name).unwrap_or(0),
            SizeAtom::Unknown(_) => 0,
        })
    }

    /// How many elements an array has that is as long as this in each direction; saturates.
    pub fn elements(&self, dims: &[Size]) -> u64 {
        dims.iter().fold(1, |n: u64, size| n.saturating_mul(self.value(size)))
    }

    /// Whether they cover a program's open sizes and keep to its lower bounds.
    pub(super) fn check(&self, program: &Program) -> Result<(), Diagnostic> {
        for name in open_sizes(&program.term) {
            let Some(value) = self.get(&name) else { return Err(undetermined(&name)) };
            let lower = program.bounds.lower(&name);
            if value < lower {
                return Err(Diagnostic::error(code::INPUT_SIZES, format!("size `{name}` is {value}"))
                    .help(format!("the program needs {name} >= {lower}")));
            }
        }
        Ok(())
    }
}

impl FromIterator<(Name, u64)> for Sizes {
    fn from_iter<I: IntoIterator<Item = (Name, u64)>>(all: I) -> Sizes {
        Sizes(all.into_iter().collect())
    }
}

/// The finding that nothing determines a size.
pub(super) fn undetermined(name: &Name) -> Diagnostic {
    Diagnostic::error(code::INPUT_MISSING, format!("nothing determines the size `{name}`"))
        .help(format!("give it with `--size {name}=…`, or under the key \"{name}\" of the inputs"))
}

/// The size variables that a term mentions, in its types, too.
pub fn open_sizes(term: &Term) -> BTreeSet<Name> {
    OpenVariables::of(term).vars.into_iter().collect()
}

/// Adds the size variables of a type.
pub(super) fn type_sizes(ty: &Type, found: &mut BTreeSet<Name>) {
    let mut opens = OpenVariables::default();
    opens.ty(ty);
    found.extend(opens.vars);
}
