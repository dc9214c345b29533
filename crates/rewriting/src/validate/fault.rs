//! Describes what is wrong with a derivation: a `Fault` is the first step that is wrong.

use crate::rule::{Exactness, Rule};
use crate::sound::{self, Difference};
use crate::strategy::Step;
use redexter_language::eval::value_to_json;
use redexter_language::ground::text::shortened;
use redexter_language::ground::{Budget, Diagnostic, StopReason, code};
use redexter_language::syntax::{Style, print_term};
use redexter_language::term::{Program, Term};

/// Terms and values are shown in so many columns.
const SHOWN: usize = 300;

/// The first step that is wrong.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Its number, from 1; 0 where the first term is wrong.
    pub step: usize,
    /// Its rule.
    pub rule: Option<Rule>,
    /// Where it was taken, as an address; empty at the root.
    pub place: String,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// A flaw: what is wrong with a step.
#[derive(Clone, Debug)]
pub enum Flaw {
    /// What it rewrites doesn't stand where it was taken.
    Elsewhere,
    /// What it leads to has no type, or another one: what it is.
    IllTyped(String),
    /// Redex and contractum give different results.
    Differs(Case),
    /// Each step alone gives the same, but the whole term, up to this step, doesn't.
    Whole(Case),
}

/// Inputs on which two programs differ.
#[derive(Clone, Debug)]
pub struct Case {
    /// In this sense.
    pub exactness: Exactness,
    /// What was compared: before and after.
    pub programs: [Program; 2],
    /// The inputs and what both give.
    pub difference: Box<Difference>,
}

impl Case {
    /// The same programs on simpler inputs, of which so many are tried.
    pub(super) fn shrunk(
        [before, after]: [&Program; 2],
        exactness: Exactness,
        difference: Box<Difference>,
        tries: u32,
        budget: &Budget,
    ) -> Result<Case, StopReason> {
        let difference = sound::simplest([before, after], exactness, difference, tries, budget)?;
        Ok(Case { exactness, programs: [before.clone(), after.clone()], difference })
    }

    /// The inputs as a JSON object, which `evaluate` takes; under D each real with its tangent.
    pub fn inputs(&self) -> String {
        self.difference.inputs_json(&self.programs[0])
    }

    /// Both programs, each on one line.
    pub fn shown(&self) -> [String; 2] {
        self.programs.each_ref().map(|program| print_term(&program.term, &Style { width: usize::MAX }))
    }

    /// The results of both.
    pub fn results(&self) -> [String; 2] {
        [&self.difference.left, &self.difference.right].map(value_to_json)
    }

    fn lines(&self) -> [String; 3] {
        let [before, after] = self.shown().map(|text| shortened(&text, SHOWN));
        let [left, right] = self.results().map(|text| shortened(&text, SHOWN));
        let d = if self.difference.under_d { "D of " } else { "" };
        let inputs = shortened(&self.inputs(), SHOWN);
        [
            format!("before    {before}"),
            format!("after     {after}"),
            format!("on {inputs}, {d}the first gives {left}, {d}the second {right} ({})", self.exactness),
        ]
    }
}

impl Fault {
    /// A fault of the step with this number, less one, which was taken in this term.
    pub(super) fn at(k: usize, step: &Step, whole: &Term, flaw: Flaw) -> Fault {
        let place = step.path().address(whole);
        Fault { step: k + 1, rule: Some(step.rule().clone()), place, flaw }
    }

    pub(super) fn of_the_start(why: String) -> Fault {
        Fault { step: 0, rule: None, place: String::new(), flaw: Flaw::IllTyped(why) }
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
        let explained = |what: &str, case: &Case| case.lines().into_iter().fold(finding(what), Diagnostic::help);
        match &self.flaw {
            Flaw::Elsewhere => finding("rewrites a term that does not stand there"),
            Flaw::IllTyped(why) if self.rule.is_none() => finding("is ill-typed").help(why.clone()),
            Flaw::IllTyped(why) => finding(&format!("leads to {why}")),
            Flaw::Differs(case) => explained("changes what the term means", case),
            Flaw::Whole(case) => explained("leads to a term with other results than the first one has", case),
        }
    }
}
