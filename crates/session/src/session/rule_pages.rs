//! Answers `:rules` and `:rule`: the rules of the book and the user's, those that contain a text, and all about one.

use std::rc::Rc;

use super::response::{Response, RulePage, SessionResult};
use super::state::Session;
use crate::script::Builtin;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Diagnostic, code, name};
use redexter_rewriting::rule::{RuleBody, RuleInfo, RuleOrigin, source};

/// The book's rules in its order, without those that a user's shadow, and then the user's.
fn all_rules(session: &Session) -> Vec<Rc<RuleInfo>> {
    let mut known = session.interpreter.rules();
    let place = |info: &RuleInfo| session.book_order.iter().position(|name| *name == info.name);
    known.order_by_key(|info| (info.origin == RuleOrigin::User, place(info)));
    known
}

/// The rules of the groups whose heading contains a text, and that contain another.
pub fn rules_of(session: &Session, group: Option<&str>, wanted: Option<String>) -> SessionResult {
    let mut found = all_rules(session);
    if let Some(group) = group {
        let headings: Vec<String> = found.iter().map(|info| info.group.clone()).collect();
        found.retain(|info| contains(&info.group, group));
        if found.is_empty() {
            return Err(no_group(group, headings).into());
        }
    }
    found.retain(|info| wanted.as_ref().is_none_or(|wanted| mentions(info, wanted)));
    Ok(Response::Rules(found, wanted))
}

/// All about the rule of this name; arguments behind it say nothing more.
pub(super) fn rule(session: &mut Session, wanted: &str) -> SessionResult {
    let all = all_rules(session);
    let bare = wanted.split('(').next().unwrap_or(wanted).trim();
    let imported = session.interpreter.imported_rule(bare);
    let Some(info) = imported.as_ref().or_else(|| all.iter().find(|info| info.name.as_str() == bare)) else {
        return Err(no_rule(session, bare, &all).into());
    };
    let relations = session.interpreter.relations(info, &all)?;
    Ok(Response::Rule(Box::new(RulePage { info: info.clone(), source: source_of(session, info), relations })))
}

/// Who published it, or where it is defined.
fn source_of(session: &Session, info: &RuleInfo) -> String {
    let at = match &info.body {
        RuleBody::Laws(laws) => Some(laws.span()),
        RuleBody::Native(_) | RuleBody::Computed(_) => None,
    };
    match (source(info), at) {
        (Some(published), _) => published.to_owned(),
        (None, Some(at)) => {
            let sources = session.sources.borrow();
            let file = &sources.get(at.source).name;
            match file.starts_with('<') {
                true => "defined in this session".to_owned(),
                false => format!("{file}, line {}", sources.position(at).0),
            }
        }
        (None, None) => "a function of a script".to_owned(),
    }
}

fn no_rule(session: &mut Session, wanted: &str, all: &[Rc<RuleInfo>]) -> Diagnostic {
    let lists = "`:rules`, or `redexter rules`, lists the rules";
    let defined = session.interpreter.strategies().iter().any(|defined| defined.name == wanted);
    if defined || Builtin::named(wanted).is_some() || session.interpreter.strategy(wanted).is_ok() {
        return Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{wanted}` is a strategy, not a rule"))
            .help(format!("write `:strategies {wanted}`"))
            .help(lists);
    }
    let unknown = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("there is no rule `{wanted}`"));
    let near = name::did_you_mean(wanted, all.iter().map(|info| info.name.as_str()));
    near.into_iter().fold(unknown, Diagnostic::help).help(lists)
}

fn contains(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(&wanted.to_lowercase())
}

fn mentions(info: &RuleInfo, wanted: &str) -> bool {
    let texts = [info.name.as_str(), &info.group, &info.doc];
    let all = texts.into_iter().chain(info.laws.iter().chain(&info.conditions).map(String::as_str));
    all.into_iter().any(|text| contains(text, wanted))
}

fn no_group(wanted: &str, mut headings: Vec<String>) -> Diagnostic {
    headings.dedup();
    Diagnostic::error(code::COMMAND, format!("the rule book has no group `{wanted}`"))
        .help(format!("its groups: {}", headings.join("; ")))
}
