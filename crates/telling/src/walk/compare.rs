//! Compares strategies on the subterm in focus: two side by side, one without its parts, several in every order. Nothing changes.

use super::answer::{FailedRun, WalkAnswer};
use super::{Walk, WalkOwner};
use redexter_language::ground::{Budget, Diagnostic, Trouble, code};
use redexter_rewriting::compare::{self, AblationError, AblationParts, MOST, RunSubject, TooManyOrders};
use redexter_rewriting::strategy::{self, Strategy};

impl Walk {
    /// Two strategies, each from the current term.
    pub fn compare(&self, first: &Strategy, second: &Strategy, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let sides = self.besides(&[first, second], owner, |subject| compare::compare(subject, [first, second]))?;
        Ok(WalkAnswer::Compared(Box::new(sides), self.history().taken()))
    }

    /// A strategy without each of its stages, or without each of its rules.
    pub fn ablate(&self, strategy: &Strategy, rules: bool, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let parts = if rules { AblationParts::Rules } else { AblationParts::Stages };
        match self.besides(&[strategy], owner, |subject| compare::ablate(subject, strategy, parts))? {
            Ok(found) => Ok(WalkAnswer::Ablated(Box::new(found), self.history().taken())),
            Err(AblationError::NoStages) => {
                let headline = format!("`{strategy}` has no stages: it is no sequence of strategies");
                let rules = format!("`:ablate rules {strategy}` leaves out each rule that fires in turn");
                Err(Diagnostic::error(code::COMMAND, headline).help(rules).into())
            }
            Err(AblationError::Failed(reason)) => {
                let (remedy, reason) = (strategy.remedy(), reason.to_string());
                Ok(WalkAnswer::Failed(FailedRun { strategy: strategy.to_string(), reason, remedy, taken: 0 }))
            }
            Err(AblationError::Endless(finding)) => Err(finding.into()),
            Err(AblationError::Stopped(trouble)) => Err(trouble),
        }
    }

    /// Strategies one after another in each order, or in so many.
    pub fn orders(
        &self,
        strategies: &[Strategy],
        most: Option<usize>,
        owner: &dyn WalkOwner,
    ) -> Result<WalkAnswer, Trouble> {
        if strategies.len() < 2 {
            return Err(Diagnostic::error(code::COMMAND, "one strategy has one order")
                .help("name several, for example `:orders fuse | split | onehot`")
                .into());
        }
        let all: Vec<&Strategy> = strategies.iter().collect();
        match self.besides(&all, owner, |subject| compare::orders(subject, strategies, most))? {
            Ok(found) => Ok(WalkAnswer::Orders(Box::new(found), self.history().taken())),
            Err(TooManyOrders { count }) => {
                let count = count.map_or_else(|| "too many to count".to_owned(), |count| count.to_string());
                let headline = format!("{} strategies have {count} orders", strategies.len());
                let names: Vec<String> = strategies.iter().map(Strategy::to_string).collect();
                let first = format!("`:orders {MOST} {}` tries the first {MOST}", names.join(" | "));
                Err(Diagnostic::error(code::COMMAND, headline).help(first).into())
            }
        }
    }

    /// Asks a question about the subterm in focus. Findings of the lint about the strategies come first, but not those on rules
    /// that have nothing to rewrite: that may be what is asked.
    pub(super) fn besides<T>(
        &self,
        strategies: &[&Strategy],
        owner: &dyn WalkOwner,
        ask: impl FnOnce(&RunSubject) -> T,
    ) -> Result<T, Trouble> {
        let program = self.current()?;
        let lint = |s: &&Strategy| strategy::lint(s, Some(program));
        let is_odd = |finding: &Diagnostic| finding.code != code::IDLE_RULE;
        strategies.iter().flat_map(lint).filter(is_odd).for_each(|finding| owner.warn(&finding));
        let place = self.history().focus().display(&program.term);
        let budget: Budget = owner.budget();
        Ok(ask(&RunSubject { program, place: &place, budget: &budget }))
    }
}
