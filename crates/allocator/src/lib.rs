//! Counts, for each thread, the bytes that it holds, in an allocator around another one.
//!
//! Terms never leave their thread, so that a thread's count is that of the sessions that run on it.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

/// What a thread asked for.
struct AllocationCounts {
    /// Bytes that were asked for less those that were given back.
    held: Cell<isize>,
    /// Bytes that were asked for.
    asked: Cell<usize>,
}

thread_local! {
    /// Both in one place, since each allocation finds it anew.
    static COUNTS: AllocationCounts = const { AllocationCounts { held: Cell::new(0), asked: Cell::new(0) } };
}

/// Bytes that this thread asked for less those that it gave back; 0 in a program that has another allocator. Less than 0
/// where it gave back what another thread asked for.
pub fn bytes() -> isize {
    COUNTS.with(|counts| counts.held.get())
}

/// Bytes that this thread asked for since it began, given back or not: a measure of work that is the same each time.
pub fn asked() -> usize {
    COUNTS.with(|counts| counts.asked.get())
}

/// An allocator that counts what it gives and takes.
pub struct CountingAllocator<A>(pub A);

#[inline]
fn add(bytes: usize) {
    COUNTS.with(|counts| {
        counts.held.set(counts.held.get().wrapping_add_unsigned(bytes));
        counts.asked.set(counts.asked.get().wrapping_add(bytes));
    });
}

#[inline]
fn subtract(bytes: usize) {
    COUNTS.with(|counts| counts.held.set(counts.held.get().wrapping_sub_unsigned(bytes)));
}

// SAFETY: each call goes on to an allocator that keeps the contract. Counting touches cells of the thread that no code makes
// or drops, so that it neither allocates nor fails.
unsafe impl<A: GlobalAlloc> GlobalAlloc for CountingAllocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        subtract(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.dealloc(at, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        subtract(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { self.0.realloc(at, layout, size) }
    }
}
