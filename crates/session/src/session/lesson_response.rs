//! Declares [`LessonResponse`], what a lesson says, as data.

use std::rc::Rc;

use redexter_language::cost::Poly;
use redexter_language::term::Program;
use redexter_telling::lesson::{Diagnosis, LessonGoal, LessonRecord};
use redexter_telling::walk;

/// What a lesson that is open can be asked for, besides what needs none.
const LESSON_WORDS: [&str; 6] = ["hint", "check", "again", "more", "next", "stop"];

/// What students type for some of them.
const OTHER_WORDS: [(&str, &str); 6] = [
    ("solution", "hint"),
    ("answer", "hint"),
    ("solve", "hint"),
    ("reset", "again"),
    ("restart", "again"),
    ("hints", "hint"),
];

/// The word of `:lesson` that a line means, in whatever letters.
pub(super) fn lesson_word(line: &str) -> Option<&'static str> {
    let bare = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let own = LESSON_WORDS.into_iter().find(|word| *word == bare);
    own.or_else(|| OTHER_WORDS.into_iter().find(|(other, _)| *other == bare).map(|(_, word)| word))
}

/// What a lesson answers.
#[derive(Clone, Debug)]
pub enum LessonResponse {
    /// The lessons that ship.
    List(Vec<LessonEntry>),
    /// A lesson begins, or is shown again.
    Opened(LessonOpening),
    /// A hint.
    Hint {
        /// Its number.
        number: usize,
        /// So many there are.
        of: usize,
        /// What it says.
        text: String,
    },
    /// A schedule was tried, or what was picked is judged.
    Tried(AttemptReport),
    /// What was done in lessons, as a text to hand in.
    Report(String),
    /// The goal was typed as a term, which reaches nothing.
    TypedGoal(Program),
    /// More on the last diagnosis.
    More(Rc<Diagnosis>),
    /// The lesson is closed.
    Closed(String),
}

/// A lesson that ships.
#[derive(Clone, Debug)]
pub struct LessonEntry {
    /// Its number, from 0.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What was done in it.
    pub taken: Option<LessonRecord>,
}

/// The beginning of a lesson.
#[derive(Clone, Debug)]
pub struct LessonOpening {
    /// What opens it.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it says, in Markdown.
    pub prose: String,
    /// The term.
    pub start: Program,
    /// Its work.
    pub work: Poly,
    /// What is to be reached.
    pub goal: LessonGoal,
    /// The rules that may be used, each with its first law.
    pub rules: Vec<(String, String)>,
    /// How many hints there are.
    pub hints: usize,
}

/// The outcome of a schedule that was tried.
#[derive(Clone, Debug)]
pub struct AttemptReport {
    /// What the walk says of it, where it ran.
    pub ran: Option<Box<walk::WalkAnswer>>,
    /// What the lesson says of it.
    pub diagnosis: Rc<Diagnosis>,
    /// The schedule that says what was picked, where steps were.
    pub picked: Option<String>,
    /// How many were tried, this one among them.
    pub attempts: usize,
    /// How many hints were given.
    pub hints: usize,
    /// The lesson that follows.
    pub next: Option<String>,
}
