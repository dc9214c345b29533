//! Registers `search(t, s, n)`: it finds the cheapest term that a strategy's rules reach within n terms, and a schedule that
//! reaches it.

use std::rc::Rc;

use rhai::{Array, Dynamic, Engine};

use super::errors::{RhaiResult, fail, stop};
use super::terms::TermValue;
use super::words;
use super::world::ScriptWorld;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::search::{DEFAULT_MAX_TERMS, SearchQuestion, SearchResult, search};
use redexter_rewriting::strategy::Strategy;

/// The result of a search, as a value of a script.
#[derive(Clone)]
pub(crate) struct SearchValue {
    found: Rc<SearchResult>,
    term: TermValue,
}

const SEARCH_NEEDS_STRATEGY: &str = "`search(t, s, n)` needs a strategy, or an array of rules";

pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    engine.register_type_with_name::<SearchValue>("search");
    let of = world.clone();
    engine.register_fn("search", move |t: TermValue, s: Dynamic| look(&of, &t, &s, DEFAULT_MAX_TERMS));
    let of = world.clone();
    engine.register_fn("search", move |t: TermValue, s: Dynamic, n: Dynamic| {
        let most = words::natural(&n, "`search(t, s, n)` needs a number of terms").map_err(fail)?;
        look(&of, &t, &s, usize::try_from(most).unwrap_or(usize::MAX))
    });
    engine.register_fn("to_string", |s: &mut SearchValue| s.shown());
    engine.register_fn("to_debug", |s: &mut SearchValue| s.shown());
    engine.register_get("term", |s: &mut SearchValue| s.term.clone());
    engine.register_get("schedule", |s: &mut SearchValue| s.found.schedule.clone());
    engine.register_get("work", |s: &mut SearchValue| s.term.amount(s.found.work.clone()));
    engine.register_get("before", |s: &mut SearchValue| s.term.amount(s.found.before.clone()));
    engine.register_get("visited", |s: &mut SearchValue| words::number(s.found.visited.terms as u64));
    engine.register_get("open", |s: &mut SearchValue| words::number(s.found.visited.open as u64));
    engine.register_get("rewrites", |s: &mut SearchValue| words::number(s.found.visited.rewrites as u64));
    engine.register_get("tried", |s: &mut SearchValue| words::number(s.found.visited.tried));
    engine.register_get("complete", |s: &mut SearchValue| s.found.complete);
}

/// A limit ends the script, as it does where a strategy is applied.
fn look(world: &ScriptWorld, term: &TermValue, s: &Dynamic, most: usize) -> RhaiResult<SearchValue> {
    let strategy = rules(world, s).map_err(stop)?;
    let question = SearchQuestion::of(&strategy, term.closed().map_err(fail)?, most);
    if question.rules.is_empty() {
        return Err(fail(Diagnostic::error(
            code::NOT_A_STRATEGY,
            format!("{SEARCH_NEEDS_STRATEGY}, and there is no rule in this"),
        )));
    }
    world.before_work()?;
    let found = search(&question, &world.host.budget());
    match found.stopped {
        Some(reason) => Err(stop(reason.into())),
        None => Ok(SearchValue { term: term.with(found.best.term.clone()), found: Rc::new(found) }),
    }
}

/// A strategy; an array's are done one after the other, so that nothing is said to belong together.
fn rules(world: &ScriptWorld, value: &Dynamic) -> Result<Strategy, Trouble> {
    let Some(list) = value.read_lock::<Array>() else { return words::strategy(world, value, SEARCH_NEEDS_STRATEGY) };
    let mut all = Strategy::id();
    for one in list.iter() {
        all = all.then(&words::strategy(world, one, SEARCH_NEEDS_STRATEGY)?);
    }
    Ok(all)
}

impl SearchValue {
    /// `work 8n^2 + n -> n: normalize(…)`
    fn shown(&self) -> String {
        let SearchResult { before, work, schedule, visited, complete, .. } = &*self.found;
        let all = if *complete { "all " } else { "" };
        format!("work {before} -> {work} by {schedule} (the cheapest of {all}{} terms)", visited.terms)
    }
}
