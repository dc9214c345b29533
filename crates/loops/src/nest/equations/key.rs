//! Gives equations that compute the same one key, whatever their indices and states are called.

use rustc_hash::FxHashMap;

use super::{Equation, EquationBody};
use crate::nest::ir::value::{load, replace};

/// The same text for equations that are equal but for the names of their indices and states; none for parts of results. Guards
/// aren't in it, since an equation that is asked for twice keeps those on which both agree.
pub(super) fn key(equation: &Equation) -> Option<String> {
    let mut names = FxHashMap::default();
    let indices = equation.dims.iter().chain(equation.over());
    // Cells count up from 1 and stay far below: these numbers are names that nothing else has.
    for (k, index) in (0..).zip(indices.clone()) {
        names.insert(index.cell, load(u32::MAX - k));
    }
    // Indices are known by their position alone, so that their sizes have to be told.
    let sizes: Vec<String> = indices.map(|index| index.size.to_string()).collect();
    let mut text = format!("{sizes:?}");
    match &equation.work {
        EquationBody::Out(..) => return None,
        EquationBody::Map(slot, value) => text += &format!(" {:?} {:?}", slot.array.number, replace(value, &names)),
        EquationBody::Scatter(scatter) => {
            let sum = &scatter.sum;
            names.insert(sum.slot.cell, load(u32::MAX / 2));
            let parts = [&scatter.place, &scatter.key, &sum.init, &sum.next].map(|value| replace(value, &names));
            text += &format!(" scatter {:?} {parts:?}", sum.slot.array.number);
        }
        EquationBody::Fold(fold) => {
            for (k, state) in (0..).zip(&fold.states) {
                names.insert(state.slot.cell, load(u32::MAX / 2 - k));
            }
            for state in &fold.states {
                let parts = [&state.init, &state.next].map(|value| replace(value, &names));
                text += &format!(" fold {:?} {parts:?}", state.slot.array.number);
            }
        }
    }
    Some(text)
}
