//! A [`Footprint`] says what a rule inspects of the terms that it is tried on, before there are any, so that an engine can
//! remember where the rule failed. Of a law it is derived from its left side and its conditions ([`derive`]); functions declare
//! it ([`Inspection`]).

mod context;
mod declared;
mod derive;
mod needs;
mod sets;
mod trie;

use redexter_language::ground::StopReason;
use redexter_language::term::{ConstructorGroups, Head, Node, Term};

pub use context::ContextUse;
pub(super) use declared::{ANYTHING, BELOW, HeadFilter, Inspection, SHALLOW, SearchDepth};
pub(super) use derive::{below, is_deep, of_law};
use needs::GroupNeeds;
pub(super) use sets::HeadSet;
pub use sets::{BinderKinds, KidSet};
pub(super) use trie::ANY_KID;
use trie::InspectionTrie;

/// A failed attempt, by how deep it looked: at most as deep as the laws that were tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Miss {
    /// Only at constructors, and occurrences of bound variables, as [`Footprint`] says: it fails again on every term that differs
    /// only where [`Footprint::sees`] says no, by subterms of the same types; and of the same free variables, if `occurrences`.
    Near,
    /// At something arbitrarily deep below these children, or at the context of the term, as far as `context` says; beyond that
    /// as `Near`.
    Deep(KidSet),
    /// A limit was reached: the whole run ends.
    Stopped(StopReason),
}

impl Miss {
    /// That of a failure which hangs on more than `Footprint` says, or doesn't.
    pub(super) fn when(deep: bool) -> Miss {
        if deep { Miss::Deep(KidSet::ALL) } else { Miss::Near }
    }

    /// That of a failure which hangs on what is below these children, too.
    pub(super) fn of(below: KidSet) -> Miss {
        if below == KidSet::NONE { Miss::Near } else { Miss::Deep(below) }
    }
}

/// The first success among several attempts; or else how deep they looked together.
pub(super) fn first<T>(attempts: impl Iterator<Item = Result<T, Miss>>) -> Result<T, Miss> {
    let mut deep = KidSet::NONE;
    for attempt in attempts {
        match attempt {
            Err(Miss::Near) => {}
            Err(Miss::Deep(below)) => deep = deep.and(below),
            // A success ends the search, and so must a limit.
            done => return done,
        }
    }
    Err(Miss::of(deep))
}

/// The part of terms that a rule, or one of several, inspects.
#[derive(Clone, Debug)]
pub struct Footprint {
    heads: Vec<Option<InspectionTrie>>,
    /// Those with ways.
    fitting: HeadSet,
    /// What a term holds where it may apply to something in it.
    needs: GroupNeeds,
    /// What is wanted at the end of some way.
    sought: HeadSet,
    /// A law or a condition asks which variables that such binders of the left side bind occur, how often or where, so that
    /// a change of a subterm's free variables can matter.
    pub occurrences: BinderKinds,
    /// The length of the longest inspected way, or of the longest one to the scope of a binder that is asked about.
    pub reach: u32,
    /// What it inspects of the context, whatever stands in the term's place there.
    pub context: ContextUse,
    /// It asks in which order the free variables of the term are bound, as [`order`](crate::rule::order) sums it up.
    pub ordered: bool,
    /// A function looks at anything below the term, which takes longer than to compare constructors.
    pub searches: bool,
    /// Where it misses for something deep, a rewrite further down changes that only as
    /// [`FreshSubterms`](crate::rule::FreshSubterms) says.
    pub repeats: bool,
}

impl Footprint {
    /// At nothing: it fits no term.
    pub(super) fn nothing() -> Footprint {
        Footprint {
            heads: vec![None; Head::COUNT],
            fitting: HeadSet::default(),
            needs: GroupNeeds::default(),
            sought: HeadSet::default(),
            occurrences: BinderKinds::NONE,
            reach: 0,
            context: ContextUse::Nothing,
            ordered: false,
            searches: false,
            // What `join` starts from: it holds of several only if it holds of each.
            repeats: true,
        }
    }

    /// At terms with one of these constructors that hold these groups, these ways; `scope` is how far below the root the scope
    /// of a bound variable begins whose uses matter, or 0, and `binders` are what may bind it.
    fn at(
        heads: impl IntoIterator<Item = Head>,
        held: ConstructorGroups,
        ways: &InspectionTrie,
        (scope, binders): (u32, BinderKinds),
        context: ContextUse,
    ) -> Footprint {
        let occurrences = if scope > 0 { binders } else { BinderKinds::NONE };
        let (sought, reach) = (ways.sought(), scope.max(ways.longest()));
        let mut footprint = Footprint { sought, occurrences, reach, context, repeats: false, ..Footprint::nothing() };
        for head in heads {
            footprint.heads[head.number()] = Some(ways.clone());
            footprint.fitting.join(HeadSet::one(head));
            footprint.needs.add(ConstructorGroups::of(head), held);
        }
        footprint
    }

    /// At whatever the other looks at, too.
    pub(super) fn join(&mut self, other: &Footprint) {
        for (own, theirs) in self.heads.iter_mut().zip(&other.heads) {
            if let Some(ways) = theirs {
                own.get_or_insert_default().join(ways);
            }
        }
        self.fitting.join(other.fitting);
        self.needs.join(&other.needs);
        self.sought.join(other.sought);
        self.occurrences = self.occurrences.and(other.occurrences);
        self.reach = self.reach.max(other.reach);
        self.context = self.context.max(other.context);
        self.ordered |= other.ordered;
        self.searches |= other.searches;
        self.repeats &= other.repeats;
    }

    pub(super) fn fits(&self, head: Head) -> bool {
        self.fitting.meet(HeadSet::one(head))
    }

    /// Whether the rule may apply to a term with this constructor.
    #[inline]
    pub fn may_apply_to(&self, term: &Node) -> bool {
        self.fitting.meet(HeadSet::number(term.number()))
    }

    /// Whether the rule may apply to the term, or to one in it, as far as the constructors say that occur there.
    #[inline]
    pub fn may_apply_in(&self, term: &Node) -> bool {
        self.needs.are_held_by(term)
    }

    /// Whether [`Footprint::sees`] says so of `now` at the end of any way below any term.
    #[inline]
    pub fn seeks(&self, now: &Term) -> bool {
        self.sought.meet(HeadSet::number(now.number()))
    }

    /// Whether another subterm, `now`, at `way`, a way of at least one step below the term, can turn a failure into a success
    /// by its own constructors: the way leads to or towards something that is inspected, and wanted to be what `now` is
    /// outermost. Nothing of the term itself counts but its constructor.
    #[inline]
    pub fn sees(&self, term: &Term, way: impl Iterator<Item = u32> + Clone, now: &Term) -> bool {
        self.heads[term.number()].as_ref().is_some_and(|ways| ways.want(way, HeadSet::number(now.number())))
    }
}
