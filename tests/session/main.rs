//! Sessions: scripts, lessons, what is saved and read back.

mod lessons;
mod mutants;
mod prompt;
mod saving;
mod script;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod script;
    pub mod session;
    pub mod shipped;
}
