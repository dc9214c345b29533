//! Rewrites array programs: rules and strategies, the engine that runs them, and answers to questions about what they did.
//!
//! In come a term, a rule book and a strategy; out comes another term that means the same, with the trace of how it was reached.
//!
//! Five types to know: [`Rule`](rule::Rule), a law that is matched; [`Strategy`](strategy::Strategy), a schedule as data;
//! [`Trace`](strategy::Trace), the steps that a run took; [`Derivation`](derivation::Derivation), the same as a tree of stages;
//! and [`WhyAnswer`](why::WhyAnswer), the reason why a rule applies or doesn't.
//!
//! In reading order; each module names some of those before it, and none behind it:
//!
//! * [`rule`]: laws as text, matched; conditions; what text can't say, natively; the rule book, which also tells from laws alone
//!   which rules undo each other.
//! * [`redex`]: every place in a term where some rules apply.
//! * [`overlap`]: laws that overlap, or come one after another, as one law.
//! * [`strategy`]: schedules as data, the engine that runs them, traces; warnings and refusals before a run (`lint`,
//!   `termination`), such as two rules that undo each other in a repetition.
//! * [`sound`]: rules and strategies tested on grown programs.
//! * [`choice`]: what can be done with a term: the rewrites that are possible, what a strategy would come to, the terms
//!   that are reached.
//! * [`interact`]: on request, how rules enable, disable and take back each other, pair by pair, with the smallest term that
//!   shows it.
//! * [`ends`]: rules that lead back to what they began with, found from their laws alone, and shown on a term.
//! * [`search`]: the cheapest term that some rules reach, and a schedule that reaches it.
//! * [`derivation`]: what a run did, as a tree of stages, with the whole term and its work after any step.
//! * [`precision`]: whether a derivation loses digits, by numbers of twice as many.
//! * [`validate`]: a derivation gone through step by step: whether each is typed, and means what it meant.
//! * [`why`]: where a rule applies, or what is in its way and what would remove that; why a derivation went as it did.
//! * [`compare`]: strategies side by side, without each of their parts, and in every order.
#![forbid(unsafe_code)]

pub mod choice;
pub mod compare;
pub mod derivation;
pub mod ends;
pub mod interact;
pub mod overlap;
pub mod precision;
pub mod redex;
pub mod rule;
pub mod search;
pub mod sound;
pub mod strategy;
pub mod validate;
pub mod why;
