//! Infers the forms that bind, choose, ascribe and differentiate.

use super::{Expectation, Inference};
use crate::check::definition::{TypedTree, TypedTreeKind};
use crate::check::solve::{DeferredConstraint, MismatchReason};
use crate::ground::{Name, Span, Trouble};
use crate::syntax::raw::{RawParam, RawTerm, RawTermKind, RawType};
use crate::term::{Kind, Prim, Type, TypeView};

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
        Ok(self.tree(TypedTreeKind::Let(hint(name), Box::new(value), Box::new(body)), &ty, span))
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

    /// `if k : fin n := number then a else b`
    pub(in super::super) fn guard(
        &mut self,
        (param, number): (&RawParam, &RawTerm),
        [a, b]: [&RawTerm; 2],
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let n = self.solver.fresh_size();
        let index = Type::fin(n.clone());
        if let Some(written) = &param.ty {
            let ty = self.raw_type(written)?;
            let because = MismatchReason::Said("a guard asks whether a number is an index, of a type `fin n`");
            self.solver.same(&index, &ty, &Expectation::new(param.name.span, because).want(written.span))?;
        }
        let number = self.asked(number, param.name.span)?;
        self.push(&param.name.name, &index);
        let a = self.check(a, expected, why)?;
        self.pop();
        let because = match why.because {
            Some(_) => why.clone(),
            None => Expectation::new(a.span, MismatchReason::Typed("the other branch has type", a.ty.clone())),
        };
        let b = self.check(b, expected, &because)?;
        let ty = a.ty.clone();
        Ok(self.tree(TypedTreeKind::Guard(hint(&param.name.name), n, Box::new([number, a, b])), &ty, span))
    }

    /// The number of which a guard asks whether it is an index: of an index of any size, the number that it is.
    fn asked(&mut self, raw: &RawTerm, guard: Span) -> Result<TypedTree, Trouble> {
        let tree = self.infer_number(raw)?;
        if let TypeView::Fin(_) = self.solver.head(&tree.ty).view() {
            let span = tree.span;
            return Ok(self.tree(TypedTreeKind::Node(Kind::Prim(Prim::ToInt), vec![tree]), &Type::int(), span));
        }
        let because = MismatchReason::Said("takes an `int`, of which it asks whether it is an index");
        let ty = tree.ty.clone();
        self.solver.same(&Type::int(), &ty, &Expectation::new(guard, because).want(tree.span))?;
        Ok(tree)
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
        match self.solver.head(&written).view() {
            TypeView::Int | TypeView::Fin(_) => {
                tree.ty = written;
                Ok(self.wanted(tree, expected, &why.want(span))?)
            }
            _ => {
                self.solver.same(expected, &written, &why.want(span))?;
                Ok(tree)
            }
        }
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

/// The name under which a variable is printed: one that no text can mean is shown without its blanks.
fn hint(name: &Name) -> Name {
    if name.as_str().ends_with(' ') { Name::new(name.as_str().trim_end()) } else { name.clone() }
}
