//! Describes numbers that others hold, which a call reads and writes where they stand.

use std::ffi::c_void;

/// What the words of a slot are: one that takes indices must not be given the bits of doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// Doubles.
    Real,
    /// Integers of 64 bits.
    Int,
}

/// What the words of a slot are, and how many there are.
pub type LentSlot = (SlotKind, usize);

/// Numbers that a call reads.
#[derive(Clone, Copy, Debug)]
pub enum LentNumbers<'a> {
    /// Doubles.
    Reals(&'a [f64]),
    /// Integers.
    Ints(&'a [i64]),
}

impl LentNumbers<'_> {
    /// The slot that they fit.
    pub fn slot(&self) -> LentSlot {
        match self {
            LentNumbers::Reals(all) => (SlotKind::Real, all.len()),
            LentNumbers::Ints(all) => (SlotKind::Int, all.len()),
        }
    }

    pub(crate) fn address(&self) -> *const c_void {
        match self {
            LentNumbers::Reals(all) => all.as_ptr().cast(),
            LentNumbers::Ints(all) => all.as_ptr().cast(),
        }
    }
}

/// Room that a call writes into.
#[derive(Debug)]
pub enum LentRoom<'a> {
    /// For doubles.
    Reals(&'a mut [f64]),
    /// For integers.
    Ints(&'a mut [i64]),
}

impl LentRoom<'_> {
    /// The slot that it fits.
    pub fn slot(&self) -> LentSlot {
        match self {
            LentRoom::Reals(all) => (SlotKind::Real, all.len()),
            LentRoom::Ints(all) => (SlotKind::Int, all.len()),
        }
    }

    pub(crate) fn address(&mut self) -> *mut c_void {
        match self {
            LentRoom::Reals(all) => all.as_mut_ptr().cast(),
            LentRoom::Ints(all) => all.as_mut_ptr().cast(),
        }
    }
}

/// What a function needs at certain sizes. Who makes it vouches that it is so.
#[derive(Clone, Debug, Default)]
pub struct CallNeeds {
    /// The sizes.
    pub sizes: Vec<i64>,
    /// What is given.
    pub given: Vec<LentSlot>,
    /// What is asked for.
    pub asked: Vec<LentSlot>,
    /// Words that are needed meanwhile.
    pub arena: usize,
    /// Among how many threads each loop is shared out that can be.
    pub shares: Vec<i64>,
    /// What each thread beside the first needs meanwhile, in words, a multiple of 8.
    pub each: usize,
    /// So much for each of them, and 8 words.
    pub own: usize,
}

/// Memory that calls need meanwhile, kept from one call to the next.
#[derive(Debug, Default)]
pub struct CallScratch {
    pub(crate) arena: Vec<u64>,
    pub(crate) own: Vec<u64>,
}

impl CallScratch {
    /// Has as many words as are needed; `None` where memory is short.
    pub(crate) fn grow(&mut self, needs: &CallNeeds) -> Option<()> {
        for (words, needed) in [(&mut self.arena, needs.arena), (&mut self.own, needs.own)] {
            if words.len() < needed {
                words.try_reserve_exact(needed - words.len()).ok()?;
                words.resize(needed, 0);
            }
        }
        Some(())
    }

    /// How many words it holds.
    pub fn words(&self) -> usize {
        self.arena.len() + self.own.len()
    }
}
