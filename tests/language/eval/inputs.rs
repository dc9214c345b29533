//! How inputs come in, and results out.

use std::cell::Cell;
use std::rc::Rc;

use crate::eval::generate::Generator;
use redexter::eval::{self, Sizes, Value};
use redexter::ground::{Budget, DiagnosticCode, Limits, Name, StopReason, Trouble, code};
use redexter::term::{Program, Size, Term, Type};

use crate::eval::work::sizes;
use crate::eval::{closed, lam, n, name, real, run, sum, taking, vector};

/// What is wrong with these inputs: codes and headlines.
fn refused(program: &Program, json: &str, sizes: &[(&str, u64)]) -> Vec<(DiagnosticCode, String)> {
    let sizes: Vec<(Name, u64)> = sizes.iter().map(|(x, value)| (name(x), *value)).collect();
    match eval::inputs_from_json(program, json, &sizes, &Budget::default()) {
        Err(Trouble::Wrong(all)) => all
            .into_iter()
            .map(|d| {
                assert!(!d.help.is_empty(), "no remedy: {}", d.headline);
                (d.code, format!("{}; {}", d.headline, d.help.join("; ")))
            })
            .collect(),
        other => panic!("accepted: {other:?}"),
    }
}

#[track_caller]
fn refuses(program: &Program, json: &str, sizes: &[(&str, u64)], expected: DiagnosticCode, parts: &[&str]) {
    let all = refused(program, json, sizes);
    assert_eq!(all[0].0, expected, "{all:?}");
    for part in parts {
        assert!(all[0].1.contains(part), "`{part}` isn't in {all:?}");
    }
}

#[test]
fn results_survive_json() {
    for seed in 0..100 {
        let program = Generator::new(seed, true).program(4);
        let sizes = sizes(2, 3);
        let inputs = eval::random_inputs(&program, &sizes, seed).unwrap();
        let keys = eval::parameters(&program);
        let text: Vec<String> =
            keys.iter().zip(&inputs).map(|(p, v)| format!("\"{}\": {}", p.name, eval::value_to_json(v))).collect();
        let (again, solved) =
            eval::inputs_from_json(&program, &format!("{{{}}}", text.join(", ")), &[], &Budget::default()).unwrap();
        assert!(inputs.iter().zip(&again).all(|(a, b)| a.same(b)));
        assert_eq!(solved, sizes);
    }
    for x in [1.0, -0.0, 0.1, 5e-324, f64::MAX, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let text = eval::value_to_json(&Value::Real(x));
        let program = taking(&[("x", real())], Term::var(0, &real()));
        assert_eq!(run(&program, &format!("{{\"x\": {text}}}")).0, text);
    }
    assert_eq!(eval::value_to_json(&Value::Real(1.0)), "1.0");
    let pair = Value::pair(Value::array(vec![Value::Int(-3)]), Value::Index(4));
    assert_eq!(eval::value_to_json(&pair), "[[-3], 4]");
}

#[test]
fn sizes_are_solved_from_lengths() {
    let m = Size::var(&name("m"));
    let both = Type::array(n().plus(&m).unwrap(), real());
    let program = taking(&[("w", both), ("v", vector())], Term::size_value(&m));
    assert_eq!(run(&program, r#"{"w": [1, 2, 3], "v": [1]}"#).0, "2");
    refuses(&program, r#"{"w": [1], "v": [1, 2]}"#, &[], code::INPUT_SIZES, &["`w` has 1 element", "n is 2 by `v`"]);
    let odd = n().plus(&n()).unwrap().plus(&Size::literal(1)).unwrap();
    let program = taking(&[("u", Type::array(odd, real()))], Term::size_value(&n()));
    assert_eq!(run(&program, r#"{"u": [1, 2, 3, 4, 5]}"#).0, "2");
    refuses(&program, r#"{"u": [1, 2]}"#, &[], code::INPUT_SIZES, &["`u`", "2 * n + 1"]);
    let square = taking(&[("q", Type::array(n().times(&n()).unwrap(), real()))], Term::size_value(&n()));
    assert_eq!(run(&square, r#"{"q": [1, 2, 3, 4]}"#).0, "2");
    let matrix = taking(&[("a", Type::array(n(), Type::array(m.clone(), real())))], Term::size_value(&m));
    assert_eq!(run(&matrix, r#"{"a": []}"#).0, "0");
    assert_eq!(run(&matrix, r#"{"a": [], "m": 4}"#).0, "4");
    let mut bounded = matrix.clone();
    bounded.bounds.require(&name("m"), 3);
    assert_eq!(run(&bounded, r#"{"a": []}"#).0, "3");
    let shadow = taking(&[("n", vector())], Term::size_value(&n()));
    assert_eq!(run(&shadow, r#"{"n": [5, 6]}"#).0, "2");
    let twins = taking(&[("x", real()), ("x", real())], Term::var(0, &real()));
    assert_eq!(run(&twins, r#"{"x": 1, "x1": 2}"#).0, "2.0");
}

/// Python writes what JSON has no numbers for without quotes.
#[test]
fn pythons_words_for_reals_are_read() {
    let pair = taking(&[("x", real()), ("Infinity", real())], Term::var(1, &real()));
    for (word, expected) in [("NaN", "\"NaN\""), ("Infinity", "\"inf\""), ("-Infinity", "\"-inf\""), ("1", "1.0")] {
        let (value, _) = run(&pair, &format!("{{\"x\": {word},\n \"Infinity\": -Infinity}}"));
        assert_eq!(value, expected);
    }
    let last =
        taking(&[("v", Type::array(Size::literal(2), real()))], Term::var(0, &Type::array(Size::literal(2), real())));
    assert_eq!(run(&last, r#"{"v": [NaN, -Infinity]}"#).0, r#"["NaN", "-inf"]"#);
    for wrong in [r#"{"v": [NaNs]}"#, r#"{"v": [nan]}"#, r#"{"v": [- Infinity]}"#, r#"{"v": ["\"NaN", NaN}"#] {
        refuses(&sum(), wrong, &[], code::BAD_JSON, &["this is no JSON", "line 1 column"]);
    }
}

#[test]
fn wrong_json_is_refused() {
    let bad = |json: &str, parts: &[&str]| refuses(&sum(), json, &[], code::BAD_JSON, parts);
    bad("{\"v\": [1,}", &["line 1 column 10"]);
    bad("", &["line 1"]);
    bad("{\"v\": [1e999]}", &["out of range", "line 1 column"]);
    bad(&format!("{{\"v\": {}{}}}", "[".repeat(200), "]".repeat(200)), &["nested too deep"]);
    refuses(&sum(), "[1]", &[], code::INPUT_SHAPE, &["an object", "an array of 1"]);
}

#[test]
fn wrong_shapes_are_refused() {
    let shape = |p: &Program, json: &str, parts: &[&str]| refuses(p, json, &[], code::INPUT_SHAPE, parts);
    shape(&sum(), r#"{"v": 3}"#, &["`v` must be an array n real", "the number 3"]);
    shape(&sum(), r#"{"v": [1, true]}"#, &["`v[1]` must be a real", "true"]);
    shape(&sum(), r#"{"v": [1, "nan"]}"#, &["`v[1]`", "\"nan\""]);
    let parameters = [
        ("a", Type::array(n(), Type::array(Size::literal(2), real()))),
        ("i", Type::fin(n())),
        ("k", Type::int()),
        ("p", Type::pair(real(), Type::int())),
    ];
    let program = taking(&parameters, Term::var(1, &Type::int()));
    let with = |a: &str, i: &str, k: &str, p: &str| format!(r#"{{"a": {a}, "i": {i}, "k": {k}, "p": {p}}}"#);
    assert_eq!(run(&program, &with("[[1, 2]]", "0", "3.0", "[1, 2]")).0, "3");
    shape(&program, &with("[[1, 2], [1]]", "0", "1", "[1, 2]"), &["`a[1]` has 1", "`a[0]` has 2"]);
    shape(&program, &with("[[1, 2, 3]]", "0", "1", "[1, 2]"), &["`a[0]` must have 2 elements", "has 3"]);
    shape(&program, &with("[[1, 2]]", "1", "1", "[1, 2]"), &["`i` must be an index below n, which is 1", "number 1"]);
    shape(&program, &with("[[1, 2]]", "-1", "1", "[1, 2]"), &["`i`", "number -1"]);
    shape(&program, &with("[]", "0", "1", "[1, 2]"), &["`i`", "give larger sizes"]);
    shape(&program, &with("[[1, 2]]", "0", "1.5", "[1, 2]"), &["`k` must be an int", "1.5"]);
    shape(&program, &with("[[1, 2]]", "0", "9223372036854775808", "[1, 2]"), &["`k` must be an int"]);
    shape(&program, &with("[[1, 2]]", "0", "1", "[1]"), &["`p` must be a pair real * int", "an array of 1"]);
    shape(&program, &with("[[1, 2]]", "0", "1", "[1, null]"), &["`p[1]` must be an int", "null"]);
    shape(&sum(), r#"{"v": [], "n": -1}"#, &["`n` must be a size"]);
}

#[test]
fn missing_superfluous_and_contradicting_inputs_are_refused() {
    refuses(&sum(), "{}", &[], code::INPUT_MISSING, &["`v`", "array n real"]);
    refuses(&sum(), r#"{"v": [], "vv": 1}"#, &[], code::INPUT_SUPERFLUOUS, &["`vv`", "did you mean `v`"]);
    refuses(&sum(), r#"{"v": []}"#, &[("k", 1)], code::INPUT_SUPERFLUOUS, &["no size `k`", "there is n"]);
    refuses(&sum(), r#"{"v": [1]}"#, &[("n", 2)], code::INPUT_SIZES, &["`v` has 1 element", "--size n=2"]);
    refuses(&sum(), r#"{"v": [1], "n": 3}"#, &[("n", 1)], code::INPUT_SIZES, &["--size n=1", "key \"n\""]);
    refuses(&sum(), r#"{"v": []}"#, &[("n", u64::MAX)], code::INPUT_SIZES, &["too large"]);
    let size = closed(Term::size_value(&n()));
    refuses(&size, "{}", &[], code::INPUT_MISSING, &["`n`", "--size n="]);
    let mut bounded = sum();
    bounded.bounds.require(&name("n"), 2);
    refuses(&bounded, r#"{"v": [1]}"#, &[], code::INPUT_SIZES, &["1 by `v`", "at least 2"]);
}

#[test]
fn functions_are_no_data() {
    let f = Type::fun(real(), real());
    let takes = taking(&[("f", f.clone())], Term::app(Term::var(0, &f), Term::real(1.0)).unwrap());
    refuses(&takes, r#"{"f": 1}"#, &[], code::NOT_DATA, &["`f`", "real -> real"]);
    assert!(eval::random_inputs(&takes, &Sizes::default(), 1).is_none());
    let gives = closed(Term::pair(lam("x", &real(), Term::var(0, &real())), Term::real(1.0)).unwrap());
    refuses(&gives, "{}", &[], code::NOT_DATA, &["the result"]);
    let open = Type::var(&name("a"));
    refuses(&taking(&[("x", open.clone())], Term::int(1)), r#"{"x": 1}"#, &[], code::NOT_DATA, &["left open"]);
}

#[test]
fn inputs_of_other_types_never_reach_the_program() {
    let sizes: Sizes = [(name("n"), 2)].into_iter().collect();
    let try_it = |inputs: &[Value], sizes: &Sizes| match eval::evaluate(&sum(), inputs, sizes, &Budget::default()) {
        Err(Trouble::Wrong(all)) => all[0].code,
        other => panic!("{other:?}"),
    };
    assert_eq!(try_it(&[], &sizes), code::INPUT_MISSING);
    assert_eq!(try_it(&[Value::Real(1.0)], &sizes), code::INPUT_SHAPE);
    assert_eq!(try_it(&[Value::array(vec![Value::Real(1.0)])], &sizes), code::INPUT_SHAPE);
    assert_eq!(try_it(&[Value::array(vec![])], &Sizes::default()), code::INPUT_MISSING);
    assert!(eval::random_inputs(&taking(&[("i", Type::fin(n()))], Term::int(1)), &Sizes::default(), 0).is_none());
    let mut index = taking(&[("i", Type::fin(n()))], Term::int(1));
    let at = |program: &Program, i: u64, n: u64| {
        let sizes: Sizes = [(name("n"), n)].into_iter().collect();
        match eval::evaluate(program, &[Value::Index(i)], &sizes, &Budget::default()) {
            Err(Trouble::Wrong(all)) => Some(all[0].code),
            done => done.map(|_| None).expect("it ends"),
        }
    };
    assert_eq!([at(&index, 1, 2), at(&index, 2, 2)], [None, Some(code::INPUT_SHAPE)]);
    index.bounds.require(&name("n"), 3);
    assert_eq!([at(&index, 1, 3), at(&index, 1, 2)], [None, Some(code::INPUT_SIZES)]);
}

/// A long array is read in three passes, each of which asks: the text, the lengths, the values.
#[test]
fn inputs_are_read_under_a_budget() {
    let json = format!("{{\"v\": [{}1]}}", "1.5, ".repeat(100_000));
    let asked = Rc::new(Cell::new(0));
    let budget = |most: u32| {
        asked.set(0);
        let count = asked.clone();
        let watch = move |_: &Budget| {
            count.set(count.get() + 1);
            (count.get() > most).then_some(StopReason::Interrupted)
        };
        Budget::new(Limits::default(), Some(Rc::new(watch)))
    };
    let read = |budget: &Budget| eval::inputs_from_json(&sum(), &json, &[], budget).map(|(_, sizes)| sizes);
    assert_eq!(read(&budget(u32::MAX)), Ok([(name("n"), 100_001)].into_iter().collect()));
    assert!(asked.get() > 1_100, "{}", asked.get());
    for most in [100, 500, 1_000] {
        assert_eq!(read(&budget(most)), Err(StopReason::Interrupted.into()));
    }
}
