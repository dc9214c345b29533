//! Work that is remembered from one term to the next equals the work of each term alone, and costs what changed.

use crate::support::{generate, shipped};
use std::path::Path;

use generate::Generator;
use redexter::cost::{WorkFactor, WorkMeter, cheaper_total, work};
use redexter::ground::{Budget, Limits, Name, Random, with_stack};
use redexter::strategy::{Execution, Strategy, Trace};
use redexter::term::{Prim, Program, Term, Type};
use redexter_reference::cases;
use shipped::{Workbench, files, schedules};

/// So many steps of a derivation are compared.
const STEPS: usize = 60;

fn deep(test: impl FnOnce() + Send + 'static) {
    with_stack(100_000, test).expect("a stack");
}

/// The terms that a strategy leads to, by at most so many steps.
fn terms(strategy: &Strategy, program: &Program, steps: usize) -> Vec<Term> {
    let mut execution = Execution::new(strategy, program, cheaper_total);
    let limits = Limits { max_steps: 2_000, max_size: 10_000, ..Limits::default() };
    drop(execution.advance(steps, &Budget::new(limits, None)));
    let trace = Trace { start: program.term.clone(), steps: execution.steps().to_vec() };
    trace.terms().collect()
}

/// Whether a meter says of a term what is worked out of it alone, all kinds together and each by itself.
fn is_alike(meter: &mut WorkMeter, term: &Term) -> bool {
    let alone = work(term);
    let is_size = |(factor, _): &(WorkFactor, u32)| matches!(factor, WorkFactor::Size(_));
    let total = alone.total();
    assert!(total.iter().all(|(product, _)| product.iter().all(is_size)), "{total} isn't multiplied out");
    meter.total(term) == total && meter.work(term) == alone
}

#[test]
fn derivations_by_shipped_schedules_are_measured_alike() {
    deep(|| {
        let bench = Workbench::new();
        let programs: Vec<Program> =
            files("models", "arr").iter().flat_map(|path| bench.programs(path)).map(|(_, program)| program).collect();
        let (mut meter, mut compared) = (WorkMeter::default(), 0);
        // Each seventh strategy on a program, others on the next; all in an extended run.
        let each = cases(7, 1) as usize;
        for (k, (_, strategy)) in schedules().iter().flat_map(|path| bench.strategies(path)).enumerate() {
            for program in programs.iter().skip(k % each).step_by(each) {
                for term in terms(&strategy, program, STEPS) {
                    assert!(is_alike(&mut meter, &term), "{term:?}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 1_000, "{compared} terms");
    });
}

#[test]
fn random_walks_are_measured_alike() {
    const RULES: [&str; 7] = ["beta", "letSubst", "getBuild", "fstPair", "addZero", "mulOne", "distributeLeft"];
    deep(|| {
        let bench = Workbench::new();
        let mut interpreter = bench.interpreter();
        let rules: Vec<&str> = RULES.into_iter().filter(|rule| interpreter.strategy(rule).is_ok()).collect();
        assert!(rules.len() > 4, "{rules:?}");
        let strategies: Vec<Strategy> =
            rules.iter().map(|rule| interpreter.strategy(&format!("topDown({rule})")).expect("one")).collect();
        let (mut meter, mut random, mut compared) = (WorkMeter::default(), Random::new(3), 0);
        for seed in 0..300 {
            let mut program = Generator::new(seed, true).program(4);
            assert!(is_alike(&mut meter, &program.term));
            for _ in 0..40 {
                if program.term.size() > 2_000 {
                    break;
                }
                let strategy = &strategies[random.below(strategies.len())];
                for term in terms(strategy, &program, 5) {
                    assert!(is_alike(&mut meter, &term), "seed {seed}: {term:?}");
                    program = program.with(term);
                    compared += 1;
                }
            }
        }
        assert!(compared > 200, "{compared} terms");
    });
}

fn apply(function: u32, argument: Term) -> Term {
    Term::app(Term::var(function, &Type::fun(Type::real(), Type::real())), argument).unwrap()
}

/// Functions one within the other, each of which calls the one before so often.
fn tower(height: u32, calls: u32) -> Term {
    let (x, name) = (Term::var(0, &Type::real()), Name::new("f"));
    let lam = |body| Term::lam(&Name::new("x"), &Type::real(), body).unwrap();
    let start = lam(Term::prim(Prim::Exp, vec![x.clone()]).unwrap());
    let each = || lam((0..calls).fold(x.clone(), |argument, _| apply(1, argument)));
    let top = apply(0, Term::real(1.0));
    let body = (0..height).fold(top, |body, _| Term::let_in(&name, each(), body).unwrap());
    Term::let_in(&name, start, body).unwrap()
}

/// What is shared decides whether following functions comes to a limit: what is remembered must not.
#[test]
fn limits_are_met_where_they_were() {
    deep(|| {
        let mut meter = WorkMeter::default();
        let mut most = 0;
        for (height, calls) in [
            (5, 2),
            (25, 2),
            (6, 2),
            (5_000, 1),
            (9_998, 1),
            (10_002, 1),
            (9_999, 1),
            (10_001, 1),
            (10_000, 1),
            (25, 2),
        ] {
            let term = tower(height, calls);
            let alone = work(&term);
            most += u32::from(alone.total().at(|_| 1) == u128::MAX);
            assert!(meter.work(&term) == alone, "{height} functions, {calls} calls each");
        }
        assert!(most >= 2, "{most} towers come to the limit");
    });
}

/// Counted on a long derivation: the nodes that are visited for each term, and by a walk of its own.
#[test]
fn a_step_costs_what_it_changed() {
    deep(|| {
        let bench = Workbench::new();
        let strategies = bench.strategies(Path::new("strategies/gradient.strat"));
        let strategy = strategies.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
        let programs = bench.programs(Path::new("models/mixture.arr"));
        let (_, program) = programs.iter().find(|(name, _)| name.ends_with(":gradient")).expect("it ships");
        let terms = {
            let mut execution = Execution::new(&strategy.1, program, cheaper_total);
            execution.advance(usize::MAX, &Budget::default()).expect("no limit");
            let trace = Trace { start: program.term.clone(), steps: execution.steps().to_vec() };
            trace.terms().collect::<Vec<Term>>()
        };
        assert!(terms.len() > 1_500);
        let mut meter = WorkMeter::default();
        terms.iter().for_each(|term| drop(meter.work(term)));
        let visited = meter.visited() / terms.len() as u64;
        let alone = |term: &Term| {
            let mut meter = WorkMeter::default();
            meter.work(term);
            meter.visited()
        };
        let samples: Vec<u64> = terms.iter().step_by(250).map(alone).collect();
        let alone = samples.iter().sum::<u64>() / samples.len() as u64;
        assert!(visited < 80 && 5 * visited < alone, "{visited} nodes for each term, {alone} for one alone");
    });
}
