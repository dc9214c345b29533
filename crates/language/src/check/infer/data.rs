//! Infers arrays and pairs, where they are made and where they are taken apart.

use super::{Expectation, Inference};
use crate::check::definition::{TypedTree, TypedTreeKind};
use crate::check::solve::{MismatchReason, Requirement};
use crate::ground::{Diagnostic, Span, Trouble, code};
use crate::syntax::raw::{RawTerm, RawTermKind};
use crate::term::{Kind, Size, Type, TypeView};

impl Inference<'_> {
    pub(in super::super) fn array(
        &mut self,
        elements: &[RawTerm],
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let element = self.solver.fresh();
        let ty = Type::array(Size::literal(elements.len() as u64), element.clone());
        self.solver.same(expected, &ty, &why.want(span))?;
        let reason = || MismatchReason::Typed("the first element has type", element.clone());
        let because = elements.first().map_or(Expectation::NONE, |e| Expectation::new(e.span, reason()));
        let mut trees = Vec::with_capacity(elements.len());
        for e in elements {
            trees.push(self.check(e, &element, &because)?);
        }
        Ok(self.tree(TypedTreeKind::Node(Kind::Array(element), trees), &ty, span))
    }

    pub(in super::super) fn get(
        &mut self,
        a: &RawTerm,
        i: &RawTerm,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let a = self.infer(a)?;
        let (n, element) = match self.solver.head(&a.ty).view() {
            TypeView::Array(n, element) => (n.clone(), element.clone()),
            TypeView::Unknown(_) => {
                let (n, element) = (self.solver.fresh_size(), self.solver.fresh());
                self.solver.same(&a.ty, &Type::array(n.clone(), element.clone()), &Requirement::at(a.span))?;
                (n, element)
            }
            _ => {
                let ty = self.solver.shown(&a.ty);
                return Err(Diagnostic::error(code::NOT_A_CONTAINER, format!("only arrays have elements, not `{ty}`"))
                    .at(a.span, format!("has type `{ty}`"))
                    .help(match self.solver.head(&a.ty).view() {
                        TypeView::Pair(..) => "a half of a pair `p` is `p.1` or `p.2`",
                        _ => "apply a function with a space, `f [x]`, or index an array",
                    })
                    .into());
            }
        };
        let looping = match &i.kind {
            RawTermKind::Name(name) => self.local(name).and_then(|level| self.locals[level].looping),
            _ => None,
        };
        let because = (a.span, MismatchReason::Indexed(n.clone(), looping));
        if let RawTermKind::Number(_) = &i.kind {
            self.solver.reasons.insert(i.span, because.clone());
        }
        let i = self.infer_number(i)?;
        let want = Requirement { span: i.span, because: Some(because), code: code::OUT_OF_RANGE };
        let i = self.wanted(i, &Type::fin(n), &want)?;
        self.found(TypedTreeKind::Node(Kind::Get, vec![a, i]), &element, span, expected, why)
    }

    pub(in super::super) fn pair(
        &mut self,
        a: &RawTerm,
        b: &RawTerm,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let (x, y) = match self.solver.head(expected).view() {
            TypeView::Pair(x, y) => (x.clone(), y.clone()),
            _ => (self.solver.fresh(), self.solver.fresh()),
        };
        let ty = Type::pair(x.clone(), y.clone());
        self.solver.same(expected, &ty, &why.want(span))?;
        let a = self.check(a, &x, why)?;
        let b = self.check(b, &y, why)?;
        Ok(self.tree(TypedTreeKind::Node(Kind::Pair, vec![a, b]), &ty, span))
    }

    pub(in super::super) fn project(
        &mut self,
        first: bool,
        pair: TypedTree,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let (x, y) = match self.solver.head(&pair.ty).view() {
            TypeView::Pair(x, y) => (x.clone(), y.clone()),
            TypeView::Unknown(_) => {
                let (x, y) = (self.solver.fresh(), self.solver.fresh());
                self.solver.same(&pair.ty, &Type::pair(x.clone(), y.clone()), &Requirement::at(pair.span))?;
                (x, y)
            }
            _ => {
                let ty = self.solver.shown(&pair.ty);
                return Err(Diagnostic::error(code::NOT_A_CONTAINER, format!("only pairs have halves, not `{ty}`"))
                    .at(pair.span, format!("has type `{ty}`"))
                    .help("`fst`, `snd`, `.1` and `.2` take a pair `(a, b)`")
                    .into());
            }
        };
        let (kind, half) = if first { (Kind::Fst, x) } else { (Kind::Snd, y) };
        self.found(TypedTreeKind::Node(kind, vec![pair]), &half, span, expected, why)
    }
}
