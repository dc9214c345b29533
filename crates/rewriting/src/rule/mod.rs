//! Defines rules: a rule is a named law, or several, with conditions and an exactness, tried at the root of a term.
//!
//! In reading order, each module naming only those before it: what a context says about its variables ([`Marks`]); a term in
//! its context ([`Focus`]) and reasons; laws as typed terms; `condition`s; why a rule doesn't apply, in full
//! ([`Explanation`]); the `footprint` of what a rule inspects; `matching` laws against terms; a [`Pattern`] on its own;
//! the record of a rule that is a function ([`NativeRule`]); a rule with all that is known of it ([`RuleInfo`]); what text
//! can't say, `native`ly; and the `book`, with what holds between several rules. This module knows terms and laws; it knows
//! no strategies, no scripts and no traces.

mod book;
mod bound;
mod condition;
mod exactness;
mod explanation;
mod focus;
mod footprint;
mod info;
mod law;
mod laws;
mod marks;
mod matching;
mod native;
mod news;
mod occurrence;
mod pattern;
mod reason;
mod record;
mod replace;

pub use book::{
    Chance, Example, Reach, RuleBook, RuleChoice, Sides, covers, define, examples, matches_all, matches_type,
    never_rest, restarts, rewrites_type, source, undoes,
};
pub use bound::{order, order_below};
pub use condition::{
    Around, Condition, Decision, Facts, Functions, Measure, Occurrences, Predicate, Quantity, Subject, Variable,
};
pub use exactness::Exactness;
pub use explanation::{Behind, Captures, Differs, Explanation, Form, Mismatch, Via};
pub use focus::{Focus, Frame};
pub use footprint::{Binders, ContextUse, Footprint, KidSet, Miss};
pub use info::{BOOK_INSTANCES, Body, Computed, LazyFootprint, Origin, Rule, RuleInfo, State};
pub use law::{applied, instance, variable};
pub use laws::{Checker, Laws};
pub use marks::Marks;
pub use matching::CompiledLaw;
pub use news::News;
pub use pattern::Pattern;
pub use reason::{Reason, Why};
pub use record::{NativeRule, Statement};
