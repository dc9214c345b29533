//! Offers Redexter to Python as the module `redexter._redexter`, over which the package `redexter` stands.
//!
//! Terms never leave their thread, and Python's objects go anywhere: so each session works on a thread of its own, what Python
//! holds are numbers of things that are kept there, and a call waits for its answer without the interpreter's lock.
//!
//! In reading order; each module names some of those before it:
//!
//! * [`failure`]: what went wrong, as an exception.
//! * [`given`]: whole numbers and texts as arguments.
//! * [`machine`]: the operating system for a session, with texts that Python gave and an interrupt for each piece of work.
//! * [`worker`]: the thread of a session, what it keeps, and how others wait for it.
//! * [`html`]: text with looks, as HTML.
//! * [`signature`]: what a program takes and gives, for those who know no terms.
//! * [`arrays`]: Python's values as numbers, and numbers as Python's values.
//! * [`native`]: compiled programs, called on NumPy's arrays where these stand.
//! * [`work`]: what running a term costs.
//! * [`answers`]: questions about derivations, and their answers.
//! * [`strategy`]: strategies, read.
//! * [`programs`]: terms and derivations.
//! * [`model`]: models, whose definitions are terms.
//! * [`session`]: sessions, from which all of these come.
//! * [`module`]: what Python finds in the module.
#![forbid(unsafe_code)]

pub mod answers;
pub mod arrays;
pub mod failure;
pub mod given;
pub mod html;
pub mod machine;
pub mod model;
pub mod module;
pub mod native;
pub mod programs;
pub mod session;
pub mod signature;
pub mod strategy;
pub mod work;
pub mod worker;
