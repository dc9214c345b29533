//! Lays blocks out in lines, and gives the text of the lines that are asked for.

use std::borrow::Cow;

use super::{BlockPart, LaidText, LeadingWidth, TextBlockId, TextBlocks};
use crate::ground::layout::Indent;
use crate::ground::writing::goes_on;

/// The state in which a block is laid out: all that its layout depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LayoutState {
    indent: usize,
    column: usize,
    /// Whether the group around it is broken.
    broken: bool,
    /// The space between its end and the next possible break.
    behind: usize,
}

/// Is told of a block inside another one, with its state and its line.
type BlockVisitor<'a, A> = dyn FnMut(&TextBlocks<A>, TextBlockId, LayoutState, usize) + 'a;

/// The extent of a block: so many new lines, and then the column behind it. Both saturate: a few blocks that are shared may
/// take more lines than can be counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockExtent {
    newlines: usize,
    column: usize,
}

impl BlockExtent {
    /// So far right of it.
    fn right(self, by: usize) -> BlockExtent {
        BlockExtent { column: self.column.saturating_add(by), ..self }
    }

    /// The next line, at this column.
    fn below(self, column: usize) -> BlockExtent {
        BlockExtent { newlines: self.newlines.saturating_add(1), column }
    }
}

impl<A: Copy> TextBlocks<A> {
    /// How many lines the block takes.
    pub fn lines(&mut self, root: TextBlockId) -> usize {
        self.extent(root, ROOT).newlines.saturating_add(1)
    }

    /// The first and the last line of the marked block.
    pub fn marked_lines(&mut self, root: TextBlockId) -> Option<(usize, usize)> {
        let (mut id, mut state, mut line) = (root, ROOT, 0);
        while !self.block(id).marked {
            let mut inside = None;
            self.each_block(id, state, line, &mut |blocks, inner, state, line| {
                if blocks.block(inner).holds_mark {
                    inside = Some((inner, state, line));
                }
            });
            (id, state, line) = inside?;
        }
        Some((line, line.saturating_add(self.extent(id, state).newlines)))
    }

    /// The text of those lines that `shown` wants to see any of, by their first and last number. It is asked for each block
    /// and each piece of text, and may want no more at any time.
    pub fn lay(&mut self, root: TextBlockId, shown: &dyn Fn(usize, usize) -> bool) -> Vec<LaidText<A>> {
        let mut out = Vec::new();
        self.write(root, ROOT, (0, false), shown, &mut |laid| out.push(laid));
        out
    }

    /// All of the text, piece by piece, as long as it [goes on](crate::ground::writing). Nothing is measured ahead, and so
    /// nothing remembered.
    pub fn lay_each(&self, root: TextBlockId, out: &mut dyn FnMut(LaidText<A>)) {
        self.write_all(root, ROOT, (0, false), out);
    }

    /// The indentation inside, and whether its breaks are new lines.
    fn enter(&self, id: TextBlockId, state: LayoutState) -> (usize, bool) {
        let block = self.block(id);
        let Some(by) = block.group else { return (state.indent, state.broken) };
        let room = self.measure.width.saturating_sub(state.column);
        let start = match by {
            Indent::Nest(by) => state.indent + by,
            Indent::Align => state.column,
        };
        (start.min(self.measure.width / 2), state.broken && block.width.saturating_add(state.behind) > room)
    }

    fn extent(&mut self, id: TextBlockId, state: LayoutState) -> BlockExtent {
        self.visited += 1;
        if !self.enter(id, state).1 {
            return BlockExtent { newlines: 0, column: state.column }.right(self.block(id).width);
        }
        if let Some(known) = self.extents.get(&(id, state)) {
            return *known;
        }
        let end = self.each_block(id, state, 0, &mut |_, _, _, _| {});
        // What a limit ended wasn't measured to its end.
        if goes_on() {
            self.extents.insert((id, state), end);
        }
        end
    }

    /// Calls `visit` for each block directly inside, with its state and its line. Gives what is behind the last part, its line
    /// for the number of new lines.
    fn each_block(
        &mut self,
        id: TextBlockId,
        state: LayoutState,
        line: usize,
        visit: &mut BlockVisitor<A>,
    ) -> BlockExtent {
        let (indent, broken) = self.enter(id, state);
        let mut at = BlockExtent { newlines: line, column: state.column };
        for k in 0..self.block(id).parts.len() {
            if !goes_on() {
                break;
            }
            match &self.block(id).parts[k] {
                BlockPart::Text(text, _) => at = at.right(text.chars().count()),
                BlockPart::Break(_) if broken => at = at.below(indent),
                BlockPart::Break(_) => at = at.right(1),
                BlockPart::Block(inner, after) => {
                    let (inner, state) = (*inner, inside(*after, (indent, broken), at.column, state));
                    visit(self, inner, state, at.newlines);
                    let taken = self.extent(inner, state);
                    at = BlockExtent { newlines: at.newlines.saturating_add(taken.newlines), column: taken.column };
                }
            }
        }
        at
    }

    /// Writes what is shown of a block that begins in line `from.0`, in a marked one if `from.1`. Gives what is behind it.
    fn write(
        &mut self,
        id: TextBlockId,
        state: LayoutState,
        from: (usize, bool),
        shown: &dyn Fn(usize, usize) -> bool,
        out: &mut dyn FnMut(LaidText<A>),
    ) -> BlockExtent {
        let whole = self.extent(id, state);
        let end = BlockExtent { newlines: whole.newlines.saturating_add(from.0), ..whole };
        if !shown(from.0, end.newlines) {
            return end;
        }
        let (indent, broken) = self.enter(id, state);
        let marked = from.1 || self.block(id).marked;
        let mut at = BlockExtent { newlines: from.0, column: state.column };
        for k in 0..self.block(id).parts.len() {
            if let BlockPart::Block(inner, after) = &self.block(id).parts[k] {
                let (inner, state) = (*inner, inside(*after, (indent, broken), at.column, state));
                at = self.write(inner, state, (at.newlines, marked), shown, out);
                continue;
            }
            let Some((text, with)) = own_text(&self.block(id).parts[k], (indent, broken), &mut at) else { continue };
            if shown(at.newlines, at.newlines) {
                out(LaidText { line: at.newlines, text, with, marked });
            }
        }
        end
    }

    /// Writes all of a block that begins in line `from.0`, in a marked one if `from.1`. Gives what is behind it.
    fn write_all(
        &self,
        id: TextBlockId,
        state: LayoutState,
        from: (usize, bool),
        out: &mut dyn FnMut(LaidText<A>),
    ) -> BlockExtent {
        let (indent, broken) = self.enter(id, state);
        let marked = from.1 || self.block(id).marked;
        let mut at = BlockExtent { newlines: from.0, column: state.column };
        for part in &self.block(id).parts {
            if !goes_on() {
                break;
            }
            match own_text(part, (indent, broken), &mut at) {
                Some((text, with)) => out(LaidText { line: at.newlines, text, with, marked }),
                None => {
                    let BlockPart::Block(inner, after) = part else { continue };
                    let state = inside(*after, (indent, broken), at.column, state);
                    at = self.write_all(*inner, state, (at.newlines, marked), out);
                }
            }
        }
        at
    }
}

/// The text of a part, after which one is `at`; none of a block.
fn own_text<A: Copy>(
    part: &BlockPart<A>,
    (indent, broken): (usize, bool),
    at: &mut BlockExtent,
) -> Option<(Cow<'static, str>, A)> {
    match part {
        BlockPart::Text(text, with) => {
            *at = at.right(text.chars().count());
            Some((text.clone(), *with))
        }
        BlockPart::Break(with) if broken => {
            *at = at.below(indent);
            Some((Cow::Owned(format!("\n{}", " ".repeat(indent))), *with))
        }
        BlockPart::Break(with) => {
            *at = at.right(1);
            Some((Cow::Borrowed(" "), *with))
        }
        BlockPart::Block(..) => None,
    }
}

/// The state at the beginning of a text.
const ROOT: LayoutState = LayoutState { indent: 0, column: 0, broken: true, behind: 0 };

/// The state of a block inside another one, which has this state.
fn inside(after: LeadingWidth, (indent, broken): (usize, bool), column: usize, around: LayoutState) -> LayoutState {
    let beyond = if after.ends { 0 } else { around.behind };
    LayoutState { indent, column, broken, behind: after.width.saturating_add(beyond) }
}
