//! Walks through the rule book: every rule fires, and no step changes what a program computes beyond its class, under D and
//! in Futhark neither; the evaluator agrees with a naive one. `cargo run --release --example walks -- SECONDS` walks on.

use crate::support::meaning;
use meaning::{Tally, walks};
use redexter_reference::cases;

#[test]
fn rewrites_keep_what_programs_compute() {
    let all = cases(3_200, 60_000);
    let half = |first: u64| std::thread::spawn(move || walks((first..all).step_by(2), || true));
    let halves = [half(0), half(1)];
    let mut tally = Tally::default();
    halves.into_iter().for_each(|half| tally.add(half.join().expect("it ends")));
    print!("{tally}");
    assert!(tally.differences.is_empty(), "{}", tally.differences.join("\n\n"));
    assert_eq!(tally.idle(), [""; 0], "they never fired");
    assert!(tally.comparisons > 4 * tally.open && tally.comparisons > 2 * all, "{tally}");
    assert!(tally.exports > all / 10 && tally.duals > all / 10, "{tally}");
}
