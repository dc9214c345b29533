//! Counts, for each thread, the bytes that it holds, in an allocator around another one.
//!
//! Terms never leave their thread, so that a thread's count is that of the sessions that run on it.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

thread_local! {
    /// Bytes that this thread asked for less those that it gave back.
    static HELD: Cell<isize> = const { Cell::new(0) };
}

/// Bytes that this thread asked for less those that it gave back; 0 in a program that has another allocator. Less than 0
/// where it gave back what another thread asked for.
pub fn bytes() -> isize {
    HELD.get()
}

/// An allocator that counts what it gives and takes.
pub struct CountingAllocator<A>(pub A);

#[inline]
fn add(bytes: usize) {
    HELD.set(HELD.get().wrapping_add_unsigned(bytes));
}

#[inline]
fn subtract(bytes: usize) {
    HELD.set(HELD.get().wrapping_sub_unsigned(bytes));
}

// SAFETY: each call goes on to an allocator that keeps the contract. Counting touches a cell of the thread that no code makes
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
