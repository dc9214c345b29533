//! Classifies diagnoses: each kind has the word that lesson files use for it.

use std::fmt;

/// The kinds of diagnoses of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagnosisKind {
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

impl DiagnosisKind {
    /// All of them.
    pub const ALL: [DiagnosisKind; 10] = [
        DiagnosisKind::Reached,
        DiagnosisKind::Detour,
        DiagnosisKind::Forbidden,
        DiagnosisKind::Endless,
        DiagnosisKind::Failed,
        DiagnosisKind::Changed,
        DiagnosisKind::Idle,
        DiagnosisKind::Stuck,
        DiagnosisKind::Costly,
        DiagnosisKind::Astray,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            DiagnosisKind::Reached => "reached",
            DiagnosisKind::Detour => "detour",
            DiagnosisKind::Forbidden => "forbidden",
            DiagnosisKind::Endless => "endless",
            DiagnosisKind::Failed => "failed",
            DiagnosisKind::Changed => "changed",
            DiagnosisKind::Idle => "idle",
            DiagnosisKind::Stuck => "stuck",
            DiagnosisKind::Costly => "costly",
            DiagnosisKind::Astray => "astray",
        }
    }

    /// The kind that a word names.
    pub fn named(word: &str) -> Option<DiagnosisKind> {
        DiagnosisKind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether the goal is reached.
    pub fn is_reached(self) -> bool {
        matches!(self, DiagnosisKind::Reached | DiagnosisKind::Detour)
    }
}

impl fmt::Display for DiagnosisKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
