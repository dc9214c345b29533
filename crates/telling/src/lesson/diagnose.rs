//! Diagnoses a schedule: it chooses the one thing to say of it that helps most.

use std::rc::Rc;

use super::alike::is_alike;
use super::detour::Detour;
use super::diagnosis::{Diagnosis, DiagnosisDetail};
use super::failure::ScheduleFailure;
use super::wrong_turn::{IdleReason, LastGoodTerm, SolutionStep, WrongTurn};
use super::{Lesson, Mistake};
use redexter_language::cost::{Poly, WorkMeter};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::{Program, Term};
use redexter_rewriting::compare::{AttemptEnd, StrategyAttempt, StrategyStages};
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::redex::RuleFamily;
use redexter_rewriting::rule::Rule;
use redexter_rewriting::sound;
use redexter_rewriting::strategy::{Step, Strategy, StrategyForm, Trace, Unary, replay, rules_in};
use redexter_rewriting::why::{self, PastRun, WhyCase, why_not};

/// The most simpler inputs that are tried, to make an input that shows a difference small.
const MAX_SIMPLER_INPUTS: u32 = 300;

/// So deep a rule is looked for in a schedule, definitions unfolded.
const MAX_DESCENT: usize = 32;

/// A diagnosis, or what ends everything: Ctrl-C, the time, the memory.
type DiagnosisResult = Result<Diagnosis, Trouble>;

/// Diagnoses a schedule; `all` are the rules that there are. An error is what ends everything: Ctrl-C, the time, the
/// memory.
pub fn diagnose(lesson: &Lesson, schedule: &Strategy, all: &[RuleFamily], budget: &Budget) -> DiagnosisResult {
    let mut found = undisturbed(lesson, schedule, all, budget)?;
    found.remark = remark(lesson, schedule, &found, budget)?;
    Ok(found)
}

/// Diagnoses steps that were taken one by one; these are what `schedule` takes.
pub fn judge(
    lesson: &Lesson,
    schedule: &Strategy,
    trace: Trace,
    all: &[RuleFamily],
    budget: &Budget,
) -> DiagnosisResult {
    let judge = Diagnoser { lesson, schedule, all, budget };
    let mut found = judge.forbidden().map_or_else(|| judge.trace(trace), Ok)?;
    found.remark = remark(lesson, schedule, &found, budget)?;
    Ok(found)
}

/// The lesson's word on a mistake of its own: on another one that comes to the same only where the teacher says so, since a
/// comment mostly speaks of how the end was reached.
fn remark(lesson: &Lesson, schedule: &Strategy, found: &Diagnosis, budget: &Budget) -> Result<Option<String>, Trouble> {
    let alike = lesson.mistakes.iter().filter(|mistake| mistake.kind == found.kind());
    if let Some(same) = alike.clone().find(|mistake| is_alike(&mistake.strategy, schedule)) {
        return Ok(Some(same.remark.clone()));
    }
    let (own, short) = (replay(&found.trace).ok(), lesson.patience(budget));
    let end = |mistake: &Mistake| Ok::<_, Trouble>(lesson.run(&mistake.strategy, &lesson.start.term, &short)?.end);
    for mistake in alike.filter(|mistake| mistake.for_alike) {
        let same = match &found.says {
            DiagnosisDetail::Forbidden { rules, .. } => *rules == lesson.forbidden(&mistake.strategy),
            // Of a sequence the part that fails counts.
            DiagnosisDetail::Failed(failure) => match end(mistake)? {
                AttemptEnd::Failed(reason) => {
                    let other = ScheduleFailure::of(lesson, &mistake.strategy, reason, budget)?;
                    other.reason.to_string() == failure.reason.to_string()
                }
                _ => false,
            },
            // Without a step every schedule ends at the first term: that says nothing about what they have in common.
            DiagnosisDetail::Stuck(_) | DiagnosisDetail::Costly(_) | DiagnosisDetail::Astray(_)
                if found.trace.steps.is_empty() =>
            {
                false
            }
            DiagnosisDetail::Stuck(_) | DiagnosisDetail::Costly(_) | DiagnosisDetail::Astray(_) => {
                matches!(end(mistake)?, AttemptEnd::Done(term) if Some(&term) == own.as_ref())
            }
            DiagnosisDetail::Changed { rule, .. } => rules_in(&mistake.strategy).contains(rule),
            _ => false,
        };
        if same {
            return Ok(Some(mistake.remark.clone()));
        }
    }
    Ok(None)
}

/// The diagnosis without the lesson's remark.
fn undisturbed(lesson: &Lesson, schedule: &Strategy, all: &[RuleFamily], budget: &Budget) -> DiagnosisResult {
    let judge = Diagnoser { lesson, schedule, all, budget };
    if let Some(forbidden) = judge.forbidden() {
        return Ok(forbidden);
    }
    let run = lesson.run(schedule, &lesson.start.term, &lesson.patience(budget))?;
    Ok(judge.without_term(match run.end {
        AttemptEnd::Done(_) => return judge.trace(run.trace),
        AttemptEnd::Endless(finding) => DiagnosisDetail::Endless(finding),
        AttemptEnd::Failed(reason) => {
            DiagnosisDetail::Failed(Box::new(ScheduleFailure::of(lesson, schedule, reason, budget)?))
        }
        AttemptEnd::Stopped(reason) => DiagnosisDetail::Long(reason, lesson.longest()),
    }))
}

/// A schedule for a lesson that is being diagnosed.
struct Diagnoser<'a> {
    lesson: &'a Lesson,
    schedule: &'a Strategy,
    all: &'a [RuleFamily],
    budget: &'a Budget,
}

impl Diagnoser<'_> {
    fn forbidden(&self) -> Option<Diagnosis> {
        let rules = self.lesson.forbidden(self.schedule);
        let allowed = self.lesson.rules.iter().map(|info| info.name.clone()).collect();
        (!rules.is_empty()).then(|| self.without_term(DiagnosisDetail::Forbidden { rules, allowed }))
    }

    fn without_term(&self, says: DiagnosisDetail) -> Diagnosis {
        let start = self.lesson.start.term.clone();
        let work = Rc::new(WorkMeter::default().total(&start));
        let trace = Rc::new(Trace { start, steps: Vec::new() });
        let passed = match &says {
            DiagnosisDetail::Failed(failure) => failure.passed.map(|after| (after, None)),
            _ => None,
        };
        Diagnosis { says, trace, work: [work.clone(), work], enough: self.lesson.goal.enough(), remark: None, passed }
    }

    fn trace(&self, trace: Trace) -> DiagnosisResult {
        let trace = Rc::new(trace);
        let derivation = Derivation::of_run(&self.schedule.to_string(), trace.clone());
        let steps = derivation.steps().len();
        let work = [derivation.work(0), derivation.work(steps)];
        let says = self.says(&derivation, &trace, &work[1])?;
        // Of a form with an order of work only the order counts.
        let is_order = matches!(says, DiagnosisDetail::Astray(_)) && self.lesson.goal.work.is_some();
        let enough = self.lesson.goal.enough().filter(|_| !is_order);
        let is_over = matches!(says, DiagnosisDetail::Reached(_) | DiagnosisDetail::Changed { .. });
        let passed = if is_over { None } else { self.lesson.goal.passed(&trace) };
        let passed = passed.map(|after| (after, trace.steps.get(after).map(|step| step.rule().clone())));
        Ok(Diagnosis { says, trace, work, enough, remark: None, passed })
    }

    fn says(&self, derivation: &Derivation, trace: &Trace, work: &Rc<Poly>) -> Result<DiagnosisDetail, Trouble> {
        if let Some(changed) = self.changed(trace)? {
            return Ok(changed);
        }
        let (lesson, steps) = (self.lesson, derivation.steps().len());
        let end = derivation.term(steps);
        if lesson.goal.is_reached(&end) {
            return Ok(DiagnosisDetail::Reached(Detour::of(lesson, trace, self.budget)?));
        }
        let LastGoodTerm { after, first } = LastGoodTerm::last(lesson, derivation, self.budget)?;
        match (derivation.steps().get(after), first) {
            (Some(away), first) => {
                let idle = first.map(|step| self.idle(trace, step.rule())).transpose()?.flatten();
                let turn = WrongTurn { after, away: away.clone(), whole: derivation.term(after), idle };
                Ok(if lesson.goal.allows(work) { DiagnosisDetail::Astray(turn) } else { DiagnosisDetail::Costly(turn) })
            }
            (None, Some(first)) => {
                let next = self.next(derivation, end, &first)?;
                Ok(match self.idle(trace, &next.rule)? {
                    Some(stage) => DiagnosisDetail::Idle { stage, next },
                    None => DiagnosisDetail::Stuck(next),
                })
            }
            (None, None) => Ok(DiagnosisDetail::Reached(None)),
        }
    }

    /// The first step by an unchecked rule that changes what the term means.
    fn changed(&self, trace: &Trace) -> Result<Option<DiagnosisDetail>, Trouble> {
        for (k, (step, before, after)) in trace.rewrites().enumerate() {
            let info = step.rule().info();
            if !info.unchecked {
                continue;
            }
            let programs = [before, after].map(|term| self.lesson.start.with(term));
            let comparison = sound::equivalent(&programs[0], &programs[1], info.exactness, sound::SEED, self.budget)?;
            if let Some(difference) = comparison.difference {
                let programs = [&programs[0], &programs[1]];
                let difference =
                    sound::simplest(programs, info.exactness, difference, MAX_SIMPLER_INPUTS, self.budget)?;
                return Ok(Some(DiagnosisDetail::Changed { step: k + 1, rule: step.rule().clone(), difference }));
            }
        }
        Ok(None)
    }

    /// The next step of a solution, and why the schedule didn't take it.
    fn next(&self, derivation: &Derivation, end: Term, first: &Step) -> Result<SolutionStep, Trouble> {
        let (rule, path, steps) = (first.rule().clone(), first.path(), derivation.steps().len());
        let start = self.lesson.start.clone();
        let runs = [PastRun { strategy: self.schedule.clone(), start, span: 0..steps, end: why::PastRunEnd::Done }];
        let now: Program = self.lesson.start.with(end);
        let case = WhyCase { derivation, runs: &runs, now: (&now, steps), all: self.all, budget: self.budget };
        let why = Box::new(why_not(&case, &rule.to_string(), &RuleFamily::from(&rule), Some(&path)));
        let own = if steps == 0 { self.own(&rule)? } else { None };
        Ok(SolutionStep { rule, path, why, own })
    }

    /// Why a rule did nothing in a schedule that has it and took no step; none where the schedule doesn't have it.
    fn own(&self, rule: &Rule) -> Result<Option<IdleReason>, Trouble> {
        if !rules_in(self.schedule).contains(rule) {
            return Ok(None);
        }
        let everywhere = self.schedule.under(Unary::TopDown);
        let run = self.run(&everywhere)?;
        let takes = matches!(run.end, AttemptEnd::Done(_)) && !run.trace.steps.is_empty();
        if takes {
            return Ok(Some(IdleReason::AtRoot));
        }
        let Some(stages) = self.innermost_sequence(rule) else { return Ok(Some(IdleReason::Elsewhere)) };
        let names = stages.names();
        let mut before = stages.part(0).clone();
        for (k, name) in names.iter().enumerate() {
            if k > 0 {
                before = before.then(stages.part(k));
            }
            if matches!(self.run(&before.under(Unary::TopDown))?.end, AttemptEnd::Failed(_)) {
                let name = name.clone();
                return Ok(Some(match k.checked_sub(1) {
                    None => IdleReason::Begins(name),
                    Some(first) => IdleReason::Behind(names[first].clone(), name),
                }));
            }
        }
        Ok(Some(IdleReason::Elsewhere))
    }

    /// The sequence in the schedule that a rule stands in, below what searches and repeats.
    fn innermost_sequence(&self, rule: &Rule) -> Option<StrategyStages> {
        let mut here = self.schedule.clone();
        for _ in 0..MAX_DESCENT {
            here = match here.form() {
                StrategyForm::Seq(..) => {
                    let stages = StrategyStages::of(&here)?;
                    // A part that is more than a rule may have a sequence of its own.
                    let has_own = |part: &&Strategy| {
                        let is_sequence = |inside: &Strategy| matches!(inside.form(), StrategyForm::Seq(..));
                        rules_in(part).contains(rule) && part.distinct().iter().any(is_sequence)
                    };
                    let deeper = (0..stages.names().len()).map(|k| stages.part(k)).find(has_own).cloned();
                    match deeper {
                        Some(part) => part,
                        None => return Some(stages),
                    }
                }
                StrategyForm::Named(_) => here.definition()?,
                form => form.parts().into_iter().find(|part| rules_in(part).contains(rule))?.clone(),
            };
        }
        None
    }

    /// Another schedule, on the lesson's term.
    fn run(&self, schedule: &Strategy) -> Result<StrategyAttempt, Trouble> {
        self.lesson.run(schedule, &self.lesson.start.term, &self.lesson.patience(self.budget))
    }

    /// A stage without which the schedule takes the same steps, and which has the rule that comes next.
    fn idle(&self, trace: &Trace, next: &Rule) -> Result<Option<String>, Trouble> {
        let Some(stages) = StrategyStages::of(self.schedule) else { return Ok(None) };
        let wanted = |rule: &Rule| rule.info().name == next.info().name;
        let is_same = |(a, b): (&Step, &Step)| a.rule() == b.rule() && a.path() == b.path();
        for (k, name) in stages.names().into_iter().enumerate() {
            if !rules_in(stages.part(k)).iter().any(wanted) {
                continue;
            }
            let run = self.run(&stages.without(k))?;
            let steps = &run.trace.steps;
            if matches!(run.end, AttemptEnd::Done(_))
                && steps.len() == trace.steps.len()
                && steps.iter().zip(&trace.steps).all(is_same)
            {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }
}
