//! Passes each question about the current term and its derivation on to the module that answers it.

use super::answer::Answer;
use super::{Owner, Walk};
use crate::command::Asking;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::strategy::Strategy;

impl Walk {
    /// Answers a question; `strategies` are the values of its texts, in the order of [`Asking::strategies`].
    pub fn ask(&mut self, asking: &Asking, strategies: &[Strategy], owner: &dyn Owner) -> Result<Answer, Trouble> {
        if asking.is_about_a_term() {
            self.current()?;
        }
        match (asking, strategies) {
            (Asking::Possible(address), []) => self.list_possible(address.as_ref(), owner),
            (Asking::Take(number), []) => self.take_possible(*number, owner),
            (Asking::Preview(_), [strategy]) => self.preview(strategy, owner),
            (Asking::Graph { steps, .. }, strategies) => self.graph(*steps, strategies.first(), owner),
            (Asking::Why(address), []) => self.why(address, owner),
            (Asking::WhyNot { rule, address }, []) => self.why_not(rule, address.as_ref(), owner),
            (Asking::Compare(..), [first, second]) => self.compare(first, second, owner),
            (Asking::Ablate { rules, .. }, [strategy]) => self.ablate(strategy, *rules, owner),
            (Asking::Orders { most, .. }, all) => self.orders(all, *most, owner),
            (Asking::Validate(_), strategies) => self.validate(strategies.first(), owner),
            (Asking::Interact(rules), []) => self.interact(rules, owner),
            (Asking::Search { most, .. }, strategies) => self.search(*most, strategies.first(), owner),
            _ => Err(Diagnostic::error(code::COMMAND, "the question is about another number of strategies").into()),
        }
    }
}
