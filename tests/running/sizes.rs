//! Sizes whose products are larger than any size are refused wherever programs run; numbers are told as they are.

use redexter::bench::{BenchSubject, RunMethod, Runner};
use redexter::blocks;
use redexter::eval::{self, Sizes, Value};
use redexter::ground::{Budget, Diagnostic, Name, Trouble, code};
use redexter::native::ThreadLimits;
use redexter::term::Program;

use crate::has_compiler;
use crate::native::{natively, read};

/// A program without inputs, sizes, and what is expected.
type SizedCase<T> = (&'static str, &'static [(&'static str, u64)], T);

/// Programs without inputs, sizes of which one in the program is too large, and what that one is, by arithmetic.
const TOO_LARGE: &[SizedCase<&str>] = &[
    ("real := ifold (n * m) (fun acc i => acc + 1) 0", &[("n", 1 << 32), ("m", 1 << 32)], "18446744073709551616"),
    ("real := ifold (n * m) (fun acc i => acc + 1) 0", &[("n", 1 << 31), ("m", 1 << 32)], "9223372036854775808"),
    ("real := ifold (n * m) (fun acc i => acc + real i) 0", &[("n", 1 << 40), ("m", 1 << 24)], "18446744073709551616"),
    ("real := ifold (m * n * n) (fun acc i => acc + 1) 0", &[("n", 1 << 31), ("m", 4)], "18446744073709551616"),
    ("real := ifold (n * n * n) (fun acc i => acc + 1) 0", &[("n", 2_097_152)], "9223372036854775808"),
    ("real := ifold (n * n) (fun acc i => acc + 1) 0", &[("n", 3_037_000_500)], "9223372037000250000"),
    ("real := ifold (n + m) (fun acc i => acc + 1) 0", &[("n", 1 << 62), ("m", 1 << 62)], "9223372036854775808"),
    ("real := ifold (2 * n) (fun acc i => acc + 1) 0", &[("n", 1 << 62)], "9223372036854775808"),
    ("real := ifold (4 * n) (fun acc i => acc + 1) 0", &[("n", 1 << 62)], "18446744073709551616"),
    ("real := ifold (n + 1) (fun acc i => acc + 1) 0", &[("n", (1 << 63) - 1)], "9223372036854775808"),
    (
        "real := ifold (1000000007 * n * m) (fun acc i => acc + 1) 0",
        &[("n", 1 << 20), ("m", 1 << 20)],
        "1099511635472581394432",
    ),
    ("int := ifold (n * m) (fun acc i => acc + 1) 0", &[("n", 1 << 33), ("m", 1 << 31)], "18446744073709551616"),
    ("real := ifold (n * m) (fun acc i => acc * 0.5) 1", &[("n", 1 << 32), ("m", 1 << 32)], "18446744073709551616"),
    (
        "real := ifold (n * m) (fun acc i => max acc (real i)) 0",
        &[("n", 6_074_001_000), ("m", 3_037_000_500)],
        "18446744074000500000",
    ),
    (
        "real * real := ifold (n * m) (fun acc i => (fst acc + 1, snd acc)) (0, 0)",
        &[("n", 1 << 32), ("m", 1 << 32)],
        "18446744073709551616",
    ),
    (
        "real := ifold n (fun acc i => acc + ifold (n * n) (fun a j => a + 1) 0) 0",
        &[("n", 1 << 32)],
        "18446744073709551616",
    ),
    (
        "real := ifold m (fun acc i => acc + ifold (n * n) (fun a j => a + 1) 0) 0",
        &[("n", 1 << 32), ("m", 0)],
        "18446744073709551616",
    ),
    ("real := if 0 then ifold (n * n) (fun acc i => acc + 1) 0 else 2", &[("n", 1 << 32)], "18446744073709551616"),
    (
        "real := let f := fun x => ifold (n * n) (fun acc i => acc + x) 0; f 1",
        &[("n", 1 << 32)],
        "18446744073709551616",
    ),
    ("array (n * m) real := build (n * m) (fun i => 1)", &[("n", 1 << 32), ("m", 1 << 32)], "18446744073709551616"),
    ("array (n * m) real := build (n * m) (fun i => 1)", &[("n", 1 << 31), ("m", 1 << 32)], "9223372036854775808"),
    ("array (n * m + 5) real := vectorFill 1", &[("n", 1 << 32), ("m", 1 << 32)], "18446744073709551621"),
    (
        "array m (array (n * n) real) := build m (fun i => build (n * n) (fun j => 1))",
        &[("n", 1 << 32), ("m", 0)],
        "18446744073709551616",
    ),
    ("real := (build (n * n) (fun i => real i))[0]", &[("n", 1 << 32)], "18446744073709551616"),
    (
        "array n real := build n (fun i => ifold (m * m) (fun acc j => acc + real i) 0)",
        &[("n", 2), ("m", 1 << 32)],
        "18446744073709551616",
    ),
    (
        "real := ifold (n * m) (fun acc i => acc + 1) 0 + ifold (n + m) (fun acc i => acc + 1) 0",
        &[("n", 3 << 31), ("m", 1 << 32)],
        "27670116110564327424",
    ),
    ("real := vectorSum (build (n * m) (fun i => 1))", &[("n", 1 << 32), ("m", 1 << 32)], "18446744073709551616"),
    ("real := vectorSum (build (n * n * n * n) (fun i => 1))", &[("n", 65_536)], "18446744073709551616"),
    (
        "real := ifold (n * n * n * n * n * n * n * n) (fun acc i => acc + 1) 0",
        &[("n", 1 << 15)],
        "1329227995784915872903807060280344576",
    ),
    (
        "real := ifold (n * n * n * n * n * n * n * n * n * n) (fun acc i => acc + 1) 0",
        &[("n", 1 << 15)],
        "at least 340282366920938463463374607431768211455",
    ),
];

/// Sizes that are none too large, though another way of computing them may overflow on the way; and the value, if it ends.
const LARGE_ENOUGH: &[SizedCase<f64>] = &[
    ("real := ifold (n * m) (fun acc i => acc + 1) 0", &[("n", (1 << 63) - 1), ("m", 0)], 0.0),
    ("real := ifold (n * m * m) (fun acc i => acc + 1) 0", &[("n", 0), ("m", 1 << 62)], 0.0),
    ("real := ifold (n * m) (fun acc i => acc + 1) 0", &[("n", 3), ("m", 5)], 15.0),
    ("real := real n", &[("n", (1 << 63) - 1)], 9_223_372_036_854_775_807.0),
    ("real := ifold m (fun acc i => acc + real n) 0", &[("n", 1 << 50), ("m", 2)], 2_251_799_813_685_248.0),
];

fn program(text: &str, sizes: &[(&str, u64)]) -> Program {
    let bounds = if text.contains("[0]") { " >= 1" } else { "" };
    let names: Vec<&str> = sizes.iter().map(|(name, _)| *name).collect();
    let text = format!("def f {{{}{bounds}}} : {text}\n", names.join(" "));
    read(&text).pop().expect("a definition").1
}

fn given(sizes: &[(&str, u64)]) -> Sizes {
    sizes.iter().map(|(name, value)| (Name::new(name), *value)).collect()
}

fn refusal<T>(run: Result<T, Trouble>, told: &str) -> Diagnostic {
    match run {
        Err(Trouble::Wrong(mut all)) if all.len() == 1 => all.remove(0),
        Err(other) => panic!("{told}: {other:?}"),
        Ok(_) => panic!("{told}: it ran"),
    }
}

#[test]
fn sizes_beyond_all_sizes_are_refused_in_each_way_of_running() {
    assert!(TOO_LARGE.len() >= 30);
    let (folder, budget) = (tempfile::tempdir().expect("a folder"), Budget::default());
    for (text, sizes, value) in TOO_LARGE {
        let program = program(text, sizes);
        let pairs: Vec<(Name, u64)> = sizes.iter().map(|(name, value)| (Name::new(name), *value)).collect();
        let at = given(sizes);
        let mut all = vec![
            refusal(eval::inputs_from_json(&program, "{}", &pairs, &budget), text),
            refusal(eval::evaluate(&program, &[], &at, &budget), text),
            refusal(blocks::value(&program, &[], &at, &budget), text),
        ];
        let mut ways = vec![RunMethod::Reference, RunMethod::Blocks];
        if has_compiler() {
            let native = natively("f", &program, folder.path()).expect("code");
            all.push(refusal(native.run(&[], &at, &budget), text));
            ways.push(RunMethod::Native);
        }
        for way in ways {
            let runner = Runner::new(way, ThreadLimits::ONE, &Name::new("f"), &program, &budget);
            let subject = BenchSubject::new(program.clone(), runner.expect("a program").expect("code"));
            let mut kept = None;
            all.push(refusal(subject.sample(1, &at, std::time::Duration::ZERO, &budget, &mut kept), text));
            assert!(kept.is_none(), "{text}: it was timed");
        }
        for wrong in all {
            assert_eq!(wrong.code, code::INPUT_SIZES, "{text}: {wrong:?}");
            let told = format!("is {value}, where ");
            assert!(wrong.headline.contains(&told), "{text}: {}", wrong.headline);
        }
    }
}

#[test]
fn sizes_that_are_none_too_large_run() {
    for (text, sizes, value) in LARGE_ENOUGH {
        let (program, at) = (program(text, sizes), given(sizes));
        for found in [
            eval::evaluate(&program, &[], &at, &Budget::default()).map(|(value, _)| value),
            blocks::value(&program, &[], &at, &Budget::default()),
        ] {
            let found = found.unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
            assert!(found.same(&Value::Real(*value)), "{text}: {found:?}");
        }
    }
}

/// A sum of indices is below a size that stands nowhere in the program.
#[test]
fn sums_of_indices_are_below_a_size_that_there_is() {
    let text = "def f {n m} (i : fin n) (j : fin m) : real := real (i + j)\n";
    let program = read(text).pop().expect("a definition").1;
    let at = |size: u64| {
        eval::inputs_from_json(
            &program,
            r#"{"i": 1, "j": 1}"#,
            &[("n", size), ("m", size)].map(|(n, size)| (Name::new(n), size)),
            &Budget::default(),
        )
    };
    assert!(at((1 << 62) - 1).is_ok());
    let wrong = refusal(at(1 << 62), text);
    assert!(wrong.headline.contains("is 9223372036854775808, where"), "{}", wrong.headline);
}

/// A number of numbers that isn't known is told as one.
#[test]
fn counts_of_numbers_are_no_number_that_they_are_not() {
    let text = "array n (array m real) := build n (fun i => build m (fun j => 1))";
    let sizes = [("n", 1 << 32), ("m", 1 << 32)];
    let (program, at) = (program(text, &sizes), given(&sizes));
    let wrong = refusal(blocks::value(&program, &[], &at, &Budget::default()), text);
    assert_eq!(wrong.code, code::INPUT_SIZES);
    assert!(wrong.headline.contains("has at least 18446744073709551615 numbers"), "{}", wrong.headline);
}

/// The states of a loop, all of them and one of each block.
const ALL_KEPT: &str = "real := \
    let t := scan (a * b) (fun x e => (build n (fun i => x[i] * 0.5), x)) (build n (fun i => 1)); \
    (scanr (a * b) (fun l e => (build n (fun i => l[i] + t.2[e][i]), 0)) (build n (fun i => 1))).1[0]";
const BLOCKS_KEPT: &str = "real := \
    let t := scan a (fun x k => (ifold b (fun x j => build n (fun i => x[i] * 0.5)) x, x)) (build n (fun i => 1)); \
    (scanr a (fun l k => let u := (scan b (fun x j => (build n (fun i => x[i] * 0.5), x)) t.2[k]).2; \
    (ifold b (fun l j => build n (fun i => l[i] + u[b - 1 - j][i])) l, 0)) (build n (fun i => 1))).1[0]";

/// Where the states of a loop don't fit, what would hold fewer is told, with what it holds; and that fits.
#[test]
fn the_schedule_that_stores_fewer_states_is_told() {
    let (sizes, one) = ([("a", 400), ("b", 400), ("n", 1_000)], Budget::default());
    let (all, blocks, at) = (program(ALL_KEPT, &sizes), program(BLOCKS_KEPT, &sizes), given(&sizes));
    let load = |program: &Program| {
        blocks::Blocks::new(program).expect("a nest").load(Vec::new(), &at).map(|made| made.is_some())
    };
    let wrong = refusal(load(&all), ALL_KEPT);
    let told = "or store one state of each block: `topDown(scanSplit)` behind the schedule; with 400 blocks that holds some 7 MB";
    assert_eq!(wrong.help, ["give smaller sizes", told], "{}", wrong.headline);
    assert!(load(&blocks).expect("it fits"));
    let small = given(&[("a", 3), ("b", 3), ("n", 2)]);
    let value = |program: &Program| blocks::value(program, &[], &small, &one).expect("a value");
    assert!(value(&all).same(&value(&blocks)), "{:?} and {:?}", value(&all), value(&blocks));
    // Of a result that is as large, no schedule makes less.
    let result = "array n (array n real) := build n (fun i => build n (fun j => 1))";
    let large = [("n", 20_000)];
    let wrong = refusal(blocks::value(&program(result, &large), &[], &given(&large), &one), result);
    assert_eq!(wrong.help, ["give smaller sizes"]);
}
