//! Rules, strategies and the engine that runs them, and what is asked of a derivation.

mod asking;
mod caches;
mod careful;
mod clinic;
mod context;
mod derivation;
mod digits;
mod distinct;
mod edge_losses;
mod edges;
mod ends;
mod engine;
mod exact;
mod examples;
mod flat;
mod footprint;
mod lint;
mod losses;
mod moved;
mod patterns;
mod precision;
mod proofs;
mod relations;
mod rounds;
mod rules;
mod schedules;
mod sharing;
mod sound;
mod soundness;
mod split;
mod steps;
mod strategy;
mod validate;
mod walks;

#[allow(dead_code, reason = "other programs of tests need more of it")]
#[path = "../support"]
mod support {
    pub mod account;
    pub mod agree;
    pub mod book;
    pub mod computed;
    pub mod figures;
    pub mod futhark;
    pub mod generate;
    pub mod indexed;
    pub mod losses;
    pub mod machine;
    pub mod meaning;
    pub mod moved;
    pub mod perceptron;
    pub mod script;
    pub mod session;
    pub mod shares;
    pub mod shipped;
    pub mod strategies;
    pub mod walks;
    pub mod workloads;
}
