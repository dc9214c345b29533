//! Resolves a name where it stands: to a variable, a size, a definition at fresh sizes and types, or nothing.

use std::rc::Rc;

use super::{Expectation, Inference};
use crate::check::definition::{ByType, Definition, TypedTree, TypedTreeKind};
use crate::check::diagnose;
use crate::check::model::NameMeaning;
use crate::check::other_names;
use crate::check::solve::{CheckMode, DeferredConstraint};
use crate::ground::{Diagnostic, Name, Span, Trouble, code, name::slip};
use crate::syntax::UNNAMED_INDEX;
use crate::term::{Size, Type};

impl Inference<'_> {
    pub(in super::super) fn name(
        &mut self,
        name: &Name,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        if let Some(level) = self.local(name) {
            if !self.locals[level].arguments.is_empty() {
                return self.bare_pattern(level, span, expected, why);
            }
            let ty = self.locals[level].ty.clone();
            return self.found(TypedTreeKind::Local(level), &ty, span, expected, why);
        }
        if self.sizes.contains(name) {
            return self.found(TypedTreeKind::Size(Size::var(name)), &Type::int(), span, expected, why);
        }
        match self.scope.find(name) {
            Some(NameMeaning::Known(def)) => {
                let (kind, ty) = self.instantiate(&def, span)?;
                self.found(kind, &ty, span, expected, why)
            }
            // That was reported where it is defined; whoever uses it adds no finding.
            Some(NameMeaning::Broken) => Err(Trouble::Wrong(Vec::new())),
            None if matches!(self.solver.mode, CheckMode::Term | CheckMode::Prompt) && !self.near_something(name) => {
                self.sizes.insert(name.clone());
                self.guessed.push((name.clone(), span));
                self.found(TypedTreeKind::Size(Size::var(name)), &Type::int(), span, expected, why)
            }
            None => Err(self.unknown_name(name, span).into()),
        }
    }

    /// In `term(…)`, a name of some length that is nearly a known one, or what other languages call one, is a slip and no open
    /// size.
    pub(in super::super) fn near_something(&self, name: &Name) -> bool {
        let known = self.scope.names().into_iter().chain(self.locals.iter().map(|l| l.name.clone()));
        let long: Vec<Name> = known.filter(|n| n.as_str().len() > 2).collect();
        let slip = name.as_str().len() > 2 && slip(name.as_str(), long.iter().map(Name::as_str)).is_some();
        slip || self.meant_elsewhere(name).is_some() || other_names::form(name.as_str()).is_some()
    }

    /// The definition in scope that a name of other languages means.
    fn meant_elsewhere(&self, name: &Name) -> Option<&'static str> {
        other_names::ours(name.as_str()).filter(|ours| self.scope.find(&Name::new(ours)).is_some())
    }

    pub(in super::super) fn unknown_name(&self, name: &Name, span: Span) -> Diagnostic {
        if self.scope.current.as_ref() == Some(name) {
            return Diagnostic::error(code::RECURSION, format!("`{name}` uses itself"))
                .at(span, "a definition can't be recursive")
                .help("use `ifold` to repeat something");
        }
        if self.scope.later.contains(name) {
            return Diagnostic::error(code::UNKNOWN_NAME, format!("`{name}` is defined further down"))
                .at(span, "not known yet")
                .help(format!("move the definition of `{name}` above this one"));
        }
        let names = self.scope.guesses();
        let is_named = |name: &&Name| !name.is_hole() && !name.as_str().starts_with(UNNAMED_INDEX);
        let locals = self.locals.iter().map(|l| &l.name).filter(is_named);
        let known = names.iter().chain(locals).chain(self.sizes.iter()).map(Name::as_str);
        diagnose::unknown(
            code::UNKNOWN_NAME,
            "name",
            name.as_str(),
            span,
            known,
            match (self.meant_elsewhere(name), other_names::form(name.as_str())) {
                (Some(ours), _) => format!("did you mean `{ours}`?"),
                (None, Some(form)) => form.to_owned(),
                (None, None) => format!("define `{name}` above, or make it a parameter"),
            },
        )
    }

    /// A definition at fresh sizes and types.
    pub(in super::super) fn instantiate(
        &mut self,
        def: &Rc<Definition>,
        span: Span,
    ) -> Result<(TypedTreeKind, Type), Diagnostic> {
        let sizes: Vec<Size> = def.sizes.iter().map(|_| self.solver.fresh_size()).collect();
        let types: Vec<Type> = def.types.iter().map(|_| self.solver.fresh()).collect();
        let by = def.bindings(&sizes, &types);
        let ty = def.ty.assign(&by, &mut Default::default()).map_err(|_| diagnose::too_large(span))?;
        for (size, (name, lower)) in sizes.iter().zip(&def.sizes) {
            if *lower > 0 {
                let what = format!("`{}` is defined for `{{{name} >= {lower}}}`", def.name);
                self.solver.pending.push(DeferredConstraint::Bound(size.clone(), *lower, span, what));
            }
        }
        if let (TypedTreeKind::ByType(ByType::Jacobian, _), [p, q, r]) = (&def.body.kind, &types[..]) {
            self.solver.pending.push(DeferredConstraint::Filled([p.clone(), q.clone(), r.clone()], span));
        }
        Ok((TypedTreeKind::Global(def.clone(), sizes, types), ty))
    }
}
