//! Keeps texts that were read, and finds places in them.

use std::fmt;
use std::sync::OnceLock;

/// The number of a text in a [`Sources`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A half-open range of byte offsets in one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text it points into.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span { source, start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both; `self` if they lie in different texts.
    pub fn to(self, other: Span) -> Span {
        if self.source != other.source {
            return self;
        }
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A text and the name that diagnostics give it.
#[derive(Clone, Debug)]
pub struct Source {
    /// A path as the user wrote it, or a name such as `<prelude>`.
    pub name: String,
    /// The whole text, without a byte-order mark.
    pub text: String,
    /// Made when a place is first asked for: most texts have nothing that a message would show.
    index: OnceLock<LineIndex>,
}

/// Where lines and characters of a text begin.
#[derive(Clone, Debug)]
struct LineIndex {
    lines: Vec<usize>,
    /// Of each [`STRIDE`]th character, but for the first: lines may be long, and many places in one be asked for.
    strides: Vec<usize>,
}

/// So many characters are counted at most to find a place.
const STRIDE: usize = 256;

impl Source {
    fn new(name: String, text: String) -> Source {
        Source { name, text, index: OnceLock::new() }
    }

    fn index(&self) -> &LineIndex {
        self.index.get_or_init(|| LineIndex {
            lines: std::iter::once(0).chain(self.text.match_indices('\n').map(|(end, _)| end + 1)).collect(),
            strides: self.text.char_indices().map(|(at, _)| at).step_by(STRIDE).skip(1).collect(),
        })
    }

    /// Where the character of this number begins; none behind the last.
    fn character(&self, number: usize) -> Option<usize> {
        let from = match number / STRIDE {
            0 => 0,
            k => *self.index().strides.get(k - 1)?,
        };
        self.text[from..].char_indices().nth(number % STRIDE).map(|(k, _)| from + k)
    }

    /// How many characters stand before an offset.
    fn characters_before(&self, offset: usize) -> usize {
        let strides = &self.index().strides;
        let k = strides.partition_point(|stride| *stride <= offset);
        let from = if k == 0 { 0 } else { strides[k - 1] };
        k * STRIDE + self.text[from..offset].chars().count()
    }

    /// Line and column, both from 1, columns in characters, of an offset.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let lines = &self.index().lines;
        let line = lines.partition_point(|start| *start <= offset);
        (line, self.characters_before(offset) - self.characters_before(lines[line - 1]) + 1)
    }

    /// Where a column of a line begins, both counted from 1; none behind the last.
    pub fn offset(&self, line: usize, column: usize) -> Option<usize> {
        let (start, text) = self.line(line)?;
        let offset = self.character(self.characters_before(start) + column.checked_sub(1)?)?;
        (offset < start + text.len()).then_some(offset)
    }

    /// Where a line begins, counted from 1, and the line with its end; none behind the last.
    pub fn line(&self, number: usize) -> Option<(usize, &str)> {
        let lines = &self.index().lines;
        let start = *lines.get(number.checked_sub(1)?)?;
        Some((start, &self.text[start..lines.get(number).copied().unwrap_or(self.text.len())]))
    }
}

/// A place in a text, as messages say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The file, or what the text is called.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextPlace { file, line, column } = self;
        write!(f, "{file}:{line}:{column}")
    }
}

/// Every text that was read; it only grows, so that spans stay valid.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    all: Vec<Source>,
}

impl Sources {
    /// Adds a text and returns its handle. A leading byte-order mark is dropped.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let text: String = text.into();
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        self.all.push(Source::new(name.into(), text));
        SourceId(self.all.len() as u32 - 1)
    }

    /// The text behind a handle of this table.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.all[id.0 as usize]
    }

    /// The whole of a text.
    pub fn whole(&self, id: SourceId) -> Span {
        Span::new(id, 0, self.get(id).text.len())
    }

    /// The first place where a part of a text stands in it; the whole where it doesn't, as what held a byte-order mark that
    /// was dropped.
    pub fn part(&self, id: SourceId, part: &str) -> Span {
        match self.get(id).text.find(part) {
            Some(start) => Span::new(id, start, start + part.len()),
            None => self.whole(id),
        }
    }

    /// Line and column (both from 1, columns in characters) of a span's start.
    pub fn position(&self, span: Span) -> (usize, usize) {
        self.get(span.source).position(span.start as usize)
    }

    /// Where a span begins.
    pub fn place(&self, span: Span) -> TextPlace {
        let (line, column) = self.position(span);
        TextPlace { file: self.get(span.source).name.clone(), line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sources, Span};

    #[test]
    fn lines_and_columns_are_those_of_the_text() {
        for text in ["", "a", "\n", "añb\n\nλ\r\nc", "a\n"] {
            let mut sources = Sources::default();
            let id = sources.add("t", text);
            for offset in 0..=text.len() + 1 {
                let start = (0..=offset.min(text.len())).rfind(|k| text.is_char_boundary(*k)).unwrap_or(0);
                let before = &text[..start];
                let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
                let expected = (before.matches('\n').count() + 1, column);
                assert_eq!(sources.position(Span::new(id, offset, offset)), expected, "{text:?} {offset}");
            }
            let lines: String = (1..).map_while(|k| sources.get(id).line(k)).map(|(_, line)| line).collect();
            assert_eq!(lines, text);
            assert_eq!(sources.get(id).line(0), None);
        }
    }

    #[test]
    fn columns_are_found_again_in_long_lines() {
        let text = format!("a\n{}\nλ", "xλ".repeat(2 * super::STRIDE));
        let mut sources = Sources::default();
        let id = sources.add("t", &*text);
        for (offset, _) in text.char_indices() {
            let (line, column) = sources.position(Span::new(id, offset, offset));
            assert_eq!(sources.get(id).offset(line, column), Some(offset));
            let before = text[..offset].rsplit('\n').next().unwrap_or("");
            assert_eq!(column, before.chars().count() + 1);
        }
        for (line, column) in [(0, 1), (1, 0), (1, 3), (3, 2), (4, 1)] {
            assert_eq!(sources.get(id).offset(line, column), None, "{line} {column}");
        }
    }
}
