//! `;` goes on with a definition, and a strategy that nobody uses is told.

use crate::script::script::{deep, interpreter, run, tell};
use crate::script::tells;

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
            ("strategy d = if true { let s = id; s } else { id } ; fail; BODY", "id ;; fail"),
            ("strategy d = id /* ; /* ; */ ; */ ; // ;\n fail; BODY", "id ;; fail"),
            ("strategy d = id; { strategy e = fail ; beta; } BODY", "id"),
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
        tells(&cases);
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
