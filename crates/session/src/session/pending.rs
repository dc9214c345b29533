//! Gathers lines of which something is left open, so that not all of them are read anew with each line that comes.

use redexter_language::syntax::tokens::{Dialect, TokenKind, tokens};

/// What is left open in the lines so far, when they were looked at last.
#[derive(Clone, Copy, Debug, Default)]
enum LeftOpen {
    /// That isn't known.
    #[default]
    Unknown,
    /// So many brackets, and no comment and no quotes.
    Brackets(usize),
    /// A comment or quotes.
    Text,
}

/// Lines that aren't complete yet.
#[derive(Clone, Debug, Default)]
pub struct PendingLines {
    text: String,
    left_open: LeftOpen,
    /// The length of the text when all of it was read last.
    read: usize,
}

impl PendingLines {
    /// The lines so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The lines, which aren't pending any more.
    pub fn take(&mut self) -> String {
        std::mem::take(self).text
    }

    /// Adds a line. True if the text surely stays open, so that it needn't be read: but it is from time to time, since what is
    /// wrong in it may be told before it is closed.
    pub(super) fn stay_open_with(&mut self, line: &str) -> bool {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        // Comments of models may hold brackets, and those of scripts don't begin so.
        let foreign = line.contains("/-") || line.contains("-/");
        self.left_open = match self.left_open {
            LeftOpen::Brackets(open) if !foreign => {
                still_open(open, line).map_or(LeftOpen::Unknown, LeftOpen::Brackets)
            }
            LeftOpen::Text if !foreign && !line.contains(['"', '`', '\'']) && !line.contains("*/") => LeftOpen::Text,
            _ => LeftOpen::Unknown,
        };
        !matches!(self.left_open, LeftOpen::Unknown) && self.text.len() < self.read + self.read / 4
    }

    /// Notes what is left open of a text that isn't complete.
    pub(super) fn look(&mut self) {
        self.read = self.text.len();
        let all = tokens(&self.text, Dialect::Script);
        let open = all.iter().filter(|token| token.kind == TokenKind::Open && token.partner.is_none()).count();
        self.left_open = match open {
            _ if self.text.contains("/-") => LeftOpen::Unknown,
            _ if all.iter().any(|token| token.open) => LeftOpen::Text,
            0 => LeftOpen::Unknown,
            open => LeftOpen::Brackets(open),
        };
    }
}

/// How many of so many brackets are open behind a line; none if it may close the last one, or leaves a comment or quotes open.
fn still_open(open: usize, line: &str) -> Option<usize> {
    let mut now = open;
    for token in tokens(line, Dialect::Script) {
        match token.kind {
            _ if token.open => return None,
            TokenKind::Open => now += 1,
            TokenKind::Close => now = now.checked_sub(1).filter(|now| *now > 0)?,
            _ => {}
        }
    }
    Some(now)
}

#[cfg(test)]
mod tests {
    use super::PendingLines;

    /// Of how many of these lines the text is read.
    fn reads(lines: &[&str]) -> usize {
        let mut pending = PendingLines::default();
        let read = lines.iter().filter(|line| {
            let reads = !pending.stay_open_with(line);
            if reads {
                pending.look();
            }
            reads
        });
        read.count()
    }

    #[test]
    fn long_texts_are_read_a_few_times_while_they_stay_open() {
        for (first, line) in [
            ("let a = (", "f(1) + [2, 3] +"),
            ("fun (x : real) => (", "x +"),
            ("if a {", "print(\"}\"); // }"),
            ("let a = `", "x + (y"),
            ("/* a", "b c ) d"),
        ] {
            let few = reads(&[&[first][..], &[line; 2_000]].concat());
            assert!(few < 60, "{few}: {first}");
        }
    }

    #[test]
    fn a_text_is_read_where_a_line_may_close_it() {
        let many: Vec<&str> = [&["let a = ("][..], &["x"; 200]].concat();
        for last in [")", "(1) + 2)", "\"", "`", "1 /* 2", "-/", "x */ \" )"] {
            let all = [&many[..], &[last]].concat();
            assert_eq!(reads(&all), reads(&many) + 1, "{last}");
        }
    }
}
