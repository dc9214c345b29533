//! The first two children of a term: most attempts fail there, and most that succeed ask for no more constructors.

use crate::term::{Head, Prim, Term};

use super::look::Heads;
use super::plan::{Node, Test};

/// The numbers of the constructors of a term's first two children.
#[derive(Clone, Copy)]
pub(super) struct Seconds([usize; 2]);

impl Seconds {
    #[inline(always)]
    pub(super) fn of(term: &Term) -> Seconds {
        match term.nodes() {
            [a, b, ..] => Seconds([a.number(), b.number()]),
            [a] => Seconds([a.number(), Heads::NO_NUMBER]),
            [] => Seconds([Heads::NO_NUMBER; 2]),
        }
    }
}

/// What the first two children have to be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted([Heads; 2]);

impl Wanted {
    /// Whatever there is, or nothing.
    pub(super) const ANY: Wanted = Wanted([Heads::ANY; 2]);

    /// Those that a law inspects have to be what they are on its left side, whose nodes these are.
    pub(super) fn of<'a>(inspected: impl Iterator<Item = &'a Node>) -> Wanted {
        let mut all = Wanted::ANY;
        for node in inspected.skip(1).filter(|node| node.parent == 0) {
            if let (Some(child), Some(head)) = (all.0.get_mut(node.kid), node.test.head()) {
                *child = head;
            }
        }
        all
    }

    pub(super) fn join(&mut self, other: Wanted) {
        self.0.iter_mut().zip(other.0).for_each(|(own, theirs)| own.join(theirs));
    }

    #[inline(always)]
    pub(super) fn admit(&self, found: Seconds) -> bool {
        self.0[0].has(found.0[0]) && self.0[1].has(found.0[1])
    }
}

impl Test {
    /// The constructor that it wants, if it is a certain one.
    fn head(self) -> Option<Heads> {
        match self {
            Test::Head(number) => Some(Heads::number(number)),
            Test::Array(_) => Some(Heads::one(Head::Array)),
            Test::Offset(c) => Some(Heads::one(Head::Prim(Prim::Offset(c)))),
            Test::Real(_) => Some(Heads::one(Head::Real)),
            Test::Int(_) => Some(Heads::one(Head::Int)),
            Test::Fin(_) => Some(Heads::one(Head::Fin)),
            Test::Bound(..) => Some(Heads::one(Head::Var)),
            Test::Variable(_) | Test::Size => None,
        }
    }
}
