//! Runs strategies on the subterm in focus to compare them, and says in few words how runs end.

use crate::render::brief;
use crate::styled::{Look, MAX_TITLE_COLUMNS, Styled};
use crate::walk::{FailedRun, Walk, WalkAnswer, WalkOwner};
use redexter_language::cost::Poly;
use redexter_language::ground::text::shortened;
use redexter_language::ground::{Budget, Diagnostic, StopReason, Trouble, code};
use redexter_rewriting::compare::RunSubject;
use redexter_rewriting::strategy::{self, Strategy};

/// The most columns that a work takes in a table.
pub(super) const MAX_WORK_COLUMNS: usize = 32;

/// A comparison on a term that so many steps were taken to.
#[derive(Clone, Debug)]
pub struct AfterSteps<T> {
    /// The comparison.
    pub found: T,
    /// The number of these steps.
    pub taken: usize,
}

/// Asks a question about the subterm in focus. Findings of the lint about the strategies come first, but not those on rules
/// that have nothing to rewrite: that may be what is asked.
pub(super) fn on_focus<T>(
    walk: &Walk,
    strategies: &[&Strategy],
    owner: &dyn WalkOwner,
    ask: impl FnOnce(&RunSubject) -> T,
) -> Result<T, Trouble> {
    let program = walk.current()?;
    let lint = |s: &&Strategy| strategy::lint(s, Some(program));
    let is_odd = |finding: &Diagnostic| finding.code != code::IDLE_RULE;
    strategies.iter().flat_map(lint).filter(is_odd).for_each(|finding| owner.warn(&finding));
    let place = walk.history().focus().display(&program.term);
    let budget: Budget = owner.budget();
    Ok(ask(&RunSubject { program, place: &place, budget: &budget }))
}

/// The answer where a strategy that is asked about failed.
pub(super) fn failed(strategy: &Strategy, reason: &dyn ToString) -> WalkAnswer {
    WalkAnswer::Failed(FailedRun::of(strategy, reason, 0))
}

/// The warning that no strategy takes a step on the current term, to which `taken` steps led.
pub(super) fn idle<'a>(strategies: impl IntoIterator<Item = &'a String>, taken: usize) -> Styled {
    let names: Vec<String> =
        strategies.into_iter().map(|strategy| format!("`{}`", shortened(strategy, MAX_TITLE_COLUMNS))).collect();
    let who = match &names[..] {
        [one] => format!("{one} takes no step"),
        all => format!("neither {} takes a step", all.join(" nor ")),
    };
    let back = match taken {
        0 => "",
        _ => ": `:goto 0` (or another address) makes a term before it the current one",
    };
    Styled::of(Look::Warning, &format!("{who} on the current term{back}\n"))
}

pub(super) fn endless(finding: &Diagnostic) -> String {
    format!("never ends: {}", finding.headline)
}

/// A limit in few words.
pub(super) fn stopped(reason: &StopReason) -> String {
    match reason {
        StopReason::Steps(n) => format!("stopped after {n} rewrites and unfoldings"),
        StopReason::Size(n) => format!("stopped at a term of more than {n} nodes"),
        StopReason::Depth(n) => format!("stopped at a term nested more than {n} deep"),
        other => other.to_string(),
    }
}

pub(super) fn why(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Wrong(all) => all.first().map_or_else(String::new, |finding| finding.headline.clone()),
        Trouble::Stopped { reason, .. } => stopped(reason),
    }
}

/// Work that fits a table: by its leading terms where it is long.
pub(super) fn short(work: &Poly) -> String {
    brief(work, MAX_WORK_COLUMNS)
}
