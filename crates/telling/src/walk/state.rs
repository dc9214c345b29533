//! Keeps the state of a [`Walk`]: terms with one of them current, the runs that led there, and what was said about them.

use std::cell::RefCell;
use std::rc::Rc;

use super::answer::{StepPosition, WalkRun};
use super::control::Breakpoint;
use super::history::{History, LineId, no_term};
use super::marks::SubtermMarks;
use super::places::PatternPlaces;
use super::reached::{Arrival, DefinitionOrigin, HistoryState};
use super::stepping::PendingRun;
use super::subterm::FocusedSubterm;
use redexter_language::check::Definition;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::{Path, Program, Term};
use redexter_rewriting::choice::PossibleRewrites;
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::strategy::{Strategy, Trace, replay};
use redexter_rewriting::why::PastRun;

/// A derivation that one walks.
#[derive(Clone, Default)]
pub struct Walk {
    pub(super) history: History,
    /// The last run of a strategy, whatever became of its term.
    pub(super) last: Option<WalkRun>,
    /// The last run, if a limit ended it and its term isn't on the line: until the current term changes.
    pub(super) stray: Option<WalkRun>,
    /// The runs that went on last and have more to do, the newest last.
    pub(super) awake: Vec<PendingRun>,
    /// The derivation on a line of the history, made when it is first looked at.
    pub(super) derivation: RefCell<Option<(LineId, Rc<Derivation>)>>,
    /// In the order of their numbers.
    pub(super) breakpoints: Vec<Breakpoint>,
    pub(super) marks: SubtermMarks,
    /// The last run, where it left no steps, failed or a limit ended it; and the number of the state that was current then.
    pub(super) ended: Option<(PastRun, Option<usize>)>,
    /// The places that `:find` found last.
    pub(super) found: Option<Rc<PatternPlaces>>,
    /// The rewrites that `:possible` listed last.
    pub(super) possible: Option<Rc<PossibleRewrites>>,
}

impl Walk {
    /// A walk that begins with a term.
    pub fn new(program: Program, origin: Option<DefinitionOrigin>) -> Walk {
        let mut walk = Walk::default();
        walk.give(program, origin);
        walk
    }

    /// Another term, from outside, becomes the current one.
    pub fn give(&mut self, program: Program, origin: Option<DefinitionOrigin>) {
        self.stray = None;
        self.give_definition(program, origin, None);
    }

    /// The same of a program that a definition says.
    pub fn give_definition(
        &mut self,
        program: Program,
        origin: Option<DefinitionOrigin>,
        definition: Option<Rc<Definition>>,
    ) {
        let state = HistoryState::new(program, Arrival::Given(origin), None, None);
        self.history.push(HistoryState { definition, ..state });
    }

    /// Steps that a strategy took elsewhere lead on from the current term.
    pub fn follow(&mut self, strategy: &Strategy, trace: &Rc<Trace>) {
        let Some(now) = self.history.current().map(|state| state.program.clone()) else { return };
        let term = replay(trace).unwrap_or_else(|_| now.term.clone());
        let how = Arrival::Taken { strategy: strategy.clone(), first: true, last: true };
        self.history.push(HistoryState::new(now.with(term), how, Some(trace.clone()), None));
    }

    /// The current term; an error where there is none.
    pub fn current(&self) -> Result<&Program, Trouble> {
        self.history.program()
    }

    /// Every term that was current.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The subterm in focus; None where that is the whole term, and an error where there is none.
    pub fn focus(&self) -> Result<Option<Box<FocusedSubterm>>, Trouble> {
        let (now, path) = (self.current()?, self.history.focus());
        Ok((!path.0.is_empty()).then(|| Box::new(FocusedSubterm::of(&now.term, &path))))
    }

    /// The path to the focus, as an address; None where it is on the whole.
    pub fn focus_address(&self) -> Option<String> {
        let (now, path) = (self.current().ok()?, self.history.focus());
        (!path.0.is_empty()).then(|| path.address(&now.term))
    }

    /// The strategy for the whole term that applies this one to the subterm in focus.
    pub fn at_focus(&self, strategy: &Strategy) -> Result<Strategy, Trouble> {
        let (now, focus) = (self.current()?, self.history.focus());
        Ok(placed(strategy, &focus, &now.term))
    }

    /// The derivation on which the current term lies.
    pub(crate) fn derivation(&self) -> Result<Rc<Derivation>, Trouble> {
        let line = self.history.line();
        if let Some((_, derivation)) = self.derivation.borrow().as_ref().filter(|(known, _)| *known == line) {
            return Ok(derivation.clone());
        }
        let (start, runs) = self.history.runs().ok_or_else(no_term)?;
        let derivation = Rc::new(Derivation::new(&start.term, &runs));
        *self.derivation.borrow_mut() = Some((line, derivation.clone()));
        Ok(derivation)
    }

    /// The derivation that is told of, and how many of its steps were taken: that on which the current term lies, or that
    /// of a run that a limit ended and that left it.
    pub fn told(&self) -> Result<(Rc<Derivation>, StepPosition), Trouble> {
        if let Some(stray) = &self.stray {
            let derivation = Rc::new(Derivation::of_run(&stray.strategy, stray.trace.clone()));
            let count = derivation.steps().len();
            return Ok((derivation, StepPosition { step: count, of: count }));
        }
        let derivation = self.derivation()?;
        let place = self.place(&derivation);
        Ok((derivation, place))
    }

    /// The derivation that is told of, if it has steps.
    pub fn all_steps(&self) -> Result<Rc<Derivation>, Trouble> {
        let (derivation, _) = self.told()?;
        if derivation.steps().is_empty() {
            return Err(self.no_steps("no step was taken yet").into());
        }
        Ok(derivation)
    }

    /// What is wrong where the derivation of the current term has no steps, and how to come to one that has.
    pub(crate) fn no_steps(&self, headline: impl Into<String>) -> Diagnostic {
        let wrong = Diagnostic::error(code::COMMAND, headline);
        let past = self.history.past();
        let takes = |state: &&&HistoryState| state.trace.as_ref().is_some_and(|trace| !trace.steps.is_empty());
        match past.iter().rev().position(|state| takes(&state)) {
            Some(back) => {
                wrong.help(format!("another term is the current one since: `:undo {back}` goes back to the last that has steps"))
            }
            None => wrong
                .help("a strategy on a line of its own runs on the current term, and leaves its steps; `t.apply(s)` leaves none"),
        }
    }

    /// The number of the step after which the current term stands, of how many.
    pub(super) fn place(&self, derivation: &Derivation) -> StepPosition {
        StepPosition { step: self.history.taken(), of: derivation.steps().len() }
    }

    /// The run that a limit ended and that isn't on the line.
    pub(crate) fn stray_run(&self) -> Option<&PastRun> {
        self.ended.as_ref().filter(|_| self.stray.is_some()).map(|(ran, _)| ran)
    }

    /// Remembers rewrites that are listed, so that one can be taken by its number.
    pub(crate) fn remember(&mut self, listed: Rc<PossibleRewrites>) {
        self.possible = Some(listed);
    }
}

/// The strategy for a whole term that applies this one at a path.
pub(super) fn placed(strategy: &Strategy, path: &Path, term: &Term) -> Strategy {
    if path.0.is_empty() { strategy.clone() } else { strategy.at(&path.display(term)) }
}
