//! Tells what a derivation says of a rule that took no step, or took some.

use std::ops::Range;

use super::case::{PastRun, PastRunEnd, WhyCase};
use super::discard::discards;
use super::origin::{MakingStep, RedexOrigin};
use super::schedule::{PartOrder, Schedule, agreed, is_of};
use super::taken::taken;
use super::why_not::{FiredSteps, RuleStatement};
use crate::redex::{Finder, Redex, RuleFamily};
use crate::rule::Rule;
use redexter_language::ground::StopReason;
use redexter_language::term::Program;

/// At most so many terms are looked at for redexes of the rule.
const MAX_TERMS: usize = 40;

/// A part of a run: what of its strategy, and the steps in it.
pub(super) struct RunScope<'a> {
    pub(super) run: &'a PastRun,
    pub(super) schedule: Schedule,
    pub(super) part: usize,
    pub(super) pieces: Vec<Range<usize>>,
}

/// When a rule lost its redexes.
enum RedexLoss {
    /// It has one in the last term.
    Never,
    /// With this step, less one.
    Before(usize),
    /// It had none.
    Always,
}

/// Says that the repetition that a rule is in went on until none of its rules applied, if so.
fn normal(scope: &RunScope, own: &[usize]) -> Option<RuleStatement> {
    let whole = own.iter().find_map(|at| scope.schedule.normalizes(*at)).filter(|_| scope.run.is_done())?;
    Some(RuleStatement::Normal { strategy: scope.schedule.part(whole).strategy.to_string() })
}

impl WhyCase<'_> {
    /// Tells what a scope has to say of a rule; of the term at its end, too, if `now` is asked about.
    pub(super) fn tell(
        &self,
        family: &RuleFamily,
        scope: &RunScope,
        now: Option<(&Program, usize)>,
        said: &mut Vec<RuleStatement>,
    ) -> Result<(), StopReason> {
        let RunScope { run, schedule, part, pieces } = scope;
        let until = now.map_or(usize::MAX, |(_, after)| after);
        let past: Vec<_> = pieces.iter().map(|piece| piece.start..piece.end.min(until)).collect();
        let fired = self.fired(family, &past);
        let has_fired = fired.is_some();
        said.extend(fired.map(RuleStatement::Fired));
        let behind: Vec<_> = pieces.iter().map(|piece| piece.start.max(until)..piece.end).collect();
        if let Some(later) = self.fired(family, &behind) {
            said.push(RuleStatement::Fires(later));
            return Ok(());
        }
        if let Some(absent) = self.absent(family, schedule, *part) {
            if !has_fired {
                said.push(absent);
            }
            return Ok(());
        }
        if run.end == PastRunEnd::Failed {
            said.push(RuleStatement::Failed { strategy: run.strategy.to_string() });
            return Ok(());
        }
        let own = schedule.rules(*part, family);
        if let PastRunEnd::Stopped { reason, within } = &run.end {
            let running = schedule.named(within).unwrap_or(0);
            let (_, own_name) = schedule.apart(running, own[0]);
            said.push(RuleStatement::Cut {
                strategy: run.strategy.to_string(),
                reason: reason.clone(),
                running: within.join("/"),
                own: own_name,
                is_later: schedule.turn(running).1 <= 1
                    && own.iter().all(|at| schedule.order(running, *at) == PartOrder::Sequence),
                after: run.span.end,
            });
        }
        if !has_fired {
            self.tell_discards(family, scope, &own, said)?;
        }
        if run.end == PastRunEnd::Pending {
            said.push(RuleStatement::Pending { strategy: run.strategy.to_string(), taken: run.span.len() });
        }
        if let Some((program, after)) = now
            && let Some(made) = self.made_later(family, scope, &own, (program, after))?
        {
            said.push(made);
        } else if !has_fired {
            self.tell_taken(family, scope, &own, said)?;
        } else if let Some((program, _)) = now
            && self.redex(family, program)?.is_none()
        {
            said.extend(normal(scope, &own));
        }
        Ok(())
    }

    /// The steps by a rule in these pieces.
    pub(super) fn fired(&self, family: &RuleFamily, pieces: &[Range<usize>]) -> Option<FiredSteps> {
        let steps = self.derivation.steps();
        let is_by = |k: &usize| is_of(family, steps[*k].rule());
        let all: Vec<usize> = pieces.iter().cloned().flatten().filter(is_by).collect();
        let (first, last) = (*all.first()?, *all.last()?);
        let mut stages: Vec<String> = Vec::new();
        for k in &all {
            let around = self.derivation.stages().around(*k);
            let address = around.last().map_or_else(String::new, |stage| self.address(*stage));
            if !stages.contains(&address) {
                stages.push(address);
            }
        }
        Some(FiredSteps {
            count: all.len(),
            first: MakingStep::of(self.derivation, first),
            last: MakingStep::of(self.derivation, last),
            stages,
        })
    }

    /// Says that a part of a strategy hasn't the rule, if so.
    pub(super) fn absent(&self, family: &RuleFamily, schedule: &Schedule, part: usize) -> Option<RuleStatement> {
        if !schedule.rules(part, family).is_empty() {
            return None;
        }
        let same = |rule: &Rule| rule.info().name == family.info().name;
        let others = schedule.all_rules(part).into_iter().filter(same).map(|rule| rule.to_string());
        Some(RuleStatement::Absent { strategy: schedule.address(part), others: others.collect() })
    }

    /// The rule with the arguments that it has in a strategy, if it is in it.
    pub(super) fn in_strategy(&self, family: &RuleFamily, run: Option<&PastRun>) -> RuleFamily {
        let own: Vec<_> = run.map_or(Vec::new(), |run| Schedule::of(&run.strategy).all_rules(0));
        match own.iter().filter(|rule| is_of(family, rule)).collect::<Vec<_>>()[..] {
            [one] => RuleFamily::from(one),
            _ => family.clone(),
        }
    }

    /// That `cheaper` threw steps by the rule away. The run is taken again only where that may be so.
    fn tell_discards(
        &self,
        family: &RuleFamily,
        scope: &RunScope,
        own: &[usize],
        said: &mut Vec<RuleStatement>,
    ) -> Result<(), StopReason> {
        let RunScope { run, schedule, .. } = scope;
        let steps = &self.derivation.steps()[run.span.clone()];
        let compares = |at: &usize| schedule.part(*at).strategy.form().compares();
        let lost = |at: &usize| schedule.around(*at).filter(compares).any(|whole| !schedule.has_step(whole, steps));
        if !own.iter().any(lost) {
            return Ok(());
        }
        let (mut first, count) = discards(run, 1, self.budget, |step| is_of(family, step.rule()))?;
        if let Some(discard) = first.pop() {
            said.push(RuleStatement::Discarded(discard, count));
        }
        Ok(())
    }

    /// That the rule's redex in the current term was made when what it is in was done.
    fn made_later(
        &self,
        family: &RuleFamily,
        scope: &RunScope,
        own: &[usize],
        (program, after): (&Program, usize),
    ) -> Result<Option<RuleStatement>, StopReason> {
        let Some(redex) = self.redex(family, program)? else { return Ok(None) };
        let made = self.origins().of(after, &redex.rule, (redex.path, &redex.term), 0)?;
        let RedexOrigin::Step(k) = made else { return Ok(None) };
        let step = &self.derivation.steps()[k];
        let schedule = &scope.schedule;
        let any = schedule.of_step(step);
        let is_over = own.iter().all(|at| schedule.order_of(&any, *at) == PartOrder::SequenceReversed);
        if !is_over || !scope.run.span.contains(&k) {
            return Ok(None);
        }
        let names = agreed(any.iter().map(|running| schedule.apart(*running, own[0])));
        let maker = MakingStep::of(self.derivation, k);
        Ok(names.map(|(running, own)| RuleStatement::MadeLater { maker, running, own }))
    }

    /// The first redex of a rule.
    fn redex(&self, family: &RuleFamily, program: &Program) -> Result<Option<Redex>, StopReason> {
        let mut finder = Finder::new(vec![family.clone()]);
        Ok(finder.redexes(program, 1, self.budget)?.found.pop())
    }

    /// That another rule took its redexes, or that there were none.
    fn tell_taken(
        &self,
        family: &RuleFamily,
        scope: &RunScope,
        own: &[usize],
        said: &mut Vec<RuleStatement>,
    ) -> Result<(), StopReason> {
        let RunScope { run, schedule, part, pieces } = scope;
        let terms = self.terms(run, pieces);
        match self.lost(family, &terms)? {
            RedexLoss::Before(step) => {
                let ran = self.run_of(step).unwrap_or(run);
                said.extend(taken(self, ran, family, step)?.map(RuleStatement::Taken));
            }
            // It still applies at the end, so that it is asked why the last step wasn't its own.
            RedexLoss::Never => {
                let last = pieces.last().map_or(0, |piece| piece.end);
                if let Some(last) = last.checked_sub(1).filter(|last| run.span.contains(last)) {
                    said.extend(taken(self, run, family, last)?.map(RuleStatement::Taken));
                }
            }
            RedexLoss::Always => {
                let of = pieces.iter().map(|piece| piece.len()).sum::<usize>() + 1;
                said.push(RuleStatement::Never { within: schedule.address(*part), looked: terms.len(), of });
                // Its redex may have been gone when the stage began.
                let from = pieces.first().map_or(0, |piece| piece.start);
                let before = self.terms(run, std::slice::from_ref(&(0..from)));
                match if from > 0 { self.lost(family, &before)? } else { RedexLoss::Always } {
                    RedexLoss::Before(step) => {
                        let ran = self.run_of(step).unwrap_or(run);
                        said.extend(taken(self, ran, family, step)?.map(RuleStatement::Taken));
                    }
                    _ => said.extend(normal(scope, own)),
                }
            }
        }
        Ok(())
    }

    /// Whether a rule has a redex in these terms, and the first step that took the last one.
    fn lost(&self, family: &RuleFamily, terms: &[usize]) -> Result<RedexLoss, StopReason> {
        let mut finder = Finder::new(vec![family.clone()]);
        let mut applies = |after: usize| -> Result<bool, StopReason> {
            self.budget.tick()?;
            Ok(!finder.redexes(&self.program(after), 1, self.budget)?.found.is_empty())
        };
        let mut before = None;
        for after in terms {
            match (applies(*after)?, before) {
                (true, _) => before = Some(*after),
                (false, None) => {}
                (false, Some(with)) => {
                    let (mut with, mut without) = (with, *after);
                    // The rule applies at `with` and not at `without`, so that a step in between took its last redex.
                    while without - with > 1 {
                        let middle = with + (without - with) / 2;
                        match applies(middle)? {
                            true => with = middle,
                            false => without = middle,
                        }
                    }
                    return Ok(RedexLoss::Before(with));
                }
            }
        }
        Ok(if before.is_some() { RedexLoss::Never } else { RedexLoss::Always })
    }

    /// Terms in pieces to look at: those at the ends of stages, or as many evenly.
    fn terms(&self, run: &PastRun, pieces: &[Range<usize>]) -> Vec<usize> {
        let (from, to) = (pieces.first().map_or(0, |p| p.start), pieces.last().map_or(0, |p| p.end));
        let stages = self.derivation.stages();
        let ends = (0..stages.len()).flat_map(|stage| stages.stage(stage).pieces.iter().flat_map(|p| [p.start, p.end]));
        let mut all: Vec<usize> =
            ends.chain([from, to, run.span.start]).filter(|at| (from..=to).contains(at)).collect();
        all.extend((0..=MAX_TERMS / 2).map(|k| from + (to - from) * k / (MAX_TERMS / 2)));
        all.sort_unstable();
        all.dedup();
        let count = all.len();
        if count > MAX_TERMS {
            all = (0..MAX_TERMS).map(|k| all[k * (count - 1) / (MAX_TERMS - 1)]).collect();
        }
        all
    }
}
