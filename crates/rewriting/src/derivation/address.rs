//! Reads and prints addresses, the notation for places in a derivation and in a term: `120`, `3..9`, `hoist#2`,
//! `fastGradient/hoist`, `@tag`, `%mark`, `.body.0` and a pattern in backticks.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use super::{Derivation, Stages, add};
use crate::rule::Rule;
use redexter_language::ground::name::did_you_mean;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::text::{in_word, listed};

/// A place, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `120`: a step; 0 is the first term.
    Step(usize),
    /// `3..9`: from one step to another, both included.
    Steps(usize, usize),
    /// `fastGradient/hoist#2`: a stage, by the names on the way to it from anywhere.
    Stage(Vec<StageName>),
    /// `@tag`: a term that was given a name.
    Tag(String),
    /// `%mark`: a subterm that was given a name.
    Mark(String),
    /// `.body.0`: a path in a term, without its first dot; `.` is the root.
    Path(String),
    /// A pattern, without its backticks.
    Pattern(String),
}

/// One name on the way to a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageName {
    /// The strategy, as it prints, or what stands before its parenthesis.
    pub name: String,
    /// The number of the piece, from 1.
    pub nth: Option<usize>,
}

/// An address that names nothing: how far it leads, and what would lead further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreachedAddress {
    /// What of it names something.
    pub reached: String,
    /// What doesn't.
    pub missing: String,
    /// What is there.
    pub there: Vec<String>,
}

/// A stage that is no name, but a strategy in full, is hardly what was meant if it has more characters.
const MAX_NAME_CHARS: usize = 40;

impl UnreachedAddress {
    /// What to write, or what there is.
    pub fn help(&self) -> String {
        let near = did_you_mean(&self.missing, self.there.iter().map(String::as_str));
        near.unwrap_or_else(|| match self.there.is_empty() {
            true if self.reached.is_empty() => "no stage has taken a step yet".to_owned(),
            true => format!("there are no stages in `{}`", self.reached),
            false => {
                let short = self.there.iter().filter(|name| name.chars().count() <= MAX_NAME_CHARS);
                let short: Vec<&String> = short.collect();
                let others = self.there.len() - short.len();
                match (short.is_empty(), others) {
                    (true, _) => format!("the stages there: {}", listed(&self.there)),
                    (false, 0) => format!("the stages there: {}", listed(short)),
                    (false, _) => format!("the stages there: {} and {others} with long names", listed(short)),
                }
            }
        })
    }
}

impl Address {
    /// Reads an address; None where the text is none.
    pub fn parse(text: &str) -> Option<Address> {
        let text = text.trim();
        let inside = |open: &str| text.strip_prefix(open);
        if let Some(pattern) = inside("`") {
            return pattern.strip_suffix('`').filter(|p| !p.trim().is_empty()).map(|p| Address::Pattern(p.to_owned()));
        }
        if let Some(tag) = inside("@") {
            return (!tag.is_empty() && !tag.contains(char::is_whitespace)).then(|| Address::Tag(tag.to_owned()));
        }
        if let Some(mark) = inside("%") {
            return (!mark.is_empty() && mark.chars().all(|c| in_word(c) || c == '-'))
                .then(|| Address::Mark(mark.to_owned()));
        }
        if let Some(path) = inside(".").filter(|path| !path.starts_with('.')) {
            return Some(Address::Path(path.to_owned()));
        }
        if let Some((from, to)) = text.split_once("..") {
            let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
            return (from <= to).then_some(Address::Steps(from, to));
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return text.parse().ok().map(Address::Step);
        }
        let ways: Option<Vec<StageName>> = between(text, |c| c == '/').into_iter().map(StageName::parse).collect();
        ways.filter(|ways| !ways.is_empty()).map(Address::Stage)
    }
}

impl Address {
    /// The addresses of a text, between spaces that stand in no brackets or backticks.
    pub fn split(text: &str) -> Vec<&str> {
        between(text, |c| c.is_whitespace()).into_iter().filter(|part| !part.is_empty()).collect()
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Step(k) => write!(f, "{k}"),
            Address::Steps(from, to) => write!(f, "{from}..{to}"),
            Address::Stage(ways) => {
                let ways: Vec<String> = ways.iter().map(StageName::to_string).collect();
                f.write_str(&ways.join("/"))
            }
            Address::Tag(tag) => write!(f, "@{tag}"),
            Address::Mark(mark) => write!(f, "%{mark}"),
            Address::Path(path) => write!(f, ".{path}"),
            Address::Pattern(pattern) => write!(f, "`{pattern}`"),
        }
    }
}

impl StageName {
    fn parse(text: &str) -> Option<StageName> {
        let text = text.trim();
        let way = match text.rsplit_once('#') {
            Some((name, nth)) => {
                StageName { name: name.trim().to_owned(), nth: Some(nth.parse().ok().filter(|n| *n > 0)?) }
            }
            None => StageName { name: text.to_owned(), nth: None },
        };
        (!way.name.is_empty()).then_some(way)
    }

    /// Whether it is written so: with this name, or with what stands before its parenthesis.
    pub fn names(&self, name: &str) -> bool {
        name == self.name || name.split('(').next() == Some(&self.name)
    }

    /// Whether it means the rule that a step is by.
    pub fn names_rule(&self, rule: &Rule) -> bool {
        self.nth.is_none() && (rule.info().name.as_str() == self.name || rule.to_string() == self.name)
    }

    fn means(&self, stages: &Stages, number: usize) -> bool {
        let stage = stages.stage(number);
        self.names(&stage.name) && self.nth.is_none_or(|nth| stage.nth.unwrap_or(1) == nth)
    }
}

impl fmt::Display for StageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nth {
            Some(nth) => write!(f, "{}#{nth}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// The parts of a text between separators that stand in no brackets or backticks.
fn between(text: &str, separates: impl Fn(char) -> bool) -> Vec<&str> {
    let (mut open, mut quoted, mut start, mut found) = (0_usize, false, 0, Vec::new());
    for (k, c) in text.char_indices() {
        match c {
            '`' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            c if open == 0 && separates(c) => {
                found.push(&text[start..k]);
                start = k + c.len_utf8();
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

impl Derivation {
    /// The stages that a path names: the outermost ones, wherever its first name stands. Names in between may be left out.
    pub fn find(&self, ways: &[StageName]) -> Result<Vec<usize>, UnreachedAddress> {
        let stages = self.stages();
        let (mut now, mut reached) = (Vec::new(), String::new());
        for (k, way) in ways.iter().enumerate() {
            let inside: Vec<usize> = if k == 0 { stages.tops().to_vec() } else { parts(stages, &now).collect() };
            let direct = inside.iter().copied().filter(|part| k > 0 && way.means(stages, *part));
            let mut next: Vec<usize> = direct.collect();
            if next.is_empty() {
                first(stages, &inside, way, &mut next);
            }
            if next.is_empty() {
                let missing = way.to_string();
                let (direct, all) = (titles(stages, &inside), titles(stages, &below(stages, &inside)));
                let near = |names: &[String]| did_you_mean(&missing, names.iter().map(String::as_str)).is_some();
                // What stands further in is listed where only that can be meant, or no stage is named yet.
                let there = if k == 0 || !near(&direct) && near(&all) { all } else { direct };
                return Err(UnreachedAddress { reached, missing, there });
            }
            reached = ways[..=k].iter().map(StageName::to_string).collect::<Vec<String>>().join("/");
            now = next;
        }
        Ok(now)
    }

    /// The addresses of what is in a stage; without a stage, every stage and every rule.
    pub fn names_below(&self, above: Option<&str>) -> Vec<String> {
        let stages = self.stages();
        let mut found: Vec<String> = match above {
            None => {
                let rules = self.steps().iter().map(|step| step.rule().info().name.to_string());
                (0..stages.len()).map(|number| stages.title(number)).chain(rules).collect()
            }
            Some(text) => {
                let Some(Address::Stage(ways)) = Address::parse(text) else { return Vec::new() };
                let above = self.find(&ways).unwrap_or_default();
                parts(stages, &above).map(|part| format!("{text}/{}", stages.title(part))).collect()
            }
        };
        found.sort();
        found.dedup();
        found
    }

    /// The steps of these stages, less one: pieces in order.
    pub fn pieces(&self, stages: &[usize]) -> Vec<Range<usize>> {
        let mut all: Vec<Range<usize>> =
            stages.iter().flat_map(|number| self.stages().stage(*number).pieces.iter().cloned()).collect();
        all.order_by_key(|piece| piece.start);
        let mut joined = Vec::new();
        all.into_iter().for_each(|piece| add(&mut joined, piece));
        joined
    }
}

fn parts<'a>(stages: &'a Stages, now: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    now.iter().flat_map(|number| stages.stage(*number).parts.iter().copied())
}

/// Stages and all that is in them, each before its parts.
fn below(stages: &Stages, among: &[usize]) -> Vec<usize> {
    among.iter().flat_map(|number| [vec![*number], below(stages, &stages.stage(*number).parts)].concat()).collect()
}

/// Their titles, each once.
fn titles(stages: &Stages, all: &[usize]) -> Vec<String> {
    let mut known = BTreeSet::new();
    all.iter().map(|number| stages.title(*number)).filter(|title| known.insert(title.clone())).collect()
}

/// The outermost stages that a name means.
fn first(stages: &Stages, among: &[usize], way: &StageName, found: &mut Vec<usize>) {
    for number in among {
        match way.means(stages, *number) {
            true => found.push(*number),
            false => first(stages, &stages.stage(*number).parts, way, found),
        }
    }
}
