//! Represents functions, and what holds them, while they are evaluated away.

use std::rc::Rc;

use super::code::Expr;
use redexter_language::ground::Name;
use redexter_language::term::Term;

/// What a variable stands for.
#[derive(Clone)]
pub(super) enum Symbolic {
    /// Data: a name or a constant.
    Data(Expr),
    /// A λ with what its free variables stand for.
    Closure(Rc<SymbolicClosure>),
    /// A pair that holds a function.
    Pair(Rc<(Symbolic, Symbolic)>),
    /// One of two, by a condition that is cheap to repeat.
    Choice(Rc<(Expr, Symbolic, Symbolic)>),
    /// A `build` of functions: from index to element.
    Table(Rc<Symbolic>),
    /// An array of functions.
    List(Rc<Vec<Symbolic>>),
}

pub(super) struct SymbolicClosure {
    pub(super) hint: Name,
    pub(super) body: Term,
    pub(super) env: SymbolicEnv,
}

/// What the free variables of a term stand for, the innermost first.
#[derive(Clone, Default)]
pub(super) struct SymbolicEnv(Option<Rc<(Symbolic, SymbolicEnv)>>);

impl SymbolicEnv {
    pub(super) fn push(&self, value: Symbolic) -> SymbolicEnv {
        SymbolicEnv(Some(Rc::new((value, self.clone()))))
    }

    pub(super) fn get(&self, index: u32) -> Option<Symbolic> {
        let mut here = self;
        for _ in 0..index {
            here = &here.0.as_ref()?.1;
        }
        here.0.as_ref().map(|cell| cell.0.clone())
    }
}

impl Symbolic {
    /// Names for the two parameters of a loop body, as far as they are known.
    pub(super) fn hints(&self) -> (String, String) {
        let (mut first, mut second) = ("acc".to_owned(), "i".to_owned());
        if let Symbolic::Closure(closure) = self {
            first = closure.hint.to_string();
            if let redexter_language::term::View::Lam(hint, _, _) = closure.body.view() {
                second = hint.to_string();
            }
        }
        (first, second)
    }
}
