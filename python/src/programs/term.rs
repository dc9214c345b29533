//! Holds terms: programs that are called, rewritten, compiled and exported.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::derivation::{Derivation, DerivationTexts, KeptDerivation};
use crate::answers::{Answer, AnswerTexts, asked, told};
use crate::arrays::{Given, given, result};
use crate::failure::{Failure, Said};
use crate::given::{Names, Text, Whole};
use crate::html;
use crate::native::{KeptNative, Native, parameters};
use crate::signature::{Shapes, Signature, shapes_at};
use crate::strategy::SentStrategy;
use crate::work::{Work, words};
use crate::worker::{Bench, Kept, Token, Worker, same_session};
use redexter::arrays::ElementKind;
use redexter::bench::{RunMethod, Runner, TimingPlan};
use redexter::blocks::{check_words, parts, unpacked};
use redexter::check::Definition;
use redexter::cost;
use redexter::eval::{Sizes, Value, check_held, evaluate, sizes_with};
use redexter::export::c::{CTarget, Caller, c};
use redexter::export::jax::{DerivativeOf, derivative_by};
use redexter::export::{FutharkOptions, JaxEntry, JaxOptions, futhark, jax};
use redexter::ground::writing::within;
use redexter::ground::{Budget, Diagnostic, Name, Trouble, code};
use redexter::handout;
use redexter::native::{CCompiler, CodeCache, ThreadLimits};
use redexter::nest::Freedom;
use redexter::render;
use redexter::session;
use redexter::strategy::has_opposites;
use redexter::syntax::{PrintStyle, print_beginning, print_term, print_type};
use redexter::term::{Program, Term as ObjectTerm};
use redexter::walk::{DefinitionOrigin, QuestionFinding, Walk};

/// Terms are laid out to this width.
const WIDTH: usize = 88;

/// Terms of more nodes than the first number are shown by their beginning, which has so many characters as the second says;
/// `str(term)` is all of it.
const SHOWN_LIMITS: (u64, usize) = (3_000, 6_000);

/// What a session's thread keeps of a term.
pub struct KeptTerm {
    /// What the user calls it.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The definition that says it, where one does.
    pub definition: Option<Rc<Definition>>,
    /// The model's file, and its text.
    pub source: Option<(String, Rc<str>)>,
    /// How it is run, once it was.
    pub runner: OnceCell<Runner>,
}

impl KeptTerm {
    /// Another program that comes of this one.
    pub fn with(&self, program: Program) -> KeptTerm {
        KeptTerm {
            name: self.name.clone(),
            program,
            definition: None,
            source: self.source.clone(),
            runner: OnceCell::new(),
        }
    }

    /// What pages and exports call it: `MODEL.arr:NAME`.
    pub fn target(&self) -> String {
        match &self.source {
            Some((path, _)) => format!("{path}:{}", self.name),
            None => self.name.clone(),
        }
    }

    /// A walk that begins with it.
    pub fn walk(&self) -> Walk {
        let origin = DefinitionOrigin { name: self.name.clone(), written: self.name.clone() };
        let mut walk = Walk::default();
        walk.give_definition(self.program.clone(), Some(origin), self.definition.clone());
        walk
    }
}

/// What Python is told of a term.
pub struct TermTexts {
    token: Token<KeptTerm>,
    name: String,
    ty: String,
    doc: Option<String>,
}

impl TermTexts {
    /// Keeps a term.
    pub fn of(bench: &mut Bench, term: KeptTerm, doc: Option<String>) -> TermTexts {
        let (name, ty) = (term.name.clone(), print_type(term.program.term.ty()));
        TermTexts { token: bench.keep(term), name, ty, doc }
    }
}

/// A term: a program of a model, or what a strategy made of one.
///
/// Call it on numbers, arrays of NumPy's, and tuples for pairs: `term(v=array)` or `term(array)`; sizes that no array has are
/// given by name. `term.native()` is the same compiled. `term.apply(strategy)` rewrites it.
#[pyclass(frozen, module = "redexter")]
pub struct Term {
    kept: Kept<KeptTerm>,
    name: String,
    ty: String,
    doc: Option<String>,
    signature: OnceLock<Arc<Signature>>,
}

/// The counts of a run by kind.
type NamedCounts = [(&'static str, u64); 5];

impl Term {
    /// The one that a session's thread keeps.
    pub fn new(worker: &Arc<Worker>, texts: TermTexts) -> Term {
        let TermTexts { token, name, ty, doc } = texts;
        Term { kept: worker.kept(token), name, ty, doc, signature: OnceLock::new() }
    }

    fn worker(&self) -> &Arc<Worker> {
        self.kept.worker()
    }

    fn signature(&self, py: Python<'_>) -> PyResult<&Arc<Signature>> {
        if let Some(known) = self.signature.get() {
            return Ok(known);
        }
        let token = self.kept.token();
        let made = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            Signature::of(&kept.program).map_err(|wrong| bench.failed(wrong))
        })?;
        Ok(self.signature.get_or_init(|| Arc::new(made)))
    }

    /// Does something with the sizes and the numbers of a call, on the session's thread.
    fn on<'py, T: Send + 'static>(
        &self,
        py: Python<'py>,
        given: &Given<'py>,
        work: impl FnOnce(&KeptTerm, (Vec<Vec<u64>>, &Sizes), &Budget) -> Result<T, Trouble> + Send + 'static,
    ) -> PyResult<T> {
        let signature = self.signature(py)?;
        let (token, shapes, sizes) = (self.kept.token(), given.shapes(signature), given.sizes.clone());
        let words = given.words()?;
        let done = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.doing("the call", |session| {
                let budget = session.budget();
                let sizes = solved(&kept.program, &shapes, &sizes, &budget)?;
                if let Some(beyond) = beyond(&kept.program, &words, &sizes)? {
                    return Ok(Err(beyond));
                }
                check_words(&kept.program, &words, &sizes)?;
                work(&kept, (words, &sizes), &budget).map(Ok)
            })
        })?;
        done.map_err(|(number, at)| given.out_of_range(signature, number, at).raised(py, None))
    }
}

fn solved(program: &Program, shapes: &Shapes, sizes: &[(String, u64)], budget: &Budget) -> Result<Sizes, Trouble> {
    let sizes: Vec<(Name, u64)> = sizes.iter().map(|(name, n)| (Name::new(name), *n)).collect();
    sizes_with(program, shapes, &sizes, budget)
}

/// The first index that is out of range: the number of its array, and its place there.
fn beyond(program: &Program, words: &[Vec<u64>], sizes: &Sizes) -> Result<Option<(usize, usize)>, Trouble> {
    let mut number = 0;
    for (_, ty) in program.term.applied().0 {
        for part in redexter::arrays::parts(&ty)? {
            if let (ElementKind::Indices(n), Some(words)) = (&part.holds, words.get(number)) {
                let below = sizes.value(n);
                if let Some(at) = words.iter().position(|word| *word >= below) {
                    return Ok(Some((number, at)));
                }
            }
            number += 1;
        }
    }
    Ok(None)
}

/// Inputs as values.
fn values(program: &Program, words: &[Vec<u64>], sizes: &Sizes, budget: &Budget) -> Result<Vec<Value>, Trouble> {
    let (mut rest, mut all) = (words, Vec::new());
    for (_, ty) in program.term.applied().0 {
        let mine;
        (mine, rest) = rest.split_at(parts(&ty).min(rest.len()));
        all.push(unpacked(&ty, mine, sizes, budget)?);
    }
    Ok(all)
}

/// How a term is run in blocks, or by the evaluator where that can't be.
fn runner<'k>(kept: &'k KeptTerm, budget: &Budget) -> Result<&'k Runner, Trouble> {
    if let Some(known) = kept.runner.get() {
        return Ok(known);
    }
    let made = Runner::new(RunMethod::Blocks, ThreadLimits::ONE, &Name::new(&kept.name), &kept.program, budget)?;
    let made = made.map_err(|reason| Trouble::from(Diagnostic::error(code::NOT_EXPORTABLE, reason)))?;
    Ok(kept.runner.get_or_init(|| made))
}

#[pymethods]
impl Term {
    /// The value for these arguments: in blocks, without a compiler.
    ///
    /// Raises `InputError` where arguments don't fit the type, `LimitReached` where memory or time is short.
    #[pyo3(signature = (*arguments, **named))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let signature = self.signature(py)?;
        let given = given(signature, arguments, named)?;
        let (words, shapes) = self.on(py, &given, |kept, (words, sizes), budget| {
            let result = kept.program.term.applied().1.ty().clone();
            check_held(&result, sizes)?;
            let runner = runner(kept, budget)?;
            let words = runner.run(words, sizes, TimingPlan::ONCE, budget, &mut Vec::new())?;
            Ok((words, shapes_at(&result, sizes)?))
        })?;
        result(py, &signature.result, words, &shapes)
    }

    /// What the evaluator does for these arguments, counted by kind: `flops`, `compares`, `reads`, `writes`, `iterations`.
    #[pyo3(signature = (*arguments, **named))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let given = given(self.signature(py)?, arguments, named)?;
        let counts: NamedCounts = self.on(py, &given, |kept, (words, sizes), budget| {
            check_held(kept.program.term.applied().1.ty(), sizes)?;
            let inputs = values(&kept.program, &words, sizes, budget)?;
            Ok(evaluate(&kept.program, &inputs, sizes, budget)?.1.named())
        })?;
        let all = PyDict::new(py);
        counts.iter().try_for_each(|(name, count)| all.set_item(name, count))?;
        Ok(all)
    }

    /// Where the first NaN of the result comes from, or else the first infinity.
    #[pyo3(signature = (*arguments, **named))]
    fn why_nan<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Answer> {
        let signature = self.signature(py)?;
        let given = given(signature, arguments, named)?;
        let (token, shapes, sizes) = (self.kept.token(), given.shapes(signature), given.sizes.clone());
        let words = given.words()?;
        let texts: AnswerTexts = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.doing("why_nan", |session| {
                let budget = session.budget();
                let sizes = solved(&kept.program, &shapes, &sizes, &budget)?;
                check_words(&kept.program, &words, &sizes)?;
                let inputs = values(&kept.program, &words, &sizes, &budget)?;
                let found = session::why_nan(session, &kept.program, kept.definition.as_deref(), (&inputs, &sizes))?;
                let json = found.json().to_string();
                Ok::<_, Trouble>(told(&found.text(WIDTH.into()), Some(json)))
            })
        })?;
        Ok(texts.into())
    }

    /// Rewrites it by a strategy, a text or what `redexter.strategy` gave, and tells how.
    ///
    /// Raises `StrategyFailed` where the strategy fails, `LimitReached` at a limit: its `derivation` has the steps so far.
    fn apply(&self, py: Python<'_>, strategy: &Bound<'_, PyAny>) -> PyResult<Derivation> {
        let (token, strategy) = (self.kept.token(), SentStrategy::of(strategy, self.worker())?);
        let done = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            let (text, strategy) = strategy.read(bench)?;
            let derived = bench.doing(&text, |session| session::derive(session, &strategy, &kept.program))?;
            let stopped = derived.stopped.as_ref().map(|stop| bench.failed(Trouble::from(&**stop)));
            let kept = KeptDerivation::new(&kept, (text, strategy), derived);
            Ok((DerivationTexts::of(bench, kept), stopped))
        })?;
        let derivation = Derivation::new(self.worker(), done.0);
        match done.1 {
            None => Ok(derivation),
            Some(failure) => Err(failure.raised(py, Some(Py::new(py, derivation)?.into_any()))),
        }
    }

    /// The same as compiled code, by the C compiler of the system; what was compiled is kept for the next time.
    ///
    /// With `fast`, sums may be added in another order, and functions be a few units in the last place off; else results are
    /// those of the term, to the bit. Loops that are worth it are shared out among so many `threads`.
    ///
    /// Raises `RedexterError` where there is no compiler, or it failed.
    #[pyo3(signature = (*, fast = false, threads = Whole(1)), text_signature = "($self, *, fast=False, threads=1)")]
    fn native(&self, py: Python<'_>, fast: bool, threads: Whole) -> PyResult<Native> {
        let (most, threads) = (u64::from(ThreadLimits::MOST), threads.0);
        if !(1..=most).contains(&threads) {
            let headline = format!("`threads` must be a whole number from 1 to {most}, but is {threads}");
            return Err(Failure::said("InputError", &Diagnostic::error(code::INPUT_SHAPE, headline)).raised(py, None));
        }
        let (token, signature, threads) = (self.kept.token(), self.signature(py)?.clone(), threads as u32);
        let (kept, warnings) = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            let program = &kept.program;
            let mut warnings = Vec::new();
            if fast && program.term.keeps_arithmetic() {
                warnings.push("`fast` leaves what the program keeps as it is written".to_owned());
            }
            if fast && has_opposites(&program.term) {
                warnings.push(
                    "`fast` adds in another order, and a sum here has opposite terms: `keep` it where its rounding counts"
                        .to_owned(),
                );
            }
            let native = bench.doing("the compilation", |session| {
                let budget = session.budget();
                let freedom = if fast { Freedom::Fast } else { Freedom::Exact };
                let compiler = CCompiler::of_system().with(freedom).on(ThreadLimits::of(threads));
                let (name, cache) = (Name::new(&kept.name), CodeCache::of_user());
                let make = || redexter::native::Native::new(&name, program, &compiler, &cache, &budget);
                let made = within(budget.clone(), make)??;
                made.map_err(|reason| {
                    let wrong = Diagnostic::error(code::NOT_EXPORTABLE, format!("there is no native code: {reason}"));
                    wrong.help("call the term itself, which needs no compiler, or install one").into()
                })
            })?;
            warnings.extend(native.warning().map(str::to_owned));
            let result = program.term.applied().1.ty().clone();
            Ok((bench.keep(KeptNative { program: program.clone(), result, native }), warnings))
        })?;
        warnings.into_iter().try_for_each(|text| Said::Warning(text).pass_on(py))?;
        Ok(Native::new(self.worker().kept(kept), self.name.clone(), signature, (fast, threads)))
    }

    /// A function of JAX: that of the module that `redexter export jax` writes.
    ///
    /// With `gradient`, a term or a derivation, `jax.grad` of the function is that, by the arguments named in `by` where the
    /// types don't tell. Sizes that no array has come first, static under `jax.jit`. Raises `ImportError` without JAX.
    #[pyo3(signature = (gradient = None, by = None))]
    fn jax<'py>(
        &self,
        py: Python<'py>,
        gradient: Option<&Bound<'py, PyAny>>,
        by: Option<Names>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text = self.jax_module(py, gradient, by)?;
        py.import("redexter._jax")?.getattr("function")?.call1((text, &self.name))
    }

    /// The text of that module.
    #[pyo3(signature = (gradient = None, by = None))]
    fn jax_module(&self, py: Python<'_>, gradient: Option<&Bound<'_, PyAny>>, by: Option<Names>) -> PyResult<String> {
        let gradient = gradient.map(|given| term_of(given, self.worker())).transpose()?;
        let (token, derived) = (self.kept.token(), gradient.as_ref().map(|term| term.get().kept.token()));
        self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            let mut entries = vec![jax_entry(&kept, None)];
            if let Some(derived) = derived {
                let kept = bench.get(derived)?;
                let by = by.map(|Names(names)| names.iter().map(|name| Name::new(name)).collect());
                entries.push(jax_entry(&kept, Some(DerivativeOf { primal: 0, by })));
            }
            let options = JaxOptions::default();
            bench.doing("the export", |session| session.writing(|| jax(&entries, &options))?)
        })
    }

    /// The same in C: header and source, for a caller that gives the memory. `fast` as for `native`.
    #[pyo3(signature = (*, fast = false))]
    fn c(&self, py: Python<'_>, fast: bool) -> PyResult<String> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            let entries = [(Name::new(&kept.name), kept.program.clone())];
            let freedom = if fast { Freedom::Fast } else { Freedom::Exact };
            let target = CTarget { caller: Caller::C, freedom, ..CCompiler::of_system().target() };
            bench.doing("the export", |session| {
                let files = session.writing(|| c(&kept.name, &entries, &target))??;
                Ok(files.header + "\n" + files.source.as_str())
            })
        })
    }

    /// The same in Futhark.
    #[pyo3(signature = (*, sequential = false))]
    fn futhark(&self, py: Python<'_>, sequential: bool) -> PyResult<String> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            let entries = [(Name::new(&kept.name), kept.program.clone())];
            bench
                .doing("the export", |session| session.writing(|| futhark(&entries, &FutharkOptions { sequential }))?)
        })
    }

    /// The same as mathematics of LaTeX's, an `align*`, which needs amsmath and amssymb.
    fn latex(&self, py: Python<'_>) -> PyResult<String> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.telling("the export", |_, _| Ok(handout::latex_of_term(&kept.program.term)))
        })
    }

    /// A function of PyTorch: an `autograd.Function` around native code, whose derivative by the arguments named in `by` is
    /// `gradient`, a term or a derivation. Raises `ImportError` without PyTorch.
    #[pyo3(signature = (gradient, by = None, *, fast = false, threads = Whole(1)), text_signature = "($self, gradient, by=None, *, fast=False, threads=1)")]
    fn torch<'py>(
        slf: &Bound<'py, Self>,
        gradient: &Bound<'py, PyAny>,
        by: Option<Names>,
        fast: bool,
        threads: Whole,
    ) -> PyResult<Bound<'py, PyAny>> {
        let gradient = term_of(gradient, slf.get().worker())?;
        let made = slf.py().import("redexter._torch")?.getattr("function")?;
        made.call1((slf, gradient, by.map(|Names(names)| names), fast, threads.0))
    }

    /// The names of the arguments by which `gradient` is the derivative, where `by` says them, or else the types do.
    fn _by(&self, py: Python<'_>, gradient: &Bound<'_, PyAny>, by: Option<Names>) -> PyResult<Vec<String>> {
        let gradient = term_of(gradient, self.worker())?;
        let (token, derived) = (self.kept.token(), gradient.get().kept.token());
        self.worker().ask(py, move |bench| {
            let (own, derived) = (bench.get(token)?, bench.get(derived)?);
            let by = by.map(|Names(names)| names.iter().map(|name| Name::new(name)).collect::<Vec<Name>>());
            let found = derivative_by((&own.name, &own.program), &derived.program, by.as_deref());
            let found = found.map_err(|wrong| Failure::said("InputError", &wrong))?;
            Ok(found.iter().map(Name::to_string).collect())
        })
    }

    /// Asks a question, as behind a colon at the prompt: `possible`, `orders a | b`, `compare a | b`, `search`, `ends a`.
    fn ask(&self, py: Python<'_>, question: Text) -> PyResult<Answer> {
        let token = self.kept.token();
        asked(self.worker(), py, question.0, move |bench| Ok(bench.get(token)?.walk()))
    }

    /// What running it costs.
    #[getter]
    pub fn work(&self, py: Python<'_>) -> PyResult<Work> {
        let token = self.kept.token();
        let (term, told) = self.worker().ask(py, move |bench| {
            let term: ObjectTerm = bench.get(token)?.program.term.clone();
            let told = bench.telling("the work", |_, _| Ok(words(&cost::work(&term).total())))?;
            Ok((bench.keep(term), told))
        })?;
        Ok(Work::new(self.worker().kept(term), told))
    }

    /// The name of the definition.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The type in words: `array n real -> real`.
    #[getter]
    fn r#type(&self) -> &str {
        &self.ty
    }

    /// What the comment above the definition says.
    #[getter]
    fn doc(&self) -> Option<&str> {
        self.doc.as_deref()
    }

    /// The parameters by their names, each with its type in words, in the order in which they are taken by place.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        parameters(py, self.signature(py)?)
    }

    /// The names of the sizes.
    #[getter]
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.signature(py)?.sizes)
    }

    /// The number of its nodes, counted as a tree.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<u64> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| Ok(bench.get(token)?.program.term.size()))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.telling("the term", |_, _| Ok(print_term(&kept.program.term, &PrintStyle { width: WIDTH })))
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.telling("the term", |_, _| Ok(shown(&kept.program.term).into_text()))
        })
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.telling("the term", |_, _| Ok(html::block(&shown(&kept.program.term))))
        })
    }

    /// Whether both are the same term, but for the names of bound variables, in one session.
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Term>() else { return Ok(false) };
        let other = other.get();
        if !Arc::ptr_eq(self.worker(), other.worker()) {
            return Ok(false);
        }
        let (one, other) = (self.kept.token(), other.kept.token());
        self.worker().ask(py, move |bench| Ok(bench.get(one)?.program == bench.get(other)?.program))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let token = self.kept.token();
        self.worker().ask(py, move |bench| Ok(bench.get(token)?.program.term.fingerprint() as u64))
    }
}

/// A term, or its beginning.
fn shown(term: &ObjectTerm) -> redexter::styled::Styled {
    let (most, characters) = SHOWN_LIMITS;
    match term.size() > most {
        true => render::pieces(&print_beginning(term, &[], characters, &PrintStyle { width: WIDTH })),
        false => render::term(term, WIDTH),
    }
}

fn jax_entry(kept: &KeptTerm, derivative: Option<DerivativeOf>) -> JaxEntry {
    // The derivative's function has another name than that of what it is the derivative of.
    let name = match &derivative {
        Some(_) => Name::new(&format!("{}_derived", kept.name)),
        None => Name::new(&kept.name),
    };
    JaxEntry { name, what: kept.target(), program: kept.program.clone(), derivative }
}

/// The term that is given, or the last one of a derivation, in this session. It is kept as long as Python holds it.
pub fn term_of(given: &Bound<'_, PyAny>, worker: &Arc<Worker>) -> PyResult<Py<Term>> {
    let term = match given.cast::<Derivation>() {
        Ok(_) => given.getattr("term")?,
        Err(_) => given.clone(),
    };
    let Ok(term) = term.cast::<Term>() else {
        let found = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "`gradient` must be a redexter.Term or a redexter.Derivation, but is of the type {found}"
        )));
    };
    same_session(term.get().worker(), worker, given.py())?;
    Ok(term.clone().unbind())
}
