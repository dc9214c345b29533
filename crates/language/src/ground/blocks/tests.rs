use std::rc::Rc;

use super::{TextBlockId, TextBlocks};
use crate::ground::layout::{Indent, LineMeasure, Stream};
use crate::ground::writing::within;
use crate::ground::{Budget, Random, StopReason};

/// Writes the same groups of words into both.
fn grow(random: &mut Random, depth: usize, blocks: &mut TextBlocks<usize>, stream: &mut Stream<usize>) -> TextBlockId {
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
        let measure = LineMeasure { width: random.below(40), behind: random.below(2) };
        let (mut blocks, mut stream) = (TextBlocks::new(measure), Stream::default());
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
fn doubled(times: u32) -> (TextBlocks<u8>, TextBlockId) {
    let mut blocks = TextBlocks::new(LineMeasure { width: 100, behind: 1 });
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
