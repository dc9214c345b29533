//! Patterns as strategies: they succeed where the rule that changes nothing applies, and nowhere else.

use crate::support::{book, generate};
use book::{World, at_one};
use generate::Generator;
use redexter::ground::with_stack;
use redexter::rule::{Focus, Frame, Pattern, Rule, RuleBody};
use redexter::strategy::{Outcome, Strategy, run};
use redexter::term::{Program, SizeBounds, Term};
use redexter_reference::cases;

/// Patterns that ask for sizes, for types, for what is bound, and for the same again.
const PATTERNS: &[&str] = &[
    "(v : array n real)[0]",
    "(v : array (n + 1) real)[1]",
    "x + x",
    "n * 1",
    "fun x => f(x) + a",
    "fun x => a",
    "let x := a; b(x) * b(x)",
    "let x := a; b(fst x)",
    "(e : int) + k",
    "build n (fun i => v[i])",
    "build (n + 1) f",
    "ifold n (fun a i => f(a)) z",
    "ifold n f z",
    "(a, (b, c))",
    "if c then a else a",
    "f (a, b)",
    "pow x 2",
];

/// A pattern and the rule that is written with it on both sides.
struct Pair {
    pattern: Pattern,
    rule: Rule,
}

fn pairs(world: &World) -> Vec<Pair> {
    let book = world.book.iter().filter(|info| info.params.is_empty() && matches!(info.body, RuleBody::Laws(_)));
    let laws = book.flat_map(|info| info.laws.iter());
    let sides = laws.filter_map(|law| law.split("-->").next()).map(|left| left.trim_end_matches('<').trim().to_owned());
    let texts = PATTERNS.iter().map(|text| (*text).to_owned()).chain(sides);
    let pair = |text: String| Pair {
        pattern: world.pattern(&text),
        rule: at_one(&world.own(&format!("p = `{text} --> {text}`"))),
    };
    texts.map(pair).collect()
}

/// Looks at every node; how many of the pairs match there in all.
fn looked_at(pairs: &[Pair], term: &Term, above: &mut Vec<Frame>) -> u64 {
    let bounds = SizeBounds::default();
    let focus = Focus::new(term, above, &bounds);
    let mut matching = 0;
    for pair in pairs {
        let matches = pair.rule.attempt(&focus).is_ok();
        let context = || format!("`{}` on {term:?}", pair.pattern.text());
        assert_eq!(pair.pattern.attempt(&focus).is_ok(), matches, "{}", context());
        assert_eq!(pair.pattern.test(&focus).is_ok(), matches, "{}", context());
        matching += u64::from(matches);
    }
    for kid in 0..term.kid_count() {
        above.push(Frame { term: term.clone(), kid });
        matching += looked_at(pairs, &term.kid(kid), above);
        above.pop();
    }
    matching
}

fn all_match() {
    let world = World::new();
    let pairs = pairs(&world);
    let mut matching = 0;
    for seed in 0..cases(1_500, 15_000) {
        let program = Generator::new(seed, seed % 2 == 0).program(4);
        matching += looked_at(&pairs, &program.term, &mut Vec::new());
    }
    println!("{} patterns matched {matching} times", pairs.len());
    assert!(pairs.len() > 60 && matching > 5_000, "{} patterns, {matching} matches", pairs.len());
}

#[test]
fn patterns_match_where_the_rules_that_change_nothing_apply() {
    with_stack(2_000, all_match).expect("a thread");
}

#[test]
fn a_pattern_takes_no_step_and_costs_none() {
    let world = World::new();
    let one = Term::real(1.0);
    let term = Term::binary(redexter::term::Prim::Mul, one.clone(), one).expect("reals");
    let program = Program { term: term.clone(), bounds: SizeBounds::default() };
    let budget =
        redexter::ground::Budget::new(redexter::ground::Limits { max_steps: 0, max_size: 10, max_depth: 10 }, None);
    for text in ["x * 1", "1 * x", "x * y"] {
        let strategy = Strategy::pattern(&world.pattern(text));
        let done = run(&strategy, &program, &budget, redexter::cost::cheaper_total).expect("no limit is met");
        assert!(matches!(done.outcome, Outcome::Success(ref same) if *same == term) && done.trace.steps.is_empty());
        assert_eq!(strategy.to_string(), format!("`{text}`"));
    }
    let other = Strategy::pattern(&world.pattern("x + 1"));
    let done = run(&other, &program, &budget, redexter::cost::cheaper_total).expect("no limit is met");
    let Outcome::Failure(reason) = done.outcome else { panic!("{:?}", done.outcome) };
    assert_eq!(reason.to_string(), "the pattern `x + 1` does not match: there is no +");
}
