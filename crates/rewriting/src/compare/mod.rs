//! Compares strategies on one program: two of them side by side ([`compare`]), one without each of its parts ([`ablate`]),
//! several in every order ([`orders`]).
//!
//! Runs have limits of their own, those of the [`Subject`]; a limit that one comes to is a finding. Only what ends
//! everything, Ctrl-C or the time that is allowed, ends an answer early: then it is marked, and holds what is known.
//! This room knows strategies, what they cost and whether programs agree. It knows no derivation that somebody walks and
//! no commands.

mod ablate;
mod align;
mod attempt;
mod orders;
mod print;
mod sides;
mod stages;

pub use ablate::{Ablation, CUT, Effect, Parts, Unable, Without, ablate};
pub use align::{Aligned, align};
pub use attempt::{Attempt, End, Subject, Used};
pub use orders::{MOST, Orders, Reached, Row, TooMany, orders};
pub use sides::{Next, Point, Side, SideBySide, Verdict, compare};
pub use stages::Stages;
