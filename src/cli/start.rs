//! From parsed arguments to a session on a stack that fits its limits.

use std::cell::RefCell;
use std::io::IsTerminal;
use std::rc::Rc;
use std::time::Duration;

use super::options::{Common, Export, Line, Task};
use super::out::{Exit, Out};
use super::{exit_of, perform};
use crate::ground::{Diagnostic, Limits, Sources, Trouble, with_stack};
use crate::render;
use crate::session::files::Files;
use crate::session::{Clock, Session, Settings, Sink};

/// In the REPL the limit on depth may be raised so many times.
const ROOM: u32 = 4;

/// Does what the line asks for on a stack that fits the limit on depth.
pub fn on_a_large_stack(line: Line) -> Exit {
    let task = line.task.unwrap_or(Task::Repl { file: None, common: Common::default() });
    let common = task.common().clone().or(line.common);
    let depth = common.max_depth.unwrap_or(Limits::default().max_depth);
    let deepest = if matches!(task, Task::Repl { .. }) { depth.saturating_mul(ROOM) } else { depth };
    let out = Out::new(common.color);
    match with_stack(deepest, move || run(task, &common, deepest, out)) {
        Ok(exit) => exit,
        Err(e) => {
            out.note(&format!("error: no memory for a nesting of {deepest}: {e}\n  = help: lower `--max-depth`\n"));
            Exit::Usage
        }
    }
}

fn run(task: Task, common: &Common, deepest: u32, out: Out) -> Exit {
    let sources = Rc::new(RefCell::new(Sources::default()));
    let fail = |trouble: Trouble| {
        out.note(&render::trouble(&trouble, &sources.borrow(), out.error_color));
        exit_of(&trouble)
    };
    let settings = match settings(&task, common, deepest, out, sources.clone()) {
        Ok(settings) => settings,
        Err(wrong) => return fail(wrong.into()),
    };
    let mut session = match Session::new(settings, sources.clone()) {
        Ok(session) => session,
        Err(trouble) => return fail(trouble),
    };
    if std::io::stderr().is_terminal() {
        session.on_progress(Box::new(move |report| out.progress(report)));
    }
    if matches!(task, Task::Repl { .. }) {
        return perform(task, &mut session, out).unwrap_or_else(fail);
    }
    session.during(|session| perform(task, session, out)).unwrap_or_else(fail)
}

fn settings(
    task: &Task,
    common: &Common,
    deepest: u32,
    out: Out,
    sources: Rc<RefCell<Sources>>,
) -> Result<Settings, Diagnostic> {
    let usual = Limits::default();
    let limits = Limits {
        max_steps: common.max_steps.unwrap_or(usual.max_steps),
        max_size: common.max_size.unwrap_or(usual.max_size),
        max_depth: common.max_depth.unwrap_or(usual.max_depth),
    };
    let files = Files::new(&common.allow)?;
    let aside = task.prints_aside();
    let clock = Clock::new(common.timeout.map(Duration::from_secs_f64));
    let files = if aside { files.read_only() } else { files };
    Ok(Settings { limits, deepest, files, clock, sink: Box::new(Printer { out, aside, sources }) })
}

impl Task {
    fn common(&self) -> &Common {
        match self {
            Task::Repl { common, .. }
            | Task::Run { common, .. }
            | Task::Check { common, .. }
            | Task::Apply { common, .. }
            | Task::Eval { common, .. }
            | Task::Rules { common, .. }
            | Task::Completions { common, .. }
            | Task::Export(Export::Futhark { common, .. }) => common,
        }
    }

    /// Whether scripts are only asked for what they define: they print on standard error and write nothing.
    fn prints_aside(&self) -> bool {
        !matches!(self, Task::Repl { .. } | Task::Run { .. })
    }
}

/// Where scripts print.
struct Printer {
    out: Out,
    aside: bool,
    sources: Rc<RefCell<Sources>>,
}

impl Sink for Printer {
    fn line(&self, text: &str) {
        if self.aside {
            self.out.note(&format!("{text}\n"));
        } else {
            self.out.line(text);
        }
    }

    fn finding(&self, finding: &Diagnostic) {
        let text = match self.sources.try_borrow() {
            Ok(sources) => render::diagnostics(std::slice::from_ref(finding), &sources, self.out.error_color),
            Err(_) => format!("warning: {}\n", finding.headline),
        };
        self.out.note(&text);
    }
}
