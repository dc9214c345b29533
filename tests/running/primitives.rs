//! Each primitive of the table in each way of running, on numbers at which they are awkward: the evaluator's bits in blocks and
//! in native code, its values in exported C.

use std::fs;
use std::path::Path;
use std::process::Command;

use redexter::blocks::Blocks;
use redexter::eval::{Sizes, Value, evaluate};
use redexter::export::c::{CTarget, Caller};
use redexter::ground::{Budget, Name};
use redexter::nest::Freedom;
use redexter::term::{MetaType, Overload, Prim, Program, Size, SizeBounds, Term, Type};

use crate::has_compiler;
use crate::native::{natively, read};
use crate::support::bits::deep;

const REALS: [f64; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.5,
    -0.75,
    0.999999,
    17.25,
    -3.25,
    22.0,
    -20.5,
    100.25,
    710.5,
    -745.5,
    1e-9,
    -1e-300,
    1e15,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

const INTS: [i64; 14] = [i64::MIN, i64::MIN + 1, -(1 << 32), -7, -3, -2, -1, 0, 1, 2, 3, 7, 1 << 32, i64::MAX];

/// Indices are below this.
const BELOW: u64 = 7;

/// The type of an operand, and how many values there are for it.
fn operand(ty: &MetaType) -> (Type, usize) {
    match ty {
        MetaType::Real => (Type::real(), REALS.len()),
        MetaType::Int => (Type::int(), INTS.len()),
        MetaType::Fin(_) => (Type::fin(Size::literal(BELOW)), BELOW as usize),
        other => panic!("{other:?} is no number"),
    }
}

fn value(ty: &MetaType, k: usize) -> Value {
    match ty {
        MetaType::Real => Value::Real(REALS[k]),
        MetaType::Int => Value::Int(INTS[k]),
        _ => Value::Index(k as u64),
    }
}

/// `build n (fun i => p v[i] w[i])`, and arrays in which each value of one operand meets each of the other.
fn everywhere(prim: Prim, overload: &Overload) -> (Program, Vec<Value>, Sizes) {
    let types = overload.operands();
    let all: Vec<(Type, usize)> = types.iter().map(operand).collect();
    let n = Size::var(&Name::new("n"));
    let below = Type::fin(n.clone());
    let arrays: Vec<Type> = all.iter().map(|(ty, _)| Type::array(n.clone(), ty.clone())).collect();
    let element = |k: usize| {
        let array = Term::var((types.len() - k) as u32, &arrays[k]);
        Term::get(array, Term::var(0, &below)).expect("an element")
    };
    let applied = Term::prim(prim, (0..types.len()).map(element).collect()).expect("a number");
    let index = Term::lam(&Name::new("i"), &below, applied).expect("a function");
    let build = Term::build(n, index).expect("an array");
    let term = arrays
        .iter()
        .enumerate()
        .rev()
        .fold(build, |body, (k, ty)| Term::lam(&Name::new(["v", "w"][k]), ty, body).expect("a function"));
    let (first, second) = (all[0].1, all.get(1).map_or(1, |(_, count)| *count));
    let values = |k: usize| {
        let at = |j: usize| if k == 0 { j % first } else { j / first };
        Value::array((0..first * second).map(|j| value(&types[k], at(j))).collect())
    };
    let sizes = [(Name::new("n"), (first * second) as u64)].into_iter().collect();
    (Program { term, bounds: SizeBounds::default() }, (0..types.len()).map(values).collect(), sizes)
}

/// All primitives with their overloads, each by a name.
fn all() -> Vec<(String, Program, Vec<Value>, Sizes)> {
    let each = |prim: &Prim| {
        let prim = if let Prim::Offset(_) = prim { Prim::Offset(3) } else { *prim };
        let named = move |(k, overload)| {
            let (program, inputs, sizes) = everywhere(prim, overload);
            (format!("{prim:?}_{k}").replace(['(', ')'], ""), program, inputs, sizes)
        };
        prim.overloads().iter().enumerate().map(named).collect::<Vec<_>>()
    };
    Prim::ALL.iter().flat_map(each).collect()
}

fn evaluated(program: &Program, inputs: &[Value], sizes: &Sizes) -> Value {
    evaluate(program, inputs, sizes, &Budget::default()).expect("a value").0
}

fn same(name: &str, way: &str, found: &Value, expected: &Value) {
    let (Value::Array(found), Value::Array(expected)) = (found, expected) else { panic!("arrays") };
    for (k, (found, expected)) in found.items().zip(expected.items()).enumerate() {
        assert!(found.same(&expected), "{name} {way}, number {k}: {found:?}, not {expected:?}");
    }
}

#[test]
fn each_primitive_has_the_evaluators_bits_in_blocks_and_native_code() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, program, inputs, sizes) in all() {
        let expected = evaluated(&program, &inputs, &sizes);
        let blocks = Blocks::new(&program).unwrap_or_else(|| panic!("{name}: no nest"));
        let found = blocks.run(&inputs, &sizes, &Budget::default()).expect("a value");
        same(&name, "in blocks", &found.unwrap_or_else(|| panic!("{name}: no instruction")), &expected);
        if has_compiler() {
            let native = natively(&name, &program, folder.path()).expect("code");
            let found = native.run(&inputs, &sizes, &Budget::default()).expect("a value");
            same(&name, "in native code", &found, &expected);
        }
    }
}

/// The numbers of an array as words in C.
fn words(name: &str, array: &Value) -> String {
    let Value::Array(all) = array else { panic!("an array") };
    let word = |item: &Value| match item {
        Value::Real(x) => x.to_bits(),
        Value::Int(k) => *k as u64,
        Value::Index(k) => *k,
        other => panic!("{other:?}"),
    };
    let all: Vec<String> = all.items().map(|item| format!("UINT64_C({})", word(&item))).collect();
    format!("  static const uint64_t {name}[] = {{{}}};\n", all.join(", "))
}

/// What a caller in C is told, as words.
fn called(folder: &Path, entries: &[(String, Program, Vec<Value>, Sizes)], vectors: u32) -> Vec<Vec<u64>> {
    let target = CTarget { caller: Caller::C, freedom: Freedom::Exact, vectors, checked: false };
    let named: Vec<(Name, Program)> =
        entries.iter().map(|(name, program, ..)| (Name::new(name), program.clone())).collect();
    let written = redexter::export::c("own", &named, &target).expect("C");
    let mut text = "#include \"own.h\"\n#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n".to_owned();
    for (k, (name, _, inputs, sizes)) in entries.iter().enumerate() {
        let n = sizes.get(&Name::new("n")).expect("a size");
        text += " {\n";
        let arrays: Vec<String> = (0..inputs.len()).map(|k| format!("in{k}")).collect();
        arrays.iter().zip(inputs).for_each(|(array, input)| text += &words(array, input));
        let given: Vec<String> = arrays.iter().map(|array| format!("(const void *){array}")).collect();
        text += &format!(
            "  uint64_t *out = calloc({n}, 8);\n  void *arena = malloc(own_{name}_arena({n}) + 8);\n  own_{name}({n}, {}, (void \
             *)out, arena);\n  for (int j = 0; j < {n}; j++) printf(\"{k} %llu\\n\", (unsigned long long)out[j]);\n",
            given.join(", ")
        );
        text += "  free(out); free(arena);\n }\n";
    }
    text += "  return 0;\n}\n";
    let at = |name: &str| folder.join(name);
    fs::write(at("own.h"), written.header).expect("a file");
    fs::write(at("own.c"), written.source).expect("a file");
    fs::write(at("caller.c"), text).expect("a file");
    let flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1"];
    let files = [at("own.c"), at("caller.c")];
    let said = Command::new("cc").args(flags).args(files).arg("-o").arg(at("caller")).arg("-lm").output().expect("cc");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said = Command::new(at("caller")).output().expect("the caller");
    let mut found = vec![Vec::new(); entries.len()];
    for line in String::from_utf8_lossy(&said.stdout).lines() {
        let (k, word) = line.split_once(' ').expect("a number and a word");
        found[k.parse::<usize>().expect("a number")].push(word.parse().expect("a word"));
    }
    found
}

/// Functions of C's library round in their own way; all else is the evaluator's.
#[test]
fn each_primitive_has_the_evaluators_values_in_exported_c() {
    if !has_compiler() {
        return;
    }
    for vectors in [1, 4] {
        let entries = all();
        let folder = tempfile::tempdir().expect("a folder");
        let found = deep({
            let path = folder.path().to_owned();
            move || called(&path, &all(), vectors)
        });
        for ((name, program, inputs, sizes), words) in entries.iter().zip(found) {
            let Value::Array(expected) = evaluated(program, inputs, sizes) else { panic!("an array") };
            assert_eq!(expected.len(), words.len(), "{name}");
            for (k, (expected, word)) in expected.items().zip(words).enumerate() {
                let is_near = match *expected {
                    Value::Real(x) => near(x, f64::from_bits(word)),
                    Value::Int(x) => x as u64 == word,
                    Value::Index(x) => x == word,
                    ref other => panic!("{other:?}"),
                };
                assert!(is_near, "{name}, number {k}, with vectors of {vectors}: {word:#x}, not {expected:?}");
            }
        }
    }
}

/// The same number up to a few roundings, the same infinity, or both NaN.
fn near(a: f64, b: f64) -> bool {
    let close = (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(f64::MIN_POSITIVE);
    a.to_bits() == b.to_bits() || a == b && a != 0.0 || a.is_nan() && b.is_nan() || close && (a != 0.0 || b != 0.0)
}

/// Sums of exponentials and their slopes, where these overflow and at infinities.
const SMOOTH: &str = "
def softpluses {n} (v w : array n real) : array n real := build n (fun i => softplus v[i] - deriv softplus w[i])
def sigmoids {n} (v w : array n real) : array n real := build n (fun i => sigmoid v[i] - deriv sigmoid w[i])
def sums {n} (v w : array n real) : array n real := build n (fun i => logAddExp v[i] w[i])
def slopes {n} (v w : array n real) : array n real := build n (fun i => deriv (fun x => logAddExp x w[i]) v[i])
def largest {n} (v w : array n real) : array n real := build n (fun i => logSumExp [v[i], w[i]])
def shares {n} (v w : array n real) : array n real := build n (fun i => (grad logSumExp [v[i], w[i]])[1])
def powers {n} (v w : array n real) : array n real := build n (fun i => deriv (fun x => x ^ (x * w[i])) v[i])
";

#[test]
fn smooth_functions_are_the_evaluators() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = read(SMOOTH);
    assert_eq!(all.len(), 7);
    let (_, inputs, sizes) = everywhere(Prim::Atan2, &Prim::Atan2.overloads()[0]);
    for (name, program) in all {
        let expected = evaluated(&program, &inputs, &sizes);
        let found = Blocks::new(&program).expect("a nest").run(&inputs, &sizes, &Budget::default()).expect("a value");
        same(&name, "in blocks", &found.expect("instructions"), &expected);
        if has_compiler() {
            let native = natively("f", &program, folder.path()).expect("code");
            same(
                &name,
                "in native code",
                &native.run(&inputs, &sizes, &Budget::default()).expect("a value"),
                &expected,
            );
        }
    }
}
