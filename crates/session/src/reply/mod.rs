//! Lays out a session's answers as text.

mod guides;
mod help;
mod lessons;
mod markdown;
mod rules;

use std::path::Path;

pub use crate::session::markdown::{InlineStyle, MarkdownBlock, blocks, spans};
use crate::session::{Allowance, LoadedModel, Reloaded, Response, Restored};
use guides::{library, strategy};
pub use lessons::{brief, said, typed_goal, wanted};
use markdown::entries;
use redexter_language::ground::text::{counted, listed};
use redexter_language::ground::{Limits, Sources, Trouble};
use redexter_language::syntax::print_type;
use redexter_telling::render::{Look, PageLayout, Styled, counts, in_focus, paged, term, trouble, walk, work};
pub use rules::{rule, rules};

/// An answer as text that ends in a line break; empty if there is nothing to say.
pub fn answer(response: &Response, page: impl Into<PageLayout>) -> Styled {
    let mut text = body(response, page.into());
    if !text.is_empty() && !text.text().ends_with('\n') {
        text.plain("\n");
    }
    text
}

/// The texts of an answer to a line: results, and trouble.
pub fn reply(answer: &Result<Response, Trouble>, page: impl Into<PageLayout>, sources: &Sources) -> (Styled, Styled) {
    let result = answer.as_ref().map_or_else(|_| Styled::default(), |response| self::answer(response, page));
    let wrong = answer.as_ref().map_or_else(Some, Response::trouble);
    (result, wrong.map_or_else(Styled::default, |wrong| trouble(wrong, sources)))
}

fn body(response: &Response, page: PageLayout) -> Styled {
    match response {
        Response::Silent | Response::Quit => Styled::default(),
        Response::Model(model) => loaded(model),
        Response::Script(path, defined) => ran(path, defined),
        Response::Restored(session) => restored(session, page),
        Response::Reloaded(files, _) => reloaded(files),
        Response::Value(text) | Response::Json(text) => text.as_str().into(),
        Response::Term(program) => paged(&program.term, page),
        Response::Whole(program) => term(&program.term, page.width),
        Response::Part(focus) => in_focus(focus, page.width.into()),
        Response::Counts(of) => counts(of).into(),
        Response::Cost(cost, memory, unknown) => work(cost, memory, unknown.as_deref()),
        Response::Type(program) => print_type(program.term.ty()).into(),
        Response::Walk(answer) => walk(answer, page),
        Response::Rules(found, wanted) => match (found.is_empty(), wanted) {
            (true, Some(wanted)) => Styled::aside(&format!("no rule contains `{wanted}`")),
            _ => rules(found, page.width),
        },
        Response::Rule(about) => rule(about, page.width),
        Response::Strategies { built_in, defined, libraries } => strategies(built_in, defined, libraries, page.width),
        Response::Strategy(guide) => strategy(guide, page.width),
        Response::Library(guide) => library(guide, page.width),
        Response::Written(path) | Response::Drawn(path, _) => Styled::aside(&format!("wrote {}", path.display())),
        Response::Limits(allowance) => settings(allowance),
        Response::Lesson(said) => lessons::lecture(said, page),
        Response::Help => help::help(page.width),
        Response::HelpOn(found) => help::help_on(found, page.width),
        Response::Mentions(wanted, found) => help::mentions(wanted, found, page.width),
    }
}

fn loaded(model: &LoadedModel) -> Styled {
    let mut text = Styled::of(Look::Strong, &format!("{}: {}", model.name, model.path.display())).then("\n");
    if model.definitions.is_empty() {
        text.plain("  defines nothing\n");
    }
    for (name, ty) in &model.definitions {
        text.plain(&format!("  {name} : {ty}\n"));
    }
    for (name, other) in &model.hides {
        text = text.and(Look::Note, &format!("`{name}` is this one now; the one before is `{other}`")).then("\n");
    }
    for name in &model.hidden {
        let taken = format!("`{name}` is something else already: write `{}.{name}`", model.name);
        text = text.and(Look::Note, &taken).then("\n");
    }
    text
}

fn ran(path: &Path, defined: &[(&str, Vec<String>)]) -> Styled {
    let names: String = defined.iter().map(|(kind, names)| format!("  {kind}: {}\n", listed(names))).collect();
    Styled::aside(&format!("ran {}", path.display())).then("\n").then(names)
}

fn restored(session: &Restored, page: PageLayout) -> Styled {
    let tags = match session.tags.is_empty() {
        true => String::new(),
        false => format!(", tagged {}", listed(session.tags.iter().map(|tag| format!("@{tag}")))),
    };
    let terms = counted(session.terms, "term");
    let mut text = Styled::aside(&format!("brought back {}: {terms}{tags}", session.path.display())).then("\n");
    for (old, new) in &session.renamed {
        text.push(Look::Aside, &format!("its @{old} is @{new}: there was a term with that tag\n"));
    }
    for model in &session.models {
        text = text.then(loaded(model));
    }
    match &session.here {
        Some(here) => text.then(walk(here, page)),
        None => text,
    }
}

fn reloaded(files: &[Reloaded]) -> Styled {
    let mut text = Styled::default();
    for Reloaded { path, new, changed, gone } in files {
        let same = new.is_empty() && changed.is_empty() && gone.is_empty();
        let head = if same { ": as before\n" } else { "\n" };
        text = text.and(Look::Aside, &format!("reloaded {}{head}", path.display()));
        for (kind, names) in [("new", new), ("changed", changed), ("gone", gone)] {
            if !names.is_empty() {
                text.plain(&format!("  {kind}: {}\n", listed(names)));
            }
        }
    }
    text
}

fn strategies(
    built_in: &[(String, String)],
    defined: &[String],
    libraries: &[(String, String)],
    width: usize,
) -> Styled {
    let mut text = Styled::default();
    if !defined.is_empty() {
        text = text.and(Look::Strong, "defined here").then("\n");
        defined.iter().for_each(|line| text.plain(&format!("  {line}\n")));
    }
    if !built_in.is_empty() {
        text = text.and(Look::Strong, "built in").then("\n").then(entries(built_in, width));
    }
    if !libraries.is_empty() {
        text = text.and(Look::Strong, "libraries").then("\n").then(entries(libraries, width));
    }
    text
}

fn settings(allowance: &Allowance) -> Styled {
    let Allowance { limits, timeout, memory } = allowance;
    let timeout = timeout.map_or("none".to_owned(), |time| format!("{} s", time.as_secs_f64()));
    let memory = memory.map_or("half of the machine's".to_owned(), |bytes| format!("{} MB", bytes >> 20));
    let Limits { max_steps, max_size, max_depth } = limits;
    let counted = format!("max-steps  {max_steps}\nmax-size   {max_size}\nmax-depth  {max_depth}\n");
    format!("{counted}max-memory {memory}\ntimeout    {timeout}\n").into()
}
