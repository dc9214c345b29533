//! Several rules as one choice: a node is looked at once for all of them.

use std::rc::Rc;

use crate::term::{Head, Term};

use super::info::Rule;
use super::law::CompiledLaw;
use super::look::{Look, Miss};
use super::plan::Plan;
use super::site::Site;

/// Rules that are tried in order at one node.
#[derive(Clone, Debug)]
pub struct Alternatives {
    rules: Vec<Rule>,
    look: Look,
    /// What may apply to a term, by the number of its constructor.
    by_head: Vec<Vec<Entry>>,
}

/// Something to be tried.
#[derive(Clone, Debug)]
enum Entry {
    /// A law of the rule with this number.
    Law(usize, Rc<Plan>),
    /// The rule with this number, which is a function.
    Function(usize),
}

impl Alternatives {
    /// The first of these rules that applies.
    pub fn new(rules: Vec<Rule>) -> Alternatives {
        let mut look = Look::nothing();
        let mut by_head = vec![Vec::new(); Head::COUNT];
        for (k, rule) in rules.iter().enumerate() {
            look.join(rule.look());
            for head in Head::all().filter(|head| rule.look().fits(*head)) {
                let here = &mut by_head[head.number()];
                match rule.laws() {
                    Some(laws) => {
                        let plans = laws.iter().map(CompiledLaw::plan).filter(|plan| plan.may_fit(head));
                        here.extend(plans.map(|plan| Entry::Law(k, plan.clone())));
                    }
                    None => here.push(Entry::Function(k)),
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
    pub fn attempt(&self, site: &Site) -> Result<(usize, Term), Miss> {
        let mut deep = false;
        for entry in &self.by_head[site.term.kind().head().number()] {
            let (k, tried) = match entry {
                Entry::Law(k, plan) => (*k, plan.attempt(site, self.rules[*k].arguments())),
                Entry::Function(k) => (*k, self.rules[*k].attempt(site)),
            };
            match tried {
                Ok(term) => return Ok((k, term)),
                Err(Miss::Near) => {}
                Err(Miss::Deep) => deep = true,
                Err(stopped) => return Err(stopped),
            }
        }
        Err(Miss::when(deep))
    }
}
