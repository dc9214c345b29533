//! A [`RuleChoice`] tries several rules in order at one node, whose constructors are looked up once for all of them.

use std::rc::Rc;

use redexter_language::term::{Head, Term};

use super::super::focus::Focus;
use super::super::footprint::{Footprint, KidSet, Miss};
use super::super::info::Rule;
use super::super::matching::{CompiledLaw, FirstKidHeads, KidHeads};

/// Rules that are tried in order at one node.
#[derive(Clone, Debug)]
pub struct RuleChoice {
    rules: Vec<Rule>,
    footprint: Footprint,
    /// What may apply to a term, by the number of its constructor.
    by_head: Vec<HeadCandidates>,
}

/// The candidates for terms with one constructor.
#[derive(Clone, Debug, Default)]
struct HeadCandidates {
    /// What some entry at least wants.
    wanted: FirstKidHeads,
    entries: Vec<RuleCandidate>,
}

/// Something to be tried.
#[derive(Clone, Debug)]
struct RuleCandidate {
    wanted: FirstKidHeads,
    /// The number of the rule.
    number: usize,
    rule: Rule,
    /// A law of the rule; without one, the rule is a function.
    law: Option<Rc<CompiledLaw>>,
}

impl RuleChoice {
    /// The first of these rules that applies.
    pub fn new(rules: Vec<Rule>) -> RuleChoice {
        let mut footprint = Footprint::nothing();
        let mut by_head = vec![HeadCandidates::default(); Head::COUNT];
        for (k, rule) in rules.iter().enumerate() {
            footprint.join(rule.footprint());
            for head in Head::all().filter(|head| rule.footprint().fits(*head)) {
                let row = &mut by_head[head.number()];
                match rule.laws() {
                    Some(laws) => {
                        let fitting = laws.iter().filter(|law| law.may_fit(head));
                        fitting.for_each(|law| row.push(law.first_kids, (k, rule), Some(law)));
                    }
                    // Nothing says which children a function wants, so that it has to be called whatever they are.
                    None => row.push(FirstKidHeads::ANY, (k, rule), None),
                }
            }
        }
        RuleChoice { rules, footprint, by_head }
    }

    /// The footprint of all of them together.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// The rules, in order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The number of the first rule that applies to the term, and the contractum. A failure costs no text.
    #[inline(always)]
    pub fn attempt(&self, focus: &Focus) -> Result<(usize, Term), Miss> {
        self.attempt_each(focus, |_| {})
    }

    /// The same; `tried` is told the number of a rule whenever the rule, or one of its laws, has been tried: where the
    /// constructors of the term and of its children admit that.
    #[inline(always)]
    pub fn attempt_each(&self, focus: &Focus, mut tried: impl FnMut(usize)) -> Result<(usize, Term), Miss> {
        let row = &self.by_head[focus.term.number()];
        let found = KidHeads::of(focus.term);
        // No rule admits both children, so that none has to be gone through.
        if !row.wanted.admit(found) {
            return Err(Miss::Near);
        }
        let mut deep = KidSet::NONE;
        for entry in row.entries.iter().filter(|entry| entry.wanted.admit(found)) {
            let found = match &entry.law {
                Some(law) => {
                    let found = law.attempt_admitted(focus, entry.rule.arguments());
                    found.map_err(|obstacle| obstacle.miss(law, focus.term))
                }
                None => entry.rule.attempt(focus),
            };
            tried(entry.number);
            match found {
                Ok(term) => {
                    focus.assert_type(&term);
                    return Ok((entry.number, term));
                }
                Err(Miss::Near) => {}
                Err(Miss::Deep(below)) => deep = deep.and(below),
                // A limit ends the run, so that no rule behind may be tried.
                Err(stopped) => return Err(stopped),
            }
        }
        Err(Miss::of(deep))
    }
}

impl HeadCandidates {
    fn push(&mut self, wanted: FirstKidHeads, (number, rule): (usize, &Rule), law: Option<&Rc<CompiledLaw>>) {
        self.wanted.join(wanted);
        self.entries.push(RuleCandidate { wanted, number, rule: rule.clone(), law: law.cloned() });
    }
}
