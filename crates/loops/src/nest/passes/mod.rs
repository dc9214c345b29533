//! Makes loop nests better, one pass at a time: each takes statements and gives others that compute the same.

mod coalesce;
mod constants;
mod fuse_lanes;
mod fuse_loops;
mod prune;
mod reuse_space;
mod share;
mod split_guards;
mod split_products;
mod strip;
mod unroll;
mod unroll_and_jam;
mod vectorize_inner;
mod vectorize_outer;

pub(super) use coalesce::coalesce;
pub(super) use constants::constants;
pub(super) use fuse_loops::fuse_loops;
pub(super) use prune::prune;
pub(super) use reuse_space::reuse_space;
pub(super) use share::shared;
pub(super) use split_guards::split_guards;
pub(super) use split_products::split_products;
pub(super) use unroll::unrolled;
pub(super) use unroll_and_jam::jam;
pub(super) use vectorize_inner::vectorize_inner;
pub(super) use vectorize_outer::vectorize_outer;
