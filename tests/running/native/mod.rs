//! Native code gives what the evaluator gives, to the bit, and so do blocks of lanes: on every model that ships, as it is and
//! after its schedule, on grown programs, at sizes around those at which loops are split, and where loops, guards and arrays
//! differ in size. And what is exported as C compiles without a warning, and accesses nothing out of bounds.

mod abreast;
mod cache;
mod compiler;
mod exact;
mod flat;
mod guarded;
mod kept;
mod known;
mod mixed;
mod near;
mod passes;
mod sanitized;
mod scans;
mod scatters;
pub mod steps;
mod vectors;
mod written;

use crate::support::{bits, called, mixed as drawn, shipped};
use std::path::Path;

use redexter::ground::{Budget, Name, Trouble};
use redexter::native::{CCompiler, CodeCache, Native};
use redexter::term::Program;
use shipped::Workbench;

pub fn natively(name: &str, program: &Program, folder: &Path) -> Result<Native, Trouble> {
    let (compiler, cache) = (CCompiler::named("cc"), CodeCache::at(folder));
    let native = Native::new(&Name::new(name), program, &compiler, &cache, &Budget::default())?;
    Ok(native.unwrap_or_else(|reason| panic!("{name}: {reason}")))
}

/// A program as native code by this compiler; none for what isn't exported.
pub fn made(name: &str, program: &Program, compiler: &CCompiler, folder: &Path) -> Option<Native> {
    match Native::new(&Name::new(name), program, compiler, &CodeCache::at(folder), &Budget::default()) {
        Ok(native) => Some(native.unwrap_or_else(|reason| panic!("{name}: {reason}"))),
        Err(Trouble::Wrong(_)) => None,
        Err(other) => panic!("{name}: {other:?}"),
    }
}

pub fn read(text: &str) -> Vec<(String, Program)> {
    Workbench::new().read("m.arr", text)
}
