//! Simplifies equations: what is cheap is computed where it is used, the value of a best element isn't looked up, what nobody
//! reads goes. None of this changes a result's bits, unless the style's freedom allows it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::scan::found;
use super::{Equation, EquationBody, EquationSystem, bounds, invariant, reciprocal, required, sums};
use crate::nest::ir::value::{index_number, is_dear, map, operations, real_operations, replace, walk};
use crate::nest::ir::{NestPlace, NestValue, ScalarKind};
use crate::nest::{NestStyle, Pass};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::Prim;

/// The most readers at neighbours' indices that each compute a number anew.
const MOST_NEIGHBOURS: usize = 2;

/// The largest value that is put where it is used.
const MOST_PARTS: usize = 400;

/// All simplifications that the style asks for, in an order in which each prepares the next.
pub(in crate::nest) fn simplify(system: &mut EquationSystem, style: &NestStyle) {
    if style.does(Pass::BestElements) {
        best_elements(system);
    }
    sweep(system);
    // It comes before the next two: it brings choices into choices, and choices between constants into the sums that skip them.
    if style.does(Pass::Inline) {
        inline(system);
    }
    for equation in &mut system.equations {
        equation.rewrite(&mut |value| map(value, &mut choice));
    }
    if style.does(Pass::SkipZeros) {
        sums::sums(system, style.freedom);
    }
    if style.freedom.reorders() {
        reciprocal::reciprocals(system);
    }
    if style.does(Pass::Guards) {
        bounds::bounds(system);
    }
    if style.does(Pass::Invariants) {
        invariant::invariant(system);
    }
    // Passes leave equations that nobody reads, and put new ones at the end: whoever makes loops needs each behind what it
    // reads.
    sweep(system);
    in_order(system);
    required::guard(system);
}

/// Choices by a condition inside of choices by the same.
fn choice(value: NestValue) -> NestValue {
    let NestValue::Select(mut p) = value else { return value };
    if let NestValue::Select(inner) = &p.1
        && inner.0 == p.0
    {
        p.1 = inner.1.clone();
    }
    if let NestValue::Select(inner) = &p.2
        && inner.0 == p.0
    {
        p.2 = inner.2.clone();
    }
    NestValue::Select(p)
}

/// `v[best]` is what the loop that found it had.
fn best_elements(system: &mut EquationSystem) {
    let folds: Vec<(u32, Vec<u32>, NestValue, NestValue)> = system
        .equations
        .iter()
        .filter_map(|equation| {
            let EquationBody::Fold(fold) = &equation.work else { return None };
            let (element, value) = found(fold, &equation.dims)?;
            let NestValue::Load(place) = &element else { return None };
            let dims = equation.dims.iter().map(|index| index.cell).collect();
            Some((place.cell, dims, element.clone(), value))
        })
        .collect();
    for (cell, dims, element, value) in folds {
        for equation in &mut system.equations {
            equation.rewrite(&mut |whole| {
                map(whole, &mut |part| match &part {
                    NestValue::Load(place) if place.cell == cell => {
                        matched(&element, &part, &dims).map_or(part, |by| replace(&value, &by))
                    }
                    _ => part,
                })
            });
        }
    }
}

/// What stands for the indices where `pattern` is `value`.
fn matched(pattern: &NestValue, value: &NestValue, dims: &[u32]) -> Option<FxHashMap<u32, NestValue>> {
    fn go(pattern: &NestValue, value: &NestValue, dims: &[u32], found: &mut FxHashMap<u32, NestValue>) -> bool {
        match (pattern, value) {
            (NestValue::Load(p), _) if p.indices.is_empty() && dims.contains(&p.cell) => {
                found.entry(p.cell).or_insert_with(|| value.clone()) == value
            }
            (NestValue::Load(p), NestValue::Load(q)) => {
                p.cell == q.cell
                    && p.indices.len() == q.indices.len()
                    && p.indices.iter().zip(&q.indices).all(|(a, b)| go(a, b, dims, found))
            }
            _ => pattern == value,
        }
    }
    let mut found = FxHashMap::default();
    (go(pattern, value, dims, &mut found) && found.len() == dims.len()).then_some(found)
}

/// Who reads each cell, and at which indices.
fn uses(system: &EquationSystem) -> FxHashMap<u32, Vec<(usize, Vec<NestValue>)>> {
    let mut all: FxHashMap<u32, Vec<(usize, Vec<NestValue>)>> = FxHashMap::default();
    for (k, equation) in system.equations.iter().enumerate() {
        let own = equation.cells();
        equation.each(&mut |value| {
            walk(value, &mut |part| match part {
                // A loop that reads its own state doesn't need it for anybody else.
                NestValue::Load(place) if !own.contains(&place.cell) => {
                    all.entry(place.cell).or_default().push((k, place.indices.clone()));
                }
                _ => {}
            });
        });
    }
    all
}

/// Names go where the number is as cheap to compute where it is used: in loops that are as many as its own.
fn inline(system: &mut EquationSystem) {
    let mut k = 0;
    let mut uses_now = uses(system);
    while k < system.equations.len() && goes_on() {
        let equation = &system.equations[k];
        k += 1;
        let EquationBody::Map(slot, value) = &equation.work else { continue };
        let Some(used) = uses_now.get(&slot.cell) else { continue };
        // What is expensive has to be computed once, and what is large would be copied into each reader.
        if is_dear(value) || value.size() > MOST_PARTS {
            continue;
        }
        let dims: Vec<u32> = equation.dims.iter().map(|index| index.cell).collect();
        let loops = |user: &Equation| user.around().count() + usize::from(user.over().is_some());
        let is_plain = |index: &NestValue| matches!(index, NestValue::Load(place) if place.indices.is_empty() && system.indices.contains_key(&place.cell));
        // Each reader has as many loops around it as the equation, so that it is computed no more often there.
        let aligned = used
            .iter()
            .all(|(user, at)| at.iter().all(is_plain) && at.len() == loops(&system.equations[*user]) && !at.is_empty());
        // Copied into several readers it is computed as often: that is worth it for one operation at most.
        let few = operations(value) <= 1 || used.len() == 1;
        // Neighbours read it at indices that are moved, or run the other way: one operation on reals is no dearer than a table of
        // it.
        let is_near = |index: &NestValue| is_moved(guarded(index), &is_plain);
        let neighbours = used.len() <= MOST_NEIGHBOURS
            && real_operations(value) <= 1
            && used.iter().all(|(user, at)| {
                at.iter().all(is_near) && at.len() == loops(&system.equations[*user]) && !at.is_empty()
            });
        if !(is_one_hot(value) || aligned && few || neighbours) {
            continue;
        }
        let (cell, value) = (slot.cell, value.clone());
        let users: FxHashSet<usize> = used.iter().map(|(user, _)| *user).collect();
        for user in users {
            system.equations[user].rewrite(&mut |whole| put(whole, cell, &dims, &value));
        }
        system.equations.remove(k - 1);
        k -= 1;
        // Equations behind the one that is gone have other numbers now.
        uses_now = uses(system);
    }
}

/// An index where its guard holds; it is 0 elsewhere.
fn guarded(index: &NestValue) -> &NestValue {
    match index {
        NestValue::Select(p) if p.2 == NestValue::Int(0) => &p.1,
        index => index,
    }
}

/// Whether it is one of these indices, to which a number or a size is added, or which is taken from one.
fn is_moved(index: &NestValue, is_plain: &impl Fn(&NestValue) -> bool) -> bool {
    match index {
        NestValue::Prim(Prim::Add | Prim::Sub | Prim::Offset(_), ScalarKind::Int, of) => match &of[..] {
            [index] => is_moved(index, is_plain),
            [a, b] => is_still(b) && is_moved(a, is_plain) || is_still(a) && is_moved(b, is_plain),
            _ => false,
        },
        index => is_plain(index_number(index)),
    }
}

/// Whether it is a number, or made of sizes and numbers by sums and differences.
fn is_still(value: &NestValue) -> bool {
    match value {
        NestValue::Int(_) | NestValue::Size(_) => true,
        NestValue::Prim(Prim::Add | Prim::Sub, ScalarKind::Int, of) => of.iter().all(is_still),
        _ => false,
    }
}

/// A choice between two constants: sums that have it skip iterations.
fn is_one_hot(value: &NestValue) -> bool {
    let is_constant = |value: &NestValue| matches!(value, NestValue::Real(_) | NestValue::Int(_));
    matches!(value, NestValue::Select(p) if is_constant(&p.1) && is_constant(&p.2) && p.0.size() < 8)
}

fn put(whole: &NestValue, cell: u32, dims: &[u32], value: &NestValue) -> NestValue {
    map(whole, &mut |part| match part {
        NestValue::Load(NestPlace { cell: own, indices }) if own == cell => {
            replace(value, &dims.iter().copied().zip(indices).collect())
        }
        part => part,
    })
}

/// What nobody reads goes; of a loop also numbers that only they themselves read.
pub(super) fn sweep(system: &mut EquationSystem) {
    loop {
        let read = uses(system);
        let before = system.equations.len();
        system.equations.retain_mut(|equation| match &mut equation.work {
            EquationBody::Out(..) => true,
            EquationBody::Map(slot, _) => read.contains_key(&slot.cell),
            EquationBody::Scatter(scatter) => read.contains_key(&scatter.sum.slot.cell),
            EquationBody::Fold(fold) => {
                let asked: Vec<u32> =
                    fold.states.iter().map(|s| s.slot.cell).filter(|cell| read.contains_key(cell)).collect();
                // A state that nobody asks for stays where one that is asked for reads it, directly or through others.
                let mut needed = asked.clone();
                let mut k = 0;
                while let Some(cell) = needed.get(k).copied() {
                    k += 1;
                    let Some(state) = fold.states.iter().find(|state| state.slot.cell == cell) else { continue };
                    for other in &fold.states {
                        let cell = other.slot.cell;
                        if !needed.contains(&cell) && state.next.mentions(cell) {
                            needed.push(cell);
                        }
                    }
                }
                fold.states.retain(|state| needed.contains(&state.slot.cell));
                !asked.is_empty()
            }
        });
        // An equation that goes may have been the only reader of another.
        if system.equations.len() == before || !goes_on() {
            return;
        }
    }
}

/// Each equation behind those that it reads.
pub(in crate::nest) fn in_order(system: &mut EquationSystem) {
    let defined = system.defined();
    let mut done = vec![false; system.equations.len()];
    let mut order = Vec::new();
    for k in 0..system.equations.len() {
        visit(system, &defined, k, &mut done, &mut order);
    }
    let mut all: Vec<Option<Equation>> = system.equations.drain(..).map(Some).collect();
    system.equations = order.into_iter().filter_map(|k: usize| all[k].take()).collect();
}

fn visit(
    system: &EquationSystem,
    defined: &FxHashMap<u32, usize>,
    k: usize,
    done: &mut [bool],
    order: &mut Vec<usize>,
) {
    if std::mem::replace(&mut done[k], true) {
        return;
    }
    let mut before = Vec::new();
    system.equations[k].each(&mut |value| {
        walk(value, &mut |part| {
            if let NestValue::Load(place) = part {
                before.extend(defined.get(&place.cell).copied());
            }
        });
    });
    for other in before {
        visit(system, defined, other, done, order);
    }
    order.push(k);
}
