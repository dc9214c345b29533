//! Long and deep texts.

use std::cell::Cell;
use std::rc::Rc;

use redexter::ground::{Budget, Limits, StopReason, Trouble};
use redexter::syntax::{parse_model, parse_term};

use crate::syntax::{deep, model, rule, term, whole};

#[test]
fn long_chains_load() {
    deep(|| {
        let n = 50_000;
        let chains = [
            "let x := 1 + 2; ".repeat(n) + "x",
            "fun x => ".repeat(n) + "x",
            "λ x. ".repeat(n) + "x",
            "if c then 1 else ".repeat(n) + "x",
            "1 + ".repeat(n) + "1",
            "x ".repeat(n),
            "-".to_owned() + " -".repeat(n).as_str() + "1",
            "f fun x => ".repeat(n / 2) + "1",
            "x".to_owned() + "[i]".repeat(n).as_str(),
            "x".to_owned() + ".1".repeat(n).as_str(),
            "D ".repeat(n) + "x",
            "(".to_owned() + "1, ".repeat(n).as_str() + "1)",
        ];
        for text in chains {
            assert!(term(&text).is_ok(), "{}", &text[..20]);
        }
    });
}

#[test]
fn deep_brackets_load() {
    deep(|| {
        let n = Limits::default().max_depth as usize - 10;
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("(1, ", ")"),
            ("x[", "]"),
            ("(f ", ")"),
            ("let y := ", "; y"),
            ("if ", " then 1 else 2"),
            ("if 1 then ", " else 2"),
            ("- (", ")"),
        ] {
            let text = open.repeat(n) + "x" + close.repeat(n).as_str();
            assert!(term(&text).is_ok(), "{open}");
            let unclosed = open.repeat(n) + "x";
            assert!(term(&unclosed).is_err(), "{open}");
        }
        let nested = |open: &str, inside: &str, close: &str| open.repeat(n) + inside + close.repeat(n).as_str();
        assert!(term(&format!("(x : {})", nested("(", "real", ")"))).is_ok());
        assert!(term(&format!("build {} f", nested("(", "n", ")"))).is_ok());
        let code = |code: &str| rule(&format!("r = `e --> e` where holds(|e| {code}, e)"));
        assert!(code(&nested("(", "e", ")")).is_ok());
        assert_eq!(
            code(&"(((def ".repeat(n)).expect_err("too deep"),
            Trouble::from(StopReason::Depth(Limits::default().max_depth))
        );
        let text = "/-".repeat(n) + "-/".repeat(n).as_str() + "1";
        assert!(term(&text).is_ok());
    });
}

/// A budget whose watch counts how often it is asked.
fn counted(most: u32) -> (Budget, Rc<Cell<u32>>) {
    let asked = Rc::new(Cell::new(0));
    let count = asked.clone();
    let watch = move |_: &Budget| {
        count.set(count.get() + 1);
        (count.get() > most).then_some(StopReason::Interrupted)
    };
    (Budget::new(Limits::default(), Some(Rc::new(watch))), asked)
}

#[test]
fn a_long_model_is_parsed_in_parts() {
    let definitions = |range: std::ops::Range<u32>| -> String {
        range.map(|k| format!("def f{k} (x : real) : real := x + {k} -- ä\n")).collect()
    };
    let text = definitions(0..10_000);
    let (sources, region) = whole(&text);
    let (budget, asked) = counted(u32::MAX);
    let raw = parse_model(&sources, region.source, &budget).expect("a model");
    assert!(asked.get() > 300, "{}", asked.get());
    let read = raw.definitions.iter().map(|d| &text[d.span.start as usize..d.span.end as usize]);
    assert!(read.eq(text.lines().map(|line| line.trim_end_matches(" -- ä"))));
    let stopped = parse_model(&sources, region.source, &counted(100).0);
    assert_eq!(stopped.err(), Some(StopReason::Interrupted.into()));
    // What is wrong, and what is expected there, is what a short text tells.
    for wrong in ["def g (x : real) : real := x +\n", "def g (x : real) := let y := x\n", "def x * y\n"] {
        let long = [&definitions(0..3_000), wrong, &definitions(3_000..6_000)].concat();
        let short = [&definitions(0..1), wrong, &definitions(0..1)].concat();
        let told = |text: &str| match model(text) {
            Err(Trouble::Wrong(found)) => {
                let at = found[0].labels.iter().map(|label| label.span.start as usize);
                let before = text.find(wrong).expect("it is there");
                let at: Vec<usize> = at.map(|at| at - before).collect();
                (found[0].headline.clone(), found[0].help.clone(), at)
            }
            other => panic!("{wrong}: {}", other.is_ok()),
        };
        assert_eq!(told(&long), told(&short), "{wrong}");
    }
}

#[test]
fn what_is_too_long_to_be_parsed_at_once_is_a_limit() {
    let text = "1 + ".repeat(1 << 20) + "1";
    assert_eq!(term(&text).err(), Some(StopReason::Text(1 << 20).into()));
    let (sources, region) = whole(&text);
    let (budget, asked) = counted(u32::MAX);
    assert!(parse_term(&sources, region, &budget).is_err() && asked.get() > 1_000);
    assert!(model(&"def f (x : real) := x\n".repeat(200_000)).is_ok());
}

#[test]
fn too_deep_is_a_limit() {
    deep(|| {
        let stopped = Trouble::from(StopReason::Depth(100_000));
        for text in [
            "(".repeat(100_001),
            "let x := 1; ".repeat(100_001) + "x",
            "1 + ".repeat(100_001) + "1",
            "if ".repeat(100_001),
        ] {
            assert_eq!(term(&text).expect_err("too deep"), stopped);
        }
    });
}

#[test]
fn shared_prefixes_cost_nothing() {
    for (open, close) in [("(", ")"), ("(1, ", ")"), ("(", " : real)"), ("f(", ")"), ("if (", ") then 1 else 2")] {
        let text = open.repeat(60) + "x" + close.repeat(60).as_str();
        assert!(term(&text).is_ok(), "{text}");
        assert!(term(&(text + " $")).is_err());
        assert!(term(&(open.repeat(60) + "x $" + close.repeat(60).as_str())).is_err());
    }
    for open in ["(", "[", "{", "(\""] {
        assert!(rule(&format!("r = `e --> e` where holds(|e| {}, e)", open.repeat(60))).is_err());
    }
}
