//! Blocks of lanes give what the evaluator gives, to the bit, on grown programs at sizes around those at which loops are split;
//! and no program is left to the evaluator. `tests/native.rs` has the models that ship.

#[path = "support/bits.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod bits;
#[path = "support/generate.rs"]
mod generate;
#[path = "support/shipped.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod shipped;

use std::cell::Cell;

use bits::{compared, deep};
use generate::Generator;
use redexter::blocks::Blocks;
use redexter::eval::evaluate;
use redexter::ground::Budget;
use redexter::term::Program;

/// How many runs were compared, and how many the evaluator had to do.
#[derive(Debug, Default)]
struct Found {
    runs: usize,
    left: usize,
}

fn found(programs: impl IntoIterator<Item = (String, Program)>) -> Found {
    let mut found = Found::default();
    for (name, program) in programs {
        let Some(blocks) = Blocks::new(&program) else { continue };
        let left = Cell::new(0);
        let runs = compared(&name, &program, |inputs, sizes| {
            let budget = Budget::default();
            Ok(match blocks.run(inputs, sizes, &budget)? {
                Some(value) => value,
                None => {
                    left.set(left.get() + 1);
                    evaluate(&program, inputs, sizes, &budget)?.0
                }
            })
        });
        if left.get() > 0 {
            println!("{name}: {} of {runs} runs are left to the evaluator", left.get());
        }
        found.runs += runs;
        found.left += left.get();
    }
    println!("{found:?}");
    found
}

#[test]
fn grown_programs_are_the_evaluators() {
    let most = if std::env::var_os("REDEXTER_EXTENDED").is_some() { 10_000 } else { 400 };
    let grown = move || (0..most).map(|seed| (format!("grown {seed}"), Generator::new(seed, seed % 2 == 0).program(7)));
    let Found { runs, left, .. } = deep(move || found(grown()));
    assert!(runs > most as usize * 3 && left == 0, "{left} of {runs} runs");
}
