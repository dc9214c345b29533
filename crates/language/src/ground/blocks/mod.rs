//! Holds text as a tree of blocks: laid out as a [`Stream`](super::layout::Stream) of the same groups is, but only in the
//! lines that are asked for. How many lines a block takes is remembered, so that a block that recurs is measured once.
//!
//! Recursion is as deep as the tree.

mod lay;

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::layout::{Indent, LineMeasure};
use lay::{BlockExtent, LayoutState};

/// Blocks, and how they lie in lines of one measure; each piece of text carries an `A`.
#[derive(Debug)]
pub struct TextBlocks<A> {
    measure: LineMeasure,
    closed: Vec<TextBlock<A>>,
    open: Vec<TextBlock<A>>,
    extents: FxHashMap<(TextBlockId, LayoutState), BlockExtent>,
    visited: u64,
}

/// A closed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextBlockId(u32);

impl TextBlockId {
    /// How many blocks were closed before it: those in it are among these.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
struct TextBlock<A> {
    /// Of a group; what is none breaks with the group around it.
    group: Option<Indent>,
    marked: bool,
    /// Whether it is marked, or a block in it is.
    holds_mark: bool,
    parts: Vec<BlockPart<A>>,
    /// The space that it takes when flat.
    width: usize,
    /// What of it stands before its first possible break.
    lead: LeadingWidth,
}

#[derive(Debug)]
enum BlockPart<A> {
    Text(Cow<'static, str>, A),
    /// A space, or a new line where the group around it is broken.
    Break(A),
    /// A block, and what stands between it and the next possible break.
    Block(TextBlockId, LeadingWidth),
}

/// A part of a block, as others see it.
#[derive(Clone, Copy, Debug)]
pub enum PartView<'a, A> {
    /// Text without line breaks.
    Text(&'a Cow<'static, str>, &'a A),
    /// A space, or a new line where the group around it is broken.
    Break,
    /// A block.
    Block(TextBlockId),
}

/// Space up to a possible break, if there is one, with as much of the break as the measure counts.
#[derive(Clone, Copy, Debug, Default)]
struct LeadingWidth {
    width: usize,
    ends: bool,
}

impl LeadingWidth {
    fn then(self, next: LeadingWidth) -> LeadingWidth {
        if self.ends { self } else { LeadingWidth { width: self.width.saturating_add(next.width), ends: next.ends } }
    }
}

/// A piece of laid out text: its line, counted from 0, and whether it is marked. A new line starts with its indentation.
#[derive(Debug, PartialEq, Eq)]
pub struct LaidText<A> {
    /// The number of the line.
    pub line: usize,
    /// The text.
    pub text: Cow<'static, str>,
    /// What came with it.
    pub with: A,
    /// Whether it belongs to a marked block.
    pub marked: bool,
}

impl<A: Copy> TextBlocks<A> {
    /// No blocks yet.
    pub fn new(measure: LineMeasure) -> TextBlocks<A> {
        TextBlocks { measure, closed: Vec::new(), open: Vec::new(), extents: FxHashMap::default(), visited: 0 }
    }

    /// Begins a block: a group, or what breaks with the group around it.
    pub fn open(&mut self, group: Option<Indent>, marked: bool) {
        let (parts, lead) = (Vec::new(), LeadingWidth::default());
        self.open.push(TextBlock { group, marked, holds_mark: marked, parts, width: 0, lead });
    }

    /// Adds text without line breaks.
    pub fn text(&mut self, text: impl Into<Cow<'static, str>>, with: A) {
        self.add(BlockPart::Text(text.into(), with));
    }

    /// Adds a space, or a new line where the group around it is broken.
    pub fn line(&mut self, with: A) {
        self.add(BlockPart::Break(with));
    }

    /// Adds a block that was closed before.
    pub fn again(&mut self, block: TextBlockId) {
        self.add(BlockPart::Block(block, LeadingWidth::default()));
    }

    fn add(&mut self, part: BlockPart<A>) {
        if let Some(open) = self.open.last_mut() {
            open.parts.push(part);
        }
    }

    /// Ends the block that was begun last; it belongs to no other yet.
    pub fn close(&mut self) -> TextBlockId {
        let id = TextBlockId(self.closed.len() as u32);
        if let Some(mut block) = self.open.pop() {
            let mut behind = LeadingWidth::default();
            for part in block.parts.iter_mut().rev() {
                let (width, lead) = match part {
                    BlockPart::Text(text, _) => {
                        let width = text.chars().count();
                        (width, LeadingWidth { width, ends: false })
                    }
                    BlockPart::Break(_) => (1, LeadingWidth { width: self.measure.behind, ends: true }),
                    BlockPart::Block(inner, after) => {
                        let inner = &self.closed[inner.0 as usize];
                        *after = behind;
                        block.holds_mark |= inner.holds_mark;
                        (inner.width, inner.lead)
                    }
                };
                block.width = block.width.saturating_add(width);
                behind = lead.then(behind);
            }
            block.lead = behind;
            self.closed.push(block);
        }
        id
    }

    /// What a block is made of.
    pub fn parts(&self, id: TextBlockId) -> impl Iterator<Item = PartView<'_, A>> {
        self.block(id).parts.iter().map(|part| match part {
            BlockPart::Text(text, with) => PartView::Text(text, with),
            BlockPart::Break(_) => PartView::Break,
            BlockPart::Block(inner, _) => PartView::Block(*inner),
        })
    }

    /// How a block's lines are indented, if it is a group.
    pub fn group(&self, id: TextBlockId) -> Option<Indent> {
        self.block(id).group
    }

    /// The blocks that were closed after so many others.
    pub fn since(&self, count: usize) -> impl Iterator<Item = TextBlockId> + use<A> {
        (count as u32..self.closed.len() as u32).map(TextBlockId)
    }

    /// How many blocks there are.
    pub fn count(&self) -> usize {
        self.closed.len()
    }

    /// How many blocks were entered to lay them out, or to measure them.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// How many characters a block has on one line.
    pub fn width(&self, root: TextBlockId) -> usize {
        self.block(root).width
    }

    fn block(&self, id: TextBlockId) -> &TextBlock<A> {
        &self.closed[id.0 as usize]
    }
}

#[cfg(test)]
mod tests;
