//! Lays Markdown out for a terminal: paragraphs and lists in lines of a width, tables in two columns, fenced blocks as they are.

use super::rules::block;
use crate::session::markdown::{MarkdownBlock, blocks, inline};
use redexter_telling::render::{Look, Styled};

/// Texts beside each other, where the first column is no wider than this.
const MAX_COLUMN_WIDTH: usize = 28;

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

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn paragraphs_lists_and_tables_have_lines_of_the_width() {
        let text = "One *two*, **three** and [four](five.md#six)\nseven `[a](b) ** c`.\n\n* an item that goes on\n  here\n\n\
                    | a | b |\n|---|---|\n| `x` | a row that is wider than the page is |\n\n```\nas  it is\n```\n";
        let shown = markdown(text, 40).into_text();
        let expected = "One *two*, three and four seven `[a](b)\n** c`.\n\n* an item that goes on here\n\n  `x`  a row that is wider \
                        than the page\n       is\n\n  as  it is\n";
        assert_eq!(shown, expected);
    }
}
