//! C for others.

use std::fs;
use std::path::Path;
use std::process::Command;

use redexter::export::c::{Caller, Target};
use redexter::export::{c, nest_of};
use redexter::ground::Name;
use redexter::nest::Freedom;

use crate::bits::{deep, shipped_programs};
use crate::{has_compiler, read};

const C: Target = Target { caller: Caller::C, freedom: Freedom::Exact, vectors: 4 };

/// What `cc` with these arguments says.
fn cc(arguments: &[&Path], flags: &[&str]) -> String {
    let said = Command::new("cc").args(flags).args(arguments).args(["-lm"]).output().expect("cc");
    String::from_utf8_lossy(&said.stderr).into_owned()
}

const STRICT: [&str; 6] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"];

#[test]
fn shipped_models_compile_without_a_warning() {
    if !has_compiler() {
        return;
    }
    deep(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut entries = Vec::new();
        for (k, (_, program)) in shipped_programs().into_iter().enumerate() {
            if nest_of(&Name::new("f"), &program, &C.form()).is_ok() {
                entries.push((Name::new(&format!("f{k}")), program));
            }
        }
        assert!(entries.len() > 60, "{} entries", entries.len());
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
        let target = Target { freedom, ..C };
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

/// A caller that knows the header alone. `main`, `double`, `fabs`, `signed` and `while` mean something in C, as does `size_t`.
#[test]
fn names_of_c_and_its_library_are_free() {
    if !has_compiler() {
        return;
    }
    let model = "def main {t} (double : array t real) (fabs : real) : real * array t real :=
  (ifold t (fun signed i => signed + double[i]) fabs, build t (fun while => double[while] * fabs))
";
    let caller = r#"
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
    let written =
        deep(move || c("own", &read(model).into_iter().map(|(_, p)| (Name::new("main"), p)).collect::<Vec<_>>(), &C));
    let written = written.expect("C");
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("own.h"), &written.header).expect("a file");
    fs::write(at("own.c"), &written.source).expect("a file");
    fs::write(at("caller.c"), caller).expect("a file");
    let said = cc(&[&at("own.c"), &at("caller.c"), Path::new("-o"), &at("caller")], &STRICT);
    assert!(said.is_empty(), "{said}");
    let said = Command::new(at("caller")).output().expect("the caller");
    assert_eq!(String::from_utf8_lossy(&said.stdout), "7.5 0.5 1 2\n");
}
