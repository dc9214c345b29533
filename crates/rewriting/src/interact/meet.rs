//! Runs two rules on one term, with their conditions and at their places, and notes what they do to each other.

use crate::redex::{Finder, Redex, Redexes, RuleFamily};
use crate::rule::{Pattern, variable};
use redexter_language::check::Law;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Program, Term};

use super::RuleRelation;

/// Terms with more redexes of a rule than this say little, and aren't looked at.
const MAX_REDEXES: usize = 5;

/// So many steps each way are tried to join two terms, and so many terms looked at.
const MAX_JOIN_STEPS: usize = 4;
const MAX_JOIN_TERMS: usize = 60;

/// A rule with its left sides.
pub(super) struct RuleParty<'a> {
    pub(super) family: &'a RuleFamily,
    pub(super) laws: Vec<&'a Law>,
    patterns: Vec<Pattern>,
}

/// A relation that was found: of the first rule to the second, or the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RelationFact {
    pub(super) relation: RuleRelation,
    pub(super) swapped: bool,
}

/// A term where something is found: a redex of the rule that does it, or whose step is taken back; and one of the other, in
/// the term or in what the first leaves.
#[derive(Clone, Debug)]
pub(super) struct RuleMeeting {
    pub(super) program: Program,
    pub(super) first: Redex,
    pub(super) second: Redex,
}

/// A redex rewritten, and the redexes of the other rule that there are then.
struct RewrittenRedex {
    redex: Redex,
    program: Program,
    others: Vec<Redex>,
}

impl<'a> RuleParty<'a> {
    pub(super) fn new(family: &'a RuleFamily, laws: Vec<&'a Law>) -> RuleParty<'a> {
        let patterns = laws.iter().map(|law| Pattern::new(&law.text, std::slice::from_ref(*law))).collect();
        RuleParty { family, laws, patterns }
    }

    /// Whether a way into a redex ends within the pattern: not in what a variable stands for.
    fn reaches(&self, redex: &Term, way: &[u32]) -> bool {
        let fits = |(law, pattern): (&&Law, &Pattern)| pattern.matches(redex) && within(law, &law.left, way, 0);
        way.is_empty() || self.laws.is_empty() || self.laws.iter().zip(&self.patterns).any(fits)
    }
}

fn within(law: &Law, side: &Term, way: &[u32], under: u32) -> bool {
    if variable(&law.vars, side, under).is_some() {
        return false;
    }
    let Some((k, rest)) = way.split_first() else { return true };
    let k = *k as usize;
    k < side.kid_count() && within(law, &side.kid(k), rest, under + side.binders(k))
}

/// Two rules, which may be one.
#[derive(Clone, Copy)]
pub(super) struct PartyPair<'a> {
    pub(super) first: &'a RuleParty<'a>,
    pub(super) second: &'a RuleParty<'a>,
    pub(super) same: bool,
}

/// Takes what is found.
type MeetingSink<'n> = dyn FnMut(RelationFact, RuleMeeting) + 'n;

impl PartyPair<'_> {
    /// Notes all that the rules do to each other in a program.
    pub(super) fn meet(&self, program: &Program, budget: &Budget, note: &mut MeetingSink) -> Result<(), StopReason> {
        let mut finders = [self.first, self.second].map(|party| Finder::new(vec![party.family.clone()]));
        let [ours, others] = {
            let [first, second] = &mut finders;
            // One more than wanted, so that it shows where there are too many.
            [first.redexes(program, MAX_REDEXES + 1, budget)?, second.redexes(program, MAX_REDEXES + 1, budget)?]
        };
        if crowded(&ours) || crowded(&others) || ours.found.is_empty() && others.found.is_empty() {
            return Ok(());
        }
        let [first, second] = &mut finders;
        let firsts = afters(program, &ours, second, budget)?;
        // A rule with itself has all its redexes among the first ones, so that these would only show the same again.
        let seconds = if self.same { Vec::new() } else { afters(program, &others, first, budget)? };
        alone(program, &firsts, &others.found, false, note);
        alone(program, &seconds, &ours.found, true, note);
        for (k, x) in firsts.iter().enumerate() {
            let rest = if self.same { &firsts[k + 1..] } else { &seconds[..] };
            for y in rest {
                self.both(program, x, y, &mut finders, budget, note)?;
            }
        }
        Ok(())
    }

    /// What a redex of each does to the other.
    fn both(
        &self,
        program: &Program,
        x: &RewrittenRedex,
        y: &RewrittenRedex,
        finders: &mut [Finder; 2],
        budget: &Budget,
        note: &mut MeetingSink,
    ) -> Result<(), StopReason> {
        let mut found = |relation, swapped| {
            let (first, second) = if swapped { (&y.redex, &x.redex) } else { (&x.redex, &y.redex) };
            let meeting = RuleMeeting { program: program.clone(), first: first.clone(), second: second.clone() };
            note(RelationFact { relation, swapped }, meeting);
        };
        let (ends_second, ends_first) = (ends(x, y), ends(y, x));
        let (p, q) = (&x.redex.path.0, &y.redex.path.0);
        if !p.starts_with(q) && !q.starts_with(p) {
            if ends_second != ends_first {
                found(RuleRelation::Disables, ends_first);
            }
            return Ok(());
        }
        let meets = match p.len() <= q.len() {
            true => self.first.reaches(&x.redex.term, &q[p.len()..]),
            false => self.second.reaches(&y.redex.term, &p[q.len()..]),
        };
        let both_ways = |term: &Term| *term != program.term && results(y, &y.others).any(|other| other == *term);
        let alike = x.program.term == y.program.term || results(x, &x.others).any(|term| both_ways(&term));
        match (ends_second, ends_first) {
            _ if x.program.term == y.program.term && !meets => {}
            _ if x.program.term == y.program.term => found(RuleRelation::Commutes, false),
            (true, false) => found(RuleRelation::Disables, false),
            (false, true) => found(RuleRelation::Disables, true),
            (false, false) if !meets => {}
            (false, false) if alike => found(RuleRelation::Commutes, false),
            _ => {
                let joined = joined(&x.program, &y.program, finders, budget)?;
                found(if joined { RuleRelation::Joins } else { RuleRelation::Competes }, false);
            }
        }
        Ok(())
    }
}

fn crowded(redexes: &Redexes) -> bool {
    !redexes.all || redexes.found.len() > MAX_REDEXES
}

fn afters(
    program: &Program,
    redexes: &Redexes,
    other: &mut Finder,
    budget: &Budget,
) -> Result<Vec<RewrittenRedex>, StopReason> {
    let mut all = Vec::new();
    for redex in &redexes.found {
        let Some(term) = redex.rewrite(&program.term) else { continue };
        let after = program.with(term);
        let others = other.redexes(&after, 2 * MAX_REDEXES, budget)?.found;
        all.push(RewrittenRedex { redex: redex.clone(), program: after, others });
    }
    Ok(all)
}

/// What a redex does to another rule, which had these redexes.
fn alone(program: &Program, firsts: &[RewrittenRedex], others: &[Redex], swapped: bool, note: &mut MeetingSink) {
    for x in firsts {
        let had = others.iter().any(|other| other.path != x.redex.path || other.rule != x.redex.rule);
        for (k, second) in x.others.iter().enumerate() {
            let mut found = |relation, swapped| {
                let meeting = RuleMeeting { program: program.clone(), first: x.redex.clone(), second: second.clone() };
                note(RelationFact { relation, swapped }, meeting);
            };
            if k == 0 && !had {
                found(RuleRelation::Enables, swapped);
            }
            if second.rewrite(&x.program.term).as_ref() == Some(&program.term) {
                found(RuleRelation::Undoes, !swapped);
            }
        }
    }
}

/// Whether rewriting the one leaves no redex of the other's rule, although there was this one; not where that only lay in
/// what the one drops.
fn ends(x: &RewrittenRedex, y: &RewrittenRedex) -> bool {
    x.others.is_empty() && !results(y, &y.others).any(|term| term == x.program.term)
}

/// What rewriting each of these makes of it.
fn results<'a>(after: &'a RewrittenRedex, redexes: &'a [Redex]) -> impl Iterator<Item = Term> + 'a {
    redexes.iter().filter_map(|redex| redex.rewrite(&after.program.term))
}

/// Whether the two rules make one term of both within a few steps.
fn joined(x: &Program, y: &Program, finders: &mut [Finder; 2], budget: &Budget) -> Result<bool, StopReason> {
    let (left, right) = (reached(x, finders, budget)?, reached(y, finders, budget)?);
    Ok(left.iter().any(|term| right.contains(term)))
}

fn reached(from: &Program, finders: &mut [Finder; 2], budget: &Budget) -> Result<Vec<Term>, StopReason> {
    let (mut all, mut begin) = (vec![from.term.clone()], 0);
    for _ in 0..MAX_JOIN_STEPS {
        let end = all.len();
        for k in begin..end {
            for finder in finders.iter_mut() {
                let program = from.with(all[k].clone());
                for redex in finder.redexes(&program, MAX_REDEXES, budget)?.found {
                    let next = redex.rewrite(&program.term).filter(|next| !all.contains(next));
                    all.extend(next);
                }
                if all.len() >= MAX_JOIN_TERMS {
                    return Ok(all);
                }
            }
        }
        begin = end;
    }
    Ok(all)
}
