//! Explains why there is a step: which alternatives were tried before, what made its redex, what it made possible.

use super::case::WhyCase;
use super::origin::{MakingStep, RedexOrigin};
use super::schedule::{Schedule, TraversalOrder, agreed};
use crate::redex::site;
use crate::rule::{Focus, Reason, Rule};
use crate::strategy::StrategyForm;
use redexter_language::cost::Poly;
use redexter_language::ground::StopReason;
use redexter_language::ground::order::InOrder;
use redexter_language::term::{Path, Program};

/// So many of the alternatives that were tried before are told.
const MAX_TOLD_ALTERNATIVES: usize = 3;

/// So many steps behind one are asked whether it made them possible.
const MAX_STEPS_AHEAD: usize = 50;

/// The answer to why there is a step.
#[derive(Clone, Debug)]
pub struct WhyStep {
    /// Its number.
    pub number: usize,
    /// The rule, as users write it.
    pub rule: String,
    /// The law; empty for one without another name.
    pub law: String,
    /// What the rule is for: the first sentence of its documentation.
    pub purpose: String,
    /// The whole term before it.
    pub before: Program,
    /// Where its redex stands.
    pub path: Path,
    /// The named strategies around it, outermost first.
    pub within: Vec<String>,
    /// The traversal that came to this place, as it prints, and its order; None where the strategy went its own way.
    pub traversal: Option<(String, TraversalOrder)>,
    /// Whether that traversal stops at the first redex of a rule in it, as it has nothing but rules and choices.
    pub tries_rules: bool,
    /// The choice that its rule is an alternative of, as it prints.
    pub choice: Option<String>,
    /// The alternatives that were tried before it at this place, the nearest first, and why they failed; how many more.
    pub failed: (Vec<(String, Reason)>, usize),
    /// Alternatives behind it that would have applied, too.
    pub later: Vec<String>,
    /// What made its redex.
    pub origin: RedexOrigin<MakingStep>,
    /// The first step behind it that it made possible.
    pub enables: Option<MakingStep>,
    /// The work of the whole term before and after it.
    pub work: (Poly, Poly),
    /// The limit that ended the looking, if one did.
    pub stopped: Option<StopReason>,
}

/// Explains why there is the step with this number, which is one of the derivation's.
pub fn why_step(case: &WhyCase, number: usize) -> WhyStep {
    let k = number - 1;
    let (step, before) = (&case.derivation.steps()[k], case.program(k));
    let mut why = WhyStep {
        number,
        rule: format!("{}{}", step.rule(), step.rule().mark()),
        law: step.rule().law_for(&step.redex),
        purpose: step.rule().info().purpose().to_owned(),
        path: step.path(),
        within: step.within().iter().map(|name| name.to_string()).collect(),
        traversal: None,
        tries_rules: false,
        choice: None,
        failed: Default::default(),
        later: Vec::new(),
        origin: RedexOrigin::Earlier,
        enables: None,
        work: ((*case.derivation.work(k)).clone(), (*case.derivation.work(number)).clone()),
        stopped: None,
        before,
    };
    if let Err(reason) = look(case, k, &mut why) {
        why.stopped = Some(reason);
    }
    why
}

fn look(case: &WhyCase, k: usize, why: &mut WhyStep) -> Result<(), StopReason> {
    let step = &case.derivation.steps()[k];
    if let Some(run) = case.run_of(k) {
        let schedule = Schedule::of(&run.strategy);
        let any = schedule.of_step(step);
        let text = |at: usize| schedule.part(at).strategy.to_string();
        // Of several that it may be, only what holds of each.
        let traversals = any.iter().map(|leaf| schedule.traversal(*leaf));
        let told = traversals.map(|found| found.map(|(at, order)| (text(at), order, schedule.tries_rules(at))));
        if let Some((strategy, order, tries_rules)) = agreed(told).flatten() {
            (why.traversal, why.tries_rules) = (Some((strategy, order)), tries_rules);
        }
        let choices = any.iter().map(|leaf| schedule.choice(*leaf).map(text));
        why.choice = agreed(choices).flatten();
        if let (Some(leaf), Some(_)) = (any.first(), &why.choice)
            && let Some(choice) = schedule.choice(*leaf)
        {
            alternatives(case, &schedule, (choice, *leaf), why)?;
        }
    }
    let (origins, maker) = (case.origins(), |k| MakingStep::of(case.derivation, k));
    why.origin = origins.of_step(k, 0)?.map(maker);
    for later in k + 1..case.derivation.steps().len().min(k + 1 + MAX_STEPS_AHEAD) {
        if origins.of_step(later, k)? == RedexOrigin::Step(k) {
            why.enables = Some(maker(later));
            break;
        }
    }
    Ok(())
}

/// The alternatives on both sides of a rule in a choice, tried at the redex.
fn alternatives(
    case: &WhyCase,
    schedule: &Schedule,
    (choice, leaf): (usize, usize),
    why: &mut WhyStep,
) -> Result<(), StopReason> {
    let Some((context, term)) = site(&why.before.term, &why.path) else { return Ok(()) };
    let focus = Focus::new(&term, &context, &why.before.bounds);
    let own = &case.derivation.steps()[why.number - 1];
    let mut failed: Vec<(Rule, Reason)> = Vec::new();
    let mut later: Vec<Rule> = Vec::new();
    for at in schedule.rules_in(choice) {
        case.budget.tick()?;
        let StrategyForm::Rule(rule) = schedule.part(at).strategy.form() else { continue };
        if rule == own.rule() || failed.iter().any(|(known, _)| known == rule) || later.contains(rule) {
            continue;
        }
        match rule.apply(&focus) {
            Ok(contractum) if at > leaf && contractum != term => later.push(rule.clone()),
            Err(reason) if at < leaf => match reason.stopped() {
                Some(stop) => return Err(stop.clone()),
                None => failed.push((rule.clone(), reason)),
            },
            _ => {}
        }
    }
    failed.order_by_key(|(_, reason)| std::cmp::Reverse(reason.progress));
    let more = failed.len().saturating_sub(MAX_TOLD_ALTERNATIVES);
    failed.truncate(MAX_TOLD_ALTERNATIVES);
    why.failed = (failed.into_iter().map(|(rule, reason)| (rule.to_string(), reason)).collect(), more);
    why.later = later.iter().map(Rule::to_string).collect();
    Ok(())
}
