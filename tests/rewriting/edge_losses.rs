//! Gradients of random losses where slopes are infinite or numbers are none, without a schedule and with one, and which rules
//! make a NaN. `REDEXTER_EXTENDED=1` tries 10,000.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use redexter::derivation::Derivation;
use redexter::eval::{NumberSource, Observer, Sizes, Value, drawn_inputs, observed, open_sizes};
use redexter::ground::jobs::{Port, in_order};
use redexter::ground::{Budget, Name, Random};
use redexter::rule::Exactness;
use redexter::strategy::Trace;
use redexter::term::{Prim, Program, Scalar};
use redexter_reference::cases;

use crate::losses::{TOLERANCE, derived};
use crate::support::losses;
use crate::support::shipped::Workbench;

/// Where a slope is infinite or a number is none, a schedule may take out a zero that forward mode multiplies by it, or the other
/// way round: where both values are numbers, they are the same, unless they hang on how a NaN compares.
#[test]
fn gradients_at_the_edges_agree_wherever_both_are_finite() {
    let models = cases(60, 2_500);
    let shares = std::thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
    let on = |share: u64, _: Port<()>| at_the_edges((share..models).step_by(shares as usize));
    let worked = in_order((0..shares).collect(), shares as usize, 20_000, || true, on, drop).expect("a stack");
    let mut all = AtTheEdges::default();
    for found in worked.results {
        all.programs += found.programs;
        all.both += found.both;
        all.swallowed += found.swallowed;
        all.neither += found.neither;
        all.infinite += found.infinite;
        for (operations, count) in found.plain {
            *all.plain.entry(operations).or_default() += count;
        }
        for (rule, count) in found.scheduled {
            *all.scheduled.entry(rule).or_default() += count;
        }
    }
    println!("{all:?}");
    assert!(all.both > 10 * all.programs, "{all:?}");
    // Forward mode adds up what a schedule leaves out: its NaN is one that some operation made of a zero or an infinity.
    let unknown = all.plain.get("").copied().unwrap_or(0);
    assert!(1_000 * unknown <= all.both && 1_000 * all.swallowed <= all.both, "{all:?}");
    assert!(1_000 * all.scheduled.values().sum::<usize>() <= all.both, "{all:?}");
    for (class, rule) in all.scheduled.keys() {
        assert_ne!(*class, Exactness::Exact, "{rule} claims to keep every bit: {all:?}");
        assert!(MAKE_NAN.iter().any(|(known, _)| known == rule), "{rule} makes NaN, too: {all:?}");
    }
}

/// What a choice leaves out is 0 there, though the slope of what it chooses is infinite and stands outside of it.
#[test]
fn a_choice_guards_slopes_outside_of_it() {
    let losses = [
        "ifold n (fun s i => s + (let z := sqrt (v[i]); if v[i] > 0 then z else 0)) 0",
        "ifold n (fun s i => let z := sqrt (v[i]); if v[i] > 0 then s + z * s else s) 1",
        "let z := build n (fun i => 1 / v[i]); ifold n (fun s i => if v[i] > 0 then s + z[i] else s) 1",
        "ifold n (fun s i => let z := sqrt (v[i]); if v[i] > 0 then s + z * exp s else s) 0",
        "snd (ifold n (fun s i => let z := sqrt (v[i]); if v[i] > 0 then (fst s * z, snd s + fst s * z) else s) (1, 0))",
    ];
    let workbench = Workbench::new();
    let mut interpreter = workbench.interpreter();
    for loss in losses {
        let text = format!(
            "def loss {{n}} (v : array n real) : real := {loss}\n\n\
             def gradient {{n}} (v : array n real) : array n real := grad loss v\n"
        );
        let gradient = &workbench.read("guarded.arr", &text)[1].1;
        let sizes: Sizes = open_sizes(&gradient.term).into_iter().map(|name| (name, 3)).collect();
        let inputs = [Value::array([0.0, 2.0, 0.5].map(Value::Real).to_vec())];
        let (plain, _) = ran(gradient, &inputs, &sizes).expect("it runs");
        assert!(plain[0] == 0.0 && plain[1] != 0.0, "{plain:?}");
        for name in ["fastGradient", "fastGradient.reverseMode"] {
            let schedule = interpreter.strategy(name).expect("it is built in");
            let (after, _) = derived(&schedule, gradient).expect("it ends");
            let (scheduled, _) = ran(&after, &inputs, &sizes).expect("it runs");
            for (a, b) in plain.iter().zip(&scheduled) {
                assert!((a - b).abs() <= TOLERANCE, "{loss} after {name}: {plain:?} became {scheduled:?}");
            }
        }
    }
}

/// Rules of which a step may make the scheduled gradient NaN where the plain one isn't, none of which claims to keep every bit,
/// and why. The last three do in 48,000 programs, not in 10,000.
const MAKE_NAN: &[(&str, &str)] = &[
    (
        "sumOrder",
        "a factor leaves a sum of choices: it is multiplied by how often the condition holds, which may be 0 times",
    ),
    (
        "letAdjoint",
        "a choice between a table's element and 0 becomes a coefficient, 0 or 1, by which the element is multiplied",
    ),
    (
        "pullLets",
        "a slope outside of the choice that guards it is multiplied by an adjoint of 0 where the guard doesn't hold",
    ),
    (
        "arrange",
        "x - x becomes 0, also where x is infinite: a comparison, a quotient or a product with it then goes another way",
    ),
    ("mulZero", "0 times an infinity becomes 0: as for `arrange`"),
    ("distributeOneHot", "a * (b + c) becomes a * b + a * c, where b is 0 and a infinite, say"),
    ("gather", "a * b + a * c becomes a * (b + c), where b + c is 0 and a infinite, say"),
];

/// How numbers of gradients compare, without a schedule and with one.
#[derive(Debug, Default)]
struct AtTheEdges {
    programs: usize,
    /// Both are finite, and the same.
    both: usize,
    /// Both are finite, but not the same, as on the way there a comparison, `min` or `max` met a NaN, which a rule that holds for
    /// numbers has taken out: `c - c` where c is infinite.
    swallowed: usize,
    /// Neither is finite.
    neither: usize,
    /// One is infinite, the other finite.
    infinite: usize,
    /// Only the plain gradient is NaN: by which operations it made NaN more often than the scheduled one.
    plain: BTreeMap<String, usize>,
    /// Only the scheduled gradient is NaN: the rule that made it, and its class.
    scheduled: BTreeMap<(Exactness, String), usize>,
}

/// How often a run made NaN of a zero and what is no number, or of infinities, or by a function.
#[derive(Default)]
struct NanBirths(BTreeMap<&'static str, usize>);

impl Observer for NanBirths {
    fn real(&mut self, prim: Prim, operands: &[Scalar], result: f64) -> f64 {
        let holds = |is: fn(&f64) -> bool| operands.iter().any(|o| matches!(o, Scalar::Real(x) if is(x)));
        let kind = match (prim, holds(|x| *x == 0.0), holds(|x| x.is_nan())) {
            (Prim::Mul, true, true) => "0 * NaN",
            (Prim::Mul, true, false) => "0 * inf",
            (Prim::Div, true, true) => "0 / NaN",
            (Prim::Div, true, false) => "0 / 0",
            (_, _, true) => return result,
            (Prim::Div, ..) => "inf / inf",
            (Prim::Add | Prim::Sub, ..) => "inf - inf",
            _ => "function",
        };
        if result.is_nan() {
            *self.0.entry(kind).or_default() += 1;
        }
        result
    }
}

impl NanBirths {
    fn beyond(&self, other: &NanBirths) -> String {
        let is_more = |(kind, count): &(&&'static str, &usize)| *count > other.0.get(**kind).unwrap_or(&0);
        self.0.iter().filter(is_more).map(|(kind, _)| *kind).collect::<Vec<_>>().join(", ")
    }
}

fn at_the_edges(seeds: impl Iterator<Item = u64>) -> AtTheEdges {
    let workbench = Workbench::new();
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, schedule) = strategies.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("the schedule");
    let mut found = AtTheEdges::default();
    for seed in seeds {
        let text = losses::edgy(seed);
        for (name, gradient) in &workbench.read(&format!("edge{seed}.arr"), &text)[1..] {
            let (after, trace) = derived(schedule, gradient).unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
            let trace = Rc::new(trace);
            found.programs += 1;
            for round in 0..4 {
                let compared = found.compare([gradient, &after], &trace, round);
                compared.unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
            }
        }
    }
    found
}

impl AtTheEdges {
    fn compare(&mut self, programs: [&Program; 2], trace: &Rc<Trace>, round: u64) -> Result<(), String> {
        const EDGES: [f64; 8] = [0.0, -0.0, 1.0, -1.0, 2.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let names: Vec<Name> = open_sizes(&programs[0].term).into_iter().collect();
        let sizes: Sizes = names.iter().zip(1..).map(|(name, k)| (name.clone(), 1 + (round + k) % 3)).collect();
        // Half of the numbers are at no edge.
        let real = |random: &mut Random| if random.chance(50) { *random.pick(&EDGES) } else { random.moderate() };
        let source = NumberSource { real: &real, int: &|_| 0 };
        let drawn = drawn_inputs(programs[0], &sizes, source, &mut Random::new(round + 11), &Budget::default());
        let Ok(Some(inputs)) = drawn else { return Ok(()) };
        let mut runs = Vec::new();
        for program in programs {
            let (value, births) = ran(program, &inputs, &sizes)?;
            runs.push((value, births));
        }
        for (k, (a, b)) in runs[0].0.iter().zip(&runs[1].0).enumerate() {
            match (a.is_nan(), b.is_nan()) {
                (false, false) if a.is_finite() && b.is_finite() => {
                    match (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0) {
                        true => self.both += 1,
                        false if runs.iter().any(|(_, births)| !births.0.is_empty()) => self.swallowed += 1,
                        false => return Err(format!("at {sizes:?} on {inputs:?}: {a} became {b}")),
                    }
                }
                (false, false) if a != b => self.infinite += 1,
                (one, other) if one == other => self.neither += 1,
                (true, _) => *self.plain.entry(runs[0].1.beyond(&runs[1].1)).or_default() += 1,
                _ => {
                    let is_nan = |program: &Program| ran(program, &inputs, &sizes).map(|(value, _)| value[k].is_nan());
                    *self.scheduled.entry(made_nan(programs[0], trace, is_nan)?).or_default() += 1;
                }
            }
        }
        Ok(())
    }
}

/// The class and the name of a rule of this derivation whose step makes a NaN, which the first term hasn't, and the last one has.
fn made_nan(
    first: &Program,
    trace: &Rc<Trace>,
    is_nan: impl Fn(&Program) -> Result<bool, String>,
) -> Result<(Exactness, String), String> {
    let derivation = Derivation::of_run("fastGradient", trace.clone());
    let (mut without, mut with) = (0, derivation.steps().len());
    while with - without > 1 {
        let between = (without + with) / 2;
        match is_nan(&first.with(derivation.term(between)))? {
            true => with = between,
            false => without = between,
        }
    }
    let step = &derivation.steps()[without];
    let info = step.rule().info();
    Ok((info.exactness, info.name.to_string()))
}

/// The numbers of a run, and which of its operations made NaN.
fn ran(program: &Program, inputs: &[Value], sizes: &Sizes) -> Result<(Vec<f64>, NanBirths), String> {
    let mut births = NanBirths::default();
    let value = observed(program, inputs, sizes, &mut births, &Budget::default()).map_err(|e| format!("{e:?}"))?;
    Ok((reals(&value), births))
}

fn reals(value: &Value) -> Vec<f64> {
    match value {
        Value::Real(x) => vec![*x],
        Value::Array(all) => all.items().flat_map(|item| reals(&item)).collect(),
        Value::Pair(both) => [&both.0, &both.1].into_iter().flat_map(reals).collect(),
        _ => Vec::new(),
    }
}
