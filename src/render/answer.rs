//! A session's answers as text.

use std::path::Path;

use super::guides::{library, strategy};
use super::page::{Page, paged};
use super::rules::{rule, rules};
use super::steps;
use super::styled::{Look, Styled};
use super::term;
use super::work::work;
use super::{derivation, diagnostics};
use crate::ground::text::{counted, listed};
use crate::ground::{Limits, Sources, Trouble};
use crate::session::command::{COMMANDS, CommandInfo};
use crate::session::{Failed, LoadedModel, Response, Rest, Run};
use crate::syntax::print_type;

/// Runs of at most so many steps are shown whole.
const SHORT: usize = 10;

/// Of a longer run so many steps are shown at its start and at its end.
const ENDS: usize = 3;

/// An answer as text that ends in a line break; empty if there is nothing to say.
pub fn answer(response: &Response, page: impl Into<Page>) -> Styled {
    let mut text = body(response, page.into());
    if !text.is_empty() && !text.text().ends_with('\n') {
        text.plain("\n");
    }
    text
}

/// What is said to a line: results, and trouble.
pub fn reply(answer: &Result<Response, Trouble>, page: impl Into<Page>, sources: &Sources) -> (Styled, Styled) {
    let result = answer.as_ref().map_or_else(|_| Styled::default(), |response| self::answer(response, page));
    let trouble = match answer {
        Err(trouble) => diagnostics::trouble(trouble, sources),
        Ok(Response::Stopped(stopped)) => diagnostics::trouble(&stopped.trouble, sources),
        Ok(_) => Styled::default(),
    };
    (result, trouble)
}

fn body(response: &Response, page: Page) -> Styled {
    match response {
        Response::Silent | Response::Quit => Styled::default(),
        Response::Model(model) => loaded(model),
        Response::Script(path, defined) => ran(path, defined),
        Response::Value(text) | Response::Json(text) => text.as_str().into(),
        Response::Term(program) => paged(&program.term, page),
        Response::Whole(program) => term(&program.term, page.width),
        Response::Counts(counts) => super::counts(counts).into(),
        Response::Cost(cost) => work(cost),
        Response::Type(program) => print_type(program.term.ty()).into(),
        Response::Run(run) => taken(run, page),
        Response::Stopped(stopped) => stopped.run.as_ref().map_or_else(Styled::default, |run| taken(run, page)),
        Response::Derivation(view, place) => derivation::view(view, *place, page),
        Response::At { place, now, pending } => derivation::at(*place, &now.term, *pending, page),
        Response::Tagged(name) => aside(&format!("the current term is `@{name}`")),
        Response::Log(entries) => derivation::log(entries),
        Response::Difference { names, before, after } => derivation::difference(names, &before.term, &after.term, page),
        Response::NoTrace => aside("no strategy has run yet"),
        Response::Failed(failed) => failure(failed),
        Response::Finished { strategy, taken: 0 } => {
            aside(&format!("nothing is left: `{strategy}` had nothing to rewrite"))
        }
        Response::Finished { strategy, taken } => {
            aside(&format!("nothing is left: `{strategy}` was done after {}", so_many_steps(*taken)))
        }
        Response::Dropped { strategy, taken } => {
            aside(&format!("dropped `{strategy}` after {}", so_many_steps(*taken)))
        }
        Response::Moved { count, back, now, pending } => {
            let what = if *back { "took back" } else { "did again" };
            let rest = if *pending { "; its rest is pending" } else { "" };
            let head = aside(&format!("{what} {}{rest}", counted(*count, "change")));
            head.then("\n").then(paged(&now.term, page))
        }
        Response::NowhereToMove { back: true } => aside("there is nothing to take back"),
        Response::NowhereToMove { back: false } => aside("there is nothing to do again"),
        Response::Rules(found, wanted) => match (found.is_empty(), wanted) {
            (true, Some(wanted)) => aside(&format!("no rule contains `{wanted}`")),
            _ => rules(found, page.width),
        },
        Response::Rule(about) => rule(about, page.width),
        Response::Strategies { built_in, defined, libraries } => strategies(built_in, defined, libraries),
        Response::Strategy(guide) => strategy(guide, page.width),
        Response::Library(guide) => library(guide, page.width),
        Response::Written(path) => aside(&format!("wrote {}", path.display())),
        Response::Limits(limits, timeout) => settings(limits, *timeout),
        Response::Help => help(),
        Response::HelpOn(info) => help_on(info),
    }
}

fn aside(text: &str) -> Styled {
    Styled::of(Look::Aside, text)
}

fn so_many_steps(count: usize) -> String {
    counted(count, "step")
}

fn loaded(model: &LoadedModel) -> Styled {
    let mut text = Styled::of(Look::Strong, &format!("{}: {}", model.name, model.path.display())).then("\n");
    if model.definitions.is_empty() {
        text.plain("  defines nothing\n");
    }
    for (name, ty) in &model.definitions {
        text.plain(&format!("  {name} : {ty}"));
        if model.hidden.contains(name) {
            text.push(Look::Aside, &format!("  (write {}.{name}: `{name}` is taken)", model.name));
        }
        text.plain("\n");
    }
    text
}

fn ran(path: &Path, defined: &[(&str, Vec<String>)]) -> Styled {
    let names: String = defined.iter().map(|(kind, names)| format!("  {kind}: {}\n", listed(names))).collect();
    aside(&format!("ran {}", path.display())).then("\n").then(names)
}

fn taken(run: &Run, page: Page) -> Styled {
    let count = run.trace.steps.len();
    if count == 0 {
        let none = if run.earlier > 0 { "nothing is left to rewrite" } else { "there is nothing to rewrite" };
        return aside(none).then("\n").then(paged(&run.after.term, page));
    }
    let ends = if count <= SHORT { usize::MAX } else { ENDS };
    let total = run.taken();
    let state = match run.rest {
        Rest::None => format!("done after {}", so_many_steps(total)),
        Rest::Pending => format!("{} taken, more pending", so_many_steps(total)),
        Rest::Unknown => format!("{} taken", so_many_steps(total)),
    };
    let text = steps::steps(&run.trace, run.first, ends, page.width).and(Look::Aside, &state);
    match run.rest {
        Rest::Pending => text,
        Rest::None | Rest::Unknown => text.then("\n").then(paged(&run.after.term, page)),
    }
}

fn failure(failed: &Failed) -> Styled {
    let kept = match failed.taken {
        0 => "the term is unchanged".to_owned(),
        taken => format!("the term is as it was after {}", so_many_steps(taken)),
    };
    Styled::of(Look::Warning, "failed")
        .then(format!(": {}\n", failed.reason))
        .and(Look::Aside, &format!("{}\n{kept}", failed.remedy))
}

fn strategies(built_in: &[(String, String)], defined: &[String], libraries: &[(String, String)]) -> Styled {
    let mut text = Styled::default();
    if !defined.is_empty() {
        text = text.and(Look::Strong, "defined here").then("\n");
        defined.iter().for_each(|line| text.plain(&format!("  {line}\n")));
    }
    text = text.and(Look::Strong, "built in").then("\n").then(columns(built_in));
    if !libraries.is_empty() {
        text = text.and(Look::Strong, "libraries").then("\n").then(columns(libraries));
    }
    text
}

fn columns(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|(first, _)| first.chars().count()).max().unwrap_or(0);
    let line = |(first, second): &(String, String)| format!("  {first:width$}  {second}").trim_end().to_owned() + "\n";
    rows.iter().map(line).collect()
}

fn settings(limits: &Limits, timeout: Option<f64>) -> Styled {
    let timeout = timeout.map_or("none".to_owned(), |seconds| format!("{seconds} s"));
    let Limits { max_steps, max_size, max_depth } = limits;
    format!("max-steps {max_steps}\nmax-size  {max_size}\nmax-depth {max_depth}\ntimeout   {timeout}\n").into()
}

fn usage(info: &CommandInfo) -> String {
    format!(":{} {}", info.name, info.usage).trim_end().to_owned()
}

fn help() -> Styled {
    let width = COMMANDS.iter().map(|e| usage(e).chars().count()).max().unwrap_or(0);
    let mut text = Styled::from(
        "A line that is a strategy runs on the current term; one that is a term makes it current;\n\
         everything else is a statement of the script language.\n\n",
    );
    for info in COMMANDS {
        let usage = format!("{:width$}", usage(info));
        text = text.then("  ").and(Look::Rule, &usage).then(format!("  {}\n", info.summary));
    }
    text.then("\nA line that leaves a bracket or quote open goes on in the next; Tab completes names and files.\n")
}

fn help_on(info: &CommandInfo) -> Styled {
    Styled::of(Look::Rule, &usage(info)).then(format!(": {}\nexample: {}\n", info.summary, info.example))
}
