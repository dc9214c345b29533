//! Charts the work over the steps of a derivation.

use std::rc::Rc;

use super::addressed::{no_step, pieces};
use super::owner::WalkOwner;
use super::state::Walk;
use redexter_language::cost::{Poly, TYPICAL_SIZE};
use redexter_language::draw::{Band, Chart, ChartCurve};
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::derivation::Address;

/// The number of points that are measured, besides those at the ends of stages.
const MAX_POINTS: usize = 160;

/// The work over the steps of the derivation of the current term, or from the first to the last step of a part of it.
pub fn plot(walk: &Walk, address: Option<&Address>, owner: &dyn WalkOwner) -> Result<Chart, Trouble> {
    let derivation = walk.derivation()?;
    let count = derivation.steps().len();
    if count == 0 {
        let none = Diagnostic::error(code::COMMAND, "no step was taken yet");
        return Err(none.help("`:plot` draws the work over the steps of strategies").into());
    }
    let span = match address {
        None => 0..count,
        Some(address) => {
            let now = walk.current()?.term.clone();
            let pieces = pieces(walk, &derivation, address, &now, owner)?;
            let ends = pieces.first().zip(pieces.last());
            ends.map(|(first, last)| first.start..last.end).ok_or_else(|| no_step(walk, 0, count))?
        }
    };
    let curve = derivation.curve(&span, MAX_POINTS.min(span.len()), &owner.budget())?;
    let point = |(step, work): &(usize, Rc<Poly>)| (*step as u64, work.at(|_| TYPICAL_SIZE));
    let known: Vec<(u64, u128)> = curve.points.iter().filter(|(_, work)| !work.is_unknown()).map(point).collect();
    if known.is_empty() {
        let unknown = Diagnostic::error(code::COMMAND, "the work isn't known at any of these steps");
        return Err(unknown.help("`:cost` says where and why it isn't").into());
    }
    let where_known = if known.len() < curve.points.len() { ", where it is known" } else { "" };
    let band =
        |(name, steps): (String, std::ops::Range<usize>)| Band { name, from: steps.start as u64, to: steps.end as u64 };
    Ok(Chart {
        title: address.map_or("the derivation".to_owned(), Address::to_string),
        across: "steps".to_owned(),
        up: format!("work at sizes of {TYPICAL_SIZE}{where_known}"),
        curves: vec![ChartCurve { name: String::new(), points: known }],
        bands: curve.stages.into_iter().map(band).collect(),
    })
}
