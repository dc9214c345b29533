//! Derivatives where slopes are infinite or operands aren't numbers, with values from calculus: by the evaluator and in
//! blocks, without a schedule and with one.

use std::path::Path;

use redexter::blocks;
use redexter::cost::cheaper_total;
use redexter::eval::{evaluate, inputs_from_json, value_to_json};
use redexter::ground::{Budget, Name};
use redexter::strategy::{Outcome, Strategy, run};
use redexter::term::Program;

use crate::support::shipped::Workbench;

/// Parameters, the derivative, its inputs, and its value.
type Edge = (&'static str, &'static str, &'static str, &'static str);

/// What no active variable reaches has no tangent, however steep the functions are that it is computed by.
const CONSTANTS: &[Edge] = &[
    ("(c x : real)", "deriv (fun y => y * sqrt c) x", r#"{"c": 0, "x": 2}"#, "0.0"),
    ("(x : real)", "deriv (fun y => y + sqrt 0) x", r#"{"x": 2}"#, "1.0"),
    ("(x : real)", "deriv (fun y => if y < 0 then 1 / 0 else y) x", r#"{"x": 1}"#, "1.0"),
    ("(x : real)", "deriv (fun y => if y < 0 then 1 / 0 else y) x", r#"{"x": -1}"#, "0.0"),
    ("(x : real)", "deriv (fun y => ifold 3 (fun m i => max m (y * real i)) (-1 / 0)) x", r#"{"x": 1}"#, "2.0"),
    // 2 exp (-|0 - 1| / l), of which the slope at 1 is 2 / e.
    (
        "{n} (v : array n real) (l : real)",
        "deriv (fun s => ifold n (fun a i => a + ifold n (fun b j => b + \
         exp (-(sqrt ((v[i] - v[j]) * (v[i] - v[j])) / s))) 0) 0) l",
        r#"{"v": [0, 1], "l": 1}"#,
        "0.7357588823428847",
    ),
    ("(c x : real)", "deriv (fun y => y * log c) x", r#"{"c": 0, "x": 2}"#, "\"-inf\""),
    ("(c x : real)", "deriv (fun y => y * (1 / c)) x", r#"{"c": 0, "x": 2}"#, "\"inf\""),
    ("(x : real)", "deriv (fun y => y + 0 / 0) x", r#"{"x": 2}"#, "1.0"),
    ("(x : real)", "deriv (fun y => y - log (min y (0 / 0))) x", r#"{"x": 2}"#, "0.5"),
    ("(x : real)", "deriv (fun y => y * max (0 * (1 / 0)) 3) x", r#"{"x": 2}"#, "3.0"),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => y * vectorSum (vectorMap v sqrt)) x",
        r#"{"v": [0, 4], "x": 3}"#,
        "2.0",
    ),
    ("(c x : real)", "deriv (fun y => let k := sqrt c; y * k + sqrt k) x", r#"{"c": 0, "x": 2}"#, "0.0"),
    ("(c x : real)", "deriv (fun y => let k := c * c; y + sqrt k) x", r#"{"c": 0, "x": 2}"#, "1.0"),
    ("(c x : real)", "deriv (fun y => let f := fun z => sqrt z; y * f c) x", r#"{"c": 0, "x": 2}"#, "0.0"),
    ("(c x : real)", "deriv (fun y => let f := fun z => sqrt z; f c + f y) x", r#"{"c": 0, "x": 4}"#, "0.25"),
    // Through functions that mention something active: a slope of sum sqrt v by y.
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => vectorSum (vectorMap v (fun e => y * sqrt e))) x",
        r#"{"v": [0, 4], "x": 3}"#,
        "2.0",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => vectorSum (vectorMap v ((fun (y : real) e => y * sqrt e) y))) x",
        r#"{"v": [0, 4], "x": 3}"#,
        "2.0",
    ),
    (
        "{n} (v w : array n real) (x : real)",
        "deriv (fun y => vectorSum (vectorMap2 v w (fun a b => y * sqrt a * log b))) x",
        r#"{"v": [0, 4], "w": [1, 1], "x": 3}"#,
        "0.0",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => vectorSum (vectorMap2 v (build n (fun i => y * real i)) (fun a b => b * sqrt a))) x",
        r#"{"v": [0, 4], "x": 3}"#,
        "2.0",
    ),
    (
        "{n m} (a : array n (array m real)) (x : real)",
        "deriv (fun y => vectorSum (matrixMap a (fun row => vectorSum (vectorMap row (fun e => y * sqrt e))))) x",
        r#"{"a": [[0, 4], [9, 0]], "x": 3}"#,
        "5.0",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => let f := fun e => y * sqrt e; let g := f; vectorSum (vectorMap v g)) x",
        r#"{"v": [0, 4], "x": 3}"#,
        "2.0",
    ),
    ("(c x : real)", "deriv (fun y => let k := fun a b => b * sqrt a; k c y) x", r#"{"c": 0, "x": 2}"#, "0.0"),
    (
        "(c x : real)",
        "deriv (fun y => let k := fun a b => b * sqrt a; k c y + k 4 (k c y)) x",
        r#"{"c": 0, "x": 2}"#,
        "0.0",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => ifold n (fun s i => (fun (f : real -> real) => f v[i] + f s) (fun e => y * abs e)) 0) x",
        r#"{"v": [1, 2], "x": 2}"#,
        // y |y 1| + 2 y, of which the slope at 2 is 2 y + 2.
        "6.0",
    ),
    (
        "(c x : real)",
        "deriv (fun y => let f := if c < 1 then (fun e => y * abs e) else (fun e => y); f (c + 1)) x",
        r#"{"c": 0, "x": 2}"#,
        "1.0",
    ),
    // Through pairs.
    ("(c x : real)", "deriv (fun y => let p := (y, c); p.1 * sqrt p.2) x", r#"{"c": 0, "x": 2}"#, "0.0"),
    ("(c x : real)", "deriv (fun y => (fun p => snd p * sqrt (fst p)) (c, y)) x", r#"{"c": 0, "x": 2}"#, "0.0"),
    (
        "(c x : real)",
        "deriv (fun y => let p := if x < 1 then (y, c) else (c + 1, y); fst p + sqrt (snd p)) x",
        r#"{"c": 0, "x": 4}"#,
        "0.25",
    ),
    (
        "(c x : real)",
        "deriv (fun y => let p := if y < 9 then ((y, 1), c) else ((1, y), c); p.1.1 * p.1.2 * (1 + sqrt p.2)) x",
        r#"{"c": 0, "x": 4}"#,
        "1.0",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => let t := build n (fun i => (v[i], y)); \
         ifold n (fun s i => s + snd t[i] * sqrt (fst t[i])) 0) x",
        r#"{"v": [0, 4], "x": 3}"#,
        "2.0",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => vectorSum (vectorMap (build n (fun i => (v[i], y))) (fun p => p.2 * sqrt p.1))) x",
        r#"{"v": [0, 4], "x": 3}"#,
        "2.0",
    ),
    (
        "(c x : real)",
        "deriv (fun y => let t := [(y, c), (2 * y, c), (0, 1)]; fst t[(1 : fin 3)] * sqrt (snd t[(1 : fin 3)])) x",
        r#"{"c": 0, "x": 3}"#,
        "0.0",
    ),
    // A fold with two states of which one stays constant: sqrt of it is constant, too.
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => let s := ifold n (fun s i => (s.1 + y * v[i], s.2 * v[i])) (0, 1); s.1 * sqrt s.2) x",
        r#"{"v": [0, 4], "x": 3}"#,
        "0.0",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => let s := ifold n (fun s i => (s.2.1, (s.1 + y, v[i]))) (0, (0, 0)); s.1 + s.2.1) x",
        r#"{"v": [1, 4], "x": 3}"#,
        "2.0",
    ),
    // What is mixed and goes on as a whole gets its zeros: to a function that is not known, and to a choice.
    (
        "(c x : real)",
        "deriv (fun y => let p := (y, c); \
         let f := if c < 1 then (fun q => fst q + snd q) else (fun q => fst q); f p * fst p) x",
        r#"{"c": 0, "x": 2}"#,
        "4.0",
    ),
    ("(c x : real)", "(deriv (fun y => let p := (y, c); fst p * snd p) x, c)", r#"{"c": 5, "x": 2}"#, "[5.0,5.0]"),
    ("(c x : real)", "deriv (fun y => y * (fun z => sqrt z) c) x", r#"{"c": 0, "x": 4}"#, "0.0"),
    (
        "(c x : real)",
        "deriv (fun y => (if y < 0 then (fun (a : real) (z : real) => z * sqrt a) else fun a z => z * sqrt a * 2) c y) x",
        r#"{"c": 0, "x": 2}"#,
        "0.0",
    ),
    (
        "(c x : real)",
        "deriv (fun y => let f := if y < 0 then (fun (a : real) (z : real) => z * sqrt a) else \
         (let k := y * y; fun a z => k * (z * sqrt a)); f c y + f c (2 * y) + f 4 y) x",
        r#"{"c": 0, "x": 2}"#,
        // d (y² * y * 2) = 6 y²
        "24.0",
    ),
    (
        "(c x : real)",
        "deriv (fun y => let twice := fun (f : real -> real) z => f (f z); y * twice sqrt c + twice sqrt y) x",
        r#"{"c": 0, "x": 1}"#,
        "0.25",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => y * ifold n (fun s i => s + sqrt v[i]) 0) x",
        r#"{"v": [0, 9], "x": 2}"#,
        "3.0",
    ),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => let t := build n (fun i => sqrt v[i]); ifold n (fun s i => s + y * t[i]) 0) x",
        r#"{"v": [0, 4], "x": 2}"#,
        "2.0",
    ),
    (
        "{n} (x : real) (v : array n real)",
        "deriv (fun y => ifold n (fun s i => s + y * sqrt (real i)) 0) x",
        r#"{"x": 2, "v": [1, 1, 1]}"#,
        "2.414213562373095",
    ),
    ("(c x : real)", "deriv (fun y => y + pow c (-1)) x", r#"{"c": 0, "x": 2}"#, "1.0"),
    (
        "(x : real)",
        "deriv (fun y => let k := if y < 3 then 0 else 4; y + sqrt (real (k : int))) x",
        r#"{"x": 2}"#,
        "1.0",
    ),
    ("(c x : real)", "deriv (fun y => y + sqrt (if y < 3 then c else 4)) x", r#"{"c": 0, "x": 2}"#, "1.0"),
    (
        "{n} (v : array n real) (x : real)",
        "deriv (fun y => y + sqrt (ifold n (fun s i => if y < v[i] then s + 1 else s) 0)) x",
        r#"{"v": [0, 0], "x": 1}"#,
        "1.0",
    ),
    ("{n} (v : array n real) (x : real)", "deriv (fun y => y * vectorNorm v) x", r#"{"v": [0, 0], "x": 1}"#, "0.0"),
    ("(c x : real)", "deriv (fun y => y + lgamma c) x", r#"{"c": 0, "x": 1}"#, "1.0"),
    // -γ.
    ("(x : real)", "deriv (fun y => y * digamma 1) x", r#"{"x": 1}"#, "-0.5772156649015329"),
    ("(c x : real)", "deriv (fun y => deriv (fun z => z * sqrt c * y) 1) x", r#"{"c": 0, "x": 1}"#, "0.0"),
    ("(c x : real)", "deriv (fun y => y * deriv (fun z => z * z * sqrt c) 3) x", r#"{"c": 0, "x": 1}"#, "0.0"),
    (
        "{n} (v w : array n real)",
        "grad (fun p => vectorDot p (vectorMap v sqrt)) w",
        r#"{"v": [0, 4], "w": [1, 1]}"#,
        "[0.0,2.0]",
    ),
    (
        "(v w : array 2 real)",
        "jacobian (fun p => build 2 (fun i => p[i] * sqrt v[i])) w",
        r#"{"v": [0, 4], "w": [1, 1]}"#,
        "[[0.0,0.0],[0.0,2.0]]",
    ),
    ("(c x : real)", "deriv (fun y => let p := (sqrt c, 2); y * p.1 + p.2) x", r#"{"c": 0, "x": 1}"#, "0.0"),
    ("(c x : real)", "deriv (fun y => y * [sqrt c, 1][0]) x", r#"{"c": 0, "x": 1}"#, "0.0"),
    ("(c x : real)", "deriv (fun y => y + log1p c) x", r#"{"c": -1, "x": 1}"#, "1.0"),
    ("(c x : real)", "deriv (fun y => y + exp c) x", r#"{"c": "inf", "x": 1}"#, "1.0"),
    ("(c x : real)", "deriv (fun y => y + sin c) x", r#"{"c": "inf", "x": 1}"#, "1.0"),
    ("(c x : real)", "deriv (fun y => y * max (sqrt c) c) x", r#"{"c": 0, "x": 1}"#, "0.0"),
];

/// The slope of what `min` or `max` chooses goes where its value is.
const CHOSEN: &[Edge] = &[
    (
        "{n} (v : array n real)",
        "grad (fun p => ifold n (fun m i => max m p[i]) (-1 / 0)) v",
        r#"{"v": [1, "NaN", 3, 2]}"#,
        "[0.0,0.0,1.0,0.0]",
    ),
    (
        "{n} (v : array n real)",
        "grad (fun p => ifold n (fun m i => max m p[i]) (-1 / 0)) v",
        r#"{"v": ["NaN", 5, "NaN"]}"#,
        "[0.0,1.0,0.0]",
    ),
    (
        "{n} (v : array n real)",
        "grad (fun p => ifold n (fun m i => min p[i] m) (1 / 0)) v",
        r#"{"v": [4, "NaN", 3, 5]}"#,
        "[0.0,0.0,1.0,0.0]",
    ),
    (
        "{n >= 1} (v : array n real)",
        "grad (fun p => ifold n (fun m i => min m p[i]) p[0]) v",
        r#"{"v": ["NaN", 2, 7]}"#,
        "[0.0,1.0,0.0]",
    ),
    // The first of several, which is where `argmax` stays.
    ("{n >= 1} (v : array n real)", "grad (fun p => vectorMax p) v", r#"{"v": [1, 3, 3]}"#, "[0.0,1.0,0.0]"),
    ("{n >= 1} (v : array n real)", "grad (fun p => vectorMax p) v", r#"{"v": [1, "NaN", 3]}"#, "[0.0,0.0,1.0]"),
    ("{n >= 1} (v : array n real)", "grad (fun p => vectorMin p) v", r#"{"v": [4, "NaN", 3]}"#, "[0.0,0.0,1.0]"),
    // The sum of rectified inputs: NaN is none.
    (
        "{n} (v : array n real)",
        "grad (fun p => ifold n (fun s i => s + max 0 p[i]) 0) v",
        r#"{"v": [2, -1, "NaN", 0]}"#,
        "[1.0,0.0,0.0,0.0]",
    ),
    (
        "{n} (v : array n real)",
        "grad (fun p => ifold n (fun s i => s + min (max p[i] (-1)) 1) 0) v",
        r#"{"v": [0.5, 7, "NaN", -3]}"#,
        "[1.0,0.0,0.0,0.0]",
    ),
];

/// x / (x² + y²) and -y / (x² + y²), also where the squares underflow or overflow.
const ANGLES: &[Edge] = &[
    ("(y x : real)", "deriv (fun y => atan2 y x) y", r#"{"y": 4e-200, "x": 3e-200}"#, "1.2e199"),
    ("(y x : real)", "deriv (fun x => atan2 y x) x", r#"{"y": 4e-200, "x": 3e-200}"#, "-1.6e199"),
    ("(y x : real)", "deriv (fun y => atan2 y x) y", r#"{"y": -4e200, "x": 3e200}"#, "1.2e-201"),
    ("(y x : real)", "deriv (fun x => atan2 y x) x", r#"{"y": -4e200, "x": 3e200}"#, "1.6e-201"),
    ("(y x : real)", "deriv (fun y => atan2 y x) y", r#"{"y": 1, "x": 1e-200}"#, "1e-200"),
    ("(y x : real)", "deriv (fun x => atan2 y x) x", r#"{"y": 1e-200, "x": -1}"#, "-1e-200"),
    ("(y x : real)", "deriv (fun y => atan2 y x) y", r#"{"y": 3, "x": "inf"}"#, "0"),
    ("(y x : real)", "deriv (fun x => atan2 y x) x", r#"{"y": 2, "x": 0}"#, "-0.5"),
    (
        "{n} (v w : array n real)",
        "grad (fun p => ifold n (fun s i => s + atan2 p[i] w[i]) 0) v",
        r#"{"v": [4e-200, 4, 4e200], "w": [3e-200, 3, 3e200]}"#,
        "[1.2e199,0.12,1.2e-201]",
    ),
];

/// Two operands, and for `min` and `max` whether the first one is the value: C's, where NaN is missing data, and equals, 0
/// and -0 among them, are ties, which go to the first.
const OPERANDS: &[(&str, &str, bool, bool)] = &[
    ("1", "2", true, false),
    ("2", "1", false, true),
    ("1", "1", true, true),
    ("0", "-0.0", true, true),
    ("-0.0", "0", true, true),
    ("1", "\"NaN\"", true, true),
    ("\"NaN\"", "1", false, false),
    ("\"inf\"", "1", false, true),
    ("1", "\"inf\"", true, false),
    ("\"-inf\"", "1", true, false),
    ("1", "\"-inf\"", false, true),
    ("\"inf\"", "\"inf\"", true, true),
    ("\"-inf\"", "\"inf\"", true, false),
    ("\"inf\"", "\"NaN\"", true, true),
    ("\"NaN\"", "\"-inf\"", false, false),
    ("\"-inf\"", "\"NaN\"", true, true),
];

#[test]
fn constants_have_no_tangents_however_steep() {
    assert!(CONSTANTS.len() >= 30);
    agree(CONSTANTS);
}

#[test]
fn slopes_of_angles_neither_underflow_nor_overflow_on_the_way() {
    agree(ANGLES);
}

#[test]
fn a_slope_goes_where_the_value_is() {
    agree(CHOSEN);
    let tests = Edges::new();
    for (name, at) in [("min", 2), ("max", 3)] {
        let program =
            tests.program("(x y : real)", &format!("(deriv (fun z => {name} z y) x, deriv (fun z => {name} x z) y)"));
        for (x, y, least, most) in OPERANDS {
            let first = if at == 2 { least } else { most };
            let slopes = if *first { "[1.0,0.0]" } else { "[0.0,1.0]" };
            tests.has(&program, &format!("{{\"x\": {x}, \"y\": {y}}}"), slopes, &format!("{name} {x} {y}"));
        }
    }
}

/// Size parameters, a number of rounds, the sizes, and what that many rounds that add 1 come to.
type Rounds = (&'static str, &'static str, &'static [(&'static str, u64)], f64);

/// Sums of so many rounds, whose product or sum of sizes is beyond the largest `int`, at these sizes; and the true numbers, which
/// are powers of 2 but for the last one.
const ROUNDS: &[Rounds] = &[
    ("{n m}", "n * m", &[("n", 1 << 32), ("m", 1 << 32)], 18446744073709551616.0),
    ("{n m}", "n + m", &[("n", i64::MAX as u64), ("m", i64::MAX as u64)], 18446744073709551616.0),
    ("{n}", "n * n * n", &[("n", 1 << 21)], 9223372036854775808.0),
    ("{n m}", "2 * n + 4 * m", &[("n", 1 << 62), ("m", 1 << 61)], 18446744073709551616.0),
    ("{n m}", "3 * n * m + 1", &[("n", 4), ("m", 5)], 61.0),
];

#[test]
fn sums_of_equal_rounds_count_them_in_reals() {
    let tests = Edges::new();
    for (sizes, rounds, at, expected) in ROUNDS {
        let plain = tests.program(&format!("{sizes} (x : real)"), &format!("ifold ({rounds}) (fun a i => a + x) 0"));
        let done = run(&tests.schedule, &plain, &Budget::default(), cheaper_total).expect("it ends");
        let Outcome::Success(fast) = done.outcome else { panic!("{rounds}: it fails") };
        let fast = plain.with(fast);
        let at: Vec<_> = at.iter().map(|(name, size)| (Name::new(name), *size)).collect();
        let (inputs, sizes) = inputs_from_json(&fast, r#"{"x": 1}"#, &at, &Budget::default()).expect("inputs");
        let (value, _) = evaluate(&fast, &inputs, &sizes, &Budget::default()).expect("a value");
        assert_eq!(numbers(&value_to_json(&value).to_string()), [*expected], "{rounds}");
    }
}

fn agree(edges: &[Edge]) {
    let tests = Edges::new();
    for (parameters, derivative, inputs, expected) in edges {
        tests.has(&tests.program(parameters, derivative), inputs, expected, derivative);
    }
}

struct Edges {
    workbench: Workbench,
    schedule: Strategy,
}

impl Edges {
    fn new() -> Edges {
        let workbench = Workbench::new();
        let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
        let schedule = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships").1;
        Edges { workbench, schedule }
    }

    fn program(&self, parameters: &str, body: &str) -> Program {
        let text = format!("def it {parameters} :=\n  {body}\n");
        self.workbench.read("edge.arr", &text).pop().expect("a program").1
    }

    /// Whether all ways of running a program give this.
    fn has(&self, plain: &Program, inputs: &str, expected: &str, what: &str) {
        let done = run(&self.schedule, plain, &Budget::default(), cheaper_total).expect("it ends");
        let Outcome::Success(fast) = done.outcome else { panic!("{what}: it fails") };
        for (way, program) in [("plain", plain), ("scheduled", &plain.with(fast))] {
            let budget = Budget::default();
            let (inputs, sizes) = inputs_from_json(program, inputs, &[], &budget).expect("inputs");
            let (value, _) = evaluate(program, &inputs, &sizes, &budget).expect("a value");
            let lanes = blocks::value(program, &inputs, &sizes, &budget).expect("a value");
            for value in [value, lanes] {
                let found = value_to_json(&value).to_string();
                let (found, known) = (numbers(&found), numbers(expected));
                let same = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= 1e-14 * b.abs();
                let agrees = found.len() == known.len() && found.iter().zip(&known).all(same);
                assert!(agrees, "{what}, {way}: {found:?}, but it is {known:?}");
            }
        }
    }
}

fn numbers(json: &str) -> Vec<f64> {
    let parts = json.split(|c| "[], \"".contains(c)).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().expect("a number")).collect()
}
