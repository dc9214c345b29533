//! Programs that round with care have the digits that mathematics says they have: kept, or under `exactly`, also after schedules
//! that take their numbers for reals.

use super::careful::SCHEDULES;
use crate::support::script::{deep, run};

/// A program that rounds with care.
struct CarefulProgram {
    /// What it computes, and who says so.
    about: &'static str,
    params: &'static str,
    body: &'static str,
    /// Its inputs.
    at: &'static str,
    /// What it is to be: of the real numbers that the inputs are, by mpmath with 120 digits, to the nearest double.
    exact: f64,
    /// So many units of the last place may be missing.
    units: f64,
    /// Whether the general schedule takes more than these where nobody keeps them.
    is_lost: bool,
}

const PROGRAMS: &[CarefulProgram] = &[
    CarefulProgram {
        about: "Kahan 1965.",
        params: "(v : array 6 real)",
        body: "fst (ifold 6 (fun a i => let y := v[i] - snd a; let t := fst a + y; (t, (t - fst a) - y)) (0, 0))",
        at: "v: [1.0, 1.0e-16, 1.0e-16, 1.0e-16, 1.0e-16, 1.0e-16]",
        exact: 1.0000000000000004,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Neumaier 1974: 1 + 1e100 + 1 - 1e100.",
        params: "(v : array 4 real)",
        body: "let p := ifold 4 (fun a i => let t := fst a + v[i];
            let c := if abs (fst a) >= abs v[i] then (fst a - t) + v[i] else (v[i] - t) + fst a;
            (t, snd a + c)) (0, 0); fst p + snd p",
        at: "v: [1.0, 1.0e+100, 1.0, -1.0e+100]",
        exact: 2.0,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Klein 2006, compensated twice.",
        params: "(v : array 5 real)",
        body: "let p : (real * real) * real := ifold 5 (fun a i =>
            let s := fst (fst a); let t := s + v[i];
            let c := if abs s >= abs v[i] then (s - t) + v[i] else (v[i] - t) + s;
            let cs := snd (fst a); let u := cs + c;
            let cc := if abs cs >= abs c then (cs - u) + c else (c - u) + cs;
            ((t, u), snd a + cc)) ((0, 0), 0); fst (fst p) + (snd (fst p) + snd p)",
        at: "v: [1.0, 1.0e+32, 1.0e+16, -1.0e+32, -1.0e+16]",
        exact: 1.0,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Ogita, Rump and Oishi 2005.",
        params: "(v : array 4 real)",
        body: "let p := ifold 4 (fun a i => let s := fst a + v[i]; let b := s - fst a;
            (s, snd a + ((fst a - (s - b)) + (v[i] - b)))) (0, 0); fst p + snd p",
        at: "v: [3.0, 1.0e+17, -1.0e+17, 0.25]",
        exact: 3.25,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Pairs that cancel.",
        params: "(v : array 4 real)",
        body: "(v[0] + v[2]) + (v[1] + v[3])",
        at: "v: [1.0e+16, 1.0, -1.0e+16, 1.0]",
        exact: 2.0,
        units: 0.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "Ten steps of 0.1 with what each rounds off (Gill 1951).",
        params: "(h : real)",
        body: "fst (ifold 10 (fun a i => let y := h + snd a; let t := fst a + y; (t, (fst a - t) + y)) (0, 0))",
        at: "h: 0.1",
        exact: 1.0,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Knuth: what a sum rounds off.",
        params: "(x y : real)",
        body: "let s := x + y; let b := s - x; (x - (s - b)) + (y - b)",
        at: "x: 1.0, y: 1.0e-17",
        exact: 1e-17,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Dekker 1971: the same of numbers in order.",
        params: "(x y : real)",
        body: "let s := x + y; y - (s - x)",
        at: "x: 1.0e+16, y: 1.25",
        exact: -0.75,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "What a difference rounds off.",
        params: "(x y : real)",
        body: "let s := x - y; let b := s - x; (x - (s - b)) - (y + b)",
        at: "x: 1.0e+16, y: 0.3",
        exact: -0.3,
        units: 0.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "Dekker 1971: what a product rounds off.",
        params: "(x y : real)",
        body: "let p := x * y; let c := 134217729 * x; let a := c - (c - x); let b := x - a; let e := 134217729 * y;
            let f := e - (e - y); let g := y - f; b * g - (((p - a * f) - b * f) - a * g)",
        at: "x: 1.1, y: 1.3",
        exact: 4.44089209850063e-18,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Veltkamp 1968: a number rounded to 26 bits.",
        params: "(x : real)",
        body: "let c := 134217729 * x; c - (c - x)",
        at: "x: 3.141592653589793",
        exact: 3.1415926814079285,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "The rest of a number that was rounded to 26 bits.",
        params: "(x : real)",
        body: "let c := 134217729 * x; x - (c - (c - x))",
        at: "x: 3.141592653589793",
        exact: -2.781813535079891e-08,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "What a quotient lacks.",
        params: "(x y : real)",
        body: "let q := x / y; let p := q * y; let c := 134217729 * q; let a := c - (c - q); let b := q - a;
            let e := 134217729 * y; let f := e - (e - y); let g := y - f;
            let r := b * g - (((p - a * f) - b * f) - a * g); ((x - p) - r) / y",
        at: "x: 1.0, y: 49.0",
        exact: 1.6285159162231251e-18,
        units: 2.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "What a square root lacks.",
        params: "(x : real)",
        body: "let s := sqrt x; let p := s * s; let c := 134217729 * s; let a := c - (c - s); let b := s - a;
            let r := b * b - (((p - a * a) - a * b) - a * b); ((x - p) - r) / (2 * s)",
        at: "x: 2.0",
        exact: -9.667293313452912e-17,
        units: 2.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "A compensated scalar product.",
        params: "(v w : array 3 real)",
        body: "let p := ifold 3 (fun a i => let x := v[i]; let y := w[i]; let p := x * y;
            let c := 134217729 * x; let d := c - (c - x); let b := x - d; let e := 134217729 * y;
            let f := e - (e - y); let g := y - f;
            let r := b * g - (((p - d * f) - b * f) - d * g);
            let s := fst a + p; let z := s - fst a; let q := (fst a - (s - z)) + (p - z);
            (s, snd a + (q + r))) (0, 0); fst p + snd p",
        at: "v: [100000000.0, 1.5, -100000000.0], w: [100000000.0, 0.5, 100000000.0]",
        exact: 0.75,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "a d - b c, compensated (Kahan).",
        params: "(a b c d : real)",
        body: "let w := b * c; let k := 134217729 * b; let h := k - (k - b); let l := b - h;
            let m := 134217729 * c; let n := m - (m - c); let o := c - n;
            let e := l * o - (((w - h * n) - l * n) - h * o);
            let p := a * d; let q := 134217729 * a; let r := q - (q - a); let s := a - r; let t := 134217729 * d;
            let u := t - (t - d); let z := d - u;
            let f := s * z - (((p - r * u) - s * u) - r * z);
            (p - w) + (f - e)",
        at: "a: 1.0000001, b: 1.0000002, c: 1.0000003, d: 1.0000004",
        exact: -1.9777955329611813e-14,
        units: 2.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Goldberg 1991: log (1 + x).",
        params: "(x : real)",
        body: "let w := 1 + x; if w = 1 then x else x * log w / (w - 1)",
        at: "x: 1.0e-10",
        exact: 9.999999999500001e-11,
        units: 4.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "Kahan: e^x - 1.",
        params: "(x : real)",
        body: "let u := exp x; if u = 1 then x else if u - 1 = -1 then -1 else (u - 1) * x / log u",
        at: "x: 1.0e-09",
        exact: 1.0000000005000001e-09,
        units: 4.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "sinh x, by e^x - 1.",
        params: "(x : real)",
        body: "let u := exp x; let e := if u = 1 then x else (u - 1) * x / log u; (e + e / (e + 1)) / 2",
        at: "x: 1.0e-07",
        exact: 1.0000000000000017e-07,
        units: 4.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "A root without cancellation.",
        params: "(b c : real)",
        body: "let d := sqrt (b * b - 4 * c); let q := -(b + d) / 2; c / q",
        at: "b: 100000000.0, c: 1.0",
        exact: -1e-08,
        units: 4.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "Rounding to a whole number, ties to even.",
        params: "(x : real)",
        body: "(x + 6755399441055744) - 6755399441055744",
        at: "x: 2.5",
        exact: 2.0,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "The distance from the nearest whole number.",
        params: "(x : real)",
        body: "x - ((x + 6755399441055744) - 6755399441055744)",
        at: "x: 3.75",
        exact: -0.25,
        units: 0.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Kahan's area of a needle.",
        params: "(a b c : real)",
        body: "sqrt ((a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c))) / 4",
        at: "a: 100000.0, b: 99999.99979, c: 0.00029",
        exact: 10.000000077021038,
        units: 4.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Welford 1962: the variance of 4, 7, 13, 16 far away.",
        params: "(v : array 4 real)",
        body: "snd (ifold 4 (fun a i => let d := v[i] - fst a; let m := fst a + d / (real (int i) + 1);
            (m, snd a + d * (v[i] - m))) (0, 0)) / 3",
        at: "v: [1000000004.0, 1000000007.0, 1000000013.0, 1000000016.0]",
        exact: 30.0,
        units: 0.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "That variance by two passes, corrected.",
        params: "(v : array 4 real)",
        body: "let m := (v[0] + v[1] + v[2] + v[3]) / 4; let d := ifold 4 (fun a i => a + (v[i] - m)) 0;
            (ifold 4 (fun a i => a + (v[i] - m) * (v[i] - m)) 0 - d * d / 4) / 3",
        at: "v: [1000000004.0, 1000000007.0, 1000000013.0, 1000000016.0]",
        exact: 30.0,
        units: 0.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "A length whose square overflows.",
        params: "(x y : real)",
        body: "let m := max (abs x) (abs y); let r := min (abs x) (abs y) / m; m * sqrt (1 + r * r)",
        at: "x: 3.0e+200, y: 4.0e+200",
        exact: 4.9999999999999995e+200,
        units: 2.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "Cody and Waite: 22 - 7 π in two parts.",
        params: "(x k : real)",
        body: "(x - k * 1.5703125) - k * 0.0004838267948966192",
        at: "x: 22.0, k: 14.0",
        exact: 0.008851424871447331,
        units: 4.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "The distance of 1 from the next number, in thirds.",
        params: "(x : real)",
        body: "abs ((x / 3 - 1) * 3 - 1)",
        at: "x: 4.0",
        exact: 2.220446049250313e-16,
        units: 0.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "x² - y² without squares.",
        params: "(x y : real)",
        body: "(x - y) * (x + y)",
        at: "x: 100000001.0, y: 100000000.0",
        exact: 200000001.0,
        units: 0.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "(x - 1)³ near 1.",
        params: "(x : real)",
        body: "(x - 1) * (x - 1) * (x - 1)",
        at: "x: 1.00001",
        exact: 1.0000000000196536e-15,
        units: 4.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "A midpoint whose sum would overflow.",
        params: "(x y : real)",
        body: "x + (y - x) / 2",
        at: "x: 1.6e+308, y: 1.7e+308",
        exact: 1.6499999999999999e+308,
        units: 2.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "A mean whose sum would overflow.",
        params: "(v : array 3 real)",
        body: "ifold 3 (fun m i => m + (v[i] - m) / (real (int i) + 1)) 0",
        at: "v: [1.5e+308, 1.6e+308, 1.7e+308]",
        exact: 1.6e+308,
        units: 2.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "Kahan 1987: acosh.",
        params: "(x : real)",
        body: "2 * log (sqrt ((x + 1) / 2) + sqrt ((x - 1) / 2))",
        at: "x: 1.0e+200",
        exact: 461.2101657793691,
        units: 2.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "1 - cos x.",
        params: "(x : real)",
        body: "2 * sin (x / 2) * sin (x / 2)",
        at: "x: 1.0e-06",
        exact: 4.999999999999583e-13,
        units: 4.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "sqrt (x + 1) - sqrt x.",
        params: "(x : real)",
        body: "1 / (sqrt (x + 1) + sqrt x)",
        at: "x: 1000000000000.0",
        exact: 4.99999999999875e-07,
        units: 2.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "log (e^x + e^y).",
        params: "(x y : real)",
        body: "let m := max x y; m + log (exp (x - m) + exp (y - m))",
        at: "x: 1000.0, y: 1001.0",
        exact: 1001.3132616875182,
        units: 2.0,
        is_lost: false,
    },
    CarefulProgram {
        about: "Graillat, Langlois and Louvet 2005: x³ - 3 x² + 3 x - 1 near 1, compensated.",
        params: "(x : real)",
        body: "let c := 134217729 * x; let a := c - (c - x); let b := x - a;
            let p := ifold 3 (fun z i => let k := if int i = 0 then -3 else if int i = 1 then 3 else -1;
            let r := fst z * x; let e := 134217729 * fst z; let f := e - (e - fst z); let g := fst z - f;
            let t := g * b - (((r - f * a) - g * a) - f * b);
            let s := r + k; let d := s - r; let u := (r - (s - d)) + (k - d);
            (s, snd z * x + (t + u))) (1, 0); fst p + snd p",
        at: "x: 1.00001",
        exact: 1.0000000000196536e-15,
        units: 2.0,
        is_lost: true,
    },
    CarefulProgram {
        about: "Shewchuk: what a sum of two expansions rounds off.",
        params: "(a b c d : real)",
        body: "let s := a + c; let z := s - a; let e := (a - (s - z)) + (c - z); let f := e + (b + d); let g := s + f;
            f - (g - s)",
        at: "a: 1.0, b: 1.0e-17, c: 1.0e-05, d: -3.0e-22",
        exact: -5.55115222065421e-17,
        units: 2.0,
        is_lost: true,
    },
];

impl CarefulProgram {
    /// What a schedule leaves of it, with or without `keep`.
    fn after(&self, schedule: &str, keep: &str) -> f64 {
        let CarefulProgram { about, params, body, at, .. } = self;
        let script = format!(
            "{SCHEDULES}
            let t = term(`fun {params} => {keep} ({body})`).apply({schedule});
            print(`${{t.evaluate(#{{ {at} }})}}`);"
        );
        let printed = run(&script).unwrap_or_else(|wrong| panic!("{about} {wrong}"));
        printed.parse().unwrap_or_else(|_| panic!("{about} {printed}"))
    }

    /// Whether a value has the digits.
    fn is_right(&self, value: f64) -> bool {
        (value - self.exact).abs() <= self.units * f64::EPSILON * self.exact.abs()
    }
}

#[test]
fn careful_programs_keep_their_digits() {
    deep(|| {
        for program in PROGRAMS {
            let kept = ["id", "fastGradient", "tryOut"].map(|schedule| (schedule, "keep"));
            for (schedule, keep) in kept.into_iter().chain([("id", ""), ("exactly(fastGradient)", "")]) {
                let value = program.after(schedule, keep);
                let CarefulProgram { about, exact, .. } = program;
                assert!(program.is_right(value), "{about} {keep} {schedule}: {value:?} is not {exact:?}");
            }
        }
    });
}

/// Otherwise the programs would show nothing.
#[test]
fn what_nobody_keeps_loses_digits() {
    deep(|| {
        for program in PROGRAMS.iter().filter(|program| program.is_lost) {
            let value = program.after("fastGradient", "");
            assert!(!program.is_right(value), "{} {value:?}", program.about);
        }
        assert!(PROGRAMS.iter().filter(|program| program.is_lost).count() >= 20);
    });
}
