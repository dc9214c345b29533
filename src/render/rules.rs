//! The rule book for reading.

use std::rc::Rc;

use super::open_term;
use super::theme::{Look, paint};
use crate::rule::{Exactness, Example, RuleInfo};

/// Rules under the headings of their groups, a line for each law.
pub fn rules(all: &[Rc<RuleInfo>], colour: bool) -> String {
    let width = all.iter().map(|info| info.usage().chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut group: Option<&str> = None;
    for info in all {
        if group != Some(&info.group) {
            let heading = if info.group.is_empty() { "defined here" } else { &info.group };
            text.push_str(&(paint(Look::Strong, heading, colour) + "\n"));
            group = Some(&info.group);
        }
        let name = paint(Look::Rule, &format!("{:width$}", info.usage()), colour);
        let gap = " ".repeat(width);
        for (k, law) in info.laws.iter().enumerate() {
            let lead = if k == 0 { &name } else { &gap };
            let tail = if k + 1 == info.laws.len() { qualifiers(info) } else { String::new() };
            text.push_str(&format!("  {lead}  {law}{}\n", paint(Look::Aside, &tail, colour)));
        }
        if info.laws.is_empty() {
            let about = info.doc.split_inclusive(['.', '\n']).next().unwrap_or("").trim();
            text.push_str(&format!("  {name}  {}\n", paint(Look::Aside, about, colour)));
        }
    }
    text
}

/// All about one rule.
pub fn rule(info: &RuleInfo, example: Option<&Example>, width: usize, colour: bool) -> String {
    let mut text = paint(Look::Rule, &info.usage(), colour) + "\n";
    info.laws.iter().for_each(|law| text.push_str(&format!("  {law}\n")));
    info.conditions.iter().for_each(|condition| text.push_str(&format!("  where {condition}\n")));
    text.push_str(&format!("  {}{}\n", meaning(info.exactness), if info.unchecked { ", not checked" } else { "" }));
    if !info.doc.trim().is_empty() {
        text.push('\n');
        info.doc.trim().lines().for_each(|line| text.push_str(&(line.trim().to_owned() + "\n")));
    }
    if let Some(example) = example {
        text.push_str(&instance(example, width, colour));
    }
    text
}

/// The rule at work.
fn instance(example: &Example, width: usize, colour: bool) -> String {
    let mut text = paint(Look::Strong, "\nexample\n", colour);
    for (sign, term) in [("-", &example.redex), ("+", &example.contractum)] {
        let shown = open_term(term, &example.scope, width.saturating_sub(4), colour);
        text.push_str(&format!("  {sign} {}\n", shown.replace('\n', "\n    ")));
    }
    text
}

fn qualifiers(info: &RuleInfo) -> String {
    let mut text = String::new();
    if !info.conditions.is_empty() {
        text.push_str(&format!("  where {}", info.conditions.join(", ")));
    }
    if info.exactness != Exactness::Exact {
        text.push_str(&format!("  {}", info.exactness));
    }
    text
}

fn meaning(exactness: Exactness) -> String {
    let words = match exactness {
        Exactness::Exact => "the same floating-point result",
        Exactness::RealExact => "equal over the reals; NaN, infinities and signed zeros may differ",
        Exactness::Reassociating => "rounds differently",
    };
    format!("{exactness}: {words}")
}
