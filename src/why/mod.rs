//! Why a rule doesn't apply to a term, and what would make it.
//!
//! [`rule_at`] finds where it does, or the nearest matches and what is in the way of each. This room knows rules and terms
//! and what these cost; it prints nothing.

mod rule;

pub use rule::{Near, Remedy, RuleAnswer, rule_at};
