//! Derivations written as pages.

use std::fs;

use crate::support::program;

use serde_json::Value;

use super::{TempDir, ends, err, folder, run, script};

const BEGINNING: &str = "<!doctype html>\n<!-- Written by redexter. -->\n";

fn trace(f: &TempDir, more: &[&str]) -> std::process::Output {
    run(f, &[&["trace", "normalize(beta)", "m.arr:gradient"], more].concat())
}

fn read(f: &TempDir, name: &str) -> String {
    fs::read_to_string(f.path().join(name)).unwrap()
}

#[test]
fn a_page_is_written_and_is_the_same_each_time() {
    let f = folder();
    for name in ["one.html", "two.html"] {
        let done = trace(&f, &["--html", name]);
        ends(&done, 0, "");
        assert_eq!((done.stdout.len(), err(&done)), (0, String::new()));
    }
    let page = read(&f, "one.html");
    assert!(page.starts_with(BEGINNING) && page.ends_with("</script>\n"));
    assert!(page.contains("<title>gradient, m.arr</title>") && page.contains("normalize(beta)"));
    assert_eq!(page, read(&f, "two.html"));
    ends(&trace(&f, &["--html", "both.html", "--compare", "fastGradient"]), 0, "");
    let both = read(&f, "both.html");
    assert!(both.starts_with(BEGINNING) && both.contains("fastGradient") && both != page);
    fs::write(f.path().join("s.strat"), "strategy mine = normalize(beta);").unwrap();
    ends(&run(&f, &["trace", "mine", "m.arr:gradient", "--use", "s.strat", "--html", "mine.html"]), 0, "");
    assert!(read(&f, "mine.html").contains("mine"));
}

#[test]
fn what_is_wrong_with_a_page_is_said() {
    let f = folder();
    ends(&trace(&f, &[]), 2, "--html");
    ends(&trace(&f, &["--html", "none/p.html"]), 1, "mkdir -p none");
    ends(&trace(&f, &["--html", "."]), 1, "is a folder");
    ends(&run(&f, &["trace", "fail", "m.arr:gradient", "--html", "p.html"]), 1, "failed");
    ends(&run(&f, &["trace", "beta", "m.arr:gradeint", "--html", "p.html"]), 1, "did you mean `m.arr:gradient`?");
    assert!(!f.path().join("p.html").exists());
    let cut = run(&f, &["trace", "fastGradient", "m.arr:gradient", "--max-steps", "40", "--html", "cut.html"]);
    ends(&cut, 3, "what was written has the steps until then");
    let page = read(&f, "cut.html");
    assert!(!page.contains("<p>0 steps") && page.contains("Ended early: stopped after 40 "));
}

/// No file may grow, so that nothing can be written.
#[cfg(target_os = "linux")]
#[test]
fn a_page_that_cannot_be_written_leaves_the_old_file() {
    let f = folder();
    fs::write(f.path().join("p.html"), "old").unwrap();
    let mut full = std::process::Command::new("sh");
    full.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_redexter")]);
    full.args(["trace", "normalize(beta)", "m.arr:gradient", "--html", "p.html"]).current_dir(f.path());
    ends(&full.output().unwrap(), 1, "E0404");
    assert_eq!(read(&f, "p.html"), "old");
    assert_eq!(fs::read_dir(f.path()).unwrap().count(), 2, "nothing else stays");
}

#[test]
fn scripts_write_pages_where_they_may() {
    let f = folder();
    let write = |path: &str| format!("load(\"m.arr\").gradient.trace(normalize(beta)).write_html(\"{path}\");");
    for _ in 0..2 {
        ends(&script(&f, &write("p.html"), &[]), 0, "");
        assert!(read(&f, "p.html").starts_with(BEGINNING) && read(&f, "p.html").contains("<title>gradient</title>"));
    }
    fs::write(f.path().join("mine.html"), "<!doctype html>\n<p>mine").unwrap();
    ends(&script(&f, &write("mine.html"), &[]), 1, "there is a file that redexter didn't write");
    ends(&script(&f, &write("../p.html"), &[]), 1, "E0405");
    assert_eq!(read(&f, "mine.html"), "<!doctype html>\n<p>mine");
}

#[test]
fn notes_and_papers_are_written_beside_the_page() {
    let f = folder();
    ends(&trace(&f, &["--html", "p.html", "--md", "p.md", "--latex", "p.tex"]), 0, "");
    assert!(read(&f, "p.html").starts_with(BEGINNING));
    assert!(
        read(&f, "p.md")
            .starts_with("<!-- Written by redexter. -->\n\n# gradient, m\\.arr\n".replace('\\', "").as_str())
    );
    assert!(
        read(&f, "p.tex").starts_with("% Written by redexter.\n\\documentclass")
            && read(&f, "p.tex").contains("\\redex{")
    );
    ends(&trace(&f, &["--md", "p.md", "--compare", "id"]), 2, "--html");
    let write = "load(\"m.arr\").gradient.trace(normalize(beta)).write_markdown(\"p.md\");
        load(\"m.arr\").gradient.trace(normalize(beta)).write_latex(\"p.tex\");";
    ends(&script(&f, write, &[]), 0, "");
    fs::write(f.path().join("p.tex"), "mine").unwrap();
    ends(&script(&f, write, &[]), 1, "there is a file that redexter didn't write");
}

/// The headings of steps and the first lines of the two whole terms in notes.
fn headings(notes: &str) -> Vec<String> {
    notes.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn parts_of_a_derivation_are_handed_out_alone() {
    let f = folder();
    let fast = |more: &[&str]| run(&f, &[&["trace", "fastGradient", "m.arr:gradient"], more].concat());
    ends(&fast(&["--md", "all.md"]), 0, "");
    let all = headings(&read(&f, "all.md"));
    let steps: Vec<&String> = all.iter().filter(|line| line.starts_with("### ")).collect();
    ends(&fast(&["--md", "few.md", "--part", "5", "--part", "2..3"]), 0, "");
    let few = headings(&read(&f, "few.md"));
    let title = format!("# gradient, m.arr: 5, 2..3, steps 2 to 5 of {}", steps.len());
    let expected = [&title, "## First", "## Steps", steps[1], steps[2], steps[4], "## Last"];
    assert_eq!(few, expected.map(str::to_owned));

    // A stage by its name, in each form, as the prompt and scripts write it.
    let forms = ["hoist.md", "hoist.tex", "hoist.html", "hoist.json"];
    let files = ["--md", "a.md", "--latex", "a.tex", "--html", "a.html", "--json", "a.json", "--part", "hoist"];
    ends(&fast(&files), 0, "");
    let typed = ":load m.arr\ngradient\nfastGradient\n:export md hoist\n:export latex hoist\n:export page hoist\n:export json hoist\n\
        :export markdown 2..3 5 typed.md\n:export markdown 2..3 whole w.md\n";
    let (_, answers) = program::run(&[], typed, f.path());
    assert!(answers.contains("wrote hoist.html"), "{answers}");
    assert!(answers.contains("the derivation has no stage `whole`"), "{answers}");
    for (name, form) in forms.iter().zip(["a.md", "a.tex", "a.html", "a.json"]) {
        let (prompt, line) = (read(&f, name), read(&f, form));
        assert!(prompt.contains("hoist, step"), "{name}");
        assert_eq!(prompt.len(), line.len(), "{name}");
    }
    assert_eq!(headings(&read(&f, "typed.md"))[1..], few[1..]);

    // As JSON: the terms whole, and each step that is told with its number in the whole derivation.
    let hoist: Value = serde_json::from_str(&read(&f, "hoist.json")).unwrap();
    let told: Vec<&Value> = hoist["trace"].as_array().unwrap().iter().map(|step| &step["number"]).collect();
    assert_eq!(told.len(), hoist["steps"].as_u64().unwrap() as usize);
    assert_eq!(hoist["trace"].as_array().unwrap().last().unwrap()["term"], hoist["last"]);
    let numbered = format!("steps {} to {}", told[0], told[told.len() - 1]);
    assert!(hoist["title"].as_str().unwrap().contains(&numbered), "{hoist:#}");
    let write = "let t = load(\"m.arr\").gradient.trace(fastGradient); t.write_markdown(\"s.md\", \"5 2..3\");";
    ends(&script(&f, write, &[]), 0, "");
    assert_eq!(headings(&read(&f, "s.md"))[1..], few[1..]);

    // Commas between numbers, a name with a blank, and what is no address.
    let typed = ":load m.arr\ngradient\nfastGradient\n:export markdown 2..3,5 \"a b.md\"\n:export markdown 9..3 no.md\n\
        :mark k\n:export markdown %k\n";
    let (_, answers) = program::run(&[], typed, f.path());
    assert_eq!(headings(&read(&f, "a b.md"))[1..], few[1..]);
    assert!(answers.contains("`9..3` is no address") && answers.contains("wrote k.md"), "{answers}");
    let notes = read(&f, "few.md");
    assert!(notes.contains("3 of the 4 steps") && notes.contains("*Step 4 is left out.*"), "{notes}");

    ends(&fast(&["--md", "no.md", "--part", "nowhere"]), 1, "no stage `nowhere`");
    ends(&fast(&["--md", "no.md", "--part", "999"]), 1, "no step 999");
    ends(&fast(&["--html", "no.html", "--part", "2", "--compare", "id"]), 2, "--compare");
    assert!(!f.path().join("no.md").exists() && !f.path().join("no.html").exists());
}
