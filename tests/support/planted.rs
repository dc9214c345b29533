//! Mistakes that tests must notice, as `tests/planted` lists them.
//!
//! A file has a line about itself and then its mistakes: `== what is wrong`, for each edit `in FILE`, the text there behind
//! `- ` and the one to plant behind `+ ` (further lines of either go on below it), and `by TARGET::FILTER …`, the tests that
//! should notice. What is planted in a `.rs` file takes the place of an expression, so that all mistakes can be built at
//! once, each behind a switch.

use std::fs;
use std::path::Path;

/// A mistake.
#[derive(Debug)]
pub struct Mistake {
    /// The list that has it.
    pub list: String,
    /// What is wrong.
    pub title: String,
    pub edits: Vec<Edit>,
    /// Targets of `cargo test` with what they are filtered by.
    pub tests: Vec<(String, String)>,
}

/// A text in a file, and what takes its place.
#[derive(Clone, Debug, Default)]
pub struct Edit {
    pub file: String,
    pub from: String,
    pub to: String,
}

/// Every mistake of the lists below this folder of the sources.
pub fn mistakes(root: &Path) -> Vec<Mistake> {
    let folder = fs::read_dir(root.join("tests/planted")).expect("the lists");
    let mut files: Vec<_> = folder.map(|entry| entry.expect("a list").path()).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let list = path.file_stem().expect("a name").to_string_lossy().into_owned();
        listed(&list, &fs::read_to_string(path).expect("a list"))
    };
    files.iter().flat_map(read).collect()
}

fn listed(list: &str, text: &str) -> Vec<Mistake> {
    let mut all: Vec<Mistake> = Vec::new();
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "==" {
            let (list, title) = (list.to_owned(), rest.to_owned());
            all.push(Mistake { list, title, edits: Vec::new(), tests: Vec::new() });
            continue;
        }
        let now = all.last_mut().unwrap_or_else(|| panic!("{list}: {line}"));
        match (word, now.edits.last_mut()) {
            ("in", _) => now.edits.push(Edit { file: rest.to_owned(), ..Edit::default() }),
            ("-", Some(edit)) => add(&mut edit.from, rest),
            ("+", Some(edit)) => add(&mut edit.to, rest),
            ("by", _) => now.tests.extend(rest.split(' ').map(|test| {
                let (target, filter) = test.split_once("::").unwrap_or((test, ""));
                (target.to_owned(), filter.to_owned())
            })),
            _ => panic!("{list}: {line}"),
        }
    }
    all
}

fn add(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}
