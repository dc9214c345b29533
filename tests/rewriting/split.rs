//! Random loops that read what a scan keeps: with every block's states computed again (`scanSplit`) they give the same bits, at
//! sizes from 0 on.

use crate::support::book::World;
use crate::support::shipped::Workbench;
use redexter::eval::{NumberSource, Sizes, evaluate, few_inputs, open_sizes};
use redexter::ground::{Budget, Limits, Name, Random, with_stack};
use redexter::rule::Focus;
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::{Program, Term};
use redexter_reference::cases;

/// How many blocks, and how long.
const SIZES: [[u64; 2]; 8] = [[0, 0], [0, 2], [3, 0], [1, 1], [1, 3], [4, 1], [2, 3], [3, 2]];

fn number(random: &mut Random, atoms: &[&str], depth: u32) -> String {
    if depth == 0 || random.chance(20) {
        return (*random.pick(atoms)).to_owned();
    }
    let mut part = || number(random, atoms, depth - 1);
    let (a, b) = (part(), part());
    match random.below(6) {
        0 => format!("sin ({a})"),
        1 => format!("({a} - {b})"),
        2 => format!("(if {a} < {b} then {b} else 0.5)"),
        3 => format!("(let x := {a}; x * {b})"),
        4 => format!("(0.5 * {a} * {b})"),
        _ => format!("({a} + {b})"),
    }
}

/// A scan over a * b that keeps its state and a number, and a loop of the same size that reads them, of each kind.
fn model(random: &mut Random) -> String {
    let states = ["s", "v[i]", "z", "real i"];
    let [next, kept] = [(); 2].map(|()| number(random, &states, 3));
    let mut text = String::new();
    let kinds = [("ifold", "i"), ("ifold", "a * b - 1 - i"), ("scan", "i"), ("scanr", "i")];
    for (k, (kind, index)) in kinds.iter().enumerate() {
        let (own, state) = (format!("fst (snd t)[{index}]"), format!("snd (snd t)[{index}]"));
        let read = ["l", "w[i]", "fst t", &own, &state, "z"];
        let [mut step, out] = [(); 2].map(|()| format!("{} + 0.1 * {own}", number(random, &read, 3)));
        if *kind != "ifold" {
            step = format!("({step}, {out})");
        }
        let result = if *kind == "ifold" { "real" } else { "real * array (a * b) real" };
        text += &format!(
            "def m{k} {{a b}} (v w : array (a * b) real) (z : real) : real * ({result}) :=\n  \
             let t := scan (a * b) (fun s i => ({next}, ({kept}, s))) z;\n  (fst t, {kind} (a * b) (fun l i => {step}) (fst t * z))\n\n"
        );
    }
    text
}

/// The term with the rule done once, where it is first.
fn split(world: &World, program: &Program) -> Option<Term> {
    fn below(term: &Term, try_at: &dyn Fn(&Term) -> Option<Term>) -> Option<Term> {
        try_at(term).or_else(|| (0..term.kid_count()).find_map(|k| term.with_kid(k, below(&term.kid(k), try_at)?).ok()))
    }
    let rule = world.rule("scanSplit");
    below(&program.term, &|term| rule.apply(&Focus::root(term, &program.bounds)).ok())
}

#[test]
fn blocks_that_are_computed_again_give_the_same_bits() {
    let most = cases(150, 10_000);
    let work = move || {
        let (world, workbench) = (World::new(), Workbench::new());
        let mut runs = 0;
        for seed in 0..most {
            for (name, program) in workbench.read(&format!("split{seed}.arr"), &model(&mut Random::new(seed))) {
                let shown = |term: &Term| print_term(term, &PrintStyle { width: 120 });
                let term =
                    split(&world, &program).unwrap_or_else(|| panic!("{name}: no loop\n{}", shown(&program.term)));
                runs += same(&name, &program, &program.with(term.clone()), &shown(&term));
            }
        }
        runs
    };
    let runs = with_stack(Limits::default().max_depth, work).expect("a stack");
    assert!(runs as u64 > most * 4 * 6, "{runs} runs");
}

fn same(name: &str, before: &Program, after: &Program, shown: &str) -> usize {
    let mut runs = 0;
    for (k, [a, b]) in SIZES.into_iter().enumerate() {
        let size = |name: &Name| (name.clone(), if name.as_str() == "a" { a } else { b });
        let sizes: Sizes = open_sizes(&before.term).iter().map(size).collect();
        let budget = Budget::default();
        let inputs = few_inputs(before, &sizes, NumberSource::PLAIN, &mut Random::new(k as u64), (10_000, &budget));
        let Ok(Some(inputs)) = inputs else { continue };
        let value = |program: &Program| evaluate(program, &inputs, &sizes, &budget).map(|(value, _)| value);
        let (one, other) = (value(before).expect("it runs"), value(after).expect("it runs"));
        assert!(one.same(&other), "{name} at {sizes:?} on {inputs:?}: {one:?} became {other:?}\n{shown}");
        runs += 1;
    }
    runs
}
