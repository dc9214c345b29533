//! The program as a shell sees it: exit codes, outputs, files, signals.

mod answers;
mod arrays;
mod asking;
mod bench;
mod codes;
mod documents;
mod files;
mod grading;
mod grammar;
mod handout;
mod learn;
mod left_open;
mod limits;
mod nests;
mod overwriting;
mod resume;
mod security;
mod several;
#[cfg(unix)]
mod signals;
mod thorough;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const MODEL: &str = "def total {n} (v : array n real) : real :=\n  ifold n (fun acc i => acc + v[i]) 0\n\n\
                     def gradient {n} (v : array n real) : array n real :=\n  grad total v\n";

/// A folder with a model in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.arr"), MODEL).unwrap();
    folder
}

fn redexter(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redexter"));
    command.current_dir(folder).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    redexter(folder.path()).args(arguments).output().unwrap()
}

/// Runs a script with this text.
fn script(folder: &TempDir, text: &str, arguments: &[&str]) -> Output {
    fs::write(folder.path().join("s.strat"), text).unwrap();
    run(folder, &[&["run", "s.strat"], arguments].concat())
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn ends(output: &Output, code: i32, said: &str) {
    assert_eq!(output.status.code(), Some(code), "{}", err(output));
    assert!(err(output).contains(said), "`{said}` isn't in: {}", err(output));
}
