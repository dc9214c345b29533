//! What a rule inspects of the terms that it is tried on, known before there are any: for who remembers where it failed.

use crate::ground::StopReason;
use crate::term::{Head, Kind, Node, Term};

/// How deep a failed attempt looked: at most that of the laws that were tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Miss {
    /// Only constructors, and uses of bound variables, as [`Look`] says: it fails again on every term that differs only
    /// where [`Look::reaches`] says no, by subterms of the same types; and of the same free variables, if `uses`.
    Near,
    /// Something arbitrarily deep below these children, or the place of the term, if `place`; beyond that as `Near`.
    Deep(Below),
    /// A limit was reached: the whole run ends.
    Stopped(StopReason),
}

impl Miss {
    /// That of a failure which hangs on more than `Look` says, or doesn't.
    pub(super) fn when(deep: bool) -> Miss {
        if deep { Miss::Deep(Below::ANYWHERE) } else { Miss::Near }
    }

    /// That of a failure which hangs on what is below these children, too.
    pub(super) fn of(below: Below) -> Miss {
        if below == Below::NOWHERE { Miss::Near } else { Miss::Deep(below) }
    }
}

/// Children of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Below(u32);

impl Below {
    /// No child.
    pub const NOWHERE: Below = Below(0);
    /// Every child.
    pub const ANYWHERE: Below = Below(u32::MAX);
    /// The first child.
    pub(super) const FIRST: Below = Below(1);

    /// These and the others.
    pub fn and(self, other: Below) -> Below {
        Below(self.0 | other.0)
    }

    /// Whether child `k` is one of them; those far behind are so together.
    #[inline]
    pub fn holds(self, k: usize) -> bool {
        self.0 >> k.min(31) & 1 == 1
    }
}

/// The first success among several attempts; or else how deep they looked together.
pub(super) fn first<T>(attempts: impl Iterator<Item = Result<T, Miss>>) -> Result<T, Miss> {
    let mut deep = Below::NOWHERE;
    for attempt in attempts {
        match attempt {
            Err(Miss::Near) => {}
            Err(Miss::Deep(below)) => deep = deep.and(below),
            done => return done,
        }
    }
    Err(Miss::of(deep))
}

/// What a rule, or one of several, inspects.
#[derive(Clone, Debug)]
pub struct Look {
    heads: Vec<Option<Ways>>,
    /// Those with ways.
    fitting: Heads,
    /// What is wanted at the end of some way.
    sought: Heads,
    /// A law or a condition asks which variables that such binders of the left side bind occur, how often or where, so that
    /// a change of a subterm's free variables can matter.
    pub uses: Binders,
    /// The length of the longest inspected way, or of the longest one to the scope of a binder that is asked about.
    pub longest: u32,
    /// It asks about the place: about what stands around the term, whatever stands in there.
    pub place: bool,
}

/// Constructors that bind a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Binders {
    lets: bool,
    functions: bool,
}

impl Binders {
    /// No constructor.
    pub const NONE: Binders = Binders { lets: false, functions: false };
    /// Every one that there is.
    pub const ALL: Binders = Binders { lets: true, functions: true };

    /// Those of a law's left side.
    pub(super) fn of(left: &Node) -> Binders {
        left.nodes().iter().map(|kid| Binders::of(kid)).fold(Binders::one(left.kind()), Binders::and)
    }

    /// These and the others.
    pub fn and(self, other: Binders) -> Binders {
        Binders { lets: self.lets || other.lets, functions: self.functions || other.functions }
    }

    /// This constructor, if it binds a variable.
    #[inline]
    pub fn one(kind: &Kind) -> Binders {
        Binders { lets: matches!(kind, Kind::Let(_)), functions: matches!(kind, Kind::Lam(..)) }
    }

    /// Whether they have one in common.
    #[inline]
    pub fn meet(self, other: Binders) -> bool {
        self.lets && other.lets || self.functions && other.functions
    }

    /// Whether this constructor is one of them.
    #[inline]
    pub fn holds(self, kind: &Kind) -> bool {
        match kind {
            Kind::Let(_) => self.lets,
            Kind::Lam(..) => self.functions,
            _ => false,
        }
    }
}

/// Constructors, as bits at their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Heads(u64);

const _: () = assert!(Head::COUNT < 64, "a bit for each constructor, and one for none");

impl Heads {
    /// Whatever is there, or nothing.
    pub(super) const ANY: Heads = Heads(u64::MAX);
    /// Stands for the number of a constructor where there is nothing.
    pub(super) const NO_NUMBER: usize = 63;

    #[inline(always)]
    pub(super) fn one(head: Head) -> Heads {
        Heads::number(head.number())
    }

    /// The constructor with this number.
    #[inline(always)]
    pub(super) fn number(head: usize) -> Heads {
        Heads(1 << head)
    }

    pub(super) fn join(&mut self, other: Heads) {
        self.0 |= other.0;
    }

    /// Whether the constructor with this number is one of them.
    #[inline(always)]
    pub(super) fn has(self, head: usize) -> bool {
        self.0 >> head & 1 == 1
    }

    /// Whether they have one in common.
    #[inline(always)]
    pub(super) fn meet(self, other: Heads) -> bool {
        self.0 & other.0 != 0
    }
}

/// A node whose constructor is inspected, and the ways below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ways {
    /// The constructors that are wanted there, by some law at least: with any other it is as good as none of them.
    wanted: Heads,
    /// What is wanted of the first children.
    near: [Heads; NEAR],
    kids: Vec<(u32, Ways)>,
}

/// So many children are looked up, not searched for.
const NEAR: usize = 3;

/// Stands for each child in a way.
pub(super) const ANY: u32 = u32::MAX;

impl Ways {
    /// Where this way ends one of these constructors is wanted. What stands on it and wasn't added yet may be anything.
    pub(super) fn add(&mut self, way: &[u32], wanted: Heads) {
        let Some((first, rest)) = way.split_first() else { return self.wanted.join(wanted) };
        match self.kids.iter_mut().find(|(k, _)| k == first) {
            Some((_, below)) => below.add(rest, wanted),
            None => {
                let on_the_way = if rest.is_empty() { Heads::default() } else { Heads::ANY };
                let mut below = Ways { wanted: on_the_way, ..Ways::default() };
                below.add(rest, wanted);
                self.kids.push((*first, below));
            }
        }
        self.count_near();
    }

    fn join(&mut self, other: &Ways) {
        self.wanted.join(other.wanted);
        for (k, theirs) in &other.kids {
            match self.kids.iter_mut().find(|(own, _)| own == k) {
                Some((_, below)) => below.join(theirs),
                None => self.kids.push((*k, theirs.clone())),
            }
        }
        self.count_near();
    }

    fn count_near(&mut self) {
        for (k, near) in (0..).zip(&mut self.near) {
            self.kids.iter().filter(|(own, _)| *own == k || *own == ANY).for_each(|(_, below)| near.join(below.wanted));
        }
    }

    /// Whether `now` is wanted at the end of this way.
    #[inline(always)]
    fn want(&self, mut way: impl Iterator<Item = u32> + Clone, now: Heads) -> bool {
        let Some(first) = way.next() else { return self.wanted.meet(now) };
        match self.near.get(first as usize) {
            Some(near) if way.clone().next().is_none() => near.meet(now),
            _ => self.want_far(first, way, now),
        }
    }

    #[inline(never)]
    fn want_far(&self, first: u32, way: impl Iterator<Item = u32> + Clone, now: Heads) -> bool {
        self.kids.iter().any(|(k, below)| (*k == first || *k == ANY) && below.want(way.clone(), now))
    }

    /// What is wanted at the end of some way, of at least one step.
    fn sought(&self) -> Heads {
        let mut all = Heads::default();
        for (_, below) in &self.kids {
            all.join(below.wanted);
            all.join(below.sought());
        }
        all
    }

    fn longest(&self) -> u32 {
        self.kids.iter().map(|(_, below)| below.longest() + 1).max().unwrap_or(0)
    }
}

impl Look {
    /// At nothing: it fits no term.
    pub(super) fn nothing() -> Look {
        Look {
            heads: vec![None; Head::COUNT],
            fitting: Heads::default(),
            sought: Heads::default(),
            uses: Binders::NONE,
            longest: 0,
            place: false,
        }
    }

    /// At terms with one of these constructors, these ways; `scope` is how far below the root the scope of a bound
    /// variable begins whose uses matter, or 0, and `binders` are what may bind it.
    pub(super) fn at(
        heads: impl IntoIterator<Item = Head>,
        ways: &Ways,
        (scope, binders): (u32, Binders),
        place: bool,
    ) -> Look {
        let uses = if scope > 0 { binders } else { Binders::NONE };
        let (sought, longest) = (ways.sought(), scope.max(ways.longest()));
        let mut look = Look { sought, uses, longest, place, ..Look::nothing() };
        for head in heads {
            look.heads[head.number()] = Some(ways.clone());
            look.fitting.join(Heads::one(head));
        }
        look
    }

    /// At whatever the other looks at, too.
    pub(super) fn join(&mut self, other: &Look) {
        for (own, theirs) in self.heads.iter_mut().zip(&other.heads) {
            if let Some(ways) = theirs {
                own.get_or_insert_default().join(ways);
            }
        }
        self.fitting.join(other.fitting);
        self.sought.join(other.sought);
        self.uses = self.uses.and(other.uses);
        self.longest = self.longest.max(other.longest);
        self.place |= other.place;
    }

    pub(super) fn fits(&self, head: Head) -> bool {
        self.fitting.meet(Heads::one(head))
    }

    /// Whether the rule may apply to a term with this constructor.
    #[inline]
    pub fn fits_term(&self, term: &Node) -> bool {
        self.fitting.meet(Heads::number(term.number()))
    }

    /// Whether [`Look::reaches`] says so of `now` at the end of any way below any term.
    #[inline]
    pub fn seeks(&self, now: &Term) -> bool {
        self.sought.meet(Heads::number(now.number()))
    }

    /// Whether another subterm, `now`, at `way`, a way of at least one step below the term, can turn a failure into a success
    /// by its own constructors: the way leads to or towards something that is inspected, and wanted to be what `now` is
    /// outermost. Nothing of the term itself counts but its constructor.
    #[inline]
    pub fn reaches(&self, term: &Term, way: impl Iterator<Item = u32> + Clone, now: &Term) -> bool {
        self.heads[term.number()].as_ref().is_some_and(|ways| ways.want(way, Heads::number(now.number())))
    }
}
