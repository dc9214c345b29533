//! Arguments in, exit code out.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use redexter_allocator::Counting;

/// Terms are many small pieces that come and go: a third of a rewrite's time is the system's allocator otherwise.
#[global_allocator]
static ALLOCATOR: Counting<mimalloc::MiMalloc> = Counting(mimalloc::MiMalloc);

fn main() -> ExitCode {
    redexter::cli::main(std::env::args_os().collect())
}
