//! Holds strategies, and reads what is given for one.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::failure::Failure;
use crate::html;
use crate::worker::{Bench, Kept, Token, Worker, same_session};
use redexter::render;
use redexter::strategy::Strategy as StrategyData;

/// A strategy, read and checked: which rules run, where, and in what order.
#[pyclass(frozen, module = "redexter")]
pub struct Strategy {
    kept: Kept<(String, StrategyData)>,
    text: String,
}

impl Strategy {
    /// One that a session's thread keeps.
    pub fn new(kept: Kept<(String, StrategyData)>, text: String) -> Strategy {
        Strategy { kept, text }
    }

    /// Its session's thread.
    pub fn worker(&self) -> &Arc<Worker> {
        self.kept.worker()
    }
}

#[pymethods]
impl Strategy {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<redexter.Strategy {}>", self.text)
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.text.clone();
        self.worker().ask(py, move |bench| {
            let rules: Vec<String> = bench.session.known_rules().iter().map(|info| info.name.to_string()).collect();
            let is_rule = |name: &str| rules.iter().any(|rule| rule == name);
            Ok(html::block(&render::input_line(&text, &is_rule)))
        })
    }
}

/// A strategy on its way to a session's thread.
pub enum SentStrategy {
    /// As text.
    Text(String),
    /// One that is kept there.
    Known(Token<(String, StrategyData)>),
}

impl SentStrategy {
    /// What was given for a strategy.
    pub fn of(given: &Bound<'_, PyAny>, worker: &Arc<Worker>) -> PyResult<SentStrategy> {
        if let Ok(strategy) = given.cast::<Strategy>() {
            same_session(strategy.get().worker(), worker, given.py())?;
            return Ok(SentStrategy::Known(strategy.get().kept.token()));
        }
        match given.cast::<PyString>() {
            Ok(text) => Ok(SentStrategy::Text(text.to_cow()?.into_owned())),
            Err(_) => {
                let found = given.get_type().name()?;
                Err(PyTypeError::new_err(format!(
                    "`strategy` must be a text or a redexter.Strategy, but is of the type {found}"
                )))
            }
        }
    }

    /// Its text, and what that means.
    pub fn read(self, bench: &mut Bench) -> Result<(String, StrategyData), Failure> {
        match self {
            SentStrategy::Known(token) => bench.get(token).map(|kept| (*kept).clone()),
            SentStrategy::Text(text) => {
                let strategy = bench.doing(&text, |session| session.strategy(&text))?;
                Ok((text, strategy))
            }
        }
    }
}
