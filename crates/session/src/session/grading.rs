//! Checks the records of students by doing again what they say: nothing in them is trusted.

use std::rc::Rc;

use super::dispatch::submit;
use super::host::SilentSink;
use super::lessons::lesson_named;
use super::overlay::OverlaySystem;
use super::state::Session;
use crate::script::Host;
use redexter_language::ground::{StopReason, Trouble};
use redexter_rewriting::redex::families;
use redexter_telling::lesson::{DiagnosisKind, Lesson, LessonRecord, ProgressRecord, diagnose};

/// The grading of a lesson in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonGrade {
    /// The lesson.
    pub lesson: String,
    /// Whether a schedule of the record reaches the goal.
    pub reached: bool,
    /// Whether the lesson could be opened.
    pub is_there: bool,
    /// How many schedules were tried.
    pub attempts: usize,
    /// How many hints it says were asked for: that can't be checked.
    pub hints: usize,
    /// What doesn't hold.
    pub wrong: Vec<String>,
}

/// Does again what a record says was tried, each lesson in a session of its own that writes nothing.
pub fn grade(session: &Session, record: &ProgressRecord) -> Result<Vec<LessonGrade>, Trouble> {
    let mut all: Vec<LessonGrade> =
        record.lessons.iter().map(|taken| graded(session, taken)).collect::<Result<_, Trouble>>()?;
    for k in 1..all.len() {
        if all[..k].iter().any(|other| other.lesson == all[k].lesson) {
            all[k].reached = false;
            all[k].wrong.push("the lesson is there twice".to_owned());
        }
    }
    Ok(all)
}

fn graded(session: &Session, taken: &LessonRecord) -> Result<LessonGrade, Trouble> {
    let (attempts, hints) = (taken.attempts.len(), taken.hints);
    let mut graded = LessonGrade {
        lesson: taken.lesson.clone(),
        reached: false,
        is_there: true,
        attempts,
        hints,
        wrong: Vec::new(),
    };
    let mut apart = session.apart(Rc::new(OverlaySystem::over(session.system())), Box::new(SilentSink))?;
    let lesson = match apart.during(|apart| lesson_named(apart, &taken.lesson)) {
        Ok(lesson) => lesson,
        Err(trouble) => {
            graded.is_there = false;
            graded.wrong.push(format!("the lesson can't be opened: {}", told(trouble)?));
            return Ok(graded);
        }
    };
    for line in &taken.defined {
        if let Err(trouble) = submit(&mut apart, line) {
            graded.wrong.push(format!("`{line}` isn't understood: {}", told(trouble)?));
        }
    }
    for (k, attempt) in taken.attempts.iter().enumerate() {
        let number = k + 1;
        match apart.during(|apart| said_of(apart, &lesson, &attempt.schedule)) {
            Ok(kind) => {
                graded.reached |= kind.is_reached();
                if kind != attempt.kind {
                    graded.wrong.push(format!("attempt {number} is said to be `{}`, but is `{kind}`", attempt.kind));
                }
            }
            Err(trouble) => graded.wrong.push(format!("attempt {number}: {}", told(trouble)?)),
        }
    }
    Ok(graded)
}

fn said_of(session: &mut Session, lesson: &Lesson, schedule: &str) -> Result<DiagnosisKind, Trouble> {
    let strategy = session.interpreter.strategy(schedule)?;
    let all = families(&session.known_rules());
    Ok(diagnose(lesson, &strategy, &all, &session.host.budget())?.kind())
}

/// What went wrong, in a line; what the user ended ends everything.
fn told(trouble: Trouble) -> Result<String, Trouble> {
    match trouble {
        Trouble::Wrong(all) => Ok(all.first().map(|found| found.headline.clone()).unwrap_or_default()),
        Trouble::Stopped { reason: StopReason::Interrupted, .. } => Err(trouble),
        Trouble::Stopped { reason, .. } => Ok(reason.to_string()),
    }
}
