//! Keeps a term's arithmetic as it is written: each operation on reals becomes one that no law of the reals knows.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::embedding::Embedding;
use super::kind::{Kind, View};
use super::node::{Node, Term};
use super::prim::{Prim, PrimClass};
use super::types::{Type, TypeView};
use super::typing::IllTyped;
use crate::ground::Name;

impl Term {
    /// The same to the bit, of rounded operations: `+` becomes `⊕` and so on, a function of reals `rounded (exp x)`. A result
    /// that is computed elsewhere, as a variable is, becomes `rounded x`, number by number. Not for functions.
    pub fn kept(&self) -> Result<Term, IllTyped> {
        result(&ArithmeticKeeper::default().operations(self)?)
    }

    /// Whether an operation in it is kept as it is written.
    pub fn keeps_arithmetic(&self) -> bool {
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![self.clone()]);
        while let Some(term) = waiting.pop() {
            if matches!(term.kind(), Kind::Prim(prim) if prim.is_rounded()) {
                return true;
            }
            if seen.insert(Rc::as_ptr(&term.node)) {
                waiting.extend(term.kids());
            }
        }
        false
    }
}

/// Goes through the operations of a term.
#[derive(Default)]
struct ArithmeticKeeper {
    /// What became of subterms that stand in several places.
    done: FxHashMap<(*const Node, Embedding), Term>,
}

impl ArithmeticKeeper {
    fn operations(&mut self, term: &Term) -> Result<Term, IllTyped> {
        if term.kid_count() == 0 {
            return Ok(term.clone());
        }
        // The walked term keeps its nodes alive, which makes addresses good keys.
        let key = term.is_shared().then(|| (Rc::as_ptr(&term.node), term.env.clone()));
        if let Some(done) = key.as_ref().and_then(|key| self.done.get(key)) {
            return Ok(done.clone());
        }
        let mut kids = SmallVec::with_capacity(term.kid_count());
        for k in 0..term.kid_count() {
            kids.push(self.operations(&term.kid(k))?);
        }
        let done = operation(term, kids)?;
        if let Some(key) = key {
            self.done.insert(key, done.clone());
        }
        Ok(done)
    }
}

/// The operation of a term on children that are kept.
fn operation(term: &Term, kids: SmallVec<[Term; 2]>) -> Result<Term, IllTyped> {
    let Kind::Prim(prim) = term.kind() else { return term.with_kids(kids) };
    if !is_real(term.ty()) {
        return term.with_kids(kids);
    }
    if let Some(kept) = prim.kept() {
        return Term::of(&Kind::Prim(kept), kids);
    }
    let is_kept = || kids.iter().any(|kid| matches!(kid.kind(), Kind::Prim(Prim::Rounded)));
    match prim {
        Prim::Rounded if is_kept() => Ok(kids[0].clone()),
        other if other.is_rounded() || other.class() == PrimClass::Conversion => term.with_kids(kids),
        _ => Term::unary(Prim::Rounded, term.with_kids(kids)?),
    }
}

/// A term whose operations are kept, with those parts of its value rounded that are computed elsewhere.
fn result(term: &Term) -> Result<Term, IllTyped> {
    if !has_reals(term.ty()) {
        return Ok(term.clone());
    }
    match term.view() {
        View::Let(name, value, body) => Term::let_in(&name, value, result(&body)?),
        View::If(condition, a, b) => Term::if_else(condition, result(&a)?, result(&b)?),
        View::Guard(name, n, number, a, b) => Term::guard(&name, n, number, result(&a)?, result(&b)?),
        View::Pair(a, b) => Term::pair(result(&a)?, result(&b)?),
        View::Array(element, all) => Term::array(&element, all.iter().map(result).collect::<Result<_, _>>()?),
        View::Build(n, f) => match f.view() {
            View::Lam(name, ty, body) => Term::build(n, Term::lam(&name, &ty, result(&body)?)?),
            _ => taken(term),
        },
        View::Prim(prim, _) if prim.is_rounded() => Ok(term.clone()),
        View::Ifold(..) | View::Scan(..) | View::Scanr(..) => Ok(term.clone()),
        _ => taken(term),
    }
}

/// A value that is computed elsewhere, rounded number by number.
fn taken(term: &Term) -> Result<Term, IllTyped> {
    match term.ty().view() {
        TypeView::Real => Term::unary(Prim::Rounded, term.clone()),
        TypeView::Pair(..) | TypeView::Array(..) if !is_way(term) => {
            let named = taken(&Term::var(0, term.ty()))?;
            Term::let_in(&Name::new("kept"), term.clone(), named)
        }
        TypeView::Pair(a, b) => {
            let half = |ty: &Type, half: Result<Term, IllTyped>| if has_reals(ty) { taken(&half?) } else { half };
            Term::pair(half(a, Term::fst(term.clone()))?, half(b, Term::snd(term.clone()))?)
        }
        TypeView::Array(n, _) => {
            let index = Type::fin(n.clone());
            let element = taken(&Term::get(term.shift(1), Term::var(0, &index))?)?;
            Term::build(n.clone(), Term::lam(&Name::new("i"), &index, element)?)
        }
        _ => Ok(term.clone()),
    }
}

/// Whether it is a variable or a part of one, which costs nothing to write twice.
fn is_way(term: &Term) -> bool {
    match term.kind() {
        Kind::Var => true,
        Kind::Get => is_way(&term.kid(0)) && is_way(&term.kid(1)),
        Kind::Fst | Kind::Snd => is_way(&term.kid(0)),
        _ => false,
    }
}

fn is_real(ty: &Type) -> bool {
    matches!(ty.view(), TypeView::Real)
}

fn has_reals(ty: &Type) -> bool {
    match ty.view() {
        TypeView::Real => true,
        TypeView::Array(_, element) => has_reals(element),
        TypeView::Pair(a, b) => has_reals(a) || has_reals(b),
        _ => false,
    }
}
