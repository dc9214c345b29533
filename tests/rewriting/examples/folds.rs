//! Folds and sums.

use super::{Example, Refusal};

pub const EXAMPLES: &[Example] = &[
    (
        "ifoldZip",
        "fun (v : array n real) => let s := ifold n (fun a i => a + v[i]) 0; let p := ifold n (fun a i => a * v[i]) 1; s / p",
        "fun (v : array n real) =>
           let both := ifold n (fun a i => (fst a + v[i], snd a * v[i])) (0, 1); fst both / snd both",
    ),
    (
        "ifoldZip",
        "fun (v : array n real) => (ifold n (fun a i => a + v[i]) 0, ifold n (fun a i => a * v[i]) 1)",
        "fun (v : array n real) => ifold n (fun a i => (fst a + v[i], snd a * v[i])) (0, 1)",
    ),
    (
        "ifoldSnd",
        "fun (v : array n real) => snd (ifold n (fun a i => (fst a + snd a, snd a * v[i])) (0, 1))",
        "fun (v : array n real) => ifold n (fun a i => a * v[i]) 1",
    ),
    (
        "ifoldSnd",
        "fun (v : array n real) (z : real * real) => snd (ifold n (fun a i => (fst a + snd a, snd a * v[i])) z)",
        "fun (v : array n real) (z : real * real) => ifold n (fun a i => a * v[i]) (snd z)",
    ),
    (
        "ifoldFst",
        "fun (v : array n real) => fst (ifold n (fun a i => (fst a * v[i], fst a + snd a)) (1, 0))",
        "fun (v : array n real) => ifold n (fun a i => a * v[i]) 1",
    ),
    (
        "ifoldSwap",
        "fun (v : array n (array m real)) (k : fin m) =>
           (ifold n (fun a i => build m (fun j => a[j] + v[i][j])) (build m (fun j => 0)))[k]",
        "fun (v : array n (array m real)) (k : fin m) => ifold n (fun a i => a + v[i][k]) 0",
    ),
    (
        "ifoldSwap",
        "fun (v : array n (array m real)) (z : array m real) (k : fin m) =>
           (ifold n (fun a i => build m (fun j => a[j] + v[i][j])) z)[k]",
        "fun (v : array n (array m real)) (z : array m real) (k : fin m) => ifold n (fun a i => a + v[i][k]) z[k]",
    ),
    (
        "ifoldSplitSum",
        "fun (v w : array n real) => ifold n (fun a i => a + (v[i] + w[i])) 0",
        "fun (v w : array n real) => ifold n (fun a i => a + v[i]) 0 + ifold n (fun a i => a + w[i]) 0",
    ),
    (
        "ifoldSplitSum",
        "fun (v w : array n real) => ifold n (fun a i => a + (v[i] - w[i])) 0",
        "fun (v w : array n real) => ifold n (fun a i => a + v[i]) 0 - ifold n (fun a i => a + w[i]) 0",
    ),
    (
        "ifoldSplitSum.reverse",
        "fun (v w : array n real) => ifold n (fun a i => a + v[i]) 0 - ifold n (fun a i => a + w[i]) 0",
        "fun (v w : array n real) => ifold n (fun a i => a + (v[i] - w[i])) 0",
    ),
    (
        "ifoldFactor",
        "fun (v : array n real) (c : real) => ifold n (fun a i => a + c * v[i]) 0",
        "fun (v : array n real) (c : real) => c * ifold n (fun a i => a + v[i]) 0",
    ),
    (
        "ifoldFactor",
        "fun (v : array n real) (c : real) => ifold n (fun a i => a + v[i] / c) 0",
        "fun (v : array n real) (c : real) => ifold n (fun a i => a + v[i]) 0 / c",
    ),
    (
        "ifoldFactor",
        "fun (v : array n int) => ifold n (fun a i => a + v[i] * 2) 0",
        "fun (v : array n int) => ifold n (fun a i => a + v[i]) 0 * 2",
    ),
    (
        "ifoldFactor",
        "fun (v : array n real) => ifold n (fun a i => a + (-v[i])) 0",
        "fun (v : array n real) => -(ifold n (fun a i => a + v[i]) 0)",
    ),
    (
        "sumSign",
        "fun (v : array n real) => ifold n (fun a i => a - v[i]) 0",
        "fun (v : array n real) => -(ifold n (fun a i => a + v[i]) 0)",
    ),
    (
        "sumSign",
        "fun (v : array n real) => ifold n (fun a i => a + -v[i]) 0",
        "fun (v : array n real) => -(ifold n (fun a i => a + v[i]) 0)",
    ),
    ("ifoldInvariant", "fun (v : real) => ifold n (fun a i => a + v) 0", "fun (v : real) => real n * v"),
    ("ifoldInvariant", "fun (v : int) => ifold (n + 1) (fun a i => a + v) 0", "fun (v : int) => (1 + n) * v"),
    (
        "sumSwap",
        "fun (v : array n (array m real)) => ifold n (fun a i => a + ifold m (fun b j => b + v[i][j]) 0) 0",
        "fun (v : array n (array m real)) => ifold m (fun b j => b + ifold n (fun a i => a + v[i][j]) 0) 0",
    ),
    (
        "ifFloatSum",
        "fun (v : array n real) (c : int) => ifold n (fun a i => a + (if c then v[i] else 0)) 0",
        "fun (v : array n real) (c : int) => if c then ifold n (fun a i => a + v[i]) 0 else 0",
    ),
    (
        "ifFloatSum",
        "fun (v : array n real) (c : int) => ifold n (fun a i => if c then a * v[i] else a) 3",
        "fun (v : array n real) (c : int) => if c then ifold n (fun a i => a * v[i]) 3 else 3",
    ),
    (
        "letCompare",
        "fun (v : array n real) (f : array n (fin k)) (j : fin k) =>
           let t := build n (fun i => build k (fun j => if f[i] = j then 1 else 0)); ifold n (fun a i => a + t[i][j] * v[i]) 0",
        "fun (v : array n real) (f : array n (fin k)) (j : fin k) => ifold n (fun a i =>
           a + (build n (fun i => build k (fun j => if f[i] = j then 1 else 0)))[i][j] * v[i]) 0",
    ),
    (
        "letCompare",
        "fun (v : array n real) => let t := build n (fun i => build n (fun j => j < i)); build n (fun i => if t[i][i] then v[i] else 1)",
        "fun (v : array n real) => build n (fun i => if (build n (fun i => build n (fun j => j < i)))[i][i] then v[i] else 1)",
    ),
    ("letScale", "fun (x : real) => let t := 2 * exp x; t * t", "fun (x : real) => let u := exp x; 2 * u * (2 * u)"),
    (
        "letScale",
        "fun (v : array n real) => let t := build n (fun i => 2 * exp v[i]); ifold n (fun a i => a + t[i]) 0",
        "fun (v : array n real) => let u := build n (fun i => exp v[i]); ifold n (fun a i => a + (build n (fun i => 2 * u[i]))[i]) 0",
    ),
    (
        "letScale",
        "fun (v : array n (array m real)) => let t := build n (fun i => build m (fun j => 2 * v[i][j])); build n (fun i => t[i])",
        "fun (v : array n (array m real)) =>
           let u := build n (fun i => build m (fun j => v[i][j])); build n (fun i => (build n (fun i => build m (fun j => 2 * u[i][j])))[i])",
    ),
    (
        "letScale",
        "fun (v : array n (array m (array o real))) => let t := build n (fun i => build m (fun j => build o (fun k => 3 * v[i][j][k]))); t",
        "fun (v : array n (array m (array o real))) =>
           let u := build n (fun i => build m (fun j => build o (fun k => v[i][j][k]))); build n (fun i => build m (fun j => build o (fun k => 3 * u[i][j][k])))",
    ),
    (
        "letTabulate",
        "fun (v : array n real) => build n (fun i => let x := exp v[i]; x * x)",
        "fun (v : array n real) => let t := build n (fun i => exp v[i]); build n (fun i => t[i] * t[i])",
    ),
    (
        "letTabulate",
        "fun (v : array n real) => ifold n (fun a i => let x := exp v[i]; a * x) 1",
        "fun (v : array n real) => let t := build n (fun i => exp v[i]); ifold n (fun a i => a * t[i]) 1",
    ),
    (
        "letTabulate",
        "fun (v : array n real) => ifold n (fun a i => a + (let x := exp v[i]; x * x)) 0",
        "fun (v : array n real) => let t := build n (fun i => exp v[i]); ifold n (fun a i => a + t[i] * t[i]) 0",
    ),
];

pub const REFUSED: &[Refusal] = &[
    ("ifoldZip", "fun (v : array n real) => let s := ifold n (fun a i => a + v[i]) 0; ifold n (fun a i => a * s) 1"),
    (
        "ifoldZip",
        "fun (v : array n real) =>
           let s := ifold n (fun a i => a + v[i]) 0; let p := ifold n (fun a i => a * (v[i] - s)) 1; s / p",
    ),
    (
        "ifoldZip",
        "fun (v : array n real) (w : array m real) => (ifold n (fun a i => a + v[i]) 0, ifold m (fun a i => a + w[i]) 0)",
    ),
    ("ifoldSnd", "fun (v : array n real) => snd (ifold n (fun a i => (fst a + v[i], snd a * fst a)) (0, 1))"),
    ("ifoldFst", "fun (v : array n real) => fst (ifold n (fun a i => (fst a + snd a, snd a * v[i])) (0, 1))"),
    (
        "ifoldSwap",
        "fun (v : array n (array m real)) (z : array m real) (k : fin m) =>
           (ifold n (fun a i => build m (fun j => a[k] + v[i][j])) z)[k]",
    ),
    ("ifoldSplitSum", "fun (v w : array n real) => ifold n (fun a i => a + (v[i] + a)) 0"),
    ("ifoldSplitSum", "fun (v w : array n real) => ifold n (fun a i => a + (v[i] + w[i])) 1"),
    (
        "ifoldSplitSum.reverse",
        "fun (v : array n real) (w : array m real) => ifold n (fun a i => a + v[i]) 0 + ifold m (fun a i => a + w[i]) 0",
    ),
    ("sumSign", "fun (v : array n real) => ifold n (fun a i => a - v[i]) 1"),
    ("ifoldFactor", "fun (v : array n real) => ifold n (fun a i => a + v[i] * v[i]) 0"),
    ("ifoldFactor", "fun (v : array n real) (c : real) => ifold n (fun a i => a + c * v[i]) 1"),
    ("ifoldInvariant", "fun (v : array n real) => ifold n (fun a i => a + v[i]) 0"),
    ("sumOneHot", "fun (k : int) => ifold n (fun a i => a + (if 2 * int i = k then 5 else (0 : real))) 0"),
    ("sumOneHot", "fun (k : fin m) => ifold n (fun a i => a + (if i * i = k then 5 else (0 : real))) 0"),
    ("sumSwap", "fun (k : real) => ifold n (fun a i => a + ifold m (fun b j => b * k) 0) 0"),
    ("ifFloatSum", "fun (v : array n real) => ifold n (fun a i => a + (if v[i] < 1 then v[i] else 0)) 0"),
    ("ifFloatSum", "fun (v : array n real) => ifold n (fun a i => if a < 1 then a * v[i] else a) 3"),
    (
        "letCompare",
        "fun (v : array n (array k real)) (z : fin k) => let t := build n (fun i => build k (fun j =>
           if ifold k (fun b i1 => if v[i][b] < v[i][i1] then i1 else b) z = j then 1 else 0)); t",
    ),
    ("letScale", "fun (v : array n real) (c : real) => let t := build n (fun i => c * v[i]); t"),
    ("letScale", "fun (v : array n real) => let t := build n (fun i => 2 + v[i]); t"),
    ("letScale", "fun (x : real) => let t := x * x; t + t"),
    ("letTabulate", "fun (v : array n real) => ifold n (fun a i => let x := a * v[i]; x * x) 1"),
    ("letTabulate", "fun (v : real) => build n (fun i => let x := exp v; x * real i)"),
];
