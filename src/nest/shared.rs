//! What is computed several times in a block, computed once.

use rustc_hash::FxHashMap;

use super::code::{Array, Nest, Number, Slot, Stmt, Value};
use super::equation::value::{is_dear_itself, load, replace};
use super::walk::{each, rewritten, stored};
use crate::term::Class;

/// A value at some point of a block: what it reads has these versions.
type Key = (Value, Vec<u32>);

/// How often each cell was stored.
#[derive(Default)]
struct Versions(FxHashMap<u32, u32>);

impl Versions {
    fn key(&self, value: &Value) -> Key {
        let mut versions = Vec::new();
        value.places(&mut |place| versions.push(self.0.get(&place.cell).copied().unwrap_or(0)));
        (value.clone(), versions)
    }

    fn after(&mut self, stmt: &Stmt) {
        stored(std::slice::from_ref(stmt)).into_iter().for_each(|cell| *self.0.entry(cell).or_default() += 1);
    }
}

/// Lets equal numbers have one name in their block, and what is dear and computed more than once in it.
pub(super) fn shared(nest: &mut Nest) {
    let mut cells = 0;
    for slot in nest.parameters.iter().chain(&nest.results).chain(&nest.temporaries) {
        cells = cells.max(slot.cell);
    }
    each(&nest.body, &mut |stmt| match stmt {
        Stmt::Let(slot, _) | Stmt::Var(slot) => cells = cells.max(slot.cell),
        Stmt::For(range, _) | Stmt::Lanes(range, _) => cells = cells.max(range.cell),
        Stmt::Strips(strips, _) => cells = cells.max(strips.base).max(strips.count),
        Stmt::Set(..) | Stmt::If(..) => {}
    });
    nest.body = block(std::mem::take(&mut nest.body), &mut cells);
}

fn block(body: Vec<Stmt>, cells: &mut u32) -> Vec<Stmt> {
    let mut inside = |stmt: Stmt| stmt.with(&mut Value::clone, &mut |inside| block(inside, cells));
    let body: Vec<Stmt> = named_once(body).into_iter().map(&mut inside).collect();
    let mut sharing = Sharing { cells, parts: counted(&body), versions: Versions::default(), at: 0, out: Vec::new() };
    body.into_iter().for_each(|stmt| sharing.stmt(stmt));
    sharing.out
}

fn named_once(body: Vec<Stmt>) -> Vec<Stmt> {
    let (mut names, mut known, mut versions) = (FxHashMap::default(), FxHashMap::default(), Versions::default());
    let mut all = Vec::new();
    for mut stmt in body {
        if !names.is_empty() {
            stmt = rewritten(vec![stmt], &|value| replace(value, &names)).remove(0);
        }
        if let Stmt::Let(slot, value) = &stmt {
            let first = *known.entry(versions.key(value)).or_insert(slot.cell);
            if first != slot.cell {
                names.insert(slot.cell, load(first));
                continue;
            }
        }
        versions.after(&stmt);
        all.push(stmt);
    }
    all
}

/// A dear part of a block.
struct Part {
    /// The first statement that computes it in any case.
    first: usize,
    /// How often it stands from there on.
    times: usize,
    /// Its name, once it has one.
    name: Option<u32>,
}

fn counted(body: &[Stmt]) -> FxHashMap<Key, Part> {
    let (mut all, mut versions) = (FxHashMap::default(), Versions::default());
    for (at, stmt) in body.iter().enumerate() {
        for is_sure in [true, false] {
            own(stmt, &mut |value| {
                dear(value, true, &mut |part, sure| {
                    if sure != is_sure {
                        return;
                    }
                    let key = versions.key(part);
                    match all.get_mut(&key) {
                        Some(Part { times, .. }) => *times += 1,
                        None if sure => drop(all.insert(key, Part { first: at, times: 1, name: None })),
                        None => {}
                    }
                });
            });
        }
        versions.after(stmt);
    }
    all
}

/// What a statement computes itself.
fn own<'a>(stmt: &'a Stmt, work: &mut dyn FnMut(&'a Value)) {
    match stmt {
        Stmt::Let(_, value) => work(value),
        Stmt::Set(place, value) => place.indices.iter().chain([value]).for_each(work),
        _ => {}
    }
}

/// Does something with each dear part, told whether it is computed in any case.
fn dear<'a>(value: &'a Value, is_sure: bool, work: &mut dyn FnMut(&'a Value, bool)) {
    if is_dear_itself(value) {
        work(value, is_sure);
    }
    let mut is_first = true;
    value.each_part(&mut |part| {
        dear(part, is_sure && (is_first || !is_choice(value)), work);
        is_first = false;
    });
}

/// Whether only the first part is computed in any case.
fn is_choice(value: &Value) -> bool {
    matches!(value, Value::Select(_)) || matches!(value, Value::Prim(prim, ..) if prim.class() == Class::Connective)
}

struct Sharing<'a> {
    cells: &'a mut u32,
    parts: FxHashMap<Key, Part>,
    versions: Versions,
    at: usize,
    out: Vec<Stmt>,
}

impl Sharing<'_> {
    fn stmt(&mut self, stmt: Stmt) {
        let after = stmt.clone();
        let stmt = match stmt {
            Stmt::Let(slot, value) => {
                let key = self.versions.key(&value);
                if let Some(part) = self.parts.get_mut(&key).filter(|part| part.first == self.at && part.name.is_none())
                {
                    part.name = Some(slot.cell);
                    Stmt::Let(slot, self.inside(&value))
                } else {
                    Stmt::Let(slot, self.value(&value))
                }
            }
            Stmt::Set(..) => stmt.with(&mut |value| self.value(value), &mut |inside| inside),
            stmt => stmt,
        };
        self.versions.after(&after);
        self.out.push(stmt);
        self.at += 1;
    }

    fn value(&mut self, value: &Value) -> Value {
        if is_dear_itself(value) {
            let key = self.versions.key(value);
            if let Some(Part { first, name, .. }) = self.parts.get(&key).filter(|part| part.times > 1) {
                if let Some(name) = name {
                    return load(*name);
                }
                if *first == self.at {
                    *self.cells += 1;
                    let cell = *self.cells;
                    let slot =
                        Slot { cell, hint: "once".into(), array: Array { dims: Vec::new(), number: Number::Real } };
                    let inside = self.inside(value);
                    self.out.push(Stmt::Let(slot, inside));
                    self.parts.entry(key).and_modify(|part| part.name = Some(cell));
                    return load(cell);
                }
            }
        }
        self.inside(value)
    }

    fn inside(&mut self, value: &Value) -> Value {
        value.with_parts(&mut |part| self.value(part))
    }
}
