//! Infers the forms that bind, choose, ascribe and differentiate.

use super::{Expectation, Inference};
use crate::check::definition::{TypedTree, TypedTreeKind};
use crate::check::solve::{DeferredConstraint, MismatchReason};
use crate::ground::{Span, Trouble};
use crate::syntax::raw::{RawParam, RawTerm, RawTermKind, RawType};
use crate::term::{Kind, Type, TypeView};

impl Inference<'_> {
    pub(in super::super) fn function(
        &mut self,
        (params, body): (&[RawParam], &RawTerm),
        looping: Option<(&'static str, usize)>,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let mut target = expected.clone();
        let mut types = Vec::with_capacity(params.len());
        for (k, p) in params.iter().enumerate() {
            let (from, to) = match self.solver.head(&target).view() {
                TypeView::Fun(from, to) => (from.clone(), to.clone()),
                _ => {
                    let (from, to) = (self.solver.fresh(), self.solver.fresh());
                    self.solver.same(&target, &Type::fun(from.clone(), to.clone()), &why.want(span))?;
                    (from, to)
                }
            };
            if let Some(written) = &p.ty {
                let written_type = self.raw_type(written)?;
                self.solver.same(&from, &written_type, &why.want(written.span))?;
            }
            let level = self.push(&p.name.name, &from);
            self.locals[level].looping = looping.filter(|(_, at)| *at == k).map(|(word, _)| word);
            types.push(from);
            target = to;
        }
        let mut tree = self.check(body, &target, why)?;
        for (p, from) in params.iter().zip(types).rev() {
            self.pop();
            let ty = Type::fun(from.clone(), tree.ty.clone());
            tree = self.tree(TypedTreeKind::Lam(p.name.name.clone(), from, Box::new(tree)), &ty, span);
        }
        Ok(tree)
    }

    pub(in super::super) fn let_in(
        &mut self,
        param: &RawParam,
        value: &RawTerm,
        body: &RawTerm,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let (ty, because) = match &param.ty {
            Some(written) => (
                self.raw_type(written)?,
                Expectation::new(written.span, MismatchReason::Said("the type that is written here")),
            ),
            None => (self.solver.fresh(), Expectation::NONE),
        };
        let value = self.check(value, &ty, &because)?;
        let name = &param.name.name;
        self.push(name, &ty);
        let body = self.check(body, expected, why)?;
        self.pop();
        let ty = body.ty.clone();
        Ok(self.tree(TypedTreeKind::Let(name.clone(), Box::new(value), Box::new(body)), &ty, span))
    }

    pub(in super::super) fn if_else(
        &mut self,
        span: Span,
        [c, a, b]: [&RawTerm; 3],
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let word = Span { end: span.start + "if".len() as u32, ..span };
        let c = self.check(
            c,
            &Type::int(),
            &Expectation::new(word, MismatchReason::Said("takes an `int`: nonzero is true")),
        )?;
        let a = self.check(a, expected, why)?;
        let because = if why.because.is_some() {
            why.clone()
        } else {
            Expectation::new(a.span, MismatchReason::Typed("the other branch has type", a.ty.clone()))
        };
        let b = self.check(b, expected, &because)?;
        let ty = a.ty.clone();
        Ok(self.tree(TypedTreeKind::Node(Kind::If, vec![c, a, b]), &ty, span))
    }

    pub(in super::super) fn ascribe(
        &mut self,
        e: &RawTerm,
        ty: &RawType,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let written = self.raw_type(ty)?;
        let mut tree =
            self.check(e, &written, &Expectation::new(ty.span, MismatchReason::Said("the type that is written here")))?;
        if let TypedTreeKind::Number(numeral) = &mut tree.kind {
            numeral.bare = false;
        }
        self.solver.same(expected, &written, &why.want(span))?;
        Ok(tree)
    }

    pub(in super::super) fn derivative(
        &mut self,
        e: &RawTerm,
        span: Span,
        expected: &Type,
    ) -> Result<TypedTree, Trouble> {
        let function = Type::fun(self.solver.fresh(), self.solver.fresh());
        let inner = match &e.kind {
            // D of a size would be the size.
            RawTermKind::Name(name) if self.open_word(name, false, &function).is_some() => {
                self.check(e, &function, &Expectation::NONE)?
            }
            _ => self.infer(e)?,
        };
        self.solver.put(DeferredConstraint::Dual(inner.ty.clone(), expected.clone(), span, 0))?;
        Ok(self.tree(TypedTreeKind::D(Box::new(inner)), expected, span))
    }
}
