//! Runs strategies on the subterm in focus to compare them, and says in few words how runs end.

use crate::render::brief;
use crate::styled::{Look, MAX_TITLE_COLUMNS, Styled};
use crate::walk::{FailedRun, Walk, WalkAnswer, WalkOwner};
use redexter_language::cost::Poly;
use redexter_language::ground::text::{counted, shortened};
use redexter_language::ground::{Budget, Diagnostic, StopReason, Trouble, code};
use redexter_language::term::Program;
use redexter_rewriting::compare::RunSubject;
use redexter_rewriting::strategy::{self, Strategy};

/// The most columns that a work takes in a table.
pub(super) const MAX_WORK_COLUMNS: usize = 32;

/// A comparison, and the term on which it was made.
#[derive(Clone, Debug)]
pub struct AfterSteps<T> {
    /// The comparison.
    pub found: T,
    /// The term.
    pub on: ComparedTerm,
}

/// The term on which strategies are compared.
#[derive(Clone, Debug, Default)]
pub struct ComparedTerm {
    /// The number of steps that led to it.
    pub taken: usize,
    /// The strategy whose run began with it, if it isn't the current one.
    pub began: Option<String>,
}

impl ComparedTerm {
    /// What has to be said before anything is concluded: nothing where the current term is the one that was given.
    pub(super) fn note(&self) -> Styled {
        let said = match (&self.began, self.taken) {
            (None, 0) => return Styled::default(),
            (None, n) => format!(
                "on the current term, to which {} led: `:goto 0` makes the first one the current one",
                counted(n, "step")
            ),
            (Some(began), 0) => {
                format!("on the first term, with which `{}` began", shortened(began, MAX_TITLE_COLUMNS))
            }
            (Some(began), n) => {
                format!(
                    "on the term after {}, with which `{}` began",
                    counted(n, "step"),
                    shortened(began, MAX_TITLE_COLUMNS)
                )
            }
        };
        Styled::of(Look::Note, &format!("{said}\n"))
    }
}

/// Compares strategies on the subterm in focus; where one of them was run, on the whole term with which its last run began:
/// what it led to would say nothing of it.
pub(super) fn compared<T>(
    walk: &Walk,
    strategies: &[&Strategy],
    owner: &dyn WalkOwner,
    ask: impl FnOnce(&RunSubject) -> T,
) -> Result<(T, ComparedTerm), Trouble> {
    let Some((began, taken)) = walk.history().began(strategies) else {
        let on = ComparedTerm { taken: walk.history().taken(), began: None };
        return Ok((on_focus(walk, strategies, owner, ask)?, on));
    };
    let on = ComparedTerm { taken, began: Some(began.strategy.to_string()) };
    Ok((on_term(began.start, "", strategies, owner, ask), on))
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
    Ok(on_term(program, &walk.history().focus().display(&program.term), strategies, owner, ask))
}

fn on_term<T>(
    program: &Program,
    place: &str,
    strategies: &[&Strategy],
    owner: &dyn WalkOwner,
    ask: impl FnOnce(&RunSubject) -> T,
) -> T {
    let lint = |s: &&Strategy| strategy::lint(s, Some(program));
    let is_odd = |finding: &Diagnostic| finding.code != code::IDLE_RULE;
    strategies.iter().flat_map(lint).filter(is_odd).for_each(|finding| owner.warn(&finding));
    let budget: Budget = owner.budget();
    ask(&RunSubject { program, place, budget: &budget })
}

/// The answer where a strategy that is asked about failed.
pub(super) fn failed(strategy: &Strategy, reason: &dyn ToString, on: &RunSubject) -> WalkAnswer {
    let remedy = match on.place {
        "" => strategy::remedy(strategy, on.program, false, on.budget),
        place => strategy::remedy(&strategy.at(place), on.program, true, on.budget),
    };
    WalkAnswer::Failed(FailedRun::of(strategy, reason, remedy, 0))
}

/// The warning that no strategy takes a step on this term.
pub(super) fn idle<'a>(strategies: impl IntoIterator<Item = &'a String>, on: &ComparedTerm) -> Styled {
    let names: Vec<String> =
        strategies.into_iter().map(|strategy| format!("`{}`", shortened(strategy, MAX_TITLE_COLUMNS))).collect();
    let who = match &names[..] {
        [one] => format!("{one} takes no step"),
        all => format!("neither {} takes a step", all.join(" nor ")),
    };
    let (which, back) = match (&on.began, on.taken) {
        (Some(_), _) => ("that", ""),
        (None, 0) => ("the current", ""),
        (None, _) => ("the current", ": `:goto 0` (or another address) makes a term before it the current one"),
    };
    Styled::of(Look::Warning, &format!("{who} on {which} term{back}\n"))
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

/// `, 2 more told nothing because NaN is a zero tangent times an infinite slope`; nothing for 0.
pub(super) fn steep(runs: u32, more: &str) -> String {
    match runs {
        0 => String::new(),
        n => format!(", {n} {more}told nothing because NaN is a zero tangent times an infinite slope (`:help D`)"),
    }
}
