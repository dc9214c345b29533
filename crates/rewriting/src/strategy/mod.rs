//! Represents strategies, which say what rule is tried where, as data that can be printed, compared and analysed before it runs;
//! and runs them.
//!
//! [`Strategy`] is the data type, [`run`] and [`Execution`] run it to its end or with pauses, [`Trace`] is what a run leaves
//! behind. This module knows rules and terms; it knows no script language, prints nothing and reads no clock. (Sections 3 and 4
//! of the paper that `docs/paper.md` is about.)

mod cycle;
mod data;
mod engine;
mod equal;
mod foretold;
mod lint;
mod opposites;
mod period;
mod print;
mod profile;
mod remedy;
mod repetitions;
mod replace;
mod run;
mod run_notes;
mod termination;
mod trace;
mod unary;
mod visit;

pub use cycle::Cycle;
pub use data::{NamedUse, Strategy, StrategyArgument, StrategyDefinition, StrategyForm};
pub use engine::{Execution, run, run_hollow};
pub use lint::{endless, lint, repetition};
pub use opposites::has_opposites;
pub use period::period;
pub use print::{body_text, whole_text};
pub use profile::{Profile, ProfileClock, Profiler, RuleCount, StageCount};
pub use remedy::remedy;
pub(crate) use repetitions::may_give_up;
pub use repetitions::{RuleRepetition, repeats_otherwise, repetitions};
pub use replace::replacing;
pub use run::{Outcome, Stop, StrategyRun, WorkTest, WorkTestFactory};
pub use run_notes::{DiscardedSteps, RefusedDerivative, RunNotes, StageStart};
pub use termination::check_ends;
pub use trace::{Step, Trace, TraceMismatch, fired, replay};
pub use unary::Unary;
pub use visit::{choices_in, rules_in};
