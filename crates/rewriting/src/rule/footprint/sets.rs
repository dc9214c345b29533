//! Represents small sets by bits: of children, of constructors that bind, of constructors.

use redexter_language::term::{Head, Kind, Node};

/// Children of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KidSet(u32);

impl KidSet {
    /// No child.
    pub const NONE: KidSet = KidSet(0);
    /// Every child.
    pub const ALL: KidSet = KidSet(u32::MAX);
    /// The first child.
    pub(in super::super) const FIRST: KidSet = KidSet(1);

    /// These and the others.
    pub fn and(self, other: KidSet) -> KidSet {
        KidSet(self.0 | other.0)
    }

    /// Whether child `k` is one of them. All from number 31 on share a bit, so that they are in it together or not at all.
    #[inline]
    pub fn has(self, k: usize) -> bool {
        self.0 >> k.min(31) & 1 == 1
    }
}

/// Constructors that bind a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinderKinds {
    lets: bool,
    functions: bool,
}

impl BinderKinds {
    /// No constructor.
    pub const NONE: BinderKinds = BinderKinds { lets: false, functions: false };
    /// Every one that there is.
    pub const ALL: BinderKinds = BinderKinds { lets: true, functions: true };

    /// Those of a law's left side.
    pub(in super::super) fn of(left: &Node) -> BinderKinds {
        left.nodes().iter().map(|kid| BinderKinds::of(kid)).fold(BinderKinds::one(left.kind()), BinderKinds::and)
    }

    /// These and the others.
    pub fn and(self, other: BinderKinds) -> BinderKinds {
        BinderKinds { lets: self.lets || other.lets, functions: self.functions || other.functions }
    }

    /// This constructor, if it binds a variable.
    #[inline]
    pub fn one(kind: &Kind) -> BinderKinds {
        let lets = matches!(kind, Kind::Let(_));
        BinderKinds { lets, functions: !lets && kind.binds() }
    }

    /// Whether they have one in common.
    #[inline]
    pub fn meet(self, other: BinderKinds) -> bool {
        self.lets && other.lets || self.functions && other.functions
    }

    /// Whether this constructor is one of them.
    #[inline]
    pub fn holds(self, kind: &Kind) -> bool {
        match kind {
            Kind::Let(_) => self.lets,
            other => self.functions && other.binds(),
        }
    }
}

/// Constructors, as bits at their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct HeadSet(u128);

const _: () = assert!(Head::COUNT < 128, "a bit for each constructor, and one for none");

impl HeadSet {
    /// Whatever is there, or nothing.
    pub(in super::super) const ANY: HeadSet = HeadSet(u128::MAX);
    /// Stands for the number of a constructor where there is nothing.
    pub(in super::super) const NO_NUMBER: usize = 127;

    #[inline(always)]
    pub(in super::super) fn one(head: Head) -> HeadSet {
        HeadSet::number(head.number())
    }

    /// The constructor with this number.
    #[inline(always)]
    pub(in super::super) fn number(head: usize) -> HeadSet {
        HeadSet(1 << head)
    }

    pub(in super::super) fn join(&mut self, other: HeadSet) {
        self.0 |= other.0;
    }

    /// Whether the constructor with this number is one of them.
    #[inline(always)]
    pub(in super::super) fn has(self, head: usize) -> bool {
        self.0 >> head & 1 == 1
    }

    /// Whether they have one in common.
    #[inline(always)]
    pub(in super::super) fn meet(self, other: HeadSet) -> bool {
        self.0 & other.0 != 0
    }
}
