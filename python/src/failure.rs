//! Turns what went wrong into an exception of `redexter._errors`, with code, place, remedies and a rendered excerpt.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use redexter::ground::bug::{Bug, noted};
use redexter::ground::{Diagnostic, Severity, Sources, Span, StopReason, Trouble, code};
use redexter::questions;
use redexter::render;

/// The module that defines the exceptions.
const ERRORS: &str = "redexter._errors";

/// What an exception says of one finding. It names no terms and no sources, so that it may leave a session's thread.
#[derive(Clone, Debug)]
struct Finding {
    code: String,
    headline: String,
    /// Text, line, column, and what is to be said of that place; the primary one first.
    places: Vec<(String, usize, usize, String)>,
    help: Vec<String>,
}

/// The reason why something could not be done.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The exception's class.
    class: &'static str,
    findings: Vec<Finding>,
    /// All of it as the program prints it.
    text: String,
}

/// The words in which remedies name options of the command line or settings of the prompt, and those of Python. Excerpts of a
/// user's text stay as they are.
const WORDS: [(&str, &str); 15] = [
    (
        "raise the limit with --max-steps (in the REPL `:set max-steps N`)",
        "raise it with `limits(max_steps=N)` of the session",
    ),
    (
        "raise the limit with --max-size (in the REPL `:set max-size N`)",
        "raise it with `limits(max_size=N)` of the session",
    ),
    (
        "raise the limit with --max-depth (in the REPL `:set max-depth N`)",
        "raise it with `redexter.Session(max_depth=N)`",
    ),
    (
        "raise the limit with --timeout (in the REPL `:set timeout SECONDS`)",
        "raise it with `limits(timeout=SECONDS)` of the session",
    ),
    (
        "raise the limit with --max-memory (in the REPL `:set max-memory MB`)",
        "raise it with `limits(max_memory=MB)` of the session",
    ),
    ("`redexter apply` prints the term so far", "the exception's `derivation` has the steps so far"),
    ("leave `--native` out", "leave `.native()` out"),
    ("name those with `--by`", "name those: `by=[…]`"),
    ("to the inputs", "to the arguments"),
    ("add the key \"", "add the argument \""),
    ("under the key \"", "as the argument \""),
    ("with `--size ", "with `"),
    ("`--size ", "`"),
    ("--fast", "`fast=True`"),
    (" of the inputs", ""),
];

/// A headline or a remedy in the words of Python; a question of the prompt is one that is asked of a term or a derivation.
fn in_python(text: &str) -> String {
    let text = WORDS.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    let piece = |(k, piece): (usize, &str)| match piece.strip_prefix(':').filter(|_| k % 2 == 1) {
        Some("rules") => "redexter.rules()".to_owned(),
        Some(line) if line.split(' ').next().is_some_and(|name| questions::named(name).is_some()) => {
            format!(".ask({line:?})")
        }
        _ => piece.to_owned(),
    };
    text.split('`').enumerate().map(piece).collect::<Vec<String>>().join("`")
}

impl Failure {
    /// Trouble in a session, whose texts these are.
    pub fn of(trouble: Trouble, sources: &Sources) -> Failure {
        let trouble = match trouble {
            Trouble::Wrong(all) => {
                let spelled = |wrong: Diagnostic| Diagnostic {
                    headline: in_python(&wrong.headline),
                    help: wrong.help.iter().map(|help| in_python(help)).collect(),
                    ..wrong
                };
                Trouble::Wrong(all.into_iter().map(spelled).collect())
            }
            Trouble::Stopped { reason, help } => {
                Trouble::Stopped { reason, help: help.iter().map(|help| in_python(help)).collect() }
            }
        };
        let text = render::trouble(&trouble, sources).text().trim_end().to_owned();
        match trouble {
            Trouble::Wrong(all) => Failure {
                class: all.first().map_or("RedexterError", class),
                findings: all.iter().map(|wrong| Finding::of(wrong, sources)).collect(),
                text,
            },
            Trouble::Stopped { reason, help } => {
                let finding =
                    Finding { code: String::new(), headline: in_python(&reason.to_string()), places: Vec::new(), help };
                let class = match reason {
                    StopReason::Interrupted => "KeyboardInterrupt",
                    _ => "LimitReached",
                };
                Failure { class, findings: vec![finding], text: in_python(&text) }
            }
        }
    }

    /// A finding without places that the interface itself has.
    pub fn said(class: &'static str, wrong: &Diagnostic) -> Failure {
        let none = Sources::default();
        let own = Failure::of(wrong.clone().into(), &none);
        Failure { class, ..own }
    }

    /// A bug that was met while doing something.
    pub fn bug(bug: &Bug, doing: &str) -> Failure {
        Failure::of(bug.told(doing).into(), &Sources::default())
    }

    /// The exception, perhaps with the derivation so far.
    pub fn raised(self, py: Python<'_>, derivation: Option<Py<PyAny>>) -> PyErr {
        if self.class == "KeyboardInterrupt" {
            return PyKeyboardInterrupt::new_err(());
        }
        self.exception(py, derivation).unwrap_or_else(|wrong| wrong)
    }

    fn exception(&self, py: Python<'_>, derivation: Option<Py<PyAny>>) -> PyResult<PyErr> {
        let class = py.import(ERRORS)?.getattr(self.class)?;
        let findings: Vec<Bound<PyAny>> =
            self.findings.iter().map(|finding| finding.told(py)).collect::<PyResult<_>>()?;
        let named = PyDict::new(py);
        named.set_item("findings", PyTuple::new(py, findings)?)?;
        if let Some(derivation) = derivation {
            named.set_item("derivation", derivation)?;
        }
        Ok(PyErr::from_value(class.call((&self.text,), Some(&named))?))
    }
}

/// The class of exceptions for a finding: that of Python's own that a user would expect, where there is one.
fn class(wrong: &Diagnostic) -> &'static str {
    match wrong.code {
        code::INPUT_SHAPE
        | code::INPUT_SIZES
        | code::INPUT_MISSING
        | code::INPUT_SUPERFLUOUS
        | code::BAD_JSON
        | code::NOT_DATA => "InputError",
        code::NO_SUCH_DEFINITION => "NoSuchDefinition",
        code::STRATEGY_FAILED => "StrategyFailed",
        _ => "RedexterError",
    }
}

impl Finding {
    fn of(wrong: &Diagnostic, sources: &Sources) -> Finding {
        let mut labels: Vec<_> = wrong.labels.iter().collect();
        labels.sort_by_key(|label| !label.primary);
        let place = |span: Span| {
            let (line, column) = sources.position(span);
            (sources.get(span.source).name.clone(), line, column)
        };
        let places = labels.into_iter().map(|label| {
            let (text, line, column) = place(label.span);
            (text, line, column, label.message.clone())
        });
        Finding {
            code: wrong.code.to_string(),
            headline: wrong.headline.clone(),
            places: places.collect(),
            help: wrong.help.clone(),
        }
    }

    fn told<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let errors = py.import(ERRORS)?;
        let place = errors.getattr("Place")?;
        let places: Vec<Bound<PyAny>> =
            self.places.iter().map(|all| place.call1(all.clone())).collect::<PyResult<_>>()?;
        let code = (!self.code.is_empty()).then_some(&self.code);
        errors.getattr("Finding")?.call1((
            code,
            &self.headline,
            PyTuple::new(py, places)?,
            PyTuple::new(py, &self.help)?,
        ))
    }
}

/// What a session says while it works, beside its answer.
#[derive(Clone, Debug)]
pub enum Said {
    /// A line that a script printed.
    Line(String),
    /// A finding that stops nothing.
    Warning(String),
}

impl Said {
    /// A finding that stops nothing.
    pub fn finding(finding: &Diagnostic, sources: &Sources) -> Said {
        let kind = if finding.severity == Severity::Error { "error" } else { "warning" };
        let told = in_python(render::diagnostics(std::slice::from_ref(finding), sources).text().trim_end());
        let prefix = format!("{kind}[{}]: ", finding.code);
        Said::Warning(told.strip_prefix(&prefix).map_or(told.clone(), str::to_owned))
    }

    /// Passes it on: lines to `print`, findings to `warnings.warn`, of which a filter may make exceptions.
    pub fn pass_on(self, py: Python<'_>) -> PyResult<()> {
        match self {
            Said::Line(line) => py.import("builtins")?.getattr("print")?.call1((line,)).map(drop),
            Said::Warning(text) => {
                let class = py.import(ERRORS)?.getattr("RedexterWarning")?;
                py.import("warnings")?.getattr("warn")?.call1((text, class, 2)).map(drop)
            }
        }
    }
}

/// A panic is told by who contains it; here nothing is printed of it.
pub fn report_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !noted(info) {
            usual(info);
        }
    }));
}
