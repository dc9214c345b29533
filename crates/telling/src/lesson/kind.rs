//! Classifies diagnoses: each kind has the word that lesson files use for it.

use std::fmt;

/// The kinds of diagnoses of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It reaches the goal.
    Reached,
    /// It reaches the goal in more steps than a solution that leads through the same terms.
    Detour,
    /// It uses a rule that may not be used here.
    Forbidden,
    /// It goes on for ever, or for much longer than a solution.
    Endless,
    /// It fails.
    Failed,
    /// It changes what the term means.
    Changed,
    /// A stage of it does nothing that is wanted afterwards.
    Idle,
    /// It stops on the way to the goal.
    Stuck,
    /// It leaves the way to the goal for a term that takes too much work.
    Costly,
    /// It leaves the way to the goal for another form.
    Astray,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 10] = [
        Kind::Reached,
        Kind::Detour,
        Kind::Forbidden,
        Kind::Endless,
        Kind::Failed,
        Kind::Changed,
        Kind::Idle,
        Kind::Stuck,
        Kind::Costly,
        Kind::Astray,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Reached => "reached",
            Kind::Detour => "detour",
            Kind::Forbidden => "forbidden",
            Kind::Endless => "endless",
            Kind::Failed => "failed",
            Kind::Changed => "changed",
            Kind::Idle => "idle",
            Kind::Stuck => "stuck",
            Kind::Costly => "costly",
            Kind::Astray => "astray",
        }
    }

    /// The kind that a word names.
    pub fn named(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether the goal is reached.
    pub fn is_reached(self) -> bool {
        matches!(self, Kind::Reached | Kind::Detour)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
