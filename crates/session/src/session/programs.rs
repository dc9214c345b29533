//! Finds programs such as `model.arr:name`, runs strategies on them, validates what these did, and evaluates.

use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;

use super::line_value;
use super::models;
use super::response::{Response, SessionResult};
use super::state::Session;
use crate::script::Host;
use redexter_language::check::{Definition, Model};
use redexter_language::eval::{self, Counts, Sizes, Value};
use redexter_language::ground::text::{begins_name, in_word};
use redexter_language::ground::{Budget, Diagnostic, Name, Trouble, code, name};
use redexter_language::term::{Program, Term};
use redexter_loops::blocks;
use redexter_rewriting::derivation::{Address, Derivation, DerivationView};
use redexter_rewriting::precision::lost_digits;
use redexter_rewriting::strategy::{self, Outcome, Stop, Strategy, Trace};
use redexter_rewriting::validate::{self, Validation, against_primal};
use redexter_rewriting::why::{self, DiscardReport, TranspositionReport};
use redexter_telling::inputs::{self, TypedInputs};
use redexter_telling::questions::{self, NonFinite};
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

/// The model in a file that the user named.
pub fn model(session: &mut Session, path: &Path) -> Result<Rc<Model>, Trouble> {
    session.host.files.name(path);
    models::model(session, path)
}

/// The program of the definition that `MODEL.arr:NAME` means.
pub fn target(session: &mut Session, text: &str) -> Result<Program, Trouble> {
    definition(session, text)?.program(&session.host.budget())
}

/// The definition that `MODEL.arr:NAME` means.
pub fn definition(session: &mut Session, text: &str) -> Result<Rc<Definition>, Trouble> {
    let (path, wanted) = match text.rsplit_once(':') {
        Some((path, wanted)) if !wanted.contains('/') => (path, wanted),
        _ => (text, ""),
    };
    let model = model(session, Path::new(path))?;
    if let Some(definition) = model.definition(wanted) {
        return Ok(definition.clone());
    }
    let names: Vec<&str> = model.names().map(Name::as_str).collect();
    Err(no_definition(path, wanted, &names).into())
}

/// The same after a whole strategy; a limit that ends it is trouble.
pub fn target_after(session: &mut Session, of: &str, strategy: Option<&str>) -> Result<Program, Trouble> {
    let program = target(session, of)?;
    let Some(text) = strategy else { return Ok(program) };
    let strategy = session.strategy(text)?;
    let derived = derive_hollow(session, &strategy, &program)?;
    match derived.stopped {
        None => Ok(derived.program),
        Some(stop) => Err(Trouble::from(stop).help("`redexter apply` prints the term so far")),
    }
}

/// The definition that `MODEL.arr:NAME` means becomes the current term.
pub fn begin(session: &mut Session, of: &str) -> Result<(), Trouble> {
    let definition = definition(session, of)?;
    let program = definition.program(&session.host.budget())?;
    session.work.walk.give_definition(program, None, Some(definition));
    Ok(())
}

/// Runs a strategy on the current term.
pub fn apply(session: &mut Session, strategy: &str) -> Result<Response, Trouble> {
    let strategy = session.interpreter.strategy(strategy)?;
    walk::run(&mut session.work.walk, &strategy, StepGoal::All, session.interpreter.owner()).map(Response::Walk)
}

/// The definitions of a model.
pub fn definitions_of(session: &mut Session, path: &Path) -> Result<Vec<String>, Trouble> {
    Ok(models::model(session, path)?.names().map(|name| name.to_string()).collect())
}

/// A derivation, or the part of it that an address names; paths are those of this term.
pub fn view(
    session: &Session,
    derivation: &Derivation,
    address: Option<&Address>,
    now: &Term,
) -> Result<DerivationView, Trouble> {
    walk::view(
        &session.work.walk,
        derivation,
        address.map_or(&[], std::slice::from_ref),
        now,
        session.interpreter.owner(),
    )
}

/// Runs a strategy on a program, perhaps not to its end; an error if it fails.
pub fn derive(session: &Session, strategy: &Strategy, program: &Program) -> Result<DerivedProgram, Trouble> {
    derived(session, strategy, program, strategy::run)
}

/// The same with less memory: the steps of the trace have their rules and places, but their terms may be any.
pub fn derive_hollow(session: &Session, strategy: &Strategy, program: &Program) -> Result<DerivedProgram, Trouble> {
    derived(session, strategy, program, strategy::run_hollow)
}

fn derived(
    session: &Session,
    strategy: &Strategy,
    program: &Program,
    run: StrategyRunner,
) -> Result<DerivedProgram, Trouble> {
    strategy::check_ends(strategy)?;
    strategy::lint(strategy, Some(program)).iter().for_each(|finding| session.host.warn(finding));
    let run = match run(strategy, program, &session.host.budget(), CHEAPER_MEASURE) {
        Ok(run) => run,
        Err(stop) => return Ok(DerivedProgram::best(stop, program)),
    };
    run.warnings().iter().for_each(|finding| session.host.warn(finding));
    match run.outcome {
        Outcome::Success(term) => {
            let program = program.with(term);
            Ok(DerivedProgram { program, trace: run.trace, stopped: None })
        }
        Outcome::Looping(cycle) => Err(cycle.diagnostic().into()),
        Outcome::Failure(reason) => {
            let headline = format!("the strategy `{strategy}` failed: {reason}");
            Err(Diagnostic::error(code::STRATEGY_FAILED, headline)
                .help(strategy::remedy(strategy, program, false, &session.host.budget()))
                .into())
        }
    }
}

/// The steps that `cheaper` discarded first in a run that ended without a step, and how often it discarded some.
pub fn discarded(session: &Session, strategy: &Strategy, program: &Program) -> Option<(DiscardReport, usize)> {
    why::without_steps(strategy, program, &session.host.budget())
}

/// How a run went about transposing, if there is something to say.
pub fn transposition(
    session: &Session,
    strategy: &Strategy,
    start: &Program,
    derived: &DerivedProgram,
) -> Option<TranspositionReport> {
    why::transposition(strategy, start, &derived.program, &derived.trace.steps, &session.host.budget())
}

/// Runs a strategy on a program, and validates it step by step: against the program, or against finite differences of its
/// primal. An error if the strategy fails or comes to a limit.
pub fn validate(
    session: &Session,
    strategy: &Strategy,
    program: &Program,
    primal: Option<&Program>,
) -> Result<Validation, Trouble> {
    derived_and_validated(session, strategy, program, primal).map(|(_, found)| found)
}

/// The same, looked through for digits that are lost where nothing else is wrong.
pub fn validate_precisely(
    session: &Session,
    strategy: &Strategy,
    program: &Program,
    primal: Option<&Program>,
) -> Result<Validation, Trouble> {
    let (derived, found) = derived_and_validated(session, strategy, program, primal)?;
    let look = || lost_digits(&derived.trace, &derived.program.bounds, &session.host.budget());
    Ok(if found.is_valid() { found.with_precision(look()) } else { found })
}

fn derived_and_validated(
    session: &Session,
    strategy: &Strategy,
    program: &Program,
    primal: Option<&Program>,
) -> Result<(DerivedProgram, Validation), Trouble> {
    let mut derived = derive(session, strategy, program)?;
    if let Some(stop) = derived.stopped.take() {
        return Err(Trouble::from(stop));
    }
    let found = validated(session, &derived, primal);
    Ok((derived, found))
}

/// The steps of a run, validated.
pub fn validated(session: &Session, derived: &DerivedProgram, primal: Option<&Program>) -> Validation {
    let (bounds, budget) = (&derived.program.bounds, session.host.budget());
    let found = validate::validate(&derived.trace, bounds, primal.is_none(), &budget);
    match primal {
        Some(primal) if found.is_valid() => found.with_slope(against_primal(&derived.program, primal, &budget)),
        _ => found,
    }
}

/// Evaluates a program on inputs, a JSON object.
pub fn evaluate_on(
    session: &Session,
    program: &Program,
    inputs: &str,
    sizes: &[(Name, u64)],
) -> Result<(String, Counts), Trouble> {
    let mut counts = Counts::default();
    let value = evaluate_by(session, program, inputs, sizes, |inputs, sizes, budget| {
        counted(program, inputs, sizes, budget, &mut counts)
    })?;
    Ok((value, counts))
}

/// The same, by something that evaluates it.
pub fn evaluate_by(
    session: &Session,
    program: &Program,
    inputs: &str,
    sizes: &[(Name, u64)],
    by: impl FnOnce(&[Value], &Sizes, &Budget) -> Result<Value, Trouble>,
) -> Result<String, Trouble> {
    let budget = session.host.budget();
    let given = eval::inputs_from_json(program, inputs, sizes, &budget)?;
    value_by(session, program, given, by)
}

/// The value of a program on inputs, as JSON.
fn value_by(
    session: &Session,
    program: &Program,
    (inputs, sizes): (Vec<Value>, Sizes),
    by: impl FnOnce(&[Value], &Sizes, &Budget) -> Result<Value, Trouble>,
) -> Result<String, Trouble> {
    let value = by(&inputs, &sizes, &session.host.budget())?;
    explain_nan(session, program, (&inputs, &sizes), &value);
    Ok(session.writing(|| eval::value_to_json(&value))?)
}

/// Where the first NaN or infinity of a program comes from, which a definition says unless a strategy made it.
pub fn why_nan(
    session: &mut Session,
    program: &Program,
    definition: Option<&Definition>,
    inputs: (&[Value], &Sizes),
) -> Result<NonFinite, Trouble> {
    let place = |span| session.sources.borrow().place(span);
    questions::why_nan(program.clone(), inputs, definition, &place, &session.host.budget())
}

/// Says of a value with NaN where that comes of an infinite slope.
pub fn explain_nan(session: &Session, program: &Program, (inputs, sizes): (&[Value], &Sizes), value: &Value) {
    if let Some(finding) = eval::steep_slope(program, inputs, sizes, value, &session.host.budget()) {
        session.host.tell(&finding);
    }
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

pub(super) fn evaluate(session: &mut Session, text: &str, count: bool) -> SessionResult {
    let (program, text) = match named_before_inputs(session, text) {
        Some(both) => both,
        None => match written_out(session, text) {
            Some(program) => (program, ""),
            None => (session.current()?.clone(), text),
        },
    };
    let given = inputs_of(session, &program, inputs::read(&with_json(session, text)?)?)?;
    // Only the evaluator counts; blocks of lanes give the same value sooner.
    if count {
        let mut counts = Counts::default();
        value_by(session, &program, given, |inputs, sizes, budget| {
            counted(&program, inputs, sizes, budget, &mut counts)
        })?;
        return Ok(Response::Counts(counts));
    }
    let value =
        value_by(session, &program, given, |inputs, sizes, budget| blocks::value(&program, inputs, sizes, budget))?;
    Ok(Response::Json(value))
}

/// The term that a word before inputs names, and the inputs.
fn named_before_inputs<'t>(session: &mut Session, text: &'t str) -> Option<(Program, &'t str)> {
    let text = text.trim();
    let (name, inputs) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    let is_name = begins_name(name) && name.chars().all(|c| in_word(c) || c == '.');
    let program = is_name.then(|| line_value::program_of(session, name, "eval").ok()).flatten()?;
    Some((program, inputs))
}

/// A term in the place of inputs that needs none: `:eval grad (fun x => x ^ 3) 2`.
fn written_out(session: &mut Session, text: &str) -> Option<Program> {
    let may_be = !text.trim().is_empty() && inputs::read(text).is_err();
    let program = may_be.then(|| line_value::program_of(session, text, "eval").ok()).flatten()?;
    program.term.applied().0.is_empty().then_some(program)
}

/// What was typed, with the text of a file of JSON in its place where it begins with one.
fn with_json<'t>(session: &Session, typed: &'t str) -> Result<Cow<'t, str>, Diagnostic> {
    let (first, rest) = typed.trim().split_once(' ').unwrap_or((typed.trim(), ""));
    match inputs::holds_json(first) && !first.contains('=') {
        true => Ok(format!("{} {rest}", session.read_named(Path::new(first)).map_err(or_typed)?).into()),
        false => Ok(typed.into()),
    }
}

/// A file of inputs that can't be read, and what does without one.
fn or_typed(unread: Diagnostic) -> Diagnostic {
    unread.help("inputs can be typed, too, as in `:eval v=[1, 2]`")
}

/// The inputs of a program of what was typed.
fn inputs_of(session: &Session, program: &Program, typed: TypedInputs) -> Result<(Vec<Value>, Sizes), Trouble> {
    let (budget, system) = (session.host.budget(), &session.host.files.system);
    if typed.files.is_empty() {
        return eval::inputs_from_json(program, &typed.json, &[], &budget);
    }
    let mut files = Vec::new();
    for file in typed.files {
        let bytes = session.bytes_named(Path::new(&file.path)).map_err(or_typed)?;
        files.push((file, bytes));
    }
    let unread =
        || Diagnostic::error(code::UNREADABLE, "files of arrays can't be read here").help("write the values").into();
    system.stored_inputs((program, &typed.json), files, &budget).unwrap_or_else(|| Err(unread()))
}

/// The value of a program by the evaluator, which counts.
fn counted(
    program: &Program,
    inputs: &[Value],
    sizes: &Sizes,
    budget: &Budget,
    counts: &mut Counts,
) -> Result<Value, Trouble> {
    eval::check_held(program.term.applied().1.ty(), sizes)?;
    let (value, found) = eval::evaluate(program, inputs, sizes, budget)?;
    *counts = found;
    Ok(value)
}
