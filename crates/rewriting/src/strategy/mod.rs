//! Represents strategies, which say what rule is tried where, as data that prints, compares and is analysed before it runs, and
//! runs them.
//!
//! [`Strategy`] is the data type, [`run`] and [`Execution`] run it to its end or with pauses, [`Trace`] is what a run
//! leaves behind. This room knows rules and terms; it knows no script language, prints
//! nothing and reads no clock. (Sections 3 and 4 of the paper.)

mod cycle;
mod data;
mod definition;
mod ends;
mod engine;
mod equal;
mod lint;
mod print;
mod profile;
mod replace;
mod run;
mod scope;
mod trace;
mod unseen;
mod visit;

pub use cycle::Cycle;
pub use data::{Form, Strategy, Unary};
pub use ends::check_ends;
pub use engine::{Execution, run, run_hollow};
pub use lint::lint;
pub use profile::{Clock, Profile, Profiler, RuleCount, StageCount};
pub use run::{Measure, Outcome, Run, Stop, Work};
pub use scope::{Argument, Definition, Named};
pub use trace::{Mismatch, Step, Trace, fired, replay};
pub use unseen::{Begun, Discarded, Unseen};
