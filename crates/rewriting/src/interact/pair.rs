//! Looks at one pair of rules: makes terms where they may meet, and keeps the smallest one for each finding.

use super::meet::{PartyPair, RelationFact, RuleMeeting, RuleParty};
use super::{InteractionEffort, InteractionFinding, InteractionOutcome, RulePair, RuleRelation};
use crate::overlap::Overlap;
use crate::redex::{Finder, Redex};
use crate::sound::{grown, smaller_programs};
use redexter_language::check::Law;
use redexter_language::cost::work;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, Random, StopReason};
use redexter_language::term::{Path, Program};

/// So often one overlap is looked at.
const MAX_ROUNDS: usize = 12;

/// The relations that were found so far, each with the smallest term that shows it.
#[derive(Default)]
struct FoundRelations {
    all: Vec<(RelationFact, RuleMeeting)>,
    /// How many terms were looked at.
    terms: usize,
}

impl FoundRelations {
    /// Keeps a meeting where it shows what nothing smaller did.
    fn note(&mut self, fact: RelationFact, meeting: RuleMeeting) {
        match self.all.iter_mut().find(|(known, _)| *known == fact) {
            Some((_, known)) if meeting.program.term.size() < known.program.term.size() => *known = meeting,
            Some(_) => {}
            None => self.all.push((fact, meeting)),
        }
    }

    fn look(&mut self, two: PartyPair, program: &Program, budget: &Budget) -> Result<(), StopReason> {
        budget.tick()?;
        self.terms += 1;
        two.meet(program, budget, &mut |fact, meeting| self.note(fact, meeting))
    }

    fn has(&self, relation: RuleRelation) -> bool {
        self.all.iter().any(|(fact, _)| fact.relation == relation)
    }
}

/// What two rules with these numbers do to each other.
pub(super) fn look(
    (a, first): (usize, &RuleParty),
    (b, second): (usize, &RuleParty),
    effort: InteractionEffort,
    budget: &Budget,
) -> Result<RulePair, StopReason> {
    let two = PartyPair { first, second, same: a == b };
    let mut found = FoundRelations::default();
    let mut random = Random::new(effort.seed);
    for law in overlaps(two, effort.overlaps, &mut random, budget)? {
        for small in [true, true, false] {
            if let Some((program, _)) = grown(&law, random.number(), small) {
                found.look(two, &program, budget)?;
            }
        }
    }
    for party in [first, second].into_iter().take(if two.same { 1 } else { 2 }) {
        for k in 0..effort.grown.max(party.laws.len()).min(4 * effort.grown) {
            let Some(law) = party.laws.get(k % party.laws.len().max(1)) else { break };
            if let Some((program, _)) = grown(law, random.number(), random.chance(50)) {
                found.look(two, &program, budget)?;
            }
        }
    }
    shrink(two, &mut found, effort.smaller, budget)?;
    let competes = found.has(RuleRelation::Competes) || found.has(RuleRelation::Joins);
    let kept = |relation| match relation {
        // Each ends the other somewhere.
        RuleRelation::Disables => !competes,
        RuleRelation::Joins => !found.has(RuleRelation::Competes),
        RuleRelation::Commutes => !competes && !found.has(RuleRelation::Disables),
        _ => true,
    };
    let mut findings = Vec::new();
    for (fact, meeting) in found.all.iter().filter(|(fact, _)| kept(fact.relation)) {
        let (by, to) = if fact.swapped { (b, a) } else { (a, b) };
        // A rule with itself: what it does to the one it does to the other.
        if a == b && findings.iter().any(|known: &InteractionFinding| known.relation == fact.relation) {
            continue;
        }
        findings.extend(shown(two, *fact, meeting, (by, to), budget)?);
    }
    findings.order_by_key(|finding| (finding.relation, finding.by != a));
    Ok(RulePair { rules: (a, b), findings, terms: found.terms })
}

/// Laws whose left sides hold both rules' laws, as far as they overlap; at most about so many.
fn overlaps(two: PartyPair, most: usize, random: &mut Random, budget: &Budget) -> Result<Vec<Law>, StopReason> {
    let mut all: Vec<(Overlap, Path)> = Vec::new();
    let mut loose: Vec<(Overlap, Path)> = Vec::new();
    for (swapped, around, inside) in [(false, two.first, two.second), (true, two.second, two.first)] {
        for (around, inside) in around.laws.iter().flat_map(|a| inside.laws.iter().map(move |b| (*a, *b))) {
            budget.tick()?;
            for (behind, before) in [(false, false), (true, false), (false, true)] {
                let plain = |law: &Law| law.left == law.right;
                if behind && plain(around) || before && plain(inside) || two.same && swapped {
                    continue;
                }
                let overlap = Overlap { around, behind, inside, before };
                // At the root both ways round are one overlap, so that the second isn't looked at.
                let twice = |path: &Path| !behind && !before && path.0.is_empty() && swapped;
                let places = overlap.places(true).into_iter().filter(|path| !twice(path));
                all.extend(places.map(|path| (overlap, path)));
                if !behind {
                    loose.extend(overlap.places(false).into_iter().map(|path| (overlap, path)));
                }
            }
        }
    }
    let mut laws = Vec::new();
    for all in [all, loose] {
        // What is chosen at random differs each time; and many overlaps are of one kind, so that some of each are enough.
        let rounds = (most / all.len().max(1)).clamp(1, MAX_ROUNDS);
        let stride = (all.len() / (4 * most.max(1))).max(1);
        let mut left = most;
        for (overlap, path) in (0..rounds).flat_map(|_| all.iter().step_by(stride)) {
            budget.tick()?;
            if left == 0 {
                break;
            }
            if let Some(law) = overlap.at(path, random) {
                laws.push(law);
                left -= 1;
            }
        }
    }
    Ok(laws)
}

/// Makes the term of each finding smaller while it shows the same.
fn shrink(two: PartyPair, found: &mut FoundRelations, tries: usize, budget: &Budget) -> Result<(), StopReason> {
    for k in 0..found.all.len() {
        let (fact, mut best) = found.all[k].clone();
        let mut left = tries;
        'again: while left > 0 {
            let from = best.clone();
            for (program, _) in smaller_programs(&from.program, &from.first.path) {
                budget.tick()?;
                if program.term.size() >= best.program.term.size() {
                    continue;
                }
                if left == 0 {
                    break 'again;
                }
                left -= 1;
                let mut seen = FoundRelations::default();
                seen.look(two, &program, budget)?;
                found.terms += 1;
                if let Some((_, meeting)) = seen.all.into_iter().find(|(known, _)| *known == fact) {
                    best = meeting;
                    continue 'again;
                }
            }
            break;
        }
        found.all[k].1 = best;
    }
    Ok(())
}

/// A finding with what the steps lead to.
fn shown(
    two: PartyPair,
    fact: RelationFact,
    meeting: &RuleMeeting,
    (by, to): (usize, usize),
    budget: &Budget,
) -> Result<Option<InteractionFinding>, StopReason> {
    let RuleMeeting { program, first, second } = meeting;
    let outcomes = match fact.relation {
        RuleRelation::Enables | RuleRelation::Undoes => [taken(program, &[first]), taken(program, &[first, second])],
        RuleRelation::Commutes => commuting(two, meeting, budget)?,
        RuleRelation::Disables | RuleRelation::Competes | RuleRelation::Joins => {
            [taken(program, &[first]), taken(program, &[second])]
        }
    };
    let [Some(one), Some(other)] = outcomes else { return Ok(None) };
    let work = work(&program.term).total();
    let outcomes = [one, other];
    Ok(Some(InteractionFinding { relation: fact.relation, by, to, program: program.clone(), work, outcomes }))
}

fn taken(program: &Program, steps: &[&Redex]) -> Option<InteractionOutcome> {
    let term = steps.iter().try_fold(program.term.clone(), |term, step| step.rewrite(&term))?;
    let work = work(&term).total();
    Some(InteractionOutcome { steps: steps.iter().map(|step| (*step).clone()).collect(), term, work })
}

/// Both orders of two steps that commute.
fn commuting(
    two: PartyPair,
    meeting: &RuleMeeting,
    budget: &Budget,
) -> Result<[Option<InteractionOutcome>; 2], StopReason> {
    let RuleMeeting { program, first, second } = meeting;
    let (one, other) = (taken(program, &[first]), taken(program, &[second]));
    let (Some(x), Some(y)) = (&one, &other) else { return Ok([None, None]) };
    if x.term == y.term {
        return Ok([one, other]);
    }
    let next = |party: &RuleParty, after: &InteractionOutcome| {
        let mut finder = Finder::new(vec![party.family.clone()]);
        finder.redexes(&program.with(after.term.clone()), 16, budget)
    };
    let (behind, before) = (next(two.second, x)?, next(two.first, y)?);
    for second_too in &behind.found {
        for first_too in &before.found {
            let ways = [taken(program, &[first, second_too]), taken(program, &[second, first_too])];
            if let [Some(x), Some(y)] = &ways
                && x.term == y.term
                && x.term != program.term
            {
                return Ok(ways);
            }
        }
    }
    Ok([None, None])
}
