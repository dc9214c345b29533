//! The named strategies around what runs, as the steps of a trace have them.

use std::rc::Rc;

use super::super::scope::Definition;
use super::code::Scope;

/// Names, outermost first, as a step keeps them.
pub(super) type List = Rc<[Rc<str>]>;

/// The names around what runs. A definition that uses itself directly is named once.
#[derive(Clone)]
pub(super) struct Names {
    names: List,
    innermost: Option<Rc<Definition>>,
}

impl Names {
    pub(super) fn none() -> Names {
        Names { names: Rc::from([]), innermost: None }
    }

    /// The names as a step keeps them.
    pub(super) fn list(&self) -> &List {
        &self.names
    }

    /// The names inside uses of definitions within each other, outermost first.
    pub(super) fn inside_all(&self, scopes: &[Scope]) -> Names {
        scopes.iter().fold(self.clone(), |names, scope| names.inside(scope))
    }

    /// The names inside a use of a definition.
    pub(super) fn inside(&self, scope: &Scope) -> Names {
        match &self.innermost {
            Some(own) if Rc::ptr_eq(own, &scope.definition) => self.clone(),
            _ => Names {
                names: self.names.iter().cloned().chain([scope.name.clone()]).collect(),
                innermost: Some(scope.definition.clone()),
            },
        }
    }
}
