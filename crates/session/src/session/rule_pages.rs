//! Answers `:rules` and `:rule`: the rules of the book and the user's, those that contain a text, and all about one.

use std::rc::Rc;

use super::Session;
use super::dispatch::SessionResult;
use super::response::{Response, RulePage};
use crate::script::Builtin;
use redexter_language::ground::{Diagnostic, code, name};
use redexter_rewriting::rule::{RuleBody, RuleInfo, RuleOrigin, source};

impl Session {
    /// The book's rules in its order, without those that a user's shadow, and then the user's.
    fn all_rules(&self) -> Vec<Rc<RuleInfo>> {
        let mut known = self.interpreter.rules();
        let place = |info: &RuleInfo| self.book_order.iter().position(|name| *name == info.name);
        known.sort_by_key(|info| (info.origin == RuleOrigin::User, place(info)));
        known
    }

    /// The rules of the groups whose heading contains a text, and that contain another.
    pub fn rules_of(&self, group: Option<&str>, wanted: Option<String>) -> SessionResult {
        let mut found = self.all_rules();
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
    pub(super) fn rule(&mut self, wanted: &str) -> SessionResult {
        let all = self.all_rules();
        let bare = wanted.split('(').next().unwrap_or(wanted).trim();
        let imported = self.interpreter.imported_rule(bare);
        let Some(info) = imported.as_ref().or_else(|| all.iter().find(|info| info.name.as_str() == bare)) else {
            return Err(self.no_rule(bare, &all).into());
        };
        let relations = self.interpreter.relations(info, &all)?;
        Ok(Response::Rule(Box::new(RulePage { info: info.clone(), source: self.source_of(info), relations })))
    }

    /// Who published it, or where it is defined.
    fn source_of(&self, info: &RuleInfo) -> String {
        let at = match &info.body {
            RuleBody::Laws(laws) => Some(laws.span()),
            RuleBody::Native(_) | RuleBody::Computed(_) => None,
        };
        match (source(info), at) {
            (Some(published), _) => published.to_owned(),
            (None, Some(at)) => {
                let sources = self.sources.borrow();
                let file = &sources.get(at.source).name;
                match file.starts_with('<') {
                    true => "defined in this session".to_owned(),
                    false => format!("{file}, line {}", sources.position(at).0),
                }
            }
            (None, None) => "a function of a script".to_owned(),
        }
    }

    fn no_rule(&mut self, wanted: &str, all: &[Rc<RuleInfo>]) -> Diagnostic {
        let lists = "`:rules`, or `redexter rules`, lists the rules";
        let defined = self.interpreter.strategies().iter().any(|defined| defined.name == wanted);
        if defined || Builtin::named(wanted).is_some() || self.interpreter.strategy(wanted).is_ok() {
            return Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{wanted}` is a strategy, not a rule"))
                .help(format!("write `:strategies {wanted}`"))
                .help(lists);
        }
        let unknown = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("there is no rule `{wanted}`"));
        let near = name::did_you_mean(wanted, all.iter().map(|info| info.name.as_str()));
        near.into_iter().fold(unknown, Diagnostic::help).help(lists)
    }
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
