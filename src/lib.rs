//! Redexter: a workbench for the order of program optimisations on differentiable array programs.
//!
//! # A tour, in reading order
//!
//! Each room knows some of those before it, and none behind it.
//!
//! Data flows one way: text → raw tree → typed term → (strategy) → term and trace → evaluator, exporter, renderer.
//!
//! * [`ground`]: spans, diagnostics with stable codes, names, limits, and how deep a stack lets things nest; caches; text
//!   laid out in lines, and numbers that look random.
//! * [`shipped`]: the models, scripts and rules that come along, as texts.
//! * [`term`]: the object language. A term is a nameless, shared, immutable node with an embedding of its free
//!   variables: moving it between scopes is cheap, and equality up to bound names is one comparison.
//! * [`syntax`]: the grammar, the raw tree, the parser, the printer. What is printed parses back.
//! * [`format`](mod@format): models, rules and strategies in one layout.
//! * [`ad`]: D on types and terms, as in the paper.
//! * [`check`]: raw trees to typed terms. Sizes are polynomials; definitions unfold; static functions are substituted.
//! * [`eval`] and [`cost`]: what a program gives, what running it counts, and the same counts as formulas in its sizes.
//! * [`growth`]: how a primal and its derivatives grow with their sizes, as a table of counts.
//! * [`rule`]: laws as text, matched; conditions; the rule book; what text can't say, natively.
//! * [`strategy`]: schedules as data, the engine that runs them, traces, what can be said before running.
//! * [`redex`]: every place in a term where some rules apply.
//! * [`sound`]: rules and strategies tested on grown programs.
//! * [`interact`]: how rules enable, disable and take back each other, pair by pair, with the smallest term that shows it.
//! * [`search`]: the cheapest term that some rules reach, and a schedule that reaches it.
//! * [`derivation`]: what a run did, as a tree of stages, with the whole term and its work after any step.
//! * [`validate`]: a derivation gone through step by step: whether each is typed, and means what it meant.
//! * [`why`]: where a rule applies, or what is in its way and what would remove that; why a derivation went as it did.
//! * [`choice`]: what can be done with a term: the rewrites that are possible, what a strategy would come to, the terms
//!   that are reached.
//! * [`draw`]: charts and graphs, as text and as SVG.
//! * [`compare`]: strategies side by side, without each of their parts, and in every order.
//! * [`lesson`]: a term, a goal, the rules that may be used; and what there is to be said of a schedule for it.
//! * [`command`]: lines that begin with a colon, as data. [`walk`]: a derivation that one walks, forth, back and
//!   elsewhere.
//! * [`render`]: terms, derivations and findings as text with looks.
//! * [`handout`]: derivations to be handed out, as pages in one file that need nothing else.
//! * [`first`]: programs with their functions evaluated away. [`nest`]: these as equations
//!   over indices, and as loops over numbers in dense arrays.
//! * [`blocks`]: nests run without a compiler, an instruction for each operation on a block of lanes.
//! * [`export`] writes Futhark and C.
//! * [`script`]: the language of schedules; the only room that names rhai.
//! * [`session`]: state, history, commands to responses, over the files, the clock and the interrupts of a
//!   [`System`](session::System). [`reply`] turns responses into text; [`document`] checks Markdown whose
//!   blocks are sessions, models and scripts.
//!
//! That is the core; it builds for WebAssembly, too. Faces stand on it: the feature `terminal` has what they need of an
//! operating system ([`terminal`], the only room that names ctrlc and nix; [`native`], which compiles and loads code;
//! [`arrays`], inputs and results as files of NumPy's; [`bench`](mod@bench), which times programs; [`gradbench`], which does so for a suite), the [`repl`] (rustyline) and the command line,
//! [`cli`] (clap); a page has `web/`.
//!
//! # Invariants
//!
//! 1. What is printed parses back to the same term.
//! 2. Every rule keeps type and meaning, the latter as exactly as its exactness says.
//! 3. What repeats natively takes the steps of its definition.
//! 4. Replaying a trace gives its result.
//! 5. Nothing but a face prints, or touches files, the clock or the environment.
//! 6. Every run has limits.
//! 7. D agrees with an independent dual-number library and with finite differences.
//! 8. Equal input gives equal output, byte by byte.
//! 9. Exported programs evaluate to what the evaluator says.
#![forbid(unsafe_code)]

pub mod ad;
#[cfg(feature = "terminal")]
pub mod arrays;
#[cfg(feature = "terminal")]
pub mod bench;
pub mod blocks;
pub mod check;
pub mod choice;
#[cfg(feature = "terminal")]
pub mod cli;
pub mod command;
pub mod compare;
pub mod cost;
pub mod derivation;
pub mod document;
pub mod draw;
pub mod eval;
pub mod export;
pub mod first;
pub mod format;
#[cfg(feature = "terminal")]
pub mod gradbench;
pub mod ground;
pub mod growth;
pub mod handout;
pub mod interact;
pub mod lesson;
#[cfg(feature = "terminal")]
pub mod native;
pub mod nest;
pub mod redex;
pub mod render;
#[cfg(feature = "terminal")]
pub mod repl;
pub mod reply;
pub mod rule;
pub mod script;
pub mod search;
pub mod session;
pub mod shipped;
pub mod sound;
pub mod strategy;
pub mod syntax;
pub mod term;
#[cfg(feature = "terminal")]
pub mod terminal;
pub mod validate;
pub mod walk;
pub mod why;
