//! A [`Response`] is what a session answers: data for `reply`, which never sees the session.

use std::path::PathBuf;
use std::rc::Rc;

use super::host::Allowance;
use super::lesson_response::LessonResponse;
use super::manual::{ManualRow, Section};
use crate::script::{LibraryGuide, StrategyGuide};
use redexter_language::cost::{Poly, Work};
use redexter_language::eval::Counts;
use redexter_language::ground::Trouble;
use redexter_language::term::Program;
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::sound::RuleRelations;
use redexter_telling::command::CommandInfo;
use redexter_telling::walk::{FocusedSubterm, WalkAnswer};

/// The answer to one line.
#[derive(Clone, Debug)]
pub enum Response {
    /// Nothing to say: a statement was carried out.
    Silent,
    /// Leave.
    Quit,
    /// A model was loaded.
    Model(LoadedModel),
    /// A script was run; what it defined, by kind.
    Script(PathBuf, Vec<(&'static str, Vec<String>)>),
    /// Files that were loaded again, and why others weren't.
    Reloaded(Vec<Reloaded>, Option<Trouble>),
    /// A saved session was brought back.
    Restored(Restored),
    /// A value that is neither term nor strategy, as it prints.
    Value(String),
    /// A term, and that it is the current one.
    Term(Program),
    /// A term, all of it.
    Whole(Program),
    /// What is in focus, all of it.
    Part(Box<FocusedSubterm>),
    /// What something's type is.
    Type(Program),
    /// What a command about the derivation came to.
    Walk(WalkAnswer),
    /// Rules, with the text that they were to contain.
    Rules(Vec<Rc<RuleInfo>>, Option<String>),
    /// One rule, at work where an instance could be made.
    Rule(Box<RulePage>),
    /// Strategies: those that are built in, and those that were defined, as they print.
    Strategies {
        /// Name and meaning.
        built_in: Vec<(String, String)>,
        /// The user's.
        defined: Vec<String>,
        /// The libraries: name and file.
        libraries: Vec<(String, String)>,
    },
    /// One strategy.
    Strategy(StrategyGuide),
    /// What a library offers.
    Library(LibraryGuide),
    /// The result of evaluation, as JSON.
    Json(String),
    /// What running the current term costs, how much it stores meanwhile, and where and why the cost isn't known.
    Cost(Work, Poly, Option<String>),
    /// What evaluation executed.
    Counts(Counts),
    /// A file was written.
    Written(PathBuf),
    /// A drawing of an answer was written to a file.
    Drawn(PathBuf, Box<WalkAnswer>),
    /// What a piece of work may take.
    Limits(Allowance),
    /// In a lesson.
    Lesson(Box<LessonResponse>),
    /// The commands and the topics.
    Help,
    /// All that a word names.
    HelpOn(Vec<HelpTopic>),
    /// Nothing has this name, but these mention it.
    Mentions(String, Vec<HelpMention>),
}

impl Response {
    /// What went wrong although there is an answer.
    pub fn trouble(&self) -> Option<&Trouble> {
        match self {
            Response::Walk(answer) => answer.trouble(),
            Response::Restored(restored) => restored.trouble.as_ref(),
            Response::Reloaded(_, trouble) => trouble.as_ref(),
            _ => None,
        }
    }
}

/// A model that was loaded.
#[derive(Clone, Debug)]
pub struct LoadedModel {
    /// The name that it is bound to.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// Its definitions with their types, as they print.
    pub definitions: Vec<(String, String)>,
    /// Those whose own names were taken: only `name.definition` means them.
    pub hidden: Vec<String>,
    /// Those that took the name of another model's, and how that is reached now.
    pub hides: Vec<(String, String)>,
}

/// All about one rule.
#[derive(Clone, Debug)]
pub struct RulePage {
    /// The rule.
    pub info: Rc<RuleInfo>,
    /// Where it comes from.
    pub source: String,
    /// The rule at work, and among others.
    pub relations: RuleRelations,
}

/// A saved session that was brought back.
#[derive(Clone, Debug)]
pub struct Restored {
    /// Its file.
    pub path: PathBuf,
    /// So many terms were current in it, each a place in its log.
    pub terms: usize,
    /// The tags that it gave.
    pub tags: Vec<String>,
    /// Its tags that were taken, and their names now.
    pub renamed: Vec<(String, String)>,
    /// The models that were loaded with it.
    pub models: Vec<LoadedModel>,
    /// Where the current term stands.
    pub here: Option<WalkAnswer>,
    /// Why not all of it is back.
    pub trouble: Option<Trouble>,
}

/// A file that was loaded again, and the names that mean something else now.
#[derive(Clone, Debug)]
pub struct Reloaded {
    /// The file.
    pub path: PathBuf,
    /// Names that it defines now.
    pub new: Vec<String>,
    /// Names that it defines otherwise.
    pub changed: Vec<String>,
    /// Names that it defines no longer.
    pub gone: Vec<String>,
}

/// Something that a word names.
#[derive(Clone, Debug)]
pub enum HelpTopic {
    /// A command.
    Command(&'static CommandInfo),
    /// A strategy.
    Strategy(StrategyGuide),
    /// A library.
    Library(LibraryGuide),
    /// A rule.
    Rule(Box<RulePage>),
    /// A row of a table of the manual.
    Row(ManualRow),
    /// A section of the manual.
    Section(Section),
    /// A definition of a loaded model, or such a model, and what is to be said of it.
    Own(String, String),
}

/// A line that mentions a word: what to ask for, and what is said there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelpMention {
    /// The word that `:help` takes.
    pub topic: String,
    /// What is said there.
    pub about: String,
}

/// The result of a line or a command.
pub type SessionResult = Result<Response, Trouble>;
