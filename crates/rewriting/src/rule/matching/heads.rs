//! Compares the constructors of a term's first two children: most attempts fail there, and most that succeed ask for no more.

use redexter_language::term::{Head, Term};

use super::super::footprint::HeadSet;
use super::{Node, Test};

/// The numbers of the constructors of a term's first two children.
#[derive(Clone, Copy)]
pub(in super::super) struct KidHeads([usize; 2]);

impl KidHeads {
    #[inline(always)]
    pub(in super::super) fn of(term: &Term) -> KidHeads {
        match term.nodes() {
            [a, b, ..] => KidHeads([a.number(), b.number()]),
            [a] => KidHeads([a.number(), HeadSet::NO_NUMBER]),
            [] => KidHeads([HeadSet::NO_NUMBER; 2]),
        }
    }
}

/// The constructors that the first two children may have.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct FirstKids([HeadSet; 2]);

impl FirstKids {
    /// Whatever there is, or nothing.
    pub(in super::super) const ANY: FirstKids = FirstKids([HeadSet::ANY; 2]);

    /// Those that a law inspects have to be what they are on its left side, whose nodes these are.
    pub(super) fn of<'a>(inspected: impl Iterator<Item = &'a Node>) -> FirstKids {
        let mut all = FirstKids::ANY;
        // The root is its own parent, so that it must be left out; children behind the second aren't compared here.
        for node in inspected.skip(1).filter(|node| node.parent == 0) {
            if let (Some(child), Some(head)) = (all.0.get_mut(node.kid), node.test.head()) {
                *child = head;
            }
        }
        all
    }

    pub(in super::super) fn join(&mut self, other: FirstKids) {
        self.0.iter_mut().zip(other.0).for_each(|(own, theirs)| own.join(theirs));
    }

    #[inline(always)]
    pub(in super::super) fn admit(&self, found: KidHeads) -> bool {
        self.0[0].has(found.0[0]) && self.0[1].has(found.0[1])
    }
}

impl Test {
    /// The constructor that it wants, if it is a certain one.
    fn head(self) -> Option<HeadSet> {
        match self {
            Test::Head(number) => Some(HeadSet::number(number)),
            Test::Array(_) => Some(HeadSet::one(Head::Array)),
            Test::Holding(prim) => Some(HeadSet::one(Head::Prim(prim))),
            Test::Real(_) => Some(HeadSet::one(Head::Real)),
            Test::Int(_) => Some(HeadSet::one(Head::Int)),
            Test::Fin(_) => Some(HeadSet::one(Head::Fin)),
            Test::Bound(..) => Some(HeadSet::one(Head::Var)),
            Test::Variable(_) | Test::Size => None,
        }
    }
}
