//! Holds checked definitions: typed trees, and the terms that they unfold to.
//!
//! A definition's body is a typed `tree`, which names other definitions. `lower` makes a term of it, when that is first
//! asked for: definitions `unfold`, static arguments are substituted (`statics` says which those are), D is taken. What
//! `by_type` lists has a body that nobody wrote. This module knows no raw trees and nothing of how types were found.

mod by_type;
mod lower;
mod statics;
mod tree;

use std::cell::OnceCell;
use std::fmt;

pub(super) use by_type::{ByType, without_slope};
pub(super) use lower::Lowering;
pub use lower::{WrittenPlace, WrittenProgram};
pub(super) use statics::statics;
pub(super) use tree::{Numeral, TypedTree, TypedTreeKind};

use super::diagnose;
use crate::ground::{Budget, Diagnostic, Name, Span, Trouble, code};
use crate::term::{Bindings, Program, Size, SizeBounds, Term, Type};

/// A checked definition.
pub struct Definition {
    pub(super) name: Name,
    pub(super) sizes: Vec<(Name, u64)>,
    pub(super) types: Vec<Name>,
    pub(super) params: Vec<Name>,
    pub(super) param_types: Vec<Type>,
    pub(super) statics: Vec<bool>,
    pub(super) result: Type,
    pub(super) ty: Type,
    pub(super) body: TypedTree,
    pub(super) span: Span,
    pub(super) term: OnceCell<Result<Term, Trouble>>,
}

impl Definition {
    /// The name that is defined.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// Where its name stands in the text.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The type of the definition as a function of its parameters.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Whether it has a parameter that must be known before it has a term: a function under D.
    pub fn is_static(&self) -> bool {
        self.statics.contains(&true)
    }

    /// Whether its term follows the type at which it is used.
    pub(super) fn is_by_type(&self) -> bool {
        matches!(self.body.kind, TypedTreeKind::ByType(..))
    }

    /// Whether two definitions are one, or have one term.
    pub(super) fn are_same(a: &Definition, b: &Definition, budget: &Budget) -> Result<bool, Trouble> {
        let has_terms = !a.is_static() && !b.is_static();
        Ok(std::ptr::eq(a, b)
            || has_terms && a.sizes == b.sizes && a.ty == b.ty && a.term(budget)? == b.term(budget)?)
    }

    /// Its implicit parameters at these sizes and types.
    pub(super) fn bindings(&self, sizes: &[Size], types: &[Type]) -> Bindings {
        Bindings {
            sizes: self.sizes.iter().zip(sizes).map(|((name, _), size)| (name.clone(), size.clone())).collect(),
            types: self.types.iter().cloned().zip(types.iter().cloned()).collect(),
        }
    }

    /// The λ over its parameters, made when first asked for.
    pub(super) fn term(&self, budget: &Budget) -> Result<Term, Trouble> {
        match self.term.get() {
            Some(done) => done.clone(),
            None => {
                let done = self.lower(Lowering::new(Bindings::default(), budget));
                if !matches!(done, Err(Trouble::Stopped { .. })) {
                    let _ = self.term.set(done.clone());
                }
                done
            }
        }
    }

    fn lower(&self, mut lower: Lowering) -> Result<Term, Trouble> {
        let budget = lower.budget();
        for _ in &self.params {
            lower.enter(None);
        }
        let mut term = lower.term(&self.body)?;
        for (name, ty) in self.params.iter().zip(&self.param_types).rev() {
            term = Term::lam(name, ty, term).map_err(|e| diagnose::bug(self.span, e))?;
        }
        budget.measure(term.size(), term.depth())?;
        Ok(term)
    }

    /// The term with the lower bounds of its sizes.
    ///
    /// Fails with E0213 where a static parameter leaves it without a term of its own.
    pub fn program(&self, budget: &Budget) -> Result<Program, Trouble> {
        if let Some(k) = self.statics.iter().position(|s| *s) {
            let f = &self.params[k];
            return Err(Diagnostic::error(code::STATIC_VALUE, format!("`{}` has no term of its own", self.name))
                .at(self.span, format!("its parameter `{f}` stands under D, so it must be known first"))
                .help(format!("define what you want with a function in its place: `def g … := {} f …`", self.name))
                .into());
        }
        let mut bounds = SizeBounds::default();
        for (name, lower) in &self.sizes {
            bounds.require(name, *lower);
        }
        Ok(Program { term: self.term(budget)?, bounds })
    }
}

impl fmt::Display for Definition {
    /// Its head as in a model file: `gradient {n} (v : array n real) : array n real`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (name, lower) in &self.sizes {
            match lower {
                0 => write!(f, " {{{name}}}")?,
                _ => write!(f, " {{{name} >= {lower}}}")?,
            }
        }
        for name in &self.types {
            write!(f, " {{{name} : type}}")?;
        }
        for (name, ty) in self.params.iter().zip(&self.param_types) {
            write!(f, " ({name} : {ty})")?;
        }
        write!(f, " : {}", self.result)
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
