//! Random schedules over the rules of lessons: whatever is said of them is found to be so by running them, and the lesson's
//! solutions, in the reference interpreter.

use std::collections::BTreeMap;

use redexter::compare::StrategyStages;
use redexter::cost::{self, cheaper_total};
use redexter::eval::{evaluate, value_to_json};
use redexter::ground::{Budget, Limits, Random};
use redexter::lesson::{Diagnosis, DiagnosisDetail, DiagnosisKind, Lesson, NextMove, WrongTurn, diagnose};
use redexter::redex::{RuleFamily, families};
use redexter::rule::Rule;
use redexter::session::Session;
use redexter::strategy::{Outcome, Strategy, Trace, check_ends, rules_in};
use redexter::term::{Path, Program, Term};
use redexter_reference::{cases, interpret};

use crate::lessons::{deep, files, opened};

/// So many schedules for each lesson.
fn each() -> usize {
    cases(8, 30) as usize
}

/// A run that takes more steps goes on for longer than any solution.
const STEPS: u64 = 15_000;

/// The lesson's rules as one writes them, with small arguments.
fn written(session: &mut Session, lesson: &Lesson) -> Vec<String> {
    let mut all = Vec::new();
    for name in lesson.rules.iter().map(|info| &info.name) {
        match session.strategy(name.as_str()) {
            Ok(_) => all.push(name.to_string()),
            Err(_) => all.extend([format!("{name}(1)"), format!("{name}(2)")]),
        }
    }
    all
}

/// A schedule as students write them; now and then with a rule that they may not use.
fn schedule(random: &mut Random, rules: &[String], depth: usize) -> String {
    let rule = |random: &mut Random| match random.below(40) {
        0 => "transposeTwice".to_owned(),
        _ => rules[random.below(rules.len())].clone(),
    };
    if depth == 0 {
        return rule(random);
    }
    let inner = |random: &mut Random| schedule(random, rules, depth - 1);
    match random.below(12) {
        0 => rule(random),
        1 | 2 => format!("topDown({})", inner(random)),
        3 => format!("bottomUp({})", inner(random)),
        4..=6 => format!("normalize({})", inner(random)),
        7 => format!("try({})", inner(random)),
        8 => format!("repeat({})", inner(random)),
        9 => format!("({} ; {})", inner(random), inner(random)),
        10 => format!("({} ;; {})", inner(random), inner(random)),
        _ => format!("({} <+ {})", inner(random), inner(random)),
    }
}

fn budget() -> Budget {
    Budget::new(Limits { max_steps: STEPS, ..Limits::default() }, None)
}

/// What the reference interpreter says.
fn literally(strategy: &Strategy, program: &Program) -> Option<(Outcome, Trace)> {
    within(&budget(), strategy, program)
}

fn within(budget: &Budget, strategy: &Strategy, program: &Program) -> Option<(Outcome, Trace)> {
    interpret(strategy, program, budget, cheaper_total).ok().map(|run| (run.outcome, run.trace))
}

/// The terms that solutions lead through from these terms on, with the steps by which they go on.
fn ways(lesson: &Lesson, from: &[Term]) -> Vec<(Term, Option<(Rule, Path)>)> {
    let mut all = Vec::new();
    for (term, solution) in from.iter().flat_map(|term| lesson.solutions.iter().map(move |solution| (term, solution))) {
        let program = lesson.start.with(term.clone());
        let Some((Outcome::Success(end), trace)) = within(&Budget::default(), &solution.strategy, &program) else {
            continue;
        };
        if reaches(lesson, &end) {
            let nexts = trace.steps.iter().map(|step| Some((step.rule().clone(), step.path())));
            all.extend(std::iter::once(term.clone()).chain(trace.terms()).zip(nexts.chain([None])));
        }
    }
    all
}

fn reaches(lesson: &Lesson, term: &Term) -> bool {
    let form = lesson.goal.form.as_ref().is_none_or(|form| form == term);
    form && lesson.goal.work.as_ref().is_none_or(|work| cost::work(term).total().grows_within(work))
}

/// The rule applies there.
fn applies(lesson: &Lesson, rule: &Rule, path: &Path, whole: &Term) -> bool {
    let strategy = Strategy::rule(rule).at(&path.display(whole));
    matches!(literally(&strategy, &lesson.start.with(whole.clone())), Some((Outcome::Success(_), trace)) if trace.steps.len() == 1)
}

fn is_true(lesson: &Lesson, strategy: &Strategy, diagnosis: &Diagnosis) {
    let ran = literally(strategy, &lesson.start);
    let terms = |trace: &Trace| -> Vec<Term> { std::iter::once(trace.start.clone()).chain(trace.terms()).collect() };
    let end = match &ran {
        Some((Outcome::Success(term), trace)) => {
            if diagnosis.kind() != DiagnosisKind::Forbidden {
                assert_eq!(terms(trace).last(), Some(term));
            }
            Some(term.clone())
        }
        _ => None,
    };
    let own = terms(&diagnosis.trace);
    match &diagnosis.says {
        DiagnosisDetail::Reached(detour) => {
            assert!(reaches(lesson, &end.expect("a term")));
            let Some(detour) = detour else { return };
            let Some((_, solved)) = literally(&detour.solution, &lesson.start) else { panic!("a solution") };
            assert_eq!(own.len() - 1, solved.steps.len() + detour.extra);
            let its = terms(&solved);
            let first = its.iter().position(|term| *term == own[detour.steps.start]).expect("both have it");
            assert_eq!(its[first + detour.instead], own[detour.steps.end]);
            assert!(detour.steps.len() > detour.instead);
        }
        DiagnosisDetail::Forbidden { rules, allowed } => {
            let used: Vec<String> = rules_in(strategy).iter().map(|rule| rule.info().name.to_string()).collect();
            assert!(rules.iter().all(|rule| used.contains(&rule.to_string()) && !allowed.contains(rule)));
        }
        DiagnosisDetail::Endless(_) => {
            assert!(check_ends(strategy).is_err() || matches!(ran, Some((Outcome::Looping(_), _))));
        }
        DiagnosisDetail::Long(..) => assert!(ran.is_none()),
        DiagnosisDetail::Failed(failure) => {
            assert!(matches!(ran, Some((Outcome::Failure(_), _))));
            match &failure.onward {
                Some(NextMove::Step(next)) => assert!(applies(lesson, next.0.rule(), &next.0.path(), &next.1)),
                Some(NextMove::Left(turn)) => {
                    assert!(applies(lesson, turn.away.rule(), &turn.away.path(), &turn.whole))
                }
                None => {}
            }
        }
        DiagnosisDetail::Changed { step, difference, .. } => {
            let sides = [&own[*step - 1], &own[*step]].map(|term| {
                let program = lesson.start.with(term.clone());
                value_to_json(&evaluate(&program, &difference.inputs, &difference.sizes, &budget()).expect("a value").0)
            });
            assert!(difference.under_d || sides[0] != sides[1], "{sides:?}");
        }
        DiagnosisDetail::Idle { stage, next } => {
            let stages = StrategyStages::of(strategy).expect("stages");
            let k = stages.names().iter().position(|name| name == stage).expect("it is one");
            let without = literally(&stages.without(k), &lesson.start).expect("a run").1;
            assert_eq!(terms(&without), own);
            goes_on(lesson, &own, &next.rule, &next.path);
        }
        DiagnosisDetail::Stuck(next) => {
            assert_eq!(end.as_ref(), own.last());
            goes_on(lesson, &own, &next.rule, &next.path);
        }
        DiagnosisDetail::Costly(turn) | DiagnosisDetail::Astray(turn) => {
            let allowed = lesson.goal.allows(&cost::work(own.last().expect("a term")).total());
            assert_eq!(allowed, matches!(diagnosis.says, DiagnosisDetail::Astray(_)));
            turns(lesson, &own, turn);
        }
    }
}

/// The last term is on a way to the goal, which goes on with this step.
fn goes_on(lesson: &Lesson, own: &[Term], rule: &Rule, path: &Path) {
    let last = own.last().expect("a term");
    assert!(!reaches(lesson, last) && applies(lesson, rule, path, last));
    let on = ways(lesson, own);
    assert!(on.iter().any(|(term, next)| term == last && *next == Some((rule.clone(), path.clone()))));
}

/// The term before the turn is on a way to the goal, and none behind it is.
fn turns(lesson: &Lesson, own: &[Term], turn: &WrongTurn) {
    let on = ways(lesson, own);
    let is_on = |term: &Term| on.iter().any(|(other, _)| other == term);
    assert!(is_on(&own[turn.after]) && own[turn.after] == turn.whole);
    assert!(own[turn.after + 1..].iter().all(|term| !is_on(term)));
    assert!(applies(lesson, turn.away.rule(), &turn.away.path(), &turn.whole));
}

#[test]
fn what_is_said_of_random_schedules_is_true() {
    deep(|| {
        let mut kinds: BTreeMap<DiagnosisKind, usize> = BTreeMap::new();
        for (number, path) in files().iter().enumerate() {
            let (mut session, _, lesson) = opened(path);
            let rules = written(&mut session, &lesson);
            let all: Vec<RuleFamily> = families(&session.known_rules());
            let mut random = Random::new(number as u64 + 1);
            for _ in 0..each() {
                let depth = 1 + random.below(4);
                let text = schedule(&mut random, &rules, depth);
                let Ok(strategy) = session.strategy(&text) else { continue };
                let diagnosis = diagnose(&lesson, &strategy, &all, &Budget::default()).expect("within the limits");
                println!("{}: {text}: {}", path.display(), diagnosis.kind());
                is_true(&lesson, &strategy, &diagnosis);
                *kinds.entry(diagnosis.kind()).or_default() += 1;
            }
        }
        println!("{kinds:?}");
        assert!(
            kinds.values().sum::<usize>() as u64 >= cases(90, 300) && kinds.len() as u64 >= cases(5, 7),
            "{kinds:?}"
        );
    });
}
