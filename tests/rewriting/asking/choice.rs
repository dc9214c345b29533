//! What is possible and what would come of it: against rewrites that are done, one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as File;
use std::rc::Rc;

use redexter::choice::{MAX_AROUND, MAX_LISTED, PossibleRewrites, Preview, PreviewEnd, possible};
use redexter::cost::{self, WorkMeter};
use redexter::ground::{Budget, Limits, Nesting, StopReason, Trouble};
use redexter::questions::{AskedTerm, Possibilities};
use redexter::redex::{Finder, RuleFamily, families, site};
use redexter::render::{answer_json, walk};
use redexter::rule::{Focus, Rule, RuleInfo};
use redexter::session::{self, MemorySystem, Response, Session};
use redexter::strategy::{Outcome, Strategy, run};
use redexter::term::{Path, Program, Term};
use redexter::walk::{RunRemainder, WalkAnswer};

use crate::asking::redexes::programs;
use crate::asking::session::session;
use crate::asking::shipped::Workbench;
use crate::asking::walks::{deep, found, opened, submit, walked};
use redexter::session::SilentSink;

pub fn rules(bench: &Workbench) -> Vec<Rc<RuleInfo>> {
    bench.interpreter().rules()
}

fn all_possible(program: &Program, finder: &mut Finder, meter: &mut WorkMeter) -> PossibleRewrites {
    possible(program, &Path::default(), &[], None, (finder, meter), &Budget::default())
}

pub fn at(path: &Path, whole: &Term, rule: &Rule) -> Strategy {
    match path.display(whole) {
        root if root.is_empty() => Strategy::rule(rule),
        path => Strategy::rule(rule).at(&path),
    }
}

pub fn run_to_end(strategy: &Strategy, program: &Program) -> Term {
    match run(strategy, program, &Budget::default(), cost::cheaper_total).map(|run| run.outcome) {
        Ok(Outcome::Success(term)) => term,
        other => panic!("{strategy}: {other:?}"),
    }
}

/// Each choice is what its rule does there, its work that of the whole afterwards; the cheapest come first, and all
/// redexes are among them.
#[test]
fn each_choice_really_applies_and_its_work_is_that_of_the_term_after_it() {
    deep(|| {
        let bench = Workbench::new();
        let (mut finder, mut meter) = (Finder::new(families(&rules(&bench))), WorkMeter::default());
        for program in programs(&bench) {
            let found = all_possible(&program, &mut finder, &mut meter);
            let redexes = finder.redexes(&program, usize::MAX, &Budget::default()).expect("no limit").found;
            assert!(found.all && found.stopped.is_none() && found.count == redexes.len());
            let size = |term: &Term| cost::typical(&cost::work(term).total(), &program.bounds);
            for choice in &found.choices {
                for path in [&choice.redex.path].into_iter().chain(&choice.others) {
                    let after = run_to_end(&at(path, &program.term, &choice.redex.rule), &program);
                    assert_eq!(cost::work(&after).total(), *choice.work);
                    if *path == choice.redex.path {
                        assert_eq!(after, choice.after);
                    }
                }
                assert_eq!(choice.change, size(&choice.after).cmp(&size(&program.term)));
            }
            for redex in &redexes {
                let is_it = |choice: &&redexter::choice::RewriteChoice| {
                    let places = [&choice.redex.path].into_iter().chain(&choice.others);
                    let mut rules = [&choice.redex.rule].into_iter().chain(&choice.also);
                    places.into_iter().any(|path| *path == redex.path)
                        && rules.any(|rule| *rule == redex.rule)
                        && choice.redex.contractum.fingerprint() == redex.contractum.fingerprint()
                };
                assert_eq!(found.choices.iter().filter(is_it).count(), 1, "{:?} at {:?}", redex.rule, redex.path);
            }
            for choice in &found.choices {
                for rule in &choice.also {
                    let after = run_to_end(&at(&choice.redex.path, &program.term, rule), &program);
                    assert_eq!(after, choice.after);
                }
            }
            let order: Vec<u128> = found.choices.iter().map(|choice| size(&choice.after)).collect();
            assert!(order.is_sorted(), "{order:?}");
            let looked: Vec<bool> = found.choices.iter().map(|choice| choice.enables.is_some()).collect();
            assert!(looked.iter().enumerate().all(|(k, is)| *is == (k < MAX_LISTED)));
        }
    });
}

/// Equal redexes of the same variables are one choice; those of others, or with other work, are another one.
#[test]
fn equal_redexes_are_one_choice_with_a_count() {
    deep(|| {
        let mut session = session(MemorySystem::default(), Nesting::default(), SilentSink);
        submit(
            &mut session,
            "`fun (v w : array n real) => build n (fun i => v[i] * 1 + (v[i] * 1 + (w[i] * 1 + ifold n (fun a j => a + v[i] * 1) 0)))`",
        );
        let found = list(&mut session, ":possible");
        let ones = found.choices.iter().filter(|choice| choice.redex.rule.to_string() == "mulOne");
        let places = |path: &Path| path.display(&found.program.term);
        let mut told: Vec<(String, Vec<String>)> =
            ones.map(|choice| (places(&choice.redex.path), choice.others.iter().map(places).collect())).collect();
        told.sort();
        let body = "body.body.buildBody.body";
        let one = |path: &str, others: &[&str]| {
            (format!("{body}.{path}"), others.iter().map(|other| format!("{body}.{other}")).collect::<Vec<_>>())
        };
        assert_eq!(told, [one("0", &["1.0"]), one("1.1.0", &[]), one("1.1.1.foldBody.body.body.1", &[])]);
    });
}

/// Which rules apply at a path.
fn names_at(program: &Program, path: &Path, families: &[RuleFamily]) -> BTreeSet<String> {
    let Some((context, term)) = site(&program.term, path) else { return BTreeSet::new() };
    let focus = Focus::new(&term, &context, &program.bounds);
    let applies =
        |family: &&RuleFamily| family.rules().iter().any(|rule| rule.apply(&focus).is_ok_and(|new| new != term));
    families.iter().filter(applies).map(|family| family.info().name.to_string()).collect()
}

#[test]
fn what_a_rewrite_enables_applies_afterwards_and_did_not_before() {
    deep(|| {
        let bench = Workbench::new();
        let families = families(&rules(&bench));
        let (mut finder, mut meter, mut count) = (Finder::new(families.clone()), WorkMeter::default(), 0);
        for program in programs(&bench).into_iter().step_by(3) {
            let found = all_possible(&program, &mut finder, &mut meter);
            for choice in found.choices.iter().take(MAX_LISTED) {
                let after = program.with(choice.after.clone());
                let at = &choice.redex.path;
                let enables = choice.enables.as_ref().expect("small terms are searched");
                // Terms that a rule rewrites in a part, by the rule's name, with the path to the first place of each.
                let below = |program: &Program, finder: &mut Finder| {
                    let all = finder.below(program, at, usize::MAX, &Budget::default()).expect("no limit").found;
                    let mut terms: BTreeMap<String, BTreeSet<u128>> = BTreeMap::new();
                    for redex in all {
                        terms.entry(redex.rule.info().name.to_string()).or_default().insert(redex.term.fingerprint());
                    }
                    terms
                };
                let (mut old, new) = (below(&program, &mut finder), below(&after, &mut finder));
                let own = choice.redex.rule.info().name.to_string();
                old.entry(own).or_default().remove(&choice.redex.term.fingerprint());
                let none = BTreeSet::new();
                let more = |name: &str| {
                    let (old, new) = (old.get(name).unwrap_or(&none), new.get(name).unwrap_or(&none));
                    new.len() > old.len() && !new.is_subset(old)
                };
                let mut expected: BTreeSet<String> = new.keys().filter(|name| more(name)).cloned().collect();
                for depth in (0..at.0.len()).rev().take(MAX_AROUND) {
                    let around = Path(at.0[..depth].to_vec());
                    let (was, is) = (names_at(&program, &around, &families), names_at(&after, &around, &families));
                    expected.extend(is.difference(&was).cloned());
                }
                let told: BTreeSet<String> = enables.iter().map(|one| one.rule.info().name.to_string()).collect();
                assert_eq!(told, expected, "{:?} at {at:?} in {:?}", choice.redex.rule, program.term);
                assert_eq!(told.len(), enables.len());
                for one in enables {
                    assert!(names_at(&after, &one.path, &families).contains(one.rule.info().name.as_str()));
                    let is_around = one.path.0.len() < at.0.len();
                    assert!(is_around || one.path.0.starts_with(&at.0));
                }
                count += told.len();
            }
        }
        assert!(count > 200, "{count}");
    });
}

/// What is counted is what takes the time.
#[test]
fn on_the_largest_gradient_it_takes_little_work_at_the_first_term_and_in_the_middle() {
    deep(|| {
        let mut session = opened("mixture", "gradient");
        let first = list(&mut session, ":possible");
        submit(&mut session, "fastGradient");
        let steps = match walked(&mut session, ":goto 0") {
            WalkAnswer::At { place, .. } => place.of,
            other => panic!("{other:?}"),
        };
        let middle = list(&mut session, &format!(":possible {}", steps / 2));
        let bench = Workbench::new();
        for (found, tried, visited) in [(first, 25_000, 110_000), (middle, 50_000, 70_000)] {
            let (mut finder, mut meter) = (Finder::new(families(&rules(&bench))), WorkMeter::default());
            let again = all_possible(&found.program, &mut finder, &mut meter);
            assert_eq!(again.count, found.count);
            assert!(found.all && found.choices.len() > 100);
            let counts = (finder.tried(), meter.visited());
            assert!(counts.0 < tried && counts.1 < visited, "{counts:?} for {} redexes", found.count);
        }
    });
}

#[track_caller]
fn list(session: &mut Session, line: &str) -> Rc<PossibleRewrites> {
    found::<Possibilities>(session, line).found
}

#[track_caller]
pub fn wrong(session: &mut Session, line: &str) -> String {
    match session::submit(session, line) {
        Err(Trouble::Wrong(all)) => format!("{}; {}", all[0].headline, all[0].help.join("; ")),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn a_choice_is_taken_by_its_number_as_long_as_the_term_is_the_same() {
    deep(|| {
        let mut session = opened("dot", "gradient");
        assert!(wrong(&mut session, ":take 1").starts_with("nothing was listed yet"));
        for number in [1, 7, 4, 2] {
            let found = list(&mut session, ":possible");
            let choice = &found.choices[number - 1];
            let WalkAnswer::Run(run) = walked(&mut session, &format!(":take {number}")) else { panic!("no run") };
            assert_eq!((run.after.term.clone(), run.rest), (choice.after.clone(), RunRemainder::None));
            assert_eq!(run.strategy, at(&choice.redex.path, &found.program.term, &choice.redex.rule).to_string());
            let gone = wrong(&mut session, ":take 1");
            assert!(gone.starts_with("the last list is of another term"), "{gone}");
            submit(&mut session, ":undo");
            submit(&mut session, &format!(":take {number}"));
        }
        let WalkAnswer::Derivation(view, _) = walked(&mut session, ":trace") else { panic!("no derivation") };
        assert_eq!(view.steps, 4);
        let found = list(&mut session, ":possible");
        let past = found.choices.len() + 1;
        assert!(wrong(&mut session, &format!(":take {past}")).contains(&format!("1..{}", past - 1)));
        assert!(matches!(submit(&mut session, ":save it.strat"), Response::Written(_)));
    });
}

#[test]
fn the_focus_an_address_and_a_pattern_say_where_to_look() {
    deep(|| {
        let mut session = opened("dot", "gradient");
        let whole = list(&mut session, ":possible");
        let path = Path::parse("body.body.letBody.buildBody.body", &whole.program.term).unwrap();
        let there = whole.choices.iter().filter(|choice| choice.redex.path.0.starts_with(&path.0)).count();
        assert!(there > 3 && there < whole.choices.len());
        let within = list(&mut session, ":possible .body.body.letBody.buildBody.body");
        assert_eq!((within.choices.len(), &within.within), (there, &path));
        let match_of = list(&mut session, ":possible `snd p`");
        assert_eq!(match_of.within, path);
        submit(&mut session, ":at .body.body.letBody.buildBody.body");
        submit(&mut session, ":mark it");
        assert_eq!(list(&mut session, ":possible").choices.len(), there);
        submit(&mut session, ":top");
        assert_eq!(list(&mut session, ":possible %it").choices.len(), there);
        for (line, says) in [
            (":possible .body.nothing", "has no child"),
            (":possible %none", "no subterm has the mark"),
            (":possible 3", "the derivation has no step 3"),
            (":possible nothing", "the derivation has no stage"),
            (":possible @none", "no term has the tag"),
            (":possible `sin x`", "matches nothing"),
        ] {
            assert!(wrong(&mut session, line).contains(says), "{line}");
        }
    });
}

#[test]
fn of_one_rule_its_rewrites_now_are_listed() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        let all = list(&mut session, ":possible").choices.clone();
        for (line, shown) in
            [("beta", "beta"), ("letSubstN", "letSubstN(k)"), ("letSubstN(2)", "letSubstN(2)"), ("ifTrue", "ifTrue")]
        {
            let found: Possibilities = found(&mut session, &format!(":possible {line}"));
            let by = |rule: &Rule| rule.info().name.as_str() == shown.split('(').next().unwrap();
            assert!(found.found.choices.iter().all(|choice| by(&choice.redex.rule)), "{line}");
            assert_eq!(found.rule.as_ref().map(ToString::to_string).as_deref(), Some(shown));
            if !line.contains('(') {
                let among = all.iter().filter(|choice| by(&choice.redex.rule) || choice.also.iter().any(by)).count();
                assert_eq!(found.found.choices.len(), among, "{line}");
            }
        }
        let beta = list(&mut session, ":possible beta");
        let mut enabled = beta.choices[0].enables.iter().flatten();
        assert!(enabled.any(|enabled| enabled.rule.info().name.as_str() == "letLet"), "by which all rules count");
        submit(&mut session, ":take 1");
        assert!(list(&mut session, ":possible beta").choices.is_empty());
    });
}

/// Each redex is shown, and no line is wider than the page for its sake.
#[test]
fn below_a_long_address_stands_its_redex() {
    deep(|| {
        let mut session = opened("mixture", "gradient");
        let answer = walked(&mut session, ":possible");
        let styled = walk(&answer, 80.into());
        let text = styled.text();
        let lines: Vec<&str> = text.lines().collect();
        let long: Vec<usize> =
            (0..lines.len()).filter(|k| lines[*k].contains(" at .") && lines[*k].chars().count() > 80).collect();
        assert!(long.len() > 10, "{text}");
        for k in long {
            let redex = lines[k + 1].trim_start();
            assert!(lines[k + 1].chars().count() <= 80 && !redex.contains("cheaper by"), "{redex}");
            assert!(lines[k + 2].contains("er by") || lines[k + 2].contains("the same work"), "{}", lines[k + 2]);
        }
    });
}

#[test]
fn of_an_earlier_term_it_is_told_which_was_taken() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        submit(&mut session, ":tag start");
        let WalkAnswer::Run(run) = walked(&mut session, "fastGradient") else { panic!("no run") };
        let terms: Vec<Term> = run.trace.terms().collect();
        for (k, (step, after)) in run.trace.steps.iter().zip(&terms).enumerate() {
            let found = list(&mut session, &format!(":possible {}", k + 1));
            let taken: Vec<_> = found.choices.iter().filter(|choice| choice.taken.is_some()).collect();
            assert_eq!(taken.len(), 1, "step {}", k + 1);
            let path = step.path();
            assert!(taken[0].redex.path == path || taken[0].others.contains(&path));
            assert_eq!(*taken[0].work, cost::work(after).total());
            assert_eq!(taken[0].taken.as_ref(), Some(step.rule()));
        }
        let stage = list(&mut session, ":possible hoist");
        let first = run.trace.steps.iter().position(|step| step.within().iter().any(|name| &**name == "hoist"));
        assert_eq!(stage.program.term, terms[first.unwrap() - 1]);
        let tagged: Possibilities = found(&mut session, ":possible @start");
        assert_eq!(tagged.then, AskedTerm::Tagged("start".to_owned()));
        assert_eq!(tagged.found.choices.iter().filter(|choice| choice.taken.is_some()).count(), 1);
        assert_eq!(list(&mut session, ":possible 0").program.term, run.trace.start);
        // At the normal form of the schedule, other rules still apply; the list tells where to go to take one.
        submit(&mut session, ":possible 3");
        assert!(wrong(&mut session, ":take 1").contains("another term"));
        submit(&mut session, ":goto 2");
        assert!(matches!(walked(&mut session, ":take 1"), WalkAnswer::Run(_)));
    });
}

#[test]
fn a_preview_says_what_the_run_comes_to_and_changes_nothing() {
    deep(|| {
        for line in ["fastGradient", "topDown(beta)", "normalize(getBuild <+ letSubstN(1)) ; try(fail)", "id"] {
            let mut session = opened("vector_sum", "gradient");
            let before = format!("{:?}", walked(&mut session, ":log"));
            let preview: Preview = found(&mut session, &format!(":preview {line}"));
            assert_eq!(format!("{:?}", walked(&mut session, ":log")), before);
            assert!(matches!(preview.end, PreviewEnd::Done));
            let WalkAnswer::Run(run) = walked(&mut session, line) else { panic!("no run") };
            assert_eq!((&preview.after, preview.trace.steps.len()), (&run.after, run.trace.steps.len()));
            assert_eq!(*preview.work.1, cost::work(&run.after.term).total());
            assert_eq!(preview.rules.iter().map(|(_, count)| count).sum::<usize>(), run.trace.steps.len());
            assert!(preview.rules.is_sorted_by(|a, b| a.1 >= b.1));
        }
        let mut session = opened("vector_sum", "gradient");
        let preview: Preview = found(&mut session, ":preview beta");
        assert!(
            matches!(&preview.end, PreviewEnd::Failed { reason, .. } if reason.contains("beta")),
            "{:?}",
            preview.end
        );
        let preview: Preview = found(&mut session, ":preview repeat(force(letSwap))");
        assert!(matches!(&preview.end, PreviewEnd::Done | PreviewEnd::Looping(_)), "{:?}", preview.end);
        assert!(wrong(&mut session, ":preview repeat(id)").contains("never ends"));
        submit(&mut session, ":set max-steps 5");
        let answer = walked(&mut session, ":preview fastGradient");
        assert!(matches!(answer.trouble(), Some(Trouble::Stopped { reason: StopReason::Steps(5), .. })));
        let json = answer_json(&answer).expect("it is JSON");
        assert_eq!(json["end"], "stopped");
        assert!(json["reason"].as_str().is_some_and(|reason| reason.starts_with("stopped after 5")));
    });
}

#[test]
fn lists_are_text_and_json() {
    deep(|| {
        let mut session = opened("dot", "gradient");
        let answer = walked(&mut session, ":possible");
        let found = list(&mut session, ":possible");
        let json = answer_json(&answer).expect("it is JSON");
        let choices = json["choices"].as_array().expect("a list");
        assert_eq!(choices.len(), found.choices.len());
        for (choice, json) in found.choices.iter().zip(choices) {
            assert_eq!(json["work"], choice.work.to_string());
            let path = Path::parse(json["path"].as_str().unwrap(), &found.program.term).unwrap();
            assert_eq!(path, choice.redex.path);
        }
        let text = walk(&answer, 100.into()).into_text();
        assert!(text.contains(&format!("and {} more", found.choices.len() - MAX_LISTED)), "{text}");
        assert_eq!(
            text.lines().filter(|line| line.contains(" at .") && line.contains(". ")).count(),
            MAX_LISTED,
            "{text}"
        );
    });
}

#[test]
fn a_list_ends_at_a_limit_with_what_is_known_so_far() {
    deep(|| {
        let bench = Workbench::new();
        let (_, program) = bench.programs(File::new("models/dot.arr")).remove(1);
        let mut finder = Finder::new(families(&rules(&bench)));
        let few = Budget::new(Limits { max_steps: 7, ..Limits::default() }, None);
        let found = possible(&program, &Path::default(), &[], None, (&mut finder, &mut WorkMeter::default()), &few);
        assert!(found.stopped.is_some() && !found.all && found.count == 7);
    });
}

/// Places are told together only where their variables are the same ones, whatever their names.
#[test]
fn different_variables_of_one_name_are_different_places() {
    deep(|| {
        let mut session = session(MemorySystem::default(), Nesting::default(), SilentSink);
        let term = "fun (x : real) => (x * 1, let x := 2; x * 1, x * 1)";
        session::submit(&mut session, term).expect("a term");
        let found: Possibilities = found(&mut session, ":possible");
        let units = found.found.choices.iter().filter(|choice| choice.redex.rule.info().name.as_str() == "mulOne");
        let places: Vec<usize> = units.map(|choice| 1 + choice.others.len()).collect();
        assert_eq!(places, [2, 1]);
    });
}
