//! Which files scripts may use, and how they are written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::{ends, err, folder, out, run, script};

/// What a script may replace.
const OURS: &str = "-- Exported by redexter.\n";

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
    fs::write(&target, OURS).unwrap();
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
fn a_script_can_come_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assert_cmd::Command::cargo_bin("redexter").unwrap();
    let done = command.current_dir(folder.path()).args(["run", "/dev/stdin"]).write_stdin("print(1 + 1)").assert();
    done.code(0).stdout("2\n");
}

/// A pipe that has a name may never end, and neither may a device.
#[test]
fn only_files_are_read() {
    let f = folder();
    assert!(std::process::Command::new("mkfifo").arg(f.path().join("pipe.arr")).status().unwrap().success());
    let large = fs::File::create(f.path().join("large.arr")).unwrap();
    large.set_len(3 << 30).unwrap();
    fs::write(f.path().join("i.arr"), "import \"pipe.arr\"\n").unwrap();
    for path in ["pipe.arr", "/dev/zero", "i.arr"] {
        ends(&run(&f, &["check", path]), 1, "is no file");
    }
    ends(&run(&f, &["eval", "m.arr:total", "--input", "pipe.arr"]), 1, "is no file");
    ends(&script(&f, "load(\"pipe.arr\")", &[]), 1, "is no file");
    ends(&script(&f, "load(\"m.arr\").total.write_futhark(\"pipe.arr\")", &[]), 1, "is no file");
    ends(&run(&f, &["check", "large.arr"]), 1, "has 3072 MB, and at most 256 are read");
}

#[test]
fn scripts_write_nothing_hidden_and_replace_what_redexter_wrote() {
    let f = folder();
    let write = |path: &str| format!("load(\"m.arr\").total.write_futhark(\"{path}\");");
    fs::create_dir_all(f.path().join(".git/hooks")).unwrap();
    fs::create_dir(f.path().join("out")).unwrap();
    for path in [".git/hooks/post-checkout", ".bashrc", "out/.hidden", "out/../.git/config"] {
        let refused = script(&f, &write(path), &[]);
        ends(&refused, 1, "E0405");
        ends(&refused, 1, "hidden");
        assert!(!f.path().join(path).exists());
    }
    symlink(".git", f.path().join("link")).unwrap();
    ends(&script(&f, &write("link/config"), &[]), 1, "hidden");
    ends(&script(&f, &write(".git/o.fut"), &["--allow", ".git"]), 0, "");
    fs::write(f.path().join("notes.fut"), "-- my own\n").unwrap();
    for path in ["notes.fut", "m.arr", "s.strat"] {
        ends(&script(&f, &write(path), &[]), 1, "there is a file that redexter didn't write");
    }
    let plot = "load(\"m.arr\").gradient.trace(normalize(letSubst)).walk().plot(\"m.svg\");";
    for _ in 0..2 {
        ends(&script(&f, &write("out/o.fut"), &[]), 0, "");
        ends(&script(&f, plot, &[]), 0, "");
    }
    fs::write(f.path().join("m.svg"), "<html>").unwrap();
    ends(&script(&f, plot, &[]), 1, "E0405");
    assert_eq!(fs::read_to_string(f.path().join("notes.fut")).unwrap(), "-- my own\n");
}

#[test]
fn a_file_with_several_names_keeps_them() {
    let f = folder();
    let [one, other] = ["one.fut", "other.fut"].map(|name| f.path().join(name));
    fs::write(&one, "a text that is longer than what comes in its place".repeat(9)).unwrap();
    fs::hard_link(&one, &other).unwrap();
    ends(&run(&f, &["export", "futhark", "m.arr:total", "-o", "one.fut", "--force"]), 0, "");
    let text = fs::read_to_string(&other).unwrap();
    assert!(text.starts_with(OURS) && text.ends_with('\n') && !text.contains("longer"), "{text}");
    assert_eq!(fs::read_dir(f.path()).unwrap().count(), 3, "nothing else stays");
}

/// No file may grow, so that nothing can be written.
#[cfg(target_os = "linux")]
#[test]
fn a_file_with_several_names_stays_as_it_was_where_it_cannot_be_written() {
    let f = folder();
    fs::write(f.path().join("one.fut"), "short").unwrap();
    fs::hard_link(f.path().join("one.fut"), f.path().join("other.fut")).unwrap();
    let mut full = std::process::Command::new("sh");
    full.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_redexter")]);
    full.args(["export", "futhark", "m.arr:total", "-o", "one.fut", "--force"]).current_dir(f.path());
    ends(&full.output().unwrap(), 1, "E0404");
    assert_eq!(fs::read_to_string(f.path().join("other.fut")).unwrap(), "short");
    assert_eq!(fs::read_dir(f.path()).unwrap().count(), 3);
}

#[test]
fn a_link_that_leads_nowhere_gets_its_target() {
    let f = folder();
    fs::create_dir(f.path().join("out")).unwrap();
    symlink("out/second", f.path().join("first")).unwrap();
    symlink("o.fut", f.path().join("out/second")).unwrap();
    ends(&run(&f, &["export", "futhark", "m.arr:total", "-o", "first"]), 0, "");
    assert!(fs::read_to_string(f.path().join("out/o.fut")).unwrap().starts_with(OURS));
    assert!(f.path().join("first").is_symlink() && f.path().join("out/second").is_symlink());
    symlink("none/o.fut", f.path().join("lost")).unwrap();
    ends(&run(&f, &["export", "futhark", "m.arr:total", "-o", "lost"]), 1, "there is no folder `none`");
}

#[cfg(target_os = "linux")]
#[test]
fn the_current_folder_may_be_gone() {
    let f = folder();
    let mut gone = std::process::Command::new("sh");
    gone.args(["-c", "mkdir gone; cd gone; rmdir ../gone; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_redexter")]);
    gone.arg("check").arg(f.path().join("m.arr")).current_dir(f.path());
    ends(&gone.output().unwrap(), 0, "");
    gone.arg("m.arr");
    ends(&gone.output().unwrap(), 1, "there is no such file");
}

#[test]
fn what_is_printed_is_seen_and_not_obeyed() {
    let f = folder();
    let done = script(&f, "print(\"a\\x1b[2J\\x07\\tb\\u202e\"); throw \"\\x1b]0;title\\x07\"; // \u{1b}[31m", &[]);
    ends(&done, 1, "\\u{1b}]0;title\\u{7}");
    assert!(!err(&done).contains('\x1b'), "{}", err(&done));
    assert_eq!(out(&done), "a\\u{1b}[2J\\u{7}\tb\\u{202e}\n");
}
