//! One grammar: verb, strategy, model; `-` is standard input; files are found from any folder.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Output, Stdio};

use tempfile::TempDir;

use super::{ends, err, folder, out, redexter, run};

pub(super) fn fed(folder: &TempDir, arguments: &[&str], input: &str) -> Output {
    let mut child = redexter(folder.path())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn put(folder: &TempDir, path: &str, text: &str) {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_file_opens_the_prompt() {
    let f = folder();
    let opened = fed(&f, &["m.arr"], "total\n");
    ends(&opened, 0, "");
    assert!(out(&opened).starts_with("m: m.arr\n"), "{}", out(&opened));
    put(&f, "own.strat", "strategy own = try(addZero);");
    let opened = fed(&f, &["--allow", "own.strat", "--allow", ".", "own.strat"], ":help own\n");
    assert_eq!(opened.status.code(), Some(1), "`--allow` needs a folder");
    let opened = fed(&f, &["--max-steps", "7", "own.strat", "--timeout", "9"], ":set\n");
    ends(&opened, 0, "");
    assert!(out(&opened).starts_with("ran own.strat\n  strategies: own\nmax-steps  7\n"), "{}", out(&opened));
    ends(&run(&f, &["own.strat", "--frobnicate"]), 2, "--frobnicate");
    ends(&run(&f, &["none.arr"]), 1, "E0401");
    ends(&run(&f, &["lesson.md"]), 2, "tip: a document is checked: `redexter check lesson.md`");
    put(&f, "data.json", "{\"v\": [1, 2]}");
    for input in ["data.json", "v=[1,2]"] {
        let line = ["eval", "m.arr:total", "--input", input];
        let typed = if input.contains('[') { format!("'{input}'") } else { input.to_owned() };
        let tip = format!("tip: inputs stand behind `--input`: `redexter eval m.arr:total --input {typed}`");
        ends(&run(&f, &["eval", "m.arr:total", input]), 2, &tip);
        ends(&run(&f, &line), 0, "");
    }
    // At the prompt the file stands alone.
    let opened = fed(&f, &["m.arr"], "total\n:eval data.json\n:eval v=data.json\n");
    assert!(out(&opened).contains("3.0"), "{}", out(&opened));
    assert!(err(&opened).contains("= help: a file has all inputs: `:eval data.json`"), "{}", err(&opened));
    // A definition that is named first needn't be the current term.
    let named = fed(&f, &["m.arr"], ":eval total v=[1, 2]\n:count total data.json\n");
    assert!(out(&named).contains("\n3.0\n{\"flops\": 2"), "{}", out(&named));
    let divided = fed(&f, &["repl"], "1 / 2\n6 / 2\n(1 + 2) / 2\n1.0 / 2\n2^3\n");
    let said = "0\nof whole numbers: write `1.0 / 2.0` for reals\n3\n1\n\
        of whole numbers: write `(1.0 + 2.0) / 2.0` for reals\n0.5\n\
        1\nof whole numbers: write `2.0^3.0` for reals\n";
    assert!(out(&divided).ends_with(said), "{}", out(&divided));
    ends(&run(&f, &["run", "lesson.md"]), 1, "`redexter check lesson.md` checks it");
    ends(&fed(&f, &["repl"], ":load lesson.md\n"), 0, "`redexter check lesson.md` checks it");
    ends(&run(&f, &["m.arr:total"]), 2, "did you mean `redexter eval m.arr:total`?");
    ends(&run(&f, &["aply", "id", "m.arr:total"]), 2, "'apply'");
}

/// A tip on a line that can't be read is a line that can.
#[test]
fn tips_can_be_typed() {
    let f = folder();
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let typed = |line: &str| {
        let words = words(line);
        run(&f, &words.iter().map(String::as_str).collect::<Vec<&str>>())
    };
    for (line, tip) in [
        ("optimize m.arr:total", "apply fastGradient m.arr:total"),
        ("cost m.arr:total", "apply id m.arr:total --json"),
        ("page m.arr:total", "trace fastGradient m.arr:total --html derivation.html"),
        ("trace m.arr:total", "trace fastGradient m.arr:total --html derivation.html"),
        ("trace id m.arr:total", "trace id m.arr:total --html derivation.html"),
        ("trace m.arr:total --md a.md", "trace fastGradient m.arr:total --md a.md"),
        ("export m.arr:total", "export futhark m.arr:total"),
        ("export markdown m.arr:total", "trace fastGradient m.arr:total --md derivation.md"),
        ("export latex m.arr:total", "trace fastGradient m.arr:total --latex derivation.tex"),
        ("validate m.arr:total", "validate fastGradient m.arr:total"),
        ("bench m.arr:total", "bench m.arr:total --sizes n=100,1000"),
        ("apply m.arr:total", "apply fastGradient m.arr:total"),
    ] {
        ends(&typed(line), 2, &format!("`redexter {tip}`"));
        assert_ne!(typed(tip).status.code(), Some(2), "{tip}");
    }
    ends(&run(&f, &["apply", "fastGradient"]), 2, "write `redexter apply fastGradient FILE.arr:NAME`");
    ends(&run(&f, &["grad"]), 2, "write `redexter apply fastGradient FILE.arr:NAME`");
    ends(&run(&f, &["run", "id", "m.arr:total"]), 1, "`redexter apply id m.arr:total` applies a strategy");
    for line in [&["check"][..], &["run"], &["why-not", "id", "m.arr:total"]] {
        let said = run(&f, line);
        assert!(!err(&said).contains("tip"), "{}", err(&said));
    }
    let other = run(&f, &["export", "cobol", "m.arr:total"]);
    assert!(!err(&other).contains("export futhark"), "{}", err(&other));
}

/// The same text before the file is the value of an option.
#[test]
fn a_file_opens_behind_an_option_that_says_the_same() {
    let f = folder();
    fs::create_dir(f.path().join("d.arr")).unwrap();
    ends(&run(&f, &["--allow", "d.arr", "d.arr"]), 1, "`d.arr` can't be read: is a folder");
}

#[test]
fn a_model_before_its_strategy_gets_the_right_line() {
    let f = folder();
    let swapped = run(&f, &["apply", "--trace", "m.arr:total", "try(beta) ; id"]);
    ends(&swapped, 2, "write `redexter apply --trace 'try(beta) ; id' m.arr:total`");
    assert_eq!(out(&swapped), "");
    ends(&run(&f, &["apply", "m.arr", "it's"]), 2, r"write `redexter apply 'it'\''s' m.arr`");
    ends(&run(&f, &["apply", "m.arr", "apply"]), 2, "write `redexter apply apply m.arr`");
    ends(&run(&f, &["--allow", "m.arr", "apply", "m.arr", "id"]), 2, "write `redexter --allow m.arr apply id m.arr`");
    ends(&run(&f, &["apply", "m.arr:total"]), 2, "for example `redexter apply fastGradient m.arr:total`");
    ends(&run(&f, &["apply", "--trace", "try(beta) ; id", "m.arr:total"]), 0, "");
}

#[test]
fn addresses_in_several_words_get_the_right_line() {
    let f = folder();
    let line = ["trace", "try(beta)", "m.arr:total", "--md", "x.md", "--part", "1", "2", "3"];
    ends(&run(&f, &line), 2, "`redexter trace 'try(beta)' m.arr:total --md x.md --part 1,2,3`");
}

#[test]
fn help_speaks_as_a_shell_is_spoken_to() {
    let f = folder();
    let nowhere = run(&f, &["apply", "topDown(mulZero)", "m.arr:total"]);
    ends(&nowhere, 1, "`redexter why-not mulZero STRATEGY FILE.arr:NAME` says what is in its way");
    let possible = run(&f, &["ask", "possible", "m.arr:total"]);
    ends(&possible, 0, "");
    assert!(
        !out(&possible).contains("`:take N`") || out(&possible).contains("`redexter repl FILE.arr`"),
        "{}",
        out(&possible)
    );
    // The prompt says it in its own words.
    assert!(out(&fed(&f, &["m.arr"], "total\ntopDown(mulZero)\n")).contains("`:why-not mulZero` says"));
}

#[test]
fn a_definition_that_cannot_be_read_hides_no_other() {
    let f = folder();
    put(
        &f,
        "two.arr",
        "def a (x : real) : real := x + )\ndef b (x : real) : real := fst x\ndef c (x : real) : real := a x\n",
    );
    let checked = run(&f, &["check", "two.arr"]);
    ends(&checked, 1, "nothing opened this `)`");
    ends(&checked, 1, "only pairs have halves");
    assert!(!err(&checked).contains("unknown name"), "{}", err(&checked));
}

#[test]
fn a_dash_is_standard_input() {
    let f = folder();
    let ran = fed(&f, &["run", "-", "7"], "print(args[0]); print(load(\"m.arr\").total.size);");
    ends(&ran, 0, "");
    assert!(out(&ran).starts_with("7\n"), "{}", out(&ran));
    ends(&fed(&f, &["run", "-"], "print(1"), 1, "<input>:1:");
    ends(&fed(&f, &["check", "-", "m.arr"], "import \"m.arr\"\ndef t {n} (v : array n real) := total v\n"), 0, "");
    ends(&fed(&f, &["check", "-"], "def f := y\n"), 1, "<input>:1:10");
    ends(&fed(&f, &["check", "-"], "strategy s = getBild;\n"), 1, "<input>:1:14");
    let differs = fed(&f, &["fmt", "--check", "-"], "def  x  := 1\n");
    ends(&differs, 1, "`<input>` isn't formatted");
    ends(&differs, 1, "--> <input>:1:1");
    ends(&differs, 1, "`redexter fmt -` prints it formatted");
    let given = fed(&f, &["eval", "m.arr:total", "--input", "-"], r#"{"v": [1, 2]}"#);
    ends(&given, 0, "");
    assert_eq!(out(&given), "3.0\n");
    ends(&fed(&f, &["eval", "m.arr:total", "--input", "-"], "[1]"), 1, "E0802");
    ends(&fed(&f, &["run", "-"], "load(\"-\");"), 1, "E0401");
}

#[test]
fn scripts_and_models_that_ship_are_found_from_any_folder() {
    let f = tempfile::tempdir().unwrap();
    let done = run(&f, &["run", "strategies/paper.strat"]);
    ends(&done, 0, "");
    assert!(out(&done).contains("fun (v : array n real) => build n (fun i => 1)"), "{}", out(&done));
    assert!(f.path().join("vector_sum_fast.fut").is_file());
    ends(&run(&f, &["apply", "fastGradient", "models/vector_sum.arr:gradient"]), 0, "");
    let opened = fed(&f, &["models/dot.arr"], ":load strategies/dot.strat\n:load strategies/rules/lets.strat\n");
    ends(&opened, 0, "");
    assert!(out(&opened).contains("ran strategies/rules/lets.strat"), "{}{}", out(&opened), err(&opened));
    ends(&run(&f, &["check", "./models/mixture.arr", "strategies/evidence.strat"]), 0, "");
    ends(&run(&f, &["check", "models"]), 1, "`models` can't be read: is a folder");
    ends(&run(&f, &["check", "models/mixtre.arr"]), 1, "did you mean `models/mixture.arr`?");
    ends(&run(&f, &["check", "none/a.arr"]), 1, "there is no folder `none`");
}

/// The current folder comes before the script's, and both before what ships.
#[test]
fn what_is_near_comes_first() {
    let f = tempfile::tempdir().unwrap();
    let size = |name: &str| format!("print(load(\"models/vector_sum.arr\").{name}.size);");
    put(&f, "far/s.strat", &size("total"));
    let shipped = out(&run(&f, &["run", "far/s.strat"]));
    put(&f, "far/models/vector_sum.arr", "def total (x : real) := x\n");
    let beside = out(&run(&f, &["run", "far/s.strat"]));
    assert!(shipped != beside && beside == "2\n", "{shipped}{beside}");
    put(&f, "models/vector_sum.arr", "def total (x : real) := x + x + x\n");
    assert_eq!(out(&run(&f, &["run", "far/s.strat"])), "6\n");
    let elsewhere = tempfile::tempdir().unwrap();
    let script = f.path().join("far/s.strat");
    assert_eq!(out(&run(&elsewhere, &["run", script.to_str().unwrap()])), "2\n");
}

/// A script that is loaded finds what lies beside itself, not beside the one that loads it.
#[test]
fn each_script_has_its_own_folder() {
    let f = tempfile::tempdir().unwrap();
    put(&f, "a/s.strat", "load(\"b/t.strat\"); load(\"own.arr\").a;");
    put(&f, "a/own.arr", "def a := 1\n");
    put(&f, "a/b/t.strat", "load(\"own.arr\").b;");
    put(&f, "a/b/own.arr", "def b := 1\n");
    let elsewhere = tempfile::tempdir().unwrap();
    let script = f.path().join("a/s.strat");
    ends(&run(&elsewhere, &["run", script.to_str().unwrap()]), 0, "");
    ends(&run(&elsewhere, &["check", script.to_str().unwrap()]), 0, "");
}

#[test]
fn what_ships_opens_nothing_else() {
    let f = folder();
    let outside = folder();
    put(&f, "s.strat", "load(args[0]);");
    let load = |path: &str| run(&f, &["run", "s.strat", "--", path]);
    ends(&load("models/dot.arr"), 0, "");
    ends(&load("../models/dot.arr"), 1, "E0405");
    ends(&load("/models/dot.arr"), 1, "E0405");
    ends(&load("models/../../m.arr"), 1, "E0405");
    symlink(outside.path(), f.path().join("models")).unwrap();
    ends(&load("models/m.arr"), 1, "E0405");
    ends(&load("models/dot.arr"), 1, "E0405");
    // A file that was named and isn't there opens no folder.
    put(&f, "t.strat", "load(args[0]);");
    let lines = format!(":load none.arr\nload(\"{}/m.arr\")\n", outside.path().display());
    ends(&fed(&f, &["repl"], &lines), 0, "E0405");
}

/// Every file that a clone has is in the table of what ships, as it is.
#[test]
fn the_table_of_what_ships_is_whole() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["lessons", "models", "strategies", "strategies/rules"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if [".arr", ".md", ".strat"].iter().any(|end| name.ends_with(end)) {
                found.push(format!("{folder}/{name}"));
            }
        }
    }
    let mut table: Vec<&str> = redexter::shipped::FILES.iter().map(|(path, _)| *path).collect();
    table.sort_unstable();
    found.sort();
    assert_eq!(found, table);
    for (path, text) in redexter::shipped::FILES {
        assert_eq!(*text, fs::read_to_string(root.join(path)).unwrap(), "{path}");
    }
}
