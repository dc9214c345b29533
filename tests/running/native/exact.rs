//! To the bit.

use std::path::Path;

use redexter::blocks::Blocks;
use redexter::ground::{Budget, Trouble};
use redexter::term::Program;
use redexter_reference::cases;

use crate::has_compiler;
use crate::native::bits::{self, deep, each, scheduled_programs, shipped_programs};
use crate::native::natively;
use crate::support::generate::grown;

fn compared(name: &str, program: &Program, folder: &Path) -> usize {
    match natively(name, program, folder) {
        Ok(native) => {
            let blocks = Blocks::new(program).expect("a nest");
            bits::compared(name, program, |inputs, sizes| {
                let value = native.run(inputs, sizes, &Budget::default())?;
                let other = blocks.run(inputs, sizes, &Budget::default())?.expect("instructions");
                assert!(other.same(&value), "{name} at {sizes:?}: blocks aren't native code");
                Ok(value)
            })
        }
        Err(Trouble::Wrong(_)) => 0,
        Err(other) => panic!("{name}: {other:?}"),
    }
}

/// How many runs were compared, of how many programs; nothing without a compiler.
pub fn counted(many: u64, programs: fn() -> Vec<(String, Program)>) -> Option<(usize, usize)> {
    has_compiler().then(|| {
        let (runs, all) = deep(move || {
            let folder = tempfile::tempdir().expect("a folder");
            let counts: Vec<usize> =
                each(many, programs()).map(|(name, program)| compared(&name, &program, folder.path())).collect();
            (counts.iter().sum(), counts.iter().filter(|count| **count > 0).count())
        });
        println!("{runs} runs of {all} programs");
        (runs, all)
    })
}

#[test]
fn shipped_models_are_the_evaluators() {
    let Some((runs, programs)) = counted(16, shipped_programs) else { return };
    assert!(programs as u64 > cases(4, 60) && runs as u64 > cases(20, 300), "{runs} runs of {programs} programs");
}

#[test]
fn scheduled_gradients_are_the_evaluators() {
    let Some((runs, programs)) = counted(3, scheduled_programs) else { return };
    assert!(programs as u64 > cases(5, 15) && runs as u64 > cases(25, 80), "{runs} runs of {programs} programs");
}

#[test]
fn grown_programs_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let most = cases(40, 10_000);
    let runs: usize = deep(move || {
        let folder = tempfile::tempdir().expect("a folder");
        grown(most).map(|(name, program)| compared(&name, &program, folder.path())).sum()
    });
    println!("{runs} runs");
    assert!(runs > most as usize * 3, "{runs} runs");
}
