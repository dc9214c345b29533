//! A table of answers as students type them, judged by hand: what the lessons say of each is held against it.

use std::fs;

use redexter::reply;
use redexter::session::{LessonResponse, Response, Session, submit};

use crate::lessons::{deep, empty, files, opened};

/// An answer, and what is right to say of it.
#[derive(Default)]
struct JudgedAnswer {
    lesson: String,
    answer: String,
    /// Words for kinds of diagnoses, either of which is right; `error` is for what can't be read.
    kinds: Vec<String>,
    /// Whether a teacher's comment is given; none where either is right.
    comment: Option<bool>,
    says: Vec<String>,
}

/// What a session says of an answer: the word for it, whether with a comment, and all of it as text.
struct SaidOf {
    kind: String,
    comment: Option<String>,
    text: String,
}

fn table() -> Vec<JudgedAnswer> {
    let text = fs::read_to_string("tests/corpus/answers.txt").unwrap();
    let (mut all, mut lesson) = (Vec::new(), String::new());
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("# ") {
            name.clone_into(&mut lesson);
        } else if let Some((judged, answer)) = line.split_once(" | ").filter(|_| !lesson.is_empty()) {
            let mut words = judged.split(", ");
            let kinds = words.next().unwrap().split(" or ").map(|kind| kind.trim().to_owned()).collect();
            let mut row = JudgedAnswer {
                lesson: lesson.clone(),
                answer: answer.replace("\\n", "\n"),
                kinds,
                ..Default::default()
            };
            for word in words {
                match word.trim() {
                    "own" => row.comment = Some(true),
                    "none" => row.comment = Some(false),
                    other => row.says.push(other.strip_prefix("says ").expect("a judgement").to_owned()),
                }
            }
            all.push(row);
        }
    }
    all
}

fn said_of(session: &mut Session, answer: &str) -> SaidOf {
    let response = submit(session, answer);
    let (result, trouble) = reply::reply(&response, 1_000, &session.sources_handle().borrow());
    let text = [result.into_text(), trouble.into_text()].concat();
    match response {
        Ok(Response::Lesson(said)) => match *said {
            LessonResponse::Tried(tried) => {
                SaidOf { kind: tried.diagnosis.kind().word().to_owned(), comment: tried.diagnosis.remark.clone(), text }
            }
            _ => SaidOf { kind: "other".to_owned(), comment: None, text },
        },
        Ok(_) => SaidOf { kind: "other".to_owned(), comment: None, text },
        Err(_) => SaidOf { kind: "error".to_owned(), comment: None, text },
    }
}

#[test]
fn answers_are_judged_as_by_hand() {
    deep(|| {
        let table = table();
        assert!(table.len() >= 150, "{} answers", table.len());
        let (mut right, mut wrong, mut unhelpful) = (0, Vec::new(), Vec::new());
        for row in &table {
            let path = files().into_iter().find(|path| {
                let stem = path.file_stem().unwrap().to_string_lossy();
                stem.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-') == row.lesson
            });
            let (_, page, _) = opened(&path.unwrap_or_else(|| panic!("no lesson {}", row.lesson)));
            let mut session = empty();
            submit(&mut session, &format!(":lesson {}", row.lesson)).unwrap();
            let said = said_of(&mut session, &row.answer);
            let bare = |text: &str| text.split_whitespace().collect::<String>().trim_end_matches(';').to_owned();
            let own = page.mistakes.iter().map(|wrong| wrong.text.with_comments());
            let own = own.clone().find(|(schedule, _)| bare(schedule) == bare(&row.answer)).map(|(_, comment)| comment);
            let told = format!(
                "{}: {}\n  is {:?}, said to be {}, {:?}",
                row.lesson, row.answer, row.kinds, said.kind, said.comment
            );
            let reached = |kind: &str| matches!(kind, "reached" | "detour");
            if !row.kinds.contains(&said.kind) {
                // To pass what fails, or the other way round, is worse than to name it otherwise.
                match row.kinds.iter().any(|kind| reached(kind)) == reached(&said.kind) {
                    true => unhelpful.push(told),
                    false => wrong.push(told),
                }
            } else if row.comment == Some(false) && said.comment.is_some() {
                wrong.push(told);
            } else if row.comment == Some(true) && said.comment != own
                || row.says.iter().any(|part| !said.text.contains(part))
            {
                unhelpful.push(format!("{told}\n  has to say {:?}: {}", row.says, said.text));
            } else {
                right += 1;
            }
        }
        let all = table.len();
        println!("{right} of {all} right\nwrong:\n{}\nunhelpful:\n{}", wrong.join("\n"), unhelpful.join("\n"));
        assert!(wrong.is_empty() && 100 * right >= 95 * all, "{right} of {all} right, {} wrong", wrong.len());
    });
}

/// At the prompt lines come one by one: one that begins with an operator goes on with the answer before it, as one attempt.
#[test]
fn a_line_goes_on_with_the_answer_before_it() {
    deep(|| {
        let mut session = empty();
        submit(&mut session, ":lesson fusion").unwrap();
        let lines = ["topDown(getBuild)", "; topDown(beta)", ";; topDown(letSubst)"];
        let kinds = lines.map(|line| said_of(&mut session, line).kind);
        assert_eq!(kinds, ["stuck", "stuck", "reached"]);
        assert_eq!(session.record().of("fusion").unwrap().attempts.len(), 1);
        // Behind the goal, and behind what couldn't be read, it is told so.
        for before in ["", "topDown(getbuild)"] {
            let _ = said_of(&mut session, before);
            let said = said_of(&mut session, "; topDown(letSubst)");
            assert!(said.kind == "error" && said.text.contains("goes on with the answer before it"), "{}", said.text);
        }
        assert_eq!(session.record().of("fusion").unwrap().attempts.len(), 1);
    });
}
