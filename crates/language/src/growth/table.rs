//! Shows growth as a table.

use crate::ground::text::{grouped, listed};
use std::fmt;

use super::{GrowthBlock, GrowthMeasure, GrowthRow, GrowthTable, ratio};

/// The titles of the two halves of the table.
const TITLES: [&str; 2] = ["flops and compares", "iterations"];

/// The narrowest column of counts.
const MIN_COUNT_WIDTH: usize = 10;

impl fmt::Display for GrowthTable {
    /// Sizes, what each program executes at them with the last one's ratio to the first, and the powers that fit. What
    /// wasn't run, but calculated, has a `≤`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![self.titles(), self.labels()];
        for (k, block) in self.blocks.iter().enumerate() {
            if k > 0 {
                lines.push(String::new());
            }
            lines.extend(block.rows.iter().map(|row| self.row(row)));
            lines.extend(self.fitted(block));
        }
        let work = self.labels.iter().zip(&self.work).map(|(label, work)| format!("{label} {}", work.total()));
        lines.push(format!("work: {}", listed(work)));
        lines.extend(self.verdict());
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl GrowthTable {
    /// Whether the last program is of the first one's order, by their work.
    fn verdict(&self) -> Option<String> {
        let (first, last) = (self.labels.first()?, self.labels.last()?);
        let ratio = format!("{:.2} times its work and result", self.order.ratio);
        let at = self.order.at.iter().map(|(name, n)| format!("{name} = {}", grouped(u128::from(*n))));
        let at = if self.order.at.is_empty() { String::new() } else { format!(" at {}", listed(at)) };
        Some(match self.order.is_kept? {
            true => format!("order: {last} has the order of {first}, at most {ratio}{at}"),
            false => format!("order: {last} exceeds the order of {first}, {ratio}{at}"),
        })
    }

    fn titles(&self) -> String {
        let mut line = " ".repeat(self.left());
        for title in TITLES {
            line.push_str(&format!("  {title:<width$}", width = self.half() - 2));
        }
        line
    }

    fn labels(&self) -> String {
        let mut line: String = self.sizes.iter().map(|name| format!("{:>6}", name.as_str())).collect();
        line = format!("{line:>width$}", width = self.left());
        for _ in GrowthMeasure::ALL {
            for (k, label) in self.labels.iter().enumerate() {
                line.push_str(&format!("{label:>width$}", width = self.width(k)));
            }
            line.push_str(&format!("{:>9}", "ratio"));
        }
        line
    }

    fn row(&self, row: &GrowthRow) -> String {
        let sizes: String = self.sizes.iter().map(|name| format!("{:>6}", row.sizes.get(name).unwrap_or(0))).collect();
        let mut line = format!("{sizes:>width$}", width = self.left());
        for measure in GrowthMeasure::ALL {
            for (k, tally) in row.tallies.iter().enumerate() {
                let cell = match (tally.entries, tally.measured(measure)) {
                    (None, u128::MAX) => "too much".to_owned(),
                    (None, count) => format!("≤{}", grouped(count)),
                    (Some(_), count) => grouped(count),
                };
                line.push_str(&format!("{cell:>width$}", width = self.width(k)));
            }
            line.push_str(&format!("{:>9.2}", ratio(row, measure)));
        }
        line
    }

    fn fitted(&self, block: &GrowthBlock) -> Option<String> {
        let dimension = block.dimension.as_ref()?;
        let mut line = format!("{:>width$}", format!("power of {dimension}"), width = self.left());
        for measure in GrowthMeasure::ALL {
            for (k, power) in self.powers(block, measure).into_iter().enumerate() {
                line.push_str(&format!("{:>width$.2}", rounded(power), width = self.width(k)));
            }
            line.push_str(&" ".repeat(9));
        }
        Some(line)
    }

    fn left(&self) -> usize {
        let longest = self.sizes.iter().map(|name| name.as_str().chars().count()).max().unwrap_or(0);
        (6 * self.sizes.len()).max("power of ".len() + longest + 1)
    }

    fn half(&self) -> usize {
        (0..self.labels.len()).map(|k| self.width(k)).sum::<usize>() + 9
    }

    /// The width of a program's columns.
    fn width(&self, k: usize) -> usize {
        let counts =
            self.rows().flat_map(|row| GrowthMeasure::ALL.map(|m| grouped(row.tallies[k].measured(m)).len() + 1));
        let widest = counts.max().unwrap_or(0).max(self.labels[k].chars().count());
        widest.max(MIN_COUNT_WIDTH) + 2
    }
}

/// To two digits, and without `-0.00`.
fn rounded(power: f64) -> f64 {
    (power * 100.0).round() / 100.0 + 0.0
}
