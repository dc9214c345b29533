//! A class of twelve: what they handed in is graded by one command.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use super::{err, out, redexter};
use redexter::lesson::fingerprint;
use serde_json::{Value, json};

/// The teacher's lesson, and how a student might have made it easier.
const LESSON: &str = "# Tidy\n\n```lesson\nterm: `fun (x : real) => x * 1 + 0`\nform: `fun (x : real) => x`\n\
                      rules: mulOne, addZero\n```\n\n```solution\nnormalize(mulOne <+ addZero)\n```\n";
const EASIER: &str = "# Tidy\n\n```lesson\nterm: `fun (x : real) => x + 0`\nform: `fun (x : real) => x`\n\
                      rules: mulOne, addZero\n```\n\n```solution\ntopDown(addZero)\n```\n";

/// Schedules, each with what it says that it came to.
type Attempts<'a> = &'a [(&'a str, &'a str)];

/// A report of attempts in lessons that are called so and had these texts.
fn report(lessons: &[(&str, Option<&str>, Attempts)]) -> Value {
    let attempt = |(schedule, says): &(&str, &str)| json!({"schedule": schedule, "says": says});
    let lesson = |(name, text, attempts): &(&str, Option<&str>, Attempts)| {
        let attempts: Vec<Value> = attempts.iter().map(attempt).collect();
        json!({"lesson": name, "text": text.map(fingerprint), "hints": 1, "defined": [], "attempts": attempts})
    };
    json!({"redexter lessons": 1, "lessons": lessons.iter().map(lesson).collect::<Vec<_>>()})
}

const RIGHT: (&str, &str) = ("normalize(mulOne <+ addZero)", "reached");
const HALF: (&str, &str) = ("topDown(mulOne)", "stuck");
const AT_ROOT: (&str, &str) = ("mulOne", "failed");

/// Eleven reports in files: a twelfth student hands in nothing.
fn hand_in(folder: &Path) {
    fs::create_dir_all(folder.join("course/sub")).unwrap();
    fs::write(folder.join("course/tidy.md"), LESSON).unwrap();
    fs::write(folder.join("course/README.md"), "For the teacher.\n").unwrap();
    fs::write(folder.join("course/notes.md"), "# No lesson\n").unwrap();
    let own = |attempts| report(&[("tidy.md", Some(LESSON), attempts)]);
    let reports = [
        ("ada", own(&[AT_ROOT, HALF, RIGHT])),
        ("bo", own(&[RIGHT])),
        // An older report has the file as it was typed, here of a second copy in a folder that nobody else has.
        ("cy", report(&[("/elsewhere/tidy (1).md", None, &[AT_ROOT, RIGHT])])),
        ("di", report(&[("fusion", None, &[("normalize(getBuild <+ beta <+ letSubst)", "reached")])])),
        // Wrong.
        ("ed", own(&[AT_ROOT, AT_ROOT])),
        ("flo", own(&[HALF, ("topDown(letSubst)", "forbidden")])),
        ("gil", own(&[])),
        // Tampered: in what it says, and in the lesson.
        ("hal", own(&[("topDown(addZero)", "reached")])),
        ("ivy", report(&[("tidy.md", Some(EASIER), &[("topDown(addZero)", "reached")])])),
        // Copied.
        ("jo", own(&[AT_ROOT, HALF, RIGHT])),
    ];
    for (name, report) in reports {
        fs::write(folder.join(format!("{name}.json")), report.to_string()).unwrap();
    }
    fs::write(folder.join("kit.json"), "my solution is attached").unwrap();
    let names = "ada\nbo\ncy\ndi\ned\nflo\ngil\nhal\nivy\njo\nkit\nlea\n";
    fs::write(folder.join("names.txt"), names).unwrap();
}

#[test]
fn a_class_is_graded_by_one_command() {
    let folder = tempfile::tempdir().unwrap();
    hand_in(folder.path());
    let grade = |more: &[&str]| {
        let files =
            ["ada", "bo", "cy", "di", "ed", "flo", "gil", "hal", "ivy", "jo", "kit"].map(|name| format!("{name}.json"));
        let mut command = redexter(folder.path());
        command
            .args(["learn", "--grade"])
            .args(files)
            .args(["--lessons", "course", "--roster", "names.txt"])
            .args(more);
        command.output().unwrap()
    };
    let csv = grade(&["--csv"]);
    assert_eq!(csv.status.code(), Some(1), "some of it doesn't hold: {}", err(&csv));
    assert_eq!(
        out(&csv).lines().collect::<Vec<_>>(),
        [
            "student,lesson,state,attempts,hints,mistakes,remarks",
            "ada,tidy.md,reached,3,1,\"failed 1, stuck 1\",",
            "bo,tidy.md,reached,1,1,,",
            "cy,tidy.md,reached,2,1,failed 1,",
            "di,fusion,reached,1,1,,",
            "di,tidy.md,not begun,0,0,,",
            "ed,tidy.md,not reached,2,1,failed 2,",
            "flo,tidy.md,not reached,2,1,\"forbidden 1, stuck 1\",",
            "gil,tidy.md,not reached,0,1,,",
            "hal,tidy.md,not reached,1,1,stuck 1,\"attempt 1 is said to be `reached`, but is `stuck`\"",
            "ivy,tidy.md,not reached,1,1,stuck 1,\"attempt 1 is said to be `reached`, but is `stuck`; \
             its text was another one when it was taken; it is graded by the one that is here\"",
            "jo,tidy.md,reached,3,1,\"failed 1, stuck 1\",equal to the file of ada",
            "kit,,not readable,0,0,,`kit.json` is no report of lessons: expected value at line 1 column 1",
            "lea,tidy.md,nothing handed in,0,0,,",
        ]
    );
    let json: Value = serde_json::from_str(&out(&grade(&["--json"]))).unwrap();
    assert_eq!(json["grades"].as_array().map(Vec::len), Some(13));
    let first = json!({"lesson": "tidy.md", "kind": "stuck", "times": 5, "students": 5});
    assert_eq!(json["mistakes"][0], first, "{json:#}");
    let text = out(&grade(&[]));
    assert!(text.contains("lea: nothing handed in") && text.contains("    equal to the file of ada"), "{text}");
    assert!(text.contains("  tidy.md              stuck        5 times, by 5 students"), "{text}");
}

/// Wherever the lesson lies and however it was typed, it is the same one.
#[test]
fn a_report_names_the_lesson_and_no_path() {
    let folder = tempfile::tempdir().unwrap();
    hand_in(folder.path());
    fs::copy(folder.path().join("course/tidy.md"), folder.path().join("course/sub/tidy (2).md")).unwrap();
    let file = folder.path().join("course/tidy.md");
    for typed in ["course/tidy.md", "./course/../course/tidy.md", "course/sub/tidy (2).md", file.to_str().unwrap()] {
        let mut command = redexter(folder.path());
        let lines = format!(":lesson {typed}\n{}\n:lesson report new.json --force\n", RIGHT.0);
        let piped = command.arg("repl").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let said = child.wait_with_output().unwrap();
        let text = fs::read_to_string(folder.path().join("new.json"))
            .unwrap_or_else(|_| panic!("{}", [out(&said), err(&said)].concat()));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["lessons"][0]["lesson"], "tidy.md", "{typed}: {text}");
        assert_eq!(value["lessons"][0]["text"], fingerprint(LESSON));
        let mut command = redexter(folder.path());
        let graded = command.args(["learn", "--grade", "new.json", "--lessons", "course"]).output().unwrap();
        assert!(out(&graded).contains("1 of 1 lesson reached"), "{}", out(&graded));
    }
}

/// A report goes over the own older one, and not over somebody else's.
#[test]
fn a_report_goes_over_no_other_ones() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tidy.md"), LESSON).unwrap();
    let take = |attempts: &[&str]| {
        let reports = |attempt: &&str| format!("{attempt}\n:lesson report all.json\n");
        let lines = format!(":lesson tidy.md\n{}", attempts.iter().map(reports).collect::<String>());
        let mut command = redexter(folder.path());
        let piped = command.arg("repl").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let said = child.wait_with_output().unwrap();
        ([out(&said), err(&said)].concat(), fs::read_to_string(folder.path().join("all.json")).unwrap_or_default())
    };
    let (said, first) = take(&[AT_ROOT.0, HALF.0]);
    assert!(!said.contains("tells of other work") && first.contains(HALF.0), "{said}");
    let (said, second) = take(&[RIGHT.0]);
    assert!(said.contains("tells of other work") && said.contains("--force"), "{said}");
    assert_eq!(first, second);
}

/// A teacher's lesson is meant by its name, whatever number it has and whether it ships in another form.
#[test]
fn a_lesson_is_known_by_its_name_before_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).unwrap();
    let ships = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/lessons/02-once.md")).unwrap();
    let edited = ships.replacen("# ", "# Now: ", 1);
    let solution: Attempts = &[("normalize(letSubstSafe)", "reached")];
    ["whole", "own", "twice", "empty"].iter().for_each(|name| fs::create_dir(folder.path().join(name)).unwrap());
    write("whole/02-once.md", &ships);
    write("own/02-once.md", &edited);
    write("twice/tidy copy.md", LESSON);
    write("twice/tidy.md", LESSON);
    write("names.txt", "\u{feff}gus\r\n");
    let grade = |course: &str, report: Value| {
        write("gus.json", &report.to_string());
        let asked = ["learn", "--grade", "gus.json", "--roster", "names.txt", "--csv", "--lessons", course];
        redexter(folder.path()).args(asked).output().unwrap()
    };
    let other = "its text was another one when it was taken; it is graded by the one that is here";
    for (course, report, rows) in [
        ("whole", report(&[("02-once.md", Some(&edited), solution)]), vec![format!("gus,once,reached,1,1,,{other}")]),
        ("own", report(&[("once", Some(&ships), solution)]), vec![format!("gus,02-once.md,reached,1,1,,{other}")]),
        (
            "twice",
            report(&[("tidy.md", Some(LESSON), &[RIGHT])]),
            vec!["gus,tidy.md,reached,1,1,,".into(), "gus,tidy copy.md,not begun,0,0,,".into()],
        ),
    ] {
        let graded = grade(course, report);
        assert_eq!(out(&graded).lines().skip(1).collect::<Vec<_>>(), rows, "{course}: {}", err(&graded));
    }
    let none = grade("empty", report(&[]));
    assert_eq!(none.status.code(), Some(1));
    assert!(err(&none).contains("there is no lesson in `empty`"), "{}", err(&none));
}
