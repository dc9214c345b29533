//! Takes loops with a state apart: folds, and scans either way, whose step is written out.

use smallvec::SmallVec;

use super::fold_parts::without_state;
use super::halves::needed;
use super::parts::{Wanted, half};
use redexter_language::ground::Name;
use redexter_language::term::{ConstructorGroups, Head, Kind, Prim, Size, Term, Type, TypeView, View};

/// A loop with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopForm {
    Fold,
    Scan,
    /// From the last index to the first.
    Scanr,
}

/// Such a loop with the parts of its step's binders.
#[derive(Clone)]
pub(super) struct LoopParts {
    pub(super) form: LoopForm,
    pub(super) n: Size,
    pub(super) state: Name,
    pub(super) index: Name,
    /// Under the state and the index.
    pub(super) step: Term,
    pub(super) start: Term,
}

impl LoopForm {
    pub(super) fn of(term: &Term) -> Option<LoopForm> {
        match term.kind() {
            Kind::Ifold(_) => Some(LoopForm::Fold),
            Kind::Scan(_) => Some(LoopForm::Scan),
            Kind::Scanr(_) => Some(LoopForm::Scanr),
            _ => None,
        }
    }
}

impl LoopParts {
    pub(super) fn of(term: &Term) -> Option<LoopParts> {
        let form = LoopForm::of(term)?;
        let (View::Ifold(n, f, start) | View::Scan(n, f, start) | View::Scanr(n, f, start)) = term.view() else {
            return None;
        };
        let View::Lam(state, _, f) = f.view() else { return None };
        let View::Lam(index, _, step) = f.view() else { return None };
        Some(LoopParts { form, n, state, index, step, start })
    }

    /// The same of a scan alone.
    pub(super) fn of_scan(term: &Term) -> Option<LoopParts> {
        LoopParts::of(term).filter(|parts| parts.form != LoopForm::Fold)
    }

    pub(super) fn below(&self) -> Type {
        Type::fin(self.n.clone())
    }

    /// The same loop with another step and start.
    pub(super) fn with(&self, step: Term, start: Term) -> Option<Term> {
        let rounds = Term::lam(&self.index, &self.below(), step).ok()?;
        let step = Term::lam(&self.state, start.ty(), rounds).ok()?;
        match self.form {
            LoopForm::Fold => Term::ifold(self.n.clone(), step, start).ok(),
            form => Term::scan(self.n.clone(), form == LoopForm::Scanr, step, start).ok(),
        }
    }

    /// The table of what such a step gives, which doesn't mention the state.
    pub(super) fn table(&self, step: &Term) -> Option<Term> {
        let element = step.free_at(1).is_none().then(|| without_state(step))?;
        Term::build(self.n.clone(), Term::lam(&self.index, &self.below(), element).ok()?).ok()
    }

    /// The fold of such a step, which gives the state alone, in this loop's order.
    pub(super) fn fold(&self, step: &Term, start: Term) -> Option<Term> {
        let step = if self.form == LoopForm::Scanr { self.turned(step)? } else { step.clone() };
        LoopParts { form: LoopForm::Fold, ..self.clone() }.with(step, start)
    }

    /// A step that does at i what this one does at n - 1 - i.
    fn turned(&self, step: &Term) -> Option<Term> {
        let turned = Term::within(self.n.clone(), turned(&self.n, Term::var(0, &self.below()))?).ok()?;
        step.shift_from(1, 1).instantiate(&turned).ok()
    }

    pub(super) fn state_type(&self) -> &Type {
        self.start.ty()
    }

    /// The type of what each step of a scan keeps.
    pub(super) fn kept_type(&self) -> Option<Type> {
        match (self.form, self.step.ty().view()) {
            (LoopForm::Fold, _) => None,
            (_, TypeView::Pair(_, kept)) => Some(kept.clone()),
            _ => None,
        }
    }

    /// What is wanted of what a step gives, if this is of the state and that of what is kept.
    pub(super) fn wanted(&self, state: Wanted, kept: Wanted) -> Wanted {
        if self.form == LoopForm::Fold { state } else { Wanted::pair(state, kept) }
    }
}

/// `n - 1 - i`
pub(super) fn turned(n: &Size, i: Term) -> Option<Term> {
    let index = Term::unary(Prim::ToInt, i).ok()?;
    let last = Term::binary(Prim::Sub, Term::size_value(n), Term::int(1)).ok()?;
    Term::binary(Prim::Sub, last, index).ok()
}

/// A loop, and the fold of its state alone, in whose step no front let names anything, and scans of which the last state is taken
/// are folds.
pub(super) struct LoopStates {
    pub(super) parts: LoopParts,
    pub(super) fold: Term,
}

impl LoopStates {
    pub(super) fn of(term: &Term) -> Option<LoopStates> {
        let parts = LoopParts::of(term)?;
        let next = if parts.form == LoopForm::Fold { parts.step.clone() } else { half(&parts.step, false)? };
        let fold = parts.fold(&with_folds(&without_lets(&next)?)?, parts.start.clone())?;
        Some(LoopStates { parts, fold })
    }

    /// The states of a loop that goes through the same ones.
    pub(super) fn again_in(&self, term: &Term) -> Option<LoopStates> {
        let parts = LoopParts::of(term)?;
        // Most loops are other ones by what they are of, which is seen sooner than what their states come to.
        let mentions = |(i, _)| term.free_at(i).is_some();
        let may_be = parts.n == self.parts.n && parts.start == self.parts.start && self.fold.free().all(mentions);
        may_be.then(|| LoopStates::of(term))?.filter(|states| states.fold == self.fold)
    }
}

/// A term in which scans of which the last state is taken are folds.
fn with_folds(term: &Term) -> Option<Term> {
    let scans = ConstructorGroups::of(Head::Scan).and(ConstructorGroups::of(Head::Scanr));
    if !term.holds_any(scans) {
        return Some(term.clone());
    }
    let kids: SmallVec<[Term; 2]> = term.kids().iter().map(with_folds).collect::<Option<_>>()?;
    let term = term.with_kids(kids).ok()?;
    Some(to_fold(&term).map_or(term, |fold| needed(&fold)))
}

/// The fold of a scan of which the last state alone is taken.
pub(super) fn to_fold(term: &Term) -> Option<Term> {
    let View::Fst(scan) = term.view() else { return None };
    let parts = LoopParts::of_scan(&scan)?;
    parts.fold(&half(&parts.step, false)?, parts.start.clone())
}

/// A term without the lets around it, whose values stand where their names stood.
pub(super) fn without_lets(term: &Term) -> Option<Term> {
    let (mut here, mut values) = (term.clone(), Vec::new());
    while let View::Let(_, value, body) = here.view() {
        let value = inlined(&value, &values)?;
        values.push(value);
        here = body;
    }
    inlined(&here, &values)
}

/// A term under lets, the innermost last, with their values, which stand outside of all of them, in place of their names.
pub(super) fn inlined(term: &Term, values: &[Term]) -> Option<Term> {
    Some(needed(&as_it_stands(term, values)?))
}

/// The same with every node where it stood.
pub(super) fn as_it_stands(term: &Term, values: &[Term]) -> Option<Term> {
    let count = values.len() as u32;
    let own = |i: u32| match values.len().checked_sub(1 + i as usize) {
        Some(k) => values[k].clone(),
        None => Term::var(i - count, &term.free_at(i).map_or_else(Type::int, |free| free.ty.clone())),
    };
    if values.is_empty() { Some(term.clone()) } else { term.substitute(&own).ok() }
}
