//! Rules in schedules: as text, computed, with conditions that functions decide; tested when they are defined.

use crate::script::script::{check, deep, interpreter, run, tell};
use crate::script::{gives, tells};

#[test]
fn rules_may_be_computed() {
    deep(|| {
        let swap = "rule swap = |t| if t.kind == \"+\" { t.rebuild([t.child(1), t.child(0)]) } else { fail };";
        let sum = "let t = term(\"fun (x y : real) => x + y * 2\");";
        let cases = [
            (format!("{swap} {sum} print(swap); print(t.apply(topDown(swap)));"), "swap\nfun (x y : real) => y * 2 + x"),
            (format!("{swap} {sum} print(t.try_apply(swap) == ()); print(t.trace(topDown(swap))[0].rule);"), "true\nswap"),
            (
                format!("rule twice = computed(|t| if t.value == 2.0 {{ t.literal(4) }} else {{ fail }}, \"real_exact\") unchecked; {sum} print(t.apply(topDown(twice)));"),
                "fun (x y : real) => x + y * 4",
            ),
            (
                format!("rule next(k) = |t| if t.value == k * 1.0 {{ t.literal(k + 1) }} else {{ fail }} unchecked; {sum} print(t.apply(normalize(next(2) <+ next(3))));"),
                "fun (x y : real) => x + y * 4",
            ),
            (
                "fn small(t) { t.size < 9 } rule beta1 = |t| { if small(t) { t.try_apply(beta) } else { fail } }; \
                 print(term(\"(fun x => x + 1) 2.0\").apply(beta1));"
                    .to_owned(),
                "let x := 2; x + 1",
            ),
            (
                format!("rule open = |t| if t.kind == \"fun\" {{ print(t.child(0)); fail }} else {{ fail }}; {sum} print(t.apply(try(topDown(open))).kind);"),
                "fun (y : real) => x + y * 2\nx + y * 2\nfun",
            ),
            (
                "rule odd = `sinh (-x) --> -(sinh x)`; rule twice = `erf + erf --> 2 * erf` reassociating; \
                 print(term(\"fun (x y : real) => sinh (-x) + (x * y + x * y)\").apply(normalize(odd <+ twice)));"
                    .to_owned(),
                "fun (x y : real) => -sinh x + 2 * (x * y)",
            ),
            // A word of the prelude that doesn't fit is a variable; one that fits is what the prelude says.
            (
                "rule nothing = `sum + mean * 0 --> sum` unchecked; rule total = `vectorDot v v --> dot v v`; \
                 print(term(\"fun (v : array n real) => dot v v + 2 * 0\").apply(topDown(nothing)));"
                    .to_owned(),
                "fun (v : array n real) => let v1 := v; let w := v; ifold n (fun acc i => acc + v1[i] * w[i]) 0",
            ),
            (
                "rule element = `(build n atan)[i] --> atan i`; rule within = `let y := a; cosh(y) --> cosh(a)`; \
                 print(term(\"fun (i : fin n) => let y := (build n (fun k => 2.0))[i]; y * y\")\
                     .apply(normalize(element <+ within)));"
                    .to_owned(),
                "fun (i : fin n) => (fun k => 2) i * (fun k => 2) i",
            ),
            ("strategy s(u) = try(u); rule r = |t| t.apply(s(beta)); print(term(\"1.0\").apply(r));".to_owned(), "1"),
            (
                format!("let k = 2.0; rule r = |t| if t.value == k {{ t.literal(4) }} else {{ fail }} unchecked; k = 3.0; {sum} print(t.apply(topDown(r)));"),
                "fun (x y : real) => x + y * 4",
            ),
            ("rule upTo(k) = `ifold n f z --> z` where n <= k unchecked; let t = term(\"ifold 3 (fun a i => a + 1.0) 0\"); \
              print(t.try_apply(upTo(2)) == ()); print(t.apply(upTo(3)));".to_owned(), "true\n0"),
        ];
        for (text, expected) in &cases {
            assert_eq!(run(text).as_deref(), Ok(*expected), "{text}");
            assert_eq!(check(text), "", "{text}");
        }
        let wrong = [
            (
                "rule r = |t| t.child(0) unchecked; term(\"(1.0, 2)\").apply(r)",
                "E0602 1:53 the strategy `r` failed: r: its function gives a term of type real, not real * real",
            ),
            (
                "rule r = |t| 3; term(\"1.0\").apply(r)",
                "E0602 1:29 the strategy `r` failed: r: its function gives the number 3, not a term",
            ),
            (
                "rule r = |t| t.child(0) unchecked; term(\"fun (x : real) => x\").apply(body(r))",
                "E0602 1:64 the strategy `body(r)` failed: r: its function goes wrong at test.strat:1:16: this term has 0",
            ),
            (
                "rule r = |t| t.child(0).evaluate(#{}); term(\"fun (x : real) => x\").apply(r)",
                "E0602 1:68 the strategy `r` failed: r: its function goes wrong at test.strat:1:25: this term has free variables",
            ),
            (
                "rule r = |t| if t.kind == \"let\" { t.rebuild([t.child(1), t.child(0)]) } else { fail } unchecked;\n\
                 term(\"fun (y : real) => let x := y; x + y\").apply(body(r))",
                "E0602 2:45 the strategy `body(r)` failed: r: its function goes wrong at test.strat:1:37: child 0 comes from another scope",
            ),
            ("rule r = id;", "E0501 1:10 a rule is a law or a function from term to term, but this is a strategy"),
            (
                "rule r = |t| t.nope;\nprint(term(\"1.0\").apply(r));",
                "E0602 2:19 the strategy `r` failed: r: its function goes wrong at test.strat:1:16: ",
            ),
            ("rule r = |t| { loop {} };\nterm(\"1.0\").apply(try(r)); print(1);", "Operations(400000)"),
        ];
        tells(&wrong);
    });
}

/// A name means what it was given last, a rule or a strategy.
#[test]
fn a_later_definition_takes_the_name() {
    deep(|| {
        let one = "term(\"fun (x : real) => x * 1\").apply(body(a))";
        let law = "rule a = `x * 1 --> x`;";
        let function = "rule a = |t| if t.kind == \"*\" { t.child(0) } else { fail } unchecked;";
        for rule in [law, function] {
            let later = format!("strategy a = id; {rule} print({one});");
            assert_eq!(run(&later).as_deref(), Ok("fun (x : real) => x"), "{later}");
            let before = format!("{rule} strategy a = id; print({one});");
            assert_eq!(run(&before).as_deref(), Ok("fun (x : real) => x * 1"), "{before}");
        }
        let (mut interpreter, _) = interpreter();
        for line in ["strategy a = id", "rule a = `x * 1 --> x`"] {
            assert!(interpreter.eval_line(line).is_ok(), "{line}");
        }
        assert!(interpreter.strategies().is_empty(), "it is a rule now");
    });
}

#[test]
fn parameters_of_rules_stand_in_their_laws() {
    deep(|| {
        let cases = [
            (
                "rule cut(k) = `build k f --> build k f` unchecked; let t = term(\"build 3 (fun i => 1.0)\"); \
              print(t.try_apply(cut(2)) == ()); print(t.try_apply(cut(3)) == t);",
                "true\ntrue",
            ),
            (
                "rule drop(k) = `x * k --> x` unchecked; let t = term(\"fun (x : real) => x * 3\"); \
              print(t.try_apply(body(drop(2))) == ()); print(t.apply(body(drop(3))));",
                "true\nfun (x : real) => x",
            ),
        ];
        gives(&cases);
    });
}

#[test]
fn rules_are_tested_when_they_are_defined() {
    deep(|| {
        let unsound = [
            ("let x = 1;\nrule drop = `x + y --> x`;", "E0505 2:6 the rule `drop` changes what terms mean"),
            ("rule swap = `x - y <--> y - x`;", "E0505 1:6 "),
            ("rule first(k) = `build n f --> build n (fun i => f i + 1.0)`;", "E0505 1:6 "),
        ];
        for (text, expected) in unsound {
            let told = run(text).expect_err(text);
            assert!(told.starts_with(expected), "{text}\n  expected {expected}\n  told     {told}");
            assert!(check(text).starts_with(expected), "{text}: {}", check(text));
            let unchecked = text.replace("`;", "` unchecked;");
            assert_eq!(run(&unchecked).as_deref(), Ok(""), "{unchecked}");
        }
        let minus =
            "rule minus = |t| if t.kind == \"-\" { print(1); t.rebuild([t.child(1), t.child(0)]) } else { fail }";
        let told = run(&format!("let x = 1;\n{minus};")).expect_err("unsound");
        assert!(told.starts_with("E0505 2:6 the rule `minus` changes what terms mean"), "{told}");
        assert_eq!(check(&format!("{minus};")), "");
        let sum = "let t = term(\"fun (x y : real) => x + y\");";
        let cases = [
            (
                format!("let t = term(\"fun (x y : real) => x - y\"); {minus} unchecked; print(t.trace(topDown(minus)));"),
                "1\nminus (unsound) at body.body: x - y --> y - x",
            ),
            (
                "rule never = |t| if t.value == 77.0 + 0.25 { t.literal(7.0) } else { fail }; print(term(\"77.25\").trace(never)); print(check(never));".to_owned(),
                "never (untested): 77.25 --> 7\nnot tested: none of 127 random terms is an instance on which the rule fires",
            ),
            (
                "rule endless = |t| if t.value == 77.25 { t.literal(7.0) } else { loop { } } unchecked; print(term(\"77.25\").trace(endless));".to_owned(),
                "endless (unchecked): 77.25 --> 7",
            ),
            (
                format!("{sum} rule turn = |t| if t.kind == \"+\" {{ t.rebuild([t.child(1), t.child(0)]) }} else {{ fail }} unchecked; print(t.trace(topDown(turn)));"),
                "turn at body.body: x + y --> y + x",
            ),
            (
                format!("{sum} rule drop = `x + y --> x` unchecked; print(t.trace(topDown(drop)));"),
                "drop (unsound) at body.body: x + y --> x",
            ),
            (
                format!(
                    "{sum} rule drop = `x + y --> x` unchecked; print(check(topDown(drop), t).contains(\"different results\"));"
                ),
                "true",
            ),
            (format!("{sum} rule drop = `x + y --> x` unchecked; print(check(drop).contains(\"unsound\"));"), "true"),
            (format!("{sum} rule turn = `x + y --> y + x`; print(check(topDown(turn), t));"), ""),
            ("print(check(getBuild).contains(\"tested on 120 terms\"));".to_owned(), "true"),
        ];
        for (text, expected) in &cases {
            match run(text) {
                Ok(printed) if expected.is_empty() => assert!(printed.starts_with("the same results in "), "{printed}"),
                told => assert_eq!(told.as_deref(), Ok(*expected), "{text}"),
            }
        }
        let wrong =
            [("check(id)", "E0603 1:1 `check(rule)` needs a rule"), ("check(fail, term(\"1.0\"))", "E0602 1:1 ")];
        tells(&wrong);
    });
}

#[test]
fn a_law_whose_right_side_is_a_variable_has_no_reverse() {
    deep(|| {
        let text = "rule z = `x + 0 <--> x` real_exact; print(term(\"fun (x : real) => x + 0\").apply(topDown(z)));";
        assert_eq!(run(text).as_deref(), Ok("fun (x : real) => x"));
    });
}

#[test]
fn rules_are_values() {
    deep(|| {
        let cases = [
            (
                "print(getBuild); print(letSubstN(1)); print(normalize(getBuild <+ letSubstN(2)));",
                "getBuild\nletSubstN(1)\nnormalize(getBuild <+ letSubstN(2))",
            ),
            (
                "fn f() { beta } print(f()); print(beta == beta); print(letSubstN(1) == letSubstN(2));",
                "beta\ntrue\nfalse",
            ),
            ("rule double = `x + x --> 2 * x` reassociating; print(double);", "double"),
            ("rule swap = `x + y <--> y + x`; print(swap.reverse); print(swap.reverse.reverse == swap);", ""),
            (
                "rule once(k) = `let x := a; b(x) --> b(a)` where occurrences(x) <= k; print(once(1)); print(try(once(0)));",
                "once(1)\ntry(once(0))",
            ),
            ("rule two =\n  `x * 0 --> 0`,\n  `0 * x --> 0`\n  real_exact;\nprint(two);", "two"),
            (
                "rule beta = `x + 0 --> x` real_exact; print(term(\"fun (x : real) => x + 0\").apply(body(beta)));",
                "fun (x : real) => x",
            ),
            ("let s = distribute; print(s.reverse);", "distribute.reverse"),
        ];
        for (text, expected) in cases {
            if !expected.is_empty() {
                assert_eq!(run(text).as_deref(), Ok(expected), "{text}");
            }
        }
        let wrong = [
            (
                "normalize(letSubstN)",
                "E0603 1:1 `normalize(s)` needs a strategy, but this is `letSubstN` without its arguments",
            ),
            ("letSubstN(id)", "E0701 1:1 the parameter"),
            ("letSubstN(1, 2)", "E0603 1:1 `letSubstN` doesn't take these arguments | write `letSubstN("),
            ("print(getBild);", "E0606 1:7 unknown rule, strategy or variable `getBild` | did you mean `getBuild`?"),
            ("beta.reverse", "E0606 1:6 the rule `beta` has no reverse"),
            ("print(1);\nrule bad = `x + 0 --> [x]`;", "E0"),
            ("rule bad = `x + --> x`;", "E0101 1:"),
        ];
        tells(&wrong);
    });
}

/// `fun (x y : real) => x * x * x + y`
const SUM: &str = "let t = term(\"fun (x y : real) => x * x * x + y\");";

#[test]
fn functions_decide_conditions() {
    deep(|| {
        let small = "fn small(e) { e.size < 4 } rule swap = `a + b --> b + a` where small(a);";
        let cases = [
            (format!("{small} print(term(\"fun (x y : real) => x + y\").apply(topDown(swap)));"), "fun (x y : real) => y + x"),
            (format!("{small} {SUM} print(t.try_apply(topDown(swap)) == ());"), "true"),
            (
                format!("fn upTo(e, n) {{ e.size <= n }} rule swap(k) = `a + b --> b + a` where not upTo(b, k), upTo(a, 2 * k + 1); {SUM}
                         print(t.try_apply(topDown(swap(1))) == ()); print(t.try_apply(topDown(swap(2))) == ());
                         rule turn = `a + b --> b + a` where upTo(a, 5); print(t.apply(topDown(turn)));"),
                "true\ntrue\nfun (x y : real) => y + x * x * x",
            ),
            (
                format!("let most = 5; rule swap = `a + b --> b + a` where holds(|e| {{ let n = most; e.size <= n }}, a), holds(|e, s| s == \"a,;)\" || e.kind != \"(\", b, 2); most = 1; {SUM} print(t.apply(topDown(swap)));"),
                "fun (x y : real) => y + x * x * x",
            ),
            (
                "fn plain(e) { e.kind == \"variable\" } rule inline = `let x := a; b(x) --> b(a)` where plain(x), plain(a);
                 print(term(\"fun (y : real) => let x := y; x + x\").apply(body(inline)));"
                    .to_owned(),
                "fun (y : real) => y + y",
            ),
            (
                "fn indexing(e) { print(e); e.kind == \"get\" } rule one = `build n (fun i => f(i)) --> build n (fun i => f(i))` where indexing(f) unchecked;
                 print(term(\"fun (v : array n real) => build n (fun j => v[j])\").apply(body(one)).kind);"
                    .to_owned(),
                "v[j]\nfun",
            ),
            (
                "fn number(n) { type_of(n) == \"i64\" } rule same = `build n (fun i => f(i)) --> build n (fun i => f(i))` where number(n) unchecked;
                 print(term(\"build 3 (fun i => 1.0)\").try_apply(same) == ());
                 print(term(\"fun (v : array n real) => build n (fun i => v[i])\").try_apply(body(same)) == ());"
                    .to_owned(),
                "false\ntrue",
            ),
            (
                format!("fn small(e) {{ e.size < 9 }} rule swap = `a + b --> b + a` where small(a); {SUM} fn tiny(e) {{ small(e) && e.size < 2 }}
                         rule turn = `a + b --> b + a` where tiny(b); print(t.trace(topDown(swap ;; turn <+ swap)).len());"),
                "1",
            ),
        ];
        for (text, expected) in &cases {
            assert_eq!(run(text).as_deref(), Ok(*expected), "{text}");
            assert_eq!(check(text), "", "{text}");
        }
    });
}

#[test]
fn what_goes_wrong_in_a_condition_is_why_the_rule_fails() {
    deep(|| {
        let swap = "rule swap = `a + b --> b + a` where f(a) unchecked;";
        let cases = [
            ("fn f(e) { e.size > 99 }", "swap: the condition `f(a)` does not hold"),
            (
                "fn f(e) { 3 }",
                "swap: the condition `f(a)` goes wrong: its function gives the number 3, not a truth value",
            ),
            ("fn f(e) { () }", "swap: the condition `f(a)` goes wrong: its function gives nothing, not a truth value"),
            (
                "fn f(e) {\n  e.child(7).size == 1 }",
                "swap: the condition `f(a)` goes wrong at test.strat:2:5: this term has 2 children, counted from 0, and none is number 7",
            ),
            (
                "fn f(e) { throw \"no\" }",
                "swap: the condition `f(a)` goes wrong at test.strat:1:11: the script throws: no",
            ),
        ];
        for (function, expected) in cases {
            let text = format!("{function} {swap} {SUM} t.apply(body(body(swap)));");
            let told = run(&text).expect_err(&text);
            assert!(told.contains(&format!("the strategy `body(body(swap))` failed: {expected}")), "{text}\n  {told}");
            let negated = text.replace("where f", "where not f");
            match expected.ends_with("hold") {
                true => assert_eq!(run(&negated).as_deref(), Ok(""), "{negated}"),
                false => assert!(run(&negated).is_err_and(|told| told.contains("`f(a)` goes wrong")), "{negated}"),
            }
        }
        let endless = format!("fn f(e) {{ loop {{ }} }} {swap} {SUM}\nprint(t.apply(try(topDown(swap)))); print(1);");
        assert_eq!(run(&endless), Err("Operations(400000)".to_owned()));
        let tested = "fn f(e) { loop { } }\nrule swap = `a + b --> b + a` where f(a);";
        assert_eq!(run(tested), Err("Operations(400000)".to_owned()));
        assert_eq!(check(tested), "");
    });
}

#[test]
fn conditions_ask_functions_that_are_there() {
    deep(|| {
        let cases = [
            (
                "rule r = `a + b --> b + a` where smal(a);",
                "E0501 1:61 conditions have no word `smal` here | did you mean `small`?",
            ),
            (
                "rule r = `a + b --> b + a` where small(a, b);",
                "E0501 1:61 conditions have no word `small` here | the function `small` takes one argument",
            ),
            ("rule r = `a + b --> b + a` where small(c);", "E0501 1:67 the left side has no variable `c`"),
            (
                "rule r = `a + b --> b + a` where holds(|e, f| true, a);",
                "E0501 1:61 a function of 2 parameters is asked about 1",
            ),
            (
                "rule r = `a + b --> b + a` where holds(|e| unknwon(e), a);",
                "E0606 1:71 unknown rule, strategy or variable `unknwon`",
            ),
            ("rule r = `a + b --> b + a` where holds(|e| , a);", "E0101 "),
            ("rule r = `a + b --> b + a` where holds(|e| true);", "E0101 1:75 "),
            ("rule r = `a + b --> b + a` where work(|e| true, a) < 3;", "E0501 "),
            (
                "rule r = `build n (fun i => f(i)) --> build n (fun i => f(i))` where small(i);",
                "E0501 1:103 `i` is bound by `fun` and stands for no term",
            ),
            ("rule r = `a - b --> b - a` where small(a);", "E0505 1:33 the rule `r` changes what terms mean"),
        ];
        for (rule, expected) in cases {
            let text = format!("fn small(e) {{ e.size < 4 }} {rule}");
            let told = run(&text).expect_err(&text);
            assert!(told.starts_with(expected), "{text}\n  expected {expected}\n  told     {told}");
        }
        let (mut interpreter, _) = interpreter();
        let mut line =
            |text: &str| interpreter.eval_line(text).map(|_| ()).map_err(|trouble| tell(&trouble, &interpreter));
        assert_eq!(line("fn small(e) { e.size < 4 }"), Ok(()));
        assert_eq!(line("rule swap = `a + b --> b + a` where small(a), holds(|e| e.size < 4, b)"), Ok(()));
        let info = interpreter.rules().into_iter().find(|info| info.name.as_str() == "swap").expect("the rule");
        assert_eq!(info.conditions, ["small(a)", "holds(|e| e.size < 4, b)"]);
        assert!(info.state.get().to_string().starts_with("tested on "), "{}", info.state.get());
    });
}
