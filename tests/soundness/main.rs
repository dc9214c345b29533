//! What the test of a rule finds when it is defined: of the rules in `wrong.strat` that they are wrong, of those in
//! `right.strat` nothing.

#[path = "../support/script.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod script;

use redexter::ground::{Trouble, code};
use script::{deep, interpreter, tell};

/// Wrong rules that are found to be right, or aren't tested.
const UNFOUND: &[&str] = &[
    "four",
    "fromFive",
    "fromEight",
    "wide",
    "large",
    "squareOfSeven",
    "sixRounds",
    "aboveFive",
    "six",
    "successor",
    "signOfDifference",
    "twice",
    "realOfSum",
    "realOfProduct",
    "negative",
    "absolute",
    "notMore",
    "realsAreEqual",
    "realsAreLess",
    "number",
    "million",
    "divisor",
    "oneMore",
    "tenth",
    "tenthFactor",
    "seventh",
    "seventhDistribute",
    "startsAbove",
    "reciprocal",
    "grouping",
    "product",
    "absoluteRoot",
    "logOfProduct",
    "power",
    "rootOfProduct",
    "atPower",
    "slopeAtTwo",
    "kink",
    "tie",
    "leastTie",
    "slopeAtZero",
    "mirroredAbs",
    "largeSummand",
    "tangentProduct",
    "oneHotSum",
    "longSum",
    "longProduct",
    "exactly",
    "sevens",
];

/// Right rules that are refused, or aren't tested.
const REFUSED: &[&str] =
    &["sixRounds", "clamp", "largeSummand", "tangentProduct", "oneHotSum", "primalProduct", "longSum", "sevens"];

/// The rules of a file, by name.
fn rules(text: &str) -> Vec<(&str, &str)> {
    let statements = text.lines().filter(|line| line.starts_with("rule "));
    let name = |line: &str| line["rule ".len()..].find([' ', '(']).unwrap_or(0) + "rule ".len();
    statements.map(|line| (&line["rule ".len()..name(line)], line)).collect()
}

/// What defining each of them comes to.
fn defined(text: &'static str) -> Vec<(&'static str, Result<(), String>)> {
    let (mut interpreter, host) = interpreter();
    let mut define = |(name, statement): (&'static str, &'static str)| {
        let done = interpreter.run_script("rules.strat", statement, &[]);
        let untested = host.warned.borrow_mut().pop().map(|finding| format!("{} {}", finding.code, finding.headline));
        let told = match done {
            Err(Trouble::Wrong(all)) if all[0].code == code::UNSOUND_RULE => Err(all[0].help.join("\n  ")),
            Err(wrong) => panic!("{statement}: {}", tell(&wrong, &interpreter)),
            Ok(()) => untested.map_or(Ok(()), Err),
        };
        (name, told)
    };
    rules(text).into_iter().map(&mut define).collect()
}

fn is_untested(told: &str) -> bool {
    told.starts_with(&code::UNTESTED_RULE.to_string())
}

#[test]
fn wrong_rules_are_found() {
    deep(|| {
        let found = defined(include_str!("wrong.strat"));
        assert!(found.len() >= 60, "{} rules", found.len());
        let refused = |told: &Result<(), String>| told.as_ref().is_err_and(|why| !is_untested(why));
        for (name, told) in found.iter().filter(|(_, told)| refused(told)) {
            println!("{name}: {}", told.as_ref().expect_err("refused"));
        }
        let unfound: Vec<&str> = found.iter().filter(|(_, told)| !refused(told)).map(|(name, _)| *name).collect();
        assert_eq!(unfound, UNFOUND, "{} of {}", unfound.len(), found.len());
    });
}

#[test]
fn right_rules_are_accepted() {
    deep(|| {
        let found = defined(include_str!("right.strat"));
        assert!(found.len() >= 60, "{} rules", found.len());
        for (name, why) in found.iter().filter_map(|(name, told)| Some((name, told.as_ref().err()?))) {
            println!("{name}: {why}");
        }
        let refused: Vec<&str> = found.iter().filter(|(_, told)| told.is_err()).map(|(name, _)| *name).collect();
        assert_eq!(refused, REFUSED, "{} of {}", refused.len(), found.len());
    });
}
