//! Limits and Ctrl-C: what is left of the work.

use std::fs;
use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use super::grammar::fed;
use super::{ends, err, folder, out, redexter, run, script};

#[test]
fn a_limit_is_3() {
    let f = folder();
    ends(&run(&f, &["apply", "normalize(letSubst)", "m.arr:gradient", "--max-steps", "1"]), 3, "--max-steps");
    ends(&run(&f, &["--max-steps", "1", "apply", "normalize(letSubst)", "m.arr:gradient"]), 3, "--max-steps");
    ends(&script(&f, "loop { }", &["--max-steps", "1000"]), 3, "--max-steps");
    ends(&script(&f, "loop { }", &["--timeout", "0.2", "--max-steps", "1000000000000"]), 3, "--timeout");
    fs::write(f.path().join("deep.arr"), format!("def f := {}1{}\n", "(".repeat(2000), ")".repeat(2000))).unwrap();
    ends(&run(&f, &["check", "deep.arr", "--max-depth", "100"]), 3, "--max-depth");
}

#[test]
fn memory_is_limited() {
    let f = folder();
    let equal = |size: &str| {
        format!("let t = term(\"fun (v : array {size} real) => v[0]\"); print(equivalent(t, t)); growth(t, t);")
    };
    ends(&script(&f, &equal("50_000_000".replace('_', "").as_str()), &["--max-memory", "100"]), 3, "--max-memory");
    ends(&script(&f, &equal("9223372036854775807"), &[]), 3, "67108864 elements");
    let arrays = "let s = [1]; for k in 0..19 { s += s; } let a = s; let b = s; let c = s; let d = s; let e = s; let f = s; \
                  let g = s; loop { }";
    ends(&script(&f, arrays, &["--max-memory", "50", "--max-steps", "1000000000000"]), 3, "--max-memory");
    // What is held before counts, too.
    ends(&script(&f, "loop { }", &["--max-memory", "0", "--max-steps", "1000000000000"]), 3, "--max-memory");
    ends(&run(&f, &["check", "m.arr", "--max-memory", "1000"]), 0, "");
    let set = fed(&f, &[], ":set max-memory 60\n:set\n:set max-memory half\n:set max-memory much\n");
    assert!(out(&set).contains("max-memory 60 MB\n") && out(&set).contains("max-memory half of the machine's\n"));
    ends(&set, 0, "no number of megabytes");
}

#[test]
fn sizes_near_the_largest_overflow_nowhere() {
    let f = folder();
    let most = "9223372036854775807";
    let fold = |inside: &str| format!("ifold {most} (fun s i => {inside}) 0");
    let power = "n * n * n * n * n * n * n * n";
    let definitions = [
        format!("def five (x : real) : real := {}", fold(&fold(&fold(&fold(&fold("s + x")))))),
        format!("def power {{n}} (x : real) (v : array n real) : real := ifold ({power}) (fun s i => s + x) 0"),
        format!("def made {{n}} (x : real) : array (n + {most}) real := build (n + {most}) (fun i => x)"),
        format!("def rows (m : array {most} (array {most} real)) : real := m[0][0]"),
        format!("def wide {{n}} (v : array (n * {most}) real) : real := ifold (n + {most}) (fun s i => s + 1) 0"),
        format!("def slope (x : real) : real := deriv (fun (y : real) => {}) x", fold("s + y")),
    ];
    fs::write(f.path().join("m.arr"), definitions.join("\n")).unwrap();
    let within = |arguments: &[&str], codes: &[i32]| {
        let done = run(&f, &[arguments, &["--timeout", "0.3", "--max-memory", "500"]].concat());
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(codes.contains(&done.status.code().unwrap_or(-1)), "{arguments:?}: {said}");
        assert!(!said.contains("bug in redexter"), "{arguments:?}: {said}");
        [out(&done), said].concat()
    };
    within(&["check", "m.arr"], &[0]);
    for name in ["five", "power", "made", "rows", "wide", "slope"] {
        let target = format!("m.arr:{name}");
        within(&["apply", "normalize(letSubst <+ beta)", &target, "--json"], &[0]);
        within(&["export", "futhark", &target], &[0]);
        let size = format!("n={most}");
        let sizes: &[&str] = if ["power", "made", "wide"].contains(&name) { &["--size", &size] } else { &[] };
        for input in ["{\"x\": 1}", "{\"x\": 1, \"v\": []}", "{\"v\": [1]}", "{\"m\": [[1]]}"] {
            within(&[&["eval", &target, "--input", input], sizes].concat(), &[1, 3]);
        }
        let script = format!(
            "let t = load(\"m.arr\").{name}; print(t.work);\n\
             try {{ print(growth(t, t, #{{ n: [2, 3037000500, 4294967296, {most}] }})); }} catch (e) {{ }}\n\
             try {{ print(t.counts(#{{ x: 1.0, v: [], m: [] }})); }} catch (e) {{ }}\n\
             print(equivalent(t, t));"
        );
        fs::write(f.path().join("s.strat"), script).unwrap();
        let said = within(&["run", "s.strat"], &[0, 3]);
        assert!(!said.contains(&u128::MAX.to_string()), "{said}");
    }
    let rule = format!(
        "rule r = `build ({most} * n) f --> build (n * {most}) f`;\nrule s = `ifold (n + {most}) f z --> z` unchecked;"
    );
    fs::write(f.path().join("r.strat"), rule).unwrap();
    within(&["check", "r.strat"], &[0, 1, 3]);
}

#[test]
fn terms_with_more_nodes_than_can_be_counted_overflow_nothing() {
    let f = folder();
    let doubled: String = (1..70).map(|k| format!("let a{k} := a{0} * x + a{0} * y; ", k - 1)).collect();
    fs::write(f.path().join("m.arr"), format!("def f (x y : real) : real := let a0 := x + y; {doubled} a69")).unwrap();
    let begin = ":set max-size 18446744073709551615\n:set timeout 1\n:load m.arr\nf\n";
    let then = "normalize(letSubst)\n:trace 60..66\n:diff 60 66\n:at .body\n:possible\n:why 60\n:top\n:preview topDown(gather)\n\
                topDown(gather)\n:cost\n:graph 1 gather\n:search 3 gather\n:plot\n:log\n:undo\ntopDown(distribute)\n:show\n";
    let done = fed(&f, &[], &[begin, then].concat());
    ends(&done, 0, "");
    assert!(out(&done).contains("18446744073709551615 nodes"));
    assert!(!err(&done).contains("bug in redexter"), "{}", err(&done));
}

#[test]
fn rules_of_large_sizes_are_tested_in_bounds() {
    let f = folder();
    let large = [
        "rule r = `ifold (n + 1) f z --> ifold n (fun a i => f a (i + 1)) (f z 99999999)`;",
        "rule r = `ifold 9223372036854775807 f z --> z`;",
    ];
    for rule in large {
        fs::write(f.path().join("r.strat"), rule).unwrap();
        ends(&run(&f, &["check", "r.strat"]), 0, "takes too long, or too much memory");
    }
}

/// A folder with a definition, and strategies that only limits end.
pub fn endless() -> TempDir {
    let f = folder();
    fs::write(f.path().join("sum.arr"), "def f (x y : real) : real :=\n  x + y * 1\n").unwrap();
    let strategies = "fn told(a) { print(\"ready\"); true }\n\
                      rule turn = `a + b --> b + a` unchecked;\n\
                      rule tell = `a + b --> b + a` where told(a) unchecked;\n\
                      rule pad = `a * 1 --> a * 1 * 1` unchecked;\n\
                      strategy stage(s) = force(normalize(s));\n\
                      strategy fast = stage(turn);\n";
    fs::write(f.path().join("own.strat"), strategies).unwrap();
    f
}

const TURNED: [&str; 2] = ["fun (x y : real) => x + y * 1\n", "fun (x y : real) => y * 1 + x\n"];

#[test]
fn a_limit_leaves_the_best_term_so_far() {
    let f = endless();
    let apply = |strategy, more: &[&str]| {
        run(&f, &[&["apply", strategy, "sum.arr:f", "--use", "own.strat", "--max-steps", "3000"], more].concat())
    };
    let done = apply("fast", &[]);
    ends(&done, 3, "stopped after 3000 rewrites and unfoldings; raise the limit with --max-steps");
    ends(
        &done,
        3,
        "\n = help: it was in `stage(turn)` of `fast`\n = help: `turn` rewrote 1000 of the last 1000 times\n",
    );
    ends(&done, 3, "\n = help: what is printed is the term so far, not in normal form\n");
    assert!(TURNED.contains(&&*out(&done)), "{}", out(&done));
    let worse = apply("stage(pad)", &[]);
    ends(&worse, 3, "`pad` rewrote 1000 of the last 1000 times");
    ends(&worse, 3, "what is printed is the term as it was: the term so far takes more work");
    assert_eq!(out(&worse), TURNED[0]);
    let json = out(&apply("fast", &["--json", "--trace"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["stopped"]["rule"], "turn");
    assert_eq!(json["stopped"]["within"], serde_json::json!(["fast", "stage(turn)"]));
    assert!(json["stopped"]["message"].as_str().unwrap().starts_with("stopped after 3000 rewrites and unfoldings;"));
    let steps = json["trace"].as_array().unwrap();
    assert_eq!(json["term"], steps.last().unwrap()["term"]);
    assert_eq!(json["steps"], steps.len());
    let ended: serde_json::Value = serde_json::from_str(&out(&apply("id", &["--json"]))).unwrap();
    assert_eq!(ended.get("stopped"), None);
    assert!(out(&apply("fast", &["--trace"])).starts_with("1. turn"));
}

#[test]
fn what_a_limit_cut_off_is_neither_evaluated_nor_exported() {
    let f = endless();
    let used = ["--apply", "fast", "--use", "own.strat", "--max-steps", "3000"];
    for task in [&["eval", "sum.arr:f", "--input", r#"{"x": 1, "y": 2}"#][..], &["export", "futhark", "sum.arr:f"]] {
        let done = run(&f, &[task, &used].concat());
        ends(&done, 3, "it was in `stage(turn)` of `fast`");
        ends(&done, 3, "`redexter apply` prints the term so far");
        assert_eq!(out(&done), "");
    }
}

#[test]
fn ctrl_c_leaves_the_best_term_so_far() {
    use std::io::Read;
    let f = endless();
    let mut child = redexter(f.path())
        .args(["apply", "stage(tell)", "sum.arr:f", "--use", "own.strat", "--max-steps", "1000000000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stderr.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let done = child.wait_with_output().unwrap();
    ends(&done, 130, "\ninterrupted\n = help: it was in `stage(tell)`\n = help: `tell` rewrote ");
    assert!(TURNED.contains(&&*out(&done)), "{}", out(&done));
}

#[test]
fn ctrl_c_is_130() {
    let f = folder();
    fs::write(f.path().join("s.strat"), "print(\"ready\"); loop { }").unwrap();
    let child = redexter(f.path())
        .args(["run", "s.strat", "--max-steps", "1000000000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let done = interrupt_when_ready(child);
    ends(&done, 130, "interrupted");
}

/// Sends SIGINT once something was printed.
fn interrupt_when_ready(mut child: Child) -> Output {
    use std::io::Read;
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap()
}

#[test]
fn ctrl_c_stops_a_line_and_keeps_the_session() {
    let f = folder();
    let mut child = redexter(f.path())
        .args(["repl", "m.arr", "--max-steps", "1000000000000000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = "total\nprint(\"ready\"); loop { }\n1 + 2\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    wait_for(&mut child, "ready");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done = child.wait_with_output().unwrap();
    ends(&done, 0, "interrupted");
    assert!(out(&done).ends_with("3\n"), "{}", out(&done));
}

/// Reads standard output until a line is this.
fn wait_for(child: &mut Child, wanted: &str) {
    use std::io::Read;
    let mut seen = Vec::new();
    let stdout = child.stdout.as_mut().unwrap();
    while !String::from_utf8_lossy(&seen).lines().any(|line| line == wanted) {
        let mut byte = [0];
        stdout.read_exact(&mut byte).unwrap();
        seen.push(byte[0]);
    }
}
