//! Renders the rewrites that are possible in a term as text.

use std::cmp::Ordering;

use super::{AskedTerm, Possibilities};
use crate::render::{MAX_EXCERPT_NODES, brief, excerpt, trend};
use crate::styled::{Look, MAX_WORK_CHARS, PageLayout, Styled};
use redexter_language::ground::text::{counted, listed};
use redexter_language::syntax::Scopes;
use redexter_rewriting::choice::{MAX_LISTED, PossibleRewrites, RewriteChoice};
use redexter_rewriting::rule::Rule;

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
    let work = brief(&found.work, MAX_WORK_CHARS);
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
pub(super) fn effect(found: &PossibleRewrites, choice: &RewriteChoice) -> Styled {
    let (before, after) = (&*found.work, &*choice.work);
    if before == after {
        return Styled::aside("the same work");
    }
    let (gone, come) = before.cancel(after);
    let mut how = Vec::new();
    if !gone.is_zero() {
        how.push(format!("cheaper by {}", brief(&gone, MAX_WORK_CHARS)));
    }
    if !come.is_zero() {
        how.push(format!("dearer by {}", brief(&come, MAX_WORK_CHARS)));
    }
    // The direction of the whole change comes first.
    if choice.change == Ordering::Greater {
        how.reverse();
    }
    let order = if found.reorders(choice) { ": another order of growth" } else { "" };
    Styled::of(trend(before, after), &brief(after, MAX_WORK_CHARS)).then(format!(", {}{order}", listed(how)))
}
