//! Schedules: what is built, printed and refused.

#[path = "support/script.rs"]
mod script;

use redexter::ground::{StopReason, Trouble};
use redexter::script::{Host, Interpreter, LineValue};
use script::{check, deep, interpreter, run, tell};

fn prints(expression: &str) -> String {
    run(&format!("print({expression});")).unwrap_or_else(|e| panic!("{expression}: {e}"))
}

#[test]
fn every_combinator_prints_as_it_is_written() {
    deep(|| {
        let same = [
            "id",
            "fail",
            "id <+ fail",
            "id ;; fail",
            "id ;; fail <+ id",
            "one(id)",
            "all(id)",
            "some(id)",
            "repeat(fail)",
            "try(fail)",
            "not(id)",
            "where(id)",
            "repeat1(fail)",
            "repeatN(3, id)",
            "topDown(id)",
            "bottomUp(id)",
            "allTopDown(id)",
            "allBottomUp(id)",
            "tryAll(id)",
            "normalize(fail)",
            "outermost(fail)",
            "innermost(fail)",
            "at(\"body.argument.0\", id)",
            "cheaper(id)",
            "force(id)",
            "function(id)",
            "argument(id)",
            "body(id)",
            "value(id)",
            "letBody(id)",
            "condition(id)",
            "thenBranch(id)",
            "elseBranch(id)",
            "pairFirst(id)",
            "pairSecond(id)",
            "projected(id)",
            "array(id)",
            "index(id)",
            "buildBody(id)",
            "foldBody(id)",
            "foldInit(id)",
            "operand(1, id)",
            "element(0, fail)",
            "mu(|x| (id ; x) <+ id)",
            "mu(|x| one(x))",
            "normalize(id ; (fail <+ id) ; all(id))",
            "topDown((id ; fail) <+ id)",
        ];
        for text in same {
            let back = prints(text);
            let plain = |s: &str| s.replace(['(', ')'], "").replace(";;", ";");
            assert_eq!(plain(&back), plain(text), "{text}");
        }
    });
}

#[test]
fn sequence_binds_tighter_than_choice() {
    deep(|| {
        let cases = [
            ("print((id ; fail <+ id) == ((id ; fail) <+ id));", "true"),
            ("print(id ;; fail <+ id == seq(id, fail) <+ id);", "true"),
            ("print((id ; (fail <+ id)) == seq(id, lchoice(fail, id)));", "true"),
            ("print((id <+ fail ; id <+ fail) == ((id <+ (fail ; id)) <+ fail));", "true"),
            ("print((id ; fail ; id) == seq(seq(id, fail), id));", "true"),
            ("print(id != fail);", "true"),
            ("print(id == 3);", "false"),
            ("let s = id ;; fail; print(s);", "id ;; fail"),
            ("let f = |s| try(s ; id); print(f.call(fail));", "try(fail ; id)"),
            ("let x = 3; print(x <+2);", ""),
        ];
        for (text, expected) in cases {
            if expected.is_empty() {
                assert!(run(text).is_err(), "{text}");
            } else {
                assert_eq!(run(text).as_deref(), Ok(expected), "{text}");
            }
        }
    });
}

#[test]
fn the_rest_of_the_script_language_is_there() {
    deep(|| {
        let cases = [
            ("let all = [id, fail]; print(all[1]); print(all.len());", "fail\n2"),
            ("print(args); print(parse_int(args[0]) + 1);", "[\"7\", \"x\"]\n8"),
            ("fn twice(s) { s ;; s } print(twice(try(fail)));", "try(fail) ;; try(fail)"),
            ("let s = id; for k in 0..3 { s = s ;; fail; } print(s);", "id ;; fail ;; fail ;; fail"),
            (
                "try { term(\"1.0\").apply(fail) } catch (e) { print(e); }",
                "the strategy `fail` failed: `fail` always fails",
            ),
            ("try { throw \"no\" } catch (e) { print(e); }", "no"),
            ("let m = #{ a: id, b: `x${1 + 1}` }; print(m.a); print(m.b);", "id\nx2"),
            ("/// a doc comment\nstrategy f = id; // `;;\n/* ( */ print(f);", "f"),
            ("\u{feff}print(1);\r\nprint(2);\r\n", "1\n2"),
            ("if id == id { print(\"a;b <+ c\"); }", "a;b <+ c"),
            ("switch 2 { 1 => print(1), _ => print(3) }", "3"),
            ("print(#\"raw ; \"text\" \"#);", "raw ; \"text\" "),
            ("let s = \"λ;\"; print(s.len());", "2"),
        ];
        for (text, expected) in cases {
            assert_eq!(run(text).as_deref(), Ok(expected), "{text}");
        }
    });
}

#[test]
fn definitions_keep_their_names_and_may_use_themselves() {
    deep(|| {
        let cases = [
            ("strategy a = id ;; fail; print(a); print(normalize(a));", "a\nnormalize(a)"),
            ("strategy td(s) = s <+ one(td(s)); print(td(fail));", "td(fail)"),
            ("strategy td(s) = s <+ one(td(s)); print(td(td(id)) == td(td(id)));", "true"),
            ("strategy loop_(s) = loop_(try(s)) <+ s; print(loop_(id));", "loop_(id)"),
            (
                "strategy times(n, s) = repeatN(n, s); print(times(2, id)); print(times(3, id));",
                "times(2, id)\ntimes(3, id)",
            ),
            (
                "strategy upto(n, s) = if n == 0 { id } else { s ;; upto(n - 1, s) }; print(upto(2, fail));",
                "upto(2, fail)",
            ),
            ("strategy here(p, s) = at(p, s); print(here(\"body\", id));", "here(\"body\", id)"),
            ("strategy a = id; strategy b = a ;; a; strategy a = fail; print(b); print(a);", "b\na"),
            ("let a = 3; strategy a = id; print(a);", "a"),
            ("strategy a = id; let a = 3; print(a);", "3"),
            ("strategy f() = id; print(f);", "f"),
            ("strategy a = id; fn g() { a ;; fail } print(g());", "a ;; fail"),
            ("fn g(s) { s <+ id } strategy a(s) = g(s); print(a(fail));", "a(fail)"),
            ("let n = 2; strategy a(s) = repeatN(n, s); n = 5; print(a(id)); print(n);", "a(id)\n5"),
            ("strategy a(s) = mu(|x| (s ; x) <+ id); print(a(fail));", "a(fail)"),
            ("strategy td(s) =\n  s\n  <+ one(td(s));\nprint(td(id));", "td(id)"),
            ("strategy not_yet(s) = later(s); strategy later(s) = try(s); print(not_yet(id));", "not_yet(id)"),
            ("strategy a(s) = s <+ b(s); strategy b(s) = one(a(s)); print(a(id));", "a(id)"),
        ];
        for (text, expected) in cases {
            assert_eq!(run(text).as_deref(), Ok(expected), "{text}");
        }
    });
}

#[test]
fn long_chains_are_read() {
    deep(|| {
        for sign in [" <+ ", " ;; "] {
            let chain = vec!["id"; 300].join(sign);
            assert_eq!(prints(&chain), chain);
            let inside =
                format!("fn f() {{ let s = normalize({chain}); s }} strategy c = normalize({chain}); print(c);");
            assert_eq!(run(&inside).as_deref(), Ok("c"));
        }
    });
}

#[test]
fn errors_have_codes_and_places() {
    deep(|| {
        let cases = [
            ("let s = id <+ 3;", "E0603 1:12 `<+` needs a strategy on its right, but this is the number 3"),
            ("let s = 3 <+ id;", "E0603 1:11 `<+` needs a strategy on its left, but this is the number 3"),
            ("let s = (id ; 3);", "E0603 1:13 `;` needs a strategy on its right, but this is the number 3"),
            ("let s = id ;; 3.5;", "E0603 1:12 `;;` needs a strategy on its right, but this is the number 3.5"),
            ("normalize(3)", "E0603 1:1 `normalize(s)` needs a strategy, but this is the number 3"),
            ("let x = 1;\n  normalize(\"id\")", "E0603 2:3 `normalize(s)` needs a strategy, but this is a string"),
            (
                "try(topDown)",
                "E0603 1:1 `try(s)` needs a strategy, but this is `topDown` without its arguments | write `topDown(s)`",
            ),
            ("normalise(id)", "E0606 1:1 unknown rule, strategy or variable `normalise` | did you mean `normalize`?"),
            (
                "let s = id <+ topdown(id);",
                "E0606 1:15 unknown rule, strategy or variable `topdown` | did you mean `topDown`?",
            ),
            (
                "let a = id;\nprint(a <+ fial);",
                "E0606 2:12 unknown rule, strategy or variable `fial` | did you mean `fail`?",
            ),
            (
                "strategy s = normalise(id);",
                "E0606 1:14 unknown rule, strategy or variable `normalise` | did you mean `normalize`?",
            ),
            ("normalize(id, id)", "E0603 1:1 `normalize` doesn't take these arguments | write `normalize(s)`"),
            ("strategy s = 3;", "E0603 1:14 `strategy s` needs a strategy behind its `=`, but this is the number 3"),
            ("strategy match = id;", "E0104 1:10 `match` is a reserved word of the script language"),
            ("mu(id)", "E0603 1:1 `mu` needs a function, but this is a strategy | write `mu(|x| (s ; x) <+ id)`"),
            ("id.reverse", "E0606 1:4 only a rule can be reversed, and this is a combination of strategies"),
            ("let s = (id ~ id);", "E0101 1:13 `~` means nothing in a schedule"),
            ("rule x;", "E0101 1:7"),
            ("rule\nx;", "E0101 1:1 this rule has no law"),
            ("import \"a\" as b;", "E0104 1:1 `import` is a reserved word of the script language"),
            ("eval(\"1\")", "E0101 1:1 reserved keyword 'eval' is disabled"),
            ("let a = (1;", "E0101 1:12 the text ends too early"),
            ("timestamp()", "E0701 1:1 a schedule can't read the clock"),
            ("throw \"mine\"", "E0701 1:1 the script throws: mine"),
            ("repeatN(-1, id)", "E0701 1:1 `repeatN(n, s)` needs a whole number from 0, but this is the number -1"),
            ("strategy f(n) = f(n + 1); print(f(1));", "E0701 1:17 `f` unfolds without end"),
        ];
        for (text, expected) in cases {
            let told = run(text).expect_err(text);
            assert!(told.starts_with(expected), "{text}\n  expected {expected}\n  told     {told}");
        }
    });
}

#[test]
fn limits_stop_a_script() {
    deep(|| {
        let cases = [
            ("loop {}", "Steps(20000)"),
            ("while true { let x = 1; }", "Steps(20000)"),
            ("try { loop {} } catch { print(1) }", "Steps(20000)"),
            ("let s = \"a\"; loop { s += s; }", "Memory(10000000)"),
            ("let a = [1]; loop { a += a; }", "Memory(10000000)"),
            ("let a = []; loop { a.push(1); }", "Steps(20000)"),
            ("let a = []; loop { a += 1; }", "Steps(20000)"),
            ("let a = []; loop { a.insert(0, 1); }", "Steps(20000)"),
            ("fn f(x) { f(x + 1) } f(1)", "E0701 1:22 functions call each other too deeply"),
        ];
        for (text, expected) in cases {
            let told = run(text).expect_err(text);
            assert!(told.starts_with(expected), "{text}: {told}");
        }
    });
}

#[test]
fn a_strategy_that_a_limit_ends_says_where() {
    deep(|| {
        let define = "rule turn = `a + b --> b + a`; strategy spin = force(normalize(turn));\n\
                      let t = term(\"fun (x y : real) => x + y\");\n";
        for (call, column) in [("t.apply(spin)", 3), ("t.try_apply(spin)", 3), ("t.trace(spin)", 3)] {
            let (mut interpreter, _) = interpreter();
            let text = format!("{define}try {{\n{call};\n}} catch {{ }}");
            let told = interpreter.run_script("test.strat", &text, &[]).expect_err(call);
            let place = format!("it ran at test.strat:4:{column}");
            let help = ["it was in `spin`", "`turn` rewrote 1000 of the last 1000 times", &place].map(str::to_owned);
            assert_eq!(told, Trouble::Stopped { reason: StopReason::Steps(20_000), help: help.to_vec() });
        }
    });
}

#[test]
fn no_text_breaks_the_reader() {
    deep(|| {
        let deep = |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
        let texts = [
            deep("(", ")", 5_000),
            deep("[", "]", 5_000),
            deep("{", "}", 5_000),
            deep("try(", ")", 5_000),
            deep("mu(|x| ", ")", 5_000),
            "-".repeat(5_000),
            "`".to_owned(),
            "`${`${`${".to_owned(),
            "rule".to_owned(),
            "rule x".to_owned(),
            "rule\nx".to_owned(),
            "rule \n\n = `".to_owned(),
            "strategy".to_owned(),
            "strategy f(".to_owned(),
            "strategy f(a b) = 3".to_owned(),
            "strategy f = ;".to_owned(),
            ";;;;;".to_owned(),
            "<+<+<+".to_owned(),
            "\"abc".to_owned(),
            "/* /* */".to_owned(),
            "\0\u{1}λ".to_owned(),
            "}})])".to_owned(),
            "'".to_owned(),
            "#\"".to_owned(),
        ];
        for text in texts {
            let _ = run(&text);
        }
    });
}

#[test]
fn a_semicolon_in_a_definition_goes_on_where_a_strategy_follows() {
    deep(|| {
        let cases = [
            ("strategy d = id ; fail; BODY", "id ;; fail"),
            ("strategy d = id ;\n  fail ;\n  (id <+ fail);\nBODY", "id ;; fail ;; (id <+ fail)"),
            (
                "strategy d = id // first ; then\n; /* and */ try(fail)\n; // last\nnormalize(beta);\nBODY",
                "id ;; try(fail) ;; normalize(beta)",
            ),
            ("strategy d = id <+ fail ; id; BODY", "id <+ fail ;; id"),
            ("strategy s = beta; strategy d = fail; BODY", "fail"),
            ("strategy s = beta; strategy d = fail ; s; BODY", "fail ;; s"),
            ("strategy d = letSubstN(1) ; divRecip.reverse; BODY", "letSubstN(1) ;; divRecip.reverse"),
            ("strategy d = beta ; fastGradient.tidy; BODY", "beta ;; tidy"),
            ("strategy d = id; beta.to_string(); BODY", "id"),
            ("strategy d = id; try { BODY } catch (e) {}", "id"),
            ("strategy d = id; let x = beta; BODY", "id"),
            ("strategy d = id; if true { BODY }", "id"),
            ("let t = term(\"1.0\"); strategy d = id; t.apply(d); BODY", "id"),
            ("strategy d = id; let normalize = 1; normalize = 2; BODY", "id"),
            ("rule own = `x * 1 --> x`; strategy d = id ; own; BODY", "id ;; own"),
        ];
        for (text, expected) in cases {
            let (mut interpreter, _) = interpreter();
            interpreter
                .run_script("t", &text.replace("BODY", "print(d);"), &[])
                .unwrap_or_else(|e| panic!("{text}: {}", tell(&e, &interpreter)));
            let body =
                interpreter.strategies().into_iter().find(|known| known.name == "d").and_then(|known| known.body);
            assert_eq!(body.map(|body| body.to_string()).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(run("fn f() { strategy d = id; try(d) } print(f());").as_deref(), Ok("try(d)"), "a block's value");
        assert_eq!(run("strategy r(s) = s ; try(r(s)); print(r(id));").as_deref(), Ok("r(id)"));
        assert_eq!(run("strategy r(s) = s ; fail <+ id; print(r(beta));").as_deref(), Ok("r(beta)"));
    });
}

#[test]
fn a_strategy_that_nobody_uses_is_wrong() {
    deep(|| {
        let cases = [
            ("let s = id ; fail;", "E0608 1:14"),
            ("let s = id; s;", "E0608 1:13"),
            ("let s = id; s", "E0608 1:13"),
            ("fn f() { try(id); 3 } print(f());", "E0608 1:10"),
            ("for k in 0..2 { normalize(beta) }", "E0608 1:17"),
            ("if true { beta; }", "E0608 1:11"),
            ("strategy a = id; a;", "E0101 1:18"),
            ("strategy f(n) = repeatN(n, id); f(1);", "E0101 1:33"),
            ("strategy a = id; try(a <+ fail);", "E0101 1:18"),
        ];
        for (text, expected) in cases {
            let told = run(text).expect_err(text);
            assert!(told.starts_with(expected), "{text}: {told}");
        }
        let used = [
            "let n = 3; n;",
            "let s = id; let t = s;",
            "fn f(s) { s ;; s }",
            "let g = |s| s; g.call(id);",
            "let m = #{ a: id };",
        ];
        for text in used {
            assert_eq!(run(text).as_deref(), Ok(""), "{text}");
        }
    });
}

/// What a line comes to, as it prints.
fn line(interpreter: &mut Interpreter, line: &str) -> String {
    match interpreter.eval_line(line) {
        Ok(LineValue::Unit) => "()".into(),
        Ok(LineValue::Strategy(s)) => format!("strategy {s}"),
        Ok(LineValue::Program { .. }) => "term".into(),
        Ok(LineValue::Model(model)) => format!("model {}", model.path),
        Ok(LineValue::Other(text)) => text,
        Err(trouble) => tell(&trouble, interpreter),
    }
}

#[test]
fn a_line_counts_as_parenthesised() {
    deep(|| {
        let (mut interpreter, host) = interpreter();
        let lines = [
            ("id ; fail", "strategy id ;; fail"),
            ("id ; fail;", "strategy id ;; fail"),
            ("id ;; fail // and so on", "strategy id ;; fail"),
            ("let s = id ;; fail", "()"),
            ("s <+ id", "strategy id ;; fail <+ id"),
            ("strategy a = s", "()"),
            ("a ; a", "strategy a ;; a"),
            ("fn f(x) { x ;; id }", "()"),
            ("f(fail)", "strategy fail ;; id"),
            ("try(id)", "strategy try(id)"),
            ("let n = 3; let m = n + 1;", "()"),
            ("let two = id ;; fail; n", "3"),
            (
                "let two = id ; fail",
                "E0608 1:16 nothing uses this strategy | write `a ;; b` to go on with the strategy before it, or `term.apply(strategy)` to run it",
            ),
            ("strategy two = id ; fail", "()"),
            ("m", "4"),
            ("m = 7", "()"),
            ("m", "7"),
            ("print(1); print(2)", "()"),
            ("let g = |x| x <+ id", "()"),
            ("g.call(fail)", "strategy fail <+ id"),
            ("fn bad(s) { normalize(1) }", "()"),
            ("strategy worse(n) = repeatN(n, bad(1))", "()"),
            (
                "                         bad(2)",
                "E0603 1:13 `normalize(s)` needs a strategy, but this is the number 1 | write a rule such as `beta`, or a combination of rules such as `try(beta)`",
            ),
            (
                "worse(3)",
                "E0603 1:13 `normalize(s)` needs a strategy, but this is the number 1 | write a rule such as `beta`, or a combination of rules such as `try(beta)`",
            ),
            ("nope", "E0606 1:1 unknown rule, strategy or variable `nope` | `redexter rules` lists the rules"),
            ("(", "E0101 1:2 the text ends too early | close what is open"),
        ];
        for (text, expected) in lines {
            assert_eq!(line(&mut interpreter, text), expected, "{text}");
        }
        assert_eq!(*host.printed.borrow(), ["1", "2"]);
    });
}

#[test]
fn the_command_line_takes_strategies_only() {
    deep(|| {
        let (mut interpreter, _) = interpreter();
        assert_eq!(interpreter.strategy("id ; fail <+ id").expect("a strategy").to_string(), "id ;; fail <+ id");
        let cases = [("1 + 2", "E0603 1:1"), ("  \"id\" ", "E0603 1:3"), ("topDown", "E0603 1:1"), ("", "E0603 1:1")];
        for (text, expected) in cases {
            let told = tell(&interpreter.strategy(text).expect_err(text), &interpreter);
            assert!(told.starts_with(expected), "{text}: {told}");
        }
    });
}

#[test]
fn unfinished_lines_are_known() {
    deep(|| {
        let (interpreter, _) = interpreter();
        let complete = ["id", "id ; fail;", "", "let x = `a;(`", "rule a = `x --> x`;", "// (", "f(\"(\")", "])"];
        let open =
            ["(id", "id <+", "id ;;", "let x =", "rule a = `x", "rule a = `x --> x`,", "`", "/*", "\"a", "fn f() {"];
        for text in complete {
            assert!(interpreter.is_complete(text), "{text}");
        }
        for text in open {
            assert!(!interpreter.is_complete(text), "{text}");
        }
    });
}

#[test]
fn terms_are_values() {
    deep(|| {
        let load = "let gradient = load(\"models/vector_sum.arr\").gradient;";
        let cases = [
            ("print(load(\"models/vector_sum.arr\"));", "models/vector_sum.arr: total, gradient"),
            ("let m = load(\"models/vector_sum.arr\"); print(m[\"gradient\"] == m.gradient);", "true"),
            ("print(term(\"fun (x : real) => x + 1\"));", "fun (x : real) => x + 1"),
            ("print(term(\"fun (x : real) => x\") == term(\"fun (y : real) => y\"));", "true"),
            (
                "print(term(\"1 + 2\").type); print(term(\"1.5 + 2\").size); print(term(\"1.5 + 2\").work);",
                "real\n3\n1",
            ),
            ("print(term(\"fun (v : array n real) => v[0] + 1\").evaluate(#{ v: [1.0, 2] }));", ""),
            (
                "print(term(\"fun (v : array n real) => ifold n (fun a i => a + v[i]) 0\").evaluate(#{ v: [1.0, 2] }));",
                "3.0",
            ),
            (
                "print(term(\"fun (v : array n real) => build n (fun i => (v[i], 1))\").evaluate(#{ v: [1.0] }));",
                "[[1.0, 1.0]]",
            ),
            (
                "print(term(\"fun (v : array n real) => build n (fun i => v[i] + 1)\").counts(#{ v: [1, 2, 3] }).flops);",
                "3",
            ),
            ("print(term(\"build n (fun i => real i)\").evaluate(#{ n: 3 }));", "[0.0, 1.0, 2.0]"),
            ("print(term(\"(fun x => x + 1) 2.0\").apply(beta));", "let x := 2; x + 1"),
            ("print(term(\"1.0\").try_apply(beta) == ());", "true"),
            (
                "let t = term(\"(fun x => x + 1) 2.0\").trace(beta ;; letSubstN(1)); print(t.len()); print(t[0].rule); \
          print(t[1].path == \"\"); print(t.result); for s in t { print(s.rule); }",
                "2\nbeta\ntrue\n2 + 1\nbeta\nletSubstN(1)",
            ),
            ("print(equivalent(term(\"fun (x : real) => x + x\"), term(\"fun (x : real) => 2 * x\")));", "true"),
            ("print(equivalent(term(\"fun (x : real) => x + x\"), term(\"fun (x : real) => 3 * x\")));", "false"),
            (
                "print(term(\"(fun x => x + 1) 2.0\").apply(repeatUntil(`let x := a; b(x)`, beta)));",
                "let x := 2; x + 1",
            ),
        ];
        for (text, expected) in cases {
            if !expected.is_empty() {
                assert_eq!(run(text).as_deref(), Ok(expected), "{text}");
            }
        }
        let wrong = [
            ("load(\"models/none.arr\")", "E0401 1:1 "),
            ("load(\"models/vector_sum.arr\").gradent", "E0305 1:31 "),
            ("let t = term(\"1 + \");", "E0101 1:"),
            ("let t = term(\"1 + [2]\");", "E02"),
            ("term(\"1.0\").apply(beta)", "E0602 1:13 the strategy `beta` failed: "),
            ("term(\"1.0\").apply(3)", "E0603 1:13 "),
            ("term(\"1.0\").futhark(#{ parallel: true })", "E0701 1:13 the export has no option `parallel`"),
            ("term(\"fun (x : real) => x\").evaluate(#{ x: id })", "E0802 1:"),
            ("term(\"1.0\").apply(repeat(id))", "E0601 1:13 "),
            ("term(\"1.0\").apply(normalize(try(beta)))", "E0601 1:13 "),
            ("term(\"1.0\").apply(force(repeat(id)))", "Steps(20000)"),
        ];
        for (text, expected) in wrong {
            let told = run(text).expect_err(text);
            assert!(told.starts_with(expected), "{text}\n  expected {expected}\n  told     {told}");
        }
        assert!(run(&format!("{load} print(gradient);")).is_ok());
    });
}

/// Runs a script that ships, on sizes 3 and 4; what it prints and writes.
fn shipped(name: &str) -> (Vec<String>, Vec<(String, String)>) {
    let name = format!("strategies/{name}.strat");
    let (mut interpreter, host) = interpreter();
    let text = host.read(&name).expect("the script");
    let done = interpreter.run_script(&name, &text, &["3".into(), "4".into()]);
    done.unwrap_or_else(|trouble| panic!("{name}: {}", tell(&trouble, &interpreter)));
    assert!(host.warned.borrow().is_empty(), "{name}: {:?}", host.warned.borrow());
    (host.printed.take(), host.written.take())
}

#[test]
fn the_papers_schedule_goes_from_quadratic_to_linear() {
    deep(|| {
        let (printed, written) = shipped("paper");
        let expected = "\
1. first: 5 steps
  getBuild         1
  letSubstN(1)     4
2. fuse: 12 steps
  beta             3
  fstPair          1
  getBuild         1
  letPair          1
  letSubstN(1)     1
  letSubstSafe     4
  sndPair          1
3. split: 2 steps
  ifoldFission     1
  sndPair          1
4. onehot: 6 steps
  addZero          2
  ifFloat          1
  ifoldOneHot      1
  letSubstSafe     2

fun (v : array n real) => build n (fun i => 1)

     n  program       flops   compares      reads     writes iterations
     3  plain            18          9         27         21         30
     3  fast              0          0          0          3          3
     4  plain            32         16         48         36         52
     4  fast              0          0          0          4          4

wrote vector_sum_plain.fut and vector_sum_fast.fut";
        assert_eq!(printed.join("\n"), expected);
        let names: Vec<&str> = written.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(names, ["vector_sum_plain.fut", "vector_sum_fast.fut"]);
        assert!(written.iter().all(|(_, text)| text.contains("entry gradient")));
    });
}

#[test]
fn every_schedule_that_ships_reaches_the_good_form() {
    deep(|| {
        let good = [
            ("vector_sum", vec!["fun (v : array n real) => build n (fun i => 1)"]),
            ("dot", vec!["fun (v w : array n real) => w", "same results: true"]),
            (
                "sum_of_squares",
                vec![
                    "fun (v : array n real) => build n (fun i => v[i] + v[i])",
                    "same results: true",
                    "fun (v : array n real) => build n (fun i => build n (fun j => if i = j then 1 + 1 else 0))",
                    "same results: true",
                ],
            ),
            (
                "matrix_vector",
                vec![
                    "fun (a : array n (array m real)) (x : array m real) => build m (fun i => build n (fun j => a[j][i]))",
                    "same results: true",
                ],
            ),
        ];
        for (name, expected) in good {
            assert_eq!(shipped(name).0, expected, "{name}");
        }
        let (printed, _) = shipped("least_squares");
        assert!(!printed[0].contains("if "), "{}", printed[0]);
        assert_eq!(printed[1], "same results: true");
    });
}

#[test]
fn a_check_finds_what_a_run_would_stumble_over() {
    deep(|| {
        let cases = [
            ("strategy s = repeat(id);", "E0601 1:14"),
            ("strategy a = id;\nstrategy s = beta ;;\n  normalize(try(beta));", "E0601 3:3"),
            ("strategy s(t) = normalize(try(t));", "E0601 1:17"),
            ("let t = term(\"1.0\");\nif t.size > 3 { print(t.apply(repeat(id))); }", "E0601 2:25"),
            ("strategy s(t) = t <+ 3;", "E0603 1:19"),
            ("fn f(s) { s ;; \"x\" }", "E0603 1:13"),
            ("fn f(s) { let t = normalize(s, s); t }", "E0603 1:19"),
            ("for s in [id] { print(letSubstN(s, 1)); }", "E0603 1:23"),
            ("if 1 == 1 { strategy s = 3; }", "E0603 1:26"),
            ("let k = 3;\nstrategy s = try(k);", "E0603 2:14"),
            ("let m = load(\"models/none.arr\");\nlet t = m.total;", "E0401 1:9"),
            (
                "let m = load(\"models/vector_sum.arr\");\nprint(m.gradent);\nprint(m[\"totl\"]);",
                "E0305 2:9\nE0305 3:8",
            ),
            ("fn g() { load(\"models/vector_sum.arr\").gradent }", "E0305 1:40"),
            ("let t = term(\"1 + [2]\");", "E02"),
            ("let t = term(\"1.0\");\nprint(t.apply(beta).apply(3));", "E0603 2:21"),
            ("rule a = `x + 0 --> [x]`;\nprint(a);\nrule b = `x --> y`;", "E0502 1:\nE0503 3:"),
            ("print(nope);\nstrategy s = repeat(id);", "E0606 1:7\nE0601 2:14"),
            ("let s = id;\nstrategy t(u) = repeatN(-1, u);", "E0701 2:17"),
        ];
        for (text, expected) in cases {
            let told = check(text);
            let lines = expected.lines().count().max(told.lines().count());
            for k in 0..lines {
                let (line, wanted) = (told.lines().nth(k).unwrap_or(""), expected.lines().nth(k).unwrap_or("nothing"));
                assert!(line.starts_with(wanted), "{text}\n  expected {expected}\n  told     {told}");
            }
        }
    });
}

#[test]
fn a_check_lets_right_scripts_pass() {
    deep(|| {
        let right = [
            "strategy s = force(repeat(id));",
            "let s = 3; s = id; print(s <+ id);",
            "let all = []; all.push(id); print(all[0] <+ id);",
            "for s in [id, fail] { print(s ;; s); }",
            "fn f(s) { if s == id { 3 } else { s ;; s } } print(f(beta));",
            "fn f(n) { if n == 0 { id } else { f(n - 1) ;; fail } } strategy s = f(5);",
            "strategy upto(n, s) = if n == 0 { id } else { s ;; upto(n - 1, s) }; print(upto(2, fail));",
            "strategy a(s) = s <+ b(s); strategy b(s) = one(a(s)); print(a(id));",
            "let k = parse_int(args[0]); strategy s = letSubstN(k); print(s);",
            "let s = if args.len() > 9 { id } else { 3 }; if args.len() > 9 { print(s ;; s); }",
            "try { term(\"1 +\").apply(beta) } catch (e) { print(e); }",
            "loop { if args.len() == 2 { break; } }",
            "let f = |s| s <+ id; print(f.call(fail));",
            "let n = 2; let f = |s| repeatN(n, s); print(f.call(fail)); n = 3;",
            "fn f(s) { throw `no ${s}` } if args.len() > 7 { f(id); }",
            "strategy s(x) = mu(|y| (x ; y) <+ id); print((print(1) ; 3));",
            "let m = load(args[1] + \".arr\");",
        ];
        for text in right {
            assert_eq!(check(text), "", "{text}");
        }
        for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/strategies")).expect("the schedules") {
            let path = file.expect("a file").path();
            if path.is_file() {
                assert_eq!(check(&std::fs::read_to_string(&path).expect("a script")), "", "{}", path.display());
            }
        }
    });
}

/// Shared parts make a strategy of 2^40 parts in a few lines: what is said before a run must not walk them all.
#[test]
fn a_vast_strategy_meets_its_limit() {
    deep(|| {
        let text = "let s = beta; for i in 0..40 { s = s ;; s; } print(term(\"1.0\").try_apply(s) == ());";
        assert_eq!(run(text).as_deref(), Ok("true"));
    });
}
