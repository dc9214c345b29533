//! How much memory a thread holds, counted where it is asked for; and how much the machine has.
//!
//! Terms never leave their thread, so that a thread's count is that of the sessions that run on it.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::fs;

thread_local! {
    /// Bytes asked for by this thread less those that it gave back; wraps where it gives back what another asked for.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// An allocator that counts what it gives.
pub struct Counting<A>(pub A);

// SAFETY: each call goes to an allocator that keeps the contract; counting touches a cell of the thread that is neither
// made nor dropped by code, so that it can't allocate.
#[allow(unsafe_code)]
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        add(0_usize.wrapping_sub(layout.size()));
        unsafe { self.0.dealloc(at, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size.wrapping_sub(layout.size()));
        unsafe { self.0.realloc(at, layout, size) }
    }
}

#[inline]
fn add(bytes: usize) {
    HELD.set(HELD.get().wrapping_add(bytes));
}

/// The bytes that this thread holds.
pub(super) fn held() -> u64 {
    u64::try_from(HELD.get() as isize).unwrap_or(0)
}

/// The bytes of memory that the machine has, where it says so as Linux does.
pub(super) fn installed() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().strip_suffix("kB")?;
    kilobytes.trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}
