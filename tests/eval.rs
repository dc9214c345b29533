//! The evaluator and symbolic work: what programs mean, what they cost, how inputs come in.

#[path = "support/generate.rs"]
mod generate;

use std::cell::Cell;
use std::rc::Rc;

use generate::Generator;
use redexter::cost::{self, Poly};
use redexter::eval::{self, Counts, Sizes, Value};
use redexter::ground::{Budget, Code, Limits, Name, StopReason, Trouble, code};
use redexter::term::{Bounds, Prim, Program, Scalar, Size, Term, Type};

fn name(text: &str) -> Name {
    Name::new(text)
}

fn n() -> Size {
    Size::var(&name("n"))
}

fn real() -> Type {
    Type::real()
}

fn vector() -> Type {
    Type::array(n(), real())
}

fn lam(x: &str, ty: &Type, body: Term) -> Term {
    Term::lam(&name(x), ty, body).unwrap()
}

fn let_in(x: &str, value: Term, body: Term) -> Term {
    Term::let_in(&name(x), value, body).unwrap()
}

fn prim(p: Prim, operands: &[Term]) -> Term {
    Term::prim(p, operands.to_vec()).unwrap()
}

fn closed(term: Term) -> Program {
    assert_eq!(term.free().len(), 0);
    Program { term, bounds: Bounds::default() }
}

/// A program with parameters and any body in their scope.
fn taking(parameters: &[(&str, Type)], body: Term) -> Program {
    closed(parameters.iter().rev().fold(body, |body, (x, ty)| lam(x, ty, body)))
}

/// `fun v => ifold n (fun acc i => acc + v[i]) 0`
fn sum() -> Program {
    let item = Term::get(Term::var(2, &vector()), Term::var(0, &Type::fin(n()))).unwrap();
    let step = lam("acc", &real(), lam("i", &Type::fin(n()), prim(Prim::Add, &[Term::var(1, &real()), item])));
    closed(lam("v", &vector(), Term::ifold(n(), step, Term::real(0.0)).unwrap()))
}

/// Runs on JSON and gives JSON with the counts.
fn run(program: &Program, json: &str) -> (String, Counts) {
    let (inputs, sizes) = eval::inputs_from_json(program, json, &[], &Budget::default()).unwrap();
    let (value, counts) = eval::evaluate(program, &inputs, &sizes, &Budget::default()).unwrap();
    (eval::value_to_json(&value), counts)
}

/// What is wrong with these inputs: codes and headlines.
fn refused(program: &Program, json: &str, sizes: &[(&str, u64)]) -> Vec<(Code, String)> {
    let sizes: Vec<(Name, u64)> = sizes.iter().map(|(x, value)| (name(x), *value)).collect();
    match eval::inputs_from_json(program, json, &sizes, &Budget::default()) {
        Err(Trouble::Wrong(all)) => all
            .into_iter()
            .map(|d| {
                assert!(!d.help.is_empty(), "no remedy: {}", d.headline);
                (d.code, format!("{}; {}", d.headline, d.help.join("; ")))
            })
            .collect(),
        other => panic!("accepted: {other:?}"),
    }
}

#[track_caller]
fn refuses(program: &Program, json: &str, sizes: &[(&str, u64)], expected: Code, parts: &[&str]) {
    let all = refused(program, json, sizes);
    assert_eq!(all[0].0, expected, "{all:?}");
    for part in parts {
        assert!(all[0].1.contains(part), "`{part}` isn't in {all:?}");
    }
}

#[test]
fn a_sum_is_computed_and_counted() {
    let (value, counts) = run(&sum(), r#"{"v": [1, 2.5, -4]}"#);
    assert_eq!(value, "-0.5");
    assert_eq!(counts, Counts { flops: 3, reads: 3, iterations: 3, ..Counts::default() });
    assert_eq!(run(&sum(), r#"{"v": []}"#).0, "0.0");
}

#[test]
fn functions_are_values() {
    // let twice := fun f x => f (f x); twice (twice (fun y => y * 3)) 1
    let f = Type::fun(real(), real());
    let call = |f: Term, x: Term| Term::app(f, x).unwrap();
    let inner = call(Term::var(1, &f), call(Term::var(1, &f), Term::var(0, &real())));
    let twice = lam("f", &f, lam("x", &real(), inner));
    let t = Term::var(0, twice.ty());
    let triple = lam("y", &real(), prim(Prim::Mul, &[Term::var(0, &real()), Term::real(3.0)]));
    let body = call(call(t.clone(), call(t, triple)), Term::real(1.0));
    let program = closed(let_in("twice", twice, body));
    let (value, counts) = run(&program, "{}");
    assert_eq!(value, "81.0");
    assert_eq!(counts, Counts { flops: 4, ..Counts::default() });
    assert_eq!(cost::work(&program.term).flops, Poly::constant(4));
}

#[test]
fn a_fold_may_make_functions() {
    // (ifold n (fun g i => fun x => g (x + 1)) (fun x => x)) 0
    let f = Type::fun(real(), real());
    let more = prim(Prim::Add, &[Term::var(0, &real()), Term::real(1.0)]);
    let step = lam("x", &real(), Term::app(Term::var(2, &f), more).unwrap());
    let step = lam("g", &f, lam("i", &Type::fin(n()), step));
    let fold = Term::ifold(n(), step, lam("x", &real(), Term::var(0, &real()))).unwrap();
    let program = closed(Term::app(fold, Term::real(0.0)).unwrap());
    assert_eq!(run(&program, r#"{"n": 50}"#).0, "50.0");
    let sizes: Sizes = [(name("n"), 300_000)].into_iter().collect();
    let deep =
        eval::evaluate(&program, &[], &sizes, &Budget::new(Limits { max_depth: 200, ..Limits::default() }, None));
    assert_eq!(deep.unwrap_err(), Trouble::from(StopReason::Depth(200)));
}

#[test]
fn integers_wrap_and_truth_is_0_or_1() {
    let int = |x| Term::int(x);
    let eval = |t: Term| run(&closed(t), "{}").0;
    assert_eq!(eval(prim(Prim::Add, &[int(i64::MAX), int(1)])), i64::MIN.to_string());
    assert_eq!(eval(prim(Prim::Neg, &[int(i64::MIN)])), i64::MIN.to_string());
    assert_eq!(eval(prim(Prim::And, &[int(5), int(-1)])), "1");
    assert_eq!(eval(prim(Prim::Or, &[int(0), int(0)])), "0");
    assert_eq!(eval(prim(Prim::Not, &[int(7)])), "0");
    let nan = || Term::real(f64::NAN);
    assert_eq!(eval(prim(Prim::Eq, &[nan(), nan()])), "0");
    assert_eq!(eval(prim(Prim::Ne, &[nan(), nan()])), "1");
    assert_eq!(eval(prim(Prim::Min, &[nan(), Term::real(2.0)])), "2.0");
    assert_eq!(eval(prim(Prim::Max, &[Term::real(2.0), nan()])), "2.0");
    assert_eq!(eval(prim(Prim::Pow, &[Term::real(2.0), int(-2)])), "0.25");
    assert_eq!(eval(prim(Prim::Pow, &[nan(), int(0)])), "1.0");
    let index = Term::fin(1, Size::literal(2)).unwrap();
    assert_eq!(eval(prim(Prim::Add, &[prim(Prim::Offset(3), std::slice::from_ref(&index)), index])), "5");
}

fn function(prim: Prim, x: f64) -> f64 {
    match prim.compute(&[Scalar::Real(x)]) {
        Some(Scalar::Real(value)) => value,
        other => panic!("{prim:?} of {x} is {other:?}"),
    }
}

#[test]
fn special_functions_have_their_known_values() {
    let (lgamma, digamma) = (|x| function(Prim::Lgamma, x), |x| function(Prim::Digamma, x));
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * b.abs().max(1.0), "{a} is not {b}");
    let pi = std::f64::consts::PI;
    near(lgamma(0.5), pi.sqrt().ln());
    near(lgamma(-0.5), (2.0 * pi.sqrt()).ln());
    near(lgamma(-1.5), (4.0 / 3.0 * pi.sqrt()).ln());
    near(lgamma(1.0), 0.0);
    near(lgamma(2.0), 0.0);
    near(lgamma(1e-300), 300.0 * 10f64.ln());
    near(lgamma(-1e-20), 20.0 * 10f64.ln());
    near(lgamma(1e10), 220_258_509_288.811_4);
    let factorial: f64 = (1..=100).map(|k| f64::from(k).ln()).sum();
    near(lgamma(101.0), factorial);
    for pole in [0.0, -0.0, -1.0, -7.0, -1e300, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(lgamma(pole), f64::INFINITY);
    }
    assert!(lgamma(f64::NAN).is_nan());
    let euler = 0.577_215_664_901_532_9;
    near(digamma(1.0), -euler);
    near(digamma(0.5), -euler - 2.0 * 2f64.ln());
    near(digamma(-0.5), 2.0 - euler - 2.0 * 2f64.ln());
    near(digamma(10.0), (1..10).map(|k| 1.0 / f64::from(k)).sum::<f64>() - euler);
    near(digamma(1e8), 18.420_680_738_952_367);
    assert_eq!(digamma(0.0), f64::NEG_INFINITY);
    assert_eq!(digamma(-0.0), f64::INFINITY);
    for nan in [-1.0, -20.0, f64::NEG_INFINITY, f64::NAN] {
        assert!(digamma(nan).is_nan());
    }
    for k in 1..200 {
        let x = f64::from(k) * 0.137 - 9.0;
        near(digamma(x + 1.0), digamma(x) + 1.0 / x);
        near(lgamma(x + 1.0), lgamma(x) + x.abs().ln());
    }
}

/// As `mpmath` computes them with 60 digits.
#[test]
fn functions_are_good_to_the_last_bits() {
    let known: &[(Prim, &[(f64, f64)])] = &[
        (Prim::Exp, &[(0.5, 1.6487212707001282), (-20.25, 1.6052280551856116e-09), (1e-09, 1.000000001)]),
        (Prim::Log, &[(0.75, -0.2876820724517809), (1.0000001, 9.999999505838704e-08), (1e+300, 690.7755278982137)]),
        (Prim::Sin, &[(0.5, 0.479425538604203), (22.0, -0.008851309290403876), (1e-09, 1e-09)]),
        (Prim::Cos, &[(0.5, 0.8775825618903728), (22.0, -0.9999608263946371), (100000.0, -0.9993608074382124)]),
        (Prim::Tanh, &[(0.5, 0.46211715726000974), (1e-09, 1e-09), (-3.0, -0.9950547536867305)]),
        (Prim::Sinh, &[(0.5, 0.5210953054937474), (1e-09, 1e-09), (-20.0, -242582597.70489514)]),
        (Prim::Cosh, &[(0.5, 1.1276259652063807), (1e-09, 1.0), (-20.0, 242582597.70489514)]),
        (Prim::Atan, &[(0.5, 0.4636476090008061), (1e-09, 1e-09), (-10000000000.0, -1.5707963266948965)]),
        (Prim::Erf, &[(0.5, 0.5204998778130465), (1e-09, 1.1283791670955127e-09), (-3.5, -0.9999992569016276)]),
        (Prim::Log1p, &[(0.5, 0.4054651081081644), (1e-09, 9.999999995e-10), (-0.999, -6.907755278982136)]),
        (Prim::Expm1, &[(0.5, 0.6487212707001282), (1e-09, 1.0000000005000001e-09), (-20.0, -0.9999999979388464)]),
        (Prim::Lgamma, &[(0.5, 0.5723649429247001), (1.0000001, -5.772155829918507e-08), (-3.25, -0.6231534513209986)]),
        (Prim::Digamma, &[(0.5, -1.9635100260214235), (30.0, 3.384438132685525)]),
    ];
    for (prim, values) in known {
        for (x, value) in *values {
            let (found, ulp) = (function(*prim, *x), value.abs().next_up() - value.abs());
            let within = if *prim == Prim::Digamma { 16.0 } else { 2.0 };
            assert!((found - value).abs() <= within * ulp, "{prim:?} of {x} is {found}, not {value}");
        }
    }
    let named = Prim::of_one_real().filter(|p| !matches!(p, Prim::Neg | Prim::Abs | Prim::Sqrt));
    for prim in named {
        assert!(known.iter().any(|(p, _)| *p == prim), "{prim:?} has no known value");
    }
}

const SIZES: [(u64, u64); 6] = [(0, 0), (1, 1), (0, 2), (2, 3), (3, 0), (7, 2)];

fn counted(program: &Program, sizes: &Sizes, seed: u64) -> Counts {
    let inputs = eval::random_inputs(program, sizes, seed).unwrap();
    eval::evaluate(program, &inputs, sizes, &Budget::default()).unwrap().1
}

fn predicted(program: &Program, sizes: &Sizes) -> Counts {
    let work = cost::work(&program.term);
    let at = |p: &Poly| p.at(|x: &Name| sizes.get(x).unwrap()) as u64;
    Counts {
        flops: at(&work.flops),
        compares: at(&work.compares),
        reads: at(&work.reads),
        writes: at(&work.writes),
        iterations: at(&work.iterations),
    }
}

fn sizes(n: u64, m: u64) -> Sizes {
    [(name("n"), n), (name("m"), m)].into_iter().collect()
}

#[test]
fn symbolic_work_is_what_the_evaluator_counts() {
    for seed in 0..400 {
        let program = Generator::new(seed, false).program(7);
        for (n, m) in SIZES {
            let sizes = sizes(n, m);
            let counts = counted(&program, &sizes, seed);
            assert_eq!(counts, predicted(&program, &sizes), "seed {seed}, n = {n}, m = {m}: {:?}", program.term);
            assert_eq!(counts, counted(&program, &sizes, seed + 1), "seed {seed}");
        }
    }
}

#[test]
fn symbolic_work_bounds_programs_that_branch() {
    for seed in 0..300 {
        let program = Generator::new(seed, true).program(7);
        for (n, m) in SIZES {
            let sizes = sizes(n, m);
            let (less, more) = (counted(&program, &sizes, seed), predicted(&program, &sizes));
            let pairs = [
                (less.flops, more.flops),
                (less.compares, more.compares),
                (less.reads, more.reads),
                (less.writes, more.writes),
                (less.iterations, more.iterations),
            ];
            assert!(pairs.iter().all(|(a, b)| a <= b), "seed {seed}: {less:?} {more:?} {:?}", program.term);
        }
    }
}

#[test]
fn results_survive_json() {
    for seed in 0..100 {
        let program = Generator::new(seed, true).program(4);
        let sizes = sizes(2, 3);
        let inputs = eval::random_inputs(&program, &sizes, seed).unwrap();
        let keys = eval::parameters(&program);
        let text: Vec<String> =
            keys.iter().zip(&inputs).map(|(p, v)| format!("\"{}\": {}", p.name, eval::value_to_json(v))).collect();
        let (again, solved) =
            eval::inputs_from_json(&program, &format!("{{{}}}", text.join(", ")), &[], &Budget::default()).unwrap();
        assert!(inputs.iter().zip(&again).all(|(a, b)| a.same(b)));
        assert_eq!(solved, sizes);
    }
    for x in [1.0, -0.0, 0.1, 5e-324, f64::MAX, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let text = eval::value_to_json(&Value::Real(x));
        let program = taking(&[("x", real())], Term::var(0, &real()));
        assert_eq!(run(&program, &format!("{{\"x\": {text}}}")).0, text);
    }
    assert_eq!(eval::value_to_json(&Value::Real(1.0)), "1.0");
    let pair = Value::pair(Value::array(vec![Value::Int(-3)]), Value::Index(4));
    assert_eq!(eval::value_to_json(&pair), "[[-3], 4]");
}

#[test]
fn work_is_a_polynomial() {
    let n_plus_1 = n().plus(&Size::literal(1)).unwrap();
    let body = lam("j", &Type::fin(n_plus_1.clone()), prim(Prim::Exp, &[Term::real(1.0)]));
    let rows = lam("i", &Type::fin(n()), Term::build(n_plus_1, body).unwrap());
    let term = Term::build(n(), rows).unwrap();
    let work = cost::work(&term);
    assert_eq!(work.flops.to_string(), "n^2 + n");
    assert_eq!(work.writes.to_string(), "n^2 + 2*n");
    assert_eq!(work.total().to_string(), "2*n^2 + 3*n");
    assert_eq!(cost::Meter::default().total(&term).to_string(), "2*n^2 + 3*n");
    assert_eq!(work.reads.to_string(), "0");
    let mut bounds = Bounds::default();
    assert_eq!(cost::typical(&work.total(), &bounds), 20_300);
    bounds.require(&name("n"), 1000);
    assert_eq!(cost::typical(&work.total(), &bounds), 2_003_000);
}

#[test]
fn shared_terms_cost_their_nodes() {
    let mut term = Term::var(0, &real());
    for _ in 0..60 {
        term = prim(Prim::Add, &[term.clone(), term]);
    }
    assert_eq!(cost::work(&term).flops, Poly::constant((1 << 60) - 1));
}

#[test]
fn work_follows_functions_through_lets_pairs_and_branches() {
    let cheap = lam("x", &real(), Term::var(0, &real()));
    let dear = lam("x", &real(), prim(Prim::Exp, &[prim(Prim::Exp, &[Term::var(0, &real())])]));
    let one = |f: Term| Term::app(f, Term::real(1.0)).unwrap();
    let pair = Term::pair(cheap.clone(), dear.clone()).unwrap();
    let p = Term::var(0, pair.ty());
    let flops = |t: &Term| cost::work(t).flops.to_string();
    assert_eq!(flops(&let_in("p", pair.clone(), one(Term::snd(p.clone()).unwrap()))), "2");
    assert_eq!(flops(&let_in("p", pair, one(Term::fst(p).unwrap()))), "0");
    assert_eq!(flops(&one(Term::if_else(Term::int(0), cheap.clone(), dear.clone()).unwrap())), "2");
    let both = Term::array(&cheap.ty().clone(), vec![dear, cheap]).unwrap();
    assert_eq!(flops(&one(Term::get(both, Term::fin(1, Size::literal(2)).unwrap()).unwrap())), "2");
    assert_eq!(flops(&lam("f", &Type::fun(real(), real()), one(Term::var(0, &Type::fun(real(), real()))))), "0");
}

/// One function that is given others costs what these do, and a choice what its dearer branch does.
#[test]
fn work_is_that_of_the_functions_in_scope_and_of_one_branch() {
    let f = Type::fun(real(), real());
    let x = || Term::var(0, &real());
    let once = || lam("f", &f, Term::app(Term::var(0, &f), Term::real(1.0)).unwrap());
    let given = |body: Term| Term::app(once(), lam("x", &real(), body)).unwrap();
    let flops = |t: &Term| cost::work(t).flops.to_string();
    let three = prim(Prim::Exp, &[prim(Prim::Exp, &[prim(Prim::Exp, &[x()])])]);
    assert_eq!(flops(&Term::pair(given(x()), given(three.clone())).unwrap()), "3");
    assert_eq!(flops(&Term::pair(given(three.clone()), given(x())).unwrap()), "3");
    let choice = Term::if_else(Term::int(1), three, prim(Prim::Exp, &[x()])).unwrap();
    assert_eq!(flops(&lam("x", &real(), choice)), "3");
}

#[test]
fn sizes_are_solved_from_lengths() {
    let m = Size::var(&name("m"));
    let both = Type::array(n().plus(&m).unwrap(), real());
    let program = taking(&[("w", both), ("v", vector())], Term::size_value(&m));
    assert_eq!(run(&program, r#"{"w": [1, 2, 3], "v": [1]}"#).0, "2");
    refuses(&program, r#"{"w": [1], "v": [1, 2]}"#, &[], code::INPUT_SIZES, &["`w` has 1 element", "n is 2 by `v`"]);
    let odd = n().plus(&n()).unwrap().plus(&Size::literal(1)).unwrap();
    let program = taking(&[("u", Type::array(odd, real()))], Term::size_value(&n()));
    assert_eq!(run(&program, r#"{"u": [1, 2, 3, 4, 5]}"#).0, "2");
    refuses(&program, r#"{"u": [1, 2]}"#, &[], code::INPUT_SIZES, &["`u`", "2 * n + 1"]);
    let square = taking(&[("q", Type::array(n().times(&n()).unwrap(), real()))], Term::size_value(&n()));
    assert_eq!(run(&square, r#"{"q": [1, 2, 3, 4]}"#).0, "2");
    let matrix = taking(&[("a", Type::array(n(), Type::array(m.clone(), real())))], Term::size_value(&m));
    assert_eq!(run(&matrix, r#"{"a": []}"#).0, "0");
    assert_eq!(run(&matrix, r#"{"a": [], "m": 4}"#).0, "4");
    let mut bounded = matrix.clone();
    bounded.bounds.require(&name("m"), 3);
    assert_eq!(run(&bounded, r#"{"a": []}"#).0, "3");
    let shadow = taking(&[("n", vector())], Term::size_value(&n()));
    assert_eq!(run(&shadow, r#"{"n": [5, 6]}"#).0, "2");
    let twins = taking(&[("x", real()), ("x", real())], Term::var(0, &real()));
    assert_eq!(run(&twins, r#"{"x": 1, "x1": 2}"#).0, "2.0");
}

#[test]
fn wrong_json_is_refused() {
    let bad = |json: &str, parts: &[&str]| refuses(&sum(), json, &[], code::BAD_JSON, parts);
    bad("{\"v\": [1,}", &["line 1 column 10"]);
    bad("", &["line 1"]);
    bad("{\"v\": [1e999]}", &["out of range", "line 1 column"]);
    bad(&format!("{{\"v\": {}{}}}", "[".repeat(200), "]".repeat(200)), &["nested too deep"]);
    refuses(&sum(), "[1]", &[], code::INPUT_SHAPE, &["an object", "an array of 1"]);
}

#[test]
fn wrong_shapes_are_refused() {
    let shape = |p: &Program, json: &str, parts: &[&str]| refuses(p, json, &[], code::INPUT_SHAPE, parts);
    shape(&sum(), r#"{"v": 3}"#, &["`v` must be an array n real", "the number 3"]);
    shape(&sum(), r#"{"v": [1, true]}"#, &["`v[1]` must be a real", "true"]);
    shape(&sum(), r#"{"v": [1, "nan"]}"#, &["`v[1]`", "\"nan\""]);
    let parameters = [
        ("a", Type::array(n(), Type::array(Size::literal(2), real()))),
        ("i", Type::fin(n())),
        ("k", Type::int()),
        ("p", Type::pair(real(), Type::int())),
    ];
    let program = taking(&parameters, Term::var(1, &Type::int()));
    let with = |a: &str, i: &str, k: &str, p: &str| format!(r#"{{"a": {a}, "i": {i}, "k": {k}, "p": {p}}}"#);
    assert_eq!(run(&program, &with("[[1, 2]]", "0", "3.0", "[1, 2]")).0, "3");
    shape(&program, &with("[[1, 2], [1]]", "0", "1", "[1, 2]"), &["`a[1]` has 1", "`a[0]` has 2"]);
    shape(&program, &with("[[1, 2, 3]]", "0", "1", "[1, 2]"), &["`a[0]` must have 2 elements", "has 3"]);
    shape(&program, &with("[[1, 2]]", "1", "1", "[1, 2]"), &["`i` must be an index below n, which is 1", "number 1"]);
    shape(&program, &with("[[1, 2]]", "-1", "1", "[1, 2]"), &["`i`", "number -1"]);
    shape(&program, &with("[]", "0", "1", "[1, 2]"), &["`i`", "give larger sizes"]);
    shape(&program, &with("[[1, 2]]", "0", "1.5", "[1, 2]"), &["`k` must be an int", "1.5"]);
    shape(&program, &with("[[1, 2]]", "0", "9223372036854775808", "[1, 2]"), &["`k` must be an int"]);
    shape(&program, &with("[[1, 2]]", "0", "1", "[1]"), &["`p` must be a pair real * int", "an array of 1"]);
    shape(&program, &with("[[1, 2]]", "0", "1", "[1, null]"), &["`p[1]` must be an int", "null"]);
    shape(&sum(), r#"{"v": [], "n": -1}"#, &["`n` must be a size"]);
}

#[test]
fn missing_superfluous_and_contradicting_inputs_are_refused() {
    refuses(&sum(), "{}", &[], code::INPUT_MISSING, &["`v`", "array n real"]);
    refuses(&sum(), r#"{"v": [], "vv": 1}"#, &[], code::INPUT_SUPERFLUOUS, &["`vv`", "did you mean `v`"]);
    refuses(&sum(), r#"{"v": []}"#, &[("k", 1)], code::INPUT_SUPERFLUOUS, &["no size `k`", "there is n"]);
    refuses(&sum(), r#"{"v": [1]}"#, &[("n", 2)], code::INPUT_SIZES, &["`v` has 1 element", "--size n=2"]);
    refuses(&sum(), r#"{"v": [1], "n": 3}"#, &[("n", 1)], code::INPUT_SIZES, &["--size n=1", "key \"n\""]);
    refuses(&sum(), r#"{"v": []}"#, &[("n", u64::MAX)], code::INPUT_SIZES, &["too large"]);
    let size = closed(Term::size_value(&n()));
    refuses(&size, "{}", &[], code::INPUT_MISSING, &["`n`", "--size n="]);
    let mut bounded = sum();
    bounded.bounds.require(&name("n"), 2);
    refuses(&bounded, r#"{"v": [1]}"#, &[], code::INPUT_SIZES, &["1 by `v`", "at least 2"]);
}

#[test]
fn functions_are_no_data() {
    let f = Type::fun(real(), real());
    let takes = taking(&[("f", f.clone())], Term::app(Term::var(0, &f), Term::real(1.0)).unwrap());
    refuses(&takes, r#"{"f": 1}"#, &[], code::NOT_DATA, &["`f`", "real -> real"]);
    assert!(eval::random_inputs(&takes, &Sizes::default(), 1).is_none());
    let gives = closed(Term::pair(lam("x", &real(), Term::var(0, &real())), Term::real(1.0)).unwrap());
    refuses(&gives, "{}", &[], code::NOT_DATA, &["the result"]);
    let open = Type::var(&name("a"));
    refuses(&taking(&[("x", open.clone())], Term::int(1)), r#"{"x": 1}"#, &[], code::NOT_DATA, &["left open"]);
}

#[test]
fn inputs_of_other_types_never_reach_the_program() {
    let sizes: Sizes = [(name("n"), 2)].into_iter().collect();
    let try_it = |inputs: &[Value], sizes: &Sizes| match eval::evaluate(&sum(), inputs, sizes, &Budget::default()) {
        Err(Trouble::Wrong(all)) => all[0].code,
        other => panic!("{other:?}"),
    };
    assert_eq!(try_it(&[], &sizes), code::INPUT_MISSING);
    assert_eq!(try_it(&[Value::Real(1.0)], &sizes), code::INPUT_SHAPE);
    assert_eq!(try_it(&[Value::array(vec![Value::Real(1.0)])], &sizes), code::INPUT_SHAPE);
    assert_eq!(try_it(&[Value::array(vec![])], &Sizes::default()), code::INPUT_MISSING);
    assert!(eval::random_inputs(&taking(&[("i", Type::fin(n()))], Term::int(1)), &Sizes::default(), 0).is_none());
    let mut index = taking(&[("i", Type::fin(n()))], Term::int(1));
    let at = |program: &Program, i: u64, n: u64| {
        let sizes: Sizes = [(name("n"), n)].into_iter().collect();
        match eval::evaluate(program, &[Value::Index(i)], &sizes, &Budget::default()) {
            Err(Trouble::Wrong(all)) => Some(all[0].code),
            done => done.map(|_| None).expect("it ends"),
        }
    };
    assert_eq!([at(&index, 1, 2), at(&index, 2, 2)], [None, Some(code::INPUT_SHAPE)]);
    index.bounds.require(&name("n"), 3);
    assert_eq!([at(&index, 1, 3), at(&index, 1, 2)], [None, Some(code::INPUT_SIZES)]);
}

/// What LANGUAGE.md says of `min`, `max` and `pow`, bit by bit.
#[test]
fn least_greatest_and_powers_are_as_documented() {
    let real = Term::real;
    let value = |term: Term| match eval::evaluate(&closed(term), &[], &Sizes::default(), &Budget::default()) {
        Ok((Value::Real(x), _)) => x.to_bits(),
        other => panic!("{other:?}"),
    };
    let nan = f64::NAN;
    for (x, y, least, greatest) in [
        (1.0, 2.0, 1.0, 2.0),
        (2.0, 1.0, 1.0, 2.0),
        (nan, 1.0, 1.0, 1.0),
        (1.0, nan, 1.0, 1.0),
        (0.0, -0.0, 0.0f64, 0.0f64),
        (-0.0, 0.0, -0.0, -0.0),
    ] {
        assert_eq!(value(prim(Prim::Min, &[real(x), real(y)])), least.to_bits(), "min {x} {y}");
        assert_eq!(value(prim(Prim::Max, &[real(x), real(y)])), greatest.to_bits(), "max {x} {y}");
    }
    for (x, k, expected) in
        [(2.0, 3, 8.0f64), (2.0, -2, 0.25), (nan, 0, 1.0), (-0.0, 1, -0.0), (0.0, -1, f64::INFINITY)]
    {
        assert_eq!(value(prim(Prim::Pow, &[real(x), Term::int(k)])), expected.to_bits(), "pow {x} {k}");
    }
}

#[test]
fn limits_stop_an_evaluation() {
    let rows = lam("i", &Type::fin(n()), Term::build(n(), lam("j", &Type::fin(n()), Term::int(1))).unwrap());
    let program = closed(Term::build(n(), rows).unwrap());
    let at = |n: u64, watch: bool| {
        let sizes: Sizes = [(name("n"), n)].into_iter().collect();
        let watch: Option<redexter::ground::budget::Watch> =
            if watch { Some(std::rc::Rc::new(|_| Some(StopReason::Interrupted))) } else { None };
        eval::evaluate(&program, &[], &sizes, &Budget::new(Limits::default(), watch)).map(|(_, counts)| counts.writes)
    };
    assert_eq!(at(30, false), Ok(930));
    assert_eq!(at(u64::MAX, false), Err(Trouble::from(StopReason::Elements(eval::MAX_ELEMENTS))));
    assert_eq!(at(1000, true), Err(Trouble::from(StopReason::Interrupted)));
}

#[test]
fn terms_as_deep_as_the_limit_run() {
    const DEPTH: u32 = 20_000;
    let deep = || {
        let mut term = Term::var(0, &real());
        for _ in 2..DEPTH {
            term = prim(Prim::Neg, &[term]);
        }
        let program = taking(&[("x", real())], term);
        let flops = cost::work(&program.term).flops;
        (run(&program, r#"{"x": 1}"#).0, flops.to_string())
    };
    let (value, flops) = redexter::ground::with_stack(DEPTH, deep).unwrap();
    assert_eq!((value.as_str(), flops.as_str()), ("1.0", "19998"));
}

/// What nests as deep as the limit runs, and nothing deeper.
#[test]
fn the_depth_limit_is_the_deepest_that_runs() {
    let negated = |times: u32| closed((0..times).fold(Term::real(1.0), |x, _| prim(Prim::Neg, &[x])));
    for depth in [1, 2, 17, 40] {
        let budget = Budget::new(Limits { max_depth: depth, ..Limits::default() }, None);
        let run =
            |times| eval::evaluate(&negated(times), &[], &Sizes::default(), &budget).map(|(_, counts)| counts.flops);
        assert_eq!(run(depth - 1), Ok(u64::from(depth) - 1));
        assert_eq!(run(depth), Err(Trouble::from(StopReason::Depth(depth))));
    }
}

/// Each kind of work has its own count, as run and as predicted.
#[test]
fn what_is_counted_is_told_apart() {
    let x = || Term::real(2.0);
    let index = || Term::fin(0, Size::literal(1)).unwrap();
    let rows = || Term::build(Size::literal(1), lam("i", &Type::fin(Size::literal(1)), x())).unwrap();
    let none = Counts::default();
    for (term, expected) in [
        (prim(Prim::Mul, &[x(), x()]), Counts { flops: 1, ..none }),
        (prim(Prim::Exp, &[x()]), Counts { flops: 1, ..none }),
        (prim(Prim::Max, &[x(), x()]), Counts { flops: 1, ..none }),
        (prim(Prim::Mul, &[Term::int(2), Term::int(3)]), none),
        (prim(Prim::Lt, &[x(), x()]), Counts { compares: 1, ..none }),
        (prim(Prim::Ne, &[Term::int(2), Term::int(3)]), Counts { compares: 1, ..none }),
        (prim(Prim::And, &[Term::int(2), Term::int(3)]), none),
        (rows(), Counts { writes: 1, iterations: 1, ..none }),
        (Term::get(rows(), index()).unwrap(), Counts { reads: 1, writes: 1, iterations: 1, ..none }),
    ] {
        let program = closed(term);
        assert_eq!(run(&program, "{}").1, expected, "{:?}", program.term);
        assert_eq!(predicted(&program, &Sizes::default()), expected, "{:?}", program.term);
    }
}

/// A let that was moved out of the parameters leaves a program that runs as before, inputs and cost alike.
#[test]
fn a_let_around_the_parameters_runs() {
    let real = Type::real();
    let body = Term::prim(Prim::Mul, vec![Term::var(0, &real), Term::var(1, &real)]).unwrap();
    let function = Term::lam(&Name::new("v"), &real, body).unwrap();
    let exp = Term::prim(Prim::Exp, vec![Term::real(0.0)]).unwrap();
    let term = Term::let_in(&Name::new("c"), exp, function).unwrap();
    let program = Program { term, bounds: Bounds::default() };
    let (inputs, sizes) = eval::inputs_from_json(&program, r#"{"v": 3}"#, &[], &Budget::default()).unwrap();
    let (value, counts) = eval::evaluate(&program, &inputs, &sizes, &Budget::default()).unwrap();
    assert!(value.same(&Value::Real(3.0)));
    assert_eq!(counts.flops, 2);
    assert_eq!(u128::from(counts.flops), cost::work(&program.term).flops.at(|_| 0));
}

/// A long array is read in three passes, each of which asks: the text, the lengths, the values.
#[test]
fn inputs_are_read_under_a_budget() {
    let json = format!("{{\"v\": [{}1]}}", "1.5, ".repeat(100_000));
    let asked = Rc::new(Cell::new(0));
    let budget = |most: u32| {
        asked.set(0);
        let count = asked.clone();
        let watch = move |_: &Budget| {
            count.set(count.get() + 1);
            (count.get() > most).then_some(StopReason::Interrupted)
        };
        Budget::new(Limits::default(), Some(Rc::new(watch)))
    };
    let read = |budget: &Budget| eval::inputs_from_json(&sum(), &json, &[], budget).map(|(_, sizes)| sizes);
    assert_eq!(read(&budget(u32::MAX)), Ok([(name("n"), 100_001)].into_iter().collect()));
    assert!(asked.get() > 1_100, "{}", asked.get());
    for most in [100, 500, 1_000] {
        assert_eq!(read(&budget(most)), Err(StopReason::Interrupted.into()));
    }
}
