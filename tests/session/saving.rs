//! A session that is saved and read back: the same tree, whatever was walked; and of one that was cut or edited, what is
//! wrong, and the rest.

use crate::support::session;
use std::path::Path;
use std::rc::Rc;

use redexter::ground::{Nesting, Random, Trouble, code, with_stack};
use redexter::session::SilentSink;
use redexter::session::{MemorySystem, Response, Session, resume, run_text, submit};
use redexter::term::Term;
use redexter::walk::{LogEntry, WalkAnswer};
use redexter_reference::cases;
use session::session;

const NESTING: u32 = 20_000;

fn deep(work: impl FnOnce() + Send + 'static) {
    with_stack(NESTING, work).expect("a thread");
}

const MODEL: &[u8] =
    b"def f (x y : real) : (real * real) := ((x * 2 + 0) * 1, y * 1)\n\ndef g (x : real) : real := x * 1 + 0\n";

/// A session in a folder with a model and, perhaps, a saved session.
fn fresh(saved: Option<&str>) -> Session {
    let memory = MemorySystem::default();
    memory.put(Path::new("m.arr"), MODEL);
    if let Some(text) = saved {
        memory.put(Path::new("s.strat"), text.as_bytes());
    }
    session(memory, Nesting { terms: NESTING, ..Nesting::default() }, SilentSink)
}

fn saved(session: &mut Session) -> String {
    submit(session, ":save s.strat").unwrap();
    String::from_utf8(session.system().read(Path::new("s.strat")).unwrap()).unwrap()
}

fn log(session: &mut Session) -> Vec<LogEntry> {
    match submit(session, ":log") {
        Ok(Response::Walk(WalkAnswer::Log(entries))) => entries,
        other => panic!("{other:?}"),
    }
}

fn now(session: &mut Session) -> Term {
    let Ok(Response::Whole(program)) = submit(session, ":show") else { panic!("no term") };
    program.term
}

fn at(session: &mut Session, address: &str) -> Option<Term> {
    match submit(session, &format!(":diff {address}")) {
        Ok(Response::Walk(WalkAnswer::Difference { before, .. })) => Some(before.term),
        _ => None,
    }
}

/// A session of so many random commands, on several terms, under several limits.
fn walked(seed: u64, commands: usize) -> Session {
    let mut random = Random::new(seed);
    let mut session = fresh(None);
    for line in [
        ":load m.arr",
        "rule turn = `a * b --> b * a` unchecked",
        "strategy spin(s) = force(normalize(s))",
        "strategy units = normalize(addZero <+ mulOne)",
        "f",
    ] {
        submit(&mut session, line).unwrap();
    }
    for k in 0..commands {
        submit(&mut session, &format!(":set max-steps {}", [40, 300][random.below(2)])).unwrap();
        let line = match random.below(17) {
            0 => "units".to_owned(),
            1 => ":step normalize(getBuild <+ beta <+ letSubst <+ addZero)".to_owned(),
            2 => ":step topDown(addZero) ;; topDown(turn)".to_owned(),
            3 => "repeatN(3, topDown(turn))".to_owned(),
            4 => ["spin(turn)", "spin(turn) ;; topDown(beta)"][random.below(2)].to_owned(),
            5 => format!(":step {}", random.below(3) + 1),
            6 => ":continue".to_owned(),
            7 => format!(":undo {}", random.below(3) + 1),
            8 => format!(":redo {}", random.below(3) + 1),
            9 => format!(":goto @t{}", random.below(k + 1)),
            10 => format!(":tag t{k}"),
            11 => ["f", "g", "`fun (x y : real) => ((x * 2 + 0, y * 1), (build 3 (fun i => x * y + 0))[1])`"]
                [random.below(3)]
            .to_owned(),
            12 => format!(":goto @b{}", random.below(3) + 1),
            13 => ["strategy units = topDown(mulOne)", "strategy units = normalize(addZero <+ mulOne)"]
                [random.below(2)]
            .to_owned(),
            14 => ":stop".to_owned(),
            _ => format!(":goto {}", random.below(6)),
        };
        drop(submit(&mut session, &line));
    }
    session
}

#[test]
fn a_session_is_read_back_as_it_was() {
    deep(|| {
        let (mut branches, mut tags, mut ahead) = (0, 0, 0);
        let (mut dropped, mut singly) = (0, 0);
        for seed in 0..cases(15, 60) {
            let mut first = walked(seed, 30);
            let text = saved(&mut first);
            dropped += text.matches("//: dropped").count();
            singly += text.matches("one by one of").count();
            let mut second = fresh(Some(&text));
            let Ok(Response::Restored(restored)) = submit(&mut second, ":load s.strat") else { panic!("{text}") };
            assert_eq!(restored.trouble, None, "seed {seed}\n{text}");
            let entries = log(&mut first);
            assert_eq!(entries, log(&mut second), "seed {seed}\n{text}");
            assert_eq!(now(&mut first), now(&mut second), "seed {seed}\n{text}");
            for step in 0.. {
                let found = at(&mut first, &step.to_string());
                assert_eq!(found, at(&mut second, &step.to_string()), "seed {seed}: step {step}\n{text}");
                if found.is_none() {
                    break;
                }
            }
            for tag in entries.iter().flat_map(|entry| &entry.tags) {
                let address = format!("@{tag}");
                assert_eq!(at(&mut first, &address), at(&mut second, &address), "seed {seed}: {address}\n{text}");
                tags += 1;
            }
            branches += entries.iter().filter(|entry| entry.branches).count();
            ahead += entries.iter().filter(|entry| entry.is_ahead).count();
            assert_eq!(saved(&mut second), text, "seed {seed}: saved again");
        }
        assert!(
            branches as u64 > cases(25, 100) && tags as u64 > cases(25, 100) && ahead as u64 > cases(5, 20),
            "{branches} {tags} {ahead}"
        );
        assert!(dropped as u64 > cases(2, 10) && singly as u64 > cases(2, 10), "{dropped} {singly}");
    });
}

/// Whatever a line is made, there is an answer, and what doesn't hang on that line is back.
#[test]
fn a_session_that_was_cut_or_edited_is_read_as_far_as_it_goes() {
    deep(|| {
        let mut told = 0;
        for seed in [3, 8, 21].into_iter().take(cases(1, 3) as usize) {
            let text = saved(&mut walked(seed, 20));
            let lines: Vec<&str> = text.lines().collect();
            let ends = text.match_indices('\n').map(|(at, _)| at + 1);
            let cut = ends.map(|at| text[..at].to_owned());
            let other = |k: usize, line: &str| {
                let mut all = lines.clone();
                all[k] = line;
                all.join("\n")
            };
            let edits = (1..lines.len()).flat_map(|k| {
                let half =
                    &lines[k][..lines[k].char_indices().nth(lines[k].chars().count() / 2).map_or(0, |(at, _)| at)];
                ["", "//: part 99, from step 7 of part 98", "//: 0 steps of id", "current = current.apply((", half]
                    .map(|line| other(k, line))
            });
            for edited in cut.chain(edits).collect::<Vec<_>>() {
                let mut session = fresh(Some(&edited));
                match submit(&mut session, ":load s.strat") {
                    Ok(Response::Restored(restored)) => {
                        if let Some(Trouble::Wrong(all)) = &restored.trouble {
                            told += 1;
                            assert!(!all.is_empty());
                        }
                        if restored.terms > 0 {
                            log(&mut session);
                            now(&mut session);
                        }
                    }
                    other => panic!("{other:?}\n{edited}"),
                }
            }
        }
        assert!(told > cases(30, 100), "{told}");
    });
}

#[test]
fn a_tag_within_a_run_leaves_the_current_term_at_the_end() {
    deep(|| {
        let mut session = fresh(None);
        for line in [":load m.arr", "f", "normalize(addZero <+ mulOne)", ":goto 1", ":tag mid", ":redo 9"] {
            submit(&mut session, line).unwrap();
        }
        let text = saved(&mut session);
        let mut again = fresh(Some(&text));
        submit(&mut again, ":load s.strat").unwrap();
        assert_eq!(now(&mut session), now(&mut again), "{text}");
        assert_eq!(at(&mut session, "@mid"), at(&mut again, "@mid"));
        assert_eq!(log(&mut session), log(&mut again));
    });
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    deep(|| {
        let text = "// What a session of redexter did.\nlet current = load(\"m.arr\")[\"g\"];\n\
                    current = current.apply(topDown(mulOne));\ncurrent = current.apply(nonsense);\n\
                    current = current.apply(topDown(addZero));\n//: part 2, from step 1 of part 1\n\
                    //: current = current.apply(topDown(addZero));\n//: part 3, from step 9 of part 1\n\
                    //: current = current.apply(topDown(addZero));\n//: tag a: step 2 of part 2\n\
                    //: now step 2 of part 2\n";
        let mut session = fresh(Some(text));
        let Ok(Response::Restored(restored)) = submit(&mut session, ":load s.strat") else { panic!() };
        let Some(Trouble::Wrong(all)) = restored.trouble else { panic!() };
        let lines: Vec<usize> =
            all.iter().map(|finding| session.sources().position(finding.place().unwrap()).0).collect();
        assert_eq!(lines, [4, 8]);
        assert_eq!(all[1].code, code::COMMAND);
        assert_eq!((restored.terms, restored.tags), (3, vec!["a".to_owned()]));
        let entries = log(&mut session);
        assert_eq!(entries.iter().map(|entry| entry.is_current).collect::<Vec<_>>(), [false, false, true]);
    });
}

/// What is read back stands behind what was there; no tag is lost.
#[test]
fn a_session_is_read_into_another_one() {
    deep(|| {
        let mut first = fresh(None);
        for line in ["let t = term(\"fun (x : real) => x * 1\")", "t", "topDown(mulOne)", ":tag a"] {
            submit(&mut first, line).unwrap();
        }
        let text = saved(&mut first);
        let mut second = fresh(Some(&text));
        for line in [":load m.arr", "g", ":tag a", "topDown(addZero)", ":undo"] {
            submit(&mut second, line).unwrap();
        }
        let before = at(&mut second, "@a");
        let Ok(Response::Restored(restored)) = submit(&mut second, ":load s.strat") else { panic!() };
        assert_eq!(restored.renamed, [("a".to_owned(), "a-1".to_owned())]);
        assert_eq!((at(&mut second, "@a"), at(&mut second, "@a-1")), (before, Some(now(&mut first))));
        assert!(at(&mut second, "@b1").is_some(), "what was taken back is a branch");
        submit(&mut second, ":undo 2").unwrap();
        assert_eq!(at(&mut second, "@a"), Some(now(&mut second)));
    });
}

/// A long derivation is told by its strategies: neither terms nor steps are written.
#[test]
fn a_long_derivation_is_short_when_it_is_saved() {
    deep(|| {
        let memory = MemorySystem::default();
        memory.put(Path::new("p.arr"), &std::fs::read("models/perceptron.arr").unwrap());
        let mut session = session(memory, Nesting { terms: NESTING, ..Nesting::default() }, SilentSink);
        for line in [":load p.arr", "gradient", "fastGradient", ":goto 40", ":tag forty", "topDown(letSubst)"] {
            submit(&mut session, line).unwrap();
        }
        submit(&mut session, ":goto 0").unwrap();
        let text = saved(&mut session);
        assert!(text.contains("//: 40 steps of fastGradient\n"), "{text}");
        assert!(!text.contains("apply(at(") && text.len() < 10_000, "{} bytes\n{text}", text.len());
        let saved = redexter::session::saved(&session).unwrap();
        assert!(saved.len() < 10_000, "{} bytes", saved.len());
    });
}

/// A script that runs says what the session says.
#[test]
fn what_is_saved_is_a_script_that_leads_to_the_current_term() {
    deep(|| {
        for seed in 0..12 {
            let mut first = walked(seed, 20);
            let text = saved(&mut first);
            let printed = Rc::new(std::cell::RefCell::new(String::new()));
            let memory = MemorySystem::default();
            memory.put(Path::new("m.arr"), MODEL);
            let mut script =
                session(memory, Nesting { terms: NESTING, ..Nesting::default() }, Printed(printed.clone()));
            run_text(&mut script, Path::new("s.strat"), &text, &[])
                .unwrap_or_else(|why| panic!("seed {seed}: {why:?}\n{text}"));
            let wanted = redexter::syntax::print_term(&now(&mut first), &redexter::syntax::PrintStyle::default());
            assert_eq!(printed.borrow().trim_end(), wanted, "seed {seed}\n{text}");
        }
    });
}

struct Printed(Rc<std::cell::RefCell<String>>);

impl redexter::session::Sink for Printed {
    fn line(&self, text: &str) {
        self.0.borrow_mut().push_str(text);
    }
    fn finding(&self, _: &redexter::ground::Diagnostic) {}
}

/// A session that takes up what another one saved by itself, without a finding.
fn taken_up(session: &Session) -> Session {
    let text = redexter::session::saved(session).unwrap();
    let mut again = fresh(None);
    match resume(&mut again, Path::new("s.strat"), &text) {
        Ok(Response::Restored(restored)) => assert_eq!(restored.trouble, None, "{text}"),
        other => panic!("{other:?}"),
    }
    again
}

fn value(session: &mut Session, line: &str) -> String {
    match submit(session, line) {
        Ok(Response::Value(text)) => text,
        other => panic!("{other:?}"),
    }
}

/// Every line that changed something runs again in its order, whatever it looks like; what only printed doesn't.
#[test]
fn what_was_typed_is_there_again() {
    deep(|| {
        let mut first = fresh(None);
        for line in [
            "let a = 1;",
            "a = 2;",
            "let xs = [\n1, 2,\n3];",
            "xs.push(4);",
            "xs.push(4);",
            "fn h() {\n7\n}",
            "rule own = `x * 1 --> x`\n  unchecked",
            "let current = term(\"fun (x : real) => x\");",
            "print(\"twice\")",
            ":load m.arr",
            "let b = 1;",
            "let b = 2;",
            "let b = 1;",
            "g",
            "topDown(own)",
        ] {
            submit(&mut first, line).unwrap_or_else(|why| panic!("{line}: {why:?}"));
        }
        assert!(!redexter::session::saved(&first).unwrap().contains("twice"));
        let mut again = taken_up(&taken_up(&first));
        assert_eq!((log(&mut again), now(&mut again)), (log(&mut first), now(&mut first)), "no term is given twice");
        for asked in ["a", "xs", "h()", "b"] {
            assert_eq!(value(&mut again, asked), value(&mut first, asked), "{asked}");
        }
        assert_eq!(redexter::session::saved(&again).unwrap(), redexter::session::saved(&first).unwrap());
    });
}

/// The limits under which a run ended are there before it runs again, and the last ones behind it.
#[test]
fn limits_come_back_before_the_runs() {
    deep(|| {
        let mut first = fresh(None);
        for line in [
            ":load m.arr",
            ":set max-size 20000000",
            "f",
            "normalize(addZero <+ mulOne)",
            ":set max-steps 1",
            ":set timeout 7",
        ] {
            submit(&mut first, line).unwrap();
        }
        let text = redexter::session::saved(&first).unwrap();
        let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"));
        assert!(place(":set max-size 20000000") < place("let current"), "{text}");
        assert!(place(":set max-steps 1\n") > place("apply(") && place(":set timeout 7") > place("apply("), "{text}");
        let mut again = taken_up(&first);
        let limits = |session: &mut Session| match submit(session, ":set") {
            Ok(Response::Limits(allowance)) => allowance,
            other => panic!("{other:?}"),
        };
        assert_eq!(limits(&mut again), limits(&mut first));
        assert_eq!(now(&mut again), now(&mut first));
    });
}

/// The name of a definition is written only as long as it means that term; a name that is gone means nothing.
#[test]
fn a_model_that_changed_is_written_out() {
    deep(|| {
        let memory = Rc::new(MemorySystem::default());
        memory.put(Path::new("m.arr"), MODEL);
        let mut first = session(memory.clone(), Nesting { terms: NESTING, ..Nesting::default() }, SilentSink);
        for line in [":load m.arr", "f"] {
            submit(&mut first, line).unwrap();
        }
        let before = (first.edits(), saved(&mut first));
        assert!(before.1.contains("load(\"m.arr\")[\"f\"]"), "{}", before.1);
        submit(&mut first, ":log").unwrap();
        assert_eq!(first.edits(), before.0, "a question changes nothing");
        memory.put(Path::new("m.arr"), b"def f (x : real) : real := x\n");
        submit(&mut first, ":reload").unwrap();
        assert_ne!(first.edits(), before.0);
        let text = saved(&mut first);
        assert!(text.contains("term(\"fun (x y : real)"), "{text}");
        assert!(submit(&mut first, "g").is_err(), "it is gone");
        submit(&mut first, "f").unwrap();
    });
}

/// A rule is written with what it asks for: read back, it holds back where it held back.
#[test]
fn a_rule_is_saved_whole() {
    deep(|| {
        let mut first = fresh(None);
        for line in [
            ":load m.arr",
            "fn small(e) { e.size < 2 }",
            "rule some = `a * b --> b * a` where small(a), value(b) = 2 unchecked",
            "rule other = `a + 0 --> a` where not small(a) real_exact",
            "f",
            "topDown(some)",
            "topDown(other)",
        ] {
            submit(&mut first, line).unwrap_or_else(|why| panic!("{line}: {why:?}"));
        }
        let text = saved(&mut first);
        let mut second = fresh(Some(&text));
        let Ok(Response::Restored(restored)) = submit(&mut second, ":load s.strat") else { panic!("{text}") };
        assert_eq!(restored.trouble, None, "{text}");
        for name in ["some", "other"] {
            let of = |session: &Session| {
                let rules = session.known_rules();
                let info = rules.iter().find(|info| info.name.as_str() == name).expect("the rule");
                (info.params.clone(), info.laws.clone(), info.conditions.clone(), info.exactness, info.unchecked)
            };
            assert_eq!(of(&second), of(&first), "{text}");
        }
    });
}

/// A remedy is only tried: a function that it would define leaves the user's own as it is saved.
#[test]
fn what_is_only_tried_is_not_saved() {
    deep(|| {
        let mut session = fresh(None);
        for line in [
            ":load m.arr",
            "fn small(e) { e.size < 2 }",
            "rule some = `a * b --> b * a` where small(a) unchecked",
            "f",
            "topDown(some)",
        ] {
            submit(&mut session, line).unwrap_or_else(|why| panic!("{line}: {why:?}"));
        }
        let before = saved(&mut session);
        let Err(Trouble::Wrong(wrong)) = submit(&mut session, "function small(e) { 3 }") else {
            panic!("it is no line")
        };
        assert!(wrong[0].help.iter().any(|help| help.contains("`fn small(e) { 3 }`")), "{wrong:?}");
        assert!(before.contains("fn small(e) { e.size < 2 }"), "{before}");
        assert_eq!(saved(&mut session), before);
    });
}

#[test]
fn steps_that_are_missing_are_told() {
    deep(|| {
        let text = "// What a session of redexter did.\n//: part 1\n//: let current = load(\"m.arr\")[\"g\"];\n\
                    //: 2 steps one by one of topDown(mulOne)\n//: current = current.apply(topDown(mulOne));\n\
                    //: part 2\n//: let current = load(\"m.arr\")[\"f\"];\n";
        let mut session = fresh(Some(text));
        let Ok(Response::Restored(restored)) = submit(&mut session, ":load s.strat") else { panic!() };
        let Some(Trouble::Wrong(all)) = restored.trouble else { panic!() };
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].headline, "1 step more should follow here");
        assert_eq!(session.sources().position(all[0].place().unwrap()).0, 4);
        assert_eq!(restored.terms, 3);
    });
}

/// A saved session that is loaded where its model isn't loads that, too.
#[test]
fn a_session_brings_the_names_of_its_model_back() {
    deep(|| {
        let mut before = fresh(None);
        for line in [":load m.arr", "f", "normalize(mulOne)"] {
            submit(&mut before, line).unwrap();
        }
        let text = saved(&mut before);
        let mut session = fresh(Some(&text));
        let loaded = |answer: &Response| match answer {
            Response::Restored(restored) => restored.models.iter().map(|model| model.name.clone()).collect(),
            other => panic!("{other:?}"),
        };
        let names: Vec<String> = loaded(&submit(&mut session, ":load s.strat").unwrap());
        assert_eq!(names, ["m"]);
        for line in ["f", "g", "m.g", ":help g", ":reload"] {
            submit(&mut session, line).unwrap_or_else(|trouble| panic!("{line}: {trouble:?}"));
        }
        // What is loaded already stays so, and a session that is taken up has the names, too.
        let names: Vec<String> = loaded(&submit(&mut session, ":load s.strat").unwrap());
        assert_eq!(names, [""; 0]);
        let mut again = taken_up(&session);
        submit(&mut again, "g").unwrap();
    });
}

/// What changed in the files is told, what is gone is forgotten, and a file that is wrong changes nothing.
#[test]
fn files_are_loaded_again() {
    deep(|| {
        let memory = Rc::new(MemorySystem::default());
        let put = |path: &str, text: &str| memory.put(Path::new(path), text.as_bytes());
        put("m.arr", "def f (x : real) : real := x * 1\n\ndef h (x : real) : real := x\n");
        put(
            "s.strat",
            "rule own = `x * 1 --> x`;\nstrategy a = own;\nstrategy b(s) = topDown(s);\nfn c() { 1 }\nlet v = 1;\n",
        );
        let mut session = session(memory.clone(), Nesting { terms: NESTING, ..Nesting::default() }, SilentSink);
        for line in [":load m.arr", ":load s.strat", "f", "b(a)"] {
            submit(&mut session, line).unwrap();
        }
        let mut reload = || match submit(&mut session, ":reload") {
            Ok(Response::Reloaded(files, trouble)) => {
                let told = files.iter().map(|file| {
                    let lists = [&file.new, &file.changed, &file.gone].map(|names| names.join(" "));
                    format!("{} +{} *{} -{}", file.path.display(), lists[0], lists[1], lists[2])
                });
                (told.collect::<Vec<String>>(), trouble.is_some())
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(reload(), (vec!["m.arr + * -".to_owned(), "s.strat + * -".to_owned()], false));
        put("m.arr", "def f (x : real) : real := x * 1 * 1\n\ndef g (x : real) : real := x\n");
        put("s.strat", "rule own = `x * 1 --> x`;\nstrategy b(s) = normalize(s);\nstrategy d = own;\n");
        assert_eq!(reload(), (vec!["m.arr +g *f -h".to_owned(), "s.strat +d *b -a c".to_owned()], false));
        put("s.strat", "strategy d = topDown(own);\nstrategy b(s) = s;\nlet x = nothing_there();\n");
        assert_eq!(reload(), (vec!["m.arr + * -".to_owned()], true));
        put("s.strat", "strategy d = topDown(own);\nthrow \"no\";\n");
        assert_eq!(reload(), (vec!["m.arr + * -".to_owned()], true));
        for (line, there) in [("b(own)", true), ("d", false), ("a", false), ("c()", false), ("v", true), ("f", true)] {
            assert_eq!(submit(&mut session, line).is_ok(), there || line == "d", "{line}");
        }
        let Ok(Response::Walk(WalkAnswer::Replayed(done))) = submit(&mut session, ":undo 9")
            .and_then(|_| submit(&mut session, ":redo 1"))
            .and_then(|_| submit(&mut session, ":replay b(own)"))
        else {
            panic!()
        };
        assert_eq!((done.old.map(|old| old.steps), done.new.steps), (Some(1), 1));
    });
}

#[test]
fn nothing_of_a_users_is_written_over() {
    deep(|| {
        let mut session = fresh(Some("rule mine = `x + 0 --> x`;\n"));
        submit(&mut session, ":load m.arr").unwrap();
        submit(&mut session, "fun (x : real) => x + 0").unwrap();
        let Err(Trouble::Wrong(all)) = submit(&mut session, ":save s") else { panic!("a script is gone") };
        assert_eq!((all[0].code, all[0].help.len()), (code::COMMAND, 1));
        assert!(matches!(submit(&mut session, ":save other"), Ok(Response::Written(_))));
        assert!(matches!(submit(&mut session, ":save other"), Ok(Response::Written(_))));
    });
}
