//! Tests rules: grows well-typed instances of a rule's left side, runs both sides, and compares what they give as exactly as the
//! rule promises. A rule that goes wrong is shown on a term and inputs, made small.
//!
//! Start with [`check_rule`]. `hints` reads from a rule's text where it may be wrong; `instance` grows programs that hold
//! an instance of a law (`law_bindings` its sizes, types and variables, `grow`, `scope` and `leaves` any term, `surround` what
//! stands around), `attempt` draws the sizes and tries
//! the rule there (`trial`), `compare` runs both programs and D of both (`runs`) on `inputs` at `sizes`; `watch` sees what
//! they go through, `judge` decides whether they agree, `coverage` which branches were taken; `shrink` and `smaller` make
//! counterexamples small. Native rules, which have no pattern, have left sides of their own: `templates`. `relations` says
//! of a rule what it may enable and what undoes it. [`equivalent`] compares two programs, [`fn@compare`] as a [`ComparisonPlan`]
//! says.
//!
//! All of it follows from a seed. This module knows rules, the evaluator and D; it knows no scripts, prints nothing and reads no
//! clock.

mod attempt;
mod check;
mod compare;
mod counterexample;
mod coverage;
mod grow;
mod hints;
mod inputs;
mod instance;
mod judge;
mod law_bindings;
mod leaves;
mod relations;
mod runs;
mod scope;
mod shrink;
mod sizes;
mod smaller;
mod surround;
mod templates;
mod trial;
mod watch;

pub use check::{SoundnessVerdict, TestEffort, check_rule, keeps, sample};
pub use compare::{ComparisonPlan, Difference, ProgramComparison, SEED, SIZES, compare, equivalent, equivalent_within};
pub use counterexample::CounterExample;
pub use hints::Hints;
pub use instance::grown;
pub use relations::{RuleRelations, relations};
pub use runs::differ_on;
pub use shrink::simplest;
pub(crate) use sizes::{open_sizes, sizes_at};
pub use smaller::{closed, smaller_programs};
pub use templates::Templates;
pub use trial::Zipper;
