//! Programs that are grown or were written down, with inputs at several sizes and what the evaluator makes of them.

mod model;

use std::rc::Rc;

pub use model::Mixed;

use redexter::eval::{NumberSource, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::ground::{Budget, Name, Random};
use redexter::term::Program;

use crate::support::bits::LONG;
use crate::support::shipped::Workbench;

/// A program with inputs at several sizes, and what the evaluator makes of them.
pub struct Case {
    pub text: String,
    pub program: Program,
    pub runs: Vec<Run>,
}

pub struct Run {
    pub sizes: Sizes,
    pub inputs: Vec<Value>,
    pub expected: Value,
}

impl Case {
    /// The program of a seed at six choices of sizes. Without `functions` it computes nothing that a C library may round in
    /// its own way.
    pub fn grown(workbench: &Workbench, seed: u64, functions: bool) -> Case {
        let text = Mixed::new(seed, functions).model();
        let program = workbench.read("mixed.arr", &text).remove(0).1;
        let runs = runs(&program, seed);
        Case { text, program, runs }
    }

    /// A definition of a text, at choices of sizes that follow from a seed.
    pub fn named(workbench: &Workbench, text: &str, name: &str, seed: u64) -> Case {
        let all = workbench.read("mixed.arr", text);
        let (_, program) =
            all.into_iter().find(|(known, _)| known.ends_with(&format!(":{name}"))).expect("a definition");
        let runs = runs(&program, seed);
        Case { text: text.to_owned(), program, runs }
    }

    /// A program that was written down, at these sizes of its variables in the order in which it binds them.
    pub fn written(workbench: &Workbench, text: &str, sizes: &[&[u64]]) -> Case {
        let program = workbench.read("mixed.arr", text).remove(0).1;
        let bound = text.split(['{', '}']).nth(1).unwrap_or_default().replace(">= 1", "");
        let open: Vec<Name> =
            bound.split(|c: char| !c.is_alphanumeric()).filter(|name| !name.is_empty()).map(Name::new).collect();
        let all = sizes.iter().map(|at| {
            assert_eq!(at.len(), open.len(), "{open:?} in {text}");
            run(&program, open.iter().cloned().zip(at.iter().copied()).collect(), 7)
        });
        let runs = all.map(|run| run.unwrap_or_else(|| panic!("the evaluator has no answer: {text}"))).collect();
        Case { text: text.to_owned(), program, runs }
    }
}

/// Sizes around those of vectors, strips and unrolled loops, and around the literals of guards.
const EXTENTS: [u64; 12] = [0, 1, 2, 3, 5, 31, 32, 33, 70, 100, 101, 257];

fn runs(program: &Program, seed: u64) -> Vec<Run> {
    let mut random = Random::new(seed ^ 0x5eed);
    let open = open_sizes(&program.term);
    let mut all = Vec::new();
    for k in 0..6 {
        let drawn: Vec<u64> = open
            .iter()
            .map(|_| match k {
                0 | 1 => k,
                _ => *random.pick(&EXTENTS),
            })
            .collect();
        // What takes the evaluator long is tried with smaller sizes.
        let smaller = [257, 33, 5].into_iter().find_map(|most: u64| {
            let bounded = |(name, n): (_, &u64)| -> (_, u64) {
                let lower = program.bounds.lower(name);
                (Name::clone(name), (*n).min(most).max(lower))
            };
            run(program, open.iter().zip(&drawn).map(bounded).collect(), seed.wrapping_add(k))
        });
        all.extend(smaller);
    }
    all
}

/// Reals among which the zeros of both signs and equal numbers are frequent.
fn real(random: &mut Random) -> f64 {
    if random.chance(15) { *random.pick(&[0.0, -0.0, 1.0, -1.0, 0.5]) } else { random.moderate() }
}

fn run(program: &Program, sizes: Sizes, seed: u64) -> Option<Run> {
    let short = Budget::default().asked_at_most(LONG / 4, Rc::default());
    let numbers = NumberSource { real: &real, ..NumberSource::PLAIN };
    let inputs = few_inputs(program, &sizes, numbers, &mut Random::new(seed), (100_000, &short)).ok()??;
    let (expected, _) = evaluate(program, &inputs, &sizes, &short).ok()?;
    Some(Run { sizes, inputs, expected })
}
