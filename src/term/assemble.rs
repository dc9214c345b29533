//! Putting a node together from one or two children with few variables: its free variables, and how each child is
//! embedded. What is more is gathered elsewhere.
//!
//! One variable must have one type in all children and where it is bound; what else a constructor asks of them the caller
//! has checked.

use std::cell::Cell;
use std::rc::Rc;

use super::embedding::{Embedding, FEW, Len, counted};
use super::frees::{Frees, LOOPED, Types, Uses, both};
use super::gather::assemble_many;
use super::kids::Kids;
use super::kind::Kind;
use super::make::IllTyped;
use super::node::{Node, Term};
use super::shape::{shape_of_two, weight};
use super::types::Type;

/// A node with one child, given in its own scope.
#[inline(always)]
pub(super) fn assemble_one(kind: Kind, a: Term, ty: Type) -> Result<Term, IllTyped> {
    match kind {
        Kind::Lam(..) => bind(kind, a, ty),
        Kind::Build(_) => wrap::<true>(kind, a, ty),
        _ => wrap::<false>(kind, a, ty),
    }
}

/// A function.
fn bind(kind: Kind, a: Term, ty: Type) -> Result<Term, IllTyped> {
    let (mut at, mut uses, mut types, mut len, mut link) = ([0; FEW], [0; FEW], Types::default(), 0, [0; FEW]);
    let bound = if let Kind::Lam(_, of) = &kind { of } else { &ty };
    let mut few = Few { at: &mut at, uses: &mut uses, types: &mut types, len: &mut len };
    let Some(a_len) = few.add(&a, 1, bound, true, &mut link) else {
        return assemble_many(kind, Kids::One([a]), ty);
    };
    let len = Len::ALL[len];
    let free = Frees { uses: Embedding::Few { len, at: uses }, types };
    let kid = Term { node: a.node, env: Embedding::Few { len: a_len, at: link } };
    Ok(Term { node: around(kind, kid, free, ty), env: Embedding::Few { len, at } })
}

/// A child that mentions what the node mentions; whether it is evaluated again and again.
fn wrap<const REPEATS: bool>(kind: Kind, a: Term, ty: Type) -> Result<Term, IllTyped> {
    let (Embedding::Few { len, .. }, Embedding::Few { at: uses, .. }) = (&a.env, &a.node.free.uses) else {
        return assemble_many(kind, Kids::One([a]), ty);
    };
    let (len, mut uses) = (*len, *uses);
    if REPEATS {
        uses.iter_mut().take(len as usize).for_each(|uses| *uses |= LOOPED);
    }
    let free = Frees { uses: Embedding::Few { len, at: uses }, types: a.node.free.types.clone() };
    let kid = Term { node: a.node, env: Embedding::Few { len, at: counted(len) } };
    Ok(Term { node: around(kind, kid, free, ty), env: a.env })
}

#[inline(always)]
fn around(kind: Kind, kid: Term, free: Frees, ty: Type) -> Rc<Node> {
    let number = kind.head().number();
    Rc::new(Node {
        print: Cell::default(),
        shape: kind.shape_around(number, &[kid.node.shape]),
        mark: Cell::new(0),
        size: kid.node.size.saturating_add(1),
        depth: kid.node.depth + 1,
        number: number as u8,
        open: kid.node.open || kind.is_open(&ty),
        kids: Kids::One([kid]),
        kind,
        free,
        ty,
    })
}

/// A node with two children, each in its own scope, the first under no binder.
#[inline(always)]
pub(super) fn assemble_two(kind: Kind, a: Term, b: Term, ty: Type) -> Result<Term, IllTyped> {
    match kind {
        Kind::Let(_) => join::<true, false>(kind, a, b, ty),
        Kind::Ifold(_) => join::<false, true>(kind, a, b, ty),
        _ => join::<false, false>(kind, a, b, ty),
    }
}

/// Two children; whether a variable is bound around the second, and whether the first is evaluated again and again.
fn join<const BINDS: bool, const REPEATS: bool>(kind: Kind, a: Term, b: Term, ty: Type) -> Result<Term, IllTyped> {
    let number = kind.head().number();
    let (Embedding::Few { len: a_len, at }, Embedding::Few { at: uses, .. }) = (&a.env, &a.node.free.uses) else {
        return many_of_two(kind, a, b, ty);
    };
    let (mut at, mut uses, a_len, mut link) = (*at, *uses, *a_len, [0; FEW]);
    let (mut types, mut len) = (a.node.free.types.clone(), a_len as usize);
    if REPEATS {
        uses.iter_mut().take(len).for_each(|uses| *uses |= LOOPED);
    }
    let mut few = Few { at: &mut at, uses: &mut uses, types: &mut types, len: &mut len };
    let Some(b_len) = few.add(&b, u32::from(BINDS), a.ty(), false, &mut link) else {
        return many_of_two(kind, a, b, ty);
    };
    let len = Len::ALL[len];
    let node = Rc::new(Node {
        print: Cell::default(),
        shape: shape_of_two(number, a.node.shape, b.node.shape),
        mark: Cell::new(0),
        size: a.node.size.saturating_add(b.node.size).saturating_add(1),
        depth: a.node.depth.max(b.node.depth) + 1,
        number: number as u8,
        open: a.node.open || b.node.open || kind.is_open(&ty),
        kids: Kids::Two([
            Term { node: a.node, env: Embedding::Few { len: a_len, at: counted(a_len) } },
            Term { node: b.node, env: Embedding::Few { len: b_len, at: link } },
        ]),
        kind,
        free: Frees { uses: Embedding::Few { len, at: uses }, types },
        ty,
    });
    Ok(Term { node, env: Embedding::Few { len, at } })
}

#[cold]
#[inline(never)]
fn many_of_two(kind: Kind, a: Term, b: Term, ty: Type) -> Result<Term, IllTyped> {
    assemble_many(kind, Kids::Two([a, b]), ty)
}

/// The node with another child `k`, which has the old one's type and mentions the same variables as often.
pub(super) fn exchange(term: &Term, k: usize, new: Term) -> Term {
    let old = &*term.node;
    let was = &*old.kids[k].node;
    let shape = new.node.shape.wrapping_sub(was.shape).wrapping_mul(weight(old.number, k));
    // Whoever is saturated may not tell by how much.
    let size = (old.size < u64::MAX).then(|| (old.size - was.size).saturating_add(new.node.size));
    let opens = was.open != new.node.open;
    let (kids, depth) = match &old.kids {
        Kids::Two([a, b]) => {
            let (first, second) = if k == 0 { (new.node, b.node.clone()) } else { (a.node.clone(), new.node) };
            let depth = first.depth.max(second.depth);
            let (a, b) = (Term { node: first, env: a.env.clone() }, Term { node: second, env: b.env.clone() });
            (Kids::Two([a, b]), depth)
        }
        other => {
            let mut kids = other.clone();
            kids[k].node = new.node;
            let depth = kids.iter().map(|kid| kid.node.depth).max();
            (kids, depth.unwrap_or(0))
        }
    };
    let node = Rc::new(Node {
        print: Cell::default(),
        shape: old.shape.wrapping_add(shape),
        mark: Cell::new(0),
        size: size.unwrap_or_else(|| kids.iter().fold(1, |size, kid| size.saturating_add(kid.node.size))),
        depth: depth + 1,
        number: old.number,
        open: if opens { old.kind.is_open(&old.ty) || kids.iter().any(|kid| kid.node.open) } else { old.open },
        kids,
        kind: old.kind.clone(),
        free: old.free.clone(),
        ty: old.ty.clone(),
    });
    Term { node, env: term.env.clone() }
}

/// At most [`FEW`] free variables, as one or two children are added.
struct Few<'a> {
    len: &'a mut usize,
    at: &'a mut [u32; FEW],
    uses: &'a mut [Uses; FEW],
    types: &'a mut Types,
}

impl Few<'_> {
    /// Adds a child's free variables, says where in the node they are, and gives their number; `None` where they become
    /// too many or a variable's types differ. `bound` is the type of the variable that the node binds around the child.
    #[inline(always)]
    fn add(&mut self, kid: &Term, binders: u32, bound: &Type, repeats: bool, link: &mut [u32; FEW]) -> Option<Len> {
        let (Embedding::Few { len, at }, Embedding::Few { at: uses, .. }) = (&kid.env, &kid.node.free.uses) else {
            return None;
        };
        let looped = if repeats { LOOPED } else { 0 };
        // A term's own indices differ, so that only those of earlier children can recur.
        let before = *self.len;
        let known = at.iter().zip(uses).zip(kid.node.free.types.list());
        for (((index, uses), ty), link) in known.zip(link) {
            let Some(outer) = index.checked_sub(binders) else {
                if ty != bound {
                    return None;
                }
                continue;
            };
            let mut p = 0;
            while p < before && self.at[p] != outer {
                p += 1;
            }
            if p < before {
                if self.types.list()[p] != *ty {
                    return None;
                }
                self.uses[p] = both(self.uses[p], uses | looped);
            } else {
                p = *self.len;
                if p == FEW {
                    return None;
                }
                self.at[p] = outer;
                self.uses[p] = uses | looped;
                *self.types = self.types.with(ty);
                *self.len = p + 1;
            }
            *link = binders + p as u32;
        }
        Some(*len)
    }
}
