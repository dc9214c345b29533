//! The cheapest term that rules reach, against trying everything; its schedule, against running it.

use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use redexter::cost;
use redexter::ground::{Budget, Limits, StopReason};
use redexter::questions::SearchAnswer;
use redexter::redex::{replaced, site};
use redexter::rule::{Focus, Rule};
use redexter::search::{SearchQuestion, SearchResult, search};
use redexter::session::{self, PendingLines, Response, Session};
use redexter::strategy::rules_in;
use redexter::term::{Path, Program, Term};
use redexter::walk::QuestionFinding;

use crate::asking::book::World;
use crate::asking::walks::{deep, found, opened};

/// The rules that strategies/paper.strat names, in its order, and those of strategies/dot.strat.
const PAPER: &str = "getBuild <+ letSubstN(1) <+ beta <+ letPair <+ letSubstSafe <+ fstPair <+ sndPair <+ ifoldFission \
                     <+ ifFloat <+ addZero <+ ifoldOneHot";
const DOT: &str = "beta <+ getBuild <+ letLet <+ letPair <+ fstPair <+ sndPair <+ letSubstSafe <+ letSubstN(1) <+ \
                   addZero <+ mulZero <+ mulOne <+ letSubst <+ ifoldFission <+ ifFloat <+ ifoldOneHot <+ buildGet";

#[track_caller]
fn searched(session: &mut Session, line: &str) -> SearchAnswer {
    found(session, line)
}

/// The work of the current term.
#[track_caller]
fn work(session: &mut Session) -> String {
    match session::submit(session, ":cost") {
        Ok(Response::Cost(work, ..)) => work.total().to_string(),
        other => panic!("{other:?}"),
    }
}

fn question(start: &Program, rules: &[Rule], most: usize) -> SearchQuestion {
    SearchQuestion { start: start.clone(), rules: rules.to_vec(), together: Vec::new(), within: Path::default(), most }
}

fn typical(term: &Term, start: &Program) -> u128 {
    cost::typical(&cost::work(term).total(), &start.bounds)
}

/// Every term that single rewrites reach, each with its work; tries every rule at every place.
fn reached(start: &Program, rules: &[Rule], most: usize) -> HashMap<u128, u128> {
    let key = |term: &Term| (term.fingerprint(), typical(term, start));
    let mut all = HashMap::from([key(&start.term)]);
    let mut left = VecDeque::from([start.term.clone()]);
    while let Some(term) = left.pop_front() {
        let mut paths = vec![Path::default()];
        while let Some(path) = paths.pop() {
            let (context, here) = site(&term, &path).expect("a place");
            let below = (0..here.kid_count() as u32).map(|k| Path(path.0.iter().copied().chain([k]).collect()));
            paths.extend(below);
            for rule in rules {
                let focus = Focus::new(&here, &context, &start.bounds);
                let Ok(contractum) = rule.apply(&focus) else { continue };
                let after = replaced(&term, &path.0, &contractum).expect("the same type");
                if all.insert(after.fingerprint(), key(&after).1).is_none() {
                    assert!(all.len() <= most, "more terms than thought");
                    left.push_back(after);
                }
            }
        }
    }
    all
}

#[test]
fn what_is_found_is_the_cheapest_of_all_that_rules_reach() {
    deep(|| {
        let world = World::new();
        let cases: [(&str, &[&str]); 7] = [
            ("fun (x : real) => (x + 0) * 1 + x * 0", &["addZero", "mulOne", "mulZero"]),
            ("fun (x : real) => let y := x + x; y * y", &["letSubst", "letDead", "factor", "distribute"]),
            ("fun (x : real) => (fun y => let z := y * 1; z + z) (x + 0)", &["beta", "letSubst", "mulOne", "addZero"]),
            (
                "fun (v : array n real) => build n (fun i => (build n (fun j => v[j] * 1))[i])",
                &["getBuild", "mulOne", "buildGet"],
            ),
            ("fun (x y : real) => x * (y + 1) + x * 2", &["factor", "distribute", "mulOne"]),
            ("fun (x : real) => let a := x; let b := x * x; let c := a; b", &["letSwap", "letDead", "letSubstSafe"]),
            ("fun (x : real) => fst (x * x, snd (x + 0, x))", &["fstPair", "sndPair", "addZero", "mulOne"]),
        ];
        for (text, names) in cases {
            let start = world.term(text);
            let rules: Vec<Rule> = names.iter().map(|name| world.rule(name)).collect();
            let all = reached(&start, &rules, 5_000);
            let found = search(&question(&start, &rules, 5_000), &Budget::default());
            assert!(found.complete && found.stopped.is_none() && found.visited.open == 0, "{text}");
            assert_eq!(found.visited.terms, all.len(), "{text}");
            let best = typical(&found.best.term, &start);
            assert_eq!(all.get(&found.best.term.fingerprint()), Some(&best), "{text}: it isn't reached");
            assert_eq!(all.values().min(), Some(&best), "{text}");
        }
    });
}

/// Runs what is to be typed, and compares with what was promised.
#[track_caller]
fn takes(session: &mut Session, line: &str, found: &SearchResult) {
    session::submit(session, line).unwrap_or_else(|wrong| panic!("{line}: {wrong:?}"));
    assert_eq!(work(session), found.work.to_string(), "{line}");
}

#[test]
fn the_rules_of_the_paper_reach_n_and_nothing_below() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        let found = searched(&mut session, &format!(":search 1000 {PAPER}")).found;
        assert_eq!((found.before.to_string(), found.work.to_string()), ("8*n^2 + n".to_owned(), "n".to_owned()));
        assert!(found.complete, "{:?}", found.visited);
        assert!(found.stages.len() <= 2, "{}", found.schedule);
        assert_eq!(work(&mut session), "8*n^2 + n", "nothing changes");
        takes(&mut session, &found.schedule.to_string(), &found);
    });
}

#[test]
fn a_scalar_product_needs_nothing() {
    deep(|| {
        let mut session = opened("dot", "gradient");
        let searched = searched(&mut session, &format!(":search 300 {DOT}"));
        let SearchAnswer { found, .. } = searched;
        assert_eq!(found.work.to_string(), "0");
        assert!(!found.complete && found.stopped.is_none());
        assert_eq!(found.visited.terms, 300);
        assert!(found.visited.open > 0);
        takes(&mut session, &found.schedule.to_string(), &found);
    });
}

#[test]
fn what_is_printed_to_take_it_can_be_typed_line_by_line() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        let searched = searched(&mut session, &format!(":search {PAPER}"));
        let text = searched.text(50.into()).into_text();
        let typed =
            text.split_once("to take it:\n").and_then(|(_, rest)| rest.split_once("\n\n")).expect("a schedule").0;
        assert!(typed.lines().count() > 3 && typed.lines().all(|line| line.chars().count() <= 50), "{text}");
        let (mut pending, mut answered) = (PendingLines::default(), 0);
        for line in typed.lines() {
            session.read_line(&mut pending, line, |session, line| {
                answered += 1;
                session::submit(session, line).expect("a schedule");
                true
            });
        }
        assert_eq!((pending.text(), answered), ("", 1));
        assert_eq!(session.current_term(), Some(&searched.found.best.term));
    });
}

#[test]
fn a_derivation_is_compared_with_what_its_rules_reach() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        let fuse = "normalize(beta <+ getBuild <+ letPair <+ letSubstSafe <+ letSubstN(1) <+ fstPair <+ sndPair)";
        // The one-hot before the split has nothing to do, and its rules fire too late.
        session::submit(&mut session, fuse).expect("it runs");
        session::submit(&mut session, "normalize(ifFloat <+ addZero <+ ifoldOneHot <+ letSubstSafe)").expect("it runs");
        session::submit(&mut session, "normalize(ifoldFission <+ fstPair <+ sndPair)").expect("it runs");
        let here = work(&mut session);
        let line = searched(&mut session, ":search");
        let derived = line.derived.expect("a derivation");
        assert_eq!(derived.work.to_string(), here);
        assert_eq!(derived.place.step, derived.place.of);
        assert!(derived.against_found.is_ge() && line.found.complete, "{:?}", line.found.visited);
        let run = format!(":replay from 0 {}", line.found.schedule);
        takes(&mut session, &run, &line.found);
    });
}

#[test]
fn the_focus_bounds_what_is_rewritten() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        session::submit(&mut session, "topDown(letSubstSafe)").expect("it runs");
        session::submit(&mut session, ":at .body.buildBody.body.projected").expect("a place");
        let found = searched(&mut session, ":search 200 beta <+ letSubstSafe <+ letSubst <+ getBuild <+ sndPair").found;
        assert!(!found.stages.is_empty());
        takes(&mut session, &found.schedule.to_string(), &found);
    });
}

#[test]
fn rules_that_go_on_for_ever_end_at_the_limit() {
    deep(|| {
        let world = World::new();
        let start = world.term("fun (x y : real) => (x + y) + (y + x) * 1");
        let swap = Rule::new(world.own("addComm = `x + y --> y + x`"), &[]);
        let one = world.rule("mulOne");
        let found = search(&question(&start, &[swap.clone(), one.clone()], 1_000), &Budget::default());
        assert!(found.complete);
        assert_eq!(found.visited.terms, reached(&start, &[swap, one.clone()], 1_000).len());
        assert_eq!(found.schedule.to_string(), "normalize(mulOne)");
        let more = Rule::new(world.own("grow = `x + y --> (x + y) * 1`"), &[]);
        for most in [1, 2, 30] {
            let found = search(&question(&start, &[more.clone(), one.clone()], most), &Budget::default());
            assert_eq!((found.visited.terms, found.complete), (most, false));
            assert!(found.visited.open > 0 && found.stopped.is_none());
        }
    });
}

#[test]
fn equal_questions_have_equal_answers() {
    deep(|| {
        let json = || {
            let searched = searched(&mut opened("dot", "gradient"), &format!(":search 200 {DOT}"));
            (searched.json().to_string(), searched.text(80.into()).into_text())
        };
        assert_eq!(json(), json());
    });
}

#[test]
fn an_interrupt_leaves_the_best_so_far() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        let all = searched(&mut session, &format!(":search 1000 {PAPER}")).found;
        let rules = rules_in(&all.schedule);
        for asked in [0u32, 1, 10, 40, 300] {
            let left = Rc::new(Cell::new(asked));
            let watch = move |_: &Budget| {
                let more = left.get();
                left.set(more.saturating_sub(1));
                (more == 0).then_some(StopReason::Interrupted)
            };
            let budget = Budget::new(Limits::default(), Some(Rc::new(watch)));
            let found = search(&question(&all.start, &rules, 1_000), &budget);
            assert_eq!(found.stopped, Some(StopReason::Interrupted), "{asked}");
            assert!(!found.complete && found.visited.open <= found.visited.terms);
            let worth = |term: &Term| typical(term, &all.start);
            assert!(worth(&found.best.term) <= worth(&all.start.term));
        }
        let budget = Budget::new(Limits { max_steps: 100, ..Limits::default() }, None);
        let found = search(&question(&all.start, &rules, 1_000), &budget);
        assert_eq!(found.stopped, Some(StopReason::Steps(100)));
    });
}

#[test]
fn what_cannot_be_searched_is_said() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        for (line, part) in
            [(":search", "no rule fired yet"), (":search id", "no rule in `id`"), (":search nix", "nix")]
        {
            let wrong = session::submit(&mut session, line).expect_err("an error");
            assert!(format!("{wrong:?}").contains(part), "{line}: {wrong:?}");
        }
        let none = searched(&mut session, ":search mulZero");
        assert!(none.found.complete && none.found.stages.is_empty() && none.found.schedule.to_string() == "id");
        let text = none.text(80.into()).into_text();
        assert!(text.starts_with("no rule applies"), "{text}");
    });
}

#[test]
fn scripts_search_and_apply_what_was_found() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        let mut value = |line: &str| match session::submit(&mut session, line) {
            Ok(Response::Value(text)) => text,
            other => panic!("{line}: {other:?}"),
        };
        let listed = PAPER.replace("<+", ",");
        value(&format!("let found = search(gradient, [{listed}], 1000); found.work"));
        assert_eq!(value("found.work"), "n");
        assert_eq!(value("found.complete"), "true");
        assert_eq!(value("gradient.apply(found.schedule).work"), "n");
        assert_eq!(value("found.term.work"), "n");
        assert_eq!(value("[found.visited, found.open] == [search(gradient, [beta], 1).visited, 0]"), "false");
        assert_eq!(value("search(gradient, beta).visited"), "2");
        assert!(value("found").starts_with("work 8*n^2 + n -> n by normalize("));
        for line in ["search(gradient, 3, 3)", "search(gradient, [], 3)", "search(gradient, beta, -1)"] {
            assert!(session::submit(&mut session, line).is_err(), "{line}");
        }
    });
}

/// Of a line that isn't at its end, the end is compared; of a run that isn't done, nothing is said of its order.
#[test]
fn a_derivation_is_compared_by_its_end() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        for line in ["fun (x : real) => (x + 0) * 1 * 1 * 1", ":step normalize(addZero <+ mulOne)"] {
            session::submit(&mut session, line).expect("it runs");
        }
        let begun = searched(&mut session, ":search").derived.expect("a derivation");
        assert!(begun.unfinished && begun.against_found.is_gt());
        for line in [":continue", ":goto 2"] {
            session::submit(&mut session, line).expect("it runs");
        }
        let done = searched(&mut session, ":search").derived.expect("a derivation");
        assert!(!done.unfinished && done.against_found.is_eq());
        assert_eq!((done.place.step, done.place.of, done.work.to_string().as_str()), (2, 4, "0"));
    });
}
