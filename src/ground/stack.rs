//! How deep things nest: recursion over terms and texts is as deep as they are, so that the native stack must fit.

use std::thread::Builder;

use super::Limits;

/// How deep things may nest on a stack.
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

/// Bytes of stack for each level of nesting; generous, so that debug builds fit, too.
const BYTES_PER_LEVEL: usize = 24 * 1024;

/// The least stack that work is given, in bytes.
const LEAST: usize = 64 * 1024 * 1024;

/// Runs `work` on a thread whose stack serves terms of `depth` levels, and gives back its result, or its panic.
/// The memory is only reserved; what isn't touched costs nothing. An error says that so much can't be reserved.
pub fn with_stack<T: Send + 'static>(depth: u32, work: impl FnOnce() -> T + Send + 'static) -> std::io::Result<T> {
    match with_room(depth).spawn(work)?.join() {
        Ok(result) => Ok(result),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// A thread's stack that serves terms of `depth` levels.
pub(super) fn with_room(depth: u32) -> Builder {
    let bytes = (depth as usize).saturating_mul(BYTES_PER_LEVEL).max(LEAST);
    Builder::new().stack_size(bytes)
}
