//! A node's children, in the node itself where they are one or two.

use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use super::node::Term;

/// Children, left to right.
#[derive(Clone)]
pub(super) enum Kids {
    None,
    One([Term; 1]),
    Two([Term; 2]),
    Many(Box<[Term]>),
}

impl Deref for Kids {
    type Target = [Term];

    #[inline]
    fn deref(&self) -> &[Term] {
        match self {
            Kids::None => &[],
            Kids::One(one) => one,
            Kids::Two(two) => two,
            Kids::Many(all) => all,
        }
    }
}

impl DerefMut for Kids {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Term] {
        match self {
            Kids::None => &mut [],
            Kids::One(one) => one,
            Kids::Two(two) => two,
            Kids::Many(all) => all,
        }
    }
}

impl From<Vec<Term>> for Kids {
    fn from(all: Vec<Term>) -> Kids {
        match <[Term; 2]>::try_from(all) {
            Ok(two) => Kids::Two(two),
            Err(all) => match <[Term; 1]>::try_from(all) {
                Ok(one) => Kids::One(one),
                Err(all) if all.is_empty() => Kids::None,
                Err(all) => Kids::Many(all.into()),
            },
        }
    }
}

impl From<SmallVec<[Term; 2]>> for Kids {
    fn from(all: SmallVec<[Term; 2]>) -> Kids {
        match all.into_inner() {
            Ok(two) => Kids::Two(two),
            Err(all) => all.into_vec().into(),
        }
    }
}
