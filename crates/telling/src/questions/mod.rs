//! Asks questions about the current term and its derivation: each has a row in [`QUESTIONS`] and, below this, a module that reads
//! its arguments, answers it, and says the answer as text and as JSON.

/// Presents a finding by functions of the modules beside it, as text and as JSON, under the name by which the page knows it.
macro_rules! presented {
    ($finding:ty, $kind:literal, $text:path, $json:path) => {
        impl $crate::walk::QuestionFinding for $finding {
            fn text(&self, page: $crate::styled::PageLayout) -> $crate::styled::Styled {
                $text(self, page)
            }

            fn json(&self) -> serde_json::Value {
                $json(self)
            }

            fn kind(&self) -> &'static str {
                $kind
            }
        }
    };
}

mod ablate;
mod arguments;
mod compare;
mod ends;
mod graph;
mod interact;
mod orders;
mod possible;
mod preview;
mod runs;
mod search;
mod validate;
mod why;
mod why_nan;
mod why_not;

use std::path::Path;

pub use arguments::{AskedQuestion, QuestionArguments, QuestionMatter};
pub use ends::StrategyEndings;
pub use possible::{AskedTerm, Possibilities};
pub use runs::{AfterSteps, ComparedTerm};
pub use search::{DerivationEnd, SearchAnswer};
pub use validate::validated;
pub use why_nan::{NonFinite, WrittenOperation, why_nan};
pub use why_not::{no_rule_but, why_not};

use crate::arguments::{CommandInfo, command_info};
use crate::walk::{WalkAnswer, WalkResult};
use redexter_language::draw::{diagram, dot};
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, code};

/// A question that can be asked.
#[derive(Debug)]
pub struct Question {
    /// Its name, and what its arguments are.
    pub info: CommandInfo,
    read: fn(&CommandInfo, &str) -> Result<QuestionArguments, Diagnostic>,
    answer: fn(AskedQuestion) -> WalkResult,
}

macro_rules! table {
    ($($module:ident $name:literal $usage:literal $argument:ident $summary:literal $example:literal $(as $method:literal)?;)*) => {
        &[$(Question {
            info: command_info!(Ask $name $usage $argument $summary $example $(as $method)?),
            read: $module::read,
            answer: $module::answer,
        }),*]
    };
}

/// Every question, with the module that has it, in the order of `:help`.
pub static QUESTIONS: &[Question] = table! {
    possible "possible" "[ADDRESS]" Address "the rules that apply now and where, cheapest first, with what each enables" ":possible";
    preview "preview" "STRATEGY" Expression "what a strategy would come to, without taking it" ":preview normalize(getBuild <+ beta)";
    graph "graph" "[N] [STRATEGY] [FILE]" Expression "the terms that a strategy's rules reach within N steps, drawn here or in a file (.svg, .dot)" ":graph 2";
    why "why" "ADDRESS" Address "why a step was taken where it was, or a stage did nothing; `.` asks where the work comes from" ":why 120";
    why_not "why-not" "RULE [ADDRESS]" RuleAt "why a rule doesn't apply, or didn't at a step: what is in its way, and what would help" ":why-not letSubstN(1)" as "why_not";
    why_nan "why-nan" "INPUTS" Free "where the first NaN of the result comes from, or else the first infinity: the operation, its operands, the loops' indices" ":why-nan v=[1, -1]" as "why_nan";
    compare "compare" "STRATEGY | STRATEGY" Strategies "where the derivations of two strategies part and meet, and what each costs" ":compare normalize(getBuild <+ beta) | normalize(beta)";
    ablate "ablate" "[rules] STRATEGY" Expression "leave out each stage of a strategy, or each rule, in turn: what the result needs" ":ablate fastGradient";
    orders "orders" "[N] STRATEGY | STRATEGY…" Strategies "run strategies in every order, or in N orders, as a table" ":orders normalize(beta) | normalize(getBuild)";
    interact "interact" "[RULE…]" Rules "how rules interact, pair by pair, with the smallest witness; those that fired where none are named" ":interact getBuild letSubstN(1)";
    ends "ends" "[STRATEGY]" Expression "whether its repetitions go round or end, from the laws of the rules, with the way round or a proof; of what ran where none is named" ":ends normalize(distribute <+ factor)";
    search "search" "[N] [STRATEGY]" Expression "the cheapest term within N terms that a strategy's rules reach, and a schedule that reaches it" ":search 1000 getBuild <+ beta";
    validate "validate" "[STRATEGY] [--precision]" Expression "whether each step of the derivation keeps type and meaning: it is typed anew and compared on random inputs; or which loses digits" ":validate normalize(getBuild <+ beta)";
};

impl Question {
    /// Reads what follows its name.
    pub fn read(&self, rest: &str) -> Result<QuestionArguments, Diagnostic> {
        (self.read)(&self.info, rest)
    }

    /// Answers it.
    pub fn answer(&self, asked: AskedQuestion) -> WalkResult {
        if asked.arguments.about != QuestionMatter::Rules {
            asked.walk.current()?;
        }
        if asked.strategies.len() != asked.arguments.strategies.len() {
            return Err(Diagnostic::error(code::COMMAND, "the question is about another number of strategies").into());
        }
        (self.answer)(asked)
    }
}

/// The question with this name.
pub fn named(name: &str) -> Option<&'static Question> {
    QUESTIONS.iter().find(|question| question.info.name == name)
}

/// The names of all questions.
pub fn names() -> String {
    listed(QUESTIONS.iter().map(|question| question.info.name))
}

/// The drawing to write into the file that a question names, and that file; none where it names no file.
pub fn drawn_in_file<'a>(arguments: &'a QuestionArguments, answer: &WalkAnswer) -> Option<(&'a Path, String)> {
    let path = arguments.file.as_deref()?;
    let WalkAnswer::Finding(found, _) = answer else { return None };
    let drawing = found.drawing()?;
    let is_dot = path.extension().is_some_and(|extension| extension == "dot");
    Some((path, if is_dot { dot(&drawing) } else { diagram(&drawing) }))
}
