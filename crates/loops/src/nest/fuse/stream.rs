//! Chooses the size that is gone through in strips, and how long these are.

use crate::first::FirstOrder;
use crate::nest::NestStyle;
use crate::nest::equations::{Equation, EquationBody, EquationSystem};
use crate::nest::ir::value::{load, walk};
use crate::nest::ir::{NestPlace, NestValue};
use redexter_language::term::{Size, Type, TypeView};

/// The most numbers that are computed in a strip without loops before it has to be short.
const MOST_NUMBERS: usize = 16;

/// The sizes of arrays in a type, those of one array from the outside in.
fn arrays(ty: &Type, outside: &mut Vec<Size>, each: &mut impl FnMut(&[Size])) {
    match ty.view() {
        TypeView::Array(n, element) => {
            outside.push(n.clone());
            each(outside);
            arrays(element, outside, each);
            outside.pop();
        }
        TypeView::Pair(a, b) => {
            arrays(a, outside, each);
            arrays(b, outside, each);
        }
        _ => {}
    }
}

fn types(program: &FirstOrder) -> impl Iterator<Item = &Type> {
    program.parameters.iter().map(|var| &var.ty).chain([&program.result])
}

/// The outermost size of a parameter, if it can be one that the result hasn't: data come first, and are summed up. A window
/// that slides over data of its own size and another one is gone through for each place of the other.
pub(super) fn stream(program: &FirstOrder) -> Option<Size> {
    let (mut outermost, mut sums, mut asked) = (Vec::new(), Vec::new(), Vec::new());
    for var in &program.parameters {
        arrays(&var.ty, &mut Vec::new(), &mut |sizes| {
            let [size] = sizes else { return };
            match size.as_atom() {
                Some(_) => outermost.push(size.clone()),
                None => sums.push(size.clone()),
            }
        });
    }
    arrays(&program.result, &mut Vec::new(), &mut |sizes| asked.extend(sizes.last().cloned()));
    let first = outermost.iter().find(|size| !asked.contains(size)).or(outermost.first())?;
    let beside = sums.iter().filter_map(|sum| sum.minus(first)).find(|rest| rest.as_atom().is_some());
    Some(beside.filter(|rest| !outermost.contains(rest)).unwrap_or(first.clone()))
}

/// The sizes in types so that what is nested comes behind, the streamed one first.
pub(super) fn order(program: &FirstOrder) -> Vec<Size> {
    let (mut all, mut before): (Vec<Size>, Vec<(Size, Size)>) = (Vec::new(), Vec::new());
    for ty in types(program) {
        arrays(ty, &mut Vec::new(), &mut |sizes| {
            let Some((last, outside)) = sizes.split_last() else { return };
            if !all.contains(last) {
                all.push(last.clone());
            }
            before.extend(outside.iter().filter(|size| *size != last).map(|size| (size.clone(), last.clone())));
        });
    }
    let stream = stream(program);
    let mut order: Vec<Size> = stream.into_iter().collect();
    all.retain(|size| !order.contains(size));
    while !all.is_empty() {
        let free = |size: &Size| !before.iter().any(|(a, b)| b == size && all.contains(a));
        // Types may nest two sizes either way round: then none is free, and the first one met comes first.
        let next = all.iter().position(free).unwrap_or(0);
        order.push(all.remove(next));
    }
    order
}

/// How many iterations a strip has: one where rows of data are read along, as often as they have to be.
pub(super) fn lanes(system: &EquationSystem, stream: Option<&Size>, style: &NestStyle) -> u32 {
    let Some(stream) = stream else { return 1 };
    let is_streamed = |cell: u32| system.indices.get(&cell).is_some_and(|index| index.size == *stream);
    let (mut loops, mut numbers, mut rows) = (0, 0, false);
    for equation in &system.equations {
        let own: Vec<u32> = equation.around().chain(equation.over()).map(|index| index.cell).collect();
        if !own.iter().any(|cell| is_streamed(*cell)) {
            continue;
        }
        // Two indices may be of the streamed size, yet only one of them is gone through in strips: the other is a loop inside.
        loops = loops.max(own.len() - 1);
        numbers += usize::from(matches!(equation.work, EquationBody::Map(..)));
        rows |= reads_rows(system, equation, &is_streamed);
    }
    match loops {
        0 if numbers > MOST_NUMBERS => style.short.min(style.lanes),
        0 => style.long,
        1 if rows && style.freedom.reorders() => 1,
        1 if rows => style.short.min(style.lanes),
        _ => style.lanes,
    }
}

/// Whether an equation reads a parameter along the rows that the streamed index finds.
fn reads_rows(system: &EquationSystem, equation: &Equation, is_streamed: &impl Fn(u32) -> bool) -> bool {
    let is_given = |place: &NestPlace| system.parameters.iter().any(|slot| slot.cell == place.cell);
    let is_index = |value: &NestValue| matches!(value, NestValue::Load(place) if *value == load(place.cell));
    let mut found = false;
    equation.each(&mut |value| {
        walk(value, &mut |part| {
            if let NestValue::Load(place) = part
                && is_given(place)
                && let [NestValue::Load(first), rest @ ..] = &place.indices[..]
            {
                found |= is_streamed(first.cell) && rest.iter().any(is_index);
            }
        });
    });
    found
}
