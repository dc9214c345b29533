//! Defines programs: terms that are run.

use super::kind::View;
use super::node::Term;
use super::size::SizeBounds;
use super::types::{Type, TypeView};
use crate::ground::Name;

/// A term with what is known of its open sizes: what scripts, the evaluator and the exporter work on.
///
/// Its parameters are the outermost λs, whose hints are the parameters' names.
///
/// ```
/// use redexter_language::{check, ground::Budget};
/// # fn main() -> Result<(), redexter_language::ground::Trouble> {
/// let prelude = check::prelude(&Default::default());
/// let fill = prelude.library().find(|def| def.name().as_str() == "vectorFill").expect("it is in the prelude");
/// let fill = fill.program(&Budget::default())?;
/// assert_eq!(fill.term.applied().0.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// A closed term: no free variables, but perhaps open sizes.
    pub term: Term,
    /// Lower bounds of its open sizes.
    pub bounds: SizeBounds,
}

impl Program {
    /// Another term whose open sizes have the same bounds.
    pub fn with(&self, term: Term) -> Program {
        Program { term, bounds: self.bounds.clone() }
    }
}

impl Term {
    /// The parameters, outermost first, and the body in their scope: no function, unless as part of data.
    ///
    /// A function that isn't written as a λ, such as a `let` around one, is applied to parameters of its own.
    pub fn applied(&self) -> (Vec<(Name, Type)>, Term) {
        let (mut parameters, mut body) = (Vec::new(), self.clone());
        while let TypeView::Fun(from, _) = body.ty().view().clone() {
            let (name, inner) = match body.view() {
                View::Lam(name, _, inner) => (name, inner),
                _ => match Term::app(body.shift(1), Term::var(0, &from)) {
                    Ok(whole) => (parameter_hint(&body), whole),
                    Err(_) => break,
                },
            };
            parameters.push((name, from));
            body = inner;
        }
        (parameters, body)
    }
}

/// What a function that is no λ calls its first parameter.
fn parameter_hint(function: &Term) -> Name {
    match function.view() {
        View::Lam(name, ..) => name,
        View::Let(_, _, body) => parameter_hint(&body),
        View::App(inner, _) => match inner.view() {
            View::Lam(_, _, body) => parameter_hint(&body),
            _ => Name::new("x"),
        },
        _ => Name::new("x"),
    }
}
