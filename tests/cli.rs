//! The program as a shell sees it: exit codes, outputs, files, signals.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

const MODEL: &str = "def total {n} (v : array n real) : real :=\n  ifold n (fun acc i => acc + v[i]) 0\n\n\
                     def gradient {n} (v : array n real) : array n real :=\n  grad total v\n";

/// A folder with a model in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.arr"), MODEL).unwrap();
    folder
}

fn redexter(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redexter"));
    command.current_dir(folder).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    redexter(folder.path()).args(arguments).output().unwrap()
}

/// Runs a script with this text.
fn script(folder: &TempDir, text: &str, arguments: &[&str]) -> Output {
    fs::write(folder.path().join("s.strat"), text).unwrap();
    run(folder, &[&["run", "s.strat"], arguments].concat())
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn ends(output: &Output, code: i32, said: &str) {
    assert_eq!(output.status.code(), Some(code), "{}", err(output));
    assert!(err(output).contains(said), "`{said}` isn't in: {}", err(output));
}

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
fn documents_are_checked_and_updated() {
    let f = folder();
    let page = |answer: &str| {
        format!(
            "\u{feff}# Page\r\n\r\n```arr own.arr\r\ndef f (x : real) := x * 1\r\n```\r\n\r\n \
                 * Item\r\n   ```session\r\n   > let t = load(\"own.arr\").f.apply(body(mulOne))\r\n   > t\r\n   {answer}\r\n   \
                 > t.write_futhark(\"f.fut\")\r\n   > :save again\r\n   wrote again.strat\r\n   ```\r\nend"
        )
    };
    let file = f.path().join("p.md");
    fs::write(&file, page("fun (x : int) => x")).unwrap();
    let differs = run(&f, &["check", "m.arr", "p.md"]);
    ends(&differs, 1, "p.md:11:4");
    assert!(err(&differs).contains("fun (x : real) => x"), "{}", err(&differs));
    assert_eq!(fs::read_to_string(&file).unwrap(), page("fun (x : int) => x"));
    ends(&run(&f, &["check", "--update", "p.md"]), 0, "");
    assert_eq!(fs::read_to_string(&file).unwrap(), page("fun (x : real) => x"));
    ends(&run(&f, &["check", "p.md"]), 0, "");
    for kept in ["own.arr", "f.fut", "again.strat"] {
        assert!(!f.path().join(kept).exists(), "{kept} is there");
    }
}

/// What is wrong but no answer stays wrong, and a file that can't be written stays as it was.
#[test]
fn an_update_puts_right_answers_only() {
    let f = folder();
    let file = f.path().join("p.md");
    fs::write(&file, "```arr\ndef f := y\n```\n```session\n> 1\n```\n").unwrap();
    ends(&run(&f, &["check", "--update", "p.md"]), 1, "p.md:2:10");
    assert_eq!(fs::read_to_string(&file).unwrap(), "```arr\ndef f := y\n```\n```session\n> 1\n1\n```\n");
    let before = "```session\n> 2\n```\n";
    fs::write(&file, before).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    ends(&run(&f, &["check", "--update", "p.md"]), 1, "E0404");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    fs::write(f.path().join("q.md"), "```arr none/a.arr\n```\n").unwrap();
    ends(&run(&f, &["check", "q.md"]), 1, "none/a.arr");
}

#[test]
fn files_are_laid_out() {
    let f = folder();
    let (file, laid) = (f.path().join("a.arr"), "def f (x : real) := x -- x\n");
    fs::write(&file, "def f (x:real):=x -- x\n").unwrap();
    ends(&run(&f, &["fmt", "--check", "m.arr", "a.arr"]), 1, "a.arr:1:1");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    ends(&run(&f, &["fmt", "a.arr"]), 1, "E0404");
    assert_eq!(fs::read_to_string(&file).unwrap(), "def f (x:real):=x -- x\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    fs::write(f.path().join("bad.arr"), "def f (").unwrap();
    ends(&run(&f, &["fmt", "bad.arr", "a.arr"]), 1, "bad.arr:1:8");
    assert_eq!(fs::read_to_string(&file).unwrap(), laid);
    assert_eq!(fs::read_to_string(f.path().join("bad.arr")).unwrap(), "def f (");
    ends(&run(&f, &["fmt", "--check", "m.arr", "a.arr"]), 0, "");
    for (given, laid) in [("def f (x:real):=x -- x", laid), ("strategy s  =id<+fail;", "strategy s  = id <+ fail;")] {
        let mut fmt =
            redexter(f.path()).args(["fmt", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        fmt.stdin.take().unwrap().write_all(given.as_bytes()).unwrap();
        assert_eq!(out(&fmt.wait_with_output().unwrap()), laid);
    }
}

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

/// A folder with a definition, and strategies that only limits end.
fn endless() -> TempDir {
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
    ends(&done, 3, "stopped after 3000 steps; raise the limit with --max-steps");
    ends(
        &done,
        3,
        "\n = help: it was in `stage(turn)` of `fast`\n = help: `turn` rewrote 1000 of the last 1000 times\n",
    );
    ends(&done, 3, "\n = help: what is printed is the term so far: right, but not in normal form\n");
    assert!(TURNED.contains(&&*out(&done)), "{}", out(&done));
    let worse = apply("stage(pad)", &[]);
    ends(&worse, 3, "`pad` rewrote 1000 of the last 1000 times");
    ends(&worse, 3, "what is printed is the term as it was: the term so far takes more work");
    assert_eq!(out(&worse), TURNED[0]);
    let json = out(&apply("fast", &["--json", "--trace"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["stopped"]["rule"], "turn");
    assert_eq!(json["stopped"]["within"], serde_json::json!(["fast", "stage(turn)"]));
    assert!(json["stopped"]["message"].as_str().unwrap().starts_with("stopped after 3000 steps;"));
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
fn colour_only_where_it_is_wanted() {
    let f = folder();
    let apply = ["apply", "try(beta)", "m.arr:total"];
    assert!(!out(&run(&f, &apply)).contains('\x1b'));
    assert!(out(&run(&f, &[&apply[..], &["--color", "always"]].concat())).contains('\x1b'));
    assert!(!out(&run(&f, &[&apply[..], &["--color", "never"]].concat())).contains('\x1b'));
    let quiet = redexter(f.path()).args(apply).env("NO_COLOR", "1").output().unwrap();
    assert!(!out(&quiet).contains('\x1b'));
}

#[test]
fn what_follows_two_dashes_goes_to_the_script_unread() {
    let f = folder();
    let done =
        script(&f, "for a in args { print(a); }", &["1", "--max-steps", "99999", "2", "--", "--max-steps", "-x"]);
    assert_eq!(out(&done), "1\n2\n--max-steps\n-x\n", "{}", err(&done));
}

#[test]
fn scripts_stay_in_their_folders() {
    let f = folder();
    let outside = folder();
    let elsewhere = outside.path().display().to_string();
    let write = |path: &str| format!("load(\"m.arr\").total.write_futhark(\"{path}\");");
    ends(&script(&f, &write(&format!("{elsewhere}/o.fut")), &[]), 1, "E0405");
    ends(&script(&f, &write("../o.fut"), &[]), 1, "E0405");
    ends(&script(&f, &write("none/o.fut"), &[]), 1, "E0404");
    symlink(outside.path(), f.path().join("link")).unwrap();
    ends(&script(&f, &write("link/o.fut"), &[]), 1, "E0405");
    ends(&script(&f, "load(\"link/m.arr\");", &[]), 1, "E0405");
    ends(&script(&f, "load(\"/etc/passwd\");", &[]), 1, "E0405");
    ends(&script(&f, "load(\"/etc/there-is-no-such-file\");", &[]), 1, "E0405");
    ends(&script(&f, &write(&format!("{elsewhere}/o.fut")), &["--allow", &elsewhere]), 0, "");
    assert!(outside.path().join("o.fut").is_file());
    ends(&run(&f, &["eval", &format!("{elsewhere}/m.arr:total"), "--input", "{\"v\": []}"]), 0, "");
}

#[test]
fn a_write_replaces_the_file_at_once_and_keeps_its_permissions() {
    let f = folder();
    let target = f.path().join("o.fut");
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o604)).unwrap();
    let write = "load(\"m.arr\").total.write_futhark(\"o.fut\");";
    ends(&script(&f, write, &[]), 0, "");
    assert!(fs::read_to_string(&target).unwrap().contains("entry total"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o604);
    fs::set_permissions(&target, fs::Permissions::from_mode(0o444)).unwrap();
    let before = fs::read_to_string(&target).unwrap();
    ends(&script(&f, "load(\"m.arr\").gradient.write_futhark(\"o.fut\");", &[]), 1, "E0404");
    assert_eq!(fs::read_to_string(&target).unwrap(), before);
    let leftovers = fs::read_dir(f.path())
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().starts_with(".redexter"));
    assert_eq!(leftovers.count(), 0);
    ends(&run(&f, &["export", "futhark", "m.arr:total", "-o", "none/o.fut"]), 1, "mkdir -p none");
}

#[test]
fn used_scripts_print_aside_and_write_nothing() {
    let f = folder();
    fs::write(f.path().join("u.strat"), "strategy mine = try(getBuild); print(\"hello\");").unwrap();
    let done = run(&f, &["apply", "mine", "m.arr:total", "--use", "u.strat"]);
    ends(&done, 0, "hello");
    assert!(!out(&done).contains("hello"));
    fs::write(f.path().join("u.strat"), "load(\"m.arr\").total.write_futhark(\"o.fut\");").unwrap();
    ends(&run(&f, &["apply", "id", "m.arr:total", "--use", "u.strat"]), 0, "warning[E0404]");
    assert!(!f.path().join("o.fut").exists());
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
fn completions_for_every_shell() {
    let f = folder();
    for shell in ["bash", "zsh", "fish"] {
        assert!(out(&run(&f, &["completions", shell])).contains("redexter"));
    }
}

#[test]
fn a_script_can_come_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assert_cmd::Command::cargo_bin("redexter").unwrap();
    let done = command.current_dir(folder.path()).args(["run", "/dev/stdin"]).write_stdin("print(1 + 1)").assert();
    done.code(0).stdout("2\n");
}

#[test]
fn slips_get_a_hint() {
    let f = folder();
    fs::write(f.path().join("s.strat"), "").unwrap();
    ends(&run(&f, &["run", "m.arr"]), 1, "`m.arr` is a model, not a script");
    ends(&run(&f, &["m.arr"]), 2, "did you mean `redexter repl m.arr`?");
    ends(&run(&f, &["s.strat"]), 2, "did you mean `redexter run s.strat`?");
    ends(&run(&f, &["eval", "m.arr:total", "--input", "[1, 2]"]), 1, "JSON object");
    ends(&run(&f, &["eval", "m.arr:total", "--input", "v=[1, 2]"]), 1, "JSON object");
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
fn every_subcommand_helps_with_examples_of_files_that_ship() {
    let f = folder();
    let tasks = ["repl", "run", "check", "apply", "eval", "export futhark", "rules", "completions"];
    for task in tasks {
        let help = run(&f, &[&task.split(' ').collect::<Vec<_>>()[..], &["--help"]].concat());
        ends(&help, 0, "");
        assert!(out(&help).contains("Examples:\n  redexter "), "{task}");
        let shipped = |word: &&str| word.starts_with("models/") || word.starts_with("strategies/");
        for word in out(&help).split([' ', ':', '\'', '"', '\n']).filter(shipped).filter(|w| !w.contains('*')) {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(word).is_file(), "{task}: {word}");
        }
    }
}

#[test]
fn the_book_is_searched_by_group_and_text() {
    let f = folder();
    let all = out(&run(&f, &["rules"]));
    let found = out(&run(&f, &["rules", "--find", "build n"]));
    assert!(found.contains("getBuild") && !found.contains("mulZero"), "{found}");
    let heading = all.lines().next().unwrap();
    let group = out(&run(&f, &["rules", "--group", &heading.to_lowercase()]));
    assert!(group.starts_with(heading) && group.contains("letSubstN(k)") && !group.contains("getBuild"), "{group}");
    assert!(out(&run(&f, &["rules", "--group", heading, "--find", "no such text"])).contains("no rule contains"));
    ends(&run(&f, &["rules", "--group", "cooking"]), 1, heading);
    let rule = out(&run(&f, &["rules", "letSubstN"]));
    assert!(rule.ends_with("\nexample\n  - let x := a; x * 2\n  + a * 2\n"), "{rule}");
}

#[test]
fn json_and_traces_tell_the_work() {
    let f = folder();
    let apply = ["apply", "normalize(getBuild <+ letSubstN(1))", "m.arr:gradient", "--trace"];
    let json = out(&run(&f, &[&apply[..], &["--json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let steps = json["trace"].as_array().unwrap();
    assert_eq!(json["steps"], steps.len());
    assert_eq!(json["work"]["after"], steps.last().unwrap()["work"]);
    assert_eq!(json["work"]["before"], "8*n^2 + n");
    assert!(steps.iter().all(|step| step["state"] == "tested"));
    fs::write(f.path().join("own.strat"), "rule drop = `a + b --> a` unchecked;\n").unwrap();
    let own = ["apply", "topDown(drop)", "m.arr:total", "--use", "own.strat", "--trace", "--json"];
    let json: serde_json::Value = serde_json::from_str(&out(&run(&f, &own))).unwrap();
    assert_eq!(json["trace"][0]["state"], "unsound");
    assert!(out(&run(&f, &apply)).contains("work in total: 8n² + n → "));
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
    let same = r#"{"v": ["inf", 1], "n": 2}"#;
    ends(&run(&f, &["eval", "m.arr:total", "--input", same]), 0, "");
    let slow = ["--timeout", "0.2", "--max-steps", "1000000000000"];
    ends(&script(&f, "loop { }", &slow), 3, "stopped after 0.2 seconds;");
}
