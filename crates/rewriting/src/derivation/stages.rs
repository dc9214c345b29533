//! Builds the tree of a derivation: its runs, the named strategies within them and within those.
//!
//! What a strategy does in one piece is a stage: `hoist#2` is the second piece of `hoist` in what it stands in. Where names
//! come and go, as the alternatives of a loop do, each is one stage in many pieces.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{DerivationRun, add};
use crate::strategy::Step;
use redexter_language::ground::order::InOrder;

/// Where a name has more pieces than so many, names come and go.
const MAX_PIECES: usize = 4;

/// Steps that a named strategy took.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The strategy, as it prints.
    pub name: Rc<str>,
    /// Which piece it is of those with its name in the same stage, from 1; None if it is all of them.
    pub nth: Option<usize>,
    /// Where its steps are, less one, in order.
    pub pieces: Vec<Range<usize>>,
    /// The stages in it, in the order of their first steps.
    pub parts: Vec<usize>,
}

impl Stage {
    /// The number of its steps.
    pub fn count(&self) -> usize {
        self.pieces.iter().map(Range::len).sum()
    }

    /// From its first step to its last.
    pub fn span(&self) -> Range<usize> {
        let end = self.pieces.last().map_or(0, |piece| piece.end);
        self.pieces.first().map_or(0, |piece| piece.start)..end
    }
}

/// All stages of a derivation, each after the one that it is in.
#[derive(Clone, Debug, Default)]
pub struct Stages {
    all: Vec<Stage>,
    tops: Vec<usize>,
}

impl Stages {
    /// Those of the steps of one run.
    pub fn of_run(strategy: &str, steps: &[Step]) -> Stages {
        Stages::found(steps, [(Rc::from(strategy), steps.len())])
    }

    pub(super) fn of(steps: &[Step], runs: &[DerivationRun]) -> Stages {
        let count = |run: &DerivationRun| run.traces.iter().map(|trace| trace.steps.len()).sum();
        Stages::found(steps, runs.iter().map(|run| (run.strategy.clone(), count(run))))
    }

    /// Those of runs that follow one another, each with the number of its steps.
    fn found(steps: &[Step], runs: impl IntoIterator<Item = (Rc<str>, usize)>) -> Stages {
        let mut stages = Stages::default();
        let mut from = 0;
        let mut named = FxHashMap::default();
        for (strategy, count) in runs {
            let whole = from..(from + count).min(steps.len());
            from = whole.end;
            *named.entry(strategy.clone()).or_insert(0) += 1;
            let nth = Some(named[&strategy]);
            let top = stages.add(Stage { name: strategy.clone(), nth, pieces: vec![whole.clone()], parts: Vec::new() });
            stages.tops.push(top);
            // The run of a definition has its name already, so that this one mustn't become a stage of it.
            let own = steps[whole].iter().all(|step| step.within().first() == Some(&strategy));
            stages.fill(steps, top, usize::from(own));
        }
        for top in stages.tops.clone() {
            if named[&stages.all[top].name] == 1 {
                stages.all[top].nth = None;
            }
        }
        stages
    }

    fn add(&mut self, stage: Stage) -> usize {
        self.all.push(stage);
        self.all.len() - 1
    }

    /// Finds the parts of a stage, whose steps have so many names from outside.
    fn fill(&mut self, steps: &[Step], stage: usize, depth: usize) {
        let mut order: Vec<Rc<str>> = Vec::new();
        let mut pieces: FxHashMap<Rc<str>, Vec<Range<usize>>> = FxHashMap::default();
        for piece in self.all[stage].pieces.clone() {
            for (k, step) in piece.clone().zip(&steps[piece]) {
                let Some(name) = step.within().get(depth) else { continue };
                let known = pieces.entry(name.clone()).or_insert_with(|| {
                    order.push(name.clone());
                    Vec::new()
                });
                add(known, k..k + 1);
            }
        }
        let mut parts: Vec<Stage> = Vec::new();
        let come_and_go = pieces.values().any(|found| found.len() > MAX_PIECES);
        for name in order {
            let found = pieces.remove(&name).unwrap_or_default();
            let whole = come_and_go || found.len() == 1;
            let groups = if whole { vec![found] } else { found.into_iter().map(|piece| vec![piece]).collect() };
            parts.extend(groups.into_iter().enumerate().map(|(k, pieces)| Stage {
                name: name.clone(),
                nth: (!whole).then_some(k + 1),
                pieces,
                parts: Vec::new(),
            }));
        }
        parts.order_by_key(|part| part.span().start);
        for part in parts {
            let at = self.add(part);
            self.all[stage].parts.push(at);
            self.fill(steps, at, depth + 1);
        }
    }

    /// The stage with this number.
    pub fn stage(&self, number: usize) -> &Stage {
        &self.all[number]
    }

    /// The runs, in order.
    pub fn tops(&self) -> &[usize] {
        &self.tops
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The stages around a step, less one, outermost first.
    pub fn around(&self, step: usize) -> Vec<usize> {
        let (mut found, mut inside) = (Vec::new(), &self.tops);
        let has = |stage: &&usize| self.all[**stage].pieces.iter().any(|piece| piece.contains(&step));
        while let Some(next) = inside.iter().find(has) {
            found.push(*next);
            inside = &self.all[*next].parts;
        }
        found
    }

    /// The address of a stage in the whole: `fastGradient/hoist#2`.
    pub fn address(&self, number: usize) -> String {
        let around = self.around(self.all[number].span().start);
        let outer = around.into_iter().take_while(|outer| *outer != number);
        let titles: Vec<String> = outer.chain([number]).map(|stage| self.title(stage)).collect();
        titles.join("/")
    }

    /// The address of a stage within the one that it is in: `hoist#2`.
    pub fn title(&self, number: usize) -> String {
        let Stage { name, nth, .. } = &self.all[number];
        nth.map_or_else(|| name.to_string(), |nth| format!("{name}#{nth}"))
    }
}
