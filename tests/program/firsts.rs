//! First inputs of people who come from elsewhere: they do what is meant, or get an error whose help can be typed.
//!
//! `tests/firsts/README.md` says how the entries are written. `UPDATE_GOLDEN=1 cargo test --test program firsts` writes down what
//! is answered now.

use crate::remedies::{Finding, findings, replaced};
use crate::support::program;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

/// Of a hundred inputs, so many at least must be understood.
const PERCENT: usize = 95;
/// So many inputs at least.
const INPUTS: usize = 150;

/// Printed between answers.
const MARK: &str = "␞";

/// What a session has before its first line.
const BEFORE: &[&str] = &[
    ":load models/vector_sum.arr",
    ":load models/dot.arr",
    "let t = term(\"fun (x y : real) => (x * 1, y + 0)\");",
    "t",
];

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Prompt,
    Pending,
    Model,
    Script,
}

const PLACES: [(&str, Place); 4] =
    [("prompt", Place::Prompt), ("pending", Place::Pending), ("model", Place::Model), ("script", Place::Script)];

/// What is pending before a line, where something is.
const PENDING: &str = ":step normalize(mulOne <+ addZero)";

/// What is typed, and what its author means.
struct Entry {
    place: Place,
    means: String,
    typed: Vec<String>,
    /// The same in words of Redexter.
    ours: Vec<String>,
}

/// What came of a text.
#[derive(Clone, PartialEq)]
struct Outcome {
    /// What is shown.
    answer: String,
    /// What it does, as far as it can be seen; that of an error is nothing.
    does: String,
    wrong: bool,
}

#[test]
fn first_inputs_are_understood() {
    let mut files: Vec<PathBuf> = fs::read_dir("tests/firsts").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let texts: Vec<String> = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let read: Vec<(String, Vec<Entry>)> = texts.iter().map(|text| entries(text)).collect();
    let all: Vec<&Entry> = read.iter().flat_map(|(_, entries)| entries).collect();
    let mut answers = answers(&all).into_iter();
    let (mut marks, mut differing, mut missed) = (Vec::new(), String::new(), String::new());
    for ((path, text), (head, entries)) in files.iter().zip(&texts).zip(&read) {
        let mut found = head.clone();
        for entry in entries {
            let (mark, answer) = answers.next().unwrap();
            if mark != "works" && mark != "remedy" {
                writeln!(missed, "{mark}: {}", entry.typed.join("⏎")).unwrap();
            }
            marks.push(mark);
            found.push_str(&written(entry, mark, &answer));
        }
        if env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(path, found).unwrap();
        } else if found != *text {
            let diff = similar::TextDiff::from_lines(text.as_str(), &found);
            differing.push_str(&diff.unified_diff().header(&path.to_string_lossy(), "found").to_string());
        }
    }
    assert!(differing.is_empty(), "the answers differ\n{differing}");
    let count = |mark: &str| marks.iter().filter(|m| **m == mark).count();
    let (works, remedy, error, silent) = (count("works"), count("remedy"), count("error"), count("silent"));
    println!(
        "{} inputs: {works} work, {remedy} get a remedy, {error} an error alone, {silent} something else",
        marks.len()
    );
    assert!(marks.len() >= INPUTS, "{} inputs are too few", marks.len());
    assert_eq!(silent, 0, "something else is done silently\n{missed}");
    let enough = (works + remedy) * 100 >= marks.len() * PERCENT;
    assert!(enough, "{works} work and {remedy} get a remedy, of {}\n{missed}", marks.len());
}

/// The text above the first entry, and the entries.
fn entries(text: &str) -> (String, Vec<Entry>) {
    let mut head = String::new();
    let mut all: Vec<Entry> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("== ") {
            let (kind, means) = title.split_once(": ").expect("`: ` before what is meant");
            let place = kind.split(' ').next().unwrap_or("");
            let (_, place) = PLACES.into_iter().find(|(name, _)| *name == place).expect("a place");
            all.push(Entry { place, means: means.to_owned(), typed: Vec::new(), ours: Vec::new() });
        } else if let Some(entry) = all.last_mut() {
            let typed =
                |sign: &str| line.strip_prefix(sign).map(|rest| rest.strip_prefix(' ').unwrap_or(rest).to_owned());
            entry.typed.extend(typed(">"));
            entry.ours.extend(typed("="));
        } else {
            head.push_str(&format!("{line}\n"));
        }
    }
    (head, all)
}

fn written(entry: &Entry, mark: &str, answer: &str) -> String {
    let (place, _) = PLACES.into_iter().find(|(_, place)| *place == entry.place).unwrap();
    let lines = |sign: &str, lines: &[String]| {
        lines.iter().map(|line| format!("{sign} {line}").trim_end().to_owned() + "\n").collect::<String>()
    };
    let (typed, ours) = (lines(">", &entry.typed), lines("=", &entry.ours));
    // What is answered is indented, so that no line of it begins an entry or an input.
    let answer: String = answer.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect();
    format!("== {place} {mark}: {}\n{typed}{ours}{answer}\n", entry.means)
}

/// The marks and answers, found on as many threads as there are cores.
fn answers(all: &[&Entry]) -> Vec<(&'static str, String)> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![("", String::new()); all.len()]));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let folder = folder();
                while let Some((k, entry)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|k| Some((k, all.get(k)?)))
                {
                    let answer = judged(entry, folder.path());
                    found.lock().unwrap()[k] = answer;
                }
            });
        }
    });
    found.into_inner().unwrap()
}

fn judged(entry: &Entry, folder: &Path) -> (&'static str, String) {
    let outcome = |text: &str| outcome(entry.place, text, folder);
    let typed = entry.typed.join("\n");
    let ours = (!entry.ours.is_empty()).then(|| outcome(&entry.ours.join("\n")));
    if let Some(wrong) = ours.as_ref().filter(|ours| ours.wrong) {
        return ("meaningless", wrong.answer.clone());
    }
    let found = outcome(&typed);
    let same = |other: &Outcome| ours.as_ref().is_none_or(|ours| ours.does == other.does);
    let warned = found.answer.contains("warning[");
    let mark = match found.wrong {
        false if ours.is_some() && same(&found) => "works",
        false if !warned => "silent",
        _ if remedies(&found.answer, &typed).iter().map(|text| outcome(text)).any(|o| !o.wrong && same(&o)) => "remedy",
        _ => "error",
    };
    (mark, found.answer)
}

/// The texts that the help of the first error in an answer gives.
fn remedies(answer: &str, typed: &str) -> Vec<String> {
    let first = findings(answer).into_iter().next();
    let Some(Finding { helps, place, .. }) = first else { return Vec::new() };
    let place = place.map(|(_, line, column, carets)| (line, column, carets));
    helps.iter().flat_map(|help| replaced(help, typed, place)).collect()
}

fn outcome(place: Place, text: &str, folder: &Path) -> Outcome {
    match place {
        Place::Prompt | Place::Pending => {
            let pending = if place == Place::Pending { &[PENDING][..] } else { &[] };
            let lines = [BEFORE, pending, &[text]].concat();
            let answer = session(&lines, folder);
            Outcome { wrong: answer.starts_with("error") || answer.contains("\nerror"), does: answer.clone(), answer }
        }
        Place::Script => {
            fs::write(folder.join("first.strat"), text).unwrap();
            let (right, answer) = run(&["run", "first.strat"], "", folder);
            Outcome { wrong: !right, does: answer.clone(), answer }
        }
        Place::Model => {
            fs::write(folder.join("first.arr"), text).unwrap();
            let (right, answer) = run(&["check", "first.arr"], "", folder);
            let names = text.split("def ").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next());
            let shown: Vec<String> = names.map(|name| format!("print(first[\"{name}\"])")).collect();
            let lines: Vec<&str> = [":load first.arr"].into_iter().chain(shown.iter().map(String::as_str)).collect();
            let does = if right { run(&[], &lines.join("\n"), folder).1 } else { String::new() };
            Outcome { wrong: !right, does, answer }
        }
    }
}

/// The answer to the last line of a session.
fn session(lines: &[&str], folder: &Path) -> String {
    let (last, before) = lines.split_last().unwrap();
    let typed = format!("{}\nprint(\"{MARK}\")\n{last}", before.join("\n"));
    let (_, all) = run(&[], &typed, folder);
    all.split_once(&format!("{MARK}\n")).expect("the session begins").1.to_owned()
}

/// Whether the program is content, and what it prints.
fn run(arguments: &[&str], input: &str, folder: &Path) -> (bool, String) {
    let (code, output) = program::run(arguments, input, folder);
    (code == Some(0), output)
}

/// A folder with copies of the models.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("models")).unwrap();
    for name in ["vector_sum.arr", "dot.arr"] {
        fs::copy(Path::new("models").join(name), folder.path().join("models").join(name)).unwrap();
    }
    folder
}
