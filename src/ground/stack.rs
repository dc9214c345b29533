//! A thread whose stack fits the depth limit, so that recursion over terms as deep as the limit allows is safe.

use std::thread;

/// Bytes of stack for each level of nesting; generous, so that debug builds fit, too.
const BYTES_PER_LEVEL: usize = 24 * 1024;

/// The least stack that work is given, in bytes.
const LEAST: usize = 64 * 1024 * 1024;

/// Runs `work` on a thread whose stack serves terms of `depth` levels, and gives back its result, or its panic.
/// The memory is only reserved; what isn't touched costs nothing. An error says that so much can't be reserved.
pub fn with_stack<T: Send + 'static>(depth: u32, work: impl FnOnce() -> T + Send + 'static) -> std::io::Result<T> {
    let bytes = (depth as usize).saturating_mul(BYTES_PER_LEVEL).max(LEAST);
    let worker = thread::Builder::new().stack_size(bytes).spawn(work)?;
    match worker.join() {
        Ok(result) => Ok(result),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
