//! What functions inspect, as they declare it.

use crate::term::{Head, Term};

use super::Footprint;
use super::sets::{Binders, HeadSet};
use super::trie::PathTrie;

/// What a function inspects, as far as it is bounded.
#[derive(Debug)]
pub(in super::super) struct Inspection {
    /// The constructors that it may apply to.
    pub(in super::super) heads: fn(Head) -> bool,
    /// What it looks at before anything deeper, or at all.
    pub(in super::super) ways: &'static [&'static [u32]],
    /// How far below the root the scope of a bound variable begins that it asks about; 0 if it asks about none.
    pub(in super::super) scope: u32,
    /// What must hold before it looks at anything else.
    pub(in super::super) guard: fn(&Term) -> bool,
    /// Whether it looks deeper then.
    pub(in super::super) deep: bool,
    /// Whether it looks at the context.
    pub(in super::super) context: bool,
}

/// A function that nothing is known of.
pub(in super::super) const ANYTHING: Inspection =
    Inspection { heads: |_| true, ways: &[], scope: 0, guard: |_| true, deep: true, context: true };

impl Inspection {
    pub(in super::super) fn footprint(&self) -> Footprint {
        let mut ways = PathTrie::default();
        self.ways.iter().for_each(|way| ways.add(way, HeadSet::ANY));
        let heads = Head::all().filter(|head| (self.heads)(*head));
        Footprint::at(heads, &ways, (self.scope, Binders::ALL), self.context)
    }
}
