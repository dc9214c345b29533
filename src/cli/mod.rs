//! Runs the command line: options are data, each subcommand is a function, and exit codes say how it ended.
//!
//! This is the only module that names clap. Results go to standard output, diagnostics to standard error; a closed pipe
//! ends the program quietly.

mod ask;
mod batch;
mod bench;
mod bug;
mod common;
mod complete;
mod grading;
mod input;
mod inputs;
mod learn;
mod man;
mod options;
mod results;
mod spelling;
mod start;
mod tasks;
mod threads;
mod trace;
mod usage_errors;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::gradbench;
use crate::repl;
use crate::terminal::{Exit, Out, catch_signals, ending};
use options::{CommandLine, Export, Task};
use redexter_language::ground::{StopReason, Trouble};
use redexter_session::session::Session;

/// Runs the program that the arguments ask for.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    ExitCode::from(exit_code(arguments))
}

/// The same for a process of another language, which ends it with the number that comes back. It catches signals from then on.
pub fn exit_code(arguments: Vec<OsString>) -> u8 {
    bug::report_panics();
    catch_signals();
    let read = CommandLine::try_parse_from(&arguments).or_else(|error| usage_errors::opened(&arguments, error));
    let exit = match read {
        Ok(line) => match usage_errors::swapped(&line, &arguments) {
            Some(right) => misused(&format!("error: the strategy stands before the model\n\n  tip: write `{right}`")),
            None => start::on_a_large_stack(line),
        },
        Err(error) => usage(&usage_errors::without_idle_tips(error, &arguments), &arguments),
    };
    ending().unwrap_or(exit.code())
}

/// Help and version go to standard output, wrong usage to standard error.
fn usage(error: &clap::Error, arguments: &[OsString]) -> Exit {
    if let ErrorKind::DisplayHelp | ErrorKind::DisplayVersion = error.kind() {
        print_help(error);
        return Exit::Done;
    }
    // Nothing can be done if standard error is gone.
    drop(error.print());
    usage_errors::remedy(error, arguments).map_or(Exit::Usage, |remedy| misused(&format!("\n  tip: {remedy}")))
}

/// Help and version, in colours where clap has them.
fn print_help(help: &clap::Error) {
    Out::new(None).written(help.print().and_then(|()| std::io::stdout().flush()));
}

fn misused(text: &str) -> Exit {
    drop(writeln!(std::io::stderr(), "{text}"));
    Exit::Usage
}

/// Does what a line asks for, in a session of its own.
fn perform(task: Task, session: &mut Session, out: &Out) -> Result<Exit, Trouble> {
    match task {
        Task::Repl(start) => {
            let mut answers = repl::Responder::new(out.clone(), start.autosave, session);
            let is_new = start.resume.is_none() && start.file.is_none();
            let resumed = start.resume.is_none_or(|name| answers.resume(session, &name));
            if !resumed || start.file.is_some_and(|file| !answers.load(session, &file)) {
                return Ok(Exit::Wrong);
            }
            answers.run(session, None, is_new);
        }
        Task::Learn(learn) => return learn.run(session, out),
        Task::Run(run) => run.run(session)?,
        Task::Check(check) => return check.run(session, out),
        Task::Fmt(fmt) => return fmt.run(session, out),
        Task::Apply(apply) => apply.targets.iter().try_for_each(|target| apply.run(session, target, out))?,
        Task::Validate(validate) => validate.run(session, out)?,
        Task::Compare(compare) => compare.run(session, out)?,
        Task::Trace(trace) => trace.run(session)?,
        Task::WhyNot(why_not) => why_not.run(session, out)?,
        Task::Ask(ask) => ask.run(session, out)?,
        Task::Eval(eval) => eval.run(session, out)?,
        Task::Export(Export::Futhark(export)) => export.run(session, out)?,
        Task::Export(Export::Jax(export)) => export.run(session, out)?,
        Task::Export(Export::C(export)) => export.run(session, out)?,
        Task::Export(Export::Nests(export)) => export.run(session, out)?,
        Task::Bench(bench) => return bench.run(session, out),
        Task::Gradbench(asked) => gradbench::answer_all(session, threads::asked(asked.threads, out), out)?,
        Task::Rules(rules) => rules.run(session, out)?,
        Task::Help(help) => help.run(session, out)?,
        Task::Man(manual) => manual.run(out)?,
        Task::Completions(wanted) => complete::script(wanted.shell, out),
        Task::Complete(asked) => asked.run(session, out),
    }
    Ok(Exit::Done)
}

/// The exit code for trouble.
fn exit_of(trouble: &Trouble) -> Exit {
    match trouble {
        Trouble::Wrong(_) => Exit::Wrong,
        Trouble::Stopped { reason: StopReason::Interrupted, .. } => Exit::Interrupted,
        Trouble::Stopped { .. } => Exit::Limit,
    }
}
