//! What is refused, where, and by which limit.

use redexter::ground::{StopReason, Trouble};

use crate::script::script::{deep, interpreter, run};
use crate::script::tells;

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
            ("rule\nx;", "E0101 2:2 expected a parameter or `=`, found `;`"),
            ("import \"a.arr\" as b;", "E0101 1:8 only scripts are imported into a script, and this is a model"),
            ("eval(\"1\")", "E0101 1:1 reserved keyword 'eval' is disabled"),
            ("let a = (1;", "E0101 1:9 this `(` is never closed"),
            ("timestamp()", "E0701 1:1 a schedule can't read the clock"),
            ("throw \"mine\"", "E0701 1:1 the script throws: mine"),
            ("repeatN(-1, id)", "E0701 1:1 `repeatN(n, s)` needs a whole number from 0, but this is the number -1"),
            ("strategy f(n) = f(n + 1); print(f(1));", "E0701 1:17 `f` unfolds without end"),
        ];
        tells(&cases);
    });
}

#[test]
fn limits_stop_a_script() {
    deep(|| {
        let cases = [
            ("loop {}", "Operations(400000)"),
            ("while true { let x = 1; }", "Operations(400000)"),
            ("try { loop {} } catch { print(1) }", "Operations(400000)"),
            ("let s = \"a\"; loop { s += s; }", "Elements(10000000)"),
            ("let a = [1]; loop { a += a; }", "Elements(1000000)"),
            ("let s = \"a,\"; for k in 0..20 { s += s; } s.split(\",\")", "Elements(1000000)"),
            ("let s = \"a\"; for k in 0..22 { s += s; } s.to_chars()", "Elements(1000000)"),
            ("let s = \"a\"; for k in 0..22 { s += s; } s.replace(\"a\", s)", "Elements(10000000)"),
            ("let s = \"a\"; s.pad(9223372036854775807, \"bc\")", "Elements(10000000)"),
            ("term(\"build 1000001 (fun i => 1.5)\").evaluate(#{})", "Elements(1000000)"),
            ("let a = []; a.pad(9223372036854775807, [1])", "Elements(1000000)"),
            ("let a = []; loop { a.push(1); }", "Operations(400000)"),
            ("let a = []; loop { a += 1; }", "Operations(400000)"),
            ("let a = []; loop { a.insert(0, 1); }", "Operations(400000)"),
            ("fn f(x) { f(x + 1) } f(1)", "E0701 1:22 functions call each other too deeply"),
        ];
        tells(&cases);
    });
}

/// Rhai has these functions, too; here they look first how much they would make.
#[test]
fn strings_are_split_replaced_and_padded_as_rhai_does() {
    deep(|| {
        let cases = [
            ("\"a,b,,c\".split(\",\")", "[\"a\", \"b\", \"\", \"c\"]"),
            ("\"a,b,,c\".split(',', 2)", "[\"a\", \"b,,c\"]"),
            ("\"a,b,,c\".split(\",\", 0)", "[\"a,b,,c\"]"),
            ("\"a,b,,c\".split_rev(\",\", 2)", "[\"c\", \"a,b,\"]"),
            ("\"a,b\".split_rev(',')", "[\"b\", \"a\"]"),
            ("\" a  b \".split()", "[\"a\", \"b\"]"),
            ("\"\".split() + \"\".split(\",\")", "[\"\", \"\"]"),
            ("\"ab\".split(\"\")", "[\"\", \"a\", \"b\", \"\"]"),
            ("\"äb\".to_chars()", "[ä, b]"),
            ("\"äbc\".split(1)", "[\"ä\", \"bc\"]"),
            ("let s = \"aba\"; s.replace(\"a\", \"cc\"); s", "ccbcc"),
            ("let s = \"aba\"; s.replace('a', 'ö'); s", "öbö"),
            ("let s = \"aba\"; s.replace(\"b\", 'c'); s.replace('c', \"\"); s", "aa"),
            ("let s = \"\"; s.replace(\"\", \"a\"); s", ""),
            ("let s = \"ab\"; s.pad(5, \"xyz\"); s", "abxyz"),
            ("let s = \"ab\"; s.pad(4, \"xyz\"); s.pad(6, '.'); s.pad(9, \"\"); s", "abxy.."),
            ("let a = [1]; a.pad(3, 0); a.pad(2, 9); a", "[1, 0, 0]"),
        ];
        for (text, told) in cases {
            let printed = match text.rsplit_once("; ") {
                Some((before, value)) => format!("{before}; print({value})"),
                None => format!("print({text})"),
            };
            assert_eq!(run(&printed), Ok(told.to_owned()), "{text}");
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
            let round = "at the end it went round: turn; each round leaves as many nodes, and `:ends` looks for why";
            let help =
                ["it was in `spin`", "`turn` rewrote 1000 of the last 1000 times", round, &place].map(str::to_owned);
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
