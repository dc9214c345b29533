//! Runs the command line: arguments come in, an exit code goes out.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use redexter_allocator::CountingAllocator;

/// Terms are many small allocations that come and go: the system's allocator would take a third of a rewrite's time.
#[global_allocator]
static ALLOCATOR: CountingAllocator<mimalloc::MiMalloc> = CountingAllocator(mimalloc::MiMalloc);

fn main() -> ExitCode {
    redexter::cli::main(std::env::args_os().collect())
}
