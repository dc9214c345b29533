//! What trying a rule costs, per attempt: successes with their contractum, and failures. For instruction counts run
//! `valgrind --tool=callgrind --toggle-collect='*::many'` on this binary with `--test NAME`, and divide by `TIMES`.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use redexter::check;
use redexter::ground::{Budget, Sources, Span};
use redexter::rule::{Checker, Focus, Rule, RuleBook, RuleChoice};
use redexter::syntax::parse_term;
use redexter::term::{SizeBounds, Term};

/// Attempts per round.
const TIMES: usize = 1_000;

/// Name, rules, the term around the redex, whether they apply.
const CASES: &[(&str, &[&str], &str, bool)] = &[
    ("getBuild", &["getBuild"], "fun (v : array n real) (k : fin n) => (build n (fun i => v[i] * 2))[k]", true),
    ("beta", &["beta"], "fun (v : real) => (fun x => x * x) (v + 1)", true),
    ("letSubst", &["letSubst"], "fun (v : real) => let x := v + 1; x * v", true),
    ("letSubstN", &["letSubstN"], "fun (v : real) => let x := v + 1; x * x", false),
    ("letSubstSafe", &["letSubstSafe"], "fun (v : real) => let x := v + 1; x * x", false),
    ("addZero", &["addZero"], "fun (v : real) => v * v + 0", true),
    ("fstPair", &["fstPair"], "fun (v : real) => fst (v * v, v)", true),
    ("distribute", &["distribute"], "fun (v w : real) => v * (w + v)", true),
    (
        "ifoldOneHot",
        &["ifoldOneHot"],
        "fun (v : array n real) (k : fin n) => \
        ifold n (fun a i => if i = k then a + v[i] else a) 0",
        true,
    ),
    ("no head", &["getBuild", "beta"], "fun (v : array n real) (k : fin n) => v[k] * 2", false),
    ("no child", &["getBuild", "beta"], "fun (v : array n real) (k : fin n) => v[k]", false),
    ("arithmetic", &["addZero", "mulOne", "mulZero", "subSelf", "negNeg", "addNeg"], "fun (v : real) => v * v", false),
];

/// The rules and what is below the λs of the term.
fn case(names: &[&str], text: &str) -> (RuleChoice, Term) {
    let sources = Rc::new(RefCell::new(Sources::default()));
    let prelude = check::prelude(&sources);
    let id = sources.borrow_mut().add("<bench>", text);
    let raw = parse_term(&sources.borrow(), Span::new(id, 0, text.len()), &Budget::default()).expect("it parses");
    let mut term = check::term(&raw, &prelude, &Budget::default()).expect("it checks").term;
    while let redexter::term::Kind::Lam(..) = term.kind() {
        term = term.kid(0);
    }
    let checker: Checker = Rc::new({
        let sources = sources.clone();
        move |raw, reverse| check::laws(raw, reverse, &prelude, &sources.borrow(), &Budget::default())
    });
    let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
    let rule = |name: &&str| {
        let info = book.iter().find(|info| info.name.as_str() == *name).expect("a rule of the book");
        Rule::new(info.clone(), &vec![1; info.params.len()])
    };
    (RuleChoice::new(names.iter().map(rule).collect()), term)
}

#[inline(never)]
fn many(rules: &RuleChoice, focus: &Focus) {
    for _ in 0..TIMES {
        let _ = black_box(rules.attempt(black_box(focus)));
    }
}

fn attempts(c: &mut Criterion) {
    let mut group = c.benchmark_group(format!("{TIMES} attempts"));
    for (name, rules, text, applies) in CASES {
        let (rules, term) = case(rules, text);
        let bounds = SizeBounds::default();
        let focus = Focus::root(&term, &bounds);
        assert_eq!(rules.attempt(&focus).is_ok(), *applies, "{name}");
        group.bench_function(*name, |b| b.iter(|| many(&rules, &focus)));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(1));
    targets = attempts
}
criterion_main!(benches);
