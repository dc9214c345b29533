//! Validates a derivation as translation validation does: whether it means at its end what it meant at its start, step by step,
//! whatever is believed of the rules.
//!
//! [`validate`] types each step anew (`typed`), and runs redex and contractum on random inputs (`step`), in the sense of the
//! step's rule; then the whole against the first term (`whole`). What differs first is a [`DerivationFault`]. [`against_primal`]
//! compares a derivative with finite differences, in each of its `readings`. This module knows traces and how programs are
//! compared; it knows no sessions and prints nothing.

mod fault;
mod finite;
mod known;
mod readings;
mod step;
mod typed;
mod whole;

pub use fault::{DerivationFault, DifferingCase, StepFlaw};
pub use finite::{Slope, against_primal};
pub use whole::{StrategyCheck, check_strategy};

use crate::precision::PrecisionFinding;
use crate::rule::Exactness;
use crate::strategy::Trace;
use known::AgreedPairs;
use redexter_language::ground::{Budget, Diagnostic, StopReason, Trouble, code};
use redexter_language::term::{Program, SizeBounds, Term};
use step::{StepSite, StepVerdict};
use typed::TypingCheck;
use whole::WholeTerms;

/// So many steps are compared at most; of more, every so many-th.
pub const MAX_COMPARED_STEPS: usize = 10_000;

/// The whole term is typed anew after each so many steps; in between only contractums are, since the rest stays.
const STEPS_PER_TYPING: usize = 64;

/// The result of validating a derivation.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// The steps of the derivation.
    pub steps: usize,
    /// Those that were gone through: each was typed anew.
    pub typed: usize,
    /// Those that were compared.
    pub compared: usize,
    /// Those that were to be compared, but no run told anything.
    pub untold: usize,
    /// On so many random inputs.
    pub runs: usize,
    /// In how many runs whole terms were compared with the first term; and D of the last one.
    pub wholes: (usize, u32),
    /// In how many more a NaN came of a zero times an infinite slope.
    pub steep: u32,
    /// The least exact of the steps' rules.
    pub exactness: Exactness,
    /// The derivative that it was compared as, if it was.
    pub slope: Option<Slope>,
    /// Whether digits are lost, if that was asked for.
    pub precision: Option<PrecisionFinding>,
    /// What is wrong.
    pub fault: Option<Box<DerivationFault>>,
    /// What is wrong as a finding, or the limit that ended it.
    pub trouble: Option<Trouble>,
}

impl Validation {
    /// Whether everything was gone through and nothing is wrong.
    pub fn is_valid(&self) -> bool {
        self.trouble.is_none()
    }

    /// The same, with what was found of lost digits.
    pub fn with_precision(mut self, found: Result<PrecisionFinding, StopReason>) -> Validation {
        match found {
            Ok(found) => {
                self.trouble = found.lost.as_ref().map(|lost| lost.finding().into());
                self.precision = Some(found);
            }
            Err(reason) => self.trouble = Some(reason.into()),
        }
        self
    }

    /// The same, compared with finite differences of a primal in the end.
    pub fn with_slope(mut self, found: Result<Slope, Trouble>) -> Validation {
        match found {
            Ok(slope) => self.slope = Some(slope),
            Err(trouble) => self.trouble = Some(trouble),
        }
        self
    }
}

/// Goes through the steps of a derivation until one is wrong. The bounds are those of the open sizes. The last term is compared
/// with the first one where `ends` says so.
pub fn validate(trace: &Trace, bounds: &SizeBounds, ends: bool, budget: &Budget) -> Validation {
    let mut found = Validation { steps: trace.steps.len(), ..Validation::default() };
    let gone = ValidationRun { trace, bounds, budget, wholes: WholeTerms::new(trace, bounds, ends) }.go(&mut found);
    match gone {
        Ok(None) if found.untold > 0 && found.compared == 0 && found.wholes.0 == 0 => {
            let headline = "no random input tells whether the steps keep what the term means";
            let finding = Diagnostic::error(code::INVALID_STEP, headline);
            found.trouble =
                Some(finding.help("NaN or infinities came of all of them, or the runs were too long").into());
        }
        Ok(None) => {}
        Ok(Some(fault)) => {
            found.trouble = Some(fault.finding().into());
            found.fault = Some(Box::new(fault));
        }
        Err(reason) => found.trouble = Some(reason.into()),
    }
    found
}

/// Whether the step with this number, less one, is among those that are compared.
fn is_chosen(k: usize, of: usize) -> bool {
    // Where the share of the chosen ones rises to another whole number, so that they lie evenly.
    of <= MAX_COMPARED_STEPS || k * MAX_COMPARED_STEPS / of != (k + 1) * MAX_COMPARED_STEPS / of
}

struct ValidationRun<'a> {
    trace: &'a Trace,
    bounds: &'a SizeBounds,
    budget: &'a Budget,
    wholes: WholeTerms<'a>,
}

impl ValidationRun<'_> {
    fn go(mut self, found: &mut Validation) -> Result<Option<DerivationFault>, StopReason> {
        let (mut typing, mut known) = (TypingCheck::default(), AgreedPairs::default());
        let mut whole = self.trace.start.clone();
        if let Err(why) = typing.check(&whole, self.budget)? {
            return Ok(Some(DerivationFault::of_the_start(why)));
        }
        for (k, step) in self.trace.steps.iter().enumerate() {
            self.budget.step_to(whole.size(), whole.depth())?;
            let fault = |flaw| Ok(Some(DerivationFault::at(k, step, &whole, flaw)));
            let Some(site) = StepSite::find(step, &whole) else { return fault(StepFlaw::Elsewhere) };
            let next = match self.typed(&site, &mut typing)? {
                Ok(next) => next,
                Err(why) => return fault(StepFlaw::IllTyped(why)),
            };
            found.typed += 1;
            found.exactness = found.exactness.max(step.rule().info().exactness);
            if is_chosen(k, found.steps) {
                match site.told(self.bounds, &mut known, self.budget)? {
                    StepVerdict::Same(runs) => (found.compared, found.runs) = (found.compared + 1, found.runs + runs),
                    StepVerdict::Nothing => found.untold += 1,
                    StepVerdict::Differs(case) => return fault(StepFlaw::Differs(case)),
                }
            }
            whole = next;
            if let Err(why) = self.kept(k + 1, &whole, &mut typing)? {
                return Ok(Some(DerivationFault::at(k, step, &whole, StepFlaw::IllTyped(why))));
            }
            if let Some(fault) = self.wholes.after(k + 1, &whole, found, self.budget)? {
                return Ok(Some(fault));
            }
        }
        Ok(None)
    }

    /// The whole term after a step, each type in the contractum worked out anew.
    fn typed(&self, site: &StepSite, typing: &mut TypingCheck) -> Result<Result<Term, String>, StopReason> {
        let (redex, contractum) = site.sides();
        if contractum.ty() != redex.ty() {
            return Ok(Err(format!("a term of another type, {}", contractum.ty())));
        }
        Ok(typing.check(contractum, self.budget)?.and_then(|()| site.after()))
    }

    fn kept(&self, after: usize, whole: &Term, typing: &mut TypingCheck) -> Result<Result<(), String>, StopReason> {
        match after.is_multiple_of(STEPS_PER_TYPING) || after == self.trace.steps.len() {
            true => typing.check(whole, self.budget),
            false => Ok(Ok(())),
        }
    }
}

/// A closed term as a program.
fn program(term: &Term, bounds: &SizeBounds) -> Program {
    Program { term: term.clone(), bounds: bounds.clone() }
}
