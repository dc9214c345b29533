//! Registers terms and traces as values of a script: terms are shown, rewritten and traced.

use std::cell::OnceCell;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use super::amounts::AmountValue;
use super::bounded::MAX_BYTES;
use super::errors::{RhaiResult, fail, stop};
use super::words;
use super::world::ScriptWorld;
use redexter_language::cost::{self, Poly};
use redexter_language::ground::text::{listed, shortened};
use redexter_language::ground::{Diagnostic, Name, StopReason, Trouble, code};
use redexter_language::syntax::{PrintStyle, names_at, print_open, print_type};
use redexter_language::term::{Program, Term};
use redexter_rewriting::derivation::{Address, Derivation};
use redexter_rewriting::strategy::{Outcome, Strategy, StrategyRun, Trace, check_ends, lint, remedy, run};
use redexter_telling::command::no_address;
use redexter_telling::handout::{HandoutFormat, HandoutInfo, HandoutPart};
use redexter_telling::walk::{self, Walk};

/// A term of a script.
#[derive(Clone)]
pub(crate) struct TermValue {
    pub program: Program,
    /// The definition that it comes from.
    pub name: Option<String>,
    /// The names of the variables that are free in it, outermost first: only a rule's function sees such terms.
    pub scope: Rc<[Name]>,
}

/// A derivation and where it led.
#[derive(Clone)]
pub(crate) struct TraceValue {
    pub strategy: Strategy,
    pub trace: Rc<Trace>,
    result: TermValue,
    /// Made when it is first asked for.
    derivation: OnceCell<Rc<Derivation>>,
}

/// So many characters are shown of a strategy that fails.
const MAX_BRIEF_CHARACTERS: usize = 80;

const REWRITE_NEEDS_STRATEGY: &str = "a term is rewritten by a strategy";

pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    engine.register_type_with_name::<TermValue>("term");
    engine.register_type_with_name::<TraceValue>("trace");
    for name in ["to_string", "to_debug"] {
        let of = world.clone();
        engine.register_fn(name, move |t: &mut TermValue| of.whole(show(t, &of)));
    }
    engine.register_fn("==", |a: TermValue, b: TermValue| a.program.term == b.program.term);
    engine.register_fn("!=", |a: TermValue, b: TermValue| a.program.term != b.program.term);
    engine.register_get("type", |t: &mut TermValue| print_type(t.program.term.ty()));
    engine.register_get("size", |t: &mut TermValue| words::number(t.program.term.size()));
    engine.register_get("work", |t: &mut TermValue| t.amount(cost::work(&t.program.term).total()));
    engine.register_get("memory", |t: &mut TermValue| t.amount(cost::memory(&t.program.term)));
    rewriting(engine, world);
    traces(engine, world);
}

fn rewriting(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let of = world.clone();
    engine.register_fn("apply", move |t: &mut TermValue, s: Dynamic| -> RhaiResult<Dynamic> {
        let strategy = words::strategy(&of, &s, REWRITE_NEEDS_STRATEGY).map_err(stop)?;
        Ok(Dynamic::from(succeed(t, &strategy, &of)?.1))
    });
    let of = world.clone();
    engine.register_fn("try_apply", move |t: &mut TermValue, s: Dynamic| -> RhaiResult<Dynamic> {
        let strategy = words::strategy(&of, &s, REWRITE_NEEDS_STRATEGY).map_err(stop)?;
        let done = rewrite(t, &strategy, &of)?;
        Ok(match done.outcome {
            Outcome::Success(term) => Dynamic::from(t.with(term)),
            Outcome::Failure(_) => Dynamic::UNIT,
            Outcome::Looping(cycle) => return Err(fail(cycle.diagnostic())),
        })
    });
    let of = world.clone();
    engine.register_fn("trace", move |t: &mut TermValue, s: Dynamic| -> RhaiResult<Dynamic> {
        let strategy = words::strategy(&of, &s, REWRITE_NEEDS_STRATEGY).map_err(stop)?;
        let (trace, result) = succeed(t, &strategy, &of)?;
        Ok(Dynamic::from(TraceValue { strategy, trace: Rc::new(trace), result, derivation: OnceCell::new() }))
    });
}

impl TermValue {
    /// A whole program; the definition that it comes from.
    pub(crate) fn new(program: Program, name: Option<String>) -> TermValue {
        TermValue { program, name, scope: Rc::default() }
    }

    /// The program, if it is one: nothing is free in it.
    pub(crate) fn closed(&self) -> Result<&Program, Diagnostic> {
        match self.program.term.free().len() {
            0 => Ok(&self.program),
            _ => Err(Diagnostic::error(code::NOT_DATA, "this term has free variables: it is a part of another")),
        }
    }

    /// What it takes to run it.
    pub(crate) fn amount(&self, formula: impl Into<Rc<Poly>>) -> Dynamic {
        AmountValue::value(formula, &self.program.bounds)
    }

    /// Another term in its place.
    pub(crate) fn with(&self, term: Term) -> TermValue {
        TermValue { program: self.program.with(term), name: self.name.clone(), scope: self.scope.clone() }
    }
}

fn rewrite(subject: &TermValue, strategy: &Strategy, world: &ScriptWorld) -> RhaiResult<StrategyRun> {
    check_ends(strategy).map_err(fail)?;
    world.before_work()?;
    lint(strategy, Some(&subject.program)).iter().for_each(|finding| world.warn(finding));
    let budget = world.host.budget();
    let done = run(strategy, &subject.program, &budget, cost::cheaper_total).map_err(|stopped| stop(stopped.into()))?;
    done.warnings().iter().for_each(|finding| world.warn(finding));
    Ok(done)
}

/// Runs a strategy that has to succeed.
fn succeed(subject: &TermValue, strategy: &Strategy, world: &ScriptWorld) -> RhaiResult<(Trace, TermValue)> {
    let done = rewrite(subject, strategy, world)?;
    match done.outcome {
        Outcome::Success(term) => Ok((done.trace, subject.with(term))),
        Outcome::Looping(cycle) => Err(fail(cycle.diagnostic())),
        Outcome::Failure(reason) => {
            let advice = remedy(strategy, &subject.program, false, &world.host.budget());
            Err(fail(failed(&strategy.to_string(), &reason.to_string()).help(advice)))
        }
    }
}

/// The finding that a strategy failed where it has to succeed.
pub(crate) fn failed(strategy: &str, reason: &str) -> Diagnostic {
    let brief = shortened(strategy, MAX_BRIEF_CHARACTERS);
    Diagnostic::error(code::STRATEGY_FAILED, format!("the strategy `{brief}` failed: {reason}"))
}

fn traces(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    for name in ["to_string", "to_debug"] {
        let of = world.clone();
        engine.register_fn(name, move |t: &mut TraceValue| {
            of.whole(of.meter.writing(|| t.lines()).and_then(|lines| lines).map(|lines| lines.join("\n")))
        });
    }
    engine.register_fn("len", |t: &mut TraceValue| t.trace.steps.len() as i64);
    let of = world.clone();
    engine
        .register_get("steps", move |t: &mut TraceValue| of.whole(of.meter.writing(|| t.steps()).and_then(|all| all)));
    engine.register_get("stages", |t: &mut TraceValue| t.stages());
    engine.register_get("result", |t: &mut TraceValue| t.result.clone());
    let of = world.clone();
    engine.register_indexer_get(move |t: &mut TraceValue, k: i64| -> RhaiResult<Dynamic> {
        let count = t.trace.steps.len();
        let place = if k < 0 { k + count as i64 } else { k };
        match usize::try_from(place).ok().filter(|place| *place < count) {
            Some(place) => of.whole(of.meter.writing(|| t.step(place)).and_then(|step| step)),
            None => Err(fail(Diagnostic::error(
                code::SCRIPT,
                format!("the trace has {count} steps, and none is number {k}"),
            ))),
        }
    });
    for (name, form) in [
        ("write_html", HandoutFormat::Page),
        ("write_markdown", HandoutFormat::Markdown),
        ("write_latex", HandoutFormat::Latex),
        ("write_json", HandoutFormat::Json),
    ] {
        let to = world.clone();
        engine.register_fn(name, move |t: &mut TraceValue, path: ImmutableString| hand_out(t, form, (&path, &[]), &to));
        let to = world.clone();
        engine.register_fn(name, move |t: &mut TraceValue, path: ImmutableString, parts: ImmutableString| {
            let address = |text: &&str| Address::parse(text).ok_or_else(|| fail(no_address(text)));
            let parts: Vec<Address> = Address::split(&parts).iter().map(address).collect::<RhaiResult<_>>()?;
            hand_out(t, form, (&path, &parts), &to)
        });
    }
    engine.register_iterator_result::<TraceValue, Dynamic>();
}

/// Writes a trace to a file in a form: all of it, or these parts.
fn hand_out(
    trace: &TraceValue,
    form: HandoutFormat,
    (path, parts): (&str, &[Address]),
    world: &ScriptWorld,
) -> RhaiResult<()> {
    world.before_work()?;
    let (first, whole) = (trace.first(), trace.derivation());
    let title = first.name.unwrap_or_else(|| "A derivation".to_owned());
    let (schedule, bounds) = (trace.strategy.to_string(), first.program.bounds);
    let told = HandoutInfo { title, schedule, bounds, ..HandoutInfo::default() };
    let budget = world.host.budget();
    let write = |told: &HandoutInfo, of: &Derivation| form.write((told, of), None, &budget).map_err(Trouble::from);
    let text = if parts.is_empty() {
        write(&told, whole)
    } else {
        walk::all_pieces(&Walk::default(), whole, parts, world).and_then(|pieces| {
            let (told, part) = HandoutPart::of(whole, (&listed(parts), &pieces), told);
            write(&told, &part)
        })
    };
    world.host.write(path, &text.map_err(stop)?).map_err(fail)
}

impl IntoIterator for TraceValue {
    type Item = RhaiResult<Dynamic>;
    type IntoIter = TraceSteps;

    fn into_iter(self) -> TraceSteps {
        TraceSteps { next: 0, of: self }
    }
}

/// The steps of a trace, one after another.
pub(crate) struct TraceSteps {
    next: usize,
    of: TraceValue,
}

impl Iterator for TraceSteps {
    type Item = RhaiResult<Dynamic>;

    fn next(&mut self) -> Option<RhaiResult<Dynamic>> {
        let k = (self.next < self.of.trace.steps.len()).then_some(self.next)?;
        self.next += 1;
        Some(self.of.step(k).map_err(|reason| stop(reason.into())))
    }
}

impl TraceValue {
    /// The term that it begins with.
    pub fn first(&self) -> TermValue {
        self.result.with(self.trace.start.clone())
    }

    fn derivation(&self) -> &Derivation {
        self.derivation.get_or_init(|| Rc::new(Derivation::of_run(&self.strategy.to_string(), self.trace.clone())))
    }

    /// A line for each step: rule, place, and what became of what.
    fn lines(&self) -> Result<Vec<String>, StopReason> {
        let mut left = MAX_BYTES;
        let line = |k: usize| {
            let [path, redex, contractum] = self.part(k, left)?;
            let at = if path.is_empty() { String::new() } else { format!(" at {path}") };
            let rule = self.trace.steps[k].rule();
            let line = format!("{rule}{}{at}: {redex} --> {contractum}", rule.mark());
            left = left.saturating_sub(line.len());
            Ok(line)
        };
        (0..self.trace.steps.len()).map(line).collect()
    }

    fn steps(&self) -> Result<Array, StopReason> {
        (0..self.trace.steps.len()).map(|k| self.step(k)).collect()
    }

    /// A step, counted from 0, as a map of texts and its work.
    fn step(&self, k: usize) -> Result<Dynamic, StopReason> {
        let ([path, redex, contractum], derivation) = (self.part(k, MAX_BYTES)?, self.derivation());
        let stages = derivation.stages();
        let around: Vec<String> = stages.around(k).into_iter().map(|number| stages.title(number)).collect();
        let fields = [
            ("rule", self.trace.steps[k].rule().to_string()),
            ("path", path),
            ("redex", redex),
            ("contractum", contractum),
            ("stage", around.join("/")),
        ];
        let mut map: Map = fields.into_iter().map(|(key, text)| (key.into(), Dynamic::from(text))).collect();
        map.insert("work".into(), self.result.amount(derivation.work(k + 1)));
        Ok(Dynamic::from(map))
    }

    /// The path, redex and contractum of a step, the terms in at most so many characters each.
    fn part(&self, k: usize, most: usize) -> Result<[String; 3], StopReason> {
        let (step, whole) = (&self.trace.steps[k], self.derivation().term(k));
        let scope = names_at(&whole, &step.path()).unwrap_or_default();
        let show = |t: &Term| print_open(t, &scope, &PrintStyle { width: usize::MAX }, most).ok_or_else(too_long);
        Ok([step.path().display(&whole), show(&step.redex)?, show(&step.contractum)?])
    }

    /// A map for each stage, each behind the one that it is in.
    fn stages(&self) -> Array {
        let mut all = Array::new();
        let tops = self.derivation().stages().tops();
        tops.iter().for_each(|top| self.stage(*top, "", &mut all));
        all
    }

    fn stage(&self, number: usize, outer: &str, all: &mut Array) {
        let (derivation, stages) = (self.derivation(), self.derivation().stages());
        let (stage, name) = (stages.stage(number), format!("{outer}{}", stages.title(number)));
        let span = stage.span();
        let fields = [
            ("steps", words::number(stage.count() as u64)),
            ("first", words::number(span.start as u64 + 1)),
            ("last", words::number(span.end as u64)),
            ("before", self.result.amount(derivation.work(span.start))),
            ("after", self.result.amount(derivation.work(span.end))),
            ("name", Dynamic::from(name.clone())),
        ];
        all.push(Dynamic::from(fields.into_iter().map(|(key, value)| (key.into(), value)).collect::<Map>()));
        stage.parts.iter().for_each(|part| self.stage(*part, &format!("{name}/"), all));
    }
}

/// The name that a term binds in a child.
pub(crate) fn binder(term: &Term, k: usize) -> Option<Name> {
    term.kind().hint().filter(|_| term.binders(k) > 0).cloned()
}

fn show(subject: &TermValue, world: &ScriptWorld) -> Result<String, StopReason> {
    let TermValue { program, scope, .. } = subject;
    world.meter.writing(|| print_open(&program.term, scope, &PrintStyle::default(), MAX_BYTES))?.ok_or_else(too_long)
}

/// A text has more characters than a script may hold.
fn too_long() -> StopReason {
    StopReason::Elements(MAX_BYTES as u64)
}
