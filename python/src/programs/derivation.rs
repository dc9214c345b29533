//! Holds derivations: what a strategy made of a term, step by step, and pages that tell of them.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::term::{KeptTerm, Term, TermTexts};
use crate::answers::{Answer, asked};
use crate::given::{Text, Whole};
use crate::html;
use crate::work::Work;
use crate::worker::{Bench, Kept, Token, Worker, same_session};
use redexter::derivation::Derivation as Steps;
use redexter::draw;
use redexter::ground::Trouble;
use redexter::handout::{HandoutFormat, HandoutInfo};
use redexter::render;
use redexter::session::DerivedProgram;
use redexter::strategy::{Strategy, Trace};
use redexter::styled::{Look, Styled};
use redexter::syntax::names_at;
use redexter::term::{Path, Program};
use redexter::walk::{self, Walk};

/// Terms are laid out to this width.
const WIDTH: usize = 88;

/// The most stages that are listed, as on a page.
const MAX_STAGES: usize = 1_000;

/// Of derivations of more steps a notebook shows the stages alone: their pages take seconds, and stay in its file.
const MAX_STEPS_IN_NOTEBOOK: usize = 1_500;

/// How high a page stands in a notebook, in pixels.
const PAGE_HEIGHT: u32 = 560;

/// What a session's thread keeps of a derivation.
pub struct KeptDerivation {
    start: Rc<KeptTerm>,
    strategy: Strategy,
    text: String,
    steps: Rc<Steps>,
    trace: Rc<Trace>,
    last: Program,
    told: HandoutInfo,
}

impl KeptDerivation {
    /// What a strategy did with a term. Where a limit ended it, it has all steps until then.
    pub fn new(start: &Rc<KeptTerm>, (text, strategy): (String, Strategy), derived: DerivedProgram) -> KeptDerivation {
        let stopped = derived.stopped.as_ref().map(|stop| stop.reason.to_string());
        let (trace, last) = match derived.stopped {
            None => (Rc::new(derived.trace), derived.program),
            Some(stop) => (Rc::from(stop.trace), derived.program.with(stop.term)),
        };
        let told = HandoutInfo {
            title: start.name.clone(),
            model: start.target(),
            schedule: text.clone(),
            stopped,
            source: start.source.as_ref().map(|(_, text)| text.to_string()),
            bounds: start.program.bounds.clone(),
            ..HandoutInfo::default()
        };
        let steps = Rc::new(Steps::of_run(&text, trace.clone()));
        KeptDerivation { start: start.clone(), strategy, text, steps, trace, last, told }
    }

    fn walk(&self) -> Walk {
        let mut walk = self.start.walk();
        walk.follow(&self.strategy, &self.trace);
        walk
    }
}

/// What Python is told of a derivation.
pub struct DerivationTexts {
    token: Token<KeptDerivation>,
    name: String,
    text: String,
    count: usize,
    stopped: Option<String>,
}

impl DerivationTexts {
    /// Keeps a derivation.
    pub fn of(bench: &mut Bench, derivation: KeptDerivation) -> DerivationTexts {
        let (name, text) = (derivation.start.name.clone(), derivation.text.clone());
        let (count, stopped) = (derivation.steps.steps().len(), derivation.told.stopped.clone());
        DerivationTexts { token: bench.keep(derivation), name, text, count, stopped }
    }
}

/// What a strategy made of a term, step by step.
///
/// In a notebook it shows itself as a page: stages, steps, the term before and after each, and what it costs.
#[pyclass(frozen, module = "redexter")]
pub struct Derivation {
    kept: Kept<KeptDerivation>,
    name: String,
    text: String,
    count: usize,
    stopped: Option<String>,
}

impl Derivation {
    /// The one that a session's thread keeps.
    pub fn new(worker: &Arc<Worker>, texts: DerivationTexts) -> Derivation {
        let DerivationTexts { token, name, text, count, stopped } = texts;
        Derivation { kept: worker.kept(token), name, text, count, stopped }
    }

    fn worker(&self) -> &Arc<Worker> {
        self.kept.worker()
    }

    fn tell<T: Send + 'static>(
        &self,
        py: Python<'_>,
        tell: impl FnOnce(&KeptDerivation, &redexter::ground::Budget) -> Result<T, Trouble> + Send + 'static,
    ) -> PyResult<T> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.telling("the derivation", |_, budget| tell(&kept, budget))
        })
    }

    fn written(&self, py: Python<'_>, form: HandoutFormat) -> PyResult<String> {
        self.tell(py, move |kept, budget| Ok(form.write((&kept.told, &kept.steps), None, budget)?))
    }
}

#[pymethods]
impl Derivation {
    /// The term that was reached.
    #[getter]
    fn term(&self, py: Python<'_>) -> PyResult<Term> {
        let token = self.kept.token();
        let texts = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            Ok(TermTexts::of(bench, kept.start.with(kept.last.clone()), None))
        })?;
        Ok(Term::new(self.worker(), texts))
    }

    /// The term that it began with.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<Term> {
        self.after(py, Whole(0))
    }

    /// The term after so many steps, from 0 on.
    fn after(&self, py: Python<'_>, steps: Whole) -> PyResult<Term> {
        let Whole(steps) = steps;
        let token = self.kept.token();
        if steps > self.count as u64 {
            let words = format!("there are {} steps, and {steps} were asked for", self.count);
            return Err(PyIndexError::new_err(words));
        }
        let texts = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            let program = kept.last.with(kept.steps.term(steps as usize));
            Ok(TermTexts::of(bench, kept.start.with(program), None))
        })?;
        Ok(Term::new(self.worker(), texts))
    }

    /// Its steps, in order.
    #[getter]
    fn steps<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, own) = (slf.py(), slf.get());
        let all = own.tell(py, |kept, _| {
            let steps = kept.steps.steps().iter().enumerate();
            let mut term = kept.steps.term(0);
            let told = steps.map(|(k, step)| {
                let place = Path::shortened(&step.path().address(&term));
                term = step.redo(&term).unwrap_or_else(|| kept.steps.term(k + 1));
                (k + 1, step.rule().to_string(), place)
            });
            Ok(told.collect::<Vec<_>>())
        })?;
        let of: Py<Derivation> = slf.clone().unbind();
        let steps = all.into_iter().map(|(number, rule, place)| Step { of: of.clone_ref(py), number, rule, place });
        PyTuple::new(py, steps.map(|step| Py::new(py, step)).collect::<PyResult<Vec<_>>>()?)
    }

    /// Its stages, each before those in it, with the work before and after them.
    #[getter]
    fn stages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows = self.tell(py, |kept, budget| {
            let rows = kept.steps.overview(kept.steps.stages().tops(), MAX_STAGES, &budget.fresh())?;
            let told = rows.iter().map(|row| Stage {
                title: row.title.clone(),
                depth: row.depth,
                steps: row.steps,
                first: row.span.start + 1,
                last: row.span.end,
                work: row.work.as_ref().map(|(before, after)| (render::leading(before), render::leading(after))),
            });
            Ok(told.collect::<Vec<Stage>>())
        })?;
        PyTuple::new(py, rows.into_iter().map(|row| Py::new(py, row)).collect::<PyResult<Vec<_>>>()?)
    }

    /// What running the term costs, before and after.
    #[getter]
    fn work(&self, py: Python<'_>) -> PyResult<(Work, Work)> {
        Ok((self.start(py)?.work(py)?, self.term(py)?.work(py)?))
    }

    /// How many steps each rule took, the most first.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let count = self.count;
        let counts = self.tell(py, move |kept, _| Ok(kept.steps.rules(std::slice::from_ref(&(0..count)))))?;
        let all = PyDict::new(py);
        counts.into_iter().try_for_each(|(rule, count)| all.set_item(rule, count))?;
        Ok(all)
    }

    /// The strategy, as it was written.
    #[getter]
    fn strategy(&self) -> &str {
        &self.text
    }

    /// The limit that ended it, if one did.
    #[getter]
    fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// Why a step was taken where it was (`why(3)`), a stage did nothing (`why("stage")`), or where the work comes from
    /// (`why(".")`).
    fn why(&self, py: Python<'_>, address: &Bound<'_, PyAny>) -> PyResult<Answer> {
        self.ask(py, Text(format!("why {}", address.str()?)))
    }

    /// Why a rule doesn't apply to the term that was reached, or didn't at a step: what is in its way, and what would help.
    #[pyo3(signature = (rule, address = None))]
    fn why_not(&self, py: Python<'_>, rule: Text, address: Option<&Bound<'_, PyAny>>) -> PyResult<Answer> {
        let Text(rule) = rule;
        let address = address.map(|address| Ok::<_, PyErr>(format!(" {}", address.str()?))).transpose()?;
        self.ask(py, Text(format!("why-not {rule}{}", address.unwrap_or_default())))
    }

    /// Asks a question, as behind a colon at the prompt: `validate`, `possible`, `compare a | b`, `ablate s`.
    fn ask(&self, py: Python<'_>, question: Text) -> PyResult<Answer> {
        let token = self.kept.token();
        asked(self.worker(), py, question.0, move |bench| Ok(bench.get(token)?.walk()))
    }

    /// A chart of the work over the steps.
    fn plot(&self, py: Python<'_>) -> PyResult<Answer> {
        let token = self.kept.token();
        let (text, svg) = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.doing("the chart", |session| {
                let chart = walk::plot(&kept.walk(), None, session.owner())?;
                Ok((draw::text(&chart, WIDTH), draw::svg(&chart)))
            })
        })?;
        Ok(Answer::drawn(text, svg))
    }

    /// Both as a page, side by side: what another strategy did with the same term.
    fn compare(&self, py: Python<'_>, other: &Derivation) -> PyResult<Page> {
        same_session(self.worker(), other.worker(), py)?;
        let (one, two) = (self.kept.token(), other.kept.token());
        let page = self.worker().ask(py, move |bench| {
            let (one, two) = (bench.get(one)?, bench.get(two)?);
            let beside = Some((&two.told, &*two.steps));
            bench.telling("the page", |_, budget| {
                Ok(HandoutFormat::Page.write((&one.told, &one.steps), beside, budget)?)
            })
        })?;
        Ok(Page { title: format!("{} beside {}", self.text, other.text), page })
    }

    /// As a page in one file that needs nothing else.
    fn page(&self, py: Python<'_>) -> PyResult<Page> {
        Ok(Page { title: self.name.clone(), page: self.written(py, HandoutFormat::Page)? })
    }

    /// As a document of LaTeX's.
    fn latex(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, HandoutFormat::Latex)
    }

    /// As notes in Markdown.
    fn markdown(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, HandoutFormat::Markdown)
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.tell(py, |kept, _| Ok(render::trace(&kept.trace, 1, WIDTH).into_text()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let work = match self.work(py) {
            Ok((before, after)) => format!(", work {} → {}", before.total(), after.total()),
            Err(interrupted) if interrupted.is_instance_of::<PyKeyboardInterrupt>(py) => return Err(interrupted),
            // A limit that ended the derivation may end this, too; it is shown all the same.
            Err(_) => String::new(),
        };
        let steps = if self.count == 1 { "1 step".to_owned() } else { format!("{} steps", self.count) };
        let stopped = if self.stopped.is_some() { ", stopped by a limit" } else { "" };
        Ok(format!("<redexter.Derivation {}: {steps}{work}{stopped}>", self.name))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        if self.count <= MAX_STEPS_IN_NOTEBOOK {
            return Ok(self.page(py)?._repr_html_());
        }
        let head = format!("{}\n\n", self.__repr__(py)?);
        self.tell(py, move |kept, budget| {
            let rows = kept.steps.overview(kept.steps.stages().tops(), MAX_STAGES, &budget.fresh())?;
            let told = Styled::of(Look::Strong, &head).then(render::overview(&rows));
            let more = "\n`.page()` shows each step, and `.page().save(\"page.html\")` writes that to a file";
            Ok(html::block(&told.then(Styled::of(Look::Aside, more))))
        })
    }
}

/// A step of a derivation.
#[pyclass(frozen, module = "redexter")]
pub struct Step {
    of: Py<Derivation>,
    number: usize,
    rule: String,
    place: String,
}

impl Step {
    fn part(&self, py: Python<'_>, is_redex: bool) -> PyResult<String> {
        let at = self.number - 1;
        self.of.get().tell(py, move |kept, _| {
            let Some(step) = kept.steps.steps().get(at) else { return Ok(String::new()) };
            let part = if is_redex { &step.redex } else { &step.contractum };
            // A part is open: its variables have the names that they have in what stands around it.
            let around = kept.steps.term(if is_redex { at } else { at + 1 });
            let names = names_at(&around, &step.path()).unwrap_or_default();
            Ok(render::open_term(part, &names, WIDTH).into_text())
        })
    }
}

#[pymethods]
impl Step {
    /// Its number, from 1 on.
    #[getter]
    fn number(&self) -> usize {
        self.number
    }

    /// The rule that rewrote, with its arguments.
    #[getter]
    fn rule(&self) -> &str {
        &self.rule
    }

    /// The place that was rewritten, as an address of the term before.
    #[getter]
    fn place(&self) -> &str {
        &self.place
    }

    /// What was rewritten.
    #[getter]
    fn redex(&self, py: Python<'_>) -> PyResult<String> {
        self.part(py, true)
    }

    /// What it became.
    #[getter]
    fn contractum(&self, py: Python<'_>) -> PyResult<String> {
        self.part(py, false)
    }

    /// The whole term before it.
    #[getter]
    fn before(&self, py: Python<'_>) -> PyResult<Term> {
        self.of.get().after(py, Whole(self.number as u64 - 1))
    }

    /// The whole term after it.
    #[getter]
    fn after(&self, py: Python<'_>) -> PyResult<Term> {
        self.of.get().after(py, Whole(self.number as u64))
    }

    /// What running the whole term costs after it.
    #[getter]
    fn work(&self, py: Python<'_>) -> PyResult<Work> {
        self.after(py)?.work(py)
    }

    fn __repr__(&self) -> String {
        format!(
            "<redexter.Step {}: {} at {}>",
            self.number,
            self.rule,
            if self.place.is_empty() { "the root" } else { &self.place }
        )
    }
}

/// A stage of a derivation: a strategy with a name, and what it does in one piece.
#[pyclass(frozen, get_all, module = "redexter")]
pub struct Stage {
    /// Its name.
    title: String,
    /// How deep it stands in other stages.
    depth: usize,
    /// The number of its steps.
    steps: usize,
    /// Its first step.
    first: usize,
    /// Its last step.
    last: usize,
    /// What grows fastest in the work before and after it; `None` where it is in several pieces.
    work: Option<(String, String)>,
}

#[pymethods]
impl Stage {
    fn __repr__(&self) -> String {
        let work = self.work.as_ref().map_or(String::new(), |(before, after)| format!(", {before} → {after}"));
        format!("<redexter.Stage {}: {} steps{work}>", self.title, self.steps)
    }
}

/// A page that tells of a derivation, or of two side by side: HTML in one file that needs nothing else.
#[pyclass(frozen, module = "redexter")]
pub struct Page {
    title: String,
    page: String,
}

#[pymethods]
impl Page {
    /// Writes it into a file, in the place of what that holds.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        Ok(std::fs::write(path, &self.page)?)
    }

    fn __str__(&self) -> &str {
        &self.page
    }

    fn __repr__(&self) -> String {
        format!("<redexter.Page {}: {} bytes>", self.title, self.page.len())
    }

    fn _repr_html_(&self) -> String {
        html::frame(&self.page, &self.title, PAGE_HEIGHT)
    }
}
