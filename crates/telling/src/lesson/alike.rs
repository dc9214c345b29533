//! Compares two schedules as their writers see them: however they are laid out, bracketed and named.

use std::rc::Rc;

use redexter_rewriting::strategy::{NamedUse, Strategy, StrategyArgument, StrategyForm};

/// So many parts are compared, and so many definitions unfolded; what is larger counts as different.
const MAX_COMPARED: usize = 1_000;

/// Whether two schedules are the same up to brackets of sequences and choices, and names of what is equal.
pub(super) fn is_alike(a: &Strategy, b: &Strategy) -> bool {
    Comparison { left: MAX_COMPARED }.same(a, b)
}

/// A comparison with what is left of its allowance.
struct Comparison {
    left: usize,
}

impl Comparison {
    fn same(&mut self, a: &Strategy, b: &Strategy) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        if a == b {
            return true;
        }
        match (a.form(), b.form()) {
            (StrategyForm::Named(m), StrategyForm::Named(n)) if Rc::ptr_eq(&m.definition, &n.definition) => {
                texts(m) == texts(n) && self.all_same(m.strategies(), n.strategies())
            }
            // A definition is what it stands for.
            (StrategyForm::Named(_), _) => a.definition().is_some_and(|a| self.same(&a, b)),
            (_, StrategyForm::Named(_)) => b.definition().is_some_and(|b| self.same(a, &b)),
            _ => has_same_head(a, b) && self.all_same(self.flat(a).iter(), self.flat(b).iter()),
        }
    }

    fn all_same<'a>(&mut self, a: impl Iterator<Item = &'a Strategy>, b: impl Iterator<Item = &'a Strategy>) -> bool {
        let (a, b): (Vec<&Strategy>, Vec<&Strategy>) = (a.collect(), b.collect());
        a.len() == b.len() && a.into_iter().zip(b).all(|(a, b)| self.same(a, b))
    }

    /// The parts of a strategy: of a sequence or a choice all that it consists of, whatever brackets or names stand around some.
    fn flat(&self, whole: &Strategy) -> Vec<Strategy> {
        let (mut found, mut unfolded) = (Vec::new(), 0);
        let mut waiting: Vec<Strategy> = whole.form().parts().into_iter().rev().cloned().collect();
        let is_list = matches!(whole.form(), StrategyForm::Seq(..) | StrategyForm::Choice(..));
        while let Some(next) = waiting.pop().filter(|_| found.len() <= self.left) {
            let named = matches!(next.form(), StrategyForm::Named(_)) && is_list && unfolded < self.left;
            let meant = if named { next.definition() } else { None }.unwrap_or_else(|| next.clone());
            unfolded += usize::from(named);
            match is_list && has_same_head(whole, &meant) {
                true => waiting.extend(meant.form().parts().into_iter().rev().cloned()),
                false => found.push(next),
            }
        }
        found
    }
}

/// The arguments that are no strategies.
fn texts(named: &NamedUse) -> Vec<&str> {
    named
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            StrategyArgument::Text(text) => Some(text.as_str()),
            StrategyArgument::Strategy(_) => None,
        })
        .collect()
}

/// Whether two strategies are made in the same way of their parts.
fn has_same_head(a: &Strategy, b: &Strategy) -> bool {
    match (a.form(), b.form()) {
        (StrategyForm::Seq(..), StrategyForm::Seq(..))
        | (StrategyForm::Choice(..), StrategyForm::Choice(..))
        | (StrategyForm::Cheapest(..), StrategyForm::Cheapest(..))
        | (StrategyForm::Mu(..), StrategyForm::Mu(..)) => true,
        (StrategyForm::Unary(u, _), StrategyForm::Unary(v, _)) => u == v,
        (StrategyForm::Child(p, _), StrategyForm::Child(q, _)) => p == q,
        (StrategyForm::At(p, _), StrategyForm::At(q, _)) => p == q,
        (StrategyForm::AtMatch(p, _), StrategyForm::AtMatch(q, _)) => p == q,
        (StrategyForm::RepeatN(n, _), StrategyForm::RepeatN(m, _)) => n == m,
        (StrategyForm::RepeatUntil(p, _), StrategyForm::RepeatUntil(q, _)) => p == q,
        _ => false,
    }
}
