//! Putting a node together from children that stand in one scope: its free variables, and how each child is embedded.
//!
//! One variable must have one type in all children; what else a constructor asks of them the caller has checked.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use super::embedding::{Embedding, FEW};
use super::frees::{Frees, LOOPED, Types, Uses, both};
use super::kids::Kids;
use super::kind::Kind;
use super::make::{IllTyped, same};
use super::node::{Node, Term};
use super::types::Type;

/// A node with one child, given in its own scope.
pub(super) fn assemble_one(kind: Kind, a: Term, ty: Type) -> Result<Term, IllTyped> {
    let mut few = Few::default();
    let Some(first) = few.take(&a, kind.binders(0), kind.repeats(0)) else {
        return assemble_many("fun", kind, Kids::One([a]), ty);
    };
    let (env, free) = few.finish();
    let node = Node {
        print: Cell::new(0),
        shape: kind.shape_around(&[a.shape()]),
        mark: Cell::new(0),
        size: a.node.size.saturating_add(1),
        depth: a.node.depth + 1,
        open: a.node.open || kind.is_open(&ty),
        kids: Kids::One([Term { node: a.node, env: first }]),
        kind,
        free,
        ty,
    };
    Ok(Term { node: Rc::new(node), env })
}

/// A node with two children, each in its own scope.
pub(super) fn assemble_two(what: &'static str, kind: Kind, a: Term, b: Term, ty: Type) -> Result<Term, IllTyped> {
    let mut few = Few::default();
    let Some((first, second)) = few
        .take(&a, 0, kind.repeats(0))
        .and_then(|first| Some((first, few.take(&b, kind.binders(1), kind.repeats(1))?)))
    else {
        return assemble_many(what, kind, Kids::Two([a, b]), ty);
    };
    let (env, free) = few.finish();
    let node = Node {
        print: Cell::new(0),
        shape: kind.shape_around(&[a.shape(), b.shape()]),
        mark: Cell::new(0),
        size: a.node.size.saturating_add(b.node.size).saturating_add(1),
        depth: a.node.depth.max(b.node.depth) + 1,
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
    let mut shape = kind.shape_around(&[]);
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
    let (print, mark, depth) = (Cell::new(0), Cell::new(0), depth + 1);
    Ok(Term { node: Rc::new(Node { kind, kids, free, ty, print, shape, mark, size, depth, open }), env })
}

/// At most [`FEW`] free variables, as one or two children are added. Holds nothing that would have to be given back.
#[derive(Default)]
struct Few<'a> {
    len: usize,
    at: [u32; FEW],
    uses: [Uses; FEW],
    /// The types of the first variables..
    base: Option<&'a Types>,
    /// ..and of those behind them.
    more: [Option<&'a Type>; FEW],
    known: usize,
}

impl<'a> Few<'a> {
    /// Adds a child's free variables and gives its embedding into the node; `None` where they become too many or a
    /// variable's types differ.
    #[inline(always)]
    fn take(&mut self, kid: &'a Term, binders: u32, repeats: bool) -> Option<Embedding> {
        let (Embedding::Few { len, at }, Embedding::Few { at: uses, .. }) = (&kid.env, &kid.node.free.uses) else {
            return None;
        };
        let len = *len as usize;
        let looped = if repeats { LOOPED } else { 0 };
        if self.len == 0 && binders == 0 {
            (self.len, self.known, self.at, self.uses) = (len, len, *at, *uses);
            self.base = Some(&kid.node.free.types);
            if repeats {
                self.uses.iter_mut().take(len).for_each(|uses| *uses |= LOOPED);
            }
            return Some(Embedding::counted(len));
        }
        let here = &kid.node.free.types;
        if binders == 0 && self.at == *at && self.base.is_some_and(|base| base.is(here)) {
            // The same variables: most of what stands together in a term.
            for (sum, more) in self.uses.iter_mut().zip(uses).take(len) {
                *sum = both(*sum, more | looped);
            }
            return Some(Embedding::counted(len));
        }
        let types = here.list().get(..len)?;
        // A term's own indices differ, so that only those of earlier children can recur.
        let before = self.len;
        let mut inner = [0; FEW];
        for j in 0..len {
            let Some(outer) = at[j].checked_sub(binders) else {
                inner[j] = at[j];
                continue;
            };
            let p = (0..before).find(|p| self.at[*p] == outer).unwrap_or(self.len);
            if p == FEW {
                return None;
            }
            inner[j] = binders + p as u32;
            self.uses[p] = both(self.uses[p], uses[j] | looped);
            if p < before {
                if self.ty(p)? != &types[j] {
                    return None;
                }
            } else {
                self.at[p] = outer;
                self.more[p] = Some(&types[j]);
                self.len += 1;
            }
        }
        Some(Embedding::few(len, inner))
    }

    /// The type of a variable.
    #[inline(always)]
    fn ty(&self, p: usize) -> Option<&'a Type> {
        match self.base {
            Some(base) if p < self.known => base.list().get(p),
            _ => self.more[p],
        }
    }

    #[inline(always)]
    fn finish(self) -> (Embedding, Frees) {
        let types = match self.base {
            Some(base) if self.len == self.known => base.clone(),
            _ if self.len == 0 => Types::default(),
            _ => self.listed(),
        };
        (Embedding::few(self.len, self.at), Frees { uses: Embedding::few(self.len, self.uses), types })
    }

    fn listed(&self) -> Types {
        let Some(any) = self.ty(0) else { return Types::default() };
        let mut all = [any; FEW];
        for (p, ty) in all.iter_mut().enumerate().take(self.len) {
            *ty = self.ty(p).unwrap_or(any);
        }
        Types::of(&all[..self.len])
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
