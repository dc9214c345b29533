//! What was made lately, so that what is made again is mostly the same object, and comparing it is looking at addresses.
//!
//! A memory keeps what it is given until newer things fall to the same place: the last two for each place, be it that they
//! were given or found.

use std::cell::RefCell;
use std::thread::LocalKey;

/// The latest of some things, by keys that fall to so many places.
pub struct Lately<T, const PLACES: usize>(RefCell<Vec<[Option<T>; 2]>>);

/// A thread's own memory of its latest things.
pub type Memory<T, const PLACES: usize> = &'static LocalKey<Lately<T, PLACES>>;

impl<T: Clone, const PLACES: usize> Lately<T, PLACES> {
    /// Nothing yet.
    pub const fn new() -> Lately<T, PLACES> {
        Lately(RefCell::new(Vec::new()))
    }

    #[inline(always)]
    fn last(&self, key: u64, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let all = self.0.try_borrow().ok()?;
        let last = all.get(key as usize % PLACES)?[0].as_ref()?;
        wanted(last).then(|| last.clone())
    }

    /// The one before the last, which is the last one from then on.
    fn older(&self, key: u64, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let mut all = self.0.try_borrow_mut().ok()?;
        let both = all.get_mut(key as usize % PLACES)?;
        let older = both[1].clone().filter(wanted)?;
        both.swap(0, 1);
        Some(older)
    }

    /// Keeps something, and gives what is forgotten for it.
    fn keep(&self, key: u64, new: T) -> Option<T> {
        let mut all = self.0.try_borrow_mut().ok()?;
        if all.is_empty() {
            all.resize(PLACES, [None, None]);
        }
        let [last, older] = &mut all[key as usize % PLACES];
        older.replace(last.replace(new)?)
    }
}

impl<T: Clone, const PLACES: usize> Default for Lately<T, PLACES> {
    fn default() -> Lately<T, PLACES> {
        Lately::new()
    }
}

/// Something that is kept under this key, if it is wanted.
#[inline(always)]
pub fn find<T: Clone, const PLACES: usize>(
    memory: Memory<T, PLACES>,
    key: u64,
    wanted: impl Fn(&T) -> bool + Copy,
) -> Option<T> {
    let last = memory.try_with(|lately| lately.last(key, wanted)).ok().flatten();
    last.or_else(|| find_older(memory, key, wanted))
}

#[cold]
#[inline(never)]
fn find_older<T: Clone, const PLACES: usize>(
    memory: Memory<T, PLACES>,
    key: u64,
    wanted: impl Fn(&T) -> bool + Copy,
) -> Option<T> {
    memory.try_with(|lately| lately.older(key, wanted)).ok().flatten()
}

/// Keeps something under this key, and gives it back.
pub fn kept<T: Clone, const PLACES: usize>(memory: Memory<T, PLACES>, key: u64, new: T) -> T {
    // What is forgotten is dropped when nothing is borrowed any more.
    let _forgotten = memory.try_with(|lately| lately.keep(key, new.clone()));
    new
}
