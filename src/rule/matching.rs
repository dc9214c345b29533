//! Matching a law's left side against a term.
//!
//! Pattern and term are walked together under the same binders, so that a bound variable of the pattern has the same
//! index as the one it stands for. A variable of the law matches what mentions none of these binders, and is kept in
//! the scope outside of them; one with arguments matches what mentions at most its arguments, and is kept as a body
//! under one binder per argument.

use crate::check::PatternVar;
use crate::ground::Name;
use crate::term::{Assignment, Atom, Kind, Size, Term, Type, TypeView};

use super::abstraction::abstract_over;
use super::condition::Found;
use super::law::apart;
use super::reason::{Reason, Why};
use super::sizes::Sizes;

/// What a law's left side was found to stand for.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// For each variable of the law its term, under as many binders as it takes arguments.
    pub(super) terms: Vec<Option<Term>>,
    /// Types and sizes.
    pub(super) sizes: Sizes,
    /// The binders of the left side.
    pub(super) binders: Vec<Bound>,
}

impl Found for Match {
    fn term(&self, j: usize) -> Option<Term> {
        self.terms[j].clone()
    }

    fn size(&self, name: &Name) -> Option<Size> {
        self.sizes.size(&Atom::Var(apart(name)))
    }
}

impl Match {
    /// These terms for the law's variables, and nothing else.
    pub(super) fn of(terms: Vec<Term>) -> Match {
        Match { terms: terms.into_iter().map(Some).collect(), sizes: Sizes::default(), binders: Vec::new() }
    }
}

/// A binder of the pattern and the one that it matched.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// The name in the law.
    pub(super) name: Name,
    /// The user's name.
    pub(super) hint: Name,
}

/// The law's variable that stands there, under `under` binders of the law, with the arguments that it takes: `e(a, i)`
/// is written as nested applications. More arguments than it takes are applications of what it stands for.
pub(super) fn variable(vars: &[PatternVar], term: &Term, under: u32) -> Option<(usize, Vec<Term>)> {
    let mut head = term.clone();
    let mut arguments = Vec::new();
    while let Kind::App = head.kind() {
        arguments.push(head.kid(1));
        head = head.kid(0);
    }
    arguments.reverse();
    let Kind::Var = head.kind() else { return None };
    let (index, _) = head.free().next()?;
    let j = vars.len().checked_sub(index.checked_sub(under)? as usize + 1)?;
    (vars[j].arity == arguments.len()).then_some((j, arguments))
}

pub(super) struct Matcher<'a> {
    vars: &'a [PatternVar],
    found: Match,
    progress: u32,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(vars: &'a [PatternVar]) -> Matcher<'a> {
        let found = Match { terms: vec![None; vars.len()], sizes: Sizes::default(), binders: Vec::new() };
        Matcher { vars, found, progress: 0 }
    }

    pub(super) fn run(mut self, pattern: &Term, term: &Term) -> Result<Match, Reason> {
        match self.go(pattern, term, 0, None).and_then(|()| self.found.sizes.solve()) {
            Ok(()) => Ok(self.found),
            Err(why) => Err(Reason { rule: None, why, progress: self.progress }),
        }
    }

    fn go(&mut self, pattern: &Term, term: &Term, under: u32, parent: Option<&Kind>) -> Result<(), Why> {
        if let Some((j, arguments)) = variable(self.vars, pattern, under) {
            return self.function(j, &arguments, term, under);
        }
        if let Kind::Var = pattern.kind() {
            let same = matches!(term.kind(), Kind::Var) && term.free().map(|f| f.0).eq(pattern.free().map(|f| f.0));
            return if same { Ok(()) } else { Err(Why::Missing("bound variable", parent.map(shape))) };
        }
        if let Kind::SizeVar(name) = pattern.kind() {
            return self.found.sizes.value(name, term);
        }
        self.constructor(pattern, term).map_err(|missing| match missing {
            Why::Missing(what, _) => Why::Missing(what, parent.map(shape)),
            other => other,
        })?;
        self.progress += 1;
        self.binder(pattern, term);
        for k in 0..pattern.kid_count() {
            let deeper = under + pattern.kind().binders(k);
            self.go(&pattern.kid(k), &term.kid(k), deeper, Some(pattern.kind()))?;
        }
        Ok(())
    }

    /// `x`, or `e(a, i)`
    fn function(&mut self, j: usize, arguments: &[Term], term: &Term, under: u32) -> Result<(), Why> {
        let var = &self.vars[j];
        let body = abstract_over(term, under, arguments).ok_or_else(|| Why::Captures(var.name.clone()))?;
        let mut ty = &var.ty;
        for _ in 0..var.arity {
            let TypeView::Fun(_, to) = ty.view() else { return Err(Why::Type) };
            ty = to;
        }
        self.bind(j, body, ty)
    }

    fn bind(&mut self, j: usize, term: Term, ty: &Type) -> Result<(), Why> {
        match &self.found.terms[j] {
            Some(earlier) if *earlier == term => Ok(()),
            Some(_) => Err(Why::Differs(self.vars[j].name.clone())),
            None => {
                self.found.sizes.types(ty, term.ty())?;
                self.found.terms[j] = Some(term);
                Ok(())
            }
        }
    }

    /// Whether both have the same constructor, with sizes and types to fit.
    fn constructor(&mut self, pattern: &Term, term: &Term) -> Result<(), Why> {
        let sizes = &mut self.found.sizes;
        let same = match (pattern.kind(), term.kind()) {
            (Kind::Lam(_, p), Kind::Lam(_, t)) | (Kind::Array(p), Kind::Array(t)) => {
                sizes.types(p, t)?;
                pattern.kid_count() == term.kid_count()
            }
            (Kind::Ifold(p), Kind::Ifold(n)) | (Kind::Build(p), Kind::Build(n)) => {
                sizes.equation(p, n)?;
                true
            }
            (Kind::Fin(c, p), Kind::Fin(d, n)) if c == d => {
                sizes.equation(p, n)?;
                true
            }
            (Kind::Real(x), Kind::Real(y)) => x.to_bits() == y.to_bits(),
            (Kind::Int(x), Kind::Int(y)) => x == y,
            (Kind::Prim(p), Kind::Prim(q)) => p == q,
            (Kind::App, Kind::App) | (Kind::Let(_), Kind::Let(_)) | (Kind::If, Kind::If) => true,
            (Kind::Get, Kind::Get) | (Kind::Pair, Kind::Pair) => true,
            (Kind::Fst, Kind::Fst) | (Kind::Snd, Kind::Snd) => true,
            _ => false,
        };
        if same { Ok(()) } else { Err(Why::Missing(shape(pattern.kind()), None)) }
    }

    fn binder(&mut self, pattern: &Term, term: &Term) {
        if let (Kind::Lam(name, _), Kind::Lam(hint, _)) | (Kind::Let(name), Kind::Let(hint)) =
            (pattern.kind(), term.kind())
        {
            self.found.binders.push(Bound { name: name.clone(), hint: hint.clone() });
        }
    }
}

/// A constructor in words.
fn shape(kind: &Kind) -> &'static str {
    match kind {
        Kind::Var => "variable",
        Kind::Lam(..) => "function",
        Kind::App => "application",
        Kind::Let(_) => "let",
        Kind::If => "if",
        Kind::Ifold(_) => "ifold",
        Kind::Build(_) => "build",
        Kind::Array(_) => "array literal",
        Kind::Get => "indexing",
        Kind::Pair => "pair",
        Kind::Fst => "fst",
        Kind::Snd => "snd",
        Kind::Real(0.0) | Kind::Int(0) | Kind::Fin(0, _) => "0",
        Kind::Real(1.0) | Kind::Int(1) | Kind::Fin(1, _) => "1",
        Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) => "such constant",
        Kind::SizeVar(_) => "size",
        Kind::Prim(prim) => prim.text(),
    }
}
