//! The process in which inputs are tried. It tells on its output, line by line, how each ended.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use redexter::ground::{Limits, with_stack};

use crate::fuzz::{Finding, Mutator, Target, keep_panics_quiet, minimise};
use crate::parent::keep;

/// So often a finding is tried again to make it small.
const TRIALS: usize = 1_500;

/// Tries the inputs of these numbers.
pub fn run(target: &str, numbers: [&str; 3]) -> ExitCode {
    let [Ok(seed), Ok(from), Ok(to)] = numbers.map(str::parse::<u64>) else { return ExitCode::from(2) };
    on_a_large_stack(target, move |target| {
        let mutator = Mutator::new(target);
        let mut known = BTreeSet::new();
        for number in from..to {
            let input = mutator.input(seed, number);
            let begun = Instant::now();
            let met = target.meet(&input);
            let took = begun.elapsed().as_micros();
            if let Err(found) = &met
                && known.insert(found.kind.clone())
            {
                tell(&format!("found {number} {}\t{}", keep(target, &least(target, &input, found)), found.kind));
            }
            let how = met.map_or_else(|_| "Broken".to_owned(), |end| format!("{end:?}"));
            tell(&format!("end {number} {how} {took}"));
        }
    })
}

/// What still breaks in the same way of an input that does.
fn least(target: &Target, input: &[u8], found: &Finding) -> Vec<u8> {
    minimise(input, TRIALS, |input| {
        tell("busy");
        target.meet(input).is_err_and(|other| other.kind == found.kind)
    })
}

/// Tries a file, and says nothing: this process ends or it doesn't.
pub fn one(target: &str, file: &str) -> ExitCode {
    let Ok(input) = fs::read(file) else { return ExitCode::from(2) };
    on_a_large_stack(target, move |target| drop(target.meet(&input)))
}

fn on_a_large_stack(target: &str, work: impl FnOnce(&'static Target) + Send + 'static) -> ExitCode {
    let Some(target) = Target::named(target) else { return ExitCode::from(2) };
    keep_panics_quiet();
    match with_stack(Limits::default().max_depth, move || work(target)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(2),
    }
}

/// Who started this process may be gone.
fn tell(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}
