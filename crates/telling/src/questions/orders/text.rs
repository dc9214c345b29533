//! Renders strategies in every order as text.

use super::super::runs::{AfterSteps, MAX_WORK_COLUMNS, endless, idle, short, stopped, why};
use crate::render::polynomial;
use crate::styled::{Look, MAX_TITLE_COLUMNS, PageLayout, Styled};
use redexter_language::ground::text::{counted, listed, shortened};
use redexter_rewriting::compare::{OrderResult, OrderRow, Orders};

/// The term, and a line for each order, those with equal results marked alike.
pub fn orders(AfterSteps { found, on }: &AfterSteps<Orders>, page: PageLayout) -> Styled {
    let names: Vec<String> = names(&found.strategies, page);
    let is_idle = |row: &OrderRow| row.steps == 0 && matches!(row.result, OrderResult::Term { .. });
    let mut out = match !found.rows.is_empty() && found.rows.iter().all(is_idle) {
        true => idle(&found.strategies, on),
        false => on.note(),
    };
    if names != found.strategies {
        for (name, strategy) in names.iter().zip(&found.strategies) {
            let strategy = shortened(strategy, page.width.saturating_sub(name.len() + 2).max(MAX_TITLE_COLUMNS));
            out = out.and(Look::Strong, name).and(Look::Aside, ": ").then(strategy).then("\n");
        }
    }
    let titles: Vec<String> = found.rows.iter().map(|row| title(row, &names)).collect();
    let width = titles.iter().map(|title| title.chars().count()).chain(["order".len()]).max().unwrap_or(0);
    let cells: Vec<[String; 3]> = found.rows.iter().map(cells).collect();
    let heads = ["steps", "work at the end", "grows as"];
    let wide = |k: usize| cells.iter().map(|cells| cells[k].chars().count()).chain([heads[k].len()]).max().unwrap_or(0);
    let [steps, work, order] = [wide(0), wide(1), wide(2)];
    let head = format!("{:width$}  {:>steps$}  {:work$}  {:order$}  result\n", "order", heads[0], heads[1], heads[2]);
    out.push(Look::Aside, &head);
    let best = match found.all == Some(found.rows.len() as u64) {
        true => "best".to_owned(),
        false => format!("best of these {}", found.rows.len()),
    };
    for (row, (title, cells)) in found.rows.iter().zip(titles.iter().zip(&cells)) {
        let line = format!("{title:width$}  {:>steps$}  {:work$}  {:order$}  ", cells[0], cells[1], cells[2]);
        let (look, result) = result(row, &names, &best);
        let is_best = matches!(row.result, OrderResult::Term { is_best: true, .. });
        out = out.and(if is_best { Look::Strong } else { Look::Plain }, &line).and(look, &result).then("\n");
    }
    if let Some(trouble) = &found.stopped {
        out.push(
            Look::Warning,
            &format!("ended early, after {}: {}", counted(found.rows.len(), "order"), why(trouble)),
        );
    } else if found.all != Some(found.rows.len() as u64) {
        let all = found.all.map_or_else(|| "more than can be counted".to_owned(), |all| all.to_string());
        out.push(Look::Aside, &format!("the first {} of {all}", counted(found.rows.len(), "order")));
    }
    out.trim_end()
}

/// The strategies as they print if all are short; else letters.
fn names(strategies: &[String], page: PageLayout) -> Vec<String> {
    let length: usize = strategies.iter().map(|strategy| strategy.chars().count() + 2).sum();
    let letter = |k: usize| char::from_u32('A' as u32 + k as u32).filter(char::is_ascii_uppercase);
    match length <= page.width / 2 {
        true => strategies.to_vec(),
        false => {
            let name = |k: usize| letter(k).map_or_else(|| format!("S{}", k + 1), String::from);
            (0..strategies.len()).map(name).collect()
        }
    }
}

fn title(row: &OrderRow, names: &[String]) -> String {
    row.order.iter().map(|k| names[*k].as_str()).collect::<Vec<&str>>().join(", ")
}

fn cells(row: &OrderRow) -> [String; 3] {
    let (work, order) = match &row.result {
        OrderResult::Term { work, .. } => (short(work), polynomial(&work.order())),
        _ => ("-".to_owned(), "-".to_owned()),
    };
    [row.steps.to_string(), work, shortened(&order, MAX_WORK_COLUMNS)]
}

fn result(row: &OrderRow, names: &[String], best: &str) -> (Look, String) {
    let failed = listed(row.failed.iter().map(|k| &names[*k]));
    let failed = if failed.is_empty() { failed } else { format!(", {failed} failed") };
    match &row.result {
        OrderResult::Term { number, is_best, .. } => {
            let best = if *is_best { format!(" {best}") } else { String::new() };
            (if *is_best { Look::Contractum } else { Look::Aside }, format!("{}{best}{failed}", number + 1))
        }
        OrderResult::Endless(k, finding) => (Look::Warning, format!("{} {}", names[*k], endless(finding))),
        OrderResult::Stopped(k, reason) => (Look::Warning, format!("{}: {}", names[*k], stopped(reason))),
    }
}
