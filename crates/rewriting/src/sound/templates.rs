//! Keeps left sides, in the notation of rules, for rules that can't be tested by their pattern alone: instances are grown from
//! them.
//!
//! A native rule has no pattern, and the pattern of a rule that asks about its place says too little: the book has left
//! sides for both. The rule is tried everywhere in the instance.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::rule::{Checker, Example, RuleBody, RuleBook, RuleInfo, RuleOrigin, examples};
use redexter_language::check::Law;
use redexter_language::ground::{Budget, Limits, Name, Sources, Span, Trouble};
use redexter_language::syntax::parse_rule;

/// Left sides by the name of the rule.
pub struct Templates {
    /// As a text, from which each is read when it is asked for.
    text: String,
    /// Each once, in the order of the book.
    all: Vec<LeftTemplate>,
    of: BTreeMap<Name, Vec<usize>>,
    checker: Checker,
    limits: Limits,
}

struct LeftTemplate {
    region: Span,
    typed: OnceCell<Vec<Law>>,
}

impl Templates {
    /// The left sides of the book as one text, which is added to `sources`; the checker must know these.
    pub fn new(book: &RuleBook, sources: &mut Sources, limits: Limits, checker: &Checker) -> Templates {
        let (mut numbers, mut of, mut text, mut ends) = (BTreeMap::new(), BTreeMap::new(), String::new(), vec![0]);
        for (name, sides) in book.left_sides() {
            let own: &mut Vec<usize> = of.entry(name.clone()).or_default();
            for left in sides {
                let next = numbers.len();
                own.push(*numbers.entry(*left).or_insert(next));
                if numbers.len() > next {
                    // The same on both sides, because only rules can be read and only left sides are wanted.
                    text += &format!("r{next} = `{left} --> {left}`\n");
                    ends.push(text.len());
                }
            }
        }
        let id = sources.add("<templates>", text.clone());
        let template =
            |ends: &[usize]| LeftTemplate { region: Span::new(id, ends[0], ends[1]), typed: OnceCell::new() };
        Templates { text, all: ends.windows(2).map(template).collect(), of, checker: checker.clone(), limits }
    }

    /// A rule at work: on instances of its own laws, and of the left sides that it is tested on.
    pub fn examples<'a>(&'a self, info: &'a Rc<RuleInfo>) -> Result<impl Iterator<Item = Example> + 'a, Trouble> {
        let laws = match &info.body {
            RuleBody::Computed(_) => self.all()?,
            RuleBody::Laws(_) | RuleBody::Native(_) => self.left_sides(info)?.into_iter().map(|(law, _)| law).collect(),
        };
        Ok(examples(info, laws))
    }

    /// The laws of a rule, and the left sides that it is tested on; whether each asks for more than constructors.
    pub fn left_sides<'a>(&'a self, info: &'a RuleInfo) -> Result<Vec<(&'a Law, bool)>, Trouble> {
        let mut all = Vec::new();
        if let RuleBody::Laws(laws) = &info.body {
            all.extend(laws.typed()?.iter().map(|law| (law.law(), law.asks())));
        }
        if info.origin == RuleOrigin::Book {
            all.extend(self.of(&info.name)?.into_iter().map(|law| (law, true)));
        }
        Ok(all)
    }

    /// The left sides for a rule of this name.
    pub(super) fn of(&self, name: &Name) -> Result<Vec<&Law>, Trouble> {
        self.typed(self.of.get(name).into_iter().flatten().map(|k| &self.all[*k]))
    }

    /// All left sides, whatever rule they are for.
    pub fn all(&self) -> Result<Vec<&Law>, Trouble> {
        self.typed(self.all.iter())
    }

    /// Read and typed now if they weren't.
    fn typed<'a>(&'a self, templates: impl Iterator<Item = &'a LeftTemplate>) -> Result<Vec<&'a Law>, Trouble> {
        let mut all = Vec::new();
        for LeftTemplate { region, typed } in templates {
            if typed.get().is_none() {
                let raw = parse_rule(&self.text, *region, &Budget::new(self.limits, None))?;
                let laws = (self.checker)(&raw, false)?;
                typed.get_or_init(|| laws);
            }
            all.extend(typed.get().into_iter().flatten());
        }
        Ok(all)
    }
}
