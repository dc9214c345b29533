//! Scans.

use super::{Example, Refusal};

pub const EXAMPLES: &[Example] = &[
    (
        "scanZero",
        "fun (v : array n real) (z : real) => scan 0 (fun s i => (s * z, s)) (z + 1)",
        "fun (v : array n real) (z : real) => let s := z + 1; (s, build 0 (fun i => snd ((fun s i => (s * z, s)) s i)))",
    ),
    (
        "scanFission",
        "fun (v : array n real) => scan n (fun s i => ((fst s * v[i], snd s + 1), (fst s, snd s))) (1, 2)",
        "fun (v : array n real) => let t := scan n (fun s i => (s * v[i], s)) 1; let u := scan n (fun s i => (s + 1, s)) 2;
           ((fst t, fst u), build n (fun i => ((snd t)[i], (snd u)[i])))",
    ),
    (
        "letTabulate",
        "fun (v : array n real) => scanr n (fun s i => let x := exp v[i]; (s * x, x)) 1",
        "fun (v : array n real) => let t := build n (fun i => exp v[i]); scanr n (fun s i => (s * t[i], t[i])) 1",
    ),
    (
        "letFloatLoop",
        "fun (v : array n real) (c : real) => scan n (fun s i => let x := exp c; (s * x, x)) 1",
        "fun (v : array n real) (c : real) => let x := exp c; scan n (fun s i => (s * x, x)) 1",
    ),
];

pub const REFUSED: &[Refusal] = &[
    ("scanZero", "fun (v : array n real) => scan n (fun s i => (s * v[i], s)) 1"),
    (
        "scanFission",
        "fun (v : array n real) => scan n (fun s i => ((fst s * snd s, snd s + 1), (fst s, snd s))) (1, 2)",
    ),
    ("letTabulate", "fun (v : array n real) => scanr n (fun s i => let x := s * v[i]; (x, x)) 1"),
    ("letFloatLoop", "fun (v : array n real) => scan n (fun s i => let x := exp v[i]; (s * x, x)) 1"),
];
