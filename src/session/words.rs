//! The names that may stand in a line, for completion and colour.

/// Names by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Rules.
    pub rules: Vec<String>,
    /// Strategies, functions, variables and keywords.
    pub names: Vec<String>,
    /// Models that are bound, with their definitions.
    pub models: Vec<(String, Vec<String>)>,
}

impl Words {
    /// Every name that may begin an expression.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let models = self.models.iter().map(|(name, _)| name);
        self.rules.iter().chain(&self.names).chain(models).map(String::as_str)
    }

    /// Whether a name is a rule's.
    pub fn is_rule(&self, name: &str) -> bool {
        self.rules.iter().any(|r| r == name)
    }

    /// Whether a name is a model's.
    pub fn is_model(&self, name: &str) -> bool {
        self.models.iter().any(|(model, _)| model == name)
    }
}
