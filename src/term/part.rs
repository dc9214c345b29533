//! Looking into a term without moving what is looked at: children as their node holds them.

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

    /// The same node with its free variables elsewhere, two of them never at one place.
    pub(crate) fn placed(&self, to: impl FnMut(u32) -> u32) -> Term {
        Term { node: self.node.clone(), env: self.env.map(to) }
    }

    /// Whether both are equal but for where their free variables stand.
    pub(crate) fn equals_in_form(&self, other: &Term) -> bool {
        let (a, b) = (&self.node, &other.node);
        std::rc::Rc::ptr_eq(a, b) || a.shape == b.shape && a.size == b.size && self.print() == other.print()
    }
}
