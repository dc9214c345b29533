//! What is a text of the language.

use redexter::ground::{Budget, Span};
use redexter::syntax::{parse_rule_book, parse_term, parse_type};

use crate::syntax::{check_terms, model, rule, sexp, whole};

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
