//! Lists the rewrites that are possible in a term, previews strategies, and explores the terms that rules reach.

use std::rc::Rc;

use super::answer::{AskedTerm, Possibilities, WalkAnswer};
use super::control::StepGoal;
use super::navigation::path;
use super::{Walk, WalkOwner};
use redexter_language::cost::WorkMeter;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::{Path, Program};
use redexter_rewriting::choice::{graph, possible, preview};
use redexter_rewriting::derivation::Address;
use redexter_rewriting::redex::{Finder, Redex, RuleFamily, families, named};
use redexter_rewriting::strategy::{self, Step, Strategy};

/// The most terms of a graph.
const MAX_TERMS: usize = 200;

/// The term and the place of which an address asks.
struct ChoiceSubject {
    program: Program,
    within: Path,
    /// The redexes that the derivation rewrote there.
    taken: Vec<Redex>,
    then: AskedTerm,
}

impl Walk {
    /// The rewrites that are possible in the current term, in the focus or at an address and below it, or by a rule; or
    /// those that were before the steps that an address means.
    pub(super) fn list_possible(
        &mut self,
        address: Option<&Address>,
        owner: &dyn WalkOwner,
    ) -> Result<WalkAnswer, Trouble> {
        let rule = address.and_then(|address| self.rule_at(address, owner));
        let ChoiceSubject { program, within, taken, then } = self.asked(address.filter(|_| rule.is_none()), owner)?;
        let (mut finder, mut meter) = (Finder::new(families(&owner.rules())), WorkMeter::default());
        let found = possible(&program, &within, &taken, rule.as_ref(), (&mut finder, &mut meter), &owner.budget());
        let found = Rc::new(found);
        self.possible = Some(found.clone());
        Ok(WalkAnswer::Possible(Box::new(Possibilities { found, then, rule })))
    }

    /// The rule that an address names, unless a stage is called so.
    fn rule_at(&self, address: &Address, owner: &dyn WalkOwner) -> Option<RuleFamily> {
        let Address::Stage(ways) = address else { return None };
        let is_stage = self.derivation().is_ok_and(|derivation| derivation.find(ways).is_ok());
        if is_stage { None } else { named(&address.to_string(), &owner.rules()).ok() }
    }

    fn asked(&mut self, address: Option<&Address>, owner: &dyn WalkOwner) -> Result<ChoiceSubject, Trouble> {
        let now = self.current()?.clone();
        let within = match address {
            None => self.history.focus(),
            Some(Address::Path(text)) => path(text, &now.term)?,
            Some(Address::Mark(mark)) => self.marked(mark)?.path,
            Some(Address::Pattern(pattern)) => self.first_match(pattern, owner)?,
            Some(Address::Tag(tag)) => {
                let program = self.tagged(tag)?;
                let taken = self.history.taken_from_tag(tag).into_iter().map(redex).collect();
                return Ok(ChoiceSubject {
                    program,
                    within: Path::default(),
                    taken,
                    then: AskedTerm::Tagged(tag.clone()),
                });
            }
            Some(address) => {
                let (derivation, _) = self.told()?;
                let before = match address {
                    Address::Step(0) => 0,
                    address => {
                        self.pieces(&derivation, address, &now.term, owner)?.first().map_or(0, |piece| piece.start)
                    }
                };
                let taken = derivation.steps().get(before).map(redex).into_iter().collect();
                let program = now.with(derivation.term(before));
                return Ok(ChoiceSubject { program, within: Path::default(), taken, then: AskedTerm::After(before) });
            }
        };
        Ok(ChoiceSubject { program: now, within, taken: Vec::new(), then: AskedTerm::Now })
    }

    /// Takes the rewrite with this number in the last list.
    pub(super) fn take_possible(&mut self, number: usize, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let wrong = |text: String| Diagnostic::error(code::COMMAND, text);
        let Some(found) = self.possible.clone() else {
            let none = wrong("nothing was listed yet".to_owned());
            return Err(none.help("`:possible` lists the rewrites that are possible, with their numbers").into());
        };
        let now = &self.current()?.term;
        if found.program.term != *now {
            let other = wrong("the last list is of another term than the current one".to_owned());
            return Err(other.help("`:possible` lists what is possible now").into());
        }
        let Some(choice) = number.checked_sub(1).and_then(|k| found.choices.get(k)) else {
            let none = wrong(format!("the last list has no number {number}"));
            return Err(none
                .help(match found.choices.len() {
                    0 => "nothing is possible there".to_owned(),
                    1 => "its only number is 1".to_owned(),
                    count => format!("its numbers are 1..{count}"),
                })
                .into());
        };
        let rule = Strategy::rule(&choice.redex.rule);
        let strategy = match choice.redex.path.display(now) {
            root if root.is_empty() => rule,
            path => rule.at(&path),
        };
        self.begin(&strategy, StepGoal::All, owner)
    }

    /// Previews a strategy on the subterm in focus. Nothing changes.
    pub(super) fn preview(&self, strategy: &Strategy, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
        let (strategy, now) = (self.at_focus(strategy)?, self.current()?);
        let found = preview(&strategy, now, &owner.budget())?;
        strategy::lint(&strategy, Some(now)).iter().for_each(|finding| owner.warn(finding));
        Ok(WalkAnswer::Previewed(Box::new(found)))
    }

    /// The terms reached by the rules of a strategy, or by those that took steps in the derivation, or else by all.
    pub(super) fn graph(
        &self,
        steps: usize,
        strategy: Option<&Strategy>,
        owner: &dyn WalkOwner,
    ) -> Result<WalkAnswer, Trouble> {
        let rules = match strategy {
            Some(strategy) => strategy.rules(),
            None => self.told()?.0.fired(),
        };
        let families = match (rules.is_empty(), strategy) {
            (true, Some(strategy)) => {
                let none = Diagnostic::error(code::COMMAND, format!("`{strategy}` has no rules"));
                return Err(none.help("a graph is of rules, such as `:graph 2 getBuild <+ beta`").into());
            }
            (true, None) => families(&owner.rules()),
            (false, _) => rules.iter().map(RuleFamily::from).collect(),
        };
        let (within, mut finder) = (self.history.focus(), Finder::new(families));
        let found = graph(self.current()?, &within, (steps, MAX_TERMS), &mut finder, &owner.budget());
        Ok(WalkAnswer::Graph(Box::new(found)))
    }
}

/// The redex that a step rewrote.
fn redex(step: &Step) -> Redex {
    let (rule, path) = (step.rule().clone(), step.path());
    Redex { rule, path, term: step.redex.clone(), contractum: step.contractum.clone() }
}
