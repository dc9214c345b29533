//! What uses of definitions stand for.

use super::data::{Form, Strategy};

impl Strategy {
    /// What a use of a definition stands for; `None` for everything else.
    pub fn definition(&self) -> Option<Strategy> {
        let Form::Named(named) = self.form() else { return None };
        let arguments: Vec<&Strategy> = named.strategies().rev().collect();
        Some(named.definition.body()?.instantiate(&arguments))
    }
}
