//! Builds the raw trees of rules: laws, conditions, exactness, and the comments above them in a rule book.

use std::ops::Range;

use pest::iterators::Pair;

use super::Rule;
use super::build::{Builder, WithHeight, first, part, parts};
use crate::ground::{Diagnostic, Trouble, code, text::on_one_line};
use crate::syntax::raw::{
    RawCondition, RawConditionKind, RawFunction, RawInPlace, RawLaw, RawQuantity, RawRule, RawTerm,
};
use crate::term::Prim;

impl Builder {
    /// The rules of a book with their groups. `source` is the whole text, comments included.
    pub fn rule_book(&self, pair: Pair<'_, Rule>, source: &str) -> Result<Vec<(String, RawRule)>, Trouble> {
        let mut group = String::new();
        let mut rules = Vec::new();
        let mut seen = 0;
        for item in parts(pair) {
            let rule = self.rule(item, source)?;
            let start = rule.span.start as usize;
            if let Some(name) = source[seen..start].lines().filter_map(heading).next_back() {
                group = name.to_owned();
            }
            seen = start;
            rules.push((group.clone(), rule));
        }
        Ok(rules)
    }

    /// One rule, from its name on.
    pub fn rule(&self, pair: Pair<'_, Rule>, source: &str) -> Result<RawRule, Trouble> {
        let mut inner = parts(pair);
        let name = self.defined(&part(&mut inner), "a rule")?;
        let mut rule = RawRule {
            span: name.span,
            doc: doc_above(&source[..name.span.start as usize]),
            name,
            params: Vec::new(),
            laws: Vec::new(),
            conditions: Vec::new(),
            exactness: None,
            unchecked: false,
        };
        for item in inner {
            let span = self.span(&item);
            rule.span = rule.span.to(span);
            match item.as_rule() {
                Rule::rule_params => {
                    rule.params = parts(item).map(|p| self.defined(&p, "a parameter")).collect::<Result<_, _>>()?;
                }
                Rule::law => rule.laws.push(self.law(item)?),
                Rule::conditions => {
                    rule.conditions = parts(item).map(|p| self.condition(p)).collect::<Result<_, _>>()?;
                    number(&mut rule.conditions);
                }
                Rule::exactness => rule.exactness = Some(self.ident(&item)),
                _ => rule.unchecked = true,
            }
        }
        Ok(rule)
    }

    fn law(&self, pair: Pair<'_, Rule>) -> Result<RawLaw, Trouble> {
        let mut inner = parts(pair);
        let left = self.term(part(&mut inner))?.node;
        let becomes = part(&mut inner);
        self.right_side(left, &becomes, part(&mut inner))
    }

    fn right_side(&self, left: RawTerm, becomes: &Pair<'_, Rule>, right: Pair<'_, Rule>) -> Result<RawLaw, Trouble> {
        let right = self.term(right)?.node;
        let span = left.span.to(right.span);
        Ok(RawLaw { left, right, both_ways: becomes.as_str() == "<-->", span })
    }

    /// A pattern, or a law where an arrow follows.
    pub fn in_place(&self, pair: Pair<'_, Rule>) -> Result<RawInPlace, Trouble> {
        let mut inner = parts(pair);
        let left = self.term(part(&mut inner))?.node;
        match (inner.next(), inner.next()) {
            (Some(becomes), Some(right)) => self.right_side(left, &becomes, right).map(RawInPlace::Rule),
            _ => Ok(RawInPlace::Pattern(left)),
        }
    }

    fn condition(&self, pair: Pair<'_, Rule>) -> Result<RawCondition, Trouble> {
        let mut inner = parts(pair).peekable();
        let not = inner.next_if(|p| p.as_rule() == Rule::kw_not);
        let left = part(&mut inner);
        let left_span = self.span(&left);
        let start = not.as_ref().map_or(left_span, |p| self.span(p));
        let Some(comparison) = inner.next() else {
            let condition = match enclosed(&left) {
                Some(nested) => self.condition(nested)?,
                None => {
                    let kind = RawConditionKind::Holds(self.sum(left)?.node);
                    RawCondition { kind, negated: false, span: left_span }
                }
            };
            return Ok(RawCondition {
                negated: condition.negated ^ not.is_some(),
                span: start.to(condition.span),
                ..condition
            });
        };
        let right = part(&mut inner);
        let span = start.to(self.span(&right));
        let prim = Prim::infix(comparison.as_str()).expect("the grammar lists the comparisons of the table");
        let kind = RawConditionKind::Compare(prim, self.sum(left)?.node, self.sum(right)?.node);
        Ok(RawCondition { kind, negated: not.is_some(), span })
    }

    fn sum(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawQuantity>, Trouble> {
        let products = parts(pair).map(|p| self.quantity_product(p)).collect::<Result<Vec<_>, _>>()?;
        self.joined(products, |a, b| RawQuantity::Add(Box::new(a), Box::new(b)))
    }

    fn quantity_product(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawQuantity>, Trouble> {
        let quantities = parts(pair).map(|p| self.quantity(p)).collect::<Result<Vec<_>, _>>()?;
        self.joined(quantities, |a, b| RawQuantity::Mul(Box::new(a), Box::new(b)))
    }

    fn quantity(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawQuantity>, Trouble> {
        let mut inner = parts(pair);
        let head = part(&mut inner);
        match head.as_rule() {
            Rule::natural => self.tall(RawQuantity::Number(self.natural(&head)?, self.span(&head)), 0),
            Rule::nested => self.nested(head),
            _ => match inner.next() {
                None => self.tall(RawQuantity::Name(self.ident(&head)), 0),
                Some(arguments) => {
                    let arguments = parts(arguments).map(|p| self.argument(p)).collect::<Result<Vec<_>, _>>()?;
                    let below = arguments.iter().map(|a| a.height).max().unwrap_or(0);
                    let arguments = arguments.into_iter().map(|a| a.node).collect();
                    self.tall(RawQuantity::Call(self.ident(&head), arguments), below)
                }
            },
        }
    }

    /// A quantity, a pattern, or a function of the script; `rule` numbers these.
    fn argument(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawQuantity>, Trouble> {
        match pair.as_rule() {
            Rule::function => {
                let text = on_one_line(pair.as_str());
                self.tall(RawQuantity::Function(RawFunction { number: 0, text, span: self.span(&pair) }), 0)
            }
            Rule::pattern => {
                let pattern = self.term(first(pair))?;
                self.tall(RawQuantity::Pattern(pattern.node), pattern.height)
            }
            _ => self.sum(pair),
        }
    }

    /// Parentheses inside a sum or product, which hold a quantity and no condition.
    fn nested(&self, pair: Pair<'_, Rule>) -> Result<WithHeight<RawQuantity>, Trouble> {
        let span = self.span(&pair);
        let mut inner = parts(first(pair));
        let quantity = part(&mut inner);
        if quantity.as_rule() == Rule::sum && inner.next().is_none() {
            return self.sum(quantity);
        }
        Err(Diagnostic::error(code::SYNTAX, "a condition stands where a number is needed")
            .at(span, "is true or false")
            .help("separate conditions with `,`")
            .into())
    }
}

/// A rule of a book that begins each of its rules on a line of its own, before it is parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRule<'a> {
    /// The group that it stands in.
    pub group: &'a str,
    /// Its name.
    pub name: &'a str,
    /// How many parameters it has.
    pub params: usize,
    /// What stands between the word `rule` and the `;`.
    pub range: Range<usize>,
}

/// The rules of such a book.
pub fn listed(book: &str) -> Vec<ListedRule<'_>> {
    let (mut group, mut found, mut start) = ("", Vec::new(), 0);
    let mut open: Option<(usize, &str)> = None;
    for line in book.split_inclusive('\n').chain(["//"]) {
        let begins = line.starts_with("rule ");
        if begins || line.starts_with("//") {
            if let Some((from, group)) = open.take() {
                found.extend(listed_there(book, from..start, group));
            }
            group = heading(line).unwrap_or(group);
        }
        if begins {
            open = Some((start + "rule".len(), group));
        }
        start += line.len();
    }
    found
}

fn listed_there<'a>(book: &'a str, range: Range<usize>, group: &'a str) -> Option<ListedRule<'a>> {
    let body = book[range.clone()].trim_end().strip_suffix(';')?;
    let head = body.split('=').next()?.trim();
    let (name, params) = match head.split_once('(') {
        Some((name, params)) => (name.trim_end(), params.split(',').count()),
        None => (head, 0),
    };
    Some(ListedRule { group, name, params, range: range.start..range.start + body.len() })
}

/// Numbers the functions of a script in their order.
fn number(conditions: &mut [RawCondition]) {
    let calls = conditions.iter_mut().filter_map(|condition| match &mut condition.kind {
        RawConditionKind::Holds(RawQuantity::Call(_, arguments)) => Some(arguments),
        _ => None,
    });
    let functions = calls.flatten().filter_map(|argument| match argument {
        RawQuantity::Function(function) => Some(function),
        _ => None,
    });
    functions.enumerate().for_each(|(k, function)| function.number = k);
}

/// The condition in parentheses that a sum consists of, if it is one.
fn enclosed<'i>(sum: &Pair<'i, Rule>) -> Option<Pair<'i, Rule>> {
    let only = |pair: Pair<'i, Rule>| {
        let mut inner = parts(pair);
        inner.next().filter(|_| inner.next().is_none())
    };
    let nested = only(only(only(sum.clone())?)?)?;
    (nested.as_rule() == Rule::nested).then(|| first(nested))
}

/// The name in a line `// # Name`.
fn heading(line: &str) -> Option<&str> {
    line.trim().strip_prefix("//")?.trim_start().strip_prefix('#').map(str::trim)
}

/// The comment lines directly above the line that `before` ends in, without their slashes.
fn doc_above(before: &str) -> String {
    let mut lines: Vec<&str> = before
        .lines()
        .rev()
        .skip(usize::from(!before.ends_with('\n')))
        .map(str::trim)
        .take_while(|line| line.starts_with("//") && heading(line).is_none())
        .map(|line| line.trim_start_matches('/').trim())
        .collect();
    lines.reverse();
    lines.join("\n")
}
