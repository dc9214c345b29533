//! Decides how far steps are taken: so many, a stage, until a condition holds, up to a breakpoint.

use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::condition::{Inequality, UntilCondition};
use redexter_language::cost::{Poly, WorkMeter};
use redexter_language::term::{Path, Term};
use redexter_rewriting::derivation::{Address, StageName};
use redexter_rewriting::rule::Pattern;
use redexter_rewriting::strategy::Step;

/// The goal up to which steps are taken.
pub enum StepGoal {
    /// So many of them; breakpoints end nothing.
    Steps(usize),
    /// All.
    All,
    /// So many times one, or the whole stage that it begins.
    Next(usize),
    /// The rest of the innermost stage of the last one.
    Finish,
    /// The whole term fulfils a condition.
    Until(UntilCondition, UntilTest),
}

/// A condition, ready to be asked of one term after another.
pub enum UntilTest {
    /// With the terms in which nothing matches.
    Holds(Pattern, FxHashSet<u128>),
    Work(Inequality, Poly, Box<WorkMeter>),
    Size(Inequality, u64),
    Steps(Inequality, u64),
}

/// A breakpoint, at which runs stop.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// Its number.
    pub number: usize,
    /// As it was written.
    pub address: Address,
    /// The steps that its address means.
    pub target: BreakpointTarget,
}

/// The steps before which a breakpoint stops.
#[derive(Clone, Debug)]
pub enum BreakpointTarget {
    /// Those of a rule with this name, and those that enter a stage with these.
    Named(Vec<StageName>),
    /// Those whose redex stands there or below.
    Path(Path),
    /// Those whose redex matches.
    Pattern(Pattern),
}

/// The reason why steps ended at a goal or a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkHalt {
    /// A breakpoint, before a step.
    Break {
        /// Its number.
        number: usize,
        /// As it was written.
        address: String,
        /// The rule of the step, and where it is taken.
        next: String,
    },
    /// A condition holds.
    Reached(String),
    /// The run ended, and a condition never held.
    Never(String),
    /// A stage ended.
    Left {
        /// Its names from the outside.
        stage: String,
        /// The rule of the next step, and where it is taken.
        next: String,
    },
}

/// The names of the strategies around a step, outermost first.
type StageNames = [Rc<str>];

impl Breakpoint {
    /// Whether it stops before a step. `last` and `around` are the strategies around the step before and around this one, the run
    /// itself among them.
    fn stops(&self, last: &StageNames, around: &StageNames, next: &Step) -> bool {
        match &self.target {
            BreakpointTarget::Path(path) => next.path().0.starts_with(&path.0),
            BreakpointTarget::Pattern(pattern) => pattern.matches(&next.redex),
            BreakpointTarget::Named(ways) => is_rule(ways, next) || enters(ways, last, around),
        }
    }
}

fn is_rule(ways: &[StageName], step: &Step) -> bool {
    matches!(ways, [way] if way.names_rule(step.rule()))
}

/// Whether a stage that these names mean begins: it is around this step, and wasn't around the last one.
fn enters(ways: &[StageName], last: &StageNames, around: &StageNames) -> bool {
    around.windows(ways.len()).enumerate().any(|(from, names)| {
        let inside = &around[..from + ways.len()];
        ways.iter().zip(names).all(|(way, name)| way.names(name)) && !last.starts_with(inside)
    })
}

/// The state of a run between two of its steps, with its goal and the breakpoints.
pub struct StepControl<'a> {
    goal: StepGoal,
    breakpoints: &'a [Breakpoint],
    /// The strategy that runs, as it prints.
    run: Rc<str>,
    /// The strategies around the last step of the run, outermost first; the run's own before the first.
    last: Rc<StageNames>,
    /// A stage all of whose steps are taken.
    stage: Option<Rc<StageNames>>,
    /// The whole term, where the goal is one for it.
    now: Term,
    /// The steps of the derivation that lead to it.
    number: usize,
    /// The steps that were taken here.
    taken: usize,
    /// The next step has been stopped before already.
    passes: bool,
    /// The reason why the steps ended, where a goal or a breakpoint ended them.
    pub halt: Option<WalkHalt>,
}

impl<'a> StepControl<'a> {
    /// Before a step of a run that began with a strategy, on a term that so many steps lead to. `last` is the run's last
    /// step, if there is one; a run that goes on passes the breakpoint at which it stands.
    pub fn new(
        goal: StepGoal,
        breakpoints: &'a [Breakpoint],
        run: &str,
        last: Option<&Step>,
        now: (&Term, usize),
        goes_on: bool,
    ) -> StepControl<'a> {
        let run: Rc<str> = run.into();
        let last = last.map_or_else(|| [run.clone()].into(), |step| step.within().clone());
        let stage = matches!(goal, StepGoal::Finish).then(|| last.clone());
        let (now, number) = (now.0.clone(), now.1);
        let mut control =
            StepControl { goal, breakpoints, run, last, stage, now, number, taken: 0, passes: goes_on, halt: None };
        if let StepGoal::Steps(_) = control.goal {
            control.breakpoints = &[];
        }
        control
    }

    /// The number of steps that are wanted whatever they are.
    pub fn sure(&self) -> usize {
        match self.goal {
            StepGoal::Steps(count) => count,
            StepGoal::All if self.breakpoints.is_empty() => usize::MAX,
            _ => 0,
        }
    }

    /// Whether the goal is reached, whatever follows.
    pub fn is_met(&mut self) -> bool {
        let StepControl { goal, taken, stage, now, number, halt, .. } = self;
        match goal {
            StepGoal::Steps(count) => taken >= count,
            StepGoal::Next(left) => *left == 0 && stage.is_none(),
            StepGoal::All | StepGoal::Finish => false,
            StepGoal::Until(condition, test) => {
                let met = test.holds(now, *number);
                if met {
                    *halt = Some(WalkHalt::Reached(condition.to_string()));
                }
                met
            }
        }
    }

    /// Whether to stop before this step; if not, it counts as taken.
    pub fn stops_before(&mut self, next: &Step) -> bool {
        let around = self.around(next.within());
        let passes = std::mem::take(&mut self.passes);
        if !passes && !self.breakpoints.is_empty() {
            // A run that goes on has passed its first step above. Where none is taken, this is the run's first one: each stage
            // around it begins here.
            let last = if self.taken == 0 { Rc::from([]) } else { self.around(&self.last) };
            if let Some(stop) = self.breakpoints.iter().find(|breakpoint| breakpoint.stops(&last, &around, next)) {
                self.halt =
                    Some(WalkHalt::Break { number: stop.number, address: stop.address.to_string(), next: say(next) });
                return true;
            }
        }
        if self.ends_before(next) {
            return true;
        }
        self.last = next.within().clone();
        self.taken += 1;
        if let StepGoal::Until(..) = self.goal {
            self.number += 1;
            self.now = next.redo(&self.now).unwrap_or_else(|| self.now.clone());
        }
        false
    }

    /// Whether the goal ends before this step.
    fn ends_before(&mut self, next: &Step) -> bool {
        let within = next.within();
        if let Some(stage) = &self.stage {
            if within.starts_with(stage) || self.is_whole_run(stage) {
                return false;
            }
            if let StepGoal::Finish = self.goal {
                let name = stage.iter().map(|name| &**name).collect::<Vec<&str>>().join("/");
                self.halt = Some(WalkHalt::Left { stage: name, next: say(next) });
                return true;
            }
        }
        self.stage = None;
        if let StepGoal::Next(left) = &mut self.goal {
            if *left == 0 {
                return true;
            }
            *left -= 1;
            let common = within.iter().zip(&*self.last).take_while(|(one, other)| one == other).count();
            self.stage = (common < within.len()).then(|| within[..=common].into());
        }
        false
    }

    /// Whether a stage is the run itself, whose name isn't around its steps unless it is a definition's.
    fn is_whole_run(&self, stage: &StageNames) -> bool {
        stage.is_empty() || *stage == [self.run.clone()]
    }

    /// The names around a step, that of the run among them.
    fn around(&self, within: &Rc<StageNames>) -> Rc<StageNames> {
        match within.first() == Some(&self.run) {
            true => within.clone(),
            false => std::iter::once(&self.run).chain(&**within).cloned().collect(),
        }
    }

    /// The run has ended by itself.
    pub fn end(&mut self) {
        if let (None, StepGoal::Until(condition, _)) = (&self.halt, &self.goal) {
            self.halt = Some(WalkHalt::Never(condition.to_string()));
        }
    }
}

impl UntilTest {
    fn holds(&mut self, term: &Term, steps: usize) -> bool {
        match self {
            UntilTest::Holds(pattern, seen) => pattern.occurs_in_new(term, seen),
            UntilTest::Work(relation, work, meter) => relation.holds_of_works(&meter.total(term), work),
            UntilTest::Size(relation, size) => relation.holds(term.size(), *size),
            UntilTest::Steps(relation, wanted) => relation.holds(steps as u64, *wanted),
        }
    }
}

/// A step that follows: its rule, and the stage that it is in.
fn say(step: &Step) -> String {
    let rule = format!("{}{}", step.rule(), step.rule().mark());
    match &step.within()[..] {
        [] => rule,
        names => format!("{rule} in {}", names.join("/")),
    }
}

impl fmt::Display for Breakpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &self.target {
            BreakpointTarget::Named(ways) if ways.len() == 1 => "a rule or a stage",
            BreakpointTarget::Named(_) => "a stage",
            BreakpointTarget::Path(_) => "a path",
            BreakpointTarget::Pattern(_) => "a pattern",
        };
        write!(f, "{}. {}, {what}", self.number, self.address)
    }
}
