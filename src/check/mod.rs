//! From raw trees to typed terms: names, types, sizes, unfolding and D.

mod law;

pub use law::{Law, PatternVar};
