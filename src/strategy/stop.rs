//! Runs that a limit ended: what they had come to, and what kept them busy.

use std::rc::Rc;

use crate::ground::{StopReason, Trouble};
use crate::rule::Rule;
use crate::term::{Bounds, Term};

use super::run::Work;
use super::trace::Trace;

/// What goes on and on shows in so many steps.
const RECENT: usize = 1_000;

/// So many strategies within one another are named, the innermost ones and the outermost.
const NAMED: usize = 4;

/// So much is shown of the name of a strategy with its arguments.
const BRIEF: usize = 60;

/// A run that a limit ended: what it had come to.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The limit.
    pub reason: StopReason,
    /// The term then. Each step keeps what a term means, so that it is as right as the first one.
    pub term: Term,
    /// How it came about.
    pub trace: Trace,
    /// The named strategies that were running, outermost first.
    pub within: Rc<[Rc<str>]>,
}

impl Stop {
    /// Whether the term then is at least as good as the first one.
    pub fn is_no_worse(&self, bounds: &Bounds, work: Work) -> bool {
        work(&self.term, bounds) <= work(&self.trace.start, bounds)
    }

    /// The rule that rewrote most often in the last steps, and how often: among the last thousand, where what went
    /// on and on shows.
    pub fn busiest(&self) -> Option<(&Rule, usize)> {
        let mut counts: Vec<(&Rule, usize)> = Vec::new();
        for step in self.trace.steps.iter().rev().take(RECENT) {
            match counts.iter_mut().find(|(rule, _)| *rule == step.rule()) {
                Some((_, count)) => *count += 1,
                None => counts.push((step.rule(), 1)),
            }
        }
        counts.into_iter().reduce(|most, next| if next.1 > most.1 { next } else { most })
    }

    /// The stage and the rule to look at.
    pub fn help(&self) -> Vec<String> {
        let busiest = match (self.busiest(), self.trace.steps.len()) {
            (None, _) => "no rule rewrote anything".to_owned(),
            (Some((rule, _)), 1) => format!("`{rule}` rewrote once"),
            (Some((rule, count)), all @ ..=RECENT) => format!("`{rule}` rewrote {count} of {all} times"),
            (Some((rule, count)), _) => format!("`{rule}` rewrote {count} of the last {RECENT} times"),
        };
        self.stage().into_iter().chain([busiest]).collect()
    }

    /// `it was in hoist of fastGradient`.
    fn stage(&self) -> Option<String> {
        let mut names: Vec<String> = self.within.iter().rev().map(|name| format!("`{}`", brief(name))).collect();
        if names.len() > NAMED {
            names.splice(NAMED - 1..names.len() - 1, ["…".to_owned()]);
        }
        (!names.is_empty()).then(|| format!("it was in {}", names.join(" of ")))
    }
}

/// A name, its end left out where it is long.
fn brief(name: &str) -> String {
    match name.char_indices().nth(BRIEF) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

impl From<Box<Stop>> for StopReason {
    fn from(stop: Box<Stop>) -> StopReason {
        stop.reason
    }
}

impl From<&Stop> for Trouble {
    fn from(stop: &Stop) -> Trouble {
        Trouble::Stopped { reason: stop.reason.clone(), help: stop.help() }
    }
}

impl From<Box<Stop>> for Trouble {
    fn from(stop: Box<Stop>) -> Trouble {
        Trouble::from(&*stop)
    }
}
