//! Transposition.

use super::{Example, Refusal};

pub const EXAMPLES: &[Example] = &[
    ("pullVar", "fun (v : array n real) => pull (fun (d : array n real) => d) v", "fun (v : array n real) => v"),
    (
        "pullAdd",
        "fun (x w : real) => pull (fun (d : real) => x * d + d) w",
        "fun (x w : real) => let x1 := w; plus (pull (fun (d : real) => x * d) x1) (pull (fun d => d) x1)",
    ),
    (
        "pullSub",
        "fun (x w : real) => pull (fun (d : real) => x * d - d) w",
        "fun (x w : real) => let x1 := w; plus (pull (fun (d : real) => x * d) x1) (pull (fun d => d) (-x1))",
    ),
    ("pullNeg", "fun (w : real) => pull (fun (d : real) => -d) w", "fun (w : real) => pull (fun (d : real) => d) (-w)"),
    (
        "pullMul",
        "fun (x w : real) => pull (fun (d : real * real) => fst d * exp x) w",
        "fun (x w : real) => pull (fun (d : real * real) => fst d) (w * exp x)",
    ),
    (
        "pullDiv",
        "fun (x w : real) => pull (fun (d : real * real) => fst d / exp x) w",
        "fun (x w : real) => pull (fun (d : real * real) => fst d) (w / exp x)",
    ),
    (
        "pullIf",
        "fun (x w : real) => pull (fun (d : real * real) => if x < 0 then fst d else snd d) (exp w)",
        "fun (x w : real) => let x1 := exp w; if x < 0 then pull (fun (d : real * real) => fst d) x1 else pull \
         (fun d => snd d) x1",
    ),
    (
        "pullChoice",
        "fun (x w : real) => pull (fun (d : real) => x * d) (if w < 0 then w else 0)",
        "fun (x w : real) => if w < 0 then pull (fun (d : real) => x * d) w else pull (fun d => x * d) 0",
    ),
    (
        "pullPair",
        "fun (x : real) (w : real * real) => pull (fun (d : real) => (d, x * d)) w",
        "fun (x : real) (w : real * real) => let x1 := w; plus (pull (fun (d : real) => d) (fst x1)) (pull (fun d \
         => x * d) (snd x1))",
    ),
    (
        "pullGet",
        "fun (w : real) (k : fin n) => pull (fun (d : array n real) => d[k]) w",
        "fun (w : real) (k : fin n) => let x := w; pull (fun (d : array n real) => d) (scatter n 1 (fun e => (int \
         k, x)))",
    ),
    (
        "pullSum",
        "fun (w : real) (v : array n real) => pull (fun (d : array n real) => ifold n (fun s i => s + v[i] * d[i]) \
         0) w",
        "fun (w : real) (v : array n real) => let x := w; ifold n (fun s i => plus s (pull (fun d => v[i] * d[i]) \
         x)) (pull (fun (d : array n real) => 0) 0)",
    ),
    (
        "pullBuild",
        "fun (w v : array n real) => pull (fun (d : array n real) => build n (fun i => v[i] * d[i])) w",
        "fun (w v : array n real) => let x := w; ifold n (fun s i => plus s (pull (fun d => v[i] * d[i]) x[i])) \
         (pull (fun (d : array n real) => 0) 0)",
    ),
    (
        "pullPut",
        "fun (v : array n real) (k : fin n) (x : real) => pull (fun (d : array n real) => build n (fun i => v[i] * \
         d[i])) (scatter n 1 (fun e => (int k, x)))",
        "fun (v : array n real) (k : fin n) (x : real) => if i : fin n := int k then pull (fun (d : array n real) \
         => v[i] * d[i]) x else pull (fun d => 0) 0",
    ),
    (
        "pullScatter",
        "fun (k : array m (fin n)) (w : array n real) => pull (fun (d : array m real) => scatter n m (fun e => \
         (int k[e], 2 * d[e]))) w",
        "fun (k : array m (fin n)) (w : array n real) => let x := w; ifold m (fun s e => plus s (pull (fun d => 2 \
         * d[e]) x[int k[e] else pull (fun d => 0) 0])) (pull (fun (d : array m real) => 0) 0)",
    ),
    (
        "pullFloat",
        "fun (x w : real) => pull (fun (d : real) => let y := exp x; y * d) w",
        "fun (x w : real) => let y := exp x; pull (fun (d : real) => y * d) w",
    ),
    (
        "getPut",
        "fun (k i : fin n) (x : real) => (scatter n 1 (fun e => (int k, x)))[i]",
        "fun (k i : fin n) (x : real) => if i = k then x else pull (fun d => 0) 0",
    ),
    ("plusReal", "fun (x y : real) => plus x (exp y)", "fun (x y : real) => x + exp y"),
    (
        "plusPair",
        "fun (x y : real) (v w : array n real) => plus (x, v) (y, w)",
        "fun (x y : real) (v w : array n real) => (plus x y, plus v w)",
    ),
    (
        "plusHalves",
        "fun (p q : real * real) => plus p q",
        "fun (p q : real * real) => let x := p; let y := q; (plus (fst x) (fst y), plus (snd x) (snd y))",
    ),
    (
        "plusBuild",
        "fun (x y : array n (array 2 real)) => plus (build n (fun i => [0, x[i][0]])) (build n (fun i => y[i]))",
        "fun (x y : array n (array 2 real)) => build n (fun i => plus [0, x[i][0]] y[i])",
    ),
    (
        "totalPlus",
        "fun (v w : array m (array n real)) (z : array n real) => ifold m (fun s i => plus s (plus v[i] w[i])) z",
        "fun (v w : array m (array n real)) (z : array n real) => plus (ifold m (fun s i => plus s v[i]) z) (ifold \
         m (fun s i => plus s w[i]) (pull (fun d => 0) 0))",
    ),
    (
        "scatterRows",
        "fun (k : array m (fin n)) (j : array m (fin l)) (v : array m real) => scatter n m (fun e => (int k[e], scatter l 1 (fun h \
         => (int j[e], v[e]))))",
        "fun (k : array m (fin n)) (j : array m (fin l)) (v : array m real) => let t := scatter (n * l) m (fun e => (if i : fin n := \
         int k[e] then (if h : fin l := int j[e] then int i * l + int h else -1) else -1, v[e])); build n (fun i => build l (fun h => t[int i * l + int h]))",
    ),
    (
        "ifScatter",
        "fun (k : array m (fin n)) (v w : array m real) (c : int) => if c then scatter n m (fun e => (int k[e], v[e])) else scatter n m \
         (fun e => (0, w[e]))",
        "fun (k : array m (fin n)) (v w : array m real) (c : int) => scatter n m (fun e => (if c then int k[e] else 0, if c then v[e] \
         else w[e]))",
    ),
    (
        "letBranch",
        "fun (v : array n real) (c : int) => build n (fun p => if c then (let x := ifold n (fun a i => a + (if p = i then v[i] else 0)) \
         0; x * 2 + x) else 0)",
        "fun (v : array n real) (c : int) => build n (fun p => let x := if c then ifold n (fun a i => a + (if p = i then v[i] else 0)) \
         0 else (pull (fun d => 0) 0); if c then x * 2 + x else 0)",
    ),
    (
        "derivSeed",
        "fun (x : real) => snd ((fun (y : real * real) => (fst y, 2 * snd y)) (x, 1))",
        "fun (x : real) => snd ((fun (y : real * real) => (fst y, 2 * snd y)) (x, (scatter 1 1 (fun e => (int (0 : fin 1), 1)))[(0 : \
         fin 1)]))",
    ),
];

pub const REFUSED: &[Refusal] = &[
    ("pullVar", "fun (v : array n real) => pull (fun (d : array n real) => build n (fun i => 2 * d[i])) v"),
    ("pullAdd", "fun (x w : real) => pull (fun (d : real) => x * d) w"),
    ("pullSub", "fun (x w : real) => pull (fun (d : real) => x * d) w"),
    ("pullNeg", "fun (x w : real) => pull (fun (d : real) => x * d) w"),
    ("pullMul", "fun (x w : real) => pull (fun (d : real) => d / x) w"),
    ("pullDiv", "fun (x w : real) => pull (fun (d : real) => d * x) w"),
    ("pullIf", "fun (x w : real) => pull (fun (d : real) => d * (if x < 0 then 1 else 2)) w"),
    ("pullChoice", "fun (x w : real) => pull (fun (d : real) => x * d) w"),
    ("pullPair", "fun (w : real * real) => pull (fun (d : real * real) => d) w"),
    ("pullGet", "fun (v : array n real) => pull (fun (d : array n real) => d) v"),
    (
        "pullSum",
        "fun (w : real) (v : array n real) => pull (fun (d : array n real) => ifold n (fun s i => s * v[i] + d[i]) 0) w",
    ),
    ("pullBuild", "fun (w v : array n real) => pull (fun (d : array n real) => d) w"),
    ("pullPut", "fun (v w : array n real) => pull (fun (d : array n real) => build n (fun i => v[i] * d[i])) w"),
    ("pullScatter", "fun (w : array n real) => pull (fun (d : array n real) => d) w"),
    ("pullFloat", "fun (x w : real) => pull (fun (d : real) => let y := x * d; y + d) w"),
    ("getPut", "fun (k : array m (fin n)) (i : fin n) (x : real) => (scatter n m (fun e => (int k[e], x)))[i]"),
    ("plusReal", "fun (v w : array n real) => plus v w"),
    ("plusPair", "fun (p q : real * real) => plus p q"),
    ("plusHalves", "fun (v w : array n real) => plus v w"),
    ("plusBuild", "fun (v w : array n real) => plus v (build n (fun i => w[i]))"),
    ("totalPlus", "fun (v : array m (array n real)) (z : array n real) => ifold m (fun s i => plus s v[i]) z"),
    (
        "scatterRows",
        "fun (k : array m (fin n)) (v : array m (array l real)) => scatter n m (fun e => (int k[e], v[e]))",
    ),
    (
        "ifScatter",
        "fun (k : array m (fin n)) (v : array m real) (w : array n real) (c : int) => if c then scatter n m (fun e => (int k[e], v[e])) else w",
    ),
    ("letBranch", "fun (v : real) (c : int) => if c then (let x := exp v; x * x) else 0"),
    ("derivSeed", "fun (x : real) => snd ((fun (y : real * real) => (fst y, 2 * snd y)) (x, 2))"),
];
