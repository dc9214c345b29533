//! Finds the arrays that expressions come to, by their types.

use crate::first::{Expr, Lowered};
use crate::nest::ir::types::{PairTree, leaves, under};
use crate::nest::ir::{DenseArray, ScalarKind};
use redexter_language::term::{Prim, PrimClass, Size, Type};

/// The arrays that an expression comes to.
pub(in crate::nest) fn shape(code: &Expr) -> Lowered<PairTree<DenseArray>> {
    Ok(match code {
        Expr::Var(var) => leaves(&var.ty)?,
        Expr::Real(_) => leaves(&Type::real())?,
        Expr::Int(_) | Expr::Size(_) | Expr::Truth(_) => leaves(&Type::int())?,
        Expr::Prim(p, operands) => match (p.class(), p) {
            (PrimClass::Function, _) | (_, Prim::ToReal) => leaves(&Type::real())?,
            (PrimClass::Arithmetic, Prim::Offset(_)) => leaves(&Type::int())?,
            (PrimClass::Arithmetic, _) => operands.first().map_or_else(|| leaves(&Type::int()), shape)?,
            (PrimClass::Comparison | PrimClass::Connective | PrimClass::Conversion, _) => leaves(&Type::int())?,
        },
        Expr::Pair(p) => PairTree::Pair(Box::new((shape(&p.0)?, shape(&p.1)?))),
        Expr::Half(p, first) => shape(p)?.half(*first).clone(),
        Expr::Index(p) => shape(&p.0)?
            .map(&mut |array| DenseArray { dims: array.dims.iter().skip(1).cloned().collect(), number: array.number }),
        Expr::Array(element, items) => under(&Size::literal(items.len() as u64), &leaves(element)?),
        Expr::If(p) => shape(&p.1)?,
        Expr::Guard(guard) => shape(&guard.inside)?,
        Expr::Lets(_, body) => shape(body)?,
        Expr::Fold(fold) => leaves(&fold.acc.ty)?,
        Expr::Scan(scan) => {
            let kept = under(&scan.fold.size, &leaves(&scan.element)?);
            PairTree::Pair(Box::new((leaves(&scan.fold.acc.ty)?, kept)))
        }
        Expr::Scatter(scatter) => under(&scatter.places, &leaves(&scatter.value)?),
        Expr::Build(n, _, body) => under(n, &shape(body)?),
    })
}

/// What stands in an expression that is a number.
pub(in crate::nest) fn number_of(code: &Expr) -> Lowered<ScalarKind> {
    Ok(match shape(code)? {
        PairTree::Leaf(array) => array.number,
        PairTree::Pair(_) => ScalarKind::Int,
    })
}
