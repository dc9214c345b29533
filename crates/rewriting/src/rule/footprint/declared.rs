//! An [`Inspection`] declares what a native rule's function inspects, as far as that is bounded.

use redexter_language::term::{ConstructorGroups, Head, PrimClass, Term};

use super::sets::{BinderKinds, HeadSet};
use super::trie::InspectionTrie;
use super::{ContextUse, Footprint};

/// A declaration of what a function inspects, as far as that is bounded.
#[derive(Debug)]
pub(in super::super) struct Inspection {
    /// The constructors that it may apply to.
    pub(in super::super) heads: HeadFilter,
    /// What stands below wherever it applies, be it another constructor of the same [group](ConstructorGroups).
    pub(in super::super) holds: &'static [Head],
    /// What it looks at before anything deeper, or at all.
    pub(in super::super) ways: &'static [&'static [u32]],
    /// How far below the root the scope of a bound variable begins that it asks about; 0 if it asks about none.
    pub(in super::super) scope: u32,
    /// What must hold before it looks at anything else.
    pub(in super::super) guard: fn(&Term) -> bool,
    /// Where it looks deeper then.
    pub(in super::super) deep: SearchDepth,
    /// What it looks at in the context.
    pub(in super::super) context: ContextUse,
    /// Whether it asks in which order free variables are bound.
    pub(in super::super) ordered: bool,
}

/// The depth to which a function looks below the ways that it declares.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) enum SearchDepth {
    /// Nowhere.
    Nowhere,
    /// At anything.
    Anywhere,
    /// At anything, but it fails only where none of the terms that cost something stands in two children, be it at another
    /// index of type `fin` where one is an element of a table.
    Repeated,
}

/// Constructors.
#[derive(Debug)]
pub(in super::super) enum HeadFilter {
    /// All.
    Any,
    /// Those that have children, but for these.
    Inner(&'static [Head]),
    /// Every primitive.
    AnyPrim,
    /// The primitives of these classes.
    Prims(&'static [PrimClass]),
    /// These.
    Of(&'static [Head]),
}

/// A function that nothing is known of.
pub(in super::super) const ANYTHING: Inspection = Inspection {
    heads: HeadFilter::Any,
    holds: &[],
    ways: &[],
    scope: 0,
    guard: |_| true,
    deep: SearchDepth::Anywhere,
    context: ContextUse::Everything,
    ordered: true,
};
/// A function that looks at anything below the term, wherever its free variables are bound.
pub(in super::super) const BELOW: Inspection = Inspection { context: ContextUse::Nothing, ordered: false, ..ANYTHING };
/// A function that looks at constructors as deep as its ways go.
pub(in super::super) const SHALLOW: Inspection = Inspection { deep: SearchDepth::Nowhere, ..BELOW };

impl HeadFilter {
    fn has(&self, head: Head) -> bool {
        match self {
            HeadFilter::Any => true,
            HeadFilter::Inner(others) => !head.is_leaf() && !others.contains(&head),
            HeadFilter::AnyPrim => matches!(head, Head::Prim(_)),
            HeadFilter::Prims(classes) => matches!(head, Head::Prim(prim) if classes.contains(&prim.class())),
            HeadFilter::Of(these) => these.contains(&head),
        }
    }
}

impl Inspection {
    pub(in super::super) fn footprint(&self) -> Footprint {
        let mut ways = InspectionTrie::default();
        self.ways.iter().for_each(|way| ways.add(way, HeadSet::ANY));
        let heads = Head::all().filter(|head| self.heads.has(*head));
        let held = self
            .holds
            .iter()
            .map(|head| ConstructorGroups::of(*head))
            .fold(ConstructorGroups::default(), ConstructorGroups::and);
        // A function doesn't declare which binders it asks about, so that any may matter.
        let footprint = Footprint::at(heads, held, &ways, (self.scope, BinderKinds::ALL), self.context);
        Footprint {
            searches: self.deep != SearchDepth::Nowhere,
            repeats: self.deep != SearchDepth::Anywhere,
            ordered: self.ordered,
            ..footprint
        }
    }
}
