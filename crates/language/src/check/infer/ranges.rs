//! Puts indices where others are wanted, and shows that they are in range once all sizes are known.
//!
//! Where types agree nothing is done, so that this changes no text that was right without it.

use super::Inference;
use crate::check::definition::{Lowering, TypedTree, TypedTreeKind};
use crate::check::diagnose;
use crate::check::solve::Requirement;
use crate::check::unify::has_unknown;
use crate::ground::{Diagnostic, Trouble};
use crate::syntax::raw::RawTerm;
use crate::term::{Bindings, Kind, Prim, RangeGap, RangeProver, Size, Term, Type, TypeView};

impl Inference<'_> {
    /// A tree where this type is wanted; an index of another size, or a whole number, where an index is wanted, is one if that
    /// can be shown.
    pub(super) fn wanted(
        &mut self,
        tree: TypedTree,
        expected: &Type,
        want: &Requirement,
    ) -> Result<TypedTree, Diagnostic> {
        let Err(clash) = self.solver.same(expected, &tree.ty, want) else { return Ok(tree) };
        let (wanted, found) = (self.solver.head(expected), self.solver.head(&tree.ty));
        let TypeView::Fin(below) = wanted.view() else { return Err(clash) };
        let number = match found.view() {
            TypeView::Int => tree,
            TypeView::Fin(own) if self.is_wider(below, own) || is_sum(&tree) => {
                let span = tree.span;
                self.tree(TypedTreeKind::Node(Kind::Prim(Prim::ToInt), vec![tree]), &Type::int(), span)
            }
            _ => return Err(clash),
        };
        let span = number.span;
        self.claims.insert(span, clash);
        Ok(self.tree(TypedTreeKind::Node(Kind::Within(below.clone()), vec![number]), &wanted, span))
    }

    /// What may be the number of an index: arithmetic of numerals alone is that of integers there.
    pub(super) fn infer_number(&mut self, raw: &RawTerm) -> Result<TypedTree, Trouble> {
        let tree = self.infer(raw)?;
        if self.is_of_numerals(&tree) && !matches!(tree.kind, TypedTreeKind::Number(_)) {
            self.solver.same(&Type::int(), &tree.ty, &Requirement::at(tree.span))?;
        }
        Ok(tree)
    }

    /// Whether every index below `own` is below `size`, too.
    fn is_wider(&self, size: &Size, own: &Size) -> bool {
        let now = |size: &Size| self.solver.unifier.size_now(size).ok().filter(|size| !has_unknown(size));
        let (Some(size), Some(own)) = (now(size), now(own)) else { return false };
        let index = Term::var(0, &Type::fin(own));
        let number = Term::unary(Prim::ToInt, index);
        number.is_ok_and(|number| RangeProver::new(&self.solver.bounds, &[None]).is_index(&number, &size).is_ok())
    }

    /// Shows what was put off: that each computed index of a finished tree is in range.
    pub(in super::super) fn show_ranges(&mut self, tree: &TypedTree) -> Result<(), Trouble> {
        if self.claims.is_empty() {
            return Ok(());
        }
        let mut scope = RangeScope { lower: Lowering::new(Bindings::default(), self.budget), values: Vec::new() };
        self.locals.iter().for_each(|_| scope.enter(None));
        self.show_below(tree, &mut scope)
    }

    fn show_below(&mut self, tree: &TypedTree, scope: &mut RangeScope) -> Result<(), Trouble> {
        self.budget.tick()?;
        match &tree.kind {
            TypedTreeKind::Lam(_, _, body) => self.show_under(None, body, scope),
            TypedTreeKind::Let(_, value, body) => {
                self.show_below(value, scope)?;
                self.show_under(scope.value(value), body, scope)
            }
            TypedTreeKind::Guard(_, _, all) => {
                let [number, inside, other] = &**all;
                self.show_below(number, scope)?;
                self.show_under(None, inside, scope)?;
                self.show_below(other, scope)
            }
            TypedTreeKind::Node(Kind::Within(size), kids) => {
                kids.iter().try_for_each(|kid| self.show_below(kid, scope))?;
                self.show(&kids[0], size, scope)
            }
            _ => tree.parts().into_iter().try_for_each(|part| self.show_below(part, scope)),
        }
    }

    fn show_under(&mut self, value: Option<Term>, body: &TypedTree, scope: &mut RangeScope) -> Result<(), Trouble> {
        scope.enter(value);
        self.show_below(body, scope)?;
        scope.leave();
        Ok(())
    }

    fn show(&mut self, number: &TypedTree, size: &Size, scope: &mut RangeScope) -> Result<(), Trouble> {
        let term = scope.lower.term(number)?;
        // Where sizes are open, each round raises the least size to what an index asks for.
        for _ in 0..MAX_RAISES {
            match RangeProver::new(&self.solver.bounds, &scope.values).is_index(&term, size) {
                Ok(()) => return Ok(()),
                Err(None) => return Err(self.claims[&number.span].clone().into()),
                Err(Some(gap)) if self.close(&gap) => {}
                Err(Some(gap)) => return Err(self.refused(number, size, &gap).into()),
            }
        }
        Err(self.claims[&number.span].clone().into())
    }

    /// Makes open sizes so large that a gap is closed.
    fn close(&mut self, gap: &RangeGap) -> bool {
        gap.lacking().is_some_and(|(size, least)| self.solver.raise(&size, least))
    }

    fn refused(&self, number: &TypedTree, size: &Size, gap: &RangeGap) -> Diagnostic {
        let because = self.claims.get(&number.span).and_then(|clash| clash.labels.iter().find(|label| !label.primary));
        let d = diagnose::not_shown(number.span, size, gap);
        match because {
            Some(label) => d.because(label.span, label.message.clone()),
            None => d,
        }
    }
}

/// Whether an index is a sum: what type it has by its summands' types leaves a last index out that it can't be, or more.
fn is_sum(tree: &TypedTree) -> bool {
    matches!(tree.kind, TypedTreeKind::Node(Kind::Prim(Prim::Add | Prim::Offset(_)), _))
}

/// How often open sizes are raised for one index.
const MAX_RAISES: usize = 8;

/// The variables around a place of a tree.
struct RangeScope<'a> {
    lower: Lowering<'a>,
    /// What those are that hold whole numbers, as far as it is arithmetic.
    values: Vec<Option<Term>>,
}

impl RangeScope<'_> {
    fn enter(&mut self, value: Option<Term>) {
        self.lower.enter(None);
        self.values.push(value);
    }

    fn leave(&mut self) {
        self.lower.leave();
        self.values.pop();
    }

    fn value(&mut self, tree: &TypedTree) -> Option<Term> {
        let is_arithmetic = matches!(
            tree.kind,
            TypedTreeKind::Node(Kind::Prim(_), _) | TypedTreeKind::Local(_) | TypedTreeKind::Size(_)
        );
        (is_arithmetic && tree.ty == Type::int()).then(|| self.lower.term(tree).ok())?
    }
}
