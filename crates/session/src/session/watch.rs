//! A [`WorkClock`] says when work is to end, and reports how far it has come.
//!
//! Work is watched through [`Budget`](redexter_language::ground::Budget); this module answers its question, "go on?", with what
//! the machine says of time and interrupts.

use std::cell::{Cell, OnceCell, RefCell};
use std::panic::Location;
use std::rc::Rc;
use std::time::Duration;

use super::system::{Silence, System};
use redexter_language::ground::budget::BudgetWatch;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{drop_postponed, postpone_drops};

/// A report of how far work has come that takes longer than a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkProgress {
    /// The time since it began.
    pub passed: Duration,
    /// Steps so far.
    pub steps: u64,
    /// Nodes of the term at hand.
    pub size: u64,
    /// The rules that came again and again when the steps had doubled last, and by how much the term grows, in words.
    pub round: Option<String>,
}

/// Work is to ask every tenth of a second. Only a debug build looks whether it does, and takes three times as long for the same
/// work.
const MAX_SILENCE: Duration = Duration::from_millis(300);

/// Told now and then how far long work has come, and `None` when that work is over.
pub type ProgressListener = Box<dyn Fn(Option<WorkProgress>)>;

/// Watches one piece of work after another.
pub struct WorkClock {
    system: Rc<dyn System>,
    /// The time that a piece of work may take.
    pub timeout: Cell<Option<Duration>>,
    /// The bytes that may be held; `None` for half of what the machine has.
    pub memory: Cell<Option<u64>>,
    /// Half of what the machine has, once it was asked.
    half: OnceCell<u64>,
    started: Cell<Option<Duration>>,
    shown: Cell<u64>,
    progress: RefCell<Option<ProgressListener>>,
    /// When work asked last, and where.
    asked: Cell<(Duration, Option<&'static Location<'static>>)>,
}

impl Drop for WorkClock {
    fn drop(&mut self) {
        drop_postponed();
    }
}

/// Tenths of a second between two reports of progress.
const PROGRESS_EVERY: u64 = 5;

/// Tenths of a second before the first report.
const PROGRESS_AFTER: u64 = 10;

impl WorkClock {
    /// A clock that stops work after `timeout`, or where more bytes than `memory` are held.
    pub fn new(system: Rc<dyn System>, timeout: Option<Duration>, memory: Option<u64>) -> Rc<WorkClock> {
        Rc::new(WorkClock {
            system,
            half: OnceCell::default(),
            timeout: Cell::new(timeout),
            memory: Cell::new(memory),
            started: Cell::default(),
            shown: Cell::default(),
            progress: RefCell::default(),
            asked: Cell::default(),
        })
    }

    /// Sets whom to tell how far long work has come.
    pub fn on_progress(&self, tell: ProgressListener) {
        *self.progress.borrow_mut() = Some(tell);
    }

    /// Runs a piece of work under the clock.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        self.since(self.system.now(), work)
    }

    /// The same, for work that is a part of what began then.
    pub fn since<T>(&self, began: Duration, work: impl FnOnce() -> T) -> T {
        if self.started.get().is_some() {
            return work();
        }
        drop_postponed();
        self.started.set(Some(began));
        self.shown.set(0);
        self.system.working(true);
        // What passed before is the start of the program, which a signal ends.
        self.asked.set((self.system.now(), None));
        let result = work();
        self.listen(self.system.now(), None);
        self.system.working(false);
        self.started.set(None);
        if self.shown.get() > 0 {
            self.tell(None);
        }
        result
    }

    /// Runs what is owed after work was stopped, such as to write what it has come to: its time begins anew, and an interrupt is
    /// answered.
    pub fn afterwards<T>(&self, work: impl FnOnce() -> T) -> T {
        let began = self.started.take();
        let result = self.during(work);
        self.system.working(began.is_some());
        self.started.set(began);
        result
    }

    /// A watch for budgets, which asks this clock.
    pub fn watch(self: &Rc<WorkClock>) -> BudgetWatch {
        let clock = self.clone();
        Rc::new(move |used| clock.look(used))
    }

    /// The reason why work is to end, if it is. Where time or an interrupt ended it, its terms are dropped only before the next
    /// piece of work begins, so that the user doesn't wait for that; where memory ran short, at once.
    fn look(&self, used: &Budget) -> Option<StopReason> {
        let reason = self.reason(used);
        if let Some(StopReason::Interrupted | StopReason::Time(_)) = reason {
            postpone_drops();
        }
        reason
    }

    fn reason(&self, used: &Budget) -> Option<StopReason> {
        if self.system.interrupted() {
            return Some(StopReason::Interrupted);
        }
        let (now, started) = (self.system.now(), self.started.get()?);
        self.listen(now, used.asked());
        let passed = now.saturating_sub(started);
        if let Some(timeout) = self.timeout.get()
            && passed >= timeout
        {
            return Some(StopReason::Time(timeout));
        }
        let half = || *self.half.get_or_init(|| self.system.memory().map_or(u64::MAX, |all| all / 2));
        let most = self.memory.get().unwrap_or_else(half);
        if self.system.held().is_some_and(|held| held > most) {
            return Some(StopReason::Memory(most));
        }
        self.report(passed, used);
        None
    }

    /// In a debug build: whether work asked often enough.
    fn listen(&self, now: Duration, to: Option<&'static Location<'static>>) {
        if cfg!(debug_assertions) {
            let (before, from) = self.asked.replace((now, to));
            let took = now.saturating_sub(before);
            if took > MAX_SILENCE {
                self.system.silent(&Silence { took, from, to });
            }
        }
    }

    fn report(&self, passed: Duration, used: &Budget) {
        let tenths = passed.as_millis() as u64 / 100;
        if tenths < PROGRESS_AFTER || tenths < self.shown.get() + PROGRESS_EVERY {
            return;
        }
        self.shown.set(tenths);
        let round = used.round().map(|round| round.to_string());
        self.tell(Some(WorkProgress { passed, steps: used.steps(), size: used.size(), round }));
    }

    fn tell(&self, report: Option<WorkProgress>) {
        if let Some(tell) = self.progress.borrow().as_ref() {
            tell(report);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::rc::Rc;
    use std::time::Duration;

    use super::WorkClock;
    use crate::session::{FileKind, MemorySystem, Silence, System};
    use redexter_language::ground::{Budget, Limits};
    use redexter_language::term::{Prim, Term};

    /// Its time passes when the test says so.
    #[derive(Default)]
    struct Timed {
        now: Cell<Duration>,
        told: RefCell<Vec<Silence>>,
    }

    impl System for Timed {
        fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
            MemorySystem::default().resolve(path)
        }

        fn kind(&self, _: &Path) -> Option<FileKind> {
            None
        }

        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            MemorySystem::default().read(path)
        }

        fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
            MemorySystem::default().names(folder)
        }

        fn write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
            Ok(())
        }

        fn now(&self) -> Duration {
            self.now.get()
        }

        fn silent(&self, silence: &Silence) {
            self.told.borrow_mut().push(*silence);
        }

        fn working(&self, _: bool) {}

        fn interrupted(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_loop_that_does_not_ask_is_told() {
        let system = Rc::new(Timed::default());
        let clock = WorkClock::new(system.clone(), None, None);
        let budget = Budget::new(Limits::default(), Some(clock.watch()));
        let work = |milliseconds| system.now.set(system.now.get() + Duration::from_millis(milliseconds));
        let (mut before, mut after) = (0, 0);
        clock.during(|| {
            for _ in 0..10 {
                work(90);
                assert!(budget.ask().is_ok());
                before = line!() - 1;
            }
            for _ in 0..10 {
                work(90);
            }
            (0..256).for_each(|_| assert!(budget.tick().is_ok()));
            after = line!() - 1;
            work(500);
        });
        let told: Vec<(u128, Option<u32>, Option<u32>)> = system
            .told
            .borrow()
            .iter()
            .map(|s| (s.took.as_millis(), s.from.map(|at| at.line()), s.to.map(|at| at.line())))
            .collect();
        let expected = [(900, Some(before), Some(after)), (500, Some(after), None)];
        assert_eq!(told, if cfg!(debug_assertions) { expected.to_vec() } else { Vec::new() });
        work(1_000);
        clock.during(|| ());
        assert!(system.told.borrow().iter().all(|silence| silence.to_string().contains(file!())));
        assert_eq!(system.told.borrow().len(), told.len(), "what passes between two pieces of work is nobody's");
    }

    #[test]
    fn what_is_owed_after_work_was_stopped_has_a_time_of_its_own() {
        let system = Rc::new(Timed::default());
        let clock = WorkClock::new(system.clone(), Some(Duration::from_secs(1)), None);
        let budget = Budget::new(Limits::default(), Some(clock.watch()));
        let passes = |milliseconds| system.now.set(system.now.get() + Duration::from_millis(milliseconds));
        clock.during(|| {
            passes(2_000);
            assert!(budget.ask().is_err());
            clock.afterwards(|| {
                passes(900);
                assert!(budget.ask().is_ok());
                passes(200);
                assert!(budget.ask().is_err());
            });
            assert!(budget.ask().is_err(), "what was stopped before remains so");
        });
    }

    #[test]
    fn what_time_ended_is_dropped_before_other_work_begins() {
        let system = Rc::new(Timed::default());
        let clock = WorkClock::new(system.clone(), Some(Duration::from_secs(1)), None);
        let budget = Budget::new(Limits::default(), Some(clock.watch()));
        let twice = |a: &Term| Term::prim(Prim::Add, vec![a.clone(), a.clone()]).expect("a sum");
        let part = twice(&Term::real(0.25));
        let work = |seconds| {
            clock.during(|| {
                assert!(!part.is_shared());
                let parts = vec![twice(&part), Term::real(0.5)];
                let whole = Term::prim(Prim::Add, parts).expect("a sum");
                system.now.set(system.now.get() + Duration::from_secs(seconds));
                budget.ask().map(|()| drop(whole))
            })
        };
        for _ in 0..2 {
            assert!(work(0).is_ok() && !part.is_shared());
            assert!(work(2).is_err() && part.is_shared());
        }
        assert!(work(2).is_err() && part.is_shared());
        drop((clock, budget));
        assert!(!part.is_shared(), "a session that is no more keeps nothing");
    }
}
