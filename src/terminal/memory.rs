//! Asks how much memory this thread holds, and how much the machine has.

use std::fs;

/// The bytes that this thread holds, where its program counts them.
pub(super) fn held() -> Option<u64> {
    u64::try_from(redexter_allocator::bytes()).ok().filter(|bytes| *bytes > 0)
}

/// The bytes of memory that the machine has, where it says so as Linux does.
pub(super) fn installed() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?.trim().strip_suffix("kB")?;
    kilobytes.trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}
