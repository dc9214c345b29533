//! Rounds that were written one by one, in one loop over lanes.

use rustc_hash::FxHashMap;

use super::jam::renamed;
use crate::nest::code::{Stmt, Value};
use crate::nest::equation::System;
use crate::nest::equation::value::load;
use crate::nest::walk::{each, read, stored};

/// Loops over the same lanes that stand side by side, and don't read what the others store, as one.
pub(super) fn joined(system: &mut System, body: Vec<Stmt>) -> Vec<Stmt> {
    let mut all: Vec<Stmt> = Vec::new();
    for stmt in body {
        match (all.last_mut(), stmt) {
            (Some(Stmt::Lanes(first, before)), Stmt::Lanes(range, inside))
                if (&first.to, &first.most) == (&range.to, &range.most) && apart(before, &inside) =>
            {
                let mut names = [(range.cell, load(first.cell))].into_iter().collect();
                let more = renamed(system, &inside, &mut names);
                if stays_in_lane(first.cell, before, &more) {
                    before.extend(more);
                } else {
                    all.push(Stmt::Lanes(range, inside));
                }
            }
            (_, stmt) => all.push(stmt),
        }
    }
    all
}

/// Whether neither reads what the other stores.
fn apart(a: &[Stmt], b: &[Stmt]) -> bool {
    let is_read = |by: &[Stmt], cells: Vec<u32>| {
        let read = read(by);
        cells.iter().any(|cell| read.contains(cell))
    };
    !is_read(b, stored(a)) && !is_read(a, stored(b))
}

/// Whether what both store is stored by each lane where it is that lane's in both.
fn stays_in_lane(lane: u32, a: &[Stmt], b: &[Stmt]) -> bool {
    let places = |body: &[Stmt]| {
        let mut all: FxHashMap<u32, Vec<Vec<Option<Value>>>> = FxHashMap::default();
        each(body, &mut |stmt| {
            if let Stmt::Set(place, _) = stmt {
                let own = |index: &Value| index.mentions(lane).then(|| index.clone());
                all.entry(place.cell).or_default().push(place.indices.iter().map(own).collect());
            }
        });
        all
    };
    let others = places(b);
    places(a)
        .iter()
        .all(|(cell, places)| others.get(cell).is_none_or(|more| places.iter().chain(more).all(|p| *p == places[0])))
}
