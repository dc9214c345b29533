//! Compares the constructors of a term's first two children: most attempts fail there, and most that succeed ask for no more.

use redexter_language::term::{Head, Term};

use super::super::footprint::HeadSet;
use super::{NodeTest, PatternNode};

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
pub(in super::super) struct FirstKidHeads([HeadSet; 2]);

impl FirstKidHeads {
    /// Whatever there is, or nothing.
    pub(in super::super) const ANY: FirstKidHeads = FirstKidHeads([HeadSet::ANY; 2]);

    /// Those that a law inspects have to be what they are on its left side, whose nodes these are.
    pub(super) fn of<'a>(inspected: impl Iterator<Item = &'a PatternNode>) -> FirstKidHeads {
        let mut all = FirstKidHeads::ANY;
        // The root is its own parent, so that it must be left out; children behind the second aren't compared here.
        for node in inspected.skip(1).filter(|node| node.parent == 0) {
            if let (Some(child), Some(head)) = (all.0.get_mut(node.kid), node.test.head()) {
                *child = head;
            }
        }
        all
    }

    pub(in super::super) fn join(&mut self, other: FirstKidHeads) {
        self.0.iter_mut().zip(other.0).for_each(|(own, theirs)| own.join(theirs));
    }

    #[inline(always)]
    pub(in super::super) fn admit(&self, found: KidHeads) -> bool {
        self.0[0].has(found.0[0]) && self.0[1].has(found.0[1])
    }
}

impl NodeTest {
    /// The constructor that it wants, if it is a certain one.
    fn head(self) -> Option<HeadSet> {
        match self {
            NodeTest::Head(number) => Some(HeadSet::number(number)),
            NodeTest::Array(_) => Some(HeadSet::one(Head::Array)),
            NodeTest::Holding(prim) => Some(HeadSet::one(Head::Prim(prim))),
            NodeTest::Real(_) => Some(HeadSet::one(Head::Real)),
            NodeTest::Int(_) => Some(HeadSet::one(Head::Int)),
            NodeTest::Fin(_) => Some(HeadSet::one(Head::Fin)),
            NodeTest::Bound(..) => Some(HeadSet::one(Head::Var)),
            NodeTest::Variable(_) | NodeTest::Size => None,
        }
    }
}
