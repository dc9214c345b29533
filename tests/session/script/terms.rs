//! Terms as values.

use crate::script::script::{deep, run};
use crate::script::tells;

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
        tells(&wrong);
        assert!(run(&format!("{load} print(gradient);")).is_ok());
    });
}
