//! What the subcommands print.

use std::fs;
use std::path::Path;

use super::{ends, err, folder, out, redexter, run};

#[test]
fn colour_only_where_it_is_wanted() {
    let f = folder();
    let apply = ["apply", "try(beta)", "m.arr:total"];
    assert!(!out(&run(&f, &apply)).contains('\x1b'));
    assert!(out(&run(&f, &[&apply[..], &["--color", "always"]].concat())).contains('\x1b'));
    assert!(!out(&run(&f, &[&apply[..], &["--color", "never"]].concat())).contains('\x1b'));
    let quiet = redexter(f.path()).args(apply).env("NO_COLOR", "1").output().unwrap();
    assert!(!out(&quiet).contains('\x1b'));
}

#[test]
fn completions_for_every_shell() {
    let f = folder();
    for shell in ["bash", "zsh", "fish"] {
        assert!(out(&run(&f, &["completions", shell])).contains("redexter"));
    }
}

/// What the command that shells ask says.
fn completed(folder: &tempfile::TempDir, line: &str, more: &[&str]) -> Vec<String> {
    let found = run(folder, &[&["complete"], more, &["--", line]].concat());
    ends(&found, 0, "");
    assert_eq!(super::err(&found), "");
    out(&found).lines().map(str::to_owned).collect()
}

#[test]
fn completion_knows_strategies_and_definitions() {
    let f = folder();
    let asked = |line: &str| completed(&f, line, &[]);
    let strategies = asked("redexter apply ");
    assert!(["fastGradient", "normalize", "topDown"].iter().all(|name| strategies.contains(&(*name).to_owned())));
    assert_eq!(asked("redexter apply fastG"), ["fastGradient"]);
    assert_eq!(asked("redexter apply 'normalize(getBu"), ["normalize(getBuild"]);
    assert_eq!(asked("redexter apply fastGradient.onew"), Vec::<String>::new());
    assert_eq!(asked("redexter apply fastGradient.oneh"), ["fastGradient.onehot"]);
    for before in ["apply --json fastGradient", "eval", "eval --size n=5", "export futhark m.arr:total", "--bare eval"]
    {
        assert_eq!(asked(&format!("redexter {before} m.")), ["m.arr:"], "{before}");
        assert_eq!(asked(&format!("redexter {before} m.arr:")), ["m.arr:total", "m.arr:gradient"], "{before}");
        assert!(asked(&format!("redexter {before} ")).contains(&"models/".to_owned()), "{before}");
    }
    assert_eq!(asked("redexter eval models/vector_sum.arr:gr"), ["models/vector_sum.arr:gradient"]);
    assert_eq!(asked("redexter eval m.arr:total --apply zero"), asked("redexter apply zero"));
    assert_eq!(asked("redexter apply fastGradient m.arr:gradient --trace=ho"), ["--trace=hoist"]);
    assert_eq!(asked("redexter run strategies/pap"), ["strategies/paper.strat"]);
    assert_eq!(asked("redexter check m.arr m."), ["m.arr"]);
    assert_eq!(
        asked("redexter rules letSubst"),
        ["letSubst", "letSubstCheap", "letSubstN", "letSubstSafe", "letSubstTangent"]
    );
    assert_eq!(asked("redexter help addr"), ["address"]);
    for line in ["", "redexter", "redexter ap", "redexter apply --js", "redexter eval none.arr:", "redexter nothing x"]
    {
        assert_eq!(asked(line), Vec::<String>::new(), "{line}");
    }
    assert_eq!(completed(&f, "redexter eval m.arr:to", &["--breaks", ":="]), ["total"]);
    assert_eq!(completed(&f, "redexter apply fastGradient m.arr:total --trace=ho", &["--breaks", ":="]), ["hoist"]);
}

/// What bash offers, with the script that `redexter completions bash` prints.
#[test]
fn bash_asks() {
    let f = folder();
    if std::process::Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    std::fs::write(f.path().join("redexter.bash"), out(&run(&f, &["completions", "bash"]))).unwrap();
    let offered = |line: &str, word: &str, before: &str| {
        let ask = r##"source redexter.bash
            COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
            read -ra COMP_WORDS <<< "$1"
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _redexter_asks redexter "$2" "$3"
            printf '%s\n' "${COMPREPLY[@]}""##;
        let mut bash = std::process::Command::new("bash");
        let binaries = Path::new(env!("CARGO_BIN_EXE_redexter")).parent().unwrap();
        let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
        bash.current_dir(f.path()).env("PATH", path);
        let answer = bash.args(["--norc", "-c", ask, "bash", line, word, before]).output().unwrap();
        assert_eq!(super::err(&answer), "");
        out(&answer).lines().map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(offered("redexter apply fastG", "fastG", "apply"), ["fastGradient"]);
    assert_eq!(offered("redexter eval m.arr:gr", "gr", ":"), ["gradient"]);
    assert_eq!(offered("redexter appl", "appl", "redexter"), ["apply"]);
    assert_eq!(offered("redexter apply --js", "--js", "apply"), ["--json", "--json-lines"]);
}

#[test]
fn every_subcommand_helps_with_examples_of_files_that_ship() {
    let f = folder();
    let tasks = ["repl", "run", "check", "apply", "trace", "eval", "export futhark", "rules", "completions"];
    for task in tasks {
        let help = run(&f, &[&task.split(' ').collect::<Vec<_>>()[..], &["--help"]].concat());
        ends(&help, 0, "");
        assert!(out(&help).contains("Examples:\n  redexter "), "{task}");
        let shipped = |word: &&str| word.starts_with("models/") || word.starts_with("strategies/");
        for word in out(&help).split([' ', ':', '\'', '"', '\n']).filter(shipped).filter(|w| !w.contains('*')) {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(word).is_file(), "{task}: {word}");
        }
    }
}

#[test]
fn the_book_is_searched_by_group_and_text() {
    let f = folder();
    let all = out(&run(&f, &["rules"]));
    let found = out(&run(&f, &["rules", "--find", "build n"]));
    assert!(found.contains("getBuild") && !found.contains("mulZero"), "{found}");
    let heading = all.lines().next().unwrap();
    let group = out(&run(&f, &["rules", "--group", &heading.to_lowercase()]));
    assert!(group.starts_with(heading) && group.contains("letSubstN(k)") && !group.contains("getBuild"), "{group}");
    assert!(out(&run(&f, &["rules", "--group", heading, "--find", "no such text"])).contains("no rule contains"));
    ends(&run(&f, &["rules", "--group", "cooking"]), 1, heading);
    let rule = out(&run(&f, &["rules", "letSubstN"]));
    assert!(rule.ends_with("\nexample\n  - let x := a; x * 2\n  + a * 2\n"), "{rule}");
}

#[test]
fn json_and_traces_tell_the_work() {
    let f = folder();
    let apply = ["apply", "normalize(getBuild <+ letSubstN(1))", "m.arr:gradient", "--trace"];
    let json = out(&run(&f, &[&apply[..], &["--json"]].concat()));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let steps = json["trace"].as_array().unwrap();
    assert_eq!(json["steps"], steps.len());
    assert_eq!(json["work"]["after"], steps.last().unwrap()["work"]);
    assert_eq!(json["work"]["before"], "8*n^2 + n");
    assert!(steps.iter().all(|step| step["state"] == "tested"));
    fs::write(f.path().join("own.strat"), "rule drop = `a + b --> a` unchecked;\n").unwrap();
    let own = ["apply", "topDown(drop)", "m.arr:total", "--use", "own.strat", "--trace", "--json"];
    let json: serde_json::Value = serde_json::from_str(&out(&run(&f, &own))).unwrap();
    assert_eq!(json["trace"][0]["state"], "unsound");
    assert!(out(&run(&f, &apply)).contains("work in total: 8n² + n → "));
}

#[test]
fn help_is_on_subcommands_and_on_words_alike() {
    let folder = folder();
    let help = |words: &[&str]| {
        let done = run(&folder, &[&["help"], words].concat());
        ends(&done, 0, "");
        out(&done)
    };
    assert_eq!(help(&["apply"]), out(&run(&folder, &["apply", "--help"])));
    assert_eq!(help(&["export", "futhark"]), out(&run(&folder, &["export", "futhark", "--help"])));
    assert_eq!(help(&[]), out(&run(&folder, &["--help"])));
    assert!(help(&["addresses"]).contains("hoist#2"));
    assert!(help(&[":goto"]).contains("an address is"));
    assert!(help(&["topDown"]).contains("one(topDown(s))"));
    ends(&run(&folder, &["help", "nothing of the kind"]), 1, "E0702");
}

#[test]
fn a_manual_page_is_printed() {
    let f = folder();
    let page = out(&run(&f, &["man"]));
    assert!(page.contains(".TH redexter") && page.contains("\\-\\-max\\-steps") && page.contains("apply"), "{page}");
    let apply = out(&run(&f, &["man", "apply"]));
    assert!(apply.contains(".TH redexter-apply") && apply.contains("\\-\\-trace"), "{apply}");
    ends(&run(&f, &["man", "none"]), 1, "there is no subcommand `none`");
}

/// What a schedule did is said beside the term, where no program reads it.
#[test]
fn what_was_done_is_said_in_a_line() {
    let f = folder();
    fs::write(f.path().join("own.strat"), "rule dear = `(x : real) + y --> (x + y) * 1`;").unwrap();
    let said = |arguments: &[&str]| err(&run(&f, &[&["apply"], arguments].concat()));
    assert_eq!(said(&["fastGradient", "m.arr:gradient"]), "15 rewrites in 3 stages of `oneHotWay`: n² → n\n");
    assert_eq!(said(&["topDown(beta)", "m.arr:gradient"]), "1 rewrite: 8n² + … → 8n² + …\n");
    assert_eq!(said(&["try(beta)", "m.arr:total"]), "there is nothing to rewrite\n");
    let dear = said(&["cheaper(topDown(dear))", "m.arr:total", "--use", "own.strat"]);
    assert_eq!(
        dear,
        "no step is left: `cheaper` threw away 1 step (dear 1), from work 2n to 3n, at n = 10 from 20 to 30\n"
    );
    for json in ["--json", "--json-lines"] {
        assert_eq!(said(&["fastGradient", "m.arr:gradient", json]), "");
    }
}

/// A derivative that keeps its order says what couldn't be transposed, and only such a one.
#[test]
fn what_is_not_transposed_is_said_in_the_line() {
    let f = folder();
    let text = "def composed {n} (x : array n real) : real :=\n  \
                (ifold n (fun f i => fun y => tanh (f y * x[i])) (fun y => y)) 1\n\
                def composedGradient {n} (x : array n real) : array n real := grad composed x\n\
                def both {n} (x : array n real) : array n real := build n (fun j => snd (ifold n (fun s i =>\n  \
                (fst s * x[i], snd s * x[i] + fst s * (if i = j then 1 else 0))) (1, 0)))\n\
                def product {n} (v : array n real) : array n real :=\n  \
                build n (fun j => ifold n (fun s i => s * (v[i] + (if i = j then 1 else 0))) 1)\n\
                def counted {n m} (k : array m (fin n)) : array n real :=\n  \
                build n (fun j => ifold m (fun s e => s + (if k[e] = j then 1 else 0)) 0)\n\
                def states {n} (x : array n real) : array 2 real :=\n  \
                ifold n (fun s i => [tanh (s[0] + x[i] * s[1]), s[1] * 0.9 + x[i]]) [0.1, 1]\n\
                def few {n} (x : array n real) : array n (array 2 real) := jacobian states x\n\
                def path {m} (p : array 2 real) : array m real :=\n  \
                snd (scan m (fun s i => let t := tanh (p[0] * s + p[1] * real i); (t, t)) 0)\n\
                def many {m} (p : array 2 real) : array 2 (array m real) := jacobian path p\n";
    fs::write(f.path().join("left.arr"), text).unwrap();
    let said = |arguments: &[&str]| err(&run(&f, &[&["apply"], arguments].concat()));
    let left = said(&["fastGradient", "left.arr:composedGradient"]);
    assert!(
        left.contains("; not transposed: `ifold n (fun f i1 y => ") && left.contains("` carries functions\n"),
        "{left}"
    );
    let left = said(&["fastGradient.starts", "left.arr:product"]);
    let loop_ = "`ifold n (fun s i => s * (v[i] + (if i = j then 1 else 0))) 1`";
    let cause = "isn't linear in the direction of the derivative";
    assert_eq!(left, format!("there is nothing to rewrite; not transposed: {loop_} {cause}\n"));
    // Without the stage that takes values and tangents apart.
    let left = said(&["fastGradient.starts", "left.arr:both"]);
    assert!(
        left.contains("; not transposed: `ifold n (fun s i => ")
            && left.ends_with("` holds values and tangents together\n")
    );
    // A Jacobian has two sides.
    let left = said(&["fastGradient", "left.arr:few"]);
    assert!(left.ends_with(": n² → n; transposed: else it would take 15n² + …\n"), "{left}");
    let left = said(&["fastGradient", "left.arr:many"]);
    assert!(left.ends_with(" → 26m; not transposed: it would take 23m² + …\n"), "{left}");
    // One-hots of which no derivative is made, and a strategy that transposes nothing.
    assert!(!said(&["fastGradient", "left.arr:counted"]).contains("not transposed"));
    assert!(!said(&["fastGradient.oneHotWay", "left.arr:composedGradient"]).contains("not transposed"));
}

#[test]
fn nan_by_an_infinite_slope_is_said_beside_the_value() {
    let f = folder();
    let text = "def roots {n} (v : array n real) : array n real :=\n  \
                grad (fun w => ifold n (fun s i => s + sqrt w[i]) 0) v\n";
    fs::write(f.path().join("roots.arr"), text).unwrap();
    let eval = |more: &[&str]| run(&f, &[&["eval", "roots.arr:roots", "--input"], more].concat());
    let done = eval(&[r#"{"v": [0, 4]}"#]);
    ends(&done, 0, "W0801");
    assert_eq!(out(&done), "[\"inf\", \"NaN\"]\n");
    // Half of the reciprocal of the root.
    let done = eval(&[r#"{"v": [0, 4]}"#, "--apply", "fastGradient"]);
    assert_eq!((out(&done).as_str(), err(&done).as_str()), ("[\"inf\", 0.25]\n", ""));
    // What came in as NaN is no slope.
    let done = eval(&[r#"{"v": ["NaN", 4]}"#]);
    assert_eq!(err(&done), "");
}
