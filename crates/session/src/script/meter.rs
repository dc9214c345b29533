//! A [`ScriptMeter`] counts what the scripts of a session use up together: one that imports another pays for what that one does
//! for it.
//!
//! It counts; it knows no script and no engine.

use std::cell::{Cell, RefCell};

use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, OPERATIONS_PER_STEP, StopReason};

/// A part of a text that is only looked at may take so many operations; beyond them its value is left unknown.
const MAX_DRY_OPERATIONS: u64 = 20_000;

/// Where a text holds so many bytes more than when it began, one operation of Rhai may take as long as thousands: the budget is
/// asked at each. Where it holds less, each is done soon.
const SMALL_GROWTH_BYTES: u64 = 1 << 18;

/// Counts operations against a budget, and hands out serial numbers.
pub(crate) struct ScriptMeter {
    /// A text is only looked at: nothing is printed, written or worked at.
    pub(crate) dry: Cell<bool>,
    operations: Cell<u64>,
    serial: Cell<u64>,
    /// How many calls are on their way that entered another engine: into a script, or from a run to a function of a script.
    crossings: Cell<usize>,
    /// The budget of Rhai's own operations.
    budget: RefCell<Budget>,
    /// The bytes that were held when the text began.
    before: Cell<Option<u64>>,
    /// The reason that ended a function whose error Rhai drops: it ends the next operation.
    pending: RefCell<Option<StopReason>>,
}

impl ScriptMeter {
    pub(crate) fn new(budget: Budget) -> ScriptMeter {
        ScriptMeter {
            dry: Cell::new(false),
            operations: Cell::new(0),
            serial: Cell::new(0),
            crossings: Cell::new(0),
            budget: RefCell::new(budget),
            before: Cell::default(),
            pending: RefCell::default(),
        }
    }

    /// Keeps the reason that ended writing a value: Rhai drops that error and writes the name of the value's type, so the next
    /// operation has to end instead.
    pub(crate) fn put_off(&self, reason: &StopReason) {
        if !self.dry.get() {
            *self.pending.borrow_mut() = Some(reason.clone());
        }
    }

    /// Whether a reason to end is pending.
    pub(crate) fn is_ended(&self) -> bool {
        self.pending.borrow().is_some()
    }

    /// Takes the pending reason to end, if there is one.
    pub(crate) fn pending(&self) -> Option<StopReason> {
        self.pending.take()
    }

    /// Runs `write`, which puts something into words, under what is left of the budget; or says what ended it.
    pub(crate) fn writing<T>(&self, write: impl FnOnce() -> T) -> Result<T, StopReason> {
        let budget = self.budget.borrow().clone();
        within(budget, write)
    }

    /// Asks the budget whether to go on, for work that is no operation of Rhai.
    pub(crate) fn ask(&self) -> Result<(), StopReason> {
        self.budget.borrow().ask()
    }

    /// A text begins to run while so many bytes are held.
    pub(crate) fn begin(&self, budget: Budget, held: Option<u64>) {
        self.before.set(held);
        self.begin_part();
        self.pending.take();
        *self.budget.borrow_mut() = budget;
    }

    /// Forgets what was running, for the case that a panic ended it.
    pub(crate) fn settle(&self) {
        self.dry.set(false);
        self.crossings.set(0);
    }

    /// A part of a text that is only looked at is evaluated.
    pub(crate) fn begin_part(&self) {
        self.operations.set(0);
    }

    /// Does something that uses up nothing of the text's operations.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        let operations = self.operations.get();
        let done = work();
        self.operations.set(operations);
        done
    }

    /// Does something for which another text begins to run in the middle of this one, which pays for it, unless it is
    /// free.
    pub(crate) fn apart<T>(&self, free: bool, work: impl FnOnce() -> T) -> T {
        let (dry, budget) = (self.dry.replace(false), self.budget.borrow().clone());
        let (before, held) = (self.operations.replace(0), self.before.get());
        let done = work();
        self.before.set(held);
        let spent = if free { 0 } else { self.operations.get() };
        self.operations.set(before.saturating_add(spent));
        self.dry.set(dry);
        *self.budget.borrow_mut() = budget;
        done
    }

    /// An operation is done, and so many bytes are held.
    pub(crate) fn spend_one(&self, held: Option<u64>) -> Option<StopReason> {
        let more = held.zip(self.before.get()).map_or(0, |(held, before)| held.saturating_sub(before));
        let asked = if more > SMALL_GROWTH_BYTES { self.budget.borrow().ask().err() } else { None };
        asked.or_else(|| self.spend(1))
    }

    /// So many operations are done.
    pub(crate) fn spend(&self, operations: u64) -> Option<StopReason> {
        if let Some(reason) = self.pending() {
            return Some(reason);
        }
        let budget = self.budget.borrow();
        let limit = budget.limits.max_steps;
        self.operations.set(self.operations.get().saturating_add(operations));
        let most = if self.dry.get() { MAX_DRY_OPERATIONS } else { limit.saturating_mul(OPERATIONS_PER_STEP) };
        if self.operations.get() > most {
            return Some(StopReason::Operations(most));
        }
        budget.tick().err()
    }

    /// Does something for which an engine counts the depth of calls from zero again; `None` where `most` of these are within each
    /// other already.
    pub(crate) fn across<T>(&self, most: usize, work: impl FnOnce() -> T) -> Option<T> {
        let crossings = self.crossings.get();
        if crossings >= most {
            return None;
        }
        self.crossings.set(crossings + 1);
        let done = work();
        self.crossings.set(crossings);
        Some(done)
    }

    /// A number that was never given before.
    pub(crate) fn serial(&self) -> u64 {
        self.serial.set(self.serial.get() + 1);
        self.serial.get()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::{SMALL_GROWTH_BYTES, ScriptMeter};
    use redexter_language::ground::{Budget, Limits};

    #[test]
    fn each_operation_is_asked_for_where_much_is_held() {
        let asked = Rc::new(Cell::new(0));
        let count = asked.clone();
        let watch = move |_: &Budget| {
            count.set(count.get() + 1);
            None
        };
        let meter = ScriptMeter::new(Budget::default());
        meter.begin(Budget::new(Limits::default(), Some(Rc::new(watch))), Some(1_000));
        let asks = |held| {
            asked.set(0);
            assert!((0..100).all(|_| meter.spend_one(held).is_none()));
            asked.get()
        };
        assert_eq!([asks(None), asks(Some(0)), asks(Some(1_000 + SMALL_GROWTH_BYTES))], [0, 0, 1]);
        assert_eq!(asks(Some(1_001 + SMALL_GROWTH_BYTES)), 100);
    }
}
