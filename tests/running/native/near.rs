//! With sums in another order.

use std::path::Path;
use std::rc::Rc;

use redexter::eval::{NumberSource, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::ground::{Budget, Name, Random};
use redexter::native::{CCompiler, CodeCache, Native};
use redexter::nest::Freedom;
use redexter::term::Program;
use redexter_reference::cases;

use crate::has_compiler;
use crate::native::bits::{LONG, deep, each, perturbed, shaken, shipped_programs};
use crate::support::generate::grown;

/// How often reordered sums were compared: they are near, or inputs and constants that differ a little make as much of a
/// difference.
fn nearly(name: &str, program: &Program, folder: &Path) -> usize {
    let (compiler, cache) = (CCompiler::named("cc").with(Freedom::Fast), CodeCache::at(folder));
    let native = match Native::new(&Name::new(name), program, &compiler, &cache, &Budget::default()) {
        Ok(native) => native.unwrap_or_else(|reason| panic!("{name}: {reason}")),
        Err(_) => return 0,
    };
    let (open, other) = (open_sizes(&program.term), shaken(program));
    let mut count = 0;
    for n in [0, 1, 2, 7, 33, 70] {
        let sizes: Sizes = open.iter().map(|name| (name.clone(), n.max(program.bounds.lower(name)))).collect();
        let short = Budget::default().asked_at_most(LONG, Rc::default());
        let Ok(Some(inputs)) = few_inputs(program, &sizes, NumberSource::PLAIN, &mut Random::new(7), (200_000, &short))
        else {
            continue;
        };
        let value = |program, inputs: &[Value]| evaluate(program, inputs, &sizes, &short).map(|(value, _)| value);
        let others: Vec<Value> = inputs.iter().map(perturbed).collect();
        let (Ok(expected), Ok(other)) = (value(program, &inputs), value(&other, &others)) else { continue };
        let found = native.run(&inputs, &sizes, &Budget::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let is_stable = other.close(&expected, 1e-12);
        assert!(!is_stable || found.close(&expected, 1e-12), "{name} at {sizes:?}:\n{found:?}\nand not\n{expected:?}");
        count += usize::from(is_stable);
    }
    count
}

#[test]
fn reordered_sums_are_near() {
    if !has_compiler() {
        return;
    }
    let most = cases(20, 10_000);
    let runs: usize = deep(move || {
        let folder = tempfile::tempdir().expect("a folder");
        let shipped = each(18, shipped_programs()).filter(|(name, _)| !name.contains("prelude"));
        shipped.chain(grown(most)).map(|(name, program)| nearly(&name, &program, folder.path())).sum()
    });
    println!("{runs} runs");
    assert!(runs as u64 > cases(40, 300), "{runs} runs");
}
