//! Questions that a derivation answers: what could be done, why and why not, what differs, what interacts, what is best.

#[allow(dead_code)]
#[path = "../support/book.rs"]
mod book;
#[path = "../support/session.rs"]
mod session;

mod choice;
mod compare;
mod interact;
mod redexes;
mod rules;
mod schedules;
mod search;
