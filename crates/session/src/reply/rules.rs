//! Lays out the rule book: rules under the headings of their groups, and all about one rule.

use std::rc::Rc;

use crate::session::RulePage;
use redexter_language::ground::Name;
use redexter_language::ground::text::listed;
use redexter_rewriting::rule::{EnablingChance, Exactness, Example, RuleInfo, SoundnessState};
use redexter_rewriting::sound::RuleRelations;
use redexter_telling::render::open_term;
use redexter_telling::render::{Look, Styled};

/// Rules under the headings of their groups, their laws beside their names.
pub fn rules(all: &[Rc<RuleInfo>], width: usize) -> Styled {
    let names = all.iter().map(|info| info.usage().chars().count()).max().unwrap_or(0);
    let mut text = Styled::default();
    let mut group: Option<&str> = None;
    for info in all {
        if group != Some(&info.group) {
            let heading = if info.group.is_empty() { "defined here" } else { &info.group };
            text = text.and(Look::Strong, heading).then("\n");
            group = Some(&info.group);
        }
        let indent = names + 4;
        text = text.then("  ").and(Look::Rule, &format!("{:names$}", info.usage())).then("  ");
        for (k, line) in entry(info, indent, width).iter().enumerate() {
            text.plain(&" ".repeat(if k == 0 { 0 } else { indent }));
            text.append(line);
            text.plain("\n");
        }
    }
    text
}

/// A rule's laws, or what it does, and what qualifies it: on the same line where there is room.
fn entry(info: &RuleInfo, indent: usize, width: usize) -> Vec<Styled> {
    let about = info.purpose();
    let mut lines: Vec<Styled> = match info.laws.is_empty() {
        true => block(Look::Aside, about, indent, width),
        false => info.laws.iter().flat_map(|law| block(Look::Plain, law, indent, width)).collect(),
    };
    let Some(text) = qualifiers(info) else { return lines };
    match lines.last_mut() {
        Some(last) if indent + last.width() + 2 + text.chars().count() <= width => {
            last.plain("  ");
            last.push(Look::Aside, &text);
        }
        _ => lines.extend(block(Look::Aside, &text, indent, width)),
    }
    lines
}

/// Text in lines of at most `width` that leave room for `indent` blanks.
pub(super) fn block(look: Look, text: &str, indent: usize, width: usize) -> Vec<Styled> {
    let mut lines: Vec<String> = Vec::new();
    let room = width.saturating_sub(indent).max(30);
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| Styled::of(look, line)).collect()
}

/// All about one rule.
pub fn rule(RulePage { info, source, relations }: &RulePage, width: usize) -> Styled {
    let mut text = Styled::of(Look::Rule, &info.usage()).then("\n");
    let mut put = |look: Look, indent: usize, part: &str| {
        for line in block(look, part, indent, width) {
            text.plain(&" ".repeat(indent));
            text.append(&line.then("\n"));
        }
    };
    info.laws.iter().for_each(|law| put(Look::Plain, 2, law));
    for (condition, meaning) in info.conditions.iter().zip(info.meanings()) {
        put(Look::Plain, 2, &format!("where {condition}"));
        meaning.iter().for_each(|meaning| put(Look::Aside, 4, meaning));
    }
    put(Look::Plain, 2, &meaning(info.exactness));
    let allowed = if info.unchecked { "unchecked; " } else { "" };
    put(Look::Plain, 2, &format!("{allowed}{}", info.state.get()));
    put(Look::Plain, 2, &format!("source: {source}"));
    for paragraph in [vec![info.doc.clone()], among_others(relations)] {
        let lines: Vec<Styled> = paragraph.iter().flat_map(|part| block(Look::Plain, part, 0, width)).collect();
        text.plain(if lines.is_empty() { "" } else { "\n" });
        lines.into_iter().for_each(|line| text.append(&line.then("\n")));
    }
    match &relations.example {
        Some(example) => text.append(&instance(example, width)),
        None => {
            text.plain("\n");
            block(Look::Aside, NO_EXAMPLE, 0, width).into_iter().for_each(|line| text.append(&line.then("\n")));
        }
    }
    text
}

const NO_EXAMPLE: &str = "no example: it applies to none of the terms that were made from left sides";

/// What a rule may enable, and what takes it back.
fn among_others(RuleRelations { enables, open, undone_by, .. }: &RuleRelations) -> Vec<String> {
    let of = |wanted: EnablingChance| {
        enables.iter().filter(move |(_, chance)| *chance == wanted).map(|(name, _)| name.as_str())
    };
    let around = open.then_some("any rule around what it leaves, which may have any form");
    let parts = [
        ("enables, if their conditions hold", of(EnablingChance::Fits).collect::<Vec<_>>()),
        ("may enable", of(EnablingChance::May).chain(around).collect()),
        ("undone by", undone_by.iter().map(Name::as_str).collect()),
    ];
    parts
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(what, names)| format!("{what}: {}", listed(names)))
        .collect()
}

fn instance(example: &Example, width: usize) -> Styled {
    let mut text = Styled::of(Look::Strong, "\nexample\n");
    for (sign, term) in [("-", &example.before), ("+", &example.after)] {
        for (k, line) in open_term(term, &example.scope, width.saturating_sub(4)).lines().iter().enumerate() {
            text.plain(&if k == 0 { format!("  {sign} ") } else { "    ".to_owned() });
            text.append(line);
            text.plain("\n");
        }
    }
    text
}

/// Conditions, exactness and what testing came to, where there is something to say.
fn qualifiers(info: &RuleInfo) -> Option<String> {
    let mut parts = Vec::new();
    if !info.conditions.is_empty() {
        parts.push(format!("where {}", info.conditions.join(", ")));
    }
    if info.exactness != Exactness::Exact {
        parts.push(info.exactness.to_string());
    }
    if !matches!(info.state.get(), SoundnessState::Tested(_)) {
        parts.push(info.standing().to_owned());
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn meaning(exactness: Exactness) -> String {
    let words = match exactness {
        Exactness::Exact => "the same floating-point result",
        Exactness::RealExact => "equal over the reals; NaN, infinities and signed zeros may differ",
        Exactness::Reassociating => "rounds differently",
    };
    format!("{exactness}: {words}")
}
