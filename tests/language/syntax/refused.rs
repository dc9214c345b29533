//! What is none, and what is said of it.

use redexter::ground::{Budget, Trouble};
use redexter::syntax::parse_term;

use crate::syntax::{model, rule, sexp, term, whole};

#[test]
fn wrong_terms() {
    for (text, expected) in WRONG_TERMS {
        let (sources, region) = whole(text);
        let trouble = parse_term(&sources, region, &Budget::default()).expect_err(text);
        assert_eq!(sexp::trouble(&sources, &trouble), *expected, "{text}");
    }
}

#[test]
fn wrong_models() {
    for (text, expected) in WRONG_MODELS {
        let trouble = model(text).expect_err(text);
        assert_eq!(sexp::trouble(&whole(text).0, &trouble), *expected, "{text}");
    }
}

#[test]
fn wrong_rules() {
    for (text, expected) in WRONG_RULES {
        let trouble = rule(text).expect_err(text);
        assert_eq!(sexp::trouble(&whole(text).0, &trouble), *expected, "{text}");
    }
}

#[test]
fn every_error_has_a_place_and_help() {
    for (text, _) in WRONG_TERMS {
        match term(text).expect_err(text) {
            Trouble::Wrong(all) => {
                assert!(all.len() == 1 && all[0].place().is_some() && !all[0].help.is_empty(), "{text}")
            }
            Trouble::Stopped { reason, .. } => panic!("{text}: {reason}"),
        }
    }
}

const WRONG_TERMS: &[(&str, &str)] = &[
    ("1 + ifold + 2", "E0101 1:11 expected a size, found `+`"),
    ("a < b < c", "E0101 1:7 comparisons don't chain"),
    ("", "E0101 1:1 expected a term, found the end"),
    ("a +", "E0101 1:4 expected a term, found the end"),
    ("a + * b", "E0101 1:5 expected a term, found `*`"),
    ("a == b", "E0101 1:3 `==` is no operator"),
    ("a ** 2", "E0101 1:4 `**` is no operator"),
    ("x ^ * 2", "E0101 1:5 expected a term, found `*`"),
    ("let x = 1; x", "E0101 1:7 `=` compares, it doesn't define"),
    ("let x := 1", "E0101 1:11 this `let` has no `;`"),
    ("let x := 1\nx + x", "E0101 1:11 this `let` has no `;`"),
    ("let y := 2;\nlet x := 1\nlet z := 2;\nx + x", "E0101 2:11 this `let` has no `;`"),
    ("if c then 1", "E0101 1:12 this `if` has no `else`"),
    ("if c 1", "E0101 1:7 this `if` has no `then`"),
    ("(if c then 1) + 2", "E0101 1:13 this `if` has no `else`"),
    ("fun x -> x", "E0101 1:7 `->` doesn't begin the body of a function"),
    ("fun x : real => x", "E0101 1:7 a typed parameter needs parentheses"),
    ("fun => x", "E0101 1:5 expected a name, found `=>`"),
    ("λ let. x", "E0104 1:3 `let` is a reserved word"),
    ("(1 + 2", "E0101 1:7 this `(` is never closed"),
    ("f (a, [b, c)", "E0101 1:12 this `[` is never closed"),
    ("(", "E0101 1:2 expected a term, found the end"),
    ("()", "E0101 1:2 expected a term, found `)`"),
    ("a)", "E0101 1:2 nothing opened this `)`"),
    ("a @ b", "E0101 1:3 `@` has no meaning here"),
    ("a; b", "E0101 1:2 no `let` waits for this `;`"),
    ("fun exp => 1", "E0104 1:5 `exp` is a reserved word"),
    ("let if := 1; 2", "E0104 1:5 `if` is a reserved word"),
    ("let x : array n fin 3 := a; x", "E0101 1:17 expected a type, found `fin`"),
    ("let x : := a; x", "E0101 1:9 expected a type, found `:=`"),
    ("build", "E0101 1:6 expected a size, found the end"),
    ("fun (a, 2) => a", "E0101 1:9 expected a name, found `2`"),
    ("(a, ", "E0101 1:4 expected a term, found the end"),
    ("build 2.5 f", "E0101 1:7 expected a size, found `2`"),
    ("build 9223372036854775808 f", "E0209 1:7 this size is too large"),
    ("build (n f", "E0101 1:10 expected `)`, found `f`"),
    ("2x", "E0103 1:1 `2x` is no numeral"),
    ("1e999", "E0103 1:1 this numeral is too large"),
    ("2. + 1", "E0103 1:1 digits are missing behind the point"),
    ("p.0", "E0101 1:2 this is no projection"),
    ("p .1", "E0101 1:3 this is no projection"),
    ("a + not b", "E0101 1:5 `not` needs parentheses here"),
    ("D -x", "E0101 1:3 `-` needs parentheses here"),
    ("-not x", "E0101 1:2 `not` needs parentheses here"),
    ("a /- b /- -/", "E0102 1:3 this comment is never closed"),
    ("x -> y", "E0101 1:3 `->` stands outside a function"),
    ("build type f", "E0101 1:7 expected a size, found `type`"),
    ("then", "E0101 1:1 expected a term, found `then`"),
];

const WRONG_MODELS: &[(&str, &str)] = &[
    ("def f = 1", "E0101 1:7 `=` compares, it doesn't define"),
    ("def := 1", "E0101 1:5 this definition has no name"),
    ("def let := 1", "E0104 1:5 `let` is a reserved word"),
    ("def real := 1", "E0104 1:5 `real` is a reserved word"),
    ("def _ := 1", "E0101 1:5 a definition needs a name"),
    ("def f x := 1", "E0101 1:7 a parameter needs parentheses and a type"),
    ("def f (x) := 1", "E0101 1:9 a parameter of a definition needs a type"),
    ("def f (x : real := 1", "E0101 1:17 this `(` is never closed"),
    ("def f {n : int} := 1", "E0101 1:12 braces hold sizes and types"),
    ("def f {n > 0} := 1", "E0101 1:10 a size has only lower bounds"),
    ("def f := (1 +\ndef g := 2", "E0101 2:1 expected a term, found `def`"),
    ("def f := (1\ndef g := 2", "E0101 2:1 this `(` is never closed"),
    ("def f := g def := 2", "E0101 1:16 this definition has no name"),
    ("f := 1", "E0101 1:1 expected `def`, found `f`"),
    ("def f := 1\ng := 2", "E0101 2:3 expected `def`, `import` or the end, found `:=`"),
    ("import a", "E0101 1:8 expected a file name in quotes, found `a`"),
    ("def f : array n := 1", "E0101 1:17 expected a type, found `:=`"),
    ("def f := 1 /- open", "E0102 1:12 this comment is never closed"),
    ("def f (exp : real) := 1", "E0104 1:8 `exp` is a reserved word"),
    ("def f := let x := 1\n  let y := 2;\n  x + y\ndef g := 1", "E0101 1:20 this `let` has no `;`"),
];

const WRONG_RULES: &[(&str, &str)] = &[
    ("r = x --> y", "E0101 1:5 expected a backtick, found `x`"),
    ("r = `x --> y", "E0101 1:13 expected a backtick, found the end"),
    ("r = `x`", "E0101 1:7 expected `-->`, found a backtick"),
    ("r = `x < --> y`", "E0101 1:10 expected a term, found `-->`"),
    ("r = `(x --> y`", "E0101 1:9 this `(` is never closed"),
    ("r `x --> y`", "E0101 1:3 expected a parameter or `=`, found a backtick"),
    ("r = `x --> y` where", "E0101 1:20 expected a condition, found the end"),
    ("r = `x --> y` maybe", "E0101 1:15 expected `exact`, `,`, `where`, `unchecked` or the end, found `maybe`"),
    ("r = `x --> y` where (a <= b) + 1 = 2", "E0101 1:21 a condition stands where a number is needed"),
    ("r = `e(x : real) --> y`", "E0101 1:12 an argument of a pattern variable has no type"),
    ("exp = `x --> y`", "E0104 1:1 `exp` is a reserved word"),
];
