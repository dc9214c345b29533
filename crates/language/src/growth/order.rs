//! Measures whether a derivative is of its primal's order, by the symbolic work of both.

use crate::cost::{Poly, corners, work};
use crate::ground::Name;
use crate::term::{Program, Type, TypeView};

/// The most work of a derivative for one of its primal's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrderRatio {
    /// How much, where as many numbers as the derivative gives count as the primal's work, too; NaN where one isn't known.
    pub ratio: f64,
    /// The sizes where that is so.
    pub at: Vec<(Name, u64)>,
    /// Whether it grows no faster than its primal's with these numbers, whichever sizes grow; None where one isn't known.
    pub is_kept: Option<bool>,
}

/// Compares the symbolic work, all of flops, compares, reads and writes, at all [`corners`]: what is lost of an order shows
/// at one of them, where a constant factor is the same at all.
pub fn order(primal: &Program, derivative: &Program) -> OrderRatio {
    let [before, after] = [primal, derivative].map(|program| work(&program.term).total());
    let entries = entries(result(derivative.term.ty()));
    if before.is_unknown() || after.is_unknown() {
        return OrderRatio { ratio: f64::NAN, ..OrderRatio::default() };
    }
    let is_kept = Some(after.grows_within(&before.plus(&entries)));
    let mut worst = OrderRatio { is_kept, ..OrderRatio::default() };
    for at in corners(before.sizes().into_iter().chain(after.sizes()), &derivative.bounds) {
        let value =
            |poly: &Poly| poly.at(|name| at.iter().find(|(known, _)| known == name).map_or(0, |(_, n)| *n)) as f64;
        let ratio = value(&after) / (value(&before) + value(&entries));
        if ratio > worst.ratio {
            worst = OrderRatio { ratio, at, is_kept };
        }
    }
    worst
}

/// The type of a function's result, once all arguments are given.
fn result(ty: &Type) -> &Type {
    match ty.view() {
        TypeView::Fun(_, result) => self::result(result),
        _ => ty,
    }
}

/// The numbers in a value of a type.
fn entries(ty: &Type) -> Poly {
    match ty.view() {
        TypeView::Array(n, element) => Poly::size(n).times(&entries(element)),
        TypeView::Pair(a, b) => entries(a).plus(&entries(b)),
        _ => Poly::constant(1),
    }
}
