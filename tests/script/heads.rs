//! Heads of definitions: what is said of those that are wrong, and what definitions keep wherever they stand.

use crate::script::{deep, interpreter, run};

#[test]
fn a_wrong_head_is_told_with_its_place_and_its_spelling() {
    deep(|| {
        let cases = [
            ("strategy = id;", "E0101 1:10 expected a name, found `=` | write `strategy name = id;`"),
            ("strategy 3 = id;", "E0101 1:10 expected a name, found `3` | write `strategy name = id;`"),
            ("strategy(id);", "E0101 1:9 expected a name, found `(` | write `strategy id = …;`"),
            ("strategy x;", "E0101 1:11 expected a parameter or `=`, found `;` | write `strategy x = …;`"),
            ("strategy x\n", "E0101 1:11 expected a parameter or `=`, found the end | write `strategy x = …`"),
            ("strategy x: id;", "E0101 1:11 expected a parameter or `=`, found `:` | write `strategy x = id;`"),
            ("strategy x y = y;", "E0101 1:12 expected a parameter or `=`, found `y` | write `strategy x(y) = y;`"),
            ("strategy x(a b) = a;", "E0101 1:14 expected `,` or `)`, found `b` | write `strategy x(a, b) = a;`"),
            (
                "strategy x(a b) = a ;; b;",
                "E0101 1:14 expected `,` or `)`, found `b` | write `strategy x(a, b) = a ;; b;`",
            ),
            ("strategy x(a b) = a ; b;", "E0101 1:14 expected `,` or `)`, found `b` | write `strategy x(a, b) = …;`"),
            ("strategy x(a,) = a;", "E0101 1:14 expected a name, found `)` | write `strategy x(a) = a;`"),
            ("strategy x(\"a\") = a;", "E0101 1:12 expected a name, found a string | write `strategy x(a) = a;`"),
            ("strategy x(a: strategy) = a;", "E0101 1:13 expected `,` or `)`, found `:` | write `strategy x(a) = a;`"),
            ("fn f() { strategy x(s) { s } }", "E0101 1:24 expected `=`, found `{` | write `strategy x(s) = s`"),
            (
                "strategy x(let) = id;",
                "E0104 1:12 `let` is a reserved word of the script language | choose another name",
            ),
            ("strategy x' = id;", "E0101 1:10 the name `x'` has a prime | names of strategies and functions have"),
            ("rule = `x + 0 --> x`;", "E0101 1:6 expected a name, found `=` | write `rule name = `x + 0 --> x`;`"),
            ("rule 3 = `x + 0 --> x`;", "E0101 1:6 expected a name, found `3` | write `rule name = `x + 0 --> x`;`"),
            (
                "rule r: `x + 0 --> x`;",
                "E0101 1:7 expected a parameter or `=`, found `:` | write `rule r = `x + 0 --> x`;`",
            ),
            (
                "rule r `x + 0 --> x`;",
                "E0101 1:8 expected a parameter or `=`, found a backtick | write `rule r = `x + 0 --> x`;`",
            ),
            ("rule r(a b) = |t| t;", "E0101 1:10 expected `,` or `)`, found `b` | write `rule r(a, b) = |t| t;`"),
            ("rule r;", "E0101 1:7 expected a parameter or `=`, found `;` | write rule r = `left --> right`;"),
        ];
        for (text, expected) in cases {
            let told = run(text).expect_err(text);
            assert!(told.starts_with(expected), "{text}\n  expected {expected}\n  told     {told}");
        }
    });
}

#[test]
fn heads_hold_comments_and_lines() {
    deep(|| {
        let text = "strategy /* a */ first\n  (s, -- the one\n   t) = s <+ t;\n\
                    rule /* b */ none (k) = `x + 0 --> x` unchecked;\n\
                    print(first(none(1), id));";
        assert_eq!(run(text), Ok("first(none(1), id)".to_owned()));
    });
}

/// The words of definitions are no words of the script language.
#[test]
fn strategy_and_rule_may_be_names() {
    deep(|| {
        let text = "let m = #{ strategy: 1, rule: 2 }; let rule = m.rule; rule += m.strategy; print(rule);";
        assert_eq!(run(text), Ok("3".to_owned()));
        assert_eq!(run("let strategy = id; print([strategy]);"), Ok("[id]".to_owned()));
    });
}

/// What a function defines is the same whichever text calls it.
#[test]
fn functions_define_rules_for_later_lines() {
    deep(|| {
        let (mut interpreter, host) = interpreter();
        for line in [
            "fn law() { rule plus = `x + 0 --> x` unchecked; plus }",
            "fn work() { rule same = |t| t unchecked; same }",
            "fn both(s) { strategy either(a) = a <+ s; either(id) }",
            "print([law(), work(), both(fail)])",
        ] {
            let done = interpreter.eval_line(line);
            assert!(done.is_ok(), "{line}: {done:?}");
        }
        assert_eq!(*host.printed.borrow(), ["[plus, same, either(id)]"]);
    });
}
