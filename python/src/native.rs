//! Calls compiled programs on NumPy's arrays where these stand.
//!
//! What a call needs at certain sizes is prepared once, on the session's thread; from then on calls are made on the thread that
//! makes them, several at once, without the interpreter's lock.

use std::mem;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use numpy::{IxDyn, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::arrays::{Given, given, paired};
use crate::failure::Failure;
use crate::signature::{NumberKind, Signature, shapes_at};
use crate::worker::{Kept, Worker};
use redexter::eval::{Sizes, sizes_with};
use redexter::ground::{Diagnostic, Name, Trouble, code};
use redexter::native::{CallFailure, LentNumbers, LentRoom, PreparedCode, PreparedRoom};
use redexter::term::{Program, Type};

/// Calls of more operations go to a thread of their own, beside which is looked for Ctrl-C; fewer take some milliseconds.
const MAX_WORK_UNWATCHED: u128 = 1_000_000;

/// How often is looked for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// For so many sizes what calls need is kept.
const MAX_PREPARED: usize = 64;

/// So much room is kept for calls at the same sizes, each for one at a time.
const MAX_ROOMS: usize = 8;

/// What a session's thread keeps of a compiled program.
pub struct KeptNative {
    /// The program.
    pub program: Program,
    /// Its result's type.
    pub result: Type,
    /// Its code.
    pub native: redexter::native::Native,
}

/// What calls at certain sizes need.
struct PreparedCall {
    key: Vec<u64>,
    code: PreparedCode,
    results: Vec<Vec<usize>>,
    /// Room that no call has now, with the process in which its threads are.
    rooms: Mutex<Vec<(u32, PreparedRoom)>>,
}

/// A term as compiled code.
///
/// Call it as the term: `f(v, w)` or `f(v=v, w=w)`, with NumPy's arrays. float64 (and int64) arrays whose numbers stand in a row
/// are read where they stand. Reals come back as float64, integers and indices as int64, pairs as tuples, single numbers as
/// `float` and `int`. Several threads may call it at once. Don't change an array while a call reads it.
///
/// Raises `InputError` for arguments that don't fit the type, `KeyboardInterrupt` at Ctrl-C.
#[pyclass(frozen, module = "redexter")]
pub struct Native {
    kept: Kept<KeptNative>,
    name: String,
    signature: Arc<Signature>,
    fast: bool,
    threads: u32,
    prepared: Mutex<Vec<Arc<PreparedCall>>>,
}

impl Native {
    /// A program that was compiled.
    pub fn new(
        kept: Kept<KeptNative>,
        name: String,
        signature: Arc<Signature>,
        (fast, threads): (bool, u32),
    ) -> Native {
        Native { kept, name, signature, fast, threads, prepared: Mutex::default() }
    }

    fn worker(&self) -> &Arc<Worker> {
        self.kept.worker()
    }

    /// What a call with these arguments needs.
    fn prepared(&self, py: Python<'_>, given: &Given<'_>) -> PyResult<Arc<PreparedCall>> {
        let key = given.key();
        if let Some(known) = unpoisoned(&self.prepared).iter().find(|call| call.key == key) {
            return Ok(known.clone());
        }
        let (token, shapes, sizes) = (self.kept.token(), given.shapes(&self.signature), given.sizes.clone());
        let (code, results) = self.worker().ask(py, move |bench| {
            let kept = bench.get(token)?;
            bench.doing("the call", |session| {
                let sizes: Vec<(Name, u64)> = sizes.iter().map(|(name, n)| (Name::new(name), *n)).collect();
                let sizes: Sizes = sizes_with(&kept.program, &shapes, &sizes, &session.budget())?;
                Ok::<_, Trouble>((kept.native.prepare(&sizes)?, shapes_at(&kept.result, &sizes)?))
            })
        })?;
        let call = Arc::new(PreparedCall { key, code, results, rooms: Mutex::default() });
        let mut all = unpoisoned(&self.prepared);
        if all.len() >= MAX_PREPARED {
            all.remove(0);
        }
        all.push(call.clone());
        Ok(call)
    }
}

fn unpoisoned<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a call writes a part of its result.
enum Written<'py> {
    Reals(PyReadwriteArrayDyn<'py, f64>),
    Ints(PyReadwriteArrayDyn<'py, i64>),
    Real(f64),
    Int(i64),
}

impl<'py> Written<'py> {
    fn new(py: Python<'py>, kind: NumberKind, shape: &[usize]) -> Written<'py> {
        match (kind, shape.is_empty()) {
            (NumberKind::Real, true) => Written::Real(0.0),
            (_, true) => Written::Int(0),
            (NumberKind::Real, false) => {
                Written::Reals(PyArrayDyn::<f64>::zeros(py, IxDyn(shape), false).into_readwrite())
            }
            (_, false) => Written::Ints(PyArrayDyn::<i64>::zeros(py, IxDyn(shape), false).into_readwrite()),
        }
    }

    fn room(&mut self) -> PyResult<LentRoom<'_>> {
        Ok(match self {
            Written::Reals(array) => LentRoom::Reals(array.as_slice_mut()?),
            Written::Ints(array) => LentRoom::Ints(array.as_slice_mut()?),
            Written::Real(one) => LentRoom::Reals(std::slice::from_mut(one)),
            Written::Int(one) => LentRoom::Ints(std::slice::from_mut(one)),
        })
    }

    fn value(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Written::Reals(array) => (**array).clone().into_any(),
            Written::Ints(array) => (**array).clone().into_any(),
            Written::Real(one) => one.into_pyobject(py)?.into_any(),
            Written::Int(one) => one.into_pyobject(py)?.into_any(),
        })
    }
}

impl PreparedCall {
    /// Room that no other call has.
    fn room(&self) -> (u32, PreparedRoom) {
        let process = std::process::id();
        loop {
            let kept = unpoisoned(&self.rooms).pop();
            match kept {
                Some(room) if room.0 == process => return room,
                // Its threads are in the process that this one was forked from: nobody here can wait for their end.
                Some(other) => mem::forget(other),
                None => return (process, self.code.room()),
            }
        }
    }

    fn keep(&self, room: (u32, PreparedRoom)) {
        let mut all = unpoisoned(&self.rooms);
        if all.len() < MAX_ROOMS {
            all.push(room);
        }
    }

    /// Runs the code here, or on a thread of its own where that may take long.
    fn run(&self, py: Python<'_>, given: &[LentNumbers], asked: &mut [LentRoom]) -> PyResult<Result<(), CallFailure>> {
        let (stop, mut room) = (AtomicI32::new(0), self.room());
        let (code, own) = (&self.code, &mut room.1);
        let (mut done, mut raised) = (Err(CallFailure::Stopped), None);
        if code.work() <= MAX_WORK_UNWATCHED {
            done = py.detach(|| code.run(given, asked, own, &stop));
        } else {
            std::thread::scope(|scope| {
                let (end, mut ended) = channel();
                let (stop, done) = (&stop, &mut done);
                let worker = std::thread::Builder::new().spawn_scoped(scope, move || {
                    *done = code.run(given, asked, own, stop);
                    // Nobody but who waits below listens.
                    let _ = end.send(());
                });
                if worker.is_err() {
                    raised = Some(PyMemoryError::new_err("no thread can be started"));
                    return;
                }
                while let Err(RecvTimeoutError::Timeout) = {
                    let ended = &mut ended;
                    py.detach(move || ended.recv_timeout(SIGNAL_INTERVAL))
                } {
                    if let Err(signal) = py.check_signals() {
                        // It goes on to the end of its innermost loop, which reads and writes what Python has.
                        stop.store(1, Ordering::Relaxed);
                        raised = Some(signal);
                    }
                }
            });
        }
        self.keep(room);
        raised.map_or(Ok(done), Err)
    }
}

#[pymethods]
impl Native {
    #[pyo3(signature = (*arguments, **named))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = given(&self.signature, arguments, named)?;
        let call = self.prepared(py, &given)?;
        let kinds = self.signature.result.leaves.iter().map(|leaf| leaf.kind);
        let mut written: Vec<Written> =
            kinds.zip(&call.results).map(|(kind, shape)| Written::new(py, kind, shape)).collect();
        let lent: Vec<LentNumbers> = given.numbers.iter().map(|numbers| numbers.lent()).collect::<PyResult<_>>()?;
        let mut rooms: Vec<LentRoom> = written.iter_mut().map(Written::room).collect::<PyResult<_>>()?;
        let done = call.run(py, &lent, &mut rooms)?;
        match done {
            Ok(()) => {}
            Err(CallFailure::Index(number, at)) => {
                return Err(given.out_of_range(&self.signature, number, at).raised(py, None));
            }
            Err(CallFailure::Stopped) => {
                return Err(PyMemoryError::new_err("there is no room for what the call needs"));
            }
            Err(CallFailure::Unfit) => {
                let wrong =
                    Diagnostic::error(code::INTERNAL, "this is a bug in redexter: the code and its numbers don't fit");
                return Err(Failure::said("RedexterError", &wrong).raised(py, None));
            }
        }
        drop(rooms);
        if let [Written::Real(one)] = written[..] {
            return Ok(one.into_pyobject(py)?.into_any());
        }
        let values: Vec<Bound<PyAny>> = written.into_iter().map(|part| part.value(py)).collect::<PyResult<_>>()?;
        paired(py, &self.signature.result.tree, &mut values.into_iter())
    }

    /// The name of the definition.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Whether sums may be added in another order.
    #[getter]
    fn fast(&self) -> bool {
        self.fast
    }

    /// Among how many threads loops may be shared out.
    #[getter]
    fn threads(&self) -> u32 {
        self.threads
    }

    /// The parameters by their names, each with its type in words, in the order in which they are taken by place.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        parameters(py, &self.signature)
    }

    fn __repr__(&self) -> String {
        format!(
            "<redexter.Native {} fast={} threads={}>",
            self.name,
            if self.fast { "True" } else { "False" },
            self.threads
        )
    }
}

/// Parameters by name with their types.
pub fn parameters<'py>(py: Python<'py>, signature: &Signature) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    signature.parameters.iter().try_for_each(|(name, data)| all.set_item(name, &data.ty))?;
    Ok(all)
}
