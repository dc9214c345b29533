//! Reads `--threads`, the number of threads that run native code.

use crate::terminal::Out;
use redexter_running::native::ThreadLimits;

/// Reads a number of threads.
pub(super) fn threads(text: &str) -> Result<u32, String> {
    let most = ThreadLimits::MOST;
    text.parse().ok().filter(|n| (1..=most).contains(n)).ok_or_else(|| format!("give a number from 1 to {most}"))
}

/// Threads that were asked for; says so where there are fewer cores.
pub(super) fn asked(count: u32, out: &Out) -> ThreadLimits {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if count as usize > cores {
        let word = if cores == 1 { "core" } else { "cores" };
        out.note(format!("{count} threads on {cores} {word}: they wait for each other\n"));
    }
    ThreadLimits::of(count)
}
