//! The command line: options as data, one function per subcommand, exit codes.
//!
//! This is the only room that names clap. Results go to standard output, diagnostics to standard error; a closed pipe
//! ends the program quietly.

mod bug;
mod options;
mod start;
mod tasks;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::ground::{StopReason, Trouble};
use crate::repl;
use crate::session::Session;
use crate::terminal::{Exit, Out, catch_interrupts};
use options::{Export, Line, Task};

/// Runs the program that the arguments ask for.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    bug::report_panics();
    catch_interrupts();
    let exit = match Line::try_parse_from(arguments) {
        Ok(line) => start::on_a_large_stack(line),
        Err(e) => usage(&e),
    };
    ExitCode::from(exit.code())
}

/// Help and version go to standard output, wrong usage to standard error.
fn usage(error: &clap::Error) -> Exit {
    // A closed pipe is no reason to complain.
    drop(error.print());
    if let Some(file) = unknown_file(error) {
        drop(writeln!(std::io::stderr(), "\n  tip: did you mean `redexter {file}`?"));
    }
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Done,
        _ => Exit::Usage,
    }
}

/// What to write where a file's name stands in the place of a subcommand.
fn unknown_file(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let task = if word.ends_with(".arr") { "repl" } else { word.ends_with(".strat").then_some("run")? };
    Some(format!("{task} {word}"))
}

/// Does what a line asks for, in a session of its own.
fn perform(task: Task, session: &mut Session, out: Out) -> Result<Exit, Trouble> {
    match task {
        Task::Repl(start) => {
            if let Some(file) = start.file {
                repl::load(session, &file, out);
            }
            repl::run(session, out);
        }
        Task::Run(run) => session.run_script(&run.script, &run.args)?,
        Task::Check(check) => return check.run(session, out),
        Task::Fmt(fmt) => return fmt.run(session, out),
        Task::Apply(apply) => apply.run(session, out)?,
        Task::Eval(eval) => eval.run(session, out)?,
        Task::Export(Export::Futhark(export)) => export.run(session, out)?,
        Task::Rules(rules) => rules.run(session, out)?,
        Task::Completions(wanted) => tasks::completions(wanted.shell, out),
    }
    Ok(Exit::Done)
}

/// How trouble ends the program.
fn exit_of(trouble: &Trouble) -> Exit {
    match trouble {
        Trouble::Wrong(_) => Exit::Wrong,
        Trouble::Stopped { reason: StopReason::Interrupted, .. } => Exit::Interrupted,
        Trouble::Stopped { .. } => Exit::Limit,
    }
}
