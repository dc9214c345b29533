//! Renders what a search found: the cheapest term, and the schedule that reaches it.

use std::cmp::Ordering;

use super::{DerivationEnd, SearchAnswer};
use crate::render::{brief, term, trend};
use crate::styled::{Look, PageLayout, Styled};
use redexter_language::ground::text::{counted, shortened};
use redexter_rewriting::search::{ScheduleStage, SearchResult};

/// The fewest columns of a stage.
const MIN_STAGE_COLUMNS: usize = 40;

/// The most columns of a work.
const MAX_WORK_COLUMNS: usize = 40;

/// The result of a search: how sure it is, the schedule by stages and as a line to paste, and the term.
pub fn search(searched: &SearchAnswer, page: PageLayout) -> Styled {
    let SearchAnswer { found, derived, imported, .. } = searched;
    let mut out = verdict(searched).then("\n").then(effort(found));
    if let Some(derived) = derived {
        out = out.then(beside(derived, found)).then("\n");
    }
    if found.stages.is_empty() {
        return out.trim_end();
    }
    let replay = if derived.is_some() { ":replay from 0 " } else { "" };
    out = out.then("\n").then(stages(&found.stages, page.width)).and(Look::Aside, "\nto take it:\n");
    let typed = laid_out(&format!("{replay}{}", found.schedule), page.width);
    out = out.and(Look::Strong, &typed).then("\n");
    for (own, written) in imported {
        out.push(Look::Aside, &format!("`{own}` is imported: write `{written}`\n"));
    }
    out.push(Look::Aside, "\nwhat it reaches:\n");
    out = out.then(term(&found.best.term, page.width)).trim_end();
    match open(searched) {
        Some(open) => out.then("\n\n").and(Look::Warning, &open),
        None => out,
    }
}

/// A strategy in lines of so many columns, as far as that can be: they break behind operators and commas only, so that each
/// but the last is unfinished, and can be typed.
fn laid_out(text: &str, width: usize) -> String {
    let (mut out, mut column) = (String::new(), 0);
    let goes_on = |word: &&str| matches!(*word, ";;" | ";" | "<+") || word.ends_with(',');
    for piece in text.split_inclusive(' ').collect::<Vec<&str>>().split_inclusive(|word| goes_on(&word.trim_end())) {
        let piece = piece.concat();
        let length = piece.trim_end().chars().count();
        if column > 0 && column + length > width {
            out.truncate(out.trim_end().len());
            out.push_str("\n  ");
            column = 2;
        }
        out.push_str(&piece);
        column += piece.chars().count();
    }
    out
}

/// The comparison of the cheapest term with the first one, and how much of what there is was visited.
fn verdict(searched: &SearchAnswer) -> Styled {
    let found = &searched.found;
    let terms = found.visited.terms;
    let of = match (found.complete, terms) {
        (true, 1) => return "no rule applies".into(),
        (true, _) => format!("all {terms} terms that these rules reach"),
        (false, _) => format!("the {} visited", counted(terms, "term")),
    };
    let (before, after) = (brief(&found.before, MAX_WORK_COLUMNS), brief(&found.work, MAX_WORK_COLUMNS));
    let head = match (found.before == found.work, found.stages.is_empty()) {
        (false, _) => Styled::of(Look::Strong, &format!("the cheapest of {of}"))
            .then(": work ")
            .and(trend(&found.before, &found.work), &format!("{before} → {after}")),
        (true, true) => {
            Styled::of(Look::Strong, &format!("no term is cheaper, of {of}")).then(format!(": work {before}"))
        }
        (true, false) => Styled::of(Look::Strong, &format!("nothing cheaper is among {of}"))
            .then(format!(": work {after}; this leads to the smallest of that work")),
    };
    match open(searched) {
        Some(open) => head.then("\n").and(Look::Warning, &open),
        None => head,
    }
}

/// The warning that there is more than was visited.
fn open(searched: &SearchAnswer) -> Option<String> {
    let open = searched.found.visited.open;
    match (&searched.found.stopped, searched.found.complete) {
        (_, true) => None,
        (Some(_), _) => {
            Some(format!("it was stopped: {open} are open, and the schedule may be longer than it needs to be"))
        }
        (None, _) => {
            let more = searched.most.saturating_mul(4);
            Some(format!("that isn't all: {open} of them are open; a larger number looks further: `:search {more}`"))
        }
    }
}

fn effort(found: &SearchResult) -> Styled {
    let visited = &found.visited;
    let (rewrites, tried) = (counted(visited.rewrites, "rewrite"), counted(visited.tried as usize, "attempt"));
    Styled::aside(&format!("{} visited, {rewrites}, {tried} to find redexes\n", counted(visited.terms, "term")))
}

/// The comparison of the end of the derivation with what was found.
fn beside(derived: &DerivationEnd, found: &SearchResult) -> Styled {
    let DerivationEnd { place, unfinished, work, against_found } = derived;
    let here = match place.step == place.of {
        true => format!("the current term, after {} of {}", place.step, counted(place.of, "step")),
        false => format!("the end of the derivation, after {}", counted(place.of, "step")),
    };
    let said = match (against_found, found.complete) {
        (Ordering::Greater, _) if *unfinished => "more than that, but its run isn't done: `:continue` goes on with it",
        (Ordering::Greater, _) => "more than that: there is a better order",
        (Ordering::Equal, true) => "as much: its order is the best for the rules that fired",
        (Ordering::Equal, false) => "as much: no better order was found",
        (Ordering::Less, _) => "less: the search didn't come to it",
    };
    Styled::from(format!("{here}, costs {}, {said}", brief(work, MAX_WORK_COLUMNS)))
}

/// A row for each stage, which isn't all there where it is wider than so many columns: the schedule has it.
fn stages(stages: &[ScheduleStage], width: usize) -> Styled {
    let rows: Vec<(String, String)> =
        stages.iter().map(|stage| (stage.steps.to_string(), brief(&stage.work, MAX_WORK_COLUMNS))).collect();
    let widest = |head: &str, of: fn(&(String, String)) -> &str| {
        rows.iter().map(|row| of(row).chars().count()).chain([head.len()]).max().unwrap_or(0)
    };
    let (steps, works) = (widest("steps", |row| &row.0), widest("work", |row| &row.1));
    let mut out = Styled::of(Look::Aside, &format!("{:>steps$}  {:works$}  stage\n", "steps", "work"));
    let left = width.saturating_sub(steps + works + 4).max(MIN_STAGE_COLUMNS);
    for (stage, (count, work)) in stages.iter().zip(&rows) {
        let strategy = shortened(&stage.strategy.to_string(), left);
        out.plain(&format!("{count:>steps$}  {work:works$}  {strategy}\n"));
    }
    out
}
