//! Looks into a term without moving what is looked at: children are taken as their node holds them.

use std::ops::Deref;
use std::rc::Rc;

use smallvec::SmallVec;

use super::embedding::{Embedding, INLINE_INDICES};
use super::node::{Node, Term};
use super::uses::FreeVariable;

/// A term as a node around it holds it, for looking only: its variable `binders + p` is that node's free variable number
/// `p`, and one below the number of binders is bound there. Everything but the indices is as in [`Term::kid`].
#[derive(Clone, Copy)]
pub struct TermRef<'a> {
    node: &'a Rc<Node>,
    env: &'a Embedding,
}

impl Deref for TermRef<'_> {
    type Target = Node;

    #[inline(always)]
    fn deref(&self) -> &Node {
        self.node
    }
}

impl Term {
    /// The term itself as a part.
    #[inline(always)]
    pub fn as_part(&self) -> TermRef<'_> {
        TermRef { node: &self.node, env: &self.env }
    }

    /// The indices of the free variables, in the order of their first occurrence.
    pub fn places(&self) -> &[u32] {
        &self.env
    }

    /// The same node with its free variables elsewhere, two of them never at one place.
    pub fn placed(&self, to: impl FnMut(u32) -> u32) -> Term {
        Term { node: self.node.clone(), env: self.env.map(to) }
    }
}

impl<'a> TermRef<'a> {
    /// Child `k` of this one.
    #[inline(always)]
    pub fn part(self, k: usize) -> TermRef<'a> {
        TermRef { node: &self.node.kids[k], env: &self.node.form.links[k] }
    }

    /// Whether more than the node around it, or its term, hold its node.
    pub fn is_shared(self) -> bool {
        Rc::strong_count(self.node) > 1
    }

    /// The indices of the free variables, in the order of their first occurrence.
    #[inline(always)]
    pub fn places(self) -> &'a [u32] {
        self.env
    }

    /// All of it that doesn't depend on where its free variables are bound.
    #[inline(always)]
    pub fn node(self) -> &'a Node {
        self.node
    }

    /// A term with these indices in the place of the part's own; no two are the same.
    pub fn placed(self, indices: &[u32]) -> Term {
        Term { node: self.node.clone(), env: indices.into() }
    }

    /// A term with the part's own indices.
    pub fn to_term(self) -> Term {
        Term { node: self.node.clone(), env: self.env.clone() }
    }

    /// What is known about the free variable with this index.
    pub fn free_at(self, index: u32) -> Option<FreeVariable<'a>> {
        self.env.iter().position(|i| *i == index).map(|p| self.node.variable(p))
    }

    /// How often the variable with this index occurs.
    pub fn occurrences(self, index: u32) -> u32 {
        self.free_at(index).map_or(0, |f| f.count)
    }

    /// A part in the scope of a term around it, the root, moved under `under` binders: `between` are the terms between
    /// them, the nearest first, with the binders that stand around it in each, and `binders` those in the root; what
    /// these bind becomes what `to` says at the index that it has in the part. Two variables must never come to one place.
    pub fn raised<'b>(
        self,
        between: impl ExactSizeIterator<Item = (TermRef<'b>, u32)>,
        (root, binders): (&'b Term, u32),
        under: u32,
        to: &[u32],
    ) -> Term {
        if between.len() == 0 && binders + under == 0 {
            return Term { node: self.node.clone(), env: self.env.within(&root.env, 0) };
        }
        let mut indices: SmallVec<[u32; INLINE_INDICES]> = self.env.iter().copied().collect();
        let mut passed = 0;
        for (term, binders) in between.chain([(root.as_part(), binders)]) {
            let places = term.places();
            for index in indices.iter_mut().filter(|index| **index < INNER_BIT) {
                *index = match index.checked_sub(binders) {
                    Some(outer) => places[outer as usize],
                    None => INNER_BIT + *index + passed,
                };
            }
            passed += binders;
        }
        let mut done = indices.into_iter();
        let last = |index| if index < INNER_BIT { index + under } else { to[(index - INNER_BIT) as usize] };
        let env = self.env.map(|index| done.next().map_or(index, last));
        Term { node: self.node.clone(), env }
    }

    /// The same where nothing is between them, if both mention few variables.
    #[inline(always)]
    pub fn raised_few(self, (root, binders): (&Term, u32), under: u32, to: &[u32]) -> Option<Term> {
        let (Embedding::Few { len, at }, Embedding::Few { at: outer, .. }) = (self.env, &root.env) else {
            return None;
        };
        let mut new = [0; INLINE_INDICES];
        for j in 0..*len as usize {
            new[j] = match at[j].checked_sub(binders) {
                Some(p) => outer[p as usize] + under,
                None => to[at[j] as usize],
            };
        }
        Some(Term { node: self.node.clone(), env: Embedding::Few { len: *len, at: new } })
    }

    /// Whether both are equal but for where their free variables stand.
    pub fn equals_in_form(self, other: TermRef) -> bool {
        self.node.equals(other.node)
    }
}

/// Marks indices of what is bound on the way, counted from the part.
const INNER_BIT: u32 = 1 << 31;
