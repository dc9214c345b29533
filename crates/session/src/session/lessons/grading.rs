//! Checks the records of students by doing again what they say: nothing in them is trusted.

use std::rc::Rc;

use super::shipped_lessons::found;
use crate::script::Host;
use crate::session::{OverlaySystem, Session, SilentSink};
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

impl Session {
    /// Does again what a record says was tried, each lesson in a session of its own that writes nothing.
    pub fn grade(&self, record: &ProgressRecord) -> Result<Vec<LessonGrade>, Trouble> {
        let mut all: Vec<LessonGrade> =
            record.lessons.iter().map(|taken| self.graded(taken)).collect::<Result<_, Trouble>>()?;
        for k in 1..all.len() {
            if all[..k].iter().any(|other| other.lesson == all[k].lesson) {
                all[k].reached = false;
                all[k].wrong.push("the lesson is there twice".to_owned());
            }
        }
        Ok(all)
    }

    fn graded(&self, taken: &LessonRecord) -> Result<LessonGrade, Trouble> {
        let (attempts, hints) = (taken.attempts.len(), taken.hints);
        let mut graded = LessonGrade {
            lesson: taken.lesson.clone(),
            reached: false,
            is_there: true,
            attempts,
            hints,
            wrong: Vec::new(),
        };
        let mut apart = self.apart(Rc::new(OverlaySystem::over(self.system())), Box::new(SilentSink))?;
        let lesson = match apart.during(|apart| apart.lesson_named(&taken.lesson)) {
            Ok(lesson) => lesson,
            Err(trouble) => {
                graded.is_there = false;
                graded.wrong.push(format!("the lesson can't be opened: {}", told(trouble)?));
                return Ok(graded);
            }
        };
        for line in &taken.defined {
            if let Err(trouble) = apart.submit(line) {
                graded.wrong.push(format!("`{line}` isn't understood: {}", told(trouble)?));
            }
        }
        for (k, attempt) in taken.attempts.iter().enumerate() {
            let number = k + 1;
            match apart.during(|apart| apart.said_of(&lesson, &attempt.schedule)) {
                Ok(kind) => {
                    graded.reached |= kind.is_reached();
                    if kind != attempt.kind {
                        graded
                            .wrong
                            .push(format!("attempt {number} is said to be `{}`, but is `{kind}`", attempt.kind));
                    }
                }
                Err(trouble) => graded.wrong.push(format!("attempt {number}: {}", told(trouble)?)),
            }
        }
        Ok(graded)
    }

    fn lesson_named(&mut self, name: &str) -> Result<Lesson, Trouble> {
        let path = found(name)?;
        let text = self.host.files.read(&path)?;
        Ok(self.lesson_of(&path, &text)?.1)
    }

    fn said_of(&mut self, lesson: &Lesson, schedule: &str) -> Result<DiagnosisKind, Trouble> {
        let strategy = self.interpreter.strategy(schedule)?;
        let all = families(&self.known_rules());
        Ok(diagnose(lesson, &strategy, &all, &self.host.budget())?.kind())
    }
}

/// What went wrong, in a line; what the user ended ends everything.
fn told(trouble: Trouble) -> Result<String, Trouble> {
    match trouble {
        Trouble::Wrong(all) => Ok(all.first().map(|found| found.headline.clone()).unwrap_or_default()),
        Trouble::Stopped { reason: StopReason::Interrupted, .. } => Err(trouble),
        Trouble::Stopped { reason, .. } => Ok(reason.to_string()),
    }
}
