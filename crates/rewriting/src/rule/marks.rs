//! Tracks what a context says about the variables that it binds, as one goes down and up in a term: [`Marks`] know which of them
//! depend on a parameter index, as tangents do, and which count the iterations of loops. It knows terms and no rules.

use std::hash::Hasher;

use rustc_hash::{FxHashSet, FxHasher};

use redexter_language::term::{IndexLookup, Kind, Term, TermRef};

/// A variable that a context binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BinderMarks {
    /// It counts the iterations of a `build` or an `ifold`.
    pub(super) counts: bool,
    /// It depends on what was asked for.
    pub(super) marked: bool,
}

/// The part of an enclosing term that the way from the root has just entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContextRole {
    /// The result itself: through λ, `let` bodies, pairs, array literals and elements of such; whether a parameter index is
    /// bound on the way.
    Result(bool),
    /// The function of a `build`; if its elements are part of the result, the same.
    Elements(Option<bool>),
    /// The function of an `ifold`; whether its state depends on what was asked for.
    State(bool),
    /// The function of an `ifold` that is the result, where no parameter index is bound on the way.
    Sum,
    /// The same of either after the accumulator; whether it is the result.
    Rounds(bool),
    /// Anything else.
    Inside,
}

/// A step from a term to one of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ContextStep {
    /// To where.
    pub(super) way: ContextRole,
    /// The variable that is bound on it.
    pub(super) binder: Option<BinderMarks>,
    /// The term is an `ifold` that depends on what was asked for.
    folds: bool,
    /// The term is `=` or `!=`.
    compares: bool,
}

impl ContextStep {
    /// A step to a child of a term that was entered in a certain way and whose free variables may be marked; `parameters` says
    /// whether parameter indices mark anything, or only what is marked already.
    pub(super) fn new(
        term: &Term,
        kid: usize,
        way: ContextRole,
        parameters: bool,
        is_marked: impl Fn(u32) -> bool,
    ) -> ContextStep {
        let mut step = ContextStep { way: ContextRole::Inside, binder: None, folds: false, compares: false };
        let binder = |counts, marked| Some(BinderMarks { counts, marked });
        match (term.kind(), way) {
            (Kind::Lam(..), ContextRole::Elements(result)) => {
                // A counter of the result's elements is a parameter index only if some `=` compares it with an index further in.
                let marked = parameters && result.is_some() && is_compared(term);
                step.way = result.map_or(ContextRole::Inside, |earlier| ContextRole::Result(earlier || marked));
                step.binder = binder(true, marked);
            }
            (Kind::Lam(..), ContextRole::State(marked)) => {
                (step.way, step.binder) = (ContextRole::Rounds(false), binder(false, marked))
            }
            (Kind::Lam(..), ContextRole::Sum) => {
                (step.way, step.binder) = (ContextRole::Rounds(true), binder(false, false))
            }
            (Kind::Lam(..), ContextRole::Rounds(result)) => {
                step.binder = binder(true, parameters && result && is_compared(term))
            }
            (Kind::Lam(..), _) => (step.way, step.binder) = (way, binder(false, false)),
            (Kind::Let(_), _) if kid > 0 => {
                let mut value = term.as_part().part(0).places().iter().map(|p| term.places()[*p as usize]);
                step.binder = binder(false, value.any(is_marked));
                step.way = if let ContextRole::Result(_) = way { way } else { ContextRole::Inside };
            }
            // The index is the number that is asked for.
            (Kind::Guard(..), _) if kid == 1 => {
                let mut number = term.as_part().part(0).places().iter().map(|p| term.places()[*p as usize]);
                step.binder = binder(false, number.any(is_marked));
            }
            (Kind::Build(_), ContextRole::Result(earlier)) => step.way = ContextRole::Elements(Some(earlier)),
            (Kind::Build(_) | Kind::Scatter(..), _) => step.way = ContextRole::Elements(None),
            (Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_), _) => {
                // Each iteration may put what it mentions into the state, so that one marked variable marks the state.
                step.folds = term.places().iter().any(|index| is_marked(*index));
                step.way = match (kid, way) {
                    (0, ContextRole::Result(false)) if !step.folds && matches!(term.kind(), Kind::Ifold(_)) => {
                        ContextRole::Sum
                    }
                    (0, _) => ContextRole::State(step.folds),
                    _ => ContextRole::Inside,
                };
            }
            // What is transposed is a tangent.
            (Kind::Pull, _) if kid == 0 => step.way = ContextRole::State(parameters),
            (Kind::Pair | Kind::Array(_), ContextRole::Result(_)) => step.way = way,
            (Kind::Prim(_), _) => step.compares = term.kind().is_equation(),
            (Kind::Let(_) | Kind::Pair | Kind::Array(_) | Kind::Pull | Kind::Plus, _) => {}
            (Kind::App | Kind::If | Kind::Guard(..) | Kind::Get | Kind::Within(_) | Kind::Fst | Kind::Snd, _) => {}
            (Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_), _) => {}
        }
        step
    }
}

/// The marks of the variables that a context binds, from a root on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Those down to here.
    steps: Vec<ContextStep>,
    /// The variables, outermost first.
    binders: Vec<BinderMarks>,
}

impl Marks {
    /// The marks at a place, given by the terms and the numbers of their children on the way to it.
    pub fn of<'a>(way: impl IntoIterator<Item = (&'a Term, usize)>) -> Marks {
        let mut marks = Marks::default();
        way.into_iter().for_each(|(term, kid)| marks.enter(term, kid));
        marks
    }

    /// One step down, from the term at this place.
    #[inline(never)]
    pub fn enter(&mut self, term: &Term, kid: usize) {
        let step = self.step(term, kid);
        self.steps.push(step);
        self.binders.extend(step.binder);
    }

    /// Back up by one step.
    #[inline(never)]
    pub fn leave(&mut self) {
        if self.steps.pop().is_some_and(|step| step.binder.is_some()) {
            self.binders.pop();
        }
    }

    fn step(&self, term: &Term, kid: usize) -> ContextStep {
        let is_marked = |index| self.binder(index).is_some_and(|binder| binder.marked);
        ContextStep::new(term, kid, self.way(), true, is_marked)
    }

    pub(super) fn way(&self) -> ContextRole {
        self.steps.last().map_or(ContextRole::Result(false), |step| step.way)
    }

    /// The number of variables.
    pub(super) fn depth(&self) -> usize {
        self.binders.len()
    }

    pub(super) fn binder(&self, index: u32) -> Option<BinderMarks> {
        let level = self.binders.len().checked_sub(index as usize + 1)?;
        Some(self.binders[level])
    }

    /// All that is said of the free variables of a term at this place, and of those that are bound in it. Where it is the
    /// same of two places, a node says the same there.
    #[inline(never)]
    pub fn signature(&self, term: &Term) -> u64 {
        signature(self.way(), term.places().iter().map(|index| self.binder(*index)))
    }

    /// The signature at a child.
    #[inline(never)]
    pub fn signature_below(&self, term: &Term, kid: usize) -> u64 {
        let (step, places, binders) = (self.step(term, kid), term.places(), term.binders(kid));
        let binder = |index: &u32| match index.checked_sub(binders) {
            Some(p) => self.binder(places[p as usize]),
            None => step.binder,
        };
        signature(step.way, term.as_part().part(kid).places().iter().map(binder))
    }

    /// Whether all of it surely stays as it is if one term at this place is replaced by the other.
    #[inline(never)]
    pub fn stay(&self, then: &Term, now: &Term) -> bool {
        let (a, b) = (then.places(), now.places());
        // A variable that is new at this place could become marked, or meet another one, further out; one that is gone matters
        // only where an equation stands around, or a fold if it was marked.
        let lost = || {
            let mut in_b = IndexLookup::new(b);
            a.iter().filter(|index| in_b.place(**index).is_none()).any(|index| self.hang_on(*index))
        };
        let mut in_a = IndexLookup::new(a);
        let kept = a == b || b.iter().all(|index| in_a.place(*index).is_some()) && !lost();
        kept && meet_alike(then, now)
    }

    /// Whether something may hang on that a variable occurs at this place.
    fn hang_on(&self, index: u32) -> bool {
        let marked = self.binder(index).is_some_and(|binder| binder.marked);
        self.steps.iter().any(|step| step.compares || step.folds && marked)
    }
}

/// Exact as long as the variables fit into one word; hashed beyond.
fn signature(way: ContextRole, variables: impl Iterator<Item = Option<BinderMarks>>) -> u64 {
    let mut word = match way {
        ContextRole::Result(marked) => 1 + u64::from(marked),
        ContextRole::Elements(None) => 3,
        ContextRole::Elements(Some(marked)) => 4 + u64::from(marked),
        ContextRole::State(marked) => 6 + u64::from(marked),
        ContextRole::Sum => 8,
        ContextRole::Rounds(result) => 9 + u64::from(result),
        ContextRole::Inside => 11,
    };
    for (k, binder) in variables.enumerate() {
        let flags = binder.map_or(0, |binder| u64::from(binder.counts) | u64::from(binder.marked) << 1);
        if k > 0 && k % VARIABLES_PER_WORD == 0 {
            let mut hasher = FxHasher::default();
            hasher.write_u64(word);
            word = hasher.finish();
        }
        word = word.rotate_left(2) ^ flags;
    }
    word
}

/// So many variables fit into a signature's word: two bits for each, because the way takes up four.
const VARIABLES_PER_WORD: usize = 30;

/// Whether some `=` in the body of a λ compares its variable with one that is bound further in.
fn is_compared(lam: &Term) -> bool {
    let body = lam.as_part().part(0);
    if !body.compares() {
        return false;
    }
    let Some(own) = body.places().iter().position(|index| *index == 0) else { return false };
    // A node keeps only so many pairs of variables; where there were more, the body has to be searched.
    let meets = body.meets();
    match meets.many {
        true => is_compared_somewhere(&lam.kid(0)),
        false => meets.inner.contains(&(own as u32)),
    }
}

/// Whether the same variables meet in both terms.
fn meet_alike(a: &Term, b: &Term) -> bool {
    if !a.compares() && !b.compares() {
        return true;
    }
    let (x, y) = (a.meets(), b.meets());
    let index = |term: &Term, p: u32| term.places()[p as usize];
    let inner = |term: &Term, all: &[u32]| {
        let mut all: Vec<u32> = all.iter().map(|p| index(term, *p)).collect();
        all.sort_unstable();
        all
    };
    let pairs = |term: &Term, all: &[[u32; 2]]| {
        let pair = |[p, q]: &[u32; 2]| (index(term, *p).min(index(term, *q)), index(term, *p).max(index(term, *q)));
        let mut all: Vec<(u32, u32)> = all.iter().map(pair).collect();
        all.sort_unstable();
        all
    };
    // Where there are too many pairs to be kept nothing is known, so that they count as changed.
    !x.many && !y.many && inner(a, &x.inner) == inner(b, &y.inner) && pairs(a, &x.pairs) == pairs(b, &y.pairs)
}

/// The same as [`is_compared`], searched for.
fn is_compared_somewhere(body: &Term) -> bool {
    let own = |t: &Term, under: u32| t.free_at(under).is_some();
    let wanted = |term: &Term, under: u32| {
        let inner = |t: TermRef| t.places().iter().any(|p| term.places()[*p as usize] < under);
        let own = |t: TermRef| t.places().iter().any(|p| term.places()[*p as usize] == under);
        let sides = || (term.as_part().part(0), term.as_part().part(1));
        let across = |(a, b)| own(a) && inner(b) || own(b) && inner(a);
        term.kind().is_equation() && across(sides())
    };
    search(body, 0, &mut FxHashSet::default(), &own, &wanted)
}

/// A predicate of a search on a term and the number of binders passed.
type NodePredicate<'a> = &'a dyn Fn(&Term, u32) -> bool;

/// Whether `wanted` holds of a node in the term; what isn't `relevant` holds no such node.
pub(super) fn search(
    term: &Term,
    under: u32,
    seen: &mut FxHashSet<(Term, u32)>,
    relevant: NodePredicate,
    wanted: NodePredicate,
) -> bool {
    if term.kid_count() == 0 || !relevant(term, under) || !seen.insert((term.clone(), under)) {
        return false;
    }
    wanted(term, under)
        || (0..term.kid_count()).any(|k| search(&term.kid(k), under + term.binders(k), seen, relevant, wanted))
}
