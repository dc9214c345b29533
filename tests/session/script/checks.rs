//! What a check finds without running a script.

use crate::script::script::{check, deep, interpreter, run};

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
            "let p = \"(1+2\"; crop(p, 1, 3); print(term(p));",
            "let p = [id, \"x\"]; truncate(p, 1); let q = p; print(q[0] <+ id);",
            "let all = [\"x\"]; let old = take(all); all.push(id); print(all[0] <+ id);",
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

/// What hangs on the term is no error, and is said nevertheless, where it stands.
#[test]
fn a_check_warns_of_repetitions_that_may_not_end() {
    deep(|| {
        let rules = "rule up = `x * 2 --> x + x`; rule down = `x + x --> x * 2`; ";
        for (text, expected) in [
            ("strategy s = normalize(addZero <+ up <+ down);", &["W0602 73"][..]),
            ("strategy s = addZero <+ innermost(letSwap <+ letDead);", &["W0601 84"]),
            ("strategy s(t) = t ;; normalize(t <+ letSwap <+ up <+ down);", &["W0601 81", "W0602 81"]),
            ("strategy s = force(normalize(addZero <+ up <+ down));", &[]),
            ("strategy s = normalize(addZero <+ up);", &[]),
            ("strategy s = s <+ addZero;", &["W0601 69"]),
            ("strategy s(t, n) = try(s(t, n)) ;; repeatN(n, t); strategy u = s(up, 2);", &["W0601 69"]),
            ("strategy s = addZero ;; s;", &[]),
        ] {
            let (mut interpreter, host) = interpreter();
            interpreter.check_script("test.strat", &format!("{rules}{text}")).expect("nothing is wrong");
            let warned = host.warned.borrow();
            let told: Vec<String> =
                warned.iter().map(|d| format!("{} {}", d.code, d.place().map_or(0, |place| place.start))).collect();
            assert_eq!(told, expected, "{text}");
        }
    });
}

/// What a check looks at means nothing afterwards.
#[test]
fn a_check_leaves_everything_as_it_was() {
    deep(|| {
        let (mut interpreter, _) = interpreter();
        let rules = interpreter.rules().len();
        let text =
            "import \"strategies/prelude.strat\" as p; rule own = `x * 1 --> x`; strategy mine = own; fn f() { 1 }";
        assert!(interpreter.check_script("test.strat", text).is_ok());
        assert!(interpreter.accepts_line("rule typed = `x * 1 --> x`"));
        assert_eq!(interpreter.rules().len(), rules);
        assert!(interpreter.strategies().is_empty() && interpreter.imported_names().is_empty());
        for line in ["own", "typed", "mine", "p.all", "f()"] {
            assert!(interpreter.eval_line(line).is_err(), "{line}");
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
