//! Holds the rule book that is built in, makes rules of what users define, and says what holds between several rules. The book's
//! laws are typed when a rule is first tried.

mod choice;
mod enables;
mod example;
mod overlap;
mod placed;
mod source;

use std::cell::OnceCell;
use std::rc::Rc;

use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, Diagnostic, Name, Sources, Span, Trouble, code, name::did_you_mean};
use redexter_language::shipped;
use redexter_language::syntax::raw::{RawIdent, RawLaw, RawRule};
use redexter_language::syntax::{ListedRule, listed, parse_rule};

use super::condition::ConditionFunctions;
use super::exactness::Exactness;
use super::info::{LazyFootprint, Rule, RuleBody, RuleInfo, RuleOrigin, SoundnessState};
use super::laws::{Checker, Laws};
use super::native;
use super::record::NativeRule;

pub use choice::RuleChoice;
pub use enables::{EnablingChance, RuleSides};
pub use example::{Example, examples};
pub use overlap::{
    RedexScope, covers, matches_all, matches_type, may_be_one, never_resting, restarts, rewrites_type, undoes, undone,
};
pub use source::source;

/// The rules that ship, in the order of the book, each read when it is first asked for. Cheap to clone.
#[derive(Clone)]
pub struct RuleBook(Rc<BookIndex>);

struct BookIndex {
    entries: Vec<BookEntry>,
    /// The entries' numbers, in the order of their names.
    by_name: Vec<usize>,
    checker: Checker,
}

struct BookEntry {
    name: Name,
    params: usize,
    from: RuleDefinition,
    info: OnceCell<Rc<RuleInfo>>,
}

/// The source of a rule: its text, or its record.
enum RuleDefinition {
    Text { text: &'static str, region: Span, group: &'static str, reverse: bool },
    Native(&'static NativeRule),
}

impl RuleBook {
    /// The texts that are built in, which are added to `sources`, and what is built in as functions.
    pub fn shipped(sources: &mut Sources, checker: &Checker) -> RuleBook {
        let mut entries = Vec::new();
        for (name, text) in shipped::rules() {
            let id = sources.add(format!("<{name}>"), text);
            for ListedRule { group, name, params, range } in listed(text) {
                // The rule isn't parsed yet, so that its text has to tell whether it has a reverse.
                let ways: &[bool] = if text[range.clone()].contains("<-->") { &[false, true] } else { &[false] };
                entries.extend(ways.iter().map(|reverse| {
                    let region = Span::new(id, range.start, range.end);
                    let from = RuleDefinition::Text { text, region, group, reverse: *reverse };
                    BookEntry { name: directed(name, *reverse), params, from, info: OnceCell::new() }
                }));
            }
        }
        entries.extend(native::all().map(|record| {
            let from = RuleDefinition::Native(record);
            BookEntry { name: Name::new(record.name), params: record.params.len(), from, info: OnceCell::new() }
        }));
        let mut by_name: Vec<usize> = (0..entries.len()).collect();
        // `entry` searches by bisection, whereas the entries themselves keep the order of the book.
        by_name.order_by_key(|k| entries[*k].name.as_str());
        RuleBook(Rc::new(BookIndex { entries, by_name, checker: checker.clone() }))
    }

    /// Every rule.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<RuleInfo>> {
        self.0.entries.iter().map(|entry| self.read(entry))
    }

    /// The name of every rule with the number of its parameters.
    pub fn names(&self) -> impl Iterator<Item = (&Name, usize)> {
        self.0.entries.iter().map(|entry| (&entry.name, entry.params))
    }

    /// The name of every rule with the left sides, beside those of its own laws, that it is tested on.
    pub fn left_sides(&self) -> impl Iterator<Item = (&Name, &'static [&'static str])> {
        self.0.entries.iter().map(|entry| match &entry.from {
            RuleDefinition::Native(record) => (&entry.name, record.left_sides),
            RuleDefinition::Text { .. } => (&entry.name, placed::of(entry.name.as_str())),
        })
    }

    /// The rule with this name.
    pub fn get(&self, name: &str) -> Option<&Rc<RuleInfo>> {
        self.entry(name).map(|entry| self.read(entry))
    }

    /// The number of parameters of the rule with this name.
    pub fn params(&self, name: &str) -> Option<usize> {
        self.entry(name).map(|entry| entry.params)
    }

    /// The rule with this name and these arguments.
    pub fn rule(&self, name: &str, arguments: &[u64]) -> Result<Rule, Diagnostic> {
        let Some(info) = self.get(name) else {
            let diagnostic = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("there is no rule `{name}`"));
            let near = did_you_mean(name, self.names().map(|(name, _)| name.as_str()));
            return Err(diagnostic.help(near.unwrap_or_else(|| "`redexter rules` lists the rules".to_owned())));
        };
        if info.params.len() != arguments.len() {
            let headline = format!("`{name}` takes {} arguments, not {}", info.params.len(), arguments.len());
            return Err(Diagnostic::error(code::RULE_PARAMETERS, headline).help(format!("write `{}`", info.usage())));
        }
        Ok(Rule::new(info.clone(), arguments))
    }

    fn entry(&self, name: &str) -> Option<&BookEntry> {
        let BookIndex { entries, by_name, .. } = &*self.0;
        let at = by_name.binary_search_by(|k| entries[*k].name.as_str().cmp(name)).ok()?;
        Some(&entries[by_name[at]])
    }

    /// The texts are read in a test, so that one that can't be is a bug here.
    fn read<'a>(&self, entry: &'a BookEntry) -> &'a Rc<RuleInfo> {
        entry.info.get_or_init(|| match &entry.from {
            RuleDefinition::Native(record) => Rc::new(of_record(record)),
            RuleDefinition::Text { text, region, group, reverse } => {
                let raw = parse_rule(text, *region, &Budget::default()).map(Rc::new);
                let directed =
                    |raw| direction(&raw, *reverse, (group, RuleOrigin::Book), text, &self.0.checker, &Rc::default());
                let read = raw.and_then(|raw| directed(raw).map_err(Trouble::from));
                read.unwrap_or_else(|wrong| panic!("the rule {} can't be read: {wrong:?}", entry.name))
            }
        })
    }
}

fn directed(name: &str, reverse: bool) -> Name {
    Name::new(&format!("{name}{}", if reverse { ".reverse" } else { "" }))
}

/// A user's rule, and its reverse if it has one, as they stand in a text; its conditions may ask these functions. Its laws
/// are typed at once. A law such as `x + 0 <--> x` has no reverse that could be a rule: it would match every term.
pub fn define(
    raw: RawRule,
    text: &str,
    checker: &Checker,
    functions: ConditionFunctions,
) -> Result<Vec<Rc<RuleInfo>>, Trouble> {
    let (raw, functions) = (Rc::new(raw), Rc::new(functions));
    let both = raw.laws.iter().any(|law| law.both_ways);
    let mut rules = Vec::new();
    for reverse in [false, true].into_iter().take(1 + usize::from(both)) {
        let info = direction(&raw, reverse, ("", RuleOrigin::User), text, checker, &functions)?;
        let typed = match &info.body {
            RuleBody::Laws(laws) => laws.typed().map(|_| ()),
            _ => Ok(()),
        };
        match typed {
            // The reverse is no rule; the rule itself, which has been added by then, is none the worse for that.
            Err(Trouble::Wrong(found)) if !rules.is_empty() && found.iter().all(|d| d.code == code::BAD_RULE) => {}
            Err(trouble) => return Err(trouble),
            Ok(()) => rules.push(info),
        }
    }
    Ok(rules)
}

/// The rule in one direction: the other one is that of its laws with `<-->`.
fn direction(
    raw: &Rc<RawRule>,
    reverse: bool,
    (group, origin): (&str, RuleOrigin),
    text: &str,
    checker: &Checker,
    functions: &Rc<ConditionFunctions>,
) -> Result<Rc<RuleInfo>, Diagnostic> {
    Ok(Rc::new(RuleInfo {
        name: directed(raw.name.name.as_str(), reverse),
        group: group.to_owned(),
        params: raw.params.iter().map(|p| p.name.clone()).collect(),
        laws: law_texts(raw, reverse, text),
        conditions: raw.conditions.iter().map(|c| written(c.span, text)).collect(),
        doc: raw.doc.clone(),
        exactness: exactness(raw.exactness.as_ref())?,
        origin,
        unchecked: raw.unchecked,
        state: SoundnessState::at_first(origin),
        footprint: LazyFootprint::default(),
        body: RuleBody::Laws(Laws::new(raw, reverse, checker, functions)),
    }))
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
        origin: RuleOrigin::Book,
        unchecked: false,
        state: SoundnessState::at_first(RuleOrigin::Book),
        footprint: LazyFootprint::default(),
        body: RuleBody::Native(record),
    }
}

fn law_texts(raw: &RawRule, reverse: bool, text: &str) -> Vec<String> {
    let law = |law: &RawLaw| match reverse {
        true => format!("{} --> {}", written(law.right.span, text), written(law.left.span, text)),
        false => written(law.span, text),
    };
    raw.laws.iter().filter(|law| law.both_ways || !reverse).map(law).collect()
}

/// What is written there, on one line.
fn written(span: Span, text: &str) -> String {
    let part = text.get(span.start as usize..span.end as usize).unwrap_or("");
    part.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn exactness(word: Option<&RawIdent>) -> Result<Exactness, Diagnostic> {
    let Some(word) = word else { return Ok(Exactness::Exact) };
    let found = Exactness::ALL.iter().find(|(text, _)| *text == word.name.as_str());
    found.map(|(_, exactness)| *exactness).ok_or_else(|| {
        Diagnostic::error(code::BAD_RULE, format!("there is no exactness `{}`", word.name))
            .at(word.span, "is not known")
            .help("write `exact`, `real_exact` or `reassociating`")
    })
}
