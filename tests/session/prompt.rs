//! What a session does while somebody types: lines that go on, what could follow, names that mean something new, lessons.

use crate::support::session;
use std::path::Path;
use std::rc::Rc;

use redexter::ground::{Nesting, Trouble, with_stack};
use redexter::lesson::{DiagnosisKind, LessonAttempt, LessonRecord, ProgressRecord};
use redexter::session::{
    Completion, LessonResponse, MemorySystem, PendingLines, Response, Session, SilentSink, complete, grade,
    lessons_that_ship, words,
};
use redexter::syntax::{PrintStyle, print_term};
use session::session;

const NESTING: u32 = 20_000;

fn deep(work: impl FnOnce() + Send + 'static) {
    with_stack(NESTING, work).expect("a thread");
}

/// A session over these files.
fn among(files: &[(&str, &str)]) -> (Session, Rc<MemorySystem>) {
    let memory = Rc::new(MemorySystem::default());
    files.iter().for_each(|(path, text)| memory.put(Path::new(path), text.as_bytes()));
    (session(memory.clone(), Nesting { terms: NESTING, ..Nesting::default() }, SilentSink), memory)
}

fn submit(session: &mut Session, line: &str) -> Response {
    redexter::session::submit(session, line).unwrap_or_else(|why| panic!("{line}: {why:?}"))
}

/// The current term.
fn now(session: &Session) -> String {
    print_term(session.current_term().expect("a term"), &PrintStyle::default())
}

/// A file is loaded and one of its definitions taken in one line, as the command line names it.
#[test]
fn a_definition_is_loaded_by_name() {
    deep(|| {
        let (mut session, _) = among(&[("m.arr", "def f (x : real) : real := x * 1\n")]);
        submit(&mut session, ":load m.arr:f");
        assert_eq!(now(&session), "fun (x : real) => x * 1");
        submit(&mut session, "normalize(mulOne)");
        assert!(redexter::session::submit(&mut session, ":load m.arr:g").is_err());
        assert_eq!(now(&session), "fun (x : real) => x");
    });
}

/// A line that is left open goes on; a command answers it as it is.
#[test]
fn lines_go_on_until_a_command() {
    deep(|| {
        let (mut session, _) = among(&[("m.arr", "def f (x : real) : real := x * 1\n")]);
        let (mut pending, mut answered) = (PendingLines::default(), Vec::new());
        for line in [":load m.arr", "f", "body(", "mulOne)", "normalize(", ":undo", "let a = [1,", "2];", ":show"] {
            assert!(session.read_line(&mut pending, line, |session, text| {
                answered.push((text.to_owned(), redexter::session::submit(session, text).is_ok()));
                true
            }));
        }
        let told: Vec<(&str, bool)> = answered.iter().map(|(text, is_right)| (text.as_str(), *is_right)).collect();
        let expected = [
            (":load m.arr", true),
            ("f", true),
            ("body(\nmulOne)", true),
            ("normalize(", false),
            (":undo", true),
            ("let a = [1,\n2];", true),
            (":show", true),
        ];
        assert_eq!(told, expected);
        assert_eq!((now(&session), pending.text()), ("fun (x : real) => x * 1".to_owned(), ""));
    });
}

/// What could follow begins where the word does, whatever stands before it.
#[test]
fn what_could_follow_begins_where_the_word_does() {
    deep(|| {
        let files =
            [("m.arr", "def first (x : real) := x\ndef second (x : real) := x\n"), ("k.arr", "def third := 1.0\n")];
        let (mut session, _) = among(&files);
        submit(&mut session, ":load m.arr");
        submit(&mut session, ":load k.arr");
        let words = words(&session);
        for (before, word, wanted) in [
            ("getBui", "getBui", &["getBuild"][..]),
            ("try(getBui", "getBui", &["getBuild"]),
            ("print(\"λ→\") ;; getBui", "getBui", &["getBuild"]),
            ("×getBui", "getBui", &["getBuild"]),
            ("m.", "", &["first", "second"]),
            ("k.", "", &["third"]),
            ("m.first.appl", "appl", &["apply("]),
            (":load m", "m", &["m.arr", "models/"]),
            ("let x = load(\"k", "k", &["k.arr"]),
        ] {
            let Completion { start, candidates } = complete(&session, before, &words);
            assert_eq!((&before[start..], candidates.iter().map(String::as_str).collect()), (word, wanted.to_vec()));
        }
    });
}

/// A model that is loaded again gives its names the meaning that they have there now.
#[test]
fn names_mean_what_their_files_say_now() {
    deep(|| {
        let (mut session, memory) = among(&[("m.arr", "def f (x : real) := x * 2\ndef g (x : real) := x\n")]);
        submit(&mut session, ":load m.arr");
        memory.put(Path::new("m.arr"), b"def f (x : real) := x * 3\n");
        submit(&mut session, ":reload");
        submit(&mut session, "f");
        assert_eq!(now(&session), "fun (x : real) => x * 3");
        memory.put(Path::new("m.arr"), b"def f (x : real) := x * 4\n");
        submit(&mut session, ":load m.arr");
        submit(&mut session, "f");
        assert_eq!(now(&session), "fun (x : real) => x * 4");
        assert!(redexter::session::submit(&mut session, "g").is_err(), "it is gone");
        submit(&mut session, "`fun (y : real) => f y`");
        assert_eq!(now(&session), "fun (y : real) => let x := y; x * 4");
    });
}

/// What doesn't reach the goal is taken back; hints that were given stay given.
#[test]
fn a_lesson_goes_on_from_its_term() {
    deep(|| {
        let (mut session, _) = among(&[]);
        submit(&mut session, ":lesson fusion");
        let first = now(&session);
        let tried = |session: &mut Session, line: &str| match submit(session, line) {
            Response::Lesson(said) => match *said {
                LessonResponse::Tried(tried) => tried.diagnosis.kind(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        assert_eq!(tried(&mut session, "topDown(getBuild)"), DiagnosisKind::Stuck);
        assert_eq!(now(&session), first);
        for line in [":lesson hint", ":lesson hint", ":lesson stop", ":lesson fusion", ":lesson hint"] {
            submit(&mut session, line);
        }
        assert_eq!(session.record().of("fusion").map(|taken| (taken.hints, taken.attempts.len())), Some((2, 1)));
        assert_eq!(tried(&mut session, "normalize(getBuild <+ beta <+ letSubst)"), DiagnosisKind::Reached);
        assert_ne!(now(&session), first);
    });
}

/// A record counts for what its schedules do, each lesson once.
#[test]
fn a_record_is_done_again() {
    deep(|| {
        let (session, _) = among(&[]);
        let taken = |schedule: &str, kind: DiagnosisKind| LessonRecord {
            lesson: "fusion".to_owned(),
            attempts: vec![LessonAttempt { schedule: schedule.to_owned(), kind }],
            ..LessonRecord::default()
        };
        let graded = |lessons: Vec<LessonRecord>| {
            let all = grade(&session, &ProgressRecord { lessons }, &lessons_that_ship()).expect("no limit is met");
            all.iter().map(|graded| (graded.reached, graded.wrong.len())).collect::<Vec<_>>()
        };
        let whole = "normalize(getBuild <+ beta <+ letSubst)";
        assert_eq!(graded(vec![taken(whole, DiagnosisKind::Reached)]), [(true, 0)]);
        assert_eq!(graded(vec![taken("topDown(getBuild)", DiagnosisKind::Reached)]), [(false, 1)]);
        assert_eq!(
            graded(vec![taken(whole, DiagnosisKind::Reached), taken(whole, DiagnosisKind::Reached)]),
            [(true, 0), (false, 1)]
        );
    });
}

/// Limits that are set hold for what comes next, and are told.
#[test]
fn limits_hold_from_the_next_line_on() {
    deep(|| {
        let (mut session, _) = among(&[("m.arr", "def f (x y : real) := x + y\n")]);
        for line in [":load m.arr", "rule turn = `a + b --> b + a`", "f", ":set max-steps 50"] {
            submit(&mut session, line);
        }
        let Ok(Response::Walk(answer)) = redexter::session::submit(&mut session, "force(normalize(turn))") else {
            panic!("an answer")
        };
        let Some(Trouble::Stopped { reason, .. }) = answer.trouble() else { panic!("{answer:?}") };
        assert_eq!(reason.to_string().matches("50").count(), 1, "{reason}");
    });
}

/// A line that fails changes no name, however far it came.
#[test]
fn what_a_line_changed_before_it_failed_is_taken_back() {
    deep(|| {
        let (mut session, _) = among(&[]);
        let value = |session: &mut Session, line: &str| match redexter::session::submit(session, line) {
            Ok(Response::Value(text)) => Some(text),
            Ok(_) => panic!("{line} has no value"),
            Err(_) => None,
        };
        for line in [
            "let n = 1;",
            "let many = [1, [2, 3]];",
            "const C = 7;",
            "fn more() { n += 1; }",
            "rule own = `x * 1 --> x`;",
        ] {
            submit(&mut session, line);
        }
        for line in [
            "n = 2; many[0]",
            "n = 2; throw \"x\"",
            "many[1][0] = 5; n += C; throw \"x\"",
            "let n = 3; let fresh = 4; throw \"x\"",
            "let fresh=mulOne;for k in 0.1..4{fresh=fresh;;fresh}",
            "let f = |x| { n += x; n }; f.call(4); throw n",
            "rule own = `x / 1 --> x`; throw \"x\"",
            "fn more() { n += 2; } throw \"x\"",
            "more!(); throw \"x\"",
            "strategy fresh = id; throw \"x\"",
            "n = 4; gradient.apply(id)",
        ] {
            let failed = redexter::session::submit(&mut session, line).is_err();
            assert_eq!(failed, line != "n = 2; many[0]", "{line}");
            if !failed {
                assert_eq!(value(&mut session, "n").as_deref(), Some("2"));
                submit(&mut session, "n = 1;");
            }
            let known = ["n", "many", "C", "fresh"].map(|name| value(&mut session, name));
            let expected = [Some("1"), Some("[1, [2, 3]]"), Some("7"), None].map(|text| text.map(str::to_owned));
            assert_eq!(known, expected, "{line}");
        }
        submit(&mut session, "more!();");
        assert_eq!(value(&mut session, "n").as_deref(), Some("2"), "the old function is there");
        let laws = submit(&mut session, ":rule own");
        assert!(format!("{laws:?}").contains("x * 1"), "{laws:?}");
    });
}

/// Of two files with one name the newer has it, and it is said how the other is reached; loaded again, a file hides nothing.
#[test]
fn a_model_of_the_same_name_says_what_it_replaces() {
    deep(|| {
        let files = [
            ("m.arr", "def f (x : real) : real := x * 1\n"),
            ("sub/m.arr", "def f (x : real) : real := x * 2\ndef g (x : real) : real := x\n"),
        ];
        let (mut session, _) = among(&files);
        let hides = |session: &mut Session, line: &str| match submit(session, line) {
            Response::Model(model) => model.hides,
            other => panic!("{line}: {other:?}"),
        };
        assert!(hides(&mut session, ":load m.arr").is_empty());
        assert!(hides(&mut session, ":load m.arr").is_empty());
        let told = hides(&mut session, ":load sub/m.arr");
        let expected = [("m", "load(\"m.arr\")"), ("f", "load(\"m.arr\").f")];
        assert_eq!(told, expected.map(|(name, before)| (name.to_owned(), before.to_owned())));
        for (line, term) in [("f", "x * 2"), ("m.f", "x * 2"), ("load(\"m.arr\").f", "x * 1")] {
            submit(&mut session, line);
            assert_eq!(now(&session), format!("fun (x : real) => {term}"), "{line}");
        }
        assert!(hides(&mut session, ":load sub/m.arr").is_empty());
    });
}
