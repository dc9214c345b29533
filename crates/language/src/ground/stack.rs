//! Reserves native stacks: recursion over terms and texts is as deep as they nest, so that the stack must fit.

use std::hint::black_box;
use std::io::{self, ErrorKind};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

use super::Limits;

/// Limits on how deep things may nest on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nesting {
    /// Terms and texts: the deepest limit on depth that the stack is made for.
    pub terms: u32,
    /// Expressions of a script: chains of some hundred operators are usual, and each operator is a level.
    pub expressions: usize,
    /// Expressions of a function of a script.
    pub in_functions: usize,
    /// Calls of script functions within each other.
    pub calls: usize,
}

impl Default for Nesting {
    /// What fits on the stack of [`with_stack`] for terms of the usual depth.
    fn default() -> Nesting {
        Nesting { terms: Limits::default().max_depth, expressions: 2_000, in_functions: 2_000, calls: 100 }
    }
}

/// Bytes of stack for each level of nesting. Seventeen kinds of nesting fit in 8,000 in a debug build.
const BYTES_PER_LEVEL: usize = if cfg!(debug_assertions) { 12 * 1024 } else { 8 * 1024 };

/// The least stack that work is given, in bytes. 100 calls of functions of a script, each in 2,000 operators, take half of it.
const MIN_STACK_BYTES: usize = 384 * 1024 * 1024;

/// The depth below which a stack gets no smaller.
pub const LEAST_STACK_DEPTH: u32 = (MIN_STACK_BYTES / BYTES_PER_LEVEL) as u32;

/// So much other memory there must be besides a stack that could be smaller, in bytes.
const SPARE_BYTES: usize = 256 * 1024 * 1024;

/// Runs `work` on a thread whose stack serves terms of `depth` levels, and gives back its result, or its panic.
/// The memory is only reserved; what isn't touched costs nothing. An error says that so much can't be reserved.
pub fn with_stack<T: Send + 'static>(depth: u32, work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    with_stack_for_one_of(&[depth], |_| work())
}

/// The same for the first of these depths for which there is memory; `work` gets it.
pub fn with_stack_for_one_of<T: Send + 'static>(
    depths: &[u32],
    work: impl FnOnce(u32) -> T + Send + 'static,
) -> io::Result<T> {
    let waiting = Arc::new(Mutex::new(Some(work)));
    let mut failed = ErrorKind::OutOfMemory.into();
    for (k, depth) in depths.iter().copied().enumerate() {
        let is_last = k + 1 == depths.len();
        let taken = waiting.clone();
        let begun = with_room(depth).spawn(move || {
            // Asked on the new thread, whose stack is reserved by now.
            let work = (is_last || has_room()).then(|| taken.lock().ok()?.take()).flatten();
            work.map(|work| work(depth))
        });
        match begun.map(JoinHandle::join) {
            Ok(Ok(Some(result))) => return Ok(result),
            Ok(Ok(None)) => {}
            Ok(Err(panic)) => resume_unwind(panic),
            Err(wrong) => failed = wrong,
        }
    }
    Err(failed)
}

/// A thread's stack that serves terms of `depth` levels.
pub(super) fn with_room(depth: u32) -> Builder {
    let bytes = (depth as usize).saturating_mul(BYTES_PER_LEVEL).max(MIN_STACK_BYTES);
    Builder::new().stack_size(bytes)
}

fn has_room() -> bool {
    let mut room: Vec<u8> = Vec::new();
    let done = room.try_reserve_exact(SPARE_BYTES);
    // Or else the compiler may leave out a reservation that nobody uses.
    black_box(&room);
    done.is_ok()
}

#[cfg(test)]
mod tests {
    use super::with_stack_for_one_of;

    #[test]
    fn the_first_depth_that_fits_is_taken() {
        assert_eq!(with_stack_for_one_of(&[20, 10], |depth| depth).ok(), Some(20));
        assert!(with_stack_for_one_of(&[], |depth| depth).is_err());
    }
}
