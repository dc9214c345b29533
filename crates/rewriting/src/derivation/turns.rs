//! Finds the steps at which the order of the work changes (`OrderChange`), by bisection.

use std::ops::Range;
use std::rc::Rc;

use super::Derivation;
use redexter_language::cost::Poly;
use redexter_language::ground::{Budget, StopReason};

/// A step behind which the work has another order.
#[derive(Clone, Debug)]
pub struct OrderChange {
    /// Its number.
    pub number: usize,
    /// The rule, as users write it.
    pub rule: String,
    /// The work before it and after it.
    pub work: (Rc<Poly>, Rc<Poly>),
}

impl Derivation {
    /// The steps in a range, less one, that led from the order of the work before it to the one after it: steps between
    /// which it is the same at both ends are passed over, whatever it is in between. Each term that is measured counts
    /// as a step.
    pub fn turns(&self, span: &Range<usize>, budget: &Budget) -> Result<Vec<OrderChange>, StopReason> {
        let mut found = Vec::new();
        if !span.is_empty() {
            self.search(span, budget, &mut found)?;
        }
        Ok(found)
    }

    fn search(&self, span: &Range<usize>, budget: &Budget, found: &mut Vec<OrderChange>) -> Result<(), StopReason> {
        let work = self.works(span, budget)?;
        if work.0.highest() == work.1.highest() {
            return Ok(());
        }
        if span.len() == 1 {
            let rule = self.steps()[span.start].rule().to_string();
            found.push(OrderChange { number: span.start + 1, rule, work });
            return Ok(());
        }
        let middle = span.start + span.len() / 2;
        self.search(&(span.start..middle), budget, found)?;
        self.search(&(middle..span.end), budget, found)
    }
}
