//! Makes loop nests better, one pass at a time: each takes statements and gives others that compute the same.

mod constants;
mod fuse_lanes;
mod prune;
mod share;
mod split_guards;
mod split_products;
mod store_results;
mod unroll;
mod unroll_and_jam;
mod vectorize_outer;

pub(super) use constants::constants;
pub(super) use prune::prune;
pub(super) use share::shared;
pub(super) use split_guards::split_guards;
pub(super) use split_products::split_products;
pub(super) use store_results::store_results;
pub(super) use unroll::unrolled;
pub(super) use unroll_and_jam::jam;
pub(super) use vectorize_outer::vectorize_outer;
