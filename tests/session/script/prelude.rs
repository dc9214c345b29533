//! The prelude: what it says of its combinators is so, and a definition there is all that one takes.

use std::fs;
use std::path::Path;

use redexter::cost::WorkChange;
use redexter::ground::{Budget, Limits};
use redexter::script::{Interpreter, LineValue, StrategyGuide};
use redexter::strategy::{Outcome, Strategy, Unary, check_ends, run};
use redexter::term::{Program, Term};

use super::script::{deep, interpreter};

fn guides(interpreter: &Interpreter) -> Vec<StrategyGuide> {
    let prelude = interpreter.libraries().into_iter().find(|library| library.name == "prelude");
    prelude.expect("it is there from the start").offers
}

fn strategy(interpreter: &mut Interpreter, text: &str) -> Strategy {
    match interpreter.eval_line(text) {
        Ok(LineValue::Strategy(strategy)) => strategy,
        other => panic!("{text}: {other:?}"),
    }
}

fn program(interpreter: &mut Interpreter, text: &str) -> Program {
    match interpreter.eval_line(&format!("term(`{text}`)")) {
        Ok(LineValue::Program { program, .. }) => program,
        other => panic!("{text}: {other:?}"),
    }
}

/// The term that a strategy gives, if it gives one; nothing where a limit ends it, or where it can't end.
fn result(strategy: &Strategy, program: &Program) -> Option<Option<Term>> {
    check_ends(strategy).ok()?;
    let budget = Budget::new(Limits { max_steps: 2_000, ..Limits::default() }, None);
    match run(strategy, program, &budget, || Box::new(|before, after, _| WorkChange::of(before.size(), after.size())))
        .ok()?
        .outcome
    {
        Outcome::Success(term) => Some(Some(term)),
        Outcome::Failure(_) => Some(None),
        Outcome::Looping(_) => None,
    }
}

#[test]
fn each_has_a_sentence_a_law_and_an_example() {
    deep(|| {
        let (interpreter, _) = interpreter();
        let all = guides(&interpreter);
        for guide in &all {
            let whole = guide.about.ends_with('.') && !guide.laws.is_empty() && !guide.examples.is_empty();
            assert!(whole && guide.definition.is_some(), "{guide:?}");
        }
        for native in ["repeat", "try", "where", "normalize"] {
            assert!(all.iter().any(|guide| guide.usage.starts_with(&format!("{native}("))), "{native}");
        }
    });
}

#[test]
fn the_examples_are_so() {
    deep(|| {
        let (mut interpreter, _) = interpreter();
        for example in guides(&interpreter).into_iter().flat_map(|guide| guide.examples) {
            let (used, rest) = example.split_once(": ").expect("a strategy");
            let terms: Vec<&str> = rest.split('`').filter(|part| part.len() > 5).collect();
            let [before, after] = terms[..] else { panic!("{example}") };
            let used = strategy(&mut interpreter, used);
            let [before, after] = [before, after].map(|text| program(&mut interpreter, text));
            assert_eq!(result(&used, &before), Some(Some(after.term)), "{example}");
        }
    });
}

#[test]
fn the_laws_hold() {
    deep(|| {
        let (mut interpreter, _) = interpreter();
        let inner = [
            "id",
            "fail",
            "mulOne",
            "body(mulOne)",
            "mulOne <+ addZero",
            "one(mulOne)",
            "some(addZero)",
            "all(one(mulOne))",
            "try(mulOne)",
            "not(mulOne)",
            "mulOne ;; mulOne",
            "mulOne <+ one(addZero)",
            "operand(0, mulOne)",
        ];
        let terms = [
            "fun (x : real) => x",
            "fun (x : real) => (x * 1 + 0) * 1",
            "fun (x : real) => (x * 1 * 1, x + 0)",
            "fun (x y : real) => (x + 0) * (y * 1 * 1) + 0",
            "(1 : real) + 0",
            "fun (v : array n real) => build n (fun i => v[i] * 1 + 0)",
        ];
        let terms: Vec<Program> = terms.iter().map(|text| program(&mut interpreter, text)).collect();
        for law in guides(&interpreter).into_iter().flat_map(|guide| guide.laws) {
            let (left, right) = law.split_once(" == ").expect("an equation");
            let mut compared = 0;
            for s in inner {
                interpreter.eval_line(&format!("fn left(s) {{ {left} }}")).expect(left);
                interpreter.eval_line(&format!("fn right(s) {{ {right} }}")).expect(right);
                let [left, right] = ["left", "right"].map(|side| strategy(&mut interpreter, &format!("{side}({s})")));
                for term in &terms {
                    if let (Some(left), Some(right)) = (result(&left, term), result(&right, term)) {
                        assert_eq!(left, right, "{law} for {s} on {:?}", term.term);
                        compared += 1;
                    }
                }
            }
            assert!(compared > 30, "{law} was compared {compared} times");
        }
    });
}

/// No line of Rust names a combinator that only the prelude defines, and yet it has everything that others have.
#[test]
fn a_definition_in_the_text_is_all_that_it_takes() {
    deep(|| {
        let (mut interpreter, _) = interpreter();
        let native = |name: &str| Unary::ALL.iter().any(|unary| unary.text() == name) || name == "repeatN";
        let all = guides(&interpreter);
        let names = all.iter().map(|guide| guide.usage.split('(').next().unwrap_or("").to_owned());
        let added: Vec<String> = names.filter(|name| !native(name)).collect();
        assert!(added.contains(&"alltd".to_owned()), "{added:?}");
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let rust = ["src", "crates"].into_iter().flat_map(|folder| sources(&root.join(folder))).collect::<Vec<_>>();
        for name in added {
            assert!(interpreter.names().contains(&name), "{name}");
            let used = format!("{name}(try(mulOne))");
            assert_eq!(strategy(&mut interpreter, &used).to_string(), used);
            assert_eq!(
                strategy(&mut interpreter, &format!("{name}(id) ; id")).to_string(),
                format!("{name}(id) ;; id")
            );
            assert!(interpreter.guide(&name).is_some_and(|guide| guide.usage.starts_with(&name)));
            let named = rust.iter().find(|(_, text)| text.contains(&format!("\"{name}\"")));
            assert!(named.is_none_or(|(path, _)| path.contains("foreign")), "{name} stands in {named:?}");
        }
    });
}

/// The files of a folder with their texts.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let found = entries.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![(path.display().to_string(), fs::read_to_string(&path).unwrap_or_default())],
    });
    found.collect()
}
