//! Text as a tree of blocks: laid out as a [`Stream`](super::layout::Stream) of the same groups is, but only in the lines
//! that are asked for. How many lines a block takes is remembered, so that a block that recurs is measured once.
//!
//! Recursion is as deep as the tree.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::layout::{Indent, Measure};
use super::writing::goes_on;

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

/// What a block's layout depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    indent: usize,
    column: usize,
    /// Whether the group around it is broken.
    broken: bool,
    /// The space between its end and the next possible break.
    behind: usize,
}

/// Is told of a block inside another one, with its state and its line.
type Visit<'a, A> = dyn FnMut(&Blocks<A>, Id, State, usize) + 'a;

/// What a block takes: so many new lines, and then the column behind it. Both saturate: a few blocks that are shared may
/// take more lines than can be counted.
#[derive(Clone, Copy, Debug)]
struct Extent {
    newlines: usize,
    column: usize,
}

impl Extent {
    /// So far right of it.
    fn right(self, by: usize) -> Extent {
        Extent { column: self.column.saturating_add(by), ..self }
    }

    /// The next line, at this column.
    fn below(self, column: usize) -> Extent {
        Extent { newlines: self.newlines.saturating_add(1), column }
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

    /// How many lines the block takes.
    pub fn lines(&mut self, root: Id) -> usize {
        self.extent(root, ROOT).newlines.saturating_add(1)
    }

    /// The first and the last line of the marked block.
    pub fn marked_lines(&mut self, root: Id) -> Option<(usize, usize)> {
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
    pub fn lay(&mut self, root: Id, shown: &dyn Fn(usize, usize) -> bool) -> Vec<Laid<A>> {
        let mut out = Vec::new();
        self.write(root, ROOT, (0, false), shown, &mut |laid| out.push(laid));
        out
    }

    /// All of the text, piece by piece, as long as it [goes on](super::writing). Nothing is measured ahead, and so nothing
    /// remembered.
    pub fn lay_each(&self, root: Id, out: &mut dyn FnMut(Laid<A>)) {
        self.write_all(root, ROOT, (0, false), out);
    }

    /// How many characters a block has on one line.
    pub fn width(&self, root: Id) -> usize {
        self.block(root).width
    }

    fn block(&self, id: Id) -> &Block<A> {
        &self.closed[id.0 as usize]
    }

    /// The indentation inside, and whether its breaks are new lines.
    fn enter(&self, id: Id, state: State) -> (usize, bool) {
        let block = self.block(id);
        let Some(by) = block.group else { return (state.indent, state.broken) };
        let room = self.measure.width.saturating_sub(state.column);
        let start = match by {
            Indent::Nest(by) => state.indent + by,
            Indent::Align => state.column,
        };
        (start.min(self.measure.width / 2), state.broken && block.width.saturating_add(state.behind) > room)
    }

    fn extent(&mut self, id: Id, state: State) -> Extent {
        self.visited += 1;
        if !self.enter(id, state).1 {
            return Extent { newlines: 0, column: state.column }.right(self.block(id).width);
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
    fn each_block(&mut self, id: Id, state: State, line: usize, visit: &mut Visit<A>) -> Extent {
        let (indent, broken) = self.enter(id, state);
        let mut at = Extent { newlines: line, column: state.column };
        for k in 0..self.block(id).parts.len() {
            if !goes_on() {
                break;
            }
            match &self.block(id).parts[k] {
                Part::Text(text, _) => at = at.right(text.chars().count()),
                Part::Break(_) if broken => at = at.below(indent),
                Part::Break(_) => at = at.right(1),
                Part::Block(inner, after) => {
                    let (inner, state) = (*inner, inside(*after, (indent, broken), at.column, state));
                    visit(self, inner, state, at.newlines);
                    let taken = self.extent(inner, state);
                    at = Extent { newlines: at.newlines.saturating_add(taken.newlines), column: taken.column };
                }
            }
        }
        at
    }

    /// Writes what is shown of a block that begins in line `from.0`, in a marked one if `from.1`. Gives what is behind it.
    fn write(
        &mut self,
        id: Id,
        state: State,
        from: (usize, bool),
        shown: &dyn Fn(usize, usize) -> bool,
        out: &mut dyn FnMut(Laid<A>),
    ) -> Extent {
        let whole = self.extent(id, state);
        let end = Extent { newlines: whole.newlines.saturating_add(from.0), ..whole };
        if !shown(from.0, end.newlines) {
            return end;
        }
        let (indent, broken) = self.enter(id, state);
        let marked = from.1 || self.block(id).marked;
        let mut at = Extent { newlines: from.0, column: state.column };
        for k in 0..self.block(id).parts.len() {
            if let Part::Block(inner, after) = &self.block(id).parts[k] {
                let (inner, state) = (*inner, inside(*after, (indent, broken), at.column, state));
                at = self.write(inner, state, (at.newlines, marked), shown, out);
                continue;
            }
            let Some((text, with)) = own_text(&self.block(id).parts[k], (indent, broken), &mut at) else { continue };
            if shown(at.newlines, at.newlines) {
                out(Laid { line: at.newlines, text, with, marked });
            }
        }
        end
    }

    /// Writes all of a block that begins in line `from.0`, in a marked one if `from.1`. Gives what is behind it.
    fn write_all(&self, id: Id, state: State, from: (usize, bool), out: &mut dyn FnMut(Laid<A>)) -> Extent {
        let (indent, broken) = self.enter(id, state);
        let marked = from.1 || self.block(id).marked;
        let mut at = Extent { newlines: from.0, column: state.column };
        for part in &self.block(id).parts {
            if !goes_on() {
                break;
            }
            match own_text(part, (indent, broken), &mut at) {
                Some((text, with)) => out(Laid { line: at.newlines, text, with, marked }),
                None => {
                    let Part::Block(inner, after) = part else { continue };
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
    part: &Part<A>,
    (indent, broken): (usize, bool),
    at: &mut Extent,
) -> Option<(Cow<'static, str>, A)> {
    match part {
        Part::Text(text, with) => {
            *at = at.right(text.chars().count());
            Some((text.clone(), *with))
        }
        Part::Break(with) if broken => {
            *at = at.below(indent);
            Some((Cow::Owned(format!("\n{}", " ".repeat(indent))), *with))
        }
        Part::Break(with) => {
            *at = at.right(1);
            Some((Cow::Borrowed(" "), *with))
        }
        Part::Block(..) => None,
    }
}

/// Where a text begins.
const ROOT: State = State { indent: 0, column: 0, broken: true, behind: 0 };

/// The state of a block inside another one, which has this state.
fn inside(after: Lead, (indent, broken): (usize, bool), column: usize, around: State) -> State {
    let beyond = if after.ends { 0 } else { around.behind };
    State { indent, column, broken, behind: after.width.saturating_add(beyond) }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::super::layout::{Indent, Measure, Stream};
    use super::super::writing::within;
    use super::super::{Budget, Random, StopReason};
    use super::{Blocks, Id};

    /// Writes the same groups of words into both.
    fn grow(random: &mut Random, depth: usize, blocks: &mut Blocks<usize>, stream: &mut Stream<usize>) -> Id {
        let group = [Some(Indent::Nest(2)), Some(Indent::Align), None][random.below(3)];
        blocks.open(group, false);
        if let Some(indent) = group {
            stream.open(indent);
        }
        for k in 0..1 + random.below(5) {
            match random.below(4) {
                0 => {
                    blocks.line(k);
                    stream.line(k);
                }
                1 if depth > 0 => {
                    let inner = grow(random, depth - 1, blocks, stream);
                    blocks.again(inner);
                }
                length => {
                    blocks.text("x".repeat(3 * length), k);
                    stream.text("x".repeat(3 * length), k);
                }
            }
        }
        if group.is_some() {
            stream.close();
        }
        blocks.close()
    }

    #[test]
    fn blocks_lie_as_a_stream_does_and_any_lines_of_them_alone() {
        for seed in 0..3_000 {
            let mut random = Random::new(seed);
            let measure = Measure { width: random.below(40), behind: random.below(2) };
            let (mut blocks, mut stream) = (Blocks::new(measure), Stream::default());
            let root = grow(&mut random, 6, &mut blocks, &mut stream);
            let expected: Vec<_> = stream.lay(measure).collect();
            let all = blocks.lay(root, &|_, _| true);
            let text: Vec<_> = all.iter().map(|piece| (piece.text.clone(), piece.with)).collect();
            assert_eq!(text, expected, "seed {seed}");
            let (mut each, measured) = (Vec::new(), blocks.visited());
            blocks.lay_each(root, &mut |piece| each.push(piece));
            assert_eq!((each, blocks.visited()), (all, measured), "seed {seed}");
            let all = blocks.lay(root, &|_, _| true);
            let count = blocks.lines(root);
            assert_eq!(count, expected.iter().filter(|(text, _)| text.starts_with('\n')).count() + 1);
            let (from, to) = (random.below(count), random.below(count));
            let some = blocks.lay(root, &|first, last| first <= to && from <= last);
            let within: Vec<_> = all.into_iter().filter(|piece| from <= piece.line && piece.line <= to).collect();
            assert_eq!(some, within, "seed {seed}");
        }
    }

    #[test]
    fn what_is_shared_is_measured_and_written_under_a_budget() {
        let (mut blocks, root) = doubled(40);
        let short = || Budget::default().asked_at_most(3, Rc::default());
        let mut pieces = 0;
        let written = within(short(), || blocks.lay_each(root, &mut |_| pieces += 1));
        assert_eq!((written, pieces > 500), (Err(StopReason::Operations(3)), true));
        assert_eq!(within(short(), || blocks.lines(root)), Err(StopReason::Operations(3)));
        assert!(blocks.visited() < 2_000, "{}", blocks.visited());
    }

    #[test]
    fn more_lines_than_can_be_counted_are_measured_and_laid_out() {
        let (mut blocks, root) = doubled(usize::BITS + 6);
        assert_eq!((blocks.lines(root), blocks.width(root)), (usize::MAX, usize::MAX));
        let first: String = blocks.lay(root, &|first, _| first < 3).into_iter().map(|piece| piece.text).collect();
        assert!(first.starts_with("x + x") && first.lines().count() == 3, "{first}");
        blocks.open(None, true);
        blocks.again(root);
        blocks.line(0);
        blocks.again(root);
        let marked = blocks.close();
        assert_eq!(blocks.marked_lines(marked), Some((0, usize::MAX)));
    }

    /// `x`, doubled so many times, in lines of which the first doublings fit one.
    fn doubled(times: u32) -> (Blocks<u8>, Id) {
        let mut blocks = Blocks::new(Measure { width: 100, behind: 1 });
        blocks.open(None, false);
        blocks.text("x", 0);
        let x = blocks.close();
        let root = (0..times).fold(x, |inner, _| {
            blocks.open(Some(Indent::Nest(2)), false);
            blocks.again(inner);
            blocks.line(0);
            blocks.text("+ ", 0);
            blocks.again(inner);
            blocks.close()
        });
        (blocks, root)
    }
}
