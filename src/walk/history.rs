//! The changes of the current term as a tree: what was reached stays reached. Going back and on elsewhere grows a branch.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::marks::Carried;
use super::stepping::Pending;
use crate::derivation;
use crate::ground::text::shortened;
use crate::strategy::{Strategy, Trace};
use crate::syntax::{Style, print_term};
use crate::term::{Path, Program};

/// How a term became the current one.
#[derive(Clone, Debug)]
pub enum How {
    /// It was given from outside.
    Given(Option<Origin>),
    /// Steps of a strategy gave it.
    Taken {
        strategy: Strategy,
        /// These were its first steps.
        first: bool,
        /// These were its last steps.
        last: bool,
    },
}

/// The definition that a term stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its name.
    pub name: String,
    /// How a script writes it.
    pub written: String,
}

/// A term that was the current one, and how it came.
#[derive(Clone)]
pub struct State {
    pub program: Program,
    pub how: How,
    /// The steps that led to it from the state before, if it came by a strategy.
    pub trace: Option<Rc<Trace>>,
    /// The run that those steps belong to, as far as it is taken.
    pub run: Option<Pending>,
    /// A run that was begun here, of which nothing was taken.
    pub(super) begun: Option<Pending>,
    /// Where the focus is.
    pub(super) focus: Path,
    /// Running the strategy again gives these steps: nothing might have taken them back.
    pub is_settled: bool,
    /// The state before.
    pub(super) before: Option<usize>,
}

impl State {
    /// A state behind the current one.
    pub fn new(program: Program, how: How, trace: Option<Rc<Trace>>, run: Option<Pending>) -> State {
        let is_settled = run.is_some();
        State { program, how, trace, run, begun: None, focus: Path::default(), is_settled, before: None }
    }

    /// Whether it came from outside.
    pub fn is_given(&self) -> bool {
        matches!(self.how, How::Given(_))
    }

    /// Whether its steps go on with the run that led to the state before.
    pub fn goes_on(&self) -> bool {
        matches!(self.how, How::Taken { first: false, .. })
    }

    /// Whether its steps are the last ones of their run.
    pub fn is_end_of_run(&self) -> bool {
        matches!(self.how, How::Taken { last: true, .. })
    }

    /// The run that was begun here, or what is left to do of the one that led here.
    pub fn pending(&self) -> Option<&Pending> {
        self.begun.as_ref().or(self.run.as_ref().filter(|run| !run.is_done()))
    }

    /// How many steps led to it from the state before.
    pub fn steps(&self) -> usize {
        self.trace.as_ref().map_or(0, |trace| trace.steps.len())
    }
}

/// All states, and which one is current.
#[derive(Clone, Default)]
pub struct History {
    pub(super) states: Vec<State>,
    /// The states on the way to the current one, itself included, and those that were taken back from behind it: the
    /// line on which one goes back and forth.
    pub(super) line: Vec<usize>,
    /// How many of the line lead to the current one.
    pub(super) current: usize,
    pub(super) tags: BTreeMap<String, usize>,
    /// How often the line changed.
    pub(super) changes: u64,
}

/// Steps between two states.
#[derive(Clone, Copy)]
pub enum Leg<'a> {
    /// They are taken.
    On(&'a Rc<Trace>),
    /// They are taken back.
    Back(&'a Rc<Trace>),
}

/// What identifies the derivation on the line.
pub type Line = (u64, usize);

/// A state as a log lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What was run; of a term that was given how it begins, or its name.
    pub title: String,
    /// Whether it was given.
    pub is_given: bool,
    /// The numbers of the steps that led to it, less one.
    pub steps: Range<usize>,
    pub tags: Vec<String>,
    pub is_current: bool,
    /// Whether it was taken back.
    pub is_ahead: bool,
    /// Whether it lies on a branch: it doesn't go on from the entry before it, but from its first step.
    pub branches: bool,
}

/// Of a term that was given and has no name so many characters stand in a log.
const GIVEN: usize = 60;

/// Ends of branches are tagged with this and a number.
const BRANCH: &str = "b";

impl History {
    pub fn current(&self) -> Option<&State> {
        self.line[..self.current].last().map(|at| &self.states[*at])
    }

    fn current_mut(&mut self) -> Option<&mut State> {
        self.line[..self.current].last().map(|at| &mut self.states[*at])
    }

    /// The states that led to the current one, itself included.
    pub fn past(&self) -> Vec<&State> {
        self.line[..self.current].iter().map(|at| &self.states[*at]).collect()
    }

    /// Makes a state behind the current one current. What was taken back is a branch from now on, whose end gets a tag
    /// unless it has one.
    pub fn push(&mut self, state: State) {
        self.tag_what_is_left();
        self.cut();
        let before = self.line.last().copied();
        self.line.push(self.states.len());
        self.states.push(State { before, ..state });
        self.current = self.line.len();
    }

    /// The end of what was taken back gets a tag unless it has one.
    pub(super) fn tag_what_is_left(&mut self) {
        let left = self.line.get(self.current..).and_then(|left| left.last()).copied();
        self.tag_end(left);
    }

    /// What is left gets a tag unless it has one: without it nothing would lead there again.
    pub(super) fn tag_end(&mut self, end: Option<usize>) {
        if let Some(end) = end.filter(|end| !self.tags.values().any(|tagged| tagged == end)) {
            let mut names = (1..).map(|n| format!("{BRANCH}{n}"));
            if let Some(free) = names.find(|name| !self.tags.contains_key(name)) {
                self.tags.insert(free, end);
            }
        }
    }

    /// The line ends at the current state.
    pub(super) fn cut(&mut self) {
        self.changes += 1;
        self.line.truncate(self.current);
    }

    /// Drops what is pending on the current state.
    pub fn drop_pending(&mut self) -> Option<Pending> {
        self.current()?.pending()?;
        let state = self.current_mut()?;
        state.begun.take().or_else(|| state.run.take())
    }

    /// Leaves a run pending on the current state of which nothing is taken.
    pub fn begin(&mut self, run: Pending) {
        if let Some(state) = self.current_mut() {
            state.begun = Some(run);
        }
    }

    /// Where the focus is in the current term.
    pub fn focus(&self) -> Path {
        self.current().map_or_else(Path::default, |state| state.focus.clone())
    }

    /// Puts the focus there.
    pub fn set_focus(&mut self, path: Path) {
        if let Some(state) = self.current_mut() {
            state.focus = path;
        }
    }

    /// The number of the current state, which it keeps.
    pub fn number(&self) -> Option<usize> {
        self.line[..self.current].last().copied()
    }

    /// The states from the first one to this one.
    pub(super) fn way_to(&self, state: usize) -> Vec<usize> {
        let mut way: Vec<usize> = std::iter::successors(Some(state), |at| self.states[*at].before).collect();
        way.reverse();
        way
    }

    /// The steps that lead from a state to the current one, back and then on; None where a term that was given stands
    /// between them.
    pub fn legs_from(&self, state: usize) -> Option<Vec<Leg<'_>>> {
        let (from, to) = (self.way_to(state), self.way_to(self.number()?));
        let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
        if common == 0 {
            return None;
        }
        let trace = |at: &usize| self.states[*at].trace.as_ref();
        let back = from[common..].iter().rev().map(|at| trace(at).map(Leg::Back));
        back.chain(to[common..].iter().map(|at| trace(at).map(Leg::On))).collect()
    }

    /// Takes back up to `count` changes; the first term stays. Gives the number that was taken back.
    pub fn undo(&mut self, count: usize) -> usize {
        let done = count.min(self.current.saturating_sub(1));
        self.current -= done;
        done
    }

    /// Does up to `count` changes again, and gives their number.
    pub fn redo(&mut self, count: usize) -> usize {
        let done = count.min(self.line.len() - self.current);
        self.current += done;
        done
    }

    /// The run that goes on from the current state: what is pending on it, or else the one that was taken back.
    pub fn going_on(&self) -> Option<Pending> {
        let ahead = self.line.get(self.current).map(|at| &self.states[*at]);
        let again = || ahead.and_then(|state| Some(state.run.clone()?.back(state.steps())));
        self.current()?.pending().cloned().or_else(again)
    }

    /// Goes on along the line, up to so many steps of a run that it was taken along; how many there were.
    pub fn follow(&mut self, run: &Pending, steps: usize) -> usize {
        let ahead = self.line[self.current..self.next_given()].iter().map(|at| &self.states[*at]);
        let own = ahead.take_while(|state| state.run.as_ref().is_some_and(|other| other.is_of(run)));
        let known = own.map(State::steps).sum::<usize>().min(steps);
        if known > 0 && self.go_to(self.taken() + known) { known } else { 0 }
    }

    /// Where on the line the term stands that the current one was derived from.
    fn given(&self) -> usize {
        let before = &self.line[..self.current];
        before.iter().rposition(|at| self.states[*at].is_given()).unwrap_or(0)
    }

    /// Where on the line the next term stands that was given, or its end.
    fn next_given(&self) -> usize {
        let behind = &self.line[self.current..];
        behind.iter().position(|at| self.states[*at].is_given()).map_or(self.line.len(), |k| self.current + k)
    }

    /// The number of steps from the given term to the current one.
    pub fn taken(&self) -> usize {
        let from = self.given().min(self.current);
        self.line[from..self.current].iter().map(|at| self.states[*at].steps()).sum()
    }

    /// What identifies the derivation on the line: as long as it stays, so do [`History::runs`].
    pub fn line(&self) -> Line {
        (self.changes, self.given())
    }

    /// The term that the current one was derived from, and the runs that led to the current one and to what was taken
    /// back from behind it.
    pub fn runs(&self) -> Option<(&Program, Vec<derivation::Run>)> {
        let (from, to) = (self.given(), self.next_given());
        let first = &self.states[*self.line.get(from)?].program;
        let mut runs: Vec<derivation::Run> = Vec::new();
        for at in &self.line[from + 1..to] {
            let state = &self.states[*at];
            let (How::Taken { strategy, first, .. }, Some(trace)) = (&state.how, &state.trace) else { continue };
            match runs.last_mut().filter(|_| !*first) {
                Some(run) => run.traces.push(trace.clone()),
                None => {
                    runs.push(derivation::Run { strategy: strategy.to_string().into(), traces: vec![trace.clone()] })
                }
            }
        }
        Some((first, runs))
    }

    /// Makes the term current that so many steps give, counted from the given one; false where there aren't as many.
    pub fn go_to(&mut self, step: usize) -> bool {
        let (from, to) = (self.given(), self.next_given());
        let mut before = 0;
        for place in from..to {
            let steps = self.states[self.line[place]].steps();
            if before + steps == step {
                self.current = place + 1;
                return true;
            }
            if before + steps > step {
                self.split(place, step - before);
                self.current = place + 1;
                return true;
            }
            before += steps;
        }
        false
    }

    /// Puts a state on the line that so many steps of the one at this place lead to.
    fn split(&mut self, place: usize, steps: usize) {
        let at = self.line[place];
        let state = self.states[at].clone();
        let (Some(trace), How::Taken { strategy, first, last }) = (state.trace, state.how) else { return };
        let (early, late) = trace.steps.split_at(steps);
        let early = Trace { start: trace.start.clone(), steps: early.to_vec() };
        let middle = crate::strategy::replay(&early).unwrap_or_else(|_| trace.start.clone());
        let late = Trace { start: middle.clone(), steps: late.to_vec() };
        let run = state.run.map(|run| run.back(late.steps.len()));
        let focus = state.before.map_or_else(Path::default, |before| self.states[before].focus.clone());
        self.line.insert(place, self.states.len());
        self.states.push(State {
            program: state.program.with(middle),
            how: How::Taken { strategy: strategy.clone(), first, last: false },
            focus: Carried::at(&focus).after(&early.steps).path,
            trace: Some(Rc::new(early)),
            run,
            begun: None,
            is_settled: state.is_settled,
            before: state.before,
        });
        let how = How::Taken { strategy, first: false, last };
        let before = Some(self.states.len() - 1);
        self.states[at] = State { how, trace: Some(Rc::new(late)), before, ..self.states[at].clone() };
    }

    /// Gives the current term a name.
    pub fn tag(&mut self, name: &str) {
        if let Some(at) = self.line[..self.current].last() {
            self.tags.insert(name.to_owned(), *at);
        }
    }

    /// The names that were given, in order.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.keys().map(String::as_str)
    }

    /// The state with this name.
    pub fn tagged(&self, name: &str) -> Option<&State> {
        self.tags.get(name).map(|at| &self.states[*at])
    }

    /// Makes the term with this name current; false where there is none.
    pub fn go_to_tag(&mut self, name: &str) -> bool {
        let Some(at) = self.tags.get(name).copied() else { return false };
        if let Some(place) = self.line.iter().position(|other| *other == at) {
            self.current = place + 1;
            return true;
        }
        let way = self.way_to(at);
        let end = self.line.last().copied().filter(|end| !way.contains(end));
        self.tag_end(end);
        self.changes += 1;
        self.current = way.len();
        self.line = way;
        true
    }

    /// The definition that the given term stands for, from which the current one was derived.
    pub fn origin(&self) -> Option<&Origin> {
        match &self.states[*self.line.get(self.given())?].how {
            How::Given(origin) => origin.as_ref(),
            How::Taken { .. } => None,
        }
    }

    /// Every state: those on the line, then the branches.
    pub fn log(&self) -> Vec<Entry> {
        let mut log = Log::of(self);
        for (place, at) in self.line.iter().enumerate() {
            log.list(*at, place + 1 == self.current, place >= self.current, false);
        }
        for end in 0..self.states.len() {
            if log.behind[end] > 0 || log.numbers[end].is_some() {
                continue;
            }
            let mut branch = vec![end];
            while let Some(before) =
                self.states[branch[branch.len() - 1]].before.filter(|before| log.numbers[*before].is_none())
            {
                branch.push(before);
            }
            branch.reverse();
            for (k, at) in branch.into_iter().enumerate() {
                log.list(at, false, false, k == 0);
            }
        }
        log.entries
    }
}

/// A log that is being written, each state behind the one before it.
struct Log<'a> {
    history: &'a History,
    /// How many states stand directly behind each.
    behind: Vec<usize>,
    /// The number of the last step that led to each that is listed, counted from the term that was given.
    numbers: Vec<Option<usize>>,
    entries: Vec<Entry>,
}

impl<'a> Log<'a> {
    fn of(history: &'a History) -> Log<'a> {
        let count = history.states.len();
        let mut behind = vec![0; count];
        history.states.iter().filter_map(|state| state.before).for_each(|before| behind[before] += 1);
        Log { history, behind, numbers: vec![None; count], entries: Vec::new() }
    }

    /// Lists a state, with the one before it where both are pieces of one run that nothing sets apart.
    fn list(&mut self, at: usize, is_current: bool, is_ahead: bool, branches: bool) {
        let state = &self.history.states[at];
        let start = state.before.filter(|_| !state.is_given()).and_then(|before| self.numbers[before]).unwrap_or(0);
        let end = start + state.steps();
        self.numbers[at] = Some(end);
        let tagged = self.history.tags.iter().filter(|(_, tagged)| **tagged == at);
        let tags: Vec<String> = tagged.map(|(name, _)| name.clone()).collect();
        let goes_on = matches!(state.how, How::Taken { first: false, .. }) && !branches;
        let forks = state.before.is_some_and(|before| self.behind[before] > 1);
        let same = |last: &&mut Entry| {
            goes_on && !forks && last.tags.is_empty() && !last.is_current && last.is_ahead == is_ahead
        };
        if let Some(last) = self.entries.last_mut().filter(same) {
            last.steps.end = end;
            last.is_current = is_current;
            last.tags = tags;
            return;
        }
        let title = match &state.how {
            How::Given(Some(origin)) => origin.name.clone(),
            How::Given(None) => shortened(&print_term(&state.program.term, &Style { width: usize::MAX }), GIVEN),
            How::Taken { strategy, .. } => strategy.to_string(),
        };
        self.entries.push(Entry {
            title,
            is_given: state.is_given(),
            steps: start..end,
            tags,
            is_current,
            is_ahead,
            branches,
        });
    }
}
