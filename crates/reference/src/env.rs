//! Binds a strategy's variables while it runs: they stand for closures, so that no name can be captured.

use std::rc::Rc;

use redexter_rewriting::strategy::{Strategy, StrategyForm};

/// The bindings, innermost first.
#[derive(Clone, Default)]
pub(crate) struct StrategyEnv(Option<Rc<StrategyBinding>>);

struct StrategyBinding {
    strategy: Strategy,
    /// The environment of the strategy's own variables; `None` for a fixed point, which sees itself.
    its: Option<StrategyEnv>,
    next: StrategyEnv,
}

impl StrategyEnv {
    /// Inside `mu(|x| body)`.
    pub(crate) fn fixed(&self, body: &Strategy) -> StrategyEnv {
        StrategyEnv(Some(Rc::new(StrategyBinding { strategy: body.clone(), its: None, next: self.clone() })))
    }

    /// One more binding: a strategy that was written where `outer` holds.
    pub(crate) fn bind(&self, strategy: &Strategy, outer: &StrategyEnv) -> StrategyEnv {
        let (strategy, its) = match strategy.form() {
            StrategyForm::Var(i) => outer.find(*i).unwrap_or_else(|| (Strategy::fail(), StrategyEnv::default())),
            _ => (strategy.clone(), outer.clone()),
        };
        StrategyEnv(Some(Rc::new(StrategyBinding { strategy, its: Some(its), next: self.clone() })))
    }

    /// The strategy that variable `index` stands for, and the environment of its own variables.
    pub(crate) fn find(&self, index: u32) -> Option<(Strategy, StrategyEnv)> {
        let mut here = self;
        for _ in 0..index {
            here = &here.0.as_ref()?.next;
        }
        let link = here.0.as_ref()?;
        Some((link.strategy.clone(), link.its.clone().unwrap_or_else(|| here.clone())))
    }
}
