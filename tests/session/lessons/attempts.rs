//! Attempts in lessons: what counts as one, when a verdict comes, and to whom a teacher's comment is given.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use redexter::ground::{Diagnostic, Nesting};
use redexter::reply;
use redexter::session::{MemorySystem, PendingLines, Session, Sink, explained, statements, submit};

use crate::lessons::{deep, empty};
use crate::support::session::session;

/// What is said to a line, laid out.
fn said(session: &mut Session, line: &str) -> String {
    let response = submit(session, line);
    let (result, trouble) = reply::reply(&response, 1_000, &session.sources_handle().borrow());
    [result.into_text(), trouble.into_text()].concat()
}

/// What the prompt says to each of these lines; none where it waits for more.
fn typed(session: &mut Session, lines: &str) -> Vec<String> {
    let (mut pending, mut all) = (PendingLines::default(), Vec::new());
    for line in lines.lines() {
        session.read_line(&mut pending, line, |session, text| {
            all.push(said(session, text));
            true
        });
    }
    if !pending.is_empty() {
        all.push(said(session, &pending.take()));
    }
    all
}

fn attempts(session: &Session, lesson: &str) -> usize {
    session.record().of(lesson).map_or(0, |taken| taken.attempts.len())
}

const IN_THREE_LINES: &str = "topDown(getBuild) ;\ntopDown(beta) ;\ntopDown(letSubst)";

#[test]
fn a_line_that_ends_in_an_operator_goes_on() {
    deep(|| {
        for lines in [
            IN_THREE_LINES,
            "topDown(getBuild);\ntopDown(beta);\ntopDown(letSubst);",
            "topDown(getBuild) ;;\ntopDown(beta) ;;\ntopDown(letSubst)",
            "normalize(getBuild <+\n  beta <+\n  letSubst)",
            "normalize(\n  getBuild <+ beta <+ letSubst\n)",
            "topDown(getBuild) ; // reads\ntopDown(beta) ; topDown(letSubst)",
        ] {
            let mut session = empty();
            submit(&mut session, ":lesson fusion").unwrap();
            let all = typed(&mut session, lines);
            assert!(all.len() == 1 && all[0].contains("Reached in 3 steps"), "{lines}: {all:?}");
            assert_eq!(attempts(&session, "fusion"), 1, "{lines}");
        }
        // What is no strategy ends with its `;`, a command ends what is pending, and so does a blank line at a terminal.
        let mut session = empty();
        assert_eq!(typed(&mut session, "let a = 1;\nstrategy s = beta;\nprint(\"x\");\n1 + 2;").len(), 4);
        submit(&mut session, ":lesson fusion").unwrap();
        assert_eq!(typed(&mut session, "topDown(getBuild);\n:lesson hint").len(), 2);
        assert_eq!(attempts(&session, "fusion"), 1);
    });
}

/// The page sends a schedule by its statements: in a lesson the strategies of one run are one attempt.
#[test]
fn to_ask_again_is_no_attempt() {
    deep(|| {
        let mut session = empty();
        submit(&mut session, ":lesson fusion").unwrap();
        submit(&mut session, ":possible").unwrap();
        submit(&mut session, ":take 1").unwrap();
        for _ in 0..3 {
            assert!(said(&mut session, ":lesson check").contains("Not there yet"));
        }
        submit(&mut session, "normalize(getBuild <+ beta <+ letSubst)").unwrap();
        for _ in 0..3 {
            assert!(said(&mut session, ":lesson check").contains("Reached"));
        }
        assert_eq!(attempts(&session, "fusion"), 2);
    });
}

#[test]
fn a_run_of_several_lines_is_one_attempt() {
    deep(|| {
        let mut session = empty();
        submit(&mut session, ":lesson fusion").unwrap();
        let lines = |session: &Session, text: &str| -> Vec<String> {
            let all = statements(session, text);
            assert!(all.iter().all(|one| one.line.len() == one.range.len()), "places stay what they are: {text}");
            all.into_iter().map(|one| one.line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
        };
        let whole = "topDown(getBuild) ; topDown(beta) ; topDown(letSubst)";
        for text in [
            IN_THREE_LINES,
            "topDown(getBuild)\n; topDown(beta)\n; topDown(letSubst)\n",
            "topDown(getBuild)\n\ntopDown(beta)\n// then\ntopDown(letSubst)",
            "topDown(getBuild) // first\ntopDown(beta) ; topDown(letSubst)",
        ] {
            let bare = |text: &str| text.replace(' ', "");
            let found: Vec<String> = lines(&session, text).iter().map(|line| bare(line)).collect();
            let found: Vec<String> = found.iter().map(|line| line.replace("//first", "")).collect();
            assert_eq!(found, [bare(whole)], "{text}");
        }
        // What is defined is a line of its own.
        let defined = "strategy own = topDown(getBuild);\nown ;\ntopDown(beta)\n:lesson hint";
        assert_eq!(
            lines(&session, defined),
            ["strategy own = topDown(getBuild);", "own ; topDown(beta)", ":lesson hint"]
        );
        let indented = "strategy own = topDown(getBuild) ;\n  topDown(beta) ;\n\ttopDown(letSubst);\nown";
        assert_eq!(
            lines(&session, indented),
            ["strategy own = topDown(getBuild) ; topDown(beta) ; topDown(letSubst);", "own"]
        );
        submit(&mut session, ":lesson stop").unwrap();
        assert_eq!(
            lines(&session, "topDown(getBuild)\ntopDown(beta)").len(),
            2,
            "outside of lessons each line is a run"
        );
    });
}

/// A sink that keeps the findings.
#[derive(Clone, Default)]
struct Findings(Rc<RefCell<Vec<String>>>);

impl Sink for Findings {
    fn line(&self, _: &str) {}

    fn finding(&self, finding: &Diagnostic) {
        self.0.borrow_mut().push(finding.headline.clone());
    }
}

/// The warnings about a lesson's own schedules would give them away.
#[test]
fn opening_a_lesson_warns_of_nothing() {
    deep(|| {
        let found = Findings::default();
        let mut session = session(MemorySystem::default(), Nesting::default(), found.clone());
        for number in 0..=15 {
            submit(&mut session, &format!(":lesson {number}")).unwrap();
        }
        assert_eq!(*found.0.borrow(), Vec::<String>::new());
        submit(&mut session, ":lesson repeat").unwrap();
        submit(&mut session, "innermost(ifoldFactor <+ sumSwap)").unwrap();
        assert!(found.0.borrow().iter().any(|warning| warning.contains("may never end")), "the student's own is told");
    });
}

#[test]
fn a_comment_is_for_the_answer_that_it_was_written_for() {
    deep(|| {
        let comment = |session: &mut Session, line: &str| said(session, line).contains("too early, finds");
        let page = |more: &str| {
            format!(
                "# T\n\n```lesson\nterm: `fun (x : real) => x * 1 + 0 + 0`\nform: `fun (x : real) => x`\nrules: mulOne, addZero\n\
                 ```\n\n```solution\nnormalize(mulOne <+ addZero)\n```\n\n\
                 ```wrong stuck{more}\n// It comes too early, finds nothing.\ntopDown(addZero) ; (topDown(mulOne) ; id)\n```\n"
            )
        };
        for (more, by_another_way) in [("", false), (" like this", true)] {
            let memory = MemorySystem::default();
            memory.put(Path::new("own.md"), page(more).as_bytes());
            let mut session = session(memory, Nesting::default(), redexter::session::SilentSink);
            submit(&mut session, ":lesson own.md").unwrap();
            assert!(comment(&mut session, "topDown(addZero);topDown( mulOne ) ; id"), "layout and brackets");
            submit(&mut session, "strategy one = topDown(mulOne) ; id;").unwrap();
            assert!(comment(&mut session, "topDown(addZero) ;; one"), "names of what is equal");
            assert_eq!(comment(&mut session, "topDown(mulOne) ; topDown(addZero)"), by_another_way, "{more}");
            assert!(!comment(&mut session, "topDown(mulOne)"), "another end");
        }
    });
}

#[test]
fn steps_that_lead_to_the_goal_get_a_verdict_and_a_typed_goal_is_told() {
    deep(|| {
        let mut session = empty();
        submit(&mut session, ":lesson fusion").unwrap();
        assert!(!said(&mut session, ":step normalize(getBuild <+ beta <+ letSubst)").contains("Reached"));
        let last = [said(&mut session, ":step"), said(&mut session, ":step")].concat();
        assert!(last.contains("Reached in 3 steps") && attempts(&session, "fusion") == 1, "{last}");
        submit(&mut session, ":lesson again").unwrap();
        for _ in 0..3 {
            submit(&mut session, ":possible").unwrap();
            submit(&mut session, ":take 1").unwrap();
        }
        assert_eq!(attempts(&session, "fusion"), 2, "{}", said(&mut session, ":lesson list"));
        assert!(session.record().of("fusion").unwrap().attempts[1].kind.is_reached());
        submit(&mut session, ":lesson again").unwrap();
        let goal = said(&mut session, "fun (x : array n real) => build n (fun i => (x[i] + x[i]) * 3)");
        assert!(goal.contains("you typed it") && attempts(&session, "fusion") == 2, "{goal}");
    });
}

/// Of a sequence that does nothing it is told which part fails behind which.
#[test]
fn a_sequence_that_fails_at_one_place_says_where() {
    deep(|| {
        let mut session = empty();
        submit(&mut session, ":lesson one-hot").unwrap();
        let told = said(&mut session, "normalize(ifFloat ; mulOne ; mulZero ; addZero ; ifoldOneHot)");
        assert!(told.contains("`mulOne` stands right behind `ifFloat`"), "{told}");
        let told = said(&mut session, "normalize(mulOne ; ifFloat)");
        assert!(told.contains("begins with `mulOne`, which fits nowhere"), "{told}");
        submit(&mut session, ":lesson stages").unwrap();
        let shared = "normalize(letSubst) ; normalize(getBuild) ; normalize(beta) ; normalize(cse)";
        let told = said(&mut session, shared);
        assert!(
            told.contains("At its end `letSubst` applies at `let j := i; v[j] * v[j]`"),
            "what is shared stays: {told}"
        );
    });
}

/// Lessons can be taken in any order in one session, though some call their programs alike.
#[test]
fn lessons_follow_one_another() {
    deep(|| {
        let mut session = empty();
        for number in (0..=15).chain((0..=15).rev()) {
            let said = said(&mut session, &format!(":lesson {number}"));
            assert!(said.contains("the goal"), "{number}: {said}");
        }
        // The number is that of the file.
        assert!(said(&mut session, ":lesson 0").starts_with("Reading terms and places"));
        assert!(said(&mut session, ":lesson 11").starts_with("A table in front of the loop"));
        assert!(said(&mut session, ":lesson 16").contains("there is no lesson `16`"));
    });
}

#[test]
fn words_are_explained() {
    deep(|| {
        let session = empty();
        let says = |word: &str| explained(&session, word).unwrap_or_default();
        for (word, part) in [
            ("real", "decimals"),
            ("{n}", "any size"),
            ("zip", "pairs"),
            ("grad", "gradient"),
            ("repeatN(k, s)", "times"),
            ("topDown(s)", "topDown(s): "),
            ("getBuild", "-->"),
        ] {
            assert!(says(word).contains(part), "{word}: {}", says(word));
        }
        assert_eq!(["topDown(s) ; t", "nothing", "", "(a, b)"].map(says), ["", "", "", ""].map(str::to_owned));
    });
}
