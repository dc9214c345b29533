//! Questions that a derivation answers: what could be done, why and why not, what differs, what interacts, what is best.

mod choice;
mod claims;
mod compare;
mod graphs;
mod growth;
mod interact;
mod questions;
mod redexes;
mod rules;
mod schedules;
mod search;

use crate::support::{book, generate, session, shipped, walks};
