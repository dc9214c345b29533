//! Checks the laws of rules, `left --> right`: pattern variables are found, and both sides get one type.
//!
//! `scan` finds the pattern variables, `sides` types both sides; what stays open is a pattern variable, too. This module
//! knows how terms are checked; it doesn't know how laws are matched.

mod scan;
mod sides;

pub use sides::laws;

use crate::ground::{Diagnostic, Name, Span, code};
use crate::term::{SizeBounds, Term, Type};

/// A pattern variable of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternVar {
    /// Its name.
    pub name: Name,
    /// Its type. One that takes arguments, such as `e(a, i)`, is a function of them: `A -> fin n -> B`.
    pub ty: Type,
    /// The number of arguments that it takes in the pattern, 0 for one that stands for a term itself. It is always
    /// applied to exactly so many (nested `App` nodes around the variable): bound variables of the pattern, or
    /// projections of them on the left side, any terms on the right.
    pub arity: usize,
}

/// A law whose sides have one type. Both are terms in the scope of the pattern variables: variable `j` of `k` has index
/// `k - 1 - j` at the root. Size variables and type variables that occur are pattern variables, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// The pattern variables, outermost first.
    pub vars: Vec<PatternVar>,
    /// The left side.
    pub left: Term,
    /// The right side. Mentions no pattern variable, size or type that the left side lacks.
    pub right: Term,
    /// The least values that its sizes must have for the law to be well-typed; a match must check them.
    pub bounds: SizeBounds,
    /// The law as written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

fn unbound(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code::RULE_UNBOUND, format!("the right side uses `{name}`, which the left side lacks"))
        .at(span, "nothing says what it stands for")
        .help(format!("let the left side mention `{name}`, or write what it should be"))
}
