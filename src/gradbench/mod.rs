//! Speaks GradBench's protocol: it reads a message from each line of the standard input, and writes an answer to each on the
//! standard output.
//!
//! Functions are derived and made ready once, when their module is defined; an evaluation's runs are timed one by one, and
//! reading and writing isn't. Whatever a line holds, there is an answer to it.

mod evals;
mod input;
mod json;
mod lines;
mod output;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::terminal::Out;
use evals::{MODULES, SuiteFunction, SuiteModule};
use json::{ProtocolJson, quoted, read, write_number};
use lines::{InputLine, InputLines};
use redexter_language::ground::{Name, StopReason, Trouble};
use redexter_running::bench::{RunMethod, Runner, TimingPlan};
use redexter_running::native::ThreadLimits;
use redexter_session::session::{self, Session};

/// A tool's name, as the suite shows it.
const TOOL: &str = "redexter";

/// The most runs that an evaluation may ask for.
const MAX_RUNS: u64 = 1_000_000;

/// The most seconds that an evaluation may ask its runs to take together.
const MAX_SECONDS: f64 = 86_400.0;

/// The reason why there is no result.
enum EvaluationError {
    /// An error, which is the answer; then the next message is read.
    Said(String),
    /// Ctrl-C.
    Interrupted(Trouble),
}

impl From<String> for EvaluationError {
    fn from(said: String) -> EvaluationError {
        EvaluationError::Said(said)
    }
}

impl From<Trouble> for EvaluationError {
    fn from(trouble: Trouble) -> EvaluationError {
        match trouble {
            Trouble::Wrong(all) => {
                EvaluationError::Said(all.iter().map(|wrong| wrong.headline.clone()).collect::<Vec<_>>().join("; "))
            }
            Trouble::Stopped { reason: StopReason::Interrupted, .. } => EvaluationError::Interrupted(trouble),
            Trouble::Stopped { reason, .. } => EvaluationError::Said(reason.to_string()),
        }
    }
}

/// Answers messages until there are no more; functions run on these threads.
pub fn answer_all(session: &mut Session, threads: ThreadLimits, out: &Out) -> Result<(), Trouble> {
    let mut tool = Tool { session, threads, out, ready: BTreeMap::new() };
    let mut lines = InputLines::new(std::io::stdin().lock());
    while let Some(line) = lines.next() {
        let (answer, interrupted) = match line {
            InputLine::Text(text) => tool.answer(&text),
            InputLine::Long(most) => (failed("null", &format!("a message has more than {most} bytes")), None),
        };
        out.as_it_is(&(answer + "\n"));
        if let Some(trouble) = interrupted {
            return Err(trouble);
        }
    }
    Ok(())
}

fn failed(id: &str, error: &str) -> String {
    format!("{{\"id\":{id},\"success\":false,\"error\":{}}}", quoted(error))
}

/// The tool that answers messages, with the functions that are ready to run.
struct Tool<'s> {
    session: &'s mut Session,
    threads: ThreadLimits,
    out: &'s Out,
    /// Functions by their targets.
    ready: BTreeMap<&'static str, Runner>,
}

impl Tool<'_> {
    /// The answer to a message, and the trouble after which there are no more.
    fn answer(&mut self, text: &[u8]) -> (String, Option<Trouble>) {
        let message = match read(text) {
            Ok(message) => message,
            Err(wrong) => return (failed("null", &wrong), None),
        };
        let id = id(&message);
        let done = match message.text("kind") {
            Some("start") => Ok(format!("{{\"id\":{id},\"tool\":\"{TOOL}\"}}")),
            Some("define") => self.define(&message).map(|()| format!("{{\"id\":{id},\"success\":true}}")),
            Some("evaluate") => {
                self.evaluate(&message).map(|result| format!("{{\"id\":{id},\"success\":true,{result}}}"))
            }
            _ => Ok(format!("{{\"id\":{id}}}")),
        };
        match done {
            Ok(answer) => (answer, None),
            Err(EvaluationError::Said(error)) => (failed(&id, &error), None),
            Err(EvaluationError::Interrupted(trouble)) => (failed(&id, "interrupted"), Some(trouble)),
        }
    }

    fn define(&mut self, message: &ProtocolJson) -> Result<(), EvaluationError> {
        module(message)?.functions.iter().try_for_each(|function| self.make_ready(function))
    }

    /// Derives and compiles a function, unless that is done; without a compiler it runs in blocks, and that is said.
    fn make_ready(&mut self, function: &SuiteFunction) -> Result<(), EvaluationError> {
        if self.ready.contains_key(function.target) {
            return Ok(());
        }
        let (threads, out) = (self.threads, self.out);
        let runner = self.session.during(|session| -> Result<Runner, Trouble> {
            let program = session::target_after(session, function.target, function.strategy)?;
            let (name, budget) = (Name::new(function.name), session.budget());
            let runner = match Runner::new(RunMethod::Fast, threads, &name, &program, &budget)? {
                Ok(runner) => {
                    runner.warning().into_iter().for_each(|warning| out.note(format!("{warning}\n")));
                    Ok(runner)
                }
                Err(reason) => {
                    out.note(format!("without a compiler: {reason}\n"));
                    Runner::new(RunMethod::Blocks, threads, &name, &program, &budget)?
                }
            };
            runner.map_err(|reason| {
                redexter_language::ground::Diagnostic::error(redexter_language::ground::code::NOT_EXPORTABLE, reason)
                    .into()
            })
        })?;
        self.ready.insert(function.target, runner);
        Ok(())
    }

    /// The output and the timings.
    fn evaluate(&mut self, message: &ProtocolJson) -> Result<String, EvaluationError> {
        let module = module(message)?;
        let named = message.text("function").unwrap_or_default();
        let function = module.functions.iter().find(|function| function.name == named).ok_or_else(not_implemented)?;
        let json = message.get("input").ok_or_else(|| "there is no `input`".to_owned())?;
        let (often, input) = (often(json)?, input::input(function.given, json)?);
        self.make_ready(function)?;
        let Some(runner) = self.ready.get(function.target) else { return Err(not_implemented().into()) };
        let sizes = &input.sizes;
        let mut times = Vec::new();
        let run = |session: &mut Session| runner.run(input.words, sizes, often, &session.budget(), &mut times);
        let words = self.session.during(run)?;
        let output = output::output(&function.answer, &words, sizes);
        Ok(format!("\"output\":{output},\"timings\":{}", timings(&times)))
    }
}

fn not_implemented() -> String {
    "not implemented".to_owned()
}

fn module(message: &ProtocolJson) -> Result<&'static SuiteModule, String> {
    let named = message.text("module").unwrap_or_default();
    MODULES.iter().find(|module| module.name == named).ok_or_else(not_implemented)
}

/// The message's number, as it is sent back.
fn id(message: &ProtocolJson) -> String {
    match message.get("id") {
        Some(ProtocolJson::Number(x)) => {
            let mut id = String::new();
            write_number(*x, &mut id);
            id
        }
        Some(ProtocolJson::Text(text)) => quoted(text),
        _ => "null".to_owned(),
    }
}

/// The number of runs, and the time for them, that an input asks for.
fn often(input: &ProtocolJson) -> Result<TimingPlan, String> {
    let runs = match input.get("min_runs") {
        None => 1,
        Some(_) => input
            .whole("min_runs")
            .filter(|runs| *runs <= MAX_RUNS)
            .ok_or_else(|| format!("`min_runs` should be a whole number up to {MAX_RUNS}"))?,
    };
    let seconds = match input.get("min_seconds") {
        None => 0.0,
        Some(ProtocolJson::Number(x)) if (0.0..=MAX_SECONDS).contains(x) => *x,
        Some(_) => return Err(format!("`min_seconds` should be a number up to {MAX_SECONDS}")),
    };
    Ok(TimingPlan { runs, time: Duration::from_secs_f64(seconds), calls: 1 })
}

fn timings(times: &[Duration]) -> String {
    let one = |time: &Duration| format!("{{\"name\":\"evaluate\",\"nanoseconds\":{}}}", time.as_nanos());
    format!("[{}]", times.iter().map(one).collect::<Vec<_>>().join(","))
}
