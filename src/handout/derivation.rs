//! A derivation as JSON: its first term, and what each step changes of the blocks before it.

use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::sheet::{Blocks, edits, quote};
use crate::cost::Poly;
use crate::derivation::Derivation;
use crate::ground::{Budget, StopReason};
use crate::render::{leading, polynomial};
use crate::strategy::Step;
use crate::syntax::{Sheet, print_type};

/// What is told of a derivation besides its steps.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// What it is called.
    pub title: String,
    /// The model and its definition.
    pub model: String,
    /// The schedule, as it was written.
    pub schedule: String,
    /// The limit that ended it, if one did.
    pub stopped: Option<String>,
    /// The text of the model's file.
    pub source: Option<String>,
    /// The text of the script that the schedule is from.
    pub script: Option<String>,
}

/// The sizes at which works are compared.
const SIZE: u64 = 1000;

/// Formulas of more characters are told by their leading terms.
const LONG: usize = 200;

/// A derivation as an object of JSON. What a limit ended, which is asked for each
/// step, isn't written.
pub fn derivation(told: &Told, derivation: &Derivation, budget: &Budget) -> Result<String, StopReason> {
    let mut writer = Writer::default();
    let first = writer.sheet.write(&derivation.term(0));
    let number = writer.blocks.number(&writer.sheet, first, budget)?;
    let work = writer.work(derivation, 0, budget)?;
    let (mut steps, mut now) = (String::new(), first);
    for (k, step) in derivation.steps().iter().enumerate() {
        now = writer.step(derivation, (k, step), now, &mut steps, budget)?;
    }
    let stages = writer.stages(derivation, budget)?;
    let mut out = String::from("{");
    let ty = print_type(derivation.term(0).ty());
    for (name, text) in [("title", &told.title), ("model", &told.model), ("schedule", &told.schedule), ("type", &ty)] {
        field(&mut out, name, |out| quote(out, text));
    }
    for (name, text) in [("stopped", &told.stopped), ("source", &told.source), ("script", &told.script)] {
        field(&mut out, name, |out| match text {
            None => out.push_str("null"),
            Some(text) => quote(out, text),
        });
    }
    field(&mut out, "first", |out| _ = write!(out, "{number}"));
    field(&mut out, "work", |out| _ = write!(out, "{work}"));
    field(&mut out, "blocks", |out| out.push_str(&writer.blocks.into_json()));
    for (name, list) in
        [("rules", writer.rules.text), ("works", writer.works.text), ("steps", steps), ("stages", stages)]
    {
        field(&mut out, name, |out| _ = write!(out, "[{list}]"));
    }
    out.push_str("\n}\n");
    Ok(out)
}

fn field(out: &mut String, name: &str, value: impl FnOnce(&mut String)) {
    _ = write!(out, "{}\"{name}\": ", if out.len() == 1 { "\n" } else { ",\n" });
    value(out);
}

/// What is written once, and then known by its number.
#[derive(Default)]
struct List {
    text: String,
    numbers: FxHashMap<String, usize>,
}

impl List {
    fn number(&mut self, item: String) -> usize {
        let next = self.numbers.len();
        match self.numbers.get(&item) {
            Some(known) => *known,
            None => {
                next_item(&mut self.text);
                self.text.push_str(&item);
                self.numbers.insert(item, next);
                next
            }
        }
    }
}

fn next_item(text: &mut String) {
    if !text.is_empty() {
        text.push_str(",\n");
    }
}

#[derive(Default)]
struct Writer {
    sheet: Sheet,
    blocks: Blocks,
    rules: List,
    works: List,
    /// The work that was asked for last, and its number: many steps don't change it.
    last: Option<(Rc<Poly>, usize)>,
}

impl Writer {
    /// Writes a step, before which a block stands; gives the one behind it.
    fn step(
        &mut self,
        derivation: &Derivation,
        (k, step): (usize, &Step),
        before: u32,
        out: &mut String,
        budget: &Budget,
    ) -> Result<u32, StopReason> {
        budget.tick()?;
        let address = step.path().address(&derivation.term(k));
        let after = self.sheet.write(&derivation.term(k + 1));
        let edits = edits(&self.sheet, before, after, budget)?;
        let rule = self.rules.number(rule(step));
        let work = self.work(derivation, k + 1, budget)?;
        next_item(out);
        _ = write!(out, "[{rule},");
        quote(out, &address);
        _ = write!(out, ",{work},0,[");
        for (k, (parts, block)) in edits.into_iter().enumerate() {
            out.push_str(if k == 0 { "[" } else { ",[" });
            parts.iter().for_each(|part| _ = write!(out, "{part},"));
            let block = self.blocks.number(&self.sheet, block, budget)?;
            _ = write!(out, "{block}]");
        }
        out.push_str("]]");
        Ok(after)
    }

    /// The number of the work after so many steps.
    fn work(&mut self, derivation: &Derivation, after: usize, budget: &Budget) -> Result<usize, StopReason> {
        budget.tick()?;
        let work = derivation.work(after);
        if let Some((known, number)) = &self.last
            && Rc::ptr_eq(known, &work)
        {
            return Ok(*number);
        }
        let number = self.works.number(height(&work));
        self.last = Some((work, number));
        Ok(number)
    }

    /// The stages, each before those in it; one in pieces is there as often.
    fn stages(&mut self, derivation: &Derivation, budget: &Budget) -> Result<String, StopReason> {
        let mut out = String::new();
        let whole = 0..derivation.steps().len();
        for top in derivation.stages().tops() {
            self.stage(derivation, *top, (0, &whole), &mut out, budget)?;
        }
        Ok(out)
    }

    fn stage(
        &mut self,
        derivation: &Derivation,
        number: usize,
        (depth, within): (usize, &Range<usize>),
        out: &mut String,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let stage = derivation.stages().stage(number);
        let title = derivation.stages().title(number);
        let inside = |piece: &&Range<usize>| within.start <= piece.start && piece.end <= within.end;
        for piece in stage.pieces.iter().filter(inside) {
            budget.tick()?;
            let work = (self.work(derivation, piece.start, budget)?, self.work(derivation, piece.end, budget)?);
            next_item(out);
            out.push_str("{\"title\": ");
            quote(out, &title);
            _ = write!(
                out,
                ", \"depth\": {depth}, \"start\": {}, \"end\": {}, \"work\": [{}, {}]}}",
                piece.start, piece.end, work.0, work.1
            );
            for part in &stage.parts {
                self.stage(derivation, *part, (depth + 1, piece), out, budget)?;
            }
        }
        Ok(())
    }
}

/// What is told of a step's rule.
fn rule(step: &Step) -> String {
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
        "law": rule.law_for(&step.redex),
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
    let full = if full.chars().count() > LONG { &leading } else { &full };
    let height = match work.is_vast() {
        true => serde_json::Value::Null,
        false => {
            let exact = libm::log10((work.at(|_| SIZE).max(1)) as f64);
            serde_json::json!(libm::round(exact * 1000.0) / 1000.0)
        }
    };
    serde_json::json!([full, leading, height]).to_string()
}
