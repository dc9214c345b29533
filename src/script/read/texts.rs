//! Comments and what stands in quotes.

use super::super::scan::quoted;
use super::{Oddity, Reader};
use crate::ground::code;

impl Reader<'_> {
    pub(super) fn unclosed_comment(&mut self) {
        self.unclosed = true;
        self.reading.oddities.push(Oddity {
            at: self.at..self.at + 2,
            code: code::UNTERMINATED_COMMENT,
            headline: "this comment is never closed",
            help: "write `*/` where it ends; comments nest, so each opening needs its own",
        });
        self.copy(self.rest().len());
    }

    pub(super) fn quoted(&mut self, quote: char) {
        match quoted(self.rest(), quote) {
            Some(length) => {
                self.copy(length);
                self.note("\"");
            }
            None => {
                self.unclosed = true;
                self.copy(self.rest().len());
            }
        }
    }

    pub(super) fn raw(&mut self) {
        let (hashes, start) = raw_string(self.rest()).unwrap_or((0, 0));
        let close = format!("\"{}", "#".repeat(hashes));
        match self.rest()[start..].find(&close) {
            Some(k) => self.copy(start + k + close.len()),
            None => {
                self.unclosed = true;
                self.copy(self.rest().len());
            }
        }
        self.note("\"");
    }

    pub(super) fn backticks(&mut self) {
        self.copy(1);
        self.text_of_backticks();
    }

    /// Copies text between backticks, up to the end or the code of an interpolation.
    pub(super) fn text_of_backticks(&mut self) {
        let rest = self.rest();
        let mut k = 0;
        while k < rest.len() {
            let tail = &rest[k..];
            if tail.starts_with("``") {
                k += 2;
            } else if tail.starts_with('`') {
                self.copy(k + 1);
                return self.note("`");
            } else if tail.starts_with("${") {
                self.copy(k + 2);
                self.open.push('`');
                return self.note("{");
            } else {
                k += tail.chars().next().map_or(1, char::len_utf8);
            }
        }
        self.unclosed = true;
        self.copy(k);
    }
}

/// The number of `#` and the length of the opening of a raw string.
pub(super) fn raw_string(text: &str) -> Option<(usize, usize)> {
    let hashes = text.len() - text.trim_start_matches('#').len();
    text[hashes..].starts_with('"').then_some((hashes, hashes + 1))
}
