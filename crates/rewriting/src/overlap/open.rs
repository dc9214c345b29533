//! Finds what must stand for a variable so that two types, or two sizes, become one.

use redexter_language::ground::Name;
use redexter_language::term::{Bindings, OpenVariables, Size, SizeAtom, Type, TypeView};

/// The first thing that has to stand for a variable so that both types become one; nothing where they are one.
pub(super) fn type_step(a: &Type, b: &Type) -> Option<Bindings> {
    match (a.view(), b.view()) {
        _ if a == b => Some(Bindings::default()),
        (TypeView::Var(name), _) => bound_type(name, b),
        (_, TypeView::Var(name)) => bound_type(name, a),
        (TypeView::Fin(n), TypeView::Fin(m)) => size_step(n, m),
        (TypeView::Array(n, a), TypeView::Array(m, b)) if n == m => type_step(a, b),
        (TypeView::Array(n, _), TypeView::Array(m, _)) => size_step(n, m),
        (TypeView::Pair(a, b), TypeView::Pair(c, d)) | (TypeView::Fun(a, b), TypeView::Fun(c, d)) => {
            if a == c {
                type_step(b, d)
            } else {
                type_step(a, c)
            }
        }
        _ => None,
    }
}

fn bound_type(name: &Name, ty: &Type) -> Option<Bindings> {
    let mut opens = OpenVariables::default();
    opens.ty(ty);
    let mut found = Bindings::default();
    found.types.insert(name.clone(), ty.clone());
    // A type that has the variable in it can't stand for it, because that would have no end.
    (!opens.types.contains(name)).then_some(found)
}

/// The same for two sizes, where an equation is linear in one of their variables.
pub(super) fn size_step(a: &Size, b: &Size) -> Option<Bindings> {
    if a == b {
        return Some(Bindings::default());
    }
    let (left, right) = a.cancel(b);
    let ways = [(&left, &right), (&right, &left)];
    ways.into_iter().find_map(|(side, value)| {
        side.atoms().find_map(|atom| {
            let SizeAtom::Var(name) = atom else { return None };
            let found = side.solved_for(atom, value).filter(|found| found.atoms().all(|other| other != atom))?;
            let mut bindings = Bindings::default();
            bindings.sizes.insert(name.clone(), found);
            Some(bindings)
        })
    })
}
