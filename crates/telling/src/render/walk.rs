//! Renders the answers of a walk as text.

use super::difference::difference;
use super::focus::{current, found, in_focus};
use super::profile::profile;
use super::summary::{idle, transposed, way};
use super::work::leading;
use super::{derivation, steps};
use crate::styled::{Look, PageLayout, Styled};
use crate::walk::{Breakpoint, FailedRun, ReplayOutcome, ReplayedRun, RunRemainder, WalkAnswer, WalkHalt, WalkRun};
use redexter_language::draw;
use redexter_language::ground::text::counted;

/// The most steps of a run that is shown whole.
const MAX_STEPS_IN_FULL: usize = 10;

/// The steps of a longer run that are shown at its start and at its end.
const END_STEPS: usize = 3;

/// An answer as text.
pub fn walk(answer: &WalkAnswer, page: PageLayout) -> Styled {
    match answer {
        WalkAnswer::Run(run) => taken(run, page),
        WalkAnswer::Stopped(stopped) => stopped.run.as_ref().map_or_else(Styled::default, |run| taken(run, page)),
        WalkAnswer::Replayed(replayed) => walk(&replayed.answer, page).then("\n").then(compared(replayed)),
        WalkAnswer::Derivation(view, place) => derivation::view(view, *place, page),
        WalkAnswer::Plot(chart) => draw::text(chart, page.width).into(),
        WalkAnswer::Profile(found) => profile(found, page),
        WalkAnswer::At { place, now, focus, pending } => {
            derivation::at(*place, &now.term, focus.as_deref(), *pending, page)
        }
        WalkAnswer::Focus(focus) => in_focus(focus, page),
        WalkAnswer::Found(places) => found(places, page),
        WalkAnswer::Marked(name) => Styled::aside(&format!("the subterm in focus is `%{name}`")),
        WalkAnswer::Marks(all) => marks(all),
        WalkAnswer::Breakpoints(all) if all.is_empty() => Styled::aside("there are no breakpoints"),
        WalkAnswer::Breakpoints(all) => breakpoints(all),
        WalkAnswer::Removed(all) if all.is_empty() => Styled::aside("there were no breakpoints"),
        WalkAnswer::Removed(all) => Styled::aside("removed\n").then(breakpoints(all)),
        WalkAnswer::Tagged { name, moved } => Styled::aside(&format!(
            "the current term is `@{name}`{}",
            if *moved { ", which was another one" } else { "" }
        )),
        WalkAnswer::Log(entries) => derivation::log(entries),
        WalkAnswer::Difference { names, before, after } => difference(names, &before.term, &after.term, page),
        WalkAnswer::Finding(found, _) => found.text(page),
        WalkAnswer::NoTrace => Styled::aside("no step was taken yet"),
        WalkAnswer::Failed(failed) => failure(failed),
        WalkAnswer::Finished { strategy, taken: 0 } => {
            Styled::aside(&format!("nothing is left: `{strategy}` had nothing to rewrite"))
        }
        WalkAnswer::Finished { strategy, taken } => {
            Styled::aside(&format!("nothing is left: `{strategy}` was done after {}", so_many_steps(*taken)))
        }
        WalkAnswer::Dropped { strategy, taken } => {
            Styled::aside(&format!("dropped `{strategy}` after {}", so_many_steps(*taken)))
        }
        WalkAnswer::Moved { count, steps, back, now, focus, pending } => {
            let what = if *back { "took back" } else { "did again" };
            let rest = match (pending, back) {
                (true, _) => "; its rest is pending",
                (false, true) if steps > count => "; `:step` takes them one by one",
                _ => "",
            };
            let of = if steps > count { format!(" of {}", so_many_steps(*steps)) } else { String::new() };
            let head = Styled::aside(&format!("{what} {}{of}{rest}", counted(*count, "change")));
            head.then("\n").then(current(&now.term, focus.as_deref(), page))
        }
        WalkAnswer::NowhereToMove { back: true } => Styled::aside("there is nothing to take back"),
        WalkAnswer::NowhereToMove { back: false } => Styled::aside("there is nothing to do again"),
    }
}

fn so_many_steps(count: usize) -> String {
    counted(count, "step")
}

fn taken(run: &WalkRun, page: PageLayout) -> Styled {
    let count = run.trace.steps.len();
    let after = || current(&run.after.term, run.focus.as_deref(), page);
    if count == 0 && run.rest == RunRemainder::Pending {
        return halt(run.halt.as_ref(), "no step taken, more pending");
    }
    if count == 0 {
        let none = if run.earlier > 0 { "nothing is left to rewrite" } else { "there is nothing to rewrite" };
        let none = idle(run.discarded.as_deref()).unwrap_or_else(|| none.to_owned());
        return halt(run.halt.as_ref(), &none).then("\n").then(after());
    }
    let ends = if count <= MAX_STEPS_IN_FULL { count } else { END_STEPS };
    let total = run.taken();
    let state = match run.rest {
        // Of few steps each is shown, with what it does to the work.
        RunRemainder::None if count == total && count > MAX_STEPS_IN_FULL => {
            let way = way(&run.strategy, &run.trace, &run.after.term);
            format!("done after {}{way}{}", so_many_steps(total), transposed(run.transposition.as_deref()))
        }
        RunRemainder::None => format!("done after {}", so_many_steps(total)),
        RunRemainder::Pending => format!("{} taken, more pending", so_many_steps(total)),
        RunRemainder::Unknown => format!("{} taken", so_many_steps(total)),
    };
    let text =
        steps::ends(&run.trace, &run.after.term, run.first, ends, page.width).then(halt(run.halt.as_ref(), &state));
    match run.rest {
        RunRemainder::Pending => text,
        RunRemainder::None | RunRemainder::Unknown => text.then("\n").then(after()),
    }
}

/// The state of a run, and why its steps end there.
fn halt(halt: Option<&WalkHalt>, state: &str) -> Styled {
    let Some(halt) = halt else { return Styled::aside(state) };
    let why = match halt {
        WalkHalt::Break { number, address, next } => format!("breakpoint {number}, {address}: next is {next}"),
        WalkHalt::Reached(condition) => format!("`{condition}` holds"),
        WalkHalt::Never(condition) => format!("`{condition}` never held"),
        WalkHalt::Left { stage, next } => format!("`{stage}` is done: next is {next}"),
    };
    Styled::aside(state).then("\n").and(Look::Note, &why)
}

fn breakpoints(all: &[Breakpoint]) -> Styled {
    Styled::aside(&all.iter().map(|breakpoint| format!("{breakpoint}\n")).collect::<String>())
}

/// A line for each mark.
fn marks(all: &[(String, Option<(String, bool)>)]) -> Styled {
    let width = all.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut out = if all.is_empty() { Styled::aside("no subterm has a mark") } else { Styled::default() };
    for (name, place) in all {
        let (path, note) = match place {
            Some((path, false)) => (path.as_str(), ""),
            Some((path, true)) => (path.as_str(), "  (what a rewrite around it made)"),
            None => ("", "(in another derivation)"),
        };
        out = out.and(Look::Note, &format!("%{name:width$}")).then(format!("  {path}"));
        out = out.and(Look::Aside, note).then("\n");
    }
    out
}

fn failure(failed: &FailedRun) -> Styled {
    let kept = match failed.taken {
        0 => "the term is unchanged".to_owned(),
        taken => format!("the term is as it was after {}", so_many_steps(taken)),
    };
    Styled::of(Look::Warning, "failed")
        .then(format!(": {}\n", failed.reason))
        .and(Look::Aside, &format!("{}\n{kept}", failed.remedy))
}

/// The comparison of what was reached from the same term before with what is reached now.
fn compared(replayed: &ReplayedRun) -> Styled {
    let line = |name: &str, outcome: &ReplayOutcome| {
        let tag = outcome.tag.as_ref().map_or(String::new(), |tag| format!("  @{tag}"));
        format!("  {name} {}, work {}{tag}", so_many_steps(outcome.steps), leading(&outcome.work))
    };
    let head = Styled::aside(&format!("from step {}\n", replayed.from));
    match &replayed.old {
        Some(old) => head.then(line("before:", old)).then("\n").then(line("now:   ", &replayed.new)),
        None => head.then(line("now:", &replayed.new)),
    }
}
