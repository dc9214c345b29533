//! `redexter check --thorough`: what it says of laws, of functions, and of rules that only a run can define.

use std::fs;

use super::{ends, err, folder, run, script};

const RIGHT: &str = r#"let sum = "+";
fn turned(t) { t.rebuild([t.child(1), t.child(0)]) }
rule law = `x * 1 --> x`;
rule turn = |t| if t.kind == sum { turned(t) } else { fail };
rule late = |t| if t.kind == args[0] { turned(t) } else { fail };
"#;

const WRONG: &str = "rule turned = |t| if t.kind == \"-\" && t.children.len() == 2 { t.rebuild([t.child(1), t.child(0)]) } else { fail };";

#[test]
fn each_rule_has_a_line() {
    let f = folder();
    fs::write(f.path().join("s.strat"), RIGHT).unwrap();
    let done = run(&f, &["check", "--thorough", "s.strat"]);
    ends(&done, 0, "");
    let said = err(&done);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert!(lines[0].starts_with("law: tested on 500 terms, "), "{said}");
    assert!(lines[1].starts_with("turn: tested on 500 terms, "), "{said}");
    assert_eq!(lines[2], "late: not tested: it uses what only a run knows");
    assert_eq!(err(&run(&f, &["check", "s.strat"])), "");
}

#[test]
fn a_function_that_is_wrong_is_found_without_a_run() {
    let f = folder();
    fs::write(f.path().join("s.strat"), WRONG).unwrap();
    ends(&run(&f, &["check", "s.strat"]), 0, "");
    ends(&run(&f, &["check", "--thorough", "s.strat"]), 1, "E0505");
}

#[test]
fn what_is_wrong_beside_the_rules_tests_them_once() {
    let f = folder();
    fs::write(f.path().join("s.strat"), format!("{RIGHT}matches(1);")).unwrap();
    let done = run(&f, &["check", "--thorough", "s.strat"]);
    ends(&done, 1, "error[");
    assert_eq!(err(&done).matches("law: tested").count(), 1);
}

#[test]
fn an_unsound_rule_is_no_slip_of_the_pen() {
    let f = folder();
    let done = script(&f, WRONG, &[]);
    ends(&done, 1, "write `unchecked` behind it");
    assert!(!err(&done).contains("write `rule"), "{}", err(&done));
}
