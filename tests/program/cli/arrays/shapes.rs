//! Which arrays there are for parameters, and how long these are.

use std::fs;

use super::files::{npy, reals, zip};
use super::{ends, err, folder, out, run};
use crate::support::program;

#[test]
fn pairs_are_two_arrays() {
    let f = folder();
    let one = |k: i64| npy("<i8", "()", &k.to_le_bytes());
    let given = zip(&[
        ("p.0.npy", reals(&[1.5, 2.5])),
        ("p.1.npy", npy("<i8", "(2,)", &[3u64, 1].map(u64::to_le_bytes).concat())),
        ("k.npy", one(-7)),
        ("m.npy", one(4)),
    ]);
    fs::write(f.path().join("data.npz"), &given).unwrap();
    let unzip = ["eval", "m.arr:unzip", "--input", "data.npz"];
    assert_eq!(out(&run(&f, &unzip)), "[[1.5, 2.5], [-7, [3, 1]]]\n");
    let written: Vec<Vec<u8>> = ["a.npz", "b.npz"]
        .map(|file| {
            ends(&run(&f, &[&unzip[..], &["-o", file]].concat()), 0, "");
            fs::read(f.path().join(file)).unwrap()
        })
        .into();
    assert!(written[0] == written[1], "the same result is another file");
    let zipped = ["eval", "m.arr:zip", "--input", "p=a.npz", "--size", "m=4"];
    let back = run(&f, &zipped);
    assert_eq!((out(&back), err(&back)), ("[[1.5, 3], [2.5, 1]]\n".to_owned(), String::new()));
    ends(&run(&f, &[&unzip[..], &["-o", "c.npy"]].concat()), 1, "is 3 arrays\n = help: name it `c.npz`");
    ends(&run(&f, &[&unzip[..], &["-o", "c.txt"]].concat()), 1, "name it `c.npz`");
    ends(&run(&f, &[&unzip[..], &["-o", "none/c.npz"]].concat()), 1, "there is no folder `none`");
    ends(&run(&f, &[&unzip[..], &["-o", "c.npz", "--count"]].concat()), 2, "");

    let files = |name: &str| match name {
        "p.0" => reals(&[1.5, 2.5]),
        "p.1" => npy("<i8", "(2,)", &[0; 16]),
        _ => one(4),
    };
    for (name, said) in [
        ("p.0", "there is no array `p.0`"),
        ("p.1", "`p`, of type array n (real * fin m), is given as `p.0`, `p.1`"),
        ("k", "there is no input for the parameter `k`"),
        ("m", "nothing determines the size `m`"),
    ] {
        let named: Vec<(String, Vec<u8>)> = ["p.0", "p.1", "k", "m"]
            .into_iter()
            .filter(|other| *other != name)
            .map(|name| (format!("{name}.npy"), files(name)))
            .collect();
        let named: Vec<(&str, Vec<u8>)> = named.iter().map(|(name, bytes)| (&**name, bytes.clone())).collect();
        fs::write(f.path().join("less.npz"), zip(&named)).unwrap();
        ends(&run(&f, &["eval", "m.arr:unzip", "--input", "less.npz"]), 1, said);
    }
    for (extra, said) in [
        ("p", "no parameter takes the array `p` in `p.npy`"),
        ("p.0.0", "no parameter takes the array `p.0.0`"),
        ("q", "the program has no parameter and no size `q`"),
        ("k", "`k` is given twice: in `data.npz: k` and in `k.npy`"),
    ] {
        let file = format!("{extra}.npy");
        fs::write(f.path().join(&file), one(1)).unwrap();
        ends(&run(&f, &[&unzip[..], &["--input", &format!("{extra}={file}")]].concat()), 1, said);
    }
    let json = run(&f, &[&unzip[..], &["--input", r#"{"k": 1}"#]].concat());
    ends(&json, 1, "`k` is given twice: as JSON, and as an array");
}

#[test]
fn shapes_fit_each_other() {
    let f = folder();
    for (name, bytes) in [
        ("v", reals(&[1.0, 2.0, 3.0])),
        ("w", reals(&[1.0])),
        ("a", npy("<f8", "(1, 3)", &[0; 24])),
        ("one", npy("<f8", "()", &[0; 8])),
    ] {
        fs::write(f.path().join(format!("{name}.npy")), bytes).unwrap();
    }
    let dot = |v: &str, w: &str| run(&f, &["eval", "m.arr:dot", "--input", v, "--input", w]);
    ends(&dot("v=v.npy", "w=w.npy"), 1, "`w` has 1 element, which contradicts its size n, where n is 3 by `v`");
    ends(&dot("v=v.npy", "w=w.npy"), 1, "the shapes of the arrays: `v` (3,), `w` (1,)");
    ends(&dot("v=a.npy", "w=w.npy"), 1, "`v` must have the shape (n,), but has (1, 3) in `a.npy`");
    ends(&dot("v=one.npy", "w=w.npy"), 1, "`v` must have the shape (n,), but has () in `one.npy`");
    ends(&dot("v.npy", "w=w.npy"), 1, "say whose it is: `v=v.npy`, `w=v.npy`");
    ends(&dot("v=none.npy", "w=w.npy"), 1, "there is no such file");
    ends(&dot(r#"{"v": [1]}"#, r#"{"w": [1]}"#), 1, "inputs are given as JSON twice");
    ends(&run(&f, &["eval", "m.arr:same", "--input", "v.npy", "--size", "n=4"]), 1, "n is 4 by `--size n=4`");
}

#[test]
fn the_prompt_reads_the_same_inputs() {
    let f = folder();
    let typed = |given: &[&str]| {
        let given: Vec<&str> = given.iter().flat_map(|text| ["--input", *text]).collect();
        run(&f, &[&["eval", "m.arr:dot"], &given[..]].concat())
    };
    for (name, values) in [("v", [1.0, 2.0]), ("w", [3.0, 0.5])] {
        fs::write(f.path().join(format!("{name}.npy")), reals(&values)).unwrap();
    }
    let session = |line: &str| program::run(&[], &format!(":load m.arr\nm.dot\n{line}\n"), f.path()).1;
    for given in [["v=v.npy", "w=w.npy"], ["v=[1, 2]", "w=w.npy"], ["{\"v\": [1, 2]}", "w=[3, 0.5]"]] {
        assert_eq!(out(&typed(&given)), "4.0\n", "{given:?}");
        let line = format!(":eval {}", given.join(" "));
        assert_eq!(session(&line).lines().last(), Some("4.0"), "{line}");
    }
    assert_eq!(out(&typed(&["v=[1, 2] w=[3, 0.5] n=2"])), "4.0\n");
    assert!(session(":count v=v.npy w=w.npy").contains("\"flops\": 4"));
    assert!(session(":eval v=v.npy w=none.npy").contains("`none.npy` can't be read"));
    assert!(session(":eval v=v.npy w=[1]").contains("the shapes of the arrays: `v` (2,)"));
    assert!(session(":eval v=v.npy v=[1, 2] w=w.npy").contains("`v` is given twice"));
    assert!(session(":why-nan v=v.npy w=w.npy").contains("`redexter eval --why-nan` read files of arrays"));
}
