//! Prepares native code for certain sizes, for calls of numbers that stay where others hold them.

use std::sync::Arc;
use std::sync::atomic::AtomicI32;

use redexter_loader::{CallNeeds, CallScratch, LentNumbers, LentRoom, LentSlot, LoadedCode, SlotKind, Team};

use super::{Native, ThreadLimits, functions};
use crate::arrays::{ElementKind, parts};
use redexter_language::cost;
use redexter_language::eval::{Sizes, check_room, check_sizes, numbers};
use redexter_language::ground::Trouble;
use redexter_loops::blocks::MAX_NUMBERS;
use redexter_loops::nest::{NestSlot, ScalarKind};

/// A program at certain sizes, as code that any thread may call, several at once.
///
/// It knows no terms, so that it goes where terms can't: terms never leave their thread.
#[derive(Clone, Debug)]
pub struct PreparedCode {
    code: Arc<LoadedCode>,
    needs: CallNeeds,
    /// Of each array that is given, below what its numbers are.
    below: Vec<Option<u64>>,
    threads: u32,
    work: u128,
}

/// What a call needs beside its numbers. One call has it at a time; it is kept for the next one.
pub struct PreparedRoom {
    scratch: CallScratch,
    team: Team,
}

/// How a call ended that gave no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFailure {
    /// The numbers aren't as many as the sizes say, or of another kind.
    Unfit,
    /// The array with this number has, at this place, an index that is out of range.
    Index(usize, usize),
    /// It was told to stop, or memory is short.
    Stopped,
}

impl Native {
    /// Makes it ready for calls at these sizes. Wrong are sizes that the program doesn't have, and those that need too much
    /// memory.
    pub fn prepare(&self, sizes: &Sizes) -> Result<PreparedCode, Trouble> {
        check_sizes(&self.program, sizes)?;
        let (parameters, body) = self.program.term.applied();
        let arena = self.nest.arena_words(sizes);
        let shares = self.shares.counts(&self.nest, sizes);
        let each = self.shares.each(&shares, sizes);
        let own = self.shares.own(each);
        check_room(numbers(body.ty(), sizes), (arena - 8).saturating_add(own), MAX_NUMBERS)?;
        self.shown.check(sizes, "in native code ")?;
        let mut below = Vec::new();
        for (_, ty) in &parameters {
            below.extend(parts(ty)?.iter().map(|part| match &part.holds {
                ElementKind::Indices(n) => Some(sizes.value(n)),
                ElementKind::Reals | ElementKind::Ints => None,
            }));
        }
        let slots = |all: &[NestSlot]| all.iter().map(|slot| lent(slot, sizes)).collect();
        let needs = CallNeeds {
            sizes: self.nest.sizes.iter().map(|n| sizes.get(n).unwrap_or(0) as i64).collect(),
            given: slots(&self.nest.parameters),
            asked: slots(&self.nest.results),
            arena: arena as usize,
            shares,
            each: each as usize,
            own: own as usize,
        };
        let is_shared = needs.shares.iter().any(|count| *count > 1);
        let threads = if is_shared { self.shares.threads.count } else { ThreadLimits::ONE.count };
        let work = cost::work(&self.program.term).at(|name| sizes.get(name).unwrap_or(0));
        Ok(PreparedCode { code: self.code.clone(), needs, below, threads, work })
    }
}

fn lent(slot: &NestSlot, sizes: &Sizes) -> LentSlot {
    let kind = match slot.array.number {
        ScalarKind::Real => SlotKind::Real,
        ScalarKind::Int => SlotKind::Int,
    };
    (kind, sizes.elements(&slot.array.dims) as usize)
}

impl PreparedCode {
    /// The operations of a call; the largest number where nobody knows.
    pub fn work(&self) -> u128 {
        self.work
    }

    /// Among how many threads its loops are shared out.
    pub fn threads(&self) -> u32 {
        self.threads
    }

    /// Room for calls.
    pub fn room(&self) -> PreparedRoom {
        PreparedRoom { scratch: CallScratch::default(), team: Team::of(self.threads) }
    }

    /// Applies it to numbers, an array for each part of a parameter's type, and writes the result into as many of the result's.
    /// It ends soon after `stop` isn't 0, at the latest behind the innermost loop that runs then.
    pub fn run(
        &self,
        given: &[LentNumbers],
        asked: &mut [LentRoom],
        room: &mut PreparedRoom,
        stop: &AtomicI32,
    ) -> Result<(), CallFailure> {
        for (k, (numbers, below)) in given.iter().zip(&self.below).enumerate() {
            // The code reads where indices lead.
            if let (LentNumbers::Ints(all), Some(below)) = (numbers, below)
                && let Some(at) = all.iter().position(|i| u64::try_from(*i).map_or(true, |i| i >= *below))
            {
                return Err(CallFailure::Index(k, at));
            }
        }
        let functions = functions::functions();
        match self.code.run_lent(&self.needs, (given, asked), &mut room.scratch, &functions, stop, &mut room.team) {
            Some(true) => Ok(()),
            Some(false) => Err(CallFailure::Stopped),
            None => Err(CallFailure::Unfit),
        }
    }
}

impl PreparedRoom {
    /// How many words of 8 bytes it holds.
    pub fn words(&self) -> usize {
        self.scratch.words()
    }
}
