//! Links of pages lead somewhere: to a file of the project, and in it to a heading.

use crate::support::floors::root;
use redexter::ground::fence::blocks;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with pages; what lies below them is theirs alone.
const FOLDERS: [&str; 6] = ["", "benches", "docs", "editors", "lessons", "tests/firsts"];

fn pages() -> Vec<PathBuf> {
    let inside = FOLDERS.iter().flat_map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
    inside
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect()
}

/// A page without what stands in fenced blocks.
fn prose(page: &str) -> String {
    let mut prose = page.to_owned();
    blocks(page).iter().rev().for_each(|block| prose.replace_range(block.inside.clone(), ""));
    prose
}

/// What a browser calls the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let prose = prose(text);
    let headings = prose
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    headings.map(anchor).collect()
}

fn anchor(heading: &str) -> String {
    let kept =
        heading.trim().to_lowercase().chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text).lines() {
        // Between backticks stands code.
        let shown: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        found.extend(shown.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())));
    }
    found
}

fn broken(page: &Path, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for target in targets(text).iter().filter(|target| !target.contains("://") && !target.starts_with("mailto:")) {
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let path = if file.is_empty() { page.to_owned() } else { page.with_file_name("").join(file) };
        let has_heading = |path: &Path| fs::read_to_string(path).is_ok_and(|text| anchors(&text).contains(heading));
        if !path.exists() || !heading.is_empty() && !has_heading(&path) {
            wrong.push(format!("{}: {target}", page.display()));
        }
    }
    wrong
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    assert!(pages.len() > 20, "{} pages", pages.len());
    let wrong: Vec<String> =
        pages.iter().flat_map(|page| broken(page, &fs::read_to_string(page).expect("a page"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn broken_links_are_found() {
    let page = root().join("README.md");
    assert_eq!(broken(&page, "[a](docs/paper.md) [b](none.md) [c](https://x.org) `[d](none.md)`").len(), 1);
    assert_eq!(broken(&page, "# A: `b` c\n[a](#nowhere)\n```\n[b](none.md)\n```").len(), 1);
    assert_eq!(anchor("A: `b` c-d"), "a-b-c-d");
}

/// The words between backticks.
fn code(prose: &str) -> impl Iterator<Item = &str> {
    prose.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Pages for those who change the code name files that there are.
#[test]
fn named_files_are_there() {
    let (mut found, mut missing) = (0, Vec::new());
    for page in ["CONTRIBUTING.md", "docs/adding.md", "docs/glossary.md", "docs/testing.md"] {
        let text = prose(&fs::read_to_string(root().join(page)).expect("a page"));
        let is_path = |word: &&str| {
            word.split_once('/').is_some_and(|(first, _)| first != "target" && root().join(first).is_dir())
        };
        for path in
            code(&text).filter(is_path).filter(|word| !word.contains([' ', '…', '*']) && !word.ends_with("TARGET"))
        {
            found += 1;
            if !root().join(path).exists() {
                missing.push(format!("{page}: {path}"));
            }
        }
    }
    assert!(found > 100 && missing.is_empty(), "{found} files\n{}", missing.join("\n"));
}

/// Whether a text defines a name: an item, a variant or a field of it.
fn defines(source: &str, name: &str) -> bool {
    let items = ["struct", "enum", "trait", "type", "fn", "const", "mod", "strategy", "def"];
    source.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&source[..at], &source[at + name.len()..]);
        let is_item =
            before.trim_end() != before && before.split_whitespace().next_back().is_some_and(|w| items.contains(&w));
        let is_first = before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
        let ends = behind.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '_');
        ends && (is_item || is_first && [",", "(", " {", " ="].iter().any(|sign| behind.starts_with(sign)))
    })
}

/// What a row of the glossary names is defined in its file.
#[test]
fn the_glossary_names_what_there_is() {
    let text = fs::read_to_string(root().join("docs/glossary.md")).expect("the glossary");
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| line.ends_with("` |")).map(|line| line.split('`').collect()).collect();
    assert!(rows.len() > 60, "{} rows", rows.len());
    for row in rows {
        let place = &row[row.len() - 5..];
        let source = fs::read_to_string(root().join(place[1])).unwrap_or_else(|e| panic!("{}: {e}", place[1]));
        assert!(defines(&source, place[3]), "{} doesn't define {}", place[1], place[3]);
    }
    assert!(defines("pub struct Cat;", "Cat") && defines("enum A {\n    Cat,", "Cat"));
    assert!(!defines("use a::Cat;\n// a Cat = 1", "Cat") && !defines("struct Cats;", "Cat"));
}
