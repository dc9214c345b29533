//! Lists a history: what led to the current term, what was taken back, the branches.

use std::ops::Range;

use super::history::History;
use super::reached::Arrival;
use redexter_language::ground::text::shortened;
use redexter_language::syntax::{PrintStyle, print_term};

/// A state as a log lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The strategy that ran; of a term that was given its name, or its beginning.
    pub title: String,
    /// Whether it was given.
    pub is_given: bool,
    /// The numbers of the steps that led to it, less one.
    pub steps: Range<usize>,
    pub tags: Vec<String>,
    pub is_current: bool,
    /// Whether it was taken back.
    pub is_ahead: bool,
    /// Whether a branch begins with it: it goes on from the term after `steps.start` steps, not from the entry before.
    pub branches: bool,
}

/// The most characters in a log of a term that was given and has no name.
const MAX_TERM_CHARS: usize = 60;

/// Every state: those on the line, then the branches.
pub fn log_entries(history: &History) -> Vec<LogEntry> {
    let mut log = LogWriter::of(history);
    for (place, at) in history.line.iter().enumerate() {
        log.list(*at, place + 1 == history.current, place >= history.current, false);
    }
    for end in 0..history.states.len() {
        // A branch is found by its end: a state with others behind it comes with these, and the line is listed already.
        if log.behind[end] > 0 || log.numbers[end].is_some() {
            continue;
        }
        let mut branch = vec![end];
        while let Some(before) =
            history.states[branch[branch.len() - 1]].before.filter(|before| log.numbers[*before].is_none())
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

/// A log that is being written, each state behind the one before it.
struct LogWriter<'a> {
    history: &'a History,
    /// How many states stand directly behind each.
    behind: Vec<usize>,
    /// The number of the last step that led to each that is listed, counted from the term that was given.
    numbers: Vec<Option<usize>>,
    entries: Vec<LogEntry>,
}

impl<'a> LogWriter<'a> {
    fn of(history: &'a History) -> LogWriter<'a> {
        let count = history.states.len();
        let mut behind = vec![0; count];
        history.states.iter().filter_map(|state| state.before).for_each(|before| behind[before] += 1);
        LogWriter { history, behind, numbers: vec![None; count], entries: Vec::new() }
    }

    /// Lists a state, with the one before it where both are pieces of one run that nothing sets apart.
    fn list(&mut self, at: usize, is_current: bool, is_ahead: bool, branches: bool) {
        let state = &self.history.states[at];
        let start = state.before.filter(|_| !state.is_given()).and_then(|before| self.numbers[before]).unwrap_or(0);
        let end = start + state.steps();
        self.numbers[at] = Some(end);
        let tagged = self.history.tags.iter().filter(|(_, tagged)| **tagged == at);
        let tags: Vec<String> = tagged.map(|(name, _)| name.clone()).collect();
        let goes_on = matches!(state.how, Arrival::Taken { first: false, .. }) && !branches;
        let forks = state.before.is_some_and(|before| self.behind[before] > 1);
        let same = |last: &&mut LogEntry| {
            goes_on && !forks && last.tags.is_empty() && !last.is_current && last.is_ahead == is_ahead
        };
        if let Some(last) = self.entries.last_mut().filter(same) {
            last.steps.end = end;
            last.is_current = is_current;
            last.tags = tags;
            return;
        }
        let title = match &state.how {
            Arrival::Given(Some(origin)) => origin.name.clone(),
            Arrival::Given(None) => {
                shortened(&print_term(&state.program.term, &PrintStyle { width: usize::MAX }), MAX_TERM_CHARS)
            }
            Arrival::Taken { strategy, .. } => strategy.to_string(),
        };
        self.entries.push(LogEntry {
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
