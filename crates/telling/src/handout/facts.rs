//! Collects the rules and the works of a derivation as JSON. Each is written once; the steps refer to it by its number.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::render::{leading, polynomial};
use redexter_language::cost::Poly;
use redexter_rewriting::rule::Rule;
use redexter_rewriting::strategy::Step;

/// The value of every size at which the chart shows a work.
const CHART_SIZE: u64 = 1000;

/// Formulas of more characters are shown by their leading terms.
const MAX_FORMULA_CHARS: usize = 200;

/// Adds the separator between an item and those before it.
pub(super) fn next_item(text: &mut String) {
    if !text.is_empty() {
        text.push_str(",\n");
    }
}

/// The rules of steps, with the laws that fitted.
#[derive(Default)]
pub(super) struct RuleTable {
    text: String,
    count: usize,
    /// The rules that are written, with their numbers, by the law that fitted.
    known: FxHashMap<String, Vec<(Rule, usize)>>,
}

impl RuleTable {
    /// The number of a step's rule.
    pub(super) fn number(&mut self, step: &Step) -> usize {
        let law = step.rule().law_for(&step.redex);
        let known = self.known.get(&law).and_then(|all| all.iter().find(|(rule, _)| rule == step.rule()));
        if let Some((_, number)) = known {
            return *number;
        }
        let number = self.count;
        self.count += 1;
        next_item(&mut self.text);
        self.text.push_str(&rule(step, &law));
        self.known.entry(law).or_default().push((step.rule().clone(), number));
        number
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// The works of terms.
#[derive(Default)]
pub(super) struct WorkTable {
    text: String,
    numbers: FxHashMap<String, usize>,
    /// The one that was asked for last, and its number: many steps don't change it.
    last: Option<(Rc<Poly>, usize)>,
}

impl WorkTable {
    /// The number of a work.
    pub(super) fn number(&mut self, work: Rc<Poly>) -> usize {
        if let Some((known, number)) = &self.last
            && Rc::ptr_eq(known, &work)
        {
            return *number;
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(height(&work)).or_insert_with_key(|item| {
            next_item(&mut self.text);
            self.text.push_str(item);
            next
        });
        self.last = Some((work, number));
        number
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// Describes a step's rule.
fn rule(step: &Step, law: &str) -> String {
    let (rule, info) = (step.rule(), step.rule().info());
    let conditions: Vec<String> = info
        .conditions
        .iter()
        .zip(info.meanings())
        .map(|(condition, meaning)| match meaning {
            Some(meaning) => format!("{condition}: {meaning}"),
            None => condition.clone(),
        })
        .collect();
    serde_json::json!({
        "name": format!("{rule}{}", rule.mark()),
        "law": law,
        "conditions": conditions,
        "summary": summary(&info.doc),
        "exactness": info.exactness.to_string(),
    })
    .to_string()
}

/// The first sentence of a rule's documentation.
fn summary(doc: &str) -> String {
    let doc = doc.split_whitespace().collect::<Vec<_>>().join(" ");
    doc.split_inclusive(". ").next().unwrap_or("").trim_end().to_owned()
}

/// A work: the formula, its leading terms, and how high it stands in a chart.
fn height(work: &Poly) -> String {
    let (full, leading) = (polynomial(work), leading(work));
    let full = if full.chars().count() > MAX_FORMULA_CHARS { &leading } else { &full };
    let height = match work.is_vast() || work.is_unknown() {
        true => serde_json::Value::Null,
        false => {
            let exact = libm::log10((work.at(|_| CHART_SIZE).max(1)) as f64);
            serde_json::json!(libm::round(exact * 1000.0) / 1000.0)
        }
    };
    serde_json::json!([full, leading, height]).to_string()
}
