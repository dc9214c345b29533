//! Reports types, and sizes, that must be equal and are not.

use super::Requirement;
use crate::check::advice::{NEEDS_INDEX, TO_REAL};
use crate::check::diagnose::too_large;
use crate::check::unify::{TypeUnifier, UnifyError};
use crate::ground::{Diagnostic, Span, code};
use crate::term::{Size, Type, TypeView};

/// The reason for which something else was expected. Types are put into words only where a finding is said.
#[derive(Clone, Debug)]
pub(in super::super) enum MismatchReason {
    /// In these words.
    Said(&'static str),
    /// In these words and this type.
    Typed(&'static str, Type),
    /// An array of this size is indexed, with the variable of this loop if that is known.
    Indexed(Size, Option<&'static str>),
}

impl MismatchReason {
    pub(in super::super) fn text(&self, unifier: &TypeUnifier) -> String {
        match self {
            MismatchReason::Said(words) => (*words).to_owned(),
            MismatchReason::Typed(words, ty) => format!("{words} `{}`", shown(unifier, ty)),
            MismatchReason::Indexed(n, _) => format!("is an array of {}", size_shown(unifier, n)),
        }
    }
}

fn shown(unifier: &TypeUnifier, ty: &Type) -> Type {
    unifier.now(ty).unwrap_or_else(|_| ty.clone())
}

fn size_shown(unifier: &TypeUnifier, n: &Size) -> Size {
    unifier.size_now(n).unwrap_or_else(|_| n.clone())
}

fn explain(d: Diagnostic, unifier: &TypeUnifier, want: &Requirement) -> Diagnostic {
    match &want.because {
        Some((span, reason)) => d.because(*span, reason.text(unifier)),
        None => d,
    }
}

pub(in super::super) fn types(
    unifier: &TypeUnifier,
    expected: &Type,
    found: &Type,
    clash: &UnifyError,
    want: &Requirement,
) -> Diagnostic {
    let (expected, found) = (shown(unifier, expected), shown(unifier, found));
    if want.code == code::OUT_OF_RANGE
        && let UnifyError::Sizes(..) = clash
        && let (TypeView::Fin(n), TypeView::Fin(m)) = (expected.view(), found.view())
    {
        return range(unifier, n, m, want);
    }
    let code = if want.code == code::OUT_OF_RANGE { code::MISMATCH } else { want.code };
    let d = || {
        let d = Diagnostic::error(code, format!("expected `{expected}`, found `{found}`"))
            .at(want.span, format!("has type `{found}`"));
        explain(d, unifier, want)
    };
    match clash {
        UnifyError::Forms(a, b) => {
            let inner = remedy(&shown(unifier, a), &shown(unifier, b));
            d().help(of_functions(&expected, &found).unwrap_or(inner))
        }
        UnifyError::Sizes(a, b) => d().help(equal(a, b)),
        UnifyError::Infinite => infinite(want.span, &expected, &found),
        UnifyError::TooLarge => too_large(want.span),
    }
}

fn equal(a: &Size, b: &Size) -> String {
    match (a.as_literal(), b.as_literal()) {
        (Some(_), Some(_)) => format!("{a} and {b} differ: give both the same size"),
        _ => format!("make the sizes `{a}` and `{b}` equal"),
    }
}

fn infinite(span: Span, expected: &Type, found: &Type) -> Diagnostic {
    let d = Diagnostic::error(code::INFINITE_TYPE, "this type would have to contain itself")
        .at(span, format!("has type `{found}`, but `{expected}` is needed, a part of it"));
    match found.view() {
        TypeView::Fun(..) => d.help("a function can't take itself as an argument"),
        _ => d.help("keep the type the same from one use to the next: is something nested once too often?"),
    }
}

/// An index whose range is not the array's.
fn range(unifier: &TypeUnifier, n: &Size, m: &Size, want: &Requirement) -> Diagnostic {
    let below = m.cancel(n).0.as_literal() == Some(0);
    let looping = match &want.because {
        Some((_, MismatchReason::Indexed(_, looping))) => *looping,
        _ => None,
    };
    let headline = if below { "this index has another range than the array" } else { "this index can be out of range" };
    let d = Diagnostic::error(code::OUT_OF_RANGE, headline)
        .at(want.span, format!("has type `{}`", Type::fin(m.clone())).replace('`', ""));
    let d = explain(d, unifier, want);
    let longer = if below { "shorter" } else { "longer" };
    match looping {
        Some("build") => d.help(format!("build {n} elements, or make the array {longer}")),
        Some(_) => d.help(format!("fold over {n} elements, or make the array {longer}")),
        None => d.help(format!("use an index of type `{}`, or make the array {longer}", Type::fin(n.clone()))),
    }
}

pub(in super::super) fn sizes(
    unifier: &TypeUnifier,
    a: &Size,
    b: &Size,
    clash: &UnifyError,
    want: &Requirement,
) -> Diagnostic {
    let (a, b) = match clash {
        UnifyError::Sizes(a, b) => (a.clone(), b.clone()),
        UnifyError::TooLarge => return too_large(want.span),
        _ => (size_shown(unifier, a), size_shown(unifier, b)),
    };
    if want.code == code::OUT_OF_RANGE {
        return range(unifier, &a, &b, want);
    }
    let d = Diagnostic::error(want.code, format!("the sizes `{a}` and `{b}` differ"))
        .at(want.span, "needs them to be equal");
    explain(d, unifier, want).help(equal(&a, &b))
}

/// An edit that may help where `expected` is needed and `found` stands.
fn remedy(expected: &Type, found: &Type) -> String {
    use TypeView::{Array, Fin, Fun, Int, Pair, Real};
    match (expected.view(), found.view()) {
        (Real, Int | Fin(_)) => TO_REAL.into(),
        (Int, Fin(_)) => "turn the index into a number: `int i`".into(),
        (Int, Real) => "a truth value comes from a comparison, such as `x > 0`; no real turns into an `int`".into(),
        (Fin(_), _) => NEEDS_INDEX.into(),
        (_, Fun(..)) if missing(expected, found) == Some(1) => "give it one more argument".into(),
        (_, Fun(..)) => match missing(expected, found) {
            Some(k) => format!("give it {k} more arguments"),
            None => "a function stands where a value is needed: apply it, or change what is expected".into(),
        },
        (Fun(..), _) => "write a function, such as `fun x => …`".into(),
        (Real | Int, Array(..)) => {
            "take one element, `v[i]`, do it to each, `vectorMap v (fun x => …)`, or fold the array into a number"
                .into()
        }
        (Array(..), _) => "make an array: `[x, y]`, `build n (fun i => …)` or `vectorFill x`".into(),
        (Pair(..), _) => "make a pair: `(a, b)`".into(),
        (_, Pair(..)) => "take one half of the pair: `p.1` or `p.2`".into(),
        _ => "change one of the two types".into(),
    }
}

/// Where two functions differ: by what they take, or else by what they give.
fn of_functions(expected: &Type, found: &Type) -> Option<String> {
    let (TypeView::Fun(takes, gives), TypeView::Fun(taken, given)) = (expected.view(), found.view()) else {
        return None;
    };
    if differ(takes, taken) {
        return Some(format!(
            "pass a function that takes `{takes}`; if it is to be differentiated: derivatives go by reals"
        ));
    }
    match (gives.view(), given.view()) {
        (TypeView::Real, TypeView::Int | TypeView::Fin(_)) => Some("let the function give a real: `real k`".into()),
        _ => None,
    }
}

/// Whether two types have other constructors somewhere.
fn differ(a: &Type, b: &Type) -> bool {
    use TypeView::{Array, Fin, Fun, Int, Pair, Real, Unknown, Var};
    match (a.view(), b.view()) {
        (Array(_, a), Array(_, b)) => differ(a, b),
        (Pair(a, c), Pair(b, d)) | (Fun(a, c), Fun(b, d)) => differ(a, b) || differ(c, d),
        (Real, Real) | (Int, Int) | (Fin(_), Fin(_)) | (Unknown(_) | Var(_), _) | (_, Unknown(_) | Var(_)) => false,
        _ => true,
    }
}

/// How many arguments a function lacks to give what is expected.
fn missing(expected: &Type, found: &Type) -> Option<usize> {
    let (mut rest, mut count) = (found.clone(), 0);
    while let TypeView::Fun(_, to) = rest.view() {
        (rest, count) = (to.clone(), count + 1);
    }
    let same = match (expected.view(), rest.view()) {
        (TypeView::Array(..), TypeView::Array(..)) | (TypeView::Pair(..), TypeView::Pair(..)) => true,
        _ => *expected == rest,
    };
    same.then_some(count)
}
