//! Redexter is a workbench for the order of program optimisations on differentiable array programs.
//!
//! # A tour, in reading order
//!
//! Each crate names only crates that stand before it. The modules of all of them are reached from here, by their names: users of
//! the library rely on such paths, `redexter::term` for example, not on which crate a module is in.
//!
//! Data flows one way: text → raw tree → typed term → (strategy) → term and trace → evaluator, exporter, renderer.
//!
//! * `redexter-language`: terms, types and sizes, their text, D, evaluation and cost: [`ground`], [`shipped`], [`term`],
//!   [`syntax`], [`format`](mod@format), [`ad`], [`check`], [`eval`], [`cost`], [`growth`], [`draw`].
//! * `redexter-rewriting`: rules, strategies, the engine, questions about derivations: [`rule`], [`strategy`], [`redex`],
//!   [`sound`], [`interact`], [`ends`], [`search`], [`derivation`], [`precision`], [`validate`], [`why`], [`choice`],
//!   [`compare`].
//! * `redexter-loops`: programs as loop nests, run in blocks or written as C, and as Futhark and JAX: [`first`], [`nest`],
//!   [`blocks`], [`export`].
//! * `redexter-telling`: commands, walks, lessons, findings as text and pages: [`lesson`], [`styled`], [`arguments`], [`walk`],
//!   [`render`], [`questions`], [`command`], [`handout`].
//! * `redexter-session`: scripts and sessions: [`script`], [`session`], [`reply`], [`document`].
//!
//! A question (`:why`, `:compare`) goes so: `command` finds its row in `questions`; the module that the row names reads the rest
//! of the line, asks a module of `redexter-rewriting` such as `why` about the current derivation, and writes the answer;
//! `session` passes it on. A command goes so: its row is in `command`; one about a derivation (`:undo`) is read by
//! `walk::command` and carried out by `walk`, any other (`:load`) by `session`; `reply` and `render` make text of it.
//! `docs/adding.md` has the steps for a new primitive, rule, command, question and target, `docs/glossary.md` the words.
//!
//! That is the core; it builds for WebAssembly, too. User interfaces stand on it. `web/` is that of a page; the other three need
//! the feature `terminal`, which brings what they need of an operating system:
//!
//! * `redexter-running`: programs compiled, loaded and timed, arrays in files: [`native`], [`arrays`], [`bench`](mod@bench).
//! * [`terminal`]: interrupts, signals and colours, the only module that names ctrlc and nix.
//! * The interfaces: [`gradbench`], which times programs for a suite, the [`repl`] (rustyline), and the command line, [`cli`]
//!   (clap; options are in `cli/options`, those of exports in its `results`, what they change in C is `export::c::CTarget`).
//!
//! Beside these: `redexter-kernels` (arithmetic on lanes, for `blocks`), `redexter-loader` (calls compiled code, for `native`),
//! `redexter-allocator` (counts the bytes that are held, which
//! `terminal/memory` asks, for the limit of `--max-memory`), and `redexter-reference` (a slow engine that tests compare with).
//!
//! # Invariants
//!
//! 1. What is printed parses back to the same term.
//! 2. Every rule keeps type and meaning, the latter as exactly as its exactness says.
//! 3. A repetition that the engine runs natively takes the steps of its definition.
//! 4. Replaying a trace gives its result.
//! 5. Nothing in the core prints, or touches files, the clock or the environment.
//! 6. Every run has limits.
//! 7. D agrees with an independent dual-number library and with finite differences, except where a zero tangent meets an
//!    infinite slope (what is constant has no tangent in D, while that library multiplies 0 by the slope), and except beside NaN,
//!    where the slope of `min` and `max` goes to the operand that is the value.
//! 8. Equal input gives equal output, byte by byte.
//! 9. Exported programs evaluate to what the evaluator says, to the bit unless freedom is asked for (`--fast`).
#![forbid(unsafe_code)]

pub use redexter_language::{ad, check, cost, draw, eval, format, ground, growth, shipped, syntax, term};
pub use redexter_loops::{blocks, export, first, nest};
pub use redexter_rewriting::{
    choice, compare, derivation, ends, interact, precision, redex, rule, search, sound, strategy, validate, why,
};
#[cfg(feature = "terminal")]
pub use redexter_running::{arrays, bench, native};
pub use redexter_session::{document, reply, script, session};
pub use redexter_telling::{arguments, command, handout, lesson, questions, render, styled, walk};

#[cfg(feature = "terminal")]
pub mod cli;
#[cfg(feature = "terminal")]
pub mod gradbench;
#[cfg(feature = "terminal")]
pub mod repl;
#[cfg(feature = "terminal")]
pub mod terminal;
