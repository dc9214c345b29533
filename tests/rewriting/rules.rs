//! The rule book: each rule fires on examples, keeps type and meaning, and keeps away from what it must not touch.

use super::examples as book;
use crate::support::book as world;
use std::collections::BTreeSet;

use redexter::cost::{cheaper_total, typical, work};
use redexter::eval::{Sizes, evaluate, open_sizes, random_inputs};
use redexter::ground::{Budget, Name, Trouble};
use redexter::rule::{ConditionFunctions, Exactness, NativeRule, NativeStatement, Rule, RuleBody};
use redexter::strategy::{Outcome, Strategy, StrategyRun, Unary, check_ends, replay, run};
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::{Prim, Program, SizeBounds, Term, Type};
use world::World;

/// `letSubstN(1)` or a name.
fn rule(world: &World, text: &str) -> Rule {
    let (name, argument) = match text.split_once('(') {
        Some((name, rest)) => (name, vec![rest.trim_end_matches(')').parse().expect("a number")]),
        None => (text, Vec::new()),
    };
    world.book.rule(name, &argument).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

/// The native rules with their records.
fn natives(world: &World) -> impl Iterator<Item = (Rule, &'static NativeRule)> {
    world.book.iter().filter_map(|info| match info.body {
        RuleBody::Native(record) => Some((Rule::new(info.clone(), &record.arguments()), record)),
        _ => None,
    })
}

fn any(world: &World, rules: &[&str]) -> Strategy {
    rules.iter().fold(Strategy::fail(), |all, name| all.or(&Strategy::rule(&rule(world, name))))
}

fn own(world: &World, text: &str) -> Result<Rule, Trouble> {
    Ok(Rule::new(world.define(text, ConditionFunctions::default())?[0].clone(), &[]))
}

fn go(strategy: &Strategy, program: &Program) -> StrategyRun {
    let run = run(strategy, program, &Budget::default(), cheaper_total).expect("within the limits");
    if let Outcome::Success(term) = &run.outcome {
        assert_eq!(replay(&run.trace).as_ref(), Ok(term));
    }
    run
}

fn once(rule: &Rule, program: &Program) -> Option<Program> {
    match go(&Strategy::rule(rule).under(Unary::TopDown), program).outcome {
        Outcome::Success(term) => Some(Program { term, bounds: program.bounds.clone() }),
        _ => None,
    }
}

fn shown(program: &Program) -> String {
    print_term(&program.term, &PrintStyle { width: 2_000 })
}

/// Both give the same on random inputs, at several sizes.
fn same_meaning(before: &Program, after: &Program, exactness: Exactness) {
    assert_eq!(before.term.ty(), after.term.ty());
    for size in 0..4 {
        let mut sizes = Sizes::default();
        for name in open_sizes(&before.term) {
            sizes.set(&name, size.max(before.bounds.lower(&name)));
        }
        for seed in 0..5 {
            let Some(inputs) = random_inputs(before, &sizes, seed) else { continue };
            let value = |p: &Program| evaluate(p, &inputs, &sizes, &Budget::default()).expect("data").0;
            let (old, new) = (value(before), value(after));
            let equal = if exactness == Exactness::Exact { old.same(&new) } else { old.close(&new, 1e-9) };
            assert!(equal, "{} gives {old:?}\n{} gives {new:?}", shown(before), shown(after));
        }
    }
}

const EXAMPLES: &[(&str, &str, &str)] = &[
    ("beta", "fun (v : real) => (fun x => x * x) (v + 1)", "fun (v : real) => let x := v + 1; x * x"),
    ("letSubst", "fun (v : real) => let x := v + 1; x * x", "fun (v : real) => (v + 1) * (v + 1)"),
    ("letSubstN(1)", "fun (v : real) => let x := v + 1; x * 2", "fun (v : real) => (v + 1) * 2"),
    ("letSubstN(2)", "fun (v : real) => let x := v + 1; x * x", "fun (v : real) => (v + 1) * (v + 1)"),
    ("letSubstSafe", "fun (v : real * real) => let x := fst v; x * x", "fun (v : real * real) => fst v * fst v"),
    ("letSubstSafe", "fun (v : real) => let x := v + 1; x * v", "fun (v : real) => (v + 1) * v"),
    (
        "letPair",
        "fun (v : real) => let x := (v, 2); fst x * v",
        "fun (v : real) => let y := v; let z := 2; fst (y, z) * v",
    ),
    ("letDead", "fun (v : real) => let x := v * v; v", "fun (v : real) => v"),
    (
        "letLet",
        "fun (v : real) => let x := (let y := v * v; y + v); x * v",
        "fun (v : real) => let y := v * v; let x := y + v; x * v",
    ),
    (
        "letCse",
        "fun (v : real) => let x := v * v; let y := v * v; x + y",
        "fun (v : real) => let x := v * v; let y := x; x + y",
    ),
    (
        "letSwap",
        "fun (v : real) => let x := v * v; let y := v + 1; x - y",
        "fun (v : real) => let y := v + 1; let x := v * v; x - y",
    ),
    ("addZero", "fun (v : real) => v * v + 0", "fun (v : real) => v * v"),
    ("addZero", "fun (v : int) => 0 + v", "fun (v : int) => v"),
    ("mulOne", "fun (v : real) => 1 * v", "fun (v : real) => v"),
    ("mulZero", "fun (v : real) => v * 0", "fun (v : real) => (0 : real)"),
    ("subSelf", "fun (v : real) => v * v - v * v", "fun (v : real) => (0 : real)"),
    ("factor", "fun (a b c : real) => a * b + a * c", "fun (a b c : real) => a * (b + c)"),
    ("factor", "fun (a b c : real) => b * a + c * a", "fun (a b c : real) => (b + c) * a"),
    ("factor.reverse", "fun (a b c : real) => a * (b + c)", "fun (a b c : real) => a * b + a * c"),
    ("distribute", "fun (a b c : real) => (b + c) * a", "fun (a b c : real) => b * a + c * a"),
    ("distribute.reverse", "fun (a b c : int) => a * b + a * c", "fun (a b c : int) => a * (b + c)"),
    (
        "getBuild",
        "fun (v : array n real) (k : fin n) => (build n (fun i => v[i] * 2))[k]",
        "fun (v : array n real) (k : fin n) => (fun i => v[i] * 2) k",
    ),
    ("buildGet", "fun (v : array n real) => build n (fun i => v[i])", "fun (v : array n real) => v"),
    ("fstPair", "fun (v : real) => fst (v, v + 1)", "fun (v : real) => v"),
    ("sndPair", "fun (v : real) => snd (v, v + 1)", "fun (v : real) => v + 1"),
    ("ifTrue", "fun (v : real) => if 7 then v else v + 1", "fun (v : real) => v"),
    ("ifFalse", "fun (v : real) => if 0 then v else v + 1", "fun (v : real) => v + 1"),
    (
        "partFalse",
        "fun (v : real) (c : int) => if 0 && c then v else 1",
        "fun (v : real) (c : int) => if 0 then v else (1 : real)",
    ),
    ("partFalse", "fun (c : int) => c && 0", "fun (c : int) => (0 : int)"),
    (
        "partFalse",
        "fun (v : real) (c : int) => if c || 0 then v else 1",
        "fun (v : real) (c : int) => if c then v else (1 : real)",
    ),
    (
        "partTrue",
        "fun (v : real) (c : int) => if c && 7 then v else 1",
        "fun (v : real) (c : int) => if c then v else (1 : real)",
    ),
    ("partTrue", "fun (c : int) => 7 || c", "fun (c : int) => (1 : int)"),
    (
        "getPlus",
        "fun (v w : array n real) (k : fin n) => (plus v w)[k]",
        "fun (v w : array n real) (k : fin n) => plus v[k] w[k]",
    ),
    ("ifSame", "fun (v : real) (c : int) => if c then v * v else v * v", "fun (v : real) (c : int) => v * v"),
    ("ifoldZero", "fun (v : real) => ifold 0 (fun a i => a * v) 3", "fun (v : real) => (3 : real)"),
    (
        "ifoldPeel",
        "fun (v : array (n + 1) real) => ifold (n + 1) (fun a i => a + v[i]) 0",
        "fun (v : array (n + 1) real) =>
           ifold n (fun a i => (fun a i => a + v[i]) a (i + 1)) ((fun a i => a + v[i]) (0 : real) (0 : fin (n + 1)))",
    ),
    ("ifoldConst", "fun (v : array n real) => ifold n (fun a i => a) 3", "fun (v : array n real) => (3 : real)"),
    (
        "ifoldOneHot",
        "fun (v : array n real) (k : fin n) => ifold n (fun a i => if i = k then a * v[i] else a) 3",
        "fun (v : array n real) (k : fin n) => let a := 3; let i := k; a * v[i]",
    ),
    (
        "ifoldOneHot",
        "fun (v : array n real) (k : fin n) => ifold n (fun a i => if not (k = i) then a else a + v[i]) 3",
        "fun (v : array n real) (k : fin n) => let a := 3; let i := k; a + v[i]",
    ),
    (
        "ifoldOneHot",
        "fun (v : array n real) (k : fin n) => ifold n (fun a i => if i != k then a else a + v[i]) 3",
        "fun (v : array n real) (k : fin n) => let a := 3; let i := k; a + v[i]",
    ),
    (
        "ifoldFission",
        "fun (v : array n real) => ifold n (fun a i => (fst a + v[i], snd a * v[i])) (0, 1)",
        "fun (v : array n real) => (ifold n (fun a i => a + v[i]) 0, ifold n (fun a i => a * v[i]) 1)",
    ),
];

#[test]
fn examples_come_out_as_written_and_mean_the_same() {
    let mut wrong = String::new();
    let world = World::new();
    let texts =
        EXAMPLES.iter().chain(book::examples()).map(|(name, before, after)| (rule(&world, name), *before, *after));
    let of = |(rule, record): (Rule, &'static NativeRule)| {
        record.examples.iter().map(move |(before, after)| (rule.clone(), *before, *after))
    };
    for (rule, before, after) in texts.chain(natives(&world).flat_map(of)) {
        let (before, after) = (world.term(before), world.term(after));
        let Some(got) = once(&rule, &before) else {
            wrong += &format!("{rule} does not fire on {}\n", shown(&before));
            continue;
        };
        if got.term != after.term {
            wrong += &format!("{rule}:\n  {}\n  {}\n", shown(&got), shown(&after));
        }
        same_meaning(&before, &got, rule.info().exactness);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_rule_is_typed_documented_and_has_an_example() {
    let world = World::new();
    let all = EXAMPLES.iter().chain(book::examples());
    let examples: BTreeSet<&str> = all.map(|(name, ..)| name.split('(').next().unwrap_or(name)).collect();
    for info in world.book.iter() {
        if let RuleBody::Laws(laws) = &info.body {
            assert!(!laws.typed().unwrap_or_else(|wrong| panic!("{}: {wrong:?}", info.name)).is_empty());
            assert!(examples.contains(info.name.as_str()), "{} has no example", info.name);
        }
        assert!(!info.doc.is_empty() && !info.group.is_empty() && !info.laws.is_empty(), "{}", info.name);
    }
}

/// What a record calls text is a law in the notation of rules, and what it calls words is none.
#[test]
fn laws_of_native_rules_are_typed_where_the_notation_can_say_them() {
    let world = World::new();
    let types = |law: &str| own(&world, &format!("r = `{law}`")).is_ok();
    for (rule, record) in natives(&world) {
        match record.law {
            NativeStatement::Text(laws) => laws.iter().for_each(|law| assert!(types(law), "{rule}: {law}")),
            NativeStatement::Words(words) => assert!(!types(words), "{rule}: {words} is a law"),
        }
    }
}

const REFUSED: &[(&str, &str)] = &[
    ("letSubstN(1)", "fun (v : real) => let x := v + 1; x * x"),
    ("letSubstSafe", "fun (v : real) => let x := v + 1; x * x"),
    ("letSubstSafe", "fun (v : real) => let x := v + 1; build n (fun i => x)"),
    ("letSubstSafe", "fun (v : real * real) => let x := (fst v + 1, 2); fst x + fst x"),
    ("letDead", "fun (v : real) => let x := v * v; x"),
    ("letCse", "fun (v : real) => let v := v * v; let y := v * v; v + y"),
    ("letSwap", "fun (v : real) => let x := v * v; let y := x + 1; x - y"),
    ("addZero", "fun (v : real) => v + 1"),
    ("subSelf", "fun (v w : real) => v - w"),
    (
        "ifoldOneHot",
        "fun (v : array n real) (k : fin n) => ifold n (fun a i => if not (k != i) then a else a + v[i]) 0",
    ),
    ("factor", "fun (a b c d : real) => a * b + c * d"),
    ("buildGet", "fun (v : array n (array n real)) => build n (fun i => v[i][i])"),
    ("buildGet", "fun (v : array (n + 1) real) => build n (fun i => v[i + 1])"),
    ("ifSame", "fun (v : real) => if v < 1 then v else v * v"),
    ("ifoldZero", "fun (v : real) => ifold n (fun a i => a * v) 3"),
    ("ifoldPeel", "fun (v : array n real) => ifold n (fun a i => a + v[i]) 0"),
    ("ifoldConst", "fun (v : array n real) => ifold n (fun a i => a * 1) 3"),
    ("ifoldOneHot", "fun (v : array n real) => ifold n (fun a i => if i = i then a * v[i] else a) 3"),
    ("ifoldOneHot", "fun (v : array n real) (k : fin n) => ifold n (fun a i => if i = k then a else a * v[i]) 3"),
    ("ifoldOneHot", "fun (v : array n real) (k : fin m) => ifold n (fun a i => if i = k then a * v[i] else a) 3"),
    ("ifoldFission", "fun (v : array n real) => ifold n (fun a i => (fst a + v[i], snd a * fst a)) (0, 1)"),
    ("ifoldFission", "fun (v : array n real) => ifold n (fun a i => (snd a, fst a)) (0, 1)"),
];

#[test]
fn conditions_hold_rules_back() {
    let world = World::new();
    let texts = REFUSED.iter().chain(book::refused()).map(|(name, text)| (rule(&world, name), *text));
    let of = |(rule, record): (Rule, &'static NativeRule)| record.refused.iter().map(move |text| (rule.clone(), *text));
    for (rule, text) in texts.chain(natives(&world).flat_map(of)) {
        if let Some(after) = once(&rule, &world.term(text)) {
            panic!("{rule} fires on {text}\nand gives {}", shown(&after));
        }
    }
}

/// A law's 0 is not the zero of the other sign.
#[test]
fn constants_are_matched_bit_by_bit() {
    let world = World::new();
    let law = own(&world, "own = `(x : real) + 0.0 --> x`").expect("a law");
    let with = |zero: f64| {
        let x = Term::var(0, &Type::real());
        let sum = Term::binary(Prim::Add, x, Term::real(zero)).expect("reals");
        let term = Term::lam(&Name::new("x"), &Type::real(), sum).expect("a function");
        once(&law, &Program { term, bounds: SizeBounds::default() }).is_some()
    };
    assert_eq!([0.0, -0.0].map(with), [true, false]);
}

#[test]
fn substitution_never_captures() {
    let world = World::new();
    let before = world.term("fun (y : real) => let x := y + 1; fun (y : real) => x * y");
    let after = once(&rule(&world, "letSubst"), &before).expect("fires");
    assert_eq!(after.term, world.term("fun (y : real) => fun (z : real) => (y + 1) * z").term);
    let text = shown(&after);
    assert_eq!(world.term(&text).term, after.term, "{text}");
}

#[test]
fn users_names_survive() {
    let world = World::new();
    let before = world.term("fun (velocity : real) => (fun speed => speed * speed) (velocity + 1)");
    let after = once(&rule(&world, "beta"), &before).expect("fires");
    assert!(shown(&after).contains("let speed := velocity + 1"), "{}", shown(&after));
    let fold =
        world.term("fun (v : array n real) => ifold n (fun total row => (fst total + v[row], snd total)) (0, 1)");
    let after = shown(&once(&rule(&world, "ifoldFission"), &fold).expect("fires"));
    assert!(after.contains("fun total row => total + v[row]"), "{after}");
}

#[test]
fn the_papers_derivation() {
    let world = World::new();
    let before = world.term(
        "fun (v : array n real) => build n (fun i =>
           snd (ifold n (fun a j => (fst a + v[j], snd a + (if i = j then 1 else 0))) (0, 0)))",
    );
    let stage = |program: &Program, rules: &[&str]| {
        let run = go(&any(&world, rules).under(Unary::Normalize), program);
        let Outcome::Success(term) = run.outcome else { panic!("normalize failed") };
        Program { term, bounds: program.bounds.clone() }
    };
    let split = stage(&before, &["ifoldFission", "fstPair", "sndPair"]);
    let expected =
        world.term("fun (v : array n real) => build n (fun i => ifold n (fun a j => a + (if i = j then 1 else 0)) 0)");
    assert_eq!(split.term, expected.term, "{}", shown(&split));
    let floated = stage(&split, &["ifFloat", "addZero"]);
    let expected =
        world.term("fun (v : array n real) => build n (fun i => ifold n (fun a j => if i = j then a + 1 else a) 0)");
    assert_eq!(floated.term, expected.term, "{}", shown(&floated));
    let last = stage(&floated, &["ifoldOneHot", "letSubstSafe", "addZero"]);
    let expected = world.term("fun (v : array n real) => build n (fun i => (1 : real))");
    assert_eq!(last.term, expected.term, "{}", shown(&last));
    same_meaning(&before, &last, Exactness::RealExact);
    let total = |program: &Program| typical(&work(&program.term).total(), &program.bounds);
    assert!(total(&last) * 50 < total(&before));
}

#[test]
fn sizes_and_types_are_matched_too() {
    let world = World::new();
    let right = |text: &str| own(&world, text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
    let odd = right("last = `ifold (2 * n + 1) f z --> ifold (n + n + 1) f z` unchecked");
    assert!(once(&odd, &world.term("fun (v : real) => ifold 7 (fun a i => a * v) 1")).is_some());
    assert!(once(&odd, &world.term("fun (v : real) => ifold (4 * k + 5) (fun a i => a * v) 1")).is_some());
    assert!(once(&odd, &world.term("fun (v : real) => ifold 6 (fun a i => a * v) 1")).is_none());
    assert!(once(&odd, &world.term("fun (v : real) => ifold (3 * k + 1) (fun a i => a * v) 1")).is_none());
    let some = right("some = `ifold n f z --> ifold n f z` where n >= 1 unchecked");
    assert!(once(&some, &world.term("fun (v : real) => ifold (k + 1) (fun a i => a * v) 1")).is_some());
    assert!(once(&some, &world.term("fun (v : real) => ifold k (fun a i => a * v) 1")).is_none());
    let least = world.term("fun (v : array k real) => ifold k (fun a i => a * v[argmax v]) 1");
    assert!(once(&some, &least).is_some(), "k is at least 1 here");
    let reals = right("twice = `x + x --> 2 * x`");
    for (text, result) in
        [("fun (v : real) => v + v", "fun (v : real) => 2 * v"), ("fun (v : int) => v + v", "fun (v : int) => 2 * v")]
    {
        assert_eq!(once(&reals, &world.term(text)).map(|p| p.term), Some(world.term(result).term));
    }
}

/// Whether a law's least sizes are written behind it or follow from its types: in a search, in a choice, and alone.
#[test]
fn least_sizes_hold_rules_back() {
    let world = World::new();
    let right = |text: &str| own(&world, text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
    let never = right("never = `sin (x : real) --> cos x` unchecked");
    for text in [
        "any = `build n f --> build n (fun i => f 0)` unchecked",
        "first = `build n (f : fin n -> real) --> build n (fun i => f 0)` unchecked",
        "some = `build n (f : fin n -> real) --> build n (fun i => f i)` where n >= 1 unchecked",
        "more = `build n (f : fin n -> real) --> build n (fun i => f i)` where n > 0 unchecked",
        "none = `build n (f : fin n -> real) --> build n (fun i => f i)` where n != 0 unchecked",
    ] {
        let rule = right(text);
        let alone = Strategy::rule(&rule);
        let ways = [alone.clone(), Strategy::rule(&never).or(&alone), alone.or(&Strategy::rule(&never))];
        for (size, fires) in
            [("n", false), ("n * n", false), ("n + 1", true), ("n * m + 2", true), ("0", false), ("1", true)]
        {
            let program = world.term(&format!("fun (v : real) => build ({size}) (fun i => v * 2)"));
            for way in &ways {
                for search in [Unary::TopDown, Unary::BottomUp] {
                    let run = go(&way.under(search), &program);
                    assert_eq!(matches!(run.outcome, Outcome::Success(_)), fires, "{text} at {size}");
                }
            }
        }
    }
}

/// A rule whose sums exchange, which asks that the first has a round.
#[test]
fn least_sizes_may_end_a_repetition() {
    let world = World::new();
    let turn = "`ifold n f (z : real) + ifold m g y --> ifold m g y + ifold n (fun a i => f a 0) z`";
    let ends = |text: &str| {
        let rule = own(&world, text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
        check_ends(&Strategy::rule(&rule).under(Unary::Normalize)).is_ok()
    };
    assert!(ends(&format!("turn = {turn} unchecked")));
    assert!(!ends("turn = `ifold n f (z : real) + ifold m g y --> ifold m g y + ifold n f z` unchecked"));
}

/// What recurs in a law is one size, and an array literal has as many elements as that of the law.
#[test]
fn sizes_that_recur_and_elements_are_counted() {
    let world = World::new();
    let fires = |law: &str, text: &str| once(&own(&world, law).expect("a rule"), &world.term(text)).is_some();
    let same = "same = `ifold n f (z : real) + ifold n g y --> ifold n f z` unchecked";
    let sums =
        |n: &str, m: &str| format!("fun (v : real) => ifold {n} (fun a i => a * v) 1 + ifold {m} (fun a i => a + v) 0");
    assert!(fires(same, &sums("n", "n")) && fires(same, &sums("3", "3")));
    assert!(!fires(same, &sums("n", "m")) && !fires(same, &sums("3", "2")) && !fires(same, &sums("n", "3")));
    let first = "first = `[a, b][i] --> a` unchecked";
    assert!(fires(first, "fun (v : real) => [v, 2][0]") && !fires(first, "fun (v : real) => [v, 2, 3][0]"));
}

#[test]
fn conditions_speak_of_what_was_matched() {
    let world = World::new();
    let right = |text: &str| own(&world, text).unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
    let constant = right("shift = `a + b --> b + a` where literal(b), not literal(a)");
    assert!(once(&constant, &world.term("fun (v : real) => v + 1")).is_some());
    assert!(once(&constant, &world.term("fun (v : real) => v + v")).is_none());
    assert!(once(&constant, &world.term("(2 : real) + 1")).is_none());
    let wrong = own(&world, "bad = `let x := a; b(x) --> b(a)` where ocurrences(x) <= 1");
    let Err(Trouble::Wrong(all)) = wrong else { panic!("it was accepted") };
    assert_eq!(all[0].help, ["did you mean `occurrences`?"]);
    let Err(Trouble::Wrong(all)) = own(&world, "bad = `let x := a; b(x) --> b(a)` where constant(y)") else {
        panic!("it was accepted")
    };
    assert!(all[0].headline.contains("no variable `y`"), "{:?}", all[0]);
}

#[test]
fn failures_name_the_rule_and_what_is_missing() {
    let world = World::new();
    let program = world.term("fun (v : array n real) (i : fin n) => v[i]");
    let why = |name: &str, program: &Program| {
        let s = Strategy::rule(&rule(&world, name)).under(Unary::TopDown);
        let Outcome::Failure(reason) = go(&s, program).outcome else { panic!("{name} fired") };
        reason.to_string()
    };
    assert_eq!(why("getBuild", &program), "getBuild does not match: no build under an indexing");
    let shared = world.term("fun (v : real) => let x := v + 1; x * x");
    assert_eq!(why("letSubstN(1)", &shared), "letSubstN(1): the condition `occurrences(x) <= k` does not hold");
    assert_eq!(
        why("letDead", &shared),
        "letDead does not match: what stands for `b` mentions a bound variable that it must not mention"
    );
    let unknown = world.book.rule("getBiuld", &[]).expect_err("misspelt");
    assert_eq!(unknown.help, ["did you mean `getBuild`?"]);
    let missing = world.book.rule("letSubstN", &[]).expect_err("needs a number");
    assert_eq!(missing.help, ["write `letSubstN(k)`"]);
}

#[test]
fn patterns_are_found_anywhere() {
    let world = World::new();
    let pattern = world.pattern("ifold n (fun a i => a + e(i)) z");
    assert!(pattern.occurs_in(&world.term("fun (v : array n real) => exp (ifold n (fun s k => s + v[k]) 0)").term));
    assert!(!pattern.occurs_in(&world.term("fun (v : array n real) => exp (ifold n (fun s k => s + s) 0)").term));
}

#[test]
fn conditions_ask_about_places_types_and_work() {
    let world = World::new();
    let fires = |rule: &str, text: &str| {
        let rule = own(&world, &format!("r = {rule} unchecked")).unwrap_or_else(|wrong| panic!("{rule}: {wrong:?}"));
        once(&rule, &world.term(text)).is_some()
    };
    let subst = "`let x := a; b(x) --> b(a)`";
    let squares = "fun (v : array n real) => let x := exp v[k]; build m (fun i => x)";
    let squares = &squares.replace("n real)", "n real) (k : fin n)");
    assert!(fires(&format!("{subst} where looped(x)"), squares));
    assert!(!fires(&format!("{subst} where not looped(x)"), squares));
    assert!(fires(&format!("{subst} where isReal(x), isReal(a), not isArray(a)"), squares));
    assert!(fires(&format!("{subst} where isArray(b), work(b) > work(a)"), "let x := exp 1; build 7 (fun i => x)"));
    assert!(!fires(&format!("{subst} where work(b) > work(a)"), "let x := exp 1; build n (fun i => x)"));
    let power = "`x * x --> x * x` where value(x) = 2";
    assert!(fires(power, "(2 : real) * 2") && !fires(power, "(3 : real) * 3") && !fires(power, "(2.5 : real) * 2.5"));
    let rows = "`a[i] --> a[i]` where loops(a, i) >= 2";
    assert!(fires(rows, "fun (v : array n (array n real)) => build n (fun i => build n (fun j => v[i][j]))"));
    assert!(!fires(rows, "fun (v : array n (array n real)) => build n (fun i => build n (fun j => v[i]))"));
    let two =
        |condition: &str| format!("`let x := a; let y := b(x); c(x, y) --> let x := a; c(x, b(x))` where {condition}");
    let chain = "fun (v : real) => let x := v * v; let y := x + 1; y * v";
    assert!(fires(&two("depends(c, x), not free(x, c), free(y, c), free(x, b)"), chain));
    assert!(!fires(&two("depends(c, x)"), "fun (v : real) => let x := v * v; let y := v + 1; y * v"));
    let outer = "`let x := a; b(x) --> b(a)` where depends(b, e), not free(e, b), free(e, a)";
    assert!(own(&world, &format!("r = {outer} unchecked")).is_err(), "e is no variable of the left side");
    let one_too_many = own(&world, "r = `a + b --> b + a` where tangent() unchecked");
    assert!(one_too_many.is_err());
}
