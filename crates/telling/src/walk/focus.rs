//! Runs the commands that move the focus, which is the subterm that is looked at and rewritten.

use super::addressed::{first_match, marked, no_step, path, placed, places, tag_of_a_term};
use super::answer::{PatternMatches, WalkAnswer, WalkResult};
use super::command::FindTarget;
use super::history::History;
use super::marks::SubtermMarks;
use super::owner::WalkOwner;
use super::state::Walk;
use super::subterm::FocusedSubterm;
use super::tracked::TrackedPath;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::Path;
use redexter_rewriting::derivation::Address;

/// The most places that are listed.
const MAX_PLACES: usize = 20;

fn put_focus(history: &mut History, place: TrackedPath) -> WalkResult {
    let focus = FocusedSubterm { lost: place.lost, ..FocusedSubterm::of(&history.program()?.term, &place.path) };
    history.set_focus(place.path);
    Ok(WalkAnswer::Focus(Box::new(focus)))
}

fn focus_on(history: &mut History, path: Path) -> WalkResult {
    put_focus(history, TrackedPath { path, lost: false })
}

/// Puts the focus where an address says.
pub fn put_focus_at(walk: &mut Walk, address: &Address, owner: &dyn WalkOwner) -> WalkResult {
    let now = walk.current()?.term.clone();
    match &placed(walk, address, owner) {
        Address::Path(text) => focus_on(&mut walk.history, path(text, &now)?),
        Address::Mark(mark) => {
            let place = marked(walk, mark)?;
            put_focus(&mut walk.history, place)
        }
        Address::Pattern(text) => {
            let first = first_match(walk, text, owner)?;
            focus_on(&mut walk.history, first)
        }
        Address::Step(number) => {
            let derivation = walk.derivation()?;
            let step = number.checked_sub(1).and_then(|k| derivation.steps().get(k));
            let path = step.ok_or_else(|| no_step(walk, *number, derivation.steps().len()))?.path();
            if path.find(&now).is_none() {
                let way = path.display(&derivation.term(number - 1));
                let gone = format!("the redex of step {number} stood at `.{way}`, where nothing is now");
                let help = format!("`:goto {number}` makes the term after it the current one");
                return Err(Diagnostic::error(code::COMMAND, gone).help(help).into());
            }
            focus_on(&mut walk.history, path)
        }
        Address::Tag(tag) => Err(tag_of_a_term(&walk.history, tag)),
        Address::Stage(ways) if !walk.derivation().is_ok_and(|derivation| derivation.find(ways).is_ok()) => {
            focus_on(&mut walk.history, path(&address.to_string(), &now)?)
        }
        Address::Steps(..) | Address::Stage(_) => {
            let wrong = Diagnostic::error(code::COMMAND, format!("`{address}` names several steps"));
            Err(wrong.help("a focus is at a path, a pattern in backticks, a mark or one step").into())
        }
    }
}

/// Gives the subterm in focus a name.
pub fn mark(marks: &mut SubtermMarks, name: &str, history: &History) -> WalkResult {
    history.program()?;
    marks.set(name, history);
    Ok(WalkAnswer::Marked(name.to_owned()))
}

/// Lists the names that subterms have.
pub fn list_marks(marks: &SubtermMarks, history: &History) -> WalkResult {
    let now = &history.program()?.term;
    let place = |name: &str| {
        let place = marks.find(name, history).flatten()?;
        Some((place.path.address(now), place.lost))
    };
    Ok(WalkAnswer::Marks(marks.names().map(|name| (name.to_owned(), place(name))).collect()))
}

/// Lists the places where a pattern matches, or goes to one.
pub fn find(walk: &mut Walk, find: &FindTarget, owner: &dyn WalkOwner) -> WalkResult {
    if let FindTarget::Pattern(text) = find {
        walk.found = Some(places(walk, text, owner)?.into());
    }
    let found = walk.found.clone().ok_or_else(|| {
        Diagnostic::error(code::COMMAND, "nothing was looked for yet")
            .help("write `:find` with a pattern in backticks, for example ``:find `x * y` ``")
    })?;
    if found.whole != walk.current()?.term {
        let again = format!("``:find `{}` `` looks again", found.pattern);
        return Err(Diagnostic::error(code::COMMAND, "the term has changed since").help(again).into());
    }
    let count = found.count();
    let FindTarget::Nth(number) = find else {
        let places = (1..=count.min(MAX_PLACES)).filter_map(|number| found.nth(number));
        return Ok(WalkAnswer::Found(PatternMatches {
            pattern: found.pattern.clone(),
            within: found.within.address(&found.whole),
            places: places.map(|place| FocusedSubterm::of(&found.whole, &place)).collect(),
            count,
        }));
    };
    let place = found.nth(*number).ok_or_else(|| {
        let wrong = format!("`{}` matches at {count} places", found.pattern);
        Diagnostic::error(code::COMMAND, wrong).help("`:find` lists the first of them again")
    })?;
    focus_on(&mut walk.history, place)
}

/// Moves the focus so many terms outwards.
pub fn go_up(history: &mut History, count: usize) -> WalkResult {
    let Path(mut way) = history.focus();
    history.program()?;
    if way.is_empty() {
        return Err(nothing_there("nothing is around the whole term", "`:down` goes to its first child"));
    }
    way.truncate(way.len().saturating_sub(count));
    focus_on(history, Path(way))
}

/// Moves the focus to a child, by its name or number, or to the first.
pub fn go_down(history: &mut History, child: Option<&str>) -> WalkResult {
    let (now, mut focus) = (history.program()?.term.clone(), history.focus());
    let below = match child {
        None if focus.find(&now).is_some_and(|here| here.kid_count() == 0) => {
            return Err(nothing_there("nothing is below the focus", "`:up` goes to the term around it"));
        }
        None => Path(vec![0]),
        Some(child) => {
            let way = [focus.display(&now), child.to_owned()].join(".");
            return focus_on(history, path(&way, &now)?);
        }
    };
    focus.0.extend(below.0);
    focus_on(history, focus)
}

/// Moves the focus to the child behind, or before.
pub fn go_aside(history: &mut History, right: bool) -> WalkResult {
    let (now, Path(mut way)) = (history.program()?.term.clone(), history.focus());
    let last = way.pop();
    let siblings = Path(way.clone()).find(&now).map_or(0, |around| around.kid_count());
    let next = last.and_then(|k| if right { k.checked_add(1) } else { k.checked_sub(1) });
    match next.filter(|next| (*next as usize) < siblings) {
        Some(next) => {
            way.push(next);
            focus_on(history, Path(way))
        }
        None if last.is_none() => Err(nothing_there("nothing is beside the whole term", "`:down` goes into it")),
        None => {
            let side = if right { "behind" } else { "before" };
            Err(nothing_there(&format!("no child is {side} this one"), "`:up` goes to the term around it"))
        }
    }
}

/// Puts the focus on the whole term.
pub fn go_top(history: &mut History) -> WalkResult {
    focus_on(history, Path::default())
}

fn nothing_there(headline: &str, help: &str) -> Trouble {
    Diagnostic::error(code::COMMAND, headline).help(help).into()
}
