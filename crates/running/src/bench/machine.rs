//! Describes the machine and its clock, in a few words.

use std::ffi::OsStr;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use super::futhark::FUTHARK;

/// Cores, kind of processor, system.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let kind = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let kind = kind.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let kind = kind.map_or(std::env::consts::ARCH, |(_, kind)| kind.trim());
    format!("{cores} {} ({kind}), {}", if cores == 1 { "core" } else { "cores" }, std::env::consts::OS)
}

/// The least time that the clock tells from none.
pub(super) fn grain() -> Duration {
    let pairs = (0..100).map(|_| Instant::now().elapsed());
    pairs.filter(|passed| !passed.is_zero()).min().unwrap_or(Duration::from_nanos(1))
}

/// The first line that the C compiler says of itself.
pub fn compiler() -> Option<String> {
    says(std::env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| "cc".into()))
}

/// The same of Futhark's.
pub fn futhark() -> Option<String> {
    says(FUTHARK)
}

fn says(program: impl AsRef<OsStr>) -> Option<String> {
    let said = Command::new(program).arg("--version").output().ok()?;
    String::from_utf8(said.stdout).ok()?.lines().next().map(str::to_owned)
}
