//! Links of pages lead somewhere: to a file of the project, and in it to a heading.

use crate::support::floors::root;
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

/// The lines outside of fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    })
}

/// What a browser calls the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings =
        prose(text).filter_map(|line| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    headings.map(anchor).collect()
}

fn anchor(heading: &str) -> String {
    let kept =
        heading.trim().to_lowercase().chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c)).collect::<String>();
    kept.replace(' ', "-")
}

fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
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
