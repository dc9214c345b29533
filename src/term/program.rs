//! Programs: terms that are run.

use super::kind::View;
use super::node::Term;
use super::size::Bounds;
use super::types::{Type, TypeView};
use crate::ground::Name;

/// A term with what is known of its open sizes: what scripts, the evaluator and the exporter work on.
///
/// Its parameters are the outermost λs, whose hints are the parameters' names.
///
/// ```
/// # use std::{path::Path, rc::Rc};
/// # use redexter::session::{Memory, Session, Settings};
/// # fn main() -> Result<(), redexter::ground::Trouble> {
/// # let files = Memory::default();
/// # files.put(Path::new("m.arr"), b"def twice (x : real) : real := x * 1 + x\n");
/// # let mut session = Session::new(Settings::quiet(Rc::new(files)), Rc::default())?;
/// let twice = session.target("m.arr:twice")?;
/// let (value, _) = session.evaluate_on(&twice, r#"{"x": 2}"#, &[])?;
/// assert_eq!(value, "4.0");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// A closed term: no free variables, but perhaps open sizes.
    pub term: Term,
    /// Lower bounds of its open sizes.
    pub bounds: Bounds,
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
