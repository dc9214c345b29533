//! Several rules as one choice: a node is looked at once for all of them.

use std::rc::Rc;

use crate::term::{Head, Term};

use super::info::Rule;
use super::law::CompiledLaw;
use super::look::{Below, Look, Miss};
use super::plan::Plan;
use super::seconds::{Seconds, Wanted};
use super::site::Site;

/// Rules that are tried in order at one node.
#[derive(Clone, Debug)]
pub struct Alternatives {
    rules: Vec<Rule>,
    look: Look,
    /// What may apply to a term, by the number of its constructor.
    by_head: Vec<Row>,
}

/// What may apply to terms with one constructor.
#[derive(Clone, Debug, Default)]
struct Row {
    /// What some entry at least wants.
    wanted: Wanted,
    entries: Vec<Entry>,
}

/// Something to be tried.
#[derive(Clone, Debug)]
struct Entry {
    wanted: Wanted,
    /// The number of the rule.
    number: usize,
    rule: Rule,
    /// A law of the rule; without one, the rule is a function.
    law: Option<Rc<Plan>>,
}

impl Alternatives {
    /// The first of these rules that applies.
    pub fn new(rules: Vec<Rule>) -> Alternatives {
        let mut look = Look::nothing();
        let mut by_head = vec![Row::default(); Head::COUNT];
        for (k, rule) in rules.iter().enumerate() {
            look.join(rule.look());
            for head in Head::all().filter(|head| rule.look().fits(*head)) {
                let row = &mut by_head[head.number()];
                match rule.laws() {
                    Some(laws) => {
                        let plans = laws.iter().map(CompiledLaw::plan).filter(|plan| plan.may_fit(head));
                        plans.for_each(|plan| row.push(plan.wanted, (k, rule), Some(plan)));
                    }
                    None => row.push(Wanted::ANY, (k, rule), None),
                }
            }
        }
        Alternatives { rules, look, by_head }
    }

    /// What they inspect together.
    pub fn look(&self) -> &Look {
        &self.look
    }

    /// The rules, in order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The number of the first rule that applies to the site's term, and the contractum. A failure costs no text.
    #[inline(always)]
    pub fn attempt(&self, site: &Site) -> Result<(usize, Term), Miss> {
        let row = &self.by_head[site.term.number()];
        let found = Seconds::of(site.term);
        if !row.wanted.admit(found) {
            return Err(Miss::Near);
        }
        let mut deep = Below::NOWHERE;
        for entry in row.entries.iter().filter(|entry| entry.wanted.admit(found)) {
            let tried = match &entry.law {
                Some(plan) => plan.attempt_admitted(site, &entry.rule),
                None => entry.rule.attempt(site),
            };
            match tried {
                Ok(term) => {
                    site.assert_type(&term);
                    return Ok((entry.number, term));
                }
                Err(Miss::Near) => {}
                Err(Miss::Deep(below)) => deep = deep.and(below),
                Err(stopped) => return Err(stopped),
            }
        }
        Err(Miss::of(deep))
    }
}

impl Row {
    fn push(&mut self, wanted: Wanted, (number, rule): (usize, &Rule), law: Option<&Rc<Plan>>) {
        self.wanted.join(wanted);
        self.entries.push(Entry { wanted, number, rule: rule.clone(), law: law.cloned() });
    }
}
