//! Runs strategies: the engine takes the steps that the definitions say, in their order, at the cost of what changed.
//!
//! A strategy is compiled to a graph of operations ([`code`]) that work on a cursor in the term ([`cursor`]) with an
//! explicit stack of what waits ([`stack`], [`machine`], [`operations`]), so that neither deep terms nor deep strategies need the
//! native one; the most frequent thing, looking for a redex of some rules, is one operation ([`search`]). So it can pause
//! wherever nothing may take a step back ([`execution`]), and say afterwards why a strategy failed ([`explain`]). Four things
//! make it fast, and none changes a step: after a round of a repetition the search goes on where the round left off, as far up as
//! an answer can have changed ([`resume`]); a node remembers the strategies that fail on it, where they see of its context
//! at most what that says of the node's own variables ([`failures`], [`failure_bit`]), for equal ones, too ([`equal_nodes`]); a
//! node says which constructors stand somewhere in it, and is left alone where no rule finds those that it needs ([`search`]);
//! and a choice between rules is one look at a node. The meaning is that of the reference interpreter in `crates/reference`;
//! tests compare the two step by step.

mod children;
mod choices;
mod code;
mod cursor;
mod cycle_detection;
mod equal_nodes;
mod execution;
mod explain;
mod failure_bit;
mod failures;
mod footprint;
mod machine;
mod names;
mod next_action;
mod operations;
mod repetition;
mod resume;
mod search;
mod stack;
mod verdict;
mod without_terms;

pub use execution::{Execution, run, run_hollow};
