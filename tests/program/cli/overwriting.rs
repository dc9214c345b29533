//! Each command that writes a file, and what it does to one that it read, that is somebody's own, that is a link to one, that is
//! another command's, that it wrote before.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::{ends, err, folder, redexter, run, script};

/// A command that writes, `OUT` where its file's name stands, and how its files end. The model that it reads is `m.arr`, the
/// arrays are `v.npy`.
const WRITERS: [(&[&str], &[&str]); 11] = [
    (&["export", "futhark", "m.arr:total", "-o", "OUT"], &[""]),
    (&["export", "c", "m.arr:total", "-o", "OUT"], &[".h", ".c"]),
    (&["eval", "m.arr:gradient", "--input", "v=v.npy", "-o", "OUT.npy"], &[".npy"]),
    (&["eval", "m.arr:gradient", "--input", "v=v.npy", "-o", "OUT.npz"], &[".npz"]),
    (&["trace", "fastGradient", "m.arr:gradient", "--html", "OUT"], &[""]),
    (&["trace", "fastGradient", "m.arr:gradient", "--md", "OUT"], &[""]),
    (&["trace", "fastGradient", "m.arr:gradient", "--latex", "OUT"], &[""]),
    (&["trace", "fastGradient", "m.arr:gradient", "--json", "OUT"], &[""]),
    (&["bench", "m.arr:total", "--sizes", "n=1,2", "--seconds", "0.001", "--way", "blocks", "--csv", "OUT"], &[""]),
    (&["bench", "m.arr:total", "--sizes", "n=1,2", "--seconds", "0.001", "--way", "blocks", "--svg", "OUT"], &[""]),
    (&["learn", "--report", "OUT"], &[""]),
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

/// The program where what is kept of lessons stands in the folder, too.
fn at_home(f: &TempDir) -> Command {
    let mut program = redexter(f.path());
    program.env("XDG_DATA_HOME", f.path().join("data")).env("XDG_STATE_HOME", f.path().join("state"));
    program
}

fn command(f: &TempDir, line: &[&str], out: &str, more: &[&str]) -> Output {
    let arguments = line.iter().chain(more).map(|word| word.replace("OUT", out));
    at_home(f).args(arguments).output().expect("an answer")
}

fn ready() -> TempDir {
    let f = folder();
    let made = run(&f, &["eval", "m.arr:gradient", "--input", r#"{"v": [1, 2]}"#, "-o", "v.npy"]);
    ends(&made, 0, "");
    ends(&fed(at_home(&f).args(["learn", "fusion"]), "topDown(getBuild)\n"), 0, "");
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
fn fed(program: &mut Command, lines: &str) -> Output {
    let piped = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("lines");
    child.wait_with_output().expect("an answer")
}

fn typed(f: &TempDir, lines: &str) -> Output {
    fed(&mut redexter(f.path()), lines)
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
        // A source, by its name and by a link; and a file that may not be written, also with `--force`.
        let source = "def own (x : real) : real := x\n";
        let target = f.path().join("target");
        fs::remove_file(&own).and_then(|()| fs::write(&own, source)).expect("a file");
        assert!(err(&session(line)).contains(refused), "{line}: a source");
        assert_eq!(fs::read_to_string(&own).expect("a file"), source, "{line}: a source");
        fs::rename(&own, &target).and_then(|()| symlink(&target, &own)).expect("a link");
        assert!(err(&session(line)).contains(refused), "{line}: a link");
        assert_eq!(fs::read_to_string(&target).expect("a file"), source, "{line}: a link");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o444)).expect("a mode");
        assert!(err(&session(&format!("{line} --force"))).contains("E0404"), "{line}: read-only");
        assert_eq!(fs::read_to_string(&target).expect("a file"), source, "{line}: read-only");
    }
}

/// What was loaded under the name that a chart or a graph has.
#[test]
fn charts_and_graphs_do_not_replace_what_was_loaded() {
    for (line, name) in [(":plot own.svg", "own.svg"), (":graph own.dot", "own.dot")] {
        let f = folder();
        fs::copy(f.path().join("m.arr"), f.path().join(name)).expect("a copy");
        let told = err(&typed(&f, &format!("let t = load(\"{name}\").gradient\nt\nfastGradient\n{line}\n")));
        assert!(told.contains("it was just read"), "{line}: {told}");
        assert_eq!(fs::read(f.path().join(name)).expect("a file"), fs::read(f.path().join("m.arr")).expect("a file"));
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
    // A link to a page; a source, and a page that reads it; one that may not be written, also with `--force`.
    fs::write(at("other.md"), page).and_then(|()| symlink("other.md", at("link.md"))).expect("files");
    ends(&run(&f, &["check", "--update", "link.md"]), 0, "");
    assert_eq!(fs::read_to_string(at("other.md")).expect("a file"), page.replace('3', "2"));
    assert!(at("link.md").is_symlink());
    let source = fs::read_to_string(at("m.arr")).expect("a file");
    let reads = "```session\n> :load m.arr\n> total\n> :export page m.arr --force\n```\n";
    fs::write(at("reads.md"), reads).and_then(|()| symlink("m.arr", at("model.md"))).expect("files");
    ends(&run(&f, &["check", "--update", "m.arr", "model.md", "reads.md"]), 0, "");
    assert_eq!(fs::read_to_string(at("m.arr")).expect("a file"), source);
    fs::write(at("theirs.md"), page).expect("a file");
    fs::set_permissions(at("theirs.md"), fs::Permissions::from_mode(0o444)).expect("a mode");
    ends(&run(&f, &["check", "--update", "--force", "theirs.md"]), 1, "E0404");
    assert_eq!(fs::read_to_string(at("theirs.md")).expect("a file"), page);
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
