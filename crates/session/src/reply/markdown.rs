//! Reads Markdown as the manual and lessons have it, into blocks and the pieces of a line, and lays it out for a terminal:
//! paragraphs and lists in lines of a width, tables in two columns, fenced blocks as they are.

use super::rules::block;
use crate::session::manual;
use redexter_telling::render::{Look, Styled};

/// Texts beside each other, where the first column is no wider than this.
const MAX_COLUMN_WIDTH: usize = 28;

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
            let mut rows = vec![manual::cells(line)];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(manual::cells(row));
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

/// Markdown in lines of at most `width`, as far as words and fenced blocks allow.
pub fn markdown(text: &str, width: usize) -> Styled {
    let mut out = Styled::default();
    for block in blocks(text) {
        match block {
            MarkdownBlock::Code(_, code) => code.lines().for_each(|line| {
                out.append(&Styled::of(Look::Aside, format!("  {line}").trim_end()).then("\n"));
            }),
            MarkdownBlock::Table(rows) => out.append(&table(&rows, width)),
            MarkdownBlock::Heading(depth, title) => {
                out.append(&paragraph("", &format!("{} {title}", "#".repeat(depth)), width))
            }
            MarkdownBlock::Item(sign, text) => out.append(&paragraph(&sign, &text, width)),
            MarkdownBlock::Paragraph(text) => out.append(&paragraph("", &text, width)),
            MarkdownBlock::Blank => out.plain("\n"),
        }
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

fn paragraph(sign: &str, text: &str, width: usize) -> Styled {
    let indent = sign.len();
    let mut out = Styled::default();
    for (k, line) in block(Look::Plain, &inline(text), indent, width).into_iter().enumerate() {
        out.plain(&if k == 0 { sign.to_owned() } else { " ".repeat(indent) });
        out.append(&line.then("\n"));
    }
    out
}

/// Rows of a table as entries; its head says nothing that its rows don't.
fn table(rows: &[Vec<String>], width: usize) -> Styled {
    let rows = rows.iter().skip(1).map(|row| {
        let mut cells = row.iter().map(|cell| inline(cell));
        (cells.next().unwrap_or_default(), cells.collect::<Vec<String>>().join("; "))
    });
    entries(&rows.collect::<Vec<_>>(), width)
}

/// Names with what is said of each: beside it where there is room, else below it.
pub fn entries(rows: &[(String, String)], width: usize) -> Styled {
    let most = MAX_COLUMN_WIDTH.min(width / 3);
    let widths = rows.iter().map(|(first, _)| first.chars().count());
    let column = widths.filter(|width| *width <= most).max().unwrap_or(0);
    let mut out = Styled::default();
    for (first, second) in rows {
        let used = first.chars().count();
        out = out.then("  ").and(Look::Rule, first);
        let indent = if column > 0 { column + 4 } else { 6 };
        for (k, line) in block(Look::Plain, second, indent, width).into_iter().enumerate() {
            let beside = k == 0 && used <= column;
            if k == 0 && !beside {
                out.plain("\n");
            }
            out.plain(&" ".repeat(if beside { indent - 2 - used } else { indent }));
            out.append(&line);
            out.plain("\n");
        }
        if second.is_empty() {
            out.plain("\n");
        }
    }
    out
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
    use super::{InlineStyle, MarkdownBlock, blocks, inline, markdown, spans};

    #[test]
    fn paragraphs_lists_and_tables_have_lines_of_the_width() {
        let text = "One *two*, **three** and [four](five.md#six)\nseven `[a](b) ** c`.\n\n* an item that goes on\n  here\n\n\
                    | a | b |\n|---|---|\n| `x` | a row that is wider than the page is |\n\n```\nas  it is\n```\n";
        let shown = markdown(text, 40).into_text();
        let expected = "One *two*, three and four seven `[a](b)\n** c`.\n\n* an item that goes on here\n\n  `x`  a row that is wider \
                        than the page\n       is\n\n  as  it is\n";
        assert_eq!(shown, expected);
    }

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
