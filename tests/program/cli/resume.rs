//! Sessions that end irregularly, and what `--resume` makes of them.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use super::{ends, err, folder, out, redexter};

/// A REPL that keeps its state in this folder.
fn repl(f: &TempDir, arguments: &[&str]) -> Command {
    let mut command = redexter(f.path());
    command.args(arguments).env("XDG_STATE_HOME", f.path().join("state"));
    command
}

/// A REPL that answered these lines, and then `1 + 1`, and was killed.
fn killed(f: &TempDir, lines: &str) {
    let mut child = begun(f, lines);
    child.kill().unwrap();
    child.wait().unwrap();
}

fn begun(f: &TempDir, lines: &str) -> Child {
    let mut child = repl(f, &["repl", "--autosave"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(format!("{lines}print(\"so far\")\n").as_bytes()).unwrap();
    let said = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(said.map_while(Result::ok).any(|line| line == "so far"), "{lines}");
    child
}

fn resumed(f: &TempDir, arguments: &[&str], lines: &str) -> Output {
    fs::write(f.path().join("lines"), lines).unwrap();
    repl(f, arguments).stdin(fs::File::open(f.path().join("lines")).unwrap()).output().unwrap()
}

fn saved(f: &TempDir) -> Vec<String> {
    let names = fs::read_dir(f.path().join("state/redexter/sessions")).into_iter().flatten().flatten();
    let mut names: Vec<String> = names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".strat"));
    names.sort();
    names
}

const LINES: &str = ":load m.arr\nlet k = 3\nrule own = `x * 1 --> x`\ngradient\nnormalize(letSubst)\n:goto 1\n:tag one\n\
                     topDown(beta)\n:set max-steps 4000\n";

#[test]
fn a_killed_session_is_taken_up_again() {
    let f = folder();
    killed(&f, LINES);
    assert_eq!(saved(&f).len(), 1);
    let done = resumed(&f, &["--resume", "--autosave"], "");
    ends(&done, 2, "--autosave");
    let done = resumed(&f, &["repl", "--resume", "--autosave"], ":log\nk\n:rule own\n:set\ntotal\n");
    ends(&done, 0, "");
    for part in ["brought back ", "* 2", "@one", "@b1", "\n3\n", "own\n  x * 1 --> x", "max-steps  4000", "fun (v"] {
        assert!(out(&done).contains(part), "{part}: {}", out(&done));
    }
    assert_eq!(saved(&f), Vec::<String>::new(), "it was taken up and ended regularly");
}

#[test]
fn a_session_that_ends_as_it_should_leaves_nothing() {
    let f = folder();
    for lines in [":load m.arr\ngradient\n", ":load m.arr\ngradient\n:quit\n"] {
        ends(&resumed(&f, &["repl", "--autosave"], lines), 0, "");
        assert_eq!(saved(&f), Vec::<String>::new());
    }
    let f = folder();
    ends(&resumed(&f, &["repl"], ":load m.arr\ngradient\n"), 0, "");
    assert!(!f.path().join("state").exists(), "a session from a pipe is saved only where that is asked for");
    let none = resumed(&f, &["--resume"], "1 + 1\n");
    ends(&none, 1, "no session ended irregularly in this folder");
    ends(&resumed(&f, &["--resume", "run", "s.strat"], ""), 2, "redexter --resume");
}

#[test]
fn of_several_sessions_one_is_named() {
    let f = folder();
    killed(&f, ":load m.arr\ntotal\n:tag first\n");
    let first = saved(&f)[0].trim_end_matches(".strat").to_owned();
    killed(&f, ":load m.arr\ngradient\n:tag second\n");
    let mut live = begun(&f, ":load m.arr\ngradient\n:tag third\n");
    assert_eq!(saved(&f).len(), 3);
    let by_name = resumed(&f, &[&format!("--resume={first}")], ":log\n");
    assert!(out(&by_name).contains("@first"), "{}", out(&by_name));
    let newest = resumed(&f, &["--resume"], ":log\n");
    ends(&newest, 0, &format!("redexter --resume={first}"));
    assert!(!out(&newest).contains("@third"), "one that goes on isn't taken");
    ends(&resumed(&f, &["--resume=none"], ""), 1, "no session `none`");
    live.kill().unwrap();
    live.wait().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let mut other = repl(&f, &["--resume"]);
    ends(&other.current_dir(elsewhere.path()).output().unwrap(), 1, "start redexter there");
}

/// What a killed session had loaded may be gone, and its file cut: the rest is there, and the file stays.
#[test]
fn what_is_damaged_is_told_and_stays() {
    let f = folder();
    killed(&f, LINES);
    let file = f.path().join("state/redexter/sessions").join(&saved(&f)[0]);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("topDown(beta)", "topDown(bet)")).unwrap();
    let done = resumed(&f, &["repl", "--resume", "--autosave"], ":log\n");
    ends(&done, 0, "can't be brought back");
    ends(&done, 0, "the saved session stays in ");
    assert!(out(&done).contains("@one"), "{}", out(&done));
    fs::remove_file(f.path().join("m.arr")).unwrap();
    let done = resumed(&f, &["repl", "--resume"], "k\n");
    ends(&done, 0, "m.arr");
    assert!(out(&done).contains("\n3\n") && err(&done).contains("can't be brought back"), "{}", out(&done));
    assert!(Path::new(&file).exists());
}

/// A script that was loaded runs again, but writes nothing.
#[test]
fn taking_up_a_session_writes_no_files() {
    let f = folder();
    fs::write(
        f.path().join("w.strat"),
        "load(\"m.arr\").total.write_futhark(\"t.fut\");\nrule mine = `x * 1 --> x`;\n",
    )
    .unwrap();
    killed(&f, ":load w.strat\n");
    assert!(f.path().join("t.fut").exists());
    fs::remove_file(f.path().join("t.fut")).unwrap();
    let done = resumed(&f, &["--resume"], ":rule mine\nload(\"m.arr\").total.write_futhark(\"u.fut\")\n");
    ends(&done, 0, "writes nothing");
    assert!(!f.path().join("t.fut").exists() && f.path().join("u.fut").exists());
    assert!(out(&done).contains("mine\n  x * 1 --> x"), "{}", out(&done));
}

/// Without a new file the old one is the only one: it stays.
#[cfg(target_os = "linux")]
#[test]
fn what_is_taken_up_goes_only_once_it_is_saved_anew() {
    let f = folder();
    killed(&f, ":load m.arr\ntotal\n");
    let file = saved(&f);
    let mut full = Command::new("sh");
    full.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_redexter")]);
    full.args(["repl", "--resume", "--autosave"]).current_dir(f.path());
    full.env("XDG_STATE_HOME", f.path().join("state")).stdin(Stdio::null());
    ends(&full.output().unwrap(), 0, "the saved session stays in ");
    assert_eq!(saved(&f), file);
}

/// A session in which nothing was done leaves nothing, however it ends.
#[test]
fn nothing_done_is_nothing_saved() {
    let f = folder();
    killed(&f, "1 + 1\n");
    ends(&resumed(&f, &["repl", "--resume", "--autosave"], ""), 1, "no session ended irregularly");
    assert_eq!(fs::read_dir(f.path().join("state/redexter/sessions")).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_folder_may_have_any_name() {
    let f = folder();
    let odd = f.path().join("two\nlines \"q\"");
    fs::create_dir(&odd).unwrap();
    fs::copy(f.path().join("m.arr"), odd.join("m.arr")).unwrap();
    let repl_there = |arguments: &[&str]| {
        let mut command = repl(&f, arguments);
        command.current_dir(&odd);
        command
    };
    let mut child = repl_there(&["repl", "--autosave"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b":load m.arr\ntotal\nprint(\"so far\")\n").unwrap();
    let said = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(said.map_while(Result::ok).any(|line| line == "so far"));
    child.kill().unwrap();
    child.wait().unwrap();
    let done = repl_there(&["repl", "--resume"]).stdin(Stdio::null()).output().unwrap();
    ends(&done, 0, "");
    assert!(out(&done).contains("brought back "), "{}", out(&done));
}
