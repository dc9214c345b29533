//! Defines [`Walk`], a derivation that one walks: terms form a tree with one of them current, and runs are taken whole or step by
//! step, forth and back.
//!
//! It knows strategies and derivations. It reads no texts but commands' arguments, touches no files, and nothing here knows how
//! things look: a [`QuestionFinding`] says that itself.

mod answer;
mod breakpoints;
mod choice;
mod command;
mod condition;
mod control;
mod focus;
mod history;
mod instances;
mod log;
mod marks;
mod navigation;
mod plot;
mod profile;
mod replay;
mod runs;
mod segments;
mod state;
mod stepping;
mod take;

use std::cell::RefCell;
use std::rc::Rc;

pub use answer::{
    FailedRun, FocusedSubterm, PatternMatches, QuestionFinding, ReplayOutcome, ReplayedRun, RunRemainder, StepPosition,
    StoppedRun, WalkAnswer, WalkHalt, WalkRun,
};
pub use command::{FindTarget, WalkCommand};
pub use condition::{Inequality, UntilCondition};
pub use control::{Breakpoint, BreakpointTarget, StepGoal};
pub use history::History;
pub use log::LogEntry;
pub(crate) use navigation::{first_term, no_stage, no_step, path};
pub(crate) use runs::AskedDerivation;
pub use segments::{HistoryBuilder, HistorySegment, HistoryShape};
pub use state::{Arrival, DefinitionOrigin, HistoryState};
pub use stepping::CHEAPER_MEASURE;

use redexter_language::ground::{Budget, Diagnostic, Trouble, code};
use redexter_language::term::Program;
use redexter_rewriting::choice::PossibleRewrites;
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::redex::{RuleFamily, named};
use redexter_rewriting::rule::{Pattern, RuleInfo};
use redexter_rewriting::sound::Templates;
use redexter_rewriting::strategy::{ProfileClock, Strategy, Trace, replay};

/// The owner of a walk, which gives it limits, a clock, patterns and rules.
pub trait WalkOwner {
    /// A fresh budget with the current limits, for one run.
    fn budget(&self) -> Budget;

    /// The clock by which times are taken.
    fn clock(&self) -> ProfileClock;

    /// A finding that ends nothing.
    fn warn(&self, finding: &Diagnostic);

    /// A pattern from its text, without its backticks.
    fn pattern(&self, text: &str) -> Result<Pattern, Trouble>;

    /// The rules that there are: the book's, users' and imported ones.
    fn rules(&self) -> Vec<Rc<RuleInfo>>;

    /// The imported ones, with the names by which they are typed, such as `lib.squash`.
    fn imported(&self) -> Vec<(String, Rc<RuleInfo>)>;

    /// The templates of terms that rules are tested on.
    fn templates(&self) -> &Templates;
}

/// A derivation that one walks.
#[derive(Clone, Default)]
pub struct Walk {
    history: History,
    /// The last run of a strategy, whatever became of its term.
    last: Option<WalkRun>,
    /// The last run, if a limit ended it and its term isn't on the line: until the current term changes.
    stray: Option<WalkRun>,
    /// The runs that went on last and have more to do, the newest last.
    awake: Vec<stepping::PendingRun>,
    /// The derivation on a line of the history, made when it is first looked at.
    derivation: RefCell<Option<(history::LineId, Rc<Derivation>)>>,
    /// In the order of their numbers.
    breakpoints: Vec<Breakpoint>,
    marks: marks::SubtermMarks,
    /// The last run, where it left no steps, failed or a limit ended it; and the number of the state that was current then.
    ended: Option<(redexter_rewriting::why::PastRun, Option<usize>)>,
    /// The places that `:find` found last.
    found: Option<Rc<focus::PatternPlaces>>,
    /// The rewrites that `:possible` listed last.
    possible: Option<Rc<PossibleRewrites>>,
}

impl Walk {
    /// A walk that begins with a term.
    pub fn new(program: Program, origin: Option<DefinitionOrigin>) -> Walk {
        let mut walk = Walk::default();
        walk.give(program, origin);
        walk
    }

    /// Another term, from outside, becomes the current one.
    pub fn give(&mut self, program: Program, origin: Option<DefinitionOrigin>) {
        self.stray = None;
        self.history.push(HistoryState::new(program, Arrival::Given(origin), None, None));
    }

    /// Steps that a strategy took elsewhere lead on from the current term.
    pub fn follow(&mut self, strategy: &Strategy, trace: &Rc<Trace>) {
        let Some(now) = self.history.current().map(|state| state.program.clone()) else { return };
        let term = replay(trace).unwrap_or_else(|_| now.term.clone());
        let how = Arrival::Taken { strategy: strategy.clone(), first: true, last: true };
        self.history.push(HistoryState::new(now.with(term), how, Some(trace.clone()), None));
    }

    /// The current term; an error where there is none.
    pub fn current(&self) -> Result<&Program, Trouble> {
        self.history.current().map(|state| &state.program).ok_or_else(|| no_term().into())
    }

    /// Every term that was current.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Runs a command.
    pub fn answer(&mut self, command: &WalkCommand, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        match command {
            WalkCommand::Step(count) => self.go_on(StepGoal::Steps(*count), owner),
            WalkCommand::Continue => self.go_on(StepGoal::All, owner),
            WalkCommand::Next(count) => self.go_on(StepGoal::Next(*count), owner),
            WalkCommand::Finish => self.go_on(StepGoal::Finish, owner),
            WalkCommand::Until(condition) => self.until(condition, owner),
            WalkCommand::Break(None) => Ok(WalkAnswer::Breakpoints(self.breakpoints.clone())),
            WalkCommand::Break(Some(address)) => self.set_breakpoint(address, owner),
            WalkCommand::Unbreak(number) => self.remove_breakpoints(*number),
            WalkCommand::Stop => self.stop(),
            WalkCommand::Take(number) => self.take_possible(*number, owner),
            WalkCommand::Undo(count) => self.travel(*count, true),
            WalkCommand::Redo(count) => self.travel(*count, false),
            WalkCommand::Trace(address) => self.trace(address.as_ref(), owner),
            WalkCommand::Plot(address) => Ok(WalkAnswer::Plot(Box::new(self.plot(address.as_ref(), owner)?))),
            WalkCommand::GoTo(address) => self.go_to(address, owner),
            WalkCommand::Log => self.log(),
            WalkCommand::Tag(name) => self.tag(name),
            WalkCommand::Diff(from, to) => self.diff(from, to.as_ref(), owner),
            WalkCommand::At(address) => self.put_focus_at(address, owner),
            WalkCommand::Find(find) => self.find(find, owner),
            WalkCommand::Up(count) => self.go_up(*count),
            WalkCommand::Down(child) => self.go_down(child.as_deref()),
            WalkCommand::Left => self.go_aside(false),
            WalkCommand::Right => self.go_aside(true),
            WalkCommand::Top => self.go_top(),
            WalkCommand::Mark(Some(name)) => self.mark(name),
            WalkCommand::Mark(None) => self.list_marks(),
        }
    }
}

/// The rule that is written so, maybe an imported one.
pub(crate) fn family(written: &str, owner: &dyn WalkOwner) -> Result<RuleFamily, Diagnostic> {
    let bare = written.split('(').next().unwrap_or(written).trim();
    match owner.imported().into_iter().find(|(name, _)| name == bare) {
        Some((_, info)) => named(&written.replacen(bare, info.name.as_str(), 1), &[info]),
        None => named(written, &owner.rules()),
    }
}

fn no_term() -> Diagnostic {
    Diagnostic::error(code::NO_TERM, "there is no current term")
        .help("load a model and name one of its definitions: `:load models/vector_sum.arr`, then `gradient`")
}
