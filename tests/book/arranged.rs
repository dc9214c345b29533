//! Rules that arrange sums, products, lets and arrays for the general schedule.

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
        "letFloatBranch",
        "fun (v : real) (c : int) => if c then (let x := exp v; x * x) else v",
        "fun (v : real) (c : int) => let x := exp v; if c then x * x else v",
    ),
    (
        "letReuse",
        "fun (v : real) => let x := exp v; let y := exp v; y * exp v",
        "fun (v : real) => let x := exp v; x * x",
    ),
    (
        "letReuse",
        "fun (v : array n real) => let x := build n (fun i => exp v[i]); ifold n (fun a k => a * exp v[k] + x[k]) 1",
        "fun (v : array n real) => let x := build n (fun i => exp v[i]); ifold n (fun a k => a * x[k] + x[k]) 1",
    ),
    (
        "sumOrder",
        "fun (v : array n real) (c : real) => ifold n (fun a i => a + c * v[i]) 0",
        "fun (v : array n real) (c : real) => c * ifold n (fun a i => a + v[i]) 0",
    ),
    (
        "sumOrder",
        "fun (q : array n (array m real)) (c : array n real) (g : array m (array k real)) => build k (fun p =>
           ifold n (fun a i => a + c[i] * ifold m (fun b j => b + g[j][p] * q[i][j]) 0) 0)",
        "fun (q : array n (array m real)) (c : array n real) (g : array m (array k real)) => build k (fun p =>
           ifold m (fun b j => b + g[j][p] * ifold n (fun a i => a + c[i] * q[i][j]) 0) 0)",
    ),
    (
        "sumOrder",
        "fun (v : array n real) (c : int) => ifold n (fun a i => a + (if c then v[i] else 0)) 0",
        "fun (v : array n real) (c : int) => if c then ifold n (fun a i => a + v[i]) 0 else 0",
    ),
    ("arrange", "fun (v : real) => v * 3 * 2", "fun (v : real) => 6 * v"),
    ("arrange", "fun (v : real) => exp v + (3 * v + v)", "fun (v : real) => 4 * v + exp v"),
    ("arrange", "fun (v w : real) => v * w / v", "fun (v w : real) => w"),
    (
        "arrange",
        "fun (u v w : real) (c : int) => u * (if c then v * w else 0) / w",
        "fun (u v w : real) (c : int) => u * (if c then v else 0)",
    ),
    ("gather", "fun (u v w : real) => v * w + w * u", "fun (u v w : real) => w * (v + u)"),
    ("gather", "fun (u v w : real) => v / w - 2 * u / w", "fun (u v w : real) => (v - 2 * u) / w"),
    (
        "sumMerge",
        "fun (v w : array n real) (u : real) =>
           2 * ifold n (fun a i => a + v[i]) 0 + u - 2 * ifold n (fun a i => a + w[i]) 0",
        "fun (v w : array n real) (u : real) => 2 * ifold n (fun a i => a + (v[i] - w[i])) 0 + u",
    ),
    (
        "letArray",
        "fun (v : real) => let x := [v * 2, v * 3]; x[0] + x[1]",
        "fun (v : real) => let x := v * 2; let y := v * 3; [x, y][0] + [x, y][1]",
    ),
    (
        "ifArray",
        "fun (v w : real) => if v < w then [v, 1] else [w, 2]",
        "fun (v w : real) => let c := v < w; [if c then v else w, if c then 1 else 2]",
    ),
    (
        "letIntoArray",
        "fun (v : array n real) => build n (fun p =>
           let t := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; [2 * t, t, 1])",
        "fun (v : array n real) => build n (fun p =>
           [let t := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; 2 * t,
            let t := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; t, 1])",
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
    ("letFloatBranch", "fun (v : real) => if (let x := v; x < 1) then 1 else v"),
    ("letReuse", "fun (v : real) => let x := exp v; x * exp x"),
    ("letReuse", "fun (v : array n real) (k : fin n) => let x := v[k]; x * v[k]"),
    (
        "letReuse",
        "fun (v w : array n real) => let x := build n (fun i => exp v[i]); ifold n (fun a k => a * exp w[k]) x[0]",
    ),
    ("sumOrder", "fun (v : array n real) => ifold n (fun a i => a + exp v[i] * v[i]) 0"),
    (
        "sumOrder",
        "fun (q : array n (array m real)) (c : array n real) (g : array m real) =>
           ifold n (fun a i => a + c[i] * ifold m (fun b j => b + g[j] * q[i][j]) 0) 0",
    ),
    ("arrange", "fun (v : real) => 2 * v"),
    ("arrange", "fun (v : int) => v * 2 * 3"),
    ("gather", "fun (u v w : real) => v * w + u"),
    ("gather", "fun (u v w : real) => v / w + w * u"),
    ("sumMerge", "fun (v w : array n real) => ifold n (fun a i => a + v[i]) 0 + 2 * ifold n (fun a i => a + w[i]) 0"),
    (
        "sumMerge",
        "fun (v : array n real) (w : array m real) => ifold n (fun a i => a + v[i]) 0 + ifold m (fun a i => a + w[i]) 0",
    ),
    ("letArray", "fun (v : array 2 real) => let x := v; x[0] + x[1]"),
    ("ifArray", "fun (v : array 2 real) (c : int) => if c then v else [1, 2]"),
    ("letIntoArray", "fun (v : array n real) => build n (fun p => let t := exp v[p]; [2 * t, t])"),
];
