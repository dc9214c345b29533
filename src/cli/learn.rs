//! Runs `redexter learn`: lessons at a prompt, reports of what was done in them, and the grading of such reports.

use std::path::Path;

use super::options::LearnArgs;
use crate::repl;
use crate::terminal::{Exit, Out};
use redexter_language::ground::text::counted;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_session::session::{self, LessonGrade, Session};
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
            session.write_named(path, session.record().text())?;
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
        let mut exit = Exit::Done;
        for path in &self.grade {
            match read(session, path).and_then(|record| session::grade(session, &record)) {
                Ok(rows) => {
                    out.line(format!("{}", path.display()));
                    rows.iter().for_each(|row| out.line(told(row)));
                    let wrong: Vec<&String> = rows.iter().flat_map(|row| &row.wrong).collect();
                    let reached = rows.iter().filter(|row| row.reached).count();
                    let of = format!("  {reached} of {} reached", counted(rows.len(), "lesson"));
                    out.line(if wrong.is_empty() {
                        of
                    } else {
                        format!("{of}; {} wrong", counted(wrong.len(), "thing"))
                    });
                    if !wrong.is_empty() {
                        exit = Exit::Wrong;
                    }
                }
                Err(Trouble::Wrong(found)) => {
                    out.note(render::trouble(&Trouble::Wrong(found), &session.sources()));
                    exit = Exit::Wrong;
                }
                Err(stopped) => return Err(stopped),
            }
        }
        Ok(exit)
    }
}

fn read(session: &mut Session, path: &Path) -> Result<ProgressRecord, Trouble> {
    let text = session.read_named(path)?;
    ProgressRecord::read(&text).map_err(|why| {
        let headline = format!("`{}` is no report of lessons: {why}", path.display());
        Diagnostic::error(code::LESSON, headline).help("`redexter learn --report FILE` writes one").into()
    })
}

/// A lesson of a report in a line, and what doesn't hold in lines of their own.
fn told(row: &LessonGrade) -> String {
    let reached = match (row.reached, row.is_there) {
        (true, _) => "reached",
        (false, true) => "not reached",
        (false, false) => "not checked",
    };
    let (attempts, hints) = (counted(row.attempts, "attempt"), counted(row.hints, "hint"));
    let line = format!("  {:<20} {reached:<12} {attempts}, {hints}", row.lesson);
    row.wrong.iter().fold(line, |all, wrong| format!("{all}\n    {wrong}"))
}
