//! Reads lines of an input that need not fit memory.

use std::io::BufRead;

/// The most bytes of a line (2^30).
const MAX_LINE_BYTES: usize = 1 << 30;

/// A line.
pub(super) enum InputLine {
    /// Without what ends it.
    Text(Vec<u8>),
    /// One of more bytes than this, which were passed over.
    Long(usize),
}

/// The lines of an input.
pub(super) struct InputLines<R> {
    from: R,
}

impl<R: BufRead> InputLines<R> {
    pub(super) fn new(from: R) -> InputLines<R> {
        InputLines { from }
    }

    /// The next line; none where there are no more, or can't be read.
    pub(super) fn next(&mut self) -> Option<InputLine> {
        let (mut line, mut long, mut some) = (Vec::new(), false, false);
        loop {
            let part = self.from.fill_buf().ok()?;
            let end = part.iter().position(|c| *c == b'\n');
            let piece = &part[..end.unwrap_or(part.len())];
            some |= !part.is_empty();
            // A line that is too long is read to its end, and nothing of it is kept.
            long |= line.len() + piece.len() > MAX_LINE_BYTES;
            if long {
                line = Vec::new();
            } else {
                line.extend_from_slice(piece);
            }
            let (used, is_last) = (end.map_or(part.len(), |end| end + 1), end.is_some() || part.is_empty());
            self.from.consume(used);
            if is_last {
                let whole = if long { InputLine::Long(MAX_LINE_BYTES) } else { InputLine::Text(line) };
                return some.then_some(whole);
            }
        }
    }
}
