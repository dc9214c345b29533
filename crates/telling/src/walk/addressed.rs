//! Finds what an address means: a place in the current term, steps of a derivation, a term; or says why it means nothing.

use std::ops::Range;

use super::history::History;
use super::owner::WalkOwner;
use super::places::PatternPlaces;
use super::state::Walk;
use super::tracked::TrackedPath;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Diagnostic, Trouble, code, name::did_you_mean, text::listed};
use redexter_language::term::{Path, Program, Term};
use redexter_rewriting::derivation::{Address, Derivation, StageName, UnreachedAddress};
use redexter_rewriting::redex::named;

/// The first place within the focus where a pattern matches.
pub fn first_match(walk: &Walk, text: &str, owner: &dyn WalkOwner) -> Result<Path, Trouble> {
    let places = places(walk, text, owner)?;
    places.nth(1).ok_or_else(|| nothing_found(text, &places.within))
}

/// The place in the current term that an address means, where it means one.
pub fn place_at(walk: &Walk, address: &Address, owner: &dyn WalkOwner) -> Result<Option<Path>, Trouble> {
    let now = &walk.current()?.term;
    Ok(match address {
        Address::Path(text) => Some(path(text, now)?),
        Address::Mark(mark) => Some(marked(walk, mark)?.path),
        Address::Pattern(text) => Some(first_match(walk, text, owner)?),
        Address::Step(_) | Address::Steps(..) | Address::Stage(_) | Address::Tag(_) => None,
    })
}

/// The place that a name says where nothing else is called so: `body.x`, as steps print it, is `.body.x`.
pub fn placed(walk: &Walk, address: &Address, owner: &dyn WalkOwner) -> Address {
    let Address::Stage(ways) = address else { return address.clone() };
    let text = address.to_string();
    let is_place = walk.current().is_ok_and(|now| Path::parse(&text, &now.term).is_ok());
    let is_stage = walk.derivation().is_ok_and(|derivation| derivation.find(ways).is_ok());
    match is_place && !is_stage && named(&text, &owner.rules()).is_err() {
        true => Address::Path(text),
        false => address.clone(),
    }
}

/// The place of the subterm with a name.
pub fn marked(walk: &Walk, mark: &str) -> Result<TrackedPath, Trouble> {
    let wrong = |text: String| Diagnostic::error(code::COMMAND, text);
    match walk.marks.find(mark, &walk.history) {
        Some(Some(place)) => Ok(place),
        Some(None) => Err(wrong(format!("`%{mark}` is in another derivation"))
            .help("`:log` lists the terms that were current")
            .into()),
        None => {
            let near = did_you_mean(mark, walk.marks.names());
            let help = near.unwrap_or_else(|| format!("`:mark {mark}` gives it to the subterm in focus"));
            Err(wrong(format!("no subterm has the mark `%{mark}`")).help(help).into())
        }
    }
}

/// The places within the focus where a pattern matches.
pub fn places(walk: &Walk, text: &str, owner: &dyn WalkOwner) -> Result<PatternPlaces, Trouble> {
    let pattern = owner.pattern(text)?;
    let (whole, within) = (&walk.current()?.term, walk.history.focus());
    Ok(PatternPlaces::find((&pattern, text), whole, within, &owner.budget())?)
}

/// The stages or the steps that an address of names means.
pub enum NamedSteps {
    Stages(Vec<usize>),
    /// The steps by a rule, where no stage has its name.
    Steps(Vec<Range<usize>>),
}

/// The steps by the rule that names mean, if there are any.
fn by_rule(derivation: &Derivation, ways: &[StageName]) -> Option<Vec<Range<usize>>> {
    let [way] = ways else { return None };
    let pieces = derivation.steps_where(|k| way.names_rule(derivation.steps()[k].rule()));
    (!pieces.is_empty()).then_some(pieces)
}

/// The steps that an address means, counted from 0.
pub fn pieces(
    walk: &Walk,
    derivation: &Derivation,
    address: &Address,
    now: &Term,
    owner: &dyn WalkOwner,
) -> Result<Vec<Range<usize>>, Trouble> {
    let count = derivation.steps().len();
    let one = |from: usize, to: usize| std::iter::once(from.saturating_sub(1)..to).collect();
    let pieces: Vec<Range<usize>> = match address {
        Address::Step(0) | Address::Steps(0, _) => return Err(first_term().into()),
        Address::Step(k) => one(*k, *k),
        Address::Steps(from, to) => one(*from, *to),
        Address::Stage(ways) => match meant(walk, derivation, ways)? {
            NamedSteps::Stages(stages) => derivation.pieces(&stages),
            NamedSteps::Steps(pieces) => pieces,
        },
        Address::Path(text) => derivation.steps_at(&path(text, now)?),
        Address::Mark(mark) => derivation.steps_at(&marked(walk, mark)?.path),
        Address::Pattern(pattern) => {
            let pattern = owner.pattern(pattern)?;
            derivation.steps_where(|k| pattern.matches(&derivation.steps()[k].redex))
        }
        Address::Tag(tag) => return Err(tag_of_a_term(&walk.history, tag)),
    };
    match pieces.last() {
        Some(last) if last.end > count => Err(no_step(walk, last.end, count).into()),
        Some(_) => Ok(pieces),
        None => Err(Diagnostic::error(code::COMMAND, format!("no step of the derivation is at {address}")).into()),
    }
}

/// The steps that several addresses mean, counted from 0, in the order of their beginnings; paths are those of the last term.
pub fn all_pieces(
    walk: &Walk,
    derivation: &Derivation,
    addresses: &[Address],
    owner: &dyn WalkOwner,
) -> Result<Vec<Range<usize>>, Trouble> {
    let last = &derivation.term(derivation.steps().len());
    let mut all = Vec::new();
    for address in addresses {
        all.extend(pieces(walk, derivation, address, last, owner)?);
    }
    all.order_by_key(|piece| (piece.start, piece.end));
    Ok(all)
}

/// The stages that a path of names leads to, or else the steps by a rule.
pub fn meant(walk: &Walk, derivation: &Derivation, ways: &[StageName]) -> Result<NamedSteps, Trouble> {
    let stages = derivation.find(ways).map(NamedSteps::Stages);
    stages.or_else(|unreached| by_rule(derivation, ways).map(NamedSteps::Steps).ok_or(unreached)).map_err(|unreached| {
        let written = Address::Stage(ways.to_vec()).to_string();
        let slashed = written.replace('.', "/");
        let other = Address::parse(&slashed).filter(|_| slashed != written);
        let exists = matches!(&other, Some(Address::Stage(ways)) if derivation.find(ways).is_ok());
        let wrong = no_stage(&written, &unreached);
        Trouble::from(match walk.history.tagged(&written) {
            Some(_) => wrong.help(format!("write `@{written}`, which is a tag")),
            None if exists => wrong.help(format!("write `{slashed}`: stages stand behind slashes")),
            None => wrong.help(unreached.help()),
        })
    })
}

/// The number of the last step that an address means; 0 for the first term.
pub fn last_of(
    walk: &Walk,
    derivation: &Derivation,
    address: &Address,
    owner: &dyn WalkOwner,
) -> Result<usize, Trouble> {
    if *address == Address::Step(0) {
        return Ok(0);
    }
    let now = walk.current()?.term.clone();
    Ok(pieces(walk, derivation, address, &now, owner)?.last().map_or(0, |last| last.end))
}

/// The whole term after the steps that an address means, or the one with a tag.
pub fn term_at(walk: &Walk, address: &Address, owner: &dyn WalkOwner) -> Result<Program, Trouble> {
    if let Address::Tag(tag) = address {
        return tagged(&walk.history, tag);
    }
    let derivation = walk.derivation()?;
    let step = last_of(walk, &derivation, address, owner)?;
    Ok(walk.current()?.with(derivation.term(step)))
}

/// The term with a tag.
pub fn tagged(history: &History, tag: &str) -> Result<Program, Trouble> {
    let tagged = history.tagged(tag).map(|state| state.program.clone());
    tagged.ok_or_else(|| no_tag(history, tag).into())
}

pub fn no_tag(history: &History, tag: &str) -> Diagnostic {
    let unknown = Diagnostic::error(code::COMMAND, format!("no term has the tag `@{tag}`"));
    let near = did_you_mean(tag, history.tags());
    unknown.help(near.unwrap_or_else(|| format!("`:tag {tag}` gives it to the current term; `:log` lists tags")))
}

pub fn tag_of_a_term(history: &History, tag: &str) -> Trouble {
    match history.tagged(tag) {
        None => no_tag(history, tag).into(),
        Some(_) => Diagnostic::error(code::COMMAND, format!("`@{tag}` names a term, and no steps"))
            .help(format!("`:goto @{tag}` makes it the current one; `:trace` shows the steps to it"))
            .into(),
    }
}

/// The addresses that begin as a text does: stages by their names, behind a `/` those in a stage, rules and tags.
pub fn addresses(walk: &Walk, typed: &str) -> Vec<String> {
    let tags = walk.history.tags().map(|tag| format!("@{tag}"));
    let mut found: Vec<String> = tags.collect();
    if let Ok(derivation) = walk.derivation() {
        found.extend(derivation.names_below(typed.rsplit_once('/').map(|(above, _)| above)));
    }
    found.retain(|address| address.starts_with(typed));
    found
}

/// A path in a term.
pub fn path(text: &str, term: &Term) -> Result<Path, Trouble> {
    Path::parse(text, term).map_err(|stop| {
        let reached = if stop.reached == "." { "the root".to_owned() } else { format!("`{}`", stop.reached) };
        let wrong = Diagnostic::error(code::COMMAND, format!("{reached} has no child `{}`", stop.missing));
        let there = || match stop.children.is_empty() {
            true => "nothing is below it".to_owned(),
            false => format!("its children are {}", listed(&stop.children)),
        };
        let near = did_you_mean(&stop.missing, stop.children.iter().map(String::as_str));
        wrong.help(near.unwrap_or_else(there)).into()
    })
}

pub fn first_term() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "0 is the first term, before all steps").help("`:goto 0` makes it the current one")
}

pub fn no_step(walk: &Walk, wanted: usize, count: usize) -> Diagnostic {
    let headline = format!("the derivation has no step {wanted}");
    match count {
        0 => walk.no_steps(headline),
        1 => Diagnostic::error(code::COMMAND, headline).help("its only step is 1"),
        _ => Diagnostic::error(code::COMMAND, headline).help(format!("its steps are 1..{count}")),
    }
}

pub fn no_stage(address: &str, unreached: &UnreachedAddress) -> Diagnostic {
    let headline = match unreached.reached.is_empty() {
        true => format!("the derivation has no stage `{address}`"),
        false => format!("`{}` has no stage `{}`", unreached.reached, unreached.missing),
    };
    Diagnostic::error(code::COMMAND, headline)
}

fn nothing_found(pattern: &str, within: &Path) -> Trouble {
    let headline = format!("`{pattern}` matches nothing there");
    let wrong = Diagnostic::error(code::COMMAND, headline);
    match within.0.is_empty() {
        true => wrong.into(),
        false => wrong.help("only the focus was looked at; `:top` puts it on the whole term").into(),
    }
}
