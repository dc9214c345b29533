//! Putting a node together from one or two children with few variables: its free variables, and how the last child is
//! embedded. All else is known from its form, if one was made lately; or else everything is gathered elsewhere.

use std::cell::Cell;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::embedding::{Embedding, FEW, Len};
use super::form::{Form, Key};
use super::gather::many;
use super::kind::Kind;
use super::node::{Node, Term};
use super::shape::shape_of_two;
use super::typing::IllTyped;
use super::uses::{LOOPED, Uses, both};

/// A node with one child, given in its own scope.
pub(super) fn one(kind: &Kind, a: Term) -> Result<Term, IllTyped> {
    let number = kind.head().number();
    let mut few = Few::default();
    let looped = if kind.repeats(0) { LOOPED } else { 0 };
    let Some(link) = few.add(&a, u32::from(matches!(kind, Kind::Lam(..))), looped) else {
        return many(kind, &[a], None);
    };
    let key = Key::new(kind, number, link, [a.node.form.judgement, 0]);
    let Some(form) = Form::lately(&key) else { return many(kind, &[a], Some(key)) };
    let (env, uses) = few.done();
    Ok(Term { node: single(form, a.node, uses), env })
}

#[inline(always)]
fn single(form: Rc<Form>, a: Rc<Node>, uses: Embedding) -> Rc<Node> {
    let number = form.kind.head().number();
    Rc::new(Node {
        print: Cell::default(),
        shape: form.kind.shape_around(number, &[a.shape]),
        mark: Cell::new(0),
        size: a.size.saturating_add(1),
        depth: a.depth + 1,
        number: number as u8,
        open: a.open || form.open,
        kids: smallvec![a],
        form,
        uses,
    })
}

/// A node with two children, each in its own scope, the first under no binder.
#[inline(always)]
pub(super) fn two(kind: &Kind, a: Term, b: Term) -> Result<Term, IllTyped> {
    match kind {
        Kind::Let(_) => join::<true, false>(kind, a, b),
        Kind::Ifold(_) => join::<false, true>(kind, a, b),
        _ => join::<false, false>(kind, a, b),
    }
}

/// Two children; whether a variable is bound around the second, and whether the first is evaluated again and again.
fn join<const BINDS: bool, const REPEATS: bool>(kind: &Kind, a: Term, b: Term) -> Result<Term, IllTyped> {
    let number = kind.head().number();
    let Some(mut few) = Few::of(&a, if REPEATS { LOOPED } else { 0 }) else { return many(kind, &[a, b], None) };
    let Some(link) = few.add(&b, u32::from(BINDS), 0) else { return many(kind, &[a, b], None) };
    let key = Key::new(kind, number, link, [a.node.form.judgement, b.node.form.judgement]);
    let Some(form) = Form::lately(&key) else { return many(kind, &[a, b], Some(key)) };
    let (env, uses) = few.done();
    Ok(Term { node: double(form, number, a.node, b.node, uses), env })
}

#[inline(always)]
fn double(form: Rc<Form>, number: usize, a: Rc<Node>, b: Rc<Node>, uses: Embedding) -> Rc<Node> {
    Rc::new(Node {
        print: Cell::default(),
        shape: shape_of_two(number, a.shape, b.shape),
        mark: Cell::new(0),
        size: a.size.saturating_add(b.size).saturating_add(1),
        depth: a.depth.max(b.depth) + 1,
        number: number as u8,
        open: a.open || b.open || form.open,
        kids: SmallVec::from_buf([a, b]),
        form,
        uses,
    })
}

/// A node of this form with any number of children.
pub(super) fn multiple(form: Rc<Form>, number: usize, kids: SmallVec<[Rc<Node>; 2]>, uses: Embedding) -> Rc<Node> {
    let weighed = |(k, kid): (usize, &Rc<Node>)| form.kind.weight(k).wrapping_mul(kid.shape);
    Rc::new(Node {
        print: Cell::default(),
        shape: kids.iter().enumerate().map(weighed).fold(form.kind.shape_around(number, &[]), u64::wrapping_add),
        mark: Cell::new(0),
        size: kids.iter().fold(1, |size, kid| size.saturating_add(kid.size)),
        depth: kids.iter().map(|kid| kid.depth).max().unwrap_or(0) + 1,
        number: number as u8,
        open: form.open || kids.iter().any(|kid| kid.open),
        kids,
        form,
        uses,
    })
}

/// The node with another child `k`, which has the old one's type and mentions the same variables as often.
pub(super) fn exchange(term: &Term, k: usize, new: Rc<Node>) -> Term {
    let old = &*term.node;
    let (form, number, uses) = (old.form.clone(), old.number(), old.uses.clone());
    let node = match &old.kids[..] {
        [_] => single(form, new, uses),
        [_, b] if k == 0 => double(form, number, new, b.clone(), uses),
        [a, _] => double(form, number, a.clone(), new, uses),
        all => {
            let mut kids = SmallVec::from(all);
            kids[k] = new;
            multiple(form, number, kids, uses)
        }
    };
    Term { node, env: term.env.clone() }
}

/// At most [`FEW`] free variables, as one or two children are added.
#[derive(Default)]
struct Few {
    len: usize,
    at: [u32; FEW],
    uses: [Uses; FEW],
}

impl Few {
    /// Those of a child under no binder; `None` where they are too many.
    #[inline(always)]
    fn of(kid: &Term, looped: Uses) -> Option<Few> {
        let (Embedding::Few { len, at }, Embedding::Few { at: uses, .. }) = (&kid.env, &kid.node.uses) else {
            return None;
        };
        let mut few = Few { len: *len as usize, at: *at, uses: *uses };
        if looped != 0 {
            few.uses.iter_mut().take(few.len).for_each(|uses| *uses |= looped);
        }
        Some(few)
    }

    /// Adds a child's, and gives its embedding in the node, 4 bits for each index; `None` where they become too many.
    #[inline(always)]
    fn add(&mut self, kid: &Term, binders: u32, looped: Uses) -> Option<u32> {
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
                if p == FEW {
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
        let len = Len::ALL[self.len];
        (Embedding::Few { len, at: self.at }, Embedding::Few { len, at: self.uses })
    }
}
