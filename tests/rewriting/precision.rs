//! Numbers of twice the digits, and steps that lose some. Values of constants are those of the QD library of Hida, Li and Bailey.

use crate::support::shipped::{Workbench, files};
use std::f64::consts;

use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Diagnostic, code, with_stack};
use redexter::precision::{DoubleDouble, LongPrimitive, PrecisionFinding, lost_digits};
use redexter::strategy::{Outcome, Trace, has_opposites, run};
use redexter::term::{Prim, Program, Scalar};

fn of(x: f64) -> DoubleDouble {
    DoubleDouble::of(x)
}

/// Whether two numbers agree to 29 digits.
fn agree(a: DoubleDouble, b: DoubleDouble) -> bool {
    a.minus(b).rounded().abs() <= 1e-29 * b.rounded().abs().max(1e-30)
}

#[test]
fn constants_have_their_digits() {
    let known = [
        (of(1.0).exp(), consts::E, 1.4456468917292502e-16),
        (of(1.0).atan().times(of(4.0)), consts::PI, 1.2246467991473532e-16),
        (of(2.0).log(), consts::LN_2, 2.3190468138462996e-17),
        (of(10.0).log(), consts::LN_10, -2.1707562233822494e-16),
        (of(2.0).sqrt(), consts::SQRT_2, -9.667293313452913e-17),
        // 1/3 is 2^-54 / 3 more than the double next to it.
        (of(1.0).over(of(3.0)), 1.0 / 3.0, 2f64.powi(-54) / 3.0),
    ];
    for (value, high, low) in known {
        assert!(agree(value, of(high).plus(of(low))), "{high}: {value:?}");
    }
}

/// Values of primitives in two doubles each, by mpmath with 120 digits.
#[rustfmt::skip]
const VALUES: &[(Prim, &[f64], f64, f64)] = &[
    (Prim::Exp, &[1.5], 4.4816890703380645, 3.0481759556536343e-16),
    (Prim::Exp, &[-20.25], 1.6052280551856116e-09, -3.657643988865463e-26),
    (Prim::Log, &[3.0], 1.0986122886681098, -9.07129723500153e-17),
    (Prim::Log, &[0.001], -6.907755278982137, -2.1613487097372872e-16),
    (Prim::Sqrt, &[7.0], 2.6457513110645907, -1.2566948082017735e-16),
    (Prim::Sqrt, &[0.3], 0.5477225575051661, 2.890126723719787e-17),
    (Prim::Sin, &[1.0], 0.8414709848078965, 1.776845092935536e-18),
    (Prim::Sin, &[100.5], -0.030959966783271346, 8.320928549434447e-19),
    (Prim::Cos, &[1.0], 0.5403023058681398, -4.760954612604417e-17),
    (Prim::Cos, &[100.5], 0.9995206253283515, -5.012512561737467e-17),
    (Prim::Tanh, &[0.25], 0.24491866240370913, -1.6036228849882693e-18),
    (Prim::Tanh, &[-2.0], -0.9640275800758169, 1.9413550547557176e-17),
    (Prim::Lgamma, &[0.3], 1.0957979948180756, -4.412082839547077e-17),
    (Prim::Lgamma, &[5.5], 3.9578139676187165, -2.1692160317109888e-16),
    (Prim::Lgamma, &[-1.5], 0.860047015376481, 3.120458174577955e-17),
    (Prim::Lgamma, &[300.5], 1412.0535420412662, -3.3196150710198036e-14),
    (Prim::Digamma, &[0.3], -3.502524222200133, 2.776725952349014e-17),
    (Prim::Digamma, &[5.5], 1.6110931485817512, -1.0946120961740176e-16),
    (Prim::Digamma, &[-2.75], -1.959055264977997, 8.080406280946504e-17),
    (Prim::Digamma, &[300.5], 5.703782937618263, 4.3964384067821733e-16),
    (Prim::Trigamma, &[0.3], 12.245364546107732, -5.389855192399646e-16),
    (Prim::Trigamma, &[5.5], 0.19934238698962767, -8.765077306410505e-18),
    (Prim::Trigamma, &[-2.75], 19.433868949488463, 8.330937564556192e-16),
    (Prim::Trigamma, &[300.5], 0.003333330246925583, -1.9417629877421367e-19),
    (Prim::Sinh, &[0.001], 0.001000000166666675, -3.571742859983052e-20),
    (Prim::Sinh, &[3.0], 10.017874927409903, -6.97789774734877e-16),
    (Prim::Cosh, &[0.001], 1.0000005000000416, 7.443797190204747e-17),
    (Prim::Cosh, &[3.0], 10.067661995777765, 5.150335194797485e-16),
    (Prim::Atan, &[0.5], 0.4636476090008061, 2.2698777452961687e-17),
    (Prim::Atan, &[-40.0], -1.5458015331759765, 1.2801774969469343e-18),
    (Prim::Tan, &[0.5], 0.5463024898437905, 2.9096576216837176e-17),
    (Prim::Tan, &[2.0], -2.185039863261519, -1.0289483692188619e-16),
    (Prim::Asin, &[0.25], 0.25268025514207865, 6.584019697419058e-18),
    (Prim::Asin, &[-0.999], -1.526071239626163, -7.84631528833658e-17),
    (Prim::Acos, &[0.25], 1.318116071652818, -8.628309713092261e-19),
    (Prim::Acos, &[-0.999], 3.09686756642106, -8.234911208429785e-17),
    (Prim::Erf, &[0.1], 0.1124629160182849, 9.255497413884101e-19),
    (Prim::Erf, &[1.75], 0.9866716712191824, 2.1431190289565338e-17),
    (Prim::Erf, &[-3.5], -0.9999992569016276, -4.9647279187212204e-17),
    (Prim::Erfc, &[0.1], 0.887537083981715, 5.4585601489869416e-17),
    (Prim::Erfc, &[2.5], 0.0004069520174449589, 2.080297158010754e-20),
    (Prim::Erfc, &[3.5], 7.430983723414128e-07, -3.117067749063089e-23),
    (Prim::Erfc, &[20.0], 5.395865611607901e-176, -2.4980975484348278e-192),
    (Prim::Erfc, &[-1.0], 1.8427007929497148, 8.622129067339705e-17),
    (Prim::Log1p, &[1e-10], 9.999999999500001e-11, -3.389513322121794e-27),
    (Prim::Log1p, &[0.7], 0.5306282510621704, -5.076541175216476e-18),
    (Prim::Expm1, &[1e-10], 1.00000000005e-10, 3.3900133221217734e-27),
    (Prim::Expm1, &[0.7], 1.0137527074704764, 2.146216942738339e-17),
    (Prim::Atan2, &[1.0, 3.0], 0.3217505543966422, 7.917392525722143e-18),
    (Prim::Atan2, &[1.0, -3.0], 2.819842099193151, 5.903613615775535e-17),
    (Prim::Atan2, &[-2.0, -0.5], -1.8157749899217608, 1.133563127078463e-17),
    (Prim::RealPow, &[2.5, 0.3], 1.3163822043342375, -7.113171158760339e-17),
    (Prim::RealPow, &[10.0, -20.5], 3.1622776601683792e-21, 1.1425248422083966e-37),
    (Prim::RealPow, &[-3.0, 3.0], -27.0, 0.0),
    (Prim::Pow, &[1.1, 7.0], 1.9487171000000012, -9.968639247404072e-17),
    (Prim::Pow, &[0.3, -3.0], 37.03703703703704, 3.0592812234115426e-15),
    (Prim::Add, &[1.0, 1e-17], 1.0, 1e-17),
    (Prim::Sub, &[1.0, 1e-17], 1.0, -1e-17),
    (Prim::Mul, &[0.1, 0.3], 0.03, 1.6653345369377347e-18),
    (Prim::Div, &[1.0, 3.0], 0.3333333333333333, 1.850371707708594e-17),
];

/// What a primitive gives of reals in twice the digits; `None` where it has no more than a double's.
fn long(prim: Prim, operands: &[f64]) -> Option<DoubleDouble> {
    match (LongPrimitive::of(prim), operands) {
        (LongPrimitive::One(f), [x]) => Some(f(of(*x))),
        (LongPrimitive::Two(f), [x, y]) => Some(f(of(*x), of(*y))),
        (LongPrimitive::Power(f), [x, k]) => Some(f(of(*x), *k as i64)),
        _ => None,
    }
}

#[test]
fn primitives_have_their_digits() {
    for (prim, operands, high, low) in VALUES {
        let value = long(*prim, operands).unwrap_or_else(|| panic!("{prim:?} has a double's digits"));
        // The logarithm of the gamma function is a difference of numbers that are larger.
        let error = value.minus(of(*high).plus(of(*low))).rounded().abs() / high.abs();
        assert!(error <= 1e-28, "{prim:?} {operands:?}: {value:?}, not {high:?} + {low:?}");
    }
}

/// Each primitive of reals that is not kept: it has known digits above, or rounds nothing, as is seen here.
#[test]
fn no_primitive_is_missing() {
    for prim in Prim::ALL.iter().copied() {
        for operands in [&[-2.5][..], &[0.5], &[7.0], &[3.0, -2.0], &[0.25, 0.25]] {
            let scalars: Vec<Scalar> = operands.iter().map(|x| Scalar::Real(*x)).collect();
            let of_doubles = prim.compute(&scalars);
            match (of_doubles, LongPrimitive::of(prim), operands) {
                (None, ..) => {}
                (Some(_), LongPrimitive::AsDoubles, _) => assert!(prim.is_rounded(), "{prim:?} has a double's digits"),
                (Some(Scalar::Int(holds)), LongPrimitive::Test(f), [x, y]) => assert_eq!(f(of(*x), of(*y)), holds != 0),
                (Some(Scalar::Real(value)), ..) => {
                    let is_tested = VALUES.iter().any(|(tested, ..)| *tested == prim);
                    let long = long(prim, operands).unwrap_or_else(|| panic!("{prim:?} {operands:?}"));
                    let is_near = (long.rounded() - value).abs() <= 1e-13 * value.abs().max(1.0);
                    let is_same = long == of(value);
                    let is_right = if is_tested { is_near } else { is_same };
                    assert!(is_right || value.is_nan() && long.is_nan(), "{prim:?} {operands:?}: {long:?}, {value}");
                }
                (Some(other), ..) => panic!("{prim:?} {operands:?}: {other:?}"),
            }
        }
    }
    let between = of(2.5).plus(of(1e-20));
    for (prim, is) in [(Prim::Round, 3.0), (Prim::Floor, 2.0), (Prim::Ceil, 3.0), (Prim::Sign, 1.0)] {
        let LongPrimitive::One(f) = LongPrimitive::of(prim) else { panic!("{prim:?}") };
        assert_eq!(f(between), of(is), "{prim:?}");
        assert_eq!(f(of(2.0).minus(of(1e-20))).rounded(), if prim == Prim::Floor || is == 1.0 { 1.0 } else { 2.0 });
    }
}

#[test]
fn functions_keep_their_identities() {
    let one = DoubleDouble::ONE;
    for x in [1e-12, 0.001, 0.3, 0.7, 1.5, 2.0, 7.25, 40.0] {
        let number = of(x).plus(of(x * 1e-18));
        let (sin, cos) = number.sin_cos();
        let (sinh, cosh, tanh) = (number.sinh(), number.cosh(), number.tanh());
        let pairs = [
            (number.exp().log(), number),
            (number.log().exp(), number),
            (number.log1p().expm1(), number),
            (number.times(one.over(number)), one),
            (number.sqrt().times(number.sqrt()), number),
            (sin.times(sin).plus(cos.times(cos)), one),
            // (cosh + sinh) e^-x = 1, since cosh² - sinh² would cancel.
            (cosh.plus(sinh).times(number.negated().exp()), one),
            (tanh.times(cosh), sinh),
            (number.power(3), number.times(number).times(number)),
            (number.power(-2), one.over(number.times(number))),
        ];
        for (k, (a, b)) in pairs.into_iter().enumerate() {
            // The logarithm of what is near 1 has as many digits fewer as that is near.
            assert!(agree(a, b) || k == 0 && x < 1e-3, "{k} at {x}: {a:?} {b:?}");
        }
        if x < 1.5 {
            assert!(agree(sin.over(cos).atan(), number), "{x}");
        }
    }
    assert_eq!(DoubleDouble::of_int(i64::MAX).minus(of(9223372036854775808.0)).rounded(), -1.0);
    for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e308, 5e-324] {
        let x = of(wild);
        for (is, double) in
            [(x.exp(), wild.exp()), (x.sqrt(), wild.sqrt()), (x.plus(x), wild + wild), (x.times(x), wild * wild)]
        {
            assert!(is.rounded() == double || is.rounded().is_nan() && double.is_nan(), "{wild}: {is:?} {double}");
        }
    }
}

const MODEL: &str = "
def kahan {n} (v : array n real) : real :=
  fst (ifold n (fun a i => let y := v[i] - snd a; let t := fst a + y; (t, (t - fst a) - y)) (0, 0))
def kept {n} (v : array n real) : real := keep (kahan v)
def between (x : real) : real := 1 / (sqrt (x * x + 1) + abs x)
def total {n} (v : array n real) : real := vectorSum v + 2 * vectorSum v
def error (x y : real) : real := let s := x + y; y - (s - x)
def errorKept (x y : real) : real := keep (error x y)
";

const RULES: &str = "
rule forget = `(t - s) - y --> 0` reassociating unchecked;
rule apart = `1 / (sqrt (x * x + 1) + abs x) --> sqrt (x * x + 1) - abs x` reassociating unchecked;
strategy careless = tryAll(mulOne <+ forget) ;; try(topDown(apart));
";

/// What a strategy does to a definition of the model.
fn derivation(name: &str, strategy: &str, look: impl FnOnce(&Trace, &Program)) {
    let workbench = Workbench::new();
    let mut interpreter = workbench.interpreter();
    interpreter.run_script("rules.strat", RULES, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    let strategy = interpreter.strategy(strategy).expect("a strategy");
    let programs = workbench.read("model.arr", MODEL);
    let (_, program) = programs.iter().find(|(full, _)| full.ends_with(&format!(":{name}"))).expect("a definition");
    let done = run(&strategy, program, &Budget::default(), cheaper_total).unwrap_or_else(|_| panic!("{name} stops"));
    let Outcome::Success(term) = done.outcome else { panic!("{name} fails") };
    look(&done.trace, &program.with(term));
}

fn found(name: &str, strategy: &str) -> PrecisionFinding {
    let mut found = None;
    derivation(name, strategy, |trace, end| found = lost_digits(trace, &end.bounds, &Budget::default()).ok());
    found.expect("no limit")
}

#[test]
fn the_step_that_loses_digits_is_named() {
    with_stack(10_000, || {
        for (name, rule) in [("kahan", "forget"), ("between", "apart")] {
            let lost = found(name, "careless").lost.unwrap_or_else(|| panic!("{name} loses nothing"));
            assert_eq!(lost.rule.info().name.as_str(), rule, "{name}");
            let (was, is) = ((lost.was - lost.exactly).abs(), (lost.is - lost.exactly).abs());
            assert!(is > 8.0 * was && lost.finding().headline.contains("loses digits"), "{name}: {lost:?}");
        }
        // Each of 1000 sums of 0.1 rounds; Kahan's doesn't pass that on.
        for (name, strategy) in [("kept", "careless"), ("total", "fastGradient"), ("kahan", "exactly(fastGradient)")] {
            let found = found(name, strategy);
            assert!(found.lost.is_none() && found.runs > 30, "{name}: {found:?}");
        }
    })
    .expect("a stack");
}

/// Schedules that ship lose no digits on what ships, as far as such inputs show.
#[test]
fn the_general_schedule_loses_no_digits() {
    with_stack(10_000, || {
        let workbench = Workbench::new();
        let strategy = workbench.interpreter().strategy("fastGradient").expect("it is built in");
        let mut seen = 0;
        for file in files("models", "arr") {
            for (name, program) in workbench.programs(&file) {
                if program.term.size() > 50 {
                    continue;
                }
                let Ok(done) = run(&strategy, &program, &Budget::default(), cheaper_total) else { continue };
                let Ok(found) = lost_digits(&done.trace, &program.bounds, &Budget::default()) else { continue };
                assert!(found.lost.is_none(), "{name}: {found:?}");
                seen += usize::from(found.runs > 0);
            }
        }
        assert!(seen > 20, "{seen}");
    })
    .expect("a stack");
}

/// The warning about opposite terms of a run that ended so.
fn told(trace: &Trace, end: &Program) -> Option<Diagnostic> {
    let warnings = Outcome::Success(end.term.clone()).warnings(&trace.start, &trace.steps);
    warnings.into_iter().find(|warning| warning.code == code::CANCELLED)
}

#[test]
fn opposite_terms_that_cancel_are_told() {
    with_stack(10_000, || {
        derivation("error", "fastGradient", |trace, end| {
            assert!(has_opposites(&trace.start) && !has_opposites(&end.term));
            let told = told(trace, end).expect("a warning");
            assert!(told.code == code::CANCELLED && told.headline.contains("`arrange`"), "{told:?}");
        });
        // The compensation of Kahan's sum in another order is none.
        derivation("kahan", "fastGradient", |trace, end| {
            assert!(has_opposites(&end.term) && told(trace, end).is_some());
        });
        derivation("errorKept", "fastGradient", |trace, end| {
            assert!(!has_opposites(&trace.start) && told(trace, end).is_none());
        });
        derivation("error", "exactly(fastGradient)", |trace, end| {
            assert!(has_opposites(&end.term) && told(trace, end).is_none());
        });
    })
    .expect("a stack");
}
