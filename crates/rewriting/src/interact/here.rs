//! Finds what rules do to each other in one term, where they apply in it.

use super::RuleRelation;
use crate::choice::{enabled, taken_away};
use crate::redex::{Finder, Redex, RuleFamily};
use crate::rule::Rule;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::Program;

/// So many rewrites of a term are tried.
const MAX_REWRITES: usize = 200;

/// What a rewrite of a term does to another rule there.
#[derive(Clone, Debug)]
pub struct InteractionHere {
    /// [`RuleRelation::Enables`] or [`RuleRelation::Disables`].
    pub relation: RuleRelation,
    /// The rule that rewrites.
    pub by: Rule,
    /// Where it does, as an address.
    pub at: String,
    /// The other rule.
    pub to: Rule,
    /// Where that applies afterwards and didn't before, or the other way round.
    pub place: String,
}

/// What each rewrite of a term by one of these rules does to them, itself among them; the first places of each two rules.
pub fn here(program: &Program, rules: &[RuleFamily], budget: &Budget) -> Result<Vec<InteractionHere>, StopReason> {
    let mut finder = Finder::new(rules.to_vec());
    let mut found: Vec<InteractionHere> = Vec::new();
    for redex in finder.redexes(program, MAX_REWRITES, budget)?.found {
        let Some(after) = redex.rewrite(&program.term) else { continue };
        let more = enabled(program, &redex, &after, &mut finder, budget)?.unwrap_or_default();
        let fewer = taken_away(program, &redex, &after, &mut finder, budget)?;
        let all = more.into_iter().map(|other| (RuleRelation::Enables, other));
        let all = all.chain(fewer.into_iter().map(|other| (RuleRelation::Disables, other)));
        let Redex { rule, path, .. } = redex;
        for (relation, other) in all {
            let known = |one: &InteractionHere| one.relation == relation && one.by == rule && one.to == other.rule;
            if !found.iter().any(known) {
                let (by, at) = (rule.clone(), path.address(&program.term));
                let place = other.path.address(if relation == RuleRelation::Enables { &after } else { &program.term });
                found.push(InteractionHere { relation, by, at, to: other.rule, place });
            }
        }
    }
    Ok(found)
}
