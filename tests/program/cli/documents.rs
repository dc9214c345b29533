//! Documents that are checked, and files that are laid out.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use super::{ends, err, folder, out, redexter, run};

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
