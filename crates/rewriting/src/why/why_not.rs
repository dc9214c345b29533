//! Explains why a rule doesn't apply: from the place now, and from what the derivation has to say of it.

use std::ops::Range;

use super::case::{PastRun, PastRunEnd, WhyCase};
use super::discard::DiscardReport;
use super::origin::MakingStep;
use super::rule::{RuleAnswer, rule_at};
use super::schedule::{Schedule, is_of};
use super::stage::began;
use super::statements::RunScope;
use super::taken::{TakenStep, taken};
use crate::redex::RuleFamily;
use redexter_language::ground::StopReason;
use redexter_language::term::{Path, Program};

/// The reasons why a rule doesn't apply.
#[derive(Clone, Debug)]
pub struct WhyNot {
    /// The rule, as it was asked for.
    pub rule: String,
    /// At which term.
    pub moment: AskedMoment,
    /// What there is to be said of the rule on that term.
    pub there: RuleAnswer,
    /// What the derivation says.
    pub said: Vec<RuleStatement>,
    /// The limit that ended the looking, if one did: more might be known.
    pub stopped: Option<StopReason>,
}

/// A term that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedMoment {
    /// The current one.
    Now,
    /// The one before a step with this number, at its redex.
    Step(usize),
    /// The one with which a stage begins, after so many steps.
    Stage(String, usize),
    /// The one with a tag.
    Tag(String),
}

/// A statement that a derivation makes of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleStatement {
    /// It did fire.
    Fired(FiredSteps),
    /// It fires in steps behind the current term.
    Fires(FiredSteps),
    /// It isn't in what ran.
    Absent {
        /// What ran.
        strategy: String,
        /// The same rule with other arguments that is in it.
        others: Vec<String>,
    },
    /// It applied, but another rule took the redex.
    Taken(TakenStep),
    /// It applied in none of the terms that were looked at: so many of so many.
    Never {
        /// What has these terms, as an address.
        within: String,
        /// Terms that were looked at.
        looked: usize,
        /// Terms that there are.
        of: usize,
    },
    /// A limit ended the run.
    Cut {
        /// The strategy.
        strategy: String,
        /// The limit, and how to raise it.
        reason: StopReason,
        /// What was running, as an address.
        running: String,
        /// What the rule is in.
        own: String,
        /// That comes after what was running.
        is_later: bool,
        /// After so many steps.
        after: usize,
    },
    /// What it is in ran until none of its rules applied.
    Normal {
        /// What it is in, as it prints.
        strategy: String,
    },
    /// It applies, but its redex was made when what it is in was done.
    MadeLater {
        /// The step that made it.
        maker: MakingStep,
        /// What ran then, as an address.
        running: String,
        /// What the rule is in.
        own: String,
    },
    /// It did fire, and `cheaper` threw that away; and how often that was so.
    Discarded(DiscardReport, usize),
    /// The last run failed, and what it had done was given up.
    Failed {
        /// The strategy.
        strategy: String,
    },
    /// The run has more to do.
    Pending {
        /// The strategy.
        strategy: String,
        /// So many of its steps were taken.
        taken: usize,
    },
}

/// Steps by a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiredSteps {
    /// How many.
    pub count: usize,
    /// The first one.
    pub first: MakingStep,
    /// The last one.
    pub last: MakingStep,
    /// The stages that they are in, as addresses.
    pub stages: Vec<String>,
}

/// Explains why a rule doesn't apply to the current term, at a path or anywhere.
pub fn why_not(case: &WhyCase, written: &str, family: &RuleFamily, at: Option<&Path>) -> WhyNot {
    let run = case.run_now();
    let family = &case.in_strategy(family, run.as_ref());
    let there = rule_at(family, case.now.0, at, case.all, case.budget);
    let mut answer = answer(written, AskedMoment::Now, there);
    let Some(run) = run else { return answer };
    let schedule = Schedule::of(&run.strategy);
    let end = match run.end {
        PastRunEnd::Back => case.derivation.steps().len(),
        _ => case.now.1.max(run.span.end),
    };
    let pieces = std::iter::once(0..end).collect();
    let scope = RunScope { run: &run, schedule, part: 0, pieces };
    answer.add(|said| case.tell(family, &scope, Some((case.now.0, case.now.1)), said));
    answer
}

/// Explains why a rule didn't take the step with this number.
pub fn why_not_step(case: &WhyCase, written: &str, family: &RuleFamily, number: usize) -> WhyNot {
    let k = number - 1;
    let (program, step) = (case.program(k), &case.derivation.steps()[k]);
    let family = &case.in_strategy(family, case.run_of(k));
    let there = rule_at(family, &program, Some(&step.path()), case.all, case.budget);
    let mut answer = answer(written, AskedMoment::Step(number), there);
    answer.add(|said| {
        if is_of(family, step.rule()) {
            said.extend(case.fired(family, std::slice::from_ref(&(k..number))).map(RuleStatement::Fired));
            return Ok(());
        }
        let Some(run) = case.run_of(k) else { return Ok(()) };
        match taken(case, run, family, k)? {
            Some(taken) => said.push(RuleStatement::Taken(taken)),
            None => said.extend(case.absent(family, &Schedule::of(&run.strategy), 0)),
        }
        Ok(())
    });
    answer
}

/// Explains why a rule took no step in a stage: parts of a run's strategy, and the steps in it.
pub fn why_not_stage(
    case: &WhyCase,
    written: &str,
    family: &RuleFamily,
    run: &PastRun,
    (title, part, mut pieces): (&str, usize, Vec<Range<usize>>),
) -> WhyNot {
    let (schedule, family) = (Schedule::of(&run.strategy), &case.in_strategy(family, Some(run)));
    let mut stopped = None;
    if pieces.is_empty() {
        // It took no step: what counts is the term with which it began.
        match began(run, &schedule, part, case.budget) {
            Ok(Some((after, _))) => pieces.push(after..after),
            Ok(None) => {}
            Err(reason) => stopped = Some(reason),
        }
    }
    let from = pieces.first().map_or(run.span.start, |piece| piece.start);
    let there = rule_at(family, &case.program(from), None, case.all, case.budget);
    let mut answer = answer(written, AskedMoment::Stage(title.to_owned(), from), there);
    answer.stopped = answer.stopped.take().or(stopped);
    let scope = RunScope { run, schedule, part, pieces };
    answer.add(|said| case.tell(family, &scope, None, said));
    answer
}

/// Explains why a rule doesn't apply to a term that has a tag.
pub fn why_not_tagged(case: &WhyCase, written: &str, family: &RuleFamily, tag: &str, program: &Program) -> WhyNot {
    let there = rule_at(family, program, None, case.all, case.budget);
    answer(written, AskedMoment::Tag(tag.to_owned()), there)
}

fn answer(written: &str, moment: AskedMoment, there: RuleAnswer) -> WhyNot {
    let stopped = there.stopped.clone();
    WhyNot { rule: written.to_owned(), moment, there, said: Vec::new(), stopped }
}

impl WhyNot {
    /// Adds what can be said before a limit.
    fn add(&mut self, tell: impl FnOnce(&mut Vec<RuleStatement>) -> Result<(), StopReason>) {
        if let Err(reason) = tell(&mut self.said) {
            self.stopped.get_or_insert(reason);
        }
    }
}
