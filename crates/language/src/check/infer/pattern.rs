//! Infers pattern variables that take arguments, in a law.

use super::{Expectation, Inference};
use crate::check::definition::{TypedTree, TypedTreeKind};
use crate::check::diagnose;
use crate::ground::{Name, Span, Trouble, code};
use crate::syntax::raw::{RawIdent, RawParam, RawTerm, RawTermKind};
use crate::term::Type;

impl Inference<'_> {
    /// `e(a, i)`: the pattern variable e applied.
    pub(super) fn pattern(
        &mut self,
        name: &Name,
        arguments: &[RawTerm],
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let Some(level) = self.local(name) else {
            return Err(diagnose::unknown(
                code::BAD_RULE,
                "pattern variable",
                name.as_str(),
                span,
                [],
                "use it on the left side",
            )
            .into());
        };
        let ty = self.locals[level].ty.clone();
        let head = self.tree(TypedTreeKind::Local(level), &ty, span);
        let arguments: Vec<&RawTerm> = arguments.iter().collect();
        self.apply((head, 0, span), &arguments, span, expected, why)
    }

    /// A pattern variable that takes arguments, used without them: the function of its arguments.
    pub(super) fn bare_pattern(
        &mut self,
        level: usize,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        let at = |kind| RawTerm { kind, span };
        let (name, arguments) = (self.locals[level].name.clone(), self.locals[level].arguments.clone());
        let params = arguments.iter().map(|a| param(a, span)).collect();
        let uses = arguments.iter().map(|a| at(RawTermKind::Name(a.clone()))).collect();
        let body = at(RawTermKind::Pattern(name, uses));
        self.check(&at(RawTermKind::Fun(params, Box::new(body))), expected, why)
    }
}

fn param(name: &Name, span: Span) -> RawParam {
    RawParam { name: RawIdent { name: name.clone(), span }, ty: None }
}
