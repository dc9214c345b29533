//! Several models under one line: what is printed, and the exit code, are those of one after the other.

use std::fs;
use std::process::{Output, Stdio};

use super::limits::endless;
use super::{ends, err, folder, out, redexter, run};

/// The last definition of every model that ships.
fn shipped() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let last = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let name = text.rsplit("\ndef ").next().unwrap().split([' ', '\n']).next().unwrap().to_owned();
        format!("models/{}:{name}", path.file_name().unwrap().to_str().unwrap())
    };
    files.iter().map(last).collect()
}

/// That `apply` with these arguments does with all targets at once what it does with each: on both outputs, and with the
/// highest exit code. What they print on standard error.
#[track_caller]
fn agree(f: &tempfile::TempDir, jobs: &[&str], arguments: &[&str], targets: &[String]) -> String {
    let apply = |targets: &[String], more: &[&str]| -> Output {
        redexter(f.path()).arg("apply").args(arguments).args(targets).args(more).output().unwrap()
    };
    let each: Vec<Output> = targets.iter().map(|target| apply(std::slice::from_ref(target), &[])).collect();
    let (outs, errs): (String, String) = each.iter().map(|one| (out(one), err(one))).unzip();
    for jobs in jobs {
        let all = apply(targets, &["--jobs", jobs]);
        assert_eq!(out(&all), outs, "{jobs} jobs");
        assert_eq!(err(&all), errs, "{jobs} jobs");
        assert_eq!(all.status.code(), each.iter().filter_map(|one| one.status.code()).max(), "{jobs} jobs");
    }
    errs
}

#[test]
fn all_models_that_ship() {
    let targets = shipped();
    assert!(targets.len() > 15 && targets.contains(&"models/mixture.arr:gradient".to_owned()), "{targets:?}");
    agree(&folder(), &["2"], &["fastGradient"], &targets);
    for more in [&["--json", "--trace"][..], &["--json-lines"], &["--trace=/"], &["--color", "always"]] {
        agree(&folder(), &["5"], &[&["try(beta) ; try(topDown(beta))"], more].concat(), &targets);
    }
}

#[test]
fn the_order_is_that_of_the_line_with_any_number_of_jobs() {
    let f = folder();
    let slow_and_fast = ["models/kmeans.arr:gradient", "m.arr:total", "m.arr:gradient"].map(str::to_owned);
    let targets: Vec<String> = slow_and_fast.into_iter().cycle().take(12).collect();
    agree(&f, &["1", "2", "7", "100"], &["try(innermost(beta))"], &targets);
    let same = vec!["m.arr:gradient".to_owned(); 5];
    agree(&f, &["1", "3"], &["fastGradient"], &same);
}

#[test]
fn where_one_is_wrong_the_others_go_on() {
    let f = folder();
    fs::write(f.path().join("s.strat"), "print(\"read\");\nstrategy own = getBuild\n").unwrap();
    let targets = ["m.arr:gradient", "m.arr:totl", "none.arr:f", "m.arr", "m.arr:total", "m.arr:gradient"];
    let targets = targets.map(str::to_owned);
    let said = agree(&f, &["1", "4"], &["try(own)", "--use", "s.strat"], &targets);
    for what in ["did you mean `m.arr:total`?", "E0401", "which definition", "read\n"] {
        assert!(said.contains(what), "{what}: {said}");
    }
    let failed = agree(&f, &["1", "4"], &["own", "--use", "s.strat"], &targets[3..]);
    assert!(failed.contains("E0602"), "{failed}");
    agree(&f, &["1", "4"], &["getBild"], &targets);
}

/// 8 rewrites are enough for each, not for all of them; a run that comes to a limit is worse than one that is wrong.
#[test]
fn limits_hold_for_each_alone() {
    let f = folder();
    let twice = ["m.arr:gradient", "m.arr:gradient"].map(str::to_owned);
    let steps = |n: &str| run(&f, &["apply", "normalize(letSubst)", "m.arr:gradient", "--max-steps", n]).status.code();
    let enough = (1..100).find(|n| steps(&n.to_string()) == Some(0)).unwrap().to_string();
    let said = agree(&f, &["2"], &["normalize(letSubst)", "--max-steps", &enough], &twice);
    assert_eq!(said, "5 rewrites: n² → n³\n".repeat(2));
    let mixed = ["m.arr:nothing", "m.arr:gradient", "m.arr:nothing"].map(str::to_owned);
    let said = agree(&f, &["2"], &["normalize(letSubst)", "--max-steps", "1"], &mixed);
    assert!(said.contains("--max-steps"), "{said}");
}

#[test]
fn the_time_is_that_of_all() {
    let f = folder();
    let all = run(&f, &["apply", "id", "m.arr:total", "m.arr:gradient", "--timeout", "0"]);
    ends(&all, 3, "stopped after 0 seconds");
    assert!(err(&all).contains("`m.arr:total`, `m.arr:gradient` weren't begun"), "{}", err(&all));
}

#[test]
fn ctrl_c_ends_all() {
    use std::io::Read;
    let f = endless();
    let mut child = redexter(f.path())
        .args(["apply", "stage(tell)", "sum.arr:f", "sum.arr:f", "sum.arr:f", "--use", "own.strat", "--jobs", "2"])
        .args(["--max-steps", "1000000000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stderr.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let done = child.wait_with_output().unwrap();
    ends(&done, 130, "\ninterrupted\n = help: it was in `stage(tell)`\n");
    assert!(err(&done).contains("`sum.arr:f` weren't begun"), "{}", err(&done));
}

#[test]
fn no_models_and_no_jobs() {
    let f = folder();
    ends(&run(&f, &["apply", "id", "--jobs", "2"]), 2, "MODEL.arr:NAME");
    for jobs in ["0", "-1", "two", "18446744073709551616"] {
        let wrong = run(&f, &["apply", "id", "m.arr:total", &format!("--jobs={jobs}")]);
        ends(&wrong, 2, "give a number from 1 on, where 1 is one model after the other; or leave it out");
    }
    ends(
        &run(&f, &["apply", "m.arr:total", "id", "m.arr:gradient"]),
        2,
        "`redexter apply id m.arr:total m.arr:gradient`",
    );
}
