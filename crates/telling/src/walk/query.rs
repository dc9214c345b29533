//! Passes each question about the current term and its derivation on to the module that answers it.

use super::answer::WalkAnswer;
use super::{Walk, WalkOwner};
use crate::command::QueryCommand;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::strategy::Strategy;

impl Walk {
    /// Answers a question; `strategies` are the values of its texts, in the order of [`QueryCommand::strategies`].
    pub fn ask(
        &mut self,
        asking: &QueryCommand,
        strategies: &[Strategy],
        owner: &dyn WalkOwner,
    ) -> Result<WalkAnswer, Trouble> {
        if asking.is_about_a_term() {
            self.current()?;
        }
        match (asking, strategies) {
            (QueryCommand::Possible(address), []) => self.list_possible(address.as_ref(), owner),
            (QueryCommand::Take(number), []) => self.take_possible(*number, owner),
            (QueryCommand::Preview(_), [strategy]) => self.preview(strategy, owner),
            (QueryCommand::Graph { steps, .. }, strategies) => self.graph(*steps, strategies.first(), owner),
            (QueryCommand::Why(address), []) => self.why(address, owner),
            (QueryCommand::WhyNot { rule, address }, []) => self.why_not(rule, address.as_ref(), owner),
            (QueryCommand::Compare(..), [first, second]) => self.compare(first, second, owner),
            (QueryCommand::Ablate { rules, .. }, [strategy]) => self.ablate(strategy, *rules, owner),
            (QueryCommand::Orders { most, .. }, all) => self.orders(all, *most, owner),
            (QueryCommand::Validate(_), strategies) => self.validate(strategies.first(), owner),
            (QueryCommand::Interact(rules), []) => self.interact(rules, owner),
            (QueryCommand::Search { most, .. }, strategies) => self.search(*most, strategies.first(), owner),
            _ => Err(Diagnostic::error(code::COMMAND, "the question is about another number of strategies").into()),
        }
    }
}
