//! Lifts constants: what D isn't taken with respect to gets tangents of zero.

use super::activity::Activity;
use super::{AdError, DualTypes};
use crate::ground::Name;
use crate::term::{Kind, Term, Type, TypeView, View};

/// The most parts that one lifted constant may have, counted as a tree.
const MAX_PARTS: u64 = 1_000_000;

/// A constant with a zero tangent for each real in it: `x` to `(x, 0)`, an array to `build n (fun i => lift v[i])`, a pair to
/// `(lift (fst p), lift (snd p))`. What holds no reals stays as it is, and what is computed is computed once.
pub(super) fn lift(constant: &Term, types: &mut DualTypes) -> Result<Term, AdError> {
    if types.of(constant.ty())? == *constant.ty() {
        return Ok(constant.clone());
    }
    if types.parts(constant.ty()) > MAX_PARTS {
        return Err(AdError::TooManyParts(constant.ty().clone()));
    }
    whole(constant.clone(), types)
}

/// What is active in parts, with tangents for more of its parts: at least those of `from` are among those of `to`.
pub(super) fn raise(term: Term, from: &Activity, to: &Activity, types: &mut DualTypes) -> Result<Term, AdError> {
    match (from, to) {
        _ if from == to => Ok(term),
        (Activity::Active, _) => Ok(term),
        (Activity::Constant, Activity::Active) => lift(&term, types),
        _ => raise_parts(term, from, to, types),
    }
}

fn raise_parts(term: Term, from: &Activity, to: &Activity, types: &mut DualTypes) -> Result<Term, AdError> {
    match (term.view(), term.ty().view()) {
        (View::Let(name, value, body), _) => Ok(Term::let_in(&name, value, raise(body, from, to, types)?)?),
        (View::Pair(a, b), _) => raise_halves((a, b), from, to, types),
        (View::Build(n, f), _) if let View::Lam(name, below, element) = f.view() => {
            let element = raise(element, &from.element(), &to.element(), types)?;
            Ok(Term::build(n, Term::lam(&name, &below, element)?)?)
        }
        _ if !is_path(&term) => {
            let named = raise_parts(Term::var(0, term.ty()), from, to, types)?;
            Ok(Term::let_in(&Name::new("mixed"), term, named)?)
        }
        (_, TypeView::Array(n, _)) => {
            let below = Type::fin(n.clone());
            let element = Term::get(term.shift(1), Term::var(0, &below))?;
            let element = raise(element, &from.element(), &to.element(), types)?;
            Ok(Term::build(n.clone(), Term::lam(&Name::new("i"), &below, element)?)?)
        }
        (_, TypeView::Pair(..)) => raise_halves((Term::fst(term.clone())?, Term::snd(term.clone())?), from, to, types),
        _ => Ok(term),
    }
}

fn raise_halves((a, b): (Term, Term), from: &Activity, to: &Activity, types: &mut DualTypes) -> Result<Term, AdError> {
    let (from, to) = (from.halves(), to.halves());
    let first = raise(a, &from.0, &to.0, types)?;
    Ok(Term::pair(first, raise(b, &from.1, &to.1, types)?)?)
}

/// Any constant. Where one term makes the parts, the zeros are put beside these; else it gets a name, unless it is a path.
fn whole(term: Term, types: &mut DualTypes) -> Result<Term, AdError> {
    if let View::Let(name, value, body) = term.view() {
        return Ok(Term::let_in(&name, value, whole(body, types)?)?);
    }
    if types.of(term.ty())? == *term.ty() || is_path(&term) || term.ty() == &Type::real() {
        return parts_of(term, types);
    }
    match term.view() {
        View::Pair(a, b) => {
            let first = whole(a, types)?;
            Ok(Term::pair(first, whole(b, types)?)?)
        }
        View::Build(n, f) if matches!(f.kind(), Kind::Lam(..)) => Ok(Term::build(n, element_of(f, types)?)?),
        View::Array(element, elements) if element == Type::real() => {
            let lifted: Result<Vec<Term>, _> = elements.into_iter().map(|e| Term::pair(e, Term::real(0.0))).collect();
            Ok(Term::array(&types.of(&element)?, lifted?)?)
        }
        _ => {
            let named = parts_of(Term::var(0, term.ty()), types)?;
            Ok(Term::let_in(&Name::new("constant"), term, named)?)
        }
    }
}

/// A λ to the element at an index.
fn element_of(f: Term, types: &mut DualTypes) -> Result<Term, AdError> {
    let View::Lam(name, below, element) = f.view() else { return Ok(f) };
    Ok(Term::lam(&name, &below, whole(element, types)?)?)
}

/// Whether it only reads a part of a variable.
fn is_path(term: &Term) -> bool {
    match term.kind() {
        Kind::Var => true,
        Kind::Get | Kind::Fst | Kind::Snd => is_path(&term.kid(0)),
        _ => false,
    }
}

fn parts_of(path: Term, types: &mut DualTypes) -> Result<Term, AdError> {
    let ty = path.ty().clone();
    if types.of(&ty)? == ty {
        return Ok(path);
    }
    match ty.view() {
        TypeView::Array(n, _) => {
            let below = Type::fin(n.clone());
            let element = parts_of(Term::get(path.shift(1), Term::var(0, &below))?, types)?;
            Ok(Term::build(n.clone(), Term::lam(&Name::new("i"), &below, element)?)?)
        }
        TypeView::Pair(..) => {
            let first = parts_of(Term::fst(path.clone())?, types)?;
            Ok(Term::pair(first, parts_of(Term::snd(path)?, types)?)?)
        }
        _ => Ok(Term::pair(path, Term::real(0.0))?),
    }
}
