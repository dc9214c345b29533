//! A script walks a derivation as the REPL does: each command is a method, with the same answer.

use crate::support::session;
use redexter::command::{COMMANDS, is_about_a_derivation};
use redexter::ground::{Nesting, Trouble};
use redexter::reply;
use redexter::session::{MemorySystem, submit};

use super::script::run;
use super::{gives, tells};
use redexter::session::SilentSink;
use session::session;

/// What came before each command.
const BEFORE: [&str; 2] = ["gradient", "normalize(getBuild <+ letSubstN(1))"];

/// Commands with their arguments, as the REPL takes them and as a script does.
const CASES: &[(&str, &str, &str)] = &[
    ("step", "normalize(beta)", "normalize(beta)"),
    ("step", "", ""),
    ("continue", "", ""),
    ("next", "", ""),
    ("next", "2", "2"),
    ("finish", "", ""),
    ("until", "size > 5", "\"size > 5\""),
    ("break", "", ""),
    ("break", "hoist", "\"hoist\""),
    ("unbreak", "", ""),
    ("unbreak", "1", "1"),
    ("stop", "", ""),
    ("undo", "", ""),
    ("undo", "2", "2"),
    ("redo", "", ""),
    ("trace", "", ""),
    ("trace", "2", "2"),
    ("trace", "1..3", "\"1..3\""),
    ("trace", "getBuild", "getBuild"),
    ("trace", "`a[i]`", "`a[i]`"),
    ("plot", "", ""),
    ("plot", "1..2", "\"1..2\""),
    ("replay", "", ""),
    ("replay", "normalize(beta)", "normalize(beta)"),
    ("replay", "from 1", "1"),
    ("replay", "from 1 normalize(getBuild)", "1, normalize(getBuild)"),
    ("replay", "from 99 normalize(getBuild)", "99, normalize(getBuild)"),
    ("replay", "from getBuild try(beta)", "\"getBuild\", try(beta)"),
    ("profile", "", ""),
    ("profile", "normalize(beta)", "normalize(beta)"),
    ("profile", "try(topDown(addZero))", "try(topDown(addZero))"),
    ("goto", "1", "1"),
    ("goto", "99", "99"),
    ("log", "", ""),
    ("tag", "fused", "\"fused\""),
    ("at", ".body", "\".body\""),
    ("at", "`build n f`", "`build n f`"),
    ("at", "1", "1"),
    ("find", "`fst a`", "`fst a`"),
    ("find", "2", "2"),
    ("up", "", ""),
    ("down", "", ""),
    ("down", "body", "\"body\""),
    ("left", "", ""),
    ("right", "", ""),
    ("top", "", ""),
    ("mark", "", ""),
    ("mark", "sum", "\"sum\""),
    ("diff", "1", "1"),
    ("diff", "1 2", "1, 2"),
    ("possible", "", ""),
    ("possible", ".body", "\".body\""),
    ("possible", "1", "1"),
    ("take", "1", "1"),
    ("preview", "normalize(letSubst)", "normalize(letSubst)"),
    ("graph", "", ""),
    ("graph", "1 letSubst <+ beta", "1, letSubst <+ beta"),
    ("why", "1", "1"),
    ("why", ".", "\".\""),
    ("why-not", "getBuild", "getBuild"),
    ("why-nan", "v=[1, 2]", r#""v=[1, 2]""#),
    ("why-not", "letSubstN(1) 1", "letSubstN(1), 1"),
    ("compare", "normalize(letSubst) | id", "normalize(letSubst), id"),
    ("compare", "letSubst | beta | id", "[letSubst, beta, id]"),
    ("ablate", "rules normalize(letSubst <+ getBuild)", "\"rules\", normalize(letSubst <+ getBuild)"),
    ("ablate", "normalize(letSubst) ;; normalize(getBuild)", "normalize(letSubst) ;; normalize(getBuild)"),
    ("orders", "normalize(letSubst) | normalize(getBuild)", "normalize(letSubst), normalize(getBuild)"),
    ("orders", "1 normalize(letSubst) | normalize(getBuild)", "1, [normalize(letSubst), normalize(getBuild)]"),
    ("interact", "fstPair pairEta", "fstPair, pairEta"),
    ("ends", "", ""),
    ("ends", "normalize(letSubst)", "normalize(letSubst)"),
    ("validate", "", ""),
    ("validate", "normalize(letSubst)", "normalize(letSubst)"),
    ("search", "20 letSubst <+ getBuild", "20, letSubst <+ getBuild"),
    ("search", "5", "5"),
];

fn asked(command: &str, arguments: &str) -> String {
    let mut session = session(MemorySystem::default(), Nesting::default(), SilentSink);
    submit(&mut session, ":load models/vector_sum.arr").unwrap();
    for line in BEFORE {
        submit(&mut session, line).unwrap();
    }
    match submit(&mut session, &format!(":{command} {arguments}")) {
        Ok(answer) => reply::answer(&answer, 100).text().trim_end().to_owned(),
        Err(Trouble::Wrong(all)) => all[0].headline.clone(),
        Err(stopped) => panic!("{stopped:?}"),
    }
}

#[test]
fn each_command_is_a_method_with_its_answer() {
    for info in COMMANDS.iter().filter(|info| is_about_a_derivation(info)) {
        assert!(CASES.iter().any(|(command, ..)| *command == info.name), "no case for `{}`", info.name);
    }
    for (command, typed, written) in CASES {
        let info = COMMANDS.iter().find(|info| info.name == *command).expect("a command");
        let script = format!(
            "let w = load(\"models/vector_sum.arr\").gradient.walk(); w.run({}); print(w.{}({written}));",
            BEFORE[1], info.method
        );
        let asked = asked(command, typed);
        match run(&script) {
            Ok(told) => assert_eq!(told, asked, "{command} {typed}"),
            Err(wrong) => assert!(wrong.contains(&asked), "{command} {typed}\n  asked {asked}\n  told  {wrong}"),
        }
    }
}

#[test]
fn a_walk_is_a_value() {
    let before = "let w = load(\"models/vector_sum.arr\").gradient.walk(); w.run(normalize(getBuild <+ beta));";
    gives(&[
        (&format!("{before} let v = w; v.undo(); print(w.term == v.term);"), "false"),
        (&format!("{before} w.undo(); print(w.term == load(\"models/vector_sum.arr\").gradient);"), "true"),
        (
            "let t = load(\"models/vector_sum.arr\").gradient.trace(normalize(getBuild <+ beta)); let w = t.walk(); \
             print(w.term == t.result); w.go_to(0); print(w.term == t.result);",
            "true\nfalse",
        ),
        ("print(load(\"models/vector_sum.arr\").gradient.walk());", "* 0  gradient"),
    ]);
}

#[test]
fn what_a_walk_refuses() {
    let walk = "load(\"models/vector_sum.arr\").gradient.walk()";
    tells(&[
        (&format!("let w = {walk}; w.step(\"beta\");"), "E0603"),
        (&format!("let w = {walk}; w.run(addZero);"), "E0602"),
        (&format!("let w = {walk}; w.go_to(7);"), "E0702"),
        (&format!("let w = {walk}; w.go_to();"), "E0702"),
    ]);
}

#[test]
fn steps_and_stages_say_their_names_and_their_work() {
    let before = "strategy inner = normalize(getBuild <+ beta); strategy outer = try(inner); \
        let first = load(\"models/vector_sum.arr\").gradient; let t = first.trace(outer);";
    gives(&[
        (&format!("{before} print(t[-1].work == t.result.work && t[-1].work != \"\");"), "true"),
        (&format!("{before} let w = t.walk(); w.go_to(1); print(t[0].work == w.term.work);"), "true"),
        (&format!("{before} print(t[0].stage);"), "outer/inner"),
        (&format!("{before} for s in t.stages {{ print(s.name); }}"), "outer\nouter/inner"),
        (
            &format!("{before} let s = t.stages[1]; print(s.first == 1 && s.last == t.len() && s.steps == t.len());"),
            "true",
        ),
        (&format!("{before} let s = t.stages[0]; print(s.before == first.work && s.after == t.result.work);"), "true"),
    ]);
}
