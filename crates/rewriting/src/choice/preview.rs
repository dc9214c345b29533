//! Previews a strategy: runs it to see what it would come to, and changes nothing.

use std::rc::Rc;

use crate::strategy::{self, Outcome, Strategy, Trace};
use redexter_language::cost::{Poly, WorkMeter, cheaper_total};
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, Diagnostic, Trouble};
use redexter_language::term::Program;

/// A run of a strategy that changes nothing.
#[derive(Clone, Debug)]
pub struct Preview {
    /// The strategy as it prints.
    pub strategy: String,
    /// How it ends.
    pub end: PreviewEnd,
    /// Its steps up to there; none where it fails.
    pub trace: Trace,
    /// The term after them.
    pub after: Program,
    /// The work of the term before and after them.
    pub work: (Rc<Poly>, Rc<Poly>),
    /// How often each rule rewrote, the most often first.
    pub rules: Vec<(String, usize)>,
}

/// How a run ends.
#[derive(Clone, Debug)]
pub enum PreviewEnd {
    /// It is done.
    Done,
    /// It fails.
    Failed {
        /// Why.
        reason: String,
        /// What to try.
        remedy: String,
    },
    /// It comes back to a term that it had before.
    Looping(Diagnostic),
    /// A limit ends it.
    Stopped(Trouble),
}

/// Runs a strategy on a program; an error if it can't end.
pub fn preview(strategy: &Strategy, program: &Program, budget: &Budget) -> Result<Preview, Diagnostic> {
    strategy::check_ends(strategy)?;
    let nothing = || Trace { start: program.term.clone(), steps: Vec::new() };
    let (end, after, trace) = match strategy::run(strategy, program, budget, cheaper_total) {
        Ok(run) => match run.outcome {
            Outcome::Success(term) => (PreviewEnd::Done, term, run.trace),
            Outcome::Failure(reason) => {
                let end = PreviewEnd::Failed {
                    reason: reason.to_string(),
                    remedy: strategy::remedy(strategy, program, false, budget),
                };
                (end, program.term.clone(), nothing())
            }
            Outcome::Looping(cycle) => {
                let after = strategy::replay(&run.trace).unwrap_or_else(|_| program.term.clone());
                (PreviewEnd::Looping(cycle.diagnostic()), after, run.trace)
            }
        },
        Err(stop) => (PreviewEnd::Stopped(Trouble::from(&*stop)), stop.term.clone(), stop.trace),
    };
    let fired = strategy::fired(&trace.steps).into_iter();
    let mut rules: Vec<(String, usize)> = fired.map(|(rule, count)| (rule.to_string(), count)).collect();
    rules.order_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut meter = WorkMeter::default();
    let mut work = |term| Rc::new(meter.total(term));
    let work = (work(&program.term), work(&after));
    Ok(Preview { strategy: strategy.to_string(), end, trace, after: program.with(after), work, rules })
}
