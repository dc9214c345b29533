//! The rule book: every rule by name. A rule's laws are typed when it is first asked for.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::check::Law;
use crate::ground::{Diagnostic, Limits, Name, Sources, Span, Trouble, code, name::nearest};
use crate::syntax::parse_rule_book;
use crate::syntax::raw::{Ident, RawLaw, RawRule};

use super::compile;
use super::law::CompiledLaw;
use super::native;
use super::rule::{Body, Exactness, Origin, Rule, RuleInfo};

/// Types the laws of a rule: what `check` does, with the library that it knows.
pub type Checker = Rc<dyn Fn(&RawRule) -> Result<Vec<Law>, Trouble>>;

/// The texts that are built in.
const SHIPPED: &[(&str, &str)] = &[
    ("<rules/lets>", include_str!("../../strategies/rules/lets.strat")),
    ("<rules/arithmetic>", include_str!("../../strategies/rules/arithmetic.strat")),
    ("<rules/arrays>", include_str!("../../strategies/rules/arrays.strat")),
    ("<rules/conditionals>", include_str!("../../strategies/rules/conditionals.strat")),
    ("<rules/folds>", include_str!("../../strategies/rules/folds.strat")),
];

/// What the book holds under one name. Its documentation is at hand before its laws are typed.
pub struct Entry {
    /// What is known about the rule; the laws in its body are typed on first use, see [`RuleBook::rule`].
    documentation: RuleInfo,
    raw: Option<RawRule>,
    typed: OnceCell<Rc<RuleInfo>>,
}

impl Entry {
    /// Name, group, parameters, laws, conditions, doc, exactness and origin. Its body may have no laws yet.
    pub fn documentation(&self) -> &RuleInfo {
        &self.documentation
    }
}

/// Rules by name.
pub struct RuleBook {
    entries: Vec<Entry>,
    by_name: HashMap<Name, usize>,
    checker: Checker,
}

impl RuleBook {
    /// The rules that ship. Their texts are added to `sources`.
    pub fn shipped(sources: &mut Sources, limits: &Limits, checker: Checker) -> Result<RuleBook, Trouble> {
        let mut book = RuleBook { entries: Vec::new(), by_name: HashMap::new(), checker };
        for (name, text) in SHIPPED {
            let id = sources.add(*name, *text);
            for (group, raw) in parse_rule_book(sources, id, limits)? {
                for entry in entries(raw, &group, Origin::Book, sources)? {
                    book.add(entry);
                }
            }
        }
        for info in native::all() {
            let typed = OnceCell::from(info.clone());
            book.add(Entry { documentation: (*info).clone(), raw: None, typed });
        }
        Ok(book)
    }

    /// Every rule, in the order of the book.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// What the book holds under this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(&Name::new(name)).map(|k| &self.entries[*k])
    }

    /// The rule with this name and these arguments.
    pub fn rule(&self, name: &str, arguments: &[u64]) -> Result<Rule, Trouble> {
        let Some(entry) = self.entry(name) else { return Err(self.unknown(name).into()) };
        let params = entry.documentation.params.len();
        if params != arguments.len() {
            let many = if params == 1 { "1 argument".to_owned() } else { format!("{params} arguments") };
            let headline = format!("`{name}` takes {many}, not {}", arguments.len());
            let names: Vec<&str> = entry.documentation.params.iter().map(Name::as_str).collect();
            let usage = if params == 0 { name.to_owned() } else { format!("{name}({})", names.join(", ")) };
            return Err(Diagnostic::error(code::RULE_PARAMETERS, headline).help(format!("write `{usage}`")).into());
        }
        Ok(Rule::new(self.typed(entry)?, arguments))
    }

    /// Adds a user's rule, and its reverse if it has one, instead of what had the name. Gives the names.
    pub fn define(&mut self, raw: RawRule, sources: &Sources) -> Result<Vec<Name>, Trouble> {
        let new = entries(raw, "", Origin::User, sources)?;
        for entry in &new {
            self.typed(entry)?;
        }
        let names = new.iter().map(|e| e.documentation.name.clone()).collect();
        new.into_iter().for_each(|entry| self.add(entry));
        Ok(names)
    }

    fn add(&mut self, entry: Entry) {
        let name = entry.documentation.name.clone();
        match self.by_name.get(&name) {
            Some(k) => self.entries[*k] = entry,
            None => {
                self.by_name.insert(name, self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    fn typed(&self, entry: &Entry) -> Result<Rc<RuleInfo>, Trouble> {
        if let Some(done) = entry.typed.get() {
            return Ok(done.clone());
        }
        let mut laws = Vec::new();
        if let Some(raw) = &entry.raw {
            for law in (self.checker)(raw)? {
                laws.push(CompiledLaw::new(&law, compile::conditions(raw, &law)?));
            }
        }
        let info = Rc::new(RuleInfo { body: Body::Laws(laws), ..entry.documentation.clone() });
        Ok(entry.typed.get_or_init(|| info).clone())
    }

    fn unknown(&self, name: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("there is no rule `{name}`"));
        match nearest(name, self.entries.iter().map(|e| e.documentation.name.as_str())) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("`redexter rules` lists the rules"),
        }
    }
}

/// The entry of a rule, and of its other direction if it has laws with `<-->`.
fn entries(raw: RawRule, group: &str, origin: Origin, sources: &Sources) -> Result<Vec<Entry>, Diagnostic> {
    let mut all = Vec::new();
    if let Some(reverse) = reversed(&raw) {
        all.push(entry(reverse, group, origin, sources)?);
    }
    all.insert(0, entry(raw, group, origin, sources)?);
    Ok(all)
}

fn entry(raw: RawRule, group: &str, origin: Origin, sources: &Sources) -> Result<Entry, Diagnostic> {
    let text = |span: Span| -> String {
        let all = &sources.get(span.source).text;
        let part = all.get(span.start as usize..span.end as usize).unwrap_or("");
        part.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let reverse = raw.name.name.as_str().ends_with(REVERSE);
    let law = |law: &RawLaw| match reverse {
        true => format!("{} --> {}", text(law.left.span), text(law.right.span)),
        false => text(law.span),
    };
    let documentation = RuleInfo {
        name: raw.name.name.clone(),
        group: group.to_owned(),
        params: raw.params.iter().map(|p| p.name.clone()).collect(),
        laws: raw.laws.iter().map(law).collect(),
        conditions: raw.conditions.iter().map(|c| text(c.span)).collect(),
        doc: raw.doc.clone(),
        exactness: exactness(raw.exactness.as_ref())?,
        origin,
        unchecked: raw.unchecked,
        body: Body::Laws(Vec::new()),
    };
    Ok(Entry { documentation, raw: Some(raw), typed: OnceCell::new() })
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

const REVERSE: &str = ".reverse";

/// The other direction of the laws that are written with `<-->`.
fn reversed(raw: &RawRule) -> Option<RawRule> {
    let turn = |law: &RawLaw| RawLaw { left: law.right.clone(), right: law.left.clone(), ..law.clone() };
    let laws: Vec<RawLaw> = raw.laws.iter().filter(|law| law.both_ways).map(turn).collect();
    let name = Ident { name: Name::new(&format!("{}{REVERSE}", raw.name.name)), ..raw.name.clone() };
    (!laws.is_empty()).then(|| RawRule { name, laws, ..raw.clone() })
}
