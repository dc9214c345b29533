//! Splits the index set of a loop at an index around it with which its own is compared: iterations below, at and above it.

use crate::nest::equations::relation::{IndexRelation, under};
use crate::nest::equations::{FoldEquation, FoldState};
use crate::nest::ir::value::{load, replace};
use crate::nest::ir::{NestValue, ScalarKind};
use redexter_language::term::Prim;

/// Iterations that do the same.
pub(super) struct IterationPiece {
    /// The first one and the one behind the last, where they aren't the loop's.
    pub(super) range: (Option<NestValue>, Option<NestValue>),
    /// It is one iteration, in which the loop's index has been replaced.
    pub(super) is_one: bool,
    pub(super) states: Vec<FoldState>,
}

/// The pieces of a loop in their order, without those that change nothing; in one, unless it may be split.
pub(super) fn pieces(fold: &FoldEquation, splits: bool, is_done: bool) -> Vec<IterationPiece> {
    let whole = |range| vec![IterationPiece { range, is_one: false, states: fold.states.clone() }];
    let Some(beside @ NestValue::Load(other)) = fold.beside.as_ref().filter(|_| is_done) else {
        return whole((None, None));
    };
    let known = IndexRelation::ALL.map(|relation| {
        let next = |state: &FoldState| under(&state.next, (fold.over.cell, other.cell), relation);
        fold.states.iter().map(|state| FoldState { next: next(state), ..state.clone() }).collect::<Vec<FoldState>>()
    });
    let idle = known.each_ref().map(|states| states.iter().all(|state| state.next == load(state.slot.cell)));
    let behind = || NestValue::Prim(Prim::Add, ScalarKind::Int, vec![beside.clone(), NestValue::Int(1)]);
    if !splits {
        // Only an end that changes nothing may be cut off: all iterations go on asking as before.
        return whole(match idle {
            [false, equal, true] => (None, Some(if equal { beside.clone() } else { behind() })),
            [true, equal, false] => (Some(if equal { behind() } else { beside.clone() }), None),
            _ => (None, None),
        });
    }
    let next = |states: &[FoldState]| states.iter().map(|state| state.next.clone()).collect::<Vec<NestValue>>();
    // The iteration at the diagonal goes with a side that does the same, with one of them at most: it must be done once.
    let is_below = next(&known[0]) == next(&known[1]);
    let is_above = !is_below && next(&known[1]) == next(&known[2]);
    let [below, equal, above] = known;
    let here = [(fold.over.cell, beside.clone())].into_iter().collect();
    let at = |state: FoldState| FoldState { next: replace(&state.next, &here), ..state };
    let ends = (None, Some(if is_below { behind() } else { beside.clone() }));
    let begins = (Some(if is_above { beside.clone() } else { behind() }), None);
    let mut all = vec![(idle[0], IterationPiece { range: ends, is_one: false, states: below })];
    if !is_below && !is_above {
        let states = equal.into_iter().map(at).collect();
        all.push((idle[1], IterationPiece { range: (None, None), is_one: true, states }));
    }
    all.push((idle[2], IterationPiece { range: begins, is_one: false, states: above }));
    all.into_iter().filter(|(is_idle, _)| !is_idle).map(|(_, piece)| piece).collect()
}
