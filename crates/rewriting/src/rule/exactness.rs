//! An [`Exactness`] says in which sense both sides of a law are equal: to the bit, to the bit but for signs of zeros and what
//! leaves the numbers, or up to rounding.

use std::fmt;

/// The sense in which both sides of a rule's laws are equal, the strictest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Exactness {
    /// The same floating-point result.
    #[default]
    Exact,
    /// The same floating-point result, but for signs of zeros and what they make of it; and where a number overflows or
    /// something is divided by what has no reciprocal, or the first side isn't defined, anything.
    RealExact,
    /// The same up to rounding, and whatever `RealExact` allows.
    Reassociating,
}

impl Exactness {
    /// All of them with the words that users write.
    pub const ALL: &[(&str, Exactness)] = &[
        ("exact", Exactness::Exact),
        ("real_exact", Exactness::RealExact),
        ("reassociating", Exactness::Reassociating),
    ];
}

impl fmt::Display for Exactness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Exactness::ALL.iter().find(|(_, e)| e == self).map_or("exact", |(word, _)| word);
        f.write_str(word)
    }
}
