//! Lays out a stream of text, possible breaks and groups in lines. It takes time linear in the stream, and no recursion.
//!
//! A group is either flat, all its breaks a space, or broken, each of them a new line. It is broken if, laid flat, it
//! and the text up to the next possible break don't fit on the line (compare Oppen, "Prettyprinting", 1980).
//! Indentation stops at half the width, so that deep nesting doesn't make the text quadratic.

use std::borrow::Cow;

/// Text to be laid out, in the order in which it is written; each piece carries an `A`.
#[derive(Debug)]
pub struct Stream<A> {
    tokens: Vec<LayoutToken<A>>,
}

#[derive(Debug)]
enum LayoutToken<A> {
    /// Text without line breaks.
    Text(Cow<'static, str>, A),
    /// A space, or a new line where the group around it is broken.
    Break(A),
    /// A new line; the groups around it are broken.
    Newline(A),
    /// Starts a group.
    Group(Indent),
    /// Starts what is only indented.
    Nest(usize),
    /// Ends the innermost of those two.
    Close,
}

/// The indentation of the lines of a broken group.
#[derive(Clone, Copy, Debug)]
pub enum Indent {
    /// This far right of those around it.
    Nest(usize),
    /// Where the group itself starts.
    Align,
}

/// The lines to be kept to where that is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMeasure {
    /// The width of a line.
    pub width: usize,
    /// How much of the break behind a group must fit on its line, too: 0, or 1 for the space that it may be.
    pub behind: usize,
}

impl<A> Default for Stream<A> {
    fn default() -> Stream<A> {
        Stream { tokens: Vec::new() }
    }
}

impl<A> Stream<A> {
    /// Adds text without line breaks.
    pub fn text(&mut self, text: impl Into<Cow<'static, str>>, with: A) {
        self.tokens.push(LayoutToken::Text(text.into(), with));
    }

    /// Adds a space, or a new line where the group around it is broken.
    pub fn line(&mut self, with: A) {
        self.tokens.push(LayoutToken::Break(with));
    }

    /// Adds a new line; the groups around it are broken.
    pub fn newline(&mut self, with: A) {
        self.tokens.push(LayoutToken::Newline(with));
    }

    /// Begins a group.
    pub fn open(&mut self, indent: Indent) {
        self.tokens.push(LayoutToken::Group(indent));
    }

    /// Begins what is indented further, without being a group of its own.
    pub fn nest(&mut self, by: usize) {
        self.tokens.push(LayoutToken::Nest(by));
    }

    /// Ends what was begun last.
    pub fn close(&mut self) {
        self.tokens.push(LayoutToken::Close);
    }

    /// The lines, piece by piece; a line break comes with the indentation that follows it.
    pub fn lay(self, measure: LineMeasure) -> impl Iterator<Item = (Cow<'static, str>, A)> {
        let mut needs = needs(&self.tokens, measure.behind);
        let mut groups: Vec<(usize, bool)> = Vec::new();
        let mut column = 0_usize;
        self.tokens.into_iter().filter_map(move |token| {
            let (indent, broken) = groups.last().copied().unwrap_or((0, true));
            let mut enter = |start: usize, broken| groups.push((start.min(measure.width / 2), broken));
            match token {
                LayoutToken::Group(by) => {
                    let broken = needs.pop()? > measure.width.saturating_sub(column) && broken;
                    match by {
                        Indent::Nest(by) => enter(indent + by, broken),
                        Indent::Align => enter(column, broken),
                    }
                }
                LayoutToken::Nest(by) => enter(indent + by, broken),
                LayoutToken::Close => {
                    groups.pop();
                }
                LayoutToken::Text(text, with) => {
                    column += text.chars().count();
                    return Some((text, with));
                }
                LayoutToken::Break(with) if !broken => {
                    column += 1;
                    return Some((Cow::Borrowed(" "), with));
                }
                LayoutToken::Break(with) | LayoutToken::Newline(with) => {
                    column = indent;
                    return Some((Cow::Owned(format!("\n{:indent$}", "")), with));
                }
            }
            None
        })
    }
}

/// For each group, the last first, the space that it takes when flat, with the text up to the next possible break.
fn needs<A>(tokens: &[LayoutToken<A>], behind: usize) -> Vec<usize> {
    let mut needs = Vec::new();
    // From the right: the width of everything seen, the part of it that lies behind the next break, the new lines.
    let (mut seen, mut after_break, mut newlines) = (0, 0, 0_usize);
    let mut ends = Vec::new();
    for token in tokens.iter().rev() {
        match token {
            LayoutToken::Text(text, _) => seen += text.chars().count(),
            LayoutToken::Break(_) => {
                seen += 1;
                after_break = seen - behind;
            }
            LayoutToken::Newline(_) => {
                newlines += 1;
                after_break = seen;
            }
            LayoutToken::Close => ends.push((after_break, newlines)),
            LayoutToken::Nest(_) => {
                ends.pop();
            }
            LayoutToken::Group(_) => {
                let (end, below) = ends.pop().unwrap_or_default();
                needs.push(if newlines > below { usize::MAX } else { seen - end });
            }
        }
    }
    needs
}

#[cfg(test)]
mod tests {
    use super::{Indent, LineMeasure, Stream};

    fn laid(stream: Stream<()>, width: usize, behind: usize) -> String {
        stream.lay(LineMeasure { width, behind }).map(|(text, ())| text).collect()
    }

    /// `one two` as a group, then ` end`.
    fn two_and_end() -> Stream<()> {
        let mut stream = Stream::default();
        stream.open(Indent::Nest(2));
        stream.text("one", ());
        stream.line(());
        stream.text("two", ());
        stream.close();
        stream.line(());
        stream.text("end", ());
        stream
    }

    #[test]
    fn a_group_is_flat_where_it_fits() {
        assert_eq!(laid(two_and_end(), 7, 0), "one two\nend");
        assert_eq!(laid(two_and_end(), 7, 1), "one\n  two\nend");
        assert_eq!(laid(two_and_end(), 8, 1), "one two\nend");
    }

    #[test]
    fn a_new_line_breaks_the_groups_around_it_and_no_others() {
        let mut stream = Stream::default();
        stream.open(Indent::Nest(0));
        stream.text("do", ());
        stream.nest(3);
        stream.line(());
        stream.open(Indent::Nest(0));
        stream.text("x", ());
        stream.line(());
        stream.text("y", ());
        stream.close();
        stream.newline(());
        stream.text("z", ());
        stream.close();
        stream.close();
        assert_eq!(laid(stream, 100, 1), "do\n   x y\n   z");
    }

    #[test]
    fn indentation_stops_at_half_the_width() {
        let mut stream = Stream::default();
        (0..100).for_each(|_| stream.open(Indent::Nest(2)));
        stream.text("word", ());
        stream.line(());
        stream.text("word", ());
        (0..100).for_each(|_| stream.close());
        assert_eq!(laid(stream, 8, 0), "word\n    word");
    }
}
