//! Says why there is a step, what a stage did or why it did nothing, where the work of a subterm comes from.

mod json;
mod rule_json;
mod rule_text;
mod text;

use std::ops::Range;
use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments};
use crate::arguments::{CommandInfo, address};
use crate::walk::{
    AskedDerivation, Walk, WalkAnswer, WalkResult, first_term, known, no_stage, no_step, no_tag, place_at, placed,
};
use redexter_language::ground::{Budget, Diagnostic, Trouble, code, name::did_you_mean};
use redexter_rewriting::derivation::{Address, StageName, UnreachedAddress};
use redexter_rewriting::redex::{RuleFamily, families};
use redexter_rewriting::why::{self, PastRun, RuleAnswer, Schedule, WhyAnswer, WhyCase};

pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    match rest.split_once(char::is_whitespace) {
        Some(("not", rule)) => {
            let told = Diagnostic::error(code::COMMAND, "a rule that didn't fire is another question");
            Err(told.help(format!("write `:why-not {}`", rule.trim())))
        }
        _ => Ok(QuestionArguments::of_address(Some(address(info, rest)?))),
    }
}

pub(super) fn answer(AskedQuestion { arguments, walk, owner, .. }: AskedQuestion) -> WalkResult {
    let walk = &*walk;
    let root = Address::Path(String::new());
    let address = &placed(walk, arguments.address.as_ref().unwrap_or(&root), owner);
    let (known, all, budget) = (known(walk)?, families(&owner.rules()), owner.budget());
    let case = case(&known, walk, &all, &budget)?;
    let answer = match address {
        Address::Step(number) => {
            is_step(walk, &case, *number)?;
            WhyAnswer::Step(why::why_step(&case, *number))
        }
        Address::Stage(ways) => WhyAnswer::Stage(match case.derivation.find(ways) {
            Ok(stages) => why::why_stage(&case, &stages),
            Err(_) => {
                let (run, part) = stage(walk, &case, ways)?;
                why::why_no_stage(&case, run, part)
            }
        }),
        Address::Tag(tag) => {
            let help = format!("`:goto @{tag}` makes it the current one, `:why .` says where its work comes from");
            return Err(match walk.history().tagged(tag) {
                Some(_) => Diagnostic::error(code::COMMAND, format!("`@{tag}` names a whole term")).help(help),
                None => no_tag(walk.history(), tag),
            }
            .into());
        }
        Address::Steps(..) => return Err(several(address).into()),
        Address::Path(_) | Address::Mark(_) | Address::Pattern(_) => {
            let at = place_at(walk, address, owner)?.unwrap_or_default();
            WhyAnswer::Growth(why::growth(&case, &at))
        }
    };
    Ok(told(answer))
}

presented!(WhyAnswer, "why", text::why, json::why);

presented!(RuleAnswer, "walk", rule_text::why_rule, rule_json::why_rule);

/// A derivation as what is asked of, with all rules.
pub(super) fn case<'a>(
    known: &'a AskedDerivation,
    walk: &'a Walk,
    all: &'a [RuleFamily],
    budget: &'a Budget,
) -> Result<WhyCase<'a>, Trouble> {
    Ok(WhyCase { derivation: &known.derivation, runs: &known.runs, now: (walk.current()?, known.now), all, budget })
}

/// An answer, and the limit that ended the looking, if one did.
pub(super) fn told(answer: WhyAnswer) -> WalkAnswer {
    let help = || vec!["what is known so far is above; there may be more".to_owned()];
    let trouble = answer.stopped().cloned().map(|reason| Trouble::Stopped { reason, help: help() });
    WalkAnswer::Finding(Rc::new(answer), trouble)
}

pub(super) fn is_step(walk: &Walk, case: &WhyCase, number: usize) -> Result<(), Trouble> {
    let count = case.derivation.steps().len();
    match number {
        0 => Err(first_term().into()),
        _ if number > count => Err(no_step(walk, number, count).into()),
        _ => Ok(()),
    }
}

/// A stage of a strategy that ran, whether it took steps or not.
pub(super) fn stage<'a>(walk: &Walk, case: &WhyCase<'a>, ways: &[StageName]) -> Result<(&'a PastRun, usize), Trouble> {
    why::stages(case.runs, ways).map_err(|unreached| no_such_stage(walk, case, ways, &unreached))
}

fn no_such_stage(walk: &Walk, case: &WhyCase, ways: &[StageName], unreached: &UnreachedAddress) -> Trouble {
    let written = ways_text(ways);
    if case.runs.is_empty() {
        let wrong = walk.no_steps(format!("there is no stage `{written}`: no strategy has run on this term"));
        return wrong.into();
    }
    let is_rule = |family: &&RuleFamily| family.info().name.as_str() == written;
    if case.all.iter().any(|family| is_rule(&family)) {
        let wrong = Diagnostic::error(code::COMMAND, format!("`{written}` is a rule, and no stage"));
        let help = format!("`:why-not {written}` says why it doesn't apply, `:trace {written}` lists its steps");
        return wrong.help(help).into();
    }
    let near = did_you_mean(&unreached.missing, unreached.there.iter().map(String::as_str));
    let wrong = no_stage(&written, unreached);
    match walk.history().tagged(&written) {
        Some(_) => wrong.help(format!("write `@{written}`, which is a tag")).into(),
        None => wrong.help(near.unwrap_or_else(|| unreached.help())).into(),
    }
}

/// A stage, with the pieces of its steps.
pub(super) fn stage_with_steps<'a>(
    walk: &Walk,
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
            let (run, part) = stage(walk, case, ways)?;
            Ok((run, part, Vec::new()))
        }
    }
}

pub(super) fn ways_text(ways: &[StageName]) -> String {
    Address::Stage(ways.to_vec()).to_string()
}

pub(super) fn several(address: &Address) -> Diagnostic {
    Diagnostic::error(code::COMMAND, format!("`{address}` names several steps"))
        .help("ask about one step, a stage, or a place in the term")
}
