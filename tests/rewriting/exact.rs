//! The shipped schedules take the steps of the reference interpreter, one by one, with their rules, places, redexes and
//! contracta: each of their definitions on every model that ships; and their parts, put together at random, on gradients
//! of grown functions.

use crate::support::{account, book, indexed, shares, shipped, strategies};
use std::path::Path;

use account::{Tally, add, compare_within, short};
use book::World;
use indexed::Indexed;
use redexter::ground::{Budget, Limits, with_stack};
use redexter::rule::Pattern;
use redexter::strategy::Strategy;
use redexter::term::{Program, SizeBounds};
use redexter_reference::cases;
use shares::{Cases, shared};
use shipped::{Workbench, files, schedules};
use strategies::{Maker, Parts};

fn all_strategies(workbench: &Workbench) -> Vec<(String, Strategy)> {
    schedules().iter().flat_map(|path| workbench.strategies(path)).collect()
}

fn all_programs(workbench: &Workbench) -> Vec<(String, Program)> {
    files("models", "arr").iter().flat_map(|path| workbench.programs(path)).collect()
}

fn shipped_agree(next: Cases) -> Tally {
    let workbench = Workbench::new();
    let (strategies, programs) = (all_strategies(&workbench), all_programs(&workbench));
    let mut tally = Tally::new();
    for k in next.take_while(|k| *k < strategies.len() * programs.len()) {
        if !k.is_multiple_of(cases(5, 1) as usize) {
            continue;
        }
        let ((_, strategy), (_, program)) = (&strategies[k % strategies.len()], &programs[k / strategies.len()]);
        compare_within(&|| short(Limits::default(), cases(400, 2_000)), strategy, program, &mut tally);
    }
    tally
}

/// Each fifth pair, or all in an extended run. Where the interpreter takes longer it is stopped: in a usual run on one pair in
/// six, in an extended one on fewer.
#[test]
fn every_schedule_takes_the_steps_of_the_reference_interpreter_on_every_model() {
    let tally = add(shared(usize::MAX, shipped_agree));
    println!("{tally:?}");
    assert!(tally["success"] > cases(500, 2_500) && tally["steps"] > cases(2_000, 10_000), "{tally:?}");
    assert!(tally["limit"] * 5 < tally["success"] + tally["failure"], "{tally:?}");
}

/// Derivations by the general schedule that take more steps than those; the last ones in an extended run.
const LONG: [(&str, &str); 5] = [
    ("models/matrix_factorisation.arr", ":gradient"),
    ("models/kmeans.arr", ":gradientSecond"),
    ("models/perceptron.arr", ":gradient"),
    ("models/mixture.arr", ":gradientAlpha"),
    ("models/perceptron_deep.arr", ":gradient"),
];

fn long_agree() {
    let workbench = Workbench::new();
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, strategy) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
    for (model, ending) in LONG.into_iter().take(cases(1, 5) as usize) {
        let programs = workbench.programs(Path::new(model));
        let (name, program) = programs.into_iter().find(|(name, _)| name.ends_with(ending)).expect("it ships");
        let budget = || Budget::new(Limits { max_steps: u64::MAX, ..Limits::default() }, None);
        let mut tally = Tally::new();
        compare_within(&budget, &strategy, &program, &mut tally);
        println!("{name}: {tally:?}");
        assert!(tally["success"] == 1 && tally["steps"] > 200, "{name}: {tally:?}");
    }
}

#[test]
fn long_derivations_are_those_of_the_reference_interpreter() {
    with_stack(10_000, long_agree).expect("a stack");
}

/// Rules of the shipped schedules that see what their context says of variables, and such as they meet.
const RULES: &[&str] = &[
    "letSwapPrimal",
    "letIntoArray",
    "letAdjoint",
    "letSubstTangent",
    "sumOrder",
    "sumSeparate",
    "sumReassoc",
    "sumOneHot",
    "ifSplit",
    "ifSplitSum",
    "ifFloatMul",
    "ifoldSplitOneHot",
    "distributeOneHot",
    "letUnzip",
    "ifoldUnzip",
    "ifPair",
    "letFloatLoop",
    "letTabulate",
    "letBuild",
    "cse",
];

/// Choices of the general schedule, and its stages in their order.
const CHOICES: &[&str] = &["project", "decide", "zeros", "lets", "basics", "inwards", "outwards", "choices", "few"];
const STAGES: &[&str] =
    &["unzip", "front", "hoist", "unzip", "hoist", "spread", "onehot", "contract", "merge", "tables", "share", "tidy"];

const PATTERNS: &[&str] =
    &["a + b", "let x := a; b(x)", "if c then a else b", "ifold n f z", "fst (a, b)", "snd a", "a * b"];

fn grown_agree(next: Cases) -> Tally {
    let (world, workbench) = (World::new(), Workbench::new());
    let shipped = workbench.strategies(Path::new("strategies/gradient.strat"));
    let find = |wanted: &&str| {
        let (_, s) = shipped.iter().find(|(name, _)| name.ends_with(&format!(" {wanted}"))).expect("it ships");
        s.clone()
    };
    let (choices, stages): (Vec<_>, Vec<_>) = (CHOICES.iter().map(find).collect(), STAGES.iter().map(find).collect());
    let rules = RULES.iter().map(|name| Strategy::rule(&world.rule(name)));
    let patterns: Vec<Pattern> = PATTERNS.iter().map(|text| world.pattern(text)).collect();
    let parts = Parts::new(rules.chain(choices).collect(), world.pattern("a - b"), patterns);
    let limits = Limits { max_steps: 20_000, max_size: 3_000, max_depth: 200 };
    let mut tally = Tally::new();
    for seed in next.map(|k| k as u64) {
        let mut maker = Maker::new(seed, &parts);
        let mut indexed = Indexed::new(seed);
        let fuel = 2 + (seed % 3) as u32;
        let term = if seed % 4 == 0 { indexed.program(fuel + 2) } else { indexed.gradient(fuel) };
        let strategy = match seed % 3 {
            0 => maker.some_of(&stages),
            1 => stages[0].then(&maker.stage()),
            _ => maker.some_of(&stages[..4]).then(&maker.repetition()),
        };
        compare_within(&|| short(limits, 400), &strategy, &Program { term, bounds: SizeBounds::default() }, &mut tally);
    }
    tally
}

#[test]
fn stages_on_grown_gradients_take_the_steps_of_the_reference_interpreter() {
    let count = cases(200, 20_000);
    let tally = add(shared(count as usize, grown_agree));
    println!("{count} pairs: {tally:?}");
    assert!(tally["steps"] > 6 * count && tally["success"] > count / 2, "{tally:?}");
}
