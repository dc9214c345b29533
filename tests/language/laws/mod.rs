//! Laws that hold for every term: printing and reading, substitution, equality, D, and how the cost of all of it grows.

mod binding;
mod derivative;
mod equality;
mod forms;
mod growth;
mod named;
mod nesting;
mod prompt;
mod ranges;
mod reading;
mod size;
mod skeleton;
mod tables;
mod wide;

use crate::support::{generate, host, large, session};
use std::path::Path;
use std::rc::Rc;

use host::TestHost;
use redexter::check::Model;
use redexter::ground::with_stack;
use redexter::term::Term;

/// Runs on a stack that serves terms as deep as the default limit.
fn deep<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    with_stack(100_000, work).expect("a thread")
}

/// Reads the text of a model.
fn model(host: &TestHost, text: &str) -> Result<Rc<Model>, String> {
    host.load(Path::new("model.arr"), &|_| Ok(text.to_owned()))
}

/// Every subterm, the term itself first, each in its own scope.
fn subterms(term: &Term) -> Vec<Term> {
    let mut all = vec![term.clone()];
    let mut next = 0;
    while next < all.len() {
        let kids = all[next].kids();
        all.extend(kids);
        next += 1;
    }
    all
}
