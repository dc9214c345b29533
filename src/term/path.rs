//! Places in a term: one name per constructor and child.

use std::fmt;

use super::kind::Kind;
use super::node::Term;

/// The place of a child below its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// Of an application.
    Function,
    /// Of an application.
    Argument,
    /// Of a λ.
    Body,
    /// Of a let.
    Value,
    /// Of a let.
    LetBody,
    /// Of an if.
    Condition,
    /// Of an if.
    ThenBranch,
    /// Of an if.
    ElseBranch,
    /// Of a pair.
    PairFirst,
    /// Of a pair.
    PairSecond,
    /// Of `fst` and `snd`.
    Projected,
    /// Of an indexing.
    Array,
    /// Of an indexing.
    Index,
    /// Of a `build`.
    BuildBody,
    /// Of an `ifold`.
    FoldBody,
    /// Of an `ifold`.
    FoldInit,
    /// Of a primitive, from 0.
    Operand(u32),
    /// Of an array literal, from 0.
    Element(u32),
}

impl Slot {
    /// The slots that have a name of their own, as users write them.
    pub const NAMED: &[(&str, Slot)] = &[
        ("function", Slot::Function),
        ("argument", Slot::Argument),
        ("body", Slot::Body),
        ("value", Slot::Value),
        ("letBody", Slot::LetBody),
        ("condition", Slot::Condition),
        ("thenBranch", Slot::ThenBranch),
        ("elseBranch", Slot::ElseBranch),
        ("pairFirst", Slot::PairFirst),
        ("pairSecond", Slot::PairSecond),
        ("projected", Slot::Projected),
        ("array", Slot::Array),
        ("index", Slot::Index),
        ("buildBody", Slot::BuildBody),
        ("foldBody", Slot::FoldBody),
        ("foldInit", Slot::FoldInit),
    ];
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Operand(k) | Slot::Element(k) => write!(f, "{k}"),
            named => match Slot::NAMED.iter().find(|(_, s)| s == named) {
                Some((name, _)) => f.write_str(name),
                None => Ok(()),
            },
        }
    }
}

/// A way from a term's root to a subterm: the child's number at each node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(pub Vec<u32>);

impl Path {
    /// Reads a path such as `body.argument.0` against the term it leads through. A number stands for the child with
    /// that number, whatever its name. The error is the step that leads nowhere.
    pub fn parse(text: &str, root: &Term) -> Result<Path, String> {
        let mut here = root.clone();
        let mut path = Path::default();
        for step in text.split('.').filter(|s| !s.is_empty()) {
            let k = (0..here.kid_count())
                .find(|k| here.kind().slot(*k).to_string() == step || step.parse() == Ok(*k))
                .ok_or_else(|| step.to_owned())?;
            path.0.push(k as u32);
            here = here.kid(k);
        }
        Ok(path)
    }

    /// The names of its steps, such as `body.argument.0`; empty for the root.
    pub fn display(&self, root: &Term) -> String {
        let mut here = root.clone();
        let mut names = Vec::new();
        for k in &self.0 {
            if *k as usize >= here.kid_count() {
                break;
            }
            names.push(here.kind().slot(*k as usize).to_string());
            here = here.kid(*k as usize);
        }
        names.join(".")
    }

    /// The subterm it leads to, in its own scope.
    pub fn find(&self, root: &Term) -> Option<Term> {
        let mut here = root.clone();
        for k in &self.0 {
            if *k as usize >= here.kid_count() {
                return None;
            }
            here = here.kid(*k as usize);
        }
        Some(here)
    }
}

impl Kind {
    /// The number of the child with this place, where the constructor has it.
    pub fn kid_at(&self, slot: Slot, kids: usize) -> Option<usize> {
        (0..kids).find(|k| self.slot(*k) == slot)
    }
}
