//! Describes what is wrong with a derivation: a `DerivationFault` is the first step that is wrong.

use crate::rule::{Exactness, Rule};
use crate::sound::{self, Difference};
use crate::strategy::Step;
use redexter_language::eval::value_to_json;
use redexter_language::ground::text::shortened;
use redexter_language::ground::{Budget, Diagnostic, StopReason, code};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::{Program, Term};

/// Terms and values are shown in so many columns.
const MAX_SHOWN_COLUMNS: usize = 300;

/// The first step that is wrong.
#[derive(Clone, Debug)]
pub struct DerivationFault {
    /// Its number, from 1; 0 where the first term is wrong.
    pub step: usize,
    /// Its rule.
    pub rule: Option<Rule>,
    /// Where it was taken, as an address; empty at the root.
    pub place: String,
    /// What is wrong with it.
    pub flaw: StepFlaw,
}

/// A flaw: what is wrong with a step.
#[derive(Clone, Debug)]
pub enum StepFlaw {
    /// What it rewrites doesn't stand where it was taken.
    Elsewhere,
    /// What it leads to has no type, or another one: what it is.
    IllTyped(String),
    /// Redex and contractum give different results.
    Differs(DifferingCase),
    /// Each step alone gives the same, but the whole term, up to this step, doesn't.
    Whole(DifferingCase),
}

/// Inputs on which two programs differ.
#[derive(Clone, Debug)]
pub struct DifferingCase {
    /// In this sense.
    pub exactness: Exactness,
    /// What was compared: before and after.
    pub programs: [Program; 2],
    /// The inputs and what both give.
    pub difference: Box<Difference>,
}

impl DifferingCase {
    /// The same programs on simpler inputs, of which so many are tried.
    pub(super) fn shrunk(
        [before, after]: [&Program; 2],
        exactness: Exactness,
        difference: Box<Difference>,
        tries: u32,
        budget: &Budget,
    ) -> Result<DifferingCase, StopReason> {
        let difference = sound::simplest([before, after], exactness, difference, tries, budget)?;
        Ok(DifferingCase { exactness, programs: [before.clone(), after.clone()], difference })
    }

    /// The inputs as a JSON object, which `evaluate` takes; under D each real with its tangent.
    pub fn inputs(&self) -> String {
        self.difference.inputs_json(&self.programs[0])
    }

    /// Both programs, each on one line.
    pub fn shown(&self) -> [String; 2] {
        self.programs.each_ref().map(|program| print_term(&program.term, &PrintStyle { width: usize::MAX }))
    }

    /// The results of both.
    pub fn results(&self) -> [String; 2] {
        [&self.difference.left, &self.difference.right].map(value_to_json)
    }

    fn lines(&self) -> [String; 3] {
        let [before, after] = self.shown().map(|text| shortened(&text, MAX_SHOWN_COLUMNS));
        let [left, right] = self.results().map(|text| shortened(&text, MAX_SHOWN_COLUMNS));
        let d = if self.difference.under_d { "D of " } else { "" };
        let inputs = shortened(&self.inputs(), MAX_SHOWN_COLUMNS);
        [
            format!("before    {before}"),
            format!("after     {after}"),
            format!("on {inputs}, {d}the first gives {left}, {d}the second {right} ({})", self.exactness),
        ]
    }
}

impl DerivationFault {
    /// A fault of the step with this number, less one, which was taken in this term.
    pub(super) fn at(k: usize, step: &Step, whole: &Term, flaw: StepFlaw) -> DerivationFault {
        let place = step.path().address(whole);
        DerivationFault { step: k + 1, rule: Some(step.rule().clone()), place, flaw }
    }

    pub(super) fn of_the_start(why: String) -> DerivationFault {
        DerivationFault { step: 0, rule: None, place: String::new(), flaw: StepFlaw::IllTyped(why) }
    }

    /// Puts into words what is wrong.
    pub fn finding(&self) -> Diagnostic {
        let at = match self.place.as_str() {
            "" | "." => String::new(),
            place => format!(" at {place}"),
        };
        let step = match &self.rule {
            Some(rule) => format!("step {}, `{rule}`{at},", self.step),
            None => "the first term".to_owned(),
        };
        let finding = |what: &str| Diagnostic::error(code::INVALID_STEP, format!("{step} {what}"));
        let explained =
            |what: &str, case: &DifferingCase| case.lines().into_iter().fold(finding(what), Diagnostic::help);
        match &self.flaw {
            StepFlaw::Elsewhere => finding("rewrites a term that does not stand there"),
            StepFlaw::IllTyped(why) if self.rule.is_none() => finding("is ill-typed").help(why.clone()),
            StepFlaw::IllTyped(why) => finding(&format!("leads to {why}")),
            StepFlaw::Differs(case) => explained("changes what the term means", case),
            StepFlaw::Whole(case) => explained("leads to a term with other results than the first one has", case),
        }
    }
}
