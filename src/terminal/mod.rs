//! What the command line and the REPL share: the operating system beneath a session, standard output and standard error,
//! colours.
//!
//! This is the only room that names ctrlc.

mod memory;
mod out;
mod pager;
mod system;
mod theme;

pub use memory::Counting;
pub use out::{Exit, Out, Said, WIDTH};
pub use system::{Os, be_patient, catch_interrupts, reading};
pub use theme::painted;
