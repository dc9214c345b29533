//! A trace records the steps of a run, each of which can be checked and done again. The ways to their redexes are kept
//! together: deep in a term, neighbouring steps differ in their last few turns only.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use crate::rule::Rule;
use redexter_language::term::{Path, Term};

/// One rewrite.
#[derive(Clone)]
pub struct Step {
    pub(super) cause: Rc<StepCause>,
    /// The last turn on the way to the redex.
    pub(super) turn: u32,
    /// The subterm before.
    pub redex: Term,
    /// The subterm after.
    pub contractum: Term,
}

/// What the steps by one rule within the same strategies have in common.
pub(super) struct StepCause {
    pub(super) rule: Rule,
    pub(super) within: Rc<[Rc<str>]>,
    pub(super) trie: StepPathTrie,
}

impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        self.rule() == other.rule()
            && self.path() == other.path()
            && self.redex == other.redex
            && self.contractum == other.contractum
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { redex, contractum, .. } = self;
        write!(f, "{:?} at {:?}: {redex:?} --> {contractum:?}", self.rule(), self.path())
    }
}

/// A derivation: doing its steps in order on the first term gives the last.
///
/// ```
/// use redexter_language::{check, ground::Budget};
/// use redexter_rewriting::strategy::{Strategy, run};
/// # fn main() -> Result<(), redexter_language::ground::Trouble> {
/// let prelude = check::prelude(&Default::default());
/// let fill = prelude.library().find(|def| def.name().as_str() == "vectorFill").expect("it is in the prelude");
/// let fill = fill.program(&Budget::default())?;
/// // `cheaper` would ask what a term costs; nothing here does.
/// use redexter_language::cost::WorkChange;
/// let unmeasured = || -> redexter_rewriting::strategy::WorkTest { Box::new(|_, _, _| WorkChange::of(1, 1)) };
/// let Ok(run) = run(&Strategy::id(), &fill, &Budget::default(), unmeasured) else { panic!("it stops") };
/// assert!(run.trace.start == fill.term && run.trace.steps.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The first term.
    pub start: Term,
    /// The rewrites that led to the result, and no others.
    pub steps: Vec<Step>,
}

/// A step that doesn't fit the term that it is to be done on, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceMismatch(pub usize);

impl fmt::Display for TraceMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} of the trace does not fit the term before it", self.0 + 1)
    }
}

impl Trace {
    /// The whole term after each step. Ends at the first step that doesn't fit.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.steps.iter().scan(self.start.clone(), |term, step| {
            *term = step.redo(term)?;
            Some(term.clone())
        })
    }

    /// Each step with the whole term before and after it, up to the first that doesn't fit.
    pub fn rewrites(&self) -> impl Iterator<Item = (&Step, Term, Term)> {
        let mut before = self.start.clone();
        let steps = self.steps.iter().zip(self.terms());
        steps.map(move |(step, after)| (step, std::mem::replace(&mut before, after.clone()), after))
    }

    /// The last steps, so many, as [`Trace::rewrites`] gives them; `end` is the term that all steps give.
    pub fn last_rewrites(&self, end: &Term, count: usize) -> Vec<(&Step, Term, Term)> {
        let mut after = end.clone();
        let back = self.steps.iter().rev().take(count).map_while(|step| {
            let before = step.undo(0, &after)?;
            Some((step, before.clone(), std::mem::replace(&mut after, before)))
        });
        let mut found: Vec<(&Step, Term, Term)> = back.collect();
        found.reverse();
        found
    }
}

/// Counts how often each rule rewrote, with these arguments, in the order in which each did first.
pub fn fired<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Vec<(&'a Rule, usize)> {
    let mut all: Vec<(&Rule, usize)> = Vec::new();
    for rule in steps.into_iter().map(Step::rule) {
        match all.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, count)) => *count += 1,
            None => all.push((rule, 1)),
        }
    }
    all
}

impl Step {
    /// A step by this rule from `redex` to `contractum` on the way of these children, within these named strategies.
    pub fn new(
        rule: &Rule,
        way: impl IntoIterator<Item = u32>,
        (redex, contractum): (Term, Term),
        within: &Rc<[Rc<str>]>,
    ) -> Step {
        let trie = StepPathTrie::default();
        let turn = way.into_iter().fold(0, |last, kid| trie.turn(last, kid));
        let cause = StepCause { rule: rule.clone(), within: within.clone(), trie };
        Step { cause: Rc::new(cause), turn, redex, contractum }
    }

    /// The rule, with its arguments; it prints as users write it.
    pub fn rule(&self) -> &Rule {
        &self.cause.rule
    }

    /// The named strategies around it, outermost first, as they print.
    pub fn within(&self) -> &Rc<[Rc<str>]> {
        &self.cause.within
    }

    /// Where in the whole term.
    pub fn path(&self) -> Path {
        self.cause.trie.path(self.turn)
    }

    /// The whole term after this step, if it fits.
    pub fn redo(&self, whole: &Term) -> Option<Term> {
        exchange(whole, &self.path().0, &self.redex, &self.contractum)
    }

    /// The term before this step, if it fits; both stand so deep in the whole.
    pub(crate) fn undo(&self, depth: usize, after: &Term) -> Option<Term> {
        exchange(after, self.path().0.get(depth..)?, &self.contractum, &self.redex)
    }
}

/// The term with the subterm at this path replaced, if it is the one that is expected.
fn exchange(whole: &Term, path: &[u32], expected: &Term, new: &Term) -> Option<Term> {
    let mut around = Vec::with_capacity(path.len());
    let mut here = whole.clone();
    for k in path {
        let k = *k as usize;
        if k >= here.kid_count() {
            return None;
        }
        let kid = here.kid(k);
        around.push((here, k));
        here = kid;
    }
    // Checked, because steps are taken again on terms that they may not have come from.
    if here != *expected {
        return None;
    }
    let rebuild = |kid: Term, (parent, k): &(Term, usize)| parent.with_kid(*k, kid).ok();
    around.iter().rev().try_fold(new.clone(), rebuild)
}

/// Does a trace again, and gives the last term.
pub fn replay(trace: &Trace) -> Result<Term, TraceMismatch> {
    let mut term = trace.start.clone();
    for (k, step) in trace.steps.iter().enumerate() {
        term = step.redo(&term).ok_or(TraceMismatch(k))?;
    }
    Ok(term)
}

/// Ways from the root that go on from one another, each by its last turn, counted from 1; 0 is the root. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct StepPathTrie(Rc<RefCell<Vec<TrieEdge>>>);

#[derive(Clone, Copy)]
struct TrieEdge {
    /// The turn before.
    outer: u32,
    kid: u32,
}

impl StepPathTrie {
    /// With room for so many turns.
    pub(super) fn with_room_for(turns: usize) -> StepPathTrie {
        StepPathTrie(Rc::new(RefCell::new(Vec::with_capacity(turns))))
    }

    /// Goes on from a turn to child `kid`: the new turn.
    #[inline]
    pub(super) fn turn(&self, outer: u32, kid: u32) -> u32 {
        let mut turns = self.0.borrow_mut();
        turns.push(TrieEdge { outer, kid });
        turns.len() as u32
    }

    /// The numbers of the children on the way that ends with this turn.
    pub(super) fn path(&self, mut last: u32) -> Path {
        let turns = self.0.borrow();
        let mut path = Vec::new();
        while let Some(TrieEdge { outer, kid }) = (last as usize).checked_sub(1).and_then(|at| turns.get(at)) {
            path.push(*kid);
            last = *outer;
        }
        path.reverse();
        Path(path)
    }
}
