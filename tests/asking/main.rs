//! Questions that a derivation answers: what could be done, why and why not, what differs, what interacts, what is best.

#[allow(dead_code)]
#[path = "../support/book.rs"]
mod book;
#[path = "../support/session.rs"]
mod session;
#[allow(dead_code)]
#[path = "../support/shipped.rs"]
mod shipped;

mod choice;
mod compare;
mod interact;
mod redexes;
mod rules;
mod schedules;
mod search;
