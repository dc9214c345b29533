//! Runs, checks and lays out the scripts and models that the command line names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::foreign_syntax::advise_script;
use super::models;
use super::state::Session;
use crate::script::{Host, ScriptStrategies};
use redexter_language::format::{self, ScriptStatement};
use redexter_language::ground::text::plain_lines;
use redexter_language::ground::{Diagnostic, Span, StopReason, Trouble, code};
use redexter_language::syntax;
use redexter_rewriting::ends::{EndingFinder, Endings, SearchBounds};
use redexter_rewriting::rule::Rule;
use redexter_rewriting::sound::TestEffort;
use redexter_rewriting::strategy::repetitions;
use redexter_telling::questions::StrategyEndings;

/// Runs a script that the user named.
pub fn run_script(session: &mut Session, path: &Path, arguments: &[String]) -> Result<(), Trouble> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("arr") => return Err(no_script(path).into()),
        Some("md" | "markdown") => {
            let headline = format!("`{}` is a document, not a script", path.display());
            return Err(document(path, headline).into());
        }
        _ => {}
    }
    let text = session.read_named(path)?;
    run_text(session, path, &text, arguments)
}

/// Runs a script that was read already.
pub fn run_text(session: &mut Session, path: &Path, text: &str, arguments: &[String]) -> Result<(), Trouble> {
    let run = session.interpreter.run_script(&path.to_string_lossy(), text, arguments);
    run.map_err(|trouble| advise_script(session, trouble, text))
}

/// Finds what is wrong with a script that stands in a file.
pub fn check_script(session: &mut Session, path: &Path, text: &str) -> Result<(), Trouble> {
    let checked = session.interpreter.check_script(&path.to_string_lossy(), text);
    checked.map_err(|trouble| advise_script(session, trouble, text))
}

/// The same, and tests its rules as hard as the rules that ship are; what is found of each is printed.
pub fn check_script_thoroughly(session: &mut Session, path: &Path, text: &str) -> Result<(), Trouble> {
    session.interpreter.test_rules(TestEffort::THOROUGH);
    let checked = session.interpreter.check_script(&path.to_string_lossy(), text);
    session.interpreter.test_rules(TestEffort::QUICK);
    checked.map_err(|trouble| advise_script(session, trouble, text))
}

/// Finds whether the strategies that a script defines end, and says what keeps it from an answer, be it a definition that is
/// wrong or a limit. Beside an earlier text of it only ways round with a rule that the strategy of the same name there hasn't
/// are looked for. What is found of a strategy is told at once.
pub fn endings_of_script(
    session: &mut Session,
    (path, text): (&Path, &str),
    beside: Option<(&Path, &str)>,
    told: &mut dyn FnMut(&Session, &Endings) -> Result<(), StopReason>,
) -> Result<(StrategyEndings, Option<Trouble>), Trouble> {
    let read = |session: &mut Session, path: &Path, text: &str| {
        let found = session.interpreter.strategies_of(&path.to_string_lossy(), text);
        let ScriptStrategies { strategies, wrong } = found.map_err(|trouble| advise_script(session, trouble, text))?;
        let wrong = (!wrong.is_empty()).then(|| advise_script(session, Trouble::Wrong(wrong), text));
        Ok::<_, Trouble>((strategies, wrong))
    };
    let earlier = match beside.map(|(path, text)| read(session, path, text)).transpose()? {
        // What is compared with has to be known.
        Some((_, Some(wrong))) => return Err(wrong),
        Some((strategies, None)) => strategies,
        None => Vec::new(),
    };
    let (strategies, wrong) = read(session, path, text)?;
    let budget = session.host.budget();
    let mut finder = EndingFinder::new(SearchBounds::default(), &budget);
    let all = strategies.iter().map(|(name, strategy)| {
        let before = earlier.iter().filter(|(known, _)| known == name).flat_map(|(_, before)| repetitions(before));
        let before: Vec<BTreeSet<String>> = before.map(|one| one.rules.iter().map(wording).collect()).collect();
        let mut found = finder.endings(strategy, &|rules| {
            // What goes round among rules that were repeated together isn't new.
            let now: Vec<String> = rules.iter().map(wording).collect();
            let together = before.iter().max_by_key(|before| now.iter().filter(|rule| before.contains(*rule)).count());
            now.iter().map(|rule| !together.is_some_and(|together| together.contains(rule))).collect()
        });
        found.stopped = found.stopped.clone().or(told(session, &found).err());
        found
    });
    let (found, stopped) = StrategyEndings::until_stopped(all);
    Ok((found, stopped.or(wrong)))
}

/// All that the text of a rule says of what it does.
fn wording(rule: &Rule) -> String {
    let info = rule.info();
    format!("{rule} = {} where {}", info.laws.join("; "), info.conditions.join(", "))
}

/// Finds what is wrong with a model that stands in a file.
pub fn check_model(session: &mut Session, path: &Path, text: &str) -> Result<(), Trouble> {
    session.host.files.name(path);
    let read = |file: &Path| if file == path { Ok(text.to_owned()) } else { session.host.files.read(file) };
    models::model_from(session, path, &read).map(drop)
}

/// A text in its layout: of a script, or else of a model. What doesn't follow the grammar is an error.
pub fn formatted(session: &mut Session, name: &str, text: &str, script: bool) -> Result<String, Trouble> {
    let (plain, back) = plain_lines(text);
    if script {
        let statements = session.interpreter.statements(name, &plain)?;
        let source = session.add_source(Path::new(name), &plain);
        for range in statements.iter().filter(|s| matches!(s, ScriptStatement::Rule(_))).map(ScriptStatement::range) {
            let behind = Span::new(source, range.start + "rule".len(), range.end);
            syntax::parse_rule(&session.sources.borrow().get(source).text, behind, &session.host.budget())?;
        }
        return Ok(back(&format::script(&plain, &statements)));
    }
    let source = session.add_source(Path::new(name), &plain);
    syntax::parse_model(&session.sources.borrow(), source, &session.host.budget())?;
    Ok(back(&format::model(&plain)))
}

/// Runs scripts for their rules and strategies; the session's files must be for reading only.
pub fn use_scripts(session: &mut Session, paths: &[PathBuf]) -> Result<(), Trouble> {
    paths.iter().try_for_each(|path| run_script(session, path, &[]))
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
