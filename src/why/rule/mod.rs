//! One rule on one term: where it applies, or where it nearly does.

use crate::ground::{Budget, StopReason};
use crate::redex::{Family, Finder, Redex};
use crate::rule::{Explanation, Rule};
use crate::term::{Path, Program, Term};

/// Why a rule doesn't apply to a term, or where it does.
#[derive(Clone, Debug)]
pub struct RuleAnswer {
    /// The rule as it was asked for: of several choices of arguments, its usage.
    pub rule: String,
    /// Its laws as written, and its conditions.
    pub laws: Vec<String>,
    pub conditions: Vec<String>,
    /// The whole term.
    pub program: Program,
    /// The place that was asked about.
    pub at: Option<Path>,
    /// Where it applies, there and below: the first places.
    pub applies: Vec<Redex>,
    /// Whether those are all.
    pub all: bool,
    /// Unless it applies at the place itself or, where none was named, anywhere: the nearest matches, the best first; of a
    /// place that was named, that of the place, and others only where it applies nowhere below.
    pub nearest: Vec<Near>,
    /// The other places, counted by what is in the way, the most frequent first.
    pub others: Vec<(String, usize)>,
    /// What would make it apply at the first of the nearest, where that is known; the best first.
    pub remedies: Vec<Remedy>,
    /// So many times a rule was tried.
    pub tried: u64,
    /// Why the search ended early.
    pub stopped: Option<StopReason>,
}

/// A place where a rule nearly applies.
#[derive(Clone, Debug)]
pub struct Near {
    /// The rule, with its arguments.
    pub rule: Rule,
    /// Where.
    pub path: Path,
    /// The subterm there.
    pub term: Term,
    /// What is in the way.
    pub explanation: Explanation,
    /// The rule with other arguments, which applies there.
    pub other: Option<Rule>,
}

/// A rewrite after which the rule applies.
#[derive(Clone, Debug)]
pub struct Remedy {
    /// The rewrite.
    pub redex: Redex,
    /// The rule that applies after it, with its arguments, and where.
    pub rule: Rule,
    pub path: Path,
    /// Whether the work is more after the rewrite.
    pub costs: bool,
}

/// Why a rule doesn't apply at a place and below it, or anywhere; `all` are the rules that are tried to make it apply.
pub fn rule_at(rule: &Family, program: &Program, at: Option<&Path>, _all: &[Family], budget: &Budget) -> RuleAnswer {
    let mut finder = Finder::new(vec![rule.clone()]);
    let start = at.cloned().unwrap_or_default();
    let found = finder.below(program, &start, 20, budget);
    let (applies, all, stopped) = match found {
        Ok(redexes) => (redexes.found, redexes.all, None),
        Err(reason) => (Vec::new(), false, Some(reason)),
    };
    let [first, others @ ..] = rule.rules() else { unreachable!("a family has a rule") };
    let info = rule.info();
    RuleAnswer {
        rule: if others.is_empty() { first.to_string() } else { info.usage() },
        laws: info.laws.clone(),
        conditions: info.conditions.clone(),
        program: program.clone(),
        at: at.cloned(),
        applies,
        all,
        nearest: Vec::new(),
        others: Vec::new(),
        remedies: Vec::new(),
        tried: finder.tried(),
        stopped,
    }
}
