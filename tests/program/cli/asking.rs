//! Questions on the command line.

use std::fs;

use serde_json::Value;

use super::{ends, err, folder, out, run};

#[test]
fn two_strategies_side_by_side() {
    let f = folder();
    let said = run(&f, &["compare", "fastGradient | normalize(beta)", "m.arr:gradient"]);
    ends(&said, 0, "");
    assert!(out(&said).contains("the same meaning at another cost: 1 does less"), "{}", out(&said));
    ends(&run(&f, &["compare", "fastGradient", "m.arr:gradient"]), 1, "two strategies are compared, not 1");
    ends(&run(&f, &["compare", "id | fail", "m.arr"]), 1, "which definition of `m.arr`?");
}

#[test]
fn why_a_rule_did_not_fire() {
    let f = folder();
    let said = run(&f, &["why-not", "getBuild", "normalize(beta)", "m.arr:gradient"]);
    ends(&said, 0, "");
    assert!(out(&said).contains("`normalize(beta)` doesn't contain it"), "{}", out(&said));
    let at = run(&f, &["why-not", "getBuild", "fastGradient", "m.arr:gradient", "--at", "1"]);
    ends(&at, 0, "");
    assert!(out(&at).starts_with("at the redex of step 1, before it"), "{}", out(&at));
    ends(&run(&f, &["why-not", "getBiuld", "id", "m.arr:gradient"]), 1, "did you mean `getBuild`");
    ends(&run(&f, &["why-not", "getBuild", "id", "m.arr:gradient", "--at", "9"]), 1, "9");
    // What failed, or came to a limit, is asked about, too.
    let failed = run(&f, &["why-not", "getBuild", "mulOne", "m.arr:gradient"]);
    ends(&failed, 0, "failed: mulOne does not match");
    let cut = run(&f, &["why-not", "sumOneHot", "fastGradient", "m.arr:gradient", "--max-steps", "40"]);
    ends(&cut, 0, "--max-steps");
    assert!(out(&cut).contains("a limit ended `fastGradient/oneHotWay/unzip`"), "{}", out(&cut));
}

#[test]
fn what_the_repl_is_asked() {
    let f = folder();
    let questions = [
        "possible",
        "preview normalize(beta)",
        "graph 1 beta",
        "graph 1 beta g.svg",
        "why .",
        "why-not getBuild",
        "compare beta | id",
        "ablate fastGradient",
        "ablate rules normalize(beta <+ getBuild)",
        "orders normalize(beta) | normalize(getBuild)",
        "interact beta getBuild",
        "ends normalize(distribute <+ factor)",
        "search 20 beta <+ getBuild",
        "validate normalize(beta)",
    ];
    for question in questions {
        let text = run(&f, &["ask", question, "m.arr:gradient"]);
        ends(&text, 0, "");
        let json = run(&f, &["ask", question, "m.arr:gradient", "--json"]);
        ends(&json, 0, "");
        let value: Value = serde_json::from_str(&out(&json)).unwrap_or_else(|e| panic!("{question}: {e}"));
        assert!(value.is_object() && out(&json).lines().count() == 1, "{question}: {value}");
        assert_ne!(out(&text), out(&json));
    }
    let step = run(&f, &["ask", ":why 2", "m.arr:gradient", "--after", "fastGradient"]);
    ends(&step, 0, "");
    assert!(out(&step).starts_with("2. "), "{}", out(&step));
    ends(&run(&f, &["ask", ":why 2", "m.arr:gradient"]), 1, "`--after STRATEGY` runs a strategy first");
    ends(&run(&f, &["ask", "take 1", "m.arr:gradient"]), 1, "asks nothing");
    ends(&run(&f, &["ask", "load x", "m.arr:gradient"]), 1, "is no question");
    ends(&run(&f, &["ask", "why", "m.arr:gradient"]), 1, "which address?");
    let drawn = run(&f, &["ask", "graph 1 beta g.dot", "m.arr:gradient"]);
    ends(&drawn, 0, "");
    assert!(std::fs::read_to_string(f.path().join("g.dot")).unwrap().starts_with("digraph"), "{}", err(&drawn));
}

#[test]
fn scripts_for_strategies_say_nothing_about_their_own_terms() {
    let f = folder();
    let script = "strategy quick = normalize(beta);\nprint(\"all about it\");\nload(\"m.arr\").gradient.write_futhark(\"m.fut\");\n";
    std::fs::write(f.path().join("quick.strat"), script).unwrap();
    for task in [&["compare", "quick | id", "m.arr:gradient"][..], &["ask", "preview quick", "m.arr:gradient"]] {
        let said = run(&f, &[task, &["--use", "quick.strat"]].concat());
        ends(&said, 0, "");
        assert_eq!(err(&said), "");
    }
    let applied = run(&f, &["apply", "quick", "m.arr:gradient", "--use", "quick.strat"]);
    assert!(err(&applied).contains("all about it") && err(&applied).contains("E0404"), "{}", err(&applied));
    assert!(!f.path().join("m.fut").exists());
}

#[test]
fn drawings_are_of_two_kinds() {
    let f = folder();
    ends(
        &run(&f, &["ask", "graph 1 beta g.png", "m.arr:gradient"]),
        1,
        "the file is an SVG, `.svg`, or for Graphviz, `.dot`",
    );
    ends(&run(&f, &["ask", "graph 1 fastGradient.hoist", "m.arr:gradient"]), 0, "");
}

/// Kahan's sum: the schedule puts its compensation in another order, unless it is kept.
#[test]
fn lost_digits_and_opposite_terms_are_told() {
    let f = folder();
    let kahan = "fst (ifold n (fun a i => let y := v[i] - snd a; let t := fst a + y; (t, (t - fst a) - y)) (0, 0))";
    let model = format!(
        "def sum {{n}} (v : array n real) : real := {kahan}\ndef kept {{n}} (v : array n real) : real := keep ({kahan})\n"
    );
    fs::write(f.path().join("k.arr"), model).unwrap();
    let lost = run(&f, &["validate", "fastGradient", "k.arr:sum", "--precision"]);
    ends(&lost, 1, "error[E0611]: step 2 loses digits: `arrange`");
    assert!(out(&lost).contains("digits are lost in"), "{}", out(&lost));
    assert!(run(&f, &["validate", "fastGradient", "k.arr:sum"]).status.success());
    assert!(run(&f, &["validate", "fastGradient", "k.arr:kept", "--precision"]).status.success());
    let warned = |arguments: &[&str]| err(&run(&f, arguments));
    let told = warned(&["apply", "fastGradient", "k.arr:sum"]);
    assert!(told.matches("W0607").count() == 1 && told.contains("`arrange`") && told.contains("keep"), "{told}");
    assert!(!warned(&["apply", "exactly(fastGradient)", "k.arr:sum"]).contains("W0607"));
    assert!(!warned(&["apply", "fastGradient", "k.arr:kept"]).contains("W0607"));
    let fast = |of: &str| warned(&["export", "c", "--fast", of]);
    assert!(fast("k.arr:sum").contains("a sum here has opposite terms"), "{}", fast("k.arr:sum"));
    assert!(fast("k.arr:kept").contains("leaves what the program keeps"), "{}", fast("k.arr:kept"));
    assert_eq!(fast("m.arr:total"), "");
}

#[test]
fn steps_are_validated() {
    let f = folder();
    let said = run(&f, &["validate", "fastGradient", "m.arr:gradient"]);
    ends(&said, 0, "");
    assert!(
        out(&said).starts_with("valid: ") && out(&said).contains("whole terms and the first one"),
        "{}",
        out(&said)
    );
    let json = run(&f, &["validate", "fastGradient", "m.arr:gradient", "--primal", "total", "--json"]);
    ends(&json, 0, "");
    let value: Value = serde_json::from_str(&out(&json)).expect("a line of JSON");
    assert!(value["valid"] == true && value["slope"]["by"][0] == "v" && value["compared"] == value["steps"], "{value}");
    ends(&run(&f, &["validate", "id", "m.arr:total", "--primal", "total"]), 1, "is no derivative of one of type real");
    ends(&run(&f, &["validate", "id", "m.arr:gradient", "--primal", "sum"]), 1, "`m.arr` has no definition `sum`");
    ends(&run(&f, &["validate", "mulOne", "m.arr:gradient"]), 1, "failed: mulOne does not match");
    ends(&run(&f, &["validate", "fastGradient", "m.arr:gradient", "--max-steps", "5"]), 3, "--max-steps");
    std::fs::write(f.path().join("wrong.strat"), "rule wrong = `0 --> 1` unchecked;\n").expect("a file");
    let wrong = ["topDown(wrong)", "m.arr:gradient", "--use", "wrong.strat"];
    let said = run(&f, &[&["validate"][..], &wrong].concat());
    ends(&said, 1, "error[E0609]: step 1, `wrong` at ");
    assert!(out(&said).starts_with("NOT VALID") && err(&said).contains("before    0"), "{}{}", out(&said), err(&said));
    let said = run(&f, &[&["validate", "--json"][..], &wrong].concat());
    ends(&said, 1, "E0609");
    let value: Value = serde_json::from_str(&out(&said)).expect("a line of JSON");
    assert!(value["valid"] == false && value["fault"]["step"] == 1 && value["fault"]["rule"] == "wrong", "{value}");
    let refused = run(&f, &[&["apply", "--validate"][..], &wrong].concat());
    ends(&refused, 1, "error[E0609]: step 1, `wrong` at ");
    assert_eq!(out(&refused), "");
    let printed = run(&f, &["apply", "fastGradient", "m.arr:gradient", "--validate"]);
    ends(&printed, 0, "");
    assert_eq!(out(&printed), out(&run(&f, &["apply", "fastGradient", "m.arr:gradient"])));
}

const ROUND: &str = "rule up = `sin x --> cos x` unchecked;\nrule down = `cos x --> sin x` unchecked;\n";

#[test]
fn a_gate_says_which_strategies_loop() {
    let f = folder();
    let write = |name: &str, text: &str| fs::write(f.path().join(name), format!("{ROUND}{text}")).unwrap();
    write("old.strat", "strategy quiet = normalize(mulOne);\nstrategy round = normalize(up);\n");
    write("new.strat", "strategy quiet = normalize(mulOne);\nstrategy round = normalize(up <+ mulOne <+ down);\n");
    let check = |arguments: &[&str]| run(&f, &[&["check", "--ends"], arguments].concat());
    ends(&check(&["old.strat"]), 0, "");
    let found = check(&["new.strat"]);
    ends(&found, 1, "");
    assert!(out(&found).contains("quiet: ends\n"), "{}", out(&found));
    assert!(out(&found).contains("round: loops\n  2 steps lead back to the same term\n"), "{}", out(&found));
    // What was there already isn't found beside it, and what is new is.
    ends(&check(&["new.strat", "--beside", "new.strat"]), 0, "");
    ends(&check(&["new.strat", "--beside", "old.strat"]), 1, "");
    let json = check(&["new.strat", "--json"]);
    ends(&json, 1, "");
    let value: Value = serde_json::from_str(&out(&json)).unwrap();
    assert_eq!((&value["file"], &value["strategies"][1]["answer"]), (&"new.strat".into(), &"loops".into()), "{value}");
    let way = &value["strategies"][1]["repetitions"][0]["way"]["steps"];
    assert_eq!((&way[0]["rule"], &way[1]["rule"], way.get(2)), (&"up".into(), &"down".into(), None), "{value}");
    ends(&check(&["m.arr"]), 1, "is no script");
    ends(&run(&f, &["check", "new.strat", "--json"]), 2, "--ends");
    // What is wrong otherwise is said as ever; that a repetition can't end is what was asked about.
    write("wrong.strat", "strategy round = normalize(upp);");
    ends(&check(&["wrong.strat"]), 1, "unknown rule, strategy or variable `upp`");
    // It keeps no other strategy from an answer.
    write(
        "half.strat",
        "rule bad = `sin x --> x`;\nstrategy of = normalize(bad);\nstrategy round = normalize(up <+ down);",
    );
    let half = check(&["half.strat"]);
    ends(&half, 1, "the rule `bad` changes what terms mean");
    assert!(!err(&half).contains("E0601"), "{}", err(&half));
    assert!(out(&half).starts_with("round: loops\n"), "{}", out(&half));
    write("sure.strat", "rule grow = `sin x --> exp (sin x)` unchecked;\nstrategy round = normalize(grow);");
    let sure = check(&["sure.strat"]);
    ends(&sure, 1, "");
    assert!(out(&sure).contains("1 step leads back, with 1 more node each time"), "{}", out(&sure));
}
