//! Several rules as one choice: a node is looked at once for all of them.

use std::rc::Rc;

use crate::term::{Head, Prim, Term};

use super::info::Rule;
use super::law::CompiledLaw;
use super::look::{Below, Heads, Look, Miss};
use super::plan::{Plan, Test};
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
    wanted: Seconds,
    entries: Vec<Entry>,
}

/// Something to be tried.
#[derive(Clone, Debug)]
struct Entry {
    wanted: Seconds,
    /// The number of the rule.
    rule: usize,
    /// A law of the rule; without one, the rule is a function.
    law: Option<Rc<Plan>>,
}

/// What the first two children of a term are, or may be: most attempts fail there.
#[derive(Clone, Copy, Debug, Default)]
struct Seconds([Heads; 2]);

impl Seconds {
    const ANY: Seconds = Seconds([Heads::ANY; 2]);

    #[inline(always)]
    fn of(term: &Term) -> Seconds {
        match term.nodes() {
            [] => Seconds([Heads::NONE; 2]),
            [a] => Seconds([Heads::one(a.kind().head()), Heads::NONE]),
            [a, b, ..] => Seconds([Heads::one(a.kind().head()), Heads::one(b.kind().head())]),
        }
    }

    /// Those that a law inspects have to be what they are on its left side.
    fn wanted(law: &Plan) -> Seconds {
        let mut all = Seconds::ANY;
        for node in law.nodes[..law.inner].iter().skip(1).filter(|node| node.parent == 0) {
            if let (Some(second), Some(head)) = (all.0.get_mut(node.kid), node.test.head()) {
                *second = head;
            }
        }
        all
    }

    fn join(&mut self, other: Seconds) {
        self.0.iter_mut().zip(other.0).for_each(|(own, theirs)| own.join(theirs));
    }

    #[inline(always)]
    fn admit(self, found: Seconds) -> bool {
        self.0[0].meet(found.0[0]) && self.0[1].meet(found.0[1])
    }
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
                        plans.for_each(|plan| row.push(Seconds::wanted(plan), k, Some(plan)));
                    }
                    None => row.push(Seconds::ANY, k, None),
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
        let row = &self.by_head[site.term.kind().head().number()];
        let found = Seconds::of(site.term);
        if !row.wanted.admit(found) {
            return Err(Miss::Near);
        }
        let mut deep = Below::NOWHERE;
        for entry in row.entries.iter().filter(|entry| entry.wanted.admit(found)) {
            let rule = &self.rules[entry.rule];
            let tried = match &entry.law {
                Some(plan) => plan.attempt(site, rule.arguments()),
                None => rule.attempt(site),
            };
            match tried {
                Ok(term) => return Ok((entry.rule, term)),
                Err(Miss::Near) => {}
                Err(Miss::Deep(below)) => deep = deep.and(below),
                Err(stopped) => return Err(stopped),
            }
        }
        Err(Miss::of(deep))
    }
}

impl Row {
    fn push(&mut self, wanted: Seconds, rule: usize, law: Option<&Rc<Plan>>) {
        self.wanted.join(wanted);
        self.entries.push(Entry { wanted, rule, law: law.cloned() });
    }
}

impl Test {
    /// The constructor that it wants, if it is a certain one.
    fn head(self) -> Option<Heads> {
        match self {
            Test::Head(number) => Some(Heads::number(number)),
            Test::Array(_) => Some(Heads::one(Head::Array)),
            Test::Offset(c) => Some(Heads::one(Head::Prim(Prim::Offset(c)))),
            Test::Real(_) => Some(Heads::one(Head::Real)),
            Test::Int(_) => Some(Heads::one(Head::Int)),
            Test::Fin(_) => Some(Heads::one(Head::Fin)),
            Test::Bound(..) => Some(Heads::one(Head::Var)),
            Test::Variable(_) | Test::Size => None,
        }
    }
}
