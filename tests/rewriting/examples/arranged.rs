//! Rules that arrange lets for the general schedule.

use super::{Example, Refusal};

pub const EXAMPLES: &[Example] = &[
    (
        "letSubstCheap",
        "fun (v : array n real) => let x := build n (fun i => (v[i], 1)); ifold n (fun a i => a * fst x[i]) 1",
        "fun (v : array n real) => ifold n (fun a i => a * fst (build n (fun i => (v[i], 1)))[i]) 1",
    ),
    ("letSubstCheap", "fun (v : real) => let x := 2; build n (fun i => x)", "fun (v : real) => build n (fun i => 2)"),
    (
        "letFloatLoop",
        "fun (v : real) => build n (fun i => let x := exp v; x * real i)",
        "fun (v : real) => let x := exp v; build n (fun i => x * real i)",
    ),
    (
        "letFloatLoop",
        "fun (v : real) => ifold n (fun a i => let x := exp v; a * x) 1",
        "fun (v : real) => let x := exp v; ifold n (fun a i => a * x) 1",
    ),
];

pub const REFUSED: &[Refusal] = &[
    ("letSubstCheap", "fun (v : real) => let x := v + 1; x * v"),
    ("letSubstCheap", "fun (v : array n real) => let x := build n (fun i => v[i] + 1); x"),
    (
        "letSubstCheap",
        "fun (v : array n real) => let x := build n (fun i => 2 * v[i]); ifold n (fun a i => a * x[i]) 1",
    ),
    ("letFloatLoop", "fun (v : array n real) => build n (fun i => let x := exp v[i]; x * x)"),
    ("letFloatLoop", "fun (v : array n real) => ifold n (fun a i => let x := exp a; x * x) 1"),
];
