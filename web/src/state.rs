//! Describes to the page what there is: the current term, where it stands, what names mean.

use std::rc::Rc;

use redexter::command::Command;
use redexter::cost;
use redexter::eval::{NumberSource, Sizes, few_inputs, open_sizes, parameters, value_to_json};
use redexter::ground::{Random, Trouble};
use redexter::handout;
use redexter::questions::QuestionArguments;
use redexter::render;
use redexter::session::{self, Response};
use redexter::syntax::print_type;
use redexter::walk::{self, LogEntry, WalkAnswer};
use serde_json::{Value, json};

use super::PageState;

/// The current term: how it is laid out, its type, its work.
pub fn term(page: &mut PageState) -> Result<String, Trouble> {
    let session = page.session()?;
    if session.walk().current().is_err() {
        return Ok(json!({ "sheet": null }).to_string());
    }
    session.telling("the term", |session, budget| {
        let program = session.walk().current()?;
        let sheet = handout::sheet(&program.term, budget)?;
        let about = json!({
            "type": print_type(program.term.ty()),
            "work": render::leading(&cost::work(&program.term).total()),
            "focus": session.focus(),
        });
        // The sheet is JSON already.
        Ok(format!("{{\"sheet\": {sheet}, \"about\": {about}}}"))
    })
}

/// The derivation on which the current term lies; not again where it is the one that was told under the number `known`.
pub fn derivation(page: &mut PageState, known: u64) -> Result<String, Trouble> {
    let last = page.told.take();
    let session = page.session()?;
    let walk = session.walk();
    let (derivation, place) = walk.told()?;
    let told = session::told_of(session, &derivation);
    let before = last.as_ref().map_or(0, |(number, _)| *number);
    let is_known = last.is_some_and(|(number, last)| number == known && Rc::ptr_eq(&last, &derivation));
    let number = if is_known { known } else { before + 1 };
    let text = match is_known {
        true => "null".to_owned(),
        false => session.telling("the derivation", |_, budget| Ok(handout::derivation(&told, &derivation, budget)?))?,
    };
    page.told = Some((number, derivation));
    Ok(format!("{{\"derivation\": {text}, \"number\": {number}, \"step\": {}}}", place.step))
}

/// The comparison of two strategies, with `|` between them as `:compare` takes them, on the subterm in focus.
pub fn comparison(page: &mut PageState, strategies: &str) -> Result<String, Trouble> {
    match &Command::parse(&format!(":compare {strategies}"))? {
        Command::Ask(_, QuestionArguments { strategies, .. }) if let [first, second] = &strategies[..] => {
            session::comparison(page.session()?, [first, second])
        }
        _ => Ok(Value::Null.to_string()),
    }
}

/// The state of the walk: the position of the current term, the log, the focus and the breakpoints.
pub fn state(page: &mut PageState) -> Result<Value, Trouble> {
    let session = page.session()?;
    let history = session.walk().history();
    let log = walk::log_entries(history);
    let (undo, redo) = (history.past().len() > 1, log.iter().any(|entry| entry.is_ahead));
    let pending = history.current().is_some_and(|state| state.pending().is_some());
    let taken = history.taken();
    let rows: Vec<Value> = (0..log.len()).map(|k| row(&log, k)).collect();
    let has_term = session.current_term().is_some();
    let breakpoints = match session::submit(session, ":break") {
        Ok(Response::Walk(WalkAnswer::Breakpoints(all))) => all,
        _ => Vec::new(),
    };
    let breakpoints = breakpoints.iter().map(|b| json!({ "number": b.number, "address": b.address.to_string() }));
    Ok(json!({
        "term": has_term,
        "step": taken,
        "undo": undo,
        "redo": redo,
        "pending": pending,
        "focus": session.focus(),
        "log": rows,
        "picked": session::picked(session),
        "breakpoints": breakpoints.collect::<Vec<Value>>(),
    }))
}

/// An entry of the log, and the lines that lead there: to the tag at the end of its branch, then back to its step.
fn row(log: &[LogEntry], k: usize) -> Value {
    let entry = &log[k];
    let given = |range: &[LogEntry]| range.iter().rposition(|entry| entry.is_given);
    let branch = log[..=k].iter().rposition(|entry| entry.branches);
    let end = log[k..].iter().skip(1).position(|entry| entry.branches).map_or(log.len(), |more| k + 1 + more);
    let here = log.iter().position(|entry| entry.is_current);
    let is_near = branch.is_none()
        && here.is_some_and(|here| {
            let (first, last) = (here.min(k), here.max(k));
            given(&log[..=first]) == given(&log[..=last])
        });
    let tagged = log[k..end].iter().find(|entry| !entry.tags.is_empty());
    let step = format!(":goto {}", entry.steps.end);
    let go = match tagged {
        _ if is_near => Some(vec![step]),
        Some(at) if std::ptr::eq(at, entry) => Some(vec![format!(":goto @{}", at.tags[0])]),
        Some(at) if !log[k + 1..end].iter().any(|e| e.is_given) => Some(vec![format!(":goto @{}", at.tags[0]), step]),
        _ => None,
    };
    json!({
        "title": entry.title,
        "given": entry.is_given,
        "from": entry.steps.start,
        "to": entry.steps.end,
        "tags": entry.tags,
        "current": entry.is_current,
        "ahead": entry.is_ahead,
        "branches": entry.branches,
        "go": go,
    })
}

/// Rules with their first laws, strategies that were defined, and models with their definitions.
pub fn names(page: &mut PageState) -> Result<Value, Trouble> {
    let session = page.session()?;
    let rules = session.known_rules();
    let law = |info: &redexter::rule::RuleInfo| info.laws.first().map_or(info.purpose(), String::as_str).to_owned();
    let rules: Vec<Value> = rules.iter().map(|info| json!([info.name.to_string(), law(info)])).collect();
    let Response::Strategies { built_in, defined, .. } = session::strategies(session) else { return Ok(Value::Null) };
    Ok(json!({ "rules": rules, "built_in": built_in, "defined": defined, "models": session::words(session).models }))
}

/// The most elements of inputs: nobody reads more in a field of the page.
const MAX_INPUT_ELEMENTS: u64 = 10_000;

/// Inputs at random for the current term, as `:eval` takes them: each open size is `size`.
pub fn inputs(page: &mut PageState, size: u64, seed: u64) -> Result<Value, Trouble> {
    page.session()?.telling("the inputs", |session, budget| {
        let program = session.walk().current()?;
        let mut sizes = Sizes::default();
        open_sizes(&program.term).iter().for_each(|name| sizes.set(name, size));
        let drawn =
            few_inputs(program, &sizes, NumberSource::PLAIN, &mut Random::new(seed), (MAX_INPUT_ELEMENTS, budget))?;
        let text = drawn.map(|values| {
            let named = parameters(program).into_iter().zip(&values);
            named.map(|(p, value)| format!("{}={}", p.name, value_to_json(value))).collect::<Vec<_>>().join(" ")
        });
        Ok(json!({ "text": text }))
    })
}
