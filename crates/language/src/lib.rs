//! Turns texts of differentiable array programs into terms, and computes what these mean.
//!
//! In comes the text of a model; out come typed terms, their derivatives, their values, and what running them costs. Nothing here
//! rewrites a term.
//!
//! Five types to know: [`Term`](term::Term) and its [`Type`](term::Type), which can't be ill-typed; [`Program`](term::Program), a
//! term with what is known of its sizes; [`Diagnostic`](ground::Diagnostic), what is wrong with a text and where; and
//! [`Budget`](ground::Budget), which every loop asks whether to go on.
//!
//! In reading order; each module names some of those before it, and none behind it:
//!
//! * [`ground`]: spans, diagnostics with stable codes, names, limits, and how deep a stack lets things nest; caches; text
//!   laid out in lines, and numbers that look random.
//! * [`shipped`]: the models, scripts and rules that come along, as texts.
//! * [`term`]: the object language. A term is a nameless, shared, immutable node with an embedding of its free
//!   variables: moving it between scopes is cheap, and equality up to bound names is one comparison.
//! * [`syntax`]: the grammar (`model.pest`), the raw tree, the parser, the printer. What is printed parses back.
//! * [`format`](mod@format): models, rules and strategies in one layout.
//! * [`ad`]: D on types and terms, as in the paper.
//! * [`check`]: raw trees to typed terms. Sizes are polynomials; definitions unfold; static functions are substituted.
//!   What is said of mistakes is in `check/diagnose.rs`.
//! * [`eval`] and [`cost`]: what a program gives, what running it counts, and the same counts as formulas in its sizes.
//! * [`growth`]: how a primal and its derivatives grow with their sizes, as a table of counts.
//! * [`draw`]: charts and graphs, as text and as SVG.
#![forbid(unsafe_code)]

pub mod ad;
pub mod check;
pub mod cost;
pub mod draw;
pub mod eval;
pub mod format;
pub mod ground;
pub mod growth;
pub mod shipped;
pub mod syntax;
pub mod term;
