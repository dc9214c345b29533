//! Explains why a rule doesn't apply to a term, and what would make it; and why a derivation went as it did.
//!
//! [`rule_at`] finds where a rule does, or the nearest matches and what is in the way of each. On a derivation and the
//! strategies that it is by ([`Case`]), [`why_step`] says why there is a step, [`why_not`] why a rule took none,
//! [`why_stage`] why a stage did nothing, [`discards`] what `cheaper` threw away, and [`growth`] where the work comes from
//! that is left. This room knows rules, strategies, derivations, terms and what these cost; it prints nothing.

mod answer;
mod case;
mod discard;
mod growth;
mod made;
mod places;
mod rule;
mod said;
mod schedule;
mod shape;
mod stage;
mod step;
mod taken;
mod why_not;

pub use answer::Why;
pub use case::{Case, End, Ran};
pub use discard::{Discard, discards, without_steps};
pub use growth::{Growth, Loop, Standing, growth};
pub use made::{Maker, Origin, Origins};
pub use rule::{Near, Remedy, RuleAnswer, rule_at};
pub use schedule::{Order, Part, Schedule, Traversal};
pub use shape::Shape;
pub use stage::{WhyStage, stages, why_no_stage, why_stage};
pub use step::{WhyStep, why_step};
pub use taken::{Cause, Taken, taken};
pub use why_not::{Fired, Moment, Said, WhyNot, why_not, why_not_stage, why_not_step, why_not_tagged};
