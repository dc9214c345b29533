//! Explains why a rule doesn't apply to a term, and what would make it; and why a derivation went as it did.
//!
//! [`rule_at`] finds where a rule does, or the nearest matches and what is in the way of each. On a derivation and the
//! strategies that it is by ([`WhyCase`]), [`why_step`] says why there is a step, [`why_not`] why a rule took none,
//! [`why_stage`] why a stage did nothing, [`discards`] what `cheaper` threw away, [`transposition`] which
//! derivative kept its order and from which side a Jacobian was taken, and [`growth`] where the work comes from
//! that is left. This module knows rules, strategies, derivations, terms and what these cost; it prints nothing.

mod answer;
mod case;
mod discard;
mod growth;
mod origin;
mod places;
mod rule;
mod schedule;
mod shape;
mod stage;
mod statements;
mod step;
mod taken;
mod transposition;
mod why_not;

pub use answer::WhyAnswer;
pub use case::{PastRun, PastRunEnd, WhyCase};
pub use discard::{DiscardCause, DiscardReport, discards, without_steps};
pub use growth::{CostlyLoop, LoopRemover, WorkGrowth, growth};
pub use origin::{MakingStep, OriginFinder, RedexOrigin};
pub use rule::{NearMatch, Remedy, RuleAnswer, rule_at};
pub use schedule::{PartOrder, Schedule, SchedulePart, TraversalOrder};
pub use shape::LoopShape;
pub use stage::{WhyStage, stages, why_no_stage, why_stage};
pub use step::{WhyStep, why_step};
pub use taken::{TakenStep, WaitCause, taken};
pub use transposition::{TranspositionObstacle, TranspositionReport, Untransposed, transposition};
pub use why_not::{
    AskedMoment, FiredSteps, RuleStatement, WhyNot, why_not, why_not_stage, why_not_step, why_not_tagged,
};
