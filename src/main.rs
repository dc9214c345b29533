//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    redexter::cli::main(std::env::args_os().collect())
}
