//! Says what running a term costs, as formulas in its sizes, and what these come to.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::given::Whole;
use crate::worker::Kept;
use redexter::cost::{self, Poly};
use redexter::eval::{no_size, open_sizes};
use redexter::ground::{Diagnostic, Name, Trouble, code};
use redexter::render;
use redexter::term::Term;

/// The work of running a term once: flops, compares, reads and writes together, as a formula in its sizes.
///
/// `str(work)` is the formula, and so is `repr(work)`; `work.order` what grows fastest in it, such as `n²`; `work(n=100)` what it
/// comes to.
#[pyclass(frozen, module = "redexter", eq)]
pub struct Work {
    term: Kept<Term>,
    total: String,
    order: String,
}

impl PartialEq for Work {
    fn eq(&self, other: &Work) -> bool {
        self.total == other.total
    }
}

/// A formula, and what grows fastest in it, in words.
pub fn words(poly: &Poly) -> (String, String) {
    let order = if poly.is_unknown() { render::polynomial(poly) } else { render::polynomial(&poly.order()) };
    (render::polynomial(poly), order)
}

impl Work {
    /// That of a term.
    pub fn new(term: Kept<Term>, (total, order): (String, String)) -> Work {
        Work { term, total, order }
    }

    /// The formula.
    pub fn total(&self) -> &str {
        &self.total
    }
}

#[pymethods]
impl Work {
    /// What grows fastest in it, without constant factors: `n²`.
    #[getter]
    fn order(&self) -> &str {
        &self.order
    }

    /// What it comes to at these sizes, all that the term has, by kind: `flops`, `compares`, `reads`, `writes`, `iterations`.
    ///
    /// Raises `InputError` for a size that the term doesn't have, and for one that is missing.
    #[pyo3(signature = (**sizes))]
    fn __call__<'py>(&self, py: Python<'py>, sizes: Option<BTreeMap<String, Whole>>) -> PyResult<Bound<'py, PyDict>> {
        let sizes = sizes.unwrap_or_default().into_iter().map(|(name, n)| (name, n.0));
        let (token, sizes) = (self.term.token(), sizes.collect());
        let counts = self.term.worker().ask(py, move |bench| {
            let term = bench.get(token)?;
            counts(&term, &sizes).map_err(|wrong| bench.failed(wrong))
        })?;
        let all = PyDict::new(py);
        for (name, count) in ["flops", "compares", "reads", "writes", "iterations"].into_iter().zip(counts) {
            all.set_item(name, count)?;
        }
        Ok(all)
    }

    fn __str__(&self) -> &str {
        self.total()
    }

    fn __repr__(&self) -> &str {
        self.total()
    }
}

fn counts(term: &Term, sizes: &BTreeMap<String, u64>) -> Result<Vec<Option<u128>>, Trouble> {
    let open: Vec<Name> = open_sizes(term).into_iter().collect();
    let names: Vec<&str> = open.iter().map(Name::as_str).collect();
    if let Some(other) = sizes.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(no_size(&Name::new(other), &names).into());
    }
    if let Some(missing) = names.iter().find(|name| !sizes.contains_key(**name)) {
        let wrong = Diagnostic::error(code::INPUT_MISSING, format!("nothing says how large `{missing}` is"));
        return Err(wrong.help(format!("add `{missing}=10`, for example")).into());
    }
    let value = |name: &Name| sizes.get(name.as_str()).copied().unwrap_or(0);
    let work = cost::work(term);
    Ok(work.kinds().into_iter().map(|poly| (!poly.is_unknown()).then(|| poly.at(value))).collect())
}
