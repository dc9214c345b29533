//! Questions about the current term and its derivation: what is asked goes to the room that answers it.

use super::answer::Answer;
use super::{Owner, Walk};
use crate::command::Asking;
use crate::ground::{Diagnostic, Trouble, code};
use crate::strategy::Strategy;

impl Walk {
    /// What a question comes to; its strategies are these.
    pub fn ask(&mut self, asking: &Asking, strategies: &[Strategy], owner: &dyn Owner) -> Result<Answer, Trouble> {
        self.current()?;
        match (asking, strategies) {
            (Asking::Possible(_), []) => self.unanswered(owner),
            (Asking::Take(_), []) => self.unanswered(owner),
            (Asking::Preview(_), [_strategy]) => self.unanswered(owner),
            (Asking::Graph { .. }, _) => self.unanswered(owner),
            (Asking::Why(_), []) => self.unanswered(owner),
            (Asking::WhyNot { .. }, []) => self.unanswered(owner),
            (Asking::Compare(..), [_first, _second]) => self.unanswered(owner),
            (Asking::Ablate { .. }, [_strategy]) => self.unanswered(owner),
            (Asking::Orders { .. }, _all) => self.unanswered(owner),
            (Asking::Interact(rules), []) => self.interact(rules, owner),
            (Asking::Search { .. }, _) => self.unanswered(owner),
            _ => self.unanswered(owner),
        }
    }

    fn unanswered(&self, _owner: &dyn Owner) -> Result<Answer, Trouble> {
        Err(Diagnostic::error(code::COMMAND, "this isn't answered yet").into())
    }
}
