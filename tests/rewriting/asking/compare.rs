//! Strategies side by side, without each part and in every order: against searches by hand, and against the strategies written
//! out.

use std::cell::Cell;
use std::fs;
use std::rc::Rc;
use std::time::Duration;

use redexter::compare::{Ablation, AblationEffect, AlignedSteps, OrderResult, Orders, SideBySide, SidesVerdict, align};
use redexter::cost::{self, Poly};
use redexter::ground::{Budget, Nesting, Random, Trouble};
use redexter::questions::AfterSteps;
use redexter::render;
use redexter::session::{self, MemorySystem, Response, Session};
use redexter::strategy::Trace;
use redexter::term::Term;
use redexter::walk::{QuestionFinding, WalkAnswer, WalkRun};

use crate::asking::session::session;
use crate::asking::walks::found;
use redexter::session::SilentSink;

/// A session over all models and strategies that ship, with a definition as the current term.
fn opened(memory: MemorySystem, model: &str, definition: &str) -> Session {
    for folder in ["models", "strategies"] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                memory.put(&path, &fs::read(&path).unwrap());
            }
        }
    }
    let mut session = session(memory, Nesting::default(), SilentSink);
    session::submit(&mut session, &format!(":load models/{model}.arr")).unwrap();
    for line in STAGES {
        session::submit(&mut session, line).unwrap();
    }
    session::submit(&mut session, &format!("{model}.{definition}")).unwrap();
    session
}

fn of(model: &str) -> Session {
    opened(MemorySystem::default(), model, "gradient")
}

/// The paper's schedule, as strategies/vector_sum.strat has it.
const STAGES: [&str; 3] = [
    "strategy fuse = normalize(beta <+ getBuild <+ letPair <+ letSubstSafe <+ letSubstN(1) <+ fstPair <+ sndPair);",
    "strategy split = normalize(ifoldFission <+ fstPair <+ sndPair);",
    "strategy onehot = normalize(ifFloat <+ addZero <+ ifoldOneHot <+ letSubstSafe);",
];

#[track_caller]
fn answer(session: &mut Session, line: &str) -> WalkAnswer {
    match session::submit(session, line) {
        Ok(Response::Walk(answer)) => answer,
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
fn compared(session: &mut Session, line: &str) -> SideBySide {
    found::<AfterSteps<_>>(session, &format!(":compare {line}")).found
}

#[track_caller]
fn ablated(session: &mut Session, line: &str) -> Ablation {
    found::<AfterSteps<_>>(session, &format!(":ablate {line}")).found
}

#[track_caller]
fn ordered(session: &mut Session, line: &str) -> Orders {
    found::<AfterSteps<_>>(session, &format!(":orders {line}")).found
}

/// A run, after which the term is as it was.
#[track_caller]
fn run(session: &mut Session, line: &str) -> WalkRun {
    match answer(session, line) {
        WalkAnswer::Run(run) => {
            if !run.trace.steps.is_empty() {
                session::submit(session, ":undo").unwrap();
            }
            run
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[track_caller]
fn refused(session: &mut Session, line: &str) -> (String, String) {
    match session::submit(session, line) {
        Err(Trouble::Wrong(all)) => (all[0].headline.clone(), all[0].help.join("\n")),
        other => panic!("{line}: {other:?}"),
    }
}

fn work(term: &Term) -> Poly {
    cost::work(term).total()
}

/// What is between two pieces, by comparing each term with each.
fn by_hand(first: &Trace, second: &Trace) -> Vec<AlignedSteps> {
    let terms = |trace: &Trace| [trace.start.clone()].into_iter().chain(trace.terms()).collect::<Vec<Term>>();
    let (a, b) = (terms(first), terms(second));
    let (mut i, mut j, mut all) = (0, 0, Vec::new());
    loop {
        let (from, to) = (i, j);
        while i + 1 < a.len() && j + 1 < b.len() && a[i + 1] == b[j + 1] {
            (i, j) = (i + 1, j + 1);
        }
        all.push(AlignedSteps { together: true, steps: [from..i, to..j] });
        if (i, j) == (a.len() - 1, b.len() - 1) {
            return all;
        }
        let pairs = (i..a.len()).flat_map(|k| (j..b.len()).map(move |l| (k, l)));
        let equal = pairs.filter(|(k, l)| (*k, *l) != (i, j) && a[*k] == b[*l]);
        let next = equal.min_by_key(|(k, l)| (k + l, *k));
        let (k, l) = next.unwrap_or((a.len() - 1, b.len() - 1));
        all.push(AlignedSteps { together: false, steps: [i..k, j..l] });
        if next.is_none() {
            return all;
        }
        (i, j) = (k, l);
    }
}

#[test]
fn derivations_are_aligned_where_a_search_by_hand_finds_equal_terms() {
    const PARTS: [&str; 12] = [
        "topDown(beta)",
        "topDown(letSubstN(1))",
        "bottomUp(letSubstN(1))",
        "topDown(getBuild)",
        "topDown(letPair)",
        "topDown(letSubst)",
        "bottomUp(letSubst)",
        "normalize(beta <+ getBuild)",
        "normalize(letSubstSafe <+ fstPair <+ sndPair)",
        "topDown(letLet)",
        "fuse",
        "onehot",
    ];
    let mut random = Random::new(15);
    let (mut meeting, mut several, mut apart) = (0, 0, 0);
    for model in ["vector_sum", "dot", "sum_of_squares"] {
        let mut session = of(model);
        for _ in 0..40 {
            let parts: Vec<&str> = (0..2 + random.below(5)).map(|_| *random.pick(&PARTS)).collect();
            let mut others = parts.clone();
            // Other orders of the same rewrites meet.
            others.chunks_mut(2).filter(|_| random.chance(70)).for_each(<[&str]>::reverse);
            if random.chance(20) {
                others.push(*random.pick(&PARTS));
            }
            let schedule =
                |parts: &[&str]| parts.iter().map(|part| format!("try({part})")).collect::<Vec<String>>().join(" ;; ");
            let (one, other) = (schedule(&parts), schedule(&others));
            let traces = [&one, &other].map(|line| run(&mut session, line).trace);
            let pieces = align(&traces[0], &traces[1], &Budget::default()).unwrap();
            assert_eq!(pieces, by_hand(&traces[0], &traces[1]), "{one} | {other}");
            let found = compared(&mut session, &format!("{one} | {other}"));
            assert_eq!(found.aligned, pieces, "{one} | {other}");
            let most = traces[0].steps.len();
            assert!(found.replayed <= most, "{} of {most}", found.replayed);
            let end = |trace: &Rc<Trace>| trace.terms().last().unwrap_or_else(|| trace.start.clone());
            let is_same = end(&traces[0]) == end(&traces[1]);
            match &found.verdict {
                SidesVerdict::Steps => assert!(is_same && pieces.len() == 1),
                SidesVerdict::Order | SidesVerdict::Term => assert!(is_same && pieces.len() > 1),
                SidesVerdict::Meaning { tests, .. } => assert!(!is_same && !tests.runs.is_empty()),
                other => panic!("{one} | {other:?}"),
            }
            meeting += usize::from(found.meeting.is_some());
            several += usize::from(pieces.len() > 3);
            apart += usize::from(found.parting.is_some() && found.meeting.is_none());
            if let (Some(point), [common, ..]) = (&found.parting, &pieces[..]) {
                assert_eq!(point.after, [common.steps[0].end, common.steps[1].end]);
                for k in [0, 1] {
                    let step = traces[k].steps.get(point.after[k]);
                    let told = found.next[k].as_ref().map(|next| (next.rule.to_string(), next.path.clone()));
                    assert_eq!(told, step.map(|step| (step.rule().to_string(), step.path())));
                }
            }
        }
    }
    assert!(meeting > 20 && several > 3 && apart > 10, "{meeting} {several} {apart}");
}

#[test]
fn two_orders_of_the_papers_schedule_part_at_a_step_and_cost_otherwise() {
    let mut session = of("vector_sum");
    let found = compared(&mut session, "fuse ;; split ;; onehot | split ;; fuse ;; onehot");
    let fused = run(&mut session, "fuse");
    let parting = found.parting.as_ref().unwrap();
    assert_eq!(parting.after, [fused.trace.steps.len(); 2]);
    assert_eq!(parting.term, fused.after.term);
    assert_eq!(*parting.work, work(&fused.after.term));
    let next = found.next.each_ref().map(|next| next.as_ref().unwrap());
    assert_eq!(next.map(|next| next.rule.to_string()), ["ifoldFission", "ifFloat"]);
    assert_eq!(next.map(|next| next.number), [fused.trace.steps.len() + 1; 2]);
    assert_eq!(next.map(|next| next.within.iter().map(|name| &**name).collect::<Vec<&str>>()), [["split"], ["onehot"]]);
    // Addresses lead to the redexes.
    for next in next {
        assert_eq!(next.address, format!(".{}", next.path.display(&parting.term)));
    }
    assert!(found.meeting.is_none());
    assert_eq!(found.sides.each_ref().map(|side| side.work.as_ref().unwrap().order().to_string()), ["n", "n^2"]);
    assert_eq!(found.cheaper(), Some(0));
    let SidesVerdict::Meaning { tests, .. } = &found.verdict else { panic!("{:?}", found.verdict) };
    assert_eq!((tests.runs.len(), tests.unfit, tests.difference.is_none()), (6, 0, true));
    for k in [0, 1] {
        assert_eq!(found.rules.iter().map(|(_, counts)| counts[k]).sum::<usize>(), found.sides[k].steps);
        assert_eq!(found.stages.iter().map(|(_, counts)| counts[k]).sum::<usize>(), found.sides[k].steps);
    }
}

#[test]
fn ends_have_their_verdicts() {
    let mut session = of("vector_sum");
    let verdict = |session: &mut Session, line: &str| compared(session, line).verdict;
    assert!(matches!(verdict(&mut session, "fuse | fuse"), SidesVerdict::Steps));
    assert!(matches!(verdict(&mut session, "fuse | mulOne"), SidesVerdict::Unfinished));
    assert!(matches!(verdict(&mut session, "normalize(letSwap) | fuse"), SidesVerdict::Unfinished));
    session::submit(&mut session, ":set max-steps 10").unwrap();
    let found = compared(&mut session, "fuse | topDown(beta)");
    assert!(matches!(found.verdict, SidesVerdict::Unfinished) && found.stopped.is_none());
    // Unfolding the definition counts, too.
    assert_eq!((found.sides[0].steps, found.sides[0].used.steps), (9, 10));
    session::submit(&mut session, ":set max-steps 1000000").unwrap();
    session::submit(&mut session, "`fun (x : real) (y : real) => x * 1 + (y + 0)`").unwrap();
    let (one, other) = ("topDown(mulOne) ;; topDown(addZero)", "topDown(addZero) ;; topDown(mulOne)");
    let found = compared(&mut session, &format!("{one} | {other}"));
    assert!(matches!(found.verdict, SidesVerdict::Order), "{:?}", found.verdict);
    assert_eq!(found.meeting.unwrap().after, [2, 2]);
    // Functions can't be run side by side.
    session::submit(&mut session, "`fun (f : real -> real) => f (1 * 1 + 0)`").unwrap();
    let found = compared(&mut session, "topDown(mulOne) | topDown(addZero)");
    assert!(matches!(found.verdict, SidesVerdict::Unknown(Trouble::Wrong(_))), "{:?}", found.verdict);
    // A rule that is wrong is found out.
    session::submit(&mut session, "rule wrong = `x + y --> x` unchecked").unwrap();
    session::submit(&mut session, "`fun (x : real) (y : real) => x * 1 + y`").unwrap();
    let found = compared(&mut session, "topDown(wrong) | topDown(mulOne)");
    assert!(matches!(found.verdict, SidesVerdict::Different { .. }), "{:?}", found.verdict);
    session::submit(&mut session, ":at .body.body.0").unwrap();
    let found = compared(&mut session, "mulOne | id");
    assert_eq!(found.sides.each_ref().map(|side| side.steps), [1, 0]);
}

#[test]
fn without_a_part_is_what_the_strategy_written_out_gives() {
    let mut session = of("vector_sum");
    let whole = run(&mut session, "fuse ;; split ;; onehot");
    let found = ablated(&mut session, "fuse ;; split ;; onehot");
    assert_eq!((found.steps, found.all, found.rows.len()), (whole.trace.steps.len(), 3, 3));
    for (row, rest) in found.rows.iter().zip(["split ;; onehot", "fuse ;; onehot", "fuse ;; split"]) {
        let by_hand = run(&mut session, rest);
        assert_eq!(row.steps, Some(by_hand.trace.steps.len()), "{rest}");
        assert_eq!(row.work.as_deref(), Some(&work(&by_hand.after.term)), "{rest}");
        assert!(matches!(row.effect, AblationEffect::Lost), "{rest}: {:?}", row.effect);
    }
    let rules = ablated(&mut session, "rules fuse ;; split ;; onehot");
    assert_eq!(rules.rows.iter().map(|row| row.fires.unwrap()).sum::<usize>(), whole.trace.steps.len());
    for row in &rules.rows {
        let without = |line: &str| {
            let body = line.split_once(" = ").unwrap().1.trim_end_matches(';');
            body.replace(&format!("({} <+", row.name), "(fail <+")
                .replace(&format!("<+ {} ", row.name), "<+ fail ")
                .replace(&format!("<+ {})", row.name), "<+ fail)")
        };
        let written = STAGES.map(without).join(" ;; ");
        let by_hand = run(&mut session, &written);
        assert_eq!(row.work.as_deref(), Some(&work(&by_hand.after.term)), "{}: {written}", row.name);
        assert_eq!(row.steps, Some(by_hand.trace.steps.len()), "{}", row.name);
    }
}

#[test]
fn stages_of_a_definition_are_left_out_in_turn() {
    let text = fs::read_to_string("strategies/gradient.strat").unwrap();
    let body = text.lines().find_map(|line| line.strip_prefix("strategy oneHotWay = ")).unwrap();
    let stages: Vec<&str> = body.trim_end_matches(';').split(" ;; ").collect();
    let mut session = of("matrix_factorisation");
    session::submit(&mut session, ":load strategies/gradient.strat").unwrap();
    session::submit(&mut session, "matrix_factorisation.gradientLeft").unwrap();
    let found = ablated(&mut session, "oneHotWay");
    assert_eq!((found.all, found.rows.len()), (stages.len(), stages.len()));
    assert!(found.used_in_all.steps <= 50 * found.used.steps);
    let mut worse = Vec::new();
    for (k, row) in found.rows.iter().enumerate() {
        assert_eq!(row.name.split('#').next(), Some(stages[k]));
        match &row.effect {
            AblationEffect::Lost | AblationEffect::Factor => worse.push(row.name.as_str()),
            AblationEffect::Long(_) | AblationEffect::Hopeless => continue,
            _ => {}
        }
        let rest: Vec<&str> = [&stages[..k], &stages[k + 1..]].concat();
        let by_hand = run(&mut session, &rest.join(" ;; "));
        assert_eq!(row.work.as_deref(), Some(&work(&by_hand.after.term)), "{}", row.name);
    }
    assert!(!worse.is_empty(), "{:?}", found.rows);
}

#[test]
fn of_two_ways_each_is_left_out_in_turn() {
    let mut session = of("recurrent");
    session::submit(&mut session, "recurrent.gradient").unwrap();
    let found = ablated(&mut session, "fastGradient");
    let names: Vec<&str> = found.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["oneHotWay", "reverseMode"]);
    assert!(matches!(found.rows[0].effect, AblationEffect::Same));
    assert!(matches!(found.rows[1].effect, AblationEffect::Lost), "{:?}", found.rows[1]);
}

#[test]
fn a_run_without_a_stage_may_take_longer() {
    let mut session = of("least_squares");
    session::submit(&mut session, ":load strategies/gradient.strat").unwrap();
    session::submit(&mut session, "least_squares.gradient").unwrap();
    let found = ablated(&mut session, "oneHotWay");
    // It ends after more than twice the steps, and far more rewrites that come to nothing.
    assert_eq!((found.rows[0].name.as_str(), found.rows[0].steps), ("unzip#1", Some(261)));
    assert!(matches!(found.rows[0].effect, AblationEffect::Term));
    let rules = ablated(&mut session, "rules fastGradient");
    let text = AfterSteps { found: rules, on: Default::default() }.text(100.into()).into_text();
    // `fail` would stand for it in the repetition: that isn't shown.
    assert!(text.contains("can't be left out: `letBuild`") && !text.contains("fail"), "{text}");
    assert!(text.matches(" cut:").count() < 12, "{text}");
}

/// What a run led to says nothing of its stages: a question about it is answered as before it, and says so.
#[test]
fn a_strategy_that_was_run_is_asked_of_the_term_with_which_it_began() {
    let lines = [
        "ablate fuse ;; split ;; onehot",
        "ablate rules fuse ;; split ;; onehot",
        "compare fuse ;; split ;; onehot | fuse",
    ];
    let data = |session: &mut Session, line: &str| {
        let WalkAnswer::Finding(found, _) = answer(session, &format!(":{line}")) else { panic!("{line}") };
        let mut data = found.json();
        (data["on"].take(), data)
    };
    let mut session = of("vector_sum");
    let before: Vec<_> = lines.iter().map(|line| data(&mut session, line)).collect();
    session::submit(&mut session, "fuse ;; split ;; onehot").unwrap();
    for (line, (on, whole)) in lines.iter().zip(&before) {
        let (now, again) = data(&mut session, line);
        assert_eq!(&again, whole, "{line}");
        assert!(on["began"].is_null() && now["began"] == "fuse ;; split ;; onehot" && now["after"] == 0, "{now}");
        let text = render::walk(&answer(&mut session, &format!(":{line}")), 100.into()).into_text();
        assert!(text.starts_with("on the first term, with which `fuse ;; split ;; onehot` began\n"), "{text}");
    }
    // Another strategy goes on from the current term, and that is said first.
    session::submit(&mut session, ":goto 0").unwrap();
    session::submit(&mut session, "fuse").unwrap();
    let text = render::walk(&answer(&mut session, ":compare split | onehot"), 100.into()).into_text();
    assert!(text.starts_with("on the current term, to which "), "{text}");
}

#[test]
fn what_takes_no_step_is_said_in_front() {
    let mut session = of("vector_sum");
    session::submit(&mut session, "fuse ;; split ;; onehot").unwrap();
    for line in ["ablate fuse ;; split", "orders fuse | split", "compare fuse | split"] {
        let text = render::walk(&answer(&mut session, &format!(":{line}")), 100.into()).into_text();
        let first = text.lines().next().unwrap();
        assert!(first.contains("on the current term: `:goto 0`"), "{text}");
        assert!(!text.contains("best") && !text.contains("alone can go"), "{text}");
    }
    session::submit(&mut session, ":goto 0").unwrap();
    let text = render::walk(&answer(&mut session, ":ablate fuse ;; split"), 100.into()).into_text();
    assert!(!text.contains("no step"), "{text}");
    let text = render::walk(&answer(&mut session, ":orders 3 fuse | split | onehot"), 100.into()).into_text();
    assert!(text.contains(" best of these 3"), "{text}");
    let (_, help) = refused(&mut session, ":compare fuse | split | onehot");
    assert!(help.contains("`:orders fuse | split | onehot`"), "{help}");
    let (_, help) = refused(&mut session, ":ablate rule fuse");
    assert!(help.contains("`:ablate rules fuse`"), "{help}");
}

#[test]
fn one_of_six_orders_reaches_n() {
    let mut session = of("vector_sum");
    let found = ordered(&mut session, "fuse | split | onehot");
    assert_eq!((found.all, found.rows.len()), (Some(6), 6));
    // Six orders of three need 15 runs where each beginning runs once; fewer where terms are equal.
    assert!(found.runs < 15, "{}", found.runs);
    let names = ["fuse", "split", "onehot"];
    let (mut best, mut ends) = (Vec::new(), Vec::new());
    for row in &found.rows {
        let line = row.order.iter().map(|k| names[*k]).collect::<Vec<&str>>().join(" ;; ");
        let by_hand = run(&mut session, &line);
        let OrderResult::Term { term, work: found, number, is_best } = &row.result else { panic!("{row:?}") };
        assert_eq!((term, row.steps), (&by_hand.after.term, by_hand.trace.steps.len()), "{line}");
        assert_eq!(**found, work(term));
        if *is_best {
            best.push((line, found.order().to_string()));
        }
        ends.push((*number, term.clone()));
    }
    assert_eq!(best, [("fuse ;; split ;; onehot".to_owned(), "n".to_owned())]);
    for (k, (number, term)) in ends.iter().enumerate() {
        ends[..k].iter().for_each(|(other, before)| assert_eq!(number == other, term == before));
    }
}

#[test]
fn many_orders_are_counted_and_the_first_ones_tried() {
    let mut session = of("vector_sum");
    let five = "fuse | split | onehot | beta | mulOne";
    assert!(refused(&mut session, &format!(":orders {five}")).0.contains("120 orders"));
    let found = ordered(&mut session, &format!("7 {five}"));
    let mut tried: Vec<&[usize]> = found.rows.iter().map(|row| &row.order[..]).collect();
    tried.sort_unstable();
    assert_eq!(tried[..3], [[0, 1, 2, 3, 4], [0, 1, 2, 4, 3], [0, 1, 3, 2, 4]]);
    assert_eq!((tried.len(), tried[6]), (7, &[0, 2, 1, 3, 4][..]));
    assert_eq!(found.all, Some(120));
    let second = found.rows.iter().find(|row| row.order == [0, 1, 2, 4, 3]).unwrap();
    assert_eq!(second.failed, [4, 3]);
    // The least work first, and the results in that order.
    let reached = |row: &redexter::compare::OrderRow| match &row.result {
        OrderResult::Term { work, number, is_best, .. } => (work.to_string(), *number, *is_best),
        other => panic!("{other:?}"),
    };
    assert_eq!(reached(&found.rows[0]), ("n".to_owned(), 0, true));
    assert_eq!(reached(&found.rows[6]).0, "4*n^2 + n");
    assert!(found.rows.is_sorted_by_key(|row| reached(row).1));
    let all = ["beta"; 30].join(" | ");
    assert!(refused(&mut session, &format!(":orders {all}")).0.contains("too many to count"));
    assert_eq!(ordered(&mut session, &format!("2 {all}")).rows.len(), 2);
    assert!(refused(&mut session, ":orders fuse").0.contains("one order"));
    assert!(refused(&mut session, ":compare fuse").0.contains("two strategies"));
    assert!(refused(&mut session, ":compare fuse | nothing").0.contains("unknown"));
    let (headline, help) = refused(&mut session, ":ablate fuse");
    assert!(headline.contains("no stages") && help.contains(":ablate rules fuse"), "{headline} {help}");
    assert!(matches!(answer(&mut session, ":ablate mulOne ;; fuse"), WalkAnswer::Failed(_)));
    // An order that goes on for ever is one row of the table.
    let found = ordered(&mut session, "normalize(letSwap) | fuse");
    assert!(found.rows.iter().all(|row| matches!(row.result, OrderResult::Endless(0, _))));
}

/// A clock that goes on by so much whenever it is looked at.
fn ticking() -> Duration {
    thread_local!(static NOW: Cell<u64> = const { Cell::new(0) });
    NOW.with(|now| Duration::from_millis(now.replace(now.get() + 1)))
}

#[test]
fn what_is_known_when_time_is_up_is_the_answer() {
    let mut session = opened(MemorySystem::new(ticking), "vector_sum", "gradient");
    let whole = ablated(&mut session, "rules fuse ;; split ;; onehot");
    let orders = ordered(&mut session, "fuse | split | onehot");
    let (mut partly, mut few) = (0, 0);
    for time in 1..200 {
        session::submit(&mut session, &format!(":set timeout {}", f64::from(time) / 1e3)).unwrap();
        if let Ok(Response::Walk(answer)) = session::submit(&mut session, ":ablate rules fuse ;; split ;; onehot")
            && let Some(AfterSteps::<Ablation> { found, .. }) = answer.found()
        {
            assert_eq!(found.stopped.is_some(), found.rows.len() < found.all, "{time}");
            let same = |(a, b): (&redexter::compare::AblationRow, &redexter::compare::AblationRow)| a.work == b.work;
            assert!(found.rows.iter().zip(&whole.rows).all(same));
            partly += usize::from((1..found.all).contains(&found.rows.len()));
        }
        if let Ok(Response::Walk(answer)) = session::submit(&mut session, ":orders fuse | split | onehot")
            && let Some(AfterSteps::<Orders> { found, .. }) = answer.found()
        {
            assert_eq!(found.stopped.is_some(), found.rows.len() < 6, "{time}");
            assert!(found.rows.iter().all(|a| orders.rows.iter().any(|b| a.order == b.order && a.steps == b.steps)));
            few += usize::from((1..6).contains(&found.rows.len()));
        }
    }
    assert!(partly > 0 && few > 0, "{partly} {few}");
}
