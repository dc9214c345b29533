//! What was made lately, so that what is made again is mostly the same object, and comparing it is looking at addresses.
//!
//! A cache keeps what it is given until newer things fall to the same slot: the last two for each slot, be it that they
//! were given or found.

use std::cell::RefCell;
use std::thread::LocalKey;

/// The latest of some things, by keys that fall to so many slots.
pub struct Cache<T, const SLOTS: usize>(RefCell<Vec<[Option<T>; 2]>>);

/// A thread's own cache of its latest things.
pub type ThreadCache<T, const SLOTS: usize> = &'static LocalKey<Cache<T, SLOTS>>;

impl<T: Clone, const SLOTS: usize> Cache<T, SLOTS> {
    /// Nothing yet.
    pub const fn new() -> Cache<T, SLOTS> {
        Cache(RefCell::new(Vec::new()))
    }

    #[inline(always)]
    fn last(&self, key: u64, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let all = self.0.try_borrow().ok()?;
        let last = all.get(key as usize % SLOTS)?[0].as_ref()?;
        wanted(last).then(|| last.clone())
    }

    /// The one before the last, which is the last one from then on.
    fn older(&self, key: u64, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let mut all = self.0.try_borrow_mut().ok()?;
        let both = all.get_mut(key as usize % SLOTS)?;
        let older = both[1].clone().filter(wanted)?;
        both.swap(0, 1);
        Some(older)
    }

    /// Keeps something, and gives what is forgotten for it.
    fn keep(&self, key: u64, new: T) -> Option<T> {
        let mut all = self.0.try_borrow_mut().ok()?;
        if all.is_empty() {
            all.resize(SLOTS, [None, None]);
        }
        let [last, older] = &mut all[key as usize % SLOTS];
        older.replace(last.replace(new)?)
    }
}

impl<T: Clone, const SLOTS: usize> Default for Cache<T, SLOTS> {
    fn default() -> Cache<T, SLOTS> {
        Cache::new()
    }
}

/// Something that is kept under this key, if it is wanted.
#[inline(always)]
pub fn find<T: Clone, const SLOTS: usize>(
    cache: ThreadCache<T, SLOTS>,
    key: u64,
    wanted: impl Fn(&T) -> bool + Copy,
) -> Option<T> {
    let last = cache.try_with(|cache| cache.last(key, wanted)).ok().flatten();
    last.or_else(|| find_older(cache, key, wanted))
}

#[cold]
#[inline(never)]
fn find_older<T: Clone, const SLOTS: usize>(
    cache: ThreadCache<T, SLOTS>,
    key: u64,
    wanted: impl Fn(&T) -> bool + Copy,
) -> Option<T> {
    cache.try_with(|cache| cache.older(key, wanted)).ok().flatten()
}

/// Keeps something under this key, and gives it back.
pub fn kept<T: Clone, const SLOTS: usize>(cache: ThreadCache<T, SLOTS>, key: u64, new: T) -> T {
    // What is forgotten is dropped when nothing is borrowed any more.
    let _forgotten = cache.try_with(|cache| cache.keep(key, new.clone()));
    new
}
