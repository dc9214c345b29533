//! What the test of a rule finds when it is defined: of the rules in `wrong.strat` that they are wrong, of those in
//! `right.strat` nothing.

use crate::support::{book, computed, script};
use std::cell::Cell;
use std::rc::Rc;

use book::World;
use computed::computed;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Trouble, code};
use redexter::rule::Reason;
use redexter::sound::{TestEffort, check_rule, sample};
use redexter::strategy::{Strategy, Unary, run};
use redexter::term::Program;
use script::{deep, interpreter, tell};

/// So many wrong rules may pass when they are defined.
const MOST_UNFOUND: usize = 1;

/// Rules of the book that need much around them to fire.
const RARE: &[&str] =
    &["ifFloatMul", "ifoldSplitOneHot", "distributeOneHot", "sumReassoc", "letAdjoint", "letIntoArray"];

/// The rules of a file, by name.
fn rules(text: &str) -> Vec<(&str, &str)> {
    let statements = text.lines().filter(|line| line.starts_with("rule "));
    let name = |line: &str| line["rule ".len()..].find([' ', '(']).unwrap_or(0) + "rule ".len();
    statements.map(|line| (&line["rule ".len()..name(line)], line)).collect()
}

/// What defining each of them comes to, tested as hard as this.
fn defined(text: &'static str, effort: TestEffort) -> Vec<(&'static str, Result<(), String>)> {
    let (mut interpreter, host) = interpreter();
    interpreter.test_rules(effort);
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
        let found = defined(include_str!("wrong.strat"), TestEffort::QUICK);
        assert!(found.len() >= 60, "{} rules", found.len());
        let refused = |told: &Result<(), String>| told.as_ref().is_err_and(|why| !is_untested(why));
        for (name, told) in found.iter().filter(|(_, told)| refused(told)) {
            println!("{name}: {}", told.as_ref().expect_err("refused"));
        }
        let unfound: Vec<&str> = found.iter().filter(|(_, told)| !refused(told)).map(|(name, _)| *name).collect();
        assert!(unfound.len() <= MOST_UNFOUND, "{} of {}: {unfound:?}", unfound.len(), found.len());
    });
}

#[test]
fn right_rules_are_accepted() {
    deep(|| {
        let found = defined(include_str!("right.strat"), TestEffort::QUICK);
        assert!(found.len() >= 60, "{} rules", found.len());
        for (name, why) in found.iter().filter_map(|(name, told)| Some((name, told.as_ref().err()?))) {
            println!("{name}: {why}");
        }
        let refused: Vec<&str> = found.iter().filter(|(_, told)| told.is_err()).map(|(name, _)| *name).collect();
        assert!(refused.is_empty(), "{} of {}: {refused:?}", refused.len(), found.len());
    });
}

#[test]
fn a_thorough_test_finds_all_that_are_wrong() {
    deep(|| {
        let found = defined(include_str!("wrong.strat"), TestEffort::THOROUGH);
        let refused = |told: &Result<(), String>| told.as_ref().is_err_and(|why| !is_untested(why));
        let unfound: Vec<&str> = found.iter().filter(|(_, told)| !refused(told)).map(|(name, _)| *name).collect();
        assert!(unfound.is_empty(), "{} of {}: {unfound:?}", unfound.len(), found.len());
    });
}

/// A thorough test of a rule that is right says how much it tried.
#[test]
fn a_thorough_test_says_how_much_it_tried() {
    deep(|| {
        let (mut interpreter, host) = interpreter();
        interpreter.test_rules(TestEffort::THOROUGH);
        let rule = "rule four = `ifold n (fun a i => a + x) 0 --> if n = 4 then 4 * x else real n * x` reassociating;";
        interpreter.check_script("rules.strat", rule).expect("it is right");
        let printed = host.printed.borrow().join("\n");
        assert!(printed.starts_with("four: tested on 500 terms, "), "{printed}");
        assert!(printed.ends_with(" runs"), "{printed}");
    });
}

#[test]
fn a_branch_that_no_test_took_is_named() {
    deep(|| {
        let (mut interpreter, host) = interpreter();
        let rule = "rule never = `ifold n (fun a i => a) z --> if n < 0 then z else z`;";
        interpreter.run_script("rules.strat", rule, &[]).expect("it is right");
        let warned = host.warned.borrow();
        assert_eq!(warned.len(), 1);
        assert_eq!(warned[0].labels[0].message, "no test took the first branch of `if n < 0`");
    });
}

/// Programs that are grown for functions, which may ask for anything, hold what the rarest rules need.
#[test]
fn rare_rules_fire_on_what_is_grown() {
    deep(|| {
        let world = World::new();
        let anything = computed("anything", |_, _| Err(Reason::native("no term")));
        let programs: Vec<Program> = (0..4_000)
            .filter_map(|seed| {
                sample(&anything, world.templates(), seed).expect("templates").map(|(program, _)| program)
            })
            .collect();
        for name in RARE {
            let rule = Strategy::rule(&world.rule(name)).under(Unary::TopDown);
            let fires = |program: &&Program| {
                run(&rule, program, &Budget::default(), cheaper_total).is_ok_and(|done| done.trace.steps.len() == 1)
            };
            let fired = programs.iter().filter(fires).count();
            println!("{name}: on {fired} of {}", programs.len());
            assert!(fired >= 5, "{name}: on {fired} of {}", programs.len());
        }
    });
}

/// So often at most the watch is asked while a rule is tested that a user defines: once in 256 rounds of loops and places.
const MOST_ASKED: u64 = 1_000;

#[test]
fn testing_a_rule_takes_little() {
    let world = World::new();
    let laws = rules(include_str!("right.strat")).into_iter().filter(|(_, statement)| !statement.contains('|'));
    let mut most = ("", 0);
    for (name, statement) in laws {
        let asked = Rc::new(Cell::new(0));
        let budget = Budget::default().asked_at_most(u64::MAX, asked.clone());
        let text = statement.trim_start_matches("rule ").trim_end_matches(';');
        check_rule(&world.own(text), world.templates(), TestEffort::QUICK, 1, &budget).expect("within the limits");
        if asked.get() > most.1 {
            most = (name, asked.get());
        }
    }
    println!("{} asks {} times", most.0, most.1);
    assert!(most.1 <= MOST_ASKED, "{} asks {} times", most.0, most.1);
}
