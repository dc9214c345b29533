//! Lessons in a session: one that is open, what was tried, and checking a lesson's file.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Session;
use super::answer::Answer;
use super::response::Response;
use crate::command::Asking;
use crate::cost::{self, Poly};
use crate::ground::text::{listed, word};
use crate::ground::{Budget, Diagnostic, Name, SourceId, Trouble, code, name::did_you_mean};
use crate::lesson::{Attempt, Diagnosis, Goal, Kind, Lesson, Mistake, Page, Part, Record, Taken, diagnose, judge};
use crate::redex::families;
use crate::rule::{Pattern, RuleInfo};
use crate::script::{Host, LineValue};
use crate::shipped;
use crate::sound::Templates;
use crate::strategy::{self, Strategy};
use crate::syntax::{Style, print_term};
use crate::term::Program;
use crate::walk::{self, Owner};

/// Where lessons ship.
const FOLDER: &str = "lessons";

/// A lesson that is open.
#[derive(Clone)]
pub(super) struct Course {
    /// Its file.
    path: PathBuf,
    page: Rc<Page>,
    lesson: Rc<Lesson>,
    /// How many hints were given since it was opened.
    hinted: usize,
    /// What was said last.
    last: Option<Rc<Diagnosis>>,
}

/// What there is to be said in a lesson.
#[derive(Clone, Debug)]
pub enum Lecture {
    /// The lessons that ship.
    List(Vec<Listed>),
    /// A lesson begins, or is shown again.
    Opened(Opening),
    /// A hint.
    Hint {
        /// Its number.
        number: usize,
        /// So many there are.
        of: usize,
        /// What it says.
        text: String,
    },
    /// A schedule was tried, or what was picked is judged.
    Tried(Tried),
    /// More on the last diagnosis.
    More(Rc<Diagnosis>),
    /// The lesson is closed.
    Closed(String),
}

/// A lesson that ships.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What was done in it.
    pub taken: Option<Taken>,
}

/// The beginning of a lesson.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its title.
    pub title: String,
    /// What it says, in Markdown.
    pub prose: String,
    /// The term.
    pub start: Program,
    /// Its work.
    pub work: Poly,
    /// What is to be reached.
    pub goal: Goal,
    /// The rules that may be used, each with its first law.
    pub rules: Vec<(String, String)>,
    /// How many hints there are.
    pub hints: usize,
}

/// What came of a schedule.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What the walk says of it, where it ran.
    pub ran: Option<Box<walk::Answer>>,
    /// What the lesson says of it.
    pub diagnosis: Rc<Diagnosis>,
    /// The schedule that says what was picked, where steps were.
    pub picked: Option<String>,
    /// How many were tried, this one among them.
    pub attempts: usize,
    /// How many hints were given.
    pub hints: usize,
    /// The lesson that follows.
    pub next: Option<String>,
}

impl Session {
    /// `:lesson` with what stands behind it.
    pub(super) fn lecture(&mut self, wanted: Option<&str>) -> Answer {
        let said = match (wanted, self.course.clone()) {
            (None, None) => Lecture::List(self.listed()),
            (None, Some(course)) => self.opening(&course),
            (Some("list"), _) => Lecture::List(self.listed()),
            (Some(word @ ("hint" | "check" | "again" | "more" | "stop")), None) => {
                let wrong = Diagnostic::error(code::COMMAND, format!("`:lesson {word}` is for a lesson that is open"));
                return Err(wrong.help("`:lesson` lists the lessons, `:lesson 1` opens the first one").into());
            }
            (Some("hint"), Some(course)) => self.next_hint(course),
            (Some("check"), Some(course)) => return self.judged(&course),
            (Some("again"), Some(course)) => {
                self.walk.give(course.lesson.start.clone(), None);
                self.opening(&course)
            }
            (Some("more"), Some(course)) => match course.last {
                Some(last) => Lecture::More(last),
                None => {
                    let wrong = Diagnostic::error(code::COMMAND, "nothing was tried yet");
                    return Err(wrong.help("a line that is a schedule is tried on the lesson's term").into());
                }
            },
            (Some("next"), course) => self.open_lesson(&after(course.as_ref().map(|course| &*course.path))?)?,
            (Some("stop"), Some(course)) => {
                self.course = None;
                Lecture::Closed(course.page.title.clone())
            }
            (Some(name), _) => self.open_lesson(&found(name)?)?,
        };
        Ok(Response::Lesson(Box::new(said)))
    }

    /// The rules that there are.
    pub fn known_rules(&self) -> Vec<Rc<RuleInfo>> {
        self.interpreter.rules()
    }

    /// What was done in lessons.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Goes on from what was done in lessons before.
    pub fn set_record(&mut self, record: Record) {
        self.record = record;
    }

    /// The first lesson whose goal isn't reached, or how lessons are listed.
    pub fn next_lesson(&self) -> String {
        let open = |lesson: &Listed| !lesson.taken.as_ref().is_some_and(Taken::is_reached);
        self.listed().into_iter().find(open).map_or_else(|| "list".to_owned(), |lesson| lesson.name)
    }

    fn listed(&self) -> Vec<Listed> {
        let title = |path: &PathBuf| shipped::file(path)?.lines().find_map(|line| line.strip_prefix("# "));
        let listed = |path: PathBuf| {
            let (name, title) = (short(&path), title(&path).unwrap_or_default().to_owned());
            Listed { taken: self.record.of(&name).cloned(), name, title }
        };
        files().into_iter().map(listed).collect()
    }

    fn open_lesson(&mut self, path: &Path) -> Result<Lecture, Trouble> {
        self.host.files.name(path);
        let text = self.host.files.read(path)?;
        let (page, lesson) = self.lesson_of(path, &text)?;
        self.walk.give(lesson.start.clone(), None);
        let (page, lesson) = (Rc::new(page), Rc::new(lesson));
        let course = Course { path: path.to_owned(), page, lesson, hinted: 0, last: None };
        self.record.in_lesson(&course.name());
        let opening = self.opening(&course);
        self.course = Some(course);
        Ok(opening)
    }

    fn opening(&self, course: &Course) -> Lecture {
        let Lesson { title, start, goal, rules, hints, .. } = &*course.lesson;
        let known = self.interpreter.rules();
        let law = |name: &Name| {
            let info = known.iter().find(|info| info.name == *name);
            info.map(|info| (info.usage(), info.laws.first().cloned().unwrap_or_else(|| info.purpose().to_owned())))
        };
        Lecture::Opened(Opening {
            title: title.clone(),
            prose: course.page.prose.clone(),
            start: start.clone(),
            work: cost::work(&start.term).total(),
            goal: goal.clone(),
            rules: rules.iter().filter_map(law).collect(),
            hints: hints.len(),
        })
    }

    /// The hints that were given before come again in a session that opens the lesson again.
    fn next_hint(&mut self, mut course: Course) -> Lecture {
        let all = &course.lesson.hints;
        course.hinted = (course.hinted + 1).min(all.len());
        let (number, of, text) = (course.hinted, all.len(), all[course.hinted - 1].clone());
        let taken = self.record.in_lesson(&course.name());
        taken.hints = taken.hints.max(number);
        self.course = Some(course);
        Lecture::Hint { number, of, text }
    }

    /// Tries a schedule on the lesson's term.
    pub(super) fn attempt(&mut self, strategy: &Strategy, course: &Course) -> Answer {
        let lesson = course.lesson.clone();
        let all = families(&self.known_rules());
        let diagnosis = diagnose(&lesson, strategy, &all, &self.host.budget())?;
        let ran = match diagnosis.kind() {
            Kind::Forbidden | Kind::Endless | Kind::Failed => None,
            _ => {
                if self.walk.current().ok() != Some(&lesson.start) || self.walk.focus_address().is_some() {
                    self.walk.give(lesson.start.clone(), None);
                }
                Some(Box::new(self.walk.run(strategy, self.interpreter.owner())?))
            }
        };
        Ok(self.noted(course, strategy, diagnosis, ran, false))
    }

    /// Says of the steps that led to the current term what it says of schedules.
    fn judged(&mut self, course: &Course) -> Answer {
        let lesson = course.lesson.clone();
        let (first, strategy, trace) = self.walk.led()?;
        if first != lesson.start {
            let wrong = Diagnostic::error(code::COMMAND, "the current term doesn't come from the lesson's");
            return Err(wrong.help("`:lesson again` makes the lesson's term the current one").into());
        }
        let all = families(&self.known_rules());
        let diagnosis = judge(&lesson, &strategy, trace, &all, &self.host.budget())?;
        Ok(self.noted(course, &strategy, diagnosis, None, true))
    }

    fn noted(
        &mut self,
        course: &Course,
        strategy: &Strategy,
        diagnosis: Diagnosis,
        ran: Option<Box<walk::Answer>>,
        picked: bool,
    ) -> Response {
        let mut course = course.clone();
        let (schedule, kind) = (strategy.to_string(), diagnosis.kind());
        let diagnosis = Rc::new(diagnosis);
        course.last = Some(diagnosis.clone());
        let defined = self.statements.iter().filter(|line| matches!(word(line), "rule" | "strategy"));
        let defined: Vec<String> = defined.cloned().collect();
        let taken = self.record.in_lesson(&course.name());
        taken.defined.retain(|line| !defined.contains(line));
        taken.defined.extend(defined);
        taken.attempts.push(Attempt { schedule: schedule.clone(), kind });
        let (attempts, hints) = (taken.attempts.len(), taken.hints);
        let next = kind.is_reached().then(|| after(Some(&course.path)).ok()).flatten();
        let tried = Tried {
            ran,
            diagnosis,
            picked: picked.then_some(schedule),
            attempts,
            hints,
            next: next.map(|path| short(&path)),
        };
        self.course = Some(course);
        Response::Lesson(Box::new(Lecture::Tried(tried)))
    }

    /// The answer to a question: in a lesson what is possible is what its rules can do.
    pub(super) fn asked(&mut self, asking: &Asking, strategies: &[Strategy]) -> Result<walk::Answer, Trouble> {
        let owner = self.interpreter.owner();
        match (&self.course, asking) {
            (Some(course), Asking::Possible(_)) => {
                self.walk.ask(asking, strategies, &Only { owner, rules: &course.lesson.rules })
            }
            _ => self.walk.ask(asking, strategies, owner),
        }
    }

    /// Reads a lesson; what it defines is there afterwards. Its solutions aren't tried but for the goal.
    pub fn lesson_of(&mut self, path: &Path, text: &str) -> Result<(Page, Lesson), Trouble> {
        let source = self.add_source(path, text);
        let page = Page::read(text, source).map_err(Trouble::Wrong)?;
        for (name, part) in &page.files {
            self.define_for_lesson(path, name, part, text)?;
        }
        let lesson = self.looked_up(&page, source)?;
        Ok((page, lesson))
    }

    /// Finds out whether a lesson is as it says: its solutions reach the goal, and of its wrong answers is said what stands
    /// there.
    pub fn check_lesson(&mut self, path: &Path, text: &str) -> Result<(), Trouble> {
        let (page, lesson) = self.lesson_of(path, text)?;
        let source = self.add_source(path, text);
        let (all, mut wrong) = (families(&self.known_rules()), Vec::new());
        let expected =
            lesson.mistakes.iter().zip(&page.mistakes).map(|(mistake, (kind, part))| (&mistake.strategy, *kind, part));
        for (strategy, kind, part) in expected {
            let found = diagnose(&lesson, strategy, &all, &self.host.budget())?.kind();
            if found != kind {
                let headline = format!("a wrong answer is said to be `{kind}`, but it is `{found}`");
                wrong.push(Diagnostic::error(code::LESSON, headline).at(part.span(source), "this schedule"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Trouble::Wrong(wrong)) }
    }

    /// A model or a script of a lesson. Its lines are counted from the top of the page.
    fn define_for_lesson(&mut self, path: &Path, name: &str, part: &Part, page: &str) -> Result<(), Trouble> {
        let above = page[..part.range.start].matches('\n').count();
        let text = ["\n".repeat(above), part.text.clone()].concat();
        if name.ends_with(".strat") {
            return self.interpreter.run_script(&path.to_string_lossy(), &text, &[]);
        }
        let file = PathBuf::from(name);
        let model = self.model_from(path, &|file: &Path| match file == path {
            true => Ok(text.clone()),
            false => self.host.files.read(file),
        })?;
        self.bind(&file, model).map(drop)
    }

    fn looked_up(&mut self, page: &Page, source: SourceId) -> Result<Lesson, Trouble> {
        let start = self.program_of(&page.term, source)?;
        let form = page.form.as_ref().map(|part| self.program_of(part, source)).transpose()?;
        let work = page.work.as_ref().map(|part| {
            Poly::read(&part.text).ok_or_else(|| {
                let headline = format!("`{}` is no work", part.text);
                let wrong = Diagnostic::error(code::LESSON, headline).at(part.span(source), "here");
                Trouble::from(wrong.help("write a sum of products of sizes: `n`, `n*k + n`"))
            })
        });
        let goal = Goal { form: form.map(|program| program.term), work: work.transpose()? };
        let rules = self.rules_in(&page.rules, source)?;
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
            let strategy = self.schedule_in(&schedule, part, source)?;
            self.solves(&lesson, &strategy).map_err(|why| unsolved(why, part, source))?;
            lesson.solutions.push(strategy);
        }
        lesson.hints.push(format!("A solution: `{}`", page.solutions[0].with_comments().0));
        for (kind, part) in &page.mistakes {
            let (schedule, remark) = part.with_comments();
            let strategy = self.schedule_in(&schedule, part, source)?;
            lesson.mistakes.push(Mistake { strategy, kind: *kind, remark });
        }
        Ok(lesson)
    }

    /// Whether a schedule with the rules that may be used reaches the goal; why it doesn't.
    fn solves(&self, lesson: &Lesson, strategy: &Strategy) -> Result<(), Trouble> {
        let forbidden = lesson.forbidden(strategy);
        if !forbidden.is_empty() {
            let headline = format!("a solution uses {}, which may not be used", listed(forbidden));
            return Err(Diagnostic::error(code::LESSON, headline).help("name it in the line `rules`").into());
        }
        let derived = self.derive(strategy, &lesson.start)?;
        match derived.stopped {
            Some(reason) => Err(reason.into()),
            None if lesson.goal.is_reached(&derived.program.term) => Ok(()),
            None => {
                let work = cost::work(&derived.program.term).total();
                let headline = "a solution doesn't reach the goal";
                let now = format!(
                    "its work is {work}; it comes to {}",
                    print_term(&derived.program.term, &Style { width: usize::MAX })
                );
                Err(Diagnostic::error(code::LESSON, headline).help(now).into())
            }
        }
    }

    fn program_of(&mut self, part: &Part, source: SourceId) -> Result<Program, Trouble> {
        match self.value_of(&part.text, true) {
            Ok(LineValue::Program { program, .. }) => Ok(program),
            Ok(_) => {
                let headline = format!("`{}` is no term", part.text);
                Err(Diagnostic::error(code::LESSON, headline).at(part.span(source), "here").into())
            }
            Err(trouble) => Err(placed(trouble, part, source)),
        }
    }

    fn schedule_in(&mut self, schedule: &str, part: &Part, source: SourceId) -> Result<Strategy, Trouble> {
        self.interpreter.strategy(schedule).map_err(|trouble| placed(trouble, part, source))
    }

    fn rules_in(&self, part: &Part, source: SourceId) -> Result<Vec<Name>, Trouble> {
        let known: Vec<Name> = self.interpreter.rules().iter().map(|info| info.name.clone()).collect();
        let written = part.text.split([',', '\n']).map(str::trim).filter(|name| !name.is_empty());
        let each = |name: &str| {
            known.iter().find(|rule| rule.as_str() == name).cloned().ok_or_else(|| {
                let wrong = Diagnostic::error(code::LESSON, format!("there is no rule `{name}`"));
                let near = did_you_mean(name, known.iter().map(Name::as_str));
                Trouble::from(near.into_iter().fold(wrong.at(part.span(source), "here"), Diagnostic::help))
            })
        };
        written.map(each).collect()
    }
}

/// An owner of a walk that knows only some of its rules.
struct Only<'a> {
    owner: &'a dyn Owner,
    rules: &'a [Name],
}

impl Owner for Only<'_> {
    fn budget(&self) -> Budget {
        self.owner.budget()
    }

    fn clock(&self) -> strategy::Clock {
        self.owner.clock()
    }

    fn warn(&self, finding: &Diagnostic) {
        self.owner.warn(finding);
    }

    fn pattern(&self, text: &str) -> Result<Pattern, Trouble> {
        self.owner.pattern(text)
    }

    fn rules(&self) -> Vec<Rc<RuleInfo>> {
        let mut rules = self.owner.rules();
        rules.retain(|info| self.rules.contains(&info.name));
        rules
    }

    fn imported(&self) -> Vec<(String, Rc<RuleInfo>)> {
        self.owner.imported()
    }

    fn templates(&self) -> Result<&Templates, Trouble> {
        self.owner.templates()
    }
}

impl Course {
    /// What it is called in records.
    fn name(&self) -> String {
        match shipped::file(&self.path) {
            Some(_) => short(&self.path),
            None => self.path.to_string_lossy().into_owned(),
        }
    }
}

/// What went wrong, with where in the lesson that stands.
fn placed(trouble: Trouble, part: &Part, source: SourceId) -> Trouble {
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
fn unsolved(why: Trouble, part: &Part, source: SourceId) -> Trouble {
    match why {
        Trouble::Stopped { reason, help } => {
            let headline = format!("a limit ended a solution: {reason}");
            let wrong = Diagnostic::error(code::LESSON, headline).at(part.span(source), "this one");
            help.into_iter().fold(wrong, Diagnostic::help).into()
        }
        wrong => placed(wrong, part, source),
    }
}

/// The lessons that ship, in their order.
fn files() -> Vec<PathBuf> {
    let mut names: Vec<&str> = shipped::names(Path::new(FOLDER)).filter(|name| name.ends_with(".md")).collect();
    names.sort_unstable();
    names.into_iter().map(|name| Path::new(FOLDER).join(name)).filter(|path| is_numbered(path)).collect()
}

/// Lessons are numbered; what stands beside them isn't.
fn is_numbered(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(|c: char| c.is_ascii_digit()))
}

/// The name of a lesson, without its number: `lessons/01-fusion.md` is `fusion`.
fn short(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    stem.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('-').to_owned()
}

/// The file of a lesson that is called so, has this number, or is this file.
pub(super) fn found(wanted: &str) -> Result<PathBuf, Trouble> {
    if wanted.ends_with(".md") {
        return Ok(PathBuf::from(wanted));
    }
    let all = files();
    let number = wanted.parse::<usize>().ok().and_then(|number| all.get(number.checked_sub(1)?));
    if let Some(path) = number.or_else(|| all.iter().find(|path| short(path) == wanted)) {
        return Ok(path.clone());
    }
    let names: Vec<String> = all.iter().map(|path| short(path)).collect();
    let near = did_you_mean(wanted, names.iter().map(String::as_str));
    let help = near.unwrap_or_else(|| format!("there are {}; a file ends in `.md`", listed(&names)));
    Err(Diagnostic::error(code::COMMAND, format!("there is no lesson `{wanted}`")).help(help).into())
}

/// The lesson behind this one, or the first.
fn after(path: Option<&Path>) -> Result<PathBuf, Trouble> {
    let all = files();
    let at = path.map_or(Some(0), |path| all.iter().position(|other| other == path).map(|k| k + 1));
    at.and_then(|k| all.get(k).cloned()).ok_or_else(|| {
        Diagnostic::error(code::COMMAND, "there is no lesson behind this one").help("`:lesson list` lists them").into()
    })
}
