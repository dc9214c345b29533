//! Composes laws into chains, breadth first, until a chain's left side matches a part of its right side: then it can go on for
//! ever, whatever its variables stand for, as far as conditions let it. Conditions on what a variable stands for go along: a
//! chain ends where one can't hold any more.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::asked::{AskedCondition, ConditionKey, asked, fingerprint_over, narrowed};
use crate::overlap::{FollowedLaw, composed, parts, plain};
use crate::rule::{CompiledLaw, Pattern, RedexScope, Rule, may_be_one};
use redexter_language::check::Law;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Term};

/// How far chains are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBounds {
    /// Laws in a chain.
    pub laws: usize,
    /// Nodes of each side.
    pub nodes: u64,
    /// Chains that are looked at.
    pub chains: usize,
    /// Chains are followed also where a proof says that none leads back.
    pub needless: bool,
}

impl Default for SearchBounds {
    fn default() -> SearchBounds {
        SearchBounds { laws: 5, nodes: 60, chains: 4_000, needless: false }
    }
}

/// A law that stands for steps of others.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) law: Law,
    /// The number of each step's rule, and where it is taken.
    pub(super) steps: Vec<(usize, Path)>,
    /// The conditions of the steps that its variables' terms haven't decided.
    pub(super) asked: Vec<AskedCondition>,
}

impl Chain {
    /// The chain of a law that was made of others, with the conditions on the terms that were followed; none where one of these
    /// can't hold, or the law can't be written plainly.
    fn new(made: &FollowedLaw, steps: Vec<(usize, Path)>, asked: &[AskedCondition]) -> Option<Chain> {
        let FollowedLaw { law, terms } = plain(made)?;
        let mut open = Vec::new();
        for (condition, term) in asked.iter().zip(terms) {
            let Some(term) = term else { continue };
            let now = condition.about(term);
            match now.decided(&law.vars) {
                Some(false) => return None,
                Some(true) => {}
                None => open.push(now),
            }
        }
        let contradicts = |(k, one): (usize, &AskedCondition)| open[..k].iter().any(|other| one.contradicts(other));
        let is_possible = !open.iter().enumerate().any(contradicts);
        is_possible.then_some(Chain { law, steps, asked: open })
    }

    /// The chains of one step of a rule's laws; it is known by this number.
    pub(super) fn of_rule(k: usize, rule: &Rule) -> Vec<Chain> {
        let chain = |law: &CompiledLaw| {
            let own = asked(law, rule.arguments());
            let terms = own.iter().map(|asked| Some(asked.term.clone())).collect();
            let made = narrowed(FollowedLaw { law: law.law().clone(), terms }, &own);
            Chain::new(&made, vec![(k, Path::default())], &own)
        };
        rule.compiled_laws().filter_map(chain).collect()
    }

    /// The chain with this one taken behind it, at a path of its right side; none where the conditions of both can't hold.
    fn then(&self, path: &Path, next: &Chain) -> Option<Chain> {
        let under = binders(&self.law.right, path);
        let made = composed(&self.followed(), path, &next.followed())?;
        let more = next.asked.iter().map(|asked| asked.under(under));
        let conditions: Vec<AskedCondition> = self.asked.iter().cloned().chain(more).collect();
        let steps = next.steps.iter().map(|(rule, own)| (*rule, Path([&path.0[..], &own.0].concat())));
        Chain::new(&made, self.steps.iter().cloned().chain(steps).collect(), &conditions)
    }

    /// The law, with the terms that conditions ask about.
    fn followed(&self) -> FollowedLaw {
        FollowedLaw { law: self.law.clone(), terms: self.asked.iter().map(|asked| Some(asked.term.clone())).collect() }
    }
}

/// A chain that leads back to an instance of its left side, at this path of its right side.
pub(super) struct LoopingChain<'a> {
    pub(super) chain: &'a Chain,
    pub(super) back: Path,
}

impl LoopingChain<'_> {
    /// The chain gone so often: its conditions are those of all rounds. The chain as it is where that can't be written.
    pub(super) fn rounds(&self, times: usize) -> Chain {
        let mut all = self.chain.clone();
        for gone in 1..times {
            let Some(more) = all.then(&Path(self.back.0.repeat(gone)), self.chain) else { break };
            all = more;
        }
        all
    }
}

/// How much was looked at.
pub(super) struct ChainSearch {
    pub(super) chains: usize,
    /// Whether no chain was left out for being too long or too large.
    pub(super) all: bool,
    /// All chains of so many laws were looked at, as far as they aren't too large.
    pub(super) laws: usize,
    /// What ended it early.
    pub(super) stopped: Option<StopReason>,
}

/// Where ways round are looked for.
#[derive(Clone, Copy)]
pub(super) struct ChainQuery<'a> {
    pub(super) rules: &'a [Rule],
    /// From which of them chains begin.
    pub(super) from: &'a [bool],
    pub(super) reach: RedexScope,
    pub(super) bounds: SearchBounds,
    pub(super) budget: &'a Budget,
}

/// Takes a way round; whether no other is wanted.
type LoopSink<'a> = dyn FnMut(&LoopingChain) -> Result<bool, StopReason> + 'a;

/// Shows the ways round of some rules, shortest first, as long as others are wanted.
pub(super) fn search(query: ChainQuery, see: &mut LoopSink) -> ChainSearch {
    let mut found = ChainSearch { chains: 0, all: true, laws: 0, stopped: None };
    found.stopped = look(query, see, &mut found).err();
    found.all &= found.stopped.is_none();
    found
}

fn look(query: ChainQuery, see: &mut LoopSink, found: &mut ChainSearch) -> Result<(), StopReason> {
    let ChainQuery { rules, from, reach, bounds, budget } = query;
    let mut laws: Vec<Chain> = Vec::new();
    for (k, rule) in rules.iter().enumerate() {
        budget.tick()?;
        laws.extend(Chain::of_rule(k, rule));
    }
    // What is asked of each law's variables: where less is, more can go on so.
    let mut seen: FxHashMap<(u128, u128), Vec<Vec<ConditionKey>>> = FxHashMap::default();
    let mut queue: VecDeque<Chain> = VecDeque::new();
    let mut enter = |chain: Chain, queue: &mut VecDeque<Chain>| {
        let fits = chain.law.left.size().max(chain.law.right.size()) <= bounds.nodes;
        let vars = &chain.law.vars;
        let sides = [&chain.law.left, &chain.law.right].map(|side| fingerprint_over(vars, side));
        let known = seen.entry(sides.into()).or_default();
        let keys: Vec<ConditionKey> = chain.asked.iter().map(|asked| asked.key(vars)).collect();
        if !known.iter().any(|less| less.iter().all(|key| keys.contains(key))) {
            known.push(keys);
            if fits {
                queue.push_back(chain);
            }
        }
        fits
    };
    for chain in laws.iter().filter(|chain| from[chain.steps[0].0]) {
        enter(chain.clone(), &mut queue);
    }
    let mut entered = queue.len();
    while let Some(chain) = queue.pop_front() {
        budget.tick()?;
        if found.chains >= bounds.chains {
            found.all = false;
            return Ok(());
        }
        found.chains += 1;
        let places = || {
            let all = parts(&chain.law.vars, &chain.law.right).into_iter();
            all.filter(|(path, more)| *more && (reach == RedexScope::Anywhere || path.0.is_empty()))
                .map(|(path, _)| path)
        };
        let own = Pattern::new("", &[Law { right: chain.law.left.clone(), ..chain.law.clone() }]);
        for back in places() {
            let again = back.find(&chain.law.right).is_some_and(|part| own.matches(&part));
            if again && see(&LoopingChain { chain: &chain, back })? {
                return Ok(());
            }
        }
        // What would be queued behind so many isn't looked at any more.
        if entered >= bounds.chains {
            found.all = false;
            continue;
        }
        found.laws = chain.steps.len();
        for path in places() {
            let Some(part) = path.find(&chain.law.right) else { continue };
            let under = binders(&chain.law.right, &path);
            for next in &laws {
                budget.tick()?;
                if !may_be_one((&chain.law, &part, under), (&next.law, &next.law.left, 0)) {
                    continue;
                }
                if chain.steps.len() >= bounds.laws {
                    found.all = false;
                    continue;
                }
                budget.ask()?;
                if let Some(chain) = chain.then(&path, next) {
                    found.all &= enter(chain, &mut queue);
                    entered = found.chains + queue.len();
                }
            }
        }
    }
    if entered < bounds.chains {
        found.laws = bounds.laws;
    }
    Ok(())
}

fn binders(whole: &Term, path: &Path) -> u32 {
    let mut here = whole.clone();
    path.0
        .iter()
        .map(|k| {
            let under = here.binders(*k as usize);
            here = here.kid(*k as usize);
            under
        })
        .sum()
}
