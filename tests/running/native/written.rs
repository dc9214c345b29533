//! C for others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use redexter::export::c::{CTarget, Caller};
use redexter::export::{c, nest_of};
use redexter::ground::Name;
use redexter::nest::Freedom;
use redexter_reference::cases;

use crate::has_compiler;
use crate::native::bits::{deep, each, shipped_programs};
use crate::native::read;

const C: CTarget = CTarget { caller: Caller::C, freedom: Freedom::Exact, vectors: 4, checked: false };

/// What `cc` with these arguments says.
fn cc(arguments: &[&Path], flags: &[&str]) -> String {
    let said = Command::new("cc").args(flags).args(arguments).args(["-lm"]).output().expect("cc");
    String::from_utf8_lossy(&said.stderr).into_owned()
}

const STRICT: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"];

#[test]
fn shipped_models_compile_without_a_warning() {
    if !has_compiler() {
        return;
    }
    deep(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut entries = Vec::new();
        for (k, (_, program)) in each(10, shipped_programs()).enumerate() {
            if nest_of(&Name::new("f"), &program, &C.form()).is_ok() {
                entries.push((Name::new(&format!("f{k}")), program));
            }
        }
        assert!(entries.len() as u64 > cases(6, 60), "{} entries", entries.len());
        let written = c("all", &entries, &C).expect("C");
        let [header, source] = ["all.h", "all.c"].map(|name| folder.path().join(name));
        fs::write(&header, &written.header).expect("a file");
        fs::write(&source, format!("#include \"all.h\"\n{}", written.source)).expect("a file");
        let said = cc(&[&source], &[&STRICT[..], &["-c", "-O1", "-o", "/dev/null"]].concat());
        assert!(said.is_empty(), "{said}");
    });
}

/// gcc copies functions for their callers.
#[test]
fn a_function_that_is_called_twice_compiles_without_a_warning() {
    if !has_compiler() {
        return;
    }
    let model = "def f {n k} (x : array n (array k real)) : array n real :=
  build n (fun i => log (ifold k (fun s j => s + exp x[i][j]) 0) + exp (ifold k (fun s j => s + exp (x[i][j] * x[i][j])) 0))
";
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("f.c");
    for freedom in [Freedom::Exact, Freedom::Fast] {
        let target = CTarget { freedom, ..C };
        deep({
            let source = source.clone();
            move || {
                let entries: Vec<_> = read(model).into_iter().map(|(_, program)| (Name::new("f"), program)).collect();
                fs::write(source, c("f", &entries, &target).expect("C").source).expect("a file");
            }
        });
        for effort in ["-O2", "-O3"] {
            let said = cc(&[&source], &["-std=gnu11", "-Wall", "-Wextra", "-c", effort, "-o", "/dev/null"]);
            assert!(said.is_empty(), "{effort}: {said}");
        }
    }
}

/// A caller that knows the header alone, compiled with what is exported of a model; neither gets a warning.
fn caller(folder: &Path, model: &'static str, target: CTarget, caller: &str) -> PathBuf {
    let written = deep(move || {
        let name = |name: &str| Name::new(name.rsplit(':').next().expect("a part"));
        let entries: Vec<_> = read(model).into_iter().map(|(own, program)| (name(&own), program)).collect();
        c("own", &entries, &target).expect("C")
    });
    let at = |name: &str| folder.join(name);
    fs::write(at("own.h"), &written.header).expect("a file");
    fs::write(at("own.c"), &written.source).expect("a file");
    fs::write(at("caller.c"), caller).expect("a file");
    let said = cc(&[&at("own.c"), &at("caller.c"), Path::new("-o"), &at("caller")], &STRICT);
    assert!(said.is_empty(), "{said}");
    at("caller")
}

/// `main`, `double`, `fabs`, `signed` and `while` mean something in C, as does `size_t`.
#[test]
fn names_of_c_and_its_library_are_free() {
    if !has_compiler() {
        return;
    }
    let model = "def main {t} (double : array t real) (fabs : real) : real * array t real :=
  (ifold t (fun signed i => signed + double[i]) fabs, build t (fun while => double[while] * fabs))
";
    let text = r#"
#include "own.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double v[3] = {1.0, 2.0, 4.0}, sum, all[3];
  void *arena = malloc(own_main_arena(3) + 1);
  own_main(3, v, 0.5, &sum, all, arena);
  printf("%g %g %g %g\n", sum, all[0], all[1], all[2]);
  free(arena);
  return 0;
}
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let said = Command::new(caller(folder.path(), model, C, text)).output().expect("the caller");
    assert_eq!(String::from_utf8_lossy(&said.stdout), "7.5 0.5 1 2\n");
}

/// Names that would be spelled alike, that end as the arena's or as C's types do, or that have no ASCII letter: each function
/// has a name of its own, and the header says whose it is.
#[test]
fn hostile_names_are_told_apart() {
    if !has_compiler() {
        return;
    }
    let names = [
        "g",
        "g'",
        "g''",
        "g_prime",
        "f",
        "f_arena",
        "f_arena_arena",
        "αβ",
        "ы",
        "ъ",
        "変",
        "x",
        "t",
        "t'",
        "T",
        "lambda",
        "floor",
        "times",
        "plus",
        "tgamma",
        "hypot",
        "max_align_t",
        "u44b",
        "v1",
        "v₁",
        "main",
        "H",
    ];
    let model: String = names
        .iter()
        .enumerate()
        .map(|(k, name)| {
            format!(
                "def {name} {{n n'}} (v v' : array n real) (w : array n' real) (b β beta : real) : real := v[0] * {k}\n"
            )
        })
        .collect::<String>()
        .replace("{n n'}", "{m n'}")
        .replace("array n real", "array (m + 1) real");
    let entries = read(&model);
    assert_eq!(entries.len(), names.len());
    let entries: Vec<_> = entries
        .into_iter()
        .map(|(own, program)| (Name::new(own.rsplit(':').next().expect("a part")), program))
        .collect();
    for prefix in ["own", "int64", "redexter", "size", "変", "", "9", "std", "REDEXTER_OWN"] {
        let folder = tempfile::tempdir().expect("a folder");
        let files = c(prefix, &entries, &C).expect("C");
        let functions: BTreeSet<&str> = files
            .header
            .lines()
            .filter_map(|line| line.strip_prefix("void ")?.split_once('(').map(|(name, _)| name))
            .collect();
        assert_eq!(functions.len(), names.len(), "{prefix}");
        let (header, source) = (folder.path().join("own.h"), folder.path().join("own.c"));
        fs::write(&header, &files.header).expect("a file");
        fs::write(&source, format!("#include \"own.h\"\n{}", files.source)).expect("a file");
        let said = cc(&[&source, Path::new("-c"), Path::new("-o"), &folder.path().join("own.o")], &STRICT);
        assert!(said.is_empty(), "{prefix}: {said}");
        for name in names.iter().filter(|name| name.contains('\'') || !name.is_ascii()) {
            assert_eq!(files.header.matches(&format!(" is {name}\n")).count(), 1, "{prefix}: {name}");
        }
    }
    // Their spellings are those that one would look for.
    let header = c("o", &entries, &C).expect("C").header;
    for name in ["o_g_prime_2", "o_alphabeta", "o_u44b", "o_u5909", "o_f_arena_2"] {
        assert!(header.contains(&format!("void {name}(")), "{name} in {header}");
    }
}

/// What is said of the arena is enough: behind it nothing is written.
#[test]
fn the_arena_is_as_large_as_is_said() {
    if !has_compiler() {
        return;
    }
    let model = "def f {n} (v : array n real) : array n real :=
  let t := build n (fun i => exp v[i]); let u := build n (fun i => ifold n (fun s j => s * 0.5 + t[j] * v[i]) 0);
  build n (fun i => ifold n (fun s j => s * 0.5 + u[j] + t[i]) 0)
";
    let text = r#"
#include "own.h"
#include <stdio.h>
static _Alignas(64) unsigned char arena[65536];
int main(void) {
  double v[64], all[64];
  for (int n = 1; n <= 64; n++) {
    for (int i = 0; i < n; i++) v[i] = 0.01 * i;
    size_t bytes = own_f_arena(n);
    for (size_t k = 0; k < sizeof arena; k++) arena[k] = 0xa5;
    own_f(n, v, all, arena);
    size_t used = sizeof arena;
    while (used > 0 && arena[used - 1] == 0xa5) used--;
    if (used > bytes) printf("%d: %zu of %zu bytes\n", n, used, bytes);
    if (n == 64) printf("%d\n", used >= 64 * 2 * sizeof(double));
  }
  return 0;
}
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let said =
        Command::new(caller(folder.path(), model, CTarget { vectors: 1, ..C }, text)).output().expect("the caller");
    assert_eq!(String::from_utf8_lossy(&said.stdout), "1\n");
}

/// Each access asks, those of whole vectors, too; an index that isn't one of the array is told.
#[test]
fn checked_c_ends_where_an_index_is_outside() {
    if !has_compiler() {
        return;
    }
    let model = "def at {n} (v : array n real) (i : fin n) : real := v[i]
def sums {n k} (v : array n real) (x : array n (array k real)) : array k real :=
  build k (fun j => ifold n (fun s i => s + v[i] * x[i][j]) 0)
";
    let text = r#"
#include "own.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  double v[40], x[80], sums[2], one;
  (void)argv;
  for (int k = 0; k < 80; k++) x[k] = v[k / 2] = 1.0;
  void *arena = malloc(own_sums_arena(40, 2) + 1);
  own_sums(40, 2, v, x, sums, arena);
  own_at(40, v, argc > 1 ? 41 : 39, &one, arena);
  printf("%g %g %g\n", sums[0], sums[1], one);
  free(arena);
  return 0;
}
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let program = caller(folder.path(), model, CTarget { checked: true, ..C }, text);
    let said = Command::new(&program).output().expect("the caller");
    assert_eq!(String::from_utf8_lossy(&said.stdout), "40 40 1\n");
    let said = Command::new(&program).arg("outside").output().expect("the caller");
    assert!(!said.status.success());
    assert_eq!(String::from_utf8_lossy(&said.stderr), "redexter: index 41 of 40\n");
}

/// gcc may make a mask of a branch that adds to a sum, take `0 - abs x` for `-(abs x)`, and add to a product as it rounds, where
/// the source doesn't keep it from that: so flags for speed alone are given.
#[test]
fn others_need_no_flag_for_the_evaluators_bits() {
    if !has_compiler() {
        return;
    }
    let model =
        "def idle {n} (v c : array n real) (x : real) : real := ifold n (fun s i => if c[i] < 0 then s + v[i] else s) x
def rows {n k} (v c : array n real) (x : array k real) : array k real :=
  build k (fun j => ifold n (fun s i => if c[i] < 0 then s + v[i] else s) x[j])
def below {k} (x : array k real) : array k real := build k (fun j => 0 - abs x[j])
def apart {k} (x y : array k real) : array k real := build k (fun j => x[j] * x[j] - y[j])
";
    let text = r#"
#include "own.h"
#include <math.h>
#include <stdio.h>
static double v[70], c[70], x[70], y[70], z[70], arena[4096];
static int negative(void) {
  int count = 0;
  for (int k = 0; k < 70; k++) count += signbit(z[k]) != 0;
  return count;
}
int main(void) {
  double sum;
  for (int k = 0; k < 70; k++) { v[k] = c[k] = 1.0; x[k] = -0.0; }
  own_idle(70, v, c, -0.0, &sum, arena);
  own_rows(70, 70, v, c, x, z, arena);
  printf("%d %d", signbit(sum) != 0, negative());
  own_below(70, x, z, arena);
  printf(" %d", negative());
  for (int k = 0; k < 70; k++) { x[k] = 1.0 + 0x1p-30; y[k] = x[k] * x[k]; }
  own_apart(70, x, y, z, arena);
  double all = 0.0;
  for (int k = 0; k < 70; k++) all += fabs(z[k]);
  printf(" %g\n", all);
  return 0;
}
"#;
    let folder = tempfile::tempdir().expect("a folder");
    for vectors in [1, 4] {
        caller(folder.path(), model, CTarget { vectors, ..C }, text);
        let [own, calls, made] = ["own.c", "caller.c", "caller"].map(|name| folder.path().join(name));
        for native in [&["-march=native"][..], &[]] {
            let object = folder.path().join("own.o");
            let flags = [&["-w", "-O3"][..], native].concat();
            let said = cc(&[&own, Path::new("-c"), Path::new("-o"), &object], &flags);
            if !said.is_empty() && !native.is_empty() {
                println!("skipped: {said}");
                continue;
            }
            assert_eq!(said, "");
            let said = cc(&[&calls, &object, Path::new("-o"), &made], &["-w", "-O0", "-ffp-contract=off"]);
            assert_eq!(said, "");
            let said = Command::new(&made).output().expect("the caller");
            assert_eq!(String::from_utf8_lossy(&said.stdout), "1 70 0 0\n", "{vectors} {native:?}");
        }
    }
}
