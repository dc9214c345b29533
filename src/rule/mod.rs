//! Rules: named laws with conditions and an exactness, tried at the root of a term.
//!
//! A rule is either text in the notation of the array language (laws that `check` has typed, matched here) or a native
//! function over a [`Site`]. This room knows terms and laws; it knows no strategies, no scripts and no traces.

mod pattern;
mod reason;
mod rule;
mod site;

pub use pattern::Pattern;
pub use reason::{Reason, Why};
pub use rule::{Body, Exactness, Native, Origin, Rule, RuleInfo};
pub use site::{Frame, Site};
