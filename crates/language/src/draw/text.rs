//! Draws a chart in lines of text: the curve in Braille dots, two across and four up in each character.

use super::{Band, Chart, ChartCurve};
use crate::ground::order::InOrder;
use crate::ground::text::{listed, shortened};

/// Rows of the curve.
const ROWS: usize = 12;

/// The curve has at least so many columns.
const MIN_COLUMNS: usize = 10;

/// The dots of a Braille character, from the top, on its left and on its right.
const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// The chart in lines of at most so many columns, without a line break at the end: title, curve, axis and the names of the
/// bands under it.
pub fn text(chart: &Chart, width: usize) -> String {
    let (across, up) = (chart.across(), chart.up());
    let labels: Vec<(usize, String)> =
        up.ticks().into_iter().map(|(at, text)| (row_of(1.0 - at, ROWS), text)).collect();
    let gutter = labels.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
    let columns = width.saturating_sub(gutter + 2).max(MIN_COLUMNS);
    let dot = |(x, y): &(u64, u128)| {
        let (x, y) = (across.at(*x as f64), 1.0 - up.at(*y as f64));
        (row_of(x, 2 * columns), row_of(y, 4 * ROWS))
    };
    let dots: Vec<Vec<(usize, usize)>> =
        chart.curves.iter().map(|curve| curve.points.iter().map(dot).collect()).collect();
    let mut lines = vec![format!("{}; {} over {}", chart.title, chart.up, chart.across)];
    for (row, cells) in drawn(&dots, columns).iter().enumerate() {
        let label = labels.iter().find(|(at, _)| *at == row).map(|(_, text)| text.as_str());
        let mark = if label.is_some() { '┤' } else { '│' };
        lines.push(format!("{:>gutter$} {mark}{cells}", label.unwrap_or("")));
    }
    let (axis, numbers) = axis(&across.ticks(), columns);
    lines.push(format!("{:gutter$} └{axis}", ""));
    lines.push(format!("{:gutter$}  {numbers}", ""));
    let place = |x: u64| (across.at(x as f64) * columns as f64) as usize;
    if chart.curves.len() > 1 {
        lines.push(order(&chart.curves));
    }
    if !chart.bands.is_empty() {
        lines.push(format!("{:gutter$}  {}", "", names(&chart.bands, columns, place)));
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// The row or column, of so many, of a place from 0 to 1.
fn row_of(at: f64, count: usize) -> usize {
    ((at * count as f64) as usize).min(count - 1)
}

/// Which curve is which: their names from the one that ends highest down.
fn order(curves: &[ChartCurve]) -> String {
    let mut ends: Vec<(u128, &str)> =
        curves.iter().map(|curve| (curve.points.last().map_or(0, |(_, y)| *y), curve.name.as_str())).collect();
    ends.order_by_key(|(y, _)| std::cmp::Reverse(*y));
    format!("at the right end, from above: {}", listed(ends.iter().map(|(_, name)| name)))
}

/// The dots and what connects them.
fn drawn(curves: &[Vec<(usize, usize)>], columns: usize) -> Vec<String> {
    let mut cells = vec![vec![0_u32; columns]; ROWS];
    for dots in curves {
        connect(dots, &mut cells);
    }
    let character = |bits: &u32| if *bits == 0 { ' ' } else { char::from_u32(0x2800 + bits).unwrap_or(' ') };
    cells.iter().map(|row| row.iter().map(character).collect::<String>()).collect()
}

fn connect(dots: &[(usize, usize)], cells: &mut [Vec<u32>]) {
    let mut set = |x: usize, y: usize| cells[y / 4][x / 2] |= DOTS[x % 2][y % 4];
    for (k, (x, y)) in dots.iter().enumerate() {
        let (from, above) = if k == 0 { (*x, *y) } else { dots[k - 1] };
        let mut last = above;
        for at in from..=*x {
            let next = if *x == from { *y } else { between(above, *y, at - from, x - from) };
            (last.min(next)..=last.max(next)).for_each(|dot| set(at, dot));
            last = next;
        }
    }
}

/// The whole number `part` of `whole` on the way between two.
fn between(from: usize, to: usize, part: usize, whole: usize) -> usize {
    (from * (whole - part) + to * part) / whole
}

/// The axis with its marks, and the numbers below them where there is room.
fn axis(ticks: &[(f64, String)], columns: usize) -> (String, String) {
    let (mut line, mut numbers) = (vec!['─'; columns], String::new());
    for (at, text) in ticks {
        let column = row_of(*at, columns);
        let start = if *at == 0.0 { 0 } else { column.saturating_sub(text.chars().count() / 2) };
        let used = numbers.chars().count();
        if (used == 0 || start > used) && start + text.chars().count() <= columns {
            line[column] = '┬';
            numbers.push_str(&" ".repeat(start - used));
            numbers.push_str(text);
        }
    }
    (line.into_iter().collect(), numbers)
}

/// Names within their bands, shortened to what room there is.
fn names(bands: &[Band], columns: usize, place: impl Fn(u64) -> usize) -> String {
    let mut line: Vec<char> = vec![' '; columns];
    for band in bands {
        let (from, to) = (place(band.from).min(columns - 1), place(band.to).min(columns));
        let room = to.saturating_sub(from);
        line[from] = '│';
        if room < 2 {
            continue;
        }
        line[from + 1..to].fill('─');
        let name = if band.name.chars().count() < room { band.name.clone() } else { shortened(&band.name, room - 2) };
        for (cell, c) in line[from + 1..to].iter_mut().zip(name.chars()) {
            *cell = c;
        }
    }
    line.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Band, Chart, ChartCurve};
    use super::text;

    fn curve(points: Vec<(u64, u128)>) -> ChartCurve {
        ChartCurve { name: String::new(), points }
    }

    fn chart() -> Chart {
        let band = |name: &str, from, to| Band { name: name.to_owned(), from, to };
        Chart {
            title: "a run".into(),
            across: "steps".into(),
            up: "work".into(),
            curves: vec![curve(vec![(0, 1_000_000), (10, 1_000_000), (10, 300), (100, 10)])],
            bands: vec![band("first", 0, 10), band("second", 10, 90), band("x", 90, 91), band("the last one", 91, 100)],
        }
    }

    #[test]
    fn a_chart_is_drawn() {
        let drawn = text(&chart(), 50);
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines.len(), 16);
        assert_eq!(lines[0], "a run; work over steps");
        assert!(lines[1].starts_with("10⁶ ┤⠉⠉⠉⠉⢹"), "{drawn}");
        assert_eq!(lines[13], "    └┬────────┬────────┬────────┬────────┬────────");
        assert_eq!(lines[14], "     0       20       40       60       80");
        assert_eq!(lines[15], "     │fi…│second─────────────────────────────│the…");
        assert!(lines.iter().all(|line| line.chars().count() <= 50), "{drawn}");
    }

    #[test]
    fn several_curves_have_names() {
        let named = |name: &str, points| ChartCurve { name: name.to_owned(), points };
        let curves = vec![named("low", vec![(0, 1), (9, 2)]), named("high", vec![(0, 5), (9, 9)])];
        let drawn = text(&Chart { curves, bands: vec![], ..chart() }, 50);
        assert_eq!(drawn.lines().last(), Some("at the right end, from above: high, low"));
    }

    #[test]
    fn nothing_is_too_narrow() {
        for width in 0..40 {
            for points in [vec![], vec![(0, 0)], vec![(0, 5), (3, 5)], vec![(0, u128::MAX), (9, 1)]] {
                text(&Chart { curves: vec![curve(points)], ..chart() }, width);
            }
        }
    }
}
