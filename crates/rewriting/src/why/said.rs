//! Tells what a derivation says of a rule that took no step, or took some.

use std::ops::Range;

use super::case::{Case, End, Ran};
use super::discard::discards;
use super::made::{Maker, Origin};
use super::schedule::{Order, Schedule, agreed, is_of};
use super::taken::taken;
use super::why_not::{Fired, Said};
use crate::redex::{Family, Finder, Redex};
use crate::rule::Rule;
use crate::strategy::{Form, Unary};
use redexter_language::ground::StopReason;
use redexter_language::term::Program;

/// At most so many terms are looked at for redexes of the rule.
const LOOKED: usize = 40;

/// A part of a run: what of its strategy, and the steps in it.
pub(super) struct Scope<'a> {
    pub(super) run: &'a Ran,
    pub(super) schedule: Schedule,
    pub(super) part: usize,
    pub(super) pieces: Vec<Range<usize>>,
}

/// When a rule lost its redexes.
enum Lost {
    /// It has one in the last term.
    Never,
    /// With this step, less one.
    Before(usize),
    /// It had none.
    Always,
}

/// Says that the repetition that a rule is in went on until none of its rules applied, if so.
fn normal(scope: &Scope, own: &[usize]) -> Option<Said> {
    let whole = own.iter().find_map(|at| scope.schedule.normalizes(*at)).filter(|_| scope.run.is_done())?;
    Some(Said::Normal { strategy: scope.schedule.part(whole).strategy.to_string() })
}

impl Case<'_> {
    /// Tells what a scope has to say of a rule; of the term at its end, too, if `now` is asked about.
    pub(super) fn tell(
        &self,
        family: &Family,
        scope: &Scope,
        now: Option<(&Program, usize)>,
        said: &mut Vec<Said>,
    ) -> Result<(), StopReason> {
        let Scope { run, schedule, part, pieces } = scope;
        let until = now.map_or(usize::MAX, |(_, after)| after);
        let past: Vec<_> = pieces.iter().map(|piece| piece.start..piece.end.min(until)).collect();
        let fired = self.fired(family, &past);
        let has_fired = fired.is_some();
        said.extend(fired.map(Said::Fired));
        let behind: Vec<_> = pieces.iter().map(|piece| piece.start.max(until)..piece.end).collect();
        if let Some(later) = self.fired(family, &behind) {
            said.push(Said::Fires(later));
            return Ok(());
        }
        if let Some(absent) = self.absent(family, schedule, *part) {
            if !has_fired {
                said.push(absent);
            }
            return Ok(());
        }
        if run.end == End::Failed {
            said.push(Said::Failed { strategy: run.strategy.to_string() });
            return Ok(());
        }
        let own = schedule.rules(*part, family);
        if let End::Stopped { reason, within } = &run.end {
            let running = schedule.named(within).unwrap_or(0);
            let (_, own_name) = schedule.apart(running, own[0]);
            said.push(Said::Cut {
                strategy: run.strategy.to_string(),
                reason: reason.clone(),
                running: within.join("/"),
                own: own_name,
                is_later: schedule.turn(running).1 <= 1
                    && own.iter().all(|at| schedule.order(running, *at) == Order::Sequence),
                after: run.span.end,
            });
        }
        if !has_fired {
            self.tell_discards(family, scope, &own, said)?;
        }
        if run.end == End::Pending {
            said.push(Said::Pending { strategy: run.strategy.to_string(), taken: run.span.len() });
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
    pub(super) fn fired(&self, family: &Family, pieces: &[Range<usize>]) -> Option<Fired> {
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
        Some(Fired {
            count: all.len(),
            first: Maker::of(self.derivation, first),
            last: Maker::of(self.derivation, last),
            stages,
        })
    }

    /// Says that a part of a strategy hasn't the rule, if so.
    pub(super) fn absent(&self, family: &Family, schedule: &Schedule, part: usize) -> Option<Said> {
        if !schedule.rules(part, family).is_empty() {
            return None;
        }
        let same = |rule: &Rule| rule.info().name == family.info().name;
        let others = schedule.all_rules(part).into_iter().filter(same).map(|rule| rule.to_string());
        Some(Said::Absent { strategy: schedule.address(part), others: others.collect() })
    }

    /// The rule with the arguments that it has in a strategy, if it is in it.
    pub(super) fn in_strategy(&self, family: &Family, run: Option<&Ran>) -> Family {
        let own: Vec<_> = run.map_or(Vec::new(), |run| Schedule::of(&run.strategy).all_rules(0));
        match own.iter().filter(|rule| is_of(family, rule)).collect::<Vec<_>>()[..] {
            [one] => Family::from(one),
            _ => family.clone(),
        }
    }

    /// That `cheaper` threw steps by the rule away. The run is taken again only where that may be so.
    fn tell_discards(
        &self,
        family: &Family,
        scope: &Scope,
        own: &[usize],
        said: &mut Vec<Said>,
    ) -> Result<(), StopReason> {
        let Scope { run, schedule, .. } = scope;
        let steps = &self.derivation.steps()[run.span.clone()];
        let compares = |at: &usize| matches!(schedule.part(*at).strategy.form(), Form::Unary(Unary::Cheaper, _));
        let lost = |at: &usize| schedule.around(*at).filter(compares).any(|whole| !schedule.has_step(whole, steps));
        if !own.iter().any(lost) {
            return Ok(());
        }
        let (mut first, count) = discards(run, 1, self.budget, |step| is_of(family, step.rule()))?;
        if let Some(discard) = first.pop() {
            said.push(Said::Discarded(discard, count));
        }
        Ok(())
    }

    /// That the rule's redex in the current term was made when what it is in was done.
    fn made_later(
        &self,
        family: &Family,
        scope: &Scope,
        own: &[usize],
        (program, after): (&Program, usize),
    ) -> Result<Option<Said>, StopReason> {
        let Some(redex) = self.redex(family, program)? else { return Ok(None) };
        let made = self.origins().of(after, &redex.rule, (redex.path, &redex.term), 0)?;
        let Origin::Step(k) = made else { return Ok(None) };
        let step = &self.derivation.steps()[k];
        let schedule = &scope.schedule;
        let any = schedule.of_step(step);
        let is_over = own.iter().all(|at| schedule.order_of(&any, *at) == Order::SequenceReversed);
        if !is_over || !scope.run.span.contains(&k) {
            return Ok(None);
        }
        let names = agreed(any.iter().map(|running| schedule.apart(*running, own[0])));
        let maker = Maker::of(self.derivation, k);
        Ok(names.map(|(running, own)| Said::MadeLater { maker, running, own }))
    }

    /// The first redex of a rule.
    fn redex(&self, family: &Family, program: &Program) -> Result<Option<Redex>, StopReason> {
        let mut finder = Finder::new(vec![family.clone()]);
        Ok(finder.redexes(program, 1, self.budget)?.found.pop())
    }

    /// That another rule took its redexes, or that there were none.
    fn tell_taken(
        &self,
        family: &Family,
        scope: &Scope,
        own: &[usize],
        said: &mut Vec<Said>,
    ) -> Result<(), StopReason> {
        let Scope { run, schedule, part, pieces } = scope;
        let terms = self.terms(run, pieces);
        match self.lost(family, &terms)? {
            Lost::Before(step) => {
                let ran = self.run_of(step).unwrap_or(run);
                said.extend(taken(self, ran, family, step)?.map(Said::Taken));
            }
            // It still applies at the end, so that it is asked why the last step wasn't its own.
            Lost::Never => {
                let last = pieces.last().map_or(0, |piece| piece.end);
                if let Some(last) = last.checked_sub(1).filter(|last| run.span.contains(last)) {
                    said.extend(taken(self, run, family, last)?.map(Said::Taken));
                }
            }
            Lost::Always => {
                let of = pieces.iter().map(|piece| piece.len()).sum::<usize>() + 1;
                said.push(Said::Never { within: schedule.address(*part), looked: terms.len(), of });
                // Its redex may have been gone when the stage began.
                let from = pieces.first().map_or(0, |piece| piece.start);
                let before = self.terms(run, std::slice::from_ref(&(0..from)));
                match if from > 0 { self.lost(family, &before)? } else { Lost::Always } {
                    Lost::Before(step) => {
                        let ran = self.run_of(step).unwrap_or(run);
                        said.extend(taken(self, ran, family, step)?.map(Said::Taken));
                    }
                    _ => said.extend(normal(scope, own)),
                }
            }
        }
        Ok(())
    }

    /// Whether a rule has a redex in these terms, and the first step that took the last one.
    fn lost(&self, family: &Family, terms: &[usize]) -> Result<Lost, StopReason> {
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
                    return Ok(Lost::Before(with));
                }
            }
        }
        Ok(if before.is_some() { Lost::Never } else { Lost::Always })
    }

    /// Terms in pieces to look at: those at the ends of stages, or as many evenly.
    fn terms(&self, run: &Ran, pieces: &[Range<usize>]) -> Vec<usize> {
        let (from, to) = (pieces.first().map_or(0, |p| p.start), pieces.last().map_or(0, |p| p.end));
        let stages = self.derivation.stages();
        let ends = (0..stages.len()).flat_map(|stage| stages.stage(stage).pieces.iter().flat_map(|p| [p.start, p.end]));
        let mut all: Vec<usize> =
            ends.chain([from, to, run.span.start]).filter(|at| (from..=to).contains(at)).collect();
        all.extend((0..=LOOKED / 2).map(|k| from + (to - from) * k / (LOOKED / 2)));
        all.sort_unstable();
        all.dedup();
        let count = all.len();
        if count > LOOKED {
            all = (0..LOOKED).map(|k| all[k * (count - 1) / (LOOKED - 1)]).collect();
        }
        all
    }
}
