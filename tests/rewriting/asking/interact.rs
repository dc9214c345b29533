//! How rules interact: what is said of a pair is true of the term that shows it, and nothing that was said not to be shows
//! on other terms. Both are checked by trying the rules everywhere, by hand.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path as File;
use std::rc::Rc;

use redexter::ground::{Budget, Limits, Random, StopReason};
use redexter::interact::{
    InteractionEffort, InteractionFinding, Interactions, RulePair, RuleRelation, interaction, interactions,
};
use redexter::redex::{RuleFamily, named};
use redexter::rule::{Focus, Frame, RuleBody, RuleInfo};
use redexter::session::submit;
use redexter::sound::sample;
use redexter::strategy::{Outcome, Strategy, StrategyForm, Unary, run};
use redexter::term::{Program, SizeBounds, Term};
use redexter::walk::{CHEAPER_MEASURE, QuestionFinding};

use redexter_reference::cases;

use crate::asking::book::World;
use crate::asking::shipped::{Workbench, schedules};
use crate::asking::walks::{deep, opened, walked};

/// A place where a rule applies, and the whole term afterwards.
#[derive(Clone, Debug)]
struct Applied {
    path: Vec<u32>,
    whole: Term,
}

/// Everywhere that a rule with its first fitting arguments applies, tried one by one.
fn applied(family: &RuleFamily, program: &Program) -> Vec<Applied> {
    let mut all = Vec::new();
    everywhere(family, &program.term, &program.bounds, &mut Vec::new(), &mut all);
    all
}

fn everywhere(family: &RuleFamily, here: &Term, bounds: &SizeBounds, above: &mut Vec<Frame>, all: &mut Vec<Applied>) {
    let focus = Focus::new(here, above, bounds);
    let made = family.rules().iter().find_map(|rule| rule.apply(&focus).ok().filter(|after| after != here));
    if let Some(contractum) = made {
        let around = |kid: Term, frame: &Frame| frame.term.with_kid(frame.kid, kid).expect("it fits its place");
        let path = above.iter().map(|frame| frame.kid as u32).collect();
        all.push(Applied { path, whole: above.iter().rev().fold(contractum, around) });
    }
    for kid in 0..here.kid_count() {
        above.push(Frame { term: here.clone(), kid });
        everywhere(family, &here.kid(kid), bounds, above, all);
        above.pop();
    }
}

/// The terms that steps of either lead to, within so many.
fn reached(families: [&RuleFamily; 2], from: &Program, steps: usize) -> Vec<Term> {
    let (mut all, mut begin) = (vec![from.term.clone()], 0);
    for _ in 0..steps {
        let end = all.len();
        for k in begin..end {
            let program = from.with(all[k].clone());
            for next in families.iter().flat_map(|family| applied(family, &program)) {
                if !all.contains(&next.whole) {
                    all.push(next.whole);
                }
            }
        }
        begin = end;
    }
    all
}

/// That a finding is true of its term.
fn holds(finding: &InteractionFinding, rules: &[RuleFamily]) {
    let (by, to) = (&rules[finding.by], &rules[finding.to]);
    let said = format!("{by} {:?} {to}: {finding:?}", finding.relation);
    assert_eq!(finding.program.term.free().len(), 0, "{said}");
    let [one, other] = &finding.outcomes;
    for outcome in &finding.outcomes {
        let mut now = finding.program.clone();
        for step in &outcome.steps {
            let family = RuleFamily::from(&step.rule);
            let there = applied(&family, &now).into_iter().find(|applied| applied.path == step.path.0);
            now = now.with(there.unwrap_or_else(|| panic!("{} doesn't apply\n{said}", step.rule)).whole);
        }
        assert_eq!(now.term, outcome.term, "{said}");
        assert_eq!(now.term.ty(), finding.program.term.ty(), "{said}");
    }
    let path = |outcome: &redexter::interact::InteractionOutcome| outcome.steps[0].path.0.clone();
    let others = |family: &RuleFamily, term: &Term, but: &[u32]| {
        let all = applied(family, &finding.program.with(term.clone()));
        all.into_iter().filter(|applied| finding.by != finding.to || applied.path != but).count()
    };
    let start = &finding.program.term;
    let (first, second) = (&one.steps[0].path.0, &other.steps[0].path.0);
    match finding.relation {
        RuleRelation::Enables => assert_eq!(others(to, start, &path(one)), 0, "{said}"),
        RuleRelation::Disables => {
            assert!(others(to, start, &path(one)) > 0, "{said}");
            assert_eq!(applied(to, &finding.program.with(one.term.clone())).len(), 0, "{said}");
        }
        RuleRelation::Competes | RuleRelation::Joins => {
            assert!(first.starts_with(second) || second.starts_with(first), "{said}");
            assert_ne!(one.term, other.term, "{said}");
            let ways = [one, other].map(|o| reached([by, to], &finding.program.with(o.term.clone()), 2));
            let joined = ways[0].iter().any(|term| ways[1].contains(term));
            assert!(finding.relation == RuleRelation::Joins || !joined, "{said}");
        }
        RuleRelation::Undoes => assert_eq!((other.steps.len(), &other.term), (2, start), "{said}"),
        RuleRelation::Commutes => assert_eq!(one.term, other.term, "{said}"),
    }
}

/// What a term shows of a pair that was not said of it.
fn unsaid(pair: &RulePair, [a, b]: [&RuleFamily; 2], program: &Program) -> Option<String> {
    let said = |relation, by, to| pair.findings.iter().any(|f| (f.relation, f.by, f.to) == (relation, by, to));
    let apart = [RuleRelation::Disables, RuleRelation::Competes, RuleRelation::Joins];
    let apart = pair.findings.iter().any(|finding| apart.contains(&finding.relation));
    let (p, q) = pair.rules;
    let (ours, others) = (applied(a, program), applied(b, program));
    if ours.len() > 5 || others.len() > 5 {
        return None;
    }
    let after = |family: &RuleFamily, whole: &Term| applied(family, &program.with(whole.clone()));
    for (x, others, by, to, family) in
        ours.iter().map(|x| (x, &others, p, q, b)).chain(others.iter().map(|x| (x, &ours, q, p, a)))
    {
        let none = others.iter().all(|other| p == q && other.path == x.path);
        if none && !said(RuleRelation::Enables, by, to) && !after(family, &x.whole).is_empty() {
            return Some(format!("{by} enables {to}"));
        }
    }
    for x in &ours {
        for y in others.iter().filter(|y| p != q || y.path > x.path) {
            let (behind, before) = (after(b, &x.whole), after(a, &y.whole));
            let ends_second = behind.is_empty() && before.iter().all(|next| next.whole != x.whole);
            let ends_first = before.is_empty() && behind.iter().all(|next| next.whole != y.whole);
            let nested = x.path.starts_with(&y.path) || y.path.starts_with(&x.path);
            let differ = x.whole != y.whole;
            if !apart && differ && (ends_first != ends_second || nested && ends_first) {
                return Some("one ends the other".to_owned());
            }
            let joined = || behind.iter().any(|one| before.iter().any(|other| one.whole == other.whole));
            if !apart && differ && x.path == y.path && !joined() {
                return Some("both rewrite one redex, differently".to_owned());
            }
        }
    }
    None
}

fn text_rules(world: &World) -> Vec<RuleFamily> {
    let is_text = |info: &&Rc<RuleInfo>| matches!(info.body, RuleBody::Laws(_));
    world.book.iter().filter(is_text).map(RuleFamily::of).collect()
}

/// Pairs of which something is not said that shows on other terms: what is found is so, but not all is found. No other pair
/// of the rules that are text is known to be one.
const MISSED: [(&str, &str); 10] = [
    ("letSubstSafe", "letSubstCheap"),
    ("letDead", "subSelf"),
    ("letSubstTangent", "buildGet"),
    ("addZero", "ifoldConst"),
    ("mulOne", "ifoldConst"),
    ("mulZero", "ifFloatMul"),
    ("factor.reverse", "ifFloatMul"),
    ("addNeg", "ifoldFactor"),
    ("divRecip.reverse", "pairEta"),
    ("ifoldSplitOneHot", "ifoldFactor"),
];

/// All pairs of the rules that are text, or of them some.
#[test]
fn what_is_said_of_two_rules_is_so() {
    deep(|| {
        let world = World::new();
        let rules = text_rules(&world);
        let (every, terms) = (24 - cases(1, 23) as usize, cases(12, 60) as usize);
        let (mut number, mut pairs, mut findings, mut tried, mut wrong) = (0usize, 0, 0, 0, Vec::new());
        for a in 0..rules.len() {
            for b in a..rules.len() {
                number += 1;
                if number % every != 0 {
                    continue;
                }
                let two = [&rules[a], &rules[b]];
                let pair = interaction(two[0], two[1], world.templates(), InteractionEffort::QUICK, &Budget::default())
                    .unwrap();
                let both = if a == b { vec![rules[a].clone()] } else { vec![rules[a].clone(), rules[b].clone()] };
                pair.findings.iter().for_each(|finding| holds(finding, &both));
                pairs += 1;
                findings += pair.findings.len();
                let mut random = Random::new(1_000 + number as u64);
                for k in 0..terms {
                    let info = two[k % 2].info();
                    let Some((program, _)) = sample(info, world.templates(), random.number()).unwrap() else {
                        continue;
                    };
                    tried += 1;
                    let names = two.map(|family| family.info().name.to_string());
                    let known = MISSED.iter().any(|(a, b)| names == [*a, *b]);
                    if let Some(what) = unsaid(&pair, two, &program).filter(|_| !known) {
                        wrong.push(format!("{} and {}: {what}: {:?}", two[0], two[1], program.term));
                        break;
                    }
                }
            }
        }
        println!("{} text rules, {pairs} pairs, {findings} findings, {tried} further terms", rules.len());
        assert!(pairs > 100 && findings > pairs / 2 && tried > pairs, "{pairs} {findings} {tried}");
        assert!(wrong.is_empty(), "{} of {pairs}\n{}", wrong.len(), wrong.join("\n"));
    });
}

fn families(world: &World, names: &[&str]) -> Vec<RuleFamily> {
    let rules: Vec<Rc<RuleInfo>> = world.book.iter().cloned().collect();
    names.iter().map(|name| named(name, &rules).expect("a rule")).collect()
}

fn look(world: &World, names: &[&str]) -> Interactions {
    interactions(&families(world, names), world.templates(), InteractionEffort::QUICK, &Budget::default()).unwrap()
}

/// What each pair is said to be, as `a enables b`.
fn told(found: &Interactions) -> BTreeSet<String> {
    let all = found.pairs.iter().flat_map(|pair| &pair.findings);
    all.map(|f| format!("{} {:?} {}", found.rules[f.by], f.relation, found.rules[f.to]).to_lowercase()).collect()
}

#[test]
fn known_pairs() {
    deep(|| {
        let world = World::new();
        for (names, expected) in [
            (&["letSwap"][..], &["letswap undoes letswap"][..]),
            (&["factor", "distribute"], &["factor undoes distribute", "distribute undoes factor"]),
            (&["subNeg", "subNeg.reverse"], &["subneg undoes subneg.reverse", "subneg.reverse undoes subneg"]),
            (&["getBuild", "letSubstN(1)"], &["letsubstn(1) enables getbuild"]),
            (&["getBuild", "beta"], &["getbuild enables beta"]),
            (&["fstPair", "pairEta"], &["fstpair competes pairetA"]),
            (&["ifFalse", "letDead"], &["iffalse enables letdead"]),
        ] {
            let found = told(&look(&world, names));
            for finding in expected {
                assert!(found.contains(&finding.to_lowercase()), "{finding}: {found:#?}");
            }
        }
        let apart = look(&world, &["negNeg", "ifoldZero"]);
        assert!(apart.pairs.iter().all(|pair| pair.terms > 0), "{apart:?}");
        assert!(
            apart.between(0, 1).chain(apart.between(1, 0)).all(|f| f.relation != RuleRelation::Competes),
            "{apart:?}"
        );
    });
}

/// The stages of the paper's schedule: only one order reaches n, and the table names the pairs that make it so.
#[test]
fn the_order_of_the_papers_stages() {
    deep(|| {
        let workbench = Workbench::new();
        let stages = workbench.strategies(File::new("strategies/paper.strat"));
        let stage = |name: &str| {
            let found = stages.iter().find(|(of, _)| of.ends_with(&format!(" {name}")));
            found.map(|(_, strategy)| strategy.clone()).expect("a stage")
        };
        let three = ["fuse", "split", "onehot"].map(stage);
        let programs = workbench.programs(File::new("models/vector_sum.arr"));
        let plain = programs.iter().find(|(name, _)| name.ends_with(":gradient")).expect("a program").1.clone();
        let mut linear = Vec::new();
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let schedule = order.iter().map(|k| &three[*k]).fold(Strategy::id(), |all, next| all.then(next));
            let Outcome::Success(term) = run(&schedule, &plain, &Budget::default(), CHEAPER_MEASURE).unwrap().outcome
            else {
                panic!("{order:?} fails");
            };
            let work = redexter::cost::work(&term).total();
            if work.at(|_| 1000) < 20_000 {
                linear.push(order);
            }
        }
        assert_eq!(linear, [[0, 1, 2]]);
        let mut names: Vec<String> = Vec::new();
        three.iter().for_each(|stage| {
            rules_in(stage, &mut |family| {
                let name = family.to_string();
                if !names.contains(&name) {
                    names.push(name);
                }
            })
        });
        let world = World::new();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(names.len(), 11, "{names:?}");
        let found = look(&world, &names);
        let between = |by: &str, to: &str| -> Vec<RuleRelation> {
            let number = |name: &str| names.iter().position(|known| *known == name).expect("a rule");
            found.between(number(by), number(to)).map(|finding| finding.relation).collect()
        };
        // What fuse and split leave is what split and onehot need.
        for (by, to) in [("letSubstSafe", "ifoldFission"), ("ifoldFission", "ifoldOneHot"), ("sndPair", "ifoldOneHot")]
        {
            assert!(between(by, to).contains(&RuleRelation::Enables), "{by} {to}: {:?}", between(by, to));
        }
        // An if that floats out too early is in the way of both.
        for to in ["ifoldFission", "fstPair", "sndPair", "letSubstSafe"] {
            let parts = |relation: &RuleRelation| matches!(relation, RuleRelation::Disables | RuleRelation::Competes);
            assert!(between("ifFloat", to).iter().any(parts), "{to}: {:?}", between("ifFloat", to));
        }
    });
}

/// Each rule in a strategy, in the definitions that it uses, too.
fn rules_in(strategy: &Strategy, note: &mut dyn FnMut(RuleFamily)) {
    visit(strategy, &mut BTreeSet::new(), &mut |part| {
        if let StrategyForm::Rule(rule) = part.form() {
            note(RuleFamily::from(rule));
        }
    });
}

fn visit(strategy: &Strategy, seen: &mut BTreeSet<String>, look: &mut dyn FnMut(&Strategy)) {
    look(strategy);
    if let StrategyForm::Named(of) = strategy.form()
        && seen.insert(of.definition.name.to_string())
        && let Some(body) = of.definition.body()
    {
        visit(body, seen, look);
    }
    strategy.form().parts().into_iter().for_each(|part| visit(part, seen, look));
}

/// Rules of one stage that take each other's steps back, and why the stage ends nevertheless.
const UNDO: &[(&str, &str, &str)] = &[
    (
        "letAt",
        "totalTable",
        "`totalTable` leaves what is read from a variable: the table that it names has elements that cost something",
    ),
    (
        "letFloatElement",
        "letIntoArray",
        "`hoist` visits children first: letSubstTangent takes the let away within the element before the array is looked at",
    ),
];

/// What is repeated as long as it applies: none of its rules takes a step of another back, or it is known why that ends.
#[test]
fn stages_do_not_take_back_their_own_steps() {
    deep(|| {
        let (workbench, world) = (Workbench::new(), World::new());
        let effort =
            InteractionEffort { overlaps: cases(6, 150) as usize, grown: cases(2, 4) as usize, smaller: 0, seed: 3 };
        let (mut pairs, mut stages, mut undo) = (BTreeSet::new(), 0, BTreeSet::new());
        for path in schedules() {
            for (_, strategy) in workbench.strategies(&path) {
                let mut loops: Vec<Strategy> = Vec::new();
                visit(&strategy, &mut BTreeSet::new(), &mut |part| {
                    let repeating =
                        [Unary::Repeat, Unary::Repeat1, Unary::Normalize, Unary::Outermost, Unary::Innermost];
                    if let StrategyForm::Unary(unary, of) = part.form()
                        && repeating.contains(unary)
                    {
                        loops.push(of.clone());
                    }
                });
                for repeated in loops {
                    stages += 1;
                    let mut all: Vec<RuleFamily> = Vec::new();
                    rules_in(&repeated, &mut |family| all.push(family));
                    for (k, a) in all.iter().enumerate() {
                        for b in &all[k..] {
                            let [x, y] = [a.to_string(), b.to_string()];
                            if !pairs.insert(if x < y { (x, y) } else { (y, x) }) {
                                continue;
                            }
                            let pair = interaction(a, b, world.templates(), effort, &Budget::default()).unwrap();
                            let names = [a.to_string(), if pair.rules.1 == 0 { a } else { b }.to_string()];
                            let takes = pair.findings.into_iter().filter(|f| f.relation == RuleRelation::Undoes);
                            undo.extend(takes.map(|f| (names[f.by].clone(), names[f.to].clone())));
                        }
                    }
                }
            }
        }
        println!("{stages} repetitions, {} pairs", pairs.len());
        assert!(stages > 20 && pairs.len() > 300, "{stages} {}", pairs.len());
        let known: BTreeSet<(String, String)> =
            UNDO.iter().map(|(a, b, _)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(undo, known);
    });
}

#[test]
fn without_names_the_rules_that_fired() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        let none = format!("{:?}", submit(&mut session, ":interact").expect_err("nothing fired"));
        assert!(none.contains("no strategy ran yet") && none.contains("name some"), "{none}");
        submit(&mut session, "normalize(getBuild <+ letSubstN(1))").unwrap();
        let answer = walked(&mut session, ":interact");
        let found = answer.found::<Interactions>().expect("a table");
        let names: Vec<String> = found.rules.iter().map(ToString::to_string).collect();
        assert_eq!(found.pairs.len(), 3, "{names:?}");
        assert!(names.contains(&"getBuild".to_owned()) && names.contains(&"letSubstN(1)".to_owned()), "{names:?}");
        let json = redexter::render::answer_json(&answer).expect("a form for programs");
        assert_eq!(json["pairs"].as_array().unwrap().len(), 3);
        assert_eq!(json["rules"], serde_json::json!(names));
        let text = redexter::render::walk(&answer, 100.into());
        assert!(text.text().contains("letSubstN(1) enables getBuild"), "{}", text.text());
    });
}

#[test]
fn bad_names_and_one_rule() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        let unknown = format!("{:?}", submit(&mut session, ":interact getBild").expect_err("no such rule"));
        assert!(unknown.contains("there is no rule `getBild`") && unknown.contains("getBuild"), "{unknown}");
        let arguments = format!("{:?}", submit(&mut session, ":interact letSubstN(1, 2)").expect_err("two arguments"));
        assert!(arguments.contains("letSubstN(k)"), "{arguments}");
        let answer = walked(&mut session, ":interact letSwap letSwap");
        let found = answer.found::<Interactions>().expect("a table");
        assert_eq!((found.rules.len(), found.pairs.len()), (1, 1));
        let answer = walked(&mut session, ":interact letSubstN getBuild");
        let found = answer.found::<Interactions>().expect("a table");
        assert_eq!(found.rules[0].to_string(), "letSubstN(k)");
    });
}

/// Without names, those that fired are in the table, and those that the strategies tried in vain.
#[test]
fn rules_that_never_fired_are_in_the_table() {
    deep(|| {
        let mut session = opened("vector_sum", "gradient");
        assert!(
            format!("{:?}", submit(&mut session, ":interact").expect_err("no run")).contains("no strategy ran yet")
        );
        submit(&mut session, "normalize(beta <+ addZero <+ getBuild <+ ifoldFission)").unwrap();
        let answer = walked(&mut session, ":interact");
        let found = answer.found::<Interactions>().expect("a table");
        let rules: BTreeSet<String> = found.rules.iter().map(ToString::to_string).collect();
        assert_eq!(rules, ["addZero", "beta", "getBuild", "ifoldFission"].map(str::to_owned).into());
        assert_eq!(found.rules[0].to_string(), "beta", "what fired first");
        submit(&mut session, "gradient").unwrap();
        submit(&mut session, "fastGradient").unwrap();
        let answer = walked(&mut session, ":interact");
        let found = answer.found::<Interactions>().expect("a table");
        assert_eq!(found.rules.len(), 12);
        // Of so many, eight are shown on terms: conflicts of two rules first.
        let text = redexter::render::walk(&answer, 100.into());
        let heads = |with: &str| text.text().lines().filter(|line| line.contains(with)).count();
        assert_eq!(heads(" competes with ") + heads(" disables ") + heads(" takes back "), 8, "{}", text.text());
        assert!(text.text().contains(" more: name two rules"), "{}", text.text());
    });
}

/// What is known when it is interrupted is the answer.
#[test]
fn an_interrupted_table_has_what_was_found() {
    deep(|| {
        let world = World::new();
        let rules = families(&world, &["getBuild", "beta", "letSubst", "fstPair", "sndPair", "factor"]);
        let asked = Rc::new(Cell::new(0));
        let until = |most: usize| {
            asked.set(0);
            let count = asked.clone();
            let watch = move |_: &Budget| {
                count.set(count.get() + 1);
                (count.get() > most).then_some(StopReason::Interrupted)
            };
            let budget = Budget::new(Limits::default(), Some(Rc::new(watch)));
            interactions(&rules, world.templates(), InteractionEffort::QUICK, &budget).unwrap()
        };
        let all = until(usize::MAX);
        assert_eq!((all.stopped, all.pairs.len()), (None, 21));
        let found = until(asked.get() / 2);
        assert_eq!(found.stopped, Some(StopReason::Interrupted));
        assert!((1..21).contains(&found.pairs.len()), "{}", found.pairs.len());
        assert!(found.knows(0, 0) && !found.knows(5, 5));
        assert!(found.text(100.into()).text().contains('?'));
    });
}

/// The same seed gives the same, whatever else is in the table.
#[test]
fn a_pair_is_the_same_in_every_table() {
    deep(|| {
        let world = World::new();
        let shown = |found: &Interactions, a: usize, b: usize| {
            let pair = found.pairs.iter().find(|pair| pair.rules == (a, b)).expect("a pair");
            let of = |f: &InteractionFinding| (f.relation, f.by == a, f.program.clone(), f.outcomes[1].term.clone());
            pair.findings.iter().map(of).collect::<Vec<_>>()
        };
        let (small, large) = (look(&world, &["beta", "letDead"]), look(&world, &["fstPair", "beta", "letDead"]));
        assert_eq!(shown(&small, 0, 1), shown(&large, 1, 2));
    });
}
