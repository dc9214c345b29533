//! Overlaps laws, as critical pairs are found: where a part of one law's side and a side of another law can be one, both together
//! are the left side of a law. Its instances are terms where the two rules may meet. Laws one after another are a law, too: one
//! for steps of both.
//!
//! `unify` makes parts of laws one. This module knows rules and terms.

mod open;
mod unify;

use crate::redex::replaced;
use crate::rule::variable;
use redexter_language::check::{Law, PatternVar};
use redexter_language::ground::{Name, Random};
use redexter_language::term::{Bindings, Kind, OpenVariables, Path, Size, SizeAtom, SizeBounds, Term, Type, TypeMemo};
use unify::PatternUnifier;

/// A law, and terms over its variables whose instances are followed; none where one isn't known any more.
#[derive(Clone, Debug)]
pub(crate) struct FollowedLaw {
    pub(crate) law: Law,
    pub(crate) terms: Vec<Option<Term>>,
}

/// So often types and sizes may turn out to be others than they seemed.
const MAX_ROUNDS: usize = 40;

/// A part of a law and another law that may be one there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap<'a> {
    /// The law with the part.
    pub(crate) around: &'a Law,
    /// The part is one of the right side: then the other law meets what this one leaves.
    pub(crate) behind: bool,
    /// The law whose side is to be that part.
    pub(crate) inside: &'a Law,
    /// It is the right side: then the one around meets what the inner one leaves.
    pub(crate) before: bool,
}

/// The parts of a side: whether each is more than a variable of the law, the whole first.
pub(crate) fn parts(vars: &[PatternVar], side: &Term) -> Vec<(Path, bool)> {
    let mut all = Vec::new();
    collect(vars, side, 0, &mut Path::default(), &mut all);
    all
}

fn collect(vars: &[PatternVar], term: &Term, under: u32, here: &mut Path, all: &mut Vec<(Path, bool)>) {
    if variable(vars, term, under).is_some() {
        return all.push((here.clone(), false));
    }
    if !matches!(term.kind(), Kind::Var) {
        all.push((here.clone(), true));
    }
    for k in 0..term.kid_count() {
        here.0.push(k as u32);
        collect(vars, &term.kid(k), under + term.binders(k), here, all);
        here.0.pop();
    }
}

impl Overlap<'_> {
    fn sides(&self) -> (&Term, &Term) {
        let around = if self.behind { &self.around.right } else { &self.around.left };
        (around, if self.before { &self.inside.right } else { &self.inside.left })
    }

    /// The parts at which both may be one, as far as their roots say: those that are more than variables, or else these.
    pub(crate) fn places(&self, rigid: bool) -> Vec<Path> {
        let (around, inside) = self.sides();
        let fits = |path: &Path| {
            let Some(part) = path.find(around) else { return false };
            let any = |term: &Term| matches!(term.kind(), Kind::Var | Kind::App | Kind::SizeVar(_) | Kind::Int(_));
            any(&part) || any(inside) || part.kind().head() == inside.kind().head()
        };
        let all = parts(&self.around.vars, around).into_iter();
        all.filter(|(path, more)| *more == rigid && fits(path)).map(|(path, _)| path).collect()
    }

    /// A law whose left side becomes an instance of the one around, with the other at this path.
    pub(crate) fn at(&self, path: &Path, random: &mut Random) -> Option<Law> {
        let mut pair = SuperposedLaws::new(self, path, &mut || random.chance(60), (&[], &[]))?;
        for _ in 0..MAX_ROUNDS {
            let vars = pair.vars.clone();
            let mut unifier = PatternUnifier::new(&vars, Some(&mut *random));
            let done = unifier.unify(&pair.part, &pair.inner, pair.under);
            let lacking = std::mem::take(&mut unifier.lacking);
            if !lacking.types.is_empty() || !lacking.sizes.is_empty() {
                pair.assign(&lacking)?;
                continue;
            }
            done?;
            let whole = if self.before { replaced(&pair.whole, &path.0, &pair.shown)? } else { pair.whole.clone() };
            let left = unifier.resolved(&whole, 0)?;
            return Some(pair.law(left, self));
        }
        None
    }
}

/// A law for a step of the first law and then one of the second at this path of the right side, as general as it can be. The
/// first has no sizes and types of a name with a `'`. The terms of the second are closed by functions of what is bound around the
/// place.
pub(crate) fn composed(first: &FollowedLaw, path: &Path, second: &FollowedLaw) -> Option<FollowedLaw> {
    let overlap = Overlap { around: &first.law, behind: true, inside: &second.law, before: false };
    // What is bound around the place may stand in what the second law's variables stand for, unless that stands elsewhere, too.
    [true, false].into_iter().find_map(|lifted| {
        let mut pair = SuperposedLaws::new(&overlap, path, &mut || lifted, (&first.terms, &second.terms))?;
        for _ in 0..MAX_ROUNDS {
            let vars = pair.vars.clone();
            let mut unifier = PatternUnifier::new(&vars, None);
            let done = unifier.unify(&pair.part, &pair.inner, pair.under).and_then(|()| unifier.settle());
            let lacking = std::mem::take(&mut unifier.lacking);
            if !lacking.types.is_empty() || !lacking.sizes.is_empty() {
                pair.assign(&lacking)?;
                continue;
            }
            done?;
            let after = replaced(&pair.right, &path.0, &pair.shown_after)?;
            let (left, right) = (unifier.resolved(&pair.whole, 0)?, unifier.resolved(&after, 0)?);
            let terms = pair.terms.iter().map(|term| unifier.resolved(term.as_ref()?, 0)).collect();
            return Some(pair.law_of((left, right), terms, &first.law));
        }
        None
    })
}

/// Two laws in one scope: the variables of the one around first, those of the other behind them.
struct SuperposedLaws {
    vars: Vec<PatternVar>,
    /// The left side of the one around.
    whole: Term,
    /// The part of its side, under so many binders.
    part: Term,
    under: u32,
    /// What is to be that part.
    inner: Term,
    /// The left side of the other one, there.
    shown: Term,
    /// The right sides of both, the other's there.
    right: Term,
    shown_after: Term,
    /// What is followed of the one around, then of the other.
    terms: Vec<Option<Term>>,
    bounds: SizeBounds,
}

impl SuperposedLaws {
    fn new(
        overlap: &Overlap,
        path: &Path,
        is_lifted: &mut dyn FnMut() -> bool,
        (ours, others): (&[Option<Term>], &[Option<Term>]),
    ) -> Option<SuperposedLaws> {
        // Renamed apart, because a law may overlap with itself, and two laws may use one name.
        let (around, (inside, others)) = (overlap.around, apart(overlap.inside, others)?);
        let (outer, _) = overlap.sides();
        let more = inside.vars.len() as u32;
        let (mut part, mut binders) = (outer.clone(), Vec::new());
        for k in &path.0 {
            let k = *k as usize;
            binders.extend(part.bound_type(k));
            part = part.kid(k);
        }
        let under = binders.len() as u32;
        // What stands for the inner law's variables may mention what is bound around it; if it doesn't, it fits in more places.
        let lifted: Vec<bool> = inside.vars.iter().map(|_| is_lifted()).collect();
        let lift = |(var, lifted): (&PatternVar, &bool)| match lifted {
            false => var.clone(),
            true => PatternVar {
                name: var.name.clone(),
                ty: binders.iter().rev().fold(var.ty.clone(), |ty, from| Type::fun(from.clone(), ty)),
                arity: var.arity + binders.len(),
            },
        };
        let inner: Vec<PatternVar> = inside.vars.iter().zip(&lifted).map(lift).collect();
        let apply = |head: Term, (k, ty): (usize, &Type)| Term::app(head, Term::var(under - 1 - k as u32, ty));
        let mut heads = Vec::new();
        for (k, var) in inner.iter().enumerate() {
            let head = Term::var(under + more - 1 - k as u32, &var.ty);
            let arguments = if lifted[k] { &binders[..] } else { &[] };
            heads.push(arguments.iter().enumerate().try_fold(head, apply).ok()?);
        }
        let put = |side: &Term| side.substitute(&|i| heads[(more - 1 - i) as usize].clone()).ok();
        let inner_side = if overlap.before { &inside.right } else { &inside.left };
        let (inner_side, shown, shown_after) = (put(inner_side)?, put(&inside.left)?, put(&inside.right)?);
        let mut bounds = around.bounds.clone();
        inside.bounds.iter().for_each(|(name, lower)| bounds.require(name, lower));
        let vars = around.vars.iter().cloned().chain(inner).collect();
        let (whole, part) = (around.left.shift(more), part.shift_from(under, more));
        let right = around.right.shift(more);
        let closed = |term: &Option<Term>| {
            let lam = |body: Term, ty: &Type| Term::lam(&Name::new("i"), ty, body).ok();
            binders.iter().rev().try_fold(put(term.as_ref()?)?, lam)
        };
        let ours = ours.iter().map(|term| term.as_ref().map(|term| term.shift(more)));
        let terms = ours.chain(others.iter().map(closed)).collect();
        Some(SuperposedLaws { vars, whole, part, under, inner: inner_side, shown, right, shown_after, terms, bounds })
    }

    /// Lets sizes and types stand for variables of both laws.
    fn assign(&mut self, by: &Bindings) -> Option<()> {
        let sides =
            [&mut self.whole, &mut self.part, &mut self.inner, &mut self.shown, &mut self.right, &mut self.shown_after];
        for term in sides {
            *term = term.assign(by).ok()?;
        }
        for term in &mut self.terms {
            *term = term.take().and_then(|term| term.assign(by).ok());
        }
        let mut memo = TypeMemo::default();
        for var in &mut self.vars {
            var.ty = var.ty.assign(by, &mut memo).ok()?;
        }
        let mut bounds = SizeBounds::default();
        for (name, lower) in self.bounds.iter() {
            let size = by.sizes.get(name).cloned().unwrap_or_else(|| Size::var(name));
            match (size.as_literal(), size.atoms().next()) {
                (Some(value), _) if value < lower => return None,
                (None, Some(SizeAtom::Var(name))) => {
                    bounds.require(name, lower.saturating_sub(size.constant()));
                }
                _ => {}
            }
        }
        self.bounds = bounds;
        Some(())
    }

    /// A law with this left side and the variables that it mentions.
    fn law(self, left: Term, of: &Overlap) -> Law {
        let right = left.clone();
        self.law_of((left, right), Vec::new(), of.around).law
    }

    fn law_of(self, (left, right): (Term, Term), terms: Vec<Option<Term>>, of: &Law) -> FollowedLaw {
        let count = self.vars.len() as u32;
        let used = |j: &usize| left.free_at(count - 1 - *j as u32).is_some();
        let kept: Vec<usize> = (0..self.vars.len()).filter(used).collect();
        let place = |i: u32| {
            let j = (count - 1 - i) as usize;
            kept.iter().position(|k| *k == j).map_or(0, |at| (kept.len() - 1 - at) as u32)
        };
        let is_kept = |term: &Term| term.free().all(|(i, _)| kept.contains(&((count - 1 - i) as usize)));
        let terms = terms.into_iter().map(|term| term.filter(is_kept).map(|term| term.rename(place))).collect();
        let (left, right) = (left.rename(place), right.rename(place));
        let vars = kept.iter().map(|j| self.vars[*j].clone()).collect();
        let law = Law { vars, left, right, bounds: self.bounds, text: String::new(), span: of.span };
        FollowedLaw { law, terms }
    }
}

/// The law with other names for its sizes and types than any law has, and terms over its variables.
fn apart(law: &Law, terms: &[Option<Term>]) -> Option<(Law, Vec<Option<Term>>)> {
    let mut opens = OpenVariables::of(&law.left);
    law.vars.iter().for_each(|var| opens.ty(&var.ty));
    let other = |name: &Name| Name::new(&format!("{name}'"));
    let by = Bindings {
        sizes: opens.vars.iter().map(|name| (name.clone(), Size::var(&other(name)))).collect(),
        types: opens.types.iter().map(|name| (name.clone(), Type::var(&other(name)))).collect(),
    };
    let mut memo = TypeMemo::default();
    let renamed = |var: &PatternVar| Some(PatternVar { ty: var.ty.assign(&by, &mut memo).ok()?, ..var.clone() });
    let vars: Option<Vec<PatternVar>> = law.vars.iter().map(renamed).collect();
    let mut bounds = SizeBounds::default();
    law.bounds.iter().for_each(|(name, lower)| bounds.require(&other(name), lower));
    let (left, right) = (law.left.assign(&by).ok()?, law.right.assign(&by).ok()?);
    let terms = terms.iter().map(|term| term.as_ref()?.assign(&by).ok()).collect();
    Some((Law { vars: vars?, left, right, bounds, text: law.text.clone(), span: law.span }, terms))
}

/// The law with its sizes, types and variables named and numbered by where they stand, so that equal laws are equal.
pub(crate) fn plain(FollowedLaw { law, terms }: &FollowedLaw) -> Option<FollowedLaw> {
    let count = law.vars.len() as u32;
    let mut order: Vec<usize> = Vec::new();
    first_uses(&law.left, 0, count, &mut order);
    if order.len() < law.vars.len() {
        return None;
    }
    let place = |i: u32| {
        let j = (count - 1 - i) as usize;
        order.iter().position(|k| *k == j).map_or(0, |at| count - 1 - at as u32)
    };
    let (left, right) = (law.left.rename(place), law.right.rename(place));
    let mut opens = OpenVariables::of(&left);
    order.iter().for_each(|j| opens.ty(&law.vars[*j].ty));
    let numbered = |letter: &str, k: usize| Name::new(&format!("{letter}{k}"));
    let sizes: Vec<(Name, Name)> =
        opens.vars.iter().enumerate().map(|(k, name)| (name.clone(), numbered("n", k))).collect();
    let by = Bindings {
        sizes: sizes.iter().map(|(old, new)| (old.clone(), Size::var(new))).collect(),
        types: opens.types.iter().enumerate().map(|(k, name)| (name.clone(), Type::var(&numbered("a", k)))).collect(),
    };
    let mut memo = TypeMemo::default();
    let var = |j: &usize| {
        let var = &law.vars[*j];
        Some(PatternVar { ty: var.ty.assign(&by, &mut memo).ok()?, ..var.clone() })
    };
    let vars: Option<Vec<PatternVar>> = order.iter().map(var).collect();
    let mut bounds = SizeBounds::default();
    for (old, new) in &sizes {
        bounds.require(new, law.bounds.lower(old));
    }
    let terms = terms.iter().map(|term| term.as_ref()?.rename(place).assign(&by).ok()).collect();
    let (left, right) = (left.assign(&by).ok()?, right.assign(&by).ok()?);
    Some(FollowedLaw { law: Law { vars: vars?, left, right, bounds, text: String::new(), span: law.span }, terms })
}

/// The numbers of a law's variables in the order of their first occurrence.
fn first_uses(term: &Term, under: u32, count: u32, order: &mut Vec<usize>) {
    if matches!(term.kind(), Kind::Var) {
        if let Some((i, _)) = term.free().next()
            && i >= under
            && i - under < count
        {
            let j = (count - 1 - (i - under)) as usize;
            if !order.contains(&j) {
                order.push(j);
            }
        }
        return;
    }
    (0..term.kid_count()).for_each(|k| first_uses(&term.kid(k), under + term.binders(k), count, order));
}
