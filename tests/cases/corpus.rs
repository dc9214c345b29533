//! The corpus of wrong inputs: what the program says about each, and where.
//!
//! `tests/corpus/wrong` holds models, scripts and documents that `redexter check` refuses, `tests/corpus/failing` scripts that go
//! wrong only when they run. A file begins with one line for each finding, in order: `-- error E0203 at 4:23` in a
//! model, `// error E0203 at 4:23` in a script, `<!-- error E1001 at 4:1 -->` in a document, with `parts/other.arr:` before the
//! line if the place lies in that file and nothing behind the code if there is no place. Beside the file stands all that is
//! printed: what a finding says is reviewed there. `UPDATE_GOLDEN=1 cargo test --test cases '[corpus]'` writes down what is
//! printed now.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use redexter::ground::code;

const FOLDERS: [(&str, &str); 2] = [("tests/corpus/wrong", "check"), ("tests/corpus/failing", "run")];

/// Codes that no file can trigger, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("E0504", "the engine refuses a call with another number of arguments as E0603"),
    ("E0604", "a path that leads nowhere is a strategy's failure, E0602; commands say it"),
    ("E0605", "only a line of the REPL can lack its term"),
    ("E0702", "only the REPL has commands"),
    ("E0610", "only `redexter validate --primal` says it"),
    ("E0611", "only `redexter validate --precision` says it"),
    ("E0801", "JSON comes from the command line"),
    ("E0999", "a bug"),
    ("E1002", "only `redexter fmt --check` says it"),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (folder, task) in FOLDERS {
        for path in cases(folder) {
            let name = path.strip_prefix("tests/corpus").unwrap_or(&path).display().to_string();
            trials.push(Trial::test(name, move || check(&path, task)));
        }
    }
    trials.push(Trial::test("every code has a case", every_code_has_a_case));
    trials.push(Trial::test("every snapshot has a case", every_snapshot_has_a_case));
    trials
}

/// The models, scripts and documents of a folder, in order.
fn cases(folder: &str) -> Vec<PathBuf> {
    let is_case = |path: &PathBuf| path.extension().is_some_and(|e| e == "arr" || e == "strat" || e == "md");
    files(folder).into_iter().filter(is_case).collect()
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn check(path: &Path, task: &str) -> Result<(), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_redexter")).arg(task).arg(path).env("NO_COLOR", "1").output()?;
    let said = String::from_utf8(output.stderr)?;
    if output.status.code() != Some(1) {
        return Err(format!("ends with {}, not with code 1\n{said}", output.status).into());
    }
    let (expected, found) = (expected(path)?, findings(&said, path));
    if expected != found {
        let list = |all: &[String]| all.join("\n  ");
        return Err(format!("expected\n  {}\nfound\n  {}\n\n{said}", list(&expected), list(&found)).into());
    }
    let golden = path.with_added_extension("stderr");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(golden, said)?;
        return Ok(());
    }
    let before = fs::read_to_string(golden)?;
    if before != said {
        let diff = similar::TextDiff::from_lines(&before, &said);
        return Err(format!("something else is said\n{}", diff.unified_diff().header("expected", "found")).into());
    }
    Ok(())
}

/// What the first lines of a case announce.
fn expected(path: &Path) -> Result<Vec<String>, Failed> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let announced = |line: &str| {
        let of_page = || line.strip_prefix("<!-- ")?.strip_suffix(" -->");
        let comment = line.strip_prefix("-- ").or(line.strip_prefix("// ")).or_else(of_page)?;
        comment.strip_prefix("error ").map(str::to_owned)
    };
    let all: Vec<String> = text.trim_start_matches('\u{feff}').lines().map_while(announced).collect();
    if all.is_empty() { Err("the first line announces no error".into()) } else { Ok(all) }
}

/// What was said, in the form of the announcements.
fn findings(said: &str, path: &Path) -> Vec<String> {
    let (own, folder) = (format!("{}:", path.display()), format!("{}/", path.parent().unwrap().display()));
    let mut all: Vec<String> = Vec::new();
    for line in said.lines() {
        if let Some((code, _)) = line.strip_prefix("error[").and_then(|rest| rest.split_once(']')) {
            all.push(code.to_owned());
        }
        if let (Some(place), Some(last)) = (line.trim_start().strip_prefix("--> "), all.last_mut()) {
            let place = place.strip_prefix(&own).or(place.strip_prefix(&folder)).unwrap_or(place);
            // Further places explain the first.
            if !last.contains(" at ") {
                *last = format!("{last} at {place}");
            }
        }
    }
    all
}

fn every_code_has_a_case() -> Result<(), Failed> {
    let mut seen = BTreeSet::new();
    for path in FOLDERS.iter().flat_map(|(folder, _)| cases(folder)) {
        seen.extend(expected(&path)?.iter().map(|finding| finding[..5].to_owned()));
    }
    // Warnings refuse no file.
    for (code, meaning) in code::ALL.iter().filter(|(code, _)| code.0.starts_with('E')) {
        let excepted = EXCEPTIONS.iter().any(|(exception, _)| *exception == code.0);
        match (seen.contains(code.0), excepted) {
            (true, true) => return Err(format!("{code} has a case and is no exception").into()),
            (false, false) => return Err(format!("{code} has no case:{meaning}").into()),
            _ => {}
        }
    }
    Ok(())
}

fn every_snapshot_has_a_case() -> Result<(), Failed> {
    for path in FOLDERS.iter().flat_map(|(folder, _)| files(folder)) {
        if path.extension().is_some_and(|e| e == "stderr") && !path.with_extension("").exists() {
            return Err(format!("{} belongs to no case", path.display()).into());
        }
    }
    Ok(())
}
