//! Finds the arrays that expressions come to, by their types.

use crate::first::{Expr, Lowered};
use crate::nest::ir::types::{Tree, leaves, under};
use crate::nest::ir::{Array, Number};
use redexter_language::term::{Class, Prim, Size, Type};

/// The arrays that an expression comes to.
pub(in crate::nest) fn shape(code: &Expr) -> Lowered<Tree<Array>> {
    Ok(match code {
        Expr::Var(var) => leaves(&var.ty)?,
        Expr::Real(_) => leaves(&Type::real())?,
        Expr::Int(_) | Expr::Size(_) | Expr::Truth(_) => leaves(&Type::int())?,
        Expr::Prim(p, operands) => match (p.class(), p) {
            (Class::Function, _) | (_, Prim::ToReal) => leaves(&Type::real())?,
            (Class::Arithmetic, Prim::Offset(_)) => leaves(&Type::int())?,
            (Class::Arithmetic, _) => operands.first().map_or_else(|| leaves(&Type::int()), shape)?,
            (Class::Comparison | Class::Connective | Class::Conversion, _) => leaves(&Type::int())?,
        },
        Expr::Pair(p) => Tree::Pair(Box::new((shape(&p.0)?, shape(&p.1)?))),
        Expr::Half(p, first) => shape(p)?.half(*first).clone(),
        Expr::Index(p) => shape(&p.0)?
            .map(&mut |array| Array { dims: array.dims.iter().skip(1).cloned().collect(), number: array.number }),
        Expr::Array(element, items) => under(&Size::literal(items.len() as u64), &leaves(element)?),
        Expr::If(p) => shape(&p.1)?,
        Expr::Lets(_, body) => shape(body)?,
        Expr::Fold(fold) => leaves(&fold.acc.ty)?,
        Expr::Build(n, _, body) => under(n, &shape(body)?),
    })
}

/// What stands in an expression that is a number.
pub(in crate::nest) fn number_of(code: &Expr) -> Lowered<Number> {
    Ok(match shape(code)? {
        Tree::Leaf(array) => array.number,
        Tree::Pair(_) => Number::Int,
    })
}
