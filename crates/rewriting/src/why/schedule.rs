//! Unfolds the definitions of a strategy and numbers its parts (`Schedule`): where rules stand in it, and which of two is tried
//! first.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::derivation::{StageName, UnreachedAddress};
use crate::redex::RuleFamily;
use crate::rule::Rule;
use crate::strategy::{Step, Strategy, StrategyDefinition, StrategyForm, Unary};
use redexter_language::ground::Name;

/// Strategies are unfolded to so many parts.
const MAX_PARTS: usize = 20_000;

/// A strategy and its parts, each behind the one that it is in and before the next one beside it.
pub struct Schedule {
    parts: Vec<SchedulePart>,
}

/// A part of a strategy.
pub struct SchedulePart {
    /// What it does.
    pub strategy: Strategy,
    /// The named strategies that it is in, itself included, outermost first, as they print.
    pub within: Rc<[Rc<str>]>,
    /// What it is a part of.
    around: Option<usize>,
    /// Its own number, and where its parts end.
    span: Range<usize>,
    /// A use of a definition that uses itself: that isn't unfolded again.
    is_recursive: bool,
}

/// The order in which two parts are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartOrder {
    /// They are the same.
    Same,
    /// Alternatives of this choice, the first one tried first.
    Choice(usize),
    /// The same, but the second one is tried first.
    ChoiceReversed(usize),
    /// One after the other, the first one first.
    Sequence,
    /// The same, but the second one first, and the strategy doesn't come back to it.
    SequenceReversed,
    /// The strategy doesn't say: one is in the other, or it comes back to both, or one of them is a test.
    Open,
}

/// A traversal, by the places that it comes to first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraversalOrder {
    /// From the root down, from left to right.
    Down,
    /// From the leaves up, from left to right.
    Up,
}

impl TraversalOrder {
    /// Whether it comes to one place before another.
    pub fn is_before(self, one: &[u32], other: &[u32]) -> bool {
        match self {
            TraversalOrder::Down => one < other,
            TraversalOrder::Up if one.starts_with(other) => one != other,
            TraversalOrder::Up => !other.starts_with(one) && one < other,
        }
    }
}

impl Schedule {
    /// Its parts. A definition that uses itself is unfolded once.
    pub fn of(strategy: &Strategy) -> Schedule {
        let mut schedule = Schedule { parts: Vec::new() };
        schedule.add(strategy, None, &Rc::from([]), &mut Vec::new());
        schedule
    }

    fn add(
        &mut self,
        s: &Strategy,
        around: Option<usize>,
        within: &Rc<[Rc<str>]>,
        open: &mut Vec<(*const StrategyDefinition, usize)>,
    ) {
        if self.parts.len() >= MAX_PARTS {
            return;
        }
        let number = self.parts.len();
        let mut inner = within.clone();
        if let StrategyForm::Named(_) = s.form() {
            inner = within.iter().cloned().chain([Rc::from(s.to_string())]).collect();
        }
        let span = number..number + 1;
        self.parts.push(SchedulePart { strategy: s.clone(), within: inner.clone(), around, span, is_recursive: false });
        match s.form() {
            StrategyForm::Named(named) => {
                let own = Rc::as_ptr(&named.definition);
                if let Some((_, again)) = open.iter().find(|(known, _)| *known == own) {
                    self.parts[*again].is_recursive = true;
                    self.parts[number].is_recursive = true;
                } else if let Some(body) = s.definition() {
                    open.push((own, number));
                    self.add(&body, Some(number), &inner, open);
                    open.pop();
                }
            }
            form => form.parts().into_iter().for_each(|part| self.add(part, Some(number), &inner, open)),
        }
        self.parts[number].span.end = self.parts.len();
    }

    /// The part with this number; 0 is the whole.
    pub fn part(&self, number: usize) -> &SchedulePart {
        &self.parts[number]
    }

    /// The parts around one, innermost first.
    pub fn around(&self, number: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parts[number].around, |at| self.parts[*at].around)
    }

    /// Where rules stand in a part.
    fn leaves(&self, part: usize, wanted: impl Fn(&Rule) -> bool) -> Vec<usize> {
        let is_wanted =
            |at: &usize| matches!(self.parts[*at].strategy.form(), StrategyForm::Rule(rule) if wanted(rule));
        self.parts[part].span.clone().filter(is_wanted).collect()
    }

    /// Where a rule stands in a part, with any of these arguments.
    pub fn rules(&self, part: usize, family: &RuleFamily) -> Vec<usize> {
        self.leaves(part, |rule| is_of(family, rule))
    }

    /// Where rules stand in a part.
    pub fn rules_in(&self, part: usize) -> Vec<usize> {
        self.leaves(part, |_| true)
    }

    /// The rules in a part, each once, in the order in which they stand there.
    pub fn all_rules(&self, part: usize) -> Vec<Rule> {
        let mut found: Vec<Rule> = Vec::new();
        for leaf in self.leaves(part, |_| true) {
            if let StrategyForm::Rule(rule) = self.parts[leaf].strategy.form()
                && !found.contains(rule)
            {
                found.push(rule.clone());
            }
        }
        found
    }

    /// Where the rule of a step may stand: within the strategies that were around the step, if it does.
    pub fn of_step(&self, step: &Step) -> Vec<usize> {
        let all = self.leaves(0, |rule| rule == step.rule());
        let same = |at: &usize| same_names(&self.parts[*at].within, step.within());
        let own: Vec<usize> = all.iter().copied().filter(same).collect();
        if own.is_empty() { all } else { own }
    }

    /// The order of parts, any of which it may be, and another one.
    pub fn order_of(&self, any: &[usize], other: usize) -> PartOrder {
        agreed(any.iter().map(|one| self.order(*one, other))).unwrap_or(PartOrder::Open)
    }

    /// The order of two parts.
    pub fn order(&self, one: usize, other: usize) -> PartOrder {
        if one == other {
            return PartOrder::Same;
        }
        let (first, second, reversed) = if one < other { (one, other, false) } else { (other, one, true) };
        // One is in the other, so that neither comes first.
        if self.parts[first].span.contains(&second) {
            return PartOrder::Open;
        }
        let Some(common) = self.around(first).find(|at| self.parts[*at].span.contains(&second)) else {
            return PartOrder::Open;
        };
        let is_test =
            |at: usize| matches!(self.parts[at].strategy.form(), StrategyForm::Unary(Unary::Not | Unary::Where, _));
        if [first, second].into_iter().any(|at| self.around(at).take_while(|at| *at != common).any(is_test)) {
            return PartOrder::Open;
        }
        match (self.parts[common].strategy.form(), reversed) {
            (StrategyForm::Choice(..), false) => PartOrder::Choice(common),
            (StrategyForm::Choice(..), true) => PartOrder::ChoiceReversed(common),
            (StrategyForm::Seq(..), false) => PartOrder::Sequence,
            (StrategyForm::Seq(..), true) if !self.around(common).any(|at| self.comes_back(at)) => {
                PartOrder::SequenceReversed
            }
            _ => PartOrder::Open,
        }
    }

    /// Whether a part does what is in it more than once.
    fn comes_back(&self, part: usize) -> bool {
        match self.parts[part].strategy.form() {
            StrategyForm::Unary(unary, _) => !matches!(
                unary,
                Unary::Try
                    | Unary::Cheaper
                    | Unary::Force
                    | Unary::Exactly
                    | Unary::InReals
                    | Unary::TopDown
                    | Unary::BottomUp
                    | Unary::One
            ),
            StrategyForm::RepeatN(..) | StrategyForm::RepeatUntil(..) | StrategyForm::Mu(..) => true,
            _ => self.parts[part].is_recursive,
        }
    }

    /// Whether a part is tried on the whole term, and nowhere else.
    pub fn is_at_root(&self, part: usize) -> bool {
        let stays = |at: usize| match self.parts[at].strategy.form() {
            StrategyForm::Unary(unary, _) => matches!(
                unary,
                Unary::Try
                    | Unary::Cheaper
                    | Unary::Force
                    | Unary::Exactly
                    | Unary::InReals
                    | Unary::Repeat
                    | Unary::Repeat1
                    | Unary::Not
                    | Unary::Where
            ),
            StrategyForm::Mu(..) | StrategyForm::Child(..) | StrategyForm::At(..) | StrategyForm::AtMatch(..) => false,
            _ => !self.parts[at].is_recursive,
        };
        self.around(part).all(stays)
    }

    /// Whether a traversal tries nothing but rules at each place: then it stops at the first redex of one.
    pub fn tries_rules(&self, traversal: usize) -> bool {
        let is_plain = |at: usize| match self.parts[at].strategy.form() {
            StrategyForm::Rule(_) | StrategyForm::Choice(..) => true,
            StrategyForm::Named(_) => !self.parts[at].is_recursive,
            _ => false,
        };
        let is_unary = matches!(self.parts[traversal].strategy.form(), StrategyForm::Unary(..));
        is_unary && (traversal + 1..self.parts[traversal].span.end).all(is_plain)
    }

    /// Whether a part is in another one.
    pub fn is_in(&self, part: usize, whole: usize) -> bool {
        self.parts[whole].span.contains(&part)
    }

    /// The traversal that decides where a part is tried first, and its order.
    pub fn traversal(&self, number: usize) -> Option<(usize, TraversalOrder)> {
        for at in self.around(number) {
            match self.parts[at].strategy.form() {
                StrategyForm::Unary(Unary::TopDown | Unary::Normalize | Unary::Outermost, _)
                | StrategyForm::AtMatch(..) => {
                    return Some((at, TraversalOrder::Down));
                }
                StrategyForm::Unary(Unary::BottomUp | Unary::Innermost, _) => {
                    return Some((at, TraversalOrder::Up));
                }
                // These come to every place in one go, or to one that the strategy names.
                StrategyForm::Unary(Unary::AllTopDown | Unary::TryAll | Unary::AllBottomUp, _) => return None,
                StrategyForm::Unary(Unary::One | Unary::All | Unary::Some, _) | StrategyForm::Mu(..) => return None,
                StrategyForm::Child(..) | StrategyForm::At(..) => return None,
                _ if self.parts[at].is_recursive => return None,
                _ => {}
            }
        }
        None
    }

    /// The repetition around a part that goes on until nothing in the term is a redex of it.
    pub fn normalizes(&self, number: usize) -> Option<usize> {
        let is_done = |at: &usize| {
            let form = self.parts[*at].strategy.form();
            matches!(form, StrategyForm::Unary(Unary::Normalize | Unary::Outermost | Unary::Innermost, _))
        };
        // Only what is an alternative of it is tried at every place.
        let is_plain =
            |at: &usize| matches!(self.parts[*at].strategy.form(), StrategyForm::Choice(..) | StrategyForm::Named(_));
        self.around(number).find(|at| !is_plain(at)).filter(is_done)
    }

    /// The choice of which a part is an alternative, the outermost of choices in a row.
    pub fn choice(&self, number: usize) -> Option<usize> {
        let is_plain =
            |at: &usize| matches!(self.parts[*at].strategy.form(), StrategyForm::Choice(..) | StrategyForm::Named(_));
        let is_choice = |at: &usize| matches!(self.parts[*at].strategy.form(), StrategyForm::Choice(..));
        self.around(number).take_while(is_plain).filter(is_choice).last()
    }

    /// The innermost named part with these names, or else with most of them.
    pub fn named(&self, within: &[Rc<str>]) -> Option<usize> {
        let same = |count: usize| self.parts.iter().position(|part| same_names(&part.within, &within[..count]));
        (0..=within.len()).rev().find_map(same)
    }

    /// The part that a part begins with: all that follows in it waits for that to succeed.
    pub fn beginning(&self, part: usize) -> usize {
        let mut at = part;
        loop {
            let first = at + 1;
            match self.parts[at].strategy.form() {
                StrategyForm::Named(_)
                | StrategyForm::Unary(
                    Unary::Cheaper | Unary::Try | Unary::Force | Unary::Exactly | Unary::InReals,
                    _,
                )
                | StrategyForm::Seq(..)
                    if self.parts[at].span.contains(&first) =>
                {
                    at = first;
                }
                // What never fails keeps nothing from what follows.
                StrategyForm::Unary(
                    Unary::Repeat | Unary::Normalize | Unary::Outermost | Unary::Innermost | Unary::TryAll,
                    _,
                ) => {
                    return part;
                }
                _ => return at,
            }
        }
    }

    /// The number of a part among those with the same names, from 0, and how many these are.
    pub fn turn(&self, part: usize) -> (usize, usize) {
        let own = &self.parts[part].within;
        let is_use = |at: &usize| {
            matches!(self.parts[*at].strategy.form(), StrategyForm::Named(_)) && self.parts[*at].within == *own
        };
        let all: Vec<usize> = (0..self.parts.len()).filter(is_use).collect();
        (all.iter().position(|at| *at == part).unwrap_or(0), all.len())
    }

    /// The first part of a form.
    pub fn find(&self, wanted: impl Fn(&StrategyForm) -> bool) -> Option<usize> {
        self.parts.iter().position(|part| wanted(part.strategy.form()))
    }

    /// Whether one of these steps is by a rule in a part, and can't be by one elsewhere.
    pub fn has_step(&self, part: usize, steps: &[Step]) -> bool {
        let mut known: FxHashMap<(&Name, &[Rc<str>]), bool> = FxHashMap::default();
        let is_in = |step: &Step| {
            let any = self.of_step(step);
            !any.is_empty() && any.iter().all(|leaf| self.is_in(*leaf, part))
        };
        steps.iter().any(|step| {
            let key = (&step.rule().info().name, &**step.within());
            *known.entry(key).or_insert_with(|| is_in(step))
        })
    }

    /// The named parts that names lead to: the first from anywhere, each other one within that before it.
    pub fn stages(&self, ways: &[StageName]) -> Result<Vec<usize>, UnreachedAddress> {
        let (mut now, mut reached) = (vec![0], String::new());
        for (k, way) in ways.iter().enumerate() {
            let below: Vec<usize> = now.iter().flat_map(|at| self.named_below(*at, k > 0)).collect();
            let means = |at: &usize| self.name(*at).is_some_and(|name| way.names(&name));
            let all: Vec<usize> = below.iter().copied().filter(means).collect();
            // Of the same one after the other, each is a piece.
            let next: Vec<usize> = match way.nth {
                Some(nth) => all.get(nth - 1).into_iter().copied().collect(),
                None => all,
            };
            if next.is_empty() {
                let mut there: Vec<String> = Vec::new();
                for name in below.iter().filter_map(|at| self.name(*at)) {
                    if !there.contains(&name) {
                        there.push(name);
                    }
                }
                return Err(UnreachedAddress { reached, missing: way.to_string(), there });
            }
            reached = ways[..=k].iter().map(StageName::to_string).collect::<Vec<String>>().join("/");
            now = next;
        }
        Ok(now)
    }

    /// The name of a part that has one; of the whole, how it prints.
    fn name(&self, number: usize) -> Option<String> {
        let part = &self.parts[number];
        match part.strategy.form() {
            StrategyForm::Named(_) => part.within.last().map(|name| name.to_string()),
            _ => (number == 0).then(|| part.strategy.to_string()),
        }
    }

    /// Whether a part has this name.
    pub fn has_stage(&self, name: &str) -> bool {
        (0..self.parts.len()).any(|part| self.name(part).is_some_and(|own| own == name))
    }

    /// The address of a part: the names that it is in.
    pub fn address(&self, number: usize) -> String {
        let within = &self.parts[number].within;
        match within.is_empty() {
            true => self.parts[0].strategy.to_string(),
            false => within.join("/"),
        }
    }

    /// Tells two parts apart: by their addresses or, where these are the same, by what one is in that the other isn't.
    pub fn apart(&self, one: usize, other: usize) -> (String, String) {
        let names = (self.address(one), self.address(other));
        if names.0 != names.1 {
            return names;
        }
        let half = |at: usize, without: usize| {
            let around = std::iter::once(at).chain(self.around(at));
            let half = around.take_while(|whole| !self.parts[*whole].span.contains(&without)).last();
            self.parts[half.unwrap_or(at)].strategy.to_string()
        };
        (half(one, other), half(other, one))
    }

    /// The uses of definitions in a part, the part itself unless those within it are wanted.
    fn named_below(&self, part: usize, within: bool) -> Vec<usize> {
        let from = self.parts[part].span.start + usize::from(within);
        // What isn't unfolded might have taken steps under more names than stand here.
        let is_whole = |at: usize| !self.parts[at].is_recursive || self.parts[at].span.len() > 1;
        let named =
            |at: &usize| *at == 0 || matches!(self.parts[*at].strategy.form(), StrategyForm::Named(_)) && is_whole(*at);
        (from..self.parts[part].span.end).filter(named).collect()
    }
}

/// Whether a rule is one of a family; of one that was asked for without arguments, with any arguments.
pub(super) fn is_of(family: &RuleFamily, rule: &Rule) -> bool {
    family.rules().contains(rule) || family.rules().len() > 1 && family.info().name == rule.info().name
}

/// What all say, if they say the same.
pub(super) fn agreed<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// Whether both are the same names, whatever their arguments print as.
fn same_names(one: &[Rc<str>], other: &[Rc<str>]) -> bool {
    let bare = |name: &Rc<str>| name.split('(').next().map(str::to_owned);
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| bare(one) == bare(other))
}
