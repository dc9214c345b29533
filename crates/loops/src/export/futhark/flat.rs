//! Flattens what crosses an entry. A tuple in a tuple, or as a parameter, is opaque to those who call Futhark: a pair comes as a
//! parameter for each of its parts, and leaves as one tuple of them.

use super::code::{FutharkExpr, FutharkName};
use super::lower::FutharkLets;
use super::names::NameSupply;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Type, TypeView};

/// The types of a pair's parts, none of which is a pair; of other data the type itself.
pub fn parts(ty: &Type) -> Vec<Type> {
    match ty.view() {
        TypeView::Pair(a, b) if goes_on() => [parts(a), parts(b)].concat(),
        _ => vec![ty.clone()],
    }
}

/// The data whose parts have these names.
pub(super) fn nested(ty: &Type, names: &mut impl Iterator<Item = FutharkName>) -> FutharkExpr {
    match ty.view() {
        TypeView::Pair(a, b) if goes_on() => FutharkExpr::Tuple(vec![nested(a, names), nested(b, names)]),
        _ => names.next().map_or(FutharkExpr::Int(0), FutharkExpr::Var),
    }
}

/// The parts of what the code gives, in one tuple.
pub(super) fn flat(code: FutharkExpr, ty: &Type, scope: &mut NameSupply) -> FutharkExpr {
    match code {
        code if !has_pair_in_pair(ty) => code,
        FutharkExpr::Lets(lets, body) => FutharkExpr::lets(lets, flat(*body, ty, scope)),
        code => {
            let (mut lets, mut all) = (Vec::new(), Vec::new());
            spread(code, ty, scope, &mut lets, &mut all);
            FutharkExpr::lets(lets, FutharkExpr::Tuple(all))
        }
    }
}

fn has_pair_in_pair(ty: &Type) -> bool {
    let is_pair = |ty: &Type| matches!(ty.view(), TypeView::Pair(..));
    matches!(ty.view(), TypeView::Pair(a, b) if is_pair(a) || is_pair(b))
}

fn spread(code: FutharkExpr, ty: &Type, scope: &mut NameSupply, lets: &mut FutharkLets, all: &mut Vec<FutharkExpr>) {
    if !goes_on() {
        return;
    }
    let TypeView::Pair(a, b) = ty.view() else { return all.push(code) };
    let mut halves = match code {
        FutharkExpr::Tuple(halves) => halves,
        place @ (FutharkExpr::Var(_) | FutharkExpr::Field(..)) => fields(place),
        code => {
            // Both halves are taken of it, so that it gets a name: it is computed once.
            let name = scope.fresh("result");
            lets.push((name.clone(), code));
            fields(FutharkExpr::Var(name))
        }
    }
    .into_iter();
    for ty in [a, b] {
        halves.next().into_iter().for_each(|half| spread(half, ty, scope, lets, all));
    }
}

fn fields(pair: FutharkExpr) -> Vec<FutharkExpr> {
    vec![FutharkExpr::Field(Box::new(pair.clone()), 0), FutharkExpr::Field(Box::new(pair), 1)]
}
