//! Native code against the evaluator.

mod native;
mod prepared;
mod primitives;
mod sizes;
mod threads;

use std::process::Command;

/// Whether there is a compiler; a test that needs one says that it was skipped.
fn has_compiler() -> bool {
    let has = Command::new("cc").arg("--version").output().is_ok_and(|said| said.status.success());
    if !has {
        println!("skipped: there is no cc");
    }
    has
}

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod bits;
    pub mod called;
    pub mod generate;
    pub mod mixed;
    pub mod shipped;
    pub mod typed;
}
