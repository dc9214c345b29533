//! Each command that writes a file, and what it does to one that it read, that is somebody's own, that is a link to one, that is
//! another command's, that it wrote before.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Output, Stdio};

use tempfile::TempDir;

use super::{ends, err, folder, redexter, run, script};

/// A command that writes, `OUT` where its file's name stands, and how its files end. The model that it reads is `m.arr`, the
/// arrays are `v.npy`.
const WRITERS: [(&[&str], &[&str]); 9] = [
    (&["export", "futhark", "m.arr:total", "-o", "OUT"], &[""]),
    (&["export", "c", "m.arr:total", "-o", "OUT"], &[".h", ".c"]),
    (&["eval", "m.arr:gradient", "--input", "v=v.npy", "-o", "OUT.npy"], &[".npy"]),
    (&["eval", "m.arr:gradient", "--input", "v=v.npy", "-o", "OUT.npz"], &[".npz"]),
    (&["trace", "fastGradient", "m.arr:gradient", "--html", "OUT"], &[""]),
    (&["trace", "fastGradient", "m.arr:gradient", "--md", "OUT"], &[""]),
    (&["trace", "fastGradient", "m.arr:gradient", "--latex", "OUT"], &[""]),
    (&["bench", "m.arr:total", "--sizes", "n=1,2", "--seconds", "0.001", "--way", "blocks", "--csv", "OUT"], &[""]),
    (&["bench", "m.arr:total", "--sizes", "n=1,2", "--seconds", "0.001", "--way", "blocks", "--svg", "OUT"], &[""]),
];

/// The commands of the prompt that write, and the names of their files.
const PROMPTS: [(&str, &str); 7] = [
    (":export futhark OUT", "own.strat"),
    (":export page OUT", "own.strat"),
    (":export markdown OUT", "own.strat"),
    (":export latex OUT", "own.strat"),
    (":plot OUT", "own.svg"),
    (":graph OUT", "own.dot"),
    (":save OUT", "own.strat"),
];

fn command(f: &TempDir, line: &[&str], out: &str, more: &[&str]) -> Output {
    let arguments: Vec<String> = line.iter().chain(more).map(|word| word.replace("OUT", out)).collect();
    run(f, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn ready() -> TempDir {
    let f = folder();
    let made = run(&f, &["eval", "m.arr:gradient", "--input", r#"{"v": [1, 2]}"#, "-o", "v.npy"]);
    ends(&made, 0, "");
    f
}

fn texts(f: &TempDir, out: &str, ends: &[&str]) -> Vec<Vec<u8>> {
    ends.iter().map(|end| fs::read(f.path().join(format!("{out}{end}"))).expect("a file")).collect()
}

#[test]
fn no_command_writes_over_what_is_not_its_own() {
    for (line, files) in WRITERS {
        let f = ready();
        let at = |out: &str, end: &str| f.path().join(format!("{out}{end}"));
        // A source, and a table of somebody's.
        for (k, own) in ["def own (x : real) : real := x\n", "a table\nof mine\n"].into_iter().enumerate() {
            let out = format!("own{k}");
            files.iter().for_each(|end| fs::write(at(&out, end), own).expect("a file"));
            ends(&command(&f, line, &out, &[]), 1, "--force");
            assert!(texts(&f, &out, files).iter().all(|text| text == own.as_bytes()), "{line:?}");
            let link = format!("link{k}");
            files.iter().for_each(|end| symlink(at(&out, end), at(&link, end)).expect("a link"));
            ends(&command(&f, line, &link, &[]), 1, "--force");
            assert!(texts(&f, &out, files).iter().all(|text| text == own.as_bytes()), "{line:?} by a link");
            ends(&command(&f, line, &out, &["--force"]), 0, "");
            assert!(texts(&f, &out, files).iter().all(|text| text != own.as_bytes()), "{line:?}");
            ends(&command(&f, line, &link, &[]), 0, "");
            assert!(files.iter().all(|end| at(&link, end).is_symlink()), "{line:?}: the link stays");
        }
        // Its own of an earlier run, and an empty file.
        ends(&command(&f, line, "own0", &[]), 0, "");
        files.iter().for_each(|end| fs::write(at("empty", end), "").expect("a file"));
        ends(&command(&f, line, "empty", &[]), 0, "");
        // One that may not be written stays, also with `--force`.
        files.iter().for_each(|end| {
            fs::set_permissions(at("own0", end), fs::Permissions::from_mode(0o444)).expect("a mode");
        });
        let before = texts(&f, "own0", files);
        ends(&command(&f, line, "own0", &["--force"]), 1, "E0404");
        assert_eq!(texts(&f, "own0", files), before, "{line:?}");
    }
}

/// What was read is of the same kind as what is written: arrays, tables.
#[test]
fn no_command_writes_over_what_it_read() {
    let f = ready();
    let before = fs::read(f.path().join("v.npy")).expect("a file");
    let both = ["eval", "m.arr:gradient", "--input", "v=v.npy", "-o", "v.npy"];
    ends(&run(&f, &both), 1, "it was just read");
    assert_eq!(fs::read(f.path().join("v.npy")).expect("a file"), before);
    ends(&run(&f, &[&both[..], &["--force"]].concat()), 0, "");
    for line in WRITERS
        .map(|(line, _)| line)
        .into_iter()
        .filter(|line| !line.iter().any(|word| word.contains("OUT.")) && line[1] != "c")
    {
        let before = fs::read(f.path().join("m.arr")).expect("a file");
        ends(&command(&f, line, "m.arr", &[]), 1, "--force");
        assert_eq!(fs::read(f.path().join("m.arr")).expect("a file"), before, "{line:?}");
    }
}

/// The program with these lines on its standard input.
fn typed(f: &TempDir, lines: &str) -> Output {
    let mut child = redexter(f.path());
    let mut child =
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("lines");
    child.wait_with_output().expect("an answer")
}

#[test]
fn the_prompt_does_not_either() {
    for (line, name) in PROMPTS {
        let f = ready();
        let own = f.path().join(name);
        fs::write(&own, "// mine\n").expect("a file");
        let session = |line: &str| {
            let line = line.replace("OUT", name);
            typed(&f, &format!(":load m.arr\ngradient\nfastGradient\n{line}\n"))
        };
        let refused = if line.starts_with(":save") { "saved session" } else { "--force" };
        assert!(err(&session(line)).contains(refused), "{line}");
        assert_eq!(fs::read_to_string(&own).expect("a file"), "// mine\n", "{line}");
        assert_eq!(err(&session(&format!("{line} --force"))), "", "{line}");
        assert_ne!(fs::read_to_string(&own).expect("a file"), "// mine\n", "{line}");
        assert_eq!(err(&session(line)), "", "{line}: its own");
    }
}

/// `fmt` and `check --update` are told which files to change; those are all that they change, in their places.
#[test]
fn commands_that_change_files_change_these_alone() {
    let f = folder();
    let at = |name: &str| f.path().join(name);
    let (ugly, laid) = ("def own (x:real):real:=x\n", "def own (x : real) : real := x\n");
    fs::write(at("own.arr"), ugly).and_then(|()| symlink("own.arr", at("link.arr"))).expect("files");
    ends(&run(&f, &["fmt", "link.arr"]), 0, "");
    assert_eq!(fs::read_to_string(at("own.arr")).expect("a file"), laid);
    assert!(at("link.arr").is_symlink());
    let page = "```session\n> 1 + 1\n3\n```\n";
    fs::write(at("page.md"), page).expect("a file");
    ends(&run(&f, &["check", "page.md"]), 1, "");
    assert_eq!(fs::read_to_string(at("page.md")).expect("a file"), page, "only with `--update`");
    ends(&run(&f, &["check", "--update", "page.md"]), 0, "");
    assert_eq!(fs::read_to_string(at("page.md")).expect("a file"), page.replace('3', "2"));
}

/// `--force` is the user's word, not a script's: what a script may replace stays as it is.
#[test]
fn no_script_is_forced() {
    let f = folder();
    fs::write(f.path().join("own.fut"), "-- my own\n").expect("a file");
    let text = "load(\"m.arr\").total.write_futhark(\"own.fut\");";
    ends(&script(&f, text, &["--force"]), 1, "there is a file that redexter didn't write");
    assert_eq!(fs::read_to_string(f.path().join("own.fut")).expect("a file"), "-- my own\n");
}
