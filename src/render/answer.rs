//! A session's answers as text.

use std::path::Path;

use super::page::{Page, paged};
use super::rules::{rule, rules};
use super::steps;
use super::term;
use super::theme::{Look, paint};
use super::work::work;
use crate::ground::Limits;
use crate::ground::text::{counted, listed};
use crate::session::command::{COMMANDS, Entry};
use crate::session::{Failed, Model, Response, Rest, Run};
use crate::syntax::print_type;

/// Runs of at most so many steps are shown whole.
const SHORT: usize = 10;

/// Of a longer run so many steps are shown at its start and at its end.
const ENDS: usize = 3;

/// An answer as text that ends in a line break; empty if there is nothing to say.
pub fn answer(response: &Response, page: impl Into<Page>, colour: bool) -> String {
    let mut text = body(response, page.into(), colour);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn body(response: &Response, page: Page, colour: bool) -> String {
    let width = page.width;
    let aside = |text: String| paint(Look::Aside, &text, colour);
    match response {
        Response::Silent | Response::Quit => String::new(),
        Response::Model(model) => loaded(model, colour),
        Response::Script(path, defined) => ran(path, defined, colour),
        Response::Value(text) | Response::Json(text) => text.clone(),
        Response::Term(program) => paged(&program.term, page, colour),
        Response::Whole(program) => term(&program.term, width, colour),
        Response::Counts(counts) => super::counts(counts),
        Response::Cost(cost) => work(cost, colour),
        Response::Type(program) => print_type(program.term.ty()),
        Response::Run(run) => taken(run, page, colour),
        Response::Stopped(stopped) => stopped.run.as_ref().map_or_else(String::new, |run| taken(run, page, colour)),
        Response::Trace(run) => every_step(run, page, colour),
        Response::NoTrace => aside("no strategy has run yet".to_owned()),
        Response::Failed(failed) => failure(failed, colour),
        Response::Finished { strategy, taken: 0 } => {
            aside(format!("nothing is left: `{strategy}` had nothing to rewrite"))
        }
        Response::Finished { strategy, taken } => {
            aside(format!("nothing is left: `{strategy}` was done after {}", so_many_steps(*taken)))
        }
        Response::Dropped { strategy, taken } => aside(format!("dropped `{strategy}` after {}", so_many_steps(*taken))),
        Response::Moved { count, back, now, pending } => {
            let what = if *back { "took back" } else { "did again" };
            let rest = if *pending { "; its rest is pending" } else { "" };
            let head = aside(format!("{what} {}{rest}", counted(*count, "change")));
            format!("{head}\n{}", paged(&now.term, page, colour))
        }
        Response::NowhereToMove { back: true } => aside("there is nothing to take back".to_owned()),
        Response::NowhereToMove { back: false } => aside("there is nothing to do again".to_owned()),
        Response::Rules(found, wanted) => match (found.is_empty(), wanted) {
            (true, Some(wanted)) => aside(format!("no rule contains `{wanted}`")),
            _ => rules(found, width, colour),
        },
        Response::Rule(info, example) => rule(info, example.as_ref(), width, colour),
        Response::Strategies { built_in, defined } => strategies(built_in, defined, colour),
        Response::Written(path) => aside(format!("wrote {}", path.display())),
        Response::Limits(limits, timeout) => settings(limits, *timeout),
        Response::Help => help(colour),
        Response::HelpOn(entry) => help_on(entry, colour),
    }
}

fn so_many_steps(count: usize) -> String {
    counted(count, "step")
}

fn loaded(model: &Model, colour: bool) -> String {
    let head = format!("{}: {}", model.name, model.path.display());
    let mut text = paint(Look::Strong, &head, colour) + "\n";
    if model.definitions.is_empty() {
        text += "  defines nothing\n";
    }
    for (name, ty) in &model.definitions {
        let note = match model.hidden.contains(name) {
            true => paint(Look::Aside, &format!("  (write {}.{name}: `{name}` is taken)", model.name), colour),
            false => String::new(),
        };
        text.push_str(&format!("  {name} : {ty}{note}\n"));
    }
    text
}

fn ran(path: &Path, defined: &[(&str, Vec<String>)], colour: bool) -> String {
    let mut text = paint(Look::Aside, &format!("ran {}", path.display()), colour) + "\n";
    for (kind, names) in defined {
        text.push_str(&format!("  {kind}: {}\n", listed(names)));
    }
    text
}

fn taken(run: &Run, page: Page, colour: bool) -> String {
    let count = run.trace.steps.len();
    if count == 0 {
        let none = if run.first > 1 { "nothing is left to rewrite" } else { "there is nothing to rewrite" };
        return format!("{}\n{}", paint(Look::Aside, none, colour), paged(&run.after.term, page, colour));
    }
    let ends = if count <= SHORT { usize::MAX } else { ENDS };
    let mut text = steps::steps(&run.trace, run.first, ends, page.width, colour);
    let total = run.taken();
    let state = match run.rest {
        Rest::None => format!("done after {}", so_many_steps(total)),
        Rest::Pending => format!("{} taken, more pending", so_many_steps(total)),
        Rest::Unknown => format!("{} taken", so_many_steps(total)),
    };
    text.push_str(&paint(Look::Aside, &state, colour));
    match run.rest {
        Rest::Pending => text,
        Rest::None | Rest::Unknown => format!("{text}\n{}", paged(&run.after.term, page, colour)),
    }
}

fn every_step(run: &Run, page: Page, colour: bool) -> String {
    if run.trace.steps.is_empty() {
        return paint(Look::Aside, &format!("`{}` took no step", run.strategy), colour);
    }
    let steps = steps::trace(&run.trace, run.first, page.width, colour);
    format!("{steps}{}", paged(&run.after.term, page, colour))
}

fn failure(failed: &Failed, colour: bool) -> String {
    let mut text = format!("{}: {}\n", paint(Look::Warning, "failed", colour), failed.reason);
    let kept = match failed.taken {
        0 => "the term is unchanged".to_owned(),
        taken => format!("the term is as it was after {}", so_many_steps(taken)),
    };
    text.push_str(&paint(Look::Aside, &format!("{}\n{kept}", failed.remedy), colour));
    text
}

fn strategies(built_in: &[(String, String)], defined: &[String], colour: bool) -> String {
    let mut text = String::new();
    if !defined.is_empty() {
        text.push_str(&paint(Look::Strong, "defined here", colour));
        text.push('\n');
        defined.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    text.push_str(&paint(Look::Strong, "built in", colour));
    text.push('\n');
    let width = built_in.iter().map(|(usage, _)| usage.chars().count()).max().unwrap_or(0);
    built_in.iter().for_each(|(usage, doc)| text.push_str(&format!("  {usage:width$}  {doc}\n")));
    text
}

fn settings(limits: &Limits, timeout: Option<f64>) -> String {
    let timeout = timeout.map_or("none".to_owned(), |seconds| format!("{seconds} s"));
    let Limits { max_steps, max_size, max_depth } = limits;
    format!("max-steps {max_steps}\nmax-size  {max_size}\nmax-depth {max_depth}\ntimeout   {timeout}\n")
}

fn usage(entry: &Entry) -> String {
    format!(":{} {}", entry.name, entry.usage).trim_end().to_owned()
}

fn help(colour: bool) -> String {
    let width = COMMANDS.iter().map(|e| usage(e).chars().count()).max().unwrap_or(0);
    let mut text = String::from(
        "A line that is a strategy runs on the current term; one that is a term makes it current;\n\
         everything else is a statement of the script language.\n\n",
    );
    for entry in COMMANDS {
        let usage = format!("{:width$}", usage(entry));
        text.push_str(&format!("  {}  {}\n", paint(Look::Rule, &usage, colour), entry.summary));
    }
    text.push_str("\nA line that leaves a bracket or quote open goes on in the next; Tab completes names and files.\n");
    text
}

fn help_on(entry: &Entry, colour: bool) -> String {
    format!("{}: {}\nexample: {}\n", paint(Look::Rule, &usage(entry), colour), entry.summary, entry.example)
}
