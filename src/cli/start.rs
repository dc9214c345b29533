//! Starts a session from parsed arguments, on a stack that fits its limits.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::rc::Rc;
use std::time::Duration;

use super::common::{ColorChoice, CommonArgs};
use super::options::{CommandLine, Export, ReplArgs, Task};
use super::{batch, exit_of, perform, spelling};
use crate::terminal::{Exit, Os, Out, start_anew};
use redexter_language::ground::{
    Diagnostic, LEAST_STACK_DEPTH, Limits, Nesting, Sources, Trouble, code, with_stack_for_one_of,
};
use redexter_session::session::{Session, Settings, Sink};
use redexter_telling::render;

/// The factor by which the REPL, and transcripts of it, may raise the limit on depth.
const DEPTH_FACTOR: u32 = 4;

/// The lowest limit on depth that will do where memory is short and no depth is asked for.
const MIN_DEPTH: u32 = 1_000;

/// Does what the line asks for on a stack that fits the limit on depth.
pub fn on_a_large_stack(line: CommandLine) -> Exit {
    let mut task = line.task.unwrap_or(Task::Repl(ReplArgs::default()));
    match (&mut task, line.resume) {
        (_, None) => {}
        (Task::Repl(repl), Some(name)) => repl.resume = Some(name),
        (_, Some(_)) => {
            Out::new(None).note("error: only the REPL takes up a session\n\n  tip: write `redexter --resume`\n");
            return Exit::Usage;
        }
    }
    let common = task.common().clone().or(line.common);
    let depth = common.max_depth.unwrap_or(Limits::default().max_depth);
    let sets_limits = matches!(task, Task::Repl(_) | Task::Learn(_) | Task::Check(_));
    let out = Out::new(common.color.and_then(ColorChoice::wanted));
    let depths = depths(depth, sets_limits, common.max_depth.is_none());
    let ended = match task {
        Task::Apply(apply) if apply.targets.len() > 1 => batch::each(apply, &common, depth, &out),
        task => {
            let out = out.clone();
            with_stack_for_one_of(&depths, move |deepest| run(task, &common, deepest, out, Os::start()))
        }
    };
    match ended {
        Ok(exit) => exit,
        Err(e) => {
            // A gigabyte that the allocator reserves at once may be what the stack lacks: with less of it the program may start.
            start_anew("MIMALLOC_ARENA_RESERVE", "64MiB");
            let help = if depths.last().is_some_and(|least| *least > LEAST_STACK_DEPTH) {
                "lower `--max-depth`"
            } else {
                "its stack takes 384 MB at least, whatever the depth: allow 1 GB in all, as by `ulimit -v 1000000` in another shell"
            };
            out.note(format!("error: no memory for a nesting of {depth}: {e}\n  = help: {help}\n"));
            Exit::Usage
        }
    }
}

/// The depths that the stack may be made for, the best first. Where memory is short the limit can't be raised as far,
/// or is lower than usual.
fn depths(depth: u32, is_raised: bool, may_be_lower: bool) -> Vec<u32> {
    let deepest = if is_raised { depth.saturating_mul(DEPTH_FACTOR) } else { depth };
    let least = if may_be_lower { MIN_DEPTH.min(depth) } else { depth };
    std::iter::successors(Some(deepest), |wanted| Some(wanted / 2))
        .take_while(|wanted| *wanted >= least.max(1))
        .collect()
}

/// Does what a task asks for, in a session of its own.
pub(super) fn run(task: Task, common: &CommonArgs, deepest: u32, out: Out, machine: Os) -> Exit {
    let usual = Limits::default().max_depth;
    if common.max_depth.is_none() && deepest < usual {
        out.note(format!("note: memory is short here: nesting is limited to {deepest} instead of {usual}\n"));
    }
    let sources = Rc::new(RefCell::new(Sources::default()));
    let is_prompt = task.is_prompt();
    let fail = |trouble: Trouble| {
        let trouble = if is_prompt { trouble } else { spelling::trouble(trouble) };
        out.note(render::trouble(&trouble, &sources.borrow()));
        exit_of(&trouble)
    };
    let printer = ScriptPrinter { out: out.clone(), printing: task.printing(), sources: sources.clone() };
    let is_all = !machine.is_shared();
    let mut session = match Session::new(settings(common, deepest, machine, printer), sources.clone()) {
        Ok(session) => session,
        Err(trouble) => return fail(trouble),
    };
    if common.force {
        session.force();
    }
    if std::io::stderr().is_terminal() {
        let out = out.clone();
        session.on_progress(Box::new(move |report| out.progress(report)));
    }
    let done = match is_prompt {
        true => perform(task, &mut session, &out),
        false => session.since(Duration::ZERO, |session| perform(task, session, &out)),
    };
    let exit = done.unwrap_or_else(fail);
    if is_all {
        // The process ends: it needn't give back what nobody reads any more.
        std::mem::forget(session);
    }
    exit
}

fn settings(common: &CommonArgs, deepest: u32, machine: Os, printer: ScriptPrinter) -> Settings {
    let usual = Limits::default();
    let limits = Limits {
        max_steps: common.max_steps.unwrap_or(usual.max_steps),
        max_size: common.max_size.unwrap_or(usual.max_size),
        max_depth: common.max_depth.unwrap_or(usual.max_depth).min(deepest),
    };
    Settings {
        limits,
        nesting: Nesting { terms: deepest, ..Nesting::default() },
        system: Rc::new(machine),
        allowed: common.allow.clone(),
        writing: printer.printing == ScriptOutput::Out,
        bare: common.bare,
        timeout: timeout(common),
        memory: common.max_memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
        sink: Box::new(printer),
    }
}

/// The time that the line allows.
pub(super) fn timeout(common: &CommonArgs) -> Option<Duration> {
    common.timeout.map(Duration::from_secs_f64)
}

impl Task {
    fn common(&self) -> &CommonArgs {
        match self {
            Task::Repl(repl) => &repl.common,
            Task::Learn(learn) => &learn.common,
            Task::Run(run) => &run.common,
            Task::Check(check) => &check.common,
            Task::Fmt(fmt) => &fmt.common,
            Task::Apply(apply) => &apply.common,
            Task::Validate(validate) => &validate.asked.common,
            Task::Compare(compare) => &compare.asked.common,
            Task::Trace(trace) => &trace.common,
            Task::WhyNot(why_not) => &why_not.asked.common,
            Task::Ask(ask) => &ask.asked.common,
            Task::Eval(eval) => &eval.common,
            Task::Bench(bench) => &bench.common,
            Task::Gradbench(gradbench) => &gradbench.common,
            Task::Rules(rules) => &rules.common,
            Task::Help(help) => &help.common,
            Task::Man(manual) => &manual.common,
            Task::Completions(completions) => &completions.common,
            Task::Complete(complete) => &complete.common,
            Task::Export(Export::Futhark(export)) => &export.common,
            Task::Export(Export::Jax(export)) => &export.common,
            Task::Export(Export::C(export)) => &export.common,
            Task::Export(Export::Nests(export)) => &export.common,
        }
    }

    /// Whether it reads lines, each a piece of work of its own.
    fn is_prompt(&self) -> bool {
        match self {
            Task::Repl(_) | Task::Gradbench(_) => true,
            Task::Learn(learn) => learn.is_prompt(),
            _ => false,
        }
    }

    fn printing(&self) -> ScriptOutput {
        match self {
            Task::Repl(_) | Task::Learn(_) | Task::Run(_) => ScriptOutput::Out,
            Task::Validate(_) | Task::Compare(_) | Task::Trace(_) | Task::WhyNot(_) | Task::Ask(_) => {
                ScriptOutput::Nothing
            }
            _ => ScriptOutput::Aside,
        }
    }
}

/// The stream on which scripts print. Those that are only asked for what they define write nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScriptOutput {
    /// On standard output.
    Out,
    /// On standard error.
    Aside,
    /// Nowhere: what they print of their own terms is no answer to a question about another.
    Nothing,
}

/// Prints what scripts print and what is found in them.
struct ScriptPrinter {
    out: Out,
    printing: ScriptOutput,
    sources: Rc<RefCell<Sources>>,
}

impl Sink for ScriptPrinter {
    fn line(&self, text: &str) {
        match self.printing {
            ScriptOutput::Out => self.out.line(text),
            ScriptOutput::Aside => self.out.note(format!("{text}\n")),
            ScriptOutput::Nothing => {}
        }
    }

    fn finding(&self, finding: &Diagnostic) {
        if self.printing != ScriptOutput::Nothing || finding.code != code::UNWRITABLE {
            self.out.note(render::finding(finding, &self.sources));
        }
    }
}
