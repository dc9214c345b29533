//! Validates steps: those that led to the current term, or a strategy's, are typed anew and compared. Nothing changes.

use super::answer::{FailedRun, WalkAnswer};
use super::{Walk, WalkOwner};
use redexter_language::ground::Trouble;
use redexter_rewriting::compare::AttemptEnd;
use redexter_rewriting::strategy::Strategy;
use redexter_rewriting::validate::validate;

impl Walk {
    /// Validates the derivation of the current term, or that of a strategy on the subterm in focus.
    pub fn validate(&self, strategy: Option<&Strategy>, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let bounds = self.current()?.bounds.clone();
        let trace = match strategy {
            None => {
                let derivation = self.derivation()?;
                if derivation.steps().is_empty() {
                    return Ok(WalkAnswer::NoTrace);
                }
                derivation.trace(0..derivation.steps().len())
            }
            Some(strategy) => {
                let start = self.current()?.term.clone();
                let attempt = self.besides(&[strategy], owner, |subject| subject.attempt(strategy, &start))?;
                match attempt.end {
                    AttemptEnd::Done(_) => attempt.trace,
                    AttemptEnd::Failed(reason) => {
                        let (remedy, reason) = (strategy.remedy(), reason.to_string());
                        return Ok(WalkAnswer::Failed(FailedRun {
                            strategy: strategy.to_string(),
                            reason,
                            remedy,
                            taken: 0,
                        }));
                    }
                    AttemptEnd::Endless(finding) => return Err(finding.into()),
                    AttemptEnd::Stopped(reason) => return Err(reason.into()),
                }
            }
        };
        Ok(WalkAnswer::Validated(Box::new(validate(&trace, &bounds, true, &owner.budget()))))
    }
}
