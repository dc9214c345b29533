//! Infers numerals and operators, whose types are settled by use.

use super::{Expectation, Inference};
use crate::check::definition::{Numeral, TypedTree, TypedTreeKind};
use crate::check::diagnose;
use crate::check::solve::{DeferredConstraint, MismatchReason, Operand, Operator};
use crate::ground::{Name, Span, Trouble};
use crate::syntax::raw::{RawTerm, RawTermKind};
use crate::term::{Kind, Prim, PrimClass, Type};

impl Inference<'_> {
    pub(in super::super) fn number(
        &mut self,
        text: &Name,
        negative: bool,
        span: Span,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        if text.as_str().parse::<f64>().is_ok_and(f64::is_infinite) {
            return Err(
                diagnose::bad_number(span, "beyond the largest real", "the largest real is about 1.8e308").into()
            );
        }
        if let Some(because) = &why.because {
            self.solver.reasons.insert(span, because.clone());
        }
        self.solver.put(DeferredConstraint::Number(expected.clone(), span, text.clone(), negative))?;
        let numeral = Numeral { text: text.clone(), negative, bare: true };
        Ok(self.tree(TypedTreeKind::Number(numeral), expected, span))
    }

    pub(in super::super) fn operand(&self, tree: &TypedTree) -> Operand {
        let bare = match &tree.kind {
            TypedTreeKind::Number(n) if tree.is_bare_number() => n.text.as_str().parse().ok(),
            _ => None,
        };
        Operand { ty: tree.ty.clone(), span: tree.span, bare, of_numerals: self.is_of_numerals(tree) }
    }

    /// Whether it is a numeral without a type, or arithmetic of such alone.
    pub(in super::super) fn is_of_numerals(&self, tree: &TypedTree) -> bool {
        match &tree.kind {
            TypedTreeKind::Number(numeral) => numeral.bare,
            // The index of a guard stands where its number does, and is none.
            kind => matches!(kind, TypedTreeKind::Node(..)) && self.numerals.contains(&tree.span),
        }
    }

    pub(in super::super) fn binary(
        &mut self,
        op: Operator,
        l: &RawTerm,
        r: &RawTerm,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        if op.prim.class() == PrimClass::Connective {
            let because = Expectation::new(op.at, MismatchReason::Said("works on truth values, which are `int`"));
            let l = self.check(l, &Type::int(), &because)?;
            let r = self.check(r, &Type::int(), &because)?;
            return self.found(
                TypedTreeKind::Node(Kind::Prim(op.prim), vec![l, r]),
                &Type::int(),
                op.span,
                expected,
                why,
            );
        }
        let (l, r) = (self.infer(l)?, self.infer(r)?);
        let (left, right) = (self.operand(&l), self.operand(&r));
        let kind = TypedTreeKind::Node(Kind::Prim(op.prim), vec![l, r]);
        if op.prim.class() == PrimClass::Comparison {
            self.solver.put(DeferredConstraint::Compare(op, left, right))?;
            return self.found(kind, &Type::int(), op.span, expected, why);
        }
        if left.of_numerals && right.of_numerals {
            self.numerals.insert(op.span);
        }
        let result = self.solver.fresh();
        self.solver.put(DeferredConstraint::Arith(op, left, right, result.clone()))?;
        self.found(kind, &result, op.span, expected, why)
    }

    pub(in super::super) fn unary(
        &mut self,
        op: Operator,
        e: &RawTerm,
        expected: &Type,
        why: &Expectation,
    ) -> Result<TypedTree, Trouble> {
        if op.prim.class() == PrimClass::Connective {
            let e = self.check(
                e,
                &Type::int(),
                &Expectation::new(op.at, MismatchReason::Said("works on truth values, which are `int`")),
            )?;
            return self.found(TypedTreeKind::Node(Kind::Prim(op.prim), vec![e]), &Type::int(), op.span, expected, why);
        }
        if let (RawTermKind::Number(text), Prim::Neg) = (&e.kind, op.prim)
            && (e.span.end - e.span.start) as usize == text.as_str().len()
        {
            return self.number(text, true, op.span, expected, why);
        }
        let e = self.infer(e)?;
        let operand = self.operand(&e);
        if operand.of_numerals {
            self.numerals.insert(op.span);
        }
        let result = self.solver.fresh();
        self.solver.put(DeferredConstraint::Minus(op, operand, result.clone()))?;
        self.found(TypedTreeKind::Node(Kind::Prim(op.prim), vec![e]), &result, op.span, expected, why)
    }
}
