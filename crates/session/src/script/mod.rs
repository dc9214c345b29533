//! Runs schedules: strategies, rules and terms are values of a script language, which is Rhai with four additions.
//!
//! This is the only module that names `rhai`. A text goes through `read` (the additions become things that Rhai knows,
//! character for character), is compiled and checked for unknown names by `lint`, and runs on the engine that `engine`
//! builds; `world` holds what its functions share, and `meter` counts what they use up. Statements: `define` has `strategy`,
//! `rules` and `computed` have `rule` (of laws, of functions), `definitions` what they keep, `inline_rules` has patterns and
//! rules without a name; `script_functions` calls their functions. Functions: `combinators` on strategies (`catalogue` lists
//! those that are built in), `models` and `schedules` give terms and what other scripts define, `amounts` are what running
//! them takes, `terms` rewrites terms, `parts` takes them apart, `walks` goes through derivations, `searching` looks for
//! cheaper terms, `running` evaluates, compares and exports them, `soundness` tests rules, and `checking` what a script asks
//! for. `meanings` says what names mean. Other scripts:
//! `outline` sees what a text imports, exports and defines, `libraries` finds what it imports and has it run, `imports` makes
//! names of that; `prelude` is the library of derived combinators, and `guide` what there is to read of any. `interpreter`
//! stands on top, and runs scripts, those that others name, too. `abstract_run` says what is wrong with a script that isn't run;
//! `trouble` turns Rhai's errors into diagnostics with places, and `foreign_names` knows other languages' names. It reads no file
//! and no clock and prints nothing: what a script can reach is its [`Host`]. (Section 3 of the paper.)
//!
//! Scripts nest, and so does the native stack: run an [`Interpreter`] on a thread from
//! [`redexter_language::ground::with_stack`], or let the [`Host`] say how deep they may.

mod abstract_run;
mod amounts;
mod bounded;
mod catalogue;
mod checking;
mod combinators;
mod computed;
mod define;
mod definitions;
mod engine;
mod errors;
mod foreign_names;
mod guide;
mod host;
mod imports;
mod inline_rules;
mod interpreter;
mod libraries;
mod lint;
mod loaded;
mod meanings;
mod meter;
mod models;
mod outline;
mod parts;
mod prelude;
mod read;
mod rule_names;
mod rules;
mod running;
mod schedules;
mod script_functions;
mod searching;
mod soundness;
mod terms;
mod trouble;
mod walks;
mod words;
mod world;

pub use catalogue::Builtin;
pub use guide::{ImportedLibrary, LibraryGuide, StrategyGuide};
pub use host::Host;
pub use interpreter::{CompiledLine, Interpreter, InterpreterState, LineValue, ScriptStrategies, StrategySummary};
pub(crate) use read::STATEMENTS;
