//! Walks through statements, and rewrites them.

use rustc_hash::FxHashSet;

use super::value;
use super::{LoopRange, Nest, NestPlace, NestSlot, NestValue, Stmt, Strips};

/// Does something with each statement, those that hold others first.
pub fn each<'a>(body: impl IntoIterator<Item = &'a Stmt>, work: &mut dyn FnMut(&'a Stmt)) {
    for stmt in body {
        work(stmt);
        for inside in stmt.inside() {
            each(inside, work);
        }
    }
}

/// Does something with each value that is computed, asked, run to, or an index of what is stored.
pub fn each_value<'a>(body: impl IntoIterator<Item = &'a Stmt>, work: &mut dyn FnMut(&'a NestValue)) {
    each(body, &mut |stmt| stmt.values(work));
}

/// Does something with each place that is read or stored.
pub(in crate::nest) fn places<'a>(body: impl IntoIterator<Item = &'a Stmt>, work: &mut dyn FnMut(&'a NestPlace)) {
    each(body, &mut |stmt| stmt.places(work));
}

/// All that is stored, once each, in the order in which it is met.
pub(in crate::nest) fn stored(body: &[Stmt]) -> Vec<u32> {
    let (mut all, mut met) = (Vec::new(), FxHashSet::default());
    each(body, &mut |stmt| {
        if let Stmt::Set(place, _) = stmt
            && met.insert(place.cell)
        {
            all.push(place.cell);
        }
    });
    all
}

/// All numbers that are declared.
pub(in crate::nest) fn declared(body: &[Stmt]) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    each(body, &mut |stmt| {
        if let Stmt::Let(slot, _) | Stmt::Var(slot) = stmt {
            all.insert(slot.cell);
        }
    });
    all
}

/// All that is something else in another iteration: what is declared, stored, or runs through a loop.
pub(in crate::nest) fn changed(body: &[Stmt]) -> FxHashSet<u32> {
    let mut all = declared(body);
    all.extend(stored(body));
    each(body, &mut |stmt| all.extend(stmt.indices()));
    all
}

/// All that is read.
pub(in crate::nest) fn read(body: &[Stmt]) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    each_value(body, &mut |value| {
        value.places(&mut |place| {
            all.insert(place.cell);
        });
    });
    all
}

/// All that is read or stored.
pub(in crate::nest) fn mentioned<'a>(body: impl IntoIterator<Item = &'a Stmt>) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    places(body, &mut |place| {
        all.insert(place.cell);
    });
    all
}

/// Statements with other values, also inside of others.
pub(in crate::nest) fn rewritten(body: Vec<Stmt>, value: &dyn Fn(&NestValue) -> NestValue) -> Vec<Stmt> {
    moved(body, value, &|place| place)
}

/// The same, with other places for what is stored, whose indices are rewritten before.
pub(in crate::nest) fn moved(
    body: Vec<Stmt>,
    value: &dyn Fn(&NestValue) -> NestValue,
    place: &dyn Fn(NestPlace) -> NestPlace,
) -> Vec<Stmt> {
    let one = |stmt: Stmt| match stmt.with(&mut |own| value(own), &mut |inside| moved(inside, value, place)) {
        Stmt::Set(own, value) => Stmt::Set(place(own), value),
        stmt => stmt,
    };
    body.into_iter().map(one).collect()
}

/// Statements with other numbers for their cells.
pub(in crate::nest) fn renumbered(body: &[Stmt], cell: &dyn Fn(u32) -> u32) -> Vec<Stmt> {
    body.iter().map(|stmt| with_cells(stmt, cell)).collect()
}

fn with_cells(stmt: &Stmt, cell: &dyn Fn(u32) -> u32) -> Stmt {
    let value = |value: &NestValue| {
        value::map(value, &mut |part| match part {
            NestValue::Load(place) => NestValue::Load(NestPlace { cell: cell(place.cell), ..place }),
            part => part,
        })
    };
    let slot = |slot: &NestSlot| NestSlot { cell: cell(slot.cell), ..slot.clone() };
    let range = |range: &LoopRange| LoopRange {
        cell: cell(range.cell),
        from: value(&range.from),
        to: value(&range.to),
        most: range.most.as_ref().map(value),
        hint: range.hint.clone(),
    };
    let inside = |body: &[Stmt]| renumbered(body, cell);
    match stmt {
        Stmt::Let(own, computed) => Stmt::Let(slot(own), value(computed)),
        Stmt::Var(own) => Stmt::Var(slot(own)),
        Stmt::Set(place, stored) => {
            let indices = place.indices.iter().map(value).collect();
            Stmt::Set(NestPlace { cell: cell(place.cell), indices }, value(stored))
        }
        Stmt::For(own, body) => Stmt::For(range(own), inside(body)),
        Stmt::Lanes(own, body) => Stmt::Lanes(range(own), inside(body)),
        Stmt::Pairs(own, two, one) => Stmt::Pairs(range(own), inside(two), inside(one)),
        Stmt::Strips(own, body) => {
            Stmt::Strips(Strips { base: cell(own.base), count: cell(own.count), ..own.clone() }, inside(body))
        }
        Stmt::If(condition, a, b) => Stmt::If(value(condition), inside(a), inside(b)),
    }
}

impl Nest {
    /// The highest number of a slot or an index.
    pub(in crate::nest) fn last_cell(&self) -> u32 {
        let slots = self.parameters.iter().chain(&self.results).chain(&self.temporaries);
        let mut last = slots.map(|slot| slot.cell).max().unwrap_or(0);
        each(&self.body, &mut |stmt| match stmt {
            Stmt::Let(slot, _) | Stmt::Var(slot) => last = last.max(slot.cell),
            Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => last = last.max(range.cell),
            Stmt::Strips(strips, _) => last = last.max(strips.base).max(strips.count),
            Stmt::Set(..) | Stmt::If(..) => {}
        });
        last
    }
}

impl Stmt {
    /// The indices that it has inside.
    pub(in crate::nest) fn indices(&self) -> impl Iterator<Item = u32> {
        let (first, second) = match self {
            Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => (Some(range.cell), None),
            Stmt::Strips(strips, _) => (Some(strips.base), Some(strips.count)),
            Stmt::Let(..) | Stmt::Var(_) | Stmt::Set(..) | Stmt::If(..) => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// What is done inside.
    pub fn inside(&self) -> [&[Stmt]; 2] {
        match self {
            Stmt::Let(..) | Stmt::Var(_) | Stmt::Set(..) => [&[], &[]],
            Stmt::For(_, inside) | Stmt::Lanes(_, inside) | Stmt::Strips(_, inside) => [inside, &[]],
            Stmt::Pairs(_, a, b) | Stmt::If(_, a, b) => [a, b],
        }
    }

    /// Does something with each place that it reads or stores itself.
    pub(in crate::nest) fn places<'a>(&'a self, work: &mut dyn FnMut(&'a NestPlace)) {
        self.values(&mut |value| value.places(work));
        if let Stmt::Set(place, _) = self {
            work(place);
        }
    }

    /// Does something with its own values, not with those of what is inside.
    pub(in crate::nest) fn values<'a>(&'a self, work: &mut dyn FnMut(&'a NestValue)) {
        match self {
            Stmt::Let(_, value) | Stmt::If(value, ..) => work(value),
            Stmt::Set(place, value) => place.indices.iter().chain([value]).for_each(work),
            Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => {
                [&range.from, &range.to].into_iter().chain(&range.most).for_each(work);
            }
            Stmt::Var(_) | Stmt::Strips(..) => {}
        }
    }

    /// The same with other values, and with something else inside. How far lanes may run on depends on sizes alone.
    pub(in crate::nest) fn with(
        self,
        value: &mut dyn FnMut(&NestValue) -> NestValue,
        inside: &mut dyn FnMut(Vec<Stmt>) -> Vec<Stmt>,
    ) -> Stmt {
        match self {
            Stmt::Let(slot, own) => Stmt::Let(slot, value(&own)),
            Stmt::Var(slot) => Stmt::Var(slot),
            Stmt::Set(NestPlace { cell, indices }, own) => {
                Stmt::Set(NestPlace { cell, indices: indices.iter().map(&mut *value).collect() }, value(&own))
            }
            Stmt::For(mut range, body) => {
                (range.from, range.to) = (value(&range.from), value(&range.to));
                Stmt::For(range, inside(body))
            }
            Stmt::Lanes(mut range, body) => {
                (range.from, range.to) = (value(&range.from), value(&range.to));
                Stmt::Lanes(range, inside(body))
            }
            Stmt::Pairs(mut range, two, one) => {
                (range.from, range.to) = (value(&range.from), value(&range.to));
                Stmt::Pairs(range, inside(two), inside(one))
            }
            Stmt::Strips(strips, body) => Stmt::Strips(strips, inside(body)),
            Stmt::If(condition, a, b) => Stmt::If(value(&condition), inside(a), inside(b)),
        }
    }
}

impl NestValue {
    /// Does something with each place that it reads.
    pub(in crate::nest) fn places<'a>(&'a self, work: &mut dyn FnMut(&'a NestPlace)) {
        value::walk(self, &mut |part| {
            if let NestValue::Load(place) = part {
                work(place);
            }
        });
    }
}
