//! Derivations that scripts walk.

use super::in_place;
use super::world::World;
use crate::ground::{Budget, Diagnostic, Trouble};
use crate::rule::Pattern;
use crate::walk::Owner;

impl Owner for World {
    fn budget(&self) -> Budget {
        self.host.budget()
    }

    fn warn(&self, finding: &Diagnostic) {
        self.host.warn(finding);
    }

    fn pattern(&self, text: &str) -> Result<Pattern, Trouble> {
        in_place::pattern(self, text)
    }
}
