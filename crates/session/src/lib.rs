//! Sessions: lines in, responses out, over the files, the clock and the interrupts of a [`System`](session::System).
//!
//! In come commands and lines of scripts; out come responses as data and, of these, text. Nothing here prints: terminals and pages
//! stand on it.
//!
//! Five types to know: [`Session`](session::Session), what a user has loaded, defined and derived; [`System`](session::System), what
//! it needs of a machine; [`Response`](session::Response), what a command gives; [`Interpreter`](script::Interpreter), which
//! runs the language of schedules; and [`Host`](script::Host), what that asks of a session.
//!
//! In reading order; each module names some of those before it, and none behind it:
//!
//! * [`script`]: the language of schedules; the only module that names rhai.
//! * [`session`]: state, history, commands to responses.
//! * [`reply`]: responses as text.
//! * [`document`]: Markdown whose blocks are sessions, models and scripts, checked.
#![forbid(unsafe_code)]

pub mod document;
pub mod reply;
pub mod script;
pub mod session;
