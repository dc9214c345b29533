//! Relates a rule to others: shows it at work, and finds the rules that it may enable and those that take it back.

use std::rc::Rc;

use super::Templates;
use crate::rule::{EnablingChance, Example, Rule, RuleBody, RuleInfo, RuleSides, undoes};
use redexter_language::ground::{Name, Trouble};

/// A rule at work, and the rules that have to do with it.
#[derive(Clone, Debug)]
pub struct RuleRelations {
    /// The first instance of its left sides that it applies to.
    pub example: Option<Example>,
    /// Rules that may apply to what it leaves, or around that, where they didn't before.
    pub enables: Vec<(Name, EnablingChance)>,
    /// What it leaves may have any form: then any rule may apply around it.
    pub open: bool,
    /// Rules that take it back: its other direction, and those that surely do.
    pub undone_by: Vec<Name>,
}

/// Relates a rule to all others.
pub fn relations(templates: &Templates, info: &Rc<RuleInfo>, all: &[Rc<RuleInfo>]) -> Result<RuleRelations, Trouble> {
    let mut examples = templates.examples(info)?;
    let example = examples.next();
    let sides: Vec<RuleSides> = match &info.body {
        RuleBody::Laws(laws) => laws.iter()?.map(RuleSides::from).collect(),
        RuleBody::Native(_) | RuleBody::Computed(_) => {
            example.iter().map(RuleSides::from).chain(examples.map(|e| RuleSides::from(&e))).collect()
        }
    };
    let (mut enables, mut undone_by) = (Vec::new(), Vec::new());
    for other in all.iter().filter(|other| other.name != info.name) {
        let left = templates.left_sides(other)?;
        let chances = sides.iter().flat_map(|sides| left.iter().filter_map(|(law, asks)| sides.enables(law, *asks)));
        // What holds of examples needn't hold of all that a function leaves.
        let most = if let RuleBody::Laws(_) = info.body { EnablingChance::Fits } else { EnablingChance::May };
        enables.extend(chances.max().map(|chance| (other.name.clone(), chance.min(most))));
        if is_reverse(&other.name, &info.name) || undoes(&plain(other), &plain(info)) {
            undone_by.push(other.name.clone());
        }
    }
    Ok(RuleRelations { example, enables, open: sides.iter().any(RuleSides::is_open), undone_by })
}

fn is_reverse(a: &Name, b: &Name) -> bool {
    let reversed = |a: &Name, b: &Name| a.as_str().strip_suffix(".reverse") == Some(b.as_str());
    reversed(a, b) || reversed(b, a)
}

/// The rule with any parameters: they only stand in conditions.
fn plain(info: &Rc<RuleInfo>) -> Rule {
    Rule::new(info.clone(), &vec![0; info.params.len()])
}
