//! Why a derivation went as it did: prepared situations, each with the reason that is there.

use redexter::cost::WorkComparison;
use redexter::ground::StopReason;
use redexter::questions::Possibilities;
use redexter::session::{self, Session};
use redexter::walk::WalkAnswer;
use redexter::why::{
    AskedMoment, DiscardCause, RedexOrigin, RuleStatement, TraversalOrder, WaitCause, WhyAnswer, WhyStage,
};

use super::questions::{FUSE, SPLIT, after, cause, printed, why_not, why_stage, why_step, wrong};
use super::walks::{deep, found, opened, taken, walked};

#[test]
fn an_alternative_to_its_left_took_the_redex() {
    let mut s = after(&["fun (x : real) => x * (1 + 0)", "normalize(addZero <+ constFoldArithmetic)"]);
    let why = why_not(&mut s, ":why-not constFoldArithmetic 1");
    assert_eq!(why.moment, AskedMoment::Step(1));
    assert!(!why.there.applies.is_empty());
    let choice = WaitCause::Alternative { choice: "addZero <+ constFoldArithmetic".to_owned() };
    assert_eq!(cause(&why), (1, "addZero", ".body.1", ".body.1", &choice));
    // The other way round it has its turn.
    let mut s = after(&["fun (x : real) => x * (1 + 0)", "normalize(constFoldArithmetic <+ addZero)"]);
    let why = why_not(&mut s, ":why-not constFoldArithmetic 1");
    assert!(matches!(&why.said[..], [RuleStatement::Fired(fired)] if fired.count == 1 && fired.first.number == 1));
}

#[test]
fn an_alternative_takes_the_redex_from_within_a_definition() {
    let defined = "strategy zeros = addZero <+ mulOne;";
    let strategy = "strategy all = normalize(zeros <+ constFoldArithmetic);";
    let mut s = after(&["fun (x : real) => x * (1 + 0)", defined, strategy, "all"]);
    let why = why_not(&mut s, ":why-not constFoldArithmetic 1");
    assert_eq!(cause(&why).4, &WaitCause::Alternative { choice: "zeros <+ constFoldArithmetic".to_owned() });
}

#[test]
fn a_traversal_from_the_root_comes_to_the_outer_redex_first() {
    let mut s = after(&["fun (x y : real) => (x * 1) * (y * 1) + 0", "normalize(addZero <+ mulOne)"]);
    let why = why_not(&mut s, ":why-not mulOne 1");
    let traversal = WaitCause::Traversal { strategy: "normalize(addZero <+ mulOne)".to_owned(), around: Some(true) };
    assert_eq!(cause(&why), (1, "addZero", ".body.body", ".body.body.0.0", &traversal));
}

#[test]
fn a_traversal_from_the_leaves_comes_to_the_inner_redex_first() {
    let mut s = after(&["fun (x : real) => (x + 0) * 1", "innermost(mulOne <+ addZero)"]);
    let why = why_not(&mut s, ":why-not mulOne 1");
    let traversal = WaitCause::Traversal { strategy: "innermost(mulOne <+ addZero)".to_owned(), around: Some(false) };
    assert_eq!(cause(&why), (1, "addZero", ".body.0", ".body", &traversal));
}

#[test]
fn a_traversal_comes_to_the_left_first() {
    let mut s = after(&["fun (x y : real) => (x + 0) * (y * 1)", "topDown(mulOne <+ addZero)"]);
    let why = why_not(&mut s, ":why-not mulOne 1");
    let traversal = WaitCause::Traversal { strategy: "topDown(mulOne <+ addZero)".to_owned(), around: None };
    assert_eq!(cause(&why), (1, "addZero", ".body.body.0", ".body.body.1", &traversal));
}

#[test]
fn its_stage_comes_later() {
    let mut s = after(&["fun (x : real) => x * 1 + 0", "normalize(mulOne) ;; normalize(addZero)"]);
    let why = why_not(&mut s, ":why-not addZero 1");
    let later = WaitCause::Later { running: "normalize(mulOne)".to_owned(), own: "normalize(addZero)".to_owned() };
    assert_eq!(cause(&why), (1, "mulOne", ".body.0", ".body", &later));
}

/// `first` is done when `second` makes a redex for it.
fn too_late() -> Session {
    let stages = ["strategy first = normalize(mulOne);", "strategy second = normalize(addZero);"];
    after(&["fun (x y : real) => x * (1 + 0) * (y + 0)", stages[0], stages[1], "first ;; second"])
}

#[test]
fn its_stage_was_done() {
    let why = why_not(&mut too_late(), ":why-not mulOne 2");
    let earlier = WaitCause::Earlier { running: "second".to_owned(), own: "first".to_owned() };
    assert_eq!(cause(&why), (2, "addZero", ".body.body.1", ".body.body.0", &earlier));
}

#[test]
fn its_redex_was_made_when_its_stage_was_done() {
    let why = why_not(&mut too_late(), ":why-not mulOne");
    let [RuleStatement::MadeLater { maker, running, own }] = &why.said[..] else { panic!("{:?}", why.said) };
    assert_eq!((maker.number, &maker.rule[..], &maker.address[..]), (1, "addZero", ".body.body.0.1"));
    assert_eq!((&running[..], &own[..]), ("second", "first"));
}

#[test]
fn a_limit_cut_the_run_short() {
    let mut s = after(&[
        "fun (x y : real) => x + y * 1",
        ":set max-steps 8",
        "strategy late = normalize(mulOne);",
        "strategy turn = force(repeat(topDown(`a + b --> b + a`)));",
    ]);
    assert!(matches!(walked(&mut s, "turn ;; late"), WalkAnswer::Stopped(_)));
    let why = why_not(&mut s, ":why-not mulOne");
    let [RuleStatement::Cut { reason, running, own, is_later, after, .. }, ..] = &why.said[..] else {
        panic!("{:?}", why.said)
    };
    assert_eq!((reason, &running[..], &own[..], *is_later, *after), (&StopReason::Steps(8), "turn", "late", true, 7));
    let why = why_stage(&mut s, ":why late");
    assert_eq!((why.steps, why.began, why.cut), (0, None, Some(StopReason::Steps(8))));
}

#[test]
fn what_cheaper_threw_away_is_told() {
    let mut s = after(&["fun (v : array n real) => build n (fun i => v[i] + 1)"]);
    let run = taken(&mut s, "cheaper(topDown(`a + b --> (a + b) * 1`))");
    let (first, count) = run.discarded.as_deref().expect("what was thrown away").clone();
    let DiscardCause::Work(work, compared) = &first.cause else { panic!("{:?}", first.cause) };
    let WorkComparison { sizes, before, after, is_raised } = compared;
    assert_eq!((count, first.steps, first.after, *before, *after, *is_raised), (1, 1, 0, 30, 40, true));
    assert_eq!((work.0.to_string(), work.1.to_string()), ("3*n".to_owned(), "4*n".to_owned()));
    let sizes: Vec<(&str, u64)> = sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
    assert_eq!(sizes, [("n", 10)]);
    let text = redexter::render::walk(&WalkAnswer::Run(run), 100.into()).into_text();
    assert!(text.contains("`cheaper` threw away 1 step") && !text.contains("nothing to rewrite"), "{text}");
    // Where there is nothing to throw away, nothing is.
    let run = taken(&mut s, "cheaper(normalize(negNeg))");
    assert!(run.discarded.is_none() && run.trace.steps.is_empty());
}

#[test]
fn a_stage_whose_steps_cheaper_threw_away() {
    let up = "strategy up = cheaper(body(body(`a * b --> a * b * 1 * 1`)));";
    let all = "strategy all = normalize(addZero) ;; up;";
    let mut s = after(&["fun (x y : real) => (x + 0) * (y * 1)", up, all, "all"]);
    let why = why_stage(&mut s, ":why up");
    assert_eq!((&why.stage[..], why.steps, why.began, why.discarded.1), ("all/up", 0, Some((1, 1)), 1));
    let [discard] = &why.discarded.0[..] else { panic!("{:?}", why.discarded) };
    let DiscardCause::Work(_, WorkComparison { before, after, .. }) = discard.cause else {
        panic!("{:?}", discard.cause)
    };
    assert_eq!((&discard.within[..], discard.after, before, after), ("all/up", 1, 2, 4));
}

#[test]
fn a_rule_whose_steps_cheaper_threw_away() {
    let up = "strategy up = cheaper(distribute);";
    let term = "fun (x y z : real) => x * (y + z) + 0";
    let mut s = after(&[term, up, "strategy all = normalize(addZero) ;; body(body(body(up)));", "all"]);
    let why = why_not(&mut s, ":why-not distribute");
    let [RuleStatement::Discarded(discard, 1), ..] = &why.said[..] else { panic!("{:?}", why.said) };
    assert_eq!((discard.after, discard.steps, discard.address.as_deref()), (1, 1, Some(".body.body.body")));
    assert_eq!(discard.rules, [("distribute".to_owned(), 1)]);
}

#[test]
fn a_stage_that_did_nothing_tells_its_nearest_matches() {
    let why = why_stage(&mut too_late(), ":why first");
    assert_eq!((&why.stage[..], why.steps, why.began, why.discarded.1), ("first", 0, Some((0, 1)), 0));
    let [nearest] = &why.nearest[..] else { panic!("{:?}", why.nearest) };
    assert_eq!((&nearest.rule[..], nearest.applies.len(), nearest.nearest.len()), ("mulOne", 0, 1));
    // What it begins with keeps the rest of it waiting.
    let mut s = after(&["fun (x : real) => x * 1", "strategy both = try(body(addZero) ;; body(mulOne));", "both"]);
    let why = why_stage(&mut s, ":why both");
    assert_eq!((why.beginning.as_deref(), why.began), (Some("body(addZero)"), Some((0, 1))));
    assert!(why.nearest.iter().all(|answer| answer.rule == "addZero") && why.nearest.len() == 1);
}

#[test]
fn a_rule_that_is_in_no_strategy_that_ran() {
    let mut s = opened("vector_sum", "gradient");
    session::submit(&mut s, FUSE).unwrap();
    session::submit(&mut s, "fuse").unwrap();
    let why = why_not(&mut s, ":why-not ifFloat");
    assert_eq!(why.said, [RuleStatement::Absent { strategy: "fuse".to_owned(), others: Vec::new() }]);
    let why = why_not(&mut s, ":why-not letSubstN(2)");
    assert_eq!(
        why.said,
        [RuleStatement::Absent { strategy: "fuse".to_owned(), others: vec!["letSubstN(1)".to_owned()] }]
    );
}

#[test]
fn a_rule_that_did_fire_and_is_done() {
    let mut s = opened("vector_sum", "gradient");
    for line in [FUSE, SPLIT, "fuse ;; split"] {
        session::submit(&mut s, line).unwrap();
    }
    let why = why_not(&mut s, ":why-not getBuild");
    let [RuleStatement::Fired(fired), RuleStatement::Normal { strategy }] = &why.said[..] else {
        panic!("{:?}", why.said)
    };
    assert_eq!((fired.count, fired.first.number, fired.last.number), (2, 6, 11));
    assert_eq!(fired.stages, ["fuse"]);
    assert!(strategy.starts_with("normalize(beta <+ getBuild"));
    let why = why_not(&mut s, ":why-not getBuild split");
    assert_eq!(why.moment, AskedMoment::Stage("split".to_owned(), 17));
    assert_eq!(why.said, [RuleStatement::Absent { strategy: "split".to_owned(), others: Vec::new() }]);
}

#[test]
fn a_rule_that_never_had_a_redex_after_normalize() {
    let mut s = after(&["fun (x : real) => x + 0", "normalize(addZero <+ negNeg)"]);
    let why = why_not(&mut s, ":why-not negNeg");
    let [RuleStatement::Never { looked: 2, of: 2, .. }, RuleStatement::Normal { strategy }] = &why.said[..] else {
        panic!("{:?}", why.said)
    };
    assert_eq!(strategy, "normalize(addZero <+ negNeg)");
}

#[test]
fn a_run_that_has_more_to_do() {
    let mut s = after(&["fun (x : real) => (x + 0) * 1 * 1", ":step normalize(addZero <+ mulOne)"]);
    let why = why_not(&mut s, ":why-not addZero");
    assert!(matches!(&why.said[0], RuleStatement::Pending { taken: 1, .. }), "{:?}", why.said);
    assert_eq!(why.there.applies.len(), 1);
}

#[test]
fn a_step_has_its_reasons() {
    let mut s = opened("vector_sum", "gradient");
    session::submit(&mut s, FUSE).unwrap();
    session::submit(&mut s, "fuse").unwrap();
    let why = why_step(&mut s, ":why 12");
    assert_eq!((&why.rule[..], &why.within[..]), ("beta", &["fuse".to_owned()][..]));
    assert_eq!(why.traversal.as_ref().map(|(_, order)| *order), Some(TraversalOrder::Down));
    let RedexOrigin::Step(made) = &why.origin else { panic!("{:?}", why.origin) };
    assert_eq!((made.number, &made.rule[..]), (11, "getBuild"));
    assert_eq!(why.enables.as_ref().map(|next| next.number), Some(13));
    // Before 11, the rule doesn't apply there, and after it, it does: 6 was made by 5, and tried beta first.
    let why = why_step(&mut s, ":why 6");
    assert!(matches!(&why.origin, RedexOrigin::Step(made) if made.number == 5), "{:?}", why.origin);
    assert_eq!(why.failed.0.iter().map(|(rule, _)| &rule[..]).collect::<Vec<&str>>(), ["beta"]);
    assert_eq!(why_step(&mut s, ":why 1").origin, RedexOrigin::First);
    let mut s = after(&["fun (x : real) => x * (1 + 0)", "normalize(addZero <+ constFoldArithmetic)"]);
    assert_eq!(why_step(&mut s, ":why 1").later, ["constFoldArithmetic"]);
}

#[test]
fn what_made_a_redex_stands_before_its_step() {
    let mut s = opened("dot", "gradient");
    let run = taken(&mut s, "fastGradient");
    for number in 1..=run.trace.steps.len().min(60) {
        let why = why_step(&mut s, &format!(":why {number}"));
        match why.origin {
            RedexOrigin::Step(made) => assert!(made.number < number),
            RedexOrigin::First => {}
            RedexOrigin::Earlier => panic!("{number}: all steps are looked at"),
        }
    }
}

#[test]
fn a_step_long_past_and_stages_of_the_mixture_model() {
    deep(|| {
        let mut s = opened("mixture", "gradient");
        let steps = taken(&mut s, "fastGradient").trace.steps.len();
        assert!(steps > 1_500, "{steps}");
        let why = why_not(&mut s, ":why-not sumOneHot 1500");
        assert_eq!(why.moment, AskedMoment::Step(1_500));
        assert!(why.there.tried < 2_000_000, "{}", why.there.tried);
        let why = why_step(&mut s, ":why 400");
        assert_eq!(why.within[..2], ["fastGradient", "oneHotWay"]);
        let RedexOrigin::Step(made) = &why.origin else { panic!("{:?}", why.origin) };
        assert_eq!(made.number, 399);
        assert!(!why.failed.0.is_empty());
        let why = why_not(&mut s, ":why-not sumOneHot");
        assert!(
            matches!(&why.said[..], [RuleStatement::Fired(fired), ..] if fired.stages == ["fastGradient/oneHotWay/onehot"])
        );
        // The second hoist finds what the first one left.
        let (first, second) = (why_stage(&mut s, ":why hoist"), why_stage(&mut s, ":why hoist#2"));
        assert!(first.steps > 0 && second.steps == 0);
        assert!(second.began.unwrap().0 >= first.span.unwrap().1, "{:?} {:?}", first.span, second.began);
        // Without arguments it is the rule as the strategy has it, whatever these are.
        let why = why_not(&mut s, ":why-not unrollUpTo write");
        assert!(!why.said.iter().any(|said| matches!(said, RuleStatement::Absent { .. })), "{:?}", why.said);
        let why = why_stage(&mut s, ":why write");
        assert_eq!((why.steps, why.nearest.len()), (0, 1));
        assert_eq!(why.nearest[0].rule, "unrollUpTo(16)");
    });
}

#[test]
fn a_tag_is_a_term_to_ask_about() {
    let mut s = after(&["fun (x : real) => x + 0", ":tag start", "normalize(addZero)"]);
    let why = why_not(&mut s, ":why-not addZero @start");
    assert_eq!((why.moment, why.there.applies.len()), (AskedMoment::Tag("start".to_owned()), 1));
    assert!(why_not(&mut s, ":why-not addZero").there.applies.is_empty());
}

#[test]
fn what_a_limit_ends_is_said() {
    let mut s = after(&["fun (x : real) => (x + 0) * 1", "strategy both = normalize(addZero <+ mulOne);", "both"]);
    session::submit(&mut s, ":set max-steps 1").unwrap();
    let answer = walked(&mut s, ":why both");
    let why = answer.found::<WhyAnswer>().expect("an answer");
    assert!(answer.trouble().is_some());
    assert_eq!(why.stopped(), Some(&StopReason::Steps(1)));
    assert!(matches!(why, WhyAnswer::Stage(WhyStage { steps: 2, .. })));
}

#[test]
fn wrong_questions_are_answered_with_what_there_is() {
    let mut s = after(&["fun (x : real) => x + 0"]);
    assert!(wrong(&mut s, ":why hoist").contains("no strategy has run on this term"));
    assert!(wrong(&mut s, ":why 1").contains("a strategy on a line of its own runs on the current term"));
    session::submit(&mut s, "strategy both = normalize(addZero <+ mulOne);").unwrap();
    session::submit(&mut s, "both").unwrap();
    for (line, words) in [
        (":why-not adZero", "did you mean `addZero`?"),
        (":why-not letSubstN(x)", "letSubstN(k)"),
        (":why bath", "did you mean `both`?"),
        (":why addZero", "is a rule, and no stage"),
        (":why both/x", "there are no stages in `both`"),
        (":why 0", "before all steps"),
        (":why 2", "its only step is 1"),
        (":why-not mulOne 7", "its only step is 1"),
        (":why .body.x", "nothing is below it"),
        (":why 1..1", "names several steps"),
        (":why-not mulOne 1..1", "names several steps"),
        (":why %m", "no subterm has the mark"),
        (":why-not mulOne @t", "no term has the tag"),
        (":why `x * y`", "matches nothing"),
    ] {
        let found = wrong(&mut s, line);
        assert!(found.contains(words), "{line}: {found}");
    }
}

#[test]
fn answers_are_json_and_text() {
    let mut s = too_late();
    for (line, kind) in [
        (":why 1", "step"),
        (":why first", "stage"),
        (":why second", "stage"),
        (":why-not mulOne", "not"),
        (":why-not mulOne 2", "not"),
        (":why-not addZero first", "not"),
        (":why .", "work"),
    ] {
        let answer = walked(&mut s, line);
        let value = redexter::render::answer_json(&answer).expect("a form");
        assert_eq!((value["why"].as_str(), value["stopped"].is_null()), (Some(kind), true), "{line}");
        let text = redexter::render::walk(&answer, 80.into()).into_text();
        assert!(!text.is_empty(), "{line}");
    }
    let answer = walked(&mut s, ":why-not mulOne 2");
    let value = redexter::render::answer_json(&answer).expect("a form");
    assert_eq!(value["said"][0]["cause"], "earlier");
    assert_eq!(value["said"][0]["by"]["step"], 2);
}

const LINE: &str = "fun (x y : real) => (x * 1 + 0) * (y * 1 * 1)";

#[test]
fn of_several_places_in_a_strategy_none_is_named() {
    let mut s = after(&[LINE, "topDown(mulOne) ;; bottomUp(mulOne)"]);
    assert_eq!(why_step(&mut s, ":why 2").traversal, None);
    let mut s = after(&[LINE, "topDown(mulOne <+ addZero) ;; normalize(addZero <+ mulOne)"]);
    let why = why_step(&mut s, ":why 2");
    assert_eq!((why.traversal, why.choice), (None, None));
    // What is the same of both is told.
    let mut s = after(&[LINE, "topDown(mulOne) ;; topDown(mulOne)"]);
    assert!(why_step(&mut s, ":why 2").traversal.is_some_and(|(strategy, _)| strategy == "topDown(mulOne)"));
    // Which of both ran isn't known, and so not what comes later.
    let mut s = after(&[LINE, "topDown(mulOne) ;; topDown(addZero) ;; topDown(mulOne)"]);
    assert_eq!(cause(&why_not(&mut s, ":why-not addZero 1")).4, &WaitCause::Open);
}

#[test]
fn of_two_traversals_the_left_one_comes_first() {
    for (strategy, line, left) in [
        ("topDown(mulOne) <+ topDown(addZero)", ":why-not addZero 1", "topDown(mulOne)"),
        ("topDown(addZero) <+ topDown(mulOne)", ":why-not mulOne 1", "topDown(addZero)"),
    ] {
        let mut s = after(&[LINE, &format!("repeat({strategy})")]);
        let cause = cause(&why_not(&mut s, line)).4.clone();
        assert_eq!(cause, WaitCause::Left { choice: strategy.to_owned(), left: left.to_owned() });
    }
    // Where the choice is tried at each place, the place decides.
    let mut s = after(&["fun (x y : real) => (x + 0) * (y * 1)", "tryAll(addZero <+ mulOne)"]);
    assert_eq!(cause(&why_not(&mut s, ":why-not mulOne 1")).4, &WaitCause::Open);
}

#[test]
fn a_traversal_that_tries_more_than_rules_stops_where_all_of_it_succeeds() {
    let mut s = after(&[LINE, "topDown(mulOne ;; mulOne)"]);
    let why = why_step(&mut s, ":why 1");
    assert_eq!((why.traversal.is_some(), why.tries_rules), (true, false));
    let mut s = after(&[LINE, "strategy ones = mulOne <+ addZero;", "topDown(ones)"]);
    assert!(why_step(&mut s, ":why 1").tries_rules);
}

#[test]
fn what_a_loop_comes_back_to_is_not_done() {
    let mut s = after(&[LINE, "repeat(topDown(mulOne) ;; try(topDown(addZero)))"]);
    assert_eq!(cause(&why_not(&mut s, ":why-not mulOne 2")).4, &WaitCause::Open);
    let mut s = after(&[LINE, "topDown(not(addZero) ;; mulOne)"]);
    assert_eq!(cause(&why_not(&mut s, ":why-not addZero 1")).4, &WaitCause::Open);
}

#[test]
fn steps_that_were_taken_back_are_not_counted() {
    let mut s =
        after(&["fun (x y z : real) => x * (y + z) * 1", "normalize(mulOne)", ":undo", "cheaper(topDown(distribute))"]);
    assert!(!why_not(&mut s, ":why-not mulOne").said.iter().any(|said| matches!(said, RuleStatement::Fired(_))));
    // Nor is a run done of which the last steps were taken back.
    let mut s = after(&[LINE, "normalize(mulOne <+ addZero)", ":goto 2"]);
    let why = why_not(&mut s, ":why-not mulOne");
    let [RuleStatement::Fired(past), RuleStatement::Fires(later)] = &why.said[..] else { panic!("{:?}", why.said) };
    assert_eq!((past.count, later.first.number), (1, 3));
}

#[test]
fn all_questions_are_asked_of_the_run_that_left_the_line() {
    let term = "fun (x y z : real) => (x + 0) * (y + z) + y * (y + z) + z * (y + z)";
    let mut s = after(&[term, "topDown(addZero)", ":undo", ":set max-steps 2"]);
    assert!(matches!(walked(&mut s, "normalize(distribute <+ mulOne)"), WalkAnswer::Stopped(_)));
    let rule = why_step(&mut s, ":why 1").rule;
    let all: Possibilities = found(&mut s, ":possible 1");
    let taken = all.found.choices.iter().filter_map(|choice| choice.taken.as_ref()).map(ToString::to_string);
    assert_eq!(taken.collect::<Vec<String>>(), [rule]);
}

#[test]
fn a_definition_that_uses_itself_is_no_stage_that_did_nothing() {
    let mut s = after(&[LINE, "strategy rec = mulOne <+ addZero <+ one(rec);", "repeat(rec)"]);
    assert!(wrong(&mut s, ":why rec#2").contains("no stage `rec#2`"));
    assert!(why_stage(&mut s, ":why rec").steps > 0);
    let mut s = after(&[LINE, "strategy a = topDown(mulOne);", "strategy b = topDown(addZero);", "a ;; b ;; a"]);
    let why = why_stage(&mut s, ":why a");
    assert_eq!((&why.stage[..], why.steps, why.span), ("a", 2, Some((1, 3))));
    assert_eq!(why_stage(&mut s, ":why a#2").stage, "a#2");
}

#[test]
fn a_run_that_failed_is_told() {
    let mut s = after(&[LINE, "topDown(mulOne) ;; fail"]);
    let why = why_not(&mut s, ":why-not mulOne");
    assert_eq!(why.said, [RuleStatement::Failed { strategy: "topDown(mulOne) ;; fail".to_owned() }]);
    assert!(wrong(&mut s, ":why nothing").contains("no stage `nothing`"));
}

#[test]
fn what_spoilt_it_before_its_stage_began() {
    let mut s = opened("vector_sum", "gradient");
    let onehot = "strategy onehot = normalize(ifFloat <+ addZero <+ ifoldOneHot <+ letSubstSafe);";
    for line in [FUSE, SPLIT, onehot, "fuse ;; onehot ;; split"] {
        session::submit(&mut s, line).unwrap();
    }
    let why = why_not(&mut s, ":why-not ifoldFission split");
    assert!(
        matches!(&why.said[0], RuleStatement::Never { within, looked: 1, of: 1 } if within == "split"),
        "{:?}",
        why.said
    );
    let (number, rule, _, _, cause) = cause(&why);
    assert_eq!((number, rule), (19, "ifFloat"));
    assert_eq!(*cause, WaitCause::Later { running: "onehot".to_owned(), own: "split".to_owned() });
    assert_eq!(why.said.len(), 2);
    let plain = why_not(&mut s, ":why-not ifoldFission");
    assert_eq!(plain.said, why.said[1..]);
    // A rewrite after which it applies is a strategy that one can type.
    let text = printed(&mut s, ":why-not ifoldFission");
    let typed = text.split("after `").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
    assert!(typed.starts_with("at(\""), "{text}");
    assert_eq!(taken(&mut s, typed).trace.steps.len(), 1);
    assert!(why_not(&mut s, ":why-not ifoldFission").there.does_apply());
}

#[test]
fn steps_behind_the_current_term_are_yet_to_come() {
    let mut s = after(&["fun (x y : real) => (x + 0) * (y + 0)", "normalize(addZero)", ":goto 1"]);
    let why = why_not(&mut s, ":why-not addZero .body");
    assert!(
        matches!(&why.said[..], [RuleStatement::Fired(past), RuleStatement::Fires(later)]
        if (past.count, past.last.number, later.count, later.first.number) == (1, 1, 1, 2)),
        "{:?}",
        why.said
    );
}

#[test]
fn variables_are_called_what_they_print_as() {
    let term = "fun (w : array n real) => let w := build n (fun i => exp w[i]); ifold n (fun a i => a + w[i]) 0";
    let text = printed(&mut after(&[term]), ":why-not letSubstCheap");
    assert!(text.contains("let w1 := ") && text.contains("x (here `w1`) occurs 1 time"), "{text}");
}

#[test]
fn a_strategy_is_no_rule() {
    let mut s = opened("vector_sum", "gradient");
    assert!(wrong(&mut s, ":why-not normalize(beta)").contains("is a strategy, and no rule"));
    assert!(wrong(&mut s, ":why-not fastGradient").contains("`:why fastGradient`"));
    assert!(wrong(&mut s, ":why-not onehot").contains("there is no rule `onehot`"));
    session::submit(&mut s, "fastGradient").unwrap();
    assert!(wrong(&mut s, ":why-not onehot").contains("`:why-not RULE onehot`"));
}
