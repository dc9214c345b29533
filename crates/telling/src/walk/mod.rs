//! Defines [`Walk`], a derivation that one walks: terms form a tree with one of them current, and runs are taken whole or step by
//! step, forth and back.
//!
//! It knows strategies and derivations. It reads no texts but addresses, touches no files, and nothing here knows how
//! things look.

mod answer;
mod asking;
mod choice;
mod compare;
mod control;
mod focus;
mod halting;
mod history;
mod instances;
mod interact;
mod log;
mod marks;
mod parts;
mod places;
mod plot;
mod profile;
mod replay;
mod search;
mod state;
mod stepping;
mod take;
mod validate;
mod why;

use std::cell::RefCell;
use std::rc::Rc;

pub use answer::{
    Answer, Failed, Focus, Found, Halt, Outcome, Place, Possibilities, Replayed, Rest, Run, Stopped, Then,
};
pub use control::{Breakpoint, Goal, Target};
pub use history::History;
pub use log::Entry;
pub use parts::{Part, Regrown, Shape};
pub use search::{Derived, Searched};
pub use state::{How, Origin, State};
pub use stepping::WORK;
pub use why::no_rule_but;

use crate::command::Walking;
use redexter_language::ground::{Budget, Diagnostic, Trouble, code};
use redexter_language::term::Program;
use redexter_rewriting::choice::Possible;
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::redex::{Family, named};
use redexter_rewriting::rule::{Pattern, RuleInfo};
use redexter_rewriting::sound::Templates;
use redexter_rewriting::strategy::{Clock, Strategy, Trace, replay};

/// The owner of a walk, which gives it limits, a clock, patterns and rules.
pub trait Owner {
    /// A fresh budget with the current limits, for one run.
    fn budget(&self) -> Budget;

    /// The clock by which times are taken.
    fn clock(&self) -> Clock;

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
    last: Option<Run>,
    /// The last run, if a limit ended it and its term isn't on the line: until the current term changes.
    stray: Option<Run>,
    /// The runs that went on last and have more to do, the newest last.
    awake: Vec<stepping::Pending>,
    /// The derivation on a line of the history, made when it is first looked at.
    derivation: RefCell<Option<(history::Line, Rc<Derivation>)>>,
    /// In the order of their numbers.
    breakpoints: Vec<Breakpoint>,
    marks: marks::Marks,
    /// The last run, where it left no steps, failed or a limit ended it; and the number of the state that was current then.
    ended: Option<(redexter_rewriting::why::Ran, Option<usize>)>,
    /// The places that `:find` found last.
    found: Option<Rc<focus::Places>>,
    /// The rewrites that `:possible` listed last.
    possible: Option<Rc<Possible>>,
}

impl Walk {
    /// A walk that begins with a term.
    pub fn new(program: Program, origin: Option<Origin>) -> Walk {
        let mut walk = Walk::default();
        walk.give(program, origin);
        walk
    }

    /// Another term, from outside, becomes the current one.
    pub fn give(&mut self, program: Program, origin: Option<Origin>) {
        self.stray = None;
        self.history.push(State::new(program, How::Given(origin), None, None));
    }

    /// Steps that a strategy took elsewhere lead on from the current term.
    pub fn follow(&mut self, strategy: &Strategy, trace: &Rc<Trace>) {
        let Some(now) = self.history.current().map(|state| state.program.clone()) else { return };
        let term = replay(trace).unwrap_or_else(|_| now.term.clone());
        let how = How::Taken { strategy: strategy.clone(), first: true, last: true };
        self.history.push(State::new(now.with(term), how, Some(trace.clone()), None));
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
    pub fn answer(&mut self, command: &Walking, owner: &dyn Owner) -> Result<Answer, Trouble> {
        match command {
            Walking::Step(count) => self.go_on(Goal::Steps(*count), owner),
            Walking::Continue => self.go_on(Goal::All, owner),
            Walking::Next(count) => self.go_on(Goal::Next(*count), owner),
            Walking::Finish => self.go_on(Goal::Finish, owner),
            Walking::Until(condition) => self.until(condition, owner),
            Walking::Break(None) => Ok(Answer::Breakpoints(self.breakpoints.clone())),
            Walking::Break(Some(address)) => self.set_breakpoint(address, owner),
            Walking::Unbreak(number) => self.remove_breakpoints(*number),
            Walking::Stop => self.stop(),
            Walking::Undo(count) => self.travel(*count, true),
            Walking::Redo(count) => self.travel(*count, false),
            Walking::Trace(address) => self.trace(address.as_ref(), owner),
            Walking::Plot(address) => Ok(Answer::Plot(Box::new(self.plot(address.as_ref(), owner)?))),
            Walking::GoTo(address) => self.go_to(address, owner),
            Walking::Log => self.log(),
            Walking::Tag(name) => self.tag(name),
            Walking::Diff(from, to) => self.diff(from, to.as_ref(), owner),
            Walking::At(address) => self.put_focus_at(address, owner),
            Walking::Find(find) => self.find(find, owner),
            Walking::Up(count) => self.go_up(*count),
            Walking::Down(child) => self.go_down(child.as_deref()),
            Walking::Left => self.go_aside(false),
            Walking::Right => self.go_aside(true),
            Walking::Top => self.go_top(),
            Walking::Mark(Some(name)) => self.mark(name),
            Walking::Mark(None) => self.list_marks(),
        }
    }
}

/// The rule that is written so, maybe an imported one.
fn family(written: &str, owner: &dyn Owner) -> Result<Family, Diagnostic> {
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
