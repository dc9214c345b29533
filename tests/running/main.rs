//! Native code against the evaluator.

mod native;
mod threads;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod bits;
    pub mod called;
    pub mod generate;
    pub mod mixed;
    pub mod shipped;
}
