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
    (
        "ifScatter",
        "fun (c : int) (k l : fin n) (x y : real) => if c then scatter n 1 (fun e => (int k, x)) else scatter n 1 (fun e => (int l, y))",
        "fun (c : int) (k l : fin n) (x y : real) => scatter n 1 (fun e => (if c then int k else int l, if c then x else y))",
    ),
    (
        "letBranch",
        "fun (v w : array n real) => build n (fun p => ifold n (fun s j => s + (if v[j] < w[j] then (let x := (if p = j then v[j] else 0);
           x / (w[j] - v[j])) else 0)) 0)",
        "fun (v w : array n real) => build n (fun p => ifold n (fun s j => s + (let x := if v[j] < w[j] then (if p = j then v[j] else 0) else 0;
           if v[j] < w[j] then x / (w[j] - v[j]) else 0)) 0)",
    ),
];

pub const REFUSED: &[Refusal] = &[
    (
        "ifScatter",
        "fun (c : int) (k : array m (fin n)) (x : real) => if c then scatter n 1 (fun e => (1, x)) else scatter n m (fun e => (int k[e], x))",
    ),
    ("letBranch", "fun (v w : real) => if v < w then (let x := 1 / (w - v); x * x) else w"),
    ("letSubstCheap", "fun (v : real) => let x := v + 1; x * v"),
    ("letSubstCheap", "fun (v : array n real) => let x := build n (fun i => v[i] + 1); x"),
    (
        "letSubstCheap",
        "fun (v : array n real) => let x := build n (fun i => 2 * v[i]); ifold n (fun a i => a * x[i]) 1",
    ),
    ("letFloatLoop", "fun (v : array n real) => build n (fun i => let x := exp v[i]; x * x)"),
    ("letFloatLoop", "fun (v : array n real) => ifold n (fun a i => let x := exp a; x * x) 1"),
];
