//! Takes a program apart along its names (loop distribution): loops that equations can't say are lowered as they stand, and what
//! stands before, between and behind them is fused.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ir::types::leaves;
use super::ir::walk::renumbered;
use super::ir::{Nest, NestSlot, Stmt};
use crate::first::{Expr, FirstOrder, Lowered, Var};
use redexter_language::ground::order::InOrder;
use redexter_language::term::Type;

/// A part of a program. What it computes for others is the value of its code, in pairs, or the program's result.
pub(super) struct Segment {
    pub(super) code: FirstOrder,
    /// What others read.
    given: Vec<Var>,
}

/// The parts of a program in their order, by what is told of each name's value alone: whether it can be fused. None where there
/// is one alone.
pub(super) fn segments(program: &FirstOrder, is_fit: &dyn Fn(&FirstOrder) -> bool) -> Option<Vec<Segment>> {
    let Expr::Lets(lets, result) = &program.body else { return None };
    let mut known: FxHashMap<u32, Var> = program.parameters.iter().map(|var| (var.number, var.clone())).collect();
    known.extend(lets.iter().map(|(var, _)| (var.number, var.clone())));
    let part = |code: &Expr, ty: &Type| {
        let parameters = free(code, &known);
        FirstOrder { parameters, result: ty.clone(), body: code.clone(), variables: program.variables }
    };
    // What is fused has even levels, what is lowered as it stands odd ones: each comes behind what it reads.
    let mut levels: FxHashMap<u32, usize> = FxHashMap::default();
    let level = |code: &Expr, ty: &Type, levels: &FxHashMap<u32, usize>| {
        let own = part(code, ty);
        let before = own.parameters.iter().filter_map(|var| levels.get(&var.number)).copied().max().unwrap_or(0);
        before + usize::from((before % 2 == 0) != is_fit(&own))
    };
    for (var, value) in lets {
        let own = level(value, &var.ty, &levels);
        levels.insert(var.number, own);
    }
    let last = level(result, &program.result, &levels);
    let own_level = |var: &Var| levels.get(&var.number).copied().unwrap_or(0).min(last);
    let at = |k: usize| lets.iter().filter(move |(var, _)| own_level(var) == k);
    let mut all = Vec::new();
    for k in 0..=last {
        let own: Vec<(Var, Expr)> = at(k).cloned().collect();
        if k == last {
            all.push(Segment { code: part(&Expr::lets(own, (**result).clone()), &program.result), given: Vec::new() });
            continue;
        }
        let mut read = FxHashSet::default();
        (k + 1..=last).flat_map(&at).for_each(|(_, value)| mentioned(value, &mut read));
        mentioned(result, &mut read);
        let mut given: Vec<Var> = own.iter().map(|(var, _)| var.clone()).collect();
        given.retain(|var| read.contains(&var.number));
        let value = |var: &Var| (Expr::Var(var.clone()), var.ty.clone());
        let both = |(a, s): (Expr, Type), (b, t): (Expr, Type)| (Expr::Pair(Box::new((a, b))), Type::pair(s, t));
        let Some((value, ty)) = given.iter().map(value).reduce(both) else { continue };
        all.push(Segment { code: part(&Expr::lets(own, value), &ty), given });
    }
    (all.len() > 1).then_some(all)
}

/// One nest of those of all parts. What they give each other gets memory.
pub(super) fn joined(program: &FirstOrder, parts: Vec<(Segment, Nest)>) -> Lowered<Option<Nest>> {
    let mut cells = 0;
    let mut known: FxHashMap<u32, Vec<NestSlot>> = FxHashMap::default();
    let mut all: Option<Nest> = None;
    let mut slots = |ty: &Type, hint: &str| -> Lowered<Vec<NestSlot>> {
        let slot = |array: &super::DenseArray| {
            cells += 1;
            NestSlot { cell: cells, hint: hint.into(), array: array.clone() }
        };
        Ok(leaves(ty)?.leaves().into_iter().map(slot).collect())
    };
    for var in &program.parameters {
        known.insert(var.number, slots(&var.ty, &var.hint)?);
    }
    let results = slots(&program.result, "out")?;
    let (mut temporaries, mut numbers) = (Vec::new(), Vec::new());
    for (segment, _) in &parts {
        for var in &segment.given {
            let own = slots(&var.ty, &var.hint)?;
            for slot in &own {
                match slot.array.dims.is_empty() {
                    true => numbers.push(Stmt::Var(slot.clone())),
                    false => temporaries.push(slot.clone()),
                }
            }
            known.insert(var.number, own);
        }
    }
    for (segment, nest) in parts {
        let end = nest.last_cell();
        let of = |var: &Var| known.get(&var.number).into_iter().flatten();
        let read = nest.parameters.iter().zip(segment.code.parameters.iter().flat_map(of));
        let given: Vec<&NestSlot> = match segment.given.is_empty() {
            true => results.iter().collect(),
            false => segment.given.iter().flat_map(of).collect(),
        };
        let names: FxHashMap<u32, u32> =
            read.chain(nest.results.iter().zip(given)).map(|(own, slot)| (own.cell, slot.cell)).collect();
        let cell = |own: u32| names.get(&own).copied().unwrap_or(own + cells);
        temporaries.extend(nest.temporaries.iter().map(|slot| NestSlot { cell: cell(slot.cell), ..slot.clone() }));
        let body = renumbered(&nest.body, &cell);
        match &mut all {
            Some(all) => all.body.extend(body),
            None => all = Some(Nest { body, ..nest }),
        }
        cells += end;
    }
    let parameters = program.parameters.iter().filter_map(|var| known.remove(&var.number)).flatten().collect();
    Ok(all.map(|nest| {
        let body = numbers.into_iter().chain(nest.body).collect();
        Nest { parameters, results, temporaries, body, ..nest }
    }))
}

/// The variables that stand in some code but are bound outside of it.
fn free(code: &Expr, known: &FxHashMap<u32, Var>) -> Vec<Var> {
    let mut met = FxHashSet::default();
    mentioned(code, &mut met);
    // No two binders have the same number, so that what the code binds itself is known by that.
    bound(code, &mut met);
    let mut all: Vec<Var> = met.iter().filter_map(|number| known.get(number).cloned()).collect();
    all.order_by_key(|var| var.number);
    all
}

fn mentioned(code: &Expr, all: &mut FxHashSet<u32>) {
    if let Expr::Var(var) = code {
        all.insert(var.number);
    }
    code.each(&mut |part| mentioned(part, all));
}

/// Takes out what is named in some code.
fn bound(code: &Expr, all: &mut FxHashSet<u32>) {
    if let Expr::Lets(lets, _) = code {
        lets.iter().for_each(|(var, _)| {
            all.remove(&var.number);
        });
    }
    code.each(&mut |part| bound(part, all));
}
