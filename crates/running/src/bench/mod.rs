//! Runs programs and times them: by the evaluator, in blocks, as native code or by Futhark, on inputs that are flat arrays; and
//! tells what their times come to.
//!
//! It knows no protocol and prints nothing; the clock is what it is for.

mod futhark;
mod machine;
mod measure;
mod report;
mod run;
mod runner;

pub use machine::{compiler, futhark, machine};
pub use measure::{Operations, Sample};
pub use report::{BenchReport, COLUMNS, Series, duration, from_csv};
pub use run::BenchSubject;
pub use runner::{RunMethod, Runner, TimingPlan};
