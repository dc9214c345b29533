//! Takes scatters apart whose entries are written out as a key and a value.

use redexter_language::ground::Name;
use redexter_language::term::{Size, Term, Type, View};

/// `scatter places rounds (fun index => (key, value))`
#[derive(Clone)]
pub(super) struct ScatterParts {
    pub(super) rounds: Size,
    pub(super) places: Size,
    pub(super) index: Name,
    /// Under the index.
    pub(super) key: Term,
    /// Under the index.
    pub(super) value: Term,
}

impl ScatterParts {
    pub(super) fn of(term: &Term) -> Option<ScatterParts> {
        let View::Scatter(rounds, places, f) = term.view() else { return None };
        let View::Lam(index, _, entry) = f.view() else { return None };
        let View::Pair(key, value) = entry.view() else { return None };
        Some(ScatterParts { rounds, places, index, key, value })
    }

    /// The same under one binder more, of entries that mention no index.
    pub(super) fn moved(&self) -> ScatterParts {
        ScatterParts { key: self.key.shift(1), value: self.value.shift(1), ..self.clone() }
    }

    /// The same scatter of other entries.
    pub(super) fn with(&self, key: Term, value: Term) -> Option<Term> {
        let entry = Term::lam(&self.index, &Type::fin(self.rounds.clone()), Term::pair(key, value).ok()?).ok()?;
        Term::scatter(self.places.clone(), self.rounds.clone(), entry).ok()
    }
}
