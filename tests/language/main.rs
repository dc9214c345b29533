//! The language: models and terms, their types, D, the evaluator and what programs cost.

mod ad;
mod cost;
mod eval;
mod format;
mod higher_order;
mod laws;
mod meter;
mod print;
mod syntax;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod bits;
    pub mod generate;
    pub mod host;
    pub mod large;
    pub mod machine;
    pub mod session;
    pub mod shipped;
}
