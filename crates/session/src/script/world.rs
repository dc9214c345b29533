//! A [`ScriptWorld`] holds what the functions of a schedule share: the host, the texts, the rules, the definitions, the counters.

use std::cell::{Cell, OnceCell, Ref, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use rhai::{Dynamic, Engine, EvalAltResult, NativeCallContext, Position};
use rustc_hash::FxHashMap;

use super::definitions::{LocatedDefinition, UserStrategy};
use super::errors::{RhaiResult, source_named, stop};
use super::host::Host;
use super::imports::Imports;
use super::loaded::{LoadedScript, LoadingScript, ScriptCache, ScriptFile};
use super::meter::ScriptMeter;
use super::rule_names::RuleNames;
use redexter_language::check::Model;
use redexter_language::ground::{Diagnostic, SourceId, Sources, Span, StopReason, Trouble, text::word};
use redexter_rewriting::rule::RuleBook;
use redexter_rewriting::sound::{SoundnessVerdict, Templates, TestEffort};
use redexter_rewriting::strategy::Strategy;

/// A combinator or rule that needs arguments, without them.
#[derive(Clone, Debug)]
pub(crate) struct UnappliedStrategy {
    pub name: String,
    pub usage: String,
}

/// What runs a script that another one names for what it defines, or only looks at it. That takes an interpreter.
pub(crate) type ScriptRunner =
    fn(&ScriptWorld, ScriptFile, Vec<LoadingScript>, String, bool) -> Result<Rc<LoadedScript>, Trouble>;

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
    pub run: ScriptRunner,
    pub named: RefCell<DefinedNames>,
    pub texts: RefCell<ReadTexts>,
    /// Patterns and rules in place, by their text.
    pub in_place: RefCell<BTreeMap<String, Strategy>>,
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
    /// What testing rules with the usual effort has come to, by all that their texts say: a text that is read again, for
    /// example to see whether a remedy helps, has them tested once.
    pub tested: RefCell<FxHashMap<String, SoundnessVerdict>>,
    pub testing: Cell<RuleTesting>,
}

/// What the texts so far define and import.
#[derive(Clone)]
pub(crate) struct DefinedNames {
    pub imports: Imports,
    /// The rule book and the user's rules, which shadow it.
    pub rules: RuleNames,
    pub definitions: BTreeMap<String, Rc<UserStrategy>>,
    /// Where each function was defined.
    pub functions_of: BTreeMap<String, SourceId>,
}

/// What was found in the texts so far when they were read.
#[derive(Default)]
pub(crate) struct ReadTexts {
    /// Their definitions, by the numbers that `read` gave them.
    pub written: Vec<Rc<LocatedDefinition>>,
    /// Where the texts in backticks of each stand, those without code.
    pub ticked: BTreeMap<SourceId, Vec<Span>>,
}

/// How rules are tested when they are defined, and what is told of it.
#[derive(Clone, Copy)]
pub(crate) struct RuleTesting {
    /// A rule is tested: nothing is printed.
    pub silent: bool,
    /// Warnings about rules aren't told.
    pub unheard: bool,
    pub effort: TestEffort,
}

impl ScriptWorld {
    pub(crate) fn new(
        host: Rc<dyn Host>,
        sources: Rc<RefCell<Sources>>,
        prelude: Rc<Model>,
        book: RuleBook,
        (libraries, run): (&Rc<ScriptCache>, ScriptRunner),
    ) -> Rc<ScriptWorld> {
        let meter = Rc::new(ScriptMeter::new(host.budget()));
        ScriptWorld::with(host, sources, prelude, book, (meter, Vec::new(), Rc::downgrade(libraries), run))
    }

    /// The world of a script that one of this world names.
    pub(crate) fn guest(&self, host: Rc<dyn Host>, loading: Vec<LoadingScript>) -> Rc<ScriptWorld> {
        let shared = (self.meter.clone(), loading, self.libraries.clone(), self.run);
        ScriptWorld::with(host, self.sources.clone(), self.prelude.clone(), self.book.clone(), shared)
    }

    fn with(
        host: Rc<dyn Host>,
        sources: Rc<RefCell<Sources>>,
        prelude: Rc<Model>,
        book: RuleBook,
        (meter, loading, libraries, run): (Rc<ScriptMeter>, Vec<LoadingScript>, Weak<ScriptCache>, ScriptRunner),
    ) -> Rc<ScriptWorld> {
        Rc::new(ScriptWorld {
            host,
            sources,
            named: RefCell::new(DefinedNames {
                imports: Imports::default(),
                rules: RuleNames::new(&book),
                definitions: BTreeMap::new(),
                functions_of: BTreeMap::new(),
            }),
            prelude,
            book,
            meter,
            loading,
            libraries,
            run,
            texts: RefCell::default(),
            in_place: RefCell::default(),
            arguments: RefCell::default(),
            current: Cell::new(SourceId(0)),
            nesting: Cell::new(0),
            computing: RefCell::default(),
            templates: OnceCell::new(),
            tested: RefCell::default(),
            testing: Cell::new(RuleTesting { silent: false, unheard: false, effort: TestEffort::QUICK }),
        })
    }

    pub(crate) fn imports(&self) -> Ref<'_, Imports> {
        Ref::map(self.named.borrow(), |named| &named.imports)
    }

    /// The rule book and the user's rules.
    pub(crate) fn rule_names(&self) -> Ref<'_, RuleNames> {
        Ref::map(self.named.borrow(), |named| &named.rules)
    }

    /// The user's strategies.
    pub(crate) fn definitions(&self) -> Ref<'_, BTreeMap<String, Rc<UserStrategy>>> {
        Ref::map(self.named.borrow(), |named| &named.definitions)
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
        self.testing.set(RuleTesting { silent: false, unheard: false, ..self.testing.get() });
        self.nesting.set(0);
        self.meter.settle();
    }

    /// Does something beside the text that runs: it prints nothing, and uses up nothing of the text's operations.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        let RuleTesting { silent, .. } = self.testing.get();
        self.testing.set(RuleTesting { silent: true, ..self.testing.get() });
        let done = self.meter.aside(work);
        self.testing.set(RuleTesting { silent, ..self.testing.get() });
        done
    }

    /// Is called before what takes long or changes something: a text that is only looked at comes no further.
    pub(crate) fn before_work(&self) -> RhaiResult<()> {
        match self.meter.dry.get() {
            true => Err(Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE))),
            false => Ok(()),
        }
    }

    /// What there is to warn of, unless nobody wrote the text.
    pub(crate) fn warn(&self, finding: &Diagnostic) {
        if !self.testing.get().unheard {
            self.host.warn(finding);
        }
    }

    /// What a script prints.
    pub(crate) fn print(&self, text: &str) {
        if !(self.meter.dry.get() || self.testing.get().silent || self.meter.is_ended()) {
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

    /// The span of what stands at a position of a text.
    pub(crate) fn span(&self, source: SourceId, at: Position) -> Option<Span> {
        let sources = self.sources.borrow();
        let text = sources.get(source);
        let (before, line) = text.line(at.line()?).unwrap_or((text.text.len(), ""));
        let offset = at.line().and_then(|line| text.offset(line, at.position().unwrap_or(1)));
        let offset = offset.map_or(line.trim_end().len(), |offset| offset - before);
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
        self.texts.borrow().written.get(usize::try_from(number).ok()?).cloned()
    }

    /// The text in which a call stands.
    pub(crate) fn source_of(&self, context: &NativeCallContext) -> SourceId {
        source_named(context.call_source()).unwrap_or(self.current.get())
    }
}
