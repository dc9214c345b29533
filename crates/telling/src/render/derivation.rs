//! Renders a derivation: tables of stages, steps by name or in full, and the terms that were current.

use super::focus::{current, end_of};
use super::page::paged;
use super::steps;
use super::work::{leading, trend};
use crate::styled::{Look, MAX_TITLE_COLUMNS, PageLayout, Styled};
use crate::walk::{FocusedSubterm, LogEntry, StepPosition};
use redexter_language::cost::Poly;
use redexter_language::ground::text::{counted, shortened};
use redexter_language::term::{Path, Term};
use redexter_rewriting::derivation::{DerivationView, OrderChange, OverviewRow};
use redexter_rewriting::strategy::replay;

/// The most rules that are named: those with the most steps.
const MAX_RULES: usize = 8;

/// The most steps that are named at each end of those at which the order of the work changes.
const MAX_TURNS: usize = 6;

/// A part of a derivation, and the place of the current term in it.
pub fn view(view: &DerivationView, place: StepPosition, page: impl Into<PageLayout>) -> Styled {
    let page = page.into();
    let mut out = Styled::default();
    if view.full.is_empty() || view.address.is_some() && view.steps > 1 {
        out.append(&heading(view));
    }
    out.append(&overview(&view.rows));
    if view.address.is_some() && view.rules.len() > 1 {
        out.append(&rules(&view.rules));
    }
    out.append(&turns(&view.turns));
    let (named, hidden) = &view.named;
    for (k, step) in named.iter().enumerate() {
        if *hidden > 0 && k == named.len() / 2 {
            out.push(Look::Aside, &format!("… {} …\n", counted(*hidden, "step")));
        }
        out.plain(&format!("{}. ", step.number));
        out.push(Look::Rule, &step.rule);
        let room = page.width.saturating_sub(step.rule.chars().count() + 12).max(20);
        let at = if step.path.is_empty() {
            String::new()
        } else {
            format!(" at {}", end_of(&Path::shortened(&step.path), room))
        };
        out.push(Look::Aside, &(at + "\n"));
    }
    for (first, trace) in &view.full {
        match &view.address {
            Some(_) => out.append(&steps(trace, *first, page.width)),
            None => {
                let last = replay(trace).unwrap_or_else(|_| trace.start.clone());
                out = out.then(steps::trace(trace, *first, page.width)).then(paged(&last, page)).then("\n");
            }
        }
    }
    if place.step < place.of {
        out.push(Look::Aside, &format!("the current term is {}\n", whereabouts(place)));
    }
    out
}

/// `after step 120 of 7961`
fn whereabouts(place: StepPosition) -> String {
    match place.step {
        0 if place.of == 0 => "the first one; no step was taken yet".to_owned(),
        0 => format!("the first one, before {}", counted(place.of, "step")),
        step => format!("the one after step {step} of {}", place.of),
    }
}

fn heading(view: &DerivationView) -> Styled {
    let mut text = Styled::default();
    if let Some(address) = &view.address {
        text = text.and(Look::Strong, address).then(": ");
    }
    let by = counted(view.rules.len(), "rule");
    text.plain(&format!("{} by {by}", counted(view.steps, "step")));
    match &view.pieces[..] {
        [one] if one.len() > 1 && view.address.is_some() => {
            text.push(Look::Aside, &format!(", {}..{}", one.start + 1, one.end))
        }
        [_] | [] => {}
        many => text.push(Look::Aside, &format!(", in {} pieces", many.len())),
    }
    if let Some((before, after)) = &view.work {
        text = text.and(Look::Aside, "; work ").then(work(before, after));
    }
    text.then("\n")
}

fn work(before: &Poly, after: &Poly) -> Styled {
    match before == after {
        true => Styled::from(leading(after)).and(Look::Aside, ", as before"),
        false => Styled::from(format!("{} → ", leading(before))).and(trend(before, after), &leading(after)),
    }
}

/// A line for each stage: its name, where its steps are, how many there are by how many rules, and the work after it by its
/// leading terms.
pub fn overview(rows: &[OverviewRow]) -> Styled {
    let cells: Vec<[String; 3]> = rows.iter().map(cells).collect();
    let width = |k: usize| cells.iter().map(|cells| cells[k].chars().count()).max().unwrap_or(0);
    let [first, second, third] = [width(0), width(1), width(2)];
    let mut out = Styled::default();
    for (row, [title, place, count]) in rows.iter().zip(&cells) {
        out.push(Look::Strong, &format!("{title:first$}"));
        out.push(Look::Aside, &format!("  {place:second$}"));
        match &row.work {
            Some((before, after)) => {
                let look = if before == after { Look::Aside } else { trend(before, after) };
                out = out.then(format!("  {count:third$}  ")).and(look, &leading(after));
            }
            None => out.plain(&format!("  {count}")),
        }
        out.plain("\n");
    }
    out
}

fn cells(row: &OverviewRow) -> [String; 3] {
    let indent = "  ".repeat(row.depth);
    let room = MAX_TITLE_COLUMNS.saturating_sub(indent.len()).max(8);
    let title = shortened(&row.title, room);
    let hidden = if row.hidden == 0 { String::new() } else { format!(" (+{})", row.hidden) };
    let place = match row.pieces {
        1 => format!("{}..{}", row.span.start + 1, row.span.end),
        pieces => format!("in {pieces} pieces"),
    };
    let by = counted(row.rules, "rule");
    [format!("{indent}{title}{hidden}"), place, format!("{} by {by}", counted(row.steps, "step"))]
}

/// A line for each step at which the order of the work changes.
fn turns(all: &[OrderChange]) -> Styled {
    let mut text = Styled::default();
    if !all.is_empty() {
        text.push(Look::Aside, "the order of the work changes at\n");
    }
    let width = all.last().map_or(0, |turn| turn.number.to_string().len());
    for (k, turn) in all.iter().enumerate() {
        let hidden = all.len() > 2 * MAX_TURNS + 1 && k >= MAX_TURNS && k + MAX_TURNS < all.len();
        if hidden && k == MAX_TURNS {
            text.push(Look::Aside, &format!("  … {} …\n", counted(all.len() - 2 * MAX_TURNS, "step")));
        }
        if !hidden {
            text = text.then(format!("  {:width$}. ", turn.number)).and(Look::Rule, &turn.rule).then("  ");
            text = text.then(work(&turn.work.0, &turn.work.1)).then("\n");
        }
    }
    text
}

/// The first rules, with the number of rewrites by each.
pub(crate) fn rules(all: &[(String, usize)]) -> Styled {
    let mut text = Styled::of(Look::Aside, "rules:");
    for (k, (rule, count)) in all.iter().take(MAX_RULES).enumerate() {
        text.plain(if k == 0 { " " } else { ", " });
        text = text.and(Look::Rule, rule).then(format!(" {count}"));
    }
    let more = all.len().saturating_sub(MAX_RULES);
    text.and(Look::Aside, &if more > 0 { format!(", and {more} more\n") } else { "\n".to_owned() })
}

/// The place of the current term in its derivation, and the term or what is in focus of it.
pub fn at(place: StepPosition, now: &Term, focus: Option<&FocusedSubterm>, pending: bool, page: PageLayout) -> Styled {
    let rest = if pending { "; its rest is pending" } else { "" };
    Styled::of(Look::Aside, &format!("{}{rest}\n", whereabouts(place))).then(current(now, focus, page))
}

/// A line for each term that was current.
pub fn log(entries: &[LogEntry]) -> Styled {
    let place = |entry: &LogEntry| match (entry.is_given, entry.steps.len()) {
        (true, _) => "0".to_owned(),
        (_, 0 | 1) => entry.steps.end.to_string(),
        _ => format!("{}..{}", entry.steps.start + 1, entry.steps.end),
    };
    let width = entries.iter().map(|entry| place(entry).chars().count()).max().unwrap_or(0);
    let mut out = Styled::default();
    for entry in entries {
        if entry.branches {
            out.push(Look::Aside, &format!("  from {}:\n", entry.steps.start));
        }
        out.push(Look::Strong, if entry.is_current { "* " } else { "  " });
        out.push(Look::Aside, &format!("{:width$}  ", place(entry)));
        let look = if entry.is_ahead { Look::Aside } else { Look::Plain };
        out.push(look, &entry.title);
        for tag in &entry.tags {
            out.push(Look::Note, &format!("  @{tag}"));
        }
        if entry.is_ahead {
            out.push(Look::Aside, "  (taken back)");
        }
        out.plain("\n");
    }
    out
}
