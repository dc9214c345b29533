//! A derivation step by step, for texts that are read from the top: notes and papers.

use std::rc::Rc;

use super::Told;
use crate::cost::Poly;
use crate::derivation::{Derivation, Row};
use crate::ground::{Budget, StopReason};
use crate::render::Excerpts;
use crate::term::Term;

/// Tables of stages have so many rows, or those of the outermost.
const ROWS: usize = 40;

/// A step.
pub(super) struct Note {
    pub number: usize,
    /// The rule, as users write it, with its mark.
    pub rule: String,
    /// Its law; nothing for one without another name.
    pub law: String,
    /// Where the redex stands, in words; empty at the root.
    pub place: String,
    /// The work before and after.
    pub work: (Rc<Poly>, Rc<Poly>),
    /// The terms before and after.
    pub terms: [Term; 2],
}

/// What is told of a derivation.
pub(super) struct Notes<'a> {
    pub told: &'a Told,
    pub derivation: &'a Derivation,
    pub budget: &'a Budget,
}

impl Notes<'_> {
    pub fn count(&self) -> usize {
        self.derivation.steps().len()
    }

    /// The stages with what they did.
    pub fn rows(&self) -> Result<Vec<Row>, StopReason> {
        self.derivation.overview(self.derivation.stages().tops(), ROWS, self.budget)
    }

    /// Tells each step, with its terms as `width` has room, the redex and the contractum marked.
    pub fn each(&self, width: usize, mut tell: impl FnMut(&Note, Excerpts)) -> Result<(), StopReason> {
        let mut printer = Excerpts::printer(width);
        for (k, step) in self.derivation.steps().iter().enumerate() {
            self.budget.step()?;
            let terms = [self.derivation.term(k), self.derivation.term(k + 1)];
            let note = Note {
                number: k + 1,
                rule: format!("{}{}", step.rule(), step.rule().mark()),
                law: step.rule().law_for(&step.redex),
                place: step.path().display(&terms[0]),
                work: (self.derivation.work(k), self.derivation.work(k + 1)),
                terms,
            };
            let shown = Excerpts::of([&note.terms[0], &note.terms[1]], &step.path(), &mut printer);
            tell(&note, shown);
        }
        Ok(())
    }
}
