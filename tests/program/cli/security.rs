//! What `SECURITY.md` promises of scripts, where no other test holds it, and that each of its sentences names a test.

use std::fs;
use std::path::Path;

use super::{ends, folder, out, script};

#[test]
fn scripts_see_neither_clock_nor_processes() {
    let f = folder();
    for (line, code) in [
        ("timestamp()", "E0701"),
        ("sleep(1)", "E0701"),
        ("eval(\"1\")", "E0101"),
        ("import \"os\" as os", ""),
        ("exec(\"ls\")", ""),
        ("system(\"ls\")", ""),
        ("open_file(\"m.arr\")", ""),
        ("env(\"HOME\")", ""),
        ("connect(\"localhost:1\")", ""),
    ] {
        ends(&script(&f, &format!("print({line});"), &[]), 1, code);
    }
}

#[test]
fn no_try_catches_a_limit() {
    let f = folder();
    let done = script(&f, "try { loop { } } catch (e) { print(\"caught\"); }", &["--max-steps", "1000"]);
    ends(&done, 3, "--max-steps");
    assert_eq!(out(&done), "");
}

fn collect(folder: &Path, texts: &mut String) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, texts);
        } else if path.extension().is_some_and(|e| e == "rs" || e == "py") {
            texts.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// A sentence is what stands behind a bullet; the names of its tests stand in brackets at its end.
#[test]
fn each_sentence_on_security_names_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = String::new();
    for folder in ["crates", "python/tests", "src", "tests"] {
        collect(&root.join(folder), &mut texts);
    }
    let page = fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let (promised, _) = page.split_once("## What is not promised").unwrap();
    let sentences: Vec<&str> = promised.split("\n* ").skip(1).collect();
    assert!(sentences.len() > 12);
    for sentence in sentences {
        let sentence = sentence.split("\n\n").next().unwrap_or(sentence);
        let (_, names) = sentence.rsplit_once("(`").unwrap_or_else(|| panic!("no test: {sentence}"));
        for name in names.split('`').step_by(2).filter(|name| name.contains('_')) {
            let is_there = [format!("fn {name}()"), format!("def {name}(")].iter().any(|head| texts.contains(head));
            assert!(is_there, "there is no test `{name}`");
        }
    }
}
