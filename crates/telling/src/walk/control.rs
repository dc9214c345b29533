//! Decides how far steps are taken: so many, a stage, until a condition holds, up to a breakpoint.

use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::answer::Halt;
use crate::command::{Condition, Relation};
use redexter_language::cost::{Meter, Poly};
use redexter_language::term::{Path, Term};
use redexter_rewriting::derivation::{Address, Way};
use redexter_rewriting::rule::Pattern;
use redexter_rewriting::strategy::Step;

/// The goal up to which steps are taken.
pub enum Goal {
    /// So many of them; breakpoints end nothing.
    Steps(usize),
    /// All.
    All,
    /// So many times one, or the whole stage that it begins.
    Next(usize),
    /// The rest of the innermost stage of the last one.
    Finish,
    /// The whole term fulfils a condition.
    Until(Condition, Test),
}

/// A condition, ready to be asked of one term after another.
pub enum Test {
    /// With the terms in which nothing matches.
    Holds(Pattern, FxHashSet<u128>),
    Work(Relation, Poly, Box<Meter>),
    Size(Relation, u64),
    Steps(Relation, u64),
}

/// A breakpoint, at which runs stop.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    /// Its number.
    pub number: usize,
    /// As it was written.
    pub address: Address,
    /// The steps that its address means.
    pub target: Target,
}

/// The steps before which a breakpoint stops.
#[derive(Clone, Debug)]
pub enum Target {
    /// Those of a rule with this name, and those that enter a stage with these.
    Named(Vec<Way>),
    /// Those whose redex stands there or below.
    Path(Path),
    /// Those whose redex matches.
    Pattern(Pattern),
}

/// The names of the strategies around a step, outermost first.
type Names = [Rc<str>];

impl Breakpoint {
    /// Whether it stops before a step. `last` and `around` are the strategies around the step before and around this one, the run
    /// itself among them.
    fn stops(&self, last: &Names, around: &Names, next: &Step) -> bool {
        match &self.target {
            Target::Path(path) => next.path().0.starts_with(&path.0),
            Target::Pattern(pattern) => pattern.matches(&next.redex),
            Target::Named(ways) => is_rule(ways, next) || enters(ways, last, around),
        }
    }
}

fn is_rule(ways: &[Way], step: &Step) -> bool {
    matches!(ways, [way] if way.names_rule(step.rule()))
}

/// Whether a stage that these names mean begins: it is around this step, and wasn't around the last one.
fn enters(ways: &[Way], last: &Names, around: &Names) -> bool {
    around.windows(ways.len()).enumerate().any(|(from, names)| {
        let inside = &around[..from + ways.len()];
        ways.iter().zip(names).all(|(way, name)| way.names(name)) && !last.starts_with(inside)
    })
}

/// The state of a run between two of its steps, with its goal and the breakpoints.
pub struct Control<'a> {
    goal: Goal,
    breakpoints: &'a [Breakpoint],
    /// The strategy that runs, as it prints.
    run: Rc<str>,
    /// The strategies around the last step of the run, outermost first; the run's own before the first.
    last: Rc<Names>,
    /// A stage all of whose steps are taken.
    stage: Option<Rc<Names>>,
    /// The whole term, where the goal is one for it.
    now: Term,
    /// The steps of the derivation that lead to it.
    number: usize,
    /// The steps that were taken here.
    taken: usize,
    /// The next step has been stopped before already.
    passes: bool,
    /// The reason why the steps ended, where a goal or a breakpoint ended them.
    pub halt: Option<Halt>,
}

impl<'a> Control<'a> {
    /// Before a step of a run that began with a strategy, on a term that so many steps lead to. `last` is the run's last
    /// step, if there is one; a run that goes on passes the breakpoint at which it stands.
    pub fn new(
        goal: Goal,
        breakpoints: &'a [Breakpoint],
        run: &str,
        last: Option<&Step>,
        now: (&Term, usize),
        goes_on: bool,
    ) -> Control<'a> {
        let run: Rc<str> = run.into();
        let last = last.map_or_else(|| [run.clone()].into(), |step| step.within().clone());
        let stage = matches!(goal, Goal::Finish).then(|| last.clone());
        let (now, number) = (now.0.clone(), now.1);
        let mut control =
            Control { goal, breakpoints, run, last, stage, now, number, taken: 0, passes: goes_on, halt: None };
        if let Goal::Steps(_) = control.goal {
            control.breakpoints = &[];
        }
        control
    }

    /// The number of steps that are wanted whatever they are.
    pub fn sure(&self) -> usize {
        match self.goal {
            Goal::Steps(count) => count,
            Goal::All if self.breakpoints.is_empty() => usize::MAX,
            _ => 0,
        }
    }

    /// Whether the goal is reached, whatever follows.
    pub fn is_met(&mut self) -> bool {
        let Control { goal, taken, stage, now, number, halt, .. } = self;
        match goal {
            Goal::Steps(count) => taken >= count,
            Goal::Next(left) => *left == 0 && stage.is_none(),
            Goal::All | Goal::Finish => false,
            Goal::Until(condition, test) => {
                let met = test.holds(now, *number);
                if met {
                    *halt = Some(Halt::Reached(condition.to_string()));
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
                    Some(Halt::Break { number: stop.number, address: stop.address.to_string(), next: say(next) });
                return true;
            }
        }
        if self.ends_before(next) {
            return true;
        }
        self.last = next.within().clone();
        self.taken += 1;
        if let Goal::Until(..) = self.goal {
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
            if let Goal::Finish = self.goal {
                let name = stage.iter().map(|name| &**name).collect::<Vec<&str>>().join("/");
                self.halt = Some(Halt::Left { stage: name, next: say(next) });
                return true;
            }
        }
        self.stage = None;
        if let Goal::Next(left) = &mut self.goal {
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
    fn is_whole_run(&self, stage: &Names) -> bool {
        stage.is_empty() || *stage == [self.run.clone()]
    }

    /// The names around a step, that of the run among them.
    fn around(&self, within: &Rc<Names>) -> Rc<Names> {
        match within.first() == Some(&self.run) {
            true => within.clone(),
            false => std::iter::once(&self.run).chain(&**within).cloned().collect(),
        }
    }

    /// The run has ended by itself.
    pub fn end(&mut self) {
        if let (None, Goal::Until(condition, _)) = (&self.halt, &self.goal) {
            self.halt = Some(Halt::Never(condition.to_string()));
        }
    }
}

impl Test {
    fn holds(&mut self, term: &Term, steps: usize) -> bool {
        match self {
            Test::Holds(pattern, seen) => pattern.occurs_in_new(term, seen),
            Test::Work(relation, work, meter) => relation.holds_of_works(&meter.total(term), work),
            Test::Size(relation, size) => relation.holds(term.size(), *size),
            Test::Steps(relation, wanted) => relation.holds(steps as u64, *wanted),
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
            Target::Named(ways) if ways.len() == 1 => "a rule or a stage",
            Target::Named(_) => "a stage",
            Target::Path(_) => "a path",
            Target::Pattern(_) => "a pattern",
        };
        write!(f, "{}. {}, {what}", self.number, self.address)
    }
}
