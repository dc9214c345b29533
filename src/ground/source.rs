//! Texts that were read, and places in them.

/// Which text of a [`Sources`] table a span points into.
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
        self.all.push(Source { name: name.into(), text });
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
        let text = &self.get(span.source).text;
        let mut start = (span.start as usize).min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}
