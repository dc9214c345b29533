//! The stages of a derivation as a table.

use super::styled::{Look, Styled};
use super::work::{leading, trend};
use crate::derivation::Row;
use crate::ground::text::counted;

/// Titles take at most so many columns.
const TITLE: usize = 40;

/// A line for each stage: its name, where its steps are, how many there are by how many rules, and the work after it by its
/// leading terms.
pub fn overview(rows: &[Row]) -> Styled {
    let cells: Vec<[String; 3]> = rows.iter().map(cells).collect();
    let width = |k: usize| cells.iter().map(|cells| cells[k].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut out = Styled::default();
    for (row, cells) in rows.iter().zip(&cells) {
        let [title, place, count] = cells;
        let [first, second, third] = widths;
        out.push(Look::Strong, &format!("{title:first$}"));
        out.push(Look::Aside, &format!("  {place:second$}"));
        out.plain(&format!("  {count:>third$}"));
        if let Some((before, after)) = &row.work {
            let look = if before == after { Look::Aside } else { trend(before, after) };
            out.plain("  ");
            out.push(look, &leading(after));
        }
        out.plain("\n");
    }
    out
}

fn cells(row: &Row) -> [String; 3] {
    let indent = "  ".repeat(row.depth);
    let room = TITLE.saturating_sub(indent.len()).max(8);
    let title = format!("{indent}{}", crate::ground::text::shortened(&row.title, room));
    let hidden = if row.hidden == 0 { String::new() } else { format!(" (+{})", row.hidden) };
    let place = match row.pieces {
        1 => format!("{}..{}", row.span.start + 1, row.span.end),
        pieces => format!("in {}", counted(pieces, "piece")),
    };
    let by = if row.rules == 1 { "by 1 rule".to_owned() } else { format!("by {} rules", row.rules) };
    [format!("{title}{hidden}"), place, format!("{} {by}", counted(row.steps, "step"))]
}
