//! Splits a history into parts that follow one another, which is how it is saved, and grows it again from them.

use std::collections::BTreeMap;
use std::iter;
use std::rc::Rc;

use super::history::History;
use super::reached::{Arrival, HistoryState};
use super::state::Walk;
use redexter_language::ground::Trouble;
use redexter_rewriting::strategy::{self, Strategy, Trace};

/// States one behind another, up to a term that is given or to the end.
pub struct HistorySegment {
    /// The state behind which it begins.
    pub from: Option<usize>,
    /// The states by their numbers.
    pub states: Vec<usize>,
    /// It leads from the term that was given last to the current one.
    pub is_main: bool,
}

/// A fingerprint of a history: while it stays equal, the history is written down in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryShape {
    changes: u64,
    current: usize,
    line: usize,
    states: usize,
    runs: usize,
    tags: BTreeMap<String, usize>,
}

impl HistoryShape {
    /// The fingerprint of a history, by which one sees whether it is written down in the same way as before.
    pub fn of(history: &History) -> HistoryShape {
        HistoryShape {
            changes: history.changes,
            current: history.current,
            line: history.line.len(),
            states: history.states.len(),
            runs: history.states.iter().filter(|state| state.run.is_some()).count(),
            tags: history.tags.clone(),
        }
    }
}

/// Every state in parts, each behind the one that it goes on from: what led to the current one, what was taken back,
/// the branches.
pub fn segments(history: &History) -> Vec<HistorySegment> {
    let mut seen = vec![false; history.states.len()];
    let mut parts = Vec::new();
    add_parts(history, &history.line[..history.current], &mut parts);
    if let Some(main) = parts.last_mut() {
        main.is_main = true;
    }
    add_parts(history, &history.line[history.current..], &mut parts);
    history.line.iter().for_each(|at| seen[*at] = true);
    let mut is_end = vec![true; history.states.len()];
    history.states.iter().filter_map(|state| state.before).for_each(|before| is_end[before] = false);
    for end in (0..history.states.len()).filter(|at| is_end[*at]) {
        let branch: Vec<usize> = history.way_to(end).into_iter().filter(|at| !seen[*at]).collect();
        branch.iter().for_each(|at| seen[*at] = true);
        add_parts(history, &branch, &mut parts);
    }
    parts
}

fn add_parts(history: &History, states: &[usize], parts: &mut Vec<HistorySegment>) {
    let begins = |k: usize| k == 0 || history.states[states[k]].is_given();
    for (k, at) in states.iter().enumerate() {
        match parts.last_mut().filter(|_| !begins(k)) {
            Some(part) => part.states.push(*at),
            None => parts.push(HistorySegment { from: history.states[*at].before, states: vec![*at], is_main: false }),
        }
    }
}

/// A history that grows again from parts. A state is addressed by a later one of its derivation and the number of steps to
/// it.
#[derive(Default)]
pub struct HistoryBuilder {
    /// The walk; what is given or runs on it stands behind its newest state, or behind the one from which it goes on.
    pub walk: Walk,
    /// The states on which nothing is pending.
    dropped: Vec<usize>,
}

impl HistoryBuilder {
    /// The number of the newest state.
    pub fn newest(&self) -> Option<usize> {
        self.walk.history.states.len().checked_sub(1)
    }

    /// The number of states.
    pub fn terms(&self) -> usize {
        self.walk.history.states.len()
    }

    /// Makes what is pushed next go on from this state. False where there is no such state.
    pub fn go_on_from(&mut self, end: usize, step: usize) -> bool {
        let found = self.walk.history.find(end, step).is_some();
        self.walk.history.cut();
        found
    }

    /// Steps that a strategy took become the newest ones; `first` where they are its first ones.
    pub fn push(&mut self, strategy: &Strategy, first: bool, trace: Trace) -> Result<(), Trouble> {
        let now = self.walk.current()?;
        let after = now.with(strategy::replay(&trace).unwrap_or_else(|_| trace.start.clone()));
        let how = Arrival::Taken { strategy: strategy.clone(), first, last: false };
        self.walk.history.push(HistoryState::new(after, how, Some(Rc::new(trace)), None));
        Ok(())
    }

    /// Gives a state a name. False where there is no such state.
    pub fn tag(&mut self, name: &str, end: usize, step: usize) -> bool {
        let Some(at) = self.walk.history.find(end, step) else { return false };
        self.walk.history.tags.insert(name.to_owned(), at);
        true
    }

    /// Nothing is pending on the newest state.
    pub fn drop_pending(&mut self) {
        self.dropped.extend(self.newest());
    }

    /// The walk, with this state current, on the way to the other one. Where there is no such state the `last` one is.
    pub fn finish(
        mut self,
        place: Option<(usize, usize)>,
        way: Option<(usize, usize)>,
        last: Option<usize>,
    ) -> (Walk, bool) {
        for at in &self.dropped {
            self.walk.history.states[*at].run = None;
        }
        let way = way.and_then(|(end, step)| self.walk.history.find(end, step));
        let found = place.and_then(|(end, step)| self.walk.history.find(end, step));
        if let Some(at) = found.or(last) {
            let history = &mut self.walk.history;
            let line = way.map(|end| history.way_to(end)).filter(|line| line.contains(&at));
            history.line = line.unwrap_or_else(|| history.way_to(at));
            history.current = history.line.iter().position(|other| *other == at).map_or(0, |k| k + 1);
            history.changes += 1;
        }
        (self.walk, found.is_some() || place.is_none())
    }
}

/// Goes on as another one: its terms stand behind the current one, and its current one becomes current. A tag that is
/// taken gets a number; the tags that got one, with their names.
pub fn graft(walk: &mut Walk, other: Walk) -> Vec<(String, String)> {
    let history = &mut walk.history;
    let (base, root) = (history.states.len(), history.number());
    if other.history.line.is_empty() {
        return Vec::new();
    }
    history.tag_what_is_left();
    history.cut();
    let History { states, line, current, tags, .. } = other.history;
    history.states.extend(states.into_iter().map(|state| {
        let before = state.before.map(|before| before + base).or(root);
        HistoryState { before, ..state }
    }));
    history.current = history.line.len() + current;
    history.line.extend(line.into_iter().map(|at| at + base));
    history.changes += 1;
    let mut renamed = Vec::new();
    for (name, at) in tags {
        let mut names = iter::once(name.clone()).chain((1..).map(|n| format!("{name}-{n}")));
        let Some(free) = names.find(|free| !history.tags.contains_key(free)) else { continue };
        history.tags.insert(free.clone(), at + base);
        if free != name {
            renamed.push((name, free));
        }
    }
    (walk.last, walk.stray) = (other.last, None);
    renamed
}
