//! Checks before a run that no repetition surely goes on for ever: because what it repeats can't fail, or because its rules
//! always leave something that they rewrite.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::rule::{RedexScope, Rule, never_rest};
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, code};

use super::data::{Strategy, StrategyForm, Unary};
use super::lint::always_fails;
use super::scope::{NamedUse, StrategyDefinition};
use super::visit::{VisitedPart, alternatives, parts};

/// Refuses a strategy with a repetition that surely can't end, unless that stands under `force`.
pub fn check_ends(strategy: &Strategy) -> Result<(), Diagnostic> {
    if strategy.is_vast() {
        return Ok(());
    }
    EndsCheck::default().check(strategy, &[])?;
    let free = |part: &VisitedPart| if part.forced { None } else { restless(&part.strategy) };
    parts(strategy).iter().find_map(free).map_or(Ok(()), Err)
}

/// The strategy that a repetition repeats, and where in the term it does; `None` for other strategies.
pub(super) fn repeated(s: &Strategy) -> Option<(&Strategy, RedexScope)> {
    let StrategyForm::Unary(unary, inner) = s.form() else { return None };
    match (unary, inner.form()) {
        (Unary::Normalize | Unary::Outermost | Unary::Innermost, _) => Some((inner, RedexScope::Anywhere)),
        (Unary::Repeat | Unary::Repeat1, StrategyForm::Unary(Unary::TopDown | Unary::BottomUp, within)) => {
            Some((within, RedexScope::Anywhere))
        }
        (Unary::Repeat | Unary::Repeat1, _) => Some((inner, RedexScope::Root)),
        _ => None,
    }
}

/// A repetition that goes on for ever once it begins to: of what changes nothing, or of nothing but rules which never run
/// out of redexes once one of them applies.
fn restless(whole: &Strategy) -> Option<Diagnostic> {
    let (inner, reach) = repeated(whole)?;
    // What always fails ends its repetition at once, so that it is no reason to refuse it.
    if changes_nothing(inner) && !always_fails(inner) {
        let headline = format!("`{whole}` never ends once it begins: {} changes nothing", inner.quoted());
        return Some(
            Diagnostic::error(code::NEVER_ENDS, headline)
                .help(format!("write `{inner} ;; s` for s where that succeeds, or `{}`", whole.under(Unary::Force))),
        );
    }
    // Nothing is said where an alternative is no rule, since that may take away what the rules would rewrite again.
    let rules = alternatives(inner).iter().map(Strategy::as_rule).collect::<Option<Vec<Rule>>>()?;
    never_rest(&rules, reach).then(|| {
        let busy = busiest(&rules, reach);
        let names: Vec<String> = busy.iter().map(Rule::quoted).collect();
        let what = match &names[..] {
            [one] => format!("{one} leaves a term that it rewrites again"),
            [one, other] => format!("{one} and {other} undo each other"),
            all => format!("one of {} always applies", listed(all)),
        };
        Diagnostic::error(code::NEVER_ENDS, format!("`{whole}` never ends once a rule applies: {what}"))
            .help(format!("use each in a repetition of its own, or write `{}`", whole.under(Unary::Force)))
    })
}

/// The fewest of rules that never run out of redexes which don't either: one, two, or all.
fn busiest(rules: &[Rule], reach: RedexScope) -> Vec<Rule> {
    let alone = rules.iter().map(|rule| vec![rule.clone()]);
    let pairs = rules.iter().enumerate().flat_map(|(k, a)| rules[..k].iter().map(|b| vec![b.clone(), a.clone()]));
    alone.chain(pairs).find(|few| never_rest(few, reach)).unwrap_or_else(|| rules.to_vec())
}

/// Whether a closed strategy succeeds, or runs for ever, on every term.
pub(super) fn never_fails(strategy: &Strategy) -> bool {
    !strategy.is_vast() && TotalityAnalysis::default().never_fails(strategy, &[])
}

/// Whether a closed strategy leaves the term as it is wherever it succeeds.
pub(super) fn changes_nothing(strategy: &Strategy) -> bool {
    !strategy.is_vast() && StillnessAnalysis::default().is_still(strategy, &[])
}

/// A definition, and of which of its arguments something holds.
type UseFacts = (*const StrategyDefinition, Vec<bool>);

/// A memo of whether something holds of uses of definitions. Of those that are being looked at it is assumed.
#[derive(Default)]
struct UseMemo {
    known: FxHashMap<UseFacts, bool>,
    assumed: Vec<UseFacts>,
    /// The outermost of those assumed that the answers since were found with.
    relied_on: Option<usize>,
}

impl UseMemo {
    /// Gives what is known or assumed of a use; where nothing is, it is looked at from now on, until [`UseMemo::leave`].
    fn enter(&mut self, own: &UseFacts) -> Result<bool, Option<usize>> {
        if let Some(known) = self.known.get(own) {
            return Ok(*known);
        }
        if let Some(at) = self.assumed.iter().position(|assumed| assumed == own) {
            self.relied_on = Some(self.relied_on.map_or(at, |before| before.min(at)));
            return Ok(true);
        }
        self.assumed.push(own.clone());
        Err(self.relied_on.take())
    }

    /// Keeps what was found of the use that was entered last; `before` is what entering it gave.
    fn leave(&mut self, own: UseFacts, before: Option<usize>, holds: bool) -> bool {
        self.assumed.pop();
        self.relied_on = self.relied_on.filter(|at| *at < self.assumed.len());
        // What doesn't hold though all is assumed that could be, doesn't with less.
        if !holds || self.relied_on.is_none() {
            self.known.insert(own, holds);
        }
        self.relied_on = [self.relied_on, before].into_iter().flatten().min();
        holds
    }
}

#[derive(Default)]
struct EndsCheck {
    done: FxHashSet<UseFacts>,
    analysis: TotalityAnalysis,
}

impl EndsCheck {
    /// `facts`: of each variable in scope, outermost first, whether what it stands for never fails.
    fn check(&mut self, s: &Strategy, facts: &[bool]) -> Result<(), Diagnostic> {
        match s.form() {
            // Whoever writes `force` wants it to run until a limit, so that nothing in it is refused.
            StrategyForm::Unary(Unary::Force, _) => return Ok(()),
            StrategyForm::Unary(unary, inner) if unary.repeats() && self.analysis.never_fails(inner, facts) => {
                return Err(refuse(s, *unary, inner));
            }
            // Not assumed here that the variable never fails, because nothing must be refused for an assumption.
            StrategyForm::Mu(_, body) => return self.check(body, &extended(facts, false)),
            StrategyForm::Named(named) => self.check_use(named, facts)?,
            _ => {}
        }
        s.form().parts().into_iter().try_for_each(|part| self.check(part, facts))
    }

    fn check_use(&mut self, named: &NamedUse, facts: &[bool]) -> Result<(), Diagnostic> {
        let inner = self.analysis.arguments(named, facts);
        let Some(body) = body(named) else { return Ok(()) };
        if !self.done.insert((Rc::as_ptr(&named.definition), inner.clone())) {
            return Ok(());
        }
        self.check(body, &inner)
    }
}

fn refuse(whole: &Strategy, unary: Unary, inner: &Strategy) -> Diagnostic {
    let name = unary.text();
    let remedy = match inner.form() {
        StrategyForm::Unary(Unary::Try, s) => {
            format!("write `{}`: `{name}` stops by itself where nothing is left", s.under(unary))
        }
        _ => format!("repeat something that fails when it is done, or write `{}`", whole.under(Unary::Force)),
    };
    Diagnostic::error(code::NEVER_ENDS, format!("`{whole}` never ends: {} can't fail", inner.quoted())).help(remedy)
}

impl Unary {
    /// Whether it goes on as long as its strategy succeeds.
    pub fn repeats(self) -> bool {
        matches!(self, Unary::Repeat | Unary::Repeat1 | Unary::Normalize | Unary::Outermost | Unary::Innermost)
    }
}

/// Whether strategies never fail.
#[derive(Default)]
struct TotalityAnalysis(UseMemo);

impl TotalityAnalysis {
    fn never_fails(&mut self, s: &Strategy, facts: &[bool]) -> bool {
        match s.form() {
            StrategyForm::Id => true,
            StrategyForm::Fail | StrategyForm::Rule(_) | StrategyForm::Match(_) | StrategyForm::Free(_) => false,
            StrategyForm::Child(..) | StrategyForm::AtMatch(..) | StrategyForm::RepeatUntil(..) => false,
            StrategyForm::Seq(a, b) => self.never_fails(a, facts) && self.never_fails(b, facts),
            StrategyForm::Choice(a, b) => self.never_fails(a, facts) || self.never_fails(b, facts),
            // Assumed of the variable: a recursion that comes back to itself without a failure would run for ever.
            StrategyForm::Mu(_, body) => self.never_fails(body, &extended(facts, true)),
            StrategyForm::Var(i) => facts.iter().rev().nth(*i as usize).copied().unwrap_or(false),
            StrategyForm::Unary(unary, s) => self.unary(*unary, s, facts),
            StrategyForm::At(path, s) => path.is_empty() && self.never_fails(s, facts),
            StrategyForm::RepeatN(n, s) => *n == 0 || self.never_fails(s, facts),
            StrategyForm::Named(named) => self.named(named, facts),
        }
    }

    fn unary(&mut self, unary: Unary, s: &Strategy, facts: &[bool]) -> bool {
        match unary {
            Unary::Repeat | Unary::Try | Unary::TryAll | Unary::Cheaper => true,
            Unary::Normalize | Unary::Outermost | Unary::Innermost => true,
            Unary::One | Unary::Some => false,
            Unary::Not => matches!(s.form(), StrategyForm::Fail),
            Unary::All | Unary::Where | Unary::Repeat1 | Unary::Force => self.never_fails(s, facts),
            Unary::TopDown | Unary::BottomUp | Unary::AllTopDown | Unary::AllBottomUp => self.never_fails(s, facts),
        }
    }

    fn named(&mut self, named: &NamedUse, facts: &[bool]) -> bool {
        let inner = self.arguments(named, facts);
        let Some(body) = body(named) else { return false };
        let own = (Rc::as_ptr(&named.definition), inner);
        match self.0.enter(&own) {
            Ok(known) => known,
            Err(before) => {
                let holds = self.never_fails(body, &own.1);
                self.0.leave(own, before, holds)
            }
        }
    }

    fn arguments(&mut self, named: &NamedUse, facts: &[bool]) -> Vec<bool> {
        named.strategies().map(|s| self.never_fails(s, facts)).collect()
    }
}

/// What a use of a definition stands for, unless that has too many parts.
fn body(named: &NamedUse) -> Option<&Strategy> {
    named.definition.body().filter(|body| !body.is_vast())
}

/// Whether strategies change nothing.
#[derive(Default)]
struct StillnessAnalysis(UseMemo);

impl StillnessAnalysis {
    fn is_still(&mut self, s: &Strategy, facts: &[bool]) -> bool {
        match s.form() {
            StrategyForm::Rule(_) | StrategyForm::Free(_) => false,
            StrategyForm::Unary(Unary::Where | Unary::Not, _) => true,
            StrategyForm::Mu(_, body) => self.is_still(body, &extended(facts, true)),
            StrategyForm::Var(i) => facts.iter().rev().nth(*i as usize).copied().unwrap_or(false),
            StrategyForm::Named(named) => {
                let inner: Vec<bool> = named.strategies().map(|s| self.is_still(s, facts)).collect();
                let Some(body) = body(named) else { return false };
                let own = (Rc::as_ptr(&named.definition), inner);
                match self.0.enter(&own) {
                    Ok(known) => known,
                    Err(before) => {
                        let holds = self.is_still(body, &own.1);
                        self.0.leave(own, before, holds)
                    }
                }
            }
            form => form.parts().into_iter().all(|part| self.is_still(part, facts)),
        }
    }
}

fn extended(facts: &[bool], fact: bool) -> Vec<bool> {
    facts.iter().copied().chain([fact]).collect()
}
