//! Rules: named laws with conditions and an exactness, tried at the root of a term.
//!
//! A rule is either text in the notation of the array language (laws that `check` has typed, matched here) or a native
//! function over a [`Site`]. This room knows terms and laws; it knows no strategies, no scripts and no traces.

mod abstraction;
mod alternatives;
mod asked;
mod book;
mod build;
mod compile;
mod condition;
mod example;
mod fill;
mod fits;
mod info;
mod law;
mod laws;
mod look;
mod matching;
mod native;
mod overlap;
mod pattern;
mod place;
mod plan;
mod predicate;
mod quantity;
mod read;
mod reason;
mod replace;
mod scene;
mod seconds;
mod sight;
mod site;
mod sizes;
mod template;
mod typing;

pub use alternatives::Alternatives;
pub use asked::{Decision, Functions, Subject};
pub use book::{RuleBook, define};
pub use condition::{Condition, Variable};
pub use example::{Example, example};
pub use info::{BOOK_INSTANCES, Body, Computed, Exactness, Native, Origin, Rule, RuleInfo, State};
pub use law::CompiledLaw;
pub use laws::{Checker, Laws};
pub use look::{Below, Binders, Look, Miss};
pub use overlap::{Reach, never_rest};
pub use pattern::Pattern;
pub use predicate::Predicate;
pub use quantity::{Measure, Quantity};
pub use reason::{Reason, Why};
pub use sight::Sight;
pub use site::{Frame, Site};
