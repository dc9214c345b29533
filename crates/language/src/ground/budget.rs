//! Limits what a run may use, and names the reasons for which it stops.
//!
//! A budget counts; it doesn't read the clock. Time and Ctrl-C come in through a watch function that the session gives it.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;
use std::rc::Rc;
use std::time::Duration;

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rewrites and unfoldings of strategies.
    pub max_steps: u64,
    /// Nodes of a term, counted as a tree.
    pub max_size: u64,
    /// Nesting of a term or a text.
    pub max_depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_steps: 1_000_000, max_size: 10_000_000, max_depth: 100_000 }
    }
}

/// The reason for which a run was stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// More rewrites and unfoldings than allowed.
    Steps(u64),
    /// More operations of a script than the steps that are allowed are worth.
    Operations(u64),
    /// A term with more nodes than allowed.
    Size(u64),
    /// A term that is to be compared, and has grown to more nodes than `comparable_size` says.
    Growth(u64),
    /// Deeper nesting than allowed.
    Depth(u32),
    /// More time than allowed.
    Time(Duration),
    /// More bytes of memory than allowed.
    Memory(u64),
    /// A script's string, array or map, or all the arrays of an evaluation, outgrew the bound.
    Elements(u64),
    /// A definition, a term or a rule with more words and signs than are parsed at once.
    Text(u64),
    /// Ctrl-C.
    Interrupted,
}

impl StopReason {
    /// Whether it is about a term that a strategy made, or how deep the strategy went, rather than about a whole run: then less
    /// would have been done.
    pub fn is_outgrown(&self) -> bool {
        matches!(self, StopReason::Size(_) | StopReason::Growth(_) | StopReason::Depth(_))
    }
}

/// A script's operations are finer than rewrites: so many of them count as one step.
pub const OPERATIONS_PER_STEP: u64 = 20;

/// The most nodes of a term that is kept only if it is better than one of `nodes` nodes: a hundred times as many, or what little
/// work is thrown away with.
///
/// What an order of rewrites writes out without bound is given up there, within seconds, not at the limits of the run.
pub fn comparable_size(nodes: u64) -> u64 {
    nodes.saturating_mul(100).max(100_000)
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Steps(n) => {
                write!(
                    f,
                    "stopped after {n} rewrites and unfoldings; raise the limit with --max-steps (in the REPL `:set max-steps N`)"
                )
            }
            StopReason::Operations(n) => write!(
                f,
                "stopped after {n} operations of a script, {OPERATIONS_PER_STEP} of which count as a step; raise the limit with \
                 --max-steps (in the REPL `:set max-steps N`)"
            ),
            StopReason::Size(n) => write!(
                f,
                "stopped: the term has more than {n} nodes; raise the limit with --max-size (in the REPL `:set max-size N`)"
            ),
            StopReason::Growth(n) => write!(f, "stopped: the term grew a hundredfold, to more than {n} nodes"),
            StopReason::Depth(n) => write!(
                f,
                "stopped: nested more than {n} deep; raise the limit with --max-depth (in the REPL `:set max-depth N`)"
            ),
            StopReason::Time(allowed) => write!(
                f,
                "stopped after {} seconds; raise the limit with --timeout (in the REPL `:set timeout SECONDS`)",
                allowed.as_secs_f64()
            ),
            StopReason::Memory(bytes) => write!(
                f,
                "stopped: more than {} MB of memory are held; raise the limit with --max-memory (in the REPL `:set max-memory MB`)",
                bytes >> 20
            ),
            StopReason::Elements(n) => write!(
                f,
                "stopped: more than {n} elements of strings, arrays or maps would be held at once; work on smaller parts"
            ),
            StopReason::Text(n) => write!(
                f,
                "stopped: a definition, a term or a rule has more than {n} words and signs; define parts of it first"
            ),
            StopReason::Interrupted => write!(f, "interrupted"),
        }
    }
}

/// A function that is asked now and then while work goes on, with what it has used so far; an answer ends the work.
pub type BudgetWatch = Rc<dyn Fn(&Budget) -> Option<StopReason>>;

/// The watch is asked once in so many ticks.
const TICKS_PER_ASK: u32 = 256;

/// A budget: the limits of a run, and what of them is used. Clones share nothing: each run starts with its own.
///
/// ```
/// use redexter_language::ground::{Budget, Limits, StopReason};
///
/// let budget = Budget::new(Limits { max_steps: 1, ..Limits::default() }, None);
/// assert_eq!(budget.step(), Ok(()));
/// assert_eq!(budget.step(), Err(StopReason::Steps(1)));
/// ```
#[derive(Clone)]
pub struct Budget {
    /// The limits that it was made with.
    pub limits: Limits,
    steps: Cell<u64>,
    size: Cell<u64>,
    /// What the work was seen to do again and again.
    round: RefCell<Option<Rc<str>>>,
    ticks: Cell<u32>,
    watch: Option<BudgetWatch>,
    /// Where it was asked last; known in debug builds.
    asked: Cell<Option<&'static Location<'static>>>,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("limits", &self.limits).field("steps", &self.steps).finish_non_exhaustive()
    }
}

impl Budget {
    /// A fresh budget; `watch` is asked now and then.
    pub fn new(limits: Limits, watch: Option<BudgetWatch>) -> Budget {
        let (steps, size, ticks) = (Cell::new(0), Cell::new(0), Cell::new(0));
        Budget { limits, steps, size, round: RefCell::default(), ticks, watch, asked: Cell::new(None) }
    }

    /// A budget of which nothing is used yet, with the same limits and watch.
    pub fn fresh(&self) -> Budget {
        Budget::new(self.limits, self.watch.clone())
    }

    /// A budget of which nothing is used yet, which also ends, with [`StopReason::Operations`], where its watch is asked
    /// more often than `most`; `asked` counts.
    pub fn asked_at_most(&self, most: u64, asked: Rc<Cell<u64>>) -> Budget {
        let outer = self.fresh();
        let watch = move |used: &Budget| {
            asked.set(asked.get() + 1);
            if asked.get() > most { Some(StopReason::Operations(most)) } else { outer.after(used).watched().err() }
        };
        Budget::new(self.limits, Some(Rc::new(watch)))
    }

    /// A budget with these limits and this watch, of which so much is used as of the other.
    pub fn after(&self, used: &Budget) -> Budget {
        let (steps, size, round) = (used.steps.clone(), used.size.clone(), used.round.clone());
        Budget { steps, size, round, asked: used.asked.clone(), ..self.fresh() }
    }

    /// Where in the program it was asked last, in a debug build.
    pub fn asked(&self) -> Option<&'static Location<'static>> {
        self.asked.get()
    }

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn note_asked(&self) {
        if cfg!(debug_assertions) {
            self.asked.set(Some(Location::caller()));
        }
    }

    fn watched(&self) -> Result<(), StopReason> {
        self.watch.as_ref().and_then(|watch| watch(self)).map_or(Ok(()), Err)
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Nodes of the term that was measured last.
    pub fn size(&self) -> u64 {
        self.size.get()
    }

    /// What the work was seen to do again and again, in words, for whoever waits for it.
    pub fn round(&self) -> Option<Rc<str>> {
        self.round.borrow().clone()
    }

    /// Notes what the work does again and again, or that it does so no more. That ends nothing.
    pub fn note_round(&self, round: Option<String>) {
        self.round.replace(round.map(Rc::from));
    }

    /// Counts one step.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn step(&self) -> Result<(), StopReason> {
        if self.steps.get() >= self.limits.max_steps {
            return Err(StopReason::Steps(self.limits.max_steps));
        }
        self.steps.set(self.steps.get() + 1);
        self.tick()
    }

    /// Called from every loop that may take long.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn tick(&self) -> Result<(), StopReason> {
        self.note_asked();
        let ticks = self.ticks.get().wrapping_add(1);
        self.ticks.set(ticks);
        if ticks.is_multiple_of(TICKS_PER_ASK)
            && let Some(watch) = &self.watch
            && let Some(reason) = watch(self)
        {
            return Err(reason);
        }
        Ok(())
    }

    /// Asks the watch at once: for loops of few iterations that take long.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn ask(&self) -> Result<(), StopReason> {
        self.note_asked();
        self.watched()
    }

    /// Counts one step, and checks the size in nodes and the depth of what it leads to.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn step_to(&self, size: u64, depth: u32) -> Result<(), StopReason> {
        let (steps, ticks) = (self.steps.get(), self.ticks.get().wrapping_add(1));
        let Limits { max_steps, max_size, max_depth } = self.limits;
        if steps >= max_steps || ticks.is_multiple_of(TICKS_PER_ASK) || size > max_size || depth > max_depth {
            return self.step_and_measure(size, depth);
        }
        self.steps.set(steps + 1);
        self.ticks.set(ticks);
        self.size.set(size);
        Ok(())
    }

    #[cold]
    #[cfg_attr(debug_assertions, track_caller)]
    fn step_and_measure(&self, size: u64, depth: u32) -> Result<(), StopReason> {
        self.step()?;
        self.measure(size, depth)
    }

    /// Checks a term's size in nodes and its depth.
    #[inline]
    pub fn measure(&self, size: u64, depth: u32) -> Result<(), StopReason> {
        self.size.set(size);
        if size > self.limits.max_size {
            return Err(StopReason::Size(self.limits.max_size));
        }
        if depth > self.limits.max_depth {
            return Err(StopReason::Depth(self.limits.max_depth));
        }
        Ok(())
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(Limits::default(), None)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::{Budget, Limits, StopReason};

    #[test]
    fn a_watch_sees_what_was_used() {
        let seen = Rc::new(Cell::new((0, 0)));
        let note = seen.clone();
        let watch = move |used: &Budget| {
            note.set((used.steps(), used.size()));
            None
        };
        let budget = Budget::new(Limits::default(), Some(Rc::new(watch)));
        assert_eq!(budget.measure(7, 1), Ok(()));
        assert!((0..256).all(|_| budget.step().is_ok()));
        assert_eq!(seen.get(), (256, 7));
    }

    #[test]
    fn a_step_to_a_term_is_counted_and_measured() {
        let limits = Limits { max_steps: 3, max_size: 7, max_depth: 5 };
        let budget = Budget::new(limits, None);
        assert_eq!(budget.step_to(7, 5), Ok(()));
        assert_eq!((budget.steps(), budget.size()), (1, 7));
        assert_eq!(budget.step_to(8, 5), Err(StopReason::Size(7)));
        assert_eq!(budget.step_to(7, 6), Err(StopReason::Depth(5)));
        assert_eq!((budget.steps(), budget.size()), (3, 7));
        assert_eq!(budget.step_to(1, 1), Err(StopReason::Steps(3)));
        assert_eq!((budget.steps(), budget.size()), (3, 7));
    }

    #[test]
    fn a_watch_ends_a_step_to_a_term() {
        let budget = Budget::new(Limits::default(), Some(Rc::new(|_| Some(StopReason::Interrupted))));
        let taken = (0..1_000).take_while(|_| budget.step_to(1, 1).is_ok()).count();
        assert_eq!((taken, budget.steps()), (255, 256));
    }
}
