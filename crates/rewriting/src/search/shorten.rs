//! Makes a plan short: what isn't needed goes, and what can be one round becomes one.

use super::WorkScale;
use super::plan::{MadeMove, MovePlan, MoveResult, MoveRunner, SearchMove};
use super::rank::TermRank;
use crate::rule::Rule;
use redexter_language::ground::StopReason;

/// So many changes of a plan are tried at most.
const MAX_ATTEMPTS: usize = 2_000;

/// And so many rewrites are taken for it.
const MAX_REWRITES: usize = 50_000;

pub(super) struct PlanShortener<'a, 'b> {
    plan: &'a mut MovePlan,
    rules: &'a [Rule],
    runner: &'a mut MoveRunner<'b>,
    scale: &'a mut WorkScale<'b>,
    rank: TermRank,
    attempts: usize,
    /// The rewrites that were taken when it began.
    before: usize,
}

impl<'a, 'b> PlanShortener<'a, 'b> {
    pub fn new(
        plan: &'a mut MovePlan,
        rules: &'a [Rule],
        runner: &'a mut MoveRunner<'b>,
        scale: &'a mut WorkScale<'b>,
    ) -> PlanShortener<'a, 'b> {
        let (rank, before) = (scale.rank(plan.end()), runner.rewrites);
        PlanShortener { plan, rules, runner, scale, rank, attempts: 0, before }
    }

    /// Each change keeps the term, or gives one that is no worse; where a limit ends it, the plan is as short as it got.
    pub fn go(mut self) -> Result<(), StopReason> {
        // `|` and not `||`, because each kind of change must be tried each time.
        while self.drop_moves()? | self.join_moves()? | self.drop_rules()? | self.name_no_places()? {}
        Ok(())
    }

    fn drop_moves(&mut self) -> Result<bool, StopReason> {
        let mut changed = false;
        // From the end, so that the numbers of the moves that are still to come stay right.
        for k in (0..self.plan.legs.len()).rev() {
            changed |= self.exchange(k, k + 1, None)?;
        }
        Ok(changed)
    }

    /// Moves that follow one another as one round, as many as can be.
    fn join_moves(&mut self) -> Result<bool, StopReason> {
        let mut changed = false;
        let mut length = self.plan.legs.len();
        while length > 0 {
            let mut from = 0;
            while from + length <= self.plan.legs.len() {
                for rules in self.joined(from, from + length) {
                    if self.exchange(from, from + length, Some(SearchMove::Round(rules)))? {
                        changed = true;
                        break;
                    }
                }
                from += 1;
            }
            length = (length - 1).min(self.plan.legs.len());
        }
        Ok(changed)
    }

    /// The rules of some moves in the orders in which they are tried.
    fn joined(&self, from: usize, to: usize) -> Vec<Vec<Rule>> {
        let mut first: Vec<Rule> = Vec::new();
        for rule in self.plan.legs[from..to].iter().flat_map(|leg| leg.by.rules()) {
            if !first.contains(rule) {
                first.push(rule.clone());
            }
        }
        let last: Vec<Rule> = first.iter().rev().cloned().collect();
        let given: Vec<Rule> = self.rules.iter().filter(|rule| first.contains(rule)).cloned().collect();
        let mut orders = vec![first];
        for order in [given, last] {
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
        orders
    }

    fn drop_rules(&mut self) -> Result<bool, StopReason> {
        let mut changed = false;
        for k in (0..self.plan.legs.len()).rev() {
            let mut at = 0;
            while let Some(SearchMove::Round(rules)) = self.plan.legs.get(k).map(|leg| &leg.by)
                && rules.len() > 1
                && at < rules.len()
            {
                let mut fewer = rules.clone();
                fewer.remove(at);
                match self.exchange(k, k + 1, Some(SearchMove::Round(fewer)))? {
                    true => changed = true,
                    false => at += 1,
                }
            }
        }
        Ok(changed)
    }

    fn name_no_places(&mut self) -> Result<bool, StopReason> {
        let mut changed = false;
        for k in (0..self.plan.legs.len()).rev() {
            if let Some(SearchMove::Once(rule, _)) = self.plan.legs.get(k).map(|leg| &leg.by) {
                let first = SearchMove::First(rule.clone());
                changed |= self.exchange(k, k + 1, Some(first))?;
            }
        }
        Ok(changed)
    }

    /// Puts another move in the place of some, if the plan gets shorter and its last term no worse.
    fn exchange(&mut self, from: usize, to: usize, by: Option<SearchMove>) -> Result<bool, StopReason> {
        let old: usize = self.plan.legs[from..to].iter().map(|leg| leg.by.weight()).sum();
        if by.as_ref().map_or(0, SearchMove::weight) >= old {
            return Ok(false);
        }
        self.attempts += 1;
        if self.attempts > MAX_ATTEMPTS || self.runner.rewrites - self.before > MAX_REWRITES {
            return Ok(false);
        }
        let Some(legs) = self.run(from, to, by)? else { return Ok(false) };
        self.plan.legs = legs;
        self.rank = self.scale.rank(self.plan.end());
        Ok(true)
    }

    /// The moves with that exchange, unless one fails or their end is worse. What then does nothing is left out.
    fn run(&mut self, from: usize, to: usize, by: Option<SearchMove>) -> Result<Option<Vec<MadeMove>>, StopReason> {
        let mut legs = self.plan.legs[..from].to_vec();
        let mut now = self.plan.term(from).clone();
        if let Some(by) = &by {
            let MoveResult::Leg(leg) = self.runner.make(by, &now)? else { return Ok(None) };
            now = leg.term.clone();
            legs.push(leg);
        }
        for k in to..self.plan.legs.len() {
            // From here on all goes as it went before, so that nothing must be run again.
            if now == *self.plan.term(k) {
                legs.extend_from_slice(&self.plan.legs[k..]);
                return Ok(Some(legs));
            }
            match self.runner.make(&self.plan.legs[k].by, &now)? {
                MoveResult::Leg(leg) => {
                    now = leg.term.clone();
                    legs.push(leg);
                }
                MoveResult::Nothing => {}
                MoveResult::Impossible => return Ok(None),
            }
        }
        Ok((self.scale.rank(&now) <= self.rank).then_some(legs))
    }
}
