//! Renders comparisons of strategies as text: two side by side, one without each of its parts, several in every order.

use super::page::PageLayout;
use super::styled::{Look, Styled};
use super::work::{leading, polynomial, trend};
use redexter_language::cost::Poly;
use redexter_language::eval::{Sizes, value_to_json};
use redexter_language::ground::text::{counted, listed, shortened};
use redexter_language::ground::{Diagnostic, StopReason, Trouble};
use redexter_rewriting::compare::{
    Ablation, AblationEffect, AblationParts, AblationRow, AttemptEnd, CUT, CommonTerm, ComparedSide, DivergingStep,
    OrderResult, OrderRow, Orders, SideBySide, SidesVerdict,
};
use redexter_rewriting::rule::Exactness;
use redexter_rewriting::sound::ProgramComparison;

/// The most columns of a title.
const MAX_TITLE_COLUMNS: usize = 40;

/// The most rules, and the most stages, that have rows of their own.
const MAX_ROWS: usize = 20;

/// The most columns that a work takes in a table.
const MAX_WORK_COLUMNS: usize = 32;

/// The warning that no strategy takes a step on the current term, to which `taken` steps led.
fn idle<'a>(strategies: impl IntoIterator<Item = &'a String>, taken: usize) -> Styled {
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

/// Two strategies on a term that so many steps were taken to: what it comes to, where they part and meet, and a table of
/// both.
pub fn sides(found: &SideBySide, taken: usize, page: PageLayout) -> Styled {
    let is_idle =
        |side: &ComparedSide| side.steps == 0 && matches!(side.end, Some(AttemptEnd::Done(_) | AttemptEnd::Failed(_)));
    let mut out = match found.sides.iter().all(is_idle) {
        true => idle(found.sides.iter().map(|side| &side.strategy), taken),
        false => Styled::default(),
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
    format!("\n   (equal results on {runs}{unfit}; {exactness})")
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

fn endless(finding: &Diagnostic) -> String {
    format!("never ends: {}", finding.headline)
}

/// A limit in few words.
fn stopped(reason: &StopReason) -> String {
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

/// Work that fits a table: by its leading terms where it is long.
fn short(work: &Poly) -> String {
    let whole = polynomial(work);
    if whole.chars().count() <= MAX_WORK_COLUMNS { whole } else { leading(work) }
}

/// A line for each part that was left out, on a term that so many steps were taken to, and what the result needs.
pub fn ablation(found: &Ablation, taken: usize, page: PageLayout) -> Styled {
    let what = if found.parts == AblationParts::Stages { "stage" } else { "rule" };
    let strategy = shortened(&found.strategy, page.width.saturating_sub(20).max(MAX_TITLE_COLUMNS));
    let mut out = if found.steps == 0 { idle([&found.strategy], taken) } else { Styled::default() };
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

/// A line for each order, on a term that so many steps were taken to, those with equal results marked alike.
pub fn orders(found: &Orders, taken: usize, page: PageLayout) -> Styled {
    let names: Vec<String> = names(&found.strategies, page);
    let is_idle = |row: &OrderRow| row.steps == 0 && matches!(row.result, OrderResult::Term { .. });
    let mut out = match !found.rows.is_empty() && found.rows.iter().all(is_idle) {
        true => idle(&found.strategies, taken),
        false => Styled::default(),
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
