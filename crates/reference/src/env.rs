//! Binds a strategy's variables while it runs: they stand for closures, so that no name can be captured.

use std::rc::Rc;

use redexter_rewriting::strategy::{Form, Strategy};

/// The bindings, innermost first.
#[derive(Clone, Default)]
pub(crate) struct Env(Option<Rc<Link>>);

struct Link {
    strategy: Strategy,
    /// The environment of the strategy's own variables; `None` for a fixed point, which sees itself.
    its: Option<Env>,
    next: Env,
}

impl Env {
    /// Inside `mu(|x| body)`.
    pub(crate) fn fixed(&self, body: &Strategy) -> Env {
        Env(Some(Rc::new(Link { strategy: body.clone(), its: None, next: self.clone() })))
    }

    /// One more binding: a strategy that was written where `outer` holds.
    pub(crate) fn bind(&self, strategy: &Strategy, outer: &Env) -> Env {
        let (strategy, its) = match strategy.form() {
            Form::Var(i) => outer.find(*i).unwrap_or_else(|| (Strategy::fail(), Env::default())),
            _ => (strategy.clone(), outer.clone()),
        };
        Env(Some(Rc::new(Link { strategy, its: Some(its), next: self.clone() })))
    }

    /// The strategy that variable `index` stands for, and the environment of its own variables.
    pub(crate) fn find(&self, index: u32) -> Option<(Strategy, Env)> {
        let mut here = self;
        for _ in 0..index {
            here = &here.0.as_ref()?.next;
        }
        let link = here.0.as_ref()?;
        Some((link.strategy.clone(), link.its.clone().unwrap_or_else(|| here.clone())))
    }
}
