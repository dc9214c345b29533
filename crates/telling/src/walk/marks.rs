//! Keeps the names that users give to subterms, and says where these stand now.

use std::collections::BTreeMap;

use super::history::{History, HistoryLeg};
use super::tracked::TrackedPath;
use redexter_language::term::Path;

/// Names for subterms, each with the state that it was given in and the place there.
#[derive(Clone, Default)]
pub struct SubtermMarks(BTreeMap<String, (usize, Path)>);

impl SubtermMarks {
    /// Gives what is in focus a name.
    pub fn set(&mut self, name: &str, history: &History) {
        if let Some(state) = history.number() {
            self.0.insert(name.to_owned(), (state, history.focus()));
        }
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The place of the subterm of this name in the current term: an outer None if there is no such name, an inner one if
    /// no steps lead from there to here.
    pub fn find(&self, name: &str, history: &History) -> Option<Option<TrackedPath>> {
        let (state, path) = self.0.get(name)?;
        let walk = |place: TrackedPath, leg: HistoryLeg| match leg {
            HistoryLeg::On(trace) => place.after(&trace.steps),
            HistoryLeg::Back(trace) => place.before(&trace.steps),
        };
        Some(history.legs_from(*state).map(|legs| legs.into_iter().fold(TrackedPath::at(path), walk)))
    }
}
