//! Which files scripts may use, and how they are written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::{ends, folder, out, run, script};

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
fn a_script_can_come_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = assert_cmd::Command::cargo_bin("redexter").unwrap();
    let done = command.current_dir(folder.path()).args(["run", "/dev/stdin"]).write_stdin("print(1 + 1)").assert();
    done.code(0).stdout("2\n");
}
