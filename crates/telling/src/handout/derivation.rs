//! Writes a derivation as JSON: its first term, and for each step the blocks of the term that it replaces.

use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;

use super::facts::{RuleTable, WorkTable, next_item};
use super::patched_block::{BlockPatch, PatchedBlock};
use super::sheet::{BlockTable, quote};
use redexter_language::ground::text::visible;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::syntax::{Sheet, print_type};
use redexter_language::term::{Path, SizeBounds, Term};
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::strategy::Step;
use redexter_rewriting::why::{OriginFinder, RedexOrigin};

/// A derivation with the texts that accompany it.
pub type TitledDerivation<'a> = (&'a HandoutInfo, &'a Derivation);

/// The texts that accompany a derivation: names, sources, and how it ended.
#[derive(Clone, Debug, Default)]
pub struct HandoutInfo {
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
    /// Lower bounds of the open sizes, which rules may ask about.
    pub bounds: SizeBounds,
    /// Which steps of a longer derivation it tells, if it is a part of one.
    pub part: Option<HandoutPart>,
}

/// Which steps of a longer derivation are told.
#[derive(Clone, Debug, Default)]
pub struct HandoutPart {
    /// How many steps of the longer derivation were taken before.
    pub before: usize,
    /// The steps that are told of those that are left, counted from 0. Pages tell those between them, too.
    pub told: Vec<Range<usize>>,
}

impl HandoutPart {
    /// The steps from the first of these pieces to the last one as a derivation of their own, and what is to be said of it.
    /// The pieces are counted from 0, in the order of their beginnings, and lie in the derivation; the addresses mean them.
    pub fn of(
        whole: &Derivation,
        (addresses, pieces): (&str, &[Range<usize>]),
        told: HandoutInfo,
    ) -> (HandoutInfo, Derivation) {
        let before = pieces.first().map_or(0, |piece| piece.start);
        let end = pieces.iter().map(|piece| piece.end).max().unwrap_or(0);
        let steps = match (before + 1, end) {
            (first, last) if first == last => format!("step {last}"),
            (first, last) => format!("steps {first} to {last}"),
        };
        let title = format!("{}: {addresses}, {steps} of {}", told.title, whole.steps().len());
        let derivation = Derivation::of_run(&told.schedule, Rc::new(whole.trace(before..end)));
        let pieces = pieces.iter().map(|piece| piece.start - before..piece.end - before).collect();
        (HandoutInfo { title, part: Some(HandoutPart { before, told: pieces }), ..told }, derivation)
    }
}

/// A derivation as an object of JSON. The limits are asked at each step: where one ends the writing, that is the error.
pub fn derivation(told: &HandoutInfo, derivation: &Derivation, budget: &Budget) -> Result<String, StopReason> {
    let mut sheet = Sheet::default();
    let first = sheet.write(&derivation.term(0));
    let mut writer = DerivationWriter {
        of: derivation,
        budget,
        sheet,
        tree: PatchedBlock::of(first),
        blocks: BlockTable::default(),
        rules: RuleTable::default(),
        works: WorkTable::default(),
        after: Vec::new(),
    };
    let number = writer.blocks.number(&writer.sheet, first, budget)?;
    writer.work(0)?;
    let origins = OriginFinder::new(derivation, &told.bounds, budget);
    let mut steps = String::new();
    for (k, step) in derivation.steps().iter().enumerate() {
        let why = origins.of_step(k, 0)?;
        writer.step((k, step), why, &mut steps)?;
    }
    let stages = writer.stages()?;
    let mut out = String::from("{");
    let ty = print_type(derivation.term(0).ty());
    for (name, text) in [("title", &told.title), ("model", &told.model), ("schedule", &told.schedule), ("type", &ty)] {
        field(&mut out, name, |out| quote(out, &visible(text)));
    }
    for (name, text) in [("stopped", &told.stopped), ("source", &told.source), ("script", &told.script)] {
        field(&mut out, name, |out| match text {
            None => out.push_str("null"),
            Some(text) => quote(out, &visible(text)),
        });
    }
    field(&mut out, "first", |out| _ = write!(out, "{number}"));
    field(&mut out, "work", |out| _ = write!(out, "{}", writer.after[0]));
    field(&mut out, "blocks", |out| out.push_str(&writer.blocks.into_json()));
    for (name, list) in
        [("rules", writer.rules.text()), ("works", writer.works.text()), ("steps", &steps), ("stages", &stages)]
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

/// Writes the parts of a derivation, in this order: steps, then stages, which name the works that the steps noted.
struct DerivationWriter<'a> {
    of: &'a Derivation,
    budget: &'a Budget,
    sheet: Sheet,
    /// The term after the last step.
    tree: PatchedBlock,
    blocks: BlockTable,
    rules: RuleTable,
    works: WorkTable,
    /// The number of the work after each count of steps, from 0 on.
    after: Vec<usize>,
}

impl DerivationWriter<'_> {
    /// Writes a step.
    fn step(&mut self, (k, step): (usize, &Step), why: RedexOrigin<usize>, out: &mut String) -> Result<(), StopReason> {
        self.budget.tick()?;
        let (before, path) = (self.of.term(k), step.path());
        let edits = self.edits(&before, &self.of.term(k + 1), &path)?;
        let rule = self.rules.number(step);
        self.work(k + 1)?;
        next_item(out);
        _ = write!(out, "[{rule},");
        quote(out, &path.address(&before));
        _ = write!(out, ",{},", self.after[k + 1]);
        match why {
            RedexOrigin::First => out.push('0'),
            RedexOrigin::Step(k) => _ = write!(out, "{}", k + 1),
            RedexOrigin::Earlier => out.push_str("null"),
        }
        out.push_str(",[");
        for (k, (parts, block)) in edits.into_iter().enumerate() {
            out.push_str(if k == 0 { "[" } else { ",[" });
            parts.iter().for_each(|part| _ = write!(out, "{part},"));
            let block = self.blocks.number(&self.sheet, block, self.budget)?;
            _ = write!(out, "{block}]");
        }
        out.push_str("]]");
        Ok(())
    }

    /// The blocks that a rewrite replaces. Where its place isn't found among them, the whole term is written
    /// anew.
    fn edits(&mut self, before: &Term, after: &Term, path: &Path) -> Result<Vec<BlockPatch>, StopReason> {
        let anew = self.sheet.rewritten(before, after, path);
        let place = anew.and_then(|anew| Some((self.tree.find(&self.sheet, &anew)?, anew.block)));
        let (way, block) = place.unwrap_or_else(|| (Vec::new(), self.sheet.write(after)));
        self.tree.put(&self.sheet, way, block, self.budget)
    }

    /// Notes the work after so many steps, which is asked for in their order.
    fn work(&mut self, after: usize) -> Result<(), StopReason> {
        self.budget.tick()?;
        let number = self.works.number(self.of.work(after));
        self.after.push(number);
        Ok(())
    }

    /// The stages, each before those in it. A stage whose steps lie in several pieces is written once for each piece.
    fn stages(&self) -> Result<String, StopReason> {
        let mut out = String::new();
        let whole = 0..self.of.steps().len();
        for top in self.of.stages().tops() {
            self.stage(*top, (0, &whole), &mut out)?;
        }
        Ok(out)
    }

    fn stage(
        &self,
        number: usize,
        (depth, within): (usize, &Range<usize>),
        out: &mut String,
    ) -> Result<(), StopReason> {
        let stage = self.of.stages().stage(number);
        let title = self.of.stages().title(number);
        let inside = |piece: &&Range<usize>| within.start <= piece.start && piece.end <= within.end;
        for piece in stage.pieces.iter().filter(inside) {
            self.budget.tick()?;
            next_item(out);
            out.push_str("{\"title\": ");
            quote(out, &title);
            let (Range { start, end }, works) = (piece, [piece.start, piece.end].map(|after| self.after[after]));
            _ = write!(out, ", \"depth\": {depth}, \"start\": {start}, \"end\": {end}, \"work\": {works:?}}}");
            for part in &stage.parts {
                self.stage(*part, (depth + 1, piece), out)?;
            }
        }
        Ok(())
    }
}
