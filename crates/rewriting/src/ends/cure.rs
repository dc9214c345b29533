//! Looks for what would end a repetition that goes round, and checks it before it is offered: its rules in two stages, a
//! condition that is learnt from what variables stood for on the way round, or another order.

use std::cell::OnceCell;

use super::certificate::{at_rest, examples};
use super::chain::{ChainQuery, SearchBounds, search};
use super::proof::attempt;
use super::{WayRound, is_written};
use crate::redex::site;
use crate::rule::{Pattern, Restriction, Rule, RuleBody, place_of};
use crate::strategy::{RuleRepetition, Strategy, rules_in};
use redexter_language::check::{Law, PatternVar};
use redexter_language::ground::{Budget, Name, SourceId, Span, StopReason};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::{Kind, Path, Program, SizeBounds, Term};

/// So many conditions are tried, and orders of so many rules.
const MAX_CONDITIONS: usize = 8;
const MAX_ORDERED: usize = 4;

/// What would end a repetition that goes round.
#[derive(Clone, Debug)]
pub enum Cure {
    /// Its rules in stages.
    Stages {
        /// One stage behind the other.
        stages: Strategy,
        /// Whether each is proved to end; else no way round is found in the first any more, the second is proved, and both end on
        /// the term and on the left sides of their laws.
        proved: bool,
    },
    /// A rule with one more condition.
    Condition {
        /// The rule.
        rule: Rule,
        /// The condition, as it is written.
        condition: String,
        /// Whether the laws are then proved to end; else no way round is found any more, and it ends on the term and on the
        /// left sides of its laws.
        proved: bool,
    },
    /// Another order of the rules ends on the term; it may go round on others.
    Order(Strategy),
}

/// The cures of a repetition that goes this way round, each checked. Ways round that are left begin with the rules that are
/// marked, and with those of this one.
pub(super) fn cures(
    whole: &RuleRepetition,
    way: &WayRound,
    marked: &[bool],
    bounds: SearchBounds,
    budget: &Budget,
) -> Result<Vec<Cure>, StopReason> {
    let round = rules_of(way);
    let from = whole.rules.iter().zip(marked).map(|(rule, marked)| *marked || round.contains(rule)).collect();
    let search = CureSearch { whole, way, round, from, left_sides: OnceCell::new(), bounds, budget };
    let mut all: Vec<Cure> = search.stages()?.into_iter().collect();
    all.extend(search.conditions()?);
    if all.is_empty() {
        all.extend(search.order()?);
    }
    Ok(all)
}

/// The rules of the way round, each once.
fn rules_of(way: &WayRound) -> Vec<Rule> {
    let mut all: Vec<Rule> = Vec::new();
    for (rule, _) in &way.steps {
        if !all.contains(rule) {
            all.push(rule.clone());
        }
    }
    all
}

/// What cures are looked for with.
struct CureSearch<'a> {
    whole: &'a RuleRepetition,
    way: &'a WayRound,
    /// The rules of the way round.
    round: Vec<Rule>,
    /// Of the rules of the whole, with which of them ways round begin.
    from: Vec<bool>,
    /// Terms of the left sides of each of these rules, once they are asked for.
    left_sides: OnceCell<Vec<Vec<Program>>>,
    bounds: SearchBounds,
    budget: &'a Budget,
}

impl CureSearch<'_> {
    fn left_sides(&self) -> &[Vec<Program>] {
        self.left_sides.get_or_init(|| self.whole.rules.iter().map(examples).collect())
    }

    /// One rule of the way round in a stage of its own, behind the others: where both stages are proved, or else where no way
    /// round is found among the others.
    fn stages(&self) -> Result<Option<Cure>, StopReason> {
        let (whole, rules) = (self.whole, &self.whole.rules);
        // A stage that needs a success would fail where it finds nothing.
        if whole.needs_success() {
            return Ok(None);
        }
        if !rules.iter().all(is_written) || whole.parts.iter().any(|part| part.as_rule().is_none()) {
            return Ok(None);
        }
        let mut likely = Vec::new();
        for alone in &self.round {
            let one = std::slice::from_ref(alone);
            let other = rules.iter().zip(&self.from).filter(|(rule, _)| *rule != alone);
            let (others, from): (Vec<Rule>, Vec<bool>) = other.map(|(rule, from)| (rule.clone(), *from)).unzip();
            let of = |rules: &[Rule]| whole.of(&rules.iter().map(Strategy::rule).collect::<Vec<Strategy>>());
            let (Some(first), Some(then)) = (of(&others), of(one)) else { continue };
            if !attempt(one, self.budget)?.proof.is_whole() {
                continue;
            }
            let stages = first.then(&then);
            if attempt(&others, self.budget)?.proof.is_whole() {
                return Ok(Some(Cure::Stages { stages, proved: true }));
            }
            likely.push((stages, others, from));
        }
        for (stages, others, from) in likely {
            if self.rests(&stages, self.left_sides().iter().flatten())? && self.is_quiet((&others, &from))? {
                return Ok(Some(Cure::Stages { stages, proved: false }));
            }
        }
        Ok(None)
    }

    /// Conditions by which the way round can't be gone, where no other is found then and the repetition ends on the term and on
    /// the left sides of its laws: the first of each rule.
    fn conditions(&self) -> Result<Vec<Cure>, StopReason> {
        let (whole, rules) = (self.whole, &self.whole.rules);
        let mut cures: Vec<Cure> = Vec::new();
        let mut tried = 0;
        for (rule, by) in candidates(self.way) {
            self.budget.ask()?;
            if cures.iter().any(|cure| matches!(cure, Cure::Condition { rule: known, .. } if *known == rule)) {
                continue;
            }
            // A condition is written for all uses of the rule, of which those within other parts wouldn't change here.
            if whole.parts.iter().any(|part| part.as_rule().is_none() && rules_in(part).contains(&rule)) {
                continue;
            }
            let Some(restricted) = rule.restricted(&by) else { continue };
            let part = |part: &Strategy| {
                if part.as_rule().as_ref() == Some(&rule) { Strategy::rule(&restricted) } else { part.clone() }
            };
            let parts: Vec<Strategy> = whole.parts.iter().map(part).collect();
            let Some(changed) = whole.of(&parts) else { continue };
            // A rule that never applies any more isn't cured.
            let own = examples(&restricted);
            if own.is_empty() {
                continue;
            }
            tried += 1;
            if tried > MAX_CONDITIONS {
                break;
            }
            let others = rules.iter().zip(self.left_sides()).filter(|(other, _)| **other != rule);
            if !self.rests(&changed, own.iter().chain(others.flat_map(|(_, terms)| terms)))? {
                continue;
            }
            let rules: Vec<Rule> =
                rules.iter().map(|other| if *other == rule { &restricted } else { other }).cloned().collect();
            let proved = attempt(&rules, self.budget)?.proof.is_whole();
            if proved || self.is_quiet((&rules, &self.from))? {
                cures.push(Cure::Condition { rule, condition: by.to_string(), proved });
            }
        }
        Ok(cures)
    }

    /// Whether a strategy ends on the term, and on all of these.
    fn rests<'p>(&self, strategy: &Strategy, programs: impl Iterator<Item = &'p Program>) -> Result<bool, StopReason> {
        if !at_rest(strategy, &self.way.program) {
            return Ok(false);
        }
        for program in programs {
            self.budget.ask()?;
            if !at_rest(strategy, program) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether no way round is found that begins with the rules that are marked, be it one that no term shows.
    fn is_quiet(&self, (rules, from): (&[Rule], &[bool])) -> Result<bool, StopReason> {
        let mut quiet = true;
        let (reach, bounds, budget) = (self.whole.reach, self.bounds, self.budget);
        let found = search(ChainQuery { rules, from, reach, bounds, budget }, &mut |_| {
            quiet = false;
            Ok(true)
        });
        found.stopped.map_or(Ok(quiet), Err)
    }

    /// The first order that ends on the term: of all parts where they are few, else of the rules of the way round in their
    /// places.
    fn order(&self) -> Result<Option<Cure>, StopReason> {
        let whole = self.whole;
        let places: Vec<usize> = (0..whole.parts.len())
            .filter(|k| {
                whole.parts.len() <= MAX_ORDERED
                    || whole.parts[*k].as_rule().is_some_and(|rule| self.round.contains(&rule))
            })
            .collect();
        if !(2..=MAX_ORDERED).contains(&places.len()) {
            return Ok(None);
        }
        let mut orders = Vec::new();
        permutations(&places, &mut Vec::new(), &mut orders);
        for order in orders {
            self.budget.ask()?;
            let mut parts = whole.parts.clone();
            for (to, from) in places.iter().zip(&order) {
                parts[*to] = whole.parts[*from].clone();
            }
            let Some(changed) = whole.of(&parts) else { continue };
            if at_rest(&changed, &self.way.program) {
                return Ok(Some(Cure::Order(changed)));
            }
        }
        Ok(None)
    }
}

/// Conditions that the steps of a way round don't meet: a variable that stood for a number stands for none, or not for this
/// one; one that stood for more than a variable stands for nothing of that form.
fn candidates(way: &WayRound) -> Vec<(Rule, Restriction)> {
    let mut all = Vec::new();
    for ((rule, path), term) in way.steps.iter().zip(&way.terms) {
        let (Some((_, redex)), RuleBody::Laws(laws)) = (site(term, path), &rule.info().body) else { continue };
        for compiled in laws.typed().unwrap_or_default() {
            let law = compiled.law();
            let own = Pattern::new("", &[Law { right: law.left.clone(), ..law.clone() }]);
            if !own.matches(&redex) {
                continue;
            }
            for (j, var) in law.vars.iter().enumerate().filter(|(_, var)| var.arity == 0) {
                let value = place_of(law, j).and_then(|path| Path(path).find(&redex));
                let Some(value) = value else { continue };
                if let Some(pattern) = form_of(&value) {
                    all.push((rule.clone(), Restriction::NoMatch(var.name.clone(), pattern)));
                }
                if matches!(value.kind(), Kind::Real(_) | Kind::Int(_)) {
                    all.push((rule.clone(), Restriction::NoNumber(var.name.clone())));
                }
            }
            break;
        }
    }
    all
}

/// A law that leaves a term as it is, over these variables.
fn law_of(term: &Term, vars: Vec<PatternVar>, text: &str) -> Law {
    let (left, right, bounds) = (term.clone(), term.clone(), SizeBounds::default());
    Law { vars, left, right, bounds, text: text.to_owned(), span: Span::new(SourceId(0), 0, 0) }
}

/// A pattern of a term's constructor, or of a number itself; none of what binds.
fn form_of(term: &Term) -> Option<Pattern> {
    if matches!(term.kind(), Kind::Var) || term.kind().binds() || term.ty().is_open() {
        return None;
    }
    let count = term.kid_count();
    let names: Vec<Name> = ["a", "b", "c"].into_iter().take(count).map(Name::new).collect();
    if names.len() < count {
        return None;
    }
    let types: Vec<_> = (0..count).map(|k| term.kid(k).ty().clone()).collect();
    let kid = |k: usize| Term::var((count - 1 - k) as u32, &types[k]);
    let left = term.with_kids((0..count).map(kid).collect()).ok()?;
    let mut closed = left.clone();
    for (name, ty) in names.iter().zip(&types).rev() {
        closed = Term::lam(name, ty, closed).ok()?;
    }
    let text = print_term(&closed, &PrintStyle { width: usize::MAX });
    let text = if count == 0 { &*text } else { text.split_once("=> ")?.1 };
    let var = |(name, ty): (&Name, &_)| PatternVar { name: name.clone(), arity: 0, ty: Clone::clone(ty) };
    let vars: Vec<PatternVar> = names.iter().zip(&types).map(var).collect();
    Some(Pattern::new(text, &[law_of(&left, vars, text)]))
}

fn permutations(of: &[usize], begun: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    if begun.len() == of.len() {
        all.push(begun.clone());
    }
    for k in of {
        if !begun.contains(k) {
            begun.push(*k);
            permutations(of, begun, all);
            begun.pop();
        }
    }
}
