//! Compares strategies: equal ones have the same combinators on the same rules, whatever their bound names and the objects of
//! their definitions are.

use std::fmt;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::data::{NamedUse, Strategy, StrategyArgument, StrategyDefinition, StrategyForm, StrategyNode};

impl PartialEq for Strategy {
    fn eq(&self, other: &Strategy) -> bool {
        StrategyEquality::default().equal(self, other)
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What was compared, or is being compared, counts as equal: the first difference ends everything. So recursive definitions
/// can be compared, and parts that are shared are compared once.
#[derive(Default)]
struct StrategyEquality {
    definitions: FxHashSet<(*const StrategyDefinition, *const StrategyDefinition)>,
    parts: FxHashSet<(*const StrategyNode, *const StrategyNode)>,
}

impl StrategyEquality {
    fn equal(&mut self, a: &Strategy, b: &Strategy) -> bool {
        let (left, right) = (a.form().parts(), b.form().parts());
        if a.same(b) || !left.is_empty() && !self.parts.insert((Rc::as_ptr(&a.0), Rc::as_ptr(&b.0))) {
            return true;
        }
        let head = match (a.form(), b.form()) {
            (StrategyForm::Id, StrategyForm::Id)
            | (StrategyForm::Fail, StrategyForm::Fail)
            | (StrategyForm::Mu(..), StrategyForm::Mu(..)) => true,
            (StrategyForm::Seq(..), StrategyForm::Seq(..))
            | (StrategyForm::Choice(..), StrategyForm::Choice(..))
            | (StrategyForm::Cheapest(..), StrategyForm::Cheapest(..)) => true,
            (StrategyForm::Rule(r), StrategyForm::Rule(s)) => r == s,
            (StrategyForm::Match(p), StrategyForm::Match(q))
            | (StrategyForm::AtMatch(p, _), StrategyForm::AtMatch(q, _)) => p == q,
            (StrategyForm::Var(i), StrategyForm::Var(j)) => i == j,
            (StrategyForm::Free(i), StrategyForm::Free(j)) => i == j,
            (StrategyForm::Unary(u, _), StrategyForm::Unary(v, _)) => u == v,
            (StrategyForm::Child(p, _), StrategyForm::Child(q, _)) => p == q,
            (StrategyForm::At(p, _), StrategyForm::At(q, _)) => p == q,
            (StrategyForm::RepeatN(n, _), StrategyForm::RepeatN(m, _)) => n == m,
            (StrategyForm::RepeatUntil(p, _), StrategyForm::RepeatUntil(q, _)) => p == q,
            (StrategyForm::Named(m), StrategyForm::Named(n)) => self.same_use(m, n),
            _ => false,
        };
        head && left.len() == right.len() && left.iter().zip(right).all(|(a, b)| self.equal(a, b))
    }

    fn same_use(&mut self, a: &NamedUse, b: &NamedUse) -> bool {
        let texts = |n: &NamedUse| -> Vec<Option<String>> {
            let text = |a: &StrategyArgument| match a {
                StrategyArgument::Text(text) => Some(text.clone()),
                StrategyArgument::Strategy(_) => None,
            };
            n.arguments.iter().map(text).collect()
        };
        // Arguments that are strategies are parts, so that `equal` compares them.
        if Rc::ptr_eq(&a.definition, &b.definition) {
            return texts(a) == texts(b);
        }
        let pair = (Rc::as_ptr(&a.definition), Rc::as_ptr(&b.definition));
        let bodies = !self.definitions.insert(pair)
            || match (a.definition.body(), b.definition.body()) {
                (Some(x), Some(y)) => self.equal(x, y),
                _ => false,
            };
        bodies && a.definition.name == b.definition.name && texts(a) == texts(b)
    }
}
