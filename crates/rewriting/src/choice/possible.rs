//! Lists the rewrites that are possible in a term, the cheapest outcome first.

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::enabled::{EnabledRule, enabled};
use crate::redex::{Finder, Redex, RuleFamily};
use crate::rule::Rule;
use redexter_language::cost::{Poly, WorkMeter, typical};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::{Path, Program, Term};

/// So many redexes are looked at.
const MAX_REDEXES: usize = 5_000;

/// Of the first so many choices it is said what they enable.
pub const MAX_LISTED: usize = 20;

/// The rewrites that are possible in a term.
#[derive(Clone, Debug)]
pub struct PossibleRewrites {
    /// The term.
    pub program: Program,
    /// Where they were looked for: there and below.
    pub within: Path,
    /// The work of the term.
    pub work: Rc<Poly>,
    /// Those with the least work first; of the same work from the root down, from left to right, and at one place in the
    /// order of the rules.
    pub choices: Vec<RewriteChoice>,
    /// The number of redexes that were found.
    pub count: usize,
    /// Whether these are all.
    pub all: bool,
    /// The limit that ended the search.
    pub stopped: Option<Trouble>,
}

/// A rewrite that is possible.
#[derive(Clone, Debug)]
pub struct RewriteChoice {
    /// What it rewrites, and by which rule.
    pub redex: Redex,
    /// Other rules that make the same of it.
    pub also: Vec<Rule>,
    /// Further places at which the rule makes the same of the same, with the same work afterwards.
    pub others: Vec<Path>,
    /// The whole term after it.
    pub after: Term,
    /// The work of that term.
    pub work: Rc<Poly>,
    /// How that compares with now, at sizes of [`TYPICAL_SIZE`](redexter_language::cost::TYPICAL_SIZE) or their lower bounds.
    pub change: Ordering,
    /// The rules that it enables at its own place; None where that wasn't looked for.
    pub enables: Option<Vec<EnabledRule>>,
    /// The rule by which it was taken.
    pub taken: Option<Rule>,
}

impl PossibleRewrites {
    /// Whether the work grows with the sizes in another order after a choice.
    pub fn reorders(&self, choice: &RewriteChoice) -> bool {
        !(choice.work.grows_within(&self.work) && self.work.grows_within(&choice.work))
    }
}

/// A key for rewrites that are the same at several places: redex and contractum, wherever their variables are bound.
type RewriteKey = [u128; 2];

/// The rewrites of the finder's rules, or by one rule only, that are possible in a program, at a path and below it; those in
/// `taken` were taken there, and are among them in any case. Each term that is measured counts as a step of the budget; where
/// that says stop, those that were found so far are the answer.
pub fn possible(
    program: &Program,
    within: &Path,
    taken: &[Redex],
    only: Option<&RuleFamily>,
    (finder, meter): (&mut Finder, &mut WorkMeter),
    budget: &Budget,
) -> PossibleRewrites {
    let now = Rc::new(meter.total(&program.term));
    let mut gathering = ChoiceGathering {
        program,
        now: now.clone(),
        meter,
        choices: Vec::new(),
        known: FxHashMap::default(),
        bound: FxHashMap::default(),
    };
    let mut count = 0;
    let mut by_one = only.map(|family| Finder::new(vec![family.clone()]));
    let searched = by_one.as_mut().unwrap_or(finder).each(program, within, budget, &mut |redex| {
        if count == MAX_REDEXES {
            return Ok(false);
        }
        budget.step()?;
        count += 1;
        gathering.add(redex);
        Ok(true)
    });
    taken.iter().for_each(|redex| gathering.take(redex));
    let mut choices = gathering.choices;
    let size = |work: &Poly| typical(work, &program.bounds);
    let before = size(&now);
    for choice in &mut choices {
        choice.change = if choice.work == now { Ordering::Equal } else { size(&choice.work).cmp(&before) };
    }
    choices.sort_by_cached_key(|choice| size(&choice.work));
    let mut stopped = searched.clone().err();
    for (_, choice) in choices.iter_mut().enumerate().filter(|(k, choice)| *k < MAX_LISTED || choice.taken.is_some()) {
        if stopped.is_none() {
            match enabled(program, &choice.redex, &choice.after, finder, budget) {
                Ok(enables) => choice.enables = enables,
                Err(reason) => stopped = Some(reason),
            }
        }
    }
    PossibleRewrites {
        program: program.clone(),
        within: within.clone(),
        work: now,
        choices,
        count,
        all: searched == Ok(true),
        stopped: stopped.map(Trouble::from),
    }
}

struct ChoiceGathering<'a> {
    program: &'a Program,
    now: Rc<Poly>,
    meter: &'a mut WorkMeter,
    choices: Vec<RewriteChoice>,
    /// The choices of each key.
    known: FxHashMap<RewriteKey, Vec<usize>>,
    /// The binders of the free variables of the subterms at paths.
    bound: FxHashMap<Path, Rc<[Option<usize>]>>,
}

impl ChoiceGathering<'_> {
    fn add(&mut self, redex: Redex) {
        let alike = self.known.entry([redex.term.fingerprint(), redex.contractum.fingerprint()]).or_default();
        for k in alike.iter() {
            let known = &mut self.choices[*k];
            if known.redex.path == redex.path {
                return known.also.push(redex.rule);
            }
            if known.others.last() == Some(&redex.path) && known.also.contains(&redex.rule) {
                return;
            }
        }
        let Some(choice) = self.measured(redex) else { return };
        let Redex { rule, path, term, contractum } = &choice.redex;
        let alike = self.known.entry([term.fingerprint(), contractum.fingerprint()]).or_default();
        let (whole, bound) = (&self.program.term, &mut self.bound);
        let mut binders = |path: &Path| bound.entry(path.clone()).or_insert_with(|| binders(whole, path)).clone();
        let same = alike.iter().copied().find(|k| {
            let RewriteChoice { redex: known, work, .. } = &self.choices[*k];
            known.rule == *rule && *work == choice.work && {
                let deepest = path.0.iter().zip(&known.path.0).take_while(|(a, b)| a == b).count();
                let depths = binders(path);
                depths.iter().flatten().all(|depth| *depth <= deepest) && depths == binders(&known.path)
            }
        });
        match same {
            Some(first) => self.choices[first].others.push(choice.redex.path),
            None => {
                alike.push(self.choices.len());
                self.choices.push(choice);
            }
        }
    }

    /// Marks the one that was taken, maybe by a rule, or with arguments, that aren't tried.
    fn take(&mut self, taken: &Redex) {
        let is_it = |choice: &&mut RewriteChoice| {
            choice.redex.contractum.fingerprint() == taken.contractum.fingerprint()
                && (choice.redex.path == taken.path || choice.others.contains(&taken.path))
        };
        let by = Some(taken.rule.clone());
        if let Some(choice) = self.choices.iter_mut().find(is_it) {
            choice.taken = by;
        } else if let Some(choice) = self.measured(taken.clone()) {
            self.choices.push(RewriteChoice { taken: by, ..choice });
        }
    }

    fn measured(&mut self, redex: Redex) -> Option<RewriteChoice> {
        let after = redex.rewrite(&self.program.term)?;
        let work = self.meter.total(&after);
        let work = if work == *self.now { self.now.clone() } else { Rc::new(work) };
        let (change, also, others) = (Ordering::Equal, Vec::new(), Vec::new());
        Some(RewriteChoice { redex, also, others, after, work, change, enables: None, taken: None })
    }
}

/// How deep on a path the binders of the free variables of the subterm at its end stand, in the order of their occurrence.
fn binders(whole: &Term, path: &Path) -> Rc<[Option<usize>]> {
    let (mut here, mut depths) = (whole.clone(), Vec::new());
    for (depth, k) in path.0.iter().map(|k| *k as usize).enumerate() {
        if k >= here.kid_count() {
            break;
        }
        depths.extend((0..here.binders(k)).map(|_| depth));
        here = here.kid(k);
    }
    let place = |index: u32| depths.len().checked_sub(index as usize + 1).map(|at| depths[at]);
    here.free().map(|(index, _)| place(index)).collect()
}
