//! The parser, seen from outside: text in, a compact form of the raw tree or one diagnostic out.

mod sexp;

use std::cell::Cell;
use std::rc::Rc;

use redexter::ground::{Budget, Limits, Sources, Span, StopReason, Trouble, with_stack};
use redexter::syntax::raw::{RawModel, RawRule, RawTerm};
use redexter::syntax::{parse_model, parse_rule, parse_rule_book, parse_term, parse_type};

/// A text as a table of its own, and the span of all of it.
fn whole(text: &str) -> (Sources, Span) {
    let mut sources = Sources::default();
    let id = sources.add("test", text);
    let end = sources.get(id).text.len();
    (sources, Span::new(id, 0, end))
}

fn term(text: &str) -> Result<RawTerm, Trouble> {
    let (sources, region) = whole(text);
    parse_term(&sources, region, &Budget::default())
}

fn model(text: &str) -> Result<RawModel, Trouble> {
    let (sources, region) = whole(text);
    parse_model(&sources, region.source, &Budget::default())
}

fn rule(text: &str) -> Result<RawRule, Trouble> {
    let (sources, region) = whole(text);
    parse_rule(&sources.get(region.source).text, region, &Budget::default())
}

fn check_terms(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        match term(text) {
            Ok(tree) => assert_eq!(sexp::term(&tree), *expected, "{text}"),
            Err(trouble) => panic!("{text}: {trouble:?}"),
        }
    }
}

/// Runs on a stack like the one of the binary.
fn deep(test: impl FnOnce() + Send + 'static) {
    with_stack(Limits::default().max_depth, test).expect("a thread");
}

#[test]
fn precedence() {
    check_terms(&[
        ("a + b * c", "(+ a (* b c))"),
        ("a - b - c", "(- (- a b) c)"),
        ("a / b * c", "(* (/ a b) c)"),
        ("-a * b", "(* (-. a) b)"),
        ("a * -b", "(* a (-. b))"),
        ("a - -b", "(- a (-. b))"),
        ("- - a", "(-. (-. a))"),
        ("-1", "(-. 1)"),
        ("-f x", "(-. (f x))"),
        ("f -x", "(- f x)"),
        ("-a[i].1", "(-. (.1 (get a i)))"),
        ("a + b < c * d", "(< (+ a b) (* c d))"),
        ("not a < b", "(not (< a b))"),
        ("not a && b", "(&& (not a) b)"),
        ("not not a || b", "(|| (not (not a)) b)"),
        ("a || b && c", "(|| a (&& b c))"),
        ("a && b && c", "(&& (&& a b) c)"),
        ("a = b && c != d", "(&& (= a b) (!= c d))"),
        ("a <= b || a >= b", "(|| (<= a b) (>= a b))"),
        ("(a < b) < c", "(< (< a b) c)"),
        ("1 < 2 && not 3 > 4", "(&& (< 1 2) (not (> 3 4)))"),
    ]);
}

#[test]
fn application_and_postfix() {
    check_terms(&[
        ("f a b", "((f a) b)"),
        ("f x[i]", "(f (get x i))"),
        ("f x [i]", "((f x) (array i))"),
        ("(f x)[i][j]", "(get (get (f x) i) j)"),
        ("p.1.2", "(.2 (.1 p))"),
        ("a[i].1", "(.1 (get a i))"),
        ("f 2.1", "(f 2.1)"),
        ("(2).1", "(.1 2)"),
        ("f(x)", "(f x)"),
        ("f(x)[i]", "(f (get x i))"),
        ("f(a, b)", "(f (pair a b))"),
        ("fst p", "(fst p)"),
        ("exp x + 1", "(+ (exp x) 1)"),
        ("pow x 2", "((pow x) 2)"),
        ("real i", "(real i)"),
        ("D f x", "((D f) x)"),
        ("D f[i] x", "((D (get f i)) x)"),
        ("D (D f) x", "((D (D f)) x)"),
        ("D D f", "(D (D f))"),
        ("g D f x", "((g (D f)) x)"),
        ("D(f)", "(D f)"),
        ("D f(x)", "((D f) x)"),
        ("D fun x => x", "(D (fun (x) x))"),
        ("ifold n f z", "(((ifold n) f) z)"),
        ("ifold (n + 2 * m) f z", "(((ifold (+ n (* 2 m))) f) z)"),
        ("build 3 f", "((build 3) f)"),
        ("build _ f", "((build _) f)"),
        ("[1, 2][i]", "(get (array 1 2) i)"),
        ("[]", "(array)"),
        ("(a, b, c)", "(pair a (pair b c))"),
        ("(a : array n (real * int))", "(: a (array n (* real int)))"),
    ]);
    check_terms(&[
        ("letter iffy D1 funny into n' _x", "((((((letter iffy) D1) funny) into) n') _x)"),
        ("größe x₁", "(größe x₁)"),
    ]);
}

#[test]
fn open_forms_reach_far() {
    check_terms(&[
        ("fun x => x + 1", "(fun (x) (+ x 1))"),
        ("fun (x y : real) z => x", "(fun ((x real) (y real) z) x)"),
        ("fun (x) => x", "(fun (x) x)"),
        ("fun _ => 1", "(fun (_) 1)"),
        ("λ x. e", "(fun (x) e)"),
        ("λx y. e", "(fun (x y) e)"),
        ("λ x => e", "(fun (x) e)"),
        ("let x := 1; x + x", "(let x 1 (+ x x))"),
        ("let x : real := 1; x", "(let (x real) 1 x)"),
        ("let x := let y := 1; y; x", "(let x (let y 1 y) x)"),
        ("if c then 1 else 2 + 3", "(if c 1 (+ 2 3))"),
        ("if a then if b then 1 else 2 else 3", "(if a (if b 1 2) 3)"),
        ("acc + if c then 1 else 0", "(+ acc (if c 1 0))"),
        ("f fun x => x y", "(f (fun (x) (x y)))"),
        ("f a if c then 1 else 0", "((f a) (if c 1 0))"),
        ("1 * let x := 2; x + 3", "(* 1 (let x 2 (+ x 3)))"),
        ("-if c then 1 else 0", "(-. (if c 1 0))"),
        ("a && not fun x => x || y", "(&& a (not (fun (x) (|| x y))))"),
        ("(fun x => x, fun y => y)", "(pair (fun (x) x) (fun (y) y))"),
        ("[let x := 1; x, 2]", "(array (let x 1 x) 2)"),
        ("a[if c then i else j]", "(get a (if c i j))"),
        ("(fun x => x) y", "((fun (x) x) y)"),
    ]);
}

#[test]
fn comments_and_blanks() {
    check_terms(&[
        ("a -- b\n + c", "(+ a c)"),
        ("a /- b /- c -/ d -/ + e", "(+ a e)"),
        ("a\r\n+\tb -- ü", "(+ a b)"),
        ("a /- ü\n -/ b", "(a b)"),
    ]);
}

#[test]
fn types() {
    for (text, expected) in [
        ("real", "real"),
        ("a * b * c", "(* a (* b c))"),
        ("a -> b → c", "(-> a (-> b c))"),
        ("a × b -> c", "(-> (* a b) c)"),
        ("(a -> b) * fin n", "(* (-> a b) (fin n))"),
        ("array (n+1) (fin 3)", "(array (+ n 1) (fin 3))"),
        ("array n (array _ _)", "(array n (array _ _))"),
        ("fin (n + m + 1)", "(fin (+ (+ n m) 1))"),
        ("fin ((n + m) * 2)", "(fin (* (+ n m) 2))"),
    ] {
        let (sources, region) = whole(text);
        let tree = parse_type(&sources, region, &Budget::default()).unwrap_or_else(|t| panic!("{text}: {t:?}"));
        assert_eq!(sexp::ty(&tree), expected, "{text}");
    }
}

#[test]
fn models() {
    let text = "import \"a--b.arr\" -- beside\r\ndef f {n m} {k >= 1} (x y : real) {a b : type} (i : fin n) : real := x\ndef c := 1";
    let tree = model(text).expect("a model");
    assert_eq!(
        sexp::model(&tree),
        "(import a--b.arr)\n\
         (def f {n m k>=1 a:type b:type} ((x real) (y real) (i (fin n))) real x)\n\
         (def c {} () - 1)"
    );
    let body = &tree.definitions[1];
    assert_eq!(&text[body.span.start as usize..body.span.end as usize], "def c := 1");
}

#[test]
fn regions_keep_their_place() {
    let (sources, region) = whole("term(\"a + b\")");
    let inner = Span::new(region.source, 6, 11);
    let tree = parse_term(&sources, inner, &Budget::default()).expect("a term");
    assert_eq!(tree.span, inner);
    let wrong = parse_term(&sources, Span::new(region.source, 6, 9), &Budget::default());
    assert_eq!(sexp::trouble(&sources, &wrong.expect_err("half a term")), "E0101 1:10 expected a term, found the end");
}

#[test]
fn rules() {
    for (text, expected) in [
        ("getBuild = `(build n f)[i] --> f i`", "getBuild() `(get ((build n) f) i) --> (f i)`"),
        ("beta = `(fun x => b(x)) a --> let x := a; b(x)`", "beta() `((fun (x) b<x>) a) --> (let x a b<x>)`"),
        (
            "letSubstN(k) = `let x := a; b(x) --> b(a)` where occurrences(x) <= k, not constant(a) && (size(n)+1)*2 > k exact",
            "letSubstN(k) `(let x a b<x>) --> b<a>` where occurrences(x) <= k, not constant(a), ((size(n) + 1) * 2) > k exact",
        ),
        (
            "z = `x * 0 --> 0`, `0 * x --> 0` real_exact unchecked",
            "z() `(* x 0) --> 0` `(* 0 x) --> 0` real_exact unchecked",
        ),
        (
            "d = `a * (b + c) <--> a * b + a * c` reassociating",
            "d() `(* a (+ b c)) <--> (+ (* a b) (* a c))` reassociating",
        ),
        ("p = `f (a, b) --> e(fst a, i)[j]`", "p() `(f (pair a b)) --> (get e<(fst a), i> j)`"),
        ("q = `exp(x) --> _` where not (a <= 2)", "q() `(exp x) --> _` where not a <= 2"),
        ("r = `a<-->b` // said\n , `a-->b -- too` unchecked", "r() `a <--> b` `a --> b` unchecked"),
    ] {
        let tree = rule(text).unwrap_or_else(|t| panic!("{text}: {t:?}"));
        assert_eq!(sexp::rule(&tree), expected, "{text}");
    }
}

#[test]
fn rule_books() {
    let text = "// The book; `quoted.\n\n// # Arrays\n\n// Reads what\n// was built.\nrule a = `x --> y`;\nrule b = `x --> y`;\n\n\
                // # Sums\n// doc\nrule c = `x --> y`; // end\n";
    let (sources, region) = whole(text);
    let book = parse_rule_book(&sources, region.source, &Budget::default()).expect("a book");
    let shown: Vec<_> =
        book.iter().map(|(group, rule)| (group.as_str(), rule.name.name.as_str(), rule.doc.as_str())).collect();
    assert_eq!(shown, [("Arrays", "a", "Reads what\nwas built."), ("Arrays", "b", ""), ("Sums", "c", "doc")]);
}

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
    ("x ^ 2", "E0101 1:3 `^` is no operator"),
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
    ("fun (a, b) => a", "E0101 1:7 a parameter is a name"),
    ("(a, ", "E0101 1:4 expected a term, found the end"),
    ("build 2.5 f", "E0101 1:7 expected a size, found `2`"),
    ("build 9223372036854775808 f", "E0209 1:7 this size is too large"),
    ("build (n f", "E0101 1:10 expected `)`, found `f`"),
    ("2x", "E0103 1:1 `2x` is no numeral"),
    ("1e999", "E0103 1:1 this numeral is too large"),
    ("2. + 1", "E0103 1:1 digits are missing behind the point"),
    ("p.3", "E0101 1:2 this is no projection"),
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

#[test]
fn long_chains_load() {
    deep(|| {
        let n = 50_000;
        let chains = [
            "let x := 1 + 2; ".repeat(n) + "x",
            "fun x => ".repeat(n) + "x",
            "λ x. ".repeat(n) + "x",
            "if c then 1 else ".repeat(n) + "x",
            "1 + ".repeat(n) + "1",
            "x ".repeat(n),
            "-".to_owned() + " -".repeat(n).as_str() + "1",
            "f fun x => ".repeat(n / 2) + "1",
            "x".to_owned() + "[i]".repeat(n).as_str(),
            "x".to_owned() + ".1".repeat(n).as_str(),
            "D ".repeat(n) + "x",
            "(".to_owned() + "1, ".repeat(n).as_str() + "1)",
        ];
        for text in chains {
            assert!(term(&text).is_ok(), "{}", &text[..20]);
        }
    });
}

#[test]
fn deep_brackets_load() {
    deep(|| {
        let n = Limits::default().max_depth as usize - 10;
        for (open, close) in [
            ("(", ")"),
            ("[", "]"),
            ("(1, ", ")"),
            ("x[", "]"),
            ("(f ", ")"),
            ("let y := ", "; y"),
            ("if ", " then 1 else 2"),
            ("if 1 then ", " else 2"),
            ("- (", ")"),
        ] {
            let text = open.repeat(n) + "x" + close.repeat(n).as_str();
            assert!(term(&text).is_ok(), "{open}");
            let unclosed = open.repeat(n) + "x";
            assert!(term(&unclosed).is_err(), "{open}");
        }
        let nested = |open: &str, inside: &str, close: &str| open.repeat(n) + inside + close.repeat(n).as_str();
        assert!(term(&format!("(x : {})", nested("(", "real", ")"))).is_ok());
        assert!(term(&format!("build {} f", nested("(", "n", ")"))).is_ok());
        let code = |code: &str| rule(&format!("r = `e --> e` where holds(|e| {code}, e)"));
        assert!(code(&nested("(", "e", ")")).is_ok());
        assert_eq!(
            code(&"(((def ".repeat(n)).expect_err("too deep"),
            Trouble::from(StopReason::Depth(Limits::default().max_depth))
        );
        let text = "/-".repeat(n) + "-/".repeat(n).as_str() + "1";
        assert!(term(&text).is_ok());
    });
}

/// A budget whose watch counts how often it is asked.
fn counted(most: u32) -> (Budget, Rc<Cell<u32>>) {
    let asked = Rc::new(Cell::new(0));
    let count = asked.clone();
    let watch = move |_: &Budget| {
        count.set(count.get() + 1);
        (count.get() > most).then_some(StopReason::Interrupted)
    };
    (Budget::new(Limits::default(), Some(Rc::new(watch))), asked)
}

#[test]
fn a_long_model_is_parsed_in_parts() {
    let definitions = |range: std::ops::Range<u32>| -> String {
        range.map(|k| format!("def f{k} (x : real) : real := x + {k} -- ä\n")).collect()
    };
    let text = definitions(0..10_000);
    let (sources, region) = whole(&text);
    let (budget, asked) = counted(u32::MAX);
    let raw = parse_model(&sources, region.source, &budget).expect("a model");
    assert!(asked.get() > 300, "{}", asked.get());
    let read = raw.definitions.iter().map(|d| &text[d.span.start as usize..d.span.end as usize]);
    assert!(read.eq(text.lines().map(|line| line.trim_end_matches(" -- ä"))));
    let stopped = parse_model(&sources, region.source, &counted(100).0);
    assert_eq!(stopped.err(), Some(StopReason::Interrupted.into()));
    // What is wrong, and what is expected there, is what a short text tells.
    for wrong in ["def g (x : real) : real := x +\n", "def g (x : real) := let y := x\n", "def x * y\n"] {
        let long = [&definitions(0..3_000), wrong, &definitions(3_000..6_000)].concat();
        let short = [&definitions(0..1), wrong, &definitions(0..1)].concat();
        let told = |text: &str| match model(text) {
            Err(Trouble::Wrong(found)) => {
                let at = found[0].labels.iter().map(|label| label.span.start as usize);
                let before = text.find(wrong).expect("it is there");
                let at: Vec<usize> = at.map(|at| at - before).collect();
                (found[0].headline.clone(), found[0].help.clone(), at)
            }
            other => panic!("{wrong}: {}", other.is_ok()),
        };
        assert_eq!(told(&long), told(&short), "{wrong}");
    }
}

#[test]
fn what_is_too_long_to_be_parsed_at_once_is_a_limit() {
    let text = "1 + ".repeat(1 << 20) + "1";
    assert_eq!(term(&text).err(), Some(StopReason::Text(1 << 20).into()));
    let (sources, region) = whole(&text);
    let (budget, asked) = counted(u32::MAX);
    assert!(parse_term(&sources, region, &budget).is_err() && asked.get() > 1_000);
    assert!(model(&"def f (x : real) := x\n".repeat(200_000)).is_ok());
}

#[test]
fn too_deep_is_a_limit() {
    deep(|| {
        let stopped = Trouble::from(StopReason::Depth(100_000));
        for text in [
            "(".repeat(100_001),
            "let x := 1; ".repeat(100_001) + "x",
            "1 + ".repeat(100_001) + "1",
            "if ".repeat(100_001),
        ] {
            assert_eq!(term(&text).expect_err("too deep"), stopped);
        }
    });
}

#[test]
fn shared_prefixes_cost_nothing() {
    for (open, close) in [("(", ")"), ("(1, ", ")"), ("(", " : real)"), ("f(", ")"), ("if (", ") then 1 else 2")] {
        let text = open.repeat(60) + "x" + close.repeat(60).as_str();
        assert!(term(&text).is_ok(), "{text}");
        assert!(term(&(text + " $")).is_err());
        assert!(term(&(open.repeat(60) + "x $" + close.repeat(60).as_str())).is_err());
    }
    for open in ["(", "[", "{", "(\""] {
        assert!(rule(&format!("r = `e --> e` where holds(|e| {}, e)", open.repeat(60))).is_err());
    }
}

mod any_text {
    use super::{Budget, model, parse_rule_book, rule, term, whole};
    use proptest::prelude::{Just, Strategy, prop, prop_oneof, proptest};

    /// Text that is nearly of the language.
    fn tokens() -> impl Strategy<Value = String> {
        const WORDS: &[&str] = &[
            "def ", "let ", "fun ", "λ", "if ", "then ", "else ", "x", "(", ")", "[", "]", "{", "}", ":=", ":", ";",
            ",", "=>", "->", "-->", "<-->", "`", "+", "-", "*", "<", "=", "not ", "&&", "D ", "build ", "ifold ",
            "fin ", "n", "array ", "real ", "1", "2.5", ".1", ".", "_", "exp ", "where ", "rule ", "--", "/-", "-/",
            "//", "/*", "\n", "\r\n", " ", "\"", "import ", "ü", "type ", ">=", "exact ",
        ];
        prop::collection::vec(prop_oneof![prop::sample::select(WORDS), Just(" ")], 0..40)
            .prop_map(|words| words.concat())
    }

    fn never_panics(text: &str) {
        let _ = term(text);
        let _ = model(text);
        let _ = rule(text);
        let (sources, region) = whole(text);
        let _ = parse_rule_book(&sources, region.source, &Budget::default());
        let _ = super::parse_type(&sources, region, &Budget::default());
    }

    proptest! {
        #[test]
        fn characters(text in "\\PC*") {
            never_panics(&text);
        }

        #[test]
        fn near_misses(text in tokens()) {
            never_panics(&text);
            never_panics(&format!("def f := {text}"));
            never_panics(&format!("r = `{text} --> x`"));
            never_panics(&format!("rule r = `{text} --> x`;"));
        }
    }
}

/// Every shipped file of this kind, with its text.
fn shipped(folder: &str, extension: &str) -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder ships").map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.extension().is_some_and(|e| e == extension));
    files.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("a text"))).collect()
}

#[test]
fn shipped_files_load() {
    for (path, text) in shipped("models", "arr") {
        let trouble = model(&text).err().map(|trouble| sexp::trouble(&whole(&text).0, &trouble));
        assert_eq!(trouble, None, "{path}");
    }
    for (path, text) in shipped("strategies/rules", "strat") {
        let (sources, region) = whole(&text);
        let book = parse_rule_book(&sources, region.source, &Budget::default());
        assert_eq!(book.err().map(|trouble| sexp::trouble(&sources, &trouble)), None, "{path}");
    }
}

/// What ships is read piece by piece, when it is first asked for: by these lists, which say what the parser says.
mod lists {
    use super::{Budget, whole};
    use redexter::ground::Name;
    use redexter::shipped;
    use redexter::syntax::{definitions, listed, parse_definition, parse_model, parse_rule, parse_rule_book};

    #[test]
    fn of_the_rule_book() {
        let mut seen = 0;
        for (_, text) in shipped::rules() {
            let (sources, region) = whole(text);
            let book = parse_rule_book(&sources, region.source, &Budget::default()).expect("a book");
            let found = listed(text);
            assert_eq!(found.len(), book.len());
            for (one, (group, rule)) in found.iter().zip(&book) {
                let region = redexter::ground::Span::new(region.source, one.range.start, one.range.end);
                let again = parse_rule(text, region, &Budget::default()).expect("a rule");
                assert_eq!(format!("{again:?}"), format!("{rule:?}"));
                assert_eq!((one.group, one.name, one.params), (&**group, rule.name.name.as_str(), rule.params.len()));
                let both = rule.laws.iter().any(|law| law.both_ways);
                assert_eq!(text[one.range.clone()].contains("<-->"), both);
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen} rules");
    }

    #[test]
    fn of_the_prelude() {
        let (sources, region) = whole(shipped::PRELUDE);
        let model = parse_model(&sources, region.source, &Budget::default()).expect("a model");
        let found = definitions(shipped::PRELUDE);
        assert_eq!(found.len(), model.definitions.len());
        for ((name, range), definition) in found.iter().zip(&model.definitions) {
            let region = redexter::ground::Span::new(region.source, range.start, range.end);
            let again = parse_definition(shipped::PRELUDE, region, &Budget::default()).expect("a definition");
            assert_eq!(Name::new(name), definition.name.name);
            assert_eq!(format!("{again:?}"), format!("{definition:?}"));
        }
    }
}
