//! What uses of definitions, and searches for a pattern, stand for.

use super::data::{Form, Strategy, Unary};

impl Strategy {
    /// What a use of a definition, or `at` with a pattern, stands for; `None` for everything else.
    pub fn definition(&self) -> Option<Strategy> {
        match self.form() {
            Form::AtMatch(pattern, s) => Some(Strategy::pattern(pattern).then(s).under(Unary::TopDown)),
            Form::Named(named) => {
                let arguments: Vec<&Strategy> = named.strategies().rev().collect();
                Some(named.definition.body()?.instantiate(&arguments))
            }
            _ => None,
        }
    }
}
