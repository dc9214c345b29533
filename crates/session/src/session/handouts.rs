//! Writes derivations that are handed out: pages, Markdown, LaTeX.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::programs::{derive, target};
use super::response::{Response, SessionResult};
use super::state::Session;
use crate::script::Host;
use redexter_language::ground::Name;
use redexter_language::ground::{Trouble, text::listed};
use redexter_language::term::Program;
use redexter_loops::export::{FutharkOptions, JaxEntry, JaxOptions, futhark, jax};
use redexter_rewriting::derivation::{Address, Derivation};
use redexter_rewriting::strategy::{Stop, Strategy, Trace};
use redexter_telling::command::CodeLanguage;
use redexter_telling::handout::{self, HandoutFormat, HandoutInfo, HandoutPart, TitledDerivation};
use redexter_telling::walk;

/// An order for a handout: which strategies run on which definition.
pub struct HandoutRequest<'a> {
    /// `MODEL.arr:NAME`
    pub target: &'a str,
    /// The strategy.
    pub strategy: &'a str,
    /// The one that it is compared with.
    pub compare: Option<&'a str>,
    /// The parts that are told, where it isn't all.
    pub parts: &'a [Address],
    /// The scripts that they are from.
    pub scripts: &'a [PathBuf],
}

/// A run of a strategy, ready to be written.
struct HandoutRun {
    told: HandoutInfo,
    derivation: Derivation,
    /// The limit that ended it.
    ended: Option<Box<Stop>>,
}

impl HandoutRun {
    fn way(&self) -> TitledDerivation<'_> {
        (&self.told, &self.derivation)
    }
}

/// Runs strategies on a definition, and writes what they did in these forms; also the limit that ended one of them. Two
/// strategies are compared on a page; in other forms the first is told.
pub fn handout(
    session: &mut Session,
    of: &HandoutRequest,
    forms: &[HandoutFormat],
) -> Result<(Vec<String>, Option<Box<Stop>>), Trouble> {
    let program = target(session, of.target)?;
    let (path, _) = of.target.rsplit_once(':').unwrap_or((of.target, ""));
    let scripts: Vec<String> = of.scripts.iter().filter_map(|path| session.read_named(path).ok()).collect();
    let told = HandoutInfo {
        source: session.read_named(Path::new(path)).ok(),
        script: Some(scripts.join("\n")).filter(|text| !text.is_empty()),
        ..named(of.target)
    };
    let both: Vec<(&str, Strategy)> = std::iter::once(of.strategy)
        .chain(of.compare)
        .map(|text| Ok((text, session.strategy(text)?)))
        .collect::<Result<_, Trouble>>()?;
    session.during(|session| {
        let run = |(text, strategy): &(&str, Strategy)| did(session, &told, (text, strategy), &program);
        let (mut first, beside) = (run(&both[0])?, both.get(1).map(run).transpose()?);
        if !of.parts.is_empty() {
            (first.told, first.derivation) = part_of(session, first.told, &first.derivation, of.parts)?;
        }
        let budget = session.host.budget();
        let write = |form: &HandoutFormat| form.write(first.way(), beside.as_ref().map(HandoutRun::way), &budget);
        let texts = forms.iter().map(write).collect::<Result<_, _>>()?;
        Ok((texts, beside.and_then(|beside| beside.ended).or(first.ended)))
    })
}

/// What two strategies do to the term of which `:compare` asks them, as [`handout::comparison`] has it.
pub fn comparison(session: &mut Session, strategies: [&str; 2]) -> Result<String, Trouble> {
    let [first, second] = strategies;
    let [one, other] = [session.strategy(first)?, session.strategy(second)?];
    session.telling("the comparison", |session, budget| {
        let history = session.work.walk.history();
        let (program, place) = match history.began(&[&one, &other]) {
            Some((began, _)) => (began.start, String::new()),
            None => {
                let program = session.work.walk.current()?;
                (program, history.focus().display(&program.term))
            }
        };
        let told = HandoutInfo { bounds: program.bounds.clone(), ..HandoutInfo::default() };
        let run = |text: &str, strategy: &Strategy| {
            let there = if place.is_empty() { strategy.clone() } else { strategy.at(&place) };
            did(session, &HandoutInfo { title: text.to_owned(), ..told.clone() }, (text, &there), program)
        };
        let (first, second) = (run(first, &one)?, run(second, &other)?);
        Ok(handout::comparison([first.way(), second.way()], budget)?)
    })
}

/// Runs a strategy on a program. Where a limit ends the run, its derivation has all steps until then, and not only those to
/// the best term: they tell more.
fn did(
    session: &Session,
    told: &HandoutInfo,
    (text, strategy): (&str, &Strategy),
    program: &Program,
) -> Result<HandoutRun, Trouble> {
    let derived = derive(session, strategy, program)?;
    let trace = derived.stopped.as_ref().map_or(derived.trace, |stop| Trace::clone(&stop.trace));
    let told = HandoutInfo {
        schedule: text.to_owned(),
        stopped: derived.stopped.as_ref().map(|stop| stop.reason.to_string()),
        bounds: program.bounds.clone(),
        ..told.clone()
    };
    Ok(HandoutRun { told, derivation: Derivation::of_run(text, Rc::new(trace)), ended: derived.stopped })
}

/// Writes the derivation of the current term, or parts of it.
pub(super) fn export_derivation(
    session: &mut Session,
    form: HandoutFormat,
    parts: &[Address],
    path: &Path,
) -> SessionResult {
    let derivation = session.work.walk.all_steps()?;
    let told = told_of(session, &derivation);
    let text = session.during(|session| {
        let budget = session.host.budget();
        if parts.is_empty() {
            return Ok(form.write((&told, &derivation), None, &budget)?);
        }
        let (told, derivation) = part_of(session, told, &derivation, parts)?;
        Ok::<_, Trouble>(form.write((&told, &derivation), None, &budget)?)
    })?;
    session.host.files.write_named(path, text.as_bytes())?;
    Ok(Response::Written(path.to_owned()))
}

/// The part of a derivation that addresses mean.
fn part_of(
    session: &Session,
    told: HandoutInfo,
    derivation: &Derivation,
    parts: &[Address],
) -> Result<(HandoutInfo, Derivation), Trouble> {
    let pieces = walk::all_pieces(&session.work.walk, derivation, parts, session.interpreter.owner())?;
    Ok(HandoutPart::of(derivation, (&listed(parts), &pieces), told))
}

/// The title and sources of a derivation: of the definition that it begins with, where that was loaded; and its stages.
pub fn told_of(session: &Session, derivation: &Derivation) -> HandoutInfo {
    let (start, stages) = (derivation.term(0), derivation.stages());
    let schedule = listed(stages.tops().iter().map(|top| &stages.stage(*top).name));
    let found = session.work.loaded.iter().rev().find_map(|model| {
        let (name, _) = model.programs.iter().find(|(_, known)| known.term == start)?;
        Some((model, name))
    });
    let told = match found {
        None => HandoutInfo { title: "A derivation".to_owned(), ..HandoutInfo::default() },
        Some((model, name)) => HandoutInfo {
            source: session.host.files.read(&model.path).ok(),
            ..named(&format!("{}:{name}", model.path.display()))
        },
    };
    let bounds = session.work.walk.current().map(|program| program.bounds.clone()).unwrap_or_default();
    HandoutInfo { schedule, bounds, ..told }
}

/// The title is what comes behind the colon, and where it is from.
fn named(target: &str) -> HandoutInfo {
    let title = match target.rsplit_once(':') {
        Some((path, name)) => format!("{name}, {}", path.rsplit('/').next().unwrap_or(path)),
        None => target.to_owned(),
    };
    HandoutInfo { title, model: target.to_owned(), ..HandoutInfo::default() }
}

pub(super) fn export(session: &mut Session, language: CodeLanguage, path: &Path) -> SessionResult {
    let program = session.current()?.clone();
    let origin = session.work.walk.history().origin();
    let name = Name::new(origin.map_or("main", |origin| &origin.name));
    let text = session.writing(|| match language {
        CodeLanguage::Futhark => futhark(&[(name, program)], &FutharkOptions::default()),
        CodeLanguage::Jax => {
            jax(&[JaxEntry { what: name.to_string(), name, program, derivative: None }], &JaxOptions::default())
        }
    })??;
    session.host.files.write_named(path, text.as_bytes())?;
    Ok(Response::Written(path.to_owned()))
}
