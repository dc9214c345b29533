//! Runs lessons in a session: opens one, gives its hints, and diagnoses what is tried in it and what is picked.

mod read;
mod restricted_owner;
mod shipped_lessons;

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::lesson_response::{AttemptReport, LessonEntry, LessonOpening, LessonResponse};
use super::response::{Response, SessionResult};
use super::state::{OpenLesson, Session};
use crate::script::Host;
pub use read::{check_lesson, lesson_of};
use redexter_language::cost;
use redexter_language::ground::text::word;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::shipped;
use redexter_rewriting::redex::{families, named};
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::strategy::Strategy;
use redexter_telling::lesson::{
    Diagnosis, DiagnosisKind, Lesson, LessonAttempt, LessonRecord, diagnose, fingerprint, judge, tried,
};
use redexter_telling::questions::{AskedQuestion, Question, QuestionArguments};
use redexter_telling::walk::{self, StepGoal, WalkCommand, WalkOwner};
use restricted_owner::RestrictedOwner;
use shipped_lessons::{after, files, found, number_of};
pub(super) use shipped_lessons::{own_name, shipped_lessons, short};

/// `:lesson` with what stands behind it.
pub(super) fn lecture(session: &mut Session, wanted: Option<&str>) -> SessionResult {
    let said = match (wanted, session.work.course.clone()) {
        (None, None) => LessonResponse::List(listed(session)),
        (None, Some(course)) => opening(session, &course),
        (Some("list"), _) => LessonResponse::List(listed(session)),
        (Some(word @ ("hint" | "check" | "again" | "more" | "stop")), None) => {
            let wrong = Diagnostic::error(code::COMMAND, format!("`:lesson {word}` is for a lesson that is open"));
            return Err(wrong.help("`:lesson` lists the lessons, `:lesson 0` opens the first one").into());
        }
        (Some(words), _) if words == "report" || words.starts_with("report ") => {
            return report(session, words["report".len()..].trim().trim_matches('"'));
        }
        (Some("hint"), Some(course)) => next_hint(session, course),
        (Some("check"), Some(course)) => return judged(session, &course),
        (Some("again"), Some(course)) => {
            session.work.walk.give(course.lesson.start.clone(), None);
            return Ok(Response::Term(course.lesson.start.clone()));
        }
        (Some("more"), Some(course)) => match course.last {
            Some(last) => LessonResponse::More(last),
            None => {
                let wrong = Diagnostic::error(code::COMMAND, "nothing was tried yet");
                return Err(wrong.help("a line that is a schedule is tried on the lesson's term").into());
            }
        },
        (Some("next"), course) => open_lesson(session, &after(course.as_ref().map(|course| &*course.path))?)?,
        (Some("stop"), Some(course)) => {
            session.work.course = None;
            LessonResponse::Closed(course.page.title.clone())
        }
        (Some(name), _) => open_lesson(session, &found(name)?)?,
    };
    Ok(Response::Lesson(Box::new(said)))
}

/// An error where there is no such lesson: `list`, or a name, a number, a file.
pub fn has_lesson(wanted: &str) -> Result<(), Trouble> {
    if wanted == "list" { Ok(()) } else { found(wanted).map(drop) }
}

/// The first lesson whose goal isn't reached, or how lessons are listed.
pub fn next_lesson(session: &Session) -> String {
    let open = |lesson: &LessonEntry| !lesson.taken.as_ref().is_some_and(LessonRecord::is_reached);
    listed(session).into_iter().find(open).map_or_else(|| "list".to_owned(), |lesson| lesson.name)
}

fn listed(session: &Session) -> Vec<LessonEntry> {
    let title = |path: &PathBuf| shipped::file(path)?.lines().find_map(|line| line.strip_prefix("# "));
    let listed = |path: PathBuf| {
        let (name, title) = (short(&path), title(&path).unwrap_or_default().to_owned());
        let number = number_of(&path).unwrap_or_default();
        LessonEntry { number, taken: session.work.record.of(&name).cloned(), name, title }
    };
    files().into_iter().map(listed).collect()
}

fn open_lesson(session: &mut Session, path: &Path) -> Result<LessonResponse, Trouble> {
    let opening = enter_lesson(session, path)?;
    if let Some(course) = &session.work.course {
        session.work.walk.give(course.lesson.start.clone(), None);
    }
    Ok(opening)
}

/// Goes on with a lesson that was open as the session was saved: the current term stays.
pub fn resume_lesson(session: &mut Session, name: &str) -> SessionResult {
    session.doing("the lesson", |session| {
        let opening = enter_lesson(session, &found(name)?)?;
        Ok(Response::Lesson(Box::new(opening)))
    })
}

fn enter_lesson(session: &mut Session, path: &Path) -> Result<LessonResponse, Trouble> {
    session.host.files.name(path);
    let text = session.host.files.read(path)?;
    let (page, lesson) = lesson_of(session, path, &text)?;
    let (page, lesson) = (Rc::new(page), Rc::new(lesson));
    let course = OpenLesson { path: path.to_owned(), name: own_name(path, &text), page, lesson, hinted: 0, last: None };
    Rc::make_mut(&mut session.work.record).in_lesson(&course.name).text = Some(fingerprint(&text));
    let opening = opening(session, &course);
    session.work.course = Some(course);
    Ok(opening)
}

fn opening(_session: &Session, course: &OpenLesson) -> LessonResponse {
    let Lesson { title, start, goal, rules, hints, .. } = &*course.lesson;
    let law = |info: &Rc<RuleInfo>| {
        let more = match info.laws.len() {
            0 | 1 => String::new(),
            all => format!(" and {} more: `:rule {}`", all - 1, info.name),
        };
        let first = info.laws.first().map_or(info.purpose(), String::as_str);
        (info.usage(), format!("{first}{more}"))
    };
    LessonResponse::Opened(LessonOpening {
        name: name_of(&course.path),
        title: title.clone(),
        prose: course.page.prose.clone(),
        start: start.clone(),
        work: cost::work(&start.term).total(),
        goal: goal.clone(),
        rules: rules.iter().map(law).collect(),
        hints: hints.len(),
    })
}

/// The hints that were given before come again in a session that opens the lesson again.
fn next_hint(session: &mut Session, mut course: OpenLesson) -> LessonResponse {
    // There is always one: a solution is the last hint.
    let all = &course.lesson.hints;
    course.hinted = (course.hinted + 1).min(all.len());
    let (number, of, text) = (course.hinted, all.len(), all[course.hinted - 1].clone());
    let taken = Rc::make_mut(&mut session.work.record).in_lesson(&course.name);
    taken.hints = taken.hints.max(number);
    session.work.course = Some(course);
    LessonResponse::Hint { number, of, text }
}

/// Tries a schedule on the current term, behind what was picked since the lesson's; on the lesson's where the current one
/// is another's. Where the goal isn't reached it is taken back.
pub(super) fn attempt(session: &mut Session, strategy: &Strategy, course: &OpenLesson) -> SessionResult {
    let (lesson, all) = (course.lesson.clone(), families(&session.known_rules()));
    let picked = match walk::led(&session.work.walk) {
        Ok((first, picked, trace)) if first == lesson.start => Some(picked).filter(|_| !trace.steps.is_empty()),
        _ => {
            session.work.walk.give(lesson.start.clone(), None);
            None
        }
    };
    let own = session.work.walk.at_focus(strategy)?;
    let whole = picked.map_or_else(|| own.clone(), |picked| picked.then(&own));
    let diagnosis = diagnose(&lesson, &whole, &all, &session.host.budget())?;
    let kind = diagnosis.kind();
    let ran = match kind {
        DiagnosisKind::Forbidden | DiagnosisKind::Endless | DiagnosisKind::Failed => None,
        _ => {
            let before = session.work.walk.history().number();
            let ran = walk::run(&mut session.work.walk, &tried(strategy), StepGoal::All, session.interpreter.owner())?;
            if !kind.is_reached() && session.work.walk.history().number() != before {
                walk::answer(&mut session.work.walk, &WalkCommand::Undo(1), session.interpreter.owner())?;
            }
            Some(Box::new(ran))
        }
    };
    Ok(noted(session, course, &whole, diagnosis, ran, false))
}

/// Says of the steps that led to the current term what it says of schedules.
fn judged(session: &mut Session, course: &OpenLesson) -> SessionResult {
    let lesson = course.lesson.clone();
    let (first, strategy, trace) = walk::led(&session.work.walk)?;
    if first != lesson.start {
        let wrong = Diagnostic::error(code::COMMAND, "the current term doesn't come from the lesson's");
        return Err(wrong.help("`:lesson again` makes the lesson's term the current one").into());
    }
    if trace.steps.is_empty() {
        let wrong = Diagnostic::error(code::COMMAND, "nothing is picked yet");
        return Err(wrong.help("`:possible` lists what is possible, `:take N` picks one").into());
    }
    let all = families(&session.known_rules());
    let diagnosis = judge(&lesson, &strategy, trace, &all, &session.host.budget())?;
    Ok(noted(session, course, &strategy, diagnosis, None, true))
}

/// Whether the current term is the goal of the lesson that is open.
pub(super) fn is_there(session: &Session) -> bool {
    let goal = session.work.course.as_ref().map(|course| &course.lesson.goal);
    goal.is_some_and(|goal| session.current_term().is_some_and(|term| goal.is_reached(term)))
}

/// The response to a line, with the verdict where steps that it took one by one lead to the lesson's goal. `was_there`: so did
/// those before it. A term that is the goal but was typed reaches nothing, and that is told.
pub(super) fn arrived(session: &mut Session, response: Response, was_there: bool) -> SessionResult {
    let is_over = |run: &walk::WalkRun| run.taken() > 0 && matches!(run.rest, walk::RunRemainder::None);
    let by_steps = matches!(&response, Response::Walk(walk::WalkAnswer::Run(run)) if is_over(run));
    let Some(course) = session.work.course.clone().filter(|_| by_steps || matches!(response, Response::Term(_))) else {
        return Ok(response);
    };
    if was_there || !is_there(session) {
        return Ok(response);
    }
    match response {
        Response::Walk(ran) => {
            let (first, strategy, trace) = walk::led(&session.work.walk)?;
            if first != course.lesson.start {
                return Ok(Response::Walk(ran));
            }
            let all = families(&session.known_rules());
            let diagnosis = judge(&course.lesson, &strategy, trace, &all, &session.host.budget())?;
            Ok(noted(session, &course, &strategy, diagnosis, Some(Box::new(ran)), true))
        }
        Response::Term(program) if course.lesson.goal.form.is_some() => {
            Ok(Response::Lesson(Box::new(LessonResponse::TypedGoal(program))))
        }
        other => Ok(other),
    }
}

fn noted(
    session: &mut Session,
    course: &OpenLesson,
    strategy: &Strategy,
    diagnosis: Diagnosis,
    ran: Option<Box<walk::WalkAnswer>>,
    picked: bool,
) -> Response {
    let mut course = course.clone();
    let (schedule, kind) = (strategy.to_string(), diagnosis.kind());
    let diagnosis = Rc::new(diagnosis);
    course.last = Some(diagnosis.clone());
    let defined = session.statements.iter().filter(|line| matches!(word(line), "rule" | "strategy"));
    let defined: Vec<String> = defined.cloned().collect();
    let taken = Rc::make_mut(&mut session.work.record).in_lesson(&course.name);
    taken.defined.retain(|line| !defined.contains(line));
    taken.defined.extend(defined);
    let attempt = LessonAttempt { schedule: schedule.clone(), kind };
    // To ask again what was said isn't to try again.
    let is_said = |last: &LessonAttempt| *last == attempt || kind.is_reached() && last.kind == kind;
    if !(picked && ran.is_none() && taken.attempts.last().is_some_and(is_said)) {
        taken.attempts.push(attempt);
    }
    let (attempts, hints) = (taken.attempts.len(), taken.hints);
    let next = kind.is_reached().then(|| after(Some(&course.path)).ok()).flatten();
    let tried = AttemptReport {
        ran,
        diagnosis,
        picked: picked.then_some(schedule),
        attempts,
        hints,
        next: next.map(|path| short(&path)),
    };
    session.work.course = Some(course);
    Response::Lesson(Box::new(LessonResponse::Tried(tried)))
}

/// The schedule that says what was picked in the lesson that is open, if something was.
pub fn picked(session: &Session) -> Option<String> {
    let course = session.work.course.as_ref()?;
    let (first, strategy, trace) = walk::led(&session.work.walk).ok()?;
    (first == course.lesson.start && !trace.steps.is_empty()).then(|| strategy.to_string())
}

/// The answer to a question: in a lesson what is possible is what its rules can do.
pub(super) fn asked(
    session: &mut Session,
    question: &Question,
    arguments: &QuestionArguments,
    strategies: &[Strategy],
) -> Result<walk::WalkAnswer, Trouble> {
    let owner = session.interpreter.owner();
    if let Some(course) = session.work.course.as_ref().filter(|_| arguments.by_allowed_rules) {
        let only = RestrictedOwner { owner, rules: &course.lesson.rules };
        if arguments.rules.iter().all(|rule| named(rule, &only.rules()).is_ok()) {
            return question.answer(AskedQuestion {
                arguments,
                strategies,
                walk: &mut session.work.walk,
                owner: &only,
            });
        }
    }
    question.answer(AskedQuestion { arguments, strategies, walk: &mut session.work.walk, owner })
}

/// What opens a lesson again: its name if it ships, else its file.
fn name_of(path: &Path) -> String {
    match shipped::file(path) {
        Some(_) => short(path),
        None => path.to_string_lossy().into_owned(),
    }
}

/// Writes what was done in lessons to a file, or gives the text.
fn report(session: &mut Session, path: &str) -> SessionResult {
    if session.record().lessons.is_empty() {
        let wrong = Diagnostic::error(code::LESSON, "no lesson was taken yet");
        return Err(wrong.help("`:lesson 0` opens the first one").into());
    }
    if path.is_empty() {
        return Ok(Response::Lesson(Box::new(LessonResponse::Report(session.record().text()))));
    }
    session.write_report(Path::new(path))?;
    Ok(Response::Written(path.into()))
}
