//! The cheapest term that a search found, and the schedule that reaches it.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::page::Page;
use super::styled::{Look, Styled};
use super::term;
use super::work::{leading, polynomial, trend};
use crate::cost::Poly;
use crate::ground::text::counted;
use crate::search::{Found, Stage};
use crate::syntax::{Style, print_term};
use crate::walk::{Derived, Searched};

/// Works take at most so many columns.
const WORK: usize = 40;

/// What was found, how sure it is, the schedule by stages and as a line to paste, and the term.
pub(super) fn search(searched: &Searched, page: Page) -> Styled {
    let Searched { found, derived, .. } = searched;
    let mut out = verdict(searched).then("\n").then(effort(found));
    if let Some(derived) = derived {
        out = out.then(beside(derived, found)).then("\n");
    }
    if found.stages.is_empty() {
        return out.trim_end();
    }
    let replay = if derived.is_some() { ":replay from 0 " } else { "" };
    out = out.then("\n").then(stages(&found.stages)).and(Look::Aside, "\nto take it:\n");
    out = out.and(Look::Strong, &format!("{replay}{}", found.schedule)).and(Look::Aside, "\n\nwhat it reaches:\n");
    out.then(term(&found.best.term, page.width)).trim_end()
}

/// How the cheapest term compares with the first one, and with what else there is.
fn verdict(searched: &Searched) -> Styled {
    let found = &searched.found;
    let terms = found.visited.terms;
    let of = match (found.complete, terms) {
        (true, 1) => return "no rule applies".into(),
        (true, _) => format!("all {terms} terms that these rules reach"),
        (false, _) => format!("the {} visited", counted(terms, "term")),
    };
    let (before, after) = (brief(&found.before), brief(&found.work));
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
    if found.complete {
        return head;
    }
    let open = match searched.trouble {
        Some(_) => format!(
            "\nit was stopped: {} are open, and the schedule may be longer than it needs to be",
            found.visited.open
        ),
        None => format!(
            "\nthat isn't all: {} of them are open; a larger number looks further: `:search {}`",
            found.visited.open,
            searched.most.saturating_mul(4)
        ),
    };
    head.and(Look::Warning, &open)
}

fn effort(found: &Found) -> Styled {
    let visited = &found.visited;
    let (rewrites, tried) = (counted(visited.rewrites, "rewrite"), counted(visited.tried as usize, "attempt"));
    Styled::aside(&format!("{} visited, {rewrites}, {tried} to find redexes\n", counted(visited.terms, "term")))
}

/// What the current term is, compared with what was found.
fn beside(derived: &Derived, found: &Found) -> Styled {
    let Derived { place, work, against_found } = derived;
    let here = format!("the current term, after {} of {}", place.step, counted(place.of, "step"));
    let said = match (against_found, found.complete) {
        (Ordering::Greater, _) => "more than that: there is a better order",
        (Ordering::Equal, true) => "as much: its order is the best for the rules that fired",
        (Ordering::Equal, false) => "as much: no better order was found",
        (Ordering::Less, _) => "less: the search didn't come to it",
    };
    Styled::from(format!("{here}, costs {}, {said}", brief(work)))
}

/// Work, or what it begins with where it is long.
fn brief(work: &Poly) -> String {
    let whole = polynomial(work);
    if whole.chars().count() > WORK { leading(work) } else { whole }
}

/// A row for each stage.
fn stages(stages: &[Stage]) -> Styled {
    let rows: Vec<(String, String)> =
        stages.iter().map(|stage| (stage.steps.to_string(), brief(&stage.work))).collect();
    let widest = |head: &str, of: fn(&(String, String)) -> &str| {
        rows.iter().map(|row| of(row).chars().count()).chain([head.len()]).max().unwrap_or(0)
    };
    let (steps, works) = (widest("steps", |row| &row.0), widest("work", |row| &row.1));
    let mut out = Styled::of(Look::Aside, &format!("{:>steps$}  {:works$}  stage\n", "steps", "work"));
    for (stage, (count, work)) in stages.iter().zip(&rows) {
        out.plain(&format!("{count:>steps$}  {work:works$}  {}\n", stage.strategy));
    }
    out
}

/// The same as data.
pub fn search_json(searched: &Searched) -> Value {
    let Searched { found, most, derived, trouble: _ } = searched;
    let one_line = Style { width: usize::MAX };
    let visited = &found.visited;
    let stage = |stage: &Stage| json!({ "strategy": stage.strategy.to_string(), "steps": stage.steps, "work": stage.work.to_string() });
    json!({
        "start": print_term(&found.start.term, &one_line),
        "term": print_term(&found.best.term, &one_line),
        "work": { "before": found.before.to_string(), "after": found.work.to_string() },
        "schedule": found.schedule.to_string(),
        "stages": found.stages.iter().map(stage).collect::<Vec<Value>>(),
        "way": found.way.iter().map(|by| by.strategy().to_string()).collect::<Vec<String>>(),
        "visited": {
            "terms": visited.terms, "most": most, "open": visited.open, "rewrites": visited.rewrites,
            "tried": visited.tried, "measured": visited.measured,
        },
        "complete": found.complete,
        "stopped": found.stopped.as_ref().map(ToString::to_string),
        "current": derived.as_ref().map(|derived| json!({
            "step": derived.place.step, "of": derived.place.of, "work": derived.work.to_string(),
        })),
    })
}
