//! Renders the rewrites that are possible in a term, and previews of strategies, as text and as JSON.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::derivation::rules;
use super::focus::{MAX_EXCERPT_NODES, excerpt};
use super::page::{MAX_READABLE_NODES, PageLayout, beginning};
use super::stopped;
use super::styled::{Look, Styled};
use super::why::address;
use super::work::{change, leading, polynomial, trend};
use crate::walk::{AskedTerm, Possibilities};
use redexter_language::cost::Poly;
use redexter_language::ground::text::{counted, listed};
use redexter_language::syntax::{PrintStyle, Scopes, print_term};
use redexter_language::term::{Path, Term};
use redexter_rewriting::choice::{MAX_LISTED, PossibleRewrites, Preview, PreviewEnd, RewriteChoice};
use redexter_rewriting::rule::Rule;

/// Works of more characters are shown by their leading terms, differences of works by the first of theirs.
const MAX_WORK_CHARS: usize = 40;

/// The most rules that are named of those that a rewrite enables.
const MAX_ENABLED_RULES: usize = 8;

/// A redex is shown behind its address where this many columns are left, else below it.
const MIN_REDEX_COLUMNS: usize = 24;

/// The rewrites that are possible, two lines for each of the first.
pub fn possible(possible: &Possibilities, page: PageLayout) -> Styled {
    let found = &*possible.found;
    let (mut out, choices) = (Styled::aside(&(head(possible) + "\n")), &found.choices);
    let digits = choices.len().min(MAX_LISTED).to_string().len();
    let shown = |k: &usize| *k < MAX_LISTED || choices[*k].taken.is_some();
    let mut scopes = Scopes::default();
    for k in (0..choices.len()).filter(shown) {
        out = out.then(row(found, k, &mut scopes, digits, page.width));
    }
    let more = choices.len().saturating_sub(MAX_LISTED);
    if more > 0 {
        let help = "`:possible ADDRESS` lists those at an address and below it";
        out.push(Look::Aside, &format!("and {more} more, numbered up to {}; {help}\n", choices.len()));
    }
    if !found.all && found.stopped.is_none() {
        out.push(Look::Aside, "these aren't all: the term has more places than are looked at\n");
    }
    if choices.is_empty() {
        return out;
    }
    out.and(
        Look::Aside,
        &match &possible.then {
            AskedTerm::Now => "`:take N` takes one of them\n".to_owned(),
            AskedTerm::After(step) => format!("`:goto {step}`, then `:take N` takes another way\n"),
            AskedTerm::Tagged(tag) => format!("`:goto @{tag}`, then `:take N` takes one of them\n"),
        },
    )
}

/// The rules by which it can be done.
fn rules_of(choice: &RewriteChoice) -> impl Iterator<Item = &Rule> {
    [&choice.redex.rule].into_iter().chain(&choice.also)
}

/// The first line: the term, the number of rewrites that are possible there, and the term's work.
fn head(possible: &Possibilities) -> String {
    let found = &*possible.found;
    let place = match found.within.0.is_empty() {
        true => String::new(),
        false => format!(" at .{} and below", found.within.display(&found.program.term)),
    };
    let of = match &possible.then {
        AskedTerm::Now => String::new(),
        AskedTerm::After(0) => "in the first term: ".to_owned(),
        AskedTerm::After(step) => format!("before step {}: ", step + 1),
        AskedTerm::Tagged(tag) => format!("in @{tag}: "),
    };
    if found.choices.is_empty() {
        return match &possible.rule {
            None => format!("{of}no rule applies{place}"),
            Some(rule) => format!("{rule} doesn't apply{place}; `:why-not {rule}` says what is in its way"),
        };
    }
    let mut names: Vec<&str> = found.choices.iter().flat_map(rules_of).map(|rule| rule.info().name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let least = if found.all { "" } else { "at least " };
    let work = brief(&found.work);
    let count = counted(found.count.max(found.choices.len()), "rewrite");
    let rules = possible.rule.as_ref().map_or_else(|| counted(names.len(), "rule"), ToString::to_string);
    format!("{of}{least}{count} by {rules}{place}; work {work}")
}

fn row(found: &PossibleRewrites, k: usize, scopes: &mut Scopes, digits: usize, width: usize) -> Styled {
    let (choice, whole) = (&found.choices[k], &found.program.term);
    let by = listed(rules_of(choice));
    let place = match choice.redex.path.display(whole) {
        root if root.is_empty() => " at the root".to_owned(),
        path => format!(" at .{path}"),
    };
    let more = match choice.others.len() {
        0 => String::new(),
        others => format!(" and {}", counted(others, "more place")),
    };
    let mut out = Styled::from(format!("{:>digits$}. ", k + 1)).and(Look::Rule, &by);
    out = out.and(Look::Aside, &format!("{place}{more}"));
    let room = width.saturating_sub(out.width() + 2);
    let is_short = choice.redex.term.size() <= MAX_EXCERPT_NODES;
    let scope = if is_short { scopes.at(whole, &choice.redex.path) } else { None }.unwrap_or_default();
    let redex = |room: usize| excerpt(&choice.redex.term, &scope, room);
    if room >= MIN_REDEX_COLUMNS {
        out = out.then(format!("  {}", redex(room)));
    }
    if let Some(rule) = &choice.taken {
        let by = if *rule == choice.redex.rule { String::new() } else { format!(" by {rule}") };
        out.push(Look::Note, &format!("  ← taken{by}"));
    }
    let indent = " ".repeat(digits + 2);
    if room < MIN_REDEX_COLUMNS {
        out = out.then(format!("\n{indent}{}", redex(width.saturating_sub(indent.len() + 1).max(MIN_REDEX_COLUMNS))));
    }
    out = out.then("\n").then(indent).then(effect(found, choice));
    let names: Vec<String> = choice.enables.iter().flatten().map(|enabled| enabled.rule.to_string()).collect();
    if !names.is_empty() {
        let others = names.len().saturating_sub(MAX_ENABLED_RULES);
        let rest = if others > 0 { format!(" and {others} more") } else { String::new() };
        let first = if choice.others.is_empty() { "; enables " } else { "; at the first of these places enables " };
        out = out.and(Look::Aside, first).and(Look::Rule, &listed(&names[..names.len() - others]));
        out.push(Look::Aside, &rest);
    }
    out.then("\n")
}

/// The work afterwards, and what of it is another than before.
fn effect(found: &PossibleRewrites, choice: &RewriteChoice) -> Styled {
    let (before, after) = (&*found.work, &*choice.work);
    if before == after {
        return Styled::aside("the same work");
    }
    let (gone, come) = before.cancel(after);
    let mut how = Vec::new();
    if !gone.is_zero() {
        how.push(format!("cheaper by {}", brief(&gone)));
    }
    if !come.is_zero() {
        how.push(format!("dearer by {}", brief(&come)));
    }
    // The direction of the whole change comes first.
    if choice.change == Ordering::Greater {
        how.reverse();
    }
    let order = if found.reorders(choice) { ": another order of growth" } else { "" };
    Styled::of(trend(before, after), &brief(after)).then(format!(", {}{order}", listed(how)))
}

fn brief(work: &Poly) -> String {
    let whole = polynomial(work);
    if whole.chars().count() <= MAX_WORK_CHARS { whole } else { leading(work) }
}

/// A preview of a strategy: how it would end, with which term and at which work.
pub fn preview(preview: &Preview, page: PageLayout) -> Styled {
    let steps = counted(preview.trace.steps.len(), "step");
    let head = match &preview.end {
        PreviewEnd::Failed { reason, remedy } => {
            let head = Styled::from("it would ").and(Look::Warning, "fail");
            return head.then(format!(": {reason}\n")).and(Look::Aside, remedy).then("\n");
        }
        PreviewEnd::Done if preview.trace.steps.is_empty() => return Styled::aside("there is nothing to rewrite\n"),
        PreviewEnd::Done => Styled::aside(&format!("it would be done after {steps}")),
        PreviewEnd::Stopped(_) => Styled::aside(&format!("a limit would end it after {steps}")),
        PreviewEnd::Looping(finding) => {
            let help: String = finding.help.iter().map(|line| format!("{line}\n")).collect();
            let head = Styled::from("it would go on for ever: ").and(Look::Warning, &finding.headline);
            head.then("\n").and(Look::Aside, &help).and(Look::Aside, &format!("it got so far in {steps}"))
        }
    };
    let work = match change(&preview.work.0, &preview.work.1) {
        Some(change) => Styled::aside("; work ").then(change),
        None => Styled::aside(&format!("; the same work, {}", brief(&preview.work.0))),
    };
    head.then(work).then("\n").then(rules(&preview.rules)).then(beginning(&preview.after.term, page)).then("\n")
}

/// The rewrites that are possible as JSON, also those that the text leaves out.
pub fn possible_json(possible: &Possibilities) -> Value {
    let found = &*possible.found;
    let path = |path: &Path| address(&found.program.term, path);
    let choice = |(k, choice): (usize, &RewriteChoice)| {
        let enables = choice.enables.as_ref().map(|all| {
            all.iter()
                .map(|one| json!({ "rule": one.rule.to_string(), "path": address(&choice.after, &one.path) }))
                .collect::<Vec<Value>>()
        });
        json!({
            "number": k + 1,
            "rule": choice.redex.rule.to_string(),
            "also": choice.also.iter().map(Rule::to_string).collect::<Vec<String>>(),
            "path": path(&choice.redex.path),
            "others": choice.others.iter().map(path).collect::<Vec<String>>(),
            "work": choice.work.to_string(),
            "change": match choice.change {
                Ordering::Less => "cheaper",
                Ordering::Equal => "same",
                Ordering::Greater => "dearer",
            },
            "order": found.reorders(choice),
            "enables": enables,
            "taken": choice.taken.as_ref().map(Rule::to_string),
        })
    };
    json!({
        "term": match &possible.then {
            AskedTerm::Now => Value::Null,
            AskedTerm::After(step) => json!({ "step": step }),
            AskedTerm::Tagged(tag) => json!({ "tag": tag }),
        },
        "within": path(&found.within),
        "rule": possible.rule.as_ref().map(ToString::to_string),
        "work": found.work.to_string(),
        "count": found.count,
        "all": found.all,
        "stopped": stopped(found.stopped.as_ref()),
        "choices": found.choices.iter().enumerate().map(choice).collect::<Vec<Value>>(),
    })
}

/// A term on one line, unless it is too long to be read.
fn printed(term: &Term) -> Option<String> {
    (term.size() <= MAX_READABLE_NODES).then(|| print_term(term, &PrintStyle { width: usize::MAX }))
}

/// A preview of a strategy as JSON.
pub fn preview_json(preview: &Preview) -> Value {
    let (end, reason) = match &preview.end {
        PreviewEnd::Done => ("done", None),
        PreviewEnd::Failed { reason, .. } => ("failed", Some(reason.clone())),
        PreviewEnd::Looping(finding) => ("endless", Some(finding.headline.clone())),
        PreviewEnd::Stopped(limit) => ("stopped", stopped(Some(limit)).as_str().map(str::to_owned)),
    };
    json!({
        "strategy": preview.strategy,
        "end": end,
        "reason": reason,
        "steps": preview.trace.steps.len(),
        "rules": preview.rules.iter().map(|(rule, count)| json!([rule, count])).collect::<Vec<Value>>(),
        "work": { "before": preview.work.0.to_string(), "after": preview.work.1.to_string() },
        "nodes": preview.after.term.size(),
        "term": printed(&preview.after.term),
    })
}
