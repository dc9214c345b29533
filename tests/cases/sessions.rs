//! Transcripts of the REPL that check themselves: `tests/sessions/*.txt`, and the documents.
//!
//! Text above the first line that is typed is commentary. Each transcript is replayed in a folder of its own, which holds
//! `models` and `strategies`, by the library and by the program, which have to say the same. The documents are checked
//! by `redexter check`. `UPDATE_GOLDEN=1 cargo test --test cases '[sessions]'` writes down what is answered now.

use crate::support::{program, session};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use libtest_mimic::{Failed, Trial};
use redexter::document;
use redexter::ground::{Nesting, with_stack};
use redexter::session::MemorySystem;
use redexter::session::SilentSink;

/// The REPL's stack lets things nest so deep.
const DEEPEST: u32 = 400_000;

const DOCUMENTS: [&str; 13] = [
    "README.md",
    "DERIVATIONS.md",
    "docs/backpropagation.md",
    "docs/cli.md",
    "docs/how-to.md",
    "docs/language.md",
    "docs/native.md",
    "docs/paper.md",
    "docs/repl.md",
    "docs/reverse_mode.md",
    "docs/strategies.md",
    "docs/termination.md",
    "docs/tutorial.md",
];

pub fn trials() -> Vec<Trial> {
    let mut files: Vec<_> = fs::read_dir("tests/sessions").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let trial =
        |path: PathBuf| Trial::test(path.file_stem().unwrap().to_string_lossy().into_owned(), move || check(&path));
    let mut trials: Vec<Trial> = files.into_iter().map(trial).collect();
    trials.extend(DOCUMENTS.map(|page| Trial::test(page, move || check_page(page))));
    trials
}

fn updates() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// A document, as everybody can check it.
fn check_page(page: &str) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redexter"));
    command.args(["check", page]).args(updates().then_some("--update"));
    let done = command.output()?;
    if done.status.success() { Ok(()) } else { Err(String::from_utf8(done.stderr)?.into()) }
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let transcript = text.clone();
    let found = with_stack(DEEPEST, move || replay(&transcript))??;
    let is_typed = |line: &&str| line.starts_with("> ") || line.starts_with("| ");
    let typed: String = found.split_inclusive('\n').filter(is_typed).map(|line| &line[2..]).collect();
    let answers = found.split_inclusive('\n').skip_while(|line| !is_typed(line)).filter(|line| !is_typed(line));
    let (answers, program) = (answers.collect::<String>(), run(&typed));
    if answers != program {
        let diff = similar::TextDiff::from_lines(&answers, &program);
        return Err(format!("the program differs\n{}", diff.unified_diff().header("library", "program")).into());
    }
    verify(path, &text, &found)
}

/// The transcript with the answers that are given now.
fn replay(transcript: &str) -> Result<String, String> {
    let memory = MemorySystem::default();
    for name in ["models", "strategies"] {
        put(&memory, Path::new(name)).map_err(|e| e.to_string())?;
    }
    let session = session::session(memory, Nesting { terms: DEEPEST, ..Nesting::default() }, SilentSink);
    document::replay(&session, transcript).map_err(|trouble| format!("{trouble:?}"))
}

fn put(memory: &MemorySystem, folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            put(memory, &path)?;
        } else {
            memory.put(&path, &fs::read(&path)?);
        }
    }
    Ok(())
}

/// Compares a file with what it should be, or writes that down.
fn verify(path: &Path, text: &str, found: &str) -> Result<(), Failed> {
    if updates() {
        fs::write(path, found)?;
    } else if found != text {
        let diff = similar::TextDiff::from_lines(text, found);
        return Err(format!("the answers differ\n{}", diff.unified_diff().header("expected", "found")).into());
    }
    Ok(())
}

/// What the program prints on both of its outputs, in order.
fn run(input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for name in ["models", "strategies"] {
        copy(Path::new(name), &folder.path().join(name)).unwrap();
    }
    let (code, output) = program::run(&[], input, folder.path());
    assert_eq!(code, Some(0), "the REPL ends with code 0");
    output
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
