//! The native rules.

use super::{Example, Refusal};

pub const EXAMPLES: &[Example] = &[
    (
        "letUnzip",
        "fun (v : array n real) => let x := build n (fun i => (v[i], 1)); ifold n (fun a i => a + fst x[i]) 0",
        "fun (v : array n real) => let x := build n (fun i => v[i]); let dx := build n (fun i => 1);
           ifold n (fun a i => a + fst (build n (fun i => (x[i], dx[i])))[i]) 0",
    ),
    (
        "letUnzip",
        "fun (c : int) (v : real) => let x := (let y := v * v; if c then (y, 1) else (v, 2)); fst x",
        "fun (c : int) (v : real) => let x := (let y := v * v; if c then y else v);
           let dx := (let y := v * v; if c then 1 else 2); fst (x, dx)",
    ),
    (
        "ifPair",
        "fun (c : int) (v w : real) => if c then (v, 1) else (w, 2)",
        "fun (c : int) (v w : real) => (if c then v else w, if c then 1 else 2)",
    ),
    (
        "ifPair",
        "fun (c : int) (v : array n (real * int)) (w : array n real) => if c then v else build n (fun i => (w[i], 1))",
        "fun (c : int) (v : array n (real * int)) (w : array n real) =>
           let x := if c then build n (fun i => fst v[i]) else build n (fun i => w[i]);
           let dx := if c then build n (fun i => snd v[i]) else build n (fun i => 1);
           build n (fun i => (x[i], dx[i]))",
    ),
    (
        "ifoldUnzip",
        "fun (v : array n real) => ifold n (fun a i => let x := v[i] * 2; (fst a + x, snd a * v[i])) (0, 1)",
        "fun (v : array n real) =>
           (ifold n (fun a i => let x := v[i] * 2; a + x) 0, ifold n (fun da i => da * v[i]) 1)",
    ),
    (
        "ifoldUnzip",
        "fun (v w : array m real) =>
           ifold n (fun a i => build m (fun j => (fst a[j] + v[j], snd a[j] + w[j]))) (build m (fun j => (0, 1)))",
        "fun (v w : array m real) =>
           let a := ifold n (fun a i => build m (fun j => a[j] + v[j])) (build m (fun j => 0));
           let da := ifold n (fun da i => build m (fun j => da[j] + w[j])) (build m (fun j => 1));
           build m (fun i => (a[i], da[i]))",
    ),
    (
        "sumIntro",
        "fun (v : array n real) => ifold n (fun a i => v[i] + a) 3",
        "fun (v : array n real) => 3 + ifold n (fun a i => a + v[i]) 0",
    ),
    (
        "sumIntro",
        "fun (v : array n real) => ifold n (fun a i => if v[i] < 1 then a + v[i] else a) 0",
        "fun (v : array n real) => ifold n (fun a i => a + (if v[i] < 1 then v[i] else 0)) 0",
    ),
    (
        "sumIntro",
        "fun (v w : array n real) => ifold n (fun a i => let x := exp v[i]; v[i] + (a - x) + w[i]) 0",
        "fun (v w : array n real) => ifold n (fun a i => a + (let x := exp v[i]; v[i] + -x + w[i])) 0",
    ),
    (
        "sumOneHot",
        "fun (v : array n real) (k : fin n) => ifold n (fun a i => a + (if i = k then v[i] else 0)) 0",
        "fun (v : array n real) (k : fin n) => v[k]",
    ),
    (
        "sumOneHot",
        "fun (v : array n real) (c : int) (k : fin n) =>
           ifold n (fun a i => a + (if c then (if v[i] < 1 then (if k = i then v[i] else 0) else 0) else 0)) 0",
        "fun (v : array n real) (c : int) (k : fin n) => if c then (if v[k] < 1 then v[k] else 0) else 0",
    ),
    (
        "sumReassoc",
        "fun (q : array n (array m real)) (c : array n real) (g : array m real) => build k (fun p =>
           ifold n (fun a i => a + c[i] * ifold m (fun b j => b + g[j] * real p * q[i][j]) 0) 0)",
        "fun (q : array n (array m real)) (c : array n real) (g : array m real) => build k (fun p =>
           ifold m (fun b j => b + g[j] * real p * ifold n (fun a i => a + c[i] * q[i][j]) 0) 0)",
    ),
    ("collect", "fun (v w : real) => v * w + w * v", "fun (v w : real) => 2 * v * w"),
    ("collect", "fun (v w : real) => v * 2 - w - v", "fun (v w : real) => v - w"),
    (
        "collect",
        "fun (v w : array n real) => ifold n (fun a i => a + v[i] * w[i]) 0 + ifold n (fun a j => a + 2 * w[j] * v[j]) 0",
        "fun (v w : array n real) => 3 * ifold n (fun a i => a + v[i] * w[i]) 0",
    ),
    ("collect", "fun (v : real) => v - v", "fun (v : real) => (0 : real)"),
    ("mulRecip", "fun (v w : real) => v * (w * (1 / v))", "fun (v w : real) => w"),
    ("mulRecip", "fun (v w : real) => (v + w) / (w + v)", "fun (v w : real) => (1 : real)"),
    (
        "ifMerge",
        "fun (v w : real) (c : int) => (if c then v else 0) + v - (if c then w else 0)",
        "fun (v w : real) (c : int) => (if c then v - w else 0) + v",
    ),
    (
        "letLinear",
        "fun (v : array n real) (w : real) => build n (fun p =>
           let t := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; t * 2 + w * t + 1)",
        "fun (v : array n real) (w : real) => build n (fun p =>
           let c := 1 * 2 + w * 1; c * ifold n (fun a i => a + (if p = i then v[i] else 0)) 0 + 1)",
    ),
    (
        "letLinear",
        "fun (v w : array n real) => build n (fun p =>
           let t := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; ifold n (fun a i => a + w[i] * t) 0 - t)",
        "fun (v w : array n real) => build n (fun p =>
           let c := ifold n (fun a i => a + w[i] * 1) 0 - 1;
           c * ifold n (fun a i => a + (if p = i then v[i] else 0)) 0)",
    ),
    ("cse", "fun (v : real) => exp v + exp v * 2", "fun (v : real) => let s := exp v; s + s * 2"),
    ("cse", "fun (v : real) => let x := exp v; x * exp v", "fun (v : real) => let x := exp v; x * x"),
    (
        "cse",
        "fun (v : array n real) => build n (fun i => exp v[i] + exp v[i])",
        "fun (v : array n real) => build n (fun i => let s := exp v[i]; s + s)",
    ),
    (
        "letBuild",
        "fun (v : array n real) => let t := build n (fun i => exp v[i]); ifold n (fun a i => a + t[i]) 0",
        "fun (v : array n real) => ifold n (fun a i => a + exp v[i]) 0",
    ),
    (
        "letBuild",
        "fun (v : array n real) (k : fin n) => let t := build n (fun i => (v[i], 1)); fst t[k] + snd t[k]",
        "fun (v : array n real) (k : fin n) => fst (v[k], 1) + snd (v[k], 1)",
    ),
    (
        "letBuild",
        "fun (v : array n real) (k : fin n) => let t := build n (fun i => exp v[i]); t[k]",
        "fun (v : array n real) (k : fin n) => exp v[k]",
    ),
    (
        "letBuild",
        "fun (k : fin n) (l : fin m) => let t := build n (fun i => build m (fun j => (0 : real))); t[k][l] + t[k][l]",
        "fun (k : fin n) (l : fin m) =>
           (build m (fun j => (0 : real)))[l] + (build m (fun j => (0 : real)))[l]",
    ),
    (
        "tabulate",
        "fun (v : array n real) (w : array m real) => build m (fun j => ifold n (fun a i => a + exp v[i] * w[j]) 0)",
        "fun (v : array n real) (w : array m real) => let t := build n (fun i => exp v[i]);
           build m (fun j => ifold n (fun a i => a + t[i] * w[j]) 0)",
    ),
    (
        "tabulate",
        "fun (v w : array n real) (u : array m real) =>
           build m (fun j => ifold n (fun a i => a + v[i] * u[j] * w[i]) 0)",
        "fun (v w : array n real) (u : array m real) => let t := build n (fun i => v[i] * w[i]);
           build m (fun j => ifold n (fun a i => a + t[i] * u[j]) 0)",
    ),
    (
        "tabulate",
        "fun (v : array n real) (w : array m real) => build m (fun j => w[j] + ifold n (fun a i => a + v[i]) 0)",
        "fun (v : array n real) (w : array m real) => let t := ifold n (fun a i => a + v[i]) 0;
           build m (fun j => w[j] + t)",
    ),
    (
        "tabulate",
        "fun (v : array n (array k real)) (w : array m real) =>
           build m (fun j => build n (fun x => build k (fun y => exp v[x][y] * w[j])))",
        "fun (v : array n (array k real)) (w : array m real) => let t := build k (fun y => build n (fun x => exp v[x][y]));
           build m (fun j => build n (fun x => build k (fun y => t[y][x] * w[j])))",
    ),
    ("constFold", "fun (v : real) => v + 2 * 3", "fun (v : real) => v + 6"),
    ("constFoldArithmetic", "fun (v : real) => v + 1 / 4", "fun (v : real) => v + 0.25"),
    ("constFoldArithmetic", "fun (v : int) => v - 2 * 3", "fun (v : int) => v - 6"),
    ("constFoldComparison", "fun (v : real) => if (2 : real) < 1 then v else 3", "fun (v : real) => if 0 then v else 3"),
    ("constFoldLogic", "fun (v : real) => if not 2 then v else 3", "fun (v : real) => if 0 then v else 3"),
    ("constFoldConversion", "fun (v : real) => v + real 3", "fun (v : real) => v + 3"),
    (
        "unroll",
        "fun (v : array 2 real) => build 2 (fun i => v[i] * 2)",
        "fun (v : array 2 real) => [(fun (i : fin 2) => v[i] * 2) 0, (fun (i : fin 2) => v[i] * 2) 1]",
    ),
    (
        "unroll",
        "fun (v : array 2 real) => ifold 2 (fun a i => a * v[i]) 1",
        "fun (v : array 2 real) => (fun (a : real) (i : fin 2) => a * v[i])
           ((fun (a : real) (i : fin 2) => a * v[i]) 1 0) 1",
    ),
    ("unroll", "fun (v : real) => [v, 2 * v][1]", "fun (v : real) => 2 * v"),
    ("unrollUpTo(1)", "fun (v : real) => build 1 (fun i => v)", "fun (v : real) => [(fun (i : fin 1) => v) 0]"),
    ("getArray", "fun (v : real) => [v, 2 * v, 3][0]", "fun (v : real) => v"),
];

pub const REFUSED: &[Refusal] = &[
    ("letUnzip", "fun (v : real * real) => let x := v; fst x"),
    ("letUnzip", "fun (v : array n real) => let x := ifold n (fun a i => (snd a, fst a)) (0, 1); fst x"),
    ("letUnzip", "fun (v : real) => let x := v * v; x + x"),
    ("ifPair", "fun (c : int) (v w : real) => if c then v else w"),
    ("ifoldUnzip", "fun (v : array n real) => ifold n (fun a i => (fst a * v[i], snd a * fst a)) (1, 1)"),
    ("ifoldUnzip", "fun (v : array n real) => ifold n (fun a i => a * v[i]) 1"),
    ("sumIntro", "fun (v : array n real) => ifold n (fun a i => a + v[i]) 0"),
    ("sumIntro", "fun (v : array n real) => ifold n (fun a i => v[i] - a) 0"),
    ("sumIntro", "fun (v : array n real) => ifold n (fun a i => if a < 1 then a + v[i] else a) 0"),
    ("sumOneHot", "fun (v : array n real) => ifold n (fun a i => a + (if i = i then v[i] else 0)) 0"),
    ("sumOneHot", "fun (v : array n real) (k : fin n) => ifold n (fun a i => a + (if i = k then v[i] else 1)) 0"),
    ("sumOneHot", "fun (v : array n real) (k : fin m) => ifold n (fun a i => a + (if i = k then v[i] else 0)) 0"),
    (
        "sumReassoc",
        "fun (q : array n (array m real)) (c : array n real) (g : array m real) =>
           ifold n (fun a i => a + c[i] * ifold m (fun b j => b + g[j] * q[i][j]) 0) 0",
    ),
    ("collect", "fun (v w : real) => v * w + v"),
    ("mulRecip", "fun (v w : real) => v * (1 / w)"),
    ("ifMerge", "fun (v w : real) (c d : int) => (if c then v else 0) + (if d then w else 0)"),
    ("letLinear", "fun (v : array n real) => build n (fun p => let t := v[p] * 2; t * 2 + t)"),
    (
        "letLinear",
        "fun (v : array n real) => build n (fun p =>
           let t := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; t * t)",
    ),
    ("cse", "fun (v w : array n real) (i : fin n) => v[i] * v[i]"),
    ("cse", "fun (v : array n real) => (build n (fun i => exp v[i]), ifold n (fun a i => a * exp v[i]) 1)"),
    ("letBuild", "fun (v : array n real) => let t := build n (fun i => exp v[i]); (t, 1)"),
    ("letBuild", "fun (k : fin n) => let t := build n (fun i => build m (fun j => (0 : real))); (t[k], t[k])"),
    ("letBuild", "fun (v : array n real) (k : fin n) => let t := build n (fun i => exp v[i]); t[k] + t[k]"),
    (
        "letBuild",
        "fun (v : array n real) (k : fin n) => let t := build n (fun i => exp v[i]); ifold m (fun a i => a + t[k]) 0",
    ),
    ("tabulate", "fun (v w : array n real) => build n (fun j => exp v[j])"),
    ("tabulate", "fun (v w : array n real) => build n (fun j => ifold n (fun a i => a * (a + v[j])) 1)"),
    ("constFold", "fun (v : real) => v + 1 / 0"),
    ("constFoldArithmetic", "fun (v : real) => v + real n"),
    ("constFoldComparison", "fun (v : real) => if v < 1 then v else 3"),
    ("constFoldLogic", "fun (v : int) => not v"),
    ("constFoldConversion", "fun (v : real) => real n + v"),
    ("unroll", "fun (v : array 9 real) => build 9 (fun i => v[i] * 2)"),
    ("unroll", "fun (v : array n real) => build n (fun i => v[i] * 2)"),
    ("unrollUpTo(2)", "fun (v : array 3 real) => build 3 (fun i => v[i] * 2)"),
    ("getArray", "fun (v : array 2 real) => v[1]"),
];
