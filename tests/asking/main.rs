//! Questions that a derivation answers: what could be done, why and why not, what differs, what interacts, what is best.

#[allow(dead_code, reason = "other tests need more of it")]
#[path = "../support/book.rs"]
mod book;
#[allow(dead_code, reason = "other tests need more of it")]
#[path = "../support/generate.rs"]
mod generate;
#[path = "../support/session.rs"]
mod session;
#[allow(dead_code, reason = "other tests need more of it")]
#[path = "../support/shipped.rs"]
mod shipped;
#[path = "../support/walks.rs"]
mod walks;

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
