//! Looks at one rule on one term: finds where it applies, or where it nearly does and what would make it.

mod nearest;
mod remedy;

use crate::redex::{Finder, Redex, RuleFamily, site};
use crate::rule::{Focus, Rule, RuleExplanation, RuleMismatch};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Program, Term};

use nearest::NearMatchSurvey;
use remedy::RemedySearch;

/// So many places where the rule applies are told.
const MAX_APPLYING_PLACES: usize = 20;

/// So many places where it nearly does.
const MAX_NEAREST: usize = 3;

/// So many rewrites that make it apply.
const MAX_REMEDIES: usize = 3;

/// The places where a rule applies to a term, or why it doesn't.
#[derive(Clone, Debug)]
pub struct RuleAnswer {
    /// The rule as it was asked for; without its arguments, its usage.
    pub rule: String,
    /// Its laws as written.
    pub laws: Vec<String>,
    /// Its conditions as written.
    pub conditions: Vec<String>,
    /// The whole term.
    pub program: Program,
    /// The place that was asked about.
    pub at: Option<Path>,
    /// Where it applies, there and below: the first places.
    pub applies: Vec<Redex>,
    /// Whether those are all.
    pub all: bool,
    /// Where it nearly applies, the best first: at the place that was named, unless it applies there; and where it applies
    /// nowhere below, at the nearest places below.
    pub nearest: Vec<NearMatch>,
    /// The other places that have the rule's outermost constructor, counted by what is in the way, the most frequent
    /// first.
    pub others: Vec<(String, usize)>,
    /// The places that haven't.
    pub apart: usize,
    /// What that constructor is called, where no place has it and the rule has a law.
    pub lacks: Option<&'static str>,
    /// Rewrites by another rule after which it applies at one of the nearest places, or at what these become; the best
    /// first. There may be others.
    pub remedies: Vec<Remedy>,
    /// So many times a rule was tried.
    pub tried: u64,
    /// Why the search ended early: the answer is what was known by then.
    pub stopped: Option<StopReason>,
}

/// A place where a rule nearly applies.
#[derive(Clone, Debug)]
pub struct NearMatch {
    /// The rule, with its arguments.
    pub rule: Rule,
    /// Where.
    pub path: Path,
    /// The subterm there.
    pub term: Term,
    /// What is in the way.
    pub explanation: RuleExplanation,
    /// The rule with other arguments, which applies there.
    pub other: Option<Rule>,
}

/// A rewrite after which a rule applies.
#[derive(Clone, Debug)]
pub struct Remedy {
    /// The rewrite.
    pub redex: Redex,
    /// The place where the rule nearly applies before.
    pub near: Path,
    /// The rule that applies after it, with its arguments.
    pub rule: Rule,
    /// Where it does.
    pub path: Path,
    /// Whether the whole takes more work after the rewrite.
    pub costs: bool,
}

impl RuleAnswer {
    /// Whether the rule applies at the place that was named, or anywhere where none was.
    pub fn does_apply(&self) -> bool {
        match &self.at {
            Some(at) => self.applies.iter().any(|redex| redex.path == *at),
            None => !self.applies.is_empty(),
        }
    }
}

/// Finds where a rule applies, at a place and below it or anywhere, or why it doesn't. `all` are the rules of which one may
/// make it apply; where there are none, that isn't looked for. A place that isn't there has no answer but an empty one.
pub fn rule_at(
    rule: &RuleFamily,
    program: &Program,
    at: Option<&Path>,
    all: &[RuleFamily],
    budget: &Budget,
) -> RuleAnswer {
    let mut answer = RuleAnswer {
        rule: rule.to_string(),
        laws: rule.info().laws.clone(),
        conditions: rule.info().conditions.clone(),
        program: program.clone(),
        at: at.cloned(),
        applies: Vec::new(),
        all: true,
        nearest: Vec::new(),
        others: Vec::new(),
        apart: 0,
        lacks: None,
        remedies: Vec::new(),
        tried: 0,
        stopped: None,
    };
    answer.stopped = answer.find(rule, all, budget).err();
    answer
}

impl RuleAnswer {
    fn find(&mut self, rule: &RuleFamily, all: &[RuleFamily], budget: &Budget) -> Result<(), StopReason> {
        let start = self.at.clone().unwrap_or_default();
        let mut finder = Finder::new(vec![rule.clone()]);
        let redexes = finder.below(&self.program, &start, MAX_APPLYING_PLACES, budget);
        self.tried = finder.tried();
        let redexes = redexes?;
        (self.applies, self.all) = (redexes.found, redexes.all);
        if self.does_apply() || site(&self.program.term, &start).is_none() {
            return Ok(());
        }
        let mut survey = NearMatchSurvey::new(rule, &self.program, budget);
        let surveyed = match (&self.at, self.applies.is_empty()) {
            (Some(at), false) => survey.place(at),
            (Some(at), true) => survey.place(at).and_then(|()| survey.below(at)),
            (None, _) => survey.below(&start),
        };
        self.tried += survey.tried();
        (self.nearest, self.others, self.apart) = survey.done();
        surveyed?;
        if self.nearest.is_empty() {
            self.lacks = self.missing(rule, &start)?;
        }
        if all.is_empty() {
            return Ok(());
        }
        let mut search = RemedySearch::new(rule, &self.program, all, budget);
        let searched = search.remedies(&self.nearest, self.applies.is_empty());
        self.tried += search.tried();
        self.remedies = search.done();
        searched
    }
}

impl RuleAnswer {
    /// What the outermost constructor is called that isn't at a place.
    fn missing(&mut self, rule: &RuleFamily, place: &Path) -> Result<Option<&'static str>, StopReason> {
        let Some((context, term)) = site(&self.program.term, place) else { return Ok(None) };
        self.tried += 1;
        let focus = Focus::new(&term, &context, &self.program.bounds);
        Ok(match rule.rules()[0].explain(&focus)?.map(|explanation| explanation.mismatch) {
            Some(RuleMismatch::Form(form)) => Some(form.noun),
            _ => None,
        })
    }
}

/// The first of a family's rules that makes another term of this one.
fn applying(rule: &RuleFamily, focus: &Focus) -> Result<Option<Rule>, StopReason> {
    Ok(rule.first(focus, &mut 0)?.map(|(rule, _)| rule))
}
