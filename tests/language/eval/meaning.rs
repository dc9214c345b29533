//! What programs mean.

use redexter::cost::{self, Poly};
use redexter::eval::{self, Counts, Sizes, Value};
use redexter::ground::{Budget, Limits, Name, StopReason, Trouble};
use redexter::term::{Prim, Program, Scalar, Size, SizeBounds, Term, Type};

use crate::eval::{closed, lam, let_in, n, name, prim, real, run, sum, vector};

#[test]
fn a_sum_is_computed_and_counted() {
    let (value, counts) = run(&sum(), r#"{"v": [1, 2.5, -4]}"#);
    assert_eq!(value, "-0.5");
    assert_eq!(counts, Counts { flops: 3, reads: 3, iterations: 3, ..Counts::default() });
    assert_eq!(run(&sum(), r#"{"v": []}"#).0, "0.0");
}

/// One iteration for each step, one write for each element that is kept, and what the steps do.
#[test]
fn a_scan_is_computed_and_counted() {
    for (is_reversed, expected) in [(false, "[-0.5,[0.0,1.0,3.5]]"), (true, "[-0.5,[-1.5,-4.0,0.0]]")] {
        let item = Term::get(Term::var(2, &vector()), Term::var(0, &Type::fin(n()))).unwrap();
        let state = || Term::var(1, &real());
        let both = Term::pair(prim(Prim::Add, &[state(), item]), state()).unwrap();
        let step = lam("s", &real(), lam("i", &Type::fin(n()), both));
        let scan = Term::scan(n(), is_reversed, step, Term::real(0.0)).unwrap();
        let program = closed(lam("v", &vector(), scan));
        let (value, counts) = run(&program, r#"{"v": [1, 2.5, -4]}"#);
        assert_eq!(value.replace(' ', ""), expected);
        assert_eq!(counts, Counts { flops: 3, reads: 3, writes: 3, iterations: 3, ..Counts::default() });
        assert_eq!(run(&program, r#"{"v": []}"#).0.replace(' ', ""), "[0.0,[]]");
        let work = cost::work(&program.term);
        let each = Poly::size(&n());
        assert_eq!((work.iterations, work.writes, work.reads), (each.clone(), each.clone(), each));
    }
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
    let trigamma = |x| function(Prim::Trigamma, x);
    near(trigamma(1.0), pi * pi / 6.0);
    near(trigamma(0.5), pi * pi / 2.0);
    near(trigamma(-0.5), pi * pi / 2.0 + 4.0);
    assert_eq!(trigamma(f64::INFINITY), 0.0);
    for pole in [0.0, -0.0, -1.0, -7.0, -1e300] {
        assert_eq!(trigamma(pole), f64::INFINITY);
    }
    assert!(trigamma(f64::NEG_INFINITY).is_nan() && trigamma(f64::NAN).is_nan());
    for k in 1..200 {
        let x = f64::from(k) * 0.137 - 9.0;
        let (here, next) = (trigamma(x), trigamma(x + 1.0) + 1.0 / (x * x));
        assert!((here - next).abs() <= 1e-13 * here.abs().max(1.0 / (x * x)).max(1.0), "{x}: {here}, {next}");
        near(digamma(x + 1.0), digamma(x) + 1.0 / x);
        near(lgamma(x + 1.0), lgamma(x) + x.abs().ln());
    }
}

/// A function of two reals at some of them, as `mpmath` computes it with 60 digits.
type KnownValues = (Prim, &'static [(f64, f64, f64)]);

const OF_TWO: [KnownValues; 2] = [
    (
        Prim::Atan2,
        &[
            (1.0, 2.0, 0.4636476090008061),
            (1.0, -2.0, 2.677945044588987),
            (-1.0, -2.0, -2.677945044588987),
            (-3.5, 0.25, -1.4994888620096063),
            (1e-09, -1.0, 3.141592652589793),
        ],
    ),
    (
        Prim::RealPow,
        &[
            (3.0, 0.5, 1.7320508075688772),
            (10.0, -0.3, 0.5011872336272722),
            (0.75, 100.25, 2.9846379378389e-13),
            (1.0000001, 10000000.0, 2.7182816941320818),
            (1e-05, 61.5, 3.1622776601683954e-308),
            (-2.0, 3.0, -8.0),
            (-0.5, 7.0, -0.0078125),
        ],
    ),
];

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
        (
            Prim::Trigamma,
            &[
                (0.5, 4.934802200544679),
                (30.0, 0.033895060357739946),
                (-0.75, 18.975106932284888),
                (0.001, 1000001.6425331958),
                (3.25, 0.3597982903095799),
            ],
        ),
        (Prim::Tan, &[(0.5, 0.5463024898437905), (-1.25, -3.0095696738628313), (22.0, 0.00885165604168446)]),
        (Prim::Asin, &[(0.25, 0.25268025514207865), (-0.999999, -1.5693821131146521), (1e-09, 1e-09)]),
        (Prim::Acos, &[(0.25, 1.318116071652818), (-0.999999, 3.1401784399095485), (0.999999, 0.0014142136802445852)]),
        (Prim::Erfc, &[(0.5, 0.4795001221869535), (-2.0, 1.9953222650189528), (5.5, 7.357847917974398e-15)]),
        (Prim::Floor, &[(2.5, 2.0), (-2.5, -3.0), (1e300, 1e300)]),
        (Prim::Ceil, &[(2.5, 3.0), (-2.5, -2.0), (0.25, 1.0)]),
        (Prim::Round, &[(2.5, 2.0), (3.5, 4.0), (-0.6, -1.0), (-2.5, -2.0)]),
        (Prim::Sign, &[(2.5, 1.0), (-0.25, -1.0)]),
    ];
    for (prim, values) in known {
        for (x, value) in *values {
            let (found, ulp) = (function(*prim, *x), value.abs().next_up() - value.abs());
            let within = if matches!(prim, Prim::Digamma | Prim::Trigamma) { 16.0 } else { 2.0 };
            assert!((found - value).abs() <= within * ulp, "{prim:?} of {x} is {found}, not {value}");
        }
    }
    for (prim, values) in &OF_TWO {
        for (x, y, value) in *values {
            let Some(Scalar::Real(found)) = prim.compute(&[Scalar::Real(*x), Scalar::Real(*y)]) else {
                panic!("{prim:?} takes two reals")
            };
            let ulp = value.abs().next_up() - value.abs();
            assert!((found - value).abs() <= 2.0 * ulp, "{prim:?} of {x} and {y} is {found}, not {value}");
        }
    }
    let named = Prim::of_one_real().filter(|p| !matches!(p, Prim::Neg | Prim::Abs | Prim::Sqrt));
    for prim in named {
        assert!(known.iter().any(|(p, _)| *p == prim), "{prim:?} has no known value");
    }
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

/// A let that was moved out of the parameters leaves a program that runs as before, inputs and cost alike.
#[test]
fn a_let_around_the_parameters_runs() {
    let real = Type::real();
    let body = Term::prim(Prim::Mul, vec![Term::var(0, &real), Term::var(1, &real)]).unwrap();
    let function = Term::lam(&Name::new("v"), &real, body).unwrap();
    let exp = Term::prim(Prim::Exp, vec![Term::real(0.0)]).unwrap();
    let term = Term::let_in(&Name::new("c"), exp, function).unwrap();
    let program = Program { term, bounds: SizeBounds::default() };
    let (inputs, sizes) = eval::inputs_from_json(&program, r#"{"v": 3}"#, &[], &Budget::default()).unwrap();
    let (value, counts) = eval::evaluate(&program, &inputs, &sizes, &Budget::default()).unwrap();
    assert!(value.same(&Value::Real(3.0)));
    assert_eq!(counts.flops, 2);
    assert_eq!(u128::from(counts.flops), cost::work(&program.term).flops.at(|_| 0));
}

/// Euclid's division, by what defines it: a = b * q + r and 0 <= r < |b|, and what stands in the reference where there is none.
#[test]
fn integers_are_divided_as_euclid_does() {
    let ends = [i64::MIN, i64::MIN + 1, -(1 << 32), -7, -3, -2, -1, 0, 1, 2, 3, 7, 1 << 32, i64::MAX - 1, i64::MAX];
    for a in ends {
        for b in ends {
            let [Some(Scalar::Int(q)), Some(Scalar::Int(r))] =
                [Prim::Quot, Prim::Rem].map(|prim| prim.compute(&[Scalar::Int(a), Scalar::Int(b)]))
            else {
                panic!("integers")
            };
            assert_eq!(b.wrapping_mul(q).wrapping_add(r), a, "{a} by {b}");
            match b {
                0 => assert_eq!((q, r), (0, a)),
                _ => assert!(r >= 0 && r.unsigned_abs() < b.unsigned_abs(), "{a} % {b} is {r}"),
            }
            let whole = i128::from(a) - i128::from(r);
            assert!(b == 0 || a == i64::MIN && b == -1 || whole / i128::from(b) == i128::from(q), "{a} / {b} is {q}");
        }
    }
}
