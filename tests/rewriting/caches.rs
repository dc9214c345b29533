//! A thread's caches change no result: what is told, checked and rewritten is the same when they are emptied in the midst.

use crate::support::{book, workloads};
use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use book::World;
use redexter::check::{self, Loader};
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Diagnostic, Limits, Sources, cache, code, with_stack};
use redexter::strategy::{Execution, Strategy};
use redexter::term::Program;
use workloads::WORKLOADS;

/// The package's own folder.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Where a thread keeps something, as often as it is declared.
const LOCALS: &[&str] = &[
    "ground/bug",
    "ground/cache",
    "ground/name",
    "ground/writing",
    "strategy/engine/failures",
    "term/drops",
    "term/form",
    "term/leaf",
    "term/size",
    "term/types",
];

/// Every file of Rust in a folder and below.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let below = |path: PathBuf| if path.is_dir() { files_below(&path) } else { vec![path] };
    all.flat_map(below).filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

/// Works on a stack that serves the deepest terms.
fn deep(work: fn()) {
    with_stack(Limits::default().max_depth, work).expect("a stack");
}

/// A strategy's run, with something done between any two steps.
fn finished(strategy: &Strategy, program: &Program, between: fn()) -> Execution {
    let mut execution = Execution::new(strategy, program, cheaper_total);
    while execution.outcome().is_none() {
        execution.advance(execution.steps().len() + 1, &Budget::default()).expect("no limit");
        between();
    }
    execution
}

#[test]
fn emptied_between_steps() {
    deep(|| {
        let world = World::new();
        for workload in WORKLOADS {
            let program = (workload.program)(40);
            for (name, strategy) in workload.strategies(|rule| world.rule(rule)) {
                let usual = finished(&strategy, &program, || {});
                let emptied = finished(&strategy, &program, cache::empty);
                assert!(usual.steps().len() > 20, "{}, {name}: hardly a step", workload.name);
                assert!(usual.steps() == emptied.steps(), "{}, {name}: other steps", workload.name);
                let ends = [usual, emptied].map(|execution| format!("{:?}", execution.outcome()));
                assert_eq!(ends[0], ends[1], "{}, {name}", workload.name);
            }
        }
    });
}

/// A budget that empties the caches whenever its watch is asked, and counts how often.
fn emptying() -> (Budget, Rc<Cell<u32>>) {
    let asked = Rc::new(Cell::new(0));
    let count = asked.clone();
    let watch = move |_: &Budget| {
        cache::empty();
        count.set(count.get() + 1);
        None
    };
    (Budget::new(Limits::default(), Some(Rc::new(watch))), asked)
}

/// Every definition of the shipped models, with its term.
fn checked(budget: &Budget) -> String {
    let sources = RefCell::new(Sources::default());
    let prelude = check::prelude(&sources);
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|e| Diagnostic::error(code::NO_SUCH_PATH, format!("{}: {e}", path.display())))
    };
    let mut loader = Loader::new(&sources, &read, budget, prelude);
    let folder = fs::read_dir(Path::new(ROOT).join("models")).expect("the models");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "arr"));
    files.sort();
    let mut text = String::new();
    for file in files {
        let model = loader.load(&file).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", file.display()));
        for definition in model.definitions() {
            let program = (!definition.is_static()).then(|| definition.program(budget).expect("a term"));
            writeln!(text, "{definition}\n  {program:?}").expect("text");
        }
    }
    text
}

#[test]
fn emptied_while_models_are_checked() {
    deep(|| {
        let (budget, asked) = emptying();
        assert_eq!(checked(&budget), checked(&Budget::default()));
        assert!(asked.get() > 10, "emptied {} times only", asked.get());
    });
}

/// The list of the caches, where their type is.
#[test]
fn every_cache_is_told() {
    let list = fs::read_to_string(Path::new(ROOT).join("crates/language/src/ground/cache.rs")).expect("the list");
    let floors =
        ["language", "rewriting", "loops", "running", "telling", "session"].map(|name| format!("crates/{name}/src"));
    let sources = floors.into_iter().chain(["src".to_owned()]).map(|folder| Path::new(ROOT).join(folder));
    let (mut found, mut locals, mut most) = (0, Vec::new(), 0);
    for (src, file) in sources.flat_map(|src| files_below(&src).into_iter().map(move |file| (src.clone(), file))) {
        let text = fs::read_to_string(&file).expect("text");
        let (text, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        let path = file.strip_prefix(&src).expect("below src").with_extension("").display().to_string();
        locals.extend(text.matches("thread_local!").map(|_| path.clone()));
        for line in text.lines().filter(|line| line.trim_start().starts_with("static ") && line.contains(": Cache<")) {
            let (name, ty) = line.trim_start()["static ".len()..].split_once(": ").expect("a type");
            let sets = ty.split(['<', ',', '>']).filter_map(|part| part.trim().parse::<u32>().ok()).next_back();
            let most_here = 2 * sets.expect("sets");
            let row = format!("//! | `{name}` in `{}` |", path.replace('/', "::"));
            let row = list.lines().find(|known| known.starts_with(&row)).unwrap_or_else(|| panic!("none begins {row}"));
            assert!(row.ends_with(&format!("| {most_here} |")), "{row}: has {sets:?} sets of two");
            (found, most) = (found + 1, most + most_here);
        }
    }
    locals.sort();
    assert_eq!(locals, LOCALS, "what else a thread keeps is told in ground/cache.rs, too");
    let rows = list.lines().filter(|row| row.starts_with("//! | `")).count();
    assert_eq!(found, rows, "the list has caches that there are none of");
    let promised = fs::read_to_string(Path::new(ROOT).join("docs/cli.md")).expect("what users were promised");
    let sum = format!("at most {},{:03} of them for each thread", most / 1000, most % 1000);
    assert!(promised.contains(&sum), "docs/cli.md doesn't say: {sum}");
}
