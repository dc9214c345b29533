//! Unfolds uses of definitions, and searches for a pattern, to the strategies that they stand for.

use super::data::{Strategy, StrategyForm, Unary};

impl Strategy {
    /// The strategy that a use of a definition, or `at` with a pattern, stands for; `None` for everything else.
    pub fn definition(&self) -> Option<Strategy> {
        match self.form() {
            StrategyForm::AtMatch(pattern, s) => Some(Strategy::pattern(pattern).then(s).under(Unary::TopDown)),
            StrategyForm::Named(named) => {
                // The last one first, because the innermost binder is that of the last parameter.
                let arguments: Vec<&Strategy> = named.strategies().rev().collect();
                Some(named.definition.body()?.instantiate(&arguments))
            }
            _ => None,
        }
    }
}
