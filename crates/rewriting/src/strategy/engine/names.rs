//! Keeps the named strategies around what runs, as the steps of a trace have them, and what the steps by one rule have in common:
//! made once, and again where other names stand around.

use std::cell::RefCell;
use std::rc::Rc;

use crate::rule::Rule;

use super::super::data::{NamedUse, Strategy, StrategyDefinition, StrategyForm};
use super::super::trace::{StepCause, StepPathTrie};

/// A use of a definition, as traces name it.
#[derive(Clone)]
pub(super) struct Unfolding {
    pub(super) definition: Rc<StrategyDefinition>,
    pub(super) name: Rc<str>,
}

impl Unfolding {
    pub(super) fn new(named: &NamedUse) -> Unfolding {
        let name = Strategy::new(StrategyForm::Named(named.clone())).to_string().into();
        Unfolding { definition: named.definition.clone(), name }
    }
}

/// Names, outermost first, as a step keeps them.
pub(super) type NameList = Rc<[Rc<str>]>;

/// The names around what runs. A definition that uses itself directly is named once.
#[derive(Clone)]
pub(super) struct EnclosingNames {
    names: NameList,
    innermost: Option<Rc<StrategyDefinition>>,
}

impl EnclosingNames {
    pub(super) fn none() -> EnclosingNames {
        EnclosingNames { names: Rc::from([]), innermost: None }
    }

    pub(super) fn list(&self) -> &NameList {
        &self.names
    }

    /// The names inside uses of definitions within each other, outermost first.
    pub(super) fn inside_all(&self, unfoldings: &[Unfolding]) -> EnclosingNames {
        unfoldings.iter().fold(self.clone(), |names, scope| names.inside(scope))
    }

    /// The names inside a use of a definition.
    pub(super) fn inside(&self, unfolding: &Unfolding) -> EnclosingNames {
        match &self.innermost {
            // Named once, otherwise the names around a recursion would grow with its depth.
            Some(own) if Rc::ptr_eq(own, &unfolding.definition) => self.clone(),
            _ => EnclosingNames {
                names: self.names.iter().cloned().chain([unfolding.name.clone()]).collect(),
                innermost: Some(unfolding.definition.clone()),
            },
        }
    }
}

/// What the steps by one rule of a choice have in common.
pub(super) struct RuleCauses {
    rule: Rule,
    /// The definitions that stand for the choices which it is in, outermost first.
    pub(super) unfoldings: Rc<[Unfolding]>,
    /// The cause of the last step by it, and the names around the choice then.
    last: RefCell<Option<(NameList, Rc<StepCause>)>>,
}

impl RuleCauses {
    pub(super) fn new(rule: &Rule, unfoldings: Rc<[Unfolding]>) -> RuleCauses {
        RuleCauses { rule: rule.clone(), unfoldings, last: RefCell::default() }
    }

    /// The cause of a step within these names, whose way is one of these.
    #[inline]
    pub(super) fn cause(&self, names: &EnclosingNames, trie: &StepPathTrie) -> Rc<StepCause> {
        match &*self.last.borrow() {
            // Compared by address, since equal names in another list would only cost another cause.
            Some((around, cause)) if Rc::ptr_eq(around, names.list()) => return cause.clone(),
            _ => {}
        }
        self.renew(names, trie)
    }

    #[cold]
    fn renew(&self, names: &EnclosingNames, trie: &StepPathTrie) -> Rc<StepCause> {
        let within = names.inside_all(&self.unfoldings).list().clone();
        let cause = Rc::new(StepCause { rule: self.rule.clone(), within, trie: trie.clone() });
        self.last.replace(Some((names.list().clone(), cause.clone())));
        cause
    }
}
