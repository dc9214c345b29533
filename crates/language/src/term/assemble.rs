//! Puts a node together from one or two children with few variables: its free variables, and how the last child is
//! embedded. All else is known from its form, if one is in the cache; or else everything is gathered elsewhere.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::embedding::{Embedding, INLINE_INDICES, InlineLen};
use super::form::{FormKey, NUMBER_BITS, NodeForm};
use super::gather::many;
use super::kind::{Head, Kind};
use super::node::{Node, Term};
use super::shape::shape_of_two;
use super::typing::IllTyped;
use super::uses::{LOOPED, UseCount, both};
use crate::ground::Name;

/// A node with one child, given in its own scope.
pub(super) fn one(kind: &Kind, a: Term) -> Result<Term, IllTyped> {
    let number = kind.head().number();
    let mut few = FewVariables::default();
    let looped = if kind.repeats(0) { LOOPED } else { 0 };
    let Some(link) = few.add(&a, kind.binders(0), looped) else {
        return many(kind, &[a], None);
    };
    let key = FormKey::new(number, kind.words(), link, [a.node.form.judgement, 0]);
    let Some(form) = NodeForm::cached(&key) else { return many(kind, &[a], Some(key)) };
    let (env, uses) = few.done();
    Ok(Term { node: node(form, number, smallvec![a.node], uses), env })
}

/// The parts of [`Kind::packed`] where one variable is bound around the second child, and where the first child is repeated.
const SECOND_BINDS: u16 = 0b0100;
const FIRST_REPEATS: u8 = 0b01;

/// A node with two children, each in its own scope.
#[inline(always)]
pub(super) fn two(kind: &Kind, a: Term, b: Term) -> Result<Term, IllTyped> {
    let (number, [held, more], made) = (kind.head().number(), kind.words(), || kind.clone());
    // Each layout of binders and repeated children that a constructor of two children has is compiled by itself.
    match kind.packed() {
        (0, 0) if more == 0 => join::<false, false>(number, held, made, a, b),
        (SECOND_BINDS, 0) if more == 0 => join::<true, false>(number, held, made, a, b),
        (0, FIRST_REPEATS) if more == 0 => join::<false, true>(number, held, made, a, b),
        _ => many(kind, &[a, b], None),
    }
}

/// A let, made without its constructor where that is known.
#[inline]
pub(super) fn bind(name: &Name, value: Term, body: Term) -> Result<Term, IllTyped> {
    let made = || Kind::Let(name.clone());
    join::<true, false>(Head::Let.number(), name.address() as u64, made, value, body)
}

/// Two children under a constructor with this number, which holds this; whether a variable is bound around the second, and
/// whether the first is evaluated again and again.
fn join<const BINDS: bool, const REPEATS: bool>(
    number: usize,
    held: u64,
    kind: impl Fn() -> Kind,
    a: Term,
    b: Term,
) -> Result<Term, IllTyped> {
    let Some(mut few) = FewVariables::of(&a, if REPEATS { LOOPED } else { 0 }) else {
        return many(&kind(), &[a, b], None);
    };
    let Some(link) = few.add(&b, u32::from(BINDS), 0) else { return many(&kind(), &[a, b], None) };
    let key = FormKey::new(number, [held, 0], link, [a.node.form.judgement, b.node.form.judgement]);
    let Some(form) = NodeForm::cached(&key) else { return many(&kind(), &[a, b], Some(key)) };
    let (env, uses) = few.done();
    Ok(Term { node: node(form, number, SmallVec::from_buf([a.node, b.node]), uses), env })
}

/// A node of this form with these children.
#[inline(always)]
pub(super) fn node(form: Rc<NodeForm>, number: usize, kids: SmallVec<[Rc<Node>; 2]>, uses: Embedding) -> Rc<Node> {
    let (shape, size, depth, holds) = match &kids[..] {
        [a] => (form.kind.shape_around(number, &[a.shape]), a.size, a.depth, a.holds),
        [a, b] => {
            let shape = shape_of_two(number, a.shape, b.shape);
            let (size, depth) = (a.size.saturating_add(b.size), a.depth.max(b.depth));
            (shape, size, depth, a.holds | b.holds)
        }
        all => {
            let weighed = |(k, kid): (usize, &Rc<Node>)| form.kind.weight(k).wrapping_mul(kid.shape);
            let shape =
                all.iter().enumerate().map(weighed).fold(form.kind.shape_around(number, &[]), u64::wrapping_add);
            let size = all.iter().fold(0u64, |size, kid| size.saturating_add(kid.size));
            let depth = all.iter().map(|kid| kid.depth).max().unwrap_or(0);
            (shape, size, depth, all.iter().fold(0, |holds, kid| holds | kid.holds))
        }
    };
    Rc::new(Node {
        asked: OnceCell::new(),
        shape,
        mark: Cell::new(0),
        signature: Cell::new(0),
        size: size.saturating_add(1),
        depth: depth + 1,
        holds: holds & !NUMBER_BITS | form.holds,
        kids,
        form,
        uses,
    })
}

/// The node with another child `k`, which has the old one's type and mentions the same variables.
#[inline]
pub(super) fn exchange(term: &Term, k: usize, new: Rc<Node>) -> Term {
    let old = &*term.node;
    let as_often = old.kids[k].uses == new.uses;
    let kids = match &old.kids[..] {
        [_] => smallvec![new],
        [_, b] if k == 0 => SmallVec::from_buf([new, b.clone()]),
        [a, _] => SmallVec::from_buf([a.clone(), new]),
        all => {
            let mut kids = SmallVec::from(all);
            kids[k] = new;
            kids
        }
    };
    let uses = if as_often { old.uses.clone() } else { uses_in(&old.form, &kids) };
    Term { node: node(old.form.clone(), old.number(), kids, uses), env: term.env.clone() }
}

/// How often the free variables of a node of this form occur in such children.
fn uses_in(form: &NodeForm, kids: &[Rc<Node>]) -> Embedding {
    if let [a, b] = kids
        && let (Embedding::Few { at, .. }, Embedding::Few { len, at: more }) = (&a.uses, &b.uses)
        && let (Embedding::Few { at: link, .. }, (0 | SECOND_BINDS, 0)) = (&form.links[1], form.kind.packed())
        && form.types.len() <= INLINE_INDICES
    {
        let (mut all, binders) = (*at, form.binders(1));
        for j in 0..*len as usize {
            if let Some(p) = link[j].checked_sub(binders) {
                all[p as usize] = both(all[p as usize], more[j]);
            }
        }
        return Embedding::few(form.types.len(), all);
    }
    let mut all: SmallVec<[UseCount; INLINE_INDICES]> = smallvec![0; form.types.len()];
    for (k, (kid, link)) in kids.iter().zip(&form.links).enumerate() {
        let (binders, looped) = (form.binders(k), if form.kind.repeats(k) { LOOPED } else { 0 });
        for (index, uses) in link.iter().zip(kid.uses.iter()) {
            if let Some(p) = index.checked_sub(binders) {
                all[p as usize] = both(all[p as usize], uses | looped);
            }
        }
    }
    all[..].into()
}

/// At most [`INLINE_INDICES`] free variables, as one or two children are added.
#[derive(Default)]
struct FewVariables {
    len: usize,
    at: [u32; INLINE_INDICES],
    uses: [UseCount; INLINE_INDICES],
}

impl FewVariables {
    /// Those of a child under no binder; `None` where they are too many.
    #[inline(always)]
    fn of(kid: &Term, looped: UseCount) -> Option<FewVariables> {
        let (Embedding::Few { len, at }, Embedding::Few { at: uses, .. }) = (&kid.env, &kid.node.uses) else {
            return None;
        };
        let mut few = FewVariables { len: *len as usize, at: *at, uses: *uses };
        if looped != 0 {
            few.uses.iter_mut().take(few.len).for_each(|uses| *uses |= looped);
        }
        Some(few)
    }

    /// Adds a child's, and gives its embedding in the node, 4 bits for each index; `None` where they become too many.
    #[inline(always)]
    fn add(&mut self, kid: &Term, binders: u32, looped: UseCount) -> Option<u32> {
        let (Embedding::Few { len, at }, Embedding::Few { at: uses, .. }) = (&kid.env, &kid.node.uses) else {
            return None;
        };
        // A term's own indices differ, so that only those of earlier children can recur.
        let (before, mut link) = (self.len, 0);
        for j in 0..*len as usize {
            let Some(outer) = at[j].checked_sub(binders) else { continue };
            let mut p = 0;
            while p < before && self.at[p] != outer {
                p += 1;
            }
            if p < before {
                self.uses[p] = both(self.uses[p], uses[j] | looped);
            } else {
                p = self.len;
                if p == INLINE_INDICES {
                    return None;
                }
                (self.at[p], self.uses[p]) = (outer, uses[j] | looped);
                self.len = p + 1;
            }
            link |= (binders + p as u32) << (4 * j);
        }
        Some(link)
    }

    #[inline(always)]
    fn done(self) -> (Embedding, Embedding) {
        let len = InlineLen::ALL[self.len];
        (Embedding::Few { len, at: self.at }, Embedding::Few { len, at: self.uses })
    }
}
