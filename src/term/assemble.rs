//! Putting a node together from children that stand in one scope: its free variables, and how each child is embedded.
//!
//! One variable must have one type in all children; what else a constructor asks of them the caller has checked.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use super::embedding::{Embedding, FEW, counted};
use super::frees::{Frees, LOOPED, Types, Uses, both};
use super::kids::Kids;
use super::kind::Kind;
use super::make::{IllTyped, same};
use super::node::{Node, Term};
use super::shape::weight;
use super::types::Type;

/// A node with one child, given in its own scope.
pub(super) fn assemble_one(kind: Kind, a: Term, ty: Type) -> Result<Term, IllTyped> {
    let mut few = Few::default();
    let Some(first) = few.add(&a, kind.binders(0), kind.repeats(0)) else {
        return assemble_many("fun", kind, Kids::One([a]), ty);
    };
    let (env, free) = few.finish();
    let number = kind.head().number();
    let node = Node {
        print: Cell::default(),
        shape: kind.shape_around(number, &[a.node.shape]),
        mark: Cell::new(0),
        size: a.node.size.saturating_add(1),
        depth: a.node.depth + 1,
        number: number as u8,
        open: a.node.open || kind.is_open(&ty),
        kids: Kids::One([Term { node: a.node, env: first }]),
        kind,
        free,
        ty,
    };
    Ok(Term { node: Rc::new(node), env })
}

/// A node with two children, each in its own scope, the first under no binder.
pub(super) fn assemble_two(what: &'static str, kind: Kind, a: Term, b: Term, ty: Type) -> Result<Term, IllTyped> {
    let mut few = Few::default();
    let first = few.adopt(&a, kind.repeats(0));
    let second = if first.is_some() { few.add(&b, kind.binders(1), kind.repeats(1)) } else { None };
    let (Some(first), Some(second)) = (first, second) else {
        return assemble_many(what, kind, Kids::Two([a, b]), ty);
    };
    let (env, free) = few.finish();
    let number = kind.head().number();
    let node = Node {
        print: Cell::default(),
        shape: kind.shape_around(number, &[a.node.shape, b.node.shape]),
        mark: Cell::new(0),
        size: a.node.size.saturating_add(b.node.size).saturating_add(1),
        depth: a.node.depth.max(b.node.depth) + 1,
        number: number as u8,
        open: a.node.open || b.node.open || kind.is_open(&ty),
        kids: Kids::Two([Term { node: a.node, env: first }, Term { node: b.node, env: second }]),
        kind,
        free,
        ty,
    };
    Ok(Term { node: Rc::new(node), env })
}

/// A node with any number of children and variables.
#[cold]
pub(super) fn assemble_many(what: &'static str, kind: Kind, mut kids: Kids, ty: Type) -> Result<Term, IllTyped> {
    let (mut size, mut depth, mut open) = (1u64, 0u32, kind.is_open(&ty));
    let number = kind.head().number();
    let mut shape = kind.shape_around(number, &[]);
    let mut gathered = Gathered::default();
    let mut inner = Vec::with_capacity(kids.len());
    for (k, kid) in kids.iter().enumerate() {
        inner.push(gathered.take(what, kid, kind.binders(k), kind.repeats(k))?);
        shape = shape.wrapping_add(kind.weight(k).wrapping_mul(kid.node.shape));
        size = size.saturating_add(kid.node.size);
        depth = depth.max(kid.node.depth);
        open |= kid.node.open;
    }
    let env = gathered.env.into();
    let free = Frees { uses: gathered.uses.into(), types: gathered.types.into() };
    kids.iter_mut().zip(inner).for_each(|(kid, inner)| kid.env = inner);
    let (print, mark, depth) = (Cell::default(), Cell::new(0), depth + 1);
    Ok(Term {
        node: Rc::new(Node { kind, kids, free, ty, print, shape, mark, size, depth, number: number as u8, open }),
        env,
    })
}

/// The node with another child `k`, which has the old one's type and mentions the same variables as often.
pub(super) fn exchange(term: &Term, k: usize, new: Term) -> Term {
    let old = &*term.node;
    let shape = new.node.shape.wrapping_sub(old.kids[k].node.shape).wrapping_mul(weight(old.number, k));
    let kids = match &old.kids {
        Kids::Two([a, b]) if k == 0 => Kids::Two([Term { node: new.node, env: a.env.clone() }, b.clone()]),
        Kids::Two([a, b]) => Kids::Two([a.clone(), Term { node: new.node, env: b.env.clone() }]),
        other => {
            let mut kids = other.clone();
            kids[k].node = new.node;
            kids
        }
    };
    let (mut size, mut depth, mut open) = (1u64, 0u32, old.kind.is_open(&old.ty));
    for kid in &*kids {
        size = size.saturating_add(kid.node.size);
        depth = depth.max(kid.node.depth);
        open |= kid.node.open;
    }
    let node = Node {
        kind: old.kind.clone(),
        kids,
        free: old.free.clone(),
        ty: old.ty.clone(),
        print: Cell::default(),
        shape: old.shape.wrapping_add(shape),
        mark: Cell::new(0),
        size,
        depth: depth + 1,
        number: old.number,
        open,
    };
    Term { node: Rc::new(node), env: term.env.clone() }
}

/// At most [`FEW`] free variables, as one or two children are added.
#[derive(Default)]
struct Few {
    len: usize,
    at: [u32; FEW],
    uses: [Uses; FEW],
    types: Types,
}

impl Few {
    /// Takes the free variables of the first child, which stands under no binder, as they are.
    #[inline(always)]
    fn adopt(&mut self, kid: &Term, repeats: bool) -> Option<Embedding> {
        let (Embedding::Few { len, at }, Embedding::Few { at: uses, .. }) = (&kid.env, &kid.node.free.uses) else {
            return None;
        };
        (self.len, self.at, self.uses) = (*len as usize, *at, *uses);
        self.types = kid.node.free.types.clone();
        if repeats {
            self.uses.iter_mut().take(self.len).for_each(|uses| *uses |= LOOPED);
        }
        Some(Embedding::Few { len: *len, at: counted(*len) })
    }

    /// Adds a child's free variables and gives its embedding into the node; `None` where they become too many or a
    /// variable's types differ.
    #[inline(always)]
    fn add(&mut self, kid: &Term, binders: u32, repeats: bool) -> Option<Embedding> {
        if self.len == 0 && binders == 0 {
            return self.adopt(kid, repeats);
        }
        let (Embedding::Few { len, at }, Embedding::Few { at: uses, .. }) = (&kid.env, &kid.node.free.uses) else {
            return None;
        };
        let looped = if repeats { LOOPED } else { 0 };
        let types = kid.node.free.types.list();
        // A term's own indices differ, so that only those of earlier children can recur.
        let before = self.len;
        let mut inner = [0; FEW];
        for (j, ty) in types.iter().enumerate().take(*len as usize) {
            let Some(outer) = at[j].checked_sub(binders) else {
                inner[j] = at[j];
                continue;
            };
            let p = self.at[..before].iter().position(|index| *index == outer).unwrap_or(self.len);
            if p == FEW {
                return None;
            }
            inner[j] = binders + p as u32;
            self.uses[p] = both(self.uses[p], uses[j] | looped);
            if p < before {
                if self.types.list()[p] != *ty {
                    return None;
                }
            } else {
                self.at[p] = outer;
                self.types = self.types.with(ty);
                self.len += 1;
            }
        }
        Some(Embedding::Few { len: *len, at: inner })
    }

    #[inline(always)]
    fn finish(self) -> (Embedding, Frees) {
        let uses = Embedding::few(self.len, self.uses);
        (Embedding::few(self.len, self.at), Frees { uses, types: self.types })
    }
}

/// Among more variables than these, one is looked up by hashing.
const SCANNED: usize = 16;

/// The free variables of a node as its children are added.
#[derive(Default)]
struct Gathered {
    env: Vec<u32>,
    uses: Vec<Uses>,
    types: Vec<Type>,
    /// The place of each variable of `env`, up to date only while it is of use.
    places: HashMap<u32, u32>,
}

impl Gathered {
    /// Adds a child's free variables and gives its embedding into the node.
    fn take(&mut self, what: &'static str, kid: &Term, binders: u32, repeats: bool) -> Result<Embedding, IllTyped> {
        let Frees { uses, types } = &kid.node.free;
        let looped = if repeats { LOOPED } else { 0 };
        // A term's own indices differ, so that only those of earlier children can recur.
        let before = self.env.len();
        let hashed = before > SCANNED && kid.env.len() > 2;
        if hashed {
            let known = self.places.len();
            self.places.extend(self.env.iter().enumerate().skip(known).map(|(p, i)| (*i, p as u32)));
        }
        let mut inner = Vec::with_capacity(kid.env.len());
        for ((index, uses), ty) in kid.env.iter().zip(&**uses).zip(types.list()) {
            let Some(outer) = index.checked_sub(binders) else {
                inner.push(*index);
                continue;
            };
            let known = match hashed {
                true => self.places.get(&outer).map(|p| *p as usize),
                false => self.env[..before].iter().position(|i| *i == outer),
            };
            let p = known.unwrap_or(self.env.len());
            inner.push(binders + p as u32);
            if p < before {
                same(what, &self.types[p], ty)?;
                self.uses[p] = both(self.uses[p], uses | looped);
            } else {
                self.env.push(outer);
                self.uses.push(uses | looped);
                self.types.push(ty.clone());
            }
        }
        Ok(inner.into())
    }
}
