//! Infers derivatives of functions of several arguments: `grad f x y` is `grad (fun v => f v y) x`.

use std::rc::Rc;

use super::{Expectation, Inference};
use crate::check::definition::{Definition, TypedTree, TypedTreeKind};
use crate::check::model::NameMeaning;
use crate::check::solve::MismatchReason;
use crate::ground::{Name, Span, Trouble};
use crate::syntax::raw::RawTerm;
use crate::term::{Type, TypeView};

impl Inference<'_> {
    /// The definition of the library with this name, if it takes a function under D and what that takes, and more is given.
    pub(in super::super) fn by_first_of(&self, name: &Name, given: usize) -> Option<Rc<Definition>> {
        let hidden = given <= 2 || self.local(name).is_some() || self.sizes.contains(name);
        let found = if hidden { None } else { self.scope.find(name) };
        let Some(NameMeaning::Known(def)) = found else { return None };
        (self.scope.is_of_library(&def) && def.statics == [true, false]).then_some(def)
    }

    /// The derivative by the first argument, where the function takes more.
    pub(in super::super) fn by_first(
        &mut self,
        def: &Rc<Definition>,
        head: Span,
        arguments: &[&RawTerm],
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let (kind, ty) = self.instantiate(def, head)?;
        let word = self.tree(kind, &ty, head);
        let (TypeView::Fun(taken, rest), [f, x, more @ ..]) = (ty.view(), arguments) else { return Ok(word) };
        let (TypeView::Fun(from, to), TypeView::Fun(_, result)) = (taken.view(), rest.view()) else { return Ok(word) };
        self.solver.same(expected, result, &why.want(span))?;
        // No text has this name.
        let level = self.push(&Name::new("?"), from);
        let takes = |ty: &Type| Expectation::new(head, MismatchReason::Typed("takes", ty.clone()));
        let whole = Type::fun(from.clone(), self.solver.fresh());
        let function = self.check(f, &whole, &takes(&whole))?;
        let TypeView::Fun(_, rest_of_f) = whole.view() else { return Ok(function) };
        let first = self.tree(TypedTreeKind::Local(level), from, x.span);
        let applied = self.tree(TypedTreeKind::App(Box::new(function), Box::new(first)), rest_of_f, f.span);
        let body = self.apply((applied, 1, f.span), more, f.span, to, &takes(to))?;
        self.pop();
        let function = self.tree(TypedTreeKind::Lam(def.params[1].clone(), from.clone(), Box::new(body)), taken, span);
        let x = self.check(x, from, &takes(from))?;
        let applied = self.tree(TypedTreeKind::App(Box::new(word), Box::new(function)), rest, span);
        Ok(self.tree(TypedTreeKind::App(Box::new(applied), Box::new(x)), result, span))
    }
}
