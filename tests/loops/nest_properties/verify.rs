//! The verifier accepts no nest that a run finds faulty, names the place of each fault, and accepts most nests without one.

use redexter::eval::Sizes;
use redexter::ground::Random;
use redexter::nest::{Nest, nest_text, verify};
use redexter_reference::cases;

use crate::nest_properties::grown::grown;
use crate::nest_properties::interpreter::{Fault, Ways, inputs, run, same};

/// The largest value of a size that is run.
const LARGEST: u64 = 4;

/// At how many sizes a nest is run at most.
const MOST_SIZES: usize = 24;

/// What all small sizes say of a nest: wrong is a fault, or lanes whose order is seen; otherwise how often it ran.
pub fn tried(nest: &Nest, seed: u64) -> Result<usize, String> {
    let mut random = Random::new(seed);
    let mut count = 0;
    for sizes in some_sizes(nest, &mut random) {
        let Some(inputs) = inputs(nest, &sizes, &mut random) else { continue };
        let ways = Ways::default();
        let wrong = |fault: &dyn std::fmt::Debug, how: &str| Err(format!("{fault:?} at {sizes:?}, {how}"));
        let forward = match run(nest, &sizes, &inputs, ways) {
            Err(Fault::Long) => continue,
            Err(fault) => return wrong(&fault, "in order"),
            Ok(ran) => ran.memory,
        };
        match run(nest, &sizes, &inputs, Ways { both_sides: true, whole_strips: true, ..ways }) {
            Err(Fault::Long) | Ok(_) => {}
            Err(fault) => return wrong(&fault, "with whole strips and both sides of choices"),
        }
        match run(nest, &sizes, &inputs, Ways { lanes_reversed: true, ..ways }) {
            Err(Fault::Long) => {}
            Err(fault) => return wrong(&fault, "lanes reversed"),
            Ok(ran) if !same(&forward, &ran.memory) => return wrong(&"other values", "lanes reversed"),
            Ok(_) => {}
        }
        count += 1;
    }
    Ok(count)
}

/// All small sizes of a nest; some of them where there are many, those without elements first.
pub fn some_sizes(nest: &Nest, random: &mut Random) -> Vec<Sizes> {
    let mut all: Vec<Vec<u64>> = vec![Vec::new()];
    for name in &nest.sizes {
        let lower = nest.bounds.lower(name);
        let with = |sizes: &Vec<u64>| (lower..=LARGEST).map(|n| [&sizes[..], &[n]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(with).collect();
    }
    all.sort_by_key(|sizes| sizes.iter().filter(|n| **n > 1).count());
    while all.len() > MOST_SIZES {
        all.remove(1 + random.below(all.len() - 1));
    }
    all.into_iter().map(|sizes| nest.sizes.iter().cloned().zip(sizes).collect()).collect()
}

/// What grown nests come to.
#[derive(Debug, Default)]
struct Counts {
    /// Those that no run finds faulty, and those of them that are accepted.
    right: usize,
    accepted: usize,
    faulty: usize,
    runs: usize,
}

#[test]
fn accepted_nests_have_no_faults_and_most_without_are_accepted() {
    let mut counts = Counts::default();
    for seed in 0..cases(600, 100_000) {
        let nest = grown(seed);
        let shown = verify(&nest);
        match tried(&nest, seed) {
            Ok(runs) => {
                counts.right += 1;
                counts.runs += runs;
                counts.accepted += usize::from(shown.is_ok());
            }
            Err(fault) => {
                counts.faulty += 1;
                assert!(shown.is_err(), "grown from {seed}: {fault}\n{}", nest_text("f", &nest));
            }
        }
    }
    println!("{counts:?}");
    let Counts { right, accepted, faulty, runs } = counts;
    assert!(
        right as u64 > cases(200, 500) && faulty as u64 > cases(80, 200) && runs as u64 > cases(2_000, 5_000),
        "{counts:?}"
    );
    assert!(accepted * 100 > right * 70, "{counts:?}");
}
