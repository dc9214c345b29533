//! Renders a profile as two tables: attempts, rewrites and time by rule, steps and time by stage.

use std::cmp::Reverse;
use std::rc::Rc;
use std::time::Duration;

use crate::styled::{Look, MAX_TITLE_COLUMNS, PageLayout, Styled};
use redexter_language::ground::order::InOrder;
use redexter_language::ground::text::{counted, shortened};
use redexter_rewriting::strategy::{Profile, RuleCount};

/// The most rules that have rows of their own.
const MAX_RULES: usize = 20;

/// The most stages that have rows; those that stand deeper count for the ones around.
const MAX_STAGES: usize = 30;

/// A profile by rule and by stage. Times are for people only, as no two runs take the same.
pub fn profile(profile: &Profile, page: PageLayout) -> Styled {
    let timed = page.rest.is_some();
    let count = |of: fn(&RuleCount) -> u64| profile.rules.iter().map(of).sum::<u64>() as usize;
    let attempts = counted(count(|rule| rule.attempts), "attempt");
    let rewrites = counted(count(|rule| rule.rewrites as u64), "rewrite");
    let all = if timed { format!(", {}", time(profile.time())) } else { String::new() };
    let head = Styled::from(format!("{attempts}, {rewrites} by {}{all}\n", counted(profile.rules.len(), "rule")));
    head.then(table(["rule", "attempts", "rewrites", "time"], &rules(profile, timed), timed)).then("\n").then(table(
        ["stage", "", "steps", "time"],
        &stages(profile),
        timed,
    ))
}

/// A name, two counts, a time.
type ProfileRow = (String, [String; 2], Duration);

fn rules(profile: &Profile, timed: bool) -> Vec<ProfileRow> {
    let mut all: Vec<&RuleCount> = profile.rules.iter().collect();
    let key = |rule: &&RuleCount| {
        let time = if timed { rule.time } else { Duration::ZERO };
        (Reverse(time), Reverse(rule.attempts), Reverse(rule.rewrites), rule.name.clone())
    };
    all.order_by_key(key);
    let shown = if all.len() > MAX_RULES + 1 { MAX_RULES } else { all.len() };
    let (first, others) = all.split_at(shown);
    let row = |title: String, rules: &[&RuleCount]| {
        let attempts: u64 = rules.iter().map(|rule| rule.attempts).sum();
        let rewrites: usize = rules.iter().map(|rule| rule.rewrites).sum();
        (title, [attempts.to_string(), rewrites.to_string()], rules.iter().map(|rule| rule.time).sum())
    };
    let mut rows: Vec<ProfileRow> =
        first.iter().map(|rule| row(shortened(rule.name.as_str(), MAX_TITLE_COLUMNS), &[rule])).collect();
    if !others.is_empty() {
        rows.push(row(format!("… {}", counted(others.len(), "other rule")), others));
    }
    rows
}

/// A stage in the tree, with what those within it did.
struct StageNode {
    path: Vec<Rc<str>>,
    steps: usize,
    time: Duration,
}

fn stages(profile: &Profile) -> Vec<ProfileRow> {
    let mut nodes: Vec<StageNode> = Vec::new();
    for stage in &profile.stages {
        for depth in 1..=stage.within.len() {
            let path = &stage.within[..depth];
            // A new stage stands behind all that is in the stage around it, so that the list is the tree in its order.
            let at = nodes.iter().position(|node| node.path == path).unwrap_or_else(|| {
                let inside = |node: &StageNode| node.path.starts_with(&path[..depth - 1]);
                let end = nodes.iter().rposition(inside).map_or(nodes.len(), |last| last + 1);
                nodes.insert(end, StageNode { path: path.to_vec(), steps: 0, time: Duration::ZERO });
                end
            });
            nodes[at].steps += stage.steps;
            nodes[at].time += stage.time;
        }
    }
    let within = |depth: usize| nodes.iter().filter(|node| node.path.len() <= depth).count();
    let deepest = nodes.iter().map(|node| node.path.len()).max().unwrap_or(0);
    let depth = (1..=deepest).rev().find(|depth| within(*depth) <= MAX_STAGES).unwrap_or(1);
    let shown = nodes.iter().filter(|node| node.path.len() <= depth);
    let row = |node: &StageNode| {
        let name = node.path.last().map_or("", |name| name);
        let indent = "  ".repeat(node.path.len() - 1);
        let title = shortened(name, MAX_TITLE_COLUMNS.saturating_sub(indent.len()).max(8));
        (format!("{indent}{title}"), [String::new(), node.steps.to_string()], node.time)
    };
    shown.map(row).collect()
}

/// Rows under their heads, with times where they are wanted. A column without a head is none.
fn table([title, first, second, last]: [&str; 4], rows: &[ProfileRow], timed: bool) -> Styled {
    let widest =
        |head: &str, of: &dyn Fn(&ProfileRow) -> usize| rows.iter().map(of).chain([head.len()]).max().unwrap_or(0);
    let width = widest(title, &|row| row.0.chars().count());
    let [one, other] = [widest(first, &|row| row.1[0].len()), widest(second, &|row| row.1[1].len())];
    let line = |a: &str, b: &str, c: &str| match first {
        "" => format!("{a:width$}  {c:>other$}"),
        _ => format!("{a:width$}  {b:>one$}  {c:>other$}"),
    };
    let times = if timed { format!("  {last:>8}") } else { String::new() };
    let mut out = Styled::of(Look::Aside, &format!("{}{times}\n", line(title, first, second)));
    for (title, counts, took) in rows {
        out.plain(&line(title, &counts[0], &counts[1]));
        if timed {
            out.push(Look::Aside, &format!("  {:>8}", time(*took)));
        }
        out.plain("\n");
    }
    out
}

fn time(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.2} s"),
        seconds => format!("{:.1} ms", seconds * 1e3),
    }
}
