//! Reads a lesson from its file: what it names is looked up, its solutions are tried.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::script::{Host, LineValue};
use crate::session::state::Session;
use crate::session::{line_value, models, programs};
use redexter_language::cost::{self, Poly};
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, SourceId, Trouble, code, name::did_you_mean};
use redexter_language::syntax::{PrintStyle, print_term, print_type};
use redexter_language::term::{OpenVariables, Program};
use redexter_rewriting::redex::families;
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::strategy::{Strategy, Trace};
use redexter_telling::lesson::{Lesson, LessonGoal, LessonPage, Mistake, PageText, Solution, WrongAnswer, diagnose};

/// Reads a lesson; what it defines is there afterwards. Its solutions aren't tried but for the goal. A warning would be about
/// these, and give them away: the check of a lesson gives it to the teacher.
pub fn lesson_of(session: &mut Session, path: &Path, text: &str) -> Result<(LessonPage, Lesson), Trouble> {
    let source = session.add_source(path, text);
    let before = session.host.hushed.replace(true);
    let lesson = lesson_in(session, path, text, source);
    session.host.hushed.set(before);
    lesson
}

fn lesson_in(
    session: &mut Session,
    path: &Path,
    text: &str,
    source: SourceId,
) -> Result<(LessonPage, Lesson), Trouble> {
    let page = LessonPage::read(text, source).map_err(Trouble::Wrong)?;
    let writing = session.host.files.writing.replace(false);
    let defined = page.files.iter().try_for_each(|(name, part)| define_for_lesson(session, path, name, part, text));
    session.host.files.writing.set(writing);
    defined?;
    let lesson = looked_up(session, &page, source)?;
    Ok((page, lesson))
}

/// Finds out whether a lesson is as it says: its solutions reach the goal, and of its wrong answers is said what stands
/// there.
pub fn check_lesson(session: &mut Session, path: &Path, text: &str) -> Result<(), Trouble> {
    let source = session.add_source(path, text);
    let (page, lesson) = lesson_in(session, path, text, source)?;
    let (all, mut wrong) = (families(&session.known_rules()), Vec::new());
    for (Mistake { strategy, kind, .. }, WrongAnswer { text: part, .. }) in lesson.mistakes.iter().zip(&page.mistakes) {
        let found = diagnose(&lesson, strategy, &all, &session.host.budget())?.kind();
        if found != *kind {
            let headline = format!("a wrong answer is said to be `{kind}`, but it is `{found}`");
            wrong.push(Diagnostic::error(code::LESSON, headline).at(part.span(source), "this schedule"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Trouble::Wrong(wrong)) }
}

/// A model or a script of a lesson. Its lines are counted from the top of the page.
fn define_for_lesson(
    session: &mut Session,
    path: &Path,
    name: &str,
    part: &PageText,
    page: &str,
) -> Result<(), Trouble> {
    let above = page[..part.range.start].matches('\n').count();
    let text = ["\n".repeat(above), part.text.clone()].concat();
    if name.ends_with(".strat") {
        return session.interpreter.run_script(&path.to_string_lossy(), &text, &[]);
    }
    let file = PathBuf::from(name);
    let model = models::model_from(session, path, &|file: &Path| match file == path {
        true => Ok(text.clone()),
        false => session.host.files.read(file),
    })?;
    // What another lesson called so is over: else its term would stay behind the name, and this lesson be about that one.
    model.definitions().iter().for_each(|definition| session.interpreter.unbind(definition.name().as_str()));
    models::bind(session, &file, model).map(drop)
}

fn looked_up(session: &mut Session, page: &LessonPage, source: SourceId) -> Result<Lesson, Trouble> {
    let start = program_of(session, &page.term, source)?;
    let form = page.form.as_ref().map(|part| program_of(session, part, source)).transpose()?;
    let work = page.work.as_ref().map(|part| {
        Poly::read(&part.text).ok_or_else(|| {
            let headline = format!("`{}` is no work", part.text);
            let wrong = Diagnostic::error(code::LESSON, headline).at(part.span(source), "here");
            Trouble::from(wrong.help("write a sum of products of sizes: `n`, `n*k + n`"))
        })
    });
    let work = work.transpose()?;
    let (opens, wrong) =
        (OpenVariables::of(&start.term).vars, |part: &Option<PageText>, headline: String, help: String| {
            let wrong = Diagnostic::error(code::LESSON, headline).help(help);
            Trouble::from(match part {
                Some(part) => wrong.at(part.span(source), "here"),
                None => wrong,
            })
        });
    if let Some(strange) = work.as_ref().and_then(|work| work.sizes().into_iter().find(|size| !opens.contains(size))) {
        let help = format!("its sizes are {}", listed(&opens));
        return Err(wrong(&page.work, format!("`{strange}` is no size of the term"), help));
    }
    if let Some(form) = form.as_ref().filter(|form| form.term.ty() != start.term.ty()) {
        let headline = format!("the form has the type {}", print_type(form.term.ty()));
        return Err(wrong(&page.form, headline, format!("the term has the type {}", print_type(start.term.ty()))));
    }
    let goal = LessonGoal { form: form.map(|program| program.term), work };
    let rules = rules_in(session, &page.rules, source)?;
    let mut lesson = Lesson {
        title: page.title.clone(),
        start,
        goal,
        rules,
        hints: page.hints.iter().map(|part| part.text.trim().to_owned()).collect(),
        solutions: Vec::new(),
        mistakes: Vec::new(),
    };
    for part in &page.solutions {
        let (schedule, _) = part.with_comments();
        let strategy = schedule_in(session, &schedule, part, source)?;
        let trace = solved(session, &lesson, &strategy).map_err(|why| unsolved(why, part, source))?;
        lesson.solutions.push(Solution { strategy, trace });
    }
    lesson.hints.push(format!("A solution: `{}`", page.solutions[0].with_comments().0));
    for WrongAnswer { kind, for_alike, text } in &page.mistakes {
        let (schedule, remark) = text.with_comments();
        let strategy = schedule_in(session, &schedule, text, source)?;
        lesson.mistakes.push(Mistake { strategy, kind: *kind, remark, for_alike: *for_alike });
    }
    Ok(lesson)
}

/// The steps by which a schedule with the rules that may be used reaches the goal; or why it doesn't.
fn solved(session: &Session, lesson: &Lesson, strategy: &Strategy) -> Result<Trace, Trouble> {
    let forbidden = lesson.forbidden(strategy);
    if !forbidden.is_empty() {
        let headline = format!("a solution uses {}, which may not be used", listed(forbidden));
        return Err(Diagnostic::error(code::LESSON, headline).help("name it in the line `rules`").into());
    }
    let derived = programs::derive(session, strategy, &lesson.start)?;
    match derived.stopped {
        Some(reason) => Err(reason.into()),
        None if lesson.goal.is_reached(&derived.program.term) => Ok(derived.trace),
        None => {
            let work = cost::work(&derived.program.term).total();
            let headline = "a solution doesn't reach the goal";
            let now = format!(
                "its work is {work}; it comes to {}",
                print_term(&derived.program.term, &PrintStyle { width: usize::MAX })
            );
            Err(Diagnostic::error(code::LESSON, headline).help(now).into())
        }
    }
}

fn program_of(session: &mut Session, part: &PageText, source: SourceId) -> Result<Program, Trouble> {
    match line_value::value_of(session, &part.text, true) {
        Ok(LineValue::Program { program, .. }) => Ok(program),
        // A model that is called as its definition.
        Ok(LineValue::Model(model)) if model.definition(part.text.trim()).is_some() => {
            model.program(part.text.trim(), &session.host.budget())
        }
        Ok(_) => {
            let headline = format!("`{}` is no term", part.text);
            Err(Diagnostic::error(code::LESSON, headline).at(part.span(source), "here").into())
        }
        Err(trouble) => Err(placed(trouble, part, source)),
    }
}

fn schedule_in(session: &mut Session, schedule: &str, part: &PageText, source: SourceId) -> Result<Strategy, Trouble> {
    session.interpreter.strategy(schedule).map_err(|trouble| placed(trouble, part, source))
}

fn rules_in(session: &Session, part: &PageText, source: SourceId) -> Result<Vec<Rc<RuleInfo>>, Trouble> {
    let known = session.known_rules();
    let written = part.text.split([',', '\n']).map(str::trim).filter(|name| !name.is_empty());
    let each = |name: &str| {
        known.iter().find(|info| info.name.as_str() == name).cloned().ok_or_else(|| {
            let wrong = Diagnostic::error(code::LESSON, format!("there is no rule `{name}`"));
            let near = did_you_mean(name, known.iter().map(|info| info.name.as_str()));
            Trouble::from(near.into_iter().fold(wrong.at(part.span(source), "here"), Diagnostic::help))
        })
    };
    written.map(each).collect()
}

/// What went wrong, with where in the lesson that stands.
fn placed(trouble: Trouble, part: &PageText, source: SourceId) -> Trouble {
    match trouble {
        Trouble::Wrong(all) => {
            let at = |found: Diagnostic| match found.place().filter(|place| place.source == source) {
                Some(_) => found,
                None => Diagnostic { labels: Vec::new(), ..found }.at(part.span(source), "in this lesson"),
            };
            Trouble::Wrong(all.into_iter().map(at).collect())
        }
        stopped => stopped,
    }
}

/// A lesson whose own solution doesn't do.
fn unsolved(why: Trouble, part: &PageText, source: SourceId) -> Trouble {
    match why {
        Trouble::Stopped { reason, help } => {
            let headline = format!("a limit ended a solution: {reason}");
            let wrong = Diagnostic::error(code::LESSON, headline).at(part.span(source), "this one");
            help.into_iter().fold(wrong, Diagnostic::help).into()
        }
        wrong => placed(wrong, part, source),
    }
}
