//! `bench`: a table, CSV and a drawing of what was measured; nothing here asks how long something takes.

use std::fs;

use super::{ends, err, folder, out, run};

const FAST: &str = "normalize(beta <+ getBuild <+ letSubst <+ letDead)";

#[test]
fn times_are_shown_and_written() {
    let f = folder();
    let way = ["--way", "reference", "--seconds", "0", "--csv", "t.csv", "--svg", "t.svg"];
    let asked = ["bench", "m.arr:gradient", "--apply", "id", "--apply", FAST, "--sizes", "n=2,4,300"];
    let done = run(&f, &[&asked[..], &way].concat());
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    let shown = out(&done);
    assert!(shown.starts_with("m.arr:gradient\nby the evaluator on "), "{shown}");
    assert_eq!(shown.matches("time grows as n^").count(), 2, "{shown}");
    assert!(shown.contains(FAST) && shown.contains("at the right end, from above: "), "{shown}");
    let table = fs::read_to_string(f.path().join("t.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 7, "{table}");
    assert_eq!(rows[0].join(","), "program,size,runs,median_ns,least_ns,low_ns,high_ns,outliers,operations");
    // As many operations as the evaluator counts, of which the schedule leaves fewer.
    let count = run(&f, &["eval", "m.arr:gradient", "--input", r#"{"v": [1, 2, 3, 4]}"#, "--count"]);
    let counts: serde_json::Value = serde_json::from_str(&out(&count)).unwrap();
    let all: u64 = ["flops", "compares", "reads", "writes"].iter().filter_map(|key| counts[key].as_u64()).sum();
    assert_eq!((rows[2][1], rows[2][2], rows[2][8]), ("4", "3", all.to_string().as_str()));
    let drawn = fs::read_to_string(f.path().join("t.svg")).unwrap();
    assert_eq!(drawn.matches("<polyline").count(), 2, "{drawn}");
}

#[test]
fn what_was_measured_elsewhere_is_shown() {
    let f = folder();
    fs::write(f.path().join("e.csv"), "program,size,median_ns\n\"by hand, in C\",2,5000\n\"by hand, in C\",4,20000\n")
        .unwrap();
    let asked = ["bench", "m.arr:total", "--sizes", "n=2,4", "--way", "reference", "--seconds", "0", "--with"];
    let done = run(&f, &[&asked[..], &["e.csv"]].concat());
    assert!(out(&done).contains("by hand, in C") && out(&done).contains("time grows as n^2.00"), "{}", out(&done));
    fs::write(f.path().join("e.csv"), "program,size\n").unwrap();
    ends(&run(&f, &[&asked[..], &["e.csv"]].concat()), 1, "there is no column `median_ns`");
}

#[test]
fn wrong_benches_are_refused() {
    let f = folder();
    let asked = |further: &[&str]| run(&f, &[&["bench", "m.arr:total", "--way", "reference"], further].concat());
    ends(&asked(&["--sizes", "n"]), 2, "n=1000,2000");
    ends(&asked(&["--sizes", "n=1,x"]), 2, "n=1000,2000");
    ends(&asked(&["--sizes", "m=1"]), 1, "size `n`");
    ends(&asked(&["--sizes", "n=1", "--seconds=-1"]), 2, "seconds");
    ends(&asked(&["--sizes", "n=1", "--apply", "beta"]), 1, "beta");
    ends(&asked(&["--sizes", "n=99999999999"]), 3, "67108864");
}
