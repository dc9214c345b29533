//! Compilers that aren't there, fail, or know less; what they made, damaged; limits.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::PermissionsExt;
use std::rc::Rc;

use redexter::eval::{Sizes, Value};
use redexter::ground::{Budget, Name, Trouble};
use redexter::native::{CCompiler, CodeCache, Native};
use redexter::nest::Freedom;
use redexter::term::Program;

use crate::has_compiler;
use crate::native::{natively, read};

/// The only program of a text.
fn the(text: &str) -> Program {
    read(text).remove(0).1
}

fn twice() -> Program {
    the("def twice (x : real) : real := x + x\n")
}

fn value(native: &Native) -> Value {
    native.run(&[Value::Real(1.5)], &Sizes::default(), &Budget::default()).expect("a value")
}

#[test]
fn without_a_compiler_there_is_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = twice();
    let (missing, cache) = (CCompiler::named("no-such-compiler"), CodeCache::at(folder.path()));
    let native = Native::new(&Name::new("twice"), &program, &missing, &cache, &Budget::default()).expect("no error");
    assert_eq!(native.err().as_deref(), Some("there is no compiler `no-such-compiler`"));
    if has_compiler() {
        let native = Native::new(&Name::new("twice"), &program, &CCompiler::named("false"), &cache, &Budget::default());
        let reason = native.expect("no error").err().expect("a reason");
        let kept =
            fs::read_dir(folder.path()).expect("a folder").next().expect("the C is kept").expect("a file").path();
        assert_eq!(reason, format!("the compiler `false` failed on {}: it says nothing", kept.display()));
    }
}

fn assert_doubles(compiler: &CCompiler) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = twice();
    let native =
        Native::new(&Name::new("twice"), &program, compiler, &CodeCache::at(folder.path()), &Budget::default());
    assert!(value(&native.expect("no error").expect("code")).same(&Value::Real(3.0)));
}

#[test]
fn a_compiler_may_have_arguments() {
    if !has_compiler() {
        return;
    }
    assert_doubles(&CCompiler::named("cc -DREDEXTER_OWN=1"));
}

#[test]
fn a_compiler_may_not_know_all_that_gcc_does() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("other");
    let refuses = r#"case "$*" in *-fira-region*|*-fpeel-loops*|*-march=native*) echo "error: unknown argument" >&2; exit 1;; esac"#;
    fs::write(&other, format!("#!/bin/sh\n{refuses}\nexec cc \"$@\"\n")).expect("a file");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).expect("a program");
    for freedom in [Freedom::Exact, Freedom::Fast] {
        assert_doubles(&CCompiler::named(&other.to_string_lossy()).with(freedom));
    }
}

#[test]
fn a_broken_library_is_made_anew() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = twice();
    let run = || assert!(value(&natively("twice", &program, folder.path()).expect("code")).same(&Value::Real(3.0)));
    run();
    let files = || fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("a file").path());
    assert_eq!(files().count(), 2, "a library and its source");
    for file in files().collect::<Vec<_>>() {
        let before = fs::read(&file).expect("a file");
        fs::write(&file, &before[..before.len() / 2]).expect("a file");
        run();
        assert!(fs::read(&file).expect("a file") == before || file.extension().is_some_and(|e| e == "so"));
    }
    // A file that is made anew is another one; of one that is used only its time changes.
    let numbers = || files().map(|file| fs::metadata(file).expect("a file").ino()).collect::<Vec<_>>();
    let whole = numbers();
    run();
    assert_eq!(numbers(), whole);
}

/// A library that was put in the place of another one isn't taken for it.
#[test]
fn a_library_of_another_program_is_made_anew() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (twice, thrice) = (the("def f (x : real) : real := x + x\n"), the("def f (x : real) : real := x + x + x\n"));
    let libraries = || {
        let files = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("a file").path());
        files.filter(|file| file.extension().is_some_and(|e| e == "so")).collect::<Vec<_>>()
    };
    drop(natively("f", &twice, folder.path()).expect("code"));
    let first = libraries().remove(0);
    drop(natively("f", &thrice, folder.path()).expect("code"));
    let second = libraries().into_iter().find(|file| *file != first).expect("another library");
    fs::copy(second, &first).expect("a copy");
    assert!(value(&natively("f", &twice, folder.path()).expect("code")).same(&Value::Real(3.0)));
}

/// Code that one compiler made isn't another one's: whoever compares two of them gets what each makes.
#[test]
fn what_another_compiler_made_is_not_taken() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = twice();
    let made = |compiler: &CCompiler| {
        Native::new(&Name::new("twice"), &program, compiler, &CodeCache::at(folder.path()), &Budget::default())
            .expect("no error")
    };
    assert!(value(&made(&CCompiler::named("cc")).expect("code")).same(&Value::Real(3.0)));
    assert!(made(&CCompiler::named("false")).is_err());
    assert!(value(&made(&CCompiler::named("cc")).expect("code")).same(&Value::Real(3.0)));
}

#[test]
fn what_is_too_large_is_refused_with_the_numbers() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = the("def all {n} (x : real) : array n (array n real) := build n (fun i => build n (fun j => x))\n");
    let native = natively("all", &program, folder.path()).expect("code");
    for n in [20_000, 1 << 40, 1 << 62] {
        let sizes: Sizes = [(Name::new("n"), n)].into_iter().collect();
        let wrong = native.run(&[Value::Real(1.0)], &sizes, &Budget::default()).expect_err("too large");
        let Trouble::Wrong(all) = wrong else { panic!("{wrong:?}") };
        let numbers = (n as u128).pow(2);
        let told = if numbers > u64::MAX.into() { format!("at least {}", u64::MAX) } else { numbers.to_string() };
        assert!(all[0].headline.contains(&format!("the result has {told} numbers")), "{:?}", all[0]);
    }
}

/// What is shown of loops holds where no sum of indices wraps.
#[test]
fn sizes_that_no_array_has_are_refused() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = the("def more {n} (x : real) : real := x + real n\n");
    let native = natively("more", &program, folder.path()).expect("code");
    let run = |n: u64| {
        let sizes: Sizes = [(Name::new("n"), n)].into_iter().collect();
        native.run(&[Value::Real(1.0)], &sizes, &Budget::default())
    };
    let said = |wrong: Trouble| match wrong {
        Trouble::Wrong(all) => all[0].headline.clone(),
        wrong => panic!("{wrong:?}"),
    };
    assert!(run((1 << 48) - 1).is_ok());
    assert!(said(run(1 << 48).expect_err("too large")).contains("size `n` is 281474976710656"));
    // An array that has no elements may be long in the other direction.
    let text =
        "def none {n m} (x : real) : array m (array (n * n) real) := build m (fun i => build (n * n) (fun j => x))\n";
    let program = the(text);
    let native = natively("none", &program, folder.path()).expect("code");
    let run = |n: u64| {
        let sizes: Sizes = [(Name::new("n"), n), (Name::new("m"), 0)].into_iter().collect();
        native.run(&[Value::Real(1.0)], &sizes, &Budget::default())
    };
    assert!(run(3).is_ok());
    assert!(
        said(run(1 << 30).expect_err("too large")).contains("in native code it may be at most 1152921504606846975")
    );
}

/// A loop that would take years ends with its budget.
#[test]
fn a_budget_ends_native_code() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let text = "def long {n} (x : real) : real := ifold n (fun a i => ifold n (fun b j => sin b + a) a) x\n";
    let program = the(text);
    let native = natively("long", &program, folder.path()).expect("code");
    let sizes: Sizes = [(Name::new("n"), 1 << 30)].into_iter().collect();
    let budget = Budget::default().asked_at_most(3, Rc::default());
    let ended = native.run(&[Value::Real(1.0)], &sizes, &budget);
    assert!(matches!(ended, Err(Trouble::Stopped { .. })), "{ended:?}");
}
