//! Why a rule doesn't apply: prepared terms with their reasons, and how much is tried on a large one.

use std::path::Path as File;
use std::rc::Rc;

use redexter::derivation::Derivation;
use redexter::ground::{Budget, Limits, StopReason, with_stack};
use redexter::redex::{RuleFamily, families, named};
use redexter::rule::{
    ConditionFacts, ConditionFunctions, Decision, FailureCause, FormMismatch, HidingConstruct, RuleInfo, RuleMismatch,
};
use redexter::strategy::run;
use redexter::term::Path;
use redexter::walk::QuestionFinding;
use redexter::why::{NearMatch, Remedy, RuleAnswer, rule_at};

use super::book::World;
use super::claims::hold;
use super::shipped::Workbench;

pub fn infos(world: &World) -> Vec<Rc<RuleInfo>> {
    world.book.iter().cloned().collect()
}

/// The answer, with a term as text, for a rule as users write it, or that they define.
fn asked(world: &World, term: &str, rule: &str, at: Option<&str>) -> RuleAnswer {
    let program = world.term(term);
    let rules = infos(world);
    let rule: RuleFamily = match rule.contains('`') {
        true => RuleFamily::of(&world.own(rule)),
        false => named(rule, &rules).unwrap_or_else(|wrong| panic!("{rule}: {wrong:?}")),
    };
    let at = at.map(|at| Path::parse(at, &program.term).unwrap_or_else(|step| panic!("{term} has no {step}")));
    let answer = rule_at(&rule, &program, at.as_ref(), &families(&rules), &Budget::default());
    hold(&answer);
    answer
}

fn at(answer: &RuleAnswer, path: &Path) -> String {
    path.display(&answer.program.term)
}

fn all(answer: &RuleAnswer, paths: &[Path]) -> Vec<String> {
    paths.iter().map(|path| at(answer, path)).collect()
}

#[track_caller]
pub fn first(answer: &RuleAnswer) -> &NearMatch {
    answer.nearest.first().unwrap_or_else(|| panic!("nothing near: {answer:?}"))
}

#[track_caller]
fn form(answer: &RuleAnswer) -> &FormMismatch {
    match &first(answer).explanation.mismatch {
        RuleMismatch::Form(form) => form,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn facts(answer: &RuleAnswer) -> &ConditionFacts {
    match &first(answer).explanation.mismatch {
        RuleMismatch::Condition(facts) => facts,
        other => panic!("{other:?}"),
    }
}

fn numbers(facts: &ConditionFacts) -> Vec<String> {
    facts.numbers.iter().map(|(text, size)| format!("{text} = {}", size.as_ref().unwrap())).collect()
}

/// The rewrites that make it apply, each with where that is and where the rule applies then.
fn remedies(answer: &RuleAnswer) -> Vec<(String, String, String)> {
    let one = |remedy: &Remedy| {
        let after = remedy.redex.rewrite(&answer.program.term).unwrap();
        (remedy.redex.rule.to_string(), at(answer, &remedy.redex.path), remedy.path.display(&after))
    };
    answer.remedies.iter().map(one).collect()
}

fn owned(rule: &str, at: &str, then: &str) -> (String, String, String) {
    (rule.to_owned(), at.to_owned(), then.to_owned())
}

#[test]
fn a_variable_occurs_too_often() {
    let world = World::new();
    let term = "fun (v : real) => let s := exp v; s * s + s";
    let answer = asked(&world, term, "letSubstN(1)", None);
    assert_eq!(at(&answer, &first(&answer).path), "body");
    let facts = facts(&answer);
    assert_eq!(numbers(facts), ["occurrences(x) = 3", "k = 1"]);
    let [occurrences] = &facts.occurrences[..] else { panic!("{facts:?}") };
    assert_eq!((occurrences.variable.as_str(), occurrences.name.as_str(), occurrences.count), ("x", "s", 3));
    assert_eq!(all(&answer, &occurrences.places), ["body.letBody.0.0", "body.letBody.0.1", "body.letBody.1"]);
    assert_eq!(first(&answer).other.as_ref().unwrap().to_string(), "letSubstN(3)");
    let text = &answer.text(100.into()).into_text();
    assert!(text.contains("x (here `s`) occurs 3 times: .body.letBody.0.0, .body.letBody.0.1 and .body.letBody.1"));
    assert!(text.contains("letSubstN(3) applies here"), "{text}");
    // Any argument of those that are tried would do, and one beyond them.
    assert!(asked(&world, term, "letSubstN", None).does_apply());
    let often = "fun (v : real) => let s := exp v; s + s + s + s + s + s + s + s + s + s + s + s + s";
    let answer = asked(&world, often, "letSubstN", None);
    assert_eq!(first(&answer).other.as_ref().unwrap().to_string(), "letSubstN(13)");
}

#[test]
fn a_variable_occurs_in_a_loop() {
    let world = World::new();
    let term = "fun (v : real) => let s := exp v; build 3 (fun i => s * real i)";
    let answer = asked(&world, term, "letSubstSafe", None);
    let facts = facts(&answer);
    assert_eq!(facts.condition, "safe(x)");
    assert!(facts.occurrences[0].looped && facts.occurrences[0].count == 1);
    assert_eq!(facts.terms[0].1, Path(vec![0, 0]));
}

#[test]
fn a_let_an_if_and_a_variable_are_in_the_way() {
    let world = World::new();
    let answer = asked(
        &world,
        "fun (v : array n real) (i : fin n) => (let x := sin v[i]; build n (fun j => v[j] * x))[i]",
        "getBuild",
        None,
    );
    let wanted = form(&answer);
    assert_eq!((wanted.piece.as_str(), wanted.noun, wanted.under), ("build n f", "build", Some("indexing")));
    let behind = wanted.behind.as_ref().unwrap();
    assert_eq!(
        (&behind.through[..], at(&answer, &behind.path)),
        (&[HidingConstruct::Let][..], "body.body.array.letBody".to_owned())
    );
    assert!(remedies(&answer).contains(&owned("getLet", "body.body", "body.body.letBody")), "{:?}", answer.remedies);

    let answer = asked(
        &world,
        "fun (v : array n real) (i : fin n) => (if v[i] < 0 then v else build n (fun j => v[j] * 2))[i]",
        "getBuild",
        None,
    );
    let behind = form(&answer).behind.as_ref().unwrap();
    assert_eq!(
        (&behind.through[..], at(&answer, &behind.path)),
        (&[HidingConstruct::If][..], "body.body.array.elseBranch".to_owned())
    );
    assert!(remedies(&answer).contains(&owned("getIf", "body.body", "body.body.elseBranch")), "{:?}", answer.remedies);

    let answer = asked(
        &world,
        "fun (v : array n real) (i : fin n) => let a := build n (fun j => v[j] * 2); a[i] + 1",
        "getBuild",
        None,
    );
    assert_eq!(at(&answer, &first(&answer).path), "body.body.letBody.0");
    let behind = form(&answer).behind.as_ref().unwrap();
    assert_eq!(
        (&behind.through[..], at(&answer, &behind.path)),
        (&[HidingConstruct::Variable("a".into(), Path(vec![0, 0]))][..], "body.body.value".to_owned())
    );
    assert_eq!(remedies(&answer)[0].1, "body.body");
}

#[test]
fn another_constructor_and_another_variable_stand_there() {
    let world = World::new();
    let sums = "fun (v w : array n real) => build n (fun i => v[i] + w[i])";
    let answer = asked(&world, sums, "buildGet", Some("body.body"));
    let wanted = form(&answer);
    assert_eq!((wanted.piece.as_str(), wanted.noun), ("v[i]", "indexing"));
    assert_eq!(at(&answer, &wanted.path), "body.body.buildBody.body");
    let constant = "fun (v : array n real) (k : fin n) => build n (fun i => v[k])";
    let answer = asked(&world, constant, "buildGet", None);
    let wanted = form(&answer);
    assert_eq!((wanted.piece.as_str(), wanted.noun, wanted.under), ("i", "bound variable", Some("indexing")));
    assert_eq!(at(&answer, &wanted.path), "body.body.buildBody.body.index");
    let chosen = "fun (v : array n real) (k : fin n) => ifold n (fun a i => a + (if i = k then v[i] else 0)) 0";
    let answer = asked(&world, chosen, "ifoldOneHot", None);
    assert_eq!(form(&answer).piece, "if i = k then e(a, i) else a");
    let path = "body.body.foldBody.body.body";
    assert_eq!(remedies(&answer), [owned("ifFloatAdd", path, "body.body")]);
    let answer = asked(&world, "fun (v : real) => v", "getBuild", None);
    assert!(answer.nearest.is_empty() && answer.lacks == Some("indexing"));
}

#[test]
fn a_rule_would_apply_after_another() {
    let world = World::new();
    let answer = asked(&world, "fun (v : real) => v * (1 + 0)", "mulOne", None);
    let wanted = form(&answer);
    assert_eq!((wanted.piece.as_str(), at(&answer, &wanted.path)), ("1", "body.1".to_owned()));
    assert_eq!(remedies(&answer)[0], owned("constFold", "body.1", "body"));
    let added = answer.remedies.iter().find(|remedy| remedy.costs).map(|remedy| remedy.redex.rule.to_string());
    assert_eq!(added.as_deref(), Some("factor.reverse"));
}

#[test]
fn a_repeated_variable_stands_for_two_terms() {
    let world = World::new();
    let answer = asked(&world, "fun (a b c : real) => if a < b then c + a else c + b", "ifSame", None);
    let RuleMismatch::Differs(differs) = &first(&answer).explanation.mismatch else { panic!("{answer:?}") };
    assert_eq!(differs.variable.as_str(), "a");
    let under = "body.body.body.";
    assert_eq!(all(&answer, &differs.paths), ["thenBranch", "elseBranch"].map(|end| format!("{under}{end}")));
    assert_eq!(all(&answer, &differs.at), ["thenBranch.1", "elseBranch.1"].map(|end| format!("{under}{end}")));
}

#[test]
fn a_variable_of_the_law_would_capture() {
    let world = World::new();
    let sum = "fun (v : array n real) => ifold n (fun a i => a + v[i]) 0";
    let answer = asked(&world, sum, "ifoldInvariant", None);
    let RuleMismatch::Captures(captures) = &first(&answer).explanation.mismatch else { panic!("{answer:?}") };
    assert_eq!((captures.variable.as_str(), at(&answer, &captures.bound)), ("e", "body.foldBody.body".to_owned()));
    assert_eq!(all(&answer, &captures.occurrences), ["body.foldBody.body.body.1.index"]);

    let answer = asked(&world, "fun (x y : real) => let s := sin x; let t := s * y; t + s", "letSwap", None);
    let RuleMismatch::Captures(captures) = &first(&answer).explanation.mismatch else { panic!("{answer:?}") };
    assert_eq!((captures.variable.as_str(), captures.binder.0.as_str(), captures.binder.1.as_str()), ("b", "x", "s"));
    assert_eq!(all(&answer, &captures.occurrences), ["body.body.letBody.value.0"]);

    // Where a half of a variable may be mentioned, and the whole is.
    let pairs = "fun (x : real) => ifold 3 (fun s i => (fst s + snd s, snd s * x)) (x, x)";
    let answer = asked(&world, pairs, "ifoldFission", None);
    let RuleMismatch::Captures(captures) = &first(&answer).explanation.mismatch else { panic!("{answer:?}") };
    assert_eq!((captures.variable.as_str(), captures.binder.1.as_str()), ("f", "s"));
    assert_eq!(all(&answer, &captures.occurrences), ["body.foldBody.body.body.pairFirst.1.projected"]);
}

#[test]
fn sizes_and_types_differ() {
    let world = World::new();
    let sum = "fun (v : array n real) => ifold n (fun a i => a + v[i]) 0";
    for (rule, says) in [("ifoldZero", "0"), ("ifoldPeel", "n + 1")] {
        let answer = asked(&world, sum, rule, None);
        let RuleMismatch::Size { law, found, path, .. } = &first(&answer).explanation.mismatch else {
            panic!("{answer:?}")
        };
        assert_eq!((law.to_string(), found.to_string(), at(&answer, path)), (says.into(), "n".into(), "body".into()));
    }
    let copy = "fun (v : array (n + 1) real) => build n (fun i => v[i + 1] + v[i + 1])";
    let rule = "whole = `build n (fun i => v[i] + w[i]) --> build n (fun i => w[i] + v[i])`";
    let answer = asked(&world, copy, rule, None);
    assert!(matches!(&first(&answer).explanation.mismatch, RuleMismatch::Form(_)), "{answer:?}");
    let same = "same = `(build n f, build n g) --> (build n f, build n g)`";
    let two = "fun (x : real) => (build n (fun i => x), build (n + 1) (fun i => x))";
    let answer = asked(&world, two, same, None);
    let RuleMismatch::Size { law, wanted, found, .. } = &first(&answer).explanation.mismatch else {
        panic!("{answer:?}")
    };
    assert_eq!((law.to_string(), found.to_string()), ("n".to_owned(), "n + 1".to_owned()));
    assert_eq!(wanted.as_ref().unwrap().to_string(), "n");

    // Both operands have another type.
    let answer = asked(&world, "fun (x : real) => x >= x", "eqSelf", None);
    let RuleMismatch::Type { law, found, .. } = &first(&answer).explanation.mismatch else { panic!("{answer:?}") };
    assert_eq!((law.to_string(), found.to_string()), ("fin n".to_owned(), "real".to_owned()));

    let reals = "reals = `fst ((a : real), b) --> a`";
    let answer = asked(&world, "fun (k : int) => fst (k, 1)", reals, None);
    let RuleMismatch::Type { law, found, .. } = &first(&answer).explanation.mismatch else { panic!("{answer:?}") };
    assert_eq!((law.to_string(), found.to_string()), ("real".to_owned(), "int".to_owned()));
}

#[test]
fn a_size_is_not_known_to_be_large_enough() {
    let world = World::new();
    let rule = "first = `build n (fun i => v[i]) --> build n (fun i => v[0] - v[0] + v[i])`";
    let answer = asked(&world, "fun (v : array m real) => build m (fun i => v[i])", rule, None);
    let RuleMismatch::Bound { size, value, least, wanted } = &first(&answer).explanation.mismatch else {
        panic!("{answer:?}")
    };
    assert_eq!((size.as_str(), value.to_string(), *least, *wanted), ("n", "m".to_owned(), 0, 1));
}

#[test]
fn conditions_ask_what_stands_around() {
    let world = World::new();
    let choice = "fun (v : array n real) => build n (fun i => if v[i] < 0 then v[i] else 2 * v[i])";
    let answer = asked(&world, choice, "ifSplit", None);
    let facts = facts(&answer);
    assert_eq!(facts.condition, "tangent(c, s, t)");
    let around: Vec<(&str, bool, bool)> =
        facts.around.iter().flatten().map(|binder| (binder.name.as_str(), binder.counts, binder.parameter)).collect();
    assert_eq!(around, [("v", false, false), ("i", true, false)]);
    let looked: Vec<String> = facts.terms.iter().map(|(name, ..)| name.to_string()).collect();
    assert_eq!(looked, ["c", "s", "t"]);
}

#[test]
fn rules_that_are_functions_have_their_own_words() {
    let world = World::new();
    for (term, rule, words, condition) in [
        (
            "fun (v : array n real) => ifold n (fun a i => a + v[i]) 0",
            "sumOneHot",
            "no sum over choices",
            "doesn't mention i or a",
        ),
        ("fun (v : real) => let x := exp v; x + exp (v + 1)", "letReuse", "no let whose value", "e costs flops"),
    ] {
        let answer = asked(&world, term, rule, None);
        let RuleMismatch::Words(said) = &first(&answer).explanation.mismatch else { panic!("{answer:?}") };
        assert!(said.starts_with(words), "{said}");
        let text = &answer.text(200.into()).into_text();
        assert!(text.contains(condition), "{text}");
    }
}

#[test]
fn functions_of_scripts_are_asked() {
    let world = World::new();
    let says = |answer: fn() -> Result<bool, FailureCause>| {
        let decision = Decision::new(1, move |_, _| answer());
        let functions = ConditionFunctions { named: vec![("good".into(), Rc::new(decision))], written: Vec::new() };
        let rule = world.define("own = `x + x --> 2 * x` where good(x)", functions).expect("a rule");
        let program = world.term("fun (a : real) => sin a + sin a");
        let answer = rule_at(&RuleFamily::of(&rule[0]), &program, None, &[], &Budget::default());
        hold(&answer);
        answer
    };
    let answer = says(|| Ok(false));
    let facts = facts(&answer);
    assert_eq!((facts.condition.as_str(), at(&answer, &facts.terms[0].1)), ("good(x)", "body.0".to_owned()));
    let answer = says(|| Err(FailureCause::Computed(": no number".into())));
    let RuleMismatch::Words(words) = &first(&answer).explanation.mismatch else { panic!("{answer:?}") };
    assert_eq!(words, "the condition `good(x)` goes wrong: no number");
    let limit = says(|| Err(FailureCause::Stopped(StopReason::Operations(7))));
    assert_eq!(limit.stopped, Some(StopReason::Operations(7)));
}

#[test]
fn a_place_that_is_not_there_has_no_answer() {
    let world = World::new();
    let rule = named("beta", &infos(&world)).expect("a rule");
    let answer = rule_at(&rule, &world.term("1"), Some(&Path(vec![3])), &[], &Budget::default());
    assert!(answer.applies.is_empty() && answer.nearest.is_empty() && answer.stopped.is_none());
}

#[test]
fn a_rule_applies_at_the_place_or_below_it() {
    let world = World::new();
    let term = "fun (x : real) => (x + 0) * 2";
    let answer = asked(&world, term, "addZero", Some("body.0"));
    assert!(answer.does_apply() && answer.nearest.is_empty());
    let answer = asked(&world, term, "addZero", Some("body"));
    assert!(!answer.does_apply());
    assert_eq!((answer.applies.len(), at(&answer, &answer.applies[0].path)), (1, "body.0".to_owned()));
    assert_eq!((answer.nearest.len(), at(&answer, &first(&answer).path)), (1, "body".to_owned()));
    assert!(first(&answer).explanation.is_apart());
}

#[test]
fn an_answer_on_a_large_term_takes_bounded_work() {
    with_stack(100_000, || {
        let (world, workbench) = (World::new(), Workbench::new());
        let rules = infos(&world);
        let all = families(&rules);
        let programs = workbench.programs(File::new("models/mixture.arr"));
        let (_, program) = programs.into_iter().find(|(name, _)| name.ends_with(":gradient")).expect("a gradient");
        let strategies = workbench.strategies(File::new("strategies/gradient.strat"));
        let (_, fast) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("a schedule");
        let ran = run(&fast, &program, &Budget::default(), redexter::cost::cheaper_total).expect("within the limits");
        let derivation = Derivation::of_run("fastGradient", Rc::new(ran.trace));
        let count = derivation.steps().len();
        for step in [0, count / 4, count / 2, count] {
            let program = program.with(derivation.term(step));
            for name in ["getBuild", "letSubstN(1)", "sumOneHot", "letReuse", "ifSplit", "ifoldOneHot", "letSwapPrimal"]
            {
                let rule = named(name, &rules).expect("a rule");
                let answer = rule_at(&rule, &program, None, &all, &Budget::default());
                hold(&answer);
                assert!(answer.tried <= 6_000, "{name} after {step} steps: {}", answer.tried);
            }
        }
        let stop = Budget::new(Limits::default(), Some(Rc::new(|_| Some(StopReason::Interrupted))));
        let rule = named("sumOneHot", &rules).expect("a rule");
        let answer = rule_at(&rule, &program, None, &all, &stop);
        assert_eq!(answer.stopped, Some(StopReason::Interrupted));
        assert!(&answer.text(80.into()).text().contains("interrupted"));
    })
    .expect("a thread");
}
