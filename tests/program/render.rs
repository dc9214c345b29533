//! Rendering: diagnostics look as promised, steps mark what they rewrite, colour is the caller's decision.

use std::rc::Rc;

use redexter::cost;
use redexter::ground::{Diagnostic, Name, Sources, Span, StopReason, Trouble, code};
use redexter::render::{Rewrite, Styled, diagnostics, ends, polynomial, step, stop_reason, term, trace, trouble, work};
use redexter::reply::{rule, rules};
use redexter::rule::{
    ComputedRule, Exactness, FailureCause, LazyFootprint, Reason, Rule, RuleBody, RuleInfo, RuleOrigin, SoundnessState,
};
use redexter::session::RulePage;
use redexter::sound::RuleRelations;
use redexter::strategy::{Step, Trace};
use redexter::term::{Path, Prim, Size, Term, Type};
use redexter::terminal::painted;

const BAD: &str = "def bad (v : array 2 real) :=\n  -- three elements\n  build 3 (fun i => v[i])\n";

fn out_of_range(sources: &mut Sources) -> Diagnostic {
    let file = sources.add("models/bad.arr", BAD);
    let at = BAD.find("v[i]").expect("an indexing");
    Diagnostic::error(code::OUT_OF_RANGE, "this index can be out of range")
        .at(Span::new(file, at + 2, at + 3), "has type fin 3")
        .because(Span::new(file, at, at + 1), "is an array of 2")
        .help("build 2 elements, or make the array longer")
}

#[test]
fn a_diagnostic_shows_its_place() {
    let mut sources = Sources::default();
    let finding = out_of_range(&mut sources);
    let expected = "\
error[E0203]: this index can be out of range
  --> models/bad.arr:3:23
  |
3 |   build 3 (fun i => v[i])
  |                     - ^ has type fin 3
  |                     |
  |                     is an array of 2
  |
  = help: build 2 elements, or make the array longer
";
    let once = diagnostics(std::slice::from_ref(&finding), &sources);
    assert_eq!(once.text(), expected);
    let twice = diagnostics(&[finding.clone(), finding], &sources);
    assert_eq!(twice.text(), format!("{expected}\n{expected}"));
    let coloured = painted(&once);
    assert!(coloured.starts_with("\u{1b}[1;31merror[E0203]\u{1b}[0m"), "{coloured}");
    assert_eq!(without_colour(&coloured), expected);
}

#[test]
fn a_place_outside_its_text_is_cut_to_it() {
    let mut sources = Sources::default();
    let file = sources.add("é.arr", "é");
    let finding = Diagnostic::warning(code::SYNTAX, "odd").at(Span::new(file, 1, 99), "here");
    assert!(diagnostics(&[finding], &sources).text().contains("é.arr:1:1"));
    let empty = Diagnostic::error(code::NO_TERM, "there is no term").help("load one");
    assert_eq!(diagnostics(&[empty], &sources).text(), "error[E0605]: there is no term\n = help: load one\n");
}

#[test]
fn limits_say_how_to_raise_them() {
    let text = trouble(&Trouble::from(StopReason::Steps(7)), &Sources::default());
    assert_eq!(text.text(), format!("{}\n", StopReason::Steps(7)));
    let helped = Trouble::from(StopReason::Interrupted).help("it was in `fast`").help("try `id`");
    let text = trouble(&helped, &Sources::default());
    assert_eq!(text.text(), "interrupted\n = help: it was in `fast`\n = help: try `id`\n");
    assert_eq!(painted(&stop_reason(&StopReason::Interrupted)), "\u{1b}[1;33minterrupted\u{1b}[0m");
}

/// `fun (x : real) => redex + x` around a redex of type real.
fn around(redex: Term) -> Term {
    let x = Term::var(0, &Type::real());
    let sum = Term::prim(Prim::Add, vec![redex, x]).expect("reals");
    Term::lam(&Name::new("x"), &Type::real(), sum).expect("a function")
}

#[test]
fn a_step_marks_redex_and_contractum() {
    let x = || Term::var(0, &Type::real());
    let times_one = Term::prim(Prim::Mul, vec![x(), Term::real(1.0)]).expect("reals");
    let (before, after) = (around(times_one), around(x()));
    let path = Path(vec![0, 0]);
    let work = (&cost::work(&before).total(), &cost::work(&after).total());
    let law = "x * 1 --> x";
    let rewrite = Rewrite { number: 4, rule: "mulOne", law, path: &path, before: &before, after: &after, work };
    let expected = "\
4. mulOne at body.0: x * 1 --> x
  work: 2 → 1
  - fun (x : real) => «x * 1» + x
  + fun (x : real) => «x» + x
";
    let shown = step(&rewrite, 80);
    assert_eq!(shown.text(), expected);
    let plain: String = expected.chars().filter(|c| !"«»".contains(*c)).collect();
    assert_eq!(without_colour(&painted(&shown)), plain);
}

#[test]
fn a_step_in_a_long_term_shows_the_surroundings() {
    let one = || Term::real(1.0);
    let body = (0..40).fold(Term::var(0, &Type::real()), |body, _| {
        Term::let_in(&Name::new("y"), one(), body.shift(1)).expect("a let")
    });
    let whole = Term::lam(&Name::new("x"), &Type::real(), body).expect("a function");
    let path = Path([vec![0], vec![1; 20], vec![0]].concat());
    let total = cost::work(&whole).total();
    let law = "a --> a";
    let work = (&total, &total);
    let rewrite = Rewrite { number: 1, rule: "r", law, path: &path, before: &whole, after: &whole, work };
    let text = step(&rewrite, 80).into_text();
    assert!(text.contains("  - …\n") && text.contains("let y20 := «1»;"), "{text}");
    assert!(text.lines().count() < 30);
}

fn same_rule() -> RuleInfo {
    RuleInfo {
        name: Name::new("same"),
        group: String::new(),
        params: Vec::new(),
        laws: vec!["a --> a".to_owned()],
        conditions: Vec::new(),
        doc: String::new(),
        exactness: Exactness::Exact,
        origin: RuleOrigin::Book,
        unchecked: false,
        state: SoundnessState::at_first(RuleOrigin::Book),
        footprint: LazyFootprint::default(),
        body: RuleBody::Computed(ComputedRule::new(|_, _| Err(Reason::new(FailureCause::Fail)))),
    }
}

#[test]
fn a_long_law_is_broken_into_lines() {
    let law = format!("{} --> a", ["a"; 60].join(" + "));
    let info = RuleInfo { laws: vec![law.clone()], conditions: vec!["constant(a)".to_owned()], ..same_rule() };
    let info = Rc::new(info);
    let relations = RuleRelations { example: None, enables: Vec::new(), open: true, undone_by: Vec::new() };
    let page = RulePage { info: info.clone(), source: "somebody, somewhere".repeat(3), relations };
    for text in [rule(&page, 60), rules(&[info], 60)].map(Styled::into_text) {
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.join(" ").contains(&format!("{law} where constant(a)")), "{text}");
    }
}

#[test]
fn a_long_derivation_shows_its_ends() {
    let (one, same) = (Term::real(1.0), Rule::new(Rc::new(same_rule()), &[]));
    let once = || Step::new(&same, [0, 0], (one.clone(), one.clone()), &Rc::from([]));
    let derivation = |steps: usize| Trace { start: around(one.clone()), steps: (0..steps).map(|_| once()).collect() };
    let shown = |count| ends(&derivation(count), &around(one.clone()), 1, 1, 80).into_text();
    let number = |k: usize| {
        let terms = "  - fun (x : real) => «1» + x\n  + fun (x : real) => «1» + x\n";
        format!("{k}. same at body.0: a --> a\n{terms}")
    };
    assert_eq!(shown(2), [number(1), number(2)].concat());
    assert_eq!(
        shown(9),
        [number(1), "… 7 steps; `:trace 2..8` lists them, `:trace` tells the stages …\n".to_owned(), number(9)]
            .concat()
    );
    assert_eq!(shown(0), "");
    let whole = trace(&derivation(2), 1, 80).into_text();
    assert_eq!(whole, [number(1), number(2), "work in total: 1, as before\n".to_owned()].concat());
}

#[test]
fn work_is_written_with_powers() {
    let size = |text: &str| cost::Poly::size(&Size::var(&Name::new(text)));
    let (n, rows) = (size("n"), size("rows"));
    let square = (0..12).fold(n.clone(), |power, _| power.times(&n));
    let sum = square.plus(&n.times(&n)).plus(&n.times(&cost::Poly::constant(3))).plus(&n.times(&rows));
    assert_eq!(polynomial(&sum.plus(&cost::Poly::constant(1))), "n¹³ + n·rows + n² + 3n + 1");
    assert_eq!(polynomial(&cost::Poly::default()), "0");
    assert_eq!(polynomial(&cost::Poly::constant(u128::MAX)), "too much to say");
    assert_eq!(polynomial(&cost::Poly::unknown()), "not known");
    let table = work(&cost::work(&around(Term::real(2.0))), &n, None).into_text();
    assert!(table.starts_with("flops       1\ncompares    0\n"), "{table}");
    assert!(table.contains("\ntotal       1  ("), "{table}");
    assert!(table.contains("\nmemory      n  ("), "{table}");
}

#[test]
fn terms_are_coloured_by_role() {
    let t = term(&around(Term::real(2.0)), 80);
    assert_eq!(t.text(), "fun (x : real) => 2 + x");
    assert_eq!(without_colour(&painted(&t)), "fun (x : real) => 2 + x");
    assert!(painted(&t).starts_with("\u{1b}[34mfun\u{1b}[0m (\u{1b}[1mx\u{1b}[0m"), "{}", painted(&t));
}

fn without_colour(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once('m').map_or(part, |(_, rest)| rest))
}
