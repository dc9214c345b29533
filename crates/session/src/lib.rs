//! Runs sessions: lines go in, responses come out, over the files, the clock and the interrupts of a [`System`](session::System).
//!
//! The lines are commands and lines of scripts; the responses are data, of which `reply` makes text. Nothing here prints:
//! terminals and pages stand on it.
//!
//! Five types to know: [`Session`](session::Session), what a user has loaded, defined and derived; [`System`](session::System),
//! what it needs of a machine; [`Response`](session::Response), what a command gives; [`Interpreter`](script::Interpreter), which
//! runs the language of schedules; and [`Host`](script::Host), what that asks of a session.
//!
//! ```
//! use redexter_session::session::{MemorySystem, Session, Settings};
//! # use std::{path::Path, rc::Rc};
//! # fn main() -> Result<(), redexter_language::ground::Trouble> {
//! let files = MemorySystem::default();
//! files.put(Path::new("m.arr"), b"def twice (x : real) : real := x * 1 + x\n");
//! let mut session = Session::new(Settings::quiet(Rc::new(files)), Rc::default())?;
//! let twice = session.target("m.arr:twice")?;
//! let (value, counts) = session.evaluate_on(&twice, r#"{"x": 2}"#, &[])?;
//! assert_eq!((value.as_str(), counts.flops), ("4.0", 2));
//! let strategy = session.strategy("normalize(mulOne <+ addZero)")?;
//! assert_eq!(strategy.to_string(), "normalize(mulOne <+ addZero)");
//! let once = session.strategy("topDown(mulOne)")?;
//! assert_eq!(session.derive(&once, &twice)?.trace.steps.len(), 1);
//!
//! session.submit("fun (x : real) => x * 1")?;
//! let before = session.current_term().cloned().expect("a term");
//! session.submit("topDown(mulOne)")?;
//! let after = session.current_term().expect("a term");
//! assert!(after.size() < before.size() && *after != before);
//! # Ok(())
//! # }
//! ```
//!
//! In reading order; each module names some of those before it, and none behind it:
//!
//! * [`script`]: the language of schedules; the only module that names rhai.
//! * [`session`]: state, history, commands to responses; what completes a line (`complete`), what is saved and restored (`save`,
//!   with the definitions that `prerequisites` finds, `restore`; lines are recorded in `dispatch` and `commands`), and loaded
//!   again (`reload`). Terminals and pages only ask it.
//! * [`reply`]: responses as text; the rule book's in `reply/rules`, of lessons in `reply/lessons`.
//! * [`document`]: Markdown whose blocks are sessions, models and scripts, checked.
#![forbid(unsafe_code)]

pub mod document;
pub mod reply;
pub mod script;
pub mod session;
