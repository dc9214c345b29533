//! Exports terms for other tools. This module knows terms and nothing of rules, strategies or scripts.

pub mod c;
pub mod futhark;
pub mod jax;
mod spelling;

pub use c::{CFiles, c, nest_of, verified_nest};
pub use futhark::{FutharkOptions, futhark};
pub use jax::{JaxEntry, JaxOptions, jax, shard_cost};
