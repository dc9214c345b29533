//! Declares what there is to read of a strategy: how it is used, its definition, and the comment above it.
//!
//! A comment's lines that begin with `law` or `example` say what holds for every strategy, and one use: `law try(try(s)) ==
//! try(s)`, ``example try(beta): `before` --> `after` ``.

use std::rc::Rc;

use super::outline::OutlineDefinition;
use redexter_language::ground::text::on_one_line;
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::strategy::StrategyDefinition;

/// What there is to read of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StrategyGuide {
    /// How it is used.
    pub usage: String,
    /// What it does.
    pub about: String,
    /// The statement that defines it.
    pub definition: Option<String>,
    /// What holds of it.
    pub laws: Vec<String>,
    /// Uses of it.
    pub examples: Vec<String>,
}

/// A script whose names are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryGuide {
    /// What it is called: its alias, else its file's name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// What it offers, in the order of its text.
    pub offers: Vec<StrategyGuide>,
}

/// An import, as `:save` writes it.
#[derive(Clone)]
pub struct ImportedLibrary {
    /// The statement; empty for the prelude, which needs none.
    pub statement: String,
    /// The names that it gives.
    pub names: Vec<String>,
    /// The definitions that uses of its strategies refer to.
    pub definitions: Vec<Rc<StrategyDefinition>>,
    /// Its rules.
    pub rules: Vec<Rc<RuleInfo>>,
}

impl StrategyGuide {
    /// What a definition and its comment say.
    pub(super) fn of(defined: &OutlineDefinition, text: &str) -> StrategyGuide {
        let written = text.get(defined.statement.clone()).map(on_one_line);
        let mut guide = StrategyGuide { usage: defined.usage(), definition: written, ..StrategyGuide::default() };
        let mut about: Vec<&str> = Vec::new();
        for line in defined.comment(text) {
            let line = line.trim();
            match line.split_once(' ') {
                Some(("law", law)) => guide.laws.push(law.trim().to_owned()),
                Some(("example", example)) => guide.examples.push(example.trim().to_owned()),
                _ => about.push(line),
            }
        }
        guide.about = about.join(" ").trim().to_owned();
        guide
    }
}
