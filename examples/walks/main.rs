//! Walks through the rule book: `cargo run --release --example walks -- 600` walks for ten minutes on all processors, from the
//! seeds behind the one that may follow, and prints how much was compared, what differed, and how often each rule fired.
//!
//! What is walked stands in `tests/support/meaning`; `tests/rewriting/walks.rs` walks a little.

#[allow(dead_code, reason = "tests need more of it")]
#[path = "../../tests/support"]
mod support {
    pub mod agree;
    pub mod book;
    pub mod futhark;
    pub mod generate;
    pub mod indexed;
    pub mod meaning;
    pub mod strategies;
}

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use support::meaning::{Tally, walks};

fn main() -> ExitCode {
    let numbers: Option<Vec<u64>> = std::env::args().skip(1).map(|word| word.parse().ok()).collect();
    let (seconds, seed) = match numbers.as_deref() {
        Some([seconds]) => (*seconds, 0),
        Some([seconds, seed]) => (*seconds, *seed),
        _ => {
            eprintln!("walks SECONDS [SEED]");
            return ExitCode::from(2);
        }
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let count = thread::available_parallelism().map_or(1, usize::from);
    let walker = |k: usize| {
        let seeds = (seed + k as u64..).step_by(count);
        thread::spawn(move || walks(seeds, move || Instant::now() < end))
    };
    let walkers: Vec<_> = (0..count).map(walker).collect();
    let mut tally = Tally::default();
    for walker in walkers {
        match walker.join() {
            Ok(part) => tally.add(part),
            Err(_) => tally.differences.push("a walk panicked".to_owned()),
        }
    }
    tally.differences.iter().for_each(|difference| println!("{difference}\n"));
    let mut fired: Vec<(&String, &u64)> = tally.fired.iter().collect();
    fired.sort_by_key(|(_, count)| **count);
    fired.iter().for_each(|(rule, count)| println!("{count:9} {rule}"));
    print!("{tally}");
    if tally.differences.is_empty() && tally.idle().is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
