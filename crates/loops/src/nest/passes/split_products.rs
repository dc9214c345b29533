//! Splits loops over a product of sizes whose rounds ask for quotient and rest of their index: two loops know both.
//!
//! A loop over `n * m` that reads at `x / m` and `x % m` divides in each round, and what it stores at their sum can't be done
//! side by side. As a loop over `n` around one over `m` it does neither. Rounds come in the same order, so that no bit changes.

use redexter_language::term::{Prim, Size};

use crate::nest::ir::value::{index_number, int, load, map, walk};
use crate::nest::ir::walk::{each, each_value, rewritten};
use crate::nest::ir::{LoopRange, Nest, NestValue, ScalarKind, Stmt};

/// Splits the loops of a nest; none where `is_shown` doesn't hold of what that gives: a sum of products may be more than can be
/// shown to lie in its array, where the index that it stands for was known to.
pub(in crate::nest) fn split_products(nest: &mut Nest, is_shown: impl Fn(&Nest) -> bool) {
    let (mut cells, last) = (nest.last_cell(), nest.last_cell());
    let body = nest.body.clone();
    nest.body = body.iter().cloned().map(|stmt| split(&mut cells, stmt)).collect();
    if cells > last && !is_shown(nest) {
        nest.body = body;
    }
}

fn split(cells: &mut u32, mut stmt: Stmt) -> Stmt {
    // A loop of the two may be one over a product, too.
    while let Stmt::For(range, inside) = &stmt
        && let Some((outer, inner)) = divisor(range, inside)
    {
        stmt = two(cells, range, inside.clone(), &outer, &inner);
    }
    stmt.with(&mut NestValue::clone, &mut |body| body.into_iter().map(|stmt| split(cells, stmt)).collect())
}

/// The sizes whose product a loop runs to, if the second is what its rounds divide their index by.
fn divisor(range: &LoopRange, inside: &[Stmt]) -> Option<(Size, Size)> {
    let whole = range.to.as_size().filter(|_| range.is_whole())?;
    // That a table is whole isn't shown where its places are sums of products.
    let mut fills = false;
    each(inside, &mut |stmt| {
        fills |= matches!(stmt, Stmt::Set(place, _) if place.indices.iter().any(|index| index_number(index) == &load(range.cell)));
    });
    let mut found = None;
    each_value(inside, &mut |value| {
        walk(value, &mut |part| {
            if let (None, Some((_, by))) = (&found, division(part, range.cell)) {
                found = by.as_size().and_then(|inner| Some((whole.divide(&inner)?, inner)));
            }
        });
    });
    // By 1 it would come apart again and again.
    found
        .filter(|_| !fills)
        .filter(|(outer, inner)| [outer, inner].iter().all(|size| size.as_literal().is_none_or(|k| k > 1)))
}

/// Quotient or rest of an index, and what it is divided by.
fn division(value: &NestValue, index: u32) -> Option<(Prim, &NestValue)> {
    let NestValue::Prim(prim @ (Prim::Quot | Prim::Rem), ScalarKind::Int, operands) = value else { return None };
    let [index_read, by] = &operands[..] else { return None };
    (index_number(index_read) == &load(index)).then_some((*prim, by))
}

fn two(cells: &mut u32, range: &LoopRange, inside: Vec<Stmt>, outer: &Size, inner: &Size) -> Stmt {
    *cells += 2;
    let (first, second) = (load(*cells - 1), load(*cells));
    let whole = |first: NestValue, size: &Size, second: NestValue| {
        int(Prim::Add, int(Prim::Mul, first, NestValue::of(size)), second)
    };
    let divided = |prim: Prim, by: &Size| match (prim, inner.divide(by), by.divide(inner)) {
        (Prim::Quot, Some(_), Some(_)) => Some(first.clone()),
        (_, Some(_), Some(_)) => Some(second.clone()),
        (Prim::Quot, Some(rest), None) => {
            Some(whole(first.clone(), &rest, int(prim, second.clone(), NestValue::of(by))))
        }
        (_, Some(_), None) => Some(int(prim, second.clone(), NestValue::of(by))),
        (Prim::Quot, None, Some(rest)) => Some(int(prim, first.clone(), NestValue::of(&rest))),
        (_, None, Some(rest)) => {
            Some(whole(int(Prim::Rem, first.clone(), NestValue::of(&rest)), inner, second.clone()))
        }
        (_, None, None) => None,
    };
    let inside = rewritten(inside, &|value| {
        // Quotients and rests first, since the index in them is replaced where it stands alone.
        let known = map(value, &mut |part| {
            let size = division(&part, range.cell).and_then(|(prim, by)| Some((prim, by.as_size()?)));
            size.and_then(|(prim, by)| divided(prim, &by)).unwrap_or(part)
        });
        map(&known, &mut |part| match part == load(range.cell) {
            true => whole(first.clone(), inner, second.clone()),
            false => part,
        })
    });
    let within = Stmt::For(LoopRange::of(*cells, &range.hint, inner), inside);
    Stmt::For(LoopRange::of(*cells - 1, &range.hint, outer), vec![within])
}
