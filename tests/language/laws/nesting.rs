//! Nesting of every kind, 20,000 deep: read, checked, printed and read back.

use redexter::ground::{Limits, StopReason};
use redexter::syntax::{PrintStyle, print_term};

use crate::laws::host::TestHost;
use crate::laws::{deep, model};

const DEPTH: usize = 20_000;

/// Reads a definition `main` whose body is `open` and `close` around `inside`, `DEPTH` times; prints it and reads that.
fn nests(head: &str, open: &str, inside: &str, close: &str) {
    let text = format!("def main {head} := {}{inside}{}", open.repeat(DEPTH), close.repeat(DEPTH));
    reads(text);
}

fn reads(text: String) {
    deep(move || {
        let host = TestHost::new();
        let read = model(&host, &text).unwrap_or_else(|why| panic!("{}: {why}", &text[..60.min(text.len())]));
        let program = read.program("main", &host.budget).expect("a term");
        let printed = print_term(&program.term, &PrintStyle { width: 60 });
        let again = host.term(&printed).unwrap_or_else(|why| panic!("{}: {why}", &printed[..60]));
        assert!(again.term == program.term, "{}", &text[..60]);
    });
}

#[test]
fn brackets() {
    nests("(x : real)", "(", "x", ")");
    nests("(x : real)", "[", "x", "][0]");
    nests("(x : real)", "(", "x", " : real)");
    nests("(x : real)", "fst (", "(x, x)", ", 1)");
    reads(format!("def main (x : {}real{}) := x", "(".repeat(DEPTH), ")".repeat(DEPTH)));
    reads(format!("def main {{n}} (x : array {}n{} real) := x", "(".repeat(DEPTH), ")".repeat(DEPTH)));
    reads(format!("{}{} def main (x : real) := x", "/- ".repeat(DEPTH), "-/ ".repeat(DEPTH)));
}

#[test]
fn binders() {
    nests("(x : real)", "let x := x + 1; ", "x", "");
    nests("(x : real)", "let x := ", "x", "; x");
    nests("(x : real)", "(fun x => ", "x", ") x");
    nests("(x : real)", "let y := x; let f := fun z => z + y; ", "x", "");
    reads(format!("def main : {} real := {} 1", "real ->".repeat(DEPTH), "fun (x : real) =>".repeat(DEPTH)));
}

#[test]
fn operators() {
    nests("(x : real)", "x + ", "x", "");
    nests("(x : real)", "x * (1 - ", "x", ")");
    nests("(x : real)", "-(", "x", ")");
    nests("(x : real)", "- ", "x", "");
    nests("(k : int)", "not ", "k", "");
    nests("(k : int)", "k && k || ", "k", "");
    nests("(x : real)", "exp (", "x", ")");
    nests("{n} (i : fin n)", "1 + (", "i", ")");
}

#[test]
fn branches_loops_and_data() {
    nests("(x : real)", "if x < 1 then 2 else ", "x", "");
    nests("(x : real)", "if x < 1 then ", "x", " else 2");
    nests("(c : int)", "if ", "c", " then 1 else 2");
    nests("(x : real)", "(1, ", "x", ")");
    nests("(x : real)", "(", "x", ", 1)");
    nests("(x : real)", "build 2 (fun i => ", "x", ")");
    nests("(x : real)", "ifold 2 (fun a i => a) (", "x", ")");
    nests("(f : real -> real) (x : real)", "f (", "x", ")");
}

#[test]
fn beyond_the_limit_comes_its_message() {
    let limit = Limits::default().max_depth as usize;
    let message = StopReason::Depth(limit as u32).to_string();
    for (open, close) in [("(", ")"), ("x + ", ""), ("let x := x; ", ""), ("fun (x : real) => ", ""), ("[", "]")] {
        let text = format!("def main (x : real) := {}x{}", open.repeat(limit + 10), close.repeat(limit + 10));
        let said = deep(move || model(&TestHost::new(), &text).map(|_| ()));
        assert_eq!(said, Err(message.clone()), "{open}");
    }
}
