//! Describes a derivation step by step, for texts that are read from the top: the Markdown notes and the LaTeX paper.

use std::rc::Rc;

use super::HandoutInfo;
use crate::render::{Excerpts, leading};
use redexter_language::cost::Poly;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Term};
use redexter_rewriting::derivation::{Derivation, OverviewRow};
use redexter_rewriting::why::{OriginFinder, RedexOrigin};

/// The most rows of a table of stages; the outermost stages are always shown.
const MAX_ROWS: usize = 40;

/// A step, described.
pub(super) struct StepNote {
    pub number: usize,
    /// What is said of the steps between the one told before and this one, if there are any.
    pub left_out: Option<String>,
    /// The rule, as users write it, with its mark.
    pub rule: String,
    /// Its law; nothing for one without another name.
    pub law: String,
    /// Where the redex stands, in words; empty at the root.
    pub place: String,
    /// The way there.
    pub path: Path,
    /// The number of the step that made its redex, if one did.
    pub maker: Option<usize>,
    /// The work before and after.
    pub work: (Rc<Poly>, Rc<Poly>),
    /// The terms before and after.
    pub terms: [Term; 2],
}

/// A stage, described.
pub(super) struct StageNote {
    pub depth: usize,
    pub title: String,
    /// Its first and its last step, where it is in one piece; else how many steps there are in how many pieces.
    pub steps: Result<(usize, usize), String>,
    /// The leading terms of the work before, where that changed, and after; none where they aren't known.
    pub work: Option<(Option<String>, String)>,
}

/// The leading terms of a work before, where it changed, and after.
fn leading_terms(before: &Poly, after: &Poly) -> (Option<String>, String) {
    ((before != after).then(|| leading(before)), leading(after))
}

/// What is said of the steps between two that are told, if there are any.
fn left_out(last: Option<usize>, next: usize) -> Option<String> {
    match (last? + 1, next - 1) {
        (first, end) if first == end => Some(format!("Step {end} is left out.")),
        (first, end) => (first < end).then(|| format!("Steps {first} to {end} are left out.")),
    }
}

/// A derivation that is described step by step.
pub(super) struct DerivationNotes<'a> {
    pub told: &'a HandoutInfo,
    pub derivation: &'a Derivation,
    pub budget: &'a Budget,
}

impl StageNote {
    /// Of a stage in a derivation before which so many steps were taken.
    fn of(row: OverviewRow, before: usize) -> StageNote {
        let steps = match row.pieces {
            1 => Ok((before + row.span.start + 1, before + row.span.end)),
            pieces => Err(format!("{} in {pieces} pieces", row.steps)),
        };
        let work = row.work.map(|(before, after)| leading_terms(&before, &after));
        StageNote { depth: row.depth, title: row.title, steps, work }
    }
}

impl DerivationNotes<'_> {
    pub fn count(&self) -> usize {
        self.derivation.steps().len()
    }

    /// How many steps are told, where this is a part of a derivation.
    pub fn told_count(&self) -> Option<usize> {
        self.told.part.as_ref().map(|_| (0..self.count()).filter(|k| self.tells(*k)).count())
    }

    /// How many steps of the derivation of which this is a part were taken before.
    fn before(&self) -> usize {
        self.told.part.as_ref().map_or(0, |part| part.before)
    }

    /// Whether a step is told, counted from 0.
    fn tells(&self, k: usize) -> bool {
        self.told.part.as_ref().is_none_or(|part| part.told.iter().any(|piece| piece.contains(&k)))
    }

    /// The stages that have told steps, with what they did.
    pub fn stages(&self) -> Result<Vec<StageNote>, StopReason> {
        let rows = self.derivation.overview(self.derivation.stages().tops(), MAX_ROWS, self.budget)?;
        let is_told = |row: &OverviewRow| self.told.part.is_none() || row.span.clone().any(|k| self.tells(k));
        let told = rows.into_iter().filter(is_told);
        Ok(told.map(|row| StageNote::of(row, self.before())).collect())
    }

    /// The work before and after all steps.
    pub fn work(&self) -> (Option<String>, String) {
        leading_terms(&self.derivation.work(0), &self.derivation.work(self.count()))
    }

    /// The name of the term that is rewritten: the definition's, or else the title.
    pub fn model(&self) -> &str {
        if self.told.model.is_empty() { &self.told.title } else { &self.told.model }
    }

    /// Tells each step that is told, with its terms as `width` has room, the redex and the contractum marked.
    pub fn each(&self, width: usize, mut tell: impl FnMut(&StepNote, Excerpts)) -> Result<(), StopReason> {
        let mut printer = Excerpts::printer(width);
        self.notes(|note| {
            let shown = Excerpts::of([&note.terms[0], &note.terms[1]], &note.path, &mut printer);
            tell(note, shown);
        })
    }

    /// Describes each step that is told.
    pub fn notes(&self, mut tell: impl FnMut(&StepNote)) -> Result<(), StopReason> {
        let origins = OriginFinder::new(self.derivation, &self.told.bounds, self.budget);
        let told = self.derivation.steps().iter().enumerate().filter(|(k, _)| self.tells(*k));
        let mut last = None;
        for (k, step) in told {
            self.budget.step()?;
            let terms = [self.derivation.term(k), self.derivation.term(k + 1)];
            let number = self.before() + k + 1;
            let note = StepNote {
                number,
                left_out: left_out(last.replace(number), number),
                rule: format!("{}{}", step.rule(), step.rule().mark()),
                law: step.rule().law_for(&step.redex),
                maker: match origins.of_step(k, 0)? {
                    RedexOrigin::Step(maker) => Some(self.before() + maker + 1),
                    RedexOrigin::First | RedexOrigin::Earlier => None,
                },
                place: Path::shortened(&step.path().display(&terms[0])),
                work: (self.derivation.work(k), self.derivation.work(k + 1)),
                path: step.path().clone(),
                terms,
            };
            tell(&note);
        }
        Ok(())
    }
}
