//! Tests rules when they are defined, and makes the terms on which they are tested.

use std::rc::Rc;

use super::read::{ParsedDefinition, RightSide};
use super::world::ScriptWorld;
use redexter_language::check;
use redexter_language::ground::{Diagnostic, Span, StopReason, Trouble, code, text::on_one_line};
use redexter_rewriting::rule::{Checker, Exactness, RuleBody, RuleInfo, SoundnessState};
use redexter_rewriting::sound::{
    self, CounterExample, RuleRelations, SoundnessVerdict, Templates, TestEffort, check_rule, keeps,
};

/// Where the random numbers begin: equal scripts do equal things.
pub(super) const SEED: u64 = 1;

/// Tests rules. Those for which there is a counter-example are refused, unless they are `unchecked`; `at` is where the
/// name stands.
pub(crate) fn guard(world: &ScriptWorld, rules: &[Rc<RuleInfo>], at: Span) -> Result<(), Trouble> {
    for info in rules {
        let effort = world.testing.get().effort;
        let tested = || match effort == TestEffort::QUICK {
            true => known_verdict(world, info),
            // Functions run, though the text is only looked at.
            false => world.meter.apart(true, || verdict(world, info, effort)),
        };
        let found = match world.aside(tested) {
            // What stands unchecked may take as long as it likes where it is used.
            Err(Trouble::Stopped {
                reason: StopReason::Steps(_) | StopReason::Operations(_) | StopReason::Elements(_),
                ..
            }) if info.unchecked => {
                continue;
            }
            Err(Trouble::Stopped { reason, .. }) if effort != TestEffort::QUICK && world.meter.dry.get() => {
                let headline = format!("the rule {} isn't tested to the end", info.quoted());
                world.warn(&Diagnostic::warning(code::UNTESTED_RULE, headline).at(at, reason.to_string()));
                continue;
            }
            found => found?,
        };
        if effort != TestEffort::QUICK && !matches!(found, SoundnessVerdict::Unsound(_)) {
            world.host.print(&format!("{}: {}", info.usage(), told(&found)));
        }
        match found {
            SoundnessVerdict::Tested { unreached, .. } if unreached.is_empty() || info.unchecked => {}
            SoundnessVerdict::Tested { unreached, .. } => {
                let headline = format!("the rule {} isn't tested everywhere", info.quoted());
                let never = format!("no test took {}", unreached.join(", nor "));
                let finding = Diagnostic::warning(code::UNTESTED_RULE, headline).at(at, never);
                let harder =
                    if effort == TestEffort::QUICK { "`redexter check --thorough` tries harder; " } else { "" };
                world.warn(&finding.help(format!("{harder}a branch that is never taken can go")));
            }
            _ if info.unchecked => {}
            SoundnessVerdict::Untested { why, .. } => {
                let headline = format!("the rule {} isn't tested", info.quoted());
                let finding = Diagnostic::warning(code::UNTESTED_RULE, headline).at(at, why);
                let unchecked = match info.is_in_place() {
                    true => format!("`rule named = {} unchecked`", info.name),
                    false => "`unchecked` behind it".to_owned(),
                };
                world.warn(&finding.help(format!("write {unchecked} if that is so for good reason")));
            }
            SoundnessVerdict::Unsound(example) => {
                let headline = format!("the rule {} changes what terms mean", info.quoted());
                let finding = Diagnostic::error(code::UNSOUND_RULE, headline).at(at, "is unsound");
                let lines = example.lines().into_iter().map(|line| on_one_line(&line));
                let finding = lines.fold(finding, Diagnostic::help);
                return Err(finding.help(remedy(world, info, &example)?).into());
            }
        }
    }
    Ok(())
}

/// Says of a rule that is to be tested thoroughly that only a run can define it.
pub(super) fn left_to_a_run(world: &ScriptWorld, definition: &ParsedDefinition) {
    let is_rule = matches!(definition.right, RightSide::Laws | RightSide::Function { .. });
    if is_rule && world.testing.get().effort != TestEffort::QUICK {
        world.host.print(&format!("{}: not tested: it uses what only a run knows", definition.name));
    }
}

/// What to write so that an unsound rule is accepted: the exactness that it has, if it has one.
fn remedy(world: &ScriptWorld, info: &Rc<RuleInfo>, example: &CounterExample) -> Result<String, Trouble> {
    // Tests of both compare numbers alike; what the example differs in tells them apart.
    let (word, exactness, keeping) = match example.differs_by_rounding() {
        true => ("reassociating", Exactness::Reassociating, "only rounding differs"),
        false => ("real_exact", Exactness::RealExact, "only NaN, infinities and signed zeros differ"),
    };
    let (effort, budget) = (world.testing.get().effort, world.host.budget());
    let kept = || world.aside(|| keeps(info, exactness, templates(world), effort, SEED, &budget));
    let (word, why) = match exactness > info.exactness && kept()? {
        true => (word, format!(": {keeping}")),
        false => ("unchecked", " to use it nevertheless".to_owned()),
    };
    Ok(match info.is_in_place() {
        true => format!("write `rule named = {} {word}` to use it nevertheless, by its name", info.name),
        false => format!("write `{word}` behind it{why}"),
    })
}

pub(super) fn relations(
    world: &ScriptWorld,
    info: &Rc<RuleInfo>,
    all: &[Rc<RuleInfo>],
) -> Result<RuleRelations, Trouble> {
    world.aside(|| sound::relations(templates(world), info, all))
}

pub(super) fn templates(world: &ScriptWorld) -> &Templates {
    world.templates.get_or_init(|| {
        let limits = world.host.budget().limits;
        Templates::new(&world.book, &mut world.sources.borrow_mut(), limits, &checker(world))
    })
}

pub(super) fn verdict(
    world: &ScriptWorld,
    info: &Rc<RuleInfo>,
    effort: TestEffort,
) -> Result<SoundnessVerdict, Trouble> {
    let found = check_rule(info, templates(world), effort, SEED, &world.host.budget())?;
    info.state.set(state_of(&found));
    Ok(found)
}

/// The same with the usual effort, from memory where a rule that says the same was tested. What a function computes may be
/// different each time.
fn known_verdict(world: &ScriptWorld, info: &Rc<RuleInfo>) -> Result<SoundnessVerdict, Trouble> {
    if !matches!(info.body, RuleBody::Laws(_)) {
        return verdict(world, info, TestEffort::QUICK);
    }
    let said = format!("{} = {:?} where {:?} {}", info.usage(), info.laws, info.conditions, info.exactness);
    if let Some(known) = world.tested.borrow().get(&said) {
        info.state.set(state_of(known));
        return Ok(known.clone());
    }
    let found = verdict(world, info, TestEffort::QUICK)?;
    world.tested.borrow_mut().insert(said, found.clone());
    Ok(found)
}

fn state_of(verdict: &SoundnessVerdict) -> SoundnessState {
    match verdict {
        SoundnessVerdict::Tested { instances, .. } => SoundnessState::Tested(*instances),
        SoundnessVerdict::Untested { terms, .. } => SoundnessState::NeverFired(*terms),
        SoundnessVerdict::Unsound(_) => SoundnessState::Unsound,
    }
}

pub(super) fn told(verdict: &SoundnessVerdict) -> String {
    match verdict {
        SoundnessVerdict::Tested { instances, at_zero, at_one, under_d, runs, unreached } => {
            let never = if unreached.is_empty() { String::new() } else { format!("; never {}", unreached.join(", ")) };
            format!(
                "tested on {instances} terms, {at_zero} with a size 0, {at_one} with a size 1, {under_d} under D; {runs} runs{never}"
            )
        }
        SoundnessVerdict::Untested { why, .. } => format!("not tested: {why}"),
        SoundnessVerdict::Unsound(example) => format!("unsound:\n{example}"),
    }
}

/// Types laws within the library.
pub(super) fn checker(world: &ScriptWorld) -> Checker {
    let (prelude, sources, budget) = (world.prelude.clone(), world.sources.clone(), world.host.budget());
    Rc::new(move |raw, reverse| check::laws(raw, reverse, &prelude, &sources.borrow(), &budget))
}
