//! Compares strategies on one program: two of them side by side ([`compare`]), one without each of its parts ([`ablate`]),
//! several in every order ([`orders`]).
//!
//! Runs have limits of their own, those of the [`RunSubject`]; a limit that one comes to is a finding. Only what ends
//! everything, Ctrl-C or the time that is allowed, ends an answer early: then it is marked, and holds what is known.
//! This module knows strategies, what they cost and whether programs agree. It knows no derivation that somebody walks and
//! no commands.

mod ablate;
mod align;
mod attempt;
mod orders;
mod sides;
mod stages;
mod term_hash;

pub use ablate::{Ablation, AblationEffect, AblationError, AblationParts, AblationRow, CUT, ablate};
pub use align::{AlignedSteps, align};
pub use attempt::{AttemptEnd, RunEffort, RunSubject, StrategyAttempt};
pub use orders::{MOST, OrderResult, OrderRow, Orders, TooManyOrders, orders};
pub use sides::{CommonTerm, ComparedSide, DivergingStep, SideBySide, SidesVerdict, compare};
pub use stages::StrategyStages;
