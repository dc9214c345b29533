//! Restores a saved session: its parts grow again, statement by statement. What can't be brought back is told with its line, and
//! the rest is brought back.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use super::response::{LoadedModel, Response, Restored, SessionResult};
use super::save::ASIDE_PREFIX;
use super::saved_entry::{PartStep, SavedEntry, begins, of_model, place};
use super::state::Session;
use super::{limits, models};
use crate::script::{Host, LineValue};
use redexter_language::check::Definition;
use redexter_language::ground::text::{counted, word};
use redexter_language::ground::{Diagnostic, SourceId, Span, StopReason, Trouble, code};
use redexter_language::term::Program;
use redexter_rewriting::strategy::{Strategy, Trace};
use redexter_telling::command::Command;
use redexter_telling::walk::{self, DefinitionOrigin, HistoryBuilder, StepGoal, Walk};

/// What loads a file that a saved session names.
pub type FileLoader = fn(&mut Session, &Path) -> SessionResult;

/// So many findings are told.
const MAX_FINDINGS: usize = 10;

/// A statement of a saved session.
struct SavedStatement {
    text: String,
    /// It is a comment to a script.
    aside: bool,
    span: Span,
}

/// Steps that follow one by one.
struct SingleSteps {
    strategy: Strategy,
    first: bool,
    left: usize,
    walk: Walk,
    /// Where that is told.
    span: Span,
}

/// The state of restoring a session: what is brought back so far.
#[derive(Default)]
struct Restoration {
    grown: HistoryBuilder,
    /// The newest state of each part.
    ends: BTreeMap<usize, usize>,
    part: usize,
    /// What loads the files that it names, where the user owns it: then limits are set, too.
    loads: Option<FileLoader>,
    /// What stands next in the part went on from something that isn't there.
    is_broken: bool,
    /// So many lines are a script's for what is there already.
    skip: usize,
    single: Option<SingleSteps>,
    tags: Vec<String>,
    /// The models that weren't loaded before.
    models: Vec<LoadedModel>,
    now: Option<(PartStep, Option<PartStep>)>,
    /// The statements that were carried out, by what they define.
    defined: BTreeMap<String, String>,
    wrong: Vec<Diagnostic>,
}

/// Goes on as a saved session. Commands count, too, in one that the user owns, which `loads` files.
pub(super) fn bring_back(session: &mut Session, path: &Path, text: &str, loads: Option<FileLoader>) -> SessionResult {
    let source = session.add_source(path, text);
    let mut growing = Restoration { part: 1, loads, ..Restoration::default() };
    let mut stopped = None;
    for written in statements_of(session, source, text) {
        match grow(session, &mut growing, &written, path) {
            Ok(()) => {}
            Err(Trouble::Wrong(all)) => growing.wrong.extend(all.into_iter().take(1).map(|why| placed(why, &written))),
            Err(limit @ Trouble::Stopped { reason: StopReason::Interrupted, .. }) => {
                stopped = Some(limit.help("what stands below in the saved session isn't brought back"));
                break;
            }
            Err(Trouble::Stopped { reason, help }) => {
                growing.is_broken = true;
                let why = Diagnostic::error(code::COMMAND, reason.to_string());
                growing.wrong.push(placed(help.into_iter().fold(why, Diagnostic::help), &written));
            }
        }
    }
    growing.end_single()?;
    Ok(Response::Restored(restored(session, path, growing, stopped)))
}

fn restored(session: &mut Session, path: &Path, growing: Restoration, stopped: Option<Trouble>) -> Restored {
    let Restoration { grown, ends, tags, models, now, mut wrong, .. } = growing;
    let terms = grown.terms();
    let place = |(part, step): PartStep| Some((*ends.get(&part)?, step));
    let asked = now.is_some();
    let (here, way) = now.map_or((None, None), |(here, way)| (place(here), way.and_then(place)));
    // The newest state may be one that a tag or a branch put in the midst of a run.
    let (walk, found) = grown.finish(here, way, ends.values().copied().max());
    if stopped.is_none() && asked && !(found && here.is_some()) {
        wrong.push(
            Diagnostic::error(code::COMMAND, "the place of the current term isn't there")
                .help("`:log` lists what is; the newest term is the current one"),
        );
    }
    let renamed = walk::graft(&mut session.work.walk, walk);
    if let (Ok(program), true) = (session.current().cloned(), terms > 0) {
        session.interpreter.set_program("current", program);
    }
    let more = wrong.len().saturating_sub(MAX_FINDINGS);
    wrong.truncate(MAX_FINDINGS);
    if let Some(last) = wrong.last_mut().filter(|_| more > 0) {
        last.help.push(format!("{more} more lines are wrong"));
    }
    let trouble = stopped.or_else(|| (!wrong.is_empty()).then_some(Trouble::Wrong(wrong)));
    let here = if terms > 0 { walk::here(&session.work.walk).ok() } else { None };
    Restored { path: path.to_owned(), terms, tags, renamed, models, here, trouble }
}

/// The statements of a saved session. One that is left open ends where another one surely begins.
fn statements_of(session: &Session, source: SourceId, text: &str) -> Vec<SavedStatement> {
    let (mut all, mut at): (Vec<SavedStatement>, usize) = (Vec::new(), 0);
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let (start, bare) = (at, line.trim_end());
        at += line.len();
        let aside = bare.strip_prefix(ASIDE_PREFIX.trim_end());
        if bare.is_empty() || aside.is_none() && bare.starts_with("//") {
            continue;
        }
        let line = aside.map_or(bare, |text| text.strip_prefix(' ').unwrap_or(text));
        let goes_on =
            open && !begins(line, aside.is_some()) && all.last().is_some_and(|last| last.aside == aside.is_some());
        let span = Span::new(source, start, start + bare.len());
        match all.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.text.extend(["\n", line]);
                last.span = Span::new(source, last.span.start as usize, span.end as usize);
            }
            None => all.push(SavedStatement { text: line.to_owned(), aside: aside.is_some(), span }),
        }
        open = all.last().is_some_and(|last| !begins(&last.text, last.aside) && !session.is_closed(&last.text));
    }
    all
}

fn grow(
    session: &mut Session,
    growing: &mut Restoration,
    written: &SavedStatement,
    path: &Path,
) -> Result<(), Trouble> {
    let entry = SavedEntry::of(&written.text, written.aside);
    if !matches!(entry, SavedEntry::Apply(_) | SavedEntry::Statement(_)) {
        growing.end_single()?;
    }
    if written.aside && !matches!(entry, SavedEntry::Statement(_)) {
        growing.skip = 0;
    }
    if matches!(entry, SavedEntry::Apply(_) | SavedEntry::Give(_)) && growing.skip > 0 {
        growing.skip -= 1;
        return Ok(());
    }
    let done = match entry {
        SavedEntry::Part(part, from) => growing.begin(part, from),
        SavedEntry::Tag(name, place) => growing.tag(name, place),
        SavedEntry::Now(here, way) => {
            growing.now = Some((here, way));
            Ok(())
        }
        SavedEntry::Print => Ok(()),
        SavedEntry::Line(ref text) if !text.starts_with(':') => {
            session.interpreter.eval_line(text).map(|_| session.statements.push(text.clone()))
        }
        SavedEntry::Line(ref text) | SavedEntry::Definition(ref text) => define(session, growing, text),
        SavedEntry::Statement(text) => define(session, growing, text),
        SavedEntry::Give(text) => given(session, growing, text, path).map(|(program, origin)| {
            growing.is_broken = false;
            let (origin, definition) = origin.unzip();
            growing.grown.walk.give_definition(program, origin, definition);
        }),
        _ if growing.is_broken => return Ok(()),
        SavedEntry::Steps(count, text) => {
            growing.skip = if written.aside { count } else { 0 };
            take(session, growing, text, count)
        }
        SavedEntry::Apply(text) if growing.single.is_some() => take_single(session, growing, text),
        SavedEntry::Apply(text) => take(session, growing, text, usize::MAX),
        SavedEntry::Single(left, text, first) => session.interpreter.strategy(text).and_then(|strategy| {
            let walk = Walk::new(growing.grown.walk.current()?.clone(), None);
            growing.single = Some(SingleSteps { strategy, first, left, walk, span: written.span });
            Ok(())
        }),
        SavedEntry::More(count) => {
            let answer = walk::go_on(&mut growing.grown.walk, StepGoal::Steps(count), session.interpreter.owner());
            growing.took(answer, count)
        }
        SavedEntry::Dropped => {
            growing.grown.drop_pending();
            Ok(())
        }
    };
    if done.is_err() && !matches!(entry, SavedEntry::Tag(..) | SavedEntry::Line(_) | SavedEntry::Statement(_)) {
        growing.is_broken = true;
    }
    if let Some(newest) = growing.grown.newest().filter(|_| entry.grows() && done.is_ok()) {
        growing.ends.insert(growing.part, newest);
    }
    done
}

/// A program, and the definition that says it, if one does.
type GivenProgram = (Program, Option<(DefinitionOrigin, Rc<Definition>)>);

/// The term that a part of a script gives; of one of a model its name, too. That model's definitions get names in lines, unless
/// the lines of an own session load it.
fn given(session: &mut Session, growing: &mut Restoration, text: &str, script: &Path) -> Result<GivenProgram, Trouble> {
    if let Some((path, name)) = of_model(text) {
        let found = session.host.files.find(&path, script);
        if growing.loads.is_some() {
            session.host.files.name(&found);
        }
        let model = models::model(session, &found)?;
        if growing.loads.is_none()
            && session.work.loaded.iter().all(|known| known.path != found)
            && let Response::Model(bound) = models::bind(session, &found, model.clone())?
        {
            growing.models.push(bound);
        }
        if let Some(definition) = model.definition(&name) {
            let program = definition.program(&session.host.budget())?;
            return Ok((program, Some((DefinitionOrigin { name, written: text.to_owned() }, definition.clone()))));
        }
    }
    match session.interpreter.eval_line(text)? {
        LineValue::Program { program, .. } => Ok((program, None)),
        _ => Err(Diagnostic::error(code::COMMAND, format!("`{text}` is no term")).into()),
    }
}

/// Carries out a statement, unless it says again what is known.
fn define(session: &mut Session, growing: &mut Restoration, text: &str) -> Result<(), Trouble> {
    if text.starts_with(':') {
        return match Command::parse(text)? {
            Command::Load(file) if let Some(load) = growing.loads => load(session, &file).map(drop),
            Command::Set(setting, value) if growing.loads.is_some() => limits::set(session, setting, &value).map(drop),
            _ => Err(Diagnostic::error(code::COMMAND, "a saved session holds no commands").into()),
        };
    }
    let key = match word(text) {
        "rule" | "strategy" => word(text[word(text).len()..].trim_start()).to_owned(),
        _ => text.to_owned(),
    };
    if growing.defined.get(&key).is_some_and(|known| known == text) {
        return Ok(());
    }
    session.interpreter.eval_line(text)?;
    // Of an own session every line that was typed stands there as well.
    if growing.loads.is_none() {
        session.statements.push(text.to_owned());
    }
    growing.defined.insert(key, text.to_owned());
    Ok(())
}

fn take(session: &mut Session, growing: &mut Restoration, text: &str, count: usize) -> Result<(), Trouble> {
    growing.grown.walk.current()?;
    let strategy = session.interpreter.strategy(text)?;
    let answer = walk::begin(&mut growing.grown.walk, &strategy, StepGoal::Steps(count), session.interpreter.owner());
    growing.took(answer, count)
}

fn take_single(session: &mut Session, growing: &mut Restoration, text: &str) -> Result<(), Trouble> {
    let strategy = session.interpreter.strategy(text)?;
    let Some(single) = &mut growing.single else { return Ok(()) };
    taken(walk::run(&mut single.walk, &strategy, StepGoal::All, session.interpreter.owner())?, usize::MAX)?;
    single.left -= 1;
    if single.left == 0 { growing.end_single() } else { Ok(()) }
}

impl Restoration {
    fn took(&mut self, answer: Result<walk::WalkAnswer, Trouble>, count: usize) -> Result<(), Trouble> {
        let before = self.grown.terms();
        let taken = taken(answer?, count);
        if self.grown.terms() > before {
            self.ends.insert(self.part, self.grown.terms() - 1);
        }
        taken
    }

    fn begin(&mut self, part: usize, from: Option<PartStep>) -> Result<(), Trouble> {
        self.part = part;
        self.ends.remove(&part);
        self.is_broken = false;
        let Some((of, step)) = from else { return Ok(()) };
        let found = self.ends.get(&of).copied().filter(|end| self.grown.go_on_from(*end, step));
        match found.and_then(|_| self.grown.walk.history().number()) {
            Some(end) => {
                self.ends.insert(part, end);
                Ok(())
            }
            None => Err(not_there((of, step)).help("what goes on from there isn't brought back").into()),
        }
    }

    fn tag(&mut self, name: &str, at @ (part, step): PartStep) -> Result<(), Trouble> {
        let end = self.ends.get(&part).copied();
        if !end.is_some_and(|end| self.grown.tag(name, end, step)) {
            return Err(not_there(at).into());
        }
        self.tags.push(name.to_owned());
        Ok(())
    }

    /// The steps that followed one by one are those of one run.
    fn end_single(&mut self) -> Result<(), Trouble> {
        let Some(SingleSteps { strategy, first, left, walk, span }) = self.single.take() else { return Ok(()) };
        if left > 0 && !self.is_broken {
            let lacks = format!("{} more should follow here", counted(left, "step"));
            self.wrong.push(Diagnostic::error(code::COMMAND, lacks).at(span, "can't be brought back whole"));
            self.is_broken = true;
        }
        let start = self.grown.walk.current()?.term.clone();
        let past = walk.history().past();
        let traces = past.iter().filter_map(|state| state.trace.as_ref());
        let steps: Vec<_> = traces.flat_map(|trace| trace.steps.iter().cloned()).collect();
        if !steps.is_empty() {
            self.grown.push(&strategy, first, Trace { start, steps })?;
            self.ends.insert(self.part, self.grown.terms() - 1);
        }
        Ok(())
    }
}

/// An error unless so many steps were taken, or, for `usize::MAX`, all that there are.
fn taken(answer: walk::WalkAnswer, count: usize) -> Result<(), Trouble> {
    let wrong = |text: String| Err(Diagnostic::error(code::COMMAND, text).into());
    match answer {
        walk::WalkAnswer::Run(run) if count == usize::MAX || run.trace.steps.len() == count => Ok(()),
        walk::WalkAnswer::Run(run) => {
            wrong(format!("`{}` takes only {} steps here", run.strategy, run.trace.steps.len()))
        }
        walk::WalkAnswer::Failed(failed) => wrong(format!("`{}` failed: {}", failed.strategy, failed.reason)),
        walk::WalkAnswer::Stopped(stopped) => Err(stopped.trouble),
        walk::WalkAnswer::Finished { strategy, .. } => wrong(format!("nothing is left of `{strategy}`")),
        _ => wrong("no step was taken".to_owned()),
    }
}

fn not_there(at: PartStep) -> Diagnostic {
    Diagnostic::error(code::COMMAND, format!("there is no {}", place(at)))
}

/// The finding, at the statement that it is about.
fn placed(why: Diagnostic, written: &SavedStatement) -> Diagnostic {
    let mut finding = Diagnostic::error(why.code, why.headline).at(written.span, "can't be brought back");
    finding.help = why.help;
    finding
}
