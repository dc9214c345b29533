//! Markdown as it stands in the manual, for a terminal: paragraphs and lists in lines of a width, tables in two columns,
//! fenced blocks as they are.

use super::rules::block;
use crate::render::{Look, Styled};

/// Texts beside each other, where the first column is no wider than this.
const COLUMN: usize = 28;

/// Markdown in lines of at most `width`, as far as words and fenced blocks allow.
pub fn markdown(text: &str, width: usize) -> Styled {
    let mut out = Styled::default();
    let mut lines = text.lines().filter(|line| !line.starts_with("<!--")).peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let fence = &line[..line.len() - line.trim_start_matches('`').len()];
            lines.by_ref().take_while(|line| !line.starts_with(fence)).for_each(|line| {
                out.append(&Styled::of(Look::Aside, format!("  {line}").trim_end()).then("\n"));
            });
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            out.append(&table(&rows, width));
        } else if line.is_empty() {
            out.plain("\n");
        } else {
            let mut whole = line.to_owned();
            while let Some(more) = lines.next_if(|line| goes_on(line)) {
                whole = format!("{whole} {}", more.trim());
            }
            out.append(&paragraph(&whole, width));
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

fn paragraph(line: &str, width: usize) -> Styled {
    let indent = item(line);
    let (sign, rest) = line.split_at(indent);
    let mut out = Styled::default();
    for (k, line) in block(Look::Plain, &inline(rest), indent, width).into_iter().enumerate() {
        out.plain(&if k == 0 { sign.to_owned() } else { " ".repeat(indent) });
        out.append(&line.then("\n"));
    }
    out
}

/// Rows of a table as entries; its head and the line below it say nothing that its rows don't.
fn table(rows: &[&str], width: usize) -> Styled {
    let rows = rows.iter().skip(2).map(|row| {
        let mut cells = crate::session::manual::cells(row).into_iter().map(|cell| inline(&cell));
        (cells.next().unwrap_or_default(), cells.collect::<Vec<String>>().join("; "))
    });
    entries(&rows.collect::<Vec<_>>(), width)
}

/// Names with what is said of each: beside it where there is room, else below it.
pub fn entries(rows: &[(String, String)], width: usize) -> Styled {
    let most = COLUMN.min(width / 3);
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

/// Without what only Markdown needs: the stars of bold words, and where links lead.
pub fn inline(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let ticks = rest.chars().take_while(|c| *c == '`').count();
        let end = match &rest[..1] {
            "`" => rest[ticks..].find(&rest[..ticks]).map_or(rest.len(), |end| end + 2 * ticks),
            "*" if rest.starts_with("**") => {
                rest = &rest[2..];
                continue;
            }
            "[" => match link(rest) {
                Some((shown, end)) => {
                    out.push_str(shown);
                    rest = &rest[end..];
                    continue;
                }
                None => 1,
            },
            _ => 1,
        };
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out + rest
}

/// What a link shows, and where it ends.
fn link(text: &str) -> Option<(&str, usize)> {
    let (shown, rest) = text[1..].split_once("](")?;
    let end = rest.find(')')?;
    (!shown.contains(['[', ']'])).then_some((shown, 1 + shown.len() + 2 + end + 1))
}

#[cfg(test)]
mod tests {
    use super::{inline, markdown};

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
}
