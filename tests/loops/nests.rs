//! Nests do no more than they have to: what is counted are numbers that are stored and memory that is taken.

use crate::support::shipped;
use std::collections::HashMap;
use std::path::Path;

use redexter::blocks;
use redexter::cost::cheaper_total;
use redexter::eval::{Sizes, evaluate, inputs_from_json, open_sizes, value_to_json};
use redexter::ground::{Budget, Limits, Name, with_stack};
use redexter::nest::{
    Freedom, Nest, NestForm, NestStyle, NestValue, Pass, ScalarKind, Stmt, nest, nest_text, repeatable,
};
use redexter::strategy::{Outcome, run};
use redexter::term::{Prim, Program};
use shipped::Workbench;

const EXACT: NestForm = NestForm::Fused(NestStyle::compiled(Freedom::Exact));

fn deep<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    with_stack(Limits::default().max_depth, work).expect("a stack")
}

/// How often numbers are stored and conditions asked, where of conditions on data both sides are counted.
struct Count<'a> {
    sizes: &'a Sizes,
    known: HashMap<u32, i64>,
    stored: u64,
    asked: u64,
}

impl Count<'_> {
    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Let(_, value) | Stmt::Set(_, value) => self.asked += choices(value),
                Stmt::If(..) => self.asked += 1,
                _ => {}
            }
            match stmt {
                Stmt::Let(slot, value) => {
                    if let (ScalarKind::Int, Some(k)) = (slot.array.number, self.value(value)) {
                        self.known.insert(slot.cell, k);
                    }
                }
                Stmt::Var(_) => {}
                Stmt::Set(place, value) => {
                    self.stored += 1;
                    match self.value(value) {
                        Some(k) if place.indices.is_empty() => drop(self.known.insert(place.cell, k)),
                        _ => drop(self.known.remove(&place.cell)),
                    }
                }
                Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                    let (from, to) = (self.value(&range.from), self.value(&range.to));
                    for k in from.expect("a bound")..to.expect("a bound") {
                        self.known.insert(range.cell, k);
                        self.body(inside);
                    }
                }
                Stmt::Pairs(range, two, one) => {
                    let (from, to) = (self.value(&range.from), self.value(&range.to));
                    let (mut k, to) = (from.expect("a bound"), to.expect("a bound"));
                    while k < to {
                        self.known.insert(range.cell, k);
                        self.body(if k + 1 < to { two } else { one });
                        k += 2;
                    }
                }
                Stmt::Strips(strips, inside) => {
                    let n = self.sizes.value(&strips.size) as i64;
                    for base in (0..n).step_by(strips.lanes as usize) {
                        self.known.insert(strips.base, base);
                        self.known.insert(strips.count, (n - base).min(strips.lanes.into()));
                        self.body(inside);
                    }
                }
                Stmt::If(condition, a, b) => match self.value(condition) {
                    Some(0) => self.body(b),
                    Some(_) => self.body(a),
                    None => {
                        self.body(a);
                        self.body(b);
                    }
                },
            }
        }
    }

    fn value(&self, value: &NestValue) -> Option<i64> {
        match value {
            NestValue::Int(k) => Some(*k),
            NestValue::Size(name) => self.sizes.get(name).map(|n| n as i64),
            NestValue::Load(place) if place.indices.is_empty() => self.known.get(&place.cell).copied(),
            NestValue::Real(_) | NestValue::Load(_) => None,
            NestValue::Truth(a) => self.value(a).map(|k| (k != 0).into()),
            NestValue::Select(p) => self.value(if self.value(&p.0)? != 0 { &p.1 } else { &p.2 }),
            NestValue::Prim(prim, ScalarKind::Int, operands) => {
                let all: Vec<i64> = operands.iter().map(|operand| self.value(operand)).collect::<Option<_>>()?;
                Some(match (prim, &all[..]) {
                    (Prim::ToInt, [a]) => *a,
                    (Prim::And, [a, b]) => (*a != 0 && *b != 0).into(),
                    (Prim::Add, [a, b]) => a + b,
                    (Prim::Sub, [a, b]) => a - b,
                    (Prim::Mul, [a, b]) => a * b,
                    (Prim::Lt, [a, b]) => (a < b).into(),
                    (Prim::Le, [a, b]) => (a <= b).into(),
                    (Prim::Gt, [a, b]) => (a > b).into(),
                    (Prim::Ge, [a, b]) => (a >= b).into(),
                    (Prim::Eq, [a, b]) => (a == b).into(),
                    _ => return None,
                })
            }
            NestValue::Prim(..) => None,
        }
    }
}

fn sizes(program: &Program, all: &[(&str, u64)]) -> Sizes {
    let size = |name: &Name| all.iter().find(|(own, _)| *own == name.as_str()).map_or(1, |(_, n)| *n);
    open_sizes(&program.term).into_iter().map(|name| (name.clone(), size(&name))).collect()
}

fn stored(nest: &Nest, sizes: &Sizes) -> u64 {
    let mut count = Count { sizes, known: HashMap::new(), stored: 0, asked: 0 };
    count.body(&nest.body);
    count.stored
}

/// How often conditions are asked.
fn asked(nest: &Nest, sizes: &Sizes) -> u64 {
    let mut count = Count { sizes, known: HashMap::new(), stored: 0, asked: 0 };
    count.body(&nest.body);
    count.asked
}

fn choices(value: &NestValue) -> u64 {
    let mut count = u64::from(matches!(value, NestValue::Select(_)));
    value.each_part(&mut |part| count += choices(part));
    count
}

fn memory(nest: &Nest, sizes: &Sizes) -> u64 {
    let length = |slot: &redexter::nest::NestSlot| slot.array.dims.iter().map(|n| sizes.value(n)).product::<u64>();
    nest.temporaries.iter().map(length).sum()
}

/// What the definition stores at these sizes, fused and as it is written.
fn both(text: &'static str, at: &'static [(&str, u64)]) -> (u64, u64) {
    deep(move || {
        let (_, program) = Workbench::new().read("m.arr", text).remove(0);
        let sizes = sizes(&program, at);
        let [fused, written] = [EXACT, NestForm::AsWritten].map(|form| nest(&program, &form).expect("a nest"));
        (stored(&fused, &sizes), stored(&written, &sizes))
    })
}

/// What the definition keeps meanwhile at these sizes, fused and as it is written.
fn memories(text: &'static str, at: &'static [(&str, u64)]) -> (u64, u64) {
    deep(move || {
        let (_, program) = Workbench::new().read("m.arr", text).remove(0);
        let sizes = sizes(&program, at);
        let [fused, written] = [EXACT, NestForm::AsWritten].map(|form| nest(&program, &form).expect("a nest"));
        (memory(&fused, &sizes), memory(&written, &sizes))
    })
}

#[test]
fn sums_by_keys_are_scattered() {
    let text = "def sums {n k} (keys : array n (fin k)) (x : array n real) : array k real :=
  build k (fun j => ifold n (fun s i => s + (if keys[i] = j then x[i] else 0)) 0)
";
    let (fused, written) = both(text, &[("n", 1000), ("k", 100)]);
    assert!(fused <= 1000 + 3 * 100, "{fused}");
    assert!(written >= 1000 * 100, "{written}");
}

/// A scatter that is written so, of as many rounds as places.
#[test]
fn scatters_share_the_loops_of_what_they_add() {
    let text = "def sums {n} (keys : array n (fin n)) (x : array n real) : array n real :=
  let t := build n (fun e => exp x[keys[e]]); let s := scatter n n (fun e => (int keys[e], t[e])); build n (fun i => 2 * s[i])
";
    let (fused, _) = both(text, &[("n", 1000)]);
    assert!(fused <= 4 * 1000, "{fused}");
    let (fused, written) = memories(text, &[("n", 1000)]);
    assert!(fused < 1400 && written >= 2000, "{fused}, as it is written {written}");
}

/// The table before the scan is kept for a strip alone.
#[test]
fn what_stands_beside_a_scan_is_fused() {
    let text = "def f {n d} (x : array n (array d real)) (w : array d real) : array n real :=
  let a := build n (fun i => build d (fun j => exp (x[i][j] * w[j])));
  let b := build n (fun i => ifold d (fun s j => s + a[i][j] * a[i][j]) 0);
  let c := snd (scan n (fun s i => let t := s * 0.5 + b[i]; (t, t)) 0);
  build n (fun i => c[i] * b[i])
";
    let (fused, written) = memories(text, &[("n", 1000), ("d", 50)]);
    assert!(fused < 10 * 1000 && written > 50 * 1000, "{fused}, as it is written {written}");
}

#[test]
fn comparisons_of_indices_bound_loops() {
    let text = "def lower {n d} (l : array d (array d real)) (x : array n (array d real)) : array n (array d real) :=
  build n (fun i => build d (fun a => ifold d (fun s b => s + (if b < a then l[a][b] * x[i][b] else 0)) 0))
";
    let (fused, written) = both(text, &[("n", 64), ("d", 40)]);
    let (half, whole) = (64 * 40 * 39 / 2, 64 * 40 * 40);
    assert!(fused >= half && fused < half + 64 * 40 * 5, "{fused}, half of it is {half}");
    assert!(written >= whole, "{written}");
}

/// As what is asked for under a comparison alone.
#[test]
fn what_is_asked_for_under_a_comparison_is_computed_there() {
    let text = "def grams {n d} (x : array n (array d real)) : array d (array d real) :=
  let all := build d (fun a => build d (fun b => ifold n (fun s i => s + x[i][a] * x[i][b]) 0));
  build d (fun a => build d (fun b => if b <= a then all[a][b] else 0))
";
    let (fused, _) = both(text, &[("n", 640), ("d", 40)]);
    let half = 640 * 40 * 41 / 2;
    assert!(fused < half + half / 5, "{fused}, half of it is {half}");
}

#[test]
fn tables_of_powers_take_a_product_each() {
    let text = "def rows {n m} (x : array n real) (c : array m real) : real :=
  let table := build n (fun i => build m (fun j => pow x[i] j));
  ifold n (fun s i => s + ifold m (fun t j => t + c[j] * table[i][j]) 0) 0
";
    deep(move || {
        let (_, program) = Workbench::new().read("m.arr", text).remove(0);
        let fused = nest(&program, &EXACT).expect("a nest");
        fn powers(value: &NestValue) -> bool {
            match value {
                NestValue::Prim(prim, _, operands) => *prim == Prim::Pow || operands.iter().any(powers),
                NestValue::Truth(a) => powers(a),
                NestValue::Select(p) => powers(&p.0) || powers(&p.1) || powers(&p.2),
                _ => false,
            }
        }
        fn any(body: &[Stmt]) -> bool {
            body.iter().any(|stmt| match stmt {
                Stmt::Let(_, value) | Stmt::Set(_, value) => powers(value),
                Stmt::Var(_) => false,
                Stmt::For(_, inside) | Stmt::Lanes(_, inside) | Stmt::Strips(_, inside) => any(inside),
                Stmt::Pairs(_, a, b) => any(a) || any(b),
                Stmt::If(c, a, b) => powers(c) || any(a) || any(b),
            })
        }
        assert!(!any(&fused.body), "a power is left");
    });
}

/// How often each stands in the nest, which computes it so often in a round.
#[test]
fn what_is_dear_is_computed_once_in_a_round() {
    const CASES: &[(&str, usize)] = &[
        ("{n} (w : array n real) : real := ifold n (fun a i => let s := tanh (w[i] * a); s * (1 - s * s)) 1", 1),
        (
            "{n} (w : array n real) : array n real := build n (fun i => (if w[i] < 0 then tanh w[i] else 1) + tanh w[i])",
            1,
        ),
        (
            "{n} (w : array n real) : array n real := build n (fun i => if w[i] < 0 then tanh w[i] else 2 * tanh w[i])",
            2,
        ),
        ("{n} (w : array n real) : real := ifold n (fun a i => tanh (tanh a * w[i]) + tanh a) 1", 2),
        (
            "{n} (w : array n real) : array n real := grad (fun (v : array n real) => ifold n (fun a i => tanh (v[i] * a)) 1) w",
            1,
        ),
        // Sums, of which targets know the only statement, stay what they are.
        ("{n} (v : array n real) : real := ifold n (fun a i => a + tanh v[i] / (1 + tanh v[i])) 0", 2),
        (
            "{n k} (f : array n (fin k)) (v : array n real) : array k real :=
               build k (fun j => ifold n (fun a i => if f[i] = j then a + tanh v[i] / (1 + tanh v[i]) else a) 0)",
            2,
        ),
    ];
    deep(|| {
        for (text, times) in CASES {
            let (_, program) = Workbench::new().read("m.arr", &format!("def f {text}\n")).remove(0);
            let fused = nest_text("f", &nest(&program, &EXACT).expect("a nest"));
            assert_eq!(fused.matches("tanh(").count(), *times, "{text}\n{fused}");
        }
    });
}

/// Square matrices have one name for two sizes, of which one is gone through in strips.
#[test]
fn strips_of_square_matrices_are_short() {
    deep(|| {
        let strips = |text: &str| {
            let (_, program) = Workbench::new().read("m.arr", text).remove(0);
            let fused = nest(&program, &EXACT).expect("a nest");
            let lanes = |stmt: &Stmt| if let Stmt::Strips(strips, _) = stmt { Some(strips.lanes) } else { None };
            fused.body.iter().find_map(lanes).expect("strips")
        };
        let sums = "(v : array n real) : array n real := build n (fun i => ifold n (fun s j => s + ";
        assert_eq!(strips(&format!("def f {{n}} (a : array n (array n real)) {sums}a[i][j] * v[j]) 0)\n")), 8);
        assert_eq!(strips(&format!("def f {{n}} {sums}v[i] * v[j]) 0)\n")), 32);
    });
}

/// What is gathered, or changed in place, must be done once.
#[test]
fn rounds_that_gather_nothing_may_be_done_twice() {
    const CASES: &[(&str, usize)] = &[
        (
            "{n} (v : array n real) : array n real := build n (fun i => ifold n (fun s j => tanh (s + v[i] * v[j])) 0)",
            1,
        ),
        (
            "{n m} (v : array n (array m real)) : array n real := build n (fun i => ifold m (fun s j => s + exp v[i][j]) 0)",
            1,
        ),
        ("{n} (v : array n real) : real := ifold n (fun s i => s + exp v[i]) 0", 0),
        (
            "{n m} (v : array n (array m real)) : array m real := build m (fun j => ifold n (fun s i => s + exp v[i][j]) 0)",
            0,
        ),
        ("{n} (v : array n real) : real := ifold n (fun s i => max s (exp v[i])) 0", 0),
    ];
    deep(|| {
        for (text, count) in CASES {
            let (_, program) = Workbench::new().read("m.arr", &format!("def f {text}\n")).remove(0);
            let fused = nest(&program, &EXACT).expect("a nest");
            let bases: Vec<u32> = fused
                .body
                .iter()
                .filter_map(|stmt| if let Stmt::Strips(strips, _) = stmt { Some(strips.base) } else { None })
                .collect();
            assert!(!bases.is_empty(), "{text}");
            let found = bases.iter().filter(|base| repeatable(&fused, **base)).count();
            assert_eq!(found, *count, "{text}\n{}", nest_text("f", &fused));
        }
    });
}

/// The memory that scheduled gradients take doesn't grow with their data, and is a small part of what the program says.
#[test]
fn memory_is_a_strips() {
    deep(|| {
        let workbench = Workbench::new();
        let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
        let (_, schedule) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
        for (model, at) in [
            ("mixture", [("n", 10_000), ("d", 10), ("k", 5)]),
            ("kmeans", [("n", 10_000), ("d", 8), ("k", 10)]),
            ("perceptron", [("n", 10_000), ("d", 16), ("h", 16)]),
            ("logistic", [("n", 10_000), ("m", 100), ("", 0)]),
        ] {
            let programs = workbench.programs(&Path::new("models").join(format!("{model}.arr")));
            let (_, plain) = programs.iter().find(|(name, _)| name.ends_with(":gradient")).expect("a gradient");
            let done = run(&schedule, plain, &Budget::default(), cheaper_total).expect("a derivation");
            let Outcome::Success(term) = done.outcome else { panic!("{model}") };
            let program = plain.with(term);
            let more: Vec<(&str, u64)> =
                at.iter().map(|(name, n)| (*name, if *name == "n" { 2 * n } else { *n })).collect();
            let [fused, written] = [EXACT, NestForm::AsWritten].map(|form| nest(&program, &form).expect("a nest"));
            let [one, two] = [&at[..], &more].map(|all| memory(&fused, &sizes(&program, all)));
            assert_eq!(one, two, "{model}");
            let all = memory(&written, &sizes(&program, &at));
            assert!(one * 5 < all, "{model}: {one} of {all}");
        }
    });
}

#[test]
fn guards_are_asked_at_the_ends_of_loops_alone() {
    let text = "def heat {n} (x : array n real) : array n real := build n (fun i => x[i - 1 else 0] - x[i] + x[i + 1 else 0])
def grid {m n} (x : array m (array n real)) : array m (array n real) :=
  build m (fun i => build n (fun j => x[i - 1, j else 0] + x[i + 1, j else 0] - x[i, j - 1 else 0] + x[i, j + 1 else 0]))
def filter {n k} (x : array n real) (w : array (k + 1) real) : array n real :=
  build n (fun i => ifold (k + 1) (fun s j => s + w[j] * x[i + j - 1 else 0]) 0)
def sum {n} (x : array n real) : real := ifold n (fun s i => s * 0.5 + x[i - 1 else 0]) 0
";
    deep(move || {
        for (name, program) in Workbench::new().read("m.arr", text) {
            let sizes = sizes(&program, &[("n", 1000), ("m", 100), ("k", 4)]);
            let split = asked(&nest(&program, &EXACT).expect("a nest"), &sizes);
            let NestForm::Fused(style) = EXACT else { unreachable!() };
            let whole = NestForm::Fused(NestStyle { without: Some(Pass::SplitGuards), ..style });
            let whole = asked(&nest(&program, &whole).expect("a nest"), &sizes);
            assert!(split <= whole / 20, "{name}: {split}, where {whole} were asked");
        }
    });
}

/// One operation on neighbours is no dearer than a table of it; two are, and so is what three read or what a function makes.
#[test]
fn what_neighbours_read_is_kept_where_it_is_dear() {
    const CASES: &[(&str, u64)] = &[
        ("let d := build n (fun k => x[k + 1] - x[k]); build (n + 1) (fun i => d[i - 1 else 0] - d[i else 0])", 0),
        ("let d := build n (fun k => x[k + 1] * 3); build (n + 1) (fun i => d[i - 1 else 0] - 2 * d[i else 0])", 0),
        ("let d := build n (fun k => x[k + 1] - 2 * x[k]); build (n + 1) (fun i => d[i - 1 else 0] - d[i else 0])", 1),
        ("let d := build (n + 1) (fun k => x[k] * 3); build (n + 1) (fun i => d[n - i])", 0),
        ("let d := build n (fun k => exp x[k]); build (n + 1) (fun i => d[i - 1 else 0] - d[i else 0])", 1),
        (
            "let d := build n (fun k => x[k + 1] - x[k]); \
             build (n + 1) (fun i => d[i - 1 else 0] - d[i else 0] + d[i - 2 else 0])",
            1,
        ),
    ];
    for (body, arrays) in CASES {
        let text = format!("def f {{n}} (x : array (n + 1) real) : array (n + 1) real := {body}\n");
        let kept = deep(move || {
            let (_, program) = Workbench::new().read("m.arr", &text).remove(0);
            memory(&nest(&program, &EXACT).expect("a nest"), &sizes(&program, &[("n", 1000)]))
        });
        assert_eq!(kept, arrays * 1000, "{body}");
    }
}

/// Parts of a loop that was split have one index: what holds in the last part holds in that one alone.
#[test]
fn guards_hold_in_each_part_of_a_split_loop() {
    let text = "def parts {n m} (v : array n real) (w : array m real) : array n (array m real) :=
  build n (fun i => build m (fun j => ifold (m * n) (fun s k => s + ifold m (fun s l =>
    let y := if c : fin n := int l - 1 then (if i = c && j = l then 1 else 0)
      else (if i = k / m && j = k % m then 1 else 0);
    s + y) 0) 0))
";
    deep(move || {
        let (_, program) = Workbench::new().read("m.arr", text).pop().expect("a program");
        let inputs = r#"{"v": [0, 0], "w": [0, 0, 0]}"#;
        let (inputs, sizes) = inputs_from_json(&program, inputs, &[], &Budget::default()).expect("inputs");
        // Each place is asked for once where l is 0, and m·n times where it is the neighbour.
        let known = "[[1.0, 7.0, 1.0], [1.0, 1.0, 7.0]]";
        let (value, _) = evaluate(&program, &inputs, &sizes, &Budget::default()).expect("a value");
        assert_eq!(value_to_json(&value).to_string(), known);
        let lanes = blocks::value(&program, &inputs, &sizes, &Budget::default()).expect("a value");
        assert_eq!(value_to_json(&lanes).to_string(), known);
    });
}
