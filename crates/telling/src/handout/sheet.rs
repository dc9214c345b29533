//! Writes terms as blocks in JSON. A block is `[kind, path, part…]`: a kind below 0 is no group (-2) or one that is aligned where
//! it starts (-1), another how far a group is indented; a path is 0 where the block is no subterm; a part is a text behind the
//! letter of its role, 0 for a possible line break, or 1 more than the number of a block.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::styled::letter;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::syntax::{BlockId, RelativePath, Sheet, SheetBlock, SheetPart};
use redexter_language::term::Term;

/// A closed term, as `{"blocks": …, "root": …}`.
pub fn sheet(term: &Term, budget: &Budget) -> Result<String, StopReason> {
    let (mut sheet, mut blocks) = (Sheet::default(), BlockTable::default());
    let root = sheet.write(term);
    let root = blocks.number(&sheet, root, budget)?;
    Ok(format!("{{\"blocks\": {}, \"root\": {root}}}", blocks.into_json()))
}

/// The blocks that are written so far, each behind those in it, with their numbers.
#[derive(Default)]
pub(super) struct BlockTable {
    text: String,
    numbers: FxHashMap<BlockId, u32>,
}

impl BlockTable {
    /// The number under which a block is written.
    pub(super) fn number(&mut self, sheet: &Sheet, block: BlockId, budget: &Budget) -> Result<u32, StopReason> {
        // Depth first on a stack of its own, since blocks nest as deeply as terms: a block waits until all in it are written.
        let mut waiting = vec![block];
        while let Some(next) = waiting.last().copied() {
            let count = waiting.len();
            if !self.numbers.contains_key(&next) {
                let inner = sheet.block(next).parts.iter().filter_map(|part| match part {
                    SheetPart::Block(inner) if !self.numbers.contains_key(inner) => Some(*inner),
                    _ => None,
                });
                waiting.extend(inner);
            }
            if waiting.len() == count {
                budget.tick()?;
                waiting.pop();
                self.write(sheet, next);
            }
        }
        Ok(self.numbers.get(&block).copied().unwrap_or(0))
    }

    fn write(&mut self, sheet: &Sheet, number: BlockId) {
        let own = self.numbers.len() as u32;
        if *self.numbers.entry(number).or_insert(own) != own {
            return;
        }
        let SheetBlock { group, path, parts } = sheet.block(number);
        let text = &mut self.text;
        text.push_str(if own == 0 { "[" } else { ",\n[" });
        _ = write!(text, "{},", group.unwrap_or(-2));
        match path {
            None => text.push('0'),
            Some(path) => quote(text, &path_text(*path)),
        }
        for part in parts {
            text.push(',');
            match part {
                SheetPart::Break => text.push('0'),
                SheetPart::Block(inner) => _ = write!(text, "{}", self.numbers.get(inner).map_or(0, |k| k + 1)),
                SheetPart::Text(words, role) => quote(text, &format!("{}{words}", letter(*role))),
            }
        }
        text.push(']');
    }

    pub(super) fn into_json(self) -> String {
        format!("[{}]", self.text)
    }
}

/// The path of a block as addresses write it.
fn path_text(RelativePath { slot, times }: RelativePath) -> String {
    let Some(slot) = slot else { return String::new() };
    vec![slot.to_string(); times as usize].join(".")
}

/// Writes a text as JSON has it.
pub(super) fn quote(into: &mut String, text: &str) {
    _ = write!(into, "{}", serde_json::Value::from(text));
}
