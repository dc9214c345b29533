//! Keeps a thread's caches: what was made stays until other things take its slot, so that what is made again is mostly the
//! same object, and comparing it is looking at addresses. What a program gives never depends on what they hold.
//!
//! | cache | holds | at most |
//! |---|---|---|
//! | `NAMES` in `ground::name` | names, by their text | 512 |
//! | `SIZES` in `term::size` | sizes, by their polynomials | 512 |
//! | `TYPES` in `term::types` | types, by their parts | 2048 |
//! | `LEAVES` in `term::leaf` | variables and constants, by type and value | 1024 |
//! | `FORMS` in `term::form` | what nodes of one constructor have in common, by what it is made from | 8192 |
//! | `LONG` in `term::form` | the same of nodes with more children or variables | 4096 |
//! | `JUDGEMENTS` in `term::form` | a type and the types of free variables, with their number | 8192 |
//!
//! A cache is empty, and takes no memory, until something is kept in it. Each of its sets then holds two things, the last
//! ones that were kept or found there: a third takes the slot of the older. [`empty`] empties all of them.
//!
//! Two numbers of a thread are no caches and stay: those of the judgements (`term::form`) and of the runs of strategies
//! (`strategy::engine::failures`), which mark what a node is known to fail on in the node itself. Nor is what a thread
//! knows of a panic (`ground::bug`), which is taken as soon as it is caught, nor under which budgets it is writing texts
//! (`ground::writing`), nor what was dropped where time or an interrupt ended work (`term::drops`), which the next piece of
//! work gives back.

use std::cell::RefCell;
use std::mem;
use std::thread::LocalKey;

/// Things by keys that fall to so many sets.
pub struct Cache<T, const SETS: usize>(RefCell<Vec<[Option<T>; 2]>>);

/// A cache as a thread has it.
pub type LocalCache<T, const SETS: usize> = &'static LocalKey<Cache<T, SETS>>;

/// A cache that can be emptied whatever it holds.
trait Emptiable {
    fn empty(&'static self);
}

thread_local! {
    /// The caches in which something is kept.
    static FILLED: RefCell<Vec<&'static dyn Emptiable>> = const { RefCell::new(Vec::new()) };
}

/// Empties this thread's caches. What nothing else holds is freed.
pub fn empty() {
    for cache in FILLED.take() {
        cache.empty();
    }
}

impl<T: 'static, const SETS: usize> Emptiable for LocalKey<Cache<T, SETS>> {
    fn empty(&'static self) {
        // What was kept is dropped when nothing is borrowed any more.
        let _dropped = self.try_with(|cache| cache.0.try_borrow_mut().ok().map(|mut all| mem::take(&mut *all)));
    }
}

impl<T: Clone + 'static, const SETS: usize> Cache<T, SETS> {
    /// An empty cache.
    pub const fn new() -> Cache<T, SETS> {
        Cache(RefCell::new(Vec::new()))
    }

    #[inline(always)]
    fn last(&self, key: u64, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let all = self.0.try_borrow().ok()?;
        let last = all.get(key as usize % SETS)?[0].as_ref()?;
        wanted(last).then(|| last.clone())
    }

    /// The one before the last, which is the last one from then on.
    fn older(&self, key: u64, wanted: impl Fn(&T) -> bool) -> Option<T> {
        let mut all = self.0.try_borrow_mut().ok()?;
        let both = all.get_mut(key as usize % SETS)?;
        let older = both[1].clone().filter(wanted)?;
        both.swap(0, 1);
        Some(older)
    }

    /// Keeps something, and gives what loses its slot.
    fn keep(&self, key: u64, new: T, local: LocalCache<T, SETS>) -> Option<T> {
        let mut all = self.0.try_borrow_mut().ok()?;
        if all.is_empty() {
            all.resize(SETS, [None, None]);
            // A thread that is ending empties nothing any more.
            let _ = FILLED.try_with(|filled| filled.borrow_mut().push(local));
        }
        let [last, older] = &mut all[key as usize % SETS];
        older.replace(last.replace(new)?)
    }
}

impl<T: Clone + 'static, const SETS: usize> Default for Cache<T, SETS> {
    fn default() -> Cache<T, SETS> {
        Cache::new()
    }
}

/// Something that is kept under this key, if it is wanted.
#[inline(always)]
pub fn find<T: Clone + 'static, const SETS: usize>(
    cache: LocalCache<T, SETS>,
    key: u64,
    wanted: impl Fn(&T) -> bool + Copy,
) -> Option<T> {
    let last = cache.try_with(|cache| cache.last(key, wanted)).ok().flatten();
    last.or_else(|| find_older(cache, key, wanted))
}

#[cold]
#[inline(never)]
fn find_older<T: Clone + 'static, const SETS: usize>(
    cache: LocalCache<T, SETS>,
    key: u64,
    wanted: impl Fn(&T) -> bool + Copy,
) -> Option<T> {
    cache.try_with(|cache| cache.older(key, wanted)).ok().flatten()
}

/// Keeps something under this key, and gives it back.
pub fn kept<T: Clone + 'static, const SETS: usize>(local: LocalCache<T, SETS>, key: u64, new: T) -> T {
    // What loses its slot is dropped when nothing is borrowed any more.
    let _dropped = local.try_with(|cache| cache.keep(key, new.clone(), local));
    new
}

#[cfg(test)]
mod tests {
    use super::{Cache, empty, find, kept};

    thread_local! {
        static WORDS: Cache<&'static str, 2> = const { Cache::new() };
    }

    #[test]
    fn two_to_a_set_until_emptied() {
        let known = |key, word| find(&WORDS, key, |kept| *kept == word).is_some();
        for _ in 0..2 {
            kept(&WORDS, 0, "a");
            kept(&WORDS, 1, "b");
            kept(&WORDS, 2, "c");
            assert!(known(0, "a") && known(0, "c") && known(1, "b"));
            kept(&WORDS, 4, "d");
            assert!(!known(0, "a") && known(0, "c") && known(0, "d") && known(1, "b"));
            empty();
            assert!(!known(0, "c") && !known(0, "d") && !known(1, "b"));
        }
    }
}
