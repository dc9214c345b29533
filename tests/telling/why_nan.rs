//! Where NaNs and infinities come from: the operation, its place, its operands and the indices of the loops are what IEEE
//! arithmetic by hand says.

use std::path::Path;

use redexter::ground::Nesting;
use redexter::questions::NonFinite;
use redexter::session::{MemorySystem, Session, SilentSink};
use redexter::walk::QuestionFinding;
use serde_json::Value;

use crate::support::session::session;
use crate::support::walks::{deep, found, submit};

/// A session whose term is the definition `f` of this model.
fn of(model: &str) -> Session {
    let memory = MemorySystem::default();
    memory.put(Path::new("m.arr"), model.as_bytes());
    let mut session = session(memory, Nesting { terms: 100_000, ..Nesting::default() }, SilentSink);
    submit(&mut session, ":load m.arr");
    submit(&mut session, "m.f");
    session
}

fn asked(model: &str, inputs: &str) -> (Value, String) {
    let finding: NonFinite = found(&mut of(model), &format!(":why-nan {inputs}"));
    (finding.json(), finding.text(100.into()).into_text())
}

/// The operation's name, operands with `=`, loops with `=`, and half, as one line.
fn told(found: &Value) -> String {
    let operation = &found["operation"];
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let list = |of: &str, name: &str, value: &str| {
        let each = operation[of].as_array().into_iter().flatten();
        let all: Vec<String> = each.map(|one| format!("{}={}", text(&one[name]), text(&one[value]))).collect();
        all.join(" ")
    };
    let half =
        operation["half"].as_str().map_or_else(String::new, |half| format!(" {half} of {}", text(&operation["of"])));
    let (operands, loops) = (list("operands", "text", "value"), list("loops", "name", "index"));
    format!("{} | {operands} | {loops}{half}", text(&operation["name"]))
}

/// Programs over data, the operation that makes the first NaN of the result, what it is given, the loops, and the half of the
/// dual number.
const OPERATIONS: &[(&str, &str, &str)] = &[
    ("def f (x : real) : real := sqrt x", "x=-1", "sqrt | x=-1.0 | "),
    ("def f (x : real) : real := log (x - 3)", "x=2", "log | x - 3=-1.0 | "),
    ("def f (x : real) : real := 0 / x", "x=0", "/ | 0=0.0 x=0.0 | "),
    ("def f (x : real) : real := (1 / x) - (1 / x)", "x=0", "- | 1 / x=inf 1 / x=inf | "),
    ("def f (x : real) : real := x * (1 / x)", "x=0", "* | x=0.0 1 / x=inf | "),
    ("def f (x : real) : real := (1 / x) / (1 / x)", "x=0", "/ | 1 / x=inf 1 / x=inf | "),
    ("def f (x : real) : real := sin (1 / x)", "x=0", "sin | 1 / x=inf | "),
    ("def f (x : real) : real := cos (1 / x)", "x=0", "cos | 1 / x=inf | "),
    ("def f (x : real) : real := exp (1 / x) * 0", "x=0", "* | exp (1 / x)=inf 0=0.0 | "),
    ("def f (x : real) : real := 1 + sqrt (x + sqrt x)", "x=-4", "sqrt | x=-4.0 | "),
    (
        "def f {n} (v : array n real) : array n real := build n (fun i => sqrt v[i])",
        "v=[1, 4, -9, -1]",
        "sqrt | v[i]=-9.0 | i=2",
    ),
    (
        "def f {n} (v : array n real) : real := ifold n (fun a i => a + log v[i]) 0",
        "v=[1, 4, 2, -1]",
        "log | v[i]=-1.0 | i=3",
    ),
    (
        "def f {n m} (a : array n (array m real)) : array n real :=
           build n (fun i => ifold m (fun s j => s + sqrt a[i][j]) 0)",
        "a=[[1, 2, 3], [4, 5, -6]]",
        "sqrt | a[i][j]=-6.0 | i=1 j=2",
    ),
    ("def f (x : real) : real := let g := fun (y : real) => sqrt y; g (x + 1) + g x", "x=-0.5", "sqrt | y=-0.5 | "),
    (
        "def f {n} (v : array n real) : array n real := let g := fun (y : real) => log y; build n (fun k => g v[k] + g 2)",
        "v=[3, -2]",
        "log | y=-2.0 | k=1",
    ),
    (
        "def f {n} (v : array n real) : real := (ifold n (fun g i => fun (y : real) => g (sqrt (y - v[i]))) (fun y => y)) 1",
        "v=[1, 3]",
        "sqrt | y - v[i]=-2.0 | ",
    ),
    ("def f (x : real) : real := (fun y z => sqrt (y - z)) x (x + 2)", "x=1", "sqrt | y - z=-2.0 | "),
    ("def f (x : real) : real * real := (x, sqrt (0 - x))", "x=2", "sqrt | 0 - x=-2.0 | "),
    ("def f (x : real) : real := if x < 0 then sqrt x else log x", "x=-3", "sqrt | x=-3.0 | "),
    (
        "def f {n} (v : array n real) : real := let w := build n (fun i => v[i] * v[i]); vectorSum w / vectorSum v",
        "v=[0, 0]",
        "/ | ",
    ),
];

#[test]
fn the_operation_is_named_with_its_operands_and_the_loops_indices() {
    deep(|| {
        for (model, inputs, expected) in OPERATIONS {
            let (found, text) = asked(model, inputs);
            assert!(told(&found).starts_with(expected.trim_end()), "{model} {inputs}: {}\n{text}", told(&found));
            assert!(found["nan"].as_u64() > Some(0), "{text}");
        }
    });
}

#[test]
fn an_operation_of_d_is_in_the_tangent_or_in_the_primal() {
    deep(|| {
        for (model, inputs, expected, why) in [
            // d sqrt x = dx / (2 sqrt x): 0 / 0 where x = 0 and the direction has a 0 there.
            (
                "def f (x : real) (dx : real) : real * real := (D (fun (y : real) => sqrt y)) (x, dx)",
                "x=0 dx=0",
                "/ | snd y=0.0 2 * r=0.0 |  tangent of sqrt (fst y)",
                "a zero tangent, where the slope is infinite",
            ),
            (
                "def f (x : real) (dx : real) : real * real := (D (fun (y : real) => sqrt y)) (x, dx)",
                "x=-1 dx=0",
                "sqrt | fst y=-1.0 |  primal of sqrt (fst y)",
                "`sqrt` has no value there",
            ),
            // d (x * y) = x dy + dx y: 0 * inf where y is infinite.
            (
                "def f (y : real) : real := snd ((D (fun (x : real) => x * (1 / y))) (1, 0))",
                "y=0",
                "* | ",
                "0 times an infinity is NaN: a zero tangent times an infinite slope",
            ),
            (
                "def f {n} (v : array n real) : array n real := grad (fun w => vectorSum (vectorMap w (fun x => sqrt x))) v",
                "v=[0, 4]",
                "/ | ",
                "a zero tangent, where the slope is infinite",
            ),
            (
                "def f (x : real) : real := snd ((D (fun (y : real) => log y)) (x, 0))",
                "x=0",
                "/ | snd y=0.0 fst y=0.0 |  tangent of log (fst y)",
                "a zero tangent, where the slope is infinite",
            ),
            // d x^0.5 = 0.5 x^-0.5 dx: an infinite slope at 0.
            (
                "def f (x : real) : real := snd ((D (fun (y : real) => y ^ 0.5)) (x, 0))",
                "x=0",
                "* | ",
                "a zero tangent times an infinite slope",
            ),
        ] {
            let (found, text) = asked(model, inputs);
            assert!(told(&found).starts_with(expected.trim_end()), "{model} {inputs}: {}\n{text}", told(&found));
            assert!(text.contains(why), "{model}: {text}");
        }
    });
}

/// Inputs that are NaN, with the place, and the first operation that uses it.
#[test]
fn a_nan_of_an_input_is_named_with_its_place() {
    deep(|| {
        let sum = "def f {n} (v : array n real) (w : array n real) : real := vectorDot v w";
        for (inputs, parameter, place) in [
            (r#"v=[1, 2] w=[3, "NaN"]"#, "w", "[1]"),
            (r#"v=["NaN", 2] w=[3, "NaN"]"#, "v", "[0]"),
            (r#"v=[1, "NaN"] w=[3, 4]"#, "v", "[1]"),
        ] {
            let (found, text) = asked(sum, inputs);
            assert_eq!(
                (&found["input"]["parameter"], &found["input"]["place"]),
                (&parameter.into(), &place.into()),
                "{text}"
            );
            assert_eq!(found["operation"]["name"], "*", "{text}");
        }
        let (found, text) = asked(
            "def f {n} (v : array n (real * real)) (i : fin n) : real := snd v[i]",
            r#"v=[[1, "NaN"], [1, 2]] i=0"#,
        );
        assert_eq!(found["input"]["place"], "[0].2", "{text}");
        assert!(text.contains("no operation uses it"), "{text}");
        // One that isn't read isn't named.
        let first = "def f {n} (v : array n real) (x : real) (i : fin n) : real := sqrt x + v[i]";
        let (found, text) = asked(first, r#"v=[1, "NaN"] x=-1 i=0"#);
        assert!(found["input"].is_null() && found["operation"]["name"] == "sqrt", "{text}");
    });
}

#[test]
fn what_is_finite_or_infinite_or_dropped_is_said_so() {
    deep(|| {
        let square = "def f {n} (v : array n real) : array n real := build n (fun i => v[i] * v[i])";
        assert_eq!(asked(square, "v=[1, 2, 3]").1, "all 3 values are finite\n");
        assert_eq!(asked(square, "v=[]").1, "all 0 values are finite\n");
        let long = (0..4_302).map(|_| "1").collect::<Vec<_>>().join(",");
        assert_eq!(asked(square, &format!("v=[{long}]")).1, "all 4,302 values are finite\n");
        let (found, text) = asked(square, "v=[1, 1e200]");
        assert_eq!(told(&found), "* | v[i]=1e200 v[i]=1e200 | i=1", "{text}");
        assert!(text.contains("beyond the largest number"), "{text}");
        let (found, text) = asked(square, r#"v=["inf", 1]"#);
        assert_eq!(found["input"]["place"], "[0]", "{text}");
        let (found, text) = asked("def f (x : real) : real := min (sqrt x) 3", "x=-1");
        assert_eq!((told(&found), &found["nan"]), ("sqrt | x=-1.0 | ".to_owned(), &0.into()), "{text}");
        assert!(text.contains("was dropped"), "{text}");
        // The NaN that reaches the result, and not one that was dropped before it.
        let (found, text) = asked("def f (x : real) : real := min (sqrt x) 3 + log x", "x=-1");
        assert_eq!(told(&found), "log | x=-1.0 | ", "{text}");
    });
}

/// Definitions, inputs, the text that the operation is found at, on which line, and of one of the library where that is used.
const PLACES: &[(&str, &str, &str, usize, Option<&str>)] = &[
    (
        "def f {n} (v : array n real) : real :=\n  ifold n (fun a i =>\n    a + log v[i]) 0",
        "v=[1, 0]",
        "log v[i]",
        3,
        None,
    ),
    ("def f (x : real) : real := let y := x - 1;\n  1 + y / (x - 1)", "x=1", "y / (x - 1)", 2, None),
    // Of a tangent: where what was differentiated is written.
    (
        "def f {n} (v : array n real) : array n real := grad (fun w => vectorSum (vectorMap w (fun x =>\n  sqrt x))) v",
        "v=[0, 4]",
        "sqrt x",
        2,
        None,
    ),
    ("def f (y : real) : real :=\n  snd ((D (fun x => x *\n (1 / y))) (1, 0))", "y=0", "x *", 2, None),
    // In a definition that another uses, under D, too, and under D of D.
    (
        "def e {n} (v : array n real) : real := sum (vectorMap v (fun x => x *\n log x))\n\
         def f {n} (v : array n real) : array n real := grad e v",
        "v=[1, 0]",
        "log x",
        2,
        None,
    ),
    (
        "def e {n} (v : array n real) : real := sum (vectorMap v (fun x => x *\n log x))\n\
         def f {n} (v : array n real) : array n (array n real) := hessian e v",
        "v=[1, 0]",
        "log x",
        2,
        None,
    ),
    ("def e (x : real) : real := sqrt x\ndef f (x : real) : real := 1 +\n e (x - 2)", "x=1", "sqrt x", 1, None),
    // In the library: there, and where it is used.
    ("def f (x : real) : real :=\n  1 + softplus (\n   x)", "x=\"NaN\"", "x > 0", 0, Some("softplus")),
    ("def f {n} (v : array n real) : real := 2 *\n norm v", "v=[1e200, 1]", "", 0, Some("norm")),
    // The first operation that uses an input.
    ("def f (x : real) : real := 1 +\n x * x", "x=\"NaN\"", "x * x", 2, None),
];

#[test]
fn the_place_in_the_text_is_told_until_a_rewrite() {
    deep(|| {
        for (model, inputs, text, line, used) in PLACES {
            let (found, told) = asked(model, inputs);
            let written = &found["operation"]["written"];
            let place = |place: &Value| {
                let number = |of: &str| place[of].as_u64().map_or(0, |number| number as usize);
                (place["file"].as_str().unwrap_or("").to_owned(), number("line"), number("column"))
            };
            let (file, own, column) = place(&written["at"]);
            match used {
                None => {
                    let here = model.lines().nth(own - 1).map_or("", |line| &line[column - 1..]);
                    assert!(file == "m.arr" && own == *line && here.starts_with(text), "{model}: {told}");
                    assert!(told.contains(&format!("\n  written at m.arr:{own}:{column}\n")), "{told}");
                }
                Some(used) => {
                    let (by, own, column) = place(&written["used"]);
                    let here = model.lines().nth(own - 1).map_or("", |line| &line[column - 1..]);
                    assert!(file == "<prelude>" && by == "m.arr" && here.starts_with(used), "{model}: {told}");
                    assert!(told.contains(&format!(", used at m.arr:{own}:{column}\n")), "{told}");
                }
            }
        }
        // After a rewrite there is the path alone, and the place again when it is taken back.
        let mut session = of("def f (x : real) : real := (fun y => log y) (x - 1)");
        submit(&mut session, "normalize(beta)");
        let finding: NonFinite = found(&mut session, ":why-nan x=1");
        assert!(finding.json()["operation"]["written"].is_null(), "{}", finding.text(100.into()).into_text());
        submit(&mut session, ":undo");
        let finding: NonFinite = found(&mut session, ":why-nan x=1");
        assert_eq!(finding.json()["operation"]["written"]["at"]["column"], 38);
    });
}
