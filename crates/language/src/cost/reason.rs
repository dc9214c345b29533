//! Lists the reasons why the work of a call isn't known.

use std::fmt;

/// A reason why the work of a call isn't known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// The function is another one in each iteration of a fold.
    MadeByFold,
    /// The function comes from outside, and is given a function.
    GivenFunction,
    /// Functions were followed as far as they are.
    TooFar,
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnknownReason::MadeByFold => "it calls a function that a fold makes, another one in each iteration",
            UnknownReason::GivenFunction => "it gives a function to one that isn't known",
            UnknownReason::TooFar => "there are too many calls of functions in functions to follow",
        })
    }
}
