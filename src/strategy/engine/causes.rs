//! What the steps by one rule have in common: made once, and again where other names stand around.

use std::cell::RefCell;
use std::rc::Rc;

use crate::rule::Rule;

use super::super::trace::Cause;
use super::super::trail::Trails;
use super::code::Scope;
use super::names::{List, Names};

/// Of one rule of a choice.
pub(super) struct Causes {
    rule: Rule,
    /// The definitions that stand for the choices which it is in, outermost first.
    pub(super) scopes: Rc<[Scope]>,
    /// The cause of the last step by it, and the names around the choice then.
    last: RefCell<Option<(List, Rc<Cause>)>>,
}

impl Causes {
    pub(super) fn new(rule: &Rule, scopes: Rc<[Scope]>) -> Causes {
        Causes { rule: rule.clone(), scopes, last: RefCell::default() }
    }

    /// The cause of a step within these names, whose way is one of these.
    #[inline]
    pub(super) fn cause(&self, names: &Names, trails: &Trails) -> Rc<Cause> {
        match &*self.last.borrow() {
            Some((around, cause)) if Rc::ptr_eq(around, names.list()) => return cause.clone(),
            _ => {}
        }
        self.renew(names, trails)
    }

    #[cold]
    fn renew(&self, names: &Names, trails: &Trails) -> Rc<Cause> {
        let within = names.inside_all(&self.scopes).list().clone();
        let cause = Rc::new(Cause { rule: self.rule.clone(), within, trails: trails.clone() });
        self.last.replace(Some((names.list().clone(), cause.clone())));
        cause
    }
}
