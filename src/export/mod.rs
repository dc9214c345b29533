//! What terms are turned into for other tools. This room knows terms and nothing of rules, strategies or scripts.

pub mod futhark;

pub use futhark::{FutharkOptions, futhark};
