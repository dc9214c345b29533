//! Runs `redexter learn`: lessons at a prompt, reports of what was done in them, and the grading of such reports.

use std::path::Path;

use super::grading::ClassGrades;
use super::options::LearnArgs;
use crate::repl;
use crate::terminal::{Exit, Out};
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_session::session::{self, Session};
use redexter_telling::lesson::ProgressRecord;
use redexter_telling::render;

impl LearnArgs {
    /// Whether it asks for lessons at a prompt, and not for a report or grades.
    pub fn is_prompt(&self) -> bool {
        !self.reset && self.report.is_none() && self.grade.is_empty()
    }

    /// Does what is asked for.
    pub fn run(self, session: &mut Session, out: &Out) -> Result<Exit, Trouble> {
        if self.reset {
            repl::reset()
                .map_err(|e| Diagnostic::error(code::UNWRITABLE, format!("what was done in lessons stays: {e}")))?;
        }
        if let Some(path) = &self.report {
            repl::LessonProgress::begin(session, out);
            if session.record().lessons.is_empty() {
                let wrong = Diagnostic::error(code::LESSON, "no lesson was taken yet");
                return Err(wrong.help("`redexter learn` begins with the first one").into());
            }
            session.write_report(path)?;
            out.note(format!("wrote {}\n", path.display()));
        }
        if !self.grade.is_empty() {
            return self.graded(session, out);
        }
        if self.is_prompt() {
            self.lesson.as_deref().map_or(Ok(()), session::has_lesson)?;
            let answers = repl::Responder::new(out.clone(), true, session);
            // What was done before is known by now.
            let wanted = self.lesson.unwrap_or_else(|| session::next_lesson(session));
            answers.run(session, Some(&format!(":lesson {wanted}")), false);
        }
        Ok(Exit::Done)
    }

    fn graded(&self, session: &mut Session, out: &Out) -> Result<Exit, Trouble> {
        let mut class = ClassGrades::new(session, self.lessons.as_deref(), self.roster.as_deref())?;
        for path in &self.grade {
            let read = read(session, path);
            match read.and_then(|record| class.add(session, path, record)) {
                Ok(()) => {}
                Err(Trouble::Wrong(found)) => {
                    class.unread(path, &found);
                    out.note(render::trouble(&Trouble::Wrong(found), &session.sources()));
                }
                Err(stopped) => return Err(stopped),
            }
        }
        match (self.csv, self.json) {
            (true, _) => out.line(class.csv()),
            (_, true) => out.line(class.json()),
            _ => out.line(class.text()),
        }
        Ok(if class.is_right() { Exit::Done } else { Exit::Wrong })
    }
}

fn read(session: &mut Session, path: &Path) -> Result<ProgressRecord, Trouble> {
    let text = session.read_named(path)?;
    ProgressRecord::read(&text).map_err(|why| {
        let headline = format!("`{}` is no report of lessons: {why}", path.display());
        Diagnostic::error(code::LESSON, headline).help("`redexter learn --report FILE` writes one").into()
    })
}
