//! Types what the help lines of the corpus say, and writes down in a table whether it did what they say.
//!
//! `tests/corpus/helps.txt` has a line for each help line of each file that is wrong:
//!
//! * `does`: typed, it makes the finding go, and nothing else goes wrong; what was typed stands below;
//! * `form`: it shows a form, with `…` or names that stand for the user's own;
//! * `says`: there is nothing to type in it but what the user has or the finding names;
//! * `not`: it can be typed and doesn't do what it says. There is none.
//!
//! What is known to be no `does` is tried again only with `REDEXTER_EXTENDED=1`, and with `UPDATE_GOLDEN=1`, which writes
//! down what is found now.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use crate::remedies::{Finding, edited, findings, pieces, replaced, words};
use crate::support::program;

const TABLE: &str = "tests/corpus/helps.txt";

#[test]
fn help_lines_do_what_they_say() {
    let (files, table) = (files(), fs::read_to_string(TABLE).unwrap());
    let again = ["UPDATE_GOLDEN", "REDEXTER_EXTENDED"].into_iter().any(|name| env::var_os(name).is_some());
    let known = if again { BTreeSet::new() } else { table.lines().collect() };
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![String::new(); files.len()]));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some((k, (path, task))) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|k| Some((k, files.get(k)?)))
                {
                    let lines = tried(path, task, &known);
                    found.lock().unwrap()[k] = lines;
                }
            });
        }
    });
    let found = found.into_inner().unwrap().concat();
    let count = |mark: &str| found.lines().filter(|line| line.starts_with(mark)).count();
    println!(
        "{} do what they say, {} show a form, {} say what is so, {} don't do what they say",
        count("does "),
        count("form "),
        count("says "),
        count("not ")
    );
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(TABLE, &found).unwrap();
        return;
    }
    let diff = similar::TextDiff::from_lines(table.as_str(), &found);
    assert!(table == found, "something else is found\n{}", diff.unified_diff().header("expected", "found"));
    assert_eq!(count("not "), 0, "a help line doesn't do what it says");
}

/// The files that are wrong, each with what is done with it.
fn files() -> Vec<(PathBuf, &'static str)> {
    let mut all = Vec::new();
    for (folder, task) in [("tests/corpus/wrong", "check"), ("tests/corpus/failing", "run")] {
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let wrong = paths.filter(|path| path.extension().is_some_and(|e| e == "arr" || e == "strat" || e == "md"));
        all.extend(wrong.map(|path| (path, task)));
    }
    all.sort();
    all
}

/// The lines of the table for one file.
fn tried(path: &Path, task: &str, known: &BTreeSet<&str>) -> String {
    let Ok(text) = fs::read_to_string(path) else { return String::new() };
    let folder = tempfile::tempdir().unwrap();
    let parts = path.parent().unwrap().join("parts");
    copied(&parts, &folder.path().join("parts"));
    copied(Path::new("tests/corpus/right"), &folder.path().join("right"));
    fs::create_dir(folder.path().join("wrong")).unwrap();
    copied(&parts, &folder.path().join("wrong/parts"));
    let name = Path::new("wrong").join(path.file_name().unwrap());
    let name = name.to_str().unwrap();
    let run = |text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        let mut all = findings(&program::run(&[task, name], "", folder.path()).1);
        // That a limit ended what was to run is no finding.
        all.retain(|finding| !finding.title.is_empty());
        all
    };
    let all = run(&text);
    let titles = |all: &[Finding]| all.iter().map(|finding| finding.title.clone()).collect::<Vec<String>>();
    let before = titles(&all);
    let goes = |title: &str, text: &str| {
        let after = titles(&run(text));
        let count = |all: &[String]| all.iter().filter(|other| *other == title).count();
        count(&after) < count(&before) && after.iter().all(|title| before.contains(title))
    };
    let mut lines = String::new();
    for finding in &all {
        let place = finding.place.as_ref().filter(|(file, ..)| file == name);
        let place = place.map(|(_, line, column, carets)| (*line, *column, *carets));
        for help in &finding.helps {
            let code = finding.title.split(']').next().unwrap_or("");
            let line = format!("{} {code}: {help}", path.strip_prefix("tests/corpus").unwrap().display());
            if let Some(mark) = ["form", "says"].into_iter().find(|mark| known.contains(&*format!("{mark} {line}"))) {
                writeln!(lines, "{mark} {line}").unwrap();
                continue;
            }
            let edits = replaced(help, &text, place).into_iter();
            let edits = edits.chain(place.map_or(Vec::new(), |place| edited(help, &text, place)));
            let mut seen = BTreeSet::new();
            let done = edits.filter(|edit| seen.insert(edit.clone())).find(|edit| goes(&finding.title, edit));
            let mark = match &done {
                Some(_) => "does",
                None => unfit(help, &text, finding, folder.path()),
            };
            writeln!(lines, "{mark} {line}").unwrap();
            if let Some(done) = done {
                let new = done.lines().filter(|line| !text.lines().any(|old| old == *line));
                lines.extend(new.map(|line| format!("    {line}\n")));
            }
        }
    }
    lines
}

/// What a help line is that does nothing where it is typed.
fn unfit(help: &str, text: &str, finding: &Finding, folder: &Path) -> &'static str {
    let typed: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let own: BTreeSet<&str> = words(text).into_iter().chain(words(&finding.title)).collect();
    let commands = |text: &&&str| text.starts_with("redexter ") && !text.contains("FILE");
    if let Some(command) = typed.iter().find(commands) {
        let arguments: Vec<&str> = command.split(' ').skip(1).collect();
        return if program::run(&arguments, "", folder).0 == Some(0) { "does" } else { "not" };
    }
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric());
    if typed.iter().all(|text| is_word(text) || words(text).is_subset(&own)) {
        return "says";
    }
    let is_letter = |word: &&str| word.chars().count() == 1 || ["left", "right"].contains(word);
    let stands_for = |text: &str| text.contains('…') || text.contains("FILE") || words(text).iter().any(is_letter);
    if pieces(help).iter().any(|text| stands_for(text)) { "form" } else { "not" }
}

/// Copies a folder without those in it, if it is there.
fn copied(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else { return };
    fs::create_dir_all(to).unwrap();
    for path in entries.map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => copied(&path, &to.join(path.file_name().unwrap())),
            false => drop(fs::copy(&path, to.join(path.file_name().unwrap())).unwrap()),
        }
    }
}
