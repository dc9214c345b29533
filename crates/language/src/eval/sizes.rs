//! Maps size variables to their values, and finds which of them a program needs.

use std::collections::{BTreeMap, BTreeSet};

use crate::ground::{Diagnostic, Name, code};
use crate::term::{MAX_SIZE, OpenVariables, Program, Size, SizeAtom, Term, Type};

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

    /// Whether they cover a program's open sizes, keep to its lower bounds, and give each size in it a value that there is.
    pub(super) fn check(&self, program: &Program) -> Result<(), Diagnostic> {
        let opens = OpenVariables::of(&program.term);
        for name in opens.vars.iter().collect::<BTreeSet<&Name>>() {
            let Some(value) = self.get(name) else { return Err(undetermined(name)) };
            let lower = program.bounds.lower(name);
            if value < lower {
                return Err(Diagnostic::error(code::INPUT_SIZES, format!("size `{name}` is {value}"))
                    .help(format!("the program needs {name} >= {lower}")));
            }
        }
        self.none_beyond(&opens.sizes, MAX_SIZE, "")
    }

    /// Refuses these sizes if one of them is more than `most`, and says in which way of running it may be no more.
    pub fn none_beyond<'s>(
        &self,
        all: impl IntoIterator<Item = &'s Size>,
        most: u64,
        way: &str,
    ) -> Result<(), Diagnostic> {
        let Some(size) = all.into_iter().find(|size| self.value(size) > most) else { return Ok(()) };
        let known = |atom: &SizeAtom| match atom {
            SizeAtom::Var(name) => self.get(name),
            SizeAtom::Unknown(_) => None,
        };
        let value = size.polynomial().evaluated(|atom| known(atom).unwrap_or(0).into());
        let parts: BTreeSet<&SizeAtom> = size.atoms().filter(|atom| size.as_atom() != Some(atom)).collect();
        let parts: Vec<String> =
            parts.into_iter().filter_map(|atom| Some(format!("{atom} is {}", known(atom)?))).collect();
        let because = if parts.is_empty() { String::new() } else { format!(", where {}", parts.join(" and ")) };
        // A value that has saturated says no more than that it is as large.
        let least = if value == u128::MAX { "at least " } else { "" };
        let headline = format!("the size `{size}` is {least}{value}{because}; {way}it may be at most {most}");
        Err(Diagnostic::error(code::INPUT_SIZES, headline).help("give smaller sizes"))
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
