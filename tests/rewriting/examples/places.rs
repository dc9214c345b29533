//! Rules that ask about the place: tangents of a parameter index, and what carries a one-hot.

use super::{Example, Refusal};

pub const EXAMPLES: &[Example] = &[
    (
        "letSubstTangent",
        "fun (v : array n real) => build n (fun p =>
           let x := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; x * x)",
        "fun (v : array n real) => build n (fun p =>
           ifold n (fun a i => a + (if p = i then v[i] else 0)) 0 * ifold n (fun a i => a + (if p = i then v[i] else 0)) 0)",
    ),
    (
        "ifSplit",
        "fun (v w : array n real) => build n (fun p => ifold n (fun a i => a + (if p = i then v[i] else w[i])) 0)",
        "fun (v w : array n real) => build n (fun p =>
           ifold n (fun a i => a + ((if p = i then v[i] else 0) + (if not (p = i) then w[i] else 0))) 0)",
    ),
    (
        "ifFloatMul",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i => a + v[i] * (if p = i then 1 else 0)) 0)",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i => a + (if p = i then v[i] * 1 else 0)) 0)",
    ),
    (
        "ifFloatMul",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i => a + -(if p = i then v[i] else 0)) 0)",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i => a + (if p = i then -v[i] else 0)) 0)",
    ),
    (
        "ifSplitSum",
        "fun (v : array n real) (c : int) => build n (fun p =>
           ifold n (fun a i => a + (if c then v[i] - (if p = i then 1 else 0) else 0)) 0)",
        "fun (v : array n real) (c : int) => build n (fun p =>
           ifold n (fun a i => a + ((if c then v[i] else 0) + (if c then -(if p = i then 1 else 0) else 0))) 0)",
    ),
    (
        "ifSplitSum",
        "fun (v : array n real) (c : int) => build n (fun p =>
           ifold n (fun a i => a + (if c then v[i] + (if p = i then 1 else 0) else 0)) 0)",
        "fun (v : array n real) (c : int) => build n (fun p =>
           ifold n (fun a i => a + ((if c then v[i] else 0) + (if c then (if p = i then 1 else 0) else 0))) 0)",
    ),
    (
        "ifSplitSum",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i =>
           a + (if k : fin n := int i - 1 then v[k] + (if p = k then 1 else 0) else 0)) 0)",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i =>
           a + ((if k : fin n := int i - 1 then v[k] else 0)
                + (if k : fin n := int i - 1 then (if p = k then 1 else 0) else 0))) 0)",
    ),
    (
        "guardFloatIf",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i =>
           a + (if k : fin n := int i - 1 then (if p = i then v[k] else 0) else 0)) 0)",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i =>
           a + (if p = i then (if k : fin n := int i - 1 then v[k] else 0) else 0)) 0)",
    ),
    (
        "ifoldSplitOneHot",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i => a + (v[i] + (if p = i then 1 else 0))) 0)",
        "fun (v : array n real) => build n (fun p =>
           ifold n (fun a i => a + v[i]) 0 + ifold n (fun a i => a + (if p = i then 1 else 0)) 0)",
    ),
    (
        "distributeOneHot",
        "fun (v : array n real) => build n (fun p => ifold n (fun a i => a + 2 * (v[i] + (if p = i then 1 else 0))) 0)",
        "fun (v : array n real) => build n (fun p =>
           ifold n (fun a i => a + (2 * v[i] + 2 * (if p = i then 1 else 0))) 0)",
    ),
];

pub const REFUSED: &[Refusal] = &[
    ("letSubstTangent", "fun (v : array n real) => build n (fun p => let x := v[p] * 2; x * x)"),
    ("letSubstTangent", "fun (v : array n real) (p : fin n) => let x := build n (fun i => if p = i then 1 else 0); x"),
    (
        "letAdjoint",
        "fun (v : array n real) => build n (fun p =>
           let t := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; 2 / t + t)",
    ),
    ("ifSplit", "fun (v w : real) => if v < w then v else w"),
    ("ifFloatMul", "fun (v w : real) => v * (if v < w then v else 0)"),
    ("ifSplitSum", "fun (v w : real) => if v < w then v + w else 0"),
    ("guardFloatIf", "fun (v : array n real) (c d : int) => if k : fin n := c then (if d then v[k] else 0) else 0"),
    ("ifoldSplitOneHot", "fun (v w : array n real) => ifold n (fun a i => a + (v[i] + w[i])) 0"),
    ("distributeOneHot", "fun (v w : real) => v * (v + w)"),
];
