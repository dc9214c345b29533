//! Renders how rules interact: a table of pairs, and behind it the terms that show it.

use crate::render::{polynomial, term, trend};
use crate::styled::{Look, PageLayout, Styled};
use redexter_language::cost::Poly;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::text::listed;
use redexter_language::term::Term;
use redexter_rewriting::interact::{InteractionFinding, Interactions, RuleRelation};

/// Of more rules than this only the findings by which their order matters most are shown on terms.
const MAX_RULES_IN_FULL: usize = 3;

/// The most findings that are shown on terms, of more rules than that.
const MAX_FINDINGS: usize = 8;

/// The letter of each relation in the table, what it says of two rules, and what it stands for.
const SIGNS: [(RuleRelation, &str, &str, &str); 6] = [
    (RuleRelation::Enables, "E", "enables", "enables: leaves a redex where there was none"),
    (RuleRelation::Disables, "D", "disables", "disables: leaves no redex where there was one"),
    (
        RuleRelation::Competes,
        "C",
        "competes with",
        "competes: either, and within four steps of each no one term was found",
    ),
    (RuleRelation::Joins, "J", "competes with", "competes: either, and a few more steps join them"),
    (RuleRelation::Undoes, "U", "takes back", "takes a step of it back"),
    (RuleRelation::Commutes, "=", "commutes with", "commutes: they overlap, and both orders give one term"),
];

fn sign(relation: RuleRelation) -> (&'static str, &'static str) {
    SIGNS.iter().find(|(known, ..)| *known == relation).map_or(("", ""), |(_, letter, verb, _)| (letter, verb))
}

/// The meanings of the signs that stand in the table.
fn legend(found: &Interactions) -> String {
    let mut out = "what the rule of a row does to the rule of a column\n".to_owned();
    let has = |relation| found.pairs.iter().flat_map(|pair| &pair.findings).any(|f| f.relation == relation);
    for (_, letter, _, meaning) in SIGNS.iter().filter(|(relation, ..)| has(*relation)) {
        out += &format!("  {letter} {meaning}\n");
    }
    let numbers = || (0..found.rules.len()).flat_map(|a| (0..found.rules.len()).map(move |b| (a, b)));
    if numbers().any(|(a, b)| found.knows(a, b) && found.between(a, b).next().is_none()) {
        out += "  · no overlap was found: as far as is known either order gives one term\n";
    }
    if numbers().any(|(a, b)| !found.knows(a, b)) {
        out += "  ? wasn't looked at\n";
    }
    out
}

/// What they do in the current term, a table of what they do in any, and the terms that show what is in it.
pub fn interactions(found: &Interactions, page: PageLayout) -> Styled {
    let mut out = in_term(found);
    out = out.then(table(found)).then("\n").and(Look::Aside, &legend(found));
    let all: Vec<&InteractionFinding> = found.pairs.iter().flat_map(|pair| &pair.findings).collect();
    let shown = if found.rules.len() <= MAX_RULES_IN_FULL { all.clone() } else { telling(&all) };
    for finding in &shown {
        out = out.then("\n").then(shown_on_term(finding, found, page));
    }
    if let Some(hidden) = all.iter().find(|finding| !shown.iter().any(|known| std::ptr::eq(*known, **finding))) {
        let [a, b] = [hidden.by, hidden.to].map(|k| found.rules[k].to_string());
        let names = if a == b { a } else { format!("{a} {b}") };
        let more = all.len() - shown.len();
        let help = "name two rules at most for their terms, as in";
        out =
            out.then("\n").and(Look::Aside, &format!("{more} more: {help} `:interact {names}`, or ask for `--json`\n"));
    }
    out
}

/// What they do to each other in the current term, if there is one, and above what they do in any.
fn in_term(found: &Interactions) -> Styled {
    let Some(here) = &found.here else { return Styled::default() };
    let mut out = Styled::of(Look::Aside, "in the current term\n");
    for one in here {
        let verb = if one.relation == RuleRelation::Enables { " enables " } else { " takes a redex away of " };
        let (by, to) = (one.by.to_string(), one.to.to_string());
        out = out.then("  ").and(Look::Rule, &by).then(format!(" at {}{verb}", one.at));
        out = out.and(Look::Rule, &to).then(format!(" at {}\n", one.place));
    }
    if here.is_empty() {
        out = out.then("  none of them enables another there, or takes a redex of it away\n");
    }
    out.and(Look::Aside, "\nin any term\n")
}

/// The findings by which an order matters most: conflicts between two rules, then the other conflicts and what is taken
/// back.
fn telling<'a>(all: &[&'a InteractionFinding]) -> Vec<&'a InteractionFinding> {
    let sets_apart =
        |finding: &&&InteractionFinding| !matches!(finding.relation, RuleRelation::Enables | RuleRelation::Commutes);
    let mut shown: Vec<&InteractionFinding> = all.iter().filter(sets_apart).copied().collect();
    let parts =
        |finding: &InteractionFinding| matches!(finding.relation, RuleRelation::Competes | RuleRelation::Disables);
    shown.order_by_key(|finding| !(parts(finding) && finding.by != finding.to));
    shown.truncate(MAX_FINDINGS);
    shown
}

/// The table: a row and a column for each rule, and in each cell what the one does to the other.
fn table(found: &Interactions) -> Styled {
    let names: Vec<String> = found.rules.iter().map(ToString::to_string).collect();
    let cell = |a: usize, b: usize| {
        let mut signs: Vec<&str> = found.between(a, b).map(|finding| sign(finding.relation).0).collect();
        signs.dedup();
        match (signs.is_empty(), found.knows(a, b)) {
            (true, true) => "·".to_owned(),
            (true, false) => "?".to_owned(),
            _ => signs.concat(),
        }
    };
    let cells: Vec<Vec<String>> = (0..names.len()).map(|a| (0..names.len()).map(|b| cell(a, b)).collect()).collect();
    let wide = |text: &String| text.chars().count();
    let column = cells.iter().flatten().map(wide).max().unwrap_or(1).max(names.len().to_string().len()) + 1;
    let (number, title) = (names.len().to_string().len(), names.iter().map(wide).max().unwrap_or(0));
    let heads: String = (1..=names.len()).map(|k| format!("{k:>column$}")).collect();
    let mut out = Styled::of(Look::Aside, &format!("{:number$} {:title$} {heads}\n", "", ""));
    for (k, row) in cells.iter().enumerate() {
        let signs: String = row.iter().map(|cell| format!("{cell:>column$}")).collect();
        out = out
            .and(Look::Aside, &format!("{:>number$} ", k + 1))
            .and(Look::Rule, &format!("{:title$}", names[k]))
            .then(format!(" {signs}\n"));
    }
    out
}

fn shown_on_term(finding: &InteractionFinding, found: &Interactions, page: PageLayout) -> Styled {
    let [by, to] = [finding.by, finding.to].map(|k| found.rules[k].to_string());
    let (letter, verb) = sign(finding.relation);
    let to = if finding.by == finding.to { "itself".to_owned() } else { to };
    let mut out = Styled::aside(&format!("{letter} ")).and(Look::Rule, &by).then(format!(" {verb} "));
    out = out.and(Look::Rule, &to).then("\n").then(costing(&finding.program.term, &finding.work, None, page));
    for outcome in &finding.outcomes {
        let steps = listed(outcome.steps.iter().map(|step| &step.rule));
        out = out.then("  ").and(Look::Rule, &steps).then("\n");
        out = match outcome.term == finding.program.term {
            true => out.and(Look::Aside, "    the first term again\n"),
            false => out.then(costing(&outcome.term, &outcome.work, Some(&finding.work), page)),
        };
    }
    out
}

/// A term, indented, and its work; in the look of what became of it.
fn costing(of: &Term, work: &Poly, before: Option<&Poly>, page: PageLayout) -> Styled {
    let lines = term(of, page.width.saturating_sub(4)).lines();
    let look = before.map_or(Look::Aside, |before| trend(before, work));
    let text: Styled = lines.into_iter().map(|line| Styled::from("    ").then(line).then("\n")).collect();
    text.and(Look::Aside, "    work ").and(look, &polynomial(work)).then("\n")
}
