//! Runs the commands that say where steps are to end: conditions and breakpoints.

use rustc_hash::FxHashSet;

use super::addressed::{marked, path};
use super::answer::{WalkAnswer, WalkResult};
use super::condition::UntilCondition;
use super::control::{Breakpoint, BreakpointTarget, StepGoal, UntilTest};
use super::owner::WalkOwner;
use super::state::Walk;
use super::take::go_on;
use redexter_language::cost::Poly;
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, Name, code, name::did_you_mean, name::nearest_of_words};
use redexter_language::term::{OpenVariables, Program};
use redexter_rewriting::derivation::Address;

/// Takes pending steps until the whole term fulfils a condition.
pub fn until(walk: &mut Walk, condition: &UntilCondition, owner: &dyn WalkOwner) -> WalkResult {
    let test = match condition {
        UntilCondition::Holds(pattern) => UntilTest::Holds(owner.pattern(pattern)?, FxHashSet::default()),
        UntilCondition::Work(relation, work) => {
            sizes_known(work, walk.current()?)?;
            UntilTest::Work(*relation, work.clone(), Box::default())
        }
        UntilCondition::Size(relation, size) => UntilTest::Size(*relation, *size),
        UntilCondition::Steps(relation, steps) => UntilTest::Steps(*relation, *steps),
    };
    go_on(walk, StepGoal::Until(condition.clone(), test), owner)
}

/// Sets a breakpoint.
pub fn set_breakpoint(walk: &mut Walk, address: &Address, owner: &dyn WalkOwner) -> WalkResult {
    let target = match address {
        Address::Stage(ways) if ways.iter().all(|way| way.nth.is_none()) => BreakpointTarget::Named(ways.clone()),
        Address::Path(text) => BreakpointTarget::Path(path(text, &walk.current()?.term)?),
        Address::Mark(mark) => BreakpointTarget::Path(marked(walk, mark)?.path),
        Address::Pattern(pattern) => BreakpointTarget::Pattern(owner.pattern(pattern)?),
        Address::Stage(_) | Address::Step(_) | Address::Steps(..) | Address::Tag(_) => {
            let wrong = format!("no breakpoint can be at `{address}`");
            let before = if let Address::Step(step) = address { step.saturating_sub(1) } else { 119 };
            let help = format!(
                "a breakpoint is at a rule's name, a stage without its number, a path or a pattern in backticks; \
                 `:until steps >= {before}` stops before step {}",
                before + 1
            );
            return Err(Diagnostic::error(code::COMMAND, wrong).help(help).into());
        }
    };
    if let BreakpointTarget::Named(ways) = &target {
        ways.iter().try_for_each(|way| known(&way.name, walk, owner))?;
    }
    let number = walk.breakpoints.last().map_or(1, |last| last.number + 1);
    let new = Breakpoint { number, address: address.clone(), target };
    walk.breakpoints.push(new.clone());
    Ok(WalkAnswer::Breakpoints(vec![new]))
}

/// Refuses the name of a stage that no rule and no strategy has, nor any around the steps that are there.
fn known(name: &str, walk: &Walk, owner: &dyn WalkOwner) -> Result<(), Diagnostic> {
    let bare = |name: &str| name.split('(').next().unwrap_or_default().to_owned();
    let own = bare(name);
    let mut all: Vec<String> =
        owner.strategies().iter().filter_map(|name| name.rsplit('.').next().map(str::to_owned)).collect();
    if let Ok(derivation) = walk.all_steps() {
        all.extend(derivation.steps().iter().flat_map(|step| step.within().iter().map(|stage| bare(stage))));
    }
    if all.contains(&own) {
        return Ok(());
    }
    let help = match nearest_of_words(&own, all.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `:break {near}`?"),
        None => "`:rules` lists the rules, `:trace` the stages of what was run".to_owned(),
    };
    Err(Diagnostic::error(code::UNKNOWN_STRATEGY, format!("unknown rule or stage `{own}`")).help(help))
}

/// Removes a breakpoint by its number, or all.
pub fn remove_breakpoints(breakpoints: &mut Vec<Breakpoint>, number: Option<usize>) -> WalkResult {
    let meant = |breakpoint: &Breakpoint| number.is_none_or(|number| breakpoint.number == number);
    let (removed, left): (Vec<_>, Vec<_>) = breakpoints.drain(..).partition(meant);
    *breakpoints = left;
    match number.filter(|_| removed.is_empty()) {
        None => Ok(WalkAnswer::Removed(removed)),
        Some(number) => {
            let known = listed(breakpoints.iter().map(|breakpoint| breakpoint.number));
            let help = if known.is_empty() { "there is none".to_owned() } else { format!("there is {known}") };
            Err(Diagnostic::error(code::COMMAND, format!("there is no breakpoint {number}")).help(help).into())
        }
    }
}

/// An error if a formula speaks of a size that a term doesn't have.
fn sizes_known(work: &Poly, program: &Program) -> Result<(), Diagnostic> {
    let known = OpenVariables::of(&program.term).vars;
    let Some(unknown) = work.sizes().into_iter().find(|size| !known.contains(size)) else { return Ok(()) };
    let wrong = Diagnostic::error(code::COMMAND, format!("the current term has no size `{unknown}`"));
    let near = did_you_mean(unknown.as_str(), known.iter().map(Name::as_str));
    Err(wrong.help(near.unwrap_or_else(|| match known.is_empty() {
        true => "it has none".to_owned(),
        false => format!("its sizes are {}", listed(&known)),
    })))
}
