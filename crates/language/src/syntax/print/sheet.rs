//! Writes terms as blocks that don't depend on a width, for whoever lays them out: each subterm is a block that knows its path.
//! Equal blocks are one, so that terms which have much in common share it.

use std::borrow::Cow;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::PrintRole;
use super::descent::{Descent, RelativePath};
use super::emit::Emitter;
use crate::ground::blocks::{PartView, TextBlockId};
use crate::ground::layout::Indent;
use crate::term::Term;

/// The number of a block.
pub type BlockId = u32;

/// Text with possible breaks, and blocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SheetBlock {
    /// How far its lines are indented, if it is a group: less than 0 where it starts. What is none breaks with the group
    /// around it.
    pub group: Option<i32>,
    /// Its path, if it is a subterm.
    pub path: Option<RelativePath>,
    /// What it is made of.
    pub parts: Vec<SheetPart>,
}

/// A part of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SheetPart {
    /// Text without line breaks.
    Text(Cow<'static, str>, PrintRole),
    /// A space, or a new line.
    Break,
    /// A block with a lower number.
    Block(BlockId),
}

/// Writes terms into blocks, each block once.
pub struct Sheet {
    pub(super) emit: Emitter,
    /// The numbers of the printer's blocks, by theirs.
    known: Vec<BlockId>,
    all: Vec<Rc<SheetBlock>>,
    numbers: FxHashMap<Rc<SheetBlock>, BlockId>,
}

impl Default for Sheet {
    fn default() -> Sheet {
        let emit = Emitter::new(0, None);
        Sheet { emit, known: Vec::new(), all: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl Sheet {
    /// A closed term as a block.
    pub fn write(&mut self, term: &Term) -> BlockId {
        self.emit.enter(&[term], &[]);
        // The printer begins anew where it remembers too much, and numbers its blocks from 0 again.
        if self.emit.blocks.count() == 0 {
            self.known.clear();
        }
        let whole = self.emit.whole(term, Descent::with_paths());
        self.numbered(whole)
    }

    /// The number of a block of the printer's, after those that it made before: of these a block has others in it.
    pub(super) fn numbered(&mut self, block: TextBlockId) -> BlockId {
        for id in self.emit.blocks.since(self.known.len()) {
            let number = self.number(id);
            self.known.push(number);
        }
        self.known.get(block.number()).copied().unwrap_or(0)
    }

    /// The block with this number.
    pub fn block(&self, number: BlockId) -> &SheetBlock {
        &self.all[number as usize]
    }

    /// The number of a block of the printer's, those in which have one. What only holds another block is that one.
    fn number(&mut self, id: TextBlockId) -> BlockId {
        let blocks = &self.emit.blocks;
        let path = self.emit.paths.get(&id).copied();
        let parts: Vec<SheetPart> = blocks.parts(id).map(|part| self.part(part)).collect();
        let group = blocks.group(id).map(|indent| match indent {
            Indent::Nest(by) => by as i32,
            Indent::Align => -1,
        });
        let block = match (group, &parts[..]) {
            (None, [SheetPart::Block(only)]) => {
                let inner = self.block(*only);
                match (path, inner.path) {
                    (None, _) => return *only,
                    (Some(_), None) => SheetBlock { path, ..inner.clone() },
                    (Some(_), Some(_)) => SheetBlock { group, path, parts },
                }
            }
            _ => SheetBlock { group, path, parts },
        };
        let next = self.all.len() as BlockId;
        let block = Rc::new(block);
        let number = *self.numbers.entry(block.clone()).or_insert(next);
        if number == next {
            self.all.push(block);
        }
        number
    }

    fn part(&self, part: PartView<PrintRole>) -> SheetPart {
        match part {
            PartView::Text(text, role) => SheetPart::Text(text.clone(), *role),
            PartView::Break => SheetPart::Break,
            PartView::Block(inner) => SheetPart::Block(self.known.get(inner.number()).copied().unwrap_or(0)),
        }
    }
}
