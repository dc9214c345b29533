//! Holds text as a tree of blocks: laid out as a [`Stream`](super::layout::Stream) of the same groups is, but only in the
//! lines that are asked for. How many lines a block takes is remembered, so that a block that recurs is measured once.
//!
//! Recursion is as deep as the tree.

mod lay;

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::layout::{Indent, Measure};
use lay::{Extent, State};

/// Blocks, and how they lie in lines of one measure; each piece of text carries an `A`.
#[derive(Debug)]
pub struct Blocks<A> {
    measure: Measure,
    closed: Vec<Block<A>>,
    open: Vec<Block<A>>,
    extents: FxHashMap<(Id, State), Extent>,
    visited: u64,
}

/// A closed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id(u32);

impl Id {
    /// How many blocks were closed before it: those in it are among these.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
struct Block<A> {
    /// Of a group; what is none breaks with the group around it.
    group: Option<Indent>,
    marked: bool,
    /// Whether it is marked, or a block in it is.
    holds_mark: bool,
    parts: Vec<Part<A>>,
    /// The space that it takes when flat.
    width: usize,
    /// What of it stands before its first possible break.
    lead: Lead,
}

#[derive(Debug)]
enum Part<A> {
    Text(Cow<'static, str>, A),
    /// A space, or a new line where the group around it is broken.
    Break(A),
    /// A block, and what stands between it and the next possible break.
    Block(Id, Lead),
}

/// A part of a block, as others see it.
#[derive(Clone, Copy, Debug)]
pub enum Inner<'a, A> {
    /// Text without line breaks.
    Text(&'a Cow<'static, str>, &'a A),
    /// A space, or a new line where the group around it is broken.
    Break,
    /// A block.
    Block(Id),
}

/// Space up to a possible break, if there is one, with as much of the break as the measure counts.
#[derive(Clone, Copy, Debug, Default)]
struct Lead {
    width: usize,
    ends: bool,
}

impl Lead {
    fn then(self, next: Lead) -> Lead {
        if self.ends { self } else { Lead { width: self.width.saturating_add(next.width), ends: next.ends } }
    }
}

/// A piece of laid out text: its line, counted from 0, and whether it is marked. A new line starts with its indentation.
#[derive(Debug, PartialEq, Eq)]
pub struct Laid<A> {
    /// The number of the line.
    pub line: usize,
    /// The text.
    pub text: Cow<'static, str>,
    /// What came with it.
    pub with: A,
    /// Whether it belongs to a marked block.
    pub marked: bool,
}

impl<A: Copy> Blocks<A> {
    /// No blocks yet.
    pub fn new(measure: Measure) -> Blocks<A> {
        Blocks { measure, closed: Vec::new(), open: Vec::new(), extents: FxHashMap::default(), visited: 0 }
    }

    /// Begins a block: a group, or what breaks with the group around it.
    pub fn open(&mut self, group: Option<Indent>, marked: bool) {
        let (parts, lead) = (Vec::new(), Lead::default());
        self.open.push(Block { group, marked, holds_mark: marked, parts, width: 0, lead });
    }

    /// Adds text without line breaks.
    pub fn text(&mut self, text: impl Into<Cow<'static, str>>, with: A) {
        self.add(Part::Text(text.into(), with));
    }

    /// Adds a space, or a new line where the group around it is broken.
    pub fn line(&mut self, with: A) {
        self.add(Part::Break(with));
    }

    /// Adds a block that was closed before.
    pub fn again(&mut self, block: Id) {
        self.add(Part::Block(block, Lead::default()));
    }

    fn add(&mut self, part: Part<A>) {
        if let Some(open) = self.open.last_mut() {
            open.parts.push(part);
        }
    }

    /// Ends the block that was begun last; it belongs to no other yet.
    pub fn close(&mut self) -> Id {
        let id = Id(self.closed.len() as u32);
        if let Some(mut block) = self.open.pop() {
            let mut behind = Lead::default();
            for part in block.parts.iter_mut().rev() {
                let (width, lead) = match part {
                    Part::Text(text, _) => {
                        let width = text.chars().count();
                        (width, Lead { width, ends: false })
                    }
                    Part::Break(_) => (1, Lead { width: self.measure.behind, ends: true }),
                    Part::Block(inner, after) => {
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
    pub fn parts(&self, id: Id) -> impl Iterator<Item = Inner<'_, A>> {
        self.block(id).parts.iter().map(|part| match part {
            Part::Text(text, with) => Inner::Text(text, with),
            Part::Break(_) => Inner::Break,
            Part::Block(inner, _) => Inner::Block(*inner),
        })
    }

    /// How a block's lines are indented, if it is a group.
    pub fn group(&self, id: Id) -> Option<Indent> {
        self.block(id).group
    }

    /// The blocks that were closed after so many others.
    pub fn since(&self, count: usize) -> impl Iterator<Item = Id> + use<A> {
        (count as u32..self.closed.len() as u32).map(Id)
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
    pub fn width(&self, root: Id) -> usize {
        self.block(root).width
    }

    fn block(&self, id: Id) -> &Block<A> {
        &self.closed[id.0 as usize]
    }
}

#[cfg(test)]
mod tests;
