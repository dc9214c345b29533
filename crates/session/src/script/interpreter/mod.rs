//! An [`Interpreter`] runs scripts, lines of the REPL and strategies of the command line, on one engine and in one scope that
//! lasts.

mod bring_in;
mod guest;
mod guides;
mod lines;
mod names;
mod variables;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::{AST, Dynamic, Engine, Scope};
use rustc_hash::FxHashSet;

pub use self::lines::LineValue;
pub use self::names::StrategySummary;
use self::variables::Variables;
use super::abstract_run::foresee;
use super::combinators::{self, teach};
use super::definitions::LocatedDefinition;
use super::engine::engine;
use super::errors::source_name;
use super::host::Host;
use super::imports::ReadPurpose;
use super::lint;
use super::loaded::{LoadingScript, ScriptCache};
use super::meanings;
use super::outline::{self, ScriptOutline};
use super::read::{ParsedDefinition, PreparedText, RightSide, TextKind, kind_of, read};
use super::terms::TermValue;
use super::trouble;
use super::world::{DefinedNames, RuleTesting, ScriptWorld};
use redexter_language::check::Model;
use redexter_language::format::ScriptStatement;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Diagnostic, SourceId, Sources, Span, Trouble, code};
use redexter_rewriting::rule::RuleBook;
use redexter_rewriting::sound::TestEffort;
use redexter_rewriting::strategy::{Strategy, StrategyArgument, endless};

/// Runs schedules. Variables, definitions, rules and functions last from one text to the next.
pub struct Interpreter {
    pub(super) engine: Engine,
    /// A second engine, for the functions of rules, which may run while the first one does.
    pub(super) computing: Option<Rc<Engine>>,
    /// The definitions of all texts so far that take parameters.
    callables: Vec<(String, usize)>,
    /// The imported names that the engine was taught, with their numbers of arguments.
    pub(super) imported: BTreeSet<(String, usize)>,
    /// What the last text says at its top.
    pub(super) outline: ScriptOutline,
    variables: Variables,
    /// Strategies and rules that the last text defined.
    defined: Vec<ParsedDefinition>,
    /// How many variables there were before it.
    known: usize,
    pub(super) functions: AST,
    pub(super) world: Rc<ScriptWorld>,
    /// The scripts that were imported, where this interpreter is the session's.
    _libraries: Rc<ScriptCache>,
}

/// A snapshot of what lasts in an interpreter.
pub struct InterpreterState {
    named: DefinedNames,
    written: usize,
    variables: VariablesBefore,
    functions: AST,
}

/// The variables of a snapshot.
enum VariablesBefore {
    All(Scope<'static>),
    /// How many there were, and the values of those that a line mentions: it changes no others, of which there may be many.
    Mentioned(usize, Vec<(String, Dynamic)>),
}

/// A line that can be run: it is well-formed, and its names are known.
pub struct CompiledLine {
    source: SourceId,
    definitions: Vec<ParsedDefinition>,
    ast: AST,
    /// The findings for its last statement: they count where its value is a strategy and isn't wanted.
    dropped: Vec<Diagnostic>,
}

/// The strategies that a script defines, as far as they are known without running it.
pub struct ScriptStrategies {
    /// Those without parameters, with their names, in order.
    pub strategies: Vec<(String, Strategy)>,
    /// What is wrong with other definitions.
    pub wrong: Vec<Diagnostic>,
}

impl Interpreter {
    /// An interpreter that knows this library and these rules. `sources` gets every text that is run.
    pub fn new(host: Rc<dyn Host>, sources: Rc<RefCell<Sources>>, prelude: Rc<Model>, book: RuleBook) -> Interpreter {
        let libraries = Rc::new(ScriptCache::default());
        Interpreter::of(ScriptWorld::new(host, sources, prelude, book, (&libraries, guest::run)), libraries)
    }

    /// An interpreter for a script that another one names.
    pub(super) fn guest(host: Rc<dyn Host>, world: &ScriptWorld, loading: Vec<LoadingScript>) -> Interpreter {
        Interpreter::of(world.guest(host, loading), Rc::default())
    }

    fn of(world: Rc<ScriptWorld>, libraries: Rc<ScriptCache>) -> Interpreter {
        let engine = engine(&world);
        Interpreter {
            engine,
            computing: None,
            callables: Vec::new(),
            imported: BTreeSet::new(),
            outline: ScriptOutline::default(),
            variables: Variables::default(),
            defined: Vec::new(),
            known: 0,
            functions: AST::empty(),
            world,
            _libraries: libraries,
        }
    }

    /// Runs a script; `args` are its arguments.
    pub fn run_script(&mut self, name: &str, text: &str, args: &[String]) -> Result<(), Trouble> {
        *self.world.arguments.borrow_mut() = args.to_vec();
        self.run(name, text, TextKind::Script, false).map(|_| ())
    }

    /// Does something that leaves everything as it was where it fails.
    pub fn attempt<T>(&mut self, work: impl FnOnce(&mut Interpreter) -> Result<T, Trouble>) -> Result<T, Trouble> {
        let before = self.state();
        let done = work(self);
        if done.is_err() {
            self.go_back(before);
        }
        done
    }

    /// Does something that leaves everything as it was, whatever comes of it.
    fn trial<T>(&mut self, work: impl FnOnce(&mut Interpreter) -> T) -> T {
        let before = self.state();
        let done = work(self);
        self.go_back(before);
        done
    }

    /// Takes a snapshot of what lasts.
    pub fn state(&self) -> InterpreterState {
        self.state_with(VariablesBefore::All(self.variables.copy()))
    }

    /// Takes one to go back behind a line of the REPL.
    pub fn state_before(&self, line: &str) -> InterpreterState {
        // `f!()` lets a function change what its own text mentions.
        if line.contains('!') {
            return self.state();
        }
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mentioned = words.filter_map(|word| Some((word.to_owned(), self.variables.get(word)?.clone())));
        self.state_with(VariablesBefore::Mentioned(self.variables.len(), mentioned.collect()))
    }

    fn state_with(&self, variables: VariablesBefore) -> InterpreterState {
        let world = &self.world;
        InterpreterState {
            named: world.named.borrow().clone(),
            written: world.texts.borrow().written.len(),
            variables,
            functions: self.functions.clone(),
        }
    }

    /// Restores a snapshot.
    pub fn go_back(&mut self, before: InterpreterState) {
        let world = &self.world;
        *world.named.borrow_mut() = before.named;
        world.texts.borrow_mut().written.truncate(before.written);
        self.functions = before.functions;
        match before.variables {
            VariablesBefore::All(scope) => self.variables.restore(scope),
            VariablesBefore::Mentioned(count, values) => {
                self.variables.rewind(count);
                for (name, value) in values {
                    // A constant is what it was.
                    if let Some(now) = self.variables.get_mut(&name) {
                        *now = value;
                    }
                }
            }
        }
    }

    /// Forgets what was going on, for the case that a panic ended it.
    pub fn settle(&self) {
        self.world.settle();
    }

    /// Finds what is wrong with a script as far as that can be seen without running it. Nothing that it defines stays.
    pub fn check_script(&mut self, name: &str, text: &str) -> Result<(), Trouble> {
        self.check(name, text, TextKind::Script, false)
    }

    /// The same for a text that nobody wrote: what there is to warn of isn't told.
    pub fn accepts_script(&mut self, text: &str) -> Result<(), Trouble> {
        self.unheard(|interpreter| interpreter.check("<remedy>", text, TextKind::Script, false))
    }

    fn unheard<T>(&mut self, work: impl FnOnce(&mut Interpreter) -> T) -> T {
        let before = self.world.testing.get();
        self.world.testing.set(RuleTesting { unheard: true, ..before });
        let done = work(self);
        self.world.testing.set(before);
        done
    }

    /// Rules are tested with this effort when they are defined; beyond the usual one, what is found of each is printed.
    pub fn test_rules(&self, effort: TestEffort) {
        self.world.testing.set(RuleTesting { effort, ..self.world.testing.get() });
    }

    /// Whether a line of the REPL says something, as far as that can be seen without running it.
    pub fn accepts_line(&mut self, line: &str) -> bool {
        self.unheard(|interpreter| interpreter.check("<remedy>", line, kind_of(line), true)).is_ok()
    }

    /// `line`: the text's value is wanted.
    fn check(&mut self, name: &str, text: &str, kind: TextKind, line: bool) -> Result<(), Trouble> {
        self.trial(|interpreter| interpreter.checked(name, text, kind, line))
    }

    /// The same as checking a script, but what it defines stays, as far as it is known without running it.
    pub(super) fn look_at(&mut self, name: &str, text: &str) -> Result<(), Trouble> {
        self.checked(name, text, TextKind::Script, false)
    }

    fn checked(&mut self, name: &str, text: &str, kind: TextKind, line: bool) -> Result<(), Trouble> {
        let (source, reading) = self.read(name, text, kind, ReadPurpose::Check)?;
        let ast = self.parse(source, &reading)?;
        let mut wrong = self.unknown_names(source, &reading, &ast);
        let names = lint::StrategyNames::of(&self.world, &reading.definitions, &ast);
        let unused = lint::unused(&self.world, source, &reading, &ast, &names).into_iter();
        wrong.extend(unused.filter(|unused| !line || !unused.last).map(|unused| unused.finding));
        for function in ast.iter_functions() {
            self.world.named.borrow_mut().functions_of.insert(function.name.to_owned(), source);
        }
        let in_place = self.world.in_place.borrow().clone();
        let terms = if line { self.terms_in(text) } else { Vec::new() };
        let found = foresee(&self.engine, &self.world, (source, &ast), &reading.definitions, terms);
        *self.world.in_place.borrow_mut() = in_place;
        self.warn_of_endless(source, &reading.definitions);
        match found {
            // An unknown name is also met where it is used.
            Err(Trouble::Wrong(more)) => {
                let known: Vec<Option<Span>> = wrong.iter().map(Diagnostic::place).collect();
                wrong.extend(more.into_iter().filter(|finding| !known.contains(&finding.place())));
            }
            done => done?,
        }
        wrong.order_by_key(|finding| finding.place().map(|span| (span.source, span.start)));
        if wrong.is_empty() { Ok(()) } else { Err(Trouble::Wrong(wrong)) }
    }

    /// The terms that the variables stand for which a line mentions.
    fn terms_in(&self, line: &str) -> Vec<(String, Dynamic)> {
        let words: BTreeSet<&str> = outline::words(line).map(|(word, _)| word).collect();
        let known = words.into_iter().filter_map(|word| Some((word.to_owned(), self.variables.get(word)?.clone())));
        known.filter(|(_, value)| value.is::<TermValue>()).collect()
    }

    /// Warns of the definitions of a text that begin with themselves, whatever they are given.
    fn warn_of_endless(&self, source: SourceId, written: &[ParsedDefinition]) {
        if self.world.testing.get().unheard {
            return;
        }
        let definitions = self.world.definitions();
        let mut apart = FxHashSet::default();
        // What a definition uses mostly stands before it, and was looked into by then.
        for ParsedDefinition { name, at, .. } in written {
            let Some(defined) = definitions.get(name) else { continue };
            let place = defined.statement.written.name();
            if (place.source, place.start as usize) != (source, at.start) {
                continue;
            }
            for definition in defined.definitions() {
                let open = definition.params.iter().map(|_| Strategy::free(self.world.meter.serial()));
                let used = Strategy::named(&definition, open.map(StrategyArgument::Strategy).collect());
                if let Some(finding) = endless(&used, &mut apart) {
                    self.world.warn(&finding.at(place, "defined here"));
                    break;
                }
            }
        }
    }

    /// The strategies without parameters that a script defines, in order, as far as they are known without running it, and what
    /// is wrong with the others. That one can't end isn't wrong here. Nothing that the script defines stays.
    pub fn strategies_of(&mut self, name: &str, text: &str) -> Result<ScriptStrategies, Trouble> {
        self.trial(|interpreter| {
            let wrong = match interpreter.checked(name, text, TextKind::Script, false) {
                Err(Trouble::Wrong(all)) => {
                    all.into_iter().filter(|finding| finding.code != code::NEVER_ENDS).collect()
                }
                done => done.map(|()| Vec::new())?,
            };
            let source = interpreter.world.current.get();
            let definitions = interpreter.world.definitions();
            let own = definitions.iter().filter(|(_, defined)| defined.statement.written.source == source);
            let mut own: Vec<_> = own
                .filter_map(|(name, defined)| {
                    Some((defined.statement.written.definition.range.start, name.clone(), defined.constant()?))
                })
                .collect();
            own.order_by_key(|(start, ..)| *start);
            let strategies = own.into_iter().map(|(_, name, strategy)| (name, strategy)).collect();
            Ok(ScriptStrategies { strategies, wrong })
        })
    }

    /// The statements `rule`, of laws, and `strategy` of a script that follows the grammar, in order.
    pub fn statements(&mut self, name: &str, text: &str) -> Result<Vec<ScriptStatement>, Trouble> {
        let reading = self.trial(|interpreter| {
            let (source, reading) = interpreter.read(name, text, TextKind::Script, ReadPurpose::Layout)?;
            interpreter.parse(source, &reading).map(|_| reading)
        })?;
        let statement = |definition: ParsedDefinition| match definition.right {
            RightSide::Laws => Some(ScriptStatement::Rule(definition.range)),
            RightSide::Strategy { ended: true } => Some(ScriptStatement::Strategy(definition.range)),
            RightSide::Strategy { ended: false } | RightSide::Function { .. } => None,
        };
        Ok(reading.definitions.into_iter().filter_map(statement).collect())
    }

    fn run(&mut self, name: &str, text: &str, kind: TextKind, line: bool) -> Result<Dynamic, Trouble> {
        let compiled = self.compiled(name, text, kind, line)?;
        self.execute(compiled, line)
    }

    /// `line`: the text's value is wanted.
    fn compiled(&mut self, name: &str, text: &str, kind: TextKind, line: bool) -> Result<CompiledLine, Trouble> {
        let (source, reading) = self.read(name, text, kind, ReadPurpose::Run)?;
        let ast = self.parse(source, &reading)?;
        let mut wrong = self.unknown_names(source, &reading, &ast);
        if line {
            wrong = lint::first_of(wrong);
        }
        let names = lint::StrategyNames::of(&self.world, &reading.definitions, &ast);
        let ambiguous = line && names.end_behind_a_strategy(&ast);
        let unused = lint::unused(&self.world, source, &reading, &ast, &names);
        let (dropped, told): (Vec<_>, Vec<_>) = unused.into_iter().partition(|unused| unused.last && !ambiguous);
        wrong.extend(told.into_iter().map(|unused| unused.finding));
        if !wrong.is_empty() {
            return Err(Trouble::Wrong(wrong));
        }
        let dropped = dropped.into_iter().map(|unused| unused.finding).collect();
        Ok(CompiledLine { source, definitions: reading.definitions, ast, dropped })
    }

    fn execute(
        &mut self,
        CompiledLine { source, definitions, ast, dropped }: CompiledLine,
        line: bool,
    ) -> Result<Dynamic, Trouble> {
        self.defined = definitions;
        self.known = self.variables.len();
        for function in ast.iter_functions() {
            self.world.named.borrow_mut().functions_of.insert(function.name.to_owned(), source);
        }
        let mut whole = self.functions.merge(&ast);
        whole.set_source(source_name(source));
        self.functions = whole.clone_functions_only();
        let value = self.variables.with(|scope| self.engine.eval_ast_with_scope::<Dynamic>(scope, &whole));
        let value = value.map_err(|error| trouble::of_run(&self.world, source, &error, &self.candidates()))?;
        if let Some(reason) = self.world.meter.pending() {
            return Err(reason.into());
        }
        let unused = !line && value.is::<Strategy>() && !dropped.is_empty();
        if unused { Err(Trouble::Wrong(dropped)) } else { Ok(value) }
    }

    /// Makes a text ready, imports what it asks for, and gives its definitions to the engine.
    fn read(
        &mut self,
        name: &str,
        text: &str,
        kind: TextKind,
        purpose: ReadPurpose,
    ) -> Result<(SourceId, PreparedText), Trouble> {
        let source = self.world.sources.borrow_mut().add(name, text);
        let text = self.world.sources.borrow().get(source).text.clone();
        // Before the imports: `begin` sets the operations to zero, and this text pays for what its imports do.
        self.world.begin(source);
        let text = self.bring_in(source, &text, purpose)?;
        let is_strategy = |name: &str| meanings::usage(&self.world, name).is_some();
        let reading = read(&text, kind, self.world.texts.borrow().written.len(), &is_strategy);
        let texts = reading.texts(&text).map(|at| Span::new(source, at.start, at.end)).collect();
        self.world.texts.borrow_mut().ticked.insert(source, texts);
        if !reading.oddities.is_empty() {
            let odd = reading.oddities.into_iter().map(|oddity| {
                let span = Span::new(source, oddity.at.start, oddity.at.end);
                Diagnostic::error(oddity.code, oddity.headline).at(span, "here").help(oddity.help)
            });
            return Err(Trouble::Wrong(odd.collect()));
        }
        for definition in &reading.definitions {
            let (name, arity) = (&definition.name, definition.arity());
            combinators::callable(&mut self.engine, &self.world, name, arity);
            if arity > 0 {
                self.callables.push((name.clone(), arity));
            }
        }
        let written =
            reading.definitions.iter().map(|definition| LocatedDefinition { source, definition: definition.clone() });
        self.world.texts.borrow_mut().written.extend(written.map(Rc::new));
        if reading.computes || (self.computing.is_some() && !reading.definitions.is_empty()) {
            self.prepare_computing();
        }
        Ok((source, reading))
    }

    /// Makes an engine for the functions of rules that knows all definitions.
    pub(super) fn prepare_computing(&mut self) {
        let mut computing = engine(&self.world);
        for (name, arity) in &self.callables {
            combinators::callable(&mut computing, &self.world, name, *arity);
        }
        for (name, arity) in &self.imported {
            teach(&mut computing, &self.world, name, *arity);
        }
        let computing = Rc::new(computing);
        *self.world.computing.borrow_mut() = Rc::downgrade(&computing);
        self.computing = Some(computing);
    }

    fn parse(&self, source: SourceId, reading: &PreparedText) -> Result<AST, Trouble> {
        let parsed = self.engine.compile(&reading.text);
        let mut ast = parsed.map_err(|error| trouble::of_text(&self.world, source, &error))?;
        ast.set_source(source_name(source));
        Ok(ast)
    }

    fn unknown_names(&self, source: SourceId, reading: &PreparedText, ast: &AST) -> Vec<Diagnostic> {
        let known = lint::NamesInScope {
            has_variable: &|name| self.has_variable(name),
            has_callable: &|name| self.variables.get(name).is_some_and(Dynamic::is_fnptr),
            variables: &|| self.candidates(),
            functions: self.functions.iter_functions().map(|f| f.name.to_owned()).collect(),
            definitions: &reading.definitions,
        };
        lint::unknown_names(&self.engine, &self.world, source, ast, &known)
    }
}
