//! Puts the writing of texts under a budget. What is shared in a term is written as often as it stands there, so that a few
//! nodes may make a text without end. Who wants a text says under which budget, and whoever writes asks whether to go on; a
//! text that a limit ended is nobody's.

use std::cell::RefCell;

use super::{Budget, StopReason};

/// A text that is being written, and what ended it.
struct WritingBudget {
    budget: Budget,
    stopped: Option<StopReason>,
}

thread_local! {
    /// The texts that are being written, one for the other.
    static WRITING: RefCell<Vec<WritingBudget>> = const { RefCell::new(Vec::new()) };
}

/// A guard that takes a text from those that are being written where writing it panics.
struct WritingGuard;

impl WritingGuard {
    fn take() -> Option<WritingBudget> {
        WRITING.try_with(|all| all.borrow_mut().pop()).ok().flatten()
    }
}

impl Drop for WritingGuard {
    fn drop(&mut self) {
        drop(WritingGuard::take());
    }
}

/// Writes a text under a budget; an error says what ended it.
pub fn within<T>(budget: Budget, write: impl FnOnce() -> T) -> Result<T, StopReason> {
    WRITING.with_borrow_mut(|all| all.push(WritingBudget { budget, stopped: None }));
    let taken = WritingGuard;
    let written = write();
    // A panic doesn't come here: then `taken` removes the text.
    std::mem::forget(taken);
    match WritingGuard::take().and_then(|writing| writing.stopped) {
        None => Ok(written),
        Some(reason) => Err(reason),
    }
}

/// Whether the text that is being written goes on: asked for each piece of it. Without a budget it does.
pub fn goes_on() -> bool {
    let asked = WRITING.try_with(|all| match all.borrow_mut().last_mut() {
        None => true,
        Some(WritingBudget { stopped: Some(_), .. }) => false,
        Some(WritingBudget { budget, stopped }) => {
            *stopped = budget.tick().err();
            stopped.is_none()
        }
    });
    asked.unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{goes_on, within};
    use crate::ground::{Budget, Limits, StopReason};

    #[test]
    fn a_text_ends_where_its_budget_does_and_no_other() {
        let short = || Budget::default().asked_at_most(3, Rc::default());
        let pieces = |most: usize| (0..most).take_while(|_| goes_on()).count();
        let (mut inner, mut outer) = (Ok(0), 0);
        let whole = within(Budget::default(), || {
            inner = within(short(), || pieces(5_000));
            outer = pieces(5_000);
        });
        assert_eq!((inner, outer, whole), (Err(StopReason::Operations(3)), 5_000, Ok(())));
        assert_eq!(pieces(5_000), 5_000);
        let nothing = Budget::new(Limits::default(), Some(Rc::new(|_| Some(StopReason::Interrupted))));
        assert!(within(nothing, || pieces(5_000)).is_err());
        assert!(std::panic::catch_unwind(|| drop(within(short(), || panic!("a bug")))).is_err() && goes_on());
    }
}
