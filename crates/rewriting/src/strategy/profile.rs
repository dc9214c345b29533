//! Counts what trying rules took in runs, and the time of it, by rule and by stage.
//!
//! It reads no clock: it is given one.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::rule::Rule;
use redexter_language::ground::Name;

use super::trace::Step;

/// The time since some moment, always the same one.
pub type ProfileClock = Rc<dyn Fn() -> Duration>;

/// Attempts, rewrites and time of runs that were taken again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The rules that were tried, in the order of their first attempts.
    pub rules: Vec<RuleCount>,
    /// The strategies in which rules were tried, in the order of their first attempts.
    pub stages: Vec<StageCount>,
    /// How often terms were gone down to, by the names of the strategies around, outermost first.
    pub visits: BTreeMap<Rc<[Rc<str>]>, u64>,
}

/// Counts and time of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleCount {
    /// Its name, without arguments.
    pub name: Name,
    /// How often it was tried at a term whose constructor and whose children's fit one of its laws.
    pub attempts: u64,
    /// How often it rewrote, and nothing took that back.
    pub rewrites: usize,
    /// The time of its attempts.
    pub time: Duration,
}

/// Counts and time of what was done directly in a strategy, not in those within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageCount {
    /// The names of the strategies, outermost first; the first one is the run's.
    pub within: Rc<[Rc<str>]>,
    /// Rewrites that nothing took back.
    pub steps: usize,
    /// The time up to the end of each attempt from the end of the one before, so that all stages take that of the run.
    pub time: Duration,
}

impl Profile {
    /// The time of all runs.
    pub fn time(&self) -> Duration {
        self.stages.iter().map(|stage| stage.time).sum()
    }
}

/// Counts what a run tries.
pub struct Profiler {
    clock: ProfileClock,
    /// When the last attempt ended.
    last: Duration,
    /// The strategy that runs, as it prints.
    run: Rc<str>,
    found: Profile,
    rules: FxHashMap<Name, usize>,
    stages: FxHashMap<Rc<[Rc<str>]>, usize>,
}

impl Profiler {
    /// Nothing was tried yet.
    pub fn new(clock: ProfileClock) -> Profiler {
        Profiler {
            last: Duration::ZERO,
            clock,
            run: "".into(),
            found: Profile::default(),
            rules: FxHashMap::default(),
            stages: FxHashMap::default(),
        }
    }

    /// A run begins.
    pub fn begin(&mut self, run: &str) {
        self.run = run.into();
        self.last = (self.clock)();
    }

    /// The run has ended, and these are its steps.
    pub fn end(&mut self, steps: &[Step]) {
        let since = std::mem::replace(&mut self.last, (self.clock)());
        let passed = self.last.saturating_sub(since);
        // What passed since the last attempt counts for the run itself, so that the stages together have all of its time.
        self.stage(&Rc::from([])).time += passed;
        for step in steps {
            self.rule(step.rule()).rewrites += 1;
            self.stage(step.within()).steps += 1;
        }
    }

    /// The counts of all runs.
    pub fn found(self) -> Profile {
        self.found
    }

    /// The time.
    pub(super) fn now(&self) -> Duration {
        (self.clock)()
    }

    /// A law of a rule was tried within these strategies, from this time on; `goes_on` where another one was just before.
    pub(super) fn tried(&mut self, rule: &Rule, within: &Rc<[Rc<str>]>, goes_on: bool, from: Duration) {
        let now = self.now();
        let since = std::mem::replace(&mut self.last, now);
        let count = self.rule(rule);
        count.attempts += u64::from(!goes_on);
        count.time += now.saturating_sub(from);
        self.stage(within).time += now.saturating_sub(since);
    }

    /// A term was gone down to within these strategies.
    pub(super) fn visited(&mut self, within: &Rc<[Rc<str>]>) {
        match self.found.visits.get_mut(within) {
            Some(visits) => *visits += 1,
            None => drop(self.found.visits.insert(within.clone(), 1)),
        }
    }

    fn rule(&mut self, rule: &Rule) -> &mut RuleCount {
        let all = &mut self.found.rules;
        let name = &rule.info().name;
        let at = *self.rules.entry(name.clone()).or_insert_with(|| {
            all.push(RuleCount { name: name.clone(), attempts: 0, rewrites: 0, time: Duration::ZERO });
            all.len() - 1
        });
        &mut all[at]
    }

    /// A run of a definition has its name already.
    fn stage(&mut self, within: &Rc<[Rc<str>]>) -> &mut StageCount {
        let path = match within.first() == Some(&self.run) {
            true => within.clone(),
            false => std::iter::once(&self.run).chain(&**within).cloned().collect(),
        };
        let all = &mut self.found.stages;
        let at = *self.stages.entry(path.clone()).or_insert_with(|| {
            all.push(StageCount { within: path, steps: 0, time: Duration::ZERO });
            all.len() - 1
        });
        &mut all[at]
    }
}

impl fmt::Debug for Profiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found.fmt(f)
    }
}
