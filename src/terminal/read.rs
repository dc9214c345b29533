//! Reads files, whose kind and size are looked at first, and streams, up to a size. Nothing else of the program reads a file that
//! a user may have put there.
//!
//! Who waits for a stream doesn't work: a signal ends the process.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::working::waiting;

/// The most bytes that are read of a file or a stream.
const MAX_BYTES: u64 = 1 << 28;

/// Reads a file. What is no file is refused: a pipe may never end.
pub fn file(path: &Path) -> io::Result<Vec<u8>> {
    let kind = path.metadata()?;
    if !kind.is_file() {
        return Err(io::Error::other("is no file"));
    }
    within(kind.len())?;
    all(File::open(path)?)
}

/// Reads a stream to its end.
pub(super) fn stream(path: &Path) -> io::Result<Vec<u8>> {
    waiting(|| all(File::open(path)?))
}

/// Reads standard input to its end.
pub fn standard_input() -> io::Result<String> {
    let bytes = waiting(|| all(io::stdin().lock()))?;
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    String::from_utf8(bytes).map_err(wrong)
}

fn all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    within(read as u64)?;
    Ok(bytes)
}

fn within(size: u64) -> io::Result<()> {
    match size > MAX_BYTES {
        true => Err(io::Error::other(format!("has {} MB, and at most {} are read", size >> 20, MAX_BYTES >> 20))),
        false => Ok(()),
    }
}
