//! Does what the command line asks of a session besides lines: scripts, targets such as `model.arr:name`, checks.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::response::Response;
use super::{Allowance, Session, Settings, Sink, System};
use crate::script::Host;
use redexter_language::eval::{self, Counts, Sizes, Value};
use redexter_language::format::{self, ScriptStatement};
use redexter_language::ground::text::plain_lines;
use redexter_language::ground::{Budget, Diagnostic, Name, SourceId, Span, Trouble, code, name};
use redexter_language::syntax;
use redexter_language::term::{Program, Term};
use redexter_rewriting::derivation::{Address, Derivation, DerivationView};
use redexter_rewriting::sound::TestEffort;
use redexter_rewriting::strategy::{self, Outcome, Stop, Strategy, Trace};
use redexter_rewriting::validate::{Validation, against_primal, validate};
use redexter_rewriting::why::{self, DiscardReport};
use redexter_telling::walk::{self, CHEAPER_MEASURE, StepGoal};

/// A program and the steps of the strategy that gave it.
pub struct DerivedProgram {
    /// The program.
    pub program: Program,
    /// The steps.
    pub trace: Trace,
    /// The limit that ended the strategy: then the program is the best one so far.
    pub stopped: Option<Box<Stop>>,
}

/// A function that runs a strategy to its end.
type StrategyRunner =
    fn(&Strategy, &Program, &Budget, strategy::WorkTestFactory) -> Result<strategy::StrategyRun, Box<Stop>>;

impl DerivedProgram {
    /// The first term, or the one that a limit left where that is no worse.
    fn best(stop: Box<Stop>, program: &Program) -> DerivedProgram {
        let start = &stop.trace.start;
        let (term, trace) = match stop.is_no_worse(&program.bounds, CHEAPER_MEASURE) {
            true => (stop.term.clone(), stop.trace.clone()),
            false => (start.clone(), Trace { start: start.clone(), steps: Vec::new() }),
        };
        DerivedProgram { program: program.with(term), trace, stopped: Some(stop) }
    }
}

impl Session {
    /// Runs a script that the user named.
    pub fn run_script(&mut self, path: &Path, arguments: &[String]) -> Result<(), Trouble> {
        match path.extension().and_then(|e| e.to_str()) {
            Some("arr") => return Err(no_script(path).into()),
            Some("md" | "markdown") => {
                let headline = format!("`{}` is a document, not a script", path.display());
                return Err(document(path, headline).into());
            }
            _ => {}
        }
        let text = self.read_named(path)?;
        self.run_text(path, &text, arguments)
    }

    /// Runs a script that was read already.
    pub fn run_text(&mut self, path: &Path, text: &str, arguments: &[String]) -> Result<(), Trouble> {
        let run = self.interpreter.run_script(&path.to_string_lossy(), text, arguments);
        run.map_err(|trouble| self.advise_script(trouble, text))
    }

    /// Finds what is wrong with a script that stands in a file.
    pub fn check_script(&mut self, path: &Path, text: &str) -> Result<(), Trouble> {
        let checked = self.interpreter.check_script(&path.to_string_lossy(), text);
        checked.map_err(|trouble| self.advise_script(trouble, text))
    }

    /// The same, and tests its rules as hard as the rules that ship are; what is found of each is printed.
    pub fn check_script_thoroughly(&mut self, path: &Path, text: &str) -> Result<(), Trouble> {
        self.interpreter.test_rules(TestEffort::THOROUGH);
        let checked = self.interpreter.check_script(&path.to_string_lossy(), text);
        self.interpreter.test_rules(TestEffort::QUICK);
        checked.map_err(|trouble| self.advise_script(trouble, text))
    }

    /// Finds what is wrong with a model that stands in a file.
    pub fn check_model(&mut self, path: &Path, text: &str) -> Result<(), Trouble> {
        self.host.files.name(path);
        let read = |file: &Path| if file == path { Ok(text.to_owned()) } else { self.host.files.read(file) };
        self.model_from(path, &read).map(drop)
    }

    /// A text in its layout: of a script, or else of a model. What doesn't follow the grammar is an error.
    pub fn formatted(&mut self, name: &str, text: &str, script: bool) -> Result<String, Trouble> {
        let (plain, back) = plain_lines(text);
        if script {
            let statements = self.interpreter.statements(name, &plain)?;
            let source = self.add_source(Path::new(name), &plain);
            for range in statements.iter().filter(|s| matches!(s, ScriptStatement::Rule(_))).map(ScriptStatement::range)
            {
                let behind = Span::new(source, range.start + "rule".len(), range.end);
                syntax::parse_rule(&self.sources.borrow().get(source).text, behind, &self.host.budget())?;
            }
            return Ok(back(&format::script(&plain, &statements)));
        }
        let source = self.add_source(Path::new(name), &plain);
        syntax::parse_model(&self.sources.borrow(), source, &self.host.budget())?;
        Ok(back(&format::model(&plain)))
    }

    /// A new session under this one's limits. Its scripts may write, as far as `system` does; its texts go where those of
    /// this one go.
    pub fn apart(&self, system: Rc<dyn System>, sink: Box<dyn Sink>) -> Result<Session, Trouble> {
        let Allowance { limits, timeout, memory } = self.host.allowance();
        let settings = Settings {
            limits,
            nesting: self.host.nesting,
            system,
            allowed: self.host.files.allowed.clone(),
            writing: true,
            bare: self.host.bare,
            timeout,
            memory,
            sink,
        };
        Session::new(settings, self.sources.clone())
    }

    /// The machine.
    pub fn system(&self) -> Rc<dyn System> {
        self.host.files.system.clone()
    }

    /// Adds a text that diagnostics are to point into.
    pub fn add_source(&self, path: &Path, text: &str) -> SourceId {
        self.sources.borrow_mut().add(path.display().to_string(), text)
    }

    /// Runs scripts for their rules and strategies; the session's files must be for reading only.
    pub fn use_scripts(&mut self, paths: &[PathBuf]) -> Result<(), Trouble> {
        paths.iter().try_for_each(|path| self.run_script(path, &[]))
    }

    /// The definition that `MODEL.arr:NAME` means.
    pub fn target(&mut self, text: &str) -> Result<Program, Trouble> {
        let (path, wanted) = match text.rsplit_once(':') {
            Some((path, wanted)) if !wanted.contains('/') => (path, wanted),
            _ => (text, ""),
        };
        self.host.files.name(Path::new(path));
        let model = self.model(Path::new(path))?;
        if model.definition(wanted).is_some() {
            return model.program(wanted, &self.host.budget());
        }
        let names: Vec<&str> = model.names().map(Name::as_str).collect();
        Err(no_definition(path, wanted, &names).into())
    }

    /// The same after a whole strategy; a limit that ends it is trouble.
    pub fn target_after(&mut self, target: &str, strategy: Option<&str>) -> Result<Program, Trouble> {
        let program = self.target(target)?;
        let Some(text) = strategy else { return Ok(program) };
        let strategy = self.strategy(text)?;
        let derived = self.derive_hollow(&strategy, &program)?;
        match derived.stopped {
            None => Ok(derived.program),
            Some(stop) => Err(Trouble::from(stop).help("`redexter apply` prints the term so far")),
        }
    }

    /// The definition that `MODEL.arr:NAME` means becomes the current term.
    pub fn begin(&mut self, target: &str) -> Result<(), Trouble> {
        let program = self.target(target)?;
        self.walk.give(program, None);
        Ok(())
    }

    /// Runs a strategy on the current term.
    pub fn apply(&mut self, strategy: &str) -> Result<Response, Trouble> {
        let strategy = self.interpreter.strategy(strategy)?;
        walk::run(&mut self.walk, &strategy, StepGoal::All, self.interpreter.owner()).map(Response::Walk)
    }

    /// The definitions of a model.
    pub fn definitions_of(&mut self, path: &Path) -> Result<Vec<String>, Trouble> {
        Ok(self.model(path)?.names().map(|name| name.to_string()).collect())
    }

    /// A derivation, or the part of it that an address names; paths are those of this term.
    pub fn view(
        &self,
        derivation: &Derivation,
        address: Option<&Address>,
        now: &Term,
    ) -> Result<DerivationView, Trouble> {
        walk::view(&self.walk, derivation, address, now, self.interpreter.owner())
    }

    /// A strategy from its text.
    pub fn strategy(&mut self, text: &str) -> Result<Strategy, Trouble> {
        self.interpreter.strategy(text)
    }

    /// Runs a strategy on a program, perhaps not to its end; an error if it fails.
    pub fn derive(&self, strategy: &Strategy, program: &Program) -> Result<DerivedProgram, Trouble> {
        self.derived(strategy, program, strategy::run)
    }

    /// The same with less memory: the steps of the trace have their rules and places, but their terms may be any.
    pub fn derive_hollow(&self, strategy: &Strategy, program: &Program) -> Result<DerivedProgram, Trouble> {
        self.derived(strategy, program, strategy::run_hollow)
    }

    fn derived(&self, strategy: &Strategy, program: &Program, run: StrategyRunner) -> Result<DerivedProgram, Trouble> {
        strategy::check_ends(strategy)?;
        strategy::lint(strategy, Some(program)).iter().for_each(|finding| self.host.warn(finding));
        let run = match run(strategy, program, &self.host.budget(), CHEAPER_MEASURE) {
            Ok(run) => run,
            Err(stop) => return Ok(DerivedProgram::best(stop, program)),
        };
        run.warnings().iter().for_each(|finding| self.host.warn(finding));
        match run.outcome {
            Outcome::Success(term) => {
                let program = program.with(term);
                Ok(DerivedProgram { program, trace: run.trace, stopped: None })
            }
            Outcome::Looping(cycle) => Err(cycle.diagnostic().into()),
            Outcome::Failure(reason) => {
                let headline = format!("the strategy `{strategy}` failed: {reason}");
                Err(Diagnostic::error(code::STRATEGY_FAILED, headline).help(strategy.remedy()).into())
            }
        }
    }

    /// The steps that `cheaper` discarded first in a run that ended without a step, and how often it discarded some.
    pub fn discarded(&self, strategy: &Strategy, program: &Program) -> Option<(DiscardReport, usize)> {
        why::without_steps(strategy, program, &self.host.budget())
    }

    /// Runs a strategy on a program, and validates it step by step: against the program, or against finite differences of its
    /// primal. An error if the strategy fails or comes to a limit.
    pub fn validate(
        &self,
        strategy: &Strategy,
        program: &Program,
        primal: Option<&Program>,
    ) -> Result<Validation, Trouble> {
        let derived = self.derive(strategy, program)?;
        match derived.stopped {
            Some(stop) => Err(Trouble::from(stop)),
            None => Ok(self.validated(&derived, primal)),
        }
    }

    /// The steps of a run, validated.
    pub fn validated(&self, derived: &DerivedProgram, primal: Option<&Program>) -> Validation {
        let (bounds, budget) = (&derived.program.bounds, self.host.budget());
        let found = validate(&derived.trace, bounds, primal.is_none(), &budget);
        match primal {
            Some(primal) if found.is_valid() => found.with_slope(against_primal(&derived.program, primal, &budget)),
            _ => found,
        }
    }

    /// Evaluates a program on inputs, a JSON object.
    pub fn evaluate_on(
        &self,
        program: &Program,
        inputs: &str,
        sizes: &[(Name, u64)],
    ) -> Result<(String, Counts), Trouble> {
        let mut counts = Counts::default();
        let value = self.evaluate_by(program, inputs, sizes, |inputs, sizes, budget| {
            eval::check_held(program.term.applied().1.ty(), sizes)?;
            let (value, counted) = eval::evaluate(program, inputs, sizes, budget)?;
            counts = counted;
            Ok(value)
        })?;
        Ok((value, counts))
    }

    /// The same, by something that evaluates it.
    pub fn evaluate_by(
        &self,
        program: &Program,
        inputs: &str,
        sizes: &[(Name, u64)],
        by: impl FnOnce(&[Value], &Sizes, &Budget) -> Result<Value, Trouble>,
    ) -> Result<String, Trouble> {
        let budget = self.host.budget();
        let (inputs, sizes) = eval::inputs_from_json(program, inputs, sizes, &budget)?;
        let value = by(&inputs, &sizes, &budget)?;
        Ok(self.writing(|| eval::value_to_json(&value))?)
    }

    /// The text of a file that the user named.
    pub fn read_named(&self, path: &Path) -> Result<String, Diagnostic> {
        self.host.files.name(path);
        self.host.files.read(path)
    }

    /// The same as it is, text or not.
    pub fn bytes_named(&self, path: &Path) -> Result<Vec<u8>, Diagnostic> {
        self.host.files.name(path);
        self.host.files.bytes(path)
    }

    /// Checks, before long work, that a file that the user named can be written where it is to be.
    pub fn check_place(&self, path: &Path) -> Result<(), Diagnostic> {
        self.host.files.place_for(path).map(drop)
    }

    /// Writes a file that the user named.
    pub fn write_named(&self, path: &Path, text: impl AsRef<[u8]>) -> Result<(), Diagnostic> {
        self.host.files.write_named(path, text.as_ref())
    }
}

/// The finding for a document in the place of something else.
pub(super) fn document(path: &Path, headline: String) -> Diagnostic {
    Diagnostic::error(code::COMMAND, headline).help(format!("`redexter check {}` checks it", path.display()))
}

fn no_script(path: &Path) -> Diagnostic {
    Diagnostic::error(code::COMMAND, format!("`{}` is a model, not a script", path.display()))
        .help(format!("`redexter check {0}` checks it, `redexter repl {0}` loads it", path.display()))
        .help("scripts end in `.strat`")
}

/// The missing or unknown name behind the colon of a target.
fn no_definition(path: &str, wanted: &str, names: &[&str]) -> Diagnostic {
    if names.is_empty() {
        return Diagnostic::error(code::NO_SUCH_DEFINITION, format!("`{path}` defines nothing"));
    }
    let headline = match wanted {
        "" => format!("which definition of `{path}`?"),
        wanted => format!("`{path}` has no definition `{wanted}`"),
    };
    let near = name::nearest(wanted, names.iter().copied()).unwrap_or(names[0]);
    Diagnostic::error(code::NO_SUCH_DEFINITION, headline)
        .help(match wanted {
            "" => format!("write, for example, `{path}:{near}`"),
            _ => format!("did you mean `{path}:{near}`?"),
        })
        .help(format!("its definitions: {}", names.join(", ")))
}
