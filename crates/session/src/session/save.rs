//! Writes a session as a script that does again what was done.
//!
//! Terms that a model defines are loaded again, others are written out. A strategy is written as it prints, after the
//! rules and strategies of the user that it needs; where it can't be written so (because a definition was made for a
//! number, or two definitions share a name) its steps are, and the term after a step of a rule that can't be.
//!
//! What else was reached is told in comments, in parts: a part begins with a term that was given, or behind a place in an
//! earlier part. `restore` reads them.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use super::host::Allowance;
use super::limits::commands_between;
use super::prerequisites::{DefinitionContext, Prerequisites, written};
use super::response::{Response, SessionResult};
use super::saved_entry::{PartStep, SavedEntry, of_model};
use super::state::{BoundModel, Session};
use super::system::FileKind;
use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, Diagnostic, Limits, code};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::Program;
use redexter_rewriting::strategy::Strategy;
use redexter_telling::walk::{self, Arrival, DefinitionOrigin, History, HistorySegment, HistoryState};

/// How such a script begins.
pub const TITLE: &str = "// What a session of redexter did.";

/// Lines that begin so are comments to a script.
pub const ASIDE_PREFIX: &str = "//: ";

/// What the lines that begin with [`ASIDE_PREFIX`] are for.
const GUIDE: &str =
    "// What stands behind `//:` is brought back, too, by `:load` at the prompt and by `redexter repl`.";

/// The purpose for which a session is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SavePurpose {
    /// A script that does again what led to the current term, and can be run.
    Script,
    /// The same, only to be read back: nothing in it is for a script.
    Session,
}

/// The script that leads to the current term from the last term that was given, with everything else that was reached in
/// comments. Only a session has limits and lines that no run needed.
fn script(session: &Session, purpose: SavePurpose) -> String {
    let (history, around) = (session.work.walk.history(), DefinitionContext::of(&session.interpreter));
    let mut writer = SessionWriter {
        text: String::new(),
        defined: vec![SavedDefinition { name: "current".to_owned(), text: "let current".to_owned(), in_script: true }],
        around: &around,
        history,
        models: &session.work.loaded,
        places: BTreeMap::new(),
        part: 0,
        step: 0,
        aside: false,
        purpose,
        has_asides: false,
    };
    let of_session = purpose == SavePurpose::Session;
    let (first, last) = limits_of(session);
    if of_session {
        first.iter().for_each(|line| writer.put_aside(line));
    }
    let parts = walk::segments(history);
    let several = parts.len() > 1;
    for part in &parts {
        writer.part(part, several);
    }
    writer.whereabouts();
    if of_session {
        session.statements.iter().for_each(|line| writer.tell(SavedEntry::Line(line.clone())));
        last.iter().for_each(|line| writer.put_aside(line));
    }
    let guide = if writer.has_asides { format!("{GUIDE}\n") } else { String::new() };
    format!("{TITLE}\n{guide}{}", writer.text)
}

pub(super) fn written_out(program: &Program) -> String {
    let text = print_term(&program.term, &PrintStyle { width: usize::MAX });
    format!("term({})", serde_json::Value::from(text))
}

/// The definition of a model that gave a term, unless the model was loaded again and defines another term.
fn named<'a>(origin: &'a DefinitionOrigin, program: &Program, models: &[BoundModel]) -> Option<&'a str> {
    let (path, name) = of_model(&origin.written)?;
    let model = models.iter().find(|model| model.path == path);
    let is_it = |model: &BoundModel| model.programs.iter().any(|(own, known)| own.as_str() == name && known == program);
    model.is_none_or(is_it).then_some(&origin.written)
}

/// A name that is defined in what is written so far.
struct SavedDefinition {
    name: String,
    text: String,
    /// The script sees it, too.
    in_script: bool,
}

/// Writes the parts of a session's history, and remembers what is defined and where states stand.
struct SessionWriter<'a> {
    text: String,
    defined: Vec<SavedDefinition>,
    around: &'a DefinitionContext,
    history: &'a History,
    models: &'a [BoundModel],
    /// Where the states that are written stand: the part, and the step of its derivation.
    places: BTreeMap<usize, PartStep>,
    /// The part that is written, and the steps so far of its derivation.
    part: usize,
    step: usize,
    /// What is written is a comment to a script.
    aside: bool,
    purpose: SavePurpose,
    /// There are comments to read back.
    has_asides: bool,
}

impl SessionWriter<'_> {
    fn put(&mut self, line: &str) {
        match self.aside {
            true => self.put_aside(line),
            false => self.text.extend([line, "\n"]),
        }
    }

    /// Puts an entry where only a session that is brought back sees it.
    fn tell(&mut self, entry: SavedEntry<'_>) {
        self.put_aside(&entry.to_string());
    }

    fn put_aside(&mut self, text: &str) {
        self.has_asides = true;
        for line in text.lines() {
            self.text.extend([ASIDE_PREFIX, line, "\n"]);
        }
    }

    fn part(&mut self, part: &HistorySegment, several: bool) {
        self.aside = !part.is_main || self.purpose == SavePurpose::Session;
        let from = part.from.and_then(|from| self.places.get(&from).copied());
        self.begin(from, several);
        let mut rest = &part.states[..];
        while let Some((first, after)) = rest.split_first() {
            let state = self.history.state(*first);
            let more = after.iter().take_while(|at| self.history.state(**at).goes_on()).count();
            let (group, others) = rest.split_at(1 + more);
            rest = others;
            match &state.how {
                Arrival::Given(origin) => {
                    let named = origin.as_ref().and_then(|origin| named(origin, &state.program, self.models));
                    let term = named.map_or_else(|| written_out(&state.program), str::to_owned);
                    self.put(&format!("let {}", SavedEntry::Give(&term)));
                    self.step = 0;
                    self.places.insert(*first, (self.part, self.step));
                }
                Arrival::Taken { strategy, .. } => self.run(strategy, group),
            }
        }
        if part.is_main && !self.aside {
            self.put(&SavedEntry::Print.to_string());
        }
    }

    /// A part begins, behind a place in another one.
    fn begin(&mut self, from: Option<PartStep>, told: bool) {
        self.part += 1;
        self.step = from.map_or(0, |(_, step)| step);
        if told {
            self.tell(SavedEntry::Part(self.part, from));
        }
    }

    /// Writes the definitions that aren't there yet. None where a name would have two meanings.
    fn define(&mut self, needed: Prerequisites) -> Option<()> {
        if needed.found.iter().any(|(name, definition)| self.clashes(name, definition)) {
            return None;
        }
        for (name, text) in needed.found {
            let newest = |in_script: bool| {
                let mut known = self.defined.iter().rev().filter(|known| known.in_script || !in_script);
                known.find(|known| known.name == name).is_some_and(|known| known.text == text)
            };
            let in_script = !self.aside && !newest(true);
            if in_script || !newest(false) {
                // One import gives many names, and the prelude is there.
                let imported = text.starts_with("import")
                    && self.defined.iter().any(|known| known.text == text && (known.in_script || !in_script));
                if !text.is_empty() && !imported {
                    match (in_script, text.contains('\n')) {
                        (true, _) => self.put(&text),
                        (false, true) => self.tell(SavedEntry::Definition(text.clone())),
                        (false, false) => self.put_aside(&text),
                    }
                }
                self.defined.push(SavedDefinition { name, text, in_script });
            }
        }
        Some(())
    }

    /// Whether a name can't get this meaning: what is imported has it in the whole script, and what is there from the
    /// start only where nothing else has its name.
    fn clashes(&self, name: &str, definition: &str) -> bool {
        let import = |text: &str| text.starts_with("import");
        let mut others = self.defined.iter().filter(|known| known.name == name && known.text != definition);
        others.any(|known| import(&known.text) || import(definition) || definition.is_empty())
    }

    /// A strategy as it is written behind the definitions that it needs. None where it can't be.
    fn define_for(&mut self, strategy: &Strategy) -> Option<String> {
        let text = written(strategy)?;
        let mut needed = Prerequisites::new(self.around);
        needed.strategy(strategy)?;
        self.define(needed)?;
        Some(text)
    }

    /// Writes the part of a run that led to these states, one behind another.
    fn run(&mut self, strategy: &Strategy, group: &[usize]) {
        let states: Vec<&HistoryState> = group.iter().map(|at| self.history.state(*at)).collect();
        let begins = !states[0].goes_on();
        let ends = states[states.len() - 1].is_end_of_run();
        let steps: usize = states.iter().map(|state| state.steps()).sum();
        let is_settled = states.iter().all(|state| state.is_settled);
        let strategy = match self.define_for(strategy) {
            Some(strategy) if is_settled => strategy,
            strategy => return self.single_steps(strategy.as_deref(), group),
        };
        match (begins, ends) {
            (true, true) => self.put(&SavedEntry::Apply(&strategy).to_string()),
            (true, false) => self.tell(SavedEntry::Steps(steps, &strategy)),
            (false, true) => self.tell(SavedEntry::More(usize::MAX)),
            (false, false) => self.tell(SavedEntry::More(steps)),
        }
        if !(begins && ends || self.aside) {
            for state in &states {
                self.lines_of(state).into_iter().for_each(|(line, _)| self.put(&line));
            }
        }
        if !ends && states[states.len() - 1].run.is_none() {
            self.tell(SavedEntry::Dropped);
        }
        self.passed(group);
    }

    /// Notes the places of these states, whose steps are written.
    fn passed(&mut self, group: &[usize]) {
        for at in group {
            self.step += self.history.state(*at).steps();
            self.places.insert(*at, (self.part, self.step));
        }
    }

    /// The steps of these states one by one, told as what a strategy did where that has a name here.
    fn single_steps(&mut self, strategy: Option<&str>, group: &[usize]) {
        let lines: Vec<Vec<(String, bool)>> = group.iter().map(|at| self.lines_of(self.history.state(*at))).collect();
        let count: usize = lines.iter().map(Vec::len).sum();
        if let Some(strategy) = strategy.filter(|_| lines.iter().flatten().all(|(_, is_step)| *is_step)) {
            self.tell(SavedEntry::Single(count, strategy, !self.history.state(group[0]).goes_on()));
        }
        for (at, lines) in group.iter().zip(lines) {
            for (line, is_step) in lines {
                if is_step {
                    self.step += 1;
                } else {
                    self.begin(Some((self.part, self.step)), true);
                    self.step = 0;
                }
                self.put(&line);
            }
            self.places.insert(*at, (self.part, self.step));
        }
    }

    /// A line for each of the steps that led to a state, and whether it takes that step; else it gives the term after it.
    fn lines_of(&mut self, state: &HistoryState) -> Vec<(String, bool)> {
        let Some(trace) = &state.trace else { return Vec::new() };
        let mut lines = Vec::new();
        for (step, before, after) in trace.rewrites() {
            let (rule, path) = (step.rule(), step.path().display(&before));
            let mut needed = Prerequisites::new(self.around);
            lines.push(match needed.rule(rule).and_then(|()| self.define(needed)) {
                None => (SavedEntry::Give(&written_out(&state.program.with(after))).to_string(), false),
                Some(()) if path.is_empty() => (SavedEntry::Apply(&rule.to_string()).to_string(), true),
                Some(()) => (SavedEntry::Apply(&format!("at(\"{path}\", {rule})")).to_string(), true),
            });
        }
        lines
    }

    /// The tags, and where the current term stands unless that is at the end of the only part.
    fn whereabouts(&mut self) {
        let place = |at: usize| self.places.get(&at).copied();
        let tags =
            self.history.tagged_states().filter_map(|(name, at)| Some(SavedEntry::Tag(name, place(at)?).to_string()));
        let mut lines: Vec<String> = tags.collect();
        if let Some((here, end)) = self.history.here()
            && let (Some(now), Some(way)) = (place(here), place(end))
            && self.part > 1
        {
            lines.push(SavedEntry::Now(now, (here != end).then_some(way)).to_string());
        }
        lines.iter().for_each(|line| self.put_aside(line));
    }
}

/// While a session is written down after a line, its budget's watch may be asked so often: once in 256 pieces of text.
const MAX_SAVE_ASKS: u64 = 7_800;

pub(super) fn save(session: &mut Session, path: &Path) -> SessionResult {
    session.current()?;
    let path = &if path.extension().is_none() { path.with_extension("strat") } else { path.to_owned() };
    may_save_to(session, path)?;
    let text = session.writing(|| script(session, SavePurpose::Script))?;
    session.host.files.rewrite_named(path, text.as_bytes())?;
    Ok(Response::Written(path.to_owned()))
}

/// Refuses to write over what a user wrote.
fn may_save_to(session: &Session, path: &Path) -> Result<(), Diagnostic> {
    let wrong = |why: &str| Diagnostic::error(code::COMMAND, format!("`{}` {why}", path.display()));
    if path.extension().is_some_and(|extension| extension != "strat") {
        return Err(wrong("is no script's name").help("scripts end in `.strat`"));
    }
    let files = &session.host.files;
    let is_file = files.system.kind(path) == Some(FileKind::File);
    let is_saved = || files.system.read(path).is_ok_and(|text| text.starts_with(TITLE.as_bytes()));
    match is_file && !files.forced.get() && !is_saved() {
        true => Err(wrong("has something else than a saved session")
            .help("save to another file, or write `--force` to replace it")),
        false => Ok(()),
    }
}

/// The whole session, to be read back; empty where nothing was done. None where that is too long to be written after each
/// line.
pub fn saved(session: &Session) -> Option<String> {
    match session.work.walk.current().is_err() && session.statements.is_empty() && session.work.widest.is_none() {
        true => Some(String::new()),
        false => {
            let short = Budget::default().asked_at_most(MAX_SAVE_ASKS, Rc::default());
            within(short, || script(session, SavePurpose::Session)).ok()
        }
    }
}

/// The commands that set limits: those that the runs needed come before them, the time that they may take together behind them.
fn limits_of(session: &Session) -> (Vec<String>, Vec<String>) {
    let Allowance { limits: now, timeout, memory } = session.host.allowance();
    let widest = session.work.widest.unwrap_or(now);
    let mut last = commands_between(widest, now);
    last.extend(timeout.map(|time| format!(":set timeout {}", time.as_secs_f64())));
    last.extend(memory.map(|bytes| format!(":set max-memory {}", bytes >> 20)));
    (commands_between(Limits::default(), widest), last)
}
