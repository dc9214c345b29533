//! Lists the rewrites that are possible in the current term, or were in an earlier one.

mod json;
mod text;

use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments, maybe_address};
use crate::arguments::CommandInfo;
use crate::walk::{Walk, WalkAnswer, WalkOwner, WalkResult, first_match, marked, path, pieces, placed, tagged};
use redexter_language::cost::WorkMeter;
use redexter_language::ground::{Diagnostic, Trouble};
use redexter_language::term::{Path, Program};
use redexter_rewriting::choice::{PossibleRewrites, possible};
use redexter_rewriting::derivation::Address;
use redexter_rewriting::redex::{Finder, Redex, RuleFamily, families, named};
use redexter_rewriting::strategy::Step;

/// The rewrites that are possible in a term.
#[derive(Clone, Debug)]
pub struct Possibilities {
    /// The rewrites.
    pub found: Rc<PossibleRewrites>,
    /// The term.
    pub then: AskedTerm,
    /// The rule by which, if only one was asked about.
    pub rule: Option<RuleFamily>,
}

/// A term of which something is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedTerm {
    /// The current one.
    Now,
    /// The one after so many steps of the derivation.
    After(usize),
    /// The one with this tag.
    Tagged(String),
}

presented!(Possibilities, "possible", text::possible, json::possible);

/// The term and the place of which an address asks.
struct ChoiceSubject {
    program: Program,
    within: Path,
    /// The redexes that the derivation rewrote there.
    taken: Vec<Redex>,
    then: AskedTerm,
}

/// Everywhere in the focus, at an address and below it, by a rule; or before the steps that an address means.
pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let arguments = QuestionArguments::of_address(maybe_address(info, rest)?);
    Ok(QuestionArguments { by_allowed_rules: true, ..arguments })
}

pub(super) fn answer(AskedQuestion { arguments, walk, owner, .. }: AskedQuestion) -> WalkResult {
    let address = arguments.address.as_ref();
    let rule = address.and_then(|address| rule_at(walk, address, owner));
    let ChoiceSubject { program, within, taken, then } = asked(walk, address.filter(|_| rule.is_none()), owner)?;
    let (mut finder, mut meter) = (Finder::new(families(&owner.rules())), WorkMeter::default());
    let found = possible(&program, &within, &taken, rule.as_ref(), (&mut finder, &mut meter), &owner.budget());
    let found = Rc::new(found);
    walk.remember(found.clone());
    let trouble = found.stopped.clone();
    Ok(WalkAnswer::Finding(Rc::new(Possibilities { found, then, rule }), trouble))
}

/// The rule that an address names, unless a stage is called so.
fn rule_at(walk: &Walk, address: &Address, owner: &dyn WalkOwner) -> Option<RuleFamily> {
    let Address::Stage(ways) = address else { return None };
    let is_stage = walk.derivation().is_ok_and(|derivation| derivation.find(ways).is_ok());
    if is_stage { None } else { named(&address.to_string(), &owner.rules()).ok() }
}

fn asked(walk: &Walk, address: Option<&Address>, owner: &dyn WalkOwner) -> Result<ChoiceSubject, Trouble> {
    let now = walk.current()?.clone();
    let address = address.map(|address| placed(walk, address, owner));
    let within = match address.as_ref() {
        None => walk.history().focus(),
        Some(Address::Path(text)) => path(text, &now.term)?,
        Some(Address::Mark(mark)) => marked(walk, mark)?.path,
        Some(Address::Pattern(pattern)) => first_match(walk, pattern, owner)?,
        Some(Address::Tag(tag)) => {
            let program = tagged(walk.history(), tag)?;
            let taken = walk.history().taken_from_tag(tag).into_iter().map(redex).collect();
            return Ok(ChoiceSubject { program, within: Path::default(), taken, then: AskedTerm::Tagged(tag.clone()) });
        }
        Some(address) => {
            let (derivation, _) = walk.told()?;
            let before = match address {
                Address::Step(0) => 0,
                address => pieces(walk, &derivation, address, &now.term, owner)?.first().map_or(0, |piece| piece.start),
            };
            let taken = derivation.steps().get(before).map(redex).into_iter().collect();
            let program = now.with(derivation.term(before));
            return Ok(ChoiceSubject { program, within: Path::default(), taken, then: AskedTerm::After(before) });
        }
    };
    Ok(ChoiceSubject { program: now, within, taken: Vec::new(), then: AskedTerm::Now })
}

/// The redex that a step rewrote.
fn redex(step: &Step) -> Redex {
    let (rule, path) = (step.rule().clone(), step.path());
    Redex { rule, path, term: step.redex.clone(), contractum: step.contractum.clone() }
}
