//! Checks before a run that no repetition surely goes on for ever: because what it repeats can't fail, or because its rules
//! always leave something that they rewrite.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::rule::{Rule, never_resting};
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, code};

use super::data::{NamedUse, Strategy, StrategyForm};
use super::foretold::{TotalityAnalysis, UseFacts, always_fails, body, changes_nothing, extended, repeated};
use super::unary::Unary;
use super::visit::{alternatives, parts_that_may_not_end};

/// Refuses a strategy with a repetition that surely can't end, unless that stands under `force`.
pub fn check_ends(strategy: &Strategy) -> Result<(), Diagnostic> {
    if strategy.is_vast() {
        return Ok(());
    }
    EndsCheck::default().check(strategy, &[])?;
    let (parts, all) = parts_that_may_not_end(strategy);
    let free = || parts.iter().filter(|part| !part.forced).map(|part| &part.strategy);
    if let Some(finding) = free().find_map(restless) {
        return Err(finding);
    }
    // In a chain of definitions each would look into all before it.
    let used = free().filter_map(|part| if let StrategyForm::Named(named) = part.form() { Some(named) } else { None });
    used.filter(|_| all).for_each(|named| named.definition.set_ends());
    Ok(())
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
    let (busy, whole_set) = never_resting(&rules, reach)?;
    let names: Vec<String> = busy.iter().map(Rule::quoted).collect();
    let what = match &names[..] {
        [one] => format!("{one} leaves a term that it rewrites again"),
        [one, other] => format!("{one} and {other} undo each other"),
        all => format!("one of {} always applies", listed(all)),
    };
    let first = if whole_set { "a rule".to_owned() } else { names.join(" or ") };
    Some(
        Diagnostic::error(code::NEVER_ENDS, format!("`{whole}` never ends once {first} applies: {what}"))
            .help(format!("use each in a repetition of its own, or write `{}`", whole.under(Unary::Force))),
    )
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
        let Some(body) = body(named).filter(|_| !named.definition.ends()) else { return Ok(()) };
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
