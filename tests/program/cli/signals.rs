//! What asks the process to end, what a line is that isn't UTF-8, and where there is little memory.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use super::{ends, err, folder, out, redexter, run};

const ENDLESS: [&str; 2] = ["--max-steps", "1000000000000000"];

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Begins to run something, writes these lines to it and waits until it says `ready`.
fn until_ready(command: &mut Command, lines: &str) -> Child {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    let said = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(said.map_while(Result::ok).any(|line| line == "ready"), "{lines}");
    child
}

fn repl(f: &TempDir) -> Command {
    let mut command = redexter(f.path());
    command.args(["repl", "--autosave"]).args(ENDLESS).env("XDG_STATE_HOME", f.path().join("state"));
    command
}

fn resumed(f: &TempDir) -> Output {
    let mut command = redexter(f.path());
    command.args(["repl", "--resume"]).env("XDG_STATE_HOME", f.path().join("state")).output().unwrap()
}

#[test]
fn a_signal_stops_a_run_and_ends_the_process() {
    let f = folder();
    std::fs::write(f.path().join("s.strat"), "print(\"ready\"); loop { }").unwrap();
    for (signal, code) in [("-TERM", 143), ("-HUP", 129)] {
        let child = until_ready(redexter(f.path()).args(["run", "s.strat"]).args(ENDLESS), "");
        send(&child, signal);
        ends(&child.wait_with_output().unwrap(), code, "interrupted");
    }
}

#[test]
fn a_signal_ends_a_session_that_can_be_taken_up_again() {
    for (lines, signal, code) in
        [("loop { }\n", "-TERM", 143), ("loop { }\n1 + 1\n", "-HUP", 129), ("", "-TERM", 143), ("", "-HUP", 129)]
    {
        let f = folder();
        let mut child = until_ready(&mut repl(&f), &format!(":load m.arr\ngradient\nprint(\"ready\")\n{lines}"));
        let input = child.stdin.take();
        send(&child, signal);
        let done = child.wait_with_output().unwrap();
        drop(input);
        ends(&done, code, "");
        assert!(!out(&done).contains('2'), "no line is answered any more: {}", out(&done));
        let again = resumed(&f);
        ends(&again, 0, "");
        assert!(out(&again).contains("brought back "), "{lines:?} {signal}: {}", out(&again));
    }
}

#[test]
fn who_outlives_a_hangup_does() {
    let f = folder();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" repl", env!("CARGO_BIN_EXE_redexter")]);
    let mut child = until_ready(command.current_dir(f.path()), "print(\"ready\")\n");
    send(&child, "-HUP");
    child.stdin.as_mut().unwrap().write_all(b"1 + 1\n").unwrap();
    let done = child.wait_with_output().unwrap();
    ends(&done, 0, "");
    assert_eq!(out(&done), "2\n");
}

#[test]
fn a_line_that_is_not_utf_8_is_an_error_and_the_session_goes_on() {
    let f = folder();
    let mut child =
        redexter(f.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"let a = 3\nlet a\xff = 4 // \xfe\nprint((1 +\n\xc3\n2))\na\n").unwrap();
    let done = child.wait_with_output().unwrap();
    ends(&done, 0, "error[E0402]: the input isn't UTF-8: byte 6 in line 2");
    ends(&done, 0, "the input isn't UTF-8: byte 1 in line 4");
    assert_eq!(out(&done), "3\n");
}

/// A process that may have so many kilobytes of address space.
#[cfg(target_os = "linux")]
fn with_little(f: &TempDir, kilobytes: u32, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_redexter")]);
    command.args(arguments).current_dir(f.path()).stdin(Stdio::null()).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn it_starts_with_little_memory() {
    let f = folder();
    for arguments in [&["repl", "m.arr"][..], &["check", "m.arr"], &["apply", "normalize(letSubst)", "m.arr:gradient"]]
    {
        ends(&with_little(&f, 2_000_000, arguments), 0, "");
        ends(&with_little(&f, 10_000_000, arguments), 0, "");
    }
    let asked = with_little(&f, 2_000_000, &["check", "m.arr", "--max-depth", "1000000000"]);
    ends(&asked, 2, "no memory for a nesting of 1000000000");
    ends(&asked, 2, "lower `--max-depth`");
    // A stack that gets no smaller isn't mended by less depth.
    for arguments in [&["check", "m.arr"][..], &["check", "m.arr", "--max-depth", "100"]] {
        let refused = with_little(&f, 300_000, arguments);
        ends(&refused, 2, "allow 1 GB in all, as by `ulimit -v 1000000`");
        assert_eq!(err(&refused).matches("error:").count(), 1, "{}", err(&refused));
        // What is advised does; and so does what leaves room for a reservation of the allocator, or for the stack, not for both.
        for kilobytes in [1_000_000, 1_100_000, 1_300_000, 1_500_000] {
            ends(&with_little(&f, kilobytes, arguments), 0, "");
        }
    }
    ends(&run(&f, &["check", "m.arr"]), 0, "");
}
