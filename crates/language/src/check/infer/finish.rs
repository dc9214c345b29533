//! Finishes an inference: every unknown in the tree is replaced by what was found for it.

use super::Inference;
use crate::check::definition::{TypedTree, TypedTreeKind, without_slope};
use crate::check::diagnose;
use crate::check::unify::has_unknown;
use crate::ground::{Diagnostic, Span, Trouble, code};
use crate::term::{Size, Type, TypeMemo};

impl Inference<'_> {
    /// Puts what was found into a tree; what is still unknown is an error at the innermost place that mentions it,
    /// which for a variable is where it is bound.
    pub(in super::super) fn finish(&self, tree: &mut TypedTree, memo: &mut TypeMemo) -> Result<(), Trouble> {
        for part in tree.parts_mut().into_iter().rev() {
            self.finish(part, memo)?;
        }
        let span = tree.span;
        match &mut tree.kind {
            TypedTreeKind::Lam(name, ty, _) => {
                *ty = self.put_in(ty, span, memo)?;
                if ty.has_unknown() {
                    return Err(diagnose::untyped(span, name, &ty.to_string()).into());
                }
            }
            TypedTreeKind::Node(kind, _) => {
                *kind = kind.replaced(|ty| self.finish_type(ty, span, memo), |n| self.finish_size(n, span))?
            }
            TypedTreeKind::Guard(_, n, _) => *n = self.finish_size(n, span)?,
            TypedTreeKind::Size(n) => *n = self.finish_size(n, span)?,
            TypedTreeKind::Global(def, sizes, types) => {
                for n in sizes {
                    *n = self.finish_size(n, span)?;
                }
                for ty in types {
                    *ty = self.finish_type(ty, span, memo)?;
                    let part = if def.is_by_type() { without_slope(ty) } else { None };
                    if let Some(part) = part {
                        return Err(diagnose::no_slope(span, &part).into());
                    }
                }
            }
            TypedTreeKind::Local(_) => {
                tree.ty = self.put_in(&tree.ty, span, memo)?;
                return Ok(());
            }
            TypedTreeKind::Number(_) | TypedTreeKind::App(..) | TypedTreeKind::Let(..) => {}
            TypedTreeKind::D(_) | TypedTreeKind::Keep(_) | TypedTreeKind::ByType(..) => {}
        }
        tree.ty = self.finish_type(&tree.ty, tree.span, memo)?;
        Ok(())
    }

    pub(in super::super) fn finish_type(&self, ty: &Type, span: Span, memo: &mut TypeMemo) -> Result<Type, Trouble> {
        let done = self.put_in(ty, span, memo)?;
        if done.has_unknown() {
            let d = Diagnostic::error(code::UNDETERMINED, "a type can't be inferred")
                .at(span, format!("has type `{done}`, and nothing decides the `_`"))
                .help("write the type, as in `(e : array 3 real)` or `fun (x : real) => …`");
            return Err(d.into());
        }
        Ok(done)
    }

    /// The type with what was found.
    fn put_in(&self, ty: &Type, span: Span, memo: &mut TypeMemo) -> Result<Type, Trouble> {
        if !ty.has_unknown() {
            return Ok(ty.clone());
        }
        let head = self.solver.head(ty);
        if !head.has_unknown() {
            return Ok(head);
        }
        head.assign(&self.solver.unifier, memo).map_err(|_| diagnose::too_large(span).into())
    }

    fn finish_size(&self, n: &Size, span: Span) -> Result<Size, Trouble> {
        let done = self.solver.unifier.size_now(n).map_err(|_| diagnose::too_large(span))?;
        if has_unknown(&done) {
            return Err(diagnose::undetermined(span, "a size").into());
        }
        Ok(done)
    }
}
