//! Exit codes, and what is said to those who slip.

use std::fs;
use std::process::Stdio;

use super::{MODEL, ends, err, folder, out, redexter, run, script};

#[test]
fn done_is_0_and_results_go_to_standard_output() {
    let f = folder();
    let done = run(&f, &["eval", "m.arr:total", "--input", r#"{"v": [1, 2, 3]}"#]);
    ends(&done, 0, "");
    assert_eq!(out(&done), "6.0\n");
    assert_eq!(err(&done), "");
    fs::write(f.path().join("in.json"), r#"{"v": ["inf", 1]}"#).unwrap();
    assert_eq!(out(&run(&f, &["eval", "m.arr:total", "--input", "in.json"])), "\"inf\"\n");
    let count = run(&f, &["eval", "m.arr:total", "--count", "--input", r#"{"v": [1, 2]}"#]);
    assert_eq!(out(&count), "{\"flops\": 2, \"compares\": 0, \"reads\": 2, \"writes\": 0, \"iterations\": 2}\n");
}

#[test]
fn wrong_input_is_1() {
    let f = folder();
    ends(&run(&f, &["eval", "m.arr:totl"]), 1, "did you mean `m.arr:total`?");
    ends(&run(&f, &["eval", "m.arr"]), 1, "which definition");
    ends(&run(&f, &["eval", "n.arr:total"]), 1, "E0401");
    ends(&run(&f, &["eval", "m.arr:total", "--input", "{"]), 1, "E0801");
    ends(&run(&f, &["apply", "getBuild", "m.arr:total"]), 1, "E0602");
    ends(&run(&f, &["apply", "getBild", "m.arr:total"]), 1, "getBuild");
    ends(&run(&f, &["rules", "getBild"]), 1, "did you mean `getBuild`?");
    fs::write(f.path().join("bad.arr"), "def f (x : real) := y\n").unwrap();
    fs::write(f.path().join("latin.arr"), b"-- \xe9\n").unwrap();
    ends(&run(&f, &["check", "m.arr", "bad.arr", "latin.arr"]), 1, "E0402");
    ends(&run(&f, &["check", "m.arr"]), 0, "");
}

#[test]
fn wrong_usage_is_2() {
    let f = folder();
    ends(&run(&f, &["frobnicate"]), 2, "frobnicate");
    ends(&run(&f, &["run", "s.strat", "-x"]), 2, "-- -x");
    ends(&run(&f, &["eval", "m.arr:total", "--size", "n"]), 2, "NAME=N");
    ends(&run(&f, &["run", "s.strat", "--timeout", "-1"]), 2, "");
    ends(&run(&f, &["apply", "id"]), 2, "MODEL.arr:NAME");
    ends(&run(&f, &["--help"]), 0, "");
    ends(&run(&f, &["--version"]), 0, "");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let f = folder();
    fs::write(f.path().join("s.strat"), "loop { print(\"line\"); }").unwrap();
    let mut child = redexter(f.path())
        .args(["run", "s.strat", "--max-steps", "1000000000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    ends(&child.wait_with_output().unwrap(), 0, "");
}

#[test]
fn what_follows_two_dashes_goes_to_the_script_unread() {
    let f = folder();
    let done =
        script(&f, "for a in args { print(a); }", &["1", "--max-steps", "99999", "2", "--", "--max-steps", "-x"]);
    assert_eq!(out(&done), "1\n2\n--max-steps\n-x\n", "{}", err(&done));
}

#[test]
fn odd_texts_are_read() {
    let f = folder();
    fs::write(f.path().join("bom.arr"), format!("\u{feff}{}", MODEL.replace('\n', "\r\n"))).unwrap();
    fs::write(f.path().join("empty.arr"), "").unwrap();
    fs::write(f.path().join("comment.arr"), "-- nothing\n").unwrap();
    fs::write(f.path().join("empty.strat"), "").unwrap();
    ends(&run(&f, &["check", "bom.arr", "empty.arr", "comment.arr", "empty.strat"]), 0, "");
    ends(&run(&f, &["eval", "empty.arr:total"]), 1, "defines nothing");
}

#[test]
fn slips_get_a_hint() {
    let f = folder();
    fs::write(f.path().join("s.strat"), "").unwrap();
    ends(&run(&f, &["run", "m.arr"]), 1, "`m.arr` is a model, not a script");
    ends(&run(&f, &["eval", "m.arr:total", "--input", "[1, 2]"]), 1, "JSON object");
    ends(&run(&f, &["eval", "m.arr:total", "--input", "v=[1, 2]"]), 0, "");
    ends(&run(&f, &["eval", "m.arr:total", "--input", "none.json"]), 1, "no such file");
    ends(&run(&f, &["rules", "beta", "--find", "x"]), 2, "--find");
}

#[test]
fn folders_and_odd_arguments_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let f = folder();
    fs::create_dir(f.path().join("d.arr")).unwrap();
    for arguments in
        [&["apply", "id", "d.arr:total"][..], &["check", "d.arr"], &["eval", "m.arr:total", "--input", "."]]
    {
        ends(&run(&f, arguments), 1, "is a folder");
    }
    ends(&run(&f, &["export", "futhark", "m.arr:total", "-o", "d.arr"]), 1, "is a folder");
    fs::write(f.path().join("empty.json"), "").unwrap();
    ends(&run(&f, &["eval", "m.arr:total", "--input", "empty.json"]), 1, "E0801");
    let odd = std::ffi::OsStr::from_bytes(b"\xff.strat");
    ends(&redexter(f.path()).args(["apply".as_ref(), odd, "m.arr:total".as_ref()]).output().unwrap(), 2, "UTF-8");
    ends(&redexter(f.path()).args(["run".as_ref(), odd]).output().unwrap(), 1, "E0401");
}

#[test]
fn small_slips_are_met() {
    let f = folder();
    let found = out(&run(&f, &["rules", "fold"]));
    assert!(found.contains("ifoldOneHot"), "{found}");
    ends(&run(&f, &["rules", "getBild"]), 1, "did you mean `getBuild`?");
    fs::write(f.path().join("s.strat"), "let s = beta ; fstPair;\n").unwrap();
    ends(&run(&f, &["check", "s.strat"]), 1, "s.strat:1:16");
    ends(&run(&f, &["eval", "m.arr:total", "--input", r#"{"v": [1, 2], "v": [3]}"#]), 1, "the key \"v\" stands twice");
    for empty in ["", "  "] {
        ends(
            &run(&f, &["eval", "m.arr:total", "--input", empty]),
            1,
            "`--input` is empty\n = help: give a value for `v`",
        );
    }
    let same = r#"{"v": ["inf", 1], "n": 2}"#;
    ends(&run(&f, &["eval", "m.arr:total", "--input", same]), 0, "");
    let slow = ["--timeout", "0.2", "--max-steps", "1000000000000"];
    ends(&script(&f, "loop { }", &slow), 3, "stopped after 0.2 seconds;");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_told() {
    let f = folder();
    for arguments in [&["--help"][..], &["--version"], &["help", "run"], &["rules", "--help"], &["completions", "fish"]]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let done = redexter(f.path()).args(arguments).stdout(full).output().unwrap();
        ends(&done, 1, "can't write to standard output");
    }
}
