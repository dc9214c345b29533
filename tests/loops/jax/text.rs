//! What modules say: golden files, and what can't be exported.

use std::path::{Path, PathBuf};

use super::scheduled;
use crate::support::{bits, shipped};
use redexter::cost::Poly;
use redexter::export::jax::DerivativeOf;
use redexter::export::{JaxEntry, JaxOptions, jax, shard_cost};
use redexter::ground::{Name, Trouble};
use redexter::term::Program;
use shipped::Workbench;

/// A definition of a model that ships; after the general schedule, if asked.
pub fn entry(model: &str, name: &str, is_scheduled: bool) -> JaxEntry {
    let path = PathBuf::from(format!("models/{model}.arr"));
    let wanted = format!("models/{model}.arr:{name}");
    let mut all = Workbench::new().programs(&path);
    all.retain(|(own, _)| *own == wanted);
    let (what, program) = if is_scheduled { scheduled(all, 50_000).remove(0) } else { all.remove(0) };
    JaxEntry { name: Name::new(name), what, program, derivative: None }
}

/// A loss and its scheduled gradient, under which JAX knows it.
pub fn loss(model: &str, primal: &str, by: Option<&[&str]>) -> [JaxEntry; 2] {
    let mut gradient = entry(model, "gradient", true);
    let by = by.map(|by| by.iter().map(|name| Name::new(name)).collect());
    gradient.derivative = Some(DerivativeOf { primal: 0, by });
    [entry(model, primal, false), gradient]
}

fn compared(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/jax").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, known, "{file} differs: UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn modules_read_as_they_did() {
    let done = bits::deep(|| {
        let options = JaxOptions { artifact: true, shard: vec![Name::new("n")], main: false };
        vec![
            ("logistic.py", jax(&loss("logistic", "loss", None), &options).expect("a module")),
            ("mixture.py", jax(&[entry("mixture", "gradient", true)], &JaxOptions::default()).expect("a module")),
            ("recurrent.py", jax(&loss("recurrent", "loss", None), &JaxOptions::default()).expect("a module")),
            ("topics.py", jax(&[entry("topics", "loss", false)], &JaxOptions::default()).expect("a module")),
        ]
    });
    for (file, text) in done {
        compared(file, &text);
        assert!(text.lines().all(|line| line.len() <= 120 && line.trim_end() == line), "{file}: {text}");
    }
}

fn refused(program: &Program, options: &JaxOptions) -> String {
    let entry = JaxEntry { name: Name::new("f"), what: String::new(), program: program.clone(), derivative: None };
    match jax(&[entry], options) {
        Err(Trouble::Wrong(all)) => all.iter().map(|one| one.headline.to_string()).collect::<Vec<String>>().join("; "),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_program_of_jax_is_refused_with_its_part() {
    let said = bits::deep(|| {
        let text = "def f {n} (v : array n real) (x : real) : real -> real := fun y => x * y + v[0 else 1]\n\
            def g {n} (h : real -> real) (v : array n real) : real := ifold n (fun acc i => acc + h v[i]) 0\n\
            def pair {n} (v : array n real) : real * (real -> real) := (1, fun y => y)\n\
            def last {n} (v : array n real) : real := ifold n (fun acc i => 0.5 * acc + v[i]) 0\n\
            def at {n m} (v : array n real) (k : array m (fin n)) : array m real := build m (fun j => v[k[j]])\n";
        let all = Workbench::new().read("m.arr", text);
        let of = |name: &str| &all.iter().find(|(own, _)| own.ends_with(name)).expect("a program").1;
        let split = |size: &str| JaxOptions { artifact: false, shard: vec![Name::new(size)], main: false };
        vec![
            refused(of(":g"), &JaxOptions::default()),
            refused(of(":pair"), &JaxOptions::default()),
            refused(of(":last"), &split("n")),
            refused(of(":at"), &split("n")),
            refused(of(":at"), &split("k")),
        ]
    });
    let expected = [
        "its parameter `h` has the function type `real -> real`",
        "its result has type `real * (real -> real)`, which holds a function",
        "it can't be split: a loop over `n` carries what the step before left",
        "it can't be split: `v` is read across devices, at an index that isn't a loop's",
        "it has no size k to split",
    ];
    for (said, expected) in said.iter().zip(expected) {
        assert_eq!(*said, format!("`f` can't be exported: {expected}"));
    }
}

#[test]
fn a_derivative_says_by_which_arguments_it_is() {
    let said = bits::deep(|| {
        let of = |by: Option<&[&str]>| match jax(&loss("dot", "dot", by), &JaxOptions::default()) {
            Ok(_) => "a module".to_owned(),
            Err(Trouble::Wrong(all)) => all[0].headline.to_string(),
            Err(other) => panic!("{other:?}"),
        };
        [of(None), of(Some(&["v"])), of(Some(&["z"])), of(Some(&["v", "v"])), of(Some(&["v", "w"]))]
    });
    assert!(said[0].contains("of `dot`: it may be by other arguments"), "{said:?}");
    assert_eq!(said[1], "a module");
    assert!(said[2].contains("`dot` has no argument z"), "{said:?}");
    assert!(said[3].contains("its argument v stands there twice"), "{said:?}");
    assert!(said[4].contains("what it gives hasn't the types of `v`, `w` in this order"), "{said:?}");
}

/// What devices tell each other is counted as it stands in the text, and what they hold are the arguments.
#[test]
fn the_cost_of_devices_is_that_of_the_text() {
    bits::deep(|| {
        let poly = |text: &str| Poly::read(text).expect("a polynomial");
        for (model, over, split, replicated, told) in [
            ("logistic", &["n"][..], "n * m + n", "m", "m"),
            ("kmeans", &["n"], "n * d", "k * d", ""),
            ("log_sum_exp", &["n"], "n", "0", "2"),
            ("mixture", &["n"], "n * d", "k * d * d + 2 * k * d + k + 2", ""),
            ("mixture", &["n", "k"], "n * d + k * d * d + 2 * k * d + k", "2", ""),
        ] {
            let entry = entry(model, "gradient", true);
            let over: Vec<Name> = over.iter().map(|name| Name::new(name)).collect();
            let cost = shard_cost(&entry.name, &entry.program, &over).expect("it can be split");
            let text = jax(&[entry], &JaxOptions { artifact: false, shard: over, main: false }).expect("a module");
            let own = text.split("def _gradient_part").nth(1).and_then(|own| own.split("\ndef ").next());
            let own = own.expect("a part");
            let sums: usize = ["psum(", "pmax(", "pmin("].iter().map(|word| own.matches(word).count()).sum();
            assert_eq!(cost.reductions.len(), sums, "{model}: {own}");
            assert_eq!((&cost.split, &cost.replicated), (&poly(split), &poly(replicated)), "{model}");
            let all = cost.reductions.iter().fold(Poly::default(), |all, one| all.plus(one));
            assert!(told.is_empty() || all == poly(told), "{model}: {all:?}\n{own}");
        }
        let entry = entry("logistic", "gradient", false);
        assert!(shard_cost(&entry.name, &entry.program, &[Name::new("q")]).is_err());
    });
}
