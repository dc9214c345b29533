//! Which loop leaves the order and why, and which step raised it.

use redexter::session::submit;
use redexter::why::LoopShape;

use super::questions::{FUSE, SPLIT, after, growth, printed, why_step};
use super::walks::opened;

#[test]
fn the_sum_that_stands_and_the_rule_that_is_missing() {
    let half = "strategy half = normalize(ifFloat <+ addZero <+ letSubstSafe);";
    let mut s = opened("vector_sum", "gradient");
    for line in [FUSE, SPLIT, half, "fuse ;; split ;; half"] {
        submit(&mut s, line).unwrap();
    }
    let growth = growth(&mut s, ":why .");
    assert_eq!((growth.order.to_string(), growth.work.to_string()), ("n^2".to_owned(), "2*n^2 + n".to_owned()));
    let [only] = &growth.loops[..] else { panic!("{:?}", growth.loops) };
    assert_eq!(only.path.display(&growth.program.term), "body.buildBody.body");
    assert_eq!(only.nest.iter().map(|(_, word, _)| *word).collect::<Vec<&str>>(), ["build", "ifold"]);
    let first = &growth.standing[0];
    assert_eq!((&first.there.rule[..], first.in_strategy, first.fired), ("ifoldOneHot", Some(false), 0));
    assert_eq!(first.after.as_ref().map(ToString::to_string).as_deref(), Some("2*n"));
    assert_eq!(first.there.applies.len(), 1);
    // With the rule, nothing of order n^2 is left.
    submit(&mut s, "topDown(ifoldOneHot)").unwrap();
    assert_eq!(self::growth(&mut s, ":why .").order.to_string(), "n");
}

#[test]
fn a_sum_of_which_no_rule_is_near_says_what_is_in_the_way() {
    let mut s = after(&["fun (v w : array n real) => build n (fun i => ifold n (fun s j => s + v[j] * w[i]) 0)"]);
    let growth = growth(&mut s, ":why .");
    assert_eq!((growth.order.to_string().as_str(), growth.loops.len()), ("n^2", 1));
    assert!(growth.standing.iter().all(|standing| standing.in_strategy.is_none() && standing.after.is_none()));
    assert!(growth.standing.iter().all(|standing| !standing.there.nearest.is_empty()), "{:?}", growth.standing);
    let below = self::growth(&mut s, ":why .body.body.buildBody.body.foldBody.body.body");
    assert_eq!((below.order.to_string().as_str(), below.loops.len()), ("n^2", 0));
}

/// Loops in functions count as often as those are called: what a loop adds is never more than the whole.
#[test]
fn loops_in_functions_count_wherever_those_are_called() {
    let cases = [
        (
            "let f := (fun (i : fin n) => ifold n (fun a j => a + v[j]) 0); build n (fun i => f i)",
            &[("body.letBody", "2*n^2 + n", false), ("body.value.body", "2*n^2", true)][..],
        ),
        (
            "(fun (g : fin n -> real) => build n g) (fun i => ifold n (fun a j => a + v[j]) 0)",
            &[("body.function.body", "2*n^2 + n", false), ("body.argument.body", "2*n^2", true)],
        ),
        (
            "fun (i : fin n) => (build n (fun j => fun (x : real) => ifold n (fun a k => a + v[k] * x) 0))[i] 2",
            &[("body.body.function.array.buildBody.body.body", "3*n", true)],
        ),
        (
            "fun (i : fin n) => if v[i] < 0 then ifold n (fun a j => a + v[j]) 0 else ifold n (fun a j => a + v[j]) 1",
            &[("body.body.thenBranch", "2*n", false), ("body.body.elseBranch", "2*n", false)],
        ),
    ];
    for (body, expected) in cases {
        let mut s = after(&[&format!("fun (v : array n real) => {body}")]);
        let growth = growth(&mut s, ":why .");
        let path = |found: &redexter::why::CostlyLoop| found.path.display(&growth.program.term);
        let found: Vec<(String, String, bool)> =
            growth.loops.iter().map(|found| (path(found), found.work.to_string(), found.called.is_some())).collect();
        let expected: Vec<(String, String, bool)> =
            expected.iter().map(|(path, work, called)| ((*path).to_owned(), (*work).to_owned(), *called)).collect();
        assert_eq!(found, expected, "{body}");
    }
}

#[test]
fn what_a_loop_makes_and_what_of_it_must_stay() {
    let shape = |body: &str| {
        let term = format!("fun (v w : array n real) => build n (fun i => {body})");
        let growth = growth(&mut after(&[&term]), ":why .");
        let rules: Vec<String> = growth.standing.iter().map(|standing| standing.there.rule.clone()).collect();
        assert!(rules.iter().all(|rule| !rule.starts_with("unroll") && rule != "ifoldZero"), "{rules:?}");
        let first = growth.reducible().unwrap();
        let operation = match &first.shape {
            LoopShape::Fold(Some(operation)) => operation.find(&growth.program.term).map(|term| term.kid_count()),
            _ => None,
        };
        (first.shape.clone(), operation)
    };
    assert_eq!(shape("ifold n (fun s j => v[j] + (s - w[i])) 0"), (LoopShape::Sum, None));
    assert_eq!(shape("ifold n (fun s j => if v[j] < 0 then s + w[i] else s) 0").0, LoopShape::Sum);
    assert_eq!(shape("fst (ifold n (fun s j => (fst s + v[j], snd s + 1)) (0, 0))").0, LoopShape::Fold(None));
    assert!(matches!(shape("ifold n (fun s j => s * v[j]) w[i]"), (LoopShape::Fold(Some(_)), Some(2))));
    assert!(matches!(
        shape("ifold n (fun s j => if s < v[j] then v[j] else s) w[i]"),
        (LoopShape::Fold(Some(_)), Some(2))
    ));
    // The result has n elements: that it is made stays.
    let mut s = after(&["fun (v : array n real) => let x := 2; build n (fun i => v[i] * x)"]);
    let growth = growth(&mut s, ":why .");
    assert!(growth.loops[0].is_result && growth.reducible().is_none() && growth.standing.is_empty());
    let text = printed(&mut s, ":why .");
    assert!(text.contains("the loops of order n:") && text.contains("the result itself has n elements"), "{text}");
}

#[test]
fn a_step_that_raises_the_order_says_so_and_what_its_rule_is_for() {
    let term = "fun (v : array n real) => let s := ifold n (fun a i => a + v[i]) 0; build n (fun i => v[i] * s)";
    let mut s = after(&[term, "topDown(letSubst)"]);
    let why = why_step(&mut s, ":why 1");
    assert!(!why.purpose.is_empty());
    let text = printed(&mut s, ":why 1");
    assert!(text.contains(&why.purpose) && text.contains(": dearer, of a higher order"), "{text}");
}
