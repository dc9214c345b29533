//! The program as a shell, a terminal or a benchmark drives it, and what the documents say of it.

mod abilities;
mod cli;
mod docs;
mod firsts;
mod general;
mod gradbench;
mod helps;
mod remedies;
mod render;
mod terminal;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod host;
    pub mod program;
}
