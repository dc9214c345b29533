//! Checks the records of students by doing again what they say: nothing in them is trusted.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::dispatch::submit;
use super::host::SilentSink;
use super::lessons::{lesson_of, own_name, shipped_lessons, short};
use super::overlay::OverlaySystem;
use super::state::Session;
use crate::script::Host;
use redexter_language::ground::{Diagnostic, StopReason, Trouble, code};
use redexter_rewriting::redex::families;
use redexter_telling::lesson::{DiagnosisKind, Lesson, LessonRecord, ProgressRecord, diagnose, fingerprint, is_lesson};

/// A lesson by which records are graded: the teacher's text, not the student's.
#[derive(Clone, Debug)]
pub struct GradingLesson {
    /// What records call it.
    pub name: String,
    path: PathBuf,
    text: String,
}

/// The grading of a lesson in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonGrade {
    /// The lesson.
    pub lesson: String,
    /// Whether a schedule of the record reaches the goal.
    pub reached: bool,
    /// Whether the lesson could be opened.
    pub is_there: bool,
    /// The kinds of the schedules that were tried, as they are found now, in order; none of what can't be read.
    pub kinds: Vec<DiagnosisKind>,
    /// How many schedules were tried.
    pub attempts: usize,
    /// How many hints it says were asked for: that can't be checked.
    pub hints: usize,
    /// What doesn't hold.
    pub wrong: Vec<String>,
    /// What is to be known, and is nobody's fault.
    pub notes: Vec<String>,
}

/// The lessons that ship.
pub fn lessons_that_ship() -> Vec<GradingLesson> {
    shipped_lessons().into_iter().map(|(name, path, text)| GradingLesson { name, path, text }).collect()
}

/// The lessons in a folder, in the order of their files.
pub fn lessons_in(session: &Session, folder: &Path) -> Result<Vec<GradingLesson>, Trouble> {
    let unread = |e: std::io::Error| {
        Trouble::from(Diagnostic::error(code::UNREADABLE, format!("`{}` can't be read: {e}", folder.display())))
    };
    let mut names = session.system().names(folder).map_err(unread)?;
    names.retain(|name| name.ends_with(".md"));
    names.sort();
    let mut all = Vec::new();
    for path in names.iter().map(|name| folder.join(name)) {
        let bytes = session.system().read(&path).map_err(unread)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // The page for teachers has a task, too, and isn't numbered among them.
        if is_lesson(&text) && path.file_stem().is_some_and(|stem| stem != "README") {
            all.push(GradingLesson { name: own_name(&path, &text), path, text });
        }
    }
    if all.is_empty() {
        let wrong = Diagnostic::error(code::LESSON, format!("there is no lesson in `{}`", folder.display()));
        return Err(wrong.help("a lesson is a file that ends in `.md`, with a block of the kind `lesson`").into());
    }
    Ok(all)
}

/// Does again what a record says was tried, each lesson in a session of its own that writes nothing.
pub fn grade(
    session: &Session,
    record: &ProgressRecord,
    lessons: &[GradingLesson],
) -> Result<Vec<LessonGrade>, Trouble> {
    let mut all: Vec<LessonGrade> =
        record.lessons.iter().map(|taken| graded(session, taken, lessons)).collect::<Result<_, Trouble>>()?;
    for k in 1..all.len() {
        if all[..k].iter().any(|other| other.lesson == all[k].lesson) {
            all[k].reached = false;
            all[k].wrong.push("the lesson is there twice".to_owned());
        }
    }
    Ok(all)
}

/// The lesson that a record means: the first one with its name, so that a teacher's stands for the one that ships, else one with
/// its text. A name is one without the number of its file; older records name a file.
fn meant(taken: &LessonRecord, lessons: &[GradingLesson]) -> Option<GradingLesson> {
    let name = short(Path::new(&own_name(Path::new(&taken.lesson), "")));
    let of_text = |lesson: &&GradingLesson| taken.text.as_ref() == Some(&fingerprint(&lesson.text));
    let of_name = |lesson: &&GradingLesson| short(Path::new(&lesson.name)) == name;
    lessons.iter().find(of_name).or_else(|| lessons.iter().find(of_text)).cloned()
}

fn graded(session: &Session, taken: &LessonRecord, lessons: &[GradingLesson]) -> Result<LessonGrade, Trouble> {
    let (attempts, hints) = (taken.attempts.len(), taken.hints);
    let mut graded = LessonGrade {
        lesson: taken.lesson.clone(),
        reached: false,
        is_there: false,
        kinds: Vec::new(),
        attempts,
        hints,
        wrong: Vec::new(),
        notes: Vec::new(),
    };
    let Some(own) = meant(taken, lessons) else {
        graded.notes.push("no lesson of this name or text is known: `--lessons DIR` says where it is".to_owned());
        return Ok(graded);
    };
    graded.lesson.clone_from(&own.name);
    if taken.text.as_ref().is_some_and(|text| *text != fingerprint(&own.text)) {
        graded
            .notes
            .push("its text was another one when it was taken; it is graded by the one that is here".to_owned());
    }
    let mut apart = session.apart(Rc::new(OverlaySystem::over(session.system())), Box::new(SilentSink))?;
    let lesson = match apart.during(|apart| Ok(lesson_of(apart, &own.path, &own.text)?.1)) {
        Ok(lesson) => lesson,
        Err(trouble) => {
            graded.notes.push(format!("the lesson can't be opened: {}", told(trouble)?));
            return Ok(graded);
        }
    };
    graded.is_there = true;
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
                graded.kinds.push(kind);
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
