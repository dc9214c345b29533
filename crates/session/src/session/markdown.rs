//! Reads Markdown as the manual and lessons have it: pages into blocks, lines into pieces. Where blocks stand in a page is told
//! by `ground::fence`, for those who check or change what is in them.

/// A block of Markdown: what stands between blank lines, or an item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkdownBlock {
    /// Code, as it is, and the word behind its fence.
    Code(String, String),
    /// A table: its rows in cells, the first one its head.
    Table(Vec<Vec<String>>),
    /// A heading, and how deep it is.
    Heading(usize, String),
    /// An item of a list, with the sign before it and the blanks around that.
    Item(String, String),
    /// A paragraph.
    Paragraph(String),
    /// A blank line.
    Blank,
}

/// Markdown in blocks. Comments are left out.
pub fn blocks(text: &str) -> Vec<MarkdownBlock> {
    let mut out = Vec::new();
    let mut lines = text.lines().filter(|line| !line.starts_with("<!--")).peekable();
    while let Some(line) = lines.next() {
        out.push(if line.starts_with("```") {
            let (ticks, language) = line.split_at(line.len() - line.trim_start_matches('`').len());
            let code = lines.by_ref().take_while(|line| !line.starts_with(ticks));
            let code = code.map(|line| format!("{line}\n")).collect();
            MarkdownBlock::Code(language.split_whitespace().next().unwrap_or_default().to_owned(), code)
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(cells(row));
            }
            // The line below the head says nothing.
            rows.drain(1..rows.len().min(2));
            MarkdownBlock::Table(rows)
        } else if line.is_empty() {
            MarkdownBlock::Blank
        } else {
            let mut whole = line.to_owned();
            while let Some(more) = lines.next_if(|line| goes_on(line)) {
                whole = format!("{whole} {}", more.trim());
            }
            let (sign, rest) = whole.split_at(item(&whole));
            let depth = whole.len() - whole.trim_start_matches('#').len();
            match whole[depth..].strip_prefix(' ') {
                Some(title) if depth > 0 => MarkdownBlock::Heading(depth, title.to_owned()),
                _ if sign.is_empty() => MarkdownBlock::Paragraph(whole),
                _ => MarkdownBlock::Item(sign.to_owned(), rest.to_owned()),
            }
        });
    }
    out
}

/// Whether a line goes on with the paragraph above it.
fn goes_on(line: &str) -> bool {
    !(line.is_empty() || line.starts_with(['|', '#']) || line.starts_with("```") || item(line) > 0)
}

/// The length of the sign that begins an item of a list, with the blanks around it.
fn item(line: &str) -> usize {
    let sign = line.trim_start();
    let indent = line.len() - sign.len();
    let number = sign.chars().take_while(char::is_ascii_digit).count();
    match sign {
        _ if sign.starts_with("* ") || sign.starts_with("- ") => indent + 2,
        _ if number > 0 && sign[number..].starts_with(". ") => indent + number + 2,
        _ => 0,
    }
}

/// The cells of a row of a table.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|').replace(r"\|", "\u{1}");
    line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
}

/// How a piece of a line is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InlineStyle {
    /// Text.
    Plain,
    /// Code, without the ticks around it.
    Code,
    /// Bold.
    Strong,
    /// Between stars.
    Emphasis,
}

/// The first piece of what is left of a line of Markdown.
enum InlineToken<'a> {
    Text(&'a str),
    /// With its ticks, and without.
    Code(&'a str, &'a str),
    /// Two stars.
    Bold,
    Star,
    /// What it shows.
    Link(&'a str),
}

/// The first token of a text, and its length in bytes. Ticks that no others close go on to the end.
fn token(text: &str) -> (InlineToken<'_>, usize) {
    let ticks = text.chars().take_while(|c| *c == '`').count();
    if ticks > 0 {
        let end = text[ticks..].find(&text[..ticks]);
        let length = end.map_or(text.len(), |end| end + 2 * ticks);
        let inside = &text[ticks..end.map_or(text.len(), |end| end + ticks)];
        return (InlineToken::Code(&text[..length], inside), length);
    }
    match link(text) {
        Some((shown, end)) => (InlineToken::Link(shown), end),
        _ if text.starts_with("**") => (InlineToken::Bold, 2),
        _ if text.starts_with('*') => (InlineToken::Star, 1),
        _ => {
            let first = text.chars().next().map_or(0, char::len_utf8);
            let end = text[first..].find(['`', '*', '[']).map_or(text.len(), |end| first + end);
            (InlineToken::Text(&text[..end]), end)
        }
    }
}

/// Without what only Markdown needs: the stars of bold words, and where links lead.
pub fn inline(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while !rest.is_empty() {
        let (token, length) = token(rest);
        match token {
            InlineToken::Text(shown) | InlineToken::Code(shown, _) | InlineToken::Link(shown) => out.push_str(shown),
            InlineToken::Star => out.push('*'),
            InlineToken::Bold => {}
        }
        rest = &rest[length..];
    }
    out
}

/// A line of Markdown in pieces. A star that no other one answers is one; of links what they show is left.
pub fn spans(text: &str) -> Vec<(InlineStyle, String)> {
    let (mut out, mut rest): (Vec<(InlineStyle, String)>, _) = (Vec::new(), text);
    let (mut bold, mut leaning) = (false, false);
    let mut push = |span: InlineStyle, text: &str| match out.last_mut() {
        Some((last, known)) if *last == span => known.push_str(text),
        _ => out.push((span, text.to_owned())),
    };
    while !rest.is_empty() {
        let (token, length) = token(rest);
        let behind = &rest[length..];
        let look = match (bold, leaning) {
            (true, _) => InlineStyle::Strong,
            (_, true) => InlineStyle::Emphasis,
            _ => InlineStyle::Plain,
        };
        match token {
            InlineToken::Text(text) => push(look, text),
            InlineToken::Code(_, code) => push(InlineStyle::Code, code),
            InlineToken::Link(shown) => spans(shown).iter().for_each(|(span, text)| push(*span, text)),
            InlineToken::Bold => bold = !bold,
            InlineToken::Star if leaning || (behind.contains('*') && !behind.starts_with(' ')) => leaning = !leaning,
            InlineToken::Star => push(look, "*"),
        }
        rest = behind;
    }
    out
}

/// What a link shows, and where it ends.
fn link(text: &str) -> Option<(&str, usize)> {
    let (shown, rest) = text.strip_prefix('[')?.split_once("](")?;
    let end = rest.find(')')?;
    (!shown.contains(['[', ']'])).then_some((shown, 1 + shown.len() + 2 + end + 1))
}

#[cfg(test)]
mod tests {
    use super::{InlineStyle, MarkdownBlock, blocks, inline, spans};

    #[test]
    fn brackets_that_are_no_links_stay() {
        assert_eq!(inline("v[0] and [ADDRESS] (both) ``at(`p`, s)``"), "v[0] and [ADDRESS] (both) ``at(`p`, s)``");
    }

    #[test]
    fn pages_are_read_in_blocks() {
        let text =
            "## A `b`\n\nOne\ntwo.\n* three\n  four\n\n```arr f.arr\n<b> *\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let [heading, code] =
            [MarkdownBlock::Heading(2, "A `b`".into()), MarkdownBlock::Code("arr".into(), "<b> *\n".into())];
        let [paragraph, item] =
            [MarkdownBlock::Paragraph("One two.".into()), MarkdownBlock::Item("* ".into(), "three four".into())];
        let table = MarkdownBlock::Table(vec![vec!["a".into(), "b".into()], vec!["1".into(), "2".into()]]);
        assert_eq!(blocks(text), [heading, MarkdownBlock::Blank, paragraph, item, MarkdownBlock::Blank, code, table]);
    }

    #[test]
    fn lines_are_read_in_pieces() {
        let shown = spans("a * b is *not* **`c*` so** ``at(`p`)``, [`d` e](f.md) *g");
        let expected = [
            (InlineStyle::Plain, "a * b is "),
            (InlineStyle::Emphasis, "not"),
            (InlineStyle::Plain, " "),
            (InlineStyle::Code, "c*"),
            (InlineStyle::Strong, " so"),
            (InlineStyle::Plain, " "),
            (InlineStyle::Code, "at(`p`)"),
            (InlineStyle::Plain, ", "),
            (InlineStyle::Code, "d"),
            (InlineStyle::Plain, " e *g"),
        ];
        assert_eq!(shown.iter().map(|(span, text)| (*span, &**text)).collect::<Vec<_>>(), expected);
    }
}
