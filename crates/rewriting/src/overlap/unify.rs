//! Unifies two patterns (`PatternUnifier`): finds terms for their variables that make them one.
//!
//! Where a variable takes arguments that the pattern doesn't bind, there are many ways: one is chosen at random, so that what
//! is found is a way to make them one, and there may be others. Without random choices such a place waits until more is known of
//! the variable, and what is found is the most general.

use smallvec::SmallVec;

use super::open::{size_step, type_step};
use crate::rule::{applied, is_bound, variable};
use redexter_language::check::PatternVar;
use redexter_language::ground::Random;
use redexter_language::term::{Bindings, Kind, Path, Payload, Size, Term, Type};

/// Patterns that grow beyond so many nodes are given up.
const MAX_NODES: u64 = 300;

/// Terms that are to stand for pattern variables, as far as they are known.
pub(super) struct PatternUnifier<'a> {
    vars: &'a [PatternVar],
    /// What chooses; without it nothing is left to choose.
    random: Option<&'a mut Random>,
    /// Places that wait, under so many binders.
    waiting: Vec<(Term, Term, u32)>,
    /// A term for each that is known, under one binder for each of its arguments.
    terms: Vec<Option<Term>>,
    /// What types and sizes have to be before the terms can be one: then it is to begin again, with these.
    pub(super) lacking: Bindings,
}

impl<'a> PatternUnifier<'a> {
    pub(super) fn new(vars: &'a [PatternVar], random: Option<&'a mut Random>) -> PatternUnifier<'a> {
        PatternUnifier {
            vars,
            random,
            waiting: Vec::new(),
            terms: vec![None; vars.len()],
            lacking: Bindings::default(),
        }
    }

    /// Makes two patterns one that stand under so many binders.
    pub(super) fn unify(&mut self, a: &Term, b: &Term, under: u32) -> Option<()> {
        let (a, b) = (self.head(a, under)?, self.head(b, under)?);
        self.open(type_step(a.ty(), b.ty())?)?;
        match (variable(self.vars, &a, under), variable(self.vars, &b, under)) {
            _ if a == b => Some(()),
            (Some((_, arguments)), _) | (_, Some((_, arguments))) if self.waits(&arguments, under) => {
                self.waiting.push((a, b, under));
                Some(())
            }
            (Some((j, arguments)), _) if self.bind(j, &arguments, &b, under).is_some() => Some(()),
            (_, Some((j, arguments))) => self.bind(j, &arguments, &a, under),
            (Some(_), None) => None,
            (None, None) => self.rigid(&a, &b, under),
        }
    }

    /// Whether a variable with these arguments may stand for too much.
    fn waits(&self, arguments: &[Term], under: u32) -> bool {
        self.random.is_none() && !are_distinct_and_bound(arguments, under)
    }

    /// Goes on with the places that waited, until none does.
    pub(super) fn settle(&mut self) -> Option<()> {
        while !self.waiting.is_empty() {
            let waiting = std::mem::take(&mut self.waiting);
            let before = waiting.len();
            waiting.iter().try_for_each(|(a, b, under)| self.unify(a, b, *under))?;
            // As many as before wait for one another.
            if self.waiting.len() >= before {
                return None;
            }
        }
        Some(())
    }

    /// Notes what types and sizes lack; then the terms have to wait.
    fn open(&mut self, lacking: Bindings) -> Option<()> {
        let none = lacking.types.is_empty() && lacking.sizes.is_empty();
        self.lacking = lacking;
        none.then_some(())
    }

    /// Two patterns of which neither is a variable.
    fn rigid(&mut self, a: &Term, b: &Term, under: u32) -> Option<()> {
        if let (Some(n), Some(m)) = (as_size(a), as_size(b)) {
            return self.open(size_step(&n, &m)?);
        }
        if a.kind().head() != b.kind().head() || a.kid_count() != b.kid_count() || a.kid_count() == 0 {
            return None;
        }
        let (ours, others) = (held(a), held(b));
        for (n, m) in ours.iter().zip(&others) {
            self.open(size_step(n, m)?)?;
        }
        (0..a.kid_count()).try_for_each(|k| self.unify(&a.kid(k), &b.kid(k), under + a.binders(k)))
    }

    /// What stands for a variable at the root of a pattern, if that is known, instead of it.
    fn head(&mut self, term: &Term, under: u32) -> Option<Term> {
        let mut here = term.clone();
        while let Some((j, arguments)) = variable(self.vars, &here, under)
            && let Some(body) = &self.terms[j]
        {
            here = applied(&body.shift_from(self.vars[j].arity as u32, under), &arguments).ok()?;
            if here.size() > MAX_NODES {
                return None;
            }
        }
        Some(here)
    }

    /// Lets a variable with these arguments stand for a pattern.
    fn bind(&mut self, j: usize, arguments: &[Term], other: &Term, under: u32) -> Option<()> {
        let other = self.resolved(other, under)?;
        let own = under + (self.vars.len() - 1 - j) as u32;
        // A pattern that has the variable in it can't stand for it, because that would have no end.
        if other.free_at(own).is_some() {
            return None;
        }
        let plain = are_distinct_and_bound(arguments, under);
        // One that depends on its arguments otherwise may do so at one place.
        if let Some(random) = self.random.as_deref_mut().filter(|_| !plain)
            && random.chance(75)
        {
            let k = random.below(arguments.len());
            let mut places = Vec::new();
            parts(self.vars, &other, (under, 0), &mut Vec::new(), &mut places, arguments[k].ty());
            if !places.is_empty() {
                let (path, depth) = random.pick(&places).clone();
                let part = Path(path.clone()).find(&other)?.lower(depth)?;
                let arity = arguments.len() as u32;
                let hole = Term::var(arity - 1 - k as u32, part.ty());
                let body = with_hole(&self.abstracted(&other, arguments, under)?, &path, &hole)?;
                self.terms[j] = Some(body);
                let argument = arguments[k].clone();
                return self.unify(&argument, &part, under);
            }
        }
        self.terms[j] = Some(self.abstracted(&other, arguments, under)?);
        Some(())
    }

    /// A term under binders for the arguments instead of those of its pattern; of these it may mention only arguments.
    fn abstracted(&self, term: &Term, arguments: &[Term], under: u32) -> Option<Term> {
        let arity = arguments.len() as u32;
        let place = |i: u32| {
            let is = |a: &Term| matches!(a.kind(), Kind::Var) && a.free().next().is_some_and(|(index, _)| index == i);
            arguments.iter().position(is).map(|k| arity - 1 - k as u32)
        };
        if term.free().any(|(i, _)| i < under && place(i).is_none()) {
            return None;
        }
        Some(term.rename(|i| if i < under { place(i).unwrap_or(0) } else { i - under + arity }))
    }

    /// The pattern with what stands for its variables, as far as that is known.
    pub(super) fn resolved(&mut self, term: &Term, under: u32) -> Option<Term> {
        let here = self.head(term, under)?;
        if variable(self.vars, &here, under).is_none() && here.kid_count() == 0 {
            return Some(here);
        }
        let kid = |k: usize| self.resolved(&here.kid(k), under + here.binders(k));
        let kids: Option<SmallVec<[Term; 2]>> = (0..here.kid_count()).map(kid).collect();
        here.with_kids(kids?).ok().filter(|term| term.size() <= MAX_NODES)
    }
}

fn are_distinct_and_bound(arguments: &[Term], under: u32) -> bool {
    arguments.iter().enumerate().all(|(k, a)| is_bound(a, under) && !arguments[..k].contains(a))
}

fn as_size(term: &Term) -> Option<Size> {
    match term.kind() {
        Kind::SizeVar(name) => Some(Size::var(name)),
        Kind::Int(value) => Some(Size::literal(u64::try_from(*value).ok()?)),
        _ => None,
    }
}

fn held(term: &Term) -> Vec<Size> {
    let mut all = Vec::new();
    term.kind().each_held(|held| {
        if let Payload::Size(size) = held {
            all.push(size.clone());
        }
    });
    all
}

type PartPlace = (Vec<u32>, u32);

/// The places of parts with this type that mention nothing bound on the way, and how many binders that is; the term stands
/// under so many others.
fn parts(
    vars: &[PatternVar],
    term: &Term,
    (under, depth): (u32, u32),
    path: &mut Vec<u32>,
    all: &mut Vec<PartPlace>,
    ty: &Type,
) {
    if term.free().all(|(i, _)| i >= depth) && type_step(term.ty(), ty).is_some() {
        all.push((path.clone(), depth));
    }
    // A variable of the pattern stands for nothing without its arguments.
    if variable(vars, term, under + depth).is_some() {
        return;
    }
    for (k, kid) in term.kids().iter().enumerate() {
        path.push(k as u32);
        parts(vars, kid, (under, depth + term.binders(k)), path, all, ty);
        path.pop();
    }
}

fn with_hole(term: &Term, path: &[u32], hole: &Term) -> Option<Term> {
    let Some((k, rest)) = path.split_first() else { return Some(hole.clone()) };
    let k = *k as usize;
    let kid = with_hole(&term.kid(k), rest, &hole.shift(term.binders(k)))?;
    term.with_kid(k, kid).ok()
}
