//! Warns of what is odd about a strategy before it runs: loops that depend on the term, and parts that can't do anything.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::data::{Strategy, StrategyDefinition, StrategyForm};
use super::foretold::{always_fails, changes_nothing, never_fails, repeated};
use super::unary::Unary;
use super::visit::{VisitedPart, alternatives, own_parts, parts, rules_in};
use crate::rule::{Pattern, Rule, covers, matches_all, matches_type, restarts, rewrites_type, undone};
use redexter_language::ground::{Diagnostic, DiagnosticCode, code, text::listed};
use redexter_language::term::{Program, Term, Type, TypeView};

/// Warnings about a strategy, and about what it could do on this program.
pub fn lint(strategy: &Strategy, program: Option<&Program>) -> Vec<Diagnostic> {
    if strategy.is_vast() {
        return Vec::new();
    }
    let mut findings = Vec::new();
    // A definition is looked at once, whatever it is given.
    let mut asked: FxHashSet<*const StrategyDefinition> = FxHashSet::default();
    let mut apart = FxHashSet::default();
    for VisitedPart { strategy, forced, .. } in parts(strategy) {
        match strategy.form() {
            StrategyForm::Unary(Unary::Exactly, s) if rules_in(&strategy).is_empty() => findings.extend(inexact(s)),
            StrategyForm::Named(named) if asked.insert(Rc::as_ptr(&named.definition)) => {
                findings.extend(endless(&strategy, &mut apart));
            }
            StrategyForm::Choice(a, b) => findings.extend(choice(a, b)),
            StrategyForm::Seq(a, b) if always_fails(a) => findings.push(unreachable(b, a, "fails on every term")),
            StrategyForm::Unary(Unary::TopDown, s) if never_fails(s) => {
                findings.push(shallow(&strategy, s, "allTopDown"))
            }
            StrategyForm::Unary(Unary::BottomUp, s) if never_fails(s) => {
                findings.push(shallow(&strategy, s, "allBottomUp"))
            }
            // Under `force` a repetition may go on until a limit, so that it isn't warned of.
            _ if !forced => findings.extend(repetition(&strategy)),
            _ => {}
        }
    }
    findings.extend(program.into_iter().flat_map(|program| idle(strategy, program)));
    let mut once: Vec<Diagnostic> = Vec::new();
    findings.into_iter().for_each(|finding| {
        if !once.contains(&finding) {
            once.push(finding);
        }
    });
    once
}

fn warning(code: DiagnosticCode, headline: String, remedy: String) -> Diagnostic {
    Diagnostic::warning(code, headline).help(remedy)
}

fn unreachable(dead: &Strategy, before: &Strategy, why: &str) -> Diagnostic {
    let (dead, before) = (dead.quoted(), before.quoted());
    let headline = format!("{dead} is never tried: {before} before it {why}");
    warning(code::DEAD_BRANCH, headline, format!("drop {dead}, or change {before}"))
}

/// `exactly(s)` where all rules of s change bits.
fn inexact(s: &Strategy) -> Option<Diagnostic> {
    let rules = rules_in(s);
    let named: Vec<String> =
        rules.iter().map(|rule| format!("{} is {}", rule.quoted(), rule.info().exactness)).collect();
    let headline = format!("`{}` rewrites nothing: {}", s.under(Unary::Exactly), listed(named));
    let remedy =
        "drop `exactly`, or give it a rule that is exact: `:rules` and `redexter rules` say which are".to_owned();
    (!rules.is_empty()).then(|| warning(code::DEAD_BRANCH, headline, remedy))
}

/// A traversal to one success of what succeeds at once.
fn shallow(whole: &Strategy, s: &Strategy, all: &str) -> Diagnostic {
    let headline = format!("`{whole}` goes no further than the first place that it looks at: `{s}` never fails");
    warning(code::DEAD_BRANCH, headline, format!("write `{all}({s})` to go on everywhere"))
}

/// Warns of a use of a definition that uses itself on the same term before anything was done.
///
/// `apart`: the definitions without parameters that were seen not to come back to themselves. What leads to one of these is on no
/// way back either, so that each is looked into once.
pub fn endless(whole: &Strategy, apart: &mut FxHashSet<*const StrategyDefinition>) -> Option<Diagnostic> {
    if begins_with_itself(whole, apart) {
        let headline = format!("{} may never end: it uses itself before anything else was done", whole.quoted());
        let remedy = "write what has to succeed first in front, as `s` in `s ;; again`, or use `repeat(s)`".to_owned();
        return Some(warning(code::RESTARTS, headline, remedy));
    }
    if let StrategyForm::Named(named) = whole.form()
        && named.strategies().next().is_none()
    {
        apart.insert(Rc::as_ptr(&named.definition));
    }
    None
}

/// Whether the first that a use of a definition does on some term is to use it again there.
fn begins_with_itself(s: &Strategy, apart: &FxHashSet<*const StrategyDefinition>) -> bool {
    fn begins(
        s: &Strategy,
        of: &Rc<StrategyDefinition>,
        apart: &FxHashSet<*const StrategyDefinition>,
        seen: &mut FxHashSet<*const StrategyDefinition>,
    ) -> bool {
        use Unary::{All, One, Some};
        match s.form() {
            _ if s.is_vast() => false,
            StrategyForm::Named(named) if Rc::ptr_eq(&named.definition, of) && !seen.is_empty() => true,
            StrategyForm::Named(named) => {
                let definition = Rc::as_ptr(&named.definition);
                let is_apart = named.strategies().next().is_none() && apart.contains(&definition);
                !is_apart
                    && seen.insert(definition)
                    && s.definition().is_some_and(|body| begins(&body, of, apart, seen))
            }
            StrategyForm::Choice(a, b) => begins(a, of, apart, seen) || begins(b, of, apart, seen),
            StrategyForm::Seq(a, _) => begins(a, of, apart, seen),
            StrategyForm::Unary(One | All | Some, _) => false,
            StrategyForm::Unary(_, s) => begins(s, of, apart, seen),
            _ => false,
        }
    }
    let StrategyForm::Named(named) = s.form() else { return false };
    begins(s, &named.definition, apart, &mut FxHashSet::default())
}

/// `a <+ b`: what of b has no chance.
fn choice(a: &Strategy, b: &Strategy) -> Vec<Diagnostic> {
    if begins_with_itself(a, &FxHashSet::default()) {
        return Vec::new();
    }
    if never_fails(a) {
        return vec![unreachable(b, a, "never fails")];
    }
    let (earlier, later) = (alternatives(a), alternatives(b));
    let shadow = |late: &Strategy| earlier.iter().find_map(|early| shadows(early, late));
    later.iter().filter_map(shadow).collect()
}

fn shadows(early: &Strategy, late: &Strategy) -> Option<Diagnostic> {
    if early == late && !always_fails(early) {
        let late = late.quoted();
        let headline = format!("{late} stands twice in this choice: where the first fails, the second does");
        return Some(warning(code::SHADOWED, headline, format!("drop the second {late}")));
    }
    let StrategyForm::Rule(special) = late.form() else { return None };
    let covered = match early.form() {
        StrategyForm::Rule(general) => covers(general, special),
        StrategyForm::Match(pattern) => matches_all(pattern, special),
        _ => false,
    };
    covered.then(|| {
        let (early, late) = (early.quoted(), late.quoted());
        let headline = format!("{late} never gets a turn: {early} to its left applies wherever it does");
        warning(code::SHADOWED, headline, format!("put {late} to the left of {early}, or drop it"))
    })
}

/// Warnings of rules that keep a repetition going, whatever else it has; none of what is no repetition.
pub fn repetition(whole: &Strategy) -> Vec<Diagnostic> {
    let Some((inner, reach)) = repeated(whole) else { return Vec::new() };
    let all = alternatives(inner);
    let still = |part: &&Strategy| changes_nothing(part) && !always_fails(part);
    let unchanged = all.iter().filter(still).map(|part| {
        let headline = format!(
            "`{whole}` may never end: {} changes nothing, and where it succeeds it does so again",
            part.quoted()
        );
        warning(code::RESTARTS, headline, format!("write `{part} ;; s` for s where it succeeds, or drop it"))
    });
    let mut findings: Vec<Diagnostic> = unchanged.collect();
    let rules: Vec<Rule> = all.iter().filter_map(Strategy::as_rule).collect();
    let undone = undone(&rules);
    for (k, rule) in rules.iter().enumerate() {
        if restarts(rule, reach) {
            let rule = rule.quoted();
            let headline = format!("`{whole}` may never end: {rule} leaves a term that it rewrites again");
            let remedy = format!("use {rule} where it is needed, for example in `repeatN` or `at`");
            findings.push(warning(code::RESTARTS, headline, remedy));
        }
        findings.extend(undone.iter().filter(|(first, _)| *first == k).map(|(_, other)| {
            let (rule, other) = (rule.quoted(), rules[*other].quoted());
            let headline = format!("`{whole}` may never end: {rule} and {other} undo each other");
            warning(code::UNDONE, headline, "use each in a repetition of its own".to_owned())
        }));
    }
    findings
}

/// Rules and patterns whose type the program has nowhere. A library's serve other programs, too, and aren't looked at.
fn idle(strategy: &Strategy, program: &Program) -> Vec<Diagnostic> {
    let (mut rules, mut patterns): (Vec<Rule>, Vec<Pattern>) = (Vec::new(), Vec::new());
    for VisitedPart { strategy, .. } in own_parts(strategy) {
        match strategy.form() {
            StrategyForm::Rule(rule) if !rules.contains(rule) => rules.push(rule.clone()),
            StrategyForm::Match(pattern) | StrategyForm::AtMatch(pattern, _) if !patterns.contains(pattern) => {
                patterns.push(pattern.clone());
            }
            _ => {}
        }
    }
    let mut types = SubtermTypes::default();
    types.of_term(&program.term);
    let rules = rules.iter().filter(|rule| !rewrites_type(rule, &types.all)).map(|rule| {
        let rule = rule.quoted();
        let headline = format!("{rule} finds nothing to rewrite: nothing in the term has a type that its law allows");
        warning(code::IDLE_RULE, headline, format!("drop {rule}, unless another rule makes such terms"))
    });
    let patterns = patterns.iter().filter(|pattern| !matches_type(pattern, &types.all)).map(|pattern| {
        let pattern = Strategy::pattern(pattern);
        let headline = format!("{pattern} matches nothing: nothing in the term has a type that it allows");
        warning(code::IDLE_RULE, headline, format!("drop {pattern}, unless a rule makes such terms"))
    });
    rules.chain(patterns).collect()
}

/// The types of all subterms, and the types that these are made of.
#[derive(Default)]
struct SubtermTypes {
    all: Vec<Type>,
    types: FxHashSet<u128>,
    terms: FxHashSet<u128>,
}

impl SubtermTypes {
    fn of_term(&mut self, term: &Term) {
        if self.terms.insert(term.fingerprint()) {
            self.add(term.ty());
            term.kids().iter().for_each(|kid| self.of_term(kid));
        }
    }

    fn add(&mut self, ty: &Type) {
        if !self.types.insert(ty.fingerprint()) {
            return;
        }
        self.all.push(ty.clone());
        match ty.view() {
            TypeView::Array(_, a) => self.add(a),
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
                self.add(a);
                self.add(b);
            }
            _ => {}
        }
    }
}

/// A note where a run left far more than it began with.
pub(super) fn growth(start: &Term, end: &Term) -> Option<Diagnostic> {
    const LARGE: u64 = 10_000;
    const FACTOR: u64 = 100;
    let (before, after) = (start.size(), end.size());
    let grown = after > LARGE && after / FACTOR > before;
    let headline = format!("the term grew from {before} to {after} nodes");
    grown.then(|| {
        warning(code::GROWTH, headline, "`cheaper(s)` leaves the term as it is where s raises its work".into())
    })
}
