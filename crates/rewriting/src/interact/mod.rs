//! Finds how rules interact: whether one enables another, disables it, competes with it for a redex, takes its steps back or
//! commutes with it, each shown on a small closed term.
//!
//! Terms where two rules may meet come from the overlaps of their laws, as critical pairs are found, and from what rules are
//! tested on. On each both rules are run, in both orders, with their
//! conditions and at their places (`meet`); what is found there is so, and the smallest term that shows it is kept. What
//! isn't found need not be impossible.
//!
//! This module knows rules, redexes, costs and how terms are grown; it knows no strategies.

mod here;
mod meet;
mod pair;

pub use here::{InteractionHere, here};

use crate::redex::{Redex, RuleFamily};
use crate::sound::Templates;
use redexter_language::check::Law;
use redexter_language::cost::Poly;
use redexter_language::ground::{Budget, StopReason, Trouble};
use redexter_language::term::{Program, Term};

use meet::RuleParty;

/// A relation of rules: what one does to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleRelation {
    /// It leaves a redex of the other in a term that had none.
    Enables,
    /// It leaves no redex of the other where there was one, not only by dropping it; the other leaves one of its own. Two
    /// rules that compete anywhere are only said to compete.
    Disables,
    /// Both apply, but either ends the other's redex, or they rewrite one redex differently; and no few steps of both make
    /// one term of the results.
    Competes,
    /// The same, but a few steps of both make one term of the results.
    Joins,
    /// It takes a step of the other back.
    Undoes,
    /// Where they overlap, both orders give the same term.
    Commutes,
}

/// An effort: how many terms are looked at for each pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InteractionEffort {
    /// Overlaps of laws.
    pub overlaps: usize,
    /// Terms grown from each rule's own left sides.
    pub grown: usize,
    /// Smaller terms tried for each finding.
    pub smaller: usize,
    /// What all random choices follow from.
    pub seed: u64,
}

impl InteractionEffort {
    /// For a person who waits.
    pub const QUICK: InteractionEffort = InteractionEffort { overlaps: 150, grown: 40, smaller: 120, seed: 1 };
}

/// Rules, and what each does to each.
#[derive(Clone, Debug)]
pub struct Interactions {
    /// The rules; one with parameters stands for each choice of arguments where none was made.
    pub rules: Vec<RuleFamily>,
    /// A pair for each two rules and for each rule with itself, in the order of the rules.
    pub pairs: Vec<RulePair>,
    /// Why it isn't all.
    pub stopped: Option<StopReason>,
    /// What they do to each other in one term, where they were asked about one.
    pub here: Option<Vec<InteractionHere>>,
}

/// A pair of rules, and what they do to each other.
#[derive(Clone, Debug)]
pub struct RulePair {
    /// Their numbers, from 0; the same twice for a rule with itself.
    pub rules: (usize, usize),
    /// In the order of [`RuleRelation`]; none where no overlap was found.
    pub findings: Vec<InteractionFinding>,
    /// How many terms were looked at.
    pub terms: usize,
}

/// A relation that was found of two rules, and the smallest term that was found to show it.
#[derive(Clone, Debug)]
pub struct InteractionFinding {
    /// What it is.
    pub relation: RuleRelation,
    /// The number of the rule that does it.
    pub by: usize,
    /// The number of the rule that it does it to.
    pub to: usize,
    /// The term: closed, with bounds of its sizes.
    pub program: Program,
    /// The work of the term.
    pub work: Poly,
    /// What rewriting comes to. Of [`RuleRelation::Enables`] the step, and it with what it enables; of [`RuleRelation::Undoes`]
    /// the step that is taken back, and both; of others two ways: a step of the one and a step of the other, or where they
    /// commute both steps in either order, unless the first steps give the same term already.
    pub outcomes: [InteractionOutcome; 2],
}

/// Steps and what they lead to.
#[derive(Clone, Debug)]
pub struct InteractionOutcome {
    /// The steps, each in the term after those before it.
    pub steps: Vec<Redex>,
    /// The whole term after them.
    pub term: Term,
    /// Its work.
    pub work: Poly,
}

impl Interactions {
    /// What one rule does to another, by their numbers.
    pub fn between(&self, by: usize, to: usize) -> impl Iterator<Item = &InteractionFinding> {
        let both_ways =
            |relation| matches!(relation, RuleRelation::Competes | RuleRelation::Joins | RuleRelation::Commutes);
        self.pairs.iter().flat_map(|pair| &pair.findings).filter(move |finding| {
            let turned = both_ways(finding.relation) && (finding.to, finding.by) == (by, to);
            (finding.by, finding.to) == (by, to) || turned
        })
    }

    /// Whether the pair of these numbers was looked at.
    pub fn knows(&self, a: usize, b: usize) -> bool {
        self.pairs.iter().any(|pair| pair.rules == (a.min(b), a.max(b)))
    }
}

/// Finds what each of these rules does to each, itself among them. The same seed gives the same. Ends early with what is
/// known where the budget does; wrong is a rule whose laws can't be typed.
pub fn interactions(
    rules: &[RuleFamily],
    templates: &Templates,
    effort: InteractionEffort,
    budget: &Budget,
) -> Result<Interactions, Trouble> {
    let parties: Vec<RuleParty> = rules.iter().map(|family| party(family, templates)).collect::<Result<_, _>>()?;
    let mut all = Interactions { rules: rules.to_vec(), pairs: Vec::new(), stopped: None, here: None };
    for a in 0..rules.len() {
        for b in a..rules.len() {
            match pair::look((a, &parties[a]), (b, &parties[b]), effort, budget) {
                Ok(pair) => all.pairs.push(pair),
                Err(reason) => {
                    all.stopped = Some(reason);
                    return Ok(all);
                }
            }
        }
    }
    Ok(all)
}

/// Finds what two rules do to each other, or one to itself if they are the same; their numbers are 0 and 1. Stops where the
/// budget does.
pub fn interaction(
    first: &RuleFamily,
    second: &RuleFamily,
    templates: &Templates,
    effort: InteractionEffort,
    budget: &Budget,
) -> Result<RulePair, Trouble> {
    let number = usize::from(first.rules() != second.rules());
    let (first, second) = (party(first, templates)?, party(second, templates)?);
    Ok(pair::look((0, &first), (number, &second), effort, budget)?)
}

/// A rule with the left sides that it has or is tested on; all that there are for one that may want anything.
fn party<'a>(family: &'a RuleFamily, templates: &'a Templates) -> Result<RuleParty<'a>, Trouble> {
    let own: Vec<&Law> = templates.left_sides(family.info())?.into_iter().map(|(law, _)| law).collect();
    Ok(RuleParty::new(family, if own.is_empty() { templates.all()? } else { own }))
}
