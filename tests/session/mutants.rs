//! Right models, rules and scripts with tokens deleted, doubled, swapped and replaced: whatever comes of them is accepted
//! or refused with a place, never a panic.

use crate::support::shipped;
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use proptest::prelude::{Strategy, any, prop, prop_oneof, proptest};
use proptest::sample::Index;
use proptest::test_runner::Config;
use redexter::check::{self, Loader, Model};
use redexter::ground::{Budget, Diagnostic, Limits, Sources, Trouble, code};
use redexter::script::Interpreter;
use redexter::syntax::parse_rule_book;
use redexter_reference::cases;

/// Words that stand in for others.
const WORDS: &[&str] = &[
    "0",
    "3",
    "1.5",
    "n",
    "x",
    "i",
    "v",
    "fst",
    "D",
    "fun",
    "let",
    "if",
    "ifold",
    "build",
    "real",
    "fin",
    "array",
    "exp",
    "vectorSum",
    "grad",
    "+",
    "*",
    "<",
    "-",
    "=>",
    "->",
    ":=",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "_",
    "`",
    "\"",
    "|",
    "where",
    "holds",
    "-->",
];

/// One change of a list of tokens.
#[derive(Clone, Debug)]
enum Change {
    Delete(Index),
    Double(Index),
    Swap(Index, Index),
    Replace(Index, Index),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let at = any::<Index>;
    let change = prop_oneof![
        at().prop_map(Change::Delete),
        at().prop_map(Change::Double),
        (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        (at(), at()).prop_map(|(a, b)| Change::Replace(a, b)),
    ];
    prop::collection::vec(change, 1..4)
}

/// Words, and all other characters one by one.
fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (token, after) = rest.split_at(if word == 0 { first.len_utf8() } else { word });
        all.push(token);
        rest = after;
    }
    all
}

fn mutant(text: &str, changes: &[Change]) -> String {
    let mut all = tokens(text);
    for change in changes {
        if all.is_empty() {
            break;
        }
        match change {
            Change::Delete(at) => drop(all.remove(at.index(all.len()))),
            Change::Double(at) => {
                let k = at.index(all.len());
                all.insert(k, all[k]);
            }
            Change::Swap(a, b) => {
                let (a, b) = (a.index(all.len()), b.index(all.len()));
                all.swap(a, b);
            }
            Change::Replace(at, word) => {
                let k = at.index(all.len());
                all[k] = WORDS[word.index(WORDS.len())];
            }
        }
    }
    all.concat()
}

/// The texts of the files with this ending in a folder.
fn texts(folder: &str, ending: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == ending));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// The library, loaded once for each thread.
fn library() -> (Rc<RefCell<Sources>>, Rc<Model>) {
    thread_local! {
        static LIBRARY: (Rc<RefCell<Sources>>, Rc<Model>) = {
            let sources = Rc::new(RefCell::new(Sources::default()));
            let prelude = check::prelude(&sources);
            (sources, prelude)
        };
    }
    LIBRARY.with(Clone::clone)
}

fn budget() -> Budget {
    Budget::new(Limits { max_steps: 50_000, max_size: 100_000, ..Limits::default() }, None)
}

/// Trouble has findings, each has a place, and none is a bug.
fn told(trouble: &Trouble, text: &str) {
    let Trouble::Wrong(all) = trouble else { return };
    assert!(!all.is_empty(), "no finding\n{text}");
    for finding in all {
        assert!(finding.place().is_some(), "no place: {}\n{text}", finding.headline);
        assert_ne!(finding.code, code::INTERNAL, "{:?}\n{text}", finding.labels);
    }
}

fn check_model(text: &str) {
    let (sources, prelude) = library();
    let read = |path: &Path| match path.to_str() {
        Some("mutant.arr") => Ok(text.to_owned()),
        _ => Err(Diagnostic::error(code::UNREADABLE, "there are no other files")),
    };
    let budget = budget();
    let mut loader = Loader::new(&sources, &read, &budget, prelude);
    if let Err(trouble) = loader.load(Path::new("mutant.arr")) {
        told(&trouble, text);
    }
}

fn check_rules(text: &str) {
    let (sources, prelude) = library();
    let id = sources.borrow_mut().add("mutant.strat", text);
    let book = match parse_rule_book(&sources.borrow(), id, &Budget::default()) {
        Ok(book) => book,
        Err(trouble) => return told(&trouble, text),
    };
    for (_, rule) in book {
        for reverse in [false, true] {
            if let Err(trouble) = check::laws(&rule, reverse, &prelude, &sources.borrow(), &budget()) {
                told(&trouble, text);
            }
        }
    }
}

/// A rule with functions in its conditions, for scripts to have one.
const STATEMENT: &str =
    "rule few(k) = `let x := a; b(x) --> b(a)` where holds(|e, n| e.size <= n, b, 3 * k), small(a);\n";

/// Reads a script without running it.
fn check_script(text: &str) {
    if let Err(Trouble::Wrong(all)) = INTERPRETER.with(|reader| reader.borrow_mut().check_script("mutant.strat", text))
    {
        assert!(!all.is_empty(), "no finding\n{text}");
        assert!(all.iter().all(|finding| finding.code != code::INTERNAL), "{all:?}\n{text}");
    }
}

thread_local! {
    static INTERPRETER: RefCell<Interpreter> = RefCell::new(shipped::Workbench::new().interpreter());
}

proptest! {
    #![proptest_config(Config { cases: cases(256, 20_000) as u32, ..Config::default() })]

    #[test]
    fn of_models(which in any::<Index>(), changes in changes()) {
        let mut all = texts("models", "arr");
        all.extend(texts("tests/corpus/right", "arr"));
        check_model(&mutant(&all[which.index(all.len())], &changes));
    }

    #[test]
    fn of_scripts(which in any::<Index>(), statement in any::<Index>(), changes in changes()) {
        let all: Vec<String> = ["strategies", "strategies/rules"].into_iter().flat_map(|of| texts(of, "strat")).collect();
        let statements: Vec<&str> = all[which.index(all.len())].split_inclusive(";\n").collect();
        check_script(&mutant(&[STATEMENT, statements[statement.index(statements.len())]].concat(), &changes));
    }

    #[test]
    fn of_rules(which in any::<Index>(), rule in any::<Index>(), changes in changes()) {
        let all = texts("strategies/rules", "strat");
        let book = &all[which.index(all.len())];
        let rules: Vec<&str> = book.split_inclusive(";\n").collect();
        check_rules(&mutant(rules[rule.index(rules.len())], &changes));
    }
}
