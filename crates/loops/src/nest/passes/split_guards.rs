//! Splits loops by the comparisons that guard what they read: in the middle of a loop all of them hold, so that none is asked.
//!
//! A comparison of integers that are sums of indices and sizes holds in all iterations where it holds in the worst one. What the
//! worst one says is asked once, before the loop; where it fails at the ends alone, these are loops of their own.

use rustc_hash::FxHashMap;

use super::unroll::settled_stmts;
use super::unroll_and_jam::renamed;
use crate::nest::ir::value::{int, load, map, replace, walk};
use crate::nest::ir::walk::{each, each_value, rewritten};
use crate::nest::ir::{LoopRange, Nest, NestValue, ScalarKind, Stmt, Strips};
use redexter_language::term::Prim;

/// The most iterations at either end that keep their comparisons.
const MOST_AT_ENDS: i64 = 16;

/// The largest loop that is copied, in parts of values.
const MOST_PARTS: usize = 400;

/// The most comparisons that are asked before a loop.
const MOST_ASKED: usize = 12;

/// How many iterations a strip has of an outermost loop, whose strips threads may share.
const LANES: u32 = 256;

/// Sums of so many indices and sizes, and literals as large, can't wrap: no index is as large as 2^60.
const MOST_TERMS: u64 = 6;
const LARGEST_LITERAL: u64 = 1 << 40;

/// The most parts of a value, and of the values whose names it mentions, that are looked at.
const MOST_STEPS: u32 = 100;

/// Splits the loops of a nest; none where `is_shown` doesn't hold of what that gives: without its guard, an index may be more
/// than can be shown to lie in its array.
pub(in crate::nest) fn split_guards(nest: &mut Nest, is_shown: impl Fn(&Nest) -> bool) {
    let cells = nest.last_cell();
    let mut splitter = GuardSplitter { cells, names: FxHashMap::default(), around: Vec::new(), has_split: false };
    splitter.name(&nest.body);
    let body = nest.body.clone();
    nest.body = body.iter().cloned().flat_map(|stmt| splitter.outermost(stmt)).collect();
    if splitter.has_split && !is_shown(nest) {
        nest.body = body;
    }
}

/// A sum of indices and sizes, each so many times, and a literal.
#[derive(Clone, Debug, PartialEq)]
struct LinearSum {
    terms: Vec<(NestValue, i64)>,
    literal: i64,
}

impl LinearSum {
    fn literal(literal: i64) -> LinearSum {
        LinearSum { terms: Vec::new(), literal }
    }

    fn plus_times(mut self, times: i64, other: &LinearSum) -> Option<LinearSum> {
        self.literal = self.literal.checked_add(times.checked_mul(other.literal)?)?;
        for (atom, count) in &other.terms {
            let more = times.checked_mul(*count)?;
            match self.terms.iter_mut().find(|(own, _)| own == atom) {
                Some((_, own)) => *own = own.checked_add(more)?,
                None => self.terms.push((atom.clone(), more)),
            }
        }
        self.terms.retain(|(_, count)| *count != 0);
        Some(self)
    }

    fn count_of(&self, cell: u32) -> i64 {
        self.terms.iter().find(|(atom, _)| *atom == load(cell)).map_or(0, |(_, count)| *count)
    }

    fn as_literal(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.literal)
    }

    /// Whether it can't wrap.
    fn is_small(&self) -> bool {
        let count = self.terms.iter().fold(0u64, |all, (_, count)| all.saturating_add(count.unsigned_abs()));
        count <= MOST_TERMS && self.literal.unsigned_abs() <= LARGEST_LITERAL
    }

    fn is(&self, other: &LinearSum) -> bool {
        self.clone().plus_times(-1, other).is_some_and(|rest| rest.as_literal() == Some(0))
    }

    /// That it is at least 0.
    fn asked(&self) -> NestValue {
        let side = |sign: i64| {
            let terms = self.terms.iter().filter(|(_, count)| count.signum() == sign);
            let terms = terms.map(|(atom, count)| match count.abs() {
                1 => atom.clone(),
                count => int(Prim::Mul, NestValue::Int(count), atom.clone()),
            });
            let literal = (self.literal.signum() == sign).then(|| NestValue::Int(self.literal.abs()));
            terms.chain(literal).reduce(|a, b| int(Prim::Add, a, b)).unwrap_or(NestValue::Int(0))
        };
        int(Prim::Le, side(-1), side(1))
    }
}

/// An index with the least and the greatest that it may be, where these are known.
#[derive(Clone)]
struct IndexEnds {
    cell: u32,
    least: Option<LinearSum>,
    greatest: Option<LinearSum>,
    begins_strip: bool,
}

/// A loop whose comparisons are known where these hold.
#[derive(Default)]
struct KnownGuards {
    asked: Vec<NestValue>,
    known: Vec<LinearSum>,
    /// How many iterations at both ends aren't in it.
    ends: [i64; 2],
}

struct GuardSplitter {
    cells: u32,
    /// What integers are that have a name; none where copies of a loop give it several values.
    names: FxHashMap<u32, Option<NestValue>>,
    /// The indices around, outer ones first.
    around: Vec<IndexEnds>,
    /// Whether comparisons of a loop are known.
    has_split: bool,
}

impl GuardSplitter {
    fn name(&mut self, body: &[Stmt]) {
        each(body, &mut |stmt| {
            if let Stmt::Let(slot, value) = stmt
                && slot.array.number == ScalarKind::Int
            {
                let known = self.names.entry(slot.cell).or_insert_with(|| Some(value.clone()));
                *known = known.take().filter(|known| known == value);
            }
        });
    }

    /// Notes what names stand for in a loop that is written anew.
    fn rename(&mut self, body: &[Stmt]) {
        each(body, &mut |stmt| {
            if let Stmt::Let(slot, value) = stmt
                && let Some(Some(known)) = self.names.get_mut(&slot.cell)
            {
                *known = value.clone();
            }
        });
    }

    /// An outermost loop stays one, in strips, since threads share these.
    fn outermost(&mut self, stmt: Stmt) -> Vec<Stmt> {
        match stmt {
            Stmt::For(range, inside) if range.most.is_none() && !has_loops(&inside) => {
                let size = range.to.as_size().filter(|_| range.from == NestValue::Int(0));
                let is_split = |found: &KnownGuards| found.ends != [0, 0] || !found.asked.is_empty();
                let found = self.guards(&range, &inside, true).filter(is_split);
                let (Some(size), Some(_)) = (size, found) else { return self.looped(Stmt::For(range, inside)) };
                self.cells += 2;
                let (base, count) = (self.cells - 1, self.cells);
                let at = int(Prim::Add, load(base), load(range.cell));
                let names = [(range.cell, at)].into_iter().collect();
                let inside = rewritten(inside, &|value| replace(value, &names));
                self.rename(&inside);
                let lanes = Stmt::For(LoopRange::to(range.cell, &range.hint, load(count)), inside);
                self.looped(Stmt::Strips(Strips { base, count, size, lanes: LANES }, vec![lanes]))
            }
            stmt => self.looped(stmt),
        }
    }

    fn looped(&mut self, stmt: Stmt) -> Vec<Stmt> {
        match stmt {
            Stmt::For(range, inside) if range.most.is_none() && !has_loops(&inside) => self.split(range, inside, true),
            Stmt::Lanes(range, inside) if range.most.is_none() => self.split(range, inside, false),
            stmt => {
                let around = self.around.len();
                match &stmt {
                    Stmt::For(range, _) => self.around.push(self.ends(range)),
                    Stmt::Strips(strips, _) => self.strip(strips),
                    // Two iterations at once don't end where one does.
                    Stmt::Pairs(range, ..) => {
                        self.around.push(IndexEnds { greatest: None, ..self.ends(range) });
                    }
                    _ => {}
                }
                let stmt = stmt.with(&mut NestValue::clone, &mut |body| {
                    body.into_iter().flat_map(|stmt| self.looped(stmt)).collect()
                });
                self.around.truncate(around);
                vec![stmt]
            }
        }
    }

    fn strip(&mut self, strips: &Strips) {
        let one = Some(LinearSum::literal(1));
        self.around.push(IndexEnds { cell: strips.count, least: one, greatest: None, begins_strip: false });
        let count = LinearSum { terms: vec![(load(strips.count), 1)], literal: 0 };
        let greatest = self.linear(&NestValue::of(&strips.size)).and_then(|size| size.plus_times(-1, &count));
        let least = Some(LinearSum::literal(0));
        self.around.push(IndexEnds { cell: strips.base, least, greatest, begins_strip: true });
    }

    fn ends(&self, range: &LoopRange) -> IndexEnds {
        let least = self.linear(&range.from);
        let greatest = self.linear(&range.to).and_then(|to| to.plus_times(-1, &LinearSum::literal(1)));
        // Lanes may run on behind their end.
        let greatest = greatest.filter(|_| range.most.is_none());
        IndexEnds { cell: range.cell, least, greatest, begins_strip: false }
    }

    /// A loop in whose middle comparisons are known.
    fn split(&mut self, range: LoopRange, inside: Vec<Stmt>, has_ends: bool) -> Vec<Stmt> {
        let written = |range: LoopRange, inside: Vec<Stmt>| match has_ends {
            true => Stmt::For(range, inside),
            false => Stmt::Lanes(range, inside),
        };
        let in_strip = self.around.iter().any(|index| index.begins_strip);
        let whole = self.guards(&range, &inside, false).filter(|_| in_strip || !has_ends);
        let pieces = if has_ends { self.guards(&range, &inside, true) } else { None };
        let mut all = vec![written(range.clone(), inside.clone())];
        for found in [pieces, whole].into_iter().flatten() {
            let [first, last] = found.ends;
            let known = self.knowing(&inside, &found.known);
            let mut parts = Vec::new();
            let mut part = |cells: &mut u32, from: NestValue, to: NestValue, inside: &[Stmt]| {
                let part = written(LoopRange { from, to, ..range.clone() }, inside.to_vec());
                parts.extend(renamed(cells, &[part], &mut FxHashMap::default()));
            };
            let behind = match last {
                0 => range.to.clone(),
                last => int(Prim::Sub, range.to.clone(), NestValue::Int(last)),
            };
            if first > 0 {
                part(&mut self.cells, range.from.clone(), NestValue::Int(first), &inside);
            }
            let from = if first > 0 { NestValue::Int(first) } else { range.from.clone() };
            part(&mut self.cells, from, behind.clone(), &known);
            if last > 0 {
                part(&mut self.cells, behind, range.to.clone(), &inside);
            }
            let ends = NestValue::Int(first + last);
            let is_long = (first + last > 0).then(|| int(Prim::Le, ends, range.to.clone()));
            let asked = is_long.into_iter().chain(found.asked).reduce(|a, b| int(Prim::And, a, b));
            all = match asked {
                Some(asked) => vec![Stmt::If(asked, parts, all)],
                None => parts,
            };
        }
        all
    }

    /// What has to hold so that comparisons in a loop do; in all iterations, or in all but some at its ends. Nothing where none
    /// would be known.
    fn guards(&mut self, range: &LoopRange, inside: &[Stmt], has_ends: bool) -> Option<KnownGuards> {
        let mut parts = 0;
        each_value(inside, &mut |value| parts += value.size());
        if parts > MOST_PARTS {
            return None;
        }
        let outside = self.around.len();
        self.around.push(self.ends(range));
        each(inside, &mut |stmt| {
            if let Stmt::For(range, _) | Stmt::Lanes(range, _) = stmt {
                let ends = self.ends(range);
                self.add_within(ends, outside);
            }
        });
        let found = self.found(range, inside, has_ends, outside);
        self.around.truncate(outside);
        self.has_split |= !found.known.is_empty();
        (!found.known.is_empty()).then_some(found)
    }

    /// Adds the ends of an index inside; where a loop has this index already, as parts of one that was split have, those of both.
    fn add_within(&mut self, ends: IndexEnds, outside: usize) {
        let Some(at) = self.around[outside..].iter().position(|index| index.cell == ends.cell) else {
            self.around.push(ends);
            return;
        };
        let own = &self.around[outside + at];
        let pick = |a: &Option<LinearSum>, b: &Option<LinearSum>, sign: i64| {
            let (a, b) = (a.as_ref()?, b.as_ref()?);
            let is_beyond = |beyond: &LinearSum, other: &LinearSum| {
                let between = beyond.clone().plus_times(-1, other);
                let between = between.and_then(|sum| LinearSum::literal(0).plus_times(sign, &sum));
                let lowest = between.and_then(|sum| lowest(&sum, self.around[..outside].iter().rev()));
                lowest.and_then(|sum| sum.as_literal()).is_some_and(|least| least >= 0)
            };
            if is_beyond(a, b) {
                return Some(a.clone());
            }
            is_beyond(b, a).then(|| b.clone())
        };
        let least = pick(&own.least, &ends.least, -1);
        let greatest = pick(&own.greatest, &ends.greatest, 1);
        self.around[outside + at] = IndexEnds { least, greatest, ..ends };
    }

    /// The same, where the indices of the loop and of those inside stand behind those outside.
    fn found(&self, range: &LoopRange, inside: &[Stmt], has_ends: bool, outside: usize) -> KnownGuards {
        let within = &self.around[outside..];
        // Where iterations at the ends of a strip are left out, the middle is one of each strip.
        let strip = self.around[..outside].iter().filter(|index| has_ends && index.begins_strip);
        let mut all: Vec<LinearSum> = Vec::new();
        each_value(inside, &mut |value| {
            walk(value, &mut |part| {
                if let Some(guard) = self.guard(part)
                    && !all.iter().any(|other| other.is(&guard))
                {
                    all.push(guard);
                }
            });
        });
        let mut found = KnownGuards::default();
        for guard in all {
            let Some(lowest) = lowest(&guard, self.around.iter().rev()) else { continue };
            if lowest.as_literal().is_some_and(|lowest| lowest >= 0) {
                found.known.push(guard);
                continue;
            }
            let Some(worst) = self::lowest(&guard, within.iter().rev().chain(strip.clone())) else { continue };
            // It is asked before the loop, where no index of one that has no known end is.
            if within.iter().any(|index| worst.count_of(index.cell) != 0) {
                continue;
            }
            let Some(worst) = worst.as_literal() else {
                if found.asked.len() < MOST_ASKED && worst.is_small() {
                    let asked = worst.asked();
                    if !found.asked.contains(&asked) {
                        found.asked.push(asked);
                    }
                    found.known.push(guard);
                }
                continue;
            };
            let end = match guard.count_of(range.cell) {
                1 => 0,
                -1 => 1,
                _ => continue,
            };
            if worst >= 0 {
                found.known.push(guard);
            } else if has_ends && range.from == NestValue::Int(0) && worst >= -MOST_AT_ENDS {
                found.ends[end] = found.ends[end].max(-worst);
                found.known.push(guard);
            }
        }
        found
    }

    /// What is at least 0 where a comparison holds.
    fn guard(&self, value: &NestValue) -> Option<LinearSum> {
        let NestValue::Prim(prim, ScalarKind::Int, operands) = value else { return None };
        let (low, high, less) = match (prim, &operands[..]) {
            (Prim::Le, [a, b]) | (Prim::Ge, [b, a]) => (a, b, 0),
            (Prim::Lt, [a, b]) | (Prim::Gt, [b, a]) => (a, b, 1),
            _ => return None,
        };
        let (low, high) = (self.linear(low)?, self.linear(high)?);
        if !low.is_small() || !high.is_small() {
            return None;
        }
        let guard = high.plus_times(-1, &low)?.plus_times(-1, &LinearSum::literal(less))?;
        guard.is_small().then_some(guard)
    }

    fn linear(&self, value: &NestValue) -> Option<LinearSum> {
        self.sum(value, &mut { MOST_STEPS })
    }

    fn sum(&self, value: &NestValue, steps: &mut u32) -> Option<LinearSum> {
        // Names that mention names twice each would otherwise be gone through more often than there are parts of the program.
        *steps = steps.checked_sub(1)?;
        let mut part = |value: &NestValue| self.sum(value, steps);
        match value {
            NestValue::Int(k) => Some(LinearSum::literal(*k)),
            NestValue::Size(_) => Some(LinearSum { terms: vec![(value.clone(), 1)], literal: 0 }),
            NestValue::Load(place) if place.indices.is_empty() => match self.names.get(&place.cell) {
                Some(named) => part(named.as_ref()?),
                None => {
                    let is_index = self.around.iter().any(|index| index.cell == place.cell);
                    is_index.then(|| LinearSum { terms: vec![(value.clone(), 1)], literal: 0 })
                }
            },
            NestValue::Prim(prim, ScalarKind::Int, operands) => match (prim, &operands[..]) {
                (Prim::ToInt, [a]) => part(a),
                (Prim::Offset(more), [a]) => part(a)?.plus_times(1, &LinearSum::literal(i64::try_from(*more).ok()?)),
                (Prim::Add, [a, b]) => part(a)?.plus_times(1, &part(b)?),
                (Prim::Sub, [a, b]) => part(a)?.plus_times(-1, &part(b)?),
                (Prim::Neg, [a]) => LinearSum::literal(0).plus_times(-1, &part(a)?),
                (Prim::Mul, [NestValue::Int(k), a] | [a, NestValue::Int(k)]) => {
                    LinearSum::literal(0).plus_times(*k, &part(a)?)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Statements where comparisons hold.
    fn knowing(&mut self, inside: &[Stmt], known: &[LinearSum]) -> Vec<Stmt> {
        let outside = self.around.len();
        let index = |cell| IndexEnds { cell, least: None, greatest: None, begins_strip: false };
        // A sum mentions indices of the loop and of loops inside.
        self.around.extend(known.iter().flat_map(|sum| &sum.terms).filter_map(|(atom, _)| match atom {
            NestValue::Load(place) => Some(index(place.cell)),
            _ => None,
        }));
        let own = &*self;
        let holds = |part: &NestValue| own.guard(part).is_some_and(|guard| known.iter().any(|other| other.is(&guard)));
        let inside = rewritten(inside.to_vec(), &|value| {
            map(value, &mut |part| if holds(&part) { NestValue::Int(1) } else { part })
        });
        self.around.truncate(outside);
        settled_stmts(inside)
    }
}

/// The least that a sum may be, whatever these indices are.
fn lowest<'i>(sum: &LinearSum, indices: impl Iterator<Item = &'i IndexEnds>) -> Option<LinearSum> {
    let mut sum = sum.clone();
    for index in indices {
        let count = sum.count_of(index.cell);
        let end = if count > 0 { &index.least } else { &index.greatest };
        if let Some(end) = end.as_ref().filter(|_| count != 0) {
            let own = LinearSum { terms: vec![(load(index.cell), 1)], literal: 0 };
            sum = sum.plus_times(-count, &own)?.plus_times(count, end)?;
        }
    }
    Some(sum)
}

fn has_loops(body: &[Stmt]) -> bool {
    let mut found = false;
    each(body, &mut |stmt| found |= stmt.indices().next().is_some());
    found
}
