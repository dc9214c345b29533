//! Heads of definitions: what is said of those that are wrong, and what definitions keep wherever they stand.

use crate::script::script::{deep, interpreter, run};
use crate::script::tells;

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
        tells(&cases);
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

/// What the script language reserves or has as a keyword, from its table; `_` is one.
const WORDS: &str = "_ Fn as async await break call case catch const continue curry debug default do else eval exit \
    export false fn for go goto global if import in is is_def_fn is_def_var is_shared let loop match module new nil null \
    package print private protected public return shared spawn static strategy rule super switch sync this thread throw \
    true try type_of until use var void while with yield é e1é _1 _1a __a a' Try Rule _D";

/// Whether what has this name can use it; if not, the name is refused. A parameter may be `_`, which nothing uses.
fn used(name: &str, text: &str) -> bool {
    match run(text) {
        Ok(printed) => {
            assert!(printed.contains("mulOne"), "{name}: {printed}");
            true
        }
        Err(told) => {
            let refused = told.starts_with("E010") && told.contains(&format!("`{name}`")) && told.contains(" | ");
            assert!(refused || name == "_" && told.ends_with("unexpected '_'"), "{name}: {told}");
            false
        }
    }
}

#[test]
fn a_name_is_refused_or_can_be_used() {
    deep(|| {
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let usable = |text: &dyn Fn(&str) -> String| {
            let fine = words.iter().filter(|name| used(name, &text(name)));
            fine.copied().collect::<Vec<&str>>()
        };
        let fine = ["exit", "strategy", "rule", "__a"];
        let strategies = usable(&|name| format!("strategy {name} = mulOne; print(try({name}) ;; mulOne);"));
        assert_eq!(strategies, fine);
        let parameters = usable(&|name| format!("strategy s(x, {name}) = {name} <+ x; print(s(id, mulOne));"));
        assert_eq!(parameters, fine);
        let rules = usable(&|name| format!("rule {name} = |t| t unchecked; print({name} <+ mulOne);"));
        assert_eq!(rules, fine);
        let laws = usable(&|name| format!("rule {name} = `x * 1 --> x` unchecked; print({name} <+ mulOne);"));
        assert_eq!(laws, fine);
    });
}

#[test]
fn an_import_has_a_name_that_can_be_read() {
    deep(|| {
        let reserved = |alias: &str| format!("E0104 1:21 `{alias}` is a reserved word of the script language | choose");
        for alias in ["if", "import", "go", "Try"] {
            let told = run(&format!("import \"x.strat\" as {alias};")).expect_err(alias);
            assert!(told.starts_with(&reserved(alias)), "{told}");
        }
        let told = run("import \"x.strat\" as é;").expect_err("é");
        assert!(told.starts_with("E0101 1:21 the name `é` has characters that aren't ASCII | names of"), "{told}");
    });
}

/// The words that the reader puts in the place of others are no names: they would mean what it puts there.
#[test]
fn the_readers_words_are_reserved() {
    deep(|| {
        let cases = [
            ("fn Try(s) { addZero } print(try(mulOne));", "1:4 `Try`"),
            ("fn Rule(a) { 3 } rule r = `x * 1 --> x`;", "1:4 `Rule`"),
            ("fn _D(a) { 3 } strategy s = id;", "1:4 `_D`"),
            ("let Try = 1;", "1:5 `Try`"),
            ("fn f(a, Rule) { a }", "1:9 `Rule`"),
            ("print([1].map(|Try| Try));", "1:16 `Try`"),
            ("for _D in [1] { }", "1:5 `_D`"),
            ("strategy Try(s) = s;", "1:10 `Try`"),
            ("strategy t(Try) = Try;", "1:12 `Try`"),
        ];
        for (text, place) in cases {
            let told = run(text).expect_err(text);
            assert!(told.starts_with(&format!("E0104 {place} is a reserved word of the script language | ")), "{told}");
        }
        assert_eq!(run("let m = #{ Rule: 1, Try: 2 }; print(m.Rule + m.Try);").as_deref(), Ok("3"));
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
