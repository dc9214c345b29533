//! What the checker says: one function per finding.

use super::pending::Want;
use super::unify::{Clash, Solver};
use crate::ad::AdError;
use crate::ground::name::nearest;
use crate::ground::{Code, Diagnostic, Span, code};
use crate::term::{Prim, Size, Type};

fn explain(mut d: Diagnostic, want: &Want) -> Diagnostic {
    if let Some((span, message)) = &want.because {
        d = d.because(*span, message.clone());
    }
    d
}

pub(super) fn mismatch(expected: &str, found: &str, want: &Want) -> Diagnostic {
    explain(
        Diagnostic::error(want.code, format!("expected `{expected}`, found `{found}`"))
            .at(want.span, format!("has type `{found}`")),
        want,
    )
}

pub(super) fn types(solver: &Solver, expected: &Type, found: &Type, clash: &Clash, want: &Want) -> Diagnostic {
    let show = |t: &Type| solver.now(t).map_or_else(|_| t.to_string(), |t| t.to_string());
    let (expected, found) = (show(expected), show(found));
    match clash {
        Clash::Forms if want.code == code::OUT_OF_RANGE => {
            let want = Want { code: code::MISMATCH, ..want.clone() };
            mismatch(&expected, &found, &want)
                .help("an index is a `fin n`: the variable of a `build` or `ifold`, or a constant")
        }
        Clash::Forms => mismatch(&expected, &found, want),
        Clash::Sizes(a, b) if want.code == code::OUT_OF_RANGE => explain(
            Diagnostic::error(code::OUT_OF_RANGE, "this index can be out of range")
                .at(want.span, format!("has type `{found}`"))
                .help(format!("an index of type `{expected}` is needed; the sizes `{a}` and `{b}` differ")),
            want,
        ),
        Clash::Sizes(a, b) => {
            let (a, b) = (a.to_string(), b.to_string());
            mismatch(&expected, &found, want).help(format!("make the sizes `{a}` and `{b}` equal"))
        }
        Clash::Infinite => Diagnostic::error(code::INFINITE_TYPE, "this type would have to contain itself")
            .at(want.span, format!("`{found}` would have to equal `{expected}`"))
            .help("is a function applied to itself, or an argument missing?"),
        Clash::TooLarge => too_large(want.span),
    }
}

pub(super) fn sizes(solver: &Solver, a: &Size, b: &Size, clash: &Clash, want: &Want) -> Diagnostic {
    let (a, b) = match clash {
        Clash::Sizes(a, b) => (a.clone(), b.clone()),
        _ => (solver.size_now(a).unwrap_or_else(|_| a.clone()), solver.size_now(b).unwrap_or_else(|_| b.clone())),
    };
    let headline = if want.code == code::OUT_OF_RANGE {
        "this index can be out of range".to_owned()
    } else {
        format!("the sizes `{a}` and `{b}` differ")
    };
    explain(
        Diagnostic::error(want.code, headline)
            .at(want.span, format!("needs `{a}` and `{b}` to be equal"))
            .help("make the two sizes equal"),
        want,
    )
}

pub(super) fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(code::SIZE_TOO_LARGE, "a size is too large")
        .at(span, "needs a size beyond 2^63-1, or one with too many terms")
        .help("use smaller sizes")
}

pub(super) fn ad(span: Span, error: &AdError) -> Diagnostic {
    Diagnostic::error(code::NOT_DIFFERENTIABLE, "D can't be taken here").at(span, error.to_string())
}

pub(super) fn operand(op: Prim, span: Span, at: Span, ty: &str) -> Diagnostic {
    let d = Diagnostic::error(code::BAD_OPERANDS, format!("`{}` doesn't take `{ty}`", op.text()))
        .at(at, format!("has type `{ty}`"));
    let d = if span == at { d } else { d.because(span, format!("an operand of `{}`", op.text())) };
    match ty.starts_with("array") {
        true => d.help("work element by element, with `build` or `vectorAdd`, `vectorEMul`, `vectorSMul`"),
        false => d,
    }
}

pub(super) fn fin_with(op: Prim, span: Span, at: Span, ty: &str) -> Diagnostic {
    Diagnostic::error(code::BAD_OPERANDS, format!("`{}` doesn't mix an index with `{ty}`", op.text()))
        .at(at, format!("has type `{ty}`"))
        .because(span, "the other operand is an index, of a type `fin …`")
        .help("turn the index into a number first: `int i` or `real i`")
}

pub(super) fn bad_number(span: Span, why: &str) -> Diagnostic {
    Diagnostic::error(code::BAD_NUMBER, "this number can't be represented").at(span, why.to_owned())
}

pub(super) fn undetermined(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(code::UNDETERMINED, format!("{what} can't be inferred"))
        .at(span, "nothing here decides it")
        .help("write the type, as in `(e : array 3 real)` or `fun (x : real) => …`")
}

pub(super) fn fin_too_large(span: Span, c: u64, n: &Size) -> Diagnostic {
    let d = Diagnostic::error(code::FIN_TOO_LARGE, format!("the index {c} is not below `{n}` for every size"))
        .at(span, format!("has type `fin {n}`"));
    match n.as_literal() {
        Some(0) => d.help("there is no index below 0: the array is empty"),
        Some(k) => d.help(format!("use a number from 0 to {}", k - 1)),
        None => d.help(format!("ask for a lower bound: `{{{n} >= {}}}`", c.saturating_add(1))),
    }
}

pub(super) fn not_an_index(op: Prim, span: Span, ty: &str) -> Diagnostic {
    let (needs, help) = match op {
        Prim::Pow => ("an `int` or `fin` exponent", "for a real exponent write `exp (k * log x)`"),
        Prim::ToInt => ("a `fin`", "only indices turn into `int`"),
        _ => ("an `int` or a `fin`", "a real needs no `real`"),
    };
    Diagnostic::error(code::BAD_OPERANDS, format!("`{}` needs {needs}, found `{ty}`", op.text()))
        .at(span, format!("has type `{ty}`"))
        .help(help)
}

pub(super) fn below_bound(span: Span, n: &Size, lower: u64, what: &str) -> Diagnostic {
    let d = Diagnostic::error(code::BELOW_BOUND, format!("the size `{n}` may be below {lower}"))
        .at(span, format!("{what} needs a size of at least {lower}"));
    if n.as_atom().is_some() { d.help(format!("ask for it: `{{{n} >= {lower}}}`")) } else { d }
}

/// A name that isn't known, with the nearest one that is.
pub(super) fn unknown<'a>(
    code: Code,
    what: &str,
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let d = Diagnostic::error(code, format!("unknown {what} `{name}`")).at(span, "not known here");
    match nearest(name, known) {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None => d,
    }
}

/// A term that the checker accepted can't be made: the checker and the term language disagree.
pub(super) fn bug(span: Span, what: impl ToString) -> Diagnostic {
    Diagnostic::error(code::INTERNAL, "redexter accepted this and then could not make the term")
        .at(span, what.to_string())
        .help("this is a bug in redexter: please report it with the model")
}
