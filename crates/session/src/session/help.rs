//! Answers `:help WORD` with what is called so, else with what mentions it.

use super::manual::{self, Section};
use super::response::{HelpMention, HelpTopic, Response, SessionResult};
use super::state::Session;
use super::{rule_pages, strategy_pages};
use redexter_language::ground::text::{begins_name, listed};
use redexter_language::ground::{Diagnostic, Trouble, code, name};
use redexter_language::syntax::print_type;
use redexter_telling::command::{self, COMMANDS};

/// Answers with what a word names, or, where nothing is called so, with what mentions it.
pub fn help_on(session: &mut Session, wanted: &str) -> SessionResult {
    let wanted = wanted.trim().trim_matches('`').trim();
    if let Some(name) = wanted.strip_prefix(':') {
        return Ok(Response::HelpOn(vec![HelpTopic::Command(command::info(name)?)]));
    }
    let mut found = called(session, wanted)?;
    if found.is_empty() {
        found.extend(command::info(wanted).ok().map(HelpTopic::Command));
    }
    // A property or a function of scripts behind a variable of the user's.
    if found.is_empty()
        && let Some((_, member)) = wanted.trim_end_matches("()").rsplit_once('.')
        && begins_name(member)
    {
        found = called(session, member)?;
    }
    if !found.is_empty() {
        return Ok(Response::HelpOn(found));
    }
    let topics = topics(session);
    let mentions = mentions(session, wanted);
    if !mentions.is_empty() && !topics.iter().any(|topic| topic.eq_ignore_ascii_case(wanted)) {
        return Ok(Response::Mentions(wanted.to_owned(), mentions));
    }
    let unknown = Diagnostic::error(code::COMMAND, format!("there is no help on `{wanted}`"));
    let near = name::did_you_mean(wanted, topics.iter().map(String::as_str));
    Err(near.into_iter().fold(unknown, Diagnostic::help).help("`:help` lists commands and topics").into())
}

/// How a name is used that stands for no term: `strategy`, the parameters of a combinator, the head of a definition that every
/// model sees, a function of scripts.
pub fn usage(session: &mut Session, name: &str) -> Option<String> {
    match strategy_pages::guide(session, name) {
        Ok(Response::Strategy(guide)) if guide.usage.contains('(') => Some(format!("{} : strategy", guide.usage)),
        Ok(Response::Strategy(_)) => Some("strategy".to_owned()),
        _ => {
            let sections = manual::sections();
            let is_call = |head: &str| manual::calls(head, name) || head.starts_with(&format!("{name}("));
            let is_own = |head: &str| head.starts_with(&format!("{name} ")) && head.contains(" : ");
            let heads = sections.iter().flat_map(Section::rows).find_map(|row| {
                let own: Vec<String> =
                    row.heads().filter(|head| is_own(head) || is_call(head)).map(str::to_owned).collect();
                (!own.is_empty()).then_some(own)
            });
            heads.map(|heads| heads.join("\n"))
        }
    }
}

/// What a loaded model has under this name, or a model itself.
fn own(session: &Session, wanted: &str) -> Option<HelpTopic> {
    let told = session.work.loaded.iter().rev().find_map(|model| {
        let path = model.path.display();
        if model.name == wanted {
            return Some(format!("{path}: {}", listed(model.model.names().map(|name| format!("{wanted}.{name}")))));
        }
        let bound = model.bound.iter().any(|name| name == wanted);
        let name = if bound { wanted } else { wanted.strip_prefix(&*model.name)?.strip_prefix('.')? };
        let definition = model.model.definitions().iter().find(|definition| definition.name().as_str() == name)?;
        Some(format!("{}; of {path}, the current term where it is typed alone", print_type(definition.ty())))
    });
    told.map(|told| HelpTopic::Own(wanted.to_owned(), told))
}

/// All that has this name. Where nothing does, the section with this word in its title, if there is only one.
fn called(session: &mut Session, wanted: &str) -> Result<Vec<HelpTopic>, Trouble> {
    let mut found: Vec<HelpTopic> = Vec::from_iter(own(session, wanted));
    found.extend(command::named(wanted).map(HelpTopic::Command));
    let sections = manual::sections();
    if let Ok(Response::Rule(page)) = rule_pages::rule(session, wanted) {
        found.push(HelpTopic::Rule(page));
    } else {
        match strategy_pages::guide(session, wanted) {
            Ok(Response::Strategy(guide)) => found.push(HelpTopic::Strategy(guide)),
            Ok(Response::Library(library)) => found.push(HelpTopic::Library(library)),
            _ => {}
        }
    }
    if found.is_empty() {
        found.extend(sections.iter().flat_map(Section::rows).filter(|row| row.is_about(wanted)).map(HelpTopic::Row));
    }
    let called = sections.iter().filter(|section| section.is_called(wanted));
    found.extend(called.copied().map(HelpTopic::Section));
    if found.is_empty() {
        let mut by_word = sections.iter().filter(|section| section.mentions_in_title(wanted));
        if let (Some(only), None) = (by_word.next(), by_word.next()) {
            found.push(HelpTopic::Section(*only));
        }
    }
    Ok(found)
}

/// The commands, sections, strategies and rules in whose text something occurs.
fn mentions(session: &Session, wanted: &str) -> Vec<HelpMention> {
    let has = |text: &str| text.to_lowercase().contains(&wanted.to_lowercase());
    let commands = COMMANDS.iter().filter(|info| has(info.name) || has(info.summary));
    let commands =
        commands.map(|info| HelpMention { topic: format!(":{}", info.name), about: info.summary.to_owned() });
    let sections = manual::sections().into_iter().filter_map(|section| {
        let line = section.text.lines().find(|line| has(line) && manual::marked(line).is_none());
        let line = line.or(has(section.title).then_some(""))?;
        Some(HelpMention { topic: section.title.to_owned(), about: line.trim().to_owned() })
    });
    let strategies = session.interpreter.built_in().into_iter().filter(|(usage, about)| has(usage) || has(about));
    let strategies = strategies.map(|(usage, about)| HelpMention { topic: usage, about });
    let rules = session.interpreter.rules().into_iter().filter(|info| has(info.name.as_str()) || has(&info.doc));
    let rules = rules.map(|info| HelpMention {
        topic: info.name.to_string(),
        about: info.laws.first().cloned().unwrap_or_else(|| info.doc.clone()),
    });
    commands.chain(sections).chain(strategies).chain(rules).collect()
}

/// What there is help on by name: commands, sections, strategies and rules.
pub fn topics(session: &Session) -> Vec<String> {
    let sections = manual::sections();
    let titles = sections.iter().flat_map(|section| std::iter::once(section.title).chain(section.names()));
    let titles = titles.map(str::to_owned);
    let commands = COMMANDS.iter().map(|info| info.name.to_owned());
    commands.chain(titles).chain(session.interpreter.names()).collect()
}
