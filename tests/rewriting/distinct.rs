//! What is shared stays shared: strategies and terms whose parts are shared are printed, compared, evaluated and measured
//! by their distinct parts, or end at a limit; and formulas of work stay short. Where a part were looked at as often as it
//! stands there, these tests wouldn't end.

use crate::support::session;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use redexter::cost::{self, MAX_PRODUCTS, Poly, WorkFactor, WorkMeter};
use redexter::eval::{Value, value_to_json};
use redexter::export::{FutharkOptions, futhark};
use redexter::ground::writing::{goes_on, within};
use redexter::ground::{Budget, Diagnostic, Limits, Name, Nesting, StopReason, Trouble, with_stack};
use redexter::session::{MemorySystem, Sink};
use redexter::strategy::{
    Strategy, StrategyArgument, StrategyDefinition, Unary, body_text, check_ends, lint, whole_text,
};
use redexter::syntax::{PrintStyle, print_open, print_term};
use redexter::term::{Prim, Program, Size, SizeBounds, Term, Type};

/// So often things are doubled: nobody counts to 2^40.
const DOUBLED: u32 = 40;

fn doubled(s: Strategy, combine: impl Fn(&Strategy, &Strategy) -> Strategy) -> Strategy {
    (0..DOUBLED).fold(s, |s, _| combine(&s, &s))
}

fn sequence(s: Strategy) -> Strategy {
    doubled(s, Strategy::then)
}

/// `x + x` of `x + x` and so on, without a `let`.
fn sum(times: u32) -> Term {
    let x = Term::var(0, &Type::real());
    (0..times).fold(x, |x, _| Term::prim(Prim::Add, vec![x.clone(), x]).unwrap())
}

fn function(body: Term) -> Term {
    Term::lam(&Name::new("x"), &Type::real(), body).unwrap()
}

#[test]
fn shared_strategies_are_taken_part_by_part() {
    let (one, other) = (sequence(Strategy::id()), sequence(Strategy::id()));
    assert_eq!(one.distinct().len(), 41);
    assert!(one == other && one != sequence(Strategy::fail()));
    assert!(one.clone().under(Unary::Try) != other);
    let text = one.to_string();
    assert!(text.starts_with("id ;; id ;; (id ; id) ;; "), "{text}");
    assert!(text.ends_with("… (the first 10000 characters of a strategy of 2199023255551 parts)"), "{text}");
    assert_eq!(whole_text(&sequence(Strategy::id()), 1_000_000, &mut || Ok(())), Err(StopReason::Elements(1_000_000)));
    let short = Strategy::id().then(&Strategy::fail());
    assert_eq!(whole_text(&short, 10, &mut || Ok(())).as_deref(), Ok("id ;; fail"));
    assert_eq!(whole_text(&short, 9, &mut || Ok(())), Err(StopReason::Elements(9)));
}

#[test]
fn long_strategies_ask_while_they_are_written() {
    let long = (0..18).fold(Strategy::id(), |s, _| s.then(&s));
    let mut asked = 0;
    let mut ask = |most: usize| {
        asked += 1;
        if asked > most { Err(StopReason::Interrupted) } else { Ok(()) }
    };
    assert_eq!(whole_text(&long, 10_000_000, &mut || ask(3)), Err(StopReason::Interrupted));
    assert_eq!(asked, 4);
    asked = 0;
    let whole = whole_text(&long, 10_000_000, &mut || {
        asked += 1;
        Ok(())
    });
    let length = whole.map_or(0, |text| text.len());
    assert!((20..=length >> 16).contains(&asked), "{asked} times for {length} characters");
}

#[test]
fn binding_a_name_keeps_what_is_shared() {
    let open = sequence(Strategy::free(7));
    let bound = Strategy::mu("x", 7, &open);
    assert_eq!(bound.distinct().len(), 42);
    let definition = StrategyDefinition::new("d", &["p"]);
    assert!(definition.set(&[7], &open));
    let used = Strategy::named(&definition, vec![StrategyArgument::Strategy(Strategy::fail())]);
    assert_eq!(used.definition().expect("a body").distinct().len(), 41);
    assert!(body_text(&definition).expect("a body").len() < 11_000);
}

#[test]
fn definitions_of_definitions_are_looked_into_once() {
    let mut last = Strategy::id();
    for k in 0..DOUBLED {
        let definition = StrategyDefinition::new(&format!("d{k}"), &[]);
        assert!(definition.set(&[], &last.under(Unary::Try).then(&last)));
        last = Strategy::named(&definition, Vec::new());
    }
    assert!(check_ends(&last.under(Unary::Repeat)).is_err());
    assert!(check_ends(&last.under(Unary::Force)).is_ok());
    drop(lint(&last, None));
    let vast = StrategyDefinition::new("vast", &[]);
    assert!(vast.set(&[], &sequence(Strategy::id())));
    let vast = Strategy::named(&vast, Vec::new());
    assert!(check_ends(&vast.under(Unary::TopDown)).is_ok());
    drop(lint(&vast.or(&vast), None));
}

#[test]
fn shared_terms_are_written_under_a_budget() {
    with_stack(1_000, || {
        for times in [22, DOUBLED] {
            let term = function(sum(times));
            assert_eq!((term.size(), term == function(sum(times))), ((2 << times), true));
            assert_eq!(print_open(&term, &[], &PrintStyle { width: usize::MAX }, 10_000_000), None);
            let short = Budget::default().asked_at_most(400, Rc::default());
            let text = within(short, || print_term(&term, &PrintStyle::default()));
            assert_eq!(text, Err(StopReason::Operations(400)));
        }
        let term = function(sum(3));
        let text = within(Budget::default(), || print_term(&term, &PrintStyle::default()));
        assert_eq!(text.map(|text| text.matches('x').count()), Ok(9));
    })
    .expect("a stack");
}

#[test]
fn shared_values_are_compared_and_counted_once() {
    let value = || (0..DOUBLED).fold(Value::Real(1.5), |v, _| Value::pair(v.clone(), v));
    let (one, other) = (value(), value());
    assert!(one.same(&other) && one.close(&other, 1e-9) && !one.same(&Value::pair(one.clone(), other.clone())));
    assert_eq!(one.sum(&|_| 1), 1 << DOUBLED);
    let text = within(Budget::default().asked_at_most(400, Rc::default()), || value_to_json(&one));
    assert_eq!(text, Err(StopReason::Operations(400)));
    assert!(goes_on());
}

/// Evaluating what is shared takes as long as it stands there often: the limits end it.
#[test]
fn evaluation_asks_whether_to_go_on() {
    with_stack(1_000, || {
        let asked = Rc::new(Cell::new(0));
        let count = asked.clone();
        let watch = move |_: &Budget| {
            count.set(count.get() + 1);
            (count.get() > 5).then_some(StopReason::Interrupted)
        };
        let budget = Budget::new(Limits::default(), Some(Rc::new(watch)));
        let program = Program { term: function(sum(DOUBLED)), bounds: SizeBounds::default() };
        let ran = redexter::eval::evaluate(&program, &[Value::Real(1.0)], &Default::default(), &budget);
        assert!(matches!(ran, Err(Trouble::Stopped { reason: StopReason::Interrupted, .. })));
        assert_eq!(asked.get(), 6);
        // What ends counts what it runs.
        let program = Program { term: function(sum(12)), bounds: SizeBounds::default() };
        let (value, counts) =
            redexter::eval::evaluate(&program, &[Value::Real(1.0)], &Default::default(), &Budget::default()).unwrap();
        assert!(value.same(&Value::Real(4096.0)));
        assert_eq!(counts.flops, 4095);
    })
    .expect("a stack");
}

#[test]
fn exports_ask_whether_to_go_on() {
    with_stack(1_000, || {
        let exported = |term: Term, most: u64| {
            let program = Program { term, bounds: SizeBounds::default() };
            let asked = Rc::new(Cell::new(0));
            let budget = Budget::default().asked_at_most(most, asked.clone());
            let text = within(budget, || futhark(&[(Name::new("f"), program)], &FutharkOptions::default()));
            (text.map(|text| text.map_err(|wrong| format!("{wrong:?}"))), asked.get())
        };
        let export = |times: u32, most: u64| exported(function(sum(times)), most);
        assert_eq!(export(DOUBLED, 100), (Err(StopReason::Operations(100)), 101));
        let (text, asked) = export(12, u64::MAX);
        assert_eq!(text.map(|text| text.map(|text| text.matches('+').count())), Ok(Ok(4095)));
        // Each of 8,191 parts is made, and written in some pieces.
        assert!((4 * 8_191..12 * 8_191).contains(&(256 * asked)), "{asked}");
        assert!(export(12, asked - 1).0.is_err() && export(12, 40).0.is_err());
        // Pairs in pairs, as the type of a result and of a parameter: refused at once, or written as long as it may.
        let doubled =
            |times: u32| (0..times).fold(Term::var(0, &Type::real()), |x, _| Term::pair(x.clone(), x).unwrap());
        let constant = |ty: &Type| Term::lam(&Name::new("p"), ty, Term::real(1.0)).unwrap();
        let (small, huge) = (doubled(13), doubled(DOUBLED));
        for term in [constant(huge.ty()), function(huge)] {
            let (refused, asked) = exported(term, 100);
            assert!(refused.is_ok_and(|text| text.is_err_and(|wrong| wrong.contains("10000 parts"))) && asked <= 100);
        }
        for term in [constant(small.ty()), function(small)] {
            assert_eq!(exported(term, 10), (Err(StopReason::Operations(10)), 11));
        }
    })
    .expect("a stack");
}

/// `build n (fun i => …)` so often, one in the other, around an addition.
fn nested(sizes: &[Size]) -> Term {
    let (i, x) = (Name::new("i"), Term::real(1.0));
    let start = Term::prim(Prim::Add, vec![x.clone(), x]).unwrap();
    sizes
        .iter()
        .fold(start, |inner, n| Term::build(n.clone(), Term::lam(&i, &Type::fin(n.clone()), inner).unwrap()).unwrap())
}

fn size(names: &[&str]) -> Size {
    names.iter().map(|name| Size::var(&Name::new(name))).reduce(|a, b| a.plus(&b).unwrap()).unwrap()
}

fn has_sums(poly: &Poly) -> bool {
    poly.iter().any(|(product, _)| product.iter().any(|(factor, _)| matches!(factor, WorkFactor::Sum(_))))
}

fn products(poly: &Poly) -> usize {
    poly.iter().count()
}

#[test]
fn formulas_of_nested_sums_stay_factored() {
    for (depth, made) in [(12, 2_000), (40, 4_000)] {
        let term = nested(&vec![size(&["a", "b", "c"]); depth]);
        let mut meter = WorkMeter::default();
        let work = meter.work(&term);
        assert!(products(&work.total()) <= MAX_PRODUCTS, "{}", work.total());
        assert!(meter.products() < made, "{} products for {depth} loops", meter.products());
        assert!(meter.visited() < 12 * depth as u64, "{} visits for {depth} loops", meter.visited());
        assert_eq!(work.flops.to_string(), format!("(a + b + c)^{depth}"));
        assert_eq!(meter.total(&term), work.total());
        let value = |name: &Name| if name.as_str() == "a" { 2 } else { 0 };
        assert_eq!((work.flops.at(value), work.writes.at(value)), (1 << depth, (2 << depth) - 2));
        let read = Poly::read(&work.flops.to_string()).expect("a formula");
        assert_eq!(read.at(value), work.flops.at(value));
        assert!(depth == 12 || read == work.flops);
        let names: BTreeSet<Name> = ["a", "b", "c"].map(Name::new).into();
        assert_eq!(work.total().sizes(), names);
    }
    // As long as it is short, all is multiplied out.
    let short = cost::work(&nested(&vec![size(&["a", "b"]); 3])).flops;
    assert_eq!(short.to_string(), "3*a*b^2 + 3*a^2*b + a^3 + b^3");
}

#[test]
fn products_of_different_sums_stay_products() {
    let sizes: Vec<Size> = (0..DOUBLED).map(|k| size(&[&format!("a{k}"), &format!("b{k}")])).collect();
    let mut meter = WorkMeter::default();
    let flops = meter.work(&nested(&sizes)).flops;
    assert_eq!(products(&flops), 1);
    assert!(meter.products() < 5_000, "{}", meter.products());
    assert_eq!(flops.at(|_| 1), 1 << DOUBLED);
    assert_eq!(Poly::product(sizes.iter()), flops);
}

/// Each function runs the one before in two loops: a formula of 2^40 products of different sizes.
#[test]
fn sums_of_products_become_factors() {
    let (x, real) = (Name::new("x"), Type::real());
    let fun = Type::fun(real.clone(), real.clone());
    let run = |n: &str| {
        let n = size(&[n]);
        let call = Term::app(Term::var(3, &fun), Term::var(1, &real)).unwrap();
        let inner = Term::lam(&Name::new("i"), &Type::fin(n.clone()), call).unwrap();
        Term::ifold(n, Term::lam(&x, &real, inner).unwrap(), Term::var(0, &real)).unwrap()
    };
    let each = |k: u32| {
        let both = vec![run(&format!("a{k}")), run(&format!("b{k}"))];
        Term::lam(&x, &real, Term::prim(Prim::Add, both).unwrap()).unwrap()
    };
    let first = Term::lam(&x, &real, sum(1)).unwrap();
    let last = Term::app(Term::var(0, &fun), Term::real(1.0)).unwrap();
    let all = (0..DOUBLED).rev().fold(last, |body, k| Term::let_in(&Name::new("f"), each(k), body).unwrap());
    let all = Term::let_in(&Name::new("f"), first, all).unwrap();
    let mut meter = WorkMeter::default();
    let work = meter.work(&all);
    assert!(products(&work.total()) <= MAX_PRODUCTS && has_sums(&work.total()));
    assert!(meter.products() < 300_000, "{} products", meter.products());
    // With each size 1, a function takes twice the one before it, and an addition.
    let expected = (0..DOUBLED).fold(1u128, |flops, _| 2 * flops + 1);
    assert_eq!(work.flops.at(|_| 1), expected);
    assert_eq!(work.iterations.at(|_| 1), (2 << DOUBLED) - 2);
    assert!(work.total().to_string().len() < 100_000);
}

#[test]
fn factored_formulas_compare_as_their_products_do() {
    let read = |text: &str| Poly::read(text).unwrap_or_else(|| panic!("{text}"));
    let (more, less) = (read("(a + b + c)^30"), read("(a + b + c)^29"));
    assert!(has_sums(&more) && less.is_below(&more) && less.grows_within(&more));
    assert!(!more.grows_within(&less) && !more.is_below(&less));
    assert!(read("3*a^11").is_below(&more) && !more.is_below(&read("a^31")));
    assert_eq!(more.expanded(1_000).map(|poly| products(&poly)), Some(496));
    assert_eq!(more.expanded(495), None);
    assert_eq!(more.order(), more);
}

/// Hears everything.
struct Heard(Rc<RefCell<Vec<String>>>);

impl Sink for Heard {
    fn line(&self, text: &str) {
        self.0.borrow_mut().push(text.to_owned());
    }
    fn finding(&self, _: &Diagnostic) {}
}

/// What a script prints, and what ended it.
fn ran(script: &str) -> (Vec<String>, Option<StopReason>) {
    let (memory, lines) = (MemorySystem::default(), Rc::<RefCell<Vec<String>>>::default());
    let lets: String = (1..40).map(|k| format!("let a{k} := a{} + a{}; ", k - 1, k - 1)).collect();
    memory.put(Path::new("m.arr"), format!("def f (x : real) : real := let a0 := x + x; {lets}a39\n").as_bytes());
    let mut session = session::session(memory, Nesting::default(), Heard(lines.clone()));
    drop(session.submit(":set max-size 9999999999999"));
    let done = session.run_text(Path::new("s.strat"), script, &[]);
    let stopped = match done {
        Err(Trouble::Stopped { reason, .. }) => Some(reason),
        Ok(()) => None,
        Err(other) => panic!("{script}: {other:?}"),
    };
    (lines.take(), stopped)
}

#[test]
fn scripts_end_where_texts_are_too_long() {
    with_stack(10_000, || {
        let long = Some(StopReason::Elements(10_000_000));
        let s = "let s = id; for k in 0..40 { s = s ;; s; }";
        let t = "let t = load(\"m.arr\").f.apply(normalize(letSubst));";
        for (script, lines, stopped) in [
            (format!("{s} print(`${{s}}`.len());"), vec![], &long),
            (format!("{s} let text = `${{s}}`;"), vec![], &long),
            (format!("{s} print(s);"), vec![], &long),
            (format!("{s} let r = id; for k in 0..40 {{ r = r ;; r; }} print(s == r);"), vec!["true"], &None),
            (
                format!("{t} print(t.size); print(t == t.apply(id)); print(t.work);"),
                vec!["2199023255552", "true", "1099511627775"],
                &None,
            ),
            (format!("{t} print(t);"), vec![], &long),
            (format!("{t} try {{ t.to_string(); }} catch {{ print(\"caught\"); }}"), vec![], &long),
            (
                "let r = load(\"m.arr\").f.trace(normalize(letSubst)); print(r.len()); print(`${r}`);".to_owned(),
                vec!["40"],
                &long,
            ),
        ] {
            assert_eq!(ran(&script), (lines.into_iter().map(str::to_owned).collect(), stopped.clone()), "{script}");
        }
    })
    .expect("a stack");
}
