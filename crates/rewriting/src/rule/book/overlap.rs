//! Decides how rules overlap by their laws alone, before any term is there: whether one covers or undoes another, and whether
//! rewriting leaves a redex behind.
//!
//! A law's side is a term whose variables stand for anything, so that matching another law against it says what holds
//! for all instances. Only laws without conditions count as sure to apply.

use std::rc::Rc;

use redexter_language::term::{Kind, SizeBounds, Term, Type};

use super::super::focus::Focus;
use super::super::info::{Rule, RuleBody};
use super::super::law::variable;
use super::super::matching::{CompiledLaw, Unknowns};
use super::super::pattern::Pattern;

/// The part of a term in which the next redex is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedexScope {
    /// At the root alone.
    Root,
    /// In the whole term.
    Anywhere,
}

/// Whether each contractum of these rules has a redex of one of them again: once one applies there is no end.
pub fn never_rest(rules: &[Rule], reach: RedexScope) -> bool {
    let again = |law: &CompiledLaw| has_redex(rules, law, reach);
    !rules.is_empty() && rules.iter().all(|rule| laws(rule).is_some_and(|all| all.iter().all(|law| again(law))))
}

/// Whether a rule applies wherever the other does.
pub fn covers(rule: &Rule, other: &Rule) -> bool {
    let (Some(own), Some(others)) = (laws(rule), laws(other)) else { return false };
    others.iter().all(|law| own.iter().any(|general| surely_matches(general, &law.law().left)))
}

/// Whether a pattern matches whatever a rule applies to.
pub fn matches_all(pattern: &Pattern, rule: &Rule) -> bool {
    laws(rule)
        .is_some_and(|all| all.iter().all(|law| pattern.laws().iter().any(|own| surely_matches(own, &law.law().left))))
}

/// Whether one of a rule's laws leaves a redex of the same rule behind, whatever it is applied to.
pub fn restarts(rule: &Rule, reach: RedexScope) -> bool {
    laws(rule).is_some_and(|all| all.iter().any(|law| has_redex(std::slice::from_ref(rule), law, reach)))
}

/// Whether a rule surely takes back what one of the other's laws does.
pub fn undoes(rule: &Rule, other: &Rule) -> bool {
    let (Some(own), Some(others)) = (laws(rule), laws(other)) else { return false };
    let back = |law: &CompiledLaw| {
        let first = own.iter().find(|own| surely_matches(own, &law.law().right));
        let after = first.and_then(|own| own.attempt(&Focus::root(&law.law().right, &SizeBounds::default()), &[]).ok());
        after.is_some_and(|term| term == law.law().left)
    };
    others.iter().any(|law| back(law))
}

/// Whether one of these types is one that a rule's laws rewrite.
pub fn rewrites_type(rule: &Rule, types: &[Type]) -> bool {
    laws(rule).is_none_or(|all| have_type(all, types))
}

/// Whether one of these types is one of what a pattern matches.
pub fn matches_type(pattern: &Pattern, types: &[Type]) -> bool {
    have_type(pattern.laws(), types)
}

fn have_type(laws: &[Rc<CompiledLaw>], types: &[Type]) -> bool {
    laws.iter().any(|law| types.iter().any(|ty| Unknowns::default().types(law.law().left.ty(), ty).is_some()))
}

fn laws(rule: &Rule) -> Option<&[Rc<CompiledLaw>]> {
    match &rule.info().body {
        RuleBody::Laws(laws) => laws.typed().ok(),
        _ => None,
    }
}

fn has_redex(rules: &[Rule], law: &CompiledLaw, reach: RedexScope) -> bool {
    let surely = |term: &Term| {
        let mut all = rules.iter().filter_map(laws).flatten();
        all.any(|law| surely_matches(law, term))
    };
    match reach {
        RedexScope::Root => surely(&law.law().right),
        RedexScope::Anywhere => somewhere(law, &law.law().right, 0, &surely),
    }
}

/// Looks at every node that each instance of the law has: not at the arguments of `e(…)`, which e may drop.
fn somewhere(law: &CompiledLaw, term: &Term, under: u32, holds: &dyn Fn(&Term) -> bool) -> bool {
    if holds(term) {
        return true;
    }
    if variable(&law.law().vars, term, under).is_some() {
        return false;
    }
    (0..term.kid_count()).any(|k| somewhere(law, &term.kid(k), under + term.binders(k), holds))
}

/// Whether a law applies to every instance of the term, a side of a law.
fn surely_matches(law: &CompiledLaw, term: &Term) -> bool {
    law.is_unconditional()
        && law.may_fit(term.kind().head())
        && law.matches(term)
        && !depends_on_instance(law, &law.law().left, 0)
}

/// Whether an instance of a law's side could be of another form than the side itself where the pattern of this one looks:
/// `e(x)` is written as an application, and a size as a variable, but either may become anything.
fn depends_on_instance(law: &CompiledLaw, pattern: &Term, under: u32) -> bool {
    let here = match pattern.kind() {
        Kind::SizeVar(_) => true,
        Kind::App => {
            let of_law = |term: &Term| variable(&law.law().vars, term, under).is_some();
            !of_law(pattern) && of_law(&pattern.kid(0))
        }
        _ => false,
    };
    let kids = 0..pattern.kid_count();
    here || kids.into_iter().any(|k| {
        let deeper = under + pattern.binders(k);
        depends_on_instance(law, &pattern.kid(k), deeper)
    })
}
