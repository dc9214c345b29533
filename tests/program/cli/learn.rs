//! Lessons on the command line: what is kept, handed in and checked again.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use super::{ends, err, out, redexter};

/// Runs `redexter learn` with these arguments on these lines, in a folder that is home, too.
fn learn(folder: &Path, arguments: &[&str], lines: &str) -> Output {
    let mut command = redexter(folder);
    command
        .arg("learn")
        .args(arguments)
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_STATE_HOME", folder.join("state"));
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn what_was_done_is_kept_and_handed_in() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let first = learn(here, &["fusion"], "topDown(getBuild)\n:lesson hint\n");
    ends(&first, 0, "");
    assert!(out(&first).contains("An array that is only read"), "{}", out(&first));
    let again = learn(here, &["fusion"], "strategy own = normalize(getBuild <+ beta <+ letSubst)\nown\n:lesson list\n");
    let said = out(&again).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("With 2 attempts and 1 hint") && said.contains("(reached, 2 attempts, 1 hint)"), "{said}");
    ends(&learn(here, &["99"], ""), 1, "there is no lesson `99`");
    // The next one is the first that isn't reached.
    assert!(out(&learn(here, &[], "")).starts_with("Reading terms and places"));
    ends(&learn(here, &["--report", "ada.json"], ""), 0, "wrote ada.json");
    fs::write(here.join("own.json"), "{\"mine\": 1}").unwrap();
    ends(&learn(here, &["--report", "own.json"], ""), 1, "--force");
    assert_eq!(fs::read_to_string(here.join("own.json")).unwrap(), "{\"mine\": 1}");
    ends(&learn(here, &["--report", "own.json", "--force"], ""), 0, "wrote own.json");
    ends(&learn(here, &["--report", "own.json"], ""), 0, "wrote own.json");
    fs::remove_file(here.join("own.json")).unwrap();
    let graded = learn(here, &["--grade", "ada.json"], "");
    ends(&graded, 0, "");
    assert!(out(&graded).contains("fusion               reached      2 attempts, 1 hint"), "{}", out(&graded));
    assert!(out(&graded).contains("1 of 2 lessons reached"), "{}", out(&graded));
    // Where it was edited, that is told.
    let text = fs::read_to_string(here.join("ada.json")).unwrap();
    fs::write(here.join("bo.json"), text.replace("\"says\": \"stuck\"", "\"says\": \"reached\"")).unwrap();
    fs::write(here.join("cy.json"), text.replace("normalize(getBuild", "normalise(getBuild")).unwrap();
    fs::write(here.join("no.json"), "[]").unwrap();
    let graded = learn(here, &["--grade", "ada.json", "bo.json", "cy.json", "no.json", "none.json"], "");
    ends(&graded, 1, "`no.json` is no report of lessons");
    assert!(err(&graded).contains("none.json"), "{}", err(&graded));
    let said = out(&graded);
    assert!(
        said.contains("attempt 1 is said to be `reached`, but is `stuck`") && said.contains("isn't understood"),
        "{said}"
    );
    ends(&learn(here, &["--reset"], ""), 0, "");
    assert!(!out(&learn(here, &[], ":lesson list\n")).contains("(reached"));
}

#[test]
fn what_is_kept_stays_where_it_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data/redexter/lessons.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "no JSON").unwrap();
    ends(&learn(folder.path(), &["fusion"], "topDown(getBuild)\n"), 0, "`redexter learn --reset` begins anew");
    assert_eq!(fs::read_to_string(&file).unwrap(), "no JSON");
    ends(&learn(folder.path(), &["fuson"], ""), 1, "there is no lesson `fuson`");
    // A lesson of one's own that doesn't hold isn't offered.
    let lesson = "# T\n\n```lesson\nterm: `fun (x : real) => x * 1`\nwork: 1\nform: `fun (x : real) => x`\nrules: mulOne\n```\n\n\
                  ```solution\nid\n```\n";
    fs::write(folder.path().join("own.md"), lesson).unwrap();
    ends(&learn(folder.path(), &["own.md"], ""), 0, "a solution doesn't reach the goal");
    ends(&learn(folder.path(), &["--grade"], ""), 2, "");
}
