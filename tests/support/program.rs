//! The program as somebody runs it.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

/// The code with which it ends, and what it prints on both of its outputs, in order.
pub fn run(arguments: &[&str], input: &str, folder: &Path) -> (Option<i32>, String) {
    let (mut reader, writer) = io::pipe().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_redexter"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().unwrap())
        .stderr(writer)
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut output = String::new();
    thread::scope(|scope| {
        // A session that was left early doesn't read the rest.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        reader.read_to_string(&mut output).unwrap();
    });
    (child.wait().unwrap().code(), output)
}
