//! Transcripts of the REPL that check themselves: `tests/sessions/*.txt`, and those in the README, in LANGUAGE.md and in
//! DERIVATIONS.md.
//!
//! A line that begins with `> ` is typed, one with `| ` continues it, what follows is the answer; text above the first
//! `> ` is commentary. Each transcript is piped through the program in a folder of its own, which holds copies of
//! `models` and `strategies`. `UPDATE_GOLDEN=1 cargo test --test sessions` writes down what is answered now.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};

/// Printed after each answer, so that answers can be told apart.
const MARK: &str = "␞";

/// What opens and closes a transcript within a page.
const FENCES: (&str, &str) = ("```session\n", "```\n");

fn main() {
    let arguments = Arguments::from_args();
    let mut files: Vec<_> = fs::read_dir("tests/sessions").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let trial = |path: std::path::PathBuf| {
        Trial::test(path.file_stem().unwrap().to_string_lossy().into_owned(), move || check(&path))
    };
    let mut trials: Vec<Trial> = files.into_iter().map(trial).collect();
    trials.push(Trial::test("readme", || check_page(Path::new("README.md"))));
    trials.push(Trial::test("language", || check_page(Path::new("LANGUAGE.md"))));
    trials.push(Trial::test("derivations", || check_page(Path::new("DERIVATIONS.md"))));
    libtest_mimic::run(&arguments, trials).exit();
}

/// A page with transcripts in it, each a session of its own.
fn check_page(path: &Path) -> Result<(), Failed> {
    let page = fs::read_to_string(path)?;
    let (mut found, mut rest) = (String::new(), page.as_str());
    while let Some((before, after)) = rest.split_once(FENCES.0) {
        let (transcript, after) = after.split_once(FENCES.1).ok_or("a transcript doesn't end")?;
        found.push_str(&[before, FENCES.0, &replay(transcript)?, FENCES.1].concat());
        rest = after;
    }
    if found.is_empty() {
        return Err("the page has no transcript".into());
    }
    verify(path, &page, &(found + rest))
}

/// A line that is typed, and the answer to it.
struct Exchange {
    line: String,
    answer: String,
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    verify(path, &text, &replay(&text)?)
}

/// The transcript with the answers that are given now.
fn replay(text: &str) -> Result<String, Failed> {
    let (commentary, expected) = parse(text);
    let lines: Vec<&str> = expected.iter().map(|e| e.line.as_str()).collect();
    let answers = answers(&lines);
    let plain = run(&lines.join("\n"));
    if plain != answers.concat() {
        return Err(format!("without marks the program prints something else:\n{plain}").into());
    }
    let found = lines.iter().zip(&answers).map(|(line, answer)| written(line, answer)).collect::<String>();
    Ok(format!("{commentary}{found}"))
}

/// Compares a file with what it should be, or writes that down.
fn verify(path: &Path, text: &str, found: &str) -> Result<(), Failed> {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, found)?;
    } else if found != text {
        let diff = similar::TextDiff::from_lines(text, found);
        return Err(format!("the answers differ\n{}", diff.unified_diff().header("expected", "found")).into());
    }
    Ok(())
}

fn parse(text: &str) -> (String, Vec<Exchange>) {
    let mut commentary = String::new();
    let mut exchanges: Vec<Exchange> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(typed) = line.strip_prefix("> ") {
            exchanges.push(Exchange { line: typed.trim_end().to_owned(), answer: String::new() });
        } else if let (Some(more), Some(last)) = (line.strip_prefix("| "), exchanges.last_mut()) {
            last.line.push('\n');
            last.line.push_str(more.trim_end());
        } else {
            exchanges.last_mut().map_or(&mut commentary, |last| &mut last.answer).push_str(line);
        }
    }
    (commentary, exchanges)
}

fn written(line: &str, answer: &str) -> String {
    format!("> {}\n{answer}", line.replace('\n', "\n| "))
}

/// The answer to each line. The last line has no mark after it: it may be unfinished.
fn answers(lines: &[&str]) -> Vec<String> {
    let marked = lines.join(&format!("\nprint(\"{MARK}\")\n"));
    let all = run(&marked);
    let mut answers: Vec<String> = all.split(&format!("{MARK}\n")).map(str::to_owned).collect();
    answers.resize(lines.len(), String::new());
    answers
}

/// What the program prints on both of its outputs, in order.
fn run(input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for name in ["models", "strategies"] {
        copy(Path::new(name), &folder.path().join(name)).unwrap();
    }
    let (mut reader, writer) = io::pipe().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_redexter"))
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().unwrap())
        .stderr(writer)
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let feed = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let mut output = String::new();
    reader.read_to_string(&mut output).unwrap();
    // A session that was left early doesn't read the rest.
    drop(feed.join().unwrap());
    assert_eq!(child.wait().unwrap().code(), Some(0), "the REPL ends with code 0");
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
