//! The mistakes of `tests/planted` can still be planted: `cargo run --example planted` does, and says which tests notice.

use crate::support::planted;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use planted::mistakes;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn each_text_to_be_replaced_stands_once_in_its_file() {
    let mut wrong = String::new();
    for mistake in mistakes(root()) {
        for edit in &mistake.edits {
            let count = fs::read_to_string(root().join(&edit.file)).map_or(0, |text| text.matches(&edit.from).count());
            if count != 1 || edit.from == edit.to {
                wrong +=
                    &format!("{}: {}: {count} times in {}: {}\n", mistake.list, mistake.title, edit.file, edit.from);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// All are built at once, each within an `if`: only an expression, or statements that bind nothing, can stand there.
#[test]
fn each_text_in_rust_is_an_expression() {
    for mistake in mistakes(root()) {
        for edit in mistake.edits.iter().filter(|edit| edit.file.ends_with(".rs")) {
            for text in [edit.from.trim(), edit.to.trim()] {
                let begins =
                    ["&&", "||", "let ", "const ", "if ", "match "].iter().find(|word| text.starts_with(**word));
                let is_whole =
                    begins.is_none_or(|word| !["&&", "let ", "const "].contains(word) && text.ends_with(['}', '|']));
                let ends = !text.ends_with([',', '{', '&', '=', '+'])
                    && (!text.ends_with("||") || begins.is_some())
                    && text.matches('(').count() == text.matches(')').count();
                let is_arm = text.starts_with('(') && text.contains(") => ");
                assert!(is_whole && ends && !is_arm, "{}: {}: {text}", mistake.list, mistake.title);
            }
        }
    }
}

#[test]
fn there_are_many_in_every_list_and_none_twice() {
    let all = mistakes(root());
    assert!(all.len() >= 60, "{}", all.len());
    let titles: BTreeSet<&str> = all.iter().map(|mistake| mistake.title.as_str()).collect();
    assert_eq!(titles.len(), all.len());
    let old = ["rules", "matcher", "engine", "checker", "derivative", "evaluator", "cost", "export"];
    for list in old.into_iter().chain(["blocks", "c", "native", "nest", "script", "session", "ends"]) {
        assert!(all.iter().filter(|mistake| mistake.list == list).count() >= 5, "{list}");
    }
}

/// What a target's sources are: a file, or a folder with all below it.
fn sources(path: PathBuf) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path];
    }
    let folder = fs::read_dir(&path).unwrap_or_else(|_| panic!("no target {}", path.display()));
    folder.flat_map(|entry| sources(entry.expect("a file").path())).collect()
}

/// Whether a file has the case, is (in) the module or has the test whose name begins so.
fn has(path: &Path, folder: &Path, filter: &str) -> bool {
    let below = path.strip_prefix(folder).expect("it is below").with_extension("");
    let module: Vec<_> = below.iter().filter(|part| *part != "mod").map(|part| part.to_string_lossy()).collect();
    let module = module.join("::");
    match filter.rsplit_once("::") {
        None => module.contains(filter),
        Some((_, "")) => format!("{module}::").starts_with(filter),
        Some((there, name)) => {
            module == there && fs::read_to_string(path).is_ok_and(|text| text.contains(&format!("fn {name}")))
        }
    }
}

#[test]
fn the_tests_that_should_notice_exist() {
    for mistake in mistakes(root()) {
        assert!(!mistake.tests.is_empty(), "{}", mistake.title);
        for (target, filter) in &mistake.tests {
            let folder = root().join("tests").join(if target == "cases" { "corpus" } else { target });
            let known = sources(folder.clone()).iter().any(|path| has(path, &folder, filter));
            assert!(known, "{}: no test {target}::{filter}", mistake.title);
        }
    }
}
