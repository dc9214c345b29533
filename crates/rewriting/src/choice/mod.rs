//! Answers what can be done with a term: the rewrites that are possible now, what a strategy would come to, and the terms that
//! rules reach.
//!
//! This module knows rules, strategies and costs. It knows no derivations and no sessions, and nothing of how things look.

mod enabled;
mod graph;
mod possible;
mod preview;

pub use enabled::{EnabledRule, MAX_AROUND, enabled, taken_away};
pub use graph::{RewriteEdge, RewriteGraph, RewriteNode, graph};
pub use possible::{MAX_LISTED, PossibleRewrites, RewriteChoice, possible};
pub use preview::{Preview, PreviewEnd, preview};
