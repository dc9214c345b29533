//! What a session answers: data for `render`, which never sees the session.

use std::path::PathBuf;
use std::rc::Rc;

use super::command::CommandInfo;
pub use super::history::Entry;
use crate::cost::Work;
use crate::derivation::View;
use crate::eval::Counts;
use crate::ground::{Limits, Trouble};
use crate::rule::RuleInfo;
use crate::script::{Guide, LibraryGuide};
use crate::sound::Relations;
use crate::strategy::Trace;
use crate::term::Program;

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
    /// A value that is neither term nor strategy, as it prints.
    Value(String),
    /// A term, and that it is the current one.
    Term(Program),
    /// A term, all of it.
    Whole(Program),
    /// What something's type is.
    Type(Program),
    /// A strategy ran on the current term.
    Run(Run),
    /// A part of the derivation of the current term.
    Derivation(Box<View>, Place),
    /// There is no derivation: no strategy took a step.
    NoTrace,
    /// Another term of the derivation is the current one.
    At {
        /// Where it stands.
        place: Place,
        /// The current term.
        now: Program,
        /// A strategy is pending on it.
        pending: bool,
    },
    /// The current term has a tag now.
    Tagged(String),
    /// Every term that was current.
    Log(Vec<Entry>),
    /// Two terms, and how they are addressed.
    Difference {
        /// The addresses.
        names: (String, String),
        /// The one.
        before: Program,
        /// The other.
        after: Program,
    },
    /// A strategy failed on the current term.
    Failed(Failed),
    /// A limit ended a strategy on the current term.
    Stopped(Stopped),
    /// More steps were asked for, but the strategy that ran last was done.
    Finished {
        /// The strategy.
        strategy: String,
        /// All of its steps.
        taken: usize,
    },
    /// Pending steps were dropped.
    Dropped {
        /// The strategy.
        strategy: String,
        /// How many steps of it were taken.
        taken: usize,
    },
    /// The current term is an earlier or later one again.
    Moved {
        /// So many changes were taken back, or done again.
        count: usize,
        /// They were taken back.
        back: bool,
        /// The current term.
        now: Program,
        /// A strategy is pending on it.
        pending: bool,
    },
    /// There is no change to take back, or none to do again.
    NowhereToMove {
        /// Taking back was asked for.
        back: bool,
    },
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
    Strategy(Guide),
    /// What a library offers.
    Library(LibraryGuide),
    /// The result of evaluation, as JSON.
    Json(String),
    /// What running the current term costs.
    Cost(Work),
    /// What evaluation executed.
    Counts(Counts),
    /// A file was written.
    Written(PathBuf),
    /// The limits and the timeout in seconds.
    Limits(Limits, Option<f64>),
    /// The commands.
    Help,
    /// One command.
    HelpOn(&'static CommandInfo),
}

/// Where the current term stands in its derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// After so many steps.
    pub step: usize,
    /// Of so many.
    pub of: usize,
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
}

/// Steps that were taken.
#[derive(Clone, Debug)]
pub struct Run {
    /// The strategy as it prints.
    pub strategy: String,
    /// The program before the first of these steps.
    pub before: Program,
    /// These steps.
    pub trace: Rc<Trace>,
    /// The number of the first of these steps in the derivation, from 1.
    pub first: usize,
    /// So many steps of the run were taken before these.
    pub earlier: usize,
    /// What the strategy has still to do.
    pub rest: Rest,
    /// The program after the last of these steps.
    pub after: Program,
}

/// What follows steps that were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Nothing: the strategy is done.
    None,
    /// More, when it is asked for.
    Pending,
    /// A limit ended the strategy here.
    Unknown,
}

impl Run {
    /// The steps of the whole run so far.
    pub fn taken(&self) -> usize {
        self.earlier + self.trace.steps.len()
    }
}

/// A strategy that failed.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The strategy as it prints.
    pub strategy: String,
    /// Why.
    pub reason: String,
    /// What to try.
    pub remedy: String,
    /// So many of its steps had been taken one by one.
    pub taken: usize,
}

/// A strategy that a limit ended.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// The limit, and what became of the term.
    pub trouble: Trouble,
    /// The steps so far where the term after them became the current one.
    pub run: Option<Run>,
}

/// All about one rule.
#[derive(Clone, Debug)]
pub struct RulePage {
    /// The rule.
    pub info: Rc<RuleInfo>,
    /// Where it comes from.
    pub source: String,
    /// The rule at work, and among others.
    pub relations: Relations,
}
