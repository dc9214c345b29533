//! Writes sums over lanes that lie side by side, as many at once as a vector has numbers: they come to one vector.

use super::body::CBody;
use super::lanes::Lanes;
use super::reduce::Accumulators;
use crate::nest::{Divergence, LoopRange, NestPlace, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

/// Sums over lanes, one for each iteration of a loop around them.
struct AdjacentSums<'a> {
    lanes: &'a LoopRange,
    added: &'a NestValue,
    place: &'a NestPlace,
}

impl AdjacentSums<'_> {
    fn of<'a>(range: &LoopRange, inside: &'a [Stmt]) -> Option<AdjacentSums<'a>> {
        let [Stmt::Var(slot), Stmt::Set(first, begun), Stmt::For(lanes, round), Stmt::Set(place, done)] = inside else {
            return None;
        };
        let [Stmt::Set(own, NestValue::Prim(Prim::Add, ScalarKind::Real, both))] = &round[..] else {
            return None;
        };
        let here = NestValue::Load(NestPlace { cell: slot.cell, indices: Vec::new() });
        let is_own = |place: &NestPlace| place.cell == slot.cell && place.indices.is_empty();
        let (last, others) = place.indices.split_last()?;
        let is_dense = matches!(last, NestValue::Load(at) if at.cell == range.cell && at.indices.is_empty());
        (is_own(first)
            && is_own(own)
            && *begun == NestValue::Load(place.clone())
            && both[0] == here
            && *done == here
            && is_dense
            && lanes.from == NestValue::Int(0)
            && !others.iter().any(|index| index.mentions(range.cell))
            && !both[1].mentions(place.cell)
            && !both[1].mentions(slot.cell))
        .then_some(AdjacentSums { lanes, added: &both[1], place })
    }
}

impl CBody<'_> {
    /// Writes a loop whose iterations each add a sum over all lanes to a place beside that of the iteration before: as many
    /// iterations at once as a vector has numbers. False where it is none.
    pub(super) fn side_by_side(&mut self, range: &LoopRange, inside: &[Stmt], depth: usize) -> bool {
        let width = self.width();
        let found = AdjacentSums::of(range, inside).filter(|_| self.target.freedom.reorders());
        let Some(found) = found else { return false };
        // Only whole vectors of lanes are summed; in strips of one lane the loop stays as it is.
        let known = self.known(&found.lanes.to).filter(|extent| width > 1 && extent % width == 0);
        let along = Divergence::along(found.lanes.cell);
        let index = self.names.cell(found.lanes.cell).to_owned();
        let shares = known.and_then(|extent| Accumulators::of(&index, extent, width));
        let Some(shares) = shares.filter(|_| along.differs(found.added) && !along.at(found.place)) else {
            return false;
        };
        self.lanes = Some(Lanes::of(along));
        let (lines, sum) = self.sum(&shares, found.added, None);
        self.lanes = None;
        let (i, (from, to)) = (self.names.cell(range.cell).to_owned(), self.bounds(range));
        let place = self.span(found.place, width);
        self.line(depth, "{");
        for line in [
            format!("int64_t {i}_first = {from};"),
            format!("for (; {i}_first + {width} <= {to}; {i}_first += {width}) {{"),
            format!("  redexter_v all[{width}];"),
            format!("  for (int64_t k = 0; k < {width}; k++) {{"),
            format!("    const int64_t {i} = {i}_first + k;"),
        ] {
            self.line(depth + 1, &line);
        }
        lines.iter().for_each(|line| self.line(depth + 3, line));
        for line in [
            format!("    all[k] = {sum};"),
            "  }".to_owned(),
            format!("  const int64_t {i} = {i}_first;"),
            format!("  *(redexter_v *)&{place} += redexter_sums(all);"),
            "}".to_owned(),
        ] {
            self.line(depth + 1, &line);
        }
        // Fewer iterations than a vector has numbers may be left: they go one by one.
        self.rounds(range, &format!("{i}_first"), inside, depth + 1);
        self.line(depth, "}");
        true
    }
}
