//! Compares one step where it was taken: redex and contractum run as programs of the variables that they mention. Where one of
//! these is a function, or the rule looks at what stands around the redex, more of the whole is taken.

use super::fault::DifferingCase;
use super::known::AgreedPairs;
use super::program;
use crate::rule::{ContextUse, Exactness, Frame};
use crate::sound::{self, ComparisonPlan, SEED, Zipper};
use crate::strategy::Step;
use redexter_language::ground::{Budget, Name, StopReason, Trouble};
use redexter_language::term::{Program, SizeBounds, Term, Type, TypeView};

/// One run at each of these sizes.
const SIZES: &[u64] = &[0, 1, 2, 3];

/// Sides of at most so many nodes together run more often, because that costs little, and an index has to be drawn that shows
/// what is wrong.
const SMALL_NODES: u64 = 100;

/// One run of these at each of these sizes.
const SIZES_OF_SMALL: &[u64] = &[0, 1, 2, 3, 2, 3, 3, 2, 3, 3, 3, 3];

/// While both sides run at a size, the budget's watch may be asked so often; larger sizes are left out.
const MAX_ASKS: u64 = 195;

/// So many simpler inputs are tried.
const MAX_SHRINK_TRIES: u32 = 200;

/// So many runs that agree tell that a difference came from what was left out around it: those at all sizes but the least.
const ENOUGH_RUNS: usize = 3;

/// A step in the whole term before it.
pub(super) struct StepSite<'a> {
    step: &'a Step,
    place: Zipper,
}

/// The result of comparing a step.
pub(super) enum StepVerdict {
    /// It agreed in so many runs.
    Same(usize),
    /// No run told anything.
    Nothing,
    /// It differs.
    Differs(DifferingCase),
}

impl<'a> StepSite<'a> {
    /// `None` where the redex isn't in its place.
    pub(super) fn find(step: &'a Step, whole: &Term) -> Option<StepSite<'a>> {
        let place = Zipper::at(whole, &step.path())?;
        (place.here == step.redex).then_some(StepSite { step, place })
    }

    pub(super) fn sides(&self) -> (&'a Term, &'a Term) {
        (&self.step.redex, &self.step.contractum)
    }

    /// The whole term after the step; or why there is none.
    pub(super) fn after(&self) -> Result<Term, String> {
        self.place.whole(&self.step.contractum)
    }

    /// Both sides with what stands around them from this depth on, as programs; `None` where these take or give functions.
    fn pair(&self, depth: usize, bounds: &SizeBounds) -> Option<[Program; 2]> {
        let before = self.place.above.get(depth).map_or(&self.step.redex, |frame| &frame.term);
        let binders = |frame: &Frame| {
            let name = frame.term.kind().hint().cloned().unwrap_or_else(|| Name::new("x"));
            (0..frame.term.binders(frame.kid)).map(move |_| name.clone())
        };
        let names: Vec<Name> = self.place.above[..depth].iter().flat_map(binders).collect();
        if !is_data_or_takes_it(before.ty()) {
            return None;
        }
        let (pair, _) = sound::closed([before, &self.place.with(&self.step.contractum, depth).ok()?], &names)?;
        Some(pair.map(|term| program(&term, bounds)))
    }

    /// Compares both sides at the redex, or as little further out as tells something. A difference is none where the rule looks
    /// at what stands around and more of it, with both sides in it, gives the same.
    pub(super) fn told(
        &self,
        bounds: &SizeBounds,
        known: &mut AgreedPairs,
        budget: &Budget,
    ) -> Result<StepVerdict, StopReason> {
        let info = self.step.rule().info();
        let looks_around = self.step.rule().footprint().context != ContextUse::Nothing;
        let mut first: Option<DifferingCase> = None;
        for depth in depths(self.place.above.len()) {
            let Some(pair) = self.pair(depth, bounds) else { continue };
            if let Some(runs) = known.get(info.exactness, &pair).filter(|runs| first.is_none() || *runs >= ENOUGH_RUNS)
            {
                return Ok(StepVerdict::Same(runs));
            }
            match compared(&pair, info.exactness, budget)? {
                PairComparison::Same(runs) if first.is_none() || runs >= ENOUGH_RUNS => {
                    if first.is_none() {
                        known.insert(info.exactness, &pair, runs);
                    }
                    return Ok(StepVerdict::Same(runs));
                }
                // A rule that looks at the redex alone must keep its meaning; one that looks around may be right only there.
                PairComparison::Differs(case) if !looks_around || depth == 0 => {
                    return Ok(StepVerdict::Differs(first.unwrap_or(case)));
                }
                PairComparison::Differs(case) => first = first.or(Some(case)),
                PairComparison::Same(_) | PairComparison::Nothing => {}
            }
        }
        Ok(StepVerdict::Nothing)
    }
}

/// The depths at which a step is compared, in turn: at the redex, then ever further out, twice as far each time.
fn depths(redex: usize) -> impl Iterator<Item = usize> {
    let out = std::iter::successors(Some(1), |by: &usize| by.checked_mul(2)).take_while(move |by| *by < redex);
    std::iter::once(redex).chain(out.map(move |by| redex - by)).chain((redex > 0).then_some(0))
}

/// The result of comparing two programs.
enum PairComparison {
    Same(usize),
    Nothing,
    Differs(DifferingCase),
}

fn compared(pair: &[Program; 2], exactness: Exactness, budget: &Budget) -> Result<PairComparison, StopReason> {
    let [before, after] = pair;
    // Asked here, because the runs may be so short that none of them does.
    budget.ask()?;
    let sizes =
        if before.term.size().saturating_add(after.term.size()) <= SMALL_NODES { SIZES_OF_SMALL } else { SIZES };
    let test = ComparisonPlan { exactness, sizes, dual_runs: 0, seed: SEED, most: MAX_ASKS, hints: None };
    match sound::compare(before, after, &test, budget) {
        Ok(found) => match found.difference {
            Some(difference) => DifferingCase::shrunk([before, after], exactness, difference, MAX_SHRINK_TRIES, budget)
                .map(PairComparison::Differs),
            None if found.runs.is_empty() => Ok(PairComparison::Nothing),
            None => Ok(PairComparison::Same(found.runs.len())),
        },
        Err(Trouble::Stopped { reason, .. }) => unless_it_ends_all(reason).map(|()| PairComparison::Nothing),
        Err(Trouble::Wrong(_)) => Ok(PairComparison::Nothing),
    }
}

/// Runs that are too large tell nothing; time, memory and interrupts end everything.
pub(super) fn unless_it_ends_all(reason: StopReason) -> Result<(), StopReason> {
    match reason {
        StopReason::Interrupted | StopReason::Time(_) | StopReason::Memory(_) => Err(reason),
        _ => Ok(()),
    }
}

/// Data, or a function from data to such.
fn is_data_or_takes_it(ty: &Type) -> bool {
    let mut here = ty.clone();
    while let TypeView::Fun(from, to) = here.view().clone() {
        if from.has_function() {
            return false;
        }
        here = to;
    }
    !here.has_function()
}
