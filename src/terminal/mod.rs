//! Provides what the command line and the REPL share: the operating system beneath a session, standard output and standard error,
//! colours.
//!
//! This is the only module that names ctrlc and nix.

mod memory;
mod out;
mod pager;
mod posix;
mod read;
mod system;
mod theme;
mod working;
mod write;

pub use out::{Exit, Out, OutMessage, WIDTH};
pub use posix::{drop_typed, ending, hung_up, keep_modes, start_anew};
pub use read::{file as read_file, standard_input};
pub use system::{Os, be_patient, catch_signals, reading};
pub use theme::painted;
