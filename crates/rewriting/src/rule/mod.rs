//! Defines rules: a rule is a named law, or several, with conditions and an exactness, tried at the root of a term.
//!
//! In reading order, each module naming only those before it: what a context says about its variables ([`Marks`]); a term in
//! its context ([`Focus`]) and reasons; laws as typed terms; `condition`s; why a rule doesn't apply, in full
//! ([`RuleExplanation`]); the `footprint` of what a rule inspects; `matching` laws against terms; a [`Pattern`] on its own
//! and as a condition to add ([`Restriction`]); the record of a rule that is a function ([`NativeRule`]); a rule with all that is
//! known of it ([`RuleInfo`]); what text can't say, `native`ly; and the `book`, with what holds between several rules. This
//! module knows terms and laws; it knows no strategies, no scripts and no traces.

mod binding_order;
mod book;
mod condition;
mod exactness;
mod explanation;
mod focus;
mod footprint;
mod fresh;
mod info;
mod law;
mod laws;
mod marks;
mod matching;
mod native;
mod occurrence;
mod pattern;
mod reason;
mod record;
mod replace;
mod restriction;
mod written;

pub use binding_order::{order, order_below};
pub use book::{
    EnablingChance, Example, RedexScope, RuleBook, RuleChoice, RuleSides, covers, define, examples, matches_all,
    matches_type, may_be_one, never_resting, restarts, rewrites_type, source, undoes, undone,
};
pub use condition::{
    Condition, ConditionFacts, ConditionFunctions, ConditionVariable, Decision, EnclosingBinder, Occurrences,
    Predicate, Quantity, QuestionSubject, TermMeasure, VariableCondition,
};
pub use exactness::Exactness;
pub use explanation::{
    CaptureMismatch, FormMismatch, HiddenMatch, HidingConstruct, NonlinearMismatch, RuleExplanation, RuleMismatch,
};
pub use focus::{Focus, Frame};
pub use footprint::{BinderKinds, ContextUse, Footprint, KidSet, Miss};
pub use fresh::FreshSubterms;
pub use info::{BOOK_INSTANCES, ComputedRule, LazyFootprint, Rule, RuleBody, RuleInfo, RuleOrigin, SoundnessState};
pub use law::{applied, instance, is_bound, place_of, variable};
pub use laws::{Checker, Laws};
pub use marks::Marks;
pub use matching::CompiledLaw;
pub(crate) use native::nest;
pub use pattern::Pattern;
pub use reason::{FailureCause, Reason};
pub use record::{NativeRule, NativeStatement};
pub use restriction::Restriction;
