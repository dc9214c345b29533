//! Takes folds apart whose function is written out, and sums: `Σ_i e` is `ifold n (fun a i => a + e) 0` with a not in e.

use super::ring::{is_real, is_zero};
use crate::rule::footprint::{BELOW, ContextUse, HeadFilter, Inspection};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Size, Term, Type, TypeView, View};

/// A sum with the names of its binders.
#[derive(Clone)]
pub(super) struct SumParts {
    pub(super) n: Size,
    pub(super) state: Name,
    pub(super) index: Name,
    /// Under the index alone.
    pub(super) body: Term,
}

/// The ways that [`SumParts::of`] looks at; the body must not use the state.
pub(super) const SUM_WAYS: &[&[u32]] = &[&[0, 0, 0, 0], &[1]];

/// The inspection of a rule that takes a real sum apart, depending on which loop variables stand in it.
pub(super) const SUM_INSPECTION: Inspection = Inspection {
    heads: HeadFilter::Of(&[Head::Ifold]),
    ways: SUM_WAYS,
    scope: 3,
    guard: |term| is_real(term) && SumParts::of(term).is_some(),
    context: ContextUse::Marks,
    ..BELOW
};

/// The way to what is added up, as [`SumParts::of`] finds it.
pub(super) const SUMMAND_WAY: &[u32] = &[0, 0, 0, 1];

/// Whether the function of a fold is written out.
pub(super) fn is_written_out(fold: &Term) -> bool {
    let f = fold.kid(0);
    matches!(f.kind(), Kind::Lam(..)) && matches!(f.kid(0).kind(), Kind::Lam(..))
}

/// An `ifold` with the parts of its body's binders.
pub(super) struct FoldParts {
    pub(super) n: Size,
    pub(super) state: Name,
    pub(super) index: Name,
    /// Under the state and the index.
    pub(super) body: Term,
    pub(super) start: Term,
}

impl FoldParts {
    pub(super) fn of(term: &Term) -> Option<FoldParts> {
        let View::Ifold(n, f, start) = term.view() else { return None };
        let View::Lam(state, _, f) = f.view() else { return None };
        let View::Lam(index, _, body) = f.view() else { return None };
        Some(FoldParts { n, state, index, body, start })
    }

    pub(super) fn term(self) -> Option<Term> {
        let rounds = Term::lam(&self.index, &Type::fin(self.n.clone()), self.body).ok()?;
        let step = Term::lam(&self.state, &self.start.ty().clone(), rounds).ok()?;
        Term::ifold(self.n, step, self.start).ok()
    }
}

impl SumParts {
    pub(super) fn of(term: &Term) -> Option<SumParts> {
        let FoldParts { n, state, index, body, .. } = FoldParts::of(term).filter(|fold| is_zero(&fold.start))?;
        let View::Prim(Prim::Add, operands) = body.view() else { return None };
        let (View::Var(1), None) = (operands[0].view(), operands[1].free_at(1)) else { return None };
        Some(SumParts { n, state, index, body: without_state(&operands[1]) })
    }

    pub(super) fn term(self) -> Option<Term> {
        let SumParts { n, state, index, body } = self;
        let start = zero(body.ty())?;
        // The state is bound between the index and what is further out, which has to make room for it.
        let body = Term::prim(Prim::Add, vec![Term::var(1, body.ty()), body.shift_from(1, 1)]).ok()?;
        FoldParts { n, state, index, body, start }.term()
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
