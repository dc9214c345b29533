//! Names places in a term: each constructor has a name for each child.

use std::fmt;

use super::kind::Kind;
use super::node::Term;

macro_rules! slots {
    ($($(#[doc = $doc:literal])+ $name:ident $text:literal;)*) => {
        /// The place of a child below its parent.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Slot {
            $($(#[doc = $doc])+ $name,)*
            /// Of a primitive, from 0.
            Operand(u32),
            /// Of an array literal, from 0.
            Element(u32),
        }

        impl Slot {
            /// The slots that have a name of their own, as users write them.
            pub const NAMED: &[(&str, Slot)] = &[$(($text, Slot::$name)),*];
        }
    };
}

slots! {
    /// Of an application.
    Function "function";
    /// Of an application.
    Argument "argument";
    /// Of a λ.
    Body "body";
    /// Of a let.
    Value "value";
    /// Of a let.
    LetBody "letBody";
    /// Of an if.
    Condition "condition";
    /// Of an if.
    ThenBranch "thenBranch";
    /// Of an if.
    ElseBranch "elseBranch";
    /// Of a pair.
    PairFirst "pairFirst";
    /// Of a pair.
    PairSecond "pairSecond";
    /// Of `fst` and `snd`.
    Projected "projected";
    /// Of an indexing.
    Array "array";
    /// Of an indexing.
    Index "index";
    /// Of an index that is computed.
    Number "number";
    /// Of a guard.
    Asked "asked";
    /// Of a guard.
    InRange "inRange";
    /// Of a guard.
    OutOfRange "outOfRange";
    /// Of a `build`.
    BuildBody "buildBody";
    /// Of an `ifold`.
    FoldBody "foldBody";
    /// Of an `ifold`.
    FoldInit "foldInit";
    /// Of a `scan` or `scanr`.
    ScanBody "scanBody";
    /// Of a `scan` or `scanr`.
    ScanInit "scanInit";
    /// Of a `scatter`.
    ScatterBody "scatterBody";
    /// Of a `pull`.
    Pulled "pulled";
    /// Of a `pull`.
    Weight "weight";
}

impl Slot {
    /// The place of child `k`, where this is that of the first and places have numbers.
    pub(super) fn numbered(self, k: u32) -> Slot {
        match self {
            Slot::Operand(_) => Slot::Operand(k),
            Slot::Element(_) => Slot::Element(k),
            named => named,
        }
    }
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

/// Where a written path leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStop {
    /// The address up to which it leads somewhere; `.` for the root.
    pub reached: String,
    /// The name that nothing below that has.
    pub missing: String,
    /// The names of what stands below it, in order.
    pub children: Vec<String>,
}

impl fmt::Display for PathStop {
    /// `` `.body` has no child `letBody`, but `buildBody` ``
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reached.as_str() {
            "." => write!(f, "the root has no child `{}`", self.missing)?,
            reached => write!(f, "`{reached}` has no child `{}`", self.missing)?,
        }
        match self.children.as_slice() {
            [] => f.write_str("; nothing is below it"),
            children => write!(f, ", but `{}`", children.join("`, `")),
        }
    }
}

impl Path {
    /// Reads a path such as `body.argument.0` against the term it leads through. A number stands for the child with
    /// that number, whatever its name; `body×7` and `body*7` for seven times `body`. The error says where it stops.
    pub fn parse(text: &str, root: &Term) -> Result<Path, PathStop> {
        let mut here = root.clone();
        let mut path = Path::default();
        for step in text.split('.').filter(|s| !s.is_empty()) {
            let repeated = step
                .split_once(['×', '*'])
                .and_then(|(name, count)| Some((name, count.parse().ok().filter(|count| *count > 0)?)));
            let (name, count) = repeated.unwrap_or((step, 1_u32));
            for _ in 0..count {
                let k = (0..here.kid_count())
                    .find(|k| here.kind().slot(*k).to_string() == name || name.parse() == Ok(*k))
                    .ok_or_else(|| PathStop {
                        reached: path.address(root),
                        missing: step.to_owned(),
                        children: (0..here.kid_count()).map(|k| here.kind().slot(k).to_string()).collect(),
                    })?;
                path.0.push(k as u32);
                here = here.kid(k);
            }
        }
        Ok(path)
    }

    /// A displayed path with names that stand four times or more in a row once, as in `body×7.0`, which reads as the same.
    pub fn shortened(displayed: &str) -> String {
        let names: Vec<&str> = displayed.split('.').collect();
        let runs = names.chunk_by(|a, b| a == b && !a.is_empty());
        let short = runs.map(|run| if run.len() < 4 { run.join(".") } else { format!("{}×{}", run[0], run.len()) });
        short.collect::<Vec<_>>().join(".")
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

    /// It as users type it: `.body.argument.0`; `.` for the root.
    pub fn address(&self, root: &Term) -> String {
        format!(".{}", self.display(root))
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
