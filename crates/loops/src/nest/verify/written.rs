//! Tracks which cells of arrays have been written, so that each is before it is read.
//!
//! A write is kept with its indices, the loop indices that have run through their ranges since, and the conditions under
//! which it was done. It covers a read if indices can be chosen for which it wrote there: they follow from the read's.

use smallvec::SmallVec;

use super::facts::{Cond, IntegerFacts};
use super::poly::{AtomPoly, PolyAtom};
use crate::nest::ir::NestPlace;

/// The most writes that one read may take together: where one ends another begins.
const MOST_TOGETHER: u32 = 3;

/// What was written.
#[derive(Clone, Debug)]
pub(super) struct TrackedWrite {
    pub(super) cell: u32,
    pub(super) indices: SmallVec<[AtomPoly; 3]>,
    /// Indices of loops that have ended: for each of their values under the conditions something was written.
    pub(super) over: SmallVec<[PolyAtom; 4]>,
    pub(super) conds: SmallVec<[Cond; 6]>,
}

/// What is read.
#[derive(Clone, Debug)]
pub(super) struct TrackedRead {
    pub(super) cell: u32,
    pub(super) indices: SmallVec<[AtomPoly; 3]>,
    /// As the nest has it.
    pub(super) place: NestPlace,
}

impl TrackedWrite {
    /// The loop over an index ends, whose range the conditions say.
    pub(super) fn close(&mut self, index: PolyAtom, range: &[Cond]) {
        self.over.push(index);
        self.conds.extend(range.iter().cloned());
    }

    /// Whether it hangs on atoms from this one on that aren't gone through.
    pub(super) fn hangs_on(&self, first: PolyAtom) -> bool {
        self.mentions(&|atom| atom >= first && !self.over.contains(&atom))
    }

    /// Whether an atom that is so stands in it.
    pub(super) fn mentions(&self, is_so: &dyn Fn(PolyAtom) -> bool) -> bool {
        let mut found = false;
        let mut each = |atom: PolyAtom| found |= is_so(atom);
        self.indices.iter().for_each(|index| index.atoms().for_each(&mut each));
        self.conds.iter().for_each(|cond| cond.atoms(&mut each));
        found
    }

    /// With another polynomial for an atom.
    pub(super) fn replaced(&self, atom: PolyAtom, by: &AtomPoly) -> Option<TrackedWrite> {
        Some(TrackedWrite {
            cell: self.cell,
            indices: self.indices.iter().map(|index| index.replaced(atom, by)).collect::<Option<_>>()?,
            over: self.over.iter().copied().filter(|own| *own != atom).collect(),
            conds: self.conds.iter().map(|cond| cond.replaced(atom, by)).collect::<Option<_>>()?,
        })
    }

    /// The conditions under which it wrote at these indices; none where it can't have.
    fn at(&self, indices: &[AtomPoly]) -> Option<TrackedWrite> {
        let mut write = self.clone();
        for (k, wanted) in indices.iter().enumerate() {
            let own = write.indices.get(k)?.clone();
            // The loop index that runs along this dimension is solved for.
            let solved = write.over.iter().rev().copied().find_map(|atom| {
                let (factor, rest) = own.linear_in(atom)?;
                // Otherwise not each index is one of the loop's: of `2 * i` only each second one.
                match factor.as_constant()? {
                    1 => Some((atom, wanted.minus(&rest)?)),
                    -1 => Some((atom, rest.minus(wanted)?)),
                    _ => None,
                }
            });
            match solved {
                Some((atom, by)) if !by.mentions(atom) => write = write.replaced(atom, &by)?,
                // As far apart for all sizes, they are never the same element.
                _ if own.minus(wanted)?.as_constant().is_some_and(|apart| apart != 0) => return None,
                _ => {
                    let equal = Cond::All(vec![Cond::at_most(&own, wanted)?, Cond::at_most(wanted, &own)?]);
                    if own != *wanted {
                        write.conds.push(equal);
                    }
                }
            }
        }
        Some(write)
    }
}

/// Whether these writes together cover a read where the facts hold.
pub(super) fn covers(facts: &mut IntegerFacts, writes: &[&TrackedWrite], indices: &[AtomPoly]) -> bool {
    covers_in(facts, writes, indices, MOST_TOGETHER)
}

fn covers_in(facts: &mut IntegerFacts, writes: &[&TrackedWrite], indices: &[AtomPoly], together: u32) -> bool {
    let mut partial = Vec::new();
    for write in writes.iter().rev() {
        let Some(at) = write.at(indices) else { continue };
        let Some(open) = missing(facts, &at) else { continue };
        match open {
            None => return true,
            // Only a plain condition is negated: the negation of several is a choice, of which other writes would have to cover
            // each case.
            Some(cond @ (Cond::AtLeastZero(_) | Cond::Unknown(..))) => partial.push(cond),
            Some(_) => {}
        }
    }
    if together == 0 {
        return false;
    }
    partial.into_iter().take(4).any(|cond| {
        let Some(other) = cond.negated() else { return false };
        let mark = facts.mark();
        // Where the condition holds this write covers the read: so others have to where it doesn't.
        facts.assume(&other);
        let covered = covers_in(facts, writes, indices, together - 1);
        facts.back(mark);
        covered
    })
}

/// The one condition of a write that doesn't follow; outer none where there are more, or where it hangs on a loop index that
/// nothing tells.
fn missing(facts: &mut IntegerFacts, write: &TrackedWrite) -> Option<Option<Cond>> {
    let mut write = write.clone();
    // A loop whose index doesn't tell the place stores there in each iteration: it is taken in its first, which has to exist.
    while let Some(atom) = write.over.pop() {
        let first = write.conds.iter().find_map(|cond| match cond {
            Cond::AtLeastZero(poly) => {
                let (factor, rest) = poly.linear_in(atom)?;
                (factor.as_constant() == Some(1)).then(|| AtomPoly::default().minus(&rest)).flatten()
            }
            _ => None,
        });
        let mut mentioned = false;
        write.conds.iter().for_each(|cond| cond.atoms(&mut |own| mentioned |= own == atom));
        if mentioned {
            write = write.replaced(atom, &first?)?;
        }
    }
    let mut open = None;
    for cond in &write.conds {
        if !facts.holds(cond) && open.replace(cond.clone()).is_some() {
            return None;
        }
    }
    Some(open)
}
