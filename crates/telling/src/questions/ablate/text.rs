//! Renders a strategy without each of its parts as text.

use super::super::runs::{AfterSteps, idle, short, stopped};
use crate::render::{leading, polynomial, trend};
use crate::styled::{Look, MAX_TITLE_COLUMNS, PageLayout, Styled};
use redexter_language::cost::Poly;
use redexter_language::ground::text::{counted, listed, shortened};
use redexter_rewriting::compare::{Ablation, AblationEffect, AblationParts, AblationRow, CUT};

/// The term, a line for each part that was left out, and what the result needs.
pub fn ablation(AfterSteps { found, on }: &AfterSteps<Ablation>, page: PageLayout) -> Styled {
    let what = if found.parts == AblationParts::Stages { "stage" } else { "rule" };
    let strategy = shortened(&found.strategy, page.width.saturating_sub(20).max(MAX_TITLE_COLUMNS));
    let mut out = if found.steps == 0 { idle([&found.strategy], on) } else { on.note() };
    out = out
        .and(Look::Strong, &strategy)
        .then(format!(": {}", counted(found.steps, "step")))
        .and(Look::Aside, "; work ");
    out = out.then(change(&found.start, &found.work)).then("\n");
    if found.all == 0 {
        return out.and(Look::Aside, "no rule fires, so that none can be left out");
    }
    let names: Vec<String> = found.rows.iter().map(|row| shortened(&row.name, MAX_TITLE_COLUMNS)).collect();
    let width = names.iter().map(|name| name.chars().count()).chain(["without".len()]).max().unwrap_or(0);
    let count = |row: &AblationRow| row.steps.map_or_else(|| "-".to_owned(), |steps| steps.to_string());
    let steps = found.rows.iter().map(|row| count(row).len()).chain(["steps".len()]).max().unwrap_or(0);
    out.push(Look::Aside, &format!("{:width$}  {:>steps$}  the result\n", "without", "steps"));
    for (row, name) in found.rows.iter().zip(&names) {
        let (look, text) = effect(&row.effect, row.work.as_deref(), &found.work);
        let cells = format!("{name:width$}  {:>steps$}  ", count(row));
        out = out.then(cells).and(look, &text).then("\n");
    }
    if found.steps > 0 {
        out = out.then(conclusion(found, what));
    }
    if found.rows.len() < found.all {
        let left = counted(found.all - found.rows.len(), what);
        out.push(Look::Warning, &format!("ended early: {left} of {} not left out yet", found.all));
    }
    out.trim_end()
}

/// The conclusion: which parts the result needs, which it surely doesn't, and of which that isn't known.
fn conclusion(found: &Ablation, what: &str) -> Styled {
    let those = |is: fn(&AblationEffect) -> bool| -> Vec<String> {
        found.rows.iter().filter(|row| is(&row.effect)).map(|row| format!("`{}`", row.name)).collect()
    };
    let lost = those(|effect| matches!(effect, AblationEffect::Lost));
    let stuck = those(|effect| matches!(effect, AblationEffect::Failed(_) | AblationEffect::Endless(_)));
    let long = those(|effect| matches!(effect, AblationEffect::Long(_)));
    let hopeless = those(|effect| matches!(effect, AblationEffect::Hopeless));
    let stopped = those(|effect| matches!(effect, AblationEffect::Stopped(_)));
    let others = stuck.len() + long.len() + hopeless.len() + stopped.len();
    let order = polynomial(&found.work.order());
    let mut lines = Vec::new();
    match lost.len() {
        0 if found.rows.len() == found.all && others < found.all => {
            let other = if others == 0 { "" } else { "other " };
            lines.push(format!("each {other}{what} alone can go without losing the order {order}"));
        }
        0 => {}
        n if n == found.all && n > 2 => lines.push(format!("the order {order} needs every {what}")),
        _ => lines.push(format!("without {} the order {order} is lost", or(&lost))),
    }
    if !stuck.is_empty() {
        lines.push(format!("can't be left out: {}", stuck.join(", ")));
    }
    let limit = found.rows.iter().find_map(|row| match row.effect {
        AblationEffect::Long(limit) => Some(limit),
        _ => None,
    });
    let unknown = [
        (long, format!("cut after {} rewrites", limit.unwrap_or_default())),
        (hopeless, "cut while trying rewrites, or growing, far beyond the whole".to_owned()),
        (stopped, "which came to a limit".to_owned()),
    ];
    for (names, why) in unknown.iter().filter(|(names, _)| !names.is_empty()) {
        lines.push(format!("not known: {}, {why}", names.join(", ")));
    }
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into()
}

/// `a, b or c`
fn or(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", listed(first)),
        all => listed(all),
    }
}

fn effect(effect: &AblationEffect, work: Option<&Poly>, before: &Poly) -> (Look, String) {
    let orders =
        || format!("{} → {}", polynomial(&before.order()), work.map_or(String::new(), |w| polynomial(&w.order())));
    let works = || format!("{} → {}", short(before), work.map_or_else(String::new, short));
    let look = work.map_or(Look::Warning, |work| trend(before, work));
    match effect {
        AblationEffect::Same => (Look::Aside, "the same".to_owned()),
        AblationEffect::Term => (Look::Plain, "another term, the same work".to_owned()),
        AblationEffect::Factor => (look, format!("the order stays; work {}", works())),
        AblationEffect::Lost => (Look::Warning, format!("the order is lost: {}", orders())),
        AblationEffect::Gained => (look, format!("a better order: {}", orders())),
        AblationEffect::Failed(reason) => (Look::Warning, format!("fails: {reason}")),
        AblationEffect::Endless(_) => {
            (Look::Warning, "can't be left out: a repetition would go on for ever".to_owned())
        }
        AblationEffect::Long(limit) => {
            (Look::Warning, format!("cut after {limit} rewrites, {CUT} times as many as it takes whole"))
        }
        AblationEffect::Hopeless => {
            (Look::Warning, "cut: it tries rewrites, or grows, far beyond the whole".to_owned())
        }
        AblationEffect::Stopped(reason) => (Look::Warning, stopped(reason)),
    }
}

fn change(before: &Poly, after: &Poly) -> Styled {
    Styled::from(format!("{} → ", leading(before))).and(trend(before, after), &leading(after))
}
