//! Replays a schedule from an earlier term: that grows a branch, which is compared with what was there.

use super::answer::{ReplayOutcome, ReplayedRun, WalkAnswer, WalkRun};
use super::control::StepGoal;
use super::history::History;
use super::state::Arrival;
use super::{Walk, WalkOwner, no_term};
use redexter_language::cost;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::derivation::Address;
use redexter_rewriting::strategy::Strategy;

impl Walk {
    /// The strategy that ran last on the way to the current term, or else first behind it.
    pub fn last_strategy(&self) -> Result<&Strategy, Trouble> {
        let found = self.history.last_run().map(|(_, strategy)| strategy);
        found.ok_or_else(|| nothing_ran().into())
    }

    /// Runs a strategy from an earlier term: from where the last run began, unless another place is named. `whole`: on the
    /// whole term, whatever is in focus there. Where it takes no step, nothing changes.
    pub fn replay(
        &mut self,
        from: Option<&Address>,
        strategy: &Strategy,
        whole: bool,
        owner: &dyn WalkOwner,
    ) -> Result<WalkAnswer, Trouble> {
        let (now, end) = self.history.here().ok_or_else(no_term)?;
        let kept = self.clone();
        if let Some(address) = from {
            self.go_to(address, owner)?;
        } else {
            let begin = self.history.last_run().ok_or_else(nothing_ran)?.0;
            self.history.go_to(begin);
        }
        let start = self.history.here().map_or(now, |(at, _)| at);
        let old = [now, end].into_iter().find(|at| *at != start && self.history.way_to(*at).contains(&start));
        // The run leaves this end of the line: without a tag nothing would lead there again.
        self.history.tag_end(old);
        let answer = if whole { self.begin(strategy, StepGoal::All, owner) } else { self.run(strategy, owner) };
        let has_arrived = match &answer {
            Ok(WalkAnswer::Run(run)) => !run.trace.steps.is_empty(),
            Ok(WalkAnswer::Stopped(stopped)) => stopped.run.is_some(),
            _ => false,
        };
        if !has_arrived {
            *self = kept;
            return Ok(match answer? {
                WalkAnswer::Run(run) => {
                    WalkAnswer::Run(WalkRun { after: self.current()?.clone(), focus: self.focus()?, ..run })
                }
                other => other,
            });
        }
        let new = self.history.here().map_or(start, |(at, _)| at);
        let old = old.and_then(|old| self.history.outcome(start, old));
        let Some(new) = self.history.outcome(start, new) else { return answer };
        Ok(WalkAnswer::Replayed(ReplayedRun { from: new.from, answer: Box::new(answer?), old, new }))
    }
}

impl History {
    /// The number of steps that were taken before the last run on the way to the current term, or else before the first one
    /// behind it; and that run's strategy.
    fn last_run(&self) -> Option<(usize, &Strategy)> {
        let mut taken = self.taken();
        for at in self.line[..self.current].iter().rev() {
            let state = &self.states[*at];
            let Arrival::Taken { strategy, first, .. } = &state.how else { break };
            taken -= state.steps();
            if *first {
                return Some((taken, strategy));
            }
        }
        match &self.states[*self.line.get(self.current)?].how {
            Arrival::Taken { strategy, .. } => Some((self.taken(), strategy)),
            Arrival::Given(_) => None,
        }
    }

    /// The outcome of the steps from one state to a later one of its derivation.
    fn outcome(&self, start: usize, end: usize) -> Option<ReplayOutcome> {
        let way = self.way_to(end);
        let given = way.iter().rposition(|at| self.states[*at].is_given())?;
        let from = way.iter().position(|at| *at == start).filter(|from| *from >= given)?;
        let steps = |range: &[usize]| range.iter().map(|at| self.states[*at].steps()).sum();
        let program = &self.states[end].program;
        Some(ReplayOutcome {
            from: steps(&way[given..=from]),
            steps: steps(&way[from + 1..]),
            work: cost::work(&program.term).total(),
            tag: self.tags.iter().find(|(_, tagged)| **tagged == end).map(|(name, _)| name.clone()),
        })
    }
}

pub(super) fn nothing_ran() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "no step was taken yet")
        .help("a line that is a strategy runs on the current term, for example `normalize(beta)`")
}
