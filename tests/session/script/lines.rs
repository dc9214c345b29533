//! Lines of the prompt, and strategies of the command line.

use redexter::script::{Interpreter, LineValue};

use crate::script::script::{deep, interpreter, tell};

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
            ("/* two */ let k = 8; let l = k + 1", "()"),
            ("l // and no more", "9"),
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
            ("nope", "E0606 1:1 unknown rule, strategy or variable `nope` | `:rules` lists the rules"),
            ("(", "E0101 1:1 this `(` is never closed | write `)` where it ends"),
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
