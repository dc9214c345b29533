//! Redexter: a workbench for the order of program optimisations on differentiable array programs.

pub mod ad;
pub mod check;
pub mod cli;
pub mod cost;
pub mod eval;
pub mod export;
pub mod ground;
pub mod render;
pub mod repl;
pub mod rule;
pub mod script;
pub mod session;
pub mod strategy;
pub mod syntax;
pub mod term;
