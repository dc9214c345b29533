//! Calls code that was compiled from a loop nest.
//!
//! It knows how such a function is called and nothing of what it computes. Whoever loads a file vouches for what stands in
//! it, and for the lengths of what it is given.

mod lent;
mod team;

use std::ffi::{c_int, c_void};
use std::path::Path;
use std::sync::atomic::AtomicI32;

use libloading::Library;

pub use lent::{CallNeeds, CallScratch, LentNumbers, LentRoom, LentSlot, SlotKind};
pub use team::Team;

/// A function of one real or of two that loaded code may call, by its address; the code knows which it is.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct RealFunction(*const c_void);

impl RealFunction {
    /// A function of one real.
    pub fn of_one(function: extern "C" fn(f64) -> f64) -> RealFunction {
        RealFunction(function as *const c_void)
    }

    /// A function of two.
    pub fn of_two(function: extern "C" fn(f64, f64) -> f64) -> RealFunction {
        RealFunction(function as *const c_void)
    }
}

// SAFETY: called in `LoadedCode::run` alone, with what the C that Redexter writes expects.
type SingleEntry = unsafe extern "C" fn(
    *const i64,
    *const *const c_void,
    *const *mut c_void,
    *mut c_void,
    *const RealFunction,
    *const c_int,
) -> c_int;

// SAFETY: as above, where the code shares loops out among threads.
type SharedEntry = unsafe extern "C" fn(
    *const i64,
    *const *const c_void,
    *const *mut c_void,
    *mut c_void,
    *const RealFunction,
    *const c_int,
    *const CThreads,
) -> c_int;

/// What such code knows of threads: fields in the order in which its C declares them, since both see the same bytes.
#[repr(C)]
struct CThreads {
    shares: *const i64,
    own: *mut c_void,
    each: i64,
    team: *mut c_void,
    run: unsafe extern "C" fn(*mut c_void, team::LoopPart, *mut c_void, i64) -> c_int,
}

/// What a function is given and what it writes, in words of 8 bytes: doubles by their bits, integers of 64 bits.
#[derive(Debug, Default)]
pub struct CallMemory {
    /// The sizes.
    pub sizes: Vec<i64>,
    /// What is given.
    pub given: Vec<Vec<u64>>,
    /// What is asked for.
    pub asked: Vec<Vec<u64>>,
    /// What is needed meanwhile.
    pub arena: Vec<u64>,
    /// Among how many threads each loop is shared out that can be.
    pub shares: Vec<i64>,
    /// What each thread beside the first needs meanwhile, in words, a multiple of 8.
    pub each: usize,
    /// So much for each of them, and 8 words.
    pub own: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
enum LoadedEntry {
    Alone(SingleEntry),
    Shared(SharedEntry),
}

/// A function that was loaded.
#[derive(Debug)]
pub struct LoadedCode {
    entry: LoadedEntry,
    /// The function is in memory as long as this is.
    _library: Library,
}

impl LoadedCode {
    /// Loads the function with this name from a shared library that Redexter had compiled; where there is none, the one with
    /// the other name, which shares loops out among threads.
    pub fn load(file: &Path, name: &str, shared: &str) -> Result<LoadedCode, String> {
        // SAFETY: what was compiled are functions alone, so that loading and unloading runs nothing.
        let library = unsafe { Library::new(file) }.map_err(|e| e.to_string())?;
        // SAFETY: the function has this type where the C that was compiled was written by Redexter.
        let alone = unsafe { library.get::<SingleEntry>(name.as_bytes()) }.map(|entry| LoadedEntry::Alone(*entry));
        let entry = alone.or_else(|_| {
            // SAFETY: likewise.
            unsafe { library.get::<SharedEntry>(shared.as_bytes()) }.map(|entry| LoadedEntry::Shared(*entry))
        });
        let entry = entry.map_err(|e| e.to_string())?;
        Ok(LoadedCode { entry, _library: library })
    }

    /// Runs it so often, one call after another; false where one ended since `stop` isn't 0. The memory has the lengths that
    /// the function's nest says, and shares are at most the team's threads.
    pub fn run(
        &self,
        memory: &mut CallMemory,
        functions: &[RealFunction],
        stop: &AtomicI32,
        calls: u32,
        team: &mut Team,
    ) -> bool {
        let given: Vec<*const c_void> = memory.given.iter().map(|words| words.as_ptr().cast()).collect();
        let asked: Vec<*mut c_void> = memory.asked.iter_mut().map(|words| words.as_mut_ptr().cast()).collect();
        let places = CallPlaces {
            sizes: &memory.sizes,
            given: &given,
            asked: &asked,
            arena: &mut memory.arena,
            shares: &memory.shares,
            each: memory.each,
            own: &mut memory.own,
        };
        self.call(places, functions, stop, calls, team)
    }

    /// Runs it once on numbers that others hold, in the order of its slots; they are read and written where they stand, while
    /// scratch memory grows to what is needed. `None`, and nothing is run, where they aren't what `needs` says, which is true of
    /// the function's nest; false where it ended since `stop` isn't 0, or memory is short.
    pub fn run_lent(
        &self,
        needs: &CallNeeds,
        (given, asked): (&[LentNumbers], &mut [LentRoom]),
        scratch: &mut CallScratch,
        functions: &[RealFunction],
        stop: &AtomicI32,
        team: &mut Team,
    ) -> Option<bool> {
        let has_given = given.iter().map(LentNumbers::slot).eq(needs.given.iter().copied());
        let has_asked = asked.iter().map(LentRoom::slot).eq(needs.asked.iter().copied());
        if !has_given || !has_asked {
            return None;
        }
        if scratch.grow(needs).is_none() {
            return Some(false);
        }
        let given: Vec<*const c_void> = given.iter().map(LentNumbers::address).collect();
        let asked: Vec<*mut c_void> = asked.iter_mut().map(LentRoom::address).collect();
        let places = CallPlaces {
            sizes: &needs.sizes,
            given: &given,
            asked: &asked,
            arena: &mut scratch.arena,
            shares: &needs.shares,
            each: needs.each,
            own: &mut scratch.own,
        };
        Some(self.call(places, functions, stop, 1, team))
    }

    fn call(
        &self,
        places: CallPlaces,
        functions: &[RealFunction],
        stop: &AtomicI32,
        calls: u32,
        team: &mut Team,
    ) -> bool {
        let arena = places.arena.as_mut_ptr().cast();
        let threads = CThreads {
            shares: places.shares.as_ptr(),
            own: places.own.as_mut_ptr().cast(),
            // C counts bytes.
            each: (places.each * size_of::<u64>()) as i64,
            team: std::ptr::from_mut(team).cast(),
            run: team::run,
        };
        let (sizes, given, asked) = (places.sizes.as_ptr(), places.given.as_ptr(), places.asked.as_ptr());
        let (functions, stop) = (functions.as_ptr(), stop.as_ptr().cast_const());
        // SAFETY: each time the function reads and writes inside of its nest's slots: code is made of nests alone of which
        // that was shown for all sizes (`redexter::nest::verify`). Slots are as long as the nest says, by the caller's word, and
        // none that is written overlaps another. It keeps no pointer, and its parts have ended when it has.
        (0..calls).all(|_| unsafe {
            match self.entry {
                LoadedEntry::Alone(entry) => entry(sizes, given, asked, arena, functions, stop) == 0,
                LoadedEntry::Shared(entry) => {
                    entry(sizes, given, asked, arena, functions, stop, &raw const threads) == 0
                }
            }
        })
    }
}

/// Where a call finds its memory.
struct CallPlaces<'a> {
    sizes: &'a [i64],
    given: &'a [*const c_void],
    asked: &'a [*mut c_void],
    arena: &'a mut [u64],
    shares: &'a [i64],
    each: usize,
    own: &'a mut [u64],
}
