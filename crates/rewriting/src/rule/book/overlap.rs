//! Decides how rules overlap by their laws alone, before any term is there: whether one covers or undoes another, and whether
//! rewriting leaves a redex behind.
//!
//! A law's side is a term whose variables stand for anything, so that matching another law against it says what holds
//! for all instances. Only laws without conditions count as sure to apply. What shows before laws are typed, as they are written,
//! is asked first.

use std::cell::OnceCell;
use std::rc::Rc;

use redexter_language::check::Law;
use redexter_language::term::{Kind, SizeBounds, Term, Type, TypeView};

use super::super::focus::Focus;
use super::super::info::{Rule, RuleBody};
use super::super::law::{is_bound, variable};
use super::super::laws::Laws;
use super::super::matching::{CompiledLaw, Unknowns};
use super::super::pattern::Pattern;
use super::super::written::{WrittenFacts, WrittenLaw};

/// The part of a term in which the next redex is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedexScope {
    /// At the root alone.
    Root,
    /// In the whole term.
    Anywhere,
}

/// Whether each contractum of these rules has a redex of one of them again: once one applies there is no end.
fn never_rest(rules: &[Rule], reach: RedexScope) -> bool {
    let again = |law: &CompiledLaw| has_redex(rules, law, reach);
    !rules.is_empty() && rules.iter().all(|rule| laws(rule).is_some_and(|all| all.iter().all(|law| again(law))))
}

/// The fewest of some rules that surely keep a repetition of all of them going once one of these applies: each of their contracta
/// has a redex of one of them again, and no other of the rules can take such a redex away; and whether all of the rules do, so
/// that there is no end once any applies. None where that isn't sure.
pub fn never_resting(rules: &[Rule], reach: RedexScope) -> Option<(Vec<Rule>, bool)> {
    // What is no law may take any redex away.
    let texts = rules.iter().map(text).collect::<Option<Vec<&Laws>>>()?;
    let most = restless(may_be_restless(rules, &texts, reach), reach);
    let alone = most.iter().map(|rule| vec![rule.clone()]);
    let pairs = most.iter().enumerate().flat_map(|(k, a)| most[..k].iter().map(|b| vec![b.clone(), a.clone()]));
    let whole = most.len() == rules.len();
    let lasts = |few: &Vec<Rule>| {
        let mut others = rules.iter().filter(|rule| !few.contains(rule));
        never_rest(few, reach) && (whole || others.all(|other| spares(other, few, reach)))
    };
    alone.chain(pairs).chain([most.clone()]).find(lasts).map(|few| (few, whole))
}

/// The most of some rules of which each may leave a redex of one of them, as far as shows in their texts.
fn may_be_restless<'a>(rules: &[Rule], texts: &[&'a Laws], reach: RedexScope) -> Vec<Rule> {
    let laws: Vec<Vec<WrittenLaw<'a>>> = texts.iter().map(|text| text.written().collect()).collect();
    let mut left: Vec<usize> = (0..rules.len()).collect();
    loop {
        let sure: Vec<&WrittenLaw<'a>> =
            left.iter().filter(|k| !texts[**k].is_conditional()).flat_map(|k| &laws[*k]).collect();
        let again = |law: &WrittenLaw<'a>| sure.iter().any(|other| law.may_leave(other, reach == RedexScope::Anywhere));
        let kept: Vec<usize> = left.iter().copied().filter(|k| laws[*k].iter().all(again)).collect();
        if kept.len() == left.len() {
            return kept.into_iter().map(|k| rules[k].clone()).collect();
        }
        left = kept;
    }
}

/// The most of some rules of which each leaves a redex of one of them.
fn restless(mut left: Vec<Rule>, reach: RedexScope) -> Vec<Rule> {
    loop {
        let again = |rule: &&Rule| laws(rule).is_some_and(|all| all.iter().all(|law| has_redex(&left, law, reach)));
        let kept: Vec<Rule> = left.iter().filter(again).cloned().collect();
        if kept.len() == left.len() {
            return kept;
        }
        left = kept;
    }
}

/// Whether a step of a rule leaves the redexes that these others have, wherever it is taken.
fn spares(rule: &Rule, others: &[Rule], reach: RedexScope) -> bool {
    let Some(own) = laws(rule) else { return false };
    let all: Vec<&Rc<CompiledLaw>> = others.iter().filter_map(laws).flatten().collect();
    let apart = |law: &CompiledLaw, other: &CompiledLaw| match reach {
        RedexScope::Root => !may_be_one((law.law(), &law.law().left, 0), (other.law(), &other.law().left, 0)),
        RedexScope::Anywhere => {
            is_steady(other.law())
                && keeps_all(law.law())
                && !overlaps(law.law(), other.law())
                && !overlaps(other.law(), law.law())
        }
    };
    own.iter().all(|law| all.iter().all(|other| apart(law, other)))
}

/// Whether an instance of a law's left side stays one, whatever is rewritten inside what its variables stand for.
fn is_steady(law: &Law) -> bool {
    let mut seen = vec![0_usize; law.vars.len()];
    let plain = each_variable(law, &law.left, 0, &mut |j, arguments, under| {
        seen[j] += 1;
        arguments.iter().all(|argument| is_bound(argument, under))
    });
    plain && seen.iter().all(|count| *count <= 1)
}

/// Whether the right side has all that stands for variables of the left side, whatever that is: what is an argument of another
/// variable may be dropped.
fn keeps_all(law: &Law) -> bool {
    let (mut before, mut after) = (vec![false; law.vars.len()], vec![false; law.vars.len()]);
    each_variable(law, &law.left, 0, &mut |j, _, _| {
        before[j] = true;
        true
    });
    each_variable(law, &law.right, 0, &mut |j, _, _| {
        after[j] = true;
        true
    });
    before.iter().zip(&after).all(|(before, after)| *after || !before)
}

type VariableTest<'a> = dyn FnMut(usize, &[Term], u32) -> bool + 'a;

/// Shows each occurrence of a law's variables that isn't in an argument of one: its number, its arguments and the binders
/// around it. Whether all were as wanted.
fn each_variable(law: &Law, side: &Term, under: u32, see: &mut VariableTest) -> bool {
    match variable(&law.vars, side, under) {
        Some((j, arguments)) => see(j, &arguments, under),
        None => {
            let mut all = true;
            for k in 0..side.kid_count() {
                all &= each_variable(law, &side.kid(k), under + side.binders(k), see);
            }
            all
        }
    }
}

/// Whether a part of a law's left side that is more than a variable may be one with the other's left side.
fn overlaps(around: &Law, inside: &Law) -> bool {
    fn at(around: &Law, part: &Term, under: u32, inside: &Law) -> bool {
        if variable(&around.vars, part, under).is_some() {
            return false;
        }
        may_be_one((around, part, under), (inside, &inside.left, 0))
            || (0..part.kid_count()).any(|k| at(around, &part.kid(k), under + part.binders(k), inside))
    }
    at(around, &around.left, 0, inside)
}

/// Whether two patterns may have an instance in common, as far as constructors and types tell. Each is a law's, and stands
/// under so many binders of it.
pub fn may_be_one((law, a, under): (&Law, &Term, u32), (other, b, below): (&Law, &Term, u32)) -> bool {
    let open = |ty: &Type| matches!(ty.view(), TypeView::Var(_));
    let kinds = [a.ty(), b.ty()].map(|ty| std::mem::discriminant(ty.view()));
    if kinds[0] != kinds[1] && !open(a.ty()) && !open(b.ty()) {
        return false;
    }
    if variable(&law.vars, a, under).is_some() || variable(&other.vars, b, below).is_some() || is_open(a) || is_open(b)
    {
        return true;
    }
    a.kind().head() == b.kind().head()
        && a.kid_count() == b.kid_count()
        && (0..a.kid_count()).all(|k| {
            let (left, right) = (a.kid(k), b.kid(k));
            may_be_one((law, &left, under + a.binders(k)), (other, &right, below + b.binders(k)))
        })
}

/// Whether a node of a pattern may be of another form in an instance: a size becomes a number, an application whatever its
/// function gives.
fn is_open(term: &Term) -> bool {
    matches!(term.kind(), Kind::SizeVar(_) | Kind::App | Kind::Var)
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
    let may = |text: &Laws| !text.is_conditional() && text.facts().may_restart(reach == RedexScope::Anywhere);
    text(rule).is_some_and(may)
        && laws(rule).is_some_and(|all| all.iter().any(|law| has_redex(std::slice::from_ref(rule), law, reach)))
}

/// Whether a rule surely takes back what one of the other's laws does.
pub fn undoes(rule: &Rule, other: &Rule) -> bool {
    laws(rule).zip(laws(other)).is_some_and(|(own, others)| take_back(&unconditional(own), others))
}

/// The laws of a rule, and what is known of them as they are written.
struct WrittenRule<'a> {
    laws: &'a Laws,
    facts: WrittenFacts,
    written: OnceCell<Vec<WrittenLaw<'a>>>,
}

impl<'a> WrittenRule<'a> {
    /// Whether one of its laws may take back one of the other's: what is known of each tells most pairs apart.
    fn may_undo(&self, other: &WrittenRule<'a>) -> bool {
        self.facts.may_undo(other.facts)
            && !self.laws.is_conditional()
            && self.written().iter().any(|own| other.written().iter().any(|other| own.may_undo(other)))
    }

    fn written(&self) -> &[WrittenLaw<'a>] {
        self.written.get_or_init(|| self.laws.written().collect())
    }
}

/// The pairs of these rules, by their numbers, of which one surely takes back what the other does.
pub fn undone(rules: &[Rule]) -> Vec<(usize, usize)> {
    let written = |rule| {
        let laws: &Laws = text(rule)?;
        Some((rule, WrittenRule { laws, facts: laws.facts(), written: OnceCell::new() }))
    };
    let all: Vec<Option<(&Rule, WrittenRule)>> = rules.iter().map(written).collect();
    let mut found = Vec::new();
    for (k, one) in all.iter().enumerate() {
        for (j, other) in all.iter().enumerate().skip(k + 1) {
            if let (Some((a, one)), Some((b, other))) = (one, other)
                && ((one.may_undo(other) && undoes(a, b)) || (other.may_undo(one) && undoes(b, a)))
            {
                found.push((k, j));
            }
        }
    }
    found
}

/// The laws that surely apply to what they match.
fn unconditional(laws: &[Rc<CompiledLaw>]) -> Vec<&CompiledLaw> {
    laws.iter().filter(|law| law.is_unconditional()).map(|law| &**law).collect()
}

/// Whether laws surely take back what one of the others does.
fn take_back(own: &[&CompiledLaw], others: &[Rc<CompiledLaw>]) -> bool {
    let back = |law: &CompiledLaw| {
        let first = own.iter().find(|own| surely_matches(own, &law.law().right));
        let after = first.and_then(|own| own.attempt(&Focus::root(&law.law().right, &SizeBounds::default()), &[]).ok());
        after.is_some_and(|term| term == law.law().left)
    };
    !own.is_empty() && others.iter().any(|law| back(law))
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

/// The laws of a rule as text; none of what is a function.
fn text(rule: &Rule) -> Option<&Laws> {
    match &rule.info().body {
        RuleBody::Laws(laws) => Some(laws),
        _ => None,
    }
}

fn laws(rule: &Rule) -> Option<&[Rc<CompiledLaw>]> {
    text(rule)?.typed().ok()
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
