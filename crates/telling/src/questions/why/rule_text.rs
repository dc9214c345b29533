//! Renders as text where a rule applies, or why it doesn't.

use crate::render::{self, MAX_EXCERPT_NODES, end_of};
use crate::styled::{Look, PageLayout, Styled};
use redexter_language::ground::Name;
use redexter_language::ground::text::{counted, shortened};
use redexter_language::syntax::names_at;
use redexter_language::term::{Path, Term};
use redexter_rewriting::rule::{
    CaptureMismatch, ConditionFacts, EnclosingBinder, FormMismatch, HiddenMatch, HidingConstruct, NonlinearMismatch,
    Occurrences, RuleExplanation, RuleMismatch,
};
use redexter_rewriting::why::{NearMatch, Remedy, RuleAnswer};

/// The most characters of a subterm within a line.
pub(super) const MAX_EXCERPT_CHARS: usize = 60;

/// The most reasons of other places that are told.
const MAX_OTHER_REASONS: usize = 6;

/// The most places that are told of those where a rule applies.
const MAX_PLACES: usize = 6;

/// Where a rule applies, or why it doesn't.
pub fn why_rule(answer: &RuleAnswer, page: PageLayout) -> Styled {
    let shown = WhyRuleText { whole: &answer.program.term, near: None };
    let mut out = shown.headline(answer);
    for (k, near) in answer.nearest.iter().enumerate() {
        let last = k.checked_sub(1).map(|k| &answer.nearest[k]);
        out.append(&WhyRuleText { near: Some(&near.path), ..shown }.near(near, last, answer));
    }
    if out.text().contains(FROM_THAT_PLACE) {
        out.push(Look::Aside, "`…` is the address of the place above\n");
    }
    out.append(&shown.others(answer));
    out.append(&shown.remedies(answer));
    if let Some(reason) = &answer.stopped {
        out.push(Look::Warning, &format!("this isn't all: {reason}\n"));
    }
    out.folded(page.width)
}

/// The abbreviation of a place's address in front of a path that goes on from there.
const FROM_THAT_PLACE: &str = "….";

/// The most characters of a place's address that is repeated; a longer one is abbreviated.
const MAX_ADDRESS_CHARS: usize = 30;

/// Words what stands in a term, with addresses that can be typed back.
#[derive(Clone, Copy)]
struct WhyRuleText<'a> {
    whole: &'a Term,
    /// The place that is told.
    near: Option<&'a Path>,
}

impl WhyRuleText<'_> {
    fn headline(&self, answer: &RuleAnswer) -> Styled {
        let rule = format!("`{}`", answer.rule);
        let mut out = Styled::default();
        let there = answer.at.as_ref().map(|at| self.address(at));
        if answer.does_apply() {
            let more = if answer.all { "" } else { "more than " };
            let text = format!("{rule} applies at {more}{}\n", counted(answer.applies.len(), "place"));
            return self.applies(out.and(Look::Strong, &text), answer);
        }
        match there {
            Some(there) => out.push(Look::Strong, &format!("{rule} doesn't apply at {there}\n")),
            None => out.push(Look::Strong, &format!("{rule} applies nowhere\n")),
        }
        if !answer.applies.is_empty() {
            let count = counted(answer.applies.len(), "place");
            out = self.applies(out.then(format!("it applies below, at {count}\n")), answer);
        }
        if answer.nearest.is_empty() && answer.apart > 0 {
            out.push(Look::Aside, &format!("  {}\n", answer.laws.join("; ")));
            out.plain(&match answer.lacks {
                Some(noun) => format!("  there is no `{noun}` in the term\n"),
                None => "  nothing in the term is of a form that it might rewrite\n".to_owned(),
            });
        }
        out
    }

    fn applies(&self, mut out: Styled, answer: &RuleAnswer) -> Styled {
        for redex in answer.applies.iter().take(MAX_PLACES) {
            let rule = redex.rule.to_string();
            if rule != answer.rule {
                out.push(Look::Rule, &format!("  {rule}"));
            }
            out = out.then(format!("  {}  ", self.address(&redex.path)));
            out = out.and(Look::Aside, &self.excerpt(&redex.path, &redex.term)).then("\n");
        }
        let more = answer.applies.len().saturating_sub(MAX_PLACES);
        if more > 0 { out.and(Look::Aside, &format!("  and {more} more\n")) } else { out }
    }

    /// A place; what was said of the last one isn't said again.
    fn near(&self, near: &NearMatch, last: Option<&NearMatch>, answer: &RuleAnswer) -> Styled {
        let mut out = Styled::of(Look::Strong, &self.dotted(&near.path, None)).then("  ");
        out = out.and(Look::Redex, &self.excerpt(&near.path, &near.term)).then("\n");
        let RuleExplanation { law, mismatch, .. } = &near.explanation;
        if last.is_none_or(|last| last.explanation.law != *law) {
            let law = law.as_ref().map_or_else(|| answer.laws.join("; "), |(_, law)| law.clone());
            out.push(Look::Aside, &format!("  {law}\n"));
        }
        for line in self.mismatch(mismatch) {
            out.plain(&format!("  {line}\n"));
        }
        if let (RuleMismatch::Words(_) | RuleMismatch::Within { .. }, None, false) =
            (mismatch, last, answer.conditions.is_empty())
        {
            out.plain(&format!("  it asks for this: {}\n", answer.conditions.join(", ")));
        }
        if let Some(other) = &near.other {
            out = out.then("  ").and(Look::Rule, &other.to_string()).then(" applies here\n");
        }
        out
    }

    /// The reason why a law doesn't fit, in lines.
    fn mismatch(&self, mismatch: &RuleMismatch) -> Vec<String> {
        match mismatch {
            RuleMismatch::Form(form) => self.form(form),
            RuleMismatch::Captures(captures) => vec![self.captures(captures)],
            RuleMismatch::Differs(differs) => self.differs(differs),
            RuleMismatch::Size { law, wanted, found, path } => {
                let wanted = wanted.as_ref().map(|size| size.to_string());
                vec![self.other("size", &law.to_string(), wanted, &found.to_string(), path)]
            }
            RuleMismatch::Type { law, wanted, found, path } => {
                let wanted = wanted.as_ref().map(|ty| ty.to_string());
                vec![self.other("type", &law.to_string(), wanted, &found.to_string(), path)]
            }
            RuleMismatch::Bound { size, value, least, wanted } => vec![format!(
                "the law needs {size} >= {wanted}; here {size} is `{value}`, of which only `{value} >= {least}` is known"
            )],
            RuleMismatch::Condition(facts) => self.facts(facts),
            RuleMismatch::Words(words) => vec![words.clone()],
            RuleMismatch::Within { words, path, found } => {
                vec![format!("{words}: `{}` at {}", self.excerpt(path, found), self.address(path))]
            }
            RuleMismatch::TooLarge => vec!["a size of the result would be too large".to_owned()],
            RuleMismatch::Unchanged => vec!["it would change nothing".to_owned()],
        }
    }

    fn form(&self, form: &FormMismatch) -> Vec<String> {
        let under = form.under.map_or(String::new(), |under| format!(" in the {under}"));
        let found = format!("{} stands `{}`", self.address(&form.path), self.excerpt(&form.path, &form.found));
        let mut lines =
            vec![format!("the law wants `{}`{under}; at {found}", shortened(&form.piece, MAX_EXCERPT_CHARS))];
        if let Some(behind) = &form.behind {
            lines.push(self.behind(form, behind));
        }
        lines
    }

    fn behind(&self, form: &FormMismatch, behind: &HiddenMatch) -> String {
        let via: Vec<String> = behind.through.iter().map(|via| via_words(self.whole, via)).collect();
        format!("there is such a {} behind {}, at {}", form.noun, via.join(", then "), self.address(&behind.path))
    }

    fn captures(&self, captures: &CaptureMismatch) -> String {
        let (law, own) = (&captures.binder.0, self.called(&captures.bound, &captures.binder.1));
        let called = if *law == own { String::new() } else { format!(", here `{own}`") };
        format!(
            "`{}` of the law must not mention `{law}`{called}, which is bound at {}; it does at {}",
            captures.variable,
            self.address(&captures.bound),
            self.addresses(&captures.occurrences)
        )
    }

    fn differs(&self, differs: &NonlinearMismatch) -> Vec<String> {
        let [a, b] = differs.paths.each_ref().map(|path| self.address(path));
        let first =
            format!("`{}` of the law stands for one term; it would be that at {a} and that at {b}", differs.variable);
        let [a, b] = [0, 1].map(|k| {
            let excerpt = self.excerpt(&differs.at[k], &differs.terms[k]);
            format!("`{excerpt}` at {}", self.address(&differs.at[k]))
        });
        vec![first, format!("they differ first in {a} and {b}")]
    }

    fn other(&self, what: &str, law: &str, wanted: Option<String>, found: &str, path: &Path) -> String {
        let wanted = wanted.filter(|wanted| wanted != law).map_or(String::new(), |wanted| format!(", here `{wanted}`"));
        format!("the law has the {what} `{law}`{wanted}; the {what} at {} is `{found}`", self.address(path))
    }

    fn facts(&self, facts: &ConditionFacts) -> Vec<String> {
        let mut lines = vec![format!("{}: `{}`", facts.meaning, facts.condition)];
        let numbers: Vec<String> = facts
            .numbers
            .iter()
            .map(|(text, size)| match size {
                Some(size) => format!("{text} is {size}"),
                None => format!("{text} isn't known"),
            })
            .collect();
        if !numbers.is_empty() {
            lines.push(numbers.join(", "));
        }
        lines.extend(facts.occurrences.iter().map(|occurrences| self.occurrences(occurrences)));
        for (name, path, term) in &facts.terms {
            lines.push(format!("{name} is `{}` at {}", self.excerpt(path, term), self.address(path)));
        }
        lines.extend(facts.around.as_ref().map(|around| self.around(around)));
        lines
    }

    fn occurrences(&self, all: &Occurrences) -> String {
        let name = self.called(&all.bound, &all.name);
        let called = if all.variable == name { String::new() } else { format!(" (here `{name}`)") };
        let more = (all.count as usize).saturating_sub(all.places.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let looped = if all.looped { ", in a loop or a function" } else { "" };
        match all.count {
            0 => format!("{}{called} occurs nowhere", all.variable),
            count => format!(
                "{}{called} occurs {}{looped}: {}{more}",
                all.variable,
                counted(count as usize, "time"),
                self.addresses(&all.places)
            ),
        }
    }

    fn around(&self, around: &[EnclosingBinder]) -> String {
        let marked: Vec<&EnclosingBinder> = around.iter().filter(|binder| binder.parameter).collect();
        let name = |binder: &&EnclosingBinder| {
            let name = self.called(&binder.path, &binder.name);
            format!("`{name}` at {}", end_of(&self.address(&binder.path), MAX_ADDRESS_CHARS))
        };
        if !marked.is_empty() {
            let names: Vec<String> = marked.iter().map(name).collect();
            return format!("parameter indices around it, or what depends on them: {}", names.join(", "));
        }
        let loops: Vec<String> = around.iter().filter(|binder| binder.counts).map(|binder| name(&binder)).collect();
        match loops.is_empty() {
            true => "there is no loop around it, and so no parameter index".to_owned(),
            false => format!("no loop around it counts a parameter index: {}", loops.join(", ")),
        }
    }

    fn others(&self, answer: &RuleAnswer) -> Styled {
        let mut out = Styled::default();
        if !answer.others.is_empty() {
            let count = answer.others.iter().map(|(_, count)| count).sum();
            out.push(Look::Aside, &format!("{} further off:\n", counted(count, "place")));
        }
        for (brief, count) in answer.others.iter().take(MAX_OTHER_REASONS) {
            out.push(Look::Aside, &format!("  {count}  {brief}\n"));
        }
        let more = answer.others.len().saturating_sub(MAX_OTHER_REASONS);
        if more > 0 { out.and(Look::Aside, &format!("  and {}\n", counted(more, "other reason"))) } else { out }
    }

    fn remedies(&self, answer: &RuleAnswer) -> Styled {
        let mut out = Styled::default();
        for Remedy { redex, rule, path, near, costs } in &answer.remedies {
            let work = if *costs { ", which adds work" } else { "" };
            let there = if path == near {
                "there".to_owned()
            } else {
                format!("at {}", self.dotted(path, redex.rewrite(self.whole).as_ref()))
            };
            let place = redex.path.display(self.whole).to_string();
            let rewrite =
                if place.is_empty() { redex.rule.to_string() } else { format!("at(\"{place}\", {})", redex.rule) };
            out = out.then("after `").and(Look::Rule, &rewrite).then(format!("`{work}, "));
            out = out.and(Look::Rule, &rule.to_string()).then(format!(" applies {there}\n"));
        }
        out
    }

    fn called(&self, binder: &Path, hint: &Name) -> Name {
        called(self.whole, binder, hint)
    }

    fn address(&self, path: &Path) -> String {
        let whole = self.dotted(path, None);
        let Some(near) = self.near.filter(|near| path.0.starts_with(&near.0) && *near != path) else { return whole };
        let there = self.dotted(near, None);
        if there.chars().count() <= MAX_ADDRESS_CHARS { whole } else { whole.replacen(&there, "…", 1) }
    }

    fn dotted(&self, path: &Path, whole: Option<&Term>) -> String {
        Path::shortened(&path.address(whole.unwrap_or(self.whole)))
    }

    fn addresses(&self, paths: &[Path]) -> String {
        let all: Vec<String> = paths.iter().map(|path| self.address(path)).collect();
        match &all[..] {
            [] => String::new(),
            [only] => only.clone(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    }

    fn excerpt(&self, path: &Path, term: &Term) -> String {
        excerpt(self.whole, path, term, MAX_EXCERPT_CHARS)
    }
}

/// A subterm on one line, at most so many characters of it.
pub(super) fn excerpt(whole: &Term, path: &Path, term: &Term, most: usize) -> String {
    let scope = if term.size() <= MAX_EXCERPT_NODES { names_at(whole, path) } else { None };
    match scope {
        Some(scope) => render::excerpt(term, &scope, most),
        None => format!("({} of {} nodes)", term.kind().noun(), term.size()),
    }
}

/// The name that the variable bound at a place prints with.
pub(super) fn called(whole: &Term, binder: &Path, hint: &Name) -> Name {
    let scope = binder.find(whole).and_then(|term| {
        let body = term.kid_count().checked_sub(1)?;
        (term.binders(body) > 0).then_some(())?;
        names_at(whole, &Path([&binder.0[..], &[body as u32]].concat()))
    });
    scope.and_then(|names| names.last().cloned()).unwrap_or_else(|| hint.clone())
}

pub(super) fn via_words(whole: &Term, via: &HidingConstruct) -> String {
    match via {
        HidingConstruct::Let => "a `let`".to_owned(),
        HidingConstruct::If => "an `if`".to_owned(),
        HidingConstruct::Variable(name, binder) => format!("the variable `{}`", called(whole, binder, name)),
        HidingConstruct::Application => "an application".to_owned(),
        HidingConstruct::Projection => "the half of a pair".to_owned(),
        HidingConstruct::Element => "an element of a `build`".to_owned(),
    }
}
