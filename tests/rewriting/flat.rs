//! What a rewrite costs the engine, counted in nodes that it looks at: as much in a large term as in a small one.

use crate::support::{book, perceptron, shipped, workloads};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use book::World;
use perceptron::perceptron;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, Name, StopReason, with_stack};
use redexter::strategy::{Execution, Profiler, Strategy, Trace, Unary, run};
use redexter::term::{Prim, Program, SizeBounds, Slot, Term, Type};
use rustc_hash::FxHashSet;
use shipped::Workbench;
use workloads::WORKLOADS;

/// The watch of a budget is asked once for so many ticks.
const TICKS: u64 = 256;

/// How many nodes the engine looks at for each rewrite, about.
fn looks(strategy: &Strategy, program: &Program) -> f64 {
    let asked = Rc::new(Cell::new(0u64));
    let count = asked.clone();
    let watch = move |_: &Budget| {
        count.set(count.get() + 1);
        None
    };
    let limits = Limits { max_steps: u64::MAX, max_size: u64::MAX, max_depth: u32::MAX };
    let done = run(strategy, program, &Budget::new(limits, Some(Rc::new(watch))), cheaper_total).expect("no limit");
    (asked.get() * TICKS) as f64 / done.trace.steps.len() as f64
}

fn flat() {
    let world = World::new();
    for workload in WORKLOADS {
        for (name, strategy) in workload.strategies(|rule| world.rule(rule)) {
            let [small, large] = [1_000, 8_000].map(|k| looks(&strategy, &(workload.program)(k)));
            println!(
                "{}, {name}: {small:.1} nodes for each rewrite, {large:.1} in a term 8 times as large",
                workload.name
            );
            assert!(large < 1.3 * small, "{}, {name}: {small} and {large}", workload.name);
        }
    }
}

#[test]
fn a_rewrite_costs_as_much_in_a_large_term_as_in_a_small_one() {
    with_stack(100_000, flat).expect("a thread with a large stack");
}

/// `fun c => let x := (let y1 := c + 1; let y2 := y1 + 1; …; yk); x`.
fn lets_in_a_value(k: u64) -> Program {
    let (real, y) = (Type::real(), Name::new("y"));
    let next = || Term::prim(Prim::Add, vec![Term::var(0, &real), Term::real(1.0)]).expect("reals");
    let chain = (0..k).fold(Term::var(0, &real), |body, _| Term::let_in(&y, next(), body).expect("a let"));
    let bound = Term::let_in(&Name::new("x"), chain, Term::var(0, &real)).expect("a let");
    Program { term: Term::lam(&Name::new("c"), &real, bound).expect("a body"), bounds: SizeBounds::default() }
}

/// Each rewrite takes one let out of the value; before it, the others are looked through for what isn't there.
fn searched_once() {
    let world = World::new();
    let [rule, other] = ["letLet", "getBuild"].map(|name| Strategy::rule(&world.rule(name)));
    let below = Strategy::mu("x", 0, &other.or(&Strategy::free(0).child(Slot::LetBody)));
    let strategy = below.child(Slot::Value).or(&rule).under(Unary::Innermost);
    let [small, large] = [500, 4_000].map(|k| looks(&strategy, &lets_in_a_value(k)));
    assert!(large < 1.3 * small, "{small} and {large}");
}

#[test]
fn what_failed_on_a_child_is_not_tried_there_again() {
    with_stack(100_000, searched_once).expect("a thread with a large stack");
}

#[test]
fn what_rewrites_nothing_is_run_once_on_a_node_that_stands_in_many_places() {
    let world = World::new();
    let strategy = Strategy::rule(&world.rule("getBuild")).under(Unary::TryAll);
    let double = |term: Term| Term::prim(Prim::Add, vec![term.clone(), term]).expect("reals");
    let term = (0..40).fold(Term::real(1.5), |term, _| double(term));
    let watch = |_: &Budget| Some(StopReason::Interrupted);
    let budget = Budget::new(Limits { max_size: u64::MAX, ..Limits::default() }, Some(Rc::new(watch)));
    let done = run(&strategy, &Program { term, bounds: SizeBounds::default() }, &budget, cheaper_total);
    assert!(
        done.is_ok_and(|done| done.trace.steps.is_empty()),
        "so few nodes are looked at that nobody asks the watch"
    );
}

/// How many nodes a term has, each counted once however often it occurs.
fn distinct(term: &Term, seen: &mut FxHashSet<u128>) -> u64 {
    match seen.insert(term.fingerprint()) {
        true => 1 + term.kids().iter().map(|kid| distinct(kid, seen)).sum::<u64>(),
        false => 0,
    }
}

/// What a stage of the general schedule did.
#[derive(Default)]
struct Stage {
    /// How often it went down to a term.
    visits: u64,
    /// How many nodes it began with.
    nodes: u64,
    rewrites: u64,
}

/// The stages of a way of the general schedule on a program, each as often as it runs taken together. A stage within another one
/// counts for itself.
fn stages(workbench: &Workbench, way: &str, program: &Program) -> BTreeMap<String, Stage> {
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, strategy) = strategies.into_iter().find(|(name, _)| name.ends_with(way)).expect("it ships");
    let mut execution = Execution::new(&strategy, program, cheaper_total);
    execution.watch(Profiler::new(Rc::new(|| Duration::ZERO)));
    execution.note();
    execution.advance(usize::MAX, &Budget::default()).expect("no limit");
    let visits = execution.profiler().expect("it was watched").found().visits;
    let noted = execution.noted();
    let names: FxHashSet<&str> =
        noted.begun().iter().filter_map(|begun| begun.within.get(1)).map(|name| &**name).collect();
    let is_stage = |name: &Rc<str>| names.contains(&**name);
    let path = |within: &[Rc<str>]| {
        let length = within.iter().rposition(is_stage).map_or(0, |last| last + 1);
        within[..length].join("/")
    };
    let mut all: BTreeMap<String, Stage> = BTreeMap::new();
    let steps = execution.steps();
    let trace = Trace { start: program.term.clone(), steps: steps.to_vec() };
    let terms: Vec<Term> = std::iter::once(program.term.clone()).chain(trace.terms()).collect();
    for begun in noted.begun().iter().filter(|begun| begun.within.last().is_some_and(is_stage)) {
        let nodes = |after: &usize| distinct(&terms[*after], &mut FxHashSet::default());
        all.entry(path(&begun.within)).or_default().nodes += begun.after.iter().map(nodes).sum::<u64>();
    }
    for step in steps {
        all.entry(path(step.within())).or_default().rewrites += 1;
    }
    for (within, count) in visits {
        all.entry(path(&within)).or_default().visits += count;
    }
    all
}

fn stages_visit_what_they_change() {
    let workbench = Workbench::new();
    let shipped = |(model, ending): (&str, &str)| {
        let programs = workbench.programs(Path::new(model));
        programs.into_iter().find(|(name, _)| name.ends_with(ending)).expect("it ships")
    };
    let deep = workbench.read("a perceptron of 8 hidden layers", &perceptron(8));
    let all = [("models/mixture.arr", ":gradient"), ("models/bundle_adjustment.arr", ":jacobianBlock")].map(shipped);
    let mut wrong = Vec::new();
    for (name, program) in all.into_iter().chain(deep.into_iter().filter(|(name, _)| name.ends_with(":gradient"))) {
        for (stage, Stage { visits, nodes, rewrites }) in stages(&workbench, " oneHotWay", &program) {
            let found = format!("{name}, {stage}: {visits} visits for {rewrites} rewrites of {nodes} nodes");
            println!("{found}");
            if visits > 2 * nodes + 10 * rewrites {
                wrong.push(found);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_stage_goes_down_to_what_it_changes() {
    with_stack(10_000, stages_visit_what_they_change).expect("a thread with a large stack");
}
