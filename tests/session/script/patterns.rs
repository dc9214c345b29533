//! Texts where strategies are expected: patterns and rules in place.

use crate::script::prints;
use crate::script::script::{check, deep, interpreter, run, tell};

const TERM: &str = "let t = term(\"fun (x y : real) => (x * 1, y * 0 + 0)\");";

/// What a strategy makes of a term, or what went wrong.
fn made(strategy: &str) -> String {
    run(&format!("{TERM} print(t.apply({strategy}));")).unwrap_or_else(|wrong| wrong)
}

#[test]
fn patterns_stand_wherever_strategies_do() {
    deep(|| {
        let cases = [
            ("topDown(`x * 1` ;; mulOne)", "fun (x y : real) => (x, y * 0 + 0)"),
            ("topDown(`x * 1` ; mulOne)", "fun (x y : real) => (x, y * 0 + 0)"),
            ("topDown(`x * _` ;; mulZero)", "fun (x y : real) => (x * 1, 0 + 0)"),
            ("tryAll(where(`x + y`) ;; addZero)", "fun (x y : real) => (x * 1, y * 0)"),
            ("tryAll(not(`x * 1`) ;; (mulOne <+ addZero))", "fun (x y : real) => (x * 1, y * 0)"),
            ("tryAll((`x * 1` <+ `x * 0`) ;; (mulOne <+ mulZero <+ addZero))", "fun (x y : real) => (x, 0 + 0)"),
            ("at(`x + 0`, addZero)", "fun (x y : real) => (x * 1, y * 0)"),
            ("at(`x * _`, mulOne <+ mulZero)", "fun (x y : real) => (x, y * 0 + 0)"),
            ("at(`x * _`, mulZero)", "fun (x y : real) => (x * 1, 0 + 0)"),
            ("at(\"body.body.pairFirst\", mulOne)", "fun (x y : real) => (x, y * 0 + 0)"),
            ("at(`body.body.${\"pairFirst\"}`, mulOne)", "fun (x y : real) => (x, y * 0 + 0)"),
            ("topDown(`x * ${1}` ;; mulOne)", "fun (x y : real) => (x, y * 0 + 0)"),
            ("topDown(`x * 1 --> x`)", "fun (x y : real) => (x, y * 0 + 0)"),
            ("normalize(`x * 1 --> x` <+ addZero)", "fun (x y : real) => (x, y * 0)"),
            ("topDown(\"x * 1\" ;; mulOne)", "fun (x y : real) => (x, y * 0 + 0)"),
            ("repeatUntil(`x + 0`, fail)", "fun (x y : real) => (x * 1, y * 0 + 0)"),
            ("mu(|s| `x * 1 --> x` <+ one(s))", "fun (x y : real) => (x, y * 0 + 0)"),
        ];
        for (strategy, expected) in cases {
            assert_eq!(made(strategy), expected, "{strategy}");
        }
    });
}

#[test]
fn patterns_have_names_and_are_arguments() {
    deep(|| {
        let program = format!(
            "{TERM} strategy unit = `x * 1`; strategy td(s) = s <+ one(td(s)); let zero = `x + 0`;
            print(t.apply(td(unit ;; mulOne)));
            print(t.apply(td(`x * 1 --> x`)));
            print(t.apply(topDown(zero ;; addZero)));
            print(t.try_apply(`x * 1`) == ());
            strategy d = unit ; `a * b` ; mulOne;
            print(term(\"fun (x : real) => x * 1\").apply(body(d)));"
        );
        let lines = [
            "fun (x y : real) => (x, y * 0 + 0)",
            "fun (x y : real) => (x, y * 0 + 0)",
            "fun (x y : real) => (x * 1, y * 0)",
            "true",
            "fun (x : real) => x",
        ];
        assert_eq!(run(&program).as_deref(), Ok(lines.join("\n").as_str()));
    });
}

#[test]
fn what_is_printed_reads_back() {
    deep(|| {
        for text in [
            "topDown(`x * 1` ; mulOne)",
            "at(`ifold n f z`, ifoldZero) <+ `x + y` ;; id",
            "normalize(`x * 1 --> x` <+ not(`a + a`))",
            "repeatUntil(`let x := a; b(x)`, where(`x * 0`))",
        ] {
            assert_eq!(prints(text), text);
        }
        assert_eq!(prints("topDown(`  x *\n  1 -- a comment\n`)"), "topDown(`x * 1`)");
        assert_eq!(prints("`x * 1 --> x` <+ `x * 1` == (`x * 1 --> x` <+ `x * 1`)"), "true");
    });
}

#[test]
fn a_hole_is_a_variable_of_its_own() {
    deep(|| {
        let program = "rule first = `fst (a, _) --> a`;
            print(term(\"fun (x : real) => fst (x, 2)\").apply(body(first)));
            print(term(\"fun (x : real) => x * 2 + (x - 3)\").apply(topDown(`_ * _ + (_ - _)` ;; id)));
            print(term(\"fun (x : real) => let y := x; y\").try_apply(body(`let y := _; _`)) == ());";
        let lines = ["fun (x : real) => x", "fun (x : real) => x * 2 + (x - 3)", "true"];
        assert_eq!(run(program).as_deref(), Ok(lines.join("\n").as_str()));
        let told = run("rule none = `x * 1 --> _`;").expect_err("nothing says what it is");
        assert!(told.contains("the right side uses `_`"), "{told}");
    });
}

/// A hole has a name that nobody can write, whatever stands around it.
#[test]
fn no_variable_is_a_hole() {
    deep(|| {
        let holds = |pattern: &str| {
            let term = "term(\"fun (x : real) => x * 1\")";
            run(&format!("print({term}.try_apply(body(`{pattern}`)) != ());"))
        };
        for place in 0..200 {
            assert_eq!(holds(&format!("_{place} * _")).as_deref(), Ok("true"), "_{place}");
        }
        let told = run("print(term(\"fun (x : real) => let y := x; y\").apply(body(`let y := a; _`)));");
        let told = told.expect_err("the hole would mention y");
        assert!(told.contains("`_`") && !told.contains("_\0"), "{told}");
    });
}

#[test]
fn a_rule_in_place_is_named_by_its_law_and_tested_once() {
    deep(|| {
        let (mut interpreter, host) = interpreter();
        let program = format!(
            "{TERM} let s = topDown(`x * 1 --> x`); for k in 0..50 {{ s = topDown(`x * 1 --> x`); }}
            print(t.trace(s)); print(t.trace(s)[0].rule); print(topDown(`x * 1 --> x`) == s);
            print(check(`x * 1 --> x`));"
        );
        let done = interpreter.run_script("t", &program, &[]);
        done.unwrap_or_else(|wrong| panic!("{}", tell(&wrong, &interpreter)));
        let printed = host.printed.borrow().join("\n");
        let tested = "tested on 120 terms, ";
        assert!(
            printed.starts_with("`x * 1 --> x` at body.body.pairFirst: x * 1 --> x\n`x * 1 --> x`\ntrue\n")
                && printed.contains(tested),
            "{printed}"
        );
    });
}

#[test]
fn mistakes_stand_where_the_text_does() {
    deep(|| {
        let cases = [
            ("let p = `x * `;\ntopDown(p)", "E0101 1:13 expected a term, found the end"),
            ("let s = topDown(`x * --> x`);", "E0101 1:22 expected a term, found `-->`"),
            ("let s = topDown(`x + (a, b)`);", "E0205 1:22 `+` doesn't take `_ * _`"),
            ("let s = topDown(`f x + v[f]`);", "E0201 1:26 expected `fin _`, found `_ -> _`"),
            ("let s = topDown(`x`);", "E0501 1:18 the pattern matches every term"),
            ("let s = topDown(`a + b <--> b + a`);", "E0501 1:18 a rule in place goes one way"),
            ("let s = topDown(`x * 1 --> x where zero(x)`);", "E0501 1:30 a rule in place is a law alone"),
            ("let s = topDown(`x * 0 --> 0 real_exact`);", "E0501 1:30 a rule in place is a law alone"),
            ("let s = at(`x * 1 --> x`, id);", "E0501 1:13 a pattern is needed here, and this is a rule"),
            ("let s = topDown(`x * 0 --> 0`);", "E0505 1:18 the rule `x * 0 --> 0` changes what terms mean"),
            ("let s = topDown(`x * 1 --> y`);", "E0503 1:28 the right side uses `y`, which the left side lacks"),
            ("let s = topDown(`x ${\"+\"}`);", "E0101 1:4 expected a term, found the end"),
            ("let s = topDown(\"mulOne\");", "E0603 1:9 `topDown(s)` needs a strategy, but this is a string"),
            (
                "let t = term(\"1.0\"); t.apply(repeat(`x * 1`));",
                "E0601 1:24 `repeat(`x * 1`)` never ends once it begins: `x * 1` changes nothing",
            ),
            (
                "let t = term(\"1.0\"); t.apply(repeat(where(beta)));",
                "E0601 1:24 `repeat(where(beta))` never ends once it begins: `where(beta)` changes nothing",
            ),
        ];
        for (text, expected) in cases {
            let told = run(text).expect_err(text);
            assert!(told.starts_with(expected), "{text}: {told}");
            if !text.contains("${") && !text.contains("topDown(p)") {
                assert_eq!(check(text), told, "without running: {text}");
            }
        }
        let told = run("let t = term(\"1.0\"); t.apply(`x * 1`);").expect_err("it fails");
        assert!(
            told.contains("the strategy ``x * 1`` failed: the pattern `x * 1` does not match: there is no *")
                && told.contains("topDown(`x * 1`)"),
            "{told}"
        );
    });
}

#[test]
fn conditions_take_patterns() {
    deep(|| {
        let program = "
            rule inline = `let x := a; b(x) --> b(a)` where matches(a, `p + q`);
            rule other = `let x := a; b(x) --> b(a)` where not matches(x, `_ + _`), matches(b, `p * q`);
            let sum = term(\"fun (y : real) => let x := y + 1; x * x\");
            let product = term(\"fun (y : real) => let x := y * 2; x * x\");
            print(sum.apply(body(inline))); print(product.try_apply(body(inline)) == ());
            print(product.apply(body(other))); print(sum.try_apply(body(other)) == ());";
        let lines = ["fun (y : real) => (y + 1) * (y + 1)", "true", "fun (y : real) => y * 2 * (y * 2)", "true"];
        assert_eq!(run(program).as_deref(), Ok(lines.join("\n").as_str()));
        let failed = run("
            rule inline = `let x := a; b(x) --> b(a)` where matches(a, `p + q`);
            term(\"fun (y : real) => let x := y * 2; x * x\").apply(body(inline));");
        let failed = failed.expect_err("it fails");
        assert!(failed.contains("inline: the condition `matches(a, `p + q`)` does not hold"), "{failed}");
        for (condition, told) in [
            ("matches(`p + q`)", "only `matches` takes a pattern, behind a variable"),
            ("zero(a, `p + q`)", "only `matches` takes a pattern, behind a variable"),
            ("matches(c, `p + q`)", "the left side has no variable `c`"),
            ("matches(a, `p`)", "the pattern matches every term"),
        ] {
            let text = format!("rule inline = `let x := a; b(x) --> b(a)` where {condition};");
            let found = run(&text).expect_err(condition);
            assert!(found.contains(told), "{condition}: {found}");
        }
    });
}
