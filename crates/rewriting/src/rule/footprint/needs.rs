//! [`GroupNeeds`] says which constructors, by groups, a term must hold for a rule to apply somewhere in it.

use redexter_language::term::{ConstructorGroups, Node};

/// All groups of one of some sets.
#[derive(Clone, Debug, Default)]
pub(super) struct GroupNeeds {
    sets: Vec<ConstructorGroups>,
    /// One group of each set at least: most terms have none of these.
    roots: ConstructorGroups,
    /// For one of the sets there is none.
    nothing: bool,
}

impl GroupNeeds {
    /// These, too, would do: the redex's own, or none, and others in it.
    pub(super) fn add(&mut self, root: ConstructorGroups, others: ConstructorGroups) {
        self.roots = self.roots.and(root);
        // A root without a group, such as a variable's, can't be looked for, so that every term may hold a redex.
        self.nothing |= root == ConstructorGroups::default();
        self.keep(root.and(others));
    }

    /// What others need would do, too.
    pub(super) fn join(&mut self, others: &GroupNeeds) {
        self.roots = self.roots.and(others.roots);
        self.nothing |= others.nothing;
        others.sets.iter().for_each(|set| self.keep(*set));
    }

    fn keep(&mut self, set: ConstructorGroups) {
        if !self.sets.iter().any(|own| own.are_in(set)) {
            // A set that includes this one adds nothing, since whatever holds that holds this one, too.
            self.sets.retain(|own| !set.are_in(*own));
            self.sets.push(set);
        }
    }

    /// Whether the node holds it.
    #[inline]
    pub(super) fn are_held_by(&self, node: &Node) -> bool {
        node.holds_any(self.roots) && self.sets.iter().any(|set| node.holds(*set)) || self.nothing
    }
}
