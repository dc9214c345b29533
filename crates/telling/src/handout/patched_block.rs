//! Tracks the blocks of a term from step to step: a tree is a block with other blocks in the place of some of its parts.

use std::collections::BTreeMap;

use redexter_language::ground::{Budget, StopReason};
use redexter_language::syntax::{BlockId, RewrittenBlock, Sheet, SheetBlock, SheetPart};
use redexter_language::term::Slot;

/// A replacement: the numbers of the parts that lead to the place from the outermost block on, and the block that is there now.
pub(super) type BlockPatch = (Vec<usize>, BlockId);

/// A block, with other trees in the place of some of its parts. Blocks themselves never change, as terms share them.
pub(super) struct PatchedBlock {
    block: BlockId,
    instead: BTreeMap<usize, PatchedBlock>,
}

/// A block within a tree, with the replacements in it.
#[derive(Clone, Copy)]
struct PatchedNode<'a> {
    block: BlockId,
    /// The tree that replaces blocks in it; none where all are its own.
    tree: Option<&'a PatchedBlock>,
}

impl PatchedBlock {
    /// A block as it is.
    pub(super) fn of(block: BlockId) -> PatchedBlock {
        PatchedBlock { block, instead: BTreeMap::new() }
    }

    /// The parts that lead to the block that is to be another one; none where the tree has no such place.
    pub(super) fn find(&self, sheet: &Sheet, anew: &RewrittenBlock) -> Option<Vec<usize>> {
        let (mut way, mut node, mut rest) = (Vec::new(), self.root(), &anew.way[..]);
        while !rest.is_empty() {
            let found = node.subterm(sheet, rest, &mut way)?;
            (node, rest) = (found.0, &rest[found.1..]);
        }
        if anew.parenthesised {
            way.pop();
            let SheetBlock { group: None, path: None, parts } = sheet.block(self.at(sheet, &way)?.block) else {
                return None;
            };
            return (parts.len() == 3).then_some(way);
        }
        Some(way)
    }

    /// Puts a block at the end of a way of parts, and gives the smallest replacements that turn the old block into it: where both
    /// have the same form, those of their parts. Recursion is as deep as the blocks.
    pub(super) fn put(
        &mut self,
        sheet: &Sheet,
        mut way: Vec<usize>,
        block: BlockId,
        budget: &Budget,
    ) -> Result<Vec<BlockPatch>, StopReason> {
        // The tree as it was is compared before it is changed.
        let mut edits = Vec::new();
        if let Some(node) = self.at(sheet, &way) {
            let end = way.len();
            node.compare(sheet, block, &mut way, &mut edits, budget)?;
            way.truncate(end);
        }
        let mut here = self;
        for part in way {
            let own = sheet.block(here.block).parts.get(part);
            here = here.instead.entry(part).or_insert_with(|| match own {
                Some(SheetPart::Block(inner)) => PatchedBlock::of(*inner),
                _ => PatchedBlock::of(block),
            });
        }
        *here = PatchedBlock::of(block);
        Ok(edits)
    }

    fn root(&self) -> PatchedNode<'_> {
        PatchedNode { block: self.block, tree: Some(self) }
    }

    fn at(&self, sheet: &Sheet, way: &[usize]) -> Option<PatchedNode<'_>> {
        way.iter().try_fold(self.root(), |node, part| node.part(*part, &sheet.block(node.block).parts[*part]))
    }
}

impl<'a> PatchedNode<'a> {
    /// The block that stands where a part of its block is one.
    fn part(self, k: usize, own: &SheetPart) -> Option<PatchedNode<'a>> {
        let SheetPart::Block(inner) = own else { return None };
        let instead = self.tree.and_then(|tree| tree.instead.get(&k));
        Some(instead.map_or(PatchedNode { block: *inner, tree: None }, PatchedBlock::root))
    }

    /// The nearest subterm in it on a way, and so many steps of the way lead there; its parts are added to a way of parts.
    fn subterm(self, sheet: &Sheet, rest: &[Slot], way: &mut Vec<usize>) -> Option<(PatchedNode<'a>, usize)> {
        for (k, own) in sheet.block(self.block).parts.iter().enumerate() {
            let Some(inner) = self.part(k, own) else { continue };
            way.push(k);
            let found = match sheet.block(inner.block).path {
                None => inner.subterm(sheet, rest, way),
                Some(path) => {
                    let (slot, times) = (path.slot?, path.times as usize);
                    let leads = rest.get(..times).is_some_and(|steps| steps.iter().all(|step| *step == slot));
                    leads.then_some((inner, times))
                }
            };
            if found.is_some() {
                return found;
            }
            way.pop();
        }
        None
    }

    /// Finds the smallest blocks in which this one differs from another.
    fn compare(
        self,
        sheet: &Sheet,
        to: BlockId,
        parts: &mut Vec<usize>,
        found: &mut Vec<BlockPatch>,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        if self.block == to && self.tree.is_none_or(|tree| tree.instead.is_empty()) {
            return Ok(());
        }
        budget.tick()?;
        let (old, new) = (sheet.block(self.block), sheet.block(to));
        if !alike(old, new) {
            found.push((parts.clone(), to));
            return Ok(());
        }
        for (k, (old, new)) in old.parts.iter().zip(&new.parts).enumerate() {
            if let (Some(old), SheetPart::Block(new)) = (self.part(k, old), new) {
                parts.push(k);
                old.compare(sheet, *new, parts, found, budget)?;
                parts.pop();
            }
        }
        Ok(())
    }
}

/// Whether two blocks have the same form: if they differ, then only in blocks that are their parts.
fn alike(old: &SheetBlock, new: &SheetBlock) -> bool {
    let like =
        |(a, b): (&SheetPart, &SheetPart)| matches!((a, b), (SheetPart::Block(_), SheetPart::Block(_))) || a == b;
    let form = |block: &SheetBlock| (block.group, block.path, block.parts.len());
    form(old) == form(new) && old.parts.iter().zip(&new.parts).all(like)
}
