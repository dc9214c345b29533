//! Answers what can be done with a term: the rewrites that are possible now, what a strategy would come to, and the terms that
//! rules reach.
//!
//! This room knows rules, strategies and costs. It knows no derivations and no sessions, and nothing of how things look.

mod enabled;
mod graph;
mod possible;
mod preview;

pub use enabled::{AROUND, Enabled, enabled};
pub use graph::{Edge, Graph, Node, graph};
pub use possible::{Choice, LISTED, Possible, possible};
pub use preview::{End, Preview, preview};
