//! Runs the commands that look at the derivation of the current term, and go back and forth in it.

use super::addressed::{NamedSteps, all_pieces, last_of, meant, no_step, no_tag, pieces, term_at};
use super::answer::{WalkAnswer, WalkResult};
use super::history::History;
use super::log::log_entries;
use super::owner::WalkOwner;
use super::state::Walk;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::Term;
use redexter_rewriting::derivation::{self, Address, Derivation, DerivationView};

/// The most steps that are listed at the start and at the end of those that are asked for by their numbers.
const MAX_END_STEPS: usize = 50;

/// The most nodes of terms that are compared.
const MAX_COMPARED_NODES: u64 = 200_000;

/// The most rows of a table of stages.
const MAX_ROWS: usize = 30;

/// Tells of a derivation, of all or of the parts that addresses name.
pub fn trace(walk: &Walk, addresses: &[Address], owner: &dyn WalkOwner) -> WalkResult {
    let (derivation, place) = walk.told()?;
    if derivation.steps().is_empty() {
        return Ok(WalkAnswer::NoTrace);
    }
    let now = walk.current()?.term.clone();
    Ok(WalkAnswer::Derivation(Box::new(view(walk, &derivation, addresses, &now, owner)?), place))
}

/// A derivation, or the parts of it that addresses name; paths are those of this term.
pub fn view(
    walk: &Walk,
    derivation: &Derivation,
    addresses: &[Address],
    now: &Term,
    owner: &dyn WalkOwner,
) -> Result<DerivationView, Trouble> {
    let budget = owner.budget();
    let all: Vec<String> = addresses.iter().map(Address::to_string).collect();
    let title = (!all.is_empty()).then(|| all.join(" "));
    Ok(match addresses {
        [] => derivation.view_stages(title, derivation.stages().tops(), MAX_ROWS, &budget)?,
        [Address::Stage(ways)] => match meant(walk, derivation, ways)? {
            NamedSteps::Stages(stages) => derivation.view_stages(title, &stages, MAX_ROWS, &budget)?,
            NamedSteps::Steps(pieces) => derivation.view(title, pieces, derivation::MAX_END_STEPS, &budget)?,
        },
        [address] => {
            let ends = if let Address::Steps(..) = address { MAX_END_STEPS } else { derivation::MAX_END_STEPS };
            derivation.view(title, pieces(walk, derivation, address, now, owner)?, ends, &budget)?
        }
        several => derivation.view(title, all_pieces(walk, derivation, several, owner)?, MAX_END_STEPS, &budget)?,
    })
}

/// Makes another term of the derivation the current one.
pub fn go_to(walk: &mut Walk, address: &Address, owner: &dyn WalkOwner) -> WalkResult {
    walk.current()?;
    if let Address::Tag(tag) = address {
        if !walk.history.go_to_tag(tag) {
            return Err(no_tag(&walk.history, tag).into());
        }
    } else {
        let derivation = walk.derivation()?;
        let step = last_of(walk, &derivation, address, owner)?;
        if !walk.history.go_to(step) {
            return Err(no_step(walk, step, derivation.steps().len()).into());
        }
    }
    walk.stray = None;
    here(walk)
}

/// Answers with the position of the current term in its derivation.
pub fn here(walk: &Walk) -> WalkResult {
    let derivation = walk.derivation()?;
    let pending = walk.history.current().is_some_and(|state| state.pending().is_some());
    let (place, now, focus) = (walk.place(&derivation), walk.current()?.clone(), walk.focus()?);
    Ok(WalkAnswer::At { place, now, focus, pending })
}

/// Gives the current term a name.
pub fn tag(history: &mut History, name: &str) -> WalkResult {
    history.program()?;
    let moved = history.tag(name);
    Ok(WalkAnswer::Tagged { name: name.to_owned(), moved })
}

/// Lists every term that was current.
pub fn log(history: &History) -> WalkResult {
    history.program()?;
    Ok(WalkAnswer::Log(log_entries(history)))
}

/// Compares two terms; the current one is the second where none is named.
pub fn diff(walk: &Walk, from: &Address, to: Option<&Address>, owner: &dyn WalkOwner) -> WalkResult {
    let before = term_at(walk, from, owner)?;
    let after = match to {
        Some(to) => term_at(walk, to, owner)?,
        None => walk.current()?.clone(),
    };
    if let Some(long) =
        [&before, &after].into_iter().map(|program| program.term.size()).find(|size| *size > MAX_COMPARED_NODES)
    {
        let finding = Diagnostic::error(code::COMMAND, format!("a term of {long} nodes is too long to compare"));
        return Err(finding
            .help(format!("`:diff` compares up to {MAX_COMPARED_NODES} nodes; `:trace` tells the steps between"))
            .into());
    }
    let name = |address: &Address| address.to_string();
    Ok(WalkAnswer::Difference { names: (name(from), to.map_or("now".to_owned(), name)), before, after })
}
