//! Keeps texts that were read, and finds places in them.

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
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Source {
    fn new(name: String, text: String) -> Source {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        Source { name, text, lines }
    }

    /// Line and column, both from 1, columns in characters, of an offset.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|start| *start <= offset);
        (line, self.text[self.lines[line - 1]..offset].chars().count() + 1)
    }

    /// Where a line begins, counted from 1, and the line with its end; none behind the last.
    pub fn line(&self, number: usize) -> Option<(usize, &str)> {
        let start = *self.lines.get(number.checked_sub(1)?)?;
        Some((start, &self.text[start..self.lines.get(number).copied().unwrap_or(self.text.len())]))
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

    /// Line and column (both from 1, columns in characters) of a span's start.
    pub fn position(&self, span: Span) -> (usize, usize) {
        self.get(span.source).position(span.start as usize)
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
}
