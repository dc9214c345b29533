//! The rule book for reading.

use std::rc::Rc;

use super::open_term;
use super::theme::{Look, paint};
use crate::rule::{Exactness, Example, RuleInfo, State};

/// Rules under the headings of their groups, their laws beside their names.
pub fn rules(all: &[Rc<RuleInfo>], width: usize, colour: bool) -> String {
    let names = all.iter().map(|info| info.usage().chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut group: Option<&str> = None;
    for info in all {
        if group != Some(&info.group) {
            let heading = if info.group.is_empty() { "defined here" } else { &info.group };
            text.push_str(&(paint(Look::Strong, heading, colour) + "\n"));
            group = Some(&info.group);
        }
        let indent = names + 4;
        let body = entry(info, indent, width, colour).concat();
        let name = paint(Look::Rule, &format!("{:names$}", info.usage()), colour);
        text.push_str(&format!("  {name}  {}", body.trim_start()));
    }
    text
}

/// A rule's laws, or what it does, and what qualifies it: on the same line where there is room.
fn entry(info: &RuleInfo, indent: usize, width: usize, colour: bool) -> Vec<String> {
    let about = info.doc.split_inclusive(['.', '\n']).next().unwrap_or("").trim();
    let mut lines: Vec<String> = match info.laws.is_empty() {
        true => block(Look::Aside, about, indent, width, colour),
        false => info.laws.iter().flat_map(|law| block(Look::Plain, law, indent, width, colour)).collect(),
    };
    let Some(text) = qualifiers(info) else { return lines };
    match lines.last_mut() {
        Some(last) if last.chars().count() + 1 + text.chars().count() <= width => {
            *last = format!("{}  {}\n", last.trim_end(), paint(Look::Aside, &text, colour));
        }
        _ => lines.extend(block(Look::Aside, &text, indent, width, colour)),
    }
    lines
}

/// Text in lines of at most `width`, all of them behind `indent` blanks.
fn block(look: Look, text: &str, indent: usize, width: usize, colour: bool) -> Vec<String> {
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
    lines.iter().map(|line| format!("{:indent$}{}\n", "", paint(look, line, colour))).collect()
}

/// All about one rule.
pub fn rule(info: &RuleInfo, example: Option<&Example>, width: usize, colour: bool) -> String {
    let mut text = paint(Look::Rule, &info.usage(), colour) + "\n";
    let mut put = |indent: usize, part: &str| {
        block(Look::Plain, part, indent, width, colour).iter().for_each(|line| text.push_str(line));
    };
    info.laws.iter().for_each(|law| put(2, law));
    info.conditions.iter().for_each(|condition| put(2, &format!("where {condition}")));
    put(2, &meaning(info.exactness));
    let allowed = if info.unchecked { "unchecked; " } else { "" };
    put(2, &format!("{allowed}{}", info.state.get()));
    if !info.doc.trim().is_empty() {
        text.push('\n');
        block(Look::Plain, &info.doc, 0, width, colour).iter().for_each(|line| text.push_str(line));
    }
    if let Some(example) = example {
        text.push_str(&instance(example, width, colour));
    }
    text
}

/// The rule at work.
fn instance(example: &Example, width: usize, colour: bool) -> String {
    let mut text = paint(Look::Strong, "\nexample\n", colour);
    for (sign, term) in [("-", &example.before), ("+", &example.after)] {
        let shown = open_term(term, &example.scope, width.saturating_sub(4), colour);
        text.push_str(&format!("  {sign} {}\n", shown.replace('\n', "\n    ")));
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
    if !matches!(info.state.get(), State::Tested(_)) {
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
