//! Translation validation: derivations of what ships are valid, and a mistake that is planted in a step is named by it.

use crate::support::shipped;
use std::path::Path;
use std::rc::Rc;

use redexter::cost::cheaper_total;
use redexter::ground::jobs::{Port, in_order};
use redexter::ground::{Budget, Limits, Name, StopReason, Trouble, with_stack};
use redexter::strategy::{Outcome, Step, Strategy, Trace, Unary, run};
use redexter::term::{Kind, Prim, Program, SizeBounds, Term, Type, TypeView, View};
use redexter::validate::{MAX_COMPARED_STEPS, StepFlaw, Validation, against_primal, validate};
use redexter_reference::{cases, is_extended};
use shipped::{Workbench, files, schedules};

/// Derivations of more steps, and of larger terms, wait for REDEXTER_EXTENDED=1.
const SHORT: u64 = 100;

/// So many nodes have small terms.
const SMALL: u64 = 120;

fn derivation(strategy: &Strategy, program: &Program, most: u64) -> Option<Trace> {
    let budget = Budget::new(Limits { max_steps: most, ..Limits::default() }, None);
    let done = run(strategy, program, &budget, cheaper_total).ok()?;
    matches!(done.outcome, Outcome::Success(_)).then_some(done.trace)
}

fn gone_through(trace: &Trace, bounds: &SizeBounds) -> Validation {
    validate(trace, bounds, true, &Budget::default())
}

/// What came of some models.
#[derive(Default)]
struct Found {
    derivations: usize,
    steps: usize,
    untold: usize,
}

fn valid_on(share: usize, shares: usize, (most, size): (u64, u64)) -> Found {
    let workbench = Workbench::new();
    let strategies: Vec<(String, Strategy)> = schedules().iter().flat_map(|path| workbench.strategies(path)).collect();
    let mut found = Found::default();
    let programs = files("models", "arr").into_iter().flat_map(|path| workbench.programs(&path));
    let programs = programs.filter(|(_, program)| program.term.size() <= size);
    for (k, (name, program)) in programs.enumerate().skip(share).step_by(shares) {
        // Each third schedule, others for the next program; all in an extended run.
        let each = cases(3, 1) as usize;
        for (schedule, strategy) in strategies.iter().skip(k % each).step_by(each) {
            let Some(trace) = derivation(strategy, &program, most) else { continue };
            if trace.steps.is_empty() {
                continue;
            }
            let validation = gone_through(&trace, &program.bounds);
            assert!(validation.is_valid(), "{name} after {schedule}: {:?}", validation.trouble);
            assert_eq!(validation.typed, trace.steps.len(), "{name} after {schedule}");
            assert_eq!(
                validation.compared + validation.untold,
                trace.steps.len().min(MAX_COMPARED_STEPS),
                "{name} after {schedule}"
            );
            found.derivations += 1;
            found.steps += validation.compared;
            found.untold += validation.untold;
        }
    }
    found
}

#[test]
fn every_schedule_is_valid_on_every_model() {
    let extended = is_extended();
    let most = if extended { (100_000, u64::MAX) } else { (SHORT, SMALL) };
    let shares = std::thread::available_parallelism().map_or(1, usize::from);
    let on = |share: usize, _: Port<()>| valid_on(share, shares, most);
    let worked = in_order((0..shares).collect(), shares, 10_000, || true, on, drop).expect("a stack");
    let sum = |of: fn(&Found) -> usize| worked.results.iter().map(of).sum::<usize>();
    let (derivations, steps, untold) = (sum(|f| f.derivations), sum(|f| f.steps), sum(|f| f.untold));
    println!("{derivations} derivations, {steps} steps compared, {untold} told nothing");
    assert!(
        derivations as u64 >= cases(100, 200) && steps as u64 >= cases(500, 1_500),
        "{derivations} derivations, {steps} steps"
    );
    assert!(untold * 100 <= steps, "{untold} of {steps} steps told nothing");
}

/// A derivation of the general schedule.
fn general(workbench: &Workbench, model: &str, name: &str) -> (Program, Trace) {
    let all = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, strategy) = all.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("the general schedule");
    let programs = workbench.programs(Path::new(model));
    let wanted = format!("{model}:{name}");
    let (_, program) = programs.into_iter().find(|(known, _)| *known == wanted).expect("a definition");
    let trace = derivation(strategy, &program, 100_000).expect("a derivation");
    (program, trace)
}

/// A mistake in a term: another one in the place of the node that it is given, if it is one to be made there.
type Mistake = fn(&Term) -> Option<Term>;

fn operands(term: &Term, prim: Prim) -> Option<(Term, Term)> {
    matches!(term.kind(), Kind::Prim(own) if *own == prim).then(|| (term.kid(0), term.kid(1)))
}

fn with_prim(term: &Term, from: Prim, to: Prim) -> Option<Term> {
    let of = matches!(term.kind(), Kind::Prim(own) if *own == from);
    of.then(|| Term::prim(to, term.kids().into_vec()).ok()).flatten()
}

fn swapped(term: &Term, prim: Prim) -> Option<Term> {
    let (a, b) = operands(term, prim).filter(|(a, b)| a != b)?;
    Term::binary(prim, b, a).ok()
}

fn number(term: &Term, change: fn(f64) -> f64) -> Option<Term> {
    match term.kind() {
        Kind::Real(x) => Some(Term::real(change(*x))),
        _ => None,
    }
}

/// A variable of the same type that is bound one binder further out.
fn captured(term: &Term) -> Option<Term> {
    match term.view() {
        View::Lam(name, ty, body) => {
            let inner = body.free_at(0)?.ty.clone();
            let outer = body.free_at(1).filter(|free| *free.ty == inner)?;
            let _ = outer;
            let swapped = body.rename(|i| if i == 0 { 1 } else { i });
            Term::lam(&name, &ty, swapped).ok()
        }
        _ => None,
    }
}

const MISTAKES: &[(&str, Mistake)] = &[
    ("swapped operands of a difference", |t| swapped(t, Prim::Sub)),
    ("swapped operands of a quotient", |t| swapped(t, Prim::Div)),
    ("swapped operands of a comparison", |t| swapped(t, Prim::Lt)),
    ("a sum without its second term", |t| operands(t, Prim::Add).map(|(a, _)| a)),
    ("a sum without its first term", |t| {
        operands(t, Prim::Add).filter(|(a, _)| !a.kids().contains(&Term::real(0.0))).map(|(_, b)| b)
    }),
    ("a product without a factor", |t| operands(t, Prim::Mul).map(|(a, _)| a)),
    ("a difference without what is taken away", |t| operands(t, Prim::Sub).map(|(a, _)| a)),
    ("+ for *", |t| with_prim(t, Prim::Mul, Prim::Add)),
    ("- for +", |t| with_prim(t, Prim::Add, Prim::Sub)),
    ("/ for *", |t| with_prim(t, Prim::Mul, Prim::Div)),
    ("+ for -", |t| with_prim(t, Prim::Sub, Prim::Add)),
    ("<= for =", |t| with_prim(t, Prim::Eq, Prim::Le)),
    ("<= for <", |t| with_prim(t, Prim::Lt, Prim::Le)),
    ("max for min", |t| with_prim(t, Prim::Min, Prim::Max)),
    ("cos for exp", |t| with_prim(t, Prim::Exp, Prim::Cos)),
    ("a sign", |t| operand(t, Prim::Neg)),
    ("a constant plus 1", |t| number(t, |x| x + 1.0)),
    ("a constant's sign", |t| number(t, |x| -x).filter(|new| new != t && *t != Term::real(0.0))),
    ("half a constant", |t| number(t, |x| x / 2.0).filter(|new| *new != *t)),
    ("a constant off by 1e-5", |t| number(t, |x| x * (1.0 + 1e-5)).filter(|new| *new != *t)),
    ("the first for the second", |t| match t.view() {
        View::Snd(p) => Term::fst(p).ok().filter(|new| new.ty() == t.ty()),
        _ => None,
    }),
    ("the second for the first", |t| match t.view() {
        View::Fst(p) => Term::snd(p).ok().filter(|new| new.ty() == t.ty()),
        _ => None,
    }),
    ("a pair the wrong way round", |t| match t.view() {
        View::Pair(a, b) if a.ty() == b.ty() && a != b => Term::pair(b, a).ok(),
        _ => None,
    }),
    ("exchanged branches", |t| match t.view() {
        View::If(c, a, b) if a != b => Term::if_else(c, b, a).ok(),
        _ => None,
    }),
    ("a branch that is always taken", |t| match t.view() {
        View::If(_, a, b) if a != b => Some(a),
        _ => None,
    }),
    ("a fold that begins at 1", |t| match t.view() {
        View::Ifold(n, f, z) if z == Term::real(0.0) => Term::ifold(n, f, Term::real(1.0)).ok(),
        _ => None,
    }),
    ("a fold that is not run", |t| match t.view() {
        View::Ifold(_, _, z) => Some(z),
        _ => None,
    }),
    ("an index that is off by one", |t| match t.kind() {
        Kind::Prim(Prim::ToReal) => Term::binary(Prim::Add, t.clone(), Term::real(1.0)).ok(),
        _ => None,
    }),
    ("the first element for another", |t| match t.view() {
        View::Get(a, i) if matches!(i.kind(), Kind::Var) => match a.ty().view() {
            TypeView::Array(n, _) => Term::get(a.clone(), Term::fin(0, n.clone()).ok()?).ok(),
            _ => None,
        },
        _ => None,
    }),
    ("a captured name", captured),
    ("a let whose value is another", |t| match t.view() {
        View::Let(name, value, body) if *value.ty() == Type::real() && body.free_at(0).is_some() => {
            Term::let_in(&name, Term::real(0.25), body).ok()
        }
        _ => None,
    }),
    ("0 for a product", |t| operands(t, Prim::Mul).filter(|_| *t.ty() == Type::real()).map(|_| Term::real(0.0))),
    ("another type", |t| Term::pair(t.clone(), Term::real(0.0)).ok()),
    ("a variable that nothing binds", |t| Some(Term::var(1_000, t.ty()))),
];

fn operand(term: &Term, prim: Prim) -> Option<Term> {
    matches!(term.kind(), Kind::Prim(own) if *own == prim).then(|| term.kid(0))
}

/// The mistake made at the root, or else as little below it as it can be made.
fn planted(term: &Term, mistake: Mistake, depth: u32) -> Option<Term> {
    if let Some(wrong) = mistake(term).filter(|wrong| wrong != term) {
        return Some(wrong);
    }
    let below = |k: usize| term.with_kid(k, planted(&term.kid(k), mistake, depth - 1)?).ok();
    (depth > 0).then(|| (0..term.kid_count()).find_map(below)).flatten()
}

/// The trace up to a step that is taken otherwise.
fn otherwise(trace: &Trace, at: usize, contractum: Term) -> Trace {
    let mut steps = trace.steps[..=at].to_vec();
    let step = &trace.steps[at];
    steps[at] = Step::new(step.rule(), step.path().0, (step.redex.clone(), contractum), step.within());
    Trace { start: trace.start.clone(), steps }
}

fn planted_mistakes_are_named() {
    let workbench = Workbench::new();
    let wanted = [
        ("models/kmeans.arr", "gradient"),
        ("models/least_squares.arr", "gradient"),
        ("models/log_sum_exp.arr", "gradient"),
        ("models/vector_max.arr", "gradient"),
    ];
    let derivations = wanted.map(|(model, name)| general(&workbench, model, name));
    let (mut named, mut missed, mut kinds) = (Vec::new(), Vec::new(), 0);
    for (what, mistake) in MISTAKES {
        let mut count = 0;
        for (program, trace) in &derivations {
            let steps = trace.steps.iter().enumerate();
            let first = steps.filter_map(|(k, step)| Some((k, planted(&step.contractum, *mistake, 1)?))).next();
            let Some((k, contractum)) = first else { continue };
            count += 1;
            let found = gone_through(&otherwise(trace, k, contractum), &program.bounds);
            match found.fault.as_deref() {
                Some(fault) if fault.step == k + 1 => named.push((*what, matches!(fault.flaw, StepFlaw::Whole(_)))),
                fault => {
                    missed.push(format!("{what} in step {}, {:?}: {:?}", k + 1, trace.steps[k], fault.map(|f| f.step)))
                }
            }
        }
        kinds += usize::from(count > 0);
    }
    let by_whole = named.iter().filter(|(_, by_whole)| *by_whole).count();
    println!("{} mistakes of {kinds} kinds named, {by_whole} by the whole", named.len());
    assert!(missed.is_empty(), "{} of {}\n{}", missed.len(), missed.len() + named.len(), missed.join("\n"));
    assert!(kinds >= 30 && by_whole * 20 <= named.len(), "{kinds} kinds, {by_whole} by the whole: {named:?}");
}

#[test]
fn mistakes_in_steps_are_named_by_their_step() {
    with_stack(Limits::default().max_depth, planted_mistakes_are_named).expect("a thread");
}

#[test]
fn a_step_that_does_not_fit_is_named() {
    let workbench = Workbench::new();
    let (program, mut trace) = general(&workbench, "models/vector_sum.arr", "gradient");
    trace.steps.remove(3);
    let found = gone_through(&trace, &program.bounds);
    let fault = found.fault.expect("a fault");
    assert!(fault.step >= 4 && matches!(fault.flaw, StepFlaw::Elsewhere), "{:?}", fault.finding());
}

/// What is transposed stays linear in its direction.
#[test]
fn a_step_that_breaks_a_pull_is_named() {
    let workbench = Workbench::new();
    let text = "def f (x w : real) : real := pull (fun (d : real) => d * (x * 1)) w\n";
    let (_, program) = workbench.read("pulled.arr", text).remove(0);
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, zeros) = strategies.iter().find(|(name, _)| name.ends_with(" zeros")).expect("a stage");
    let trace = derivation(&zeros.under(Unary::TopDown), &program, SHORT).expect("a step");
    assert!(gone_through(&trace, &program.bounds).fault.is_none());
    let direction = Term::var(0, &Type::real());
    let asked = Term::binary(Prim::Lt, direction, Term::real(0.0)).expect("a condition");
    let same = trace.steps[0].contractum.clone();
    let choice = Term::if_else(asked, same.clone(), same).expect("a choice");
    let fault = gone_through(&otherwise(&trace, 0, choice), &program.bounds).fault.expect("a fault");
    assert!(fault.step == 1 && matches!(&fault.flaw, StepFlaw::IllTyped(why) if why.contains("linear in `d`")));
}

#[test]
fn a_limit_leaves_what_is_known() {
    let workbench = Workbench::new();
    let (program, trace) = general(&workbench, "models/vector_sum.arr", "gradient");
    let budget = Budget::new(Limits { max_steps: 5, ..Limits::default() }, None);
    let found = validate(&trace, &program.bounds, true, &budget);
    assert_eq!((found.typed, found.steps), (5, trace.steps.len()));
    assert!(matches!(found.trouble, Some(Trouble::Stopped { reason: StopReason::Steps(5), .. })));
    let stopped = Budget::new(Limits::default(), Some(Rc::new(|_: &Budget| Some(StopReason::Interrupted))));
    let found = validate(&trace, &program.bounds, true, &stopped);
    assert!(matches!(found.trouble, Some(Trouble::Stopped { reason: StopReason::Interrupted, .. })));
}

/// As many steps as are compared at most are compared of a longer derivation, which is typed to its end.
#[test]
fn long_derivations_are_sampled() {
    let rule = general(&Workbench::new(), "models/vector_sum.arr", "gradient").1.steps[0].rule().clone();
    let x = Name::new("x");
    let number = |k: usize| Term::lam(&x, &Type::real(), Term::real(k as f64)).expect("a function");
    let same = number(0);
    let step = || Step::new(&rule, [], (same.clone(), same.clone()), &Rc::from([]));
    let trace = Trace { start: same.clone(), steps: (0..MAX_COMPARED_STEPS + 2_345).map(|_| step()).collect() };
    let found = gone_through(&trace, &SizeBounds::default());
    assert_eq!((found.typed, found.compared, found.untold), (MAX_COMPARED_STEPS + 2_345, MAX_COMPARED_STEPS, 0));
    assert!(found.is_valid());
}

/// Gradients that ship, by what they are taken by.
#[test]
fn derivatives_are_compared_with_finite_differences() {
    let workbench = Workbench::new();
    let cases = [
        ("models/vector_sum.arr", "total", "gradient", "v"),
        ("models/kmeans.arr", "cost", "gradient", "centres"),
        ("models/least_squares.arr", "loss", "gradient", "x"),
        ("models/mixture.arr", "objective", "gradientAlpha", "alpha"),
    ];
    for (model, primal, gradient, by) in cases {
        let programs = workbench.programs(Path::new(model));
        let of = |name: &str| {
            let wanted = format!("{model}:{name}");
            &programs.iter().find(|(known, _)| *known == wanted).expect("a definition").1
        };
        let found = against_primal(of(gradient), of(primal), &Budget::default()).expect("a derivative");
        assert!(
            found.by.iter().map(Name::as_str).eq([by]) && found.runs >= 2 && found.entries > 3,
            "{model}: {found:?}"
        );
        let other = against_primal(of(primal), of(primal), &Budget::default());
        assert!(matches!(other, Err(Trouble::Wrong(_))), "{model}: {other:?}");
    }
    let text = "def f {n} (v : array n real) (x : real) : real := ifold n (fun acc i => acc + v[i] * v[i] * x) 0
        def both {n} (v : array n real) (x : real) : array n real * real :=
          (build n (fun i => 2 * v[i] * x), ifold n (fun acc i => acc + v[i] * v[i]) 0)
        def wrong {n} (v : array n real) (x : real) : array n real * real :=
          (build n (fun i => v[i] * x), ifold n (fun acc i => acc + v[i] * v[i]) 0)
        def rows {n} (v : array n real) (x : real) : array n real := build n (fun i => v[i] * x)
        def byX {n} (v : array n real) (x : real) : array n real := build n (fun i => v[i])
        def byV {n} (v : array n real) (x : real) : array n (array n real) :=
          build n (fun i => build n (fun j => if i = j then x else 0))";
    let programs = workbench.read("m.arr", text);
    let of = |name: &str| &programs.iter().find(|(known, _)| *known == format!("m.arr:{name}")).expect("one").1;
    let told = |derivative: &str, primal: &str| against_primal(of(derivative), of(primal), &Budget::default());
    for (derivative, primal, by) in
        [("both", "f", vec!["v", "x"]), ("byX", "rows", vec!["x"]), ("byV", "rows", vec!["v"])]
    {
        let found = told(derivative, primal).expect(derivative);
        assert!(found.by.iter().map(Name::as_str).eq(by) && found.runs >= 2, "{derivative}: {found:?}");
    }
    let Err(Trouble::Wrong(all)) = told("wrong", "f") else { panic!("a wrong derivative") };
    assert!(all[0].headline.contains("differs from finite differences of the primal by `v`"), "{all:?}");
}
