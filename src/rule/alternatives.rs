//! Several rules as one choice: a node is looked at once for all of them.

use crate::term::{Head, Term};

use super::info::Rule;
use super::look::{Look, Miss, first};
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
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// A rule and one of its laws, by their numbers.
    Law(usize, usize),
    /// A rule that is a function.
    Function(usize),
}

impl Alternatives {
    /// The first of these rules that applies.
    pub fn new(rules: Vec<Rule>) -> Alternatives {
        let mut look = Look::nothing();
        let mut by_head = vec![Vec::new(); Head::COUNT];
        for (k, rule) in rules.iter().enumerate() {
            look.join(rule.look());
            let fitting = Head::all().filter(|head| rule.look().fits(*head));
            match rule.laws() {
                Some(laws) => {
                    for head in fitting {
                        let own = laws.iter().enumerate().filter(|(_, law)| law.plan().fits(head));
                        by_head[head.number()].extend(own.map(|(l, _)| Entry::Law(k, l)));
                    }
                }
                None => fitting.for_each(|head| by_head[head.number()].push(Entry::Function(k))),
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
        let here = &self.by_head[site.term.kind().head().number()];
        first(here.iter().map(|entry| match entry {
            Entry::Law(k, l) => Ok((*k, self.rules[*k].attempt_law(*l, site)?)),
            Entry::Function(k) => Ok((*k, self.rules[*k].attempt(site)?)),
        }))
    }
}
