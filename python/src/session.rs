//! Holds sessions and their rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::failure::Failure;
use crate::given::{Text, Whole};
use crate::model::{Model, load};
use crate::strategy::Strategy;
use crate::worker::{Allowed, Worker};
use redexter::ground::{Diagnostic, code};
use redexter::reply;
use redexter::rule::RuleInfo;
use redexter::session;

/// Answers are laid out to this width.
const WIDTH: usize = 88;

/// A rule of the session: its laws, and what is known of them.
#[pyclass(frozen, get_all, module = "redexter")]
pub struct Rule {
    /// Its name, by which strategies say it.
    name: String,
    /// Its laws as they are written.
    laws: Vec<String>,
    /// Its conditions as they are written.
    conditions: Vec<String>,
    /// In which sense its laws are equalities.
    exactness: String,
    /// When it helps, and what blocks it.
    doc: String,
}

impl From<&RuleInfo> for Rule {
    fn from(info: &RuleInfo) -> Rule {
        Rule {
            name: info.name.to_string(),
            laws: info.laws.clone(),
            conditions: info.conditions.clone(),
            exactness: info.exactness.to_string(),
            doc: info.doc.clone(),
        }
    }
}

#[pymethods]
impl Rule {
    fn __str__(&self) -> &str {
        &self.name
    }

    fn __repr__(&self) -> String {
        format!("<redexter.Rule {}: {}>", self.name, self.laws.join("; "))
    }
}

/// A session: what was loaded, the rules and strategies that were defined, and the limits of each piece of work.
///
/// It works on a thread of its own, so that calls from several threads wait for each other; sessions don't wait for other
/// sessions. What one of them gave isn't known to the others.
///
/// `max_steps`, `max_size` (nodes of a term) and `max_depth` limit runs of strategies; `timeout`, in seconds, and `max_memory`,
/// in MB, any piece of work; scripts may use the folders in `allow` besides the current one.
#[pyclass(frozen, module = "redexter")]
pub struct Session {
    worker: Arc<Worker>,
}

/// A limit on time; the longest for an infinite one.
fn seconds(given: f64) -> PyResult<Duration> {
    if given == f64::INFINITY {
        return Ok(Duration::MAX);
    }
    Duration::try_from_secs_f64(given)
        .map_err(|_| PyValueError::new_err(format!("`timeout` must be a number of seconds from 0 on, but is {given}")))
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (*, max_steps = None, max_size = None, max_depth = None, timeout = None, max_memory = None, allow = vec![]))]
    fn new(
        max_steps: Option<Whole>,
        max_size: Option<Whole>,
        max_depth: Option<Whole>,
        timeout: Option<f64>,
        max_memory: Option<Whole>,
        allow: Vec<PathBuf>,
    ) -> PyResult<Session> {
        let allowed = Allowed {
            max_steps: max_steps.map(|n| n.0),
            max_size: max_size.map(|n| n.0),
            max_depth: max_depth.map(|n| u32::try_from(n.0).unwrap_or(u32::MAX)),
            timeout: timeout.map(seconds).transpose()?.filter(|limit| *limit < Duration::MAX),
            max_memory: max_memory.map(|megabytes| megabytes.0.saturating_mul(1 << 20)),
            folders: allow,
        };
        Ok(Session { worker: Worker::start(allowed) })
    }

    /// Reads a model: from a file, or from a text that has a definition in it.
    ///
    /// Raises `RedexterError` for what is wrong in it, with code, place and remedy.
    fn load(&self, py: Python<'_>, path_or_text: &Bound<'_, PyAny>) -> PyResult<Model> {
        load(&self.worker, py, path_or_text)
    }

    /// Reads a strategy.
    ///
    /// Raises `RedexterError` for names that aren't known, and for what never ends.
    fn strategy(&self, py: Python<'_>, text: Text) -> PyResult<Strategy> {
        let Text(text) = text;
        let own = text.clone();
        let token = self.worker.ask(py, move |bench| {
            let strategy = bench.doing(&own, |session| {
                let strategy = session.strategy(&own)?;
                redexter::strategy::check_ends(&strategy)?;
                Ok(strategy)
            })?;
            Ok(bench.keep((own, strategy)))
        })?;
        Ok(Strategy::new(self.worker.kept(token), text))
    }

    /// Defines a rule, written as in a script: ``rule double = `x + x --> 2 * x` ``, perhaps with `where` conditions. It is
    /// tested on grown programs before it stands. A function of Python's as a condition is refused.
    ///
    /// Raises `RedexterError` where it can't be read, isn't typed, or a counterexample was found.
    #[pyo3(signature = (text, r#where = None))]
    fn rule(&self, py: Python<'_>, text: &Bound<'_, PyAny>, r#where: Option<&Bound<'_, PyAny>>) -> PyResult<Rule> {
        if r#where.is_some() || text.is_callable() {
            return Err(no_function().raised(py, None));
        }
        let Ok(text) = text.cast::<PyString>() else {
            let found = text.get_type().name()?;
            return Err(PyTypeError::new_err(format!("`text` must be a rule as text, but is of the type {found}")));
        };
        let text = text.to_cow()?.trim().to_owned();
        let name = text
            .strip_prefix("rule")
            .map(str::trim_start)
            .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>());
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            let wrong = Diagnostic::error(code::COMMAND, format!("`{text}` defines no rule"));
            let wrong = wrong.help("write a name and a law: rule double = `x + x --> 2 * x`");
            return Err(Failure::said("RedexterError", &wrong).raised(py, None));
        };
        self.worker.ask(py, move |bench| {
            session::submit(&mut bench.session, &text).map_err(|trouble| bench.failed(trouble))?;
            let known = bench.session.known_rules();
            let own = known.iter().find(|info| info.name.as_str() == name).map(|info| Rule::from(&**info));
            own.ok_or_else(|| bench.failed(Diagnostic::error(code::COMMAND, format!("there is no rule `{name}`"))))
        })
    }

    /// The rules that there are, by name: the book's, and those that were defined.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = self.worker.ask(py, |bench| {
            Ok(bench.session.known_rules().iter().map(|info| Rule::from(&**info)).collect::<Vec<_>>())
        })?;
        let named = PyDict::new(py);
        all.into_iter().try_for_each(|rule| named.set_item(rule.name.clone(), Py::new(py, rule)?))?;
        Ok(named)
    }

    /// Runs scripts for the rules and strategies that they define.
    #[pyo3(signature = (*paths))]
    fn r#use(&self, py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<()> {
        self.worker.ask(py, move |bench| bench.doing("the scripts", |session| session::use_scripts(session, &paths)))
    }

    /// Runs a script's text, as a cell `%%strat` does: what it defines is known from then on, what it prints is printed.
    #[pyo3(signature = (text, name = Text("<script>".to_owned())), text_signature = "($self, text, name='<script>')")]
    fn run(&self, py: Python<'_>, text: Text, name: Text) -> PyResult<()> {
        let Text(text) = text;
        let name = PathBuf::from(name.0);
        self.worker.ask(py, move |bench| {
            bench.doing("the script", |session| session::run_text(session, Path::new(&name), &text, &[]))
        })
    }

    /// Sets limits from now on: `max_steps`, `max_size`, `timeout` in seconds, of which infinity takes it away, `max_memory` in
    /// MB. Says all that hold then.
    #[pyo3(signature = (*, max_steps = None, max_size = None, timeout = None, max_memory = None))]
    fn limits(
        &self,
        py: Python<'_>,
        max_steps: Option<Whole>,
        max_size: Option<Whole>,
        timeout: Option<f64>,
        max_memory: Option<Whole>,
    ) -> PyResult<String> {
        timeout.map(seconds).transpose()?;
        let mut lines = BTreeMap::new();
        lines.insert("max-steps", max_steps.map(|n| n.0.to_string()));
        lines.insert("max-size", max_size.map(|n| n.0.to_string()));
        let none = |n: f64| if n == f64::INFINITY { "none".to_owned() } else { n.to_string() };
        lines.insert("timeout", timeout.map(none));
        lines.insert("max-memory", max_memory.map(|n| n.0.to_string()));
        self.worker.ask(py, move |bench| {
            for (name, value) in lines {
                if let Some(value) = value {
                    let line = format!(":set {name} {value}");
                    session::submit(&mut bench.session, &line).map_err(|trouble| bench.failed(trouble))?;
                }
            }
            let told = session::submit(&mut bench.session, ":set").map_err(|trouble| bench.failed(trouble))?;
            Ok(reply::answer(&told, WIDTH).into_text().trim_end().to_owned())
        })
    }

    fn __repr__(&self) -> &str {
        "<redexter.Session>"
    }
}

/// Why a condition of a rule is no function of Python's.
fn no_function() -> Failure {
    let wrong = Diagnostic::error(code::COMMAND, "a function of Python's can't be the condition of a rule");
    Failure::said(
        "RedexterError",
        &wrong
            .help(
                "a condition is asked again and again, its answers are kept as long as what it looks at stays, and it is tested, \
                 saved and exported with the rule: of a function nobody knows what it looks at",
            )
            .help("write it in the rule, as in: rule r = `x + y --> y + x` where constant(x)"),
    )
}
