//! Presents a derivation: its steps numbered from 1 over all its runs, the whole term after each of them, and its stages as a
//! tree.
//!
//! It knows traces and terms, and nothing of sessions, commands or how things look.

mod address;
mod curve;
mod overview;
mod stages;
mod turns;
mod view;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

pub use address::{Address, StageName, UnreachedAddress};
pub use curve::WorkCurve;
pub use overview::OverviewRow;
pub use stages::{Stage, Stages};
pub use turns::OrderChange;
pub use view::{DerivationView, MAX_END_STEPS, MAX_FULL_STEPS, NamedStep};

use crate::rule::Rule;
use crate::strategy::{Step, Trace};
use redexter_language::cost::{Poly, WorkMeter};
use redexter_language::term::Term;

/// The whole term is kept after each so many steps, so that any other one is fewer steps away.
const STEPS_PER_KEPT_TERM: usize = 64;

/// Steps that one strategy took.
#[derive(Clone, Debug)]
pub struct DerivationRun {
    /// The strategy, as it prints.
    pub strategy: Rc<str>,
    /// Its steps so far, in pieces that follow one another.
    pub traces: Vec<Rc<Trace>>,
}

/// A derivation of one term from another: runs of strategies, whose steps are numbered from 1. Number 0 is the first term.
pub struct Derivation {
    steps: Vec<Step>,
    stages: Stages,
    /// The whole terms after 0, [`STEPS_PER_KEPT_TERM`], 2·[`STEPS_PER_KEPT_TERM`] … steps.
    kept: Vec<Term>,
    /// The work after so many steps, where it was asked for.
    works: RefCell<BTreeMap<usize, Rc<Poly>>>,
    meter: RefCell<WorkMeter>,
    /// The whole term that was asked for last, and after how many steps it stands.
    last: RefCell<(usize, Term)>,
}

impl Derivation {
    /// The derivation that begins with a term; ends before the first step that doesn't fit.
    pub fn new(start: &Term, runs: &[DerivationRun]) -> Derivation {
        let all = runs.iter().flat_map(|run| run.traces.iter()).flat_map(|trace| trace.steps.iter());
        let (mut now, mut kept, mut steps) = (start.clone(), vec![start.clone()], Vec::new());
        for step in all {
            let Some(next) = step.redo(&now) else { break };
            now = next;
            steps.push(step.clone());
            if steps.len().is_multiple_of(STEPS_PER_KEPT_TERM) {
                kept.push(now.clone());
            }
        }
        let stages = Stages::of(&steps, runs);
        let last = RefCell::new((0, start.clone()));
        Derivation { steps, stages, kept, works: RefCell::default(), meter: RefCell::default(), last }
    }

    /// The derivation of one run.
    pub fn of_run(strategy: &str, trace: Rc<Trace>) -> Derivation {
        let start = trace.start.clone();
        Derivation::new(&start, &[DerivationRun { strategy: strategy.into(), traces: vec![trace] }])
    }

    /// Its steps; number 1 is the first.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The rules that took its steps, with their arguments, each once, in the order of their first steps.
    pub fn fired(&self) -> Vec<Rule> {
        let mut found: Vec<Rule> = Vec::new();
        for step in &self.steps {
            if !found.contains(step.rule()) {
                found.push(step.rule().clone());
            }
        }
        found
    }

    /// The tree of its stages.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// The whole term after so many steps; the last one beyond the end.
    pub fn term(&self, after: usize) -> Term {
        let after = after.min(self.steps.len());
        let near = (after / STEPS_PER_KEPT_TERM).min(self.kept.len() - 1);
        // From the term that was asked for last if it lies in between, so that terms asked for in order take a step each.
        let (from, term) = match &*self.last.borrow() {
            (known, term) if (near * STEPS_PER_KEPT_TERM..=after).contains(known) => (*known, term.clone()),
            _ => (near * STEPS_PER_KEPT_TERM, self.kept[near].clone()),
        };
        let term = self.steps[from..after].iter().fold(term, |term, step| step.redo(&term).unwrap_or(term));
        self.last.replace((after, term.clone()));
        term
    }

    /// The steps with these numbers, less one, as a trace of their own.
    pub fn trace(&self, range: Range<usize>) -> Trace {
        let end = range.end.min(self.steps.len());
        let start = range.start.min(end);
        Trace { start: self.term(start), steps: self.steps[start..end].to_vec() }
    }

    /// The work of the whole term after so many steps, in total.
    pub fn work(&self, after: usize) -> Rc<Poly> {
        let known = self.works.borrow().get(&after).cloned();
        known.unwrap_or_else(|| {
            let work = Rc::new(self.meter.borrow_mut().total(&self.term(after)));
            let mut works = self.works.borrow_mut();
            let before = works.range(..after).next_back().map(|(_, before)| before.clone());
            // The object of the nearest step before where the work is the same, so that many steps hold one.
            let work = before.filter(|before| *before == work).unwrap_or(work);
            works.insert(after, work.clone());
            work
        })
    }
}

/// Adds steps behind others: to the last piece where they go on with it.
fn add(pieces: &mut Vec<Range<usize>>, more: Range<usize>) {
    match pieces.last_mut().filter(|last| last.end == more.start) {
        Some(last) => last.end = more.end,
        None => pieces.push(more),
    }
}
