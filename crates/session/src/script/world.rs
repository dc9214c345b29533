//! A [`ScriptWorld`] holds what the functions of a schedule share: the host, the texts, the rules, the definitions, the counters.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use rhai::{Dynamic, Engine, EvalAltResult, NativeCallContext, Position};

use super::catalogue::Builtin;
use super::define::UserStrategy;
use super::host::Host;
use super::imports::Imports;
use super::libraries::{LoadingScript, ScriptCache};
use super::meter::ScriptMeter;
use super::prelude;
use super::read::ParsedDefinition;
use super::rule_names::RuleNames;
use super::schedules;
use redexter_language::check::Model;
use redexter_language::ground::{Diagnostic, SourceId, Sources, Span, StopReason, Trouble, name, text::word};
use redexter_rewriting::rule::{Rule, RuleBook, RuleInfo};
use redexter_rewriting::sound::{Templates, TestEffort};
use redexter_rewriting::strategy::Strategy;

/// An error on its way through Rhai.
pub(crate) type RhaiResult<T> = Result<T, Box<EvalAltResult>>;

/// A combinator or rule that needs arguments, without them.
#[derive(Clone, Debug)]
pub(crate) struct UnappliedStrategy {
    pub name: String,
    pub usage: String,
}

/// A definition in the text where it stands.
pub(crate) struct LocatedDefinition {
    pub source: SourceId,
    pub definition: ParsedDefinition,
}

impl LocatedDefinition {
    /// The whole statement, without its `;`.
    pub fn span(&self) -> Span {
        Span::new(self.source, self.definition.range.start, self.definition.range.end)
    }

    /// The name that it defines.
    pub fn name(&self) -> Span {
        Span::new(self.source, self.definition.at.start, self.definition.at.end)
    }
}

/// The state of the interpreter that functions of a schedule read and change.
pub(crate) struct ScriptWorld {
    pub host: Rc<dyn Host>,
    pub sources: Rc<RefCell<Sources>>,
    pub prelude: Rc<Model>,
    pub book: RuleBook,
    /// Counts what this world's scripts and those that they import use up.
    pub meter: Rc<ScriptMeter>,
    /// The scripts that are being loaded, the outermost first, where this world is one of theirs.
    pub loading: Vec<LoadingScript>,
    /// The scripts that were loaded; the session's interpreter owns them.
    pub libraries: Weak<ScriptCache>,
    /// What is imported so far.
    pub imports: RefCell<Imports>,
    /// The rule book and the user's rules, which shadow it.
    pub rules: RefCell<RuleNames>,
    pub definitions: RefCell<BTreeMap<String, Rc<UserStrategy>>>,
    /// The definitions of all texts so far, by the numbers that `read` gave them.
    pub written: RefCell<Vec<Rc<LocatedDefinition>>>,
    /// Where the texts in backticks of each text stand, those without code.
    pub texts_at: RefCell<BTreeMap<SourceId, Vec<Span>>>,
    /// Patterns and rules in place, by their text.
    pub in_place: RefCell<BTreeMap<String, Strategy>>,
    /// Where each function was defined.
    pub functions_of: RefCell<BTreeMap<String, SourceId>>,
    /// The arguments of the script that runs.
    pub arguments: RefCell<Vec<String>>,
    /// The text that runs.
    pub current: Cell<SourceId>,
    /// How deep the unfolding of definitions is.
    pub nesting: Cell<u32>,
    /// The engine that runs the functions of rules; the interpreter owns it.
    pub computing: RefCell<Weak<Engine>>,
    /// The terms on which rules without a pattern are tested; made when they are first needed.
    pub templates: OnceCell<Templates>,
    /// A rule is tested: nothing is printed.
    silent: Cell<bool>,
    /// Warnings about rules aren't told.
    pub(crate) unheard: Cell<bool>,
    /// How hard rules are tested when they are defined.
    pub effort: Cell<TestEffort>,
}

impl ScriptWorld {
    /// The rules that imports give, with the names by which they are typed, such as `lib.squash`.
    pub(super) fn imported_rules(&self) -> Vec<(String, Rc<RuleInfo>)> {
        let imports = self.imports.borrow();
        let rule = |shown: &str| {
            let own = shown.rsplit('.').next()?;
            let imported = imports.named(&shown.replacen('.', "_", 1))?;
            let info = imported.script.made().1.into_iter().find(|info| info.name.as_str() == own)?;
            Some((shown.to_owned(), info))
        };
        imports.shown().filter_map(rule).collect()
    }

    pub(crate) fn new(
        host: Rc<dyn Host>,
        sources: Rc<RefCell<Sources>>,
        prelude: Rc<Model>,
        book: RuleBook,
        libraries: &Rc<ScriptCache>,
    ) -> Rc<ScriptWorld> {
        let meter = Rc::new(ScriptMeter::new(host.budget()));
        ScriptWorld::with(host, sources, prelude, book, (meter, Vec::new(), Rc::downgrade(libraries)))
    }

    /// The world of a script that one of this world names.
    pub(crate) fn guest(&self, host: Rc<dyn Host>, loading: Vec<LoadingScript>) -> Rc<ScriptWorld> {
        let shared = (self.meter.clone(), loading, self.libraries.clone());
        ScriptWorld::with(host, self.sources.clone(), self.prelude.clone(), self.book.clone(), shared)
    }

    fn with(
        host: Rc<dyn Host>,
        sources: Rc<RefCell<Sources>>,
        prelude: Rc<Model>,
        book: RuleBook,
        (meter, loading, libraries): (Rc<ScriptMeter>, Vec<LoadingScript>, Weak<ScriptCache>),
    ) -> Rc<ScriptWorld> {
        Rc::new(ScriptWorld {
            host,
            sources,
            rules: RefCell::new(RuleNames::new(&book)),
            prelude,
            book,
            meter,
            loading,
            libraries,
            imports: RefCell::default(),
            definitions: RefCell::default(),
            written: RefCell::default(),
            texts_at: RefCell::default(),
            in_place: RefCell::default(),
            functions_of: RefCell::default(),
            arguments: RefCell::default(),
            current: Cell::new(SourceId(0)),
            nesting: Cell::new(0),
            computing: RefCell::default(),
            templates: OnceCell::new(),
            silent: Cell::new(false),
            unheard: Cell::new(false),
            effort: Cell::new(TestEffort::QUICK),
        })
    }

    /// A text begins to run.
    pub(crate) fn begin(&self, source: SourceId) {
        self.current.set(source);
        self.nesting.set(0);
        self.meter.begin(self.host.budget(), self.host.held());
    }

    /// A part of a text that is only looked at is evaluated.
    pub(crate) fn begin_dry(&self) {
        self.nesting.set(0);
        self.meter.begin_part();
    }

    /// Forgets what was running, for the case that a panic ended it.
    pub(crate) fn settle(&self) {
        self.silent.set(false);
        self.unheard.set(false);
        self.nesting.set(0);
        self.meter.settle();
    }

    /// Does something beside the text that runs: it prints nothing, and uses up nothing of the text's operations.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        let silent = self.silent.replace(true);
        let done = self.meter.aside(work);
        self.silent.set(silent);
        done
    }

    /// Is called before what takes long or changes something: a text that is only looked at comes no further.
    pub(crate) fn before_work(&self) -> RhaiResult<()> {
        match self.meter.dry.get() {
            true => Err(Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE))),
            false => Ok(()),
        }
    }

    /// What there is to warn of in a rule.
    pub(crate) fn warn(&self, finding: &Diagnostic) {
        if !self.unheard.get() {
            self.host.warn(finding);
        }
    }

    /// What a script prints.
    pub(crate) fn print(&self, text: &str) {
        if !(self.meter.dry.get() || self.silent.get() || self.meter.is_ended()) {
            self.host.print(text);
        }
    }

    /// A text that has to be whole. Rhai may drop the error that ended writing it: the reason is put off, and ends the script.
    pub(crate) fn whole<T>(&self, text: Result<T, StopReason>) -> RhaiResult<T> {
        text.map_err(|reason| {
            self.meter.put_off(&reason);
            stop(reason.into())
        })
    }

    /// One operation of Rhai is done.
    pub(crate) fn progress(&self) -> Option<StopReason> {
        self.meter.spend_one(self.host.held())
    }

    /// Something is done that takes as long as so many operations.
    pub(crate) fn work(&self, operations: u64) -> RhaiResult<()> {
        self.meter.spend(operations).map_or(Ok(()), |reason| Err(stop(reason.into())))
    }

    /// Calls a function on an engine that counts its calls from the first again: such calls nest no deeper than others.
    pub(crate) fn across<T>(&self, work: impl FnOnce() -> RhaiResult<T>) -> RhaiResult<T> {
        let done = self.meter.across(self.host.nesting().calls, work);
        done.unwrap_or_else(|| Err(Box::new(EvalAltResult::ErrorStackOverflow(Position::NONE))))
    }

    /// The value of a bare name that isn't a variable's.
    pub(crate) fn value_of(&self, name: &str) -> Option<Dynamic> {
        if name == "args" {
            let all: rhai::Array = self.arguments.borrow().iter().map(|a| Dynamic::from(a.clone())).collect();
            return Some(Dynamic::from(all));
        }
        let (constant, usage) = self.meaning(name)?;
        let written = usage.split('(').next().unwrap_or(name).to_owned();
        let unapplied = || Dynamic::from(UnappliedStrategy { name: written, usage });
        Some(constant.map_or_else(unapplied, Dynamic::from))
    }

    /// How a name that takes arguments is used.
    pub(crate) fn usage(&self, name: &str) -> Option<String> {
        self.meaning(name).map(|(_, usage)| usage)
    }

    /// The strategy that a name stands for, where it takes no arguments, and how it is used.
    fn meaning(&self, name: &str) -> Option<(Option<Strategy>, String)> {
        // In the order of shadowing: what the user defined comes first, what is there from the start last.
        if let Some(defined) = self.definitions.borrow().get(name) {
            return Some((defined.constant(), defined.usage()));
        }
        if let Some(imported) = self.imports.borrow().named(name).filter(|imported| imported.is_strategy()) {
            return Some((imported.constant(), imported.usage()));
        }
        if let Some(info) = self.rules.borrow().get(name) {
            let constant = info.params.is_empty().then(|| Strategy::rule(&Rule::new(info.clone(), &[])));
            return Some((constant, info.usage()));
        }
        if let Some(builtin) = self.builtin(name) {
            return Some((builtin.constant(), builtin.usage()));
        }
        if let Some(defined) = prelude::defined(self, name) {
            return Some((prelude::constant(self, name), defined.usage()));
        }
        schedules::general(self, name).map(|strategy| (Some(strategy), name.to_owned()))
    }

    /// What is built in under a name; `--bare` leaves out what the prelude derives.
    pub(crate) fn builtin(&self, name: &str) -> Option<Builtin> {
        Builtin::named(name).filter(|_| !self.host.bare() || !prelude::derives(name))
    }

    /// Every name that stands for a strategy, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.definitions.borrow().keys().cloned().collect();
        names.extend(self.rules.borrow().names().into_keys());
        names.extend(self.imports.borrow().shown().map(str::to_owned));
        names.extend(Builtin::all().filter(|(name, _)| self.builtin(name).is_some()).map(|(name, _)| name.to_owned()));
        if !self.host.bare() {
            names.extend(prelude::names().map(str::to_owned));
            names.push(schedules::GENERAL.to_owned());
        }
        names.sort();
        names.dedup();
        names
    }

    /// The names that stand behind a dot, with what stands before it: stages of the general schedule, and imports.
    pub(crate) fn members(&self) -> Vec<String> {
        let offers = schedules::general_script(self).map_or(Vec::new(), |script| script.offers());
        let stages = offers.iter().map(|offer| &offer.name).filter(|name| *name != schedules::GENERAL);
        let mut all: Vec<String> = stages.map(|name| format!("{}.{name}", schedules::GENERAL)).collect();
        all.extend(self.imports.borrow().shown().filter(|name| name.contains('.')).map(str::to_owned));
        all
    }

    /// A hint at the name nearest to one that isn't known.
    pub(crate) fn did_you_mean(&self, wanted: &str, more: &[String]) -> Option<String> {
        let names = self.names();
        name::did_you_mean(wanted, names.iter().chain(more).map(String::as_str))
    }

    /// The span of what stands at a position of a text.
    pub(crate) fn span(&self, source: SourceId, at: Position) -> Option<Span> {
        let sources = self.sources.borrow();
        let text = sources.get(source);
        let (before, line) = text.line(at.line()?).unwrap_or((text.text.len(), ""));
        let column = at.position().unwrap_or(1).saturating_sub(1);
        let offset = line.char_indices().nth(column).map_or(line.trim_end().len(), |(k, _)| k);
        // Rhai places what is wrong with a property at the dot before it.
        let offset = offset + usize::from(line[offset..].starts_with('.'));
        let rest = &line[offset..];
        let length = match word(rest).len() {
            0 if rest.starts_with("<+") || rest.starts_with(";;") => 2,
            0 => rest.chars().next().filter(|c| !c.is_whitespace()).map_or(0, char::len_utf8),
            word => word,
        };
        Some(Span::new(source, before + offset, before + offset + length))
    }

    /// A finding with its place, where that is known.
    pub(crate) fn placed(&self, finding: Diagnostic, source: SourceId, at: Position, label: &str) -> Diagnostic {
        match self.span(source, at) {
            Some(span) => finding.at(span, label),
            None => finding,
        }
    }

    /// The definition with this number.
    pub(crate) fn written(&self, number: i64) -> Option<Rc<LocatedDefinition>> {
        self.written.borrow().get(usize::try_from(number).ok()?).cloned()
    }

    /// The text in which a call stands.
    pub(crate) fn source_of(&self, context: &NativeCallContext) -> SourceId {
        source_named(context.call_source()).unwrap_or(self.current.get())
    }
}

/// The name under which Rhai knows a text.
pub(crate) fn source_name(source: SourceId) -> String {
    source.0.to_string()
}

/// The text behind such a name.
pub(crate) fn source_named(name: Option<&str>) -> Option<SourceId> {
    name.and_then(|name| name.parse().ok()).map(SourceId)
}

/// A finding, as an error of Rhai; the place is filled in where it is known.
pub(crate) fn fail(finding: Diagnostic) -> Box<EvalAltResult> {
    stop(Trouble::from(finding))
}

/// Trouble, as an error of Rhai. A script can catch what is wrong, but no limit.
pub(crate) fn stop(trouble: Trouble) -> Box<EvalAltResult> {
    Box::new(match trouble {
        stopped @ Trouble::Stopped { .. } => EvalAltResult::ErrorTerminated(Dynamic::from(stopped), Position::NONE),
        wrong => EvalAltResult::ErrorRuntime(Dynamic::from(wrong), Position::NONE),
    })
}
