//! `Σ_i e`, which is `ifold n (fun a i => a + e) 0` with a not in e.

use super::ring::is_zero;
use crate::ground::Name;
use crate::term::{Prim, Size, Term, Type, TypeView, View};

/// A sum with the names of its binders.
#[derive(Clone)]
pub(super) struct Sum {
    pub(super) n: Size,
    pub(super) state: Name,
    pub(super) index: Name,
    /// Under the index alone.
    pub(super) body: Term,
}

impl Sum {
    pub(super) fn of(term: &Term) -> Option<Sum> {
        let View::Ifold(n, f, start) = term.view() else { return None };
        let (View::Lam(state, _, rounds), true) = (f.view(), is_zero(&start)) else { return None };
        let View::Lam(index, _, sum) = rounds.view() else { return None };
        let View::Prim(Prim::Add, operands) = sum.view() else { return None };
        let (View::Var(1), None) = (operands[0].view(), operands[1].free_at(1)) else { return None };
        Some(Sum { n, state, index, body: without_state(&operands[1]) })
    }

    pub(super) fn term(self) -> Option<Term> {
        let ty = self.body.ty().clone();
        let sum = Term::prim(Prim::Add, vec![Term::var(1, &ty), self.body.shift_from(1, 1)]).ok()?;
        let rounds = Term::lam(&self.index, &Type::fin(self.n.clone()), sum).ok()?;
        Term::ifold(self.n, Term::lam(&self.state, &ty, rounds).ok()?, zero(&ty)?).ok()
    }
}

/// A term under a state and an index, which doesn't mention the state, under the index alone.
pub(super) fn without_state(term: &Term) -> Term {
    term.rename(|i| if i == 0 { 0 } else { i - 1 })
}

/// The 0 of this type.
pub(super) fn zero(ty: &Type) -> Option<Term> {
    match ty.view() {
        TypeView::Real => Some(Term::real(0.0)),
        TypeView::Int => Some(Term::int(0)),
        _ => None,
    }
}
