//! Reports operands that an operator doesn't take.

use crate::check::advice::{AS_REAL, NEEDS_ARRAY};
use crate::ground::{Diagnostic, Span, code};
use crate::term::{MetaType, Prim, PrimClass};

/// An operator where it is used.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Operator {
    /// Which it is.
    pub(in super::super) prim: Prim,
    /// The operator itself.
    pub(in super::super) at: Span,
    /// It and its operands.
    pub(in super::super) span: Span,
}

pub(in super::super) fn operand(op: Operator, at: Span, ty: &str) -> Diagnostic {
    let d = wrong(op, at, ty);
    if ty.starts_with("array") && op.prim.class() == PrimClass::Comparison {
        return d.help(format!("ask each element: `build n (fun i => v[i] {} …)`", op.prim.text()));
    }
    if ty.starts_with("array") {
        return d.help(element_by_element(op.prim));
    }
    if ty.contains("->") {
        return d.help("apply the function first");
    }
    d.help("take the parts that are numbers: `p.1`, `p.2`")
}

/// How arrays are computed with, by the operator that was written between them.
fn element_by_element(op: Prim) -> String {
    let built = |part: &str| format!("`build n (fun i => {part})`");
    let function = match op {
        Prim::Neg | Prim::RoundedNeg => {
            return format!("work element by element: {}", built(&format!("{}a[i]", op.text())));
        }
        Prim::Add => "`vectorAdd a b`, ",
        Prim::Mul => "`vectorEMul a b`, by a number `vectorSMul a x`, ",
        _ => "",
    };
    let each = format!("a[i] {} b[i]", op.text());
    format!("work element by element: {function}{}", built(&each))
}

/// An index where only numbers can be computed with.
pub(in super::super) fn index_operand(op: Operator, at: Span, ty: &str) -> Diagnostic {
    wrong(op, at, ty).help("turn the index into a number first: `int i` or `real i`")
}

/// A number of another type than the operator takes, or than its other operand has.
pub(in super::super) fn other_number(op: Operator, at: Span, ty: &str) -> Diagnostic {
    let help = match op.prim {
        Prim::RealPow => "write `pow x k` for a whole exponent, `real k` for a whole number as a real",
        Prim::Rem => "for the rest of a real write `a - b * floor (a / b)`",
        _ => AS_REAL,
    };
    wrong(op, at, ty).help(help)
}

fn wrong(op: Operator, at: Span, ty: &str) -> Diagnostic {
    Diagnostic::error(code::BAD_OPERANDS, format!("`{}` doesn't take `{ty}`", op.prim.text()))
        .at(at, format!("has type `{ty}`"))
        .because(op.at, format!("works on {}", works_on(op.prim)))
}

fn works_on(op: Prim) -> &'static str {
    let takes_real = op.takes(0).any(|ty| *ty == MetaType::Real);
    match (op.on_integers().takes_int(), op.takes_fin(), op.class()) {
        (false, false, _) => "`real`",
        (true, false, _) if !takes_real => "`int`",
        (true, false, _) => "`real` and `int`",
        (_, true, PrimClass::Arithmetic) => "`real`, `int`, and indices with a constant",
        (_, true, _) => "`real`, `int` and indices",
    }
}

pub(in super::super) fn fin_with(op: Operator, at: Span, ty: &str, index: Span) -> Diagnostic {
    Diagnostic::error(code::BAD_OPERANDS, format!("`{}` doesn't mix an index with `{ty}`", op.prim.text()))
        .at(at, format!("has type `{ty}`"))
        .because(index, "is an index, of a type `fin …`")
        .help("turn the index into a number first: `int i` or `real i`")
}

/// Arithmetic where its result, a number, can't stand.
pub(in super::super) fn no_number(span: Span, expected: &str) -> Diagnostic {
    Diagnostic::error(code::MISMATCH, format!("expected `{expected}`, found a number"))
        .at(span, "is a number")
        .help(if expected.starts_with("array") { NEEDS_ARRAY } else { "a number is a `real`, an `int` or an index" })
}

pub(in super::super) fn not_an_index(op: Prim, span: Span, ty: &str) -> Diagnostic {
    let (needs, help) = match op {
        Prim::Pow => ("an `int` or `fin` exponent", "for a real exponent write `x ^ k`"),
        Prim::ToInt => ("an index", "only indices, of a type `fin n`, turn into `int`"),
        Prim::ToReal if ty == "real" => ("an `int` or an index", "leave `real` out: this is a real"),
        Prim::ToReal => ("an `int` or an index", "only whole numbers turn into `real`"),
        _ => ("an `int` or an index", "give it a whole number"),
    };
    Diagnostic::error(code::BAD_OPERANDS, format!("`{}` needs {needs}, found `{ty}`", op.text()))
        .at(span, format!("has type `{ty}`"))
        .help(help)
}
