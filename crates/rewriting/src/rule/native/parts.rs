//! Says which parts are read of a variable that holds pairs, or an array of them, and moves terms to what is left of such a
//! value when the other parts have gone.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::halves::needed;
use redexter_language::ground::Name;
use redexter_language::term::{Kind, Term, Type, TypeView, View};

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PartStep {
    First,
    Second,
    Element,
}

/// The steps to a part, the outermost first.
pub(super) type PartWay = SmallVec<[PartStep; 4]>;

/// A use of a variable: the largest part of it that stands there alone.
pub(super) struct PartUse {
    pub(super) way: PartWay,
    /// Of an element, at which index.
    pub(super) index: Option<Term>,
}

/// A variable whose uses are looked for, and behind which way it is an array whose elements count as parts, if any.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a> {
    pub(super) variable: u32,
    pub(super) array: Option<&'a [PartStep]>,
}

/// The state of a loop, in its step.
pub(super) const STATE: Watched = Watched { variable: 1, array: None };

/// Which parts of a value are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Nothing,
    Everything,
    Halves(Box<(Wanted, Wanted)>),
    Elements(Box<Wanted>),
}

impl Watched<'_> {
    /// The same variable under more binders.
    fn under(self, binders: u32) -> Self {
        Watched { variable: self.variable + binders, ..self }
    }

    /// The use that a term is, if it is one as a whole.
    pub(super) fn used(self, term: &Term) -> Option<PartUse> {
        let step = match term.kind() {
            Kind::Var => {
                let own = matches!(term.view(), View::Var(t) if t == self.variable);
                return own.then(|| PartUse { way: PartWay::new(), index: None });
            }
            Kind::Fst => PartStep::First,
            Kind::Snd => PartStep::Second,
            Kind::Get => PartStep::Element,
            _ => return None,
        };
        let mut inner = self.used(&term.kid(0))?;
        if step == PartStep::Element {
            if self.array != Some(&inner.way[..]) {
                return None;
            }
            inner.index = Some(term.kid(1));
        }
        inner.way.push(step);
        Some(inner)
    }

    /// Looks at each use in a term, once at each node; `look` is told the variable's number there.
    pub(super) fn each(self, term: &Term, look: &mut dyn FnMut(&PartUse, u32)) {
        self.look(term, &mut FxHashSet::default(), look);
    }

    fn look(self, term: &Term, seen: &mut FxHashSet<(Term, u32)>, look: &mut dyn FnMut(&PartUse, u32)) {
        if term.free_at(self.variable).is_none() || !seen.insert((term.clone(), self.variable)) {
            return;
        }
        if let Some(found) = self.used(term) {
            look(&found, self.variable);
            if let Some(index) = &found.index {
                self.look(index, seen, look);
            }
            return;
        }
        (0..term.kid_count()).for_each(|k| self.under(term.binders(k)).look(&term.kid(k), seen, look));
    }

    /// The term with something else in the place of each use, in whose index that has been done; `become_of` is told the
    /// variable's number there. `None` where it is for one of them.
    pub(super) fn replaced(
        self,
        term: &Term,
        become_of: &mut dyn FnMut(&PartUse, u32) -> Option<Term>,
    ) -> Option<Term> {
        self.replace(term, &mut FxHashMap::default(), become_of)
    }

    fn replace(
        self,
        term: &Term,
        memo: &mut FxHashMap<(Term, u32), Term>,
        become_of: &mut dyn FnMut(&PartUse, u32) -> Option<Term>,
    ) -> Option<Term> {
        if term.free_at(self.variable).is_none() {
            return Some(term.clone());
        }
        let key = (term.clone(), self.variable);
        if let Some(done) = memo.get(&key) {
            return Some(done.clone());
        }
        let done = match self.used(term) {
            Some(PartUse { way, index }) => {
                let index = match index {
                    Some(index) => Some(self.replace(&index, memo, become_of)?),
                    None => None,
                };
                become_of(&PartUse { way, index }, self.variable)?
            }
            None => {
                let kid = |k: usize| self.under(term.binders(k)).replace(&term.kid(k), memo, become_of);
                let kids: SmallVec<[Term; 2]> = (0..term.kid_count()).map(kid).collect::<Option<_>>()?;
                term.with_kids(kids).ok()?
            }
        };
        memo.insert(key, done.clone());
        Some(done)
    }
}

impl PartUse {
    /// This part of a value.
    pub(super) fn of(&self, value: Term) -> Option<Term> {
        part_at(value, &self.way, self.index.as_ref())
    }
}

/// The part of a value at the end of a way, an element of it at this index.
pub(super) fn part_at(value: Term, way: &[PartStep], index: Option<&Term>) -> Option<Term> {
    way.iter().try_fold(value, |value, step| match step {
        PartStep::First => Term::fst(value).ok(),
        PartStep::Second => Term::snd(value).ok(),
        PartStep::Element => Term::get(value, index?.clone()).ok(),
    })
}

impl Wanted {
    /// Wants what is at the end of a way, too.
    pub(super) fn add(&mut self, way: &[PartStep]) {
        let Some((step, rest)) = way.split_first() else {
            *self = Wanted::Everything;
            return;
        };
        if *self == Wanted::Nothing {
            *self = match step {
                PartStep::Element => Wanted::Elements(Box::new(Wanted::Nothing)),
                _ => Wanted::Halves(Box::new((Wanted::Nothing, Wanted::Nothing))),
            };
        }
        match (&mut *self, step) {
            (Wanted::Halves(both), PartStep::First) => both.0.add(rest),
            (Wanted::Halves(both), PartStep::Second) => both.1.add(rest),
            (Wanted::Elements(own), PartStep::Element) => own.add(rest),
            _ => {}
        }
        let all = match self {
            Wanted::Halves(both) => both.0 == Wanted::Everything && both.1 == Wanted::Everything,
            Wanted::Elements(own) => **own == Wanted::Everything,
            _ => false,
        };
        if all {
            *self = Wanted::Everything;
        }
    }

    /// What is wanted of the first half, or of the second.
    pub(super) fn half(&self, second: bool) -> Wanted {
        match self {
            Wanted::Halves(both) => if second { &both.1 } else { &both.0 }.clone(),
            whole => whole.clone(),
        }
    }

    /// What is wanted of each element.
    pub(super) fn element(&self) -> Wanted {
        match self {
            Wanted::Elements(own) => (**own).clone(),
            whole => whole.clone(),
        }
    }

    /// What is wanted of a pair.
    pub(super) fn pair(first: Wanted, second: Wanted) -> Wanted {
        match (&first, &second) {
            (Wanted::Nothing, Wanted::Nothing) => Wanted::Nothing,
            (Wanted::Everything, Wanted::Everything) => Wanted::Everything,
            _ => Wanted::Halves(Box::new((first, second))),
        }
    }

    /// The way in what is left to what this way leads to, of which all is wanted.
    pub(super) fn way(&self, way: &[PartStep]) -> PartWay {
        let (mut here, mut left) = (self, PartWay::new());
        for step in way {
            here = match here {
                Wanted::Halves(both) => {
                    let (own, other) = if *step == PartStep::Second { (&both.1, &both.0) } else { (&both.0, &both.1) };
                    if *other != Wanted::Nothing {
                        left.push(*step);
                    }
                    own
                }
                Wanted::Elements(own) => {
                    left.push(*step);
                    own
                }
                whole => {
                    left.push(*step);
                    whole
                }
            };
        }
        left
    }

    /// A value of pairs without what isn't wanted, of which there must be something; taken inside of lets and choices.
    pub(super) fn of(&self, term: &Term) -> Option<Term> {
        let both = match self {
            Wanted::Everything => return Some(term.clone()),
            Wanted::Halves(both) => both,
            Wanted::Nothing | Wanted::Elements(_) => return None,
        };
        match (&both.0, &both.1) {
            (own, Wanted::Nothing) => return own.of(&half(term, false)?),
            (Wanted::Nothing, own) => return own.of(&half(term, true)?),
            _ => {}
        }
        match term.view() {
            View::Pair(a, b) => Term::pair(both.0.of(&a)?, both.1.of(&b)?).ok(),
            View::Let(x, value, body) => Term::let_in(&x, value, self.of(&body)?).ok(),
            View::If(c, a, b) => Term::if_else(c, self.of(&a)?, self.of(&b)?).ok(),
            View::Guard(k, n, number, a, b) => Term::guard(&k, n, number, self.of(&a)?, self.of(&b)?).ok(),
            View::Var(_) | View::Fst(_) | View::Snd(_) if !term.costs() => {
                Term::pair(both.0.of(&half(term, false)?)?, both.1.of(&half(term, true)?)?).ok()
            }
            _ => {
                let name = Term::var(0, term.ty());
                Term::let_in(&Name::new("p"), term.clone(), self.of(&name)?).ok()
            }
        }
    }

    /// A whole value again, of what is left of it and what stands for the parts that have gone, at this way in it.
    pub(super) fn whole(&self, left: &Term, gone: &Term, way: &[PartStep]) -> Option<Term> {
        let here = way.iter().fold(self.clone(), |wanted, step| wanted.half(*step == PartStep::Second));
        match &here {
            Wanted::Everything | Wanted::Elements(_) => part_at(left.clone(), &self.way(way), None),
            Wanted::Nothing => part_at(gone.clone(), way, None),
            Wanted::Halves(_) => {
                let longer = |step| way.iter().copied().chain([step]).collect::<PartWay>();
                let first = self.whole(left, gone, &longer(PartStep::First))?;
                Term::pair(first, self.whole(left, gone, &longer(PartStep::Second))?).ok()
            }
        }
    }
}

/// A half of a pair, taken inside of lets and choices.
pub(super) fn half(term: &Term, second: bool) -> Option<Term> {
    match term.view() {
        View::Pair(a, b) => Some(if second { b } else { a }),
        View::Let(x, value, body) => Term::let_in(&x, value, half(&body, second)?).ok(),
        View::If(c, a, b) => Term::if_else(c, half(&a, second)?, half(&b, second)?).ok(),
        View::Guard(k, n, number, a, b) => Term::guard(&k, n, number, half(&a, second)?, half(&b, second)?).ok(),
        _ if second => Term::snd(term.clone()).ok(),
        _ => Term::fst(term.clone()).ok(),
    }
}

/// The part of a pair at the end of a way of halves, with nothing left beside what it needs.
pub(super) fn part(term: &Term, way: &[PartStep]) -> Option<Term> {
    let part = way.iter().try_fold(term.clone(), |term, step| half(&term, *step == PartStep::Second))?;
    Some(needed(&part))
}

/// The parts of a pair by their ways, each worked out once.
pub(super) struct KnownParts {
    whole: Term,
    known: RefCell<FxHashMap<PartWay, Option<Term>>>,
}

impl KnownParts {
    pub(super) fn of(whole: Term) -> KnownParts {
        KnownParts { whole, known: RefCell::default() }
    }

    pub(super) fn ty(&self) -> &Type {
        self.whole.ty()
    }

    /// As `part`.
    pub(super) fn at(&self, way: &[PartStep]) -> Option<Term> {
        self.known.borrow_mut().entry(way.into()).or_insert_with(|| part(&self.whole, way)).clone()
    }
}

/// The ways to all parts of a value that are no pairs.
pub(super) fn leaf_ways(ty: &Type) -> Vec<PartWay> {
    let TypeView::Pair(a, b) = ty.view() else { return vec![PartWay::new()] };
    let within = |step, ty| {
        let longer = move |way: PartWay| [step].into_iter().chain(way).collect::<PartWay>();
        leaf_ways(ty).into_iter().map(longer)
    };
    within(PartStep::First, a).chain(within(PartStep::Second, b)).collect()
}
