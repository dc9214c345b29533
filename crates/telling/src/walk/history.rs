//! Keeps the changes of the current term as a tree: what was reached stays reached. Going back and on elsewhere grows a branch.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::reached::{Arrival, DefinitionOrigin, HistoryState};
use super::stepping::PendingRun;
use super::tracked::TrackedPath;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::{Path, Program};
use redexter_rewriting::derivation::DerivationRun;
use redexter_rewriting::strategy::{Step, Strategy, Trace};

/// All states, and which one is current.
#[derive(Clone, Default)]
pub struct History {
    pub(super) states: Vec<HistoryState>,
    /// The states on the way to the current one, itself included, and those that were taken back from behind it: the
    /// line on which one goes back and forth.
    pub(super) line: Vec<usize>,
    /// The number of states of the line that lead to the current one, itself included.
    pub(super) current: usize,
    pub(super) tags: BTreeMap<String, usize>,
    /// The number of changes of the line, by which a change is noticed.
    pub(super) changes: u64,
}

/// States one behind another to which the steps of one run led, of one term.
pub struct TakenRun<'a> {
    pub strategy: &'a Strategy,
    pub start: &'a Program,
    pub states: Vec<&'a HistoryState>,
}

/// The runs of which states one behind another come.
pub fn taken_runs<'a>(states: impl IntoIterator<Item = &'a HistoryState>) -> Vec<TakenRun<'a>> {
    let mut runs: Vec<TakenRun> = Vec::new();
    let mut before = None;
    for state in states {
        if let (Arrival::Taken { strategy, first, .. }, Some(start)) = (&state.how, before) {
            match runs.last_mut().filter(|_| !*first) {
                Some(run) => run.states.push(state),
                None => runs.push(TakenRun { strategy, start, states: vec![state] }),
            }
        }
        before = Some(&state.program);
    }
    runs
}

/// Steps between two states.
#[derive(Clone, Copy)]
pub enum HistoryLeg<'a> {
    /// They are taken.
    On(&'a Rc<Trace>),
    /// They are taken back.
    Back(&'a Rc<Trace>),
}

/// The identity of the derivation on the line: it stays as long as that does.
pub type LineId = (u64, usize);

/// Ends of branches are tagged with this and a number.
const BRANCH_TAG: &str = "b";

impl History {
    pub fn current(&self) -> Option<&HistoryState> {
        self.line[..self.current].last().map(|at| &self.states[*at])
    }

    /// The current term; an error where there is none.
    pub fn program(&self) -> Result<&Program, Trouble> {
        self.current().map(|state| &state.program).ok_or_else(|| no_term().into())
    }

    fn current_mut(&mut self) -> Option<&mut HistoryState> {
        self.line[..self.current].last().map(|at| &mut self.states[*at])
    }

    /// The states that led to the current one, itself included.
    pub fn past(&self) -> Vec<&HistoryState> {
        self.line[..self.current].iter().map(|at| &self.states[*at]).collect()
    }

    /// Makes a state behind the current one current. What was taken back is a branch from now on, whose end gets a tag
    /// unless it has one.
    pub fn push(&mut self, state: HistoryState) {
        self.tag_what_is_left();
        self.cut();
        let before = self.line.last().copied();
        self.line.push(self.states.len());
        let state = self.shared(state);
        self.states.push(HistoryState { before, ..state });
        self.current = self.line.len();
    }

    /// Shares what a state has in common with an earlier one: a run that took the same steps from the same term holds the same
    /// program and steps, which are held once.
    fn shared(&self, state: HistoryState) -> HistoryState {
        match self.states.iter().rev().find(|known| known.is_repeated_by(&state)) {
            Some(HistoryState { program, trace, run, .. }) => {
                HistoryState { program: program.clone(), trace: trace.clone(), run: run.clone(), ..state }
            }
            None => state,
        }
    }

    /// The end of what was taken back gets a tag unless it has one.
    pub(super) fn tag_what_is_left(&mut self) {
        let left = self.line.get(self.current..).and_then(|left| left.last()).copied();
        self.tag_end(left);
    }

    /// What is left gets a tag unless it has one: without it nothing would lead there again.
    pub(super) fn tag_end(&mut self, end: Option<usize>) {
        if let Some(end) = end.filter(|end| !self.tags.values().any(|tagged| tagged == end)) {
            let mut names = (1..).map(|n| format!("{BRANCH_TAG}{n}"));
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
    pub fn drop_pending(&mut self) -> Option<PendingRun> {
        self.current()?.pending()?;
        let state = self.current_mut()?;
        state.begun.take().or_else(|| state.run.take())
    }

    /// Leaves a run pending on the current state of which nothing is taken.
    pub fn begin(&mut self, run: PendingRun) {
        if let Some(state) = self.current_mut() {
            state.begun = Some(run);
        }
    }

    /// The path to the focus in the current term.
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
    pub fn legs_from(&self, state: usize) -> Option<Vec<HistoryLeg<'_>>> {
        let (from, to) = (self.way_to(state), self.way_to(self.number()?));
        let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
        if common == 0 {
            return None;
        }
        let trace = |at: &usize| self.states[*at].trace.as_ref();
        let back = from[common..].iter().rev().map(|at| trace(at).map(HistoryLeg::Back));
        back.chain(to[common..].iter().map(|at| trace(at).map(HistoryLeg::On))).collect()
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
    pub fn going_on(&self) -> Option<PendingRun> {
        let ahead = self.line.get(self.current).map(|at| &self.states[*at]);
        let again = || ahead.and_then(|state| Some(state.run.clone()?.back(state.steps())));
        self.current()?.pending().cloned().or_else(again)
    }

    /// Goes on along the line, up to so many steps of a run that it was taken along; how many there were.
    pub fn follow(&mut self, run: &PendingRun, steps: usize) -> usize {
        let ahead = self.line[self.current..self.next_given()].iter().map(|at| &self.states[*at]);
        let own = ahead.take_while(|state| state.run.as_ref().is_some_and(|other| other.is_of(run)));
        let known = own.map(HistoryState::steps).sum::<usize>().min(steps);
        if known > 0 && self.go_to(self.taken() + known) { known } else { 0 }
    }

    /// The place on the line of the given term that the current one was derived from.
    fn given(&self) -> usize {
        let before = &self.line[..self.current];
        before.iter().rposition(|at| self.states[*at].is_given()).unwrap_or(0)
    }

    /// The place on the line of the next term that was given, or the line's end.
    fn next_given(&self) -> usize {
        let behind = &self.line[self.current..];
        behind.iter().position(|at| self.states[*at].is_given()).map_or(self.line.len(), |k| self.current + k)
    }

    /// The number of steps from the given term to the current one.
    pub fn taken(&self) -> usize {
        let from = self.given().min(self.current);
        self.line[from..self.current].iter().map(|at| self.states[*at].steps()).sum()
    }

    /// The last run of one of these strategies that led to the current term, and the number of steps before it.
    pub fn began(&self, strategies: &[&Strategy]) -> Option<(TakenRun<'_>, usize)> {
        let from = self.given().min(self.current);
        let mut before = 0;
        let with_steps =
            taken_runs(self.line[from..self.current].iter().map(|at| &self.states[*at])).into_iter().map(|run| {
                let first = before;
                before += run.states.iter().map(|state| state.steps()).sum::<usize>();
                (run, first)
            });
        with_steps.filter(|(run, _)| strategies.contains(&run.strategy)).last()
    }

    /// The identity of the derivation on the line: as long as it stays, so do [`History::runs`].
    pub fn line(&self) -> LineId {
        (self.changes, self.given())
    }

    /// The term that the current one was derived from, and the runs that led to the current one and to what was taken
    /// back from behind it.
    pub fn runs(&self) -> Option<(&Program, Vec<DerivationRun>)> {
        let first = &self.derived().next()?.program;
        let run = |run: TakenRun| DerivationRun {
            strategy: run.strategy.to_string().into(),
            traces: run.states.iter().filter_map(|state| state.trace.clone()).collect(),
        };
        Some((first, taken_runs(self.derived()).into_iter().map(run).collect()))
    }

    /// The term that the current one was derived from, and those that were derived from it, on the line.
    pub fn derived(&self) -> impl Iterator<Item = &HistoryState> {
        let (from, to) = (self.given().min(self.line.len()), self.next_given());
        self.line[from..to].iter().map(|at| &self.states[*at])
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

    /// Splits the steps that lead to the state at this place of the line: a new state before it stands after the first `steps` of
    /// them. The old state keeps its number, since tags and marks name it by that.
    fn split(&mut self, place: usize, steps: usize) {
        let at = self.line[place];
        let state = self.states[at].clone();
        let (Some(trace), Arrival::Taken { strategy, first, last }) = (state.trace, state.how) else { return };
        let (early, late) = trace.steps.split_at(steps);
        let early = Trace { start: trace.start.clone(), steps: early.to_vec() };
        let middle = redexter_rewriting::strategy::replay(&early).unwrap_or_else(|_| trace.start.clone());
        let late = Trace { start: middle.clone(), steps: late.to_vec() };
        let run = state.run.map(|run| run.back(late.steps.len()));
        let focus = state.before.map_or_else(Path::default, |before| self.states[before].focus.clone());
        self.line.insert(place, self.states.len());
        self.states.push(HistoryState {
            program: state.program.with(middle),
            how: Arrival::Taken { strategy: strategy.clone(), first, last: false },
            definition: None,
            focus: TrackedPath::at(&focus).after(&early.steps).path,
            trace: Some(Rc::new(early)),
            run,
            begun: None,
            is_settled: state.is_settled,
            before: state.before,
        });
        let how = Arrival::Taken { strategy, first: false, last };
        let before = Some(self.states.len() - 1);
        self.states[at] = HistoryState { how, trace: Some(Rc::new(late)), before, ..self.states[at].clone() };
    }

    /// Gives the current term a name; true where another term had it.
    pub fn tag(&mut self, name: &str) -> bool {
        let Some(at) = self.line[..self.current].last() else { return false };
        self.tags.insert(name.to_owned(), *at).is_some_and(|before| before != *at)
    }

    /// The names that were given, in order.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.keys().map(String::as_str)
    }

    /// The state with this name.
    pub fn tagged(&self, name: &str) -> Option<&HistoryState> {
        self.tags.get(name).map(|at| &self.states[*at])
    }

    /// The first steps that were taken from the term with this name.
    pub fn taken_from_tag(&self, name: &str) -> Vec<&Step> {
        let Some(at) = self.tags.get(name) else { return Vec::new() };
        let next = self.states.iter().filter(|state| state.before == Some(*at));
        next.filter_map(|state| state.trace.as_ref()?.steps.first()).collect()
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
    pub fn origin(&self) -> Option<&DefinitionOrigin> {
        match &self.states[*self.line.get(self.given())?].how {
            Arrival::Given(origin) => origin.as_ref(),
            Arrival::Taken { .. } => None,
        }
    }

    /// The state with this number.
    pub fn state(&self, number: usize) -> &HistoryState {
        &self.states[number]
    }

    /// The numbers of the current state and of the last one on the line.
    pub fn here(&self) -> Option<(usize, usize)> {
        Some((*self.line[..self.current].last()?, *self.line.last()?))
    }

    /// The tags with the numbers of their states.
    pub fn tagged_states(&self) -> impl Iterator<Item = (&str, usize)> {
        self.tags.iter().map(|(name, at)| (name.as_str(), *at))
    }

    /// Makes the term current that so many steps of the derivation with this end give: its state's number.
    pub(super) fn find(&mut self, end: usize, step: usize) -> Option<usize> {
        self.changes += 1;
        self.line = self.way_to(end);
        self.current = self.line.len();
        if !self.go_to(step) {
            return None;
        }
        self.line[..self.current].last().copied()
    }
}

pub(super) fn no_term() -> Diagnostic {
    Diagnostic::error(code::NO_TERM, "there is no current term")
        .help("load a model and name one of its definitions: `:load models/vector_sum.arr`, then `gradient`")
}
