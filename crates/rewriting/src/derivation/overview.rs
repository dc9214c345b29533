//! Sums up what a derivation did in so many rows: its stages, and those within them as far as there is room.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::Derivation;
use redexter_language::cost::Poly;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, StopReason};

/// A stage with what it did.
#[derive(Clone, Debug)]
pub struct OverviewRow {
    /// How deep it stands in what is shown.
    pub depth: usize,
    /// Its name, with the number of its piece.
    pub title: String,
    /// From its first step to its last, less one.
    pub span: Range<usize>,
    /// The number of pieces in which it is.
    pub pieces: usize,
    /// The number of its steps.
    pub steps: usize,
    /// How many rules they are by.
    pub rules: usize,
    /// How many stages are in it that aren't shown.
    pub hidden: usize,
    /// The work before it and after it, if it is in one piece.
    pub work: Option<(Rc<Poly>, Rc<Poly>)>,
}

impl Derivation {
    /// These stages and what is in them, the outermost first, in so many rows or in as few as these stages take. Asks for
    /// the work of a term at each of their ends, which counts as a step.
    pub fn overview(&self, stages: &[usize], rows: usize, budget: &Budget) -> Result<Vec<OverviewRow>, StopReason> {
        let mut open = vec![false; self.stages().len()];
        let (mut shown, mut level) = (stages.len(), stages.to_vec());
        while !level.is_empty() {
            // Level by level, so that stages further out are opened first.
            let mut next = Vec::new();
            for number in level {
                let parts = &self.stages().stage(number).parts;
                if !parts.is_empty() && shown + parts.len() <= rows {
                    open[number] = true;
                    shown += parts.len();
                    next.extend(parts);
                }
            }
            level = next;
        }
        let mut all = Vec::new();
        for number in stages {
            self.rows(*number, 0, &open, budget, &mut all)?;
        }
        Ok(all)
    }

    fn rows(
        &self,
        number: usize,
        depth: usize,
        open: &[bool],
        budget: &Budget,
        all: &mut Vec<OverviewRow>,
    ) -> Result<(), StopReason> {
        let stage = self.stages().stage(number);
        let span = stage.span();
        let work = match stage.pieces.len() {
            1 => Some(self.works(&span, budget)?),
            _ => None,
        };
        all.push(OverviewRow {
            depth,
            title: self.stages().title(number),
            pieces: stage.pieces.len(),
            steps: stage.count(),
            rules: self.rules(&stage.pieces).len(),
            hidden: if open[number] { 0 } else { stage.parts.len() },
            span,
            work,
        });
        if open[number] {
            stage.parts.iter().try_for_each(|part| self.rows(*part, depth + 1, open, budget, all))?;
        }
        Ok(())
    }

    /// The work before and after these steps.
    pub fn works(&self, span: &Range<usize>, budget: &Budget) -> Result<(Rc<Poly>, Rc<Poly>), StopReason> {
        budget.step()?;
        let before = self.work(span.start);
        budget.step()?;
        Ok((before, self.work(span.end)))
    }

    /// Counts how many of these steps each rule took, the most first.
    pub fn rules(&self, pieces: &[Range<usize>]) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<&str, (String, usize)> = BTreeMap::new();
        for step in pieces.iter().flat_map(|piece| &self.steps()[piece.clone()]) {
            let name = step.rule().info().name.as_str();
            counts.entry(name).or_insert_with(|| (name.to_owned(), 0)).1 += 1;
        }
        let mut all: Vec<(String, usize)> = counts.into_values().collect();
        all.order_by_key(|(_, count)| std::cmp::Reverse(*count));
        all
    }
}
