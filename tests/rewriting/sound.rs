//! Rules are tested on generated instances: what ships passes, and what is wrong is shown to be.

use crate::support::{book, computed};
use std::collections::BTreeSet;
use std::rc::Rc;

use book::World;
use computed::computed;
use redexter::eval::{evaluate, inputs_from_json, value_to_json};
use redexter::ground::Budget;
use redexter::rule::{ContextUse, Exactness, Focus, Reason, Rule, RuleBody, RuleInfo};
use redexter::sound::{CounterExample, SoundnessVerdict, TestEffort, check_rule, equivalent, grown};
use redexter::strategy::{Strategy, Unary};
use redexter::term::{Prim, Program, Term, View};
use redexter::validate::check_strategy;
use redexter_reference::is_extended;

fn check(world: &World, rule: &Rc<RuleInfo>, effort: TestEffort, seed: u64) -> SoundnessVerdict {
    check_rule(rule, world.templates(), effort, seed, &Budget::default()).expect("within the limits")
}

fn refuted(world: &World, rule: &Rc<RuleInfo>) -> CounterExample {
    match check(world, rule, TestEffort::QUICK, 7) {
        SoundnessVerdict::Unsound(example) => *example,
        other => panic!("{} passes: {other:?}", rule.name),
    }
}

/// What `redexter rules` says of the book is what the tests do.
#[test]
fn the_book_is_tested_as_it_says() {
    assert_eq!(redexter::rule::BOOK_INSTANCES, TestEffort::THOROUGH.instances);
}

/// The programs that rules are tested on have every primitive, but for what has no derivative, and for those of whole exponents
/// and of indices, which come from the texts of rules.
#[test]
fn programs_grow_with_each_primitive() {
    let world = World::new();
    let mut missing: BTreeSet<Prim> = Prim::ALL.iter().copied().collect();
    for prim in [Prim::Trigamma, Prim::Pow, Prim::ToInt, Prim::Offset(0)] {
        missing.remove(&prim);
    }
    for (info, seed) in world.book.iter().flat_map(|info| (0..200).map(move |seed| (info, seed))) {
        let sides = world.templates().left_sides(info).expect("the book is typed");
        let Some((program, _)) = sides.first().and_then(|side| grown(side.0, seed, false)) else { continue };
        let mut waiting = vec![program.term];
        while let Some(term) = waiting.pop() {
            if let View::Prim(prim, _) = term.view() {
                missing.remove(&prim);
            }
            waiting.extend(term.kids());
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

/// Every shipped rule whose place in the book is `part` modulo `parts`: thoroughly in an extended run, else quickly.
fn tested(part: usize, parts: usize) {
    let world = World::new();
    let effort = if is_extended() { TestEffort::THOROUGH } else { TestEffort::QUICK };
    let mut wrong = Vec::new();
    for info in world.book.iter().skip(part).step_by(parts) {
        let start = std::time::Instant::now();
        let verdict = check(&world, info, effort, 1);
        let seconds = start.elapsed().as_secs_f64();
        match verdict {
            SoundnessVerdict::Tested { instances, at_zero, at_one, under_d, .. } => {
                println!(
                    "{:24} {:14} {instances:4} ({at_zero} at 0, {at_one} at 1, {under_d} under D) {seconds:.2} s",
                    info.name.as_str(),
                    info.exactness.to_string()
                );
                if instances < effort.instances || at_zero == 0 || at_one == 0 {
                    wrong.push(format!("{}: only {instances}, {at_zero} at 0, {at_one} at 1", info.name));
                }
            }
            SoundnessVerdict::Unsound(example) => wrong.push(format!("{} is unsound:\n{example}", info.name)),
            SoundnessVerdict::Untested { why, .. } => wrong.push(format!("{}: {why}", info.name)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn shipped_rules_are_sound_1() {
    tested(0, 4);
}

#[test]
fn shipped_rules_are_sound_2() {
    tested(1, 4);
}

#[test]
fn shipped_rules_are_sound_3() {
    tested(2, 4);
}

#[test]
fn shipped_rules_are_sound_4() {
    tested(3, 4);
}

/// The pattern of a rule that asks about its place says too little; it may, of one that asks what a part costs, or whether it is
/// a number.
#[test]
fn rules_that_ask_about_their_place_are_tested_in_such() {
    let world = World::new();
    let sided = world.book.iter().zip(world.book.left_sides());
    for (info, (_, sides)) in sided.filter(|(info, _)| matches!(info.body, RuleBody::Laws(_))) {
        let context = Rule::new(info.clone(), &vec![1; info.params.len()]).footprint().context != ContextUse::Nothing;
        let asks = |condition: &str| ["work(", "literal("].iter().any(|word| condition.contains(word));
        let of_parts = info.conditions.iter().any(|condition| asks(condition));
        assert!(context || of_parts || sides.is_empty(), "{}", info.name);
        assert!(!context || !sides.is_empty(), "{}", info.name);
    }
}

/// Rules that are wrong, some of which are in print or in public code.
const WRONG: &[&str] = &[
    "letFissionDropsBody = `let x := (let y := a; b(y)); c(x) --> let y := a; b(y)`",
    "ifFloatAcrossBinder = `build (n + 1) (fun i => if c(i) then a(i) else b(i)) --> if c(0) then build (n + 1) (fun i => a(i)) else build (n + 1) (fun i => b(i))`",
    "letSwapUnconditional = `let x := a; let y := b(x); c(x, y) --> let y := a; let x := b(y); c(x, y)`",
    "oneHotMoving = `ifold (n + 1) (fun a i => if i = k(i) then e(a, i) else a) z --> let a := z; let i := k(0); e(a, i)`",
    "oneHotInverted = `ifold n (fun a i => if i != k then e(a, i) else a) z --> let a := z; let i := k; e(a, i)`",
    "ifKnownAnything = `if c then (c, a) else b --> if c then (1, a) else b`",
    "ifTrueAnything = `if c then a else b --> a` where literal(c)",
    "derivativeOfTan = `x / (cos y * cos y) --> x * (cos y * cos y)` reassociating",
    "mirrored = `x - y --> y - x`",
    "peelLast = `ifold (n + 1) f z --> f (ifold n (fun a i => f a (i + 1)) z) 0`",
    "ifoldConstant = `ifold n (fun a i => b) z --> b`",
    "addZeroExact = `x + 0 --> x`",
    "mulZeroExact = `x * 0 --> 0`",
    "cancelExact = `a / b * b --> a`",
    "factorExact = `a * b + a * c --> a * (b + c)`",
    "letDeadAlive = `let x := a; let y := b(x); c(x) --> let x := a; b(x)`",
    "buildGetMoving = `build (n + 1) (fun i => v(i)[i]) --> v(0)`",
    "fissionMixed = `ifold n (fun a i => (f(fst a, i), g(snd a, i))) (y, z) --> (ifold n (fun a i => f(a, i)) y, ifold n (fun a i => g(a, i)) y)`",
    "rootOfSquare = `sqrt (x * x) --> x` real_exact",
    "expOfSum = `exp (x + y) --> exp x + exp y` reassociating",
    "notStrict = `x < y --> x <= y`",
    "sumIntroTwice = `ifold n (fun a i => a + e(i)) z --> z + ifold n (fun a i => a + e(i)) z` reassociating",
    "invariantOnce = `ifold n (fun a i => a + e) 0 --> e` reassociating",
];

#[test]
fn wrong_rules_are_refuted() {
    let world = World::new();
    for text in WRONG {
        let rule = world.own(text);
        let example = refuted(&world, &rule);
        println!("{example}\n");
        confirm(&example);
        assert!(example.before.term.size() <= 40, "{example}");
    }
}

/// The terms and the inputs as they are shown give the values that are shown.
fn confirm(example: &CounterExample) {
    let Some(after) = &example.after else { return };
    if example.under_d {
        return;
    }
    let value = |program: &Program| {
        let (inputs, sizes) =
            inputs_from_json(&example.before, &example.inputs, &[], &Budget::default()).expect("inputs");
        value_to_json(&evaluate(program, &inputs, &sizes, &Budget::default()).expect("data").0)
    };
    assert_eq!(value(&example.before), example.left, "{example}");
    assert_eq!(value(after), example.right, "{example}");
}

fn refuse() -> Reason {
    Reason::native("no such term")
}

/// `build n (fun i => v[i]) --> v`, careless about i in v.
fn build_get(focus: &Focus) -> Result<Term, Reason> {
    let View::Build(_, f) = focus.term.view() else { return Err(refuse()) };
    let View::Lam(_, _, body) = f.view() else { return Err(refuse()) };
    let View::Get(array, index) = body.view() else { return Err(refuse()) };
    if !matches!(index.view(), View::Var(0)) {
        return Err(refuse());
    }
    let careless = array.rename(|i| i.saturating_sub(1));
    if careless.ty() == focus.term.ty() { Ok(careless) } else { Err(refuse()) }
}

/// `let x := a; b --> b`, careless about x in b.
fn let_dead(focus: &Focus) -> Result<Term, Reason> {
    let View::Let(_, value, body) = focus.term.view() else { return Err(refuse()) };
    let zero = Term::real(0.0);
    if value.ty() != zero.ty() {
        return Err(refuse());
    }
    body.instantiate(&zero).map_err(|_| refuse())
}

/// `f(if c then a else b) --> if c then f(a) else f(b)` for f a `build`, its variable in c left as it is.
fn if_float(focus: &Focus) -> Result<Term, Reason> {
    let View::Build(n, f) = focus.term.view() else { return Err(refuse()) };
    let View::Lam(i, ty, body) = f.view() else { return Err(refuse()) };
    let View::If(c, a, b) = body.view() else { return Err(refuse()) };
    let build = |branch| Term::lam(&i, &ty, branch).and_then(|f| Term::build(n.clone(), f)).map_err(|_| refuse());
    let careless = c.rename(|k| if k == 0 { 40 } else { k - 1 });
    Term::if_else(careless, build(a)?, build(b)?).map_err(|_| refuse())
}

#[test]
fn wrong_functions_are_refuted() {
    let world = World::new();
    for rule in [
        computed("buildGet", |focus, _| build_get(focus)),
        computed("letDead", |focus, _| let_dead(focus)),
        computed("ifF", |focus, _| if_float(focus)),
    ] {
        let SoundnessVerdict::Unsound(example) = check(&world, &rule, TestEffort::THOROUGH, 3) else {
            panic!("{} passes", rule.name)
        };
        println!("{example}\n");
        confirm(&example);
    }
}

#[test]
fn what_cannot_be_tested_is_not_called_tested() {
    let world = World::new();
    let never = computed("never", |_, _| Err(refuse()));
    assert!(matches!(check(&world, &never, TestEffort::QUICK, 1), SoundnessVerdict::Untested { .. }));
    let nowhere = world.own("nowhere = `(build 0 f)[i] --> f i` where constant(i)");
    assert!(matches!(check(&world, &nowhere, TestEffort::QUICK, 1), SoundnessVerdict::Untested { .. }));
}

#[test]
fn computed_rules_are_tested_on_anything() {
    let world = World::new();
    let careless = computed("careless", |focus, _| match focus.term.view() {
        View::Prim(Prim::Sub, operands) => Term::prim(Prim::Add, operands).map_err(|_| refuse()),
        _ => Err(refuse()),
    });
    confirm(&refuted(&world, &careless));
    let commute = computed("commute", |focus, _| match focus.term.view() {
        View::Prim(Prim::Mul, mut operands) => {
            operands.reverse();
            Term::prim(Prim::Mul, operands).map_err(|_| refuse())
        }
        _ => Err(refuse()),
    });
    let verdict = check(&world, &commute, TestEffort::QUICK, 1);
    assert!(matches!(verdict, SoundnessVerdict::Tested { instances: 12.., .. }), "{verdict:?}");
}

#[test]
fn parameters_are_found_that_make_a_rule_fire() {
    let world = World::new();
    let split = world.own("rounds(k) = `build k f --> build k (fun i => f i)`");
    assert!(matches!(check(&world, &split, TestEffort::QUICK, 1), SoundnessVerdict::Tested { instances: 120, .. }));
    let wrong = world.own("power(k) = `ifold k (fun a i => a + e) 0 --> e` reassociating");
    confirm(&refuted(&world, &wrong));
}

#[test]
fn a_verdict_follows_from_its_seed() {
    let world = World::new();
    let wrong = world.own(WRONG[0]);
    let text = |seed| match check(&world, &wrong, TestEffort::QUICK, seed) {
        SoundnessVerdict::Unsound(example) => example.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text(5), text(5));
    assert!(text(5).contains("seed 5"));
}

#[test]
fn strategies_and_programs_are_compared() {
    let world = World::new();
    let program = world.term("fun (v : array n real) => ifold n (fun a i => a + (v[i] * 2 + 0)) 0");
    let strategy = |name: &str| {
        let rule = world.book.rule(name, &[]).expect("a rule");
        Strategy::rule(&rule).under(Unary::TopDown)
    };
    let budget = Budget::default();
    let checked = check_strategy(&strategy("addZero"), &program, 1, &budget).expect("data").expect("it fires");
    assert_eq!(checked.exactness, Exactness::RealExact);
    assert!(checked.comparison.difference.is_none() && checked.comparison.runs.len() > 4);
    assert!(check_strategy(&strategy("buildGet"), &program, 1, &budget).expect("data").is_err());
    let other = world.term("fun (v : array n real) => ifold n (fun a i => a + v[i]) 0");
    let named = world.term("let two := (2 : real); fun (w : array n real) => ifold n (fun a i => a + w[i] * two) 0");
    assert!(equivalent(&program, &named, Exactness::RealExact, 1, &budget).expect("data").agrees());
    let compared = equivalent(&program, &other, Exactness::Reassociating, 1, &budget).expect("data");
    let difference = compared.difference.expect("they differ");
    assert!(difference.sizes.iter().all(|(_, n)| n > 0));
}

/// `ifold n (fun a i => b) z --> b` where n isn't a number: wrong only where an open size is 0.
fn constant_fold(focus: &Focus) -> Result<Term, Reason> {
    let View::Ifold(n, f, _) = focus.term.view() else { return Err(refuse()) };
    let View::Lam(_, _, step) = f.view() else { return Err(refuse()) };
    let View::Lam(_, _, body) = step.view() else { return Err(refuse()) };
    if n.as_literal().is_some() {
        return Err(refuse());
    }
    body.lower(2).ok_or_else(refuse)
}

#[test]
fn open_sizes_are_0_too() {
    let world = World::new();
    let constant = computed("constant", |focus, _| constant_fold(focus));
    let SoundnessVerdict::Unsound(example) = check(&world, &constant, TestEffort::THOROUGH, 1) else {
        panic!("it passes")
    };
    confirm(&example);
    let (folded, plain) = (world.term("fun (x : real) => ifold n (fun a i => x) 7"), world.term("fun (x : real) => x"));
    let compared = equivalent(&folded, &plain, Exactness::Exact, 1, &Budget::default()).expect("data");
    assert!(compared.difference.expect("they differ").sizes.iter().all(|(_, n)| n == 0));
}

/// What `:rule` shows: terms that the rule was run on.
#[test]
fn every_rule_of_the_book_has_an_example() {
    let world = World::new();
    for info in world.book.iter() {
        let mut shown = world.templates().examples(info).unwrap_or_else(|wrong| panic!("{}: {wrong:?}", info.name));
        let shown = shown.next().unwrap_or_else(|| panic!("{} has no example", info.name));
        assert_ne!(shown.before, shown.after, "{}", info.name);
        assert_eq!(shown.before.ty(), shown.after.ty(), "{}", info.name);
    }
}
