//! Finds the last term of a derivation from which a solution still leads to the goal.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Lesson, Solution};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::{Path, Term};
use redexter_rewriting::compare::AttemptEnd;
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::rule::Rule;
use redexter_rewriting::strategy::{Step, Trace};
use redexter_rewriting::why::WhyNot;

/// The place where a derivation leaves the way to the goal.
#[derive(Clone, Debug)]
pub struct WrongTurn {
    /// After so many steps a solution could go on to the goal, and after none of the later ones.
    pub after: usize,
    /// The step that leaves the way, which is the next one.
    pub away: Step,
    /// The term before it.
    pub whole: Term,
    /// A stage of the schedule that takes no step that is kept, and has the rule with which a solution would go on.
    pub idle: Option<String>,
}

/// The next step of a solution at the end of a derivation.
#[derive(Clone, Debug)]
pub struct SolutionStep {
    /// The rule that it applies next; it reaches the goal from there.
    pub rule: Rule,
    /// The place at which it applies it.
    pub path: Path,
    /// Why the schedule didn't.
    pub why: Box<WhyNot>,
    /// Why that rule did nothing, where the schedule has it and took no step at all.
    pub own: Option<IdleReason>,
}

/// The reason why a rule that a schedule has did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdleReason {
    /// The schedule is tried at the root alone: under `topDown` it takes a step.
    AtRoot,
    /// The sequence that has it begins with this, which succeeds nowhere.
    Begins(String),
    /// Of the sequence that has it this succeeds somewhere, but what stands right behind it fails wherever it does.
    Behind(String, String),
    /// It isn't tried there.
    Elsewhere,
}

/// The last term of a derivation that is on a way to the goal.
pub(super) struct LastGoodTerm {
    /// After so many steps.
    pub(super) after: usize,
    /// The next step of a solution that goes on from there, unless the goal is reached.
    pub(super) first: Option<Step>,
}

impl LastGoodTerm {
    /// A term is on a way if it is one of those that a solution leads through from the first term or a later one, or if a
    /// solution that begins there reaches the goal. From the first term on all solutions do.
    pub(super) fn last(lesson: &Lesson, derivation: &Derivation, budget: &Budget) -> Result<LastGoodTerm, Trouble> {
        let (mut known, mut tried) = (FxHashMap::default(), FxHashSet::default());
        let mut last = LastGoodTerm { after: 0, first: None };
        for after in 0..=derivation.steps().len() {
            let term = derivation.term(after);
            // A term from which the way on is known, or that was tried in vain, needs no other run of the solutions.
            let is_new = !known.contains_key(&term.fingerprint()) && tried.insert(term.fingerprint());
            for Solution { strategy, trace } in lesson.solutions.iter().filter(|_| is_new) {
                match after {
                    0 => note(trace, &mut known),
                    _ => {
                        let run = lesson.run(strategy, &term, budget)?;
                        if matches!(&run.end, AttemptEnd::Done(end) if lesson.goal.is_reached(end)) {
                            note(&run.trace, &mut known);
                        }
                    }
                }
            }
            if let Some(first) = known.get(&term.fingerprint()) {
                last = LastGoodTerm { after, first: first.clone() };
            }
        }
        Ok(last)
    }
}

/// Notes how each term goes on that a solution leads through.
fn note(trace: &Trace, known: &mut FxHashMap<u128, Option<Step>>) {
    let nexts = trace.steps.iter().cloned().map(Some).chain([None]);
    for (term, first) in std::iter::once(trace.start.clone()).chain(trace.terms()).zip(nexts) {
        // What was noted first is kept: the best solution comes first.
        known.entry(term.fingerprint()).or_insert(first);
    }
}
