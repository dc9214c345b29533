//! Nests that are grown, and some that are written by hand, show what the verifier of nests and the analysis of dependences say
//! against runs of all small sizes.
//!
//! `REDEXTER_EXTENDED=1` grows many more.

mod grown;
mod interpreter;
mod short;

mod dependence;
mod nearly_right;
mod verify;
