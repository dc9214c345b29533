//! Arithmetic that is kept: formulas that count on rounding compute the same bits after any schedule, and derivatives of theirs,
//! too. What is expected is computed here, in Rust's doubles.

use crate::support::script::{deep, run};
use redexter::term::{Prim, Scalar};

/// A formula over x and y, what it computes, and inputs that show where rounding is looked after.
type Formula = (&'static str, fn(f64, f64) -> f64, (f64, f64));

/// The library's functions are good to the last bits on every machine, so that their digits are those of the primitives.
fn function(prim: Prim, x: f64) -> f64 {
    match prim.compute(&[Scalar::Real(x)]) {
        Some(Scalar::Real(y)) => y,
        other => panic!("{prim:?} {x}: {other:?}"),
    }
}

fn split(x: f64) -> (f64, f64) {
    let c = 134217729.0 * x;
    let high = c - (c - x);
    (high, x - high)
}

fn two_product(x: f64, y: f64) -> f64 {
    let (p, (a, b), (c, d)) = (x * y, split(x), split(y));
    b * d - (((p - a * c) - b * c) - a * d)
}

const DEKKER: &str = "let p := x * y; let c := 134217729 * x; let a := c - (c - x); let b := x - a;
    let e := 134217729 * y; let f := e - (e - y); let g := y - f;
    b * g - (((p - a * f) - b * f) - a * g)";

/// Knuth, Dekker, Kahan, Goldberg, Sterbenz, Cody and Waite, and what is known from textbooks.
#[rustfmt::skip]
const FORMULAS: &[Formula] = &[
    ("let s := x + y; let b := s - x; (x - (s - b)) + (y - b)",
        |x, y| { let s = x + y; let b = s - x; (x - (s - b)) + (y - b) }, (1.0, 1e-17)),
    ("let s := x + y; y - (s - x)", |x, y| { let s = x + y; y - (s - x) }, (1e16, 1.25)),
    ("let s := x - y; let b := s - x; (x - (s - b)) - (y + b)",
        |x, y| { let s = x - y; let b = s - x; (x - (s - b)) - (y + b) }, (1e16, 0.3)),
    ("(x + y) - x", |x, y| (x + y) - x, (1e16, 1.0)),
    ("((x + y) - x) - y", |x, y| ((x + y) - x) - y, (0.1, 0.7)),
    ("x - (x - y)", |x, y| x - (x - y), (1.0, 0.3333333333333333)),
    ("(x + 6755399441055744) - 6755399441055744", |x, _| (x + 6755399441055744.0) - 6755399441055744.0, (2.5, 0.0)),
    ("x - ((x + 6755399441055744) - 6755399441055744)",
        |x, _| x - ((x + 6755399441055744.0) - 6755399441055744.0), (3.75, 0.0)),
    ("let c := 134217729 * x; c - (c - x)", |x, _| split(x).0, (std::f64::consts::PI, 0.0)),
    ("let c := 134217729 * x; x - (c - (c - x))", |x, _| split(x).1, (std::f64::consts::PI, 0.0)),
    (DEKKER, two_product, (1.1, 1.3)),
    ("let w := 1 + x; if w = 1 then x else x * log w / (w - 1)",
        |x, _| { let w = 1.0 + x; if w == 1.0 { x } else { x * function(Prim::Log, w) / (w - 1.0) } }, (1e-10, 0.0)),
    ("let u := exp x; if u = 1 then x else if u - 1 = -1 then -1 else (u - 1) * x / log u",
        |x, _| { let u = function(Prim::Exp, x); if u == 1.0 { x } else if u - 1.0 == -1.0 { -1.0 } else { (u - 1.0) * x / function(Prim::Log, u) } },
        (1e-9, 0.0)),
    ("(x + 1) - x", |x, _| (x + 1.0) - x, (9007199254740993.0, 0.0)),
    ("(x / 3 - 1) * 3 - 1", |x, _| (x / 3.0 - 1.0) * 3.0 - 1.0, (4.0, 0.0)),
    ("x * y - x * (y - 1)", |x, y| x * y - x * (y - 1.0), (0.1, 1e15)),
    ("x * (1 / x) - 1", |x, _| x * (1.0 / x) - 1.0, (49.0, 0.0)),
    ("x / y * y - x", |x, y| x / y * y - x, (1.0, 49.0)),
    ("let s := sqrt x; x - s * s", |x, _| { let s = x.sqrt(); x - s * s }, (2.0, 0.0)),
    ("sqrt (x + 1) - sqrt x", |x, _| (x + 1.0).sqrt() - x.sqrt(), (1e12, 0.0)),
    ("x + (y - x) / 2", |x, y| x + (y - x) / 2.0, (1e16, 3.0)),
    ("(x - y * 1.5703125) - y * 0.0004837512969970703",
        |x, y| (x - y * 1.5703125) - y * 0.0004837512969970703, (22.0, 14.0)),
    ("(x + (y + 1)) * (1 - (x - y)) * (1 + (x - y)) * (x + (y - 1))",
        |x, y| (x + (y + 1.0)) * (1.0 - (x - y)) * (1.0 + (x - y)) * (x + (y - 1.0)), (0.50000001, 0.5)),
    ("let d := sqrt (x * x - 4 * y); let q := -(x + d) / 2; y / q",
        |x, y| { let d = (x * x - 4.0 * y).sqrt(); let q = -(x + d) / 2.0; y / q }, (1e8, 1.0)),
    ("let u := exp x - 1; (u + u / (u + 1)) / 2",
        |x, _| { let u = function(Prim::Exp, x) - 1.0; (u + u / (u + 1.0)) / 2.0 }, (1e-3, 0.0)),
    ("(x * x - y * y) - (x - y) * (x + y)", |x, y| (x * x - y * y) - (x - y) * (x + y), (1.0000001, 1.0)),
    ("((x + y) + 1) - (x + (y + 1))", |x, y| ((x + y) + 1.0) - (x + (y + 1.0)), (1e16, -1e16)),
    ("(x - 1) * (x - 1) - (x * x - 2 * x + 1)", |x, _| (x - 1.0) * (x - 1.0) - (x * x - 2.0 * x + 1.0), (1.0000001, 0.0)),
    ("1 / (x * 0 + y * 0)", |x, y| 1.0 / (x * 0.0 + y * 0.0), (-1.0, -1.0)),
    ("(x + x * 4503599627370497) - x * 4503599627370497",
        |x, _| (x + x * 4503599627370497.0) - x * 4503599627370497.0, (0.7, 0.0)),
    ("max (x + y) x - max x y", |x, y| (x + y).max(x) - x.max(y), (1e16, 1.0)),
    ("0 - ((0 - x) - y) - (x + y)", |x, y| 0.0 - ((0.0 - x) - y) - (x + y), (0.1, 0.2)),
];

/// A schedule that takes reals for numbers wherever it can, and the general one.
pub const SCHEDULES: &str = "
    strategy numbers = subSelf <+ addZero <+ mulZero <+ mulOne <+ zeroDiv <+ negZero <+ negNeg <+ addNeg <+ mulNumbers;
    strategy project = beta <+ fstPair <+ sndPair;
    strategy regroup = innermost(letSubst <+ project <+ numbers <+ constFoldArithmetic <+ divRecip <+ arrange);
    strategy tryOut = try(regroup) ;; tryAll(distribute) ;; try(innermost(numbers <+ arrange)) ;; tryAll(factor) ;; try(regroup);
";

/// A number as scripts write it.
fn written(x: f64) -> String {
    let text = format!("{x:?}");
    if text.contains('.') { text } else { text.replace('e', ".0e") }
}

/// What `body` of x and y is after each schedule, as numbers.
fn after(body: &str, (x, y): (f64, f64)) -> Vec<Vec<f64>> {
    let script = format!(
        "{SCHEDULES}
        let t = term(`fun (x y : real) => {body}`);
        for s in [id, tryOut, fastGradient] {{
            let u = t.apply(s);
            if term(`${{u}}`) != u {{ throw `${{u}} reads back as something else`; }}
            print(`${{u.evaluate(#{{ x: {}, y: {} }})}}`);
        }}",
        written(x),
        written(y)
    );
    let printed = run(&script).unwrap_or_else(|wrong| panic!("{body}: {wrong}"));
    let number = |text: &str| text.trim_matches(['[', ']', ' ']).parse().unwrap_or_else(|_| panic!("{body}: {text}"));
    printed.lines().map(|line| line.split(',').map(number).collect()).collect()
}

#[test]
fn what_is_kept_keeps_every_bit() {
    deep(|| {
        let mut changed = 0;
        for (formula, expected, at) in FORMULAS {
            let expected = expected(at.0, at.1);
            for (k, value) in after(&format!("keep ({formula})"), *at).iter().enumerate() {
                assert_eq!(
                    value[0].to_bits(),
                    expected.to_bits(),
                    "{formula} after schedule {k}: {value:?}, not {expected}"
                );
            }
            changed += usize::from(after(formula, *at).iter().any(|value| value[0].to_bits() != expected.to_bits()));
        }
        // Otherwise these formulas would show nothing.
        assert!(changed > FORMULAS.len() / 2, "{changed} change where nothing is kept");
    });
}

/// The primal of a derivative is what was kept; the tangent is that of the numbers that the formula stands for.
#[test]
fn derivatives_keep_their_primal() {
    deep(|| {
        for (formula, expected, at) in FORMULAS {
            let expected = expected(at.0, at.1);
            let body = format!("D (fun (z : real) => keep (let x := z; {formula})) (x, 1)");
            for (k, value) in after(&body, *at).iter().enumerate() {
                assert_eq!(value[0].to_bits(), expected.to_bits(), "{formula} after schedule {k}");
            }
        }
        // x and 1 - 1 / (1 + x) have the slopes 1 and 1 / (1 + x)².
        for (body, slope) in [("(x + 3) - 3", 1.0), ("1 - 1 / (1 + x)", 1.0 / 1.69), ("exp (log x)", 1.0)] {
            for value in after(&format!("D (fun (z : real) => keep (let x := z; {body})) (x, 1)"), (0.3, 0.0)) {
                assert!((value[1] - slope).abs() < 1e-14, "{body}: {value:?}");
            }
        }
    });
}

/// Kahan's and Neumaier's sums, and one of numbers that are rounded to whole ones; of each the sum that the numbers have
/// exactly.
#[test]
fn compensated_sums_stay_compensated() {
    let kahan = "fst (ifold 6 (fun a i => let y := v[i] - snd a; let t := fst a + y; (t, (t - fst a) - y)) (0, 0))";
    let neumaier = "let p := ifold 6 (fun a i => let t := fst a + v[i];
        let c := if abs (fst a) >= abs v[i] then (fst a - t) + v[i] else (v[i] - t) + fst a; (t, snd a + c)) (0, 0);
        fst p + snd p";
    let magic = "ifold 6 (fun a i => a + ((v[i] + 6755399441055744) - 6755399441055744)) 0";
    let cases = [
        (kahan, "[1.0, 1e-16, 1e-16, 1e-16, 1e-16, 1e-16]", 1.0000000000000004),
        (neumaier, "[1.0, 1e100, 1.0, -1e100, 3.0, 0.5]", 5.5),
        (magic, "[0.4, 1.6, 2.5, 3.5, -0.4, -1.6]", 6.0),
    ];
    for (sum, at, exact) in cases {
        let script = format!(
            "let f = term(`fun (v : array 6 real) => keep ({sum})`);
            let g = term(`fun (v : array 6 real) => build 6 (fun i =>
                D (fun v => keep ({sum})) (build 6 (fun j => (v[j], if i = j then 1 else 0))))`);
            print(f.apply(fastGradient).evaluate(#{{ v: {at} }}));
            let both = g.apply(fastGradient).evaluate(#{{ v: {at} }});
            print(both.map(|pair| `${{pair[0]}}`));"
        );
        let printed = run(&script).unwrap_or_else(|wrong| panic!("{sum}: {wrong}"));
        let numbers: Vec<&str> =
            printed.split(['[', ']', ',', '\n', '"', ' ']).filter(|part| !part.is_empty()).collect();
        assert_eq!(numbers.len(), 7, "{printed}");
        assert!(numbers.iter().all(|number| number.parse() == Ok(exact)), "{sum}: {printed}");
    }
}

#[test]
fn what_is_computed_elsewhere_stays_a_number_of_its_own() {
    deep(|| {
        // 1e16 + 1 isn't a double, so that what is left of it is 0.
        assert!(after("let s := x + y; keep s - x", (1e16, 1.0)).iter().all(|value| value[0] == 0.0));
        let pairs = "let p := (x + y, y); let q := keep p; fst q - x";
        assert!(after(pairs, (1e16, 1.0)).iter().all(|value| value[0] == 0.0));
        let arrays = "let v := build 2 (fun i => x + real i); let w := keep v; w[1] - x";
        assert!(after(arrays, (1e16, 1.0)).iter().all(|value| value[0] == 0.0));
    });
}

#[test]
fn a_function_is_not_kept() {
    let wrong = run("term(`fun (x : real) => keep (fun y => x + y)`)").expect_err("an error");
    assert!(wrong.contains("E0201") && wrong.contains("`keep` takes what is computed"), "{wrong}");
    // A name of the user's means what it says.
    let own = "let t = term(`fun (keep : real -> real) (x : real) => keep (x + 1)`); print(t);";
    assert_eq!(run(own).as_deref(), Ok("fun (keep : real -> real) (x : real) => keep (x + 1)"));
}

#[test]
fn exactly_takes_rules_that_keep_bits_alone() {
    let script = |strategy: &str| {
        let text = format!("let t = term(`fun (x : real) => x * 1 + 0`); print(t.apply({strategy}));");
        run(&text)
    };
    let both = "normalize(addZero <+ mulOne)";
    assert_eq!(script(both).as_deref(), Ok("fun (x : real) => x"));
    assert_eq!(script(&format!("exactly({both})")).as_deref(), Ok("fun (x : real) => x + 0"));
    assert_eq!(script(&format!("exactly(inReals({both}))")).as_deref(), Ok("fun (x : real) => x"));
    assert_eq!(script(&format!("inReals(exactly({both}))")).as_deref(), Ok("fun (x : real) => x + 0"));
    let failed = script("exactly(topDown(addZero))").expect_err("a failure");
    assert!(failed.contains("addZero: it may change bits, and stands within `exactly`"), "{failed}");
    let parameter = "strategy all(s) = exactly(normalize(s)); let t = term(`fun (x : real) => x * 1 + 0`);
        print(t.apply(all(addZero <+ mulOne)));";
    assert_eq!(run(parameter).as_deref(), Ok("fun (x : real) => x + 0"));
    let recursive = "strategy td(s) = s <+ one(td(s)); strategy twice(s) = td(s) ;; exactly(td(s));
        let t = term(`fun (x : real) => x * 1 + 0 + 0`); print(t.apply(twice(addZero <+ mulOne)));";
    assert_eq!(run(recursive).as_deref(), Ok("fun (x : real) => x + 0"));
}

/// Under `exactly` the general schedule keeps the bits of what nobody kept.
#[test]
fn the_general_schedule_keeps_bits_exactly() {
    deep(|| {
        for (formula, expected, (x, y)) in FORMULAS {
            let script = format!(
                "let t = term(`fun (x y : real) => {formula}`).apply(exactly(fastGradient));
                print(`${{t.evaluate(#{{ x: {}, y: {} }})}}`);",
                written(*x),
                written(*y)
            );
            let value: f64 = run(&script).expect("a value").parse().expect("a number");
            assert_eq!(value.to_bits(), expected(*x, *y).to_bits(), "{formula}");
        }
    });
}
