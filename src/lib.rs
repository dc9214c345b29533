//! Redexter is a workbench for the order of program optimisations on differentiable array programs.
//!
//! # A tour, in reading order
//!
//! Each crate names only crates that stand before it. The modules of all of them are reached from here, by their names, and
//! `redexter::term` is what is promised to users of the library.
//!
//! Data flows one way: text → raw tree → typed term → (strategy) → term and trace → evaluator, exporter, renderer.
//!
//! * `redexter-language`: terms, types and sizes, their text, D, evaluation and cost: [`ground`], [`shipped`], [`term`],
//!   [`syntax`], [`format`](mod@format), [`ad`], [`check`], [`eval`], [`cost`], [`growth`], [`draw`].
//! * `redexter-rewriting`: rules, strategies, the engine, questions about derivations: [`rule`], [`strategy`], [`redex`],
//!   [`sound`], [`interact`], [`search`], [`derivation`], [`validate`], [`why`], [`choice`], [`compare`].
//! * `redexter-loops`: programs as loop nests, run in blocks or written as C, and as Futhark: [`first`], [`nest`], [`blocks`],
//!   [`export`].
//! * `redexter-telling`: commands, walks, lessons, findings as text and pages: [`lesson`], [`command`], [`walk`], [`render`],
//!   [`handout`].
//! * `redexter-session`: scripts and sessions: [`script`], [`session`], [`reply`], [`document`].
//!
//! That is the core; it builds for WebAssembly, too. The user interfaces stand on it: `web/` has that of a page; the feature
//! `terminal` has what the others need of an operating system:
//!
//! * `redexter-running`: programs compiled, loaded and timed, arrays in files: [`native`], [`arrays`], [`bench`](mod@bench).
//! * Here: [`terminal`] (the only module that names ctrlc and nix), [`gradbench`], which times programs for a suite, the [`repl`]
//!   (rustyline) and the command line, [`cli`] (clap).
//!
//! # Invariants
//!
//! 1. What is printed parses back to the same term.
//! 2. Every rule keeps type and meaning, the latter as exactly as its exactness says.
//! 3. A repetition that the engine runs natively takes the steps of its definition.
//! 4. Replaying a trace gives its result.
//! 5. Nothing but a user interface prints, or touches files, the clock or the environment.
//! 6. Every run has limits.
//! 7. D agrees with an independent dual-number library and with finite differences.
//! 8. Equal input gives equal output, byte by byte.
//! 9. Exported programs evaluate to what the evaluator says.
#![forbid(unsafe_code)]

pub use redexter_language::{ad, check, cost, draw, eval, format, ground, growth, shipped, syntax, term};
pub use redexter_loops::{blocks, export, first, nest};
pub use redexter_rewriting::{
    choice, compare, derivation, interact, redex, rule, search, sound, strategy, validate, why,
};
#[cfg(feature = "terminal")]
pub use redexter_running::{arrays, bench, native};
pub use redexter_session::{document, reply, script, session};
pub use redexter_telling::{command, handout, lesson, render, walk};

#[cfg(feature = "terminal")]
pub mod cli;
#[cfg(feature = "terminal")]
pub mod gradbench;
#[cfg(feature = "terminal")]
pub mod repl;
#[cfg(feature = "terminal")]
pub mod terminal;
