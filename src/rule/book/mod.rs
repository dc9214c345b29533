//! The rule book that is built in, rules that users add, and what can be said of several rules together. The book's laws
//! are typed when a rule is first tried.

mod choice;
mod enables;
mod example;
mod overlap;
mod placed;
mod source;

use std::rc::Rc;

use crate::ground::{Diagnostic, Limits, Name, Sources, Span, Trouble, code, name::did_you_mean};
use crate::shipped;
use crate::syntax::parse_rule_book;
use crate::syntax::raw::{Ident, RawLaw, RawRule};

use super::condition::Functions;
use super::exactness::Exactness;
use super::info::{Body, LazyFootprint, Origin, Rule, RuleInfo, State};
use super::laws::{Checker, Laws};
use super::native;
use super::record::NativeRule;

pub use choice::RuleChoice;
pub use enables::{Chance, Sides};
pub use example::{Example, examples};
pub use overlap::{Reach, covers, matches_all, matches_type, never_rest, restarts, rewrites_type, undoes};
pub use placed::left_sides;
pub use source::source;

/// The rules that ship, in the order of the book.
#[derive(Clone)]
pub struct RuleBook {
    rules: Vec<Rc<RuleInfo>>,
}

impl RuleBook {
    /// Reads the texts that are built in, which are added to `sources`.
    pub fn shipped(sources: &mut Sources, limits: &Limits, checker: &Checker) -> Result<RuleBook, Trouble> {
        let mut rules = Vec::new();
        let functions = Rc::default();
        for (name, text) in shipped::rules() {
            let id = sources.add(format!("<{name}>"), text);
            for (group, raw) in parse_rule_book(sources, id, limits)? {
                rules.extend(directions(raw, &group, Origin::Book, sources, checker, &functions)?);
            }
        }
        rules.extend(native::all().map(|record| Rc::new(of_record(record))));
        Ok(RuleBook { rules })
    }

    /// Every rule.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<RuleInfo>> {
        self.rules.iter()
    }

    /// The rule with this name and these arguments.
    pub fn rule(&self, name: &str, arguments: &[u64]) -> Result<Rule, Diagnostic> {
        let Some(info) = self.rules.iter().find(|info| info.name.as_str() == name) else {
            let diagnostic = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("there is no rule `{name}`"));
            let near = did_you_mean(name, self.rules.iter().map(|info| info.name.as_str()));
            return Err(diagnostic.help(near.unwrap_or_else(|| "`redexter rules` lists the rules".to_owned())));
        };
        if info.params.len() != arguments.len() {
            let headline = format!("`{name}` takes {} arguments, not {}", info.params.len(), arguments.len());
            return Err(Diagnostic::error(code::RULE_PARAMETERS, headline).help(format!("write `{}`", info.usage())));
        }
        Ok(Rule::new(info.clone(), arguments))
    }
}

/// A user's rule, and its reverse if it has one; its conditions may ask these functions. Its laws are typed at once. A
/// law such as `x + 0 <--> x` has no reverse that could be a rule: it would match every term.
pub fn define(
    raw: RawRule,
    sources: &Sources,
    checker: &Checker,
    functions: Functions,
) -> Result<Vec<Rc<RuleInfo>>, Trouble> {
    let mut rules = Vec::new();
    for info in directions(raw, "", Origin::User, sources, checker, &Rc::new(functions))? {
        let typed = match &info.body {
            Body::Laws(laws) => laws.typed().map(|_| ()),
            _ => Ok(()),
        };
        match typed {
            Err(Trouble::Wrong(found)) if !rules.is_empty() && found.iter().all(|d| d.code == code::BAD_RULE) => {}
            Err(trouble) => return Err(trouble),
            Ok(()) => rules.push(info),
        }
    }
    Ok(rules)
}

/// The rule, and its other direction if it has laws with `<-->`.
fn directions(
    raw: RawRule,
    group: &str,
    origin: Origin,
    sources: &Sources,
    checker: &Checker,
    functions: &Rc<Functions>,
) -> Result<Vec<Rc<RuleInfo>>, Diagnostic> {
    let raw = Rc::new(raw);
    let both = raw.laws.iter().any(|law| law.both_ways);
    let ways: &[bool] = if both { &[false, true] } else { &[false] };
    let exactness = exactness(raw.exactness.as_ref())?;
    let info = |reverse: &bool| {
        let suffix = if *reverse { ".reverse" } else { "" };
        Rc::new(RuleInfo {
            name: Name::new(&format!("{}{suffix}", raw.name.name)),
            group: group.to_owned(),
            params: raw.params.iter().map(|p| p.name.clone()).collect(),
            laws: law_texts(&raw, *reverse, sources),
            conditions: raw.conditions.iter().map(|c| text(c.span, sources)).collect(),
            doc: raw.doc.clone(),
            exactness,
            origin,
            unchecked: raw.unchecked,
            state: State::at_first(origin),
            footprint: LazyFootprint::default(),
            body: Body::Laws(Laws::new(&raw, *reverse, checker, functions)),
        })
    };
    Ok(ways.iter().map(info).collect())
}

fn of_record(record: &'static NativeRule) -> RuleInfo {
    let condition = Some(record.condition.to_owned()).filter(|text| !text.is_empty());
    RuleInfo {
        name: Name::new(record.name),
        group: record.group.to_owned(),
        params: record.params.iter().map(|(name, _)| Name::new(name)).collect(),
        laws: vec![record.law.shown()],
        conditions: condition.into_iter().collect(),
        doc: record.doc.to_owned(),
        exactness: record.exactness,
        origin: Origin::Book,
        unchecked: false,
        state: State::at_first(Origin::Book),
        footprint: LazyFootprint::default(),
        body: Body::Native(record),
    }
}

fn law_texts(raw: &RawRule, reverse: bool, sources: &Sources) -> Vec<String> {
    let law = |law: &RawLaw| match reverse {
        true => format!("{} --> {}", text(law.right.span, sources), text(law.left.span, sources)),
        false => text(law.span, sources),
    };
    raw.laws.iter().filter(|law| law.both_ways || !reverse).map(law).collect()
}

/// What is written there, on one line.
fn text(span: Span, sources: &Sources) -> String {
    let all = &sources.get(span.source).text;
    let part = all.get(span.start as usize..span.end as usize).unwrap_or("");
    part.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn exactness(word: Option<&Ident>) -> Result<Exactness, Diagnostic> {
    let Some(word) = word else { return Ok(Exactness::Exact) };
    let found = Exactness::ALL.iter().find(|(text, _)| *text == word.name.as_str());
    found.map(|(_, exactness)| *exactness).ok_or_else(|| {
        Diagnostic::error(code::BAD_RULE, format!("there is no exactness `{}`", word.name))
            .at(word.span, "is not known")
            .help("write `exact`, `real_exact` or `reassociating`")
    })
}
