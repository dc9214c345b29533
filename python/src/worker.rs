//! Runs a session on a thread of its own: pieces of work come in, one after another, and what Python holds stays there.
//!
//! Who waits for an answer holds no lock of the interpreter, and looks for Ctrl-C meanwhile: then the work is told to end, and
//! its answer isn't waited for.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pyo3::prelude::*;

use crate::failure::{Failure, Said};
use crate::machine::Machine;
use redexter::ground::bug::{Bug, contained};
use redexter::ground::{Budget, Diagnostic, Limits, Nesting, Sources, Trouble, code, with_stack_for_one_of};
use redexter::session::{Session, Settings, Sink};

/// How often is looked for Ctrl-C by who waits.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// The lowest limit on depth that will do where memory is short and no depth is asked for.
const MIN_DEPTH: u32 = 1_000;

/// What a session may take from its beginning on.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    /// The limits of each run, where they aren't the usual ones.
    pub max_steps: Option<u64>,
    /// Nodes of a term.
    pub max_size: Option<u64>,
    /// Nesting.
    pub max_depth: Option<u32>,
    /// Time of a piece of work.
    pub timeout: Option<Duration>,
    /// Bytes that may be held.
    pub max_memory: Option<u64>,
    /// Folders that scripts may use besides the current one.
    pub folders: Vec<PathBuf>,
}

/// What a piece of work has at hand.
pub struct Bench {
    /// The session.
    pub session: Session,
    /// Its machine.
    pub machine: Rc<Machine>,
    /// Its texts.
    pub sources: Rc<RefCell<Sources>>,
    kept: HashMap<u64, Rc<dyn Any>>,
    next: u64,
    said: Rc<RefCell<Vec<Said>>>,
}

type Job = Box<dyn FnOnce(&mut Result<Bench, Failure>) + Send>;

enum Message {
    Job(Job, Arc<AtomicBool>),
    Forget(u64),
}

/// The thread of a session.
pub struct Worker {
    jobs: Sender<Message>,
    /// A process that was forked off has no such thread.
    process: u32,
}

/// Something that a session's thread keeps for Python, by its number.
pub struct Kept<T> {
    worker: Arc<Worker>,
    token: Token<T>,
}

/// The number of something that is kept, which goes to the thread with a piece of work.
pub struct Token<T> {
    number: u64,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Token<T> {
    fn clone(&self) -> Token<T> {
        *self
    }
}

impl<T> Copy for Token<T> {}

impl<T> Kept<T> {
    /// Its session's thread.
    pub fn worker(&self) -> &Arc<Worker> {
        &self.worker
    }

    /// Its number.
    pub fn token(&self) -> Token<T> {
        self.token
    }
}

impl<T> Drop for Kept<T> {
    fn drop(&mut self) {
        // Nobody listens where the session has ended.
        let _ = self.worker.jobs.send(Message::Forget(self.token.number));
    }
}

/// Takes what scripts print, and the findings that don't stop them.
struct Gathered {
    said: Rc<RefCell<Vec<Said>>>,
    sources: Rc<RefCell<Sources>>,
}

impl Sink for Gathered {
    fn line(&self, text: &str) {
        self.said.borrow_mut().push(Said::Line(text.to_owned()));
    }

    fn finding(&self, finding: &Diagnostic) {
        let told = Said::finding(finding, &self.sources.borrow());
        self.said.borrow_mut().push(told);
    }
}

impl Bench {
    fn new(allowed: Allowed, deepest: u32) -> Result<Bench, Failure> {
        let (machine, sources, said) = (Machine::start(), Rc::new(RefCell::new(Sources::default())), Rc::default());
        let usual = Limits::default();
        let limits = Limits {
            max_steps: allowed.max_steps.unwrap_or(usual.max_steps),
            max_size: allowed.max_size.unwrap_or(usual.max_size),
            max_depth: allowed.max_depth.unwrap_or(usual.max_depth).min(deepest),
        };
        let settings = Settings {
            limits,
            nesting: Nesting { terms: deepest, ..Nesting::default() },
            allowed: allowed.folders,
            timeout: allowed.timeout,
            memory: allowed.max_memory,
            sink: Box::new(Gathered { said: Rc::clone(&said), sources: sources.clone() }),
            ..Settings::quiet(machine.clone())
        };
        let made = Session::new(settings, sources.clone());
        let session = made.map_err(|trouble| Failure::of(trouble, &sources.borrow()))?;
        Ok(Bench { session, machine, sources, kept: HashMap::new(), next: 0, said })
    }

    /// Keeps something for Python.
    pub fn keep<T: 'static>(&mut self, it: T) -> Token<T> {
        let number = self.next;
        self.next += 1;
        self.kept.insert(number, Rc::new(it));
        Token { number, of: PhantomData }
    }

    /// What is kept under a number.
    pub fn get<T: 'static>(&self, token: Token<T>) -> Result<Rc<T>, Failure> {
        let found = self.kept.get(&token.number).cloned().and_then(|it| it.downcast().ok());
        found.ok_or_else(|| {
            let lost = Bug { message: "something that Python holds isn't kept".to_owned(), place: None };
            Failure::bug(&lost, "this call")
        })
    }

    /// Does work in the session, under its clock and limits. After a bug in it the session is as it was.
    pub fn doing<T>(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut Session) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        self.session.doing(what, work).map_err(|trouble| Failure::of(trouble, &self.sources.borrow()))
    }

    /// The same for what a budget is asked for, too, while texts are written under another one.
    pub fn telling<T>(
        &mut self,
        what: &str,
        tell: impl FnOnce(&Session, &Budget) -> Result<T, Trouble>,
    ) -> Result<T, Failure> {
        self.session.telling(what, tell).map_err(|trouble| Failure::of(trouble, &self.sources.borrow()))
    }

    /// What went wrong, in its words.
    pub fn failed(&self, wrong: impl Into<Trouble>) -> Failure {
        Failure::of(wrong.into(), &self.sources.borrow())
    }
}

impl Worker {
    /// Starts a thread, and on it a session.
    pub fn start(allowed: Allowed) -> Arc<Worker> {
        let (send, receive) = channel();
        let worker = Worker { jobs: send, process: std::process::id() };
        std::thread::spawn(move || serve_on_a_large_stack(allowed, receive));
        Arc::new(worker)
    }

    /// Names something that the thread keeps.
    pub fn kept<T>(self: &Arc<Worker>, token: Token<T>) -> Kept<T> {
        Kept { worker: self.clone(), token }
    }

    /// Has the thread do some work, and waits for its answer; what the work said beside that is passed on.
    pub fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Bench) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        self.attempt(py, work)?.map_err(|failure| failure.raised(py, None))
    }

    /// The same; what is wrong comes back as it is.
    pub fn attempt<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Bench) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<Result<T, Failure>> {
        if self.process != std::process::id() {
            return Err(elsewhere().raised(py, None));
        }
        let (answer, mut answered) = channel();
        let interrupt = Arc::new(AtomicBool::new(false));
        let job = move |bench: &mut Result<Bench, Failure>| {
            let done = match bench {
                Ok(bench) => {
                    bench.said.borrow_mut().clear();
                    let done = contained(|| work(bench)).unwrap_or_else(|bug| Err(Failure::bug(&bug, "this call")));
                    (done, bench.said.take())
                }
                Err(failure) => (Err(failure.clone()), Vec::new()),
            };
            // Nobody listens where the call was interrupted.
            let _ = answer.send(done);
        };
        if self.jobs.send(Message::Job(Box::new(job), interrupt.clone())).is_err() {
            return Err(ended().raised(py, None));
        }
        loop {
            let waiting = &mut answered;
            match py.detach(move || waiting.recv_timeout(SIGNAL_INTERVAL)) {
                Ok((done, said)) => {
                    said.into_iter().try_for_each(|one| one.pass_on(py))?;
                    return Ok(done);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(raised) = py.check_signals() {
                        interrupt.store(true, Ordering::Relaxed);
                        return Err(raised);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err(ended().raised(py, None)),
            }
        }
    }
}

/// An error where two things belong to different sessions.
pub fn same_session(one: &Arc<Worker>, other: &Arc<Worker>, py: Python<'_>) -> PyResult<()> {
    if Arc::ptr_eq(one, other) {
        return Ok(());
    }
    let wrong = Diagnostic::error(code::COMMAND, "what is given belongs to another session");
    Err(Failure::said("RedexterError", &wrong.help("load it in the same one")).raised(py, None))
}

fn elsewhere() -> Failure {
    let wrong =
        Diagnostic::error(code::COMMAND, "this belongs to a session of the process that this one was forked from");
    Failure::said("RedexterError", &wrong.help("load models behind the fork, or start processes by `spawn`"))
}

fn ended() -> Failure {
    let wrong = Diagnostic::error(code::COMMAND, "the session has ended");
    Failure::said("RedexterError", &wrong.help("begin another one: `redexter.Session()`"))
}

/// Serves on a stack that fits the limit on depth, or a lower one where memory is short.
fn serve_on_a_large_stack(allowed: Allowed, jobs: Receiver<Message>) {
    let wanted = allowed.max_depth.unwrap_or(Limits::default().max_depth).max(1);
    let least = if allowed.max_depth.is_none() { MIN_DEPTH.min(wanted) } else { wanted };
    let depths: Vec<u32> =
        std::iter::successors(Some(wanted), |depth| Some(depth / 2)).take_while(|depth| *depth >= least).collect();
    // Who asks a session for which there is no memory is told that it has ended.
    let _ = with_stack_for_one_of(&depths, move |deepest| serve(&jobs, Bench::new(allowed, deepest)));
}

/// Does work until nobody holds the session.
fn serve(jobs: &Receiver<Message>, mut bench: Result<Bench, Failure>) {
    while let Ok(message) = jobs.recv() {
        match message {
            Message::Job(job, interrupt) => {
                if let Ok(bench) = &bench {
                    bench.machine.begin(interrupt.clone());
                }
                // What was interrupted while it waited isn't begun.
                if !interrupt.load(Ordering::Relaxed) {
                    job(&mut bench);
                }
            }
            Message::Forget(number) => {
                if let Ok(bench) = &mut bench {
                    bench.kept.remove(&number);
                }
            }
        }
    }
}
