//! What a term must hold for a rule to apply somewhere in it.

use crate::term::{Groups, Node};

/// All groups of one of these; nothing but what none of the others says.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs(Vec<Groups>);

impl Needs {
    /// These, too, would do.
    pub(super) fn add(&mut self, groups: Groups) {
        if !self.0.iter().any(|own| own.are_in(groups)) {
            self.0.retain(|own| !groups.are_in(*own));
            self.0.push(groups);
        }
    }

    /// What others need would do, too.
    pub(super) fn join(&mut self, others: &Needs) {
        others.0.iter().for_each(|groups| self.add(*groups));
    }

    /// Whether the node holds it.
    #[inline]
    pub(super) fn are_held_by(&self, node: &Node) -> bool {
        self.0.iter().any(|groups| node.holds(*groups))
    }
}
