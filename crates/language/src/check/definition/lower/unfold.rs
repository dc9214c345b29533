//! Unfolds uses of definitions: static arguments are substituted, the others bound by `let`.

use std::rc::Rc;

use super::{LocalBinding, Lowering};
use crate::check::definition::{Definition, TypedTree, TypedTreeKind};
use crate::check::diagnose;
use crate::ground::{Diagnostic, Name, Span, Trouble, code};
use crate::term::{Size, Term, Type, View};

impl Lowering<'_> {
    /// A spine of applications; a definition at its head unfolds.
    pub(super) fn application(&mut self, tree: &TypedTree) -> Result<Term, Trouble> {
        let (head, mut arguments) = tree.spine();
        let (mut term, rest) = match &head.kind {
            TypedTreeKind::Global(def, sizes, types) => {
                let given = arguments.len().min(def.params.len());
                let rest = arguments.split_off(given);
                (self.unfold(def, sizes, types, &arguments, head.span)?, rest)
            }
            _ => (self.term(head)?, arguments),
        };
        for a in rest {
            let argument = self.term(a)?;
            term = Term::app(term, argument).map_err(|e| diagnose::bug(tree.span, e))?;
        }
        Ok(term)
    }

    /// A definition applied to its first arguments: static ones are substituted, the others bound by `let`.
    fn unfold(
        &mut self,
        def: &Rc<Definition>,
        sizes: &[Size],
        types: &[Type],
        arguments: &[&TypedTree],
        span: Span,
    ) -> Result<Term, Trouble> {
        let sizes: Result<Vec<Size>, Trouble> = sizes.iter().map(|n| self.size(n, span)).collect();
        let types: Result<Vec<Type>, Trouble> = types.iter().map(|t| self.ty(t, span)).collect();
        let (sizes, types) = (sizes?, types?);
        let by = def.bindings(&sizes, &types);
        if let Some(k) = (arguments.len()..def.params.len()).find(|k| def.statics[*k]) {
            return Err(static_missing(def, k, span).into());
        }
        let outer = self.depth();
        let mut values = Vec::with_capacity(arguments.len());
        for tree in arguments {
            values.push((self.term(tree)?, tree.span));
        }
        let mut lets: Vec<(Name, Term)> = Vec::new();
        let mut inner = Lowering { is_law: self.is_law, marks: self.marks.clone(), ..Lowering::new(by, self.budget) };
        inner.known = std::mem::take(&mut self.known);
        for (k, (value, at)) in values.into_iter().enumerate() {
            let mut value = value.shift(inner.depth() - outer);
            if !def.statics[k] {
                let known = (value.ty().has_function() && inner.unfolds(&value)).then(|| value.clone());
                lets.push((def.params[k].clone(), value));
                inner.enter(known);
                continue;
            }
            // The `let`s around a static argument move out, around the whole result, so that the function itself is left.
            while let View::Let(name, bound, body) = value.view() {
                let known = (bound.ty().has_function() && inner.unfolds(&bound)).then(|| bound.clone());
                lets.push((name, bound));
                inner.known.push(known);
                value = body;
            }
            if !inner.unfolds(&value) {
                return Err(diagnose::unknown_static(at, "is no function that is known here").into());
            }
            inner.bindings.push(LocalBinding::Static(value, inner.depth()));
        }
        let mut term = inner.body(def, arguments.len()).map_err(|t| diagnose::called(t, span, &def.name))?;
        inner.known.truncate(outer as usize);
        self.known = inner.known;
        for (name, value) in lets.into_iter().rev() {
            term = Term::let_in(&name, value, term).map_err(|e| diagnose::bug(span, e))?;
        }
        self.budget.measure(term.size(), term.depth())?;
        self.marked(term, span, true).map_err(|e| diagnose::bug(span, e).into())
    }

    /// The definition's body below its first `given` parameters, which have been entered; the others stay λs.
    fn body(&mut self, def: &Definition, given: usize) -> Result<Term, Trouble> {
        // Without static parameters the definition's own term serves at every use, at other sizes and types.
        if !def.statics.contains(&true) {
            let whole = self.whole(def)?.assign(&self.by).map_err(|_| diagnose::too_large(def.span))?;
            return Ok((0..given).fold(whole, |t, _| t.kid(0)));
        }
        for _ in given..def.params.len() {
            self.enter(None);
        }
        let mut term = self.term(&def.body)?;
        for k in (given..def.params.len()).rev() {
            self.leave();
            let ty = self.ty(&def.param_types[k], def.span)?;
            term = Term::lam(&def.params[k], &ty, term).map_err(|e| diagnose::bug(def.span, e))?;
        }
        Ok(term)
    }
}

fn static_missing(def: &Definition, k: usize, span: Span) -> Diagnostic {
    let name = &def.params[k];
    Diagnostic::error(code::STATIC_VALUE, format!("`{}` needs to know its function `{name}`", def.name))
        .at(span, format!("is used without `{name}`, which stands under D"))
        .help(format!("apply it: `{} {name} …`", def.name))
}
