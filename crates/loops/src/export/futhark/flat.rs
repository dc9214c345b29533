//! Flattens what crosses an entry. A tuple in a tuple or in an array, or as a parameter, is opaque to those who call Futhark: a
//! pair comes as a parameter for each of its parts, an array of pairs as an array for each, and what is given leaves as one
//! tuple of them.

use super::code::{FutharkExpr, FutharkName};
use super::lower::{FutharkLets, FutharkLowering};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Type, TypeView};

/// The types of the parts of pairs, and of arrays of such, none of which has a pair; of other data the type itself.
pub fn parts(ty: &Type) -> Vec<Type> {
    match ty.view() {
        TypeView::Pair(a, b) if goes_on() => [parts(a), parts(b)].concat(),
        TypeView::Array(n, element) if goes_on() => {
            parts(element).into_iter().map(|part| Type::array(n.clone(), part)).collect()
        }
        _ => vec![ty.clone()],
    }
}

/// The data of these parts.
pub(super) fn nested(
    ty: &Type,
    parts: &mut dyn Iterator<Item = FutharkExpr>,
    lower: &mut FutharkLowering,
) -> FutharkExpr {
    match ty.view() {
        TypeView::Pair(a, b) if goes_on() => {
            let first = nested(a, parts, lower);
            FutharkExpr::Tuple(vec![first, nested(b, parts, lower)])
        }
        TypeView::Array(n, element) if has_pair(element) => {
            let (size, mark) = (lower.sizes.dim(n), lower.scope.mark());
            let index = lower.scope.fresh("i");
            let mut rows = parts.map(|part| FutharkExpr::index(part, FutharkExpr::Var(index.clone())));
            let element = nested(element, &mut rows, lower);
            lower.scope.release(mark);
            FutharkExpr::Tabulate(size, Some(index), Box::new(element))
        }
        _ => parts.next().unwrap_or(FutharkExpr::Int(0)),
    }
}

/// The parts of what the code gives, in one tuple.
pub(super) fn flat(code: FutharkExpr, ty: &Type, lower: &mut FutharkLowering) -> FutharkExpr {
    let is_flat = |ty: &Type| !has_pair(ty);
    match code {
        code if is_flat(ty) || matches!(ty.view(), TypeView::Pair(a, b) if is_flat(a) && is_flat(b)) => code,
        FutharkExpr::Lets(lets, body) => FutharkExpr::lets(lets, flat(*body, ty, lower)),
        code => {
            let (mut lets, mut all) = (Vec::new(), Vec::new());
            let whole = code.clone();
            spread((code, &whole), ty, lower, &mut lets, &mut all);
            FutharkExpr::lets(lets, FutharkExpr::Tuple(all))
        }
    }
}

fn has_pair(ty: &Type) -> bool {
    match ty.view() {
        TypeView::Pair(..) => true,
        TypeView::Array(_, element) if goes_on() => has_pair(element),
        _ => false,
    }
}

/// A name that nothing in the code has: those of its lets are free again where it is taken apart.
fn unused(hint: &str, code: &FutharkExpr, lower: &mut FutharkLowering) -> FutharkName {
    loop {
        let name = lower.scope.fresh(hint);
        if !code.mentions(&name) {
            return name;
        }
    }
}

fn spread(
    (code, whole): (FutharkExpr, &FutharkExpr),
    ty: &Type,
    lower: &mut FutharkLowering,
    lets: &mut FutharkLets,
    all: &mut Vec<FutharkExpr>,
) {
    if !goes_on() || !has_pair(ty) {
        return all.push(code);
    }
    let halves = match code {
        FutharkExpr::Tuple(halves) => halves,
        code => {
            let is_place = matches!(code, FutharkExpr::Var(_) | FutharkExpr::Field(..) | FutharkExpr::Index(..));
            // Parts are taken of it, so that it gets a name: it is computed once.
            let own = if is_place {
                code
            } else {
                let name = unused("result", whole, lower);
                lets.push((name.clone(), code));
                FutharkExpr::Var(name)
            };
            if let TypeView::Array(n, element) = ty.view() {
                let (size, mark) = (lower.sizes.dim(n), lower.scope.mark());
                let index = unused("i", whole, lower);
                let mut parts = Vec::new();
                let at_index = FutharkExpr::index(own, FutharkExpr::Var(index.clone()));
                spread((at_index, whole), element, lower, lets, &mut parts);
                lower.scope.release(mark);
                let part = |part| FutharkExpr::Tabulate(size.clone(), Some(index.clone()), Box::new(part));
                return all.extend(parts.into_iter().map(part));
            }
            vec![own.clone().half(0), own.half(1)]
        }
    };
    let TypeView::Pair(a, b) = ty.view() else { return };
    for (half, ty) in halves.into_iter().zip([a, b]) {
        spread((half, whole), ty, lower, lets, all);
    }
}
