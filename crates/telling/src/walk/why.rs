//! Answers why and why not: it puts together the derivation and the runs that these are asked of.

use std::ops::Range;
use std::rc::Rc;

use super::answer::WalkAnswer;
use super::navigation::{first_term, no_stage, no_step};
use super::state::{Arrival, HistoryState};
use super::stepping::PendingRun;
use super::{Walk, WalkOwner};
use redexter_language::ground::{Diagnostic, Trouble, code, name::did_you_mean};
use redexter_language::term::Program;
use redexter_rewriting::derivation::{Address, Derivation, StageName, UnreachedAddress};
use redexter_rewriting::redex::{RuleFamily, families};
use redexter_rewriting::strategy::{Strategy, Trace};
use redexter_rewriting::why::{self, DiscardReport, PastRun, PastRunEnd, Schedule, WhyAnswer, WhyCase};

/// A derivation that is asked about, the runs that it is by, and the number of its steps that lead to the current term.
struct AskedDerivation {
    derivation: Rc<Derivation>,
    runs: Vec<PastRun>,
    now: usize,
}

impl Walk {
    /// Why there is a step, what a stage did or why it did nothing, where the work of a subterm comes from.
    pub(super) fn why(&self, address: &Address, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let (known, all, budget) = (self.known()?, families(&owner.rules()), owner.budget());
        let case = known.case(self, &all, &budget)?;
        let answer = match address {
            Address::Step(number) => {
                self.is_step(&case, *number)?;
                WhyAnswer::Step(why::why_step(&case, *number))
            }
            Address::Stage(ways) => WhyAnswer::Stage(match case.derivation.find(ways) {
                Ok(stages) => why::why_stage(&case, &stages),
                Err(_) => {
                    let (run, part) = self.stage(&case, ways)?;
                    why::why_no_stage(&case, run, part)
                }
            }),
            Address::Tag(tag) => {
                let help = format!("`:goto @{tag}` makes it the current one, `:why .` says where its work comes from");
                return Err(match self.history.tagged(tag) {
                    Some(_) => Diagnostic::error(code::COMMAND, format!("`@{tag}` names a whole term")).help(help),
                    None => self.no_tag(tag),
                }
                .into());
            }
            Address::Steps(..) => return Err(several(address).into()),
            Address::Path(_) | Address::Mark(_) | Address::Pattern(_) => {
                let at = self.place_at(address, owner)?.unwrap_or_default();
                WhyAnswer::Growth(why::growth(&case, &at))
            }
        };
        Ok(told(answer))
    }

    /// Why a rule doesn't apply: now, at a place, or at an earlier term.
    pub(super) fn why_not(
        &self,
        written: &str,
        address: Option<&Address>,
        owner: &dyn WalkOwner,
    ) -> Result<WalkAnswer, Trouble> {
        let rules = owner.rules();
        let (known, all, budget) = (self.known()?, families(&rules), owner.budget());
        let case = known.case(self, &all, &budget)?;
        let is_stage = || known.runs.iter().any(|run| Schedule::of(&run.strategy).has_stage(written));
        let family =
            super::family(written, owner).map_err(|wrong| if is_stage() { no_rule_but(written) } else { wrong })?;
        let answer = match address {
            None => {
                let focus = self.history.focus();
                why::why_not(&case, written, &family, (!focus.0.is_empty()).then_some(&focus))
            }
            Some(Address::Step(number)) => {
                self.is_step(&case, *number)?;
                why::why_not_step(&case, written, &family, *number)
            }
            Some(Address::Stage(ways)) => {
                let (run, part, pieces) = self.stage_with_steps(&case, ways)?;
                why::why_not_stage(&case, written, &family, run, (&ways_text(ways), part, pieces))
            }
            Some(Address::Tag(tag)) => {
                let tagged = self.history.tagged(tag).ok_or_else(|| self.no_tag(tag))?;
                why::why_not_tagged(&case, written, &family, tag, &tagged.program)
            }
            Some(address @ Address::Steps(..)) => return Err(several(address).into()),
            Some(address) => why::why_not(&case, written, &family, self.place_at(address, owner)?.as_ref()),
        };
        Ok(told(WhyAnswer::Not(answer)))
    }

    /// The derivation that is asked about: the one on which the current term lies, or that of a run that left it.
    fn known(&self) -> Result<AskedDerivation, Trouble> {
        let ended = self.ended.as_ref().filter(|(_, state)| *state == self.history.number()).map(|(ran, _)| ran);
        let (derivation, place) = self.told()?;
        if self.stray.is_some() {
            let span = 0..derivation.steps().len();
            let runs = ended.map(|ran| PastRun { span, ..ran.clone() }).into_iter().collect();
            return Ok(AskedDerivation { derivation, runs, now: 0 });
        }
        let now = place.step;
        let mut runs = self.runs();
        if let Some(ran) = ended {
            match runs
                .last_mut()
                .filter(|last| last.span.end == now && last.strategy == ran.strategy && last.start == ran.start)
            {
                Some(last) => last.end = ran.end.clone(),
                None => runs.push(PastRun { span: now..now, ..ran.clone() }),
            }
        }
        Ok(AskedDerivation { derivation, runs, now })
    }

    /// The term that the current one was derived from, with the strategy and the steps that led from it to the current one.
    pub fn led(&self) -> Result<(Program, Strategy, Trace), Trouble> {
        let (derivation, place) = self.told()?;
        let runs = self.runs();
        let first = runs.first().map_or_else(|| self.current().cloned(), |run| Ok(run.start.clone()))?;
        let taken = runs.iter().filter(|run| run.span.start < place.step).map(|run| run.strategy.clone());
        let strategy = taken.reduce(|all, next| all.then(&next)).unwrap_or_else(Strategy::id);
        Ok((first, strategy, derivation.trace(0..place.step)))
    }

    /// The runs on the line, in order.
    fn runs(&self) -> Vec<PastRun> {
        let mut runs: Vec<PastRun> = Vec::new();
        let mut before: Option<&HistoryState> = None;
        let mut taken = 0;
        for state in self.history.derived() {
            let steps = state.steps();
            if let (Arrival::Taken { strategy, first, .. }, Some(start)) = (&state.how, before) {
                let end = match (state.is_end_of_run(), state.pending()) {
                    (true, _) | (false, None) => PastRunEnd::Done,
                    (false, Some(_)) => PastRunEnd::Pending,
                };
                match runs.last_mut().filter(|_| !*first) {
                    Some(run) => (run.span.end, run.end) = (taken + steps, end),
                    None => runs.push(PastRun {
                        strategy: strategy.clone(),
                        start: start.program.clone(),
                        span: taken..taken + steps,
                        end,
                    }),
                }
                taken += steps;
            }
            before = Some(state);
        }
        runs
    }

    /// A run that ended without a step: it is remembered, and so is what `cheaper` threw away first in it.
    pub(super) fn ended_without_steps(
        &mut self,
        pending: &PendingRun,
        owner: &dyn WalkOwner,
    ) -> Option<Box<(DiscardReport, usize)>> {
        let (strategy, start) = (pending.strategy(), pending.program());
        let discarded = why::without_steps(&strategy, &start, &owner.budget());
        self.ended = Some((PastRun { strategy, start, span: 0..0, end: PastRunEnd::Done }, self.history.number()));
        discarded.map(Box::new)
    }

    /// A limit ended a run, or it failed: that is remembered.
    pub(super) fn ended_with(&mut self, pending: &PendingRun, end: PastRunEnd) {
        let ran = PastRun { strategy: pending.strategy(), start: pending.program(), span: 0..0, end };
        self.ended = Some((ran, self.history.number()));
    }

    fn is_step(&self, case: &WhyCase, number: usize) -> Result<(), Trouble> {
        let count = case.derivation.steps().len();
        match number {
            0 => Err(first_term().into()),
            _ if number > count => Err(no_step(number, count).into()),
            _ => Ok(()),
        }
    }

    /// A stage of a strategy that ran, whether it took steps or not.
    fn stage<'a>(&self, case: &WhyCase<'a>, ways: &[StageName]) -> Result<(&'a PastRun, usize), Trouble> {
        why::stages(case.runs, ways).map_err(|unreached| self.no_such_stage(case, ways, &unreached))
    }

    fn no_such_stage(&self, case: &WhyCase, ways: &[StageName], unreached: &UnreachedAddress) -> Trouble {
        let written = ways_text(ways);
        if case.runs.is_empty() {
            let wrong =
                Diagnostic::error(code::COMMAND, format!("there is no stage `{written}`: no strategy has run yet"));
            return wrong.help("a line that is a strategy runs on the current term").into();
        }
        let is_rule = |family: &&RuleFamily| family.info().name.as_str() == written;
        if case.all.iter().any(|family| is_rule(&family)) {
            let wrong = Diagnostic::error(code::COMMAND, format!("`{written}` is a rule, and no stage"));
            let help = format!("`:why-not {written}` says why it doesn't apply, `:trace {written}` lists its steps");
            return wrong.help(help).into();
        }
        let near = did_you_mean(&unreached.missing, unreached.there.iter().map(String::as_str));
        let wrong = no_stage(&written, unreached);
        match self.history.tagged(&written) {
            Some(_) => wrong.help(format!("write `@{written}`, which is a tag")).into(),
            None => wrong.help(near.unwrap_or_else(|| unreached.help())).into(),
        }
    }

    /// A stage, with the pieces of its steps.
    fn stage_with_steps<'a>(
        &self,
        case: &WhyCase<'a>,
        ways: &[StageName],
    ) -> Result<(&'a PastRun, usize, Vec<Range<usize>>), Trouble> {
        let pieces = case.derivation.find(ways).map(|stages| case.derivation.pieces(&stages)).unwrap_or_default();
        let own = pieces.first().and_then(|piece| case.runs.iter().find(|run| run.span.contains(&piece.start)));
        match own {
            Some(run) => {
                // Which piece it is says nothing about where it stands in the strategy.
                let names: Vec<StageName> = ways.iter().map(|way| StageName { nth: None, ..way.clone() }).collect();
                let part = Schedule::of(&run.strategy).stages(&names).map_or(0, |found| found[0]);
                Ok((run, part, pieces))
            }
            None => {
                let (run, part) = self.stage(case, ways)?;
                Ok((run, part, Vec::new()))
            }
        }
    }
}

impl AskedDerivation {
    fn case<'a>(
        &'a self,
        walk: &'a Walk,
        all: &'a [RuleFamily],
        budget: &'a redexter_language::ground::Budget,
    ) -> Result<WhyCase<'a>, Trouble> {
        Ok(WhyCase { derivation: &self.derivation, runs: &self.runs, now: (walk.current()?, self.now), all, budget })
    }
}

fn told(answer: WhyAnswer) -> WalkAnswer {
    let stopped = answer.stopped().cloned();
    let help = || vec!["what is known so far is above; there may be more".to_owned()];
    let trouble = stopped.map(|reason| Box::new(Trouble::Stopped { reason, help: help() }));
    WalkAnswer::Why(Box::new(answer), trouble)
}

/// The error for a strategy that is asked about as if it were a rule.
pub fn no_rule_but(strategy: &str) -> Diagnostic {
    let wrong = Diagnostic::error(code::COMMAND, format!("`{strategy}` is a strategy, and no rule"));
    let is_name = strategy.chars().all(|c| c.is_alphanumeric() || "_./#".contains(c));
    wrong.help(match is_name {
        true => format!(
            "after it ran, `:why {strategy}` says what it did, and `:why-not RULE {strategy}` why a rule took no step in it"
        ),
        false => "write one rule, such as `:why-not beta`; of a strategy that has a name and ran, `:why NAME` says what \
                  it did"
            .to_owned(),
    })
}

fn ways_text(ways: &[StageName]) -> String {
    Address::Stage(ways.to_vec()).to_string()
}

fn several(address: &Address) -> Diagnostic {
    Diagnostic::error(code::COMMAND, format!("`{address}` names several steps"))
        .help("ask about one step, a stage, or a place in the term")
}
