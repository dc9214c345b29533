//! Tracks whether work goes on, which decides whether a signal stops that work or ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static WORKING: AtomicBool = AtomicBool::new(false);

/// Work begins, or is over.
pub(super) fn working(begins: bool) {
    WORKING.store(begins, Ordering::SeqCst);
}

/// Whether work goes on.
pub(super) fn is_working() -> bool {
    WORKING.load(Ordering::SeqCst)
}

/// Waits for somebody else, in the middle of work or not. A signal ends the process meanwhile.
pub(super) fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    let before = WORKING.swap(false, Ordering::SeqCst);
    let done = wait();
    working(before);
    done
}
