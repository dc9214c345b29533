//! Renders two strategies side by side as text.

use super::super::runs::{AfterSteps, endless, idle, short, steep, stopped, why};
use crate::render::leading;
use crate::styled::{Look, MAX_TITLE_COLUMNS, PageLayout, Styled};
use redexter_language::cost::Poly;
use redexter_language::eval::{Sizes, value_to_json};
use redexter_language::ground::text::{counted, listed, shortened};
use redexter_rewriting::compare::{AttemptEnd, CommonTerm, ComparedSide, DivergingStep, SideBySide, SidesVerdict};
use redexter_rewriting::rule::Exactness;
use redexter_rewriting::sound::ProgramComparison;

/// The most rules, and the most stages, that have rows of their own.
const MAX_ROWS: usize = 20;

/// Two strategies on a term: what it comes to, where they part and meet, and a table of
/// both.
pub fn sides(AfterSteps { found, on }: &AfterSteps<SideBySide>, page: PageLayout) -> Styled {
    let is_idle =
        |side: &ComparedSide| side.steps == 0 && matches!(side.end, Some(AttemptEnd::Done(_) | AttemptEnd::Failed(_)));
    let mut out = match found.sides.iter().all(is_idle) {
        true => idle(found.sides.iter().map(|side| &side.strategy), on),
        false => on.note(),
    };
    for (k, side) in found.sides.iter().enumerate() {
        let strategy = shortened(&side.strategy, page.width.saturating_sub(3).max(MAX_TITLE_COLUMNS));
        out = out.and(Look::Strong, &format!("{}", k + 1)).and(Look::Aside, ": ").then(strategy).then("\n");
    }
    out = out.then(verdict(found)).then("\n");
    let way = way(found);
    let between = if way.is_empty() { "" } else { "\n" };
    out.then(way)
        .then(between)
        .then(figures(found))
        .then(counts("rule", found.rules.iter().map(|(name, n)| (&**name, *n))))
        .then(counts("stage", found.stages.iter().map(|(name, n)| (&**name, *n))))
}

fn verdict(found: &SideBySide) -> Styled {
    let strong = |text: &str| Styled::of(Look::Strong, text);
    let cost = || match found.cheaper() {
        Some(k) => format!("at another cost: {} does less", k + 1),
        None if found.sides[0].work == found.sides[1].work => "at the same cost".to_owned(),
        None => "at another cost: none does less at all large sizes".to_owned(),
    };
    let said = match &found.verdict {
        SidesVerdict::Steps => strong("the same steps"),
        SidesVerdict::Order => strong("the same term").then(": the same rewrites in another order"),
        SidesVerdict::Term => strong("the same term").then(", in other steps"),
        SidesVerdict::Meaning { exactness, tests } => {
            strong(&format!("the same meaning {}", cost())).and(Look::Aside, &checked(*exactness, tests))
        }
        SidesVerdict::Unknown(trouble) => strong(&format!("another term, {}", cost()))
            .then(format!("; not comparable by running both: {}", why(trouble))),
        SidesVerdict::Different { exactness, tests } => different(*exactness, tests),
        SidesVerdict::Unfinished => unfinished(found),
    };
    said.then("\n")
}

fn checked(exactness: Exactness, tests: &ProgramComparison) -> String {
    let runs = counted(tests.runs.len(), "random input");
    let unfit = match tests.unfit {
        0 => String::new(),
        n => format!(", {n} more told nothing"),
    };
    let steep = steep(tests.steep, "of them ");
    format!("\n   (equal results on {runs}{unfit}{steep}; {exactness})")
}

fn different(exactness: Exactness, tests: &ProgramComparison) -> Styled {
    let loud = "DIFFERENT RESULTS: a rule that was used is wrong, or its exactness is";
    let shown = tests.difference.as_ref().map_or_else(String::new, |found| {
        let (left, right) = (value_to_json(&found.left), value_to_json(&found.right));
        let at = sizes(&found.sizes);
        format!("\n   at {at} 1 gives {}, 2 gives {}", shortened(&left, 60), shortened(&right, 60))
    });
    Styled::of(Look::Error, loud)
        .then(format!(" ({exactness}){shown}"))
        .and(Look::Note, "\n   `check(rule)` tests a rule; please report it if it is the book's")
}

pub(super) fn sizes(sizes: &Sizes) -> String {
    let all = sizes.iter().map(|(name, value)| format!("{name} = {value}"));
    let all = listed(all);
    if all.is_empty() { "any size".to_owned() } else { all }
}

fn unfinished(found: &SideBySide) -> Styled {
    let mut text = Styled::default();
    for (k, side) in found.sides.iter().enumerate() {
        let said = match &side.end {
            None => "did not run".to_owned(),
            Some(AttemptEnd::Done(_)) => "ends".to_owned(),
            Some(AttemptEnd::Failed(reason)) => format!("fails: {reason}"),
            Some(AttemptEnd::Endless(finding)) => endless(finding),
            Some(AttemptEnd::Stopped(reason)) => {
                format!("was {}, after {}", stopped(reason), counted(side.steps, "step"))
            }
        };
        let look = if matches!(side.end, Some(AttemptEnd::Done(_))) { Look::Plain } else { Look::Warning };
        let between = if k == 0 { "" } else { "; " };
        text = text.then(between).and(Look::Strong, &format!("{} ", k + 1)).and(look, &said);
    }
    text
}

/// The steps at which the derivations part, and those after which they meet.
fn way(found: &SideBySide) -> Styled {
    let Some(CommonTerm { after, work, .. }) = &found.parting else { return Styled::default() };
    let mut out = Styled::from(match after[0] {
        0 => "they part at the first step".to_owned(),
        n => format!("they part after {} in common", counted(n, "step")),
    });
    out.push(Look::Aside, &format!(", at work {}\n", leading(work)));
    for (k, next) in found.next.iter().enumerate() {
        out = out.and(Look::Strong, &format!("  {} ", k + 1)).then(step(next.as_ref(), after[k])).then("\n");
    }
    match &found.meeting {
        Some(CommonTerm { after: [a, b], work, .. }) => {
            out.plain(&format!("they meet again after step {a} of 1 and step {b} of 2"));
            out.push(Look::Aside, &format!(", at work {}\n", leading(work)));
        }
        None => out.plain("they never meet again\n"),
    }
    let partings = found.aligned.iter().filter(|piece| !piece.together).count();
    if partings > 1 {
        let ends = found.aligned.last().is_some_and(|piece| piece.together);
        let then = if ends { "and are together at the end" } else { "and end apart" };
        out.push(Look::Aside, &format!("they part {partings} times in all, {then}\n"));
    }
    out
}

fn step(next: Option<&DivergingStep>, after: usize) -> Styled {
    let Some(next) = next else {
        return Styled::of(Look::Aside, &format!("ends after {}", counted(after, "step")));
    };
    let text = Styled::from(format!("{}. ", next.number)).and(Look::Rule, &next.rule.to_string());
    let within = next.within.iter().map(|name| shortened(name, MAX_TITLE_COLUMNS)).collect::<Vec<String>>().join("/");
    let within = if within.is_empty() { String::new() } else { format!(", in {within}") };
    text.and(Look::Aside, &format!(" at {}{within}", next.address))
}

/// Work, order and steps of both.
fn figures(found: &SideBySide) -> Styled {
    let both = |of: &dyn Fn(usize) -> String| [of(0), of(1)];
    let work = |poly: Option<&Poly>| poly.map_or_else(|| "-".to_owned(), short);
    let end = |k: usize| found.sides[k].work.as_deref();
    let mut rows = vec![("work before", both(&|_| short(&found.start)))];
    rows.extend(found.parting.as_ref().map(|point| ("where they part", both(&|_| short(&point.work)))));
    rows.push(("at the end", both(&|k| work(end(k)))));
    rows.push(("order of growth", both(&|k| work(end(k).map(Poly::order).as_ref()))));
    rows.push(("steps", both(&|k| found.sides[k].steps.to_string())));
    let rows: Vec<(String, [String; 2])> = rows.into_iter().map(|(title, cells)| (title.to_owned(), cells)).collect();
    table(["", "1", "2"], &rows)
}

fn counts<'a>(head: &str, all: impl ExactSizeIterator<Item = (&'a str, [usize; 2])>) -> Styled {
    if all.len() == 0 {
        return Styled::default();
    }
    let hidden = if all.len() > MAX_ROWS + 1 { all.len() - MAX_ROWS } else { 0 };
    let shown = all.len() - hidden;
    let row = |(name, counts): (&str, [usize; 2])| (shortened(name, MAX_TITLE_COLUMNS), counts.map(|n| n.to_string()));
    let rows: Vec<(String, [String; 2])> = all.take(shown).map(row).collect();
    let more = if hidden == 0 { String::new() } else { format!("… {} more\n", hidden) };
    Styled::from("\n").then(table([head, "1", "2"], &rows)).and(Look::Aside, &more)
}

/// Rows of a title and cells under their heads.
fn table<const N: usize>(heads: [&str; N], rows: &[(String, [String; 2])]) -> Styled {
    let wide = |text: &str| text.chars().count();
    let title = rows.iter().map(|row| wide(&row.0)).chain([wide(heads[0])]).max().unwrap_or(0);
    let widths = [0, 1].map(|k| rows.iter().map(|row| wide(&row.1[k])).chain([wide(heads[k + 1])]).max().unwrap_or(0));
    let line = |first: &str, cells: [&str; 2]| {
        format!("{first:title$}  {:>2$}  {:>3$}", cells[0], cells[1], widths[0], widths[1])
    };
    let mut out = Styled::of(Look::Aside, &line(heads[0], [heads[1], heads[2]])).then("\n");
    for (title, cells) in rows {
        out = out.then(line(title, [&cells[0], &cells[1]])).then("\n");
    }
    out
}
