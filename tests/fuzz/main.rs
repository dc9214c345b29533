//! Inputs that are nearly right: some for each target, and all that ever broke. `examples/fuzz` tries many more.
//!
//! `tests/fuzz/broke/TARGET` holds inputs that broke something once. `REDEXTER_EXTENDED=1` tries twenty times as many.

#[path = "../support/fuzz/mod.rs"]
mod fuzz;

use std::alloc::System;
use std::fs;
use std::path::Path;

use fuzz::{End, Finding, Mutator, TARGETS, Target, keep_panics_quiet, minimise};
use redexter::ground::{Limits, with_stack};
use redexter_allocator::CountingAllocator;
use redexter_reference::cases;

#[global_allocator]
static ALLOCATOR: CountingAllocator<System> = CountingAllocator(System);

/// The seed of the inputs that are tried here.
const SEED: u64 = 1;

/// How many inputs each target gets, of which at least so many are accepted and refused.
const INPUTS: [(&str, u64, u64); 6] = [
    ("models", 150, 10),
    ("rules", 150, 10),
    ("scripts", 120, 5),
    ("prompt", 60, 5),
    ("json", 300, 10),
    ("terms", 80, 20),
];

fn on_a_large_stack(work: impl FnOnce() + Send + 'static) {
    keep_panics_quiet();
    with_stack(Limits::default().max_depth, work).expect("a stack");
}

fn some_inputs(name: &'static str) {
    let (_, count, least) = INPUTS.into_iter().find(|(of, ..)| *of == name).expect("a target");
    on_a_large_stack(move || {
        let target = Target::named(name).expect("a target");
        let mutator = Mutator::new(target);
        let mut ends = Vec::new();
        for number in 0..cases(count, 20 * count) {
            let input = mutator.input(SEED, number);
            match target.meet(&input) {
                Ok(end) => ends.push(end),
                Err(found) => panic!("{found:?}, met by {name}, input {number}\n{}", String::from_utf8_lossy(&input)),
            }
        }
        let counted = |wanted: End| ends.iter().filter(|end| **end == wanted).count() as u64;
        let (accepted, refused) = (counted(End::Accepted), counted(End::Refused));
        assert!(accepted >= least, "{name}: {accepted} accepted of {count}");
        assert!(refused >= least || name == "terms", "{name}: {refused} refused of {count}");
    });
}

#[test]
fn models() {
    some_inputs("models");
}

#[test]
fn rules() {
    some_inputs("rules");
}

#[test]
fn scripts() {
    some_inputs("scripts");
}

#[test]
fn prompt() {
    some_inputs("prompt");
}

#[test]
fn json() {
    some_inputs("json");
}

#[test]
fn terms() {
    some_inputs("terms");
}

#[test]
fn what_broke_once_is_whole() {
    on_a_large_stack(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/broke");
        let mut wrong = Vec::new();
        for target in TARGETS {
            let Ok(files) = fs::read_dir(folder.join(target.name)) else { continue };
            let mut files: Vec<_> = files.map(|entry| entry.expect("a file").path()).collect();
            files.sort();
            for path in files {
                if let Err(found) = target.meet(&fs::read(&path).expect("a file")) {
                    wrong.push(format!("{}: {found:?}", path.display()));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn what_broke_lies_in_the_folder_of_its_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/broke");
    for entry in fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("a folder").file_name();
        assert!(name.to_str().and_then(Target::named).is_some(), "no target is called {name:?}");
    }
}

#[test]
fn an_input_follows_from_its_number() {
    for target in TARGETS {
        let (one, other) = (Mutator::new(target), Mutator::new(target));
        let inputs: Vec<_> = (0..50).map(|number| one.input(SEED, number)).collect();
        assert!((0..50).all(|number| other.input(SEED, number) == inputs[number as usize]), "{}", target.name);
        let mut different = inputs.clone();
        different.sort();
        different.dedup();
        assert!(different.len() > 40, "{}", target.name);
    }
}

/// Breaks where an input has both of two words.
const FRAGILE: Target = Target {
    name: "fragile",
    run: |input| {
        let has = |word: &[u8]| input.windows(word.len()).any(|some| some == word);
        match has(b"one") && has(b"two") {
            true => panic!("both, of {}", input.len()),
            false => Ok(End::Accepted),
        }
    },
    seeds: || vec![Vec::new()],
    words: "",
};

#[test]
fn what_breaks_is_found_and_made_small() {
    keep_panics_quiet();
    let input = [&[b'-'; 500], &b"one + (1, two)"[..], &[b'\n'; 300]].concat();
    let kind = |input: &[u8]| FRAGILE.meet(input).map_err(|Finding { kind, .. }| kind);
    let found = kind(&input).expect_err("a finding");
    assert!(found.starts_with("panic at tests"), "{found}");
    let least = minimise(&input, 5_000, |input| kind(input).as_ref() == Err(&found));
    assert_eq!(least, b"onetwo");
    assert_eq!(FRAGILE.file_of(&least), FRAGILE.file_of(b"onetwo"));
}

#[test]
fn targets_of_files() {
    assert!(Target::of_file("json-0123456789abcdef").is_some_and(|target| target.name == "json"));
    assert!(Target::of_file("other-0123456789abcdef").is_none());
}
