//! Looking into a term without moving what is looked at: children as their node holds them.

use std::rc::Rc;

use super::embedding::Embedding;
use super::node::Term;

impl Term {
    /// Child `k` as the node holds it, for looking only: its variable `binders + p` is this node's free variable
    /// number `p`, and one below the number of binders is bound here. Everything but the indices is as in
    /// [`Term::kid`].
    pub fn part(&self, k: usize) -> &Term {
        &self.node.kids[k]
    }

    /// The children as [`Term::part`] gives them.
    pub fn parts(&self) -> &[Term] {
        &self.node.kids
    }

    /// The indices of the free variables, in the order of their first occurrence.
    pub(crate) fn places(&self) -> &[u32] {
        &self.env
    }

    /// Which free variable, counted from the first, has this index; `likely` is tried first.
    pub(crate) fn place_of(&self, index: u32, likely: usize) -> Option<usize> {
        let all: &[u32] = &self.env;
        if all.get(likely) == Some(&index) { Some(likely) } else { all.iter().position(|i| *i == index) }
    }

    /// The same node with its free variables elsewhere, two of them never at one place.
    pub(crate) fn placed(&self, to: impl FnMut(u32) -> u32) -> Term {
        Term { node: self.node.clone(), env: self.env.map(to) }
    }

    /// A part in the scope of a term around it, moved under `under` binders: `above` are the terms that hold it, the
    /// nearest first, with the binders that stand around it in each; what these bind becomes what `inner` says of the
    /// index that it has in the part. Two variables must never come to one place.
    #[inline]
    pub(crate) fn raised<'a>(
        &self,
        above: impl Iterator<Item = (&'a Term, u32)>,
        under: u32,
        inner: impl Fn(u32) -> u32,
    ) -> Term {
        let env = match &self.env {
            Embedding::Few { len, at } => {
                let (len, mut at) = (*len, *at);
                raise(&mut at[..len as usize], above, under, inner);
                Embedding::Few { len, at }
            }
            Embedding::Many(all) => {
                let mut all = all.to_vec();
                raise(&mut all, above, under, inner);
                all.into()
            }
        };
        Term { node: self.node.clone(), env }
    }

    /// Whether both are equal but for where their free variables stand.
    pub(crate) fn equals_in_form(&self, other: &Term) -> bool {
        let (a, b) = (&self.node, &other.node);
        Rc::ptr_eq(a, b) || a.shape == b.shape && a.size == b.size && self.print() == other.print()
    }
}

/// Marks indices of what is bound on the way, counted from the part.
const INNER: u32 = 1 << 31;

#[inline(always)]
fn raise<'a>(
    indices: &mut [u32],
    above: impl Iterator<Item = (&'a Term, u32)>,
    under: u32,
    inner: impl Fn(u32) -> u32,
) {
    match indices {
        [] => {}
        [only] => *only = raise_one(*only, above, under, inner),
        _ => raise_all(indices, above, under, inner),
    }
}

#[inline(always)]
fn raise_one<'a>(
    index: u32,
    above: impl Iterator<Item = (&'a Term, u32)>,
    under: u32,
    inner: impl Fn(u32) -> u32,
) -> u32 {
    let (mut index, mut passed) = (index, 0);
    for (term, binders) in above {
        let Some(outer) = index.checked_sub(binders) else { return inner(index + passed) };
        index = term.env[outer as usize];
        passed += binders;
    }
    index + under
}

#[inline(always)]
fn raise_all<'a>(
    indices: &mut [u32],
    above: impl Iterator<Item = (&'a Term, u32)>,
    under: u32,
    inner: impl Fn(u32) -> u32,
) {
    let mut passed = 0;
    for (term, binders) in above {
        let places: &[u32] = &term.env;
        for index in indices.iter_mut().filter(|index| **index < INNER) {
            *index = match index.checked_sub(binders) {
                Some(outer) => places[outer as usize],
                None => INNER + *index + passed,
            };
        }
        passed += binders;
    }
    for index in indices {
        *index = if *index < INNER { *index + under } else { inner(*index - INNER) };
    }
}
