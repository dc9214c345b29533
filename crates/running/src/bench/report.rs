//! Reports what was measured, as a table, as CSV and as a chart.

use std::fmt::Write as _;

use super::measure::{Operations, Sample};
use redexter_language::draw::{Chart, ChartCurve};
use redexter_language::growth::power;

/// The columns of CSV.
/// The first line of a table that [`BenchReport::csv`] writes.
pub const COLUMNS: &str = "program,size,runs,median_ns,least_ns,low_ns,high_ns,outliers,operations,calls";

/// A program's samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// By growing size.
    pub samples: Vec<Sample>,
}

/// Programs side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BenchReport {
    /// What was measured.
    pub title: String,
    /// The size that grows.
    pub size: String,
    /// How and on what it was.
    pub machine: String,
    /// The programs.
    pub series: Vec<Series>,
}

impl Series {
    /// The p for which `c · size^p` fits the medians best.
    pub fn exponent(&self) -> Option<f64> {
        // In picoseconds, since medians of a few nanoseconds would be too coarse as whole numbers.
        // What takes less than a step of its clock grows in no known way.
        let known = self.samples.iter().filter(|s| s.median > 0.0);
        let points: Vec<(u64, u128)> = known.map(|s| (s.size, (1e3 * s.median) as u128)).collect();
        (points.len() > 1).then(|| power(&points))
    }
}

impl BenchReport {
    /// A table for each program, with its exponent, and what is to be said of outliers.
    pub fn table(&self) -> String {
        let mut out = format!("{}\n{}\n", self.title, self.machine);
        for series in &self.series {
            let _ = writeln!(out, "\n{}", series.name);
            let _ = writeln!(
                out,
                "{:>9} {:>10} {:>10} {:>7} {:>7} {:>7} {:>16}",
                self.size, "median", "least", "spread", "runs", "calls", "operations"
            );
            for s in &series.samples {
                let row = format!(
                    "{:>9} {:>10} {:>10} {:>6.1}% {:>7} {:>7} {:>16}",
                    s.size,
                    duration(s.median),
                    duration(s.least),
                    100.0 * s.spread(),
                    s.runs,
                    s.calls,
                    operations(s.operations)
                );
                let _ = writeln!(out, "{}", row.trim_end());
            }
            if let Some(exponent) = series.exponent() {
                let _ = writeln!(out, "time grows as {}^{exponent:.2}", self.size);
            }
            let outliers: usize = series.samples.iter().map(|s| s.outliers).sum();
            let runs: usize = series.samples.iter().map(|s| s.runs).sum();
            if outliers > 0 {
                let _ = writeln!(out, "{outliers} of {runs} runs are outliers");
            }
        }
        out
    }

    /// A line for each size of each program.
    pub fn csv(&self) -> String {
        let mut out = format!("{COLUMNS}\n");
        for series in &self.series {
            for s in &series.samples {
                let count = match s.operations {
                    Operations::Counted(n) | Operations::Calculated(n) => n.to_string(),
                    Operations::Unknown => String::new(),
                };
                let nanoseconds = [s.median, s.least, s.middle.0, s.middle.1].map(rounded);
                let _ = writeln!(
                    out,
                    "{},{},{},{},{},{count},{}",
                    field(&series.name),
                    s.size,
                    s.runs,
                    nanoseconds.join(","),
                    s.outliers,
                    s.calls
                );
            }
        }
        out
    }

    /// Medians over sizes.
    pub fn chart(&self) -> Chart {
        let curve = |series: &Series| ChartCurve {
            name: series.name.clone(),
            points: series.samples.iter().map(|s| (s.size, s.median.round() as u128)).collect(),
        };
        let across = self.size.clone();
        let curves = self.series.iter().filter(|series| !series.samples.is_empty()).map(curve).collect();
        Chart { title: self.title.clone(), across, up: "nanoseconds".to_owned(), curves, bands: Vec::new() }
    }
}

/// Programs that were measured elsewhere: lines under a header with `program`, `size` and `median_ns` at least. Of the other
/// columns of [`BenchReport::csv`] those count that are there; operations may have been a bound.
pub fn from_csv(text: &str) -> Result<Vec<Series>, String> {
    let mut lines = text.lines().map(fields).enumerate();
    let header = lines.next().map(|(_, header)| header).unwrap_or_default();
    let column = |name: &str| header.iter().position(|cell| cell == name);
    let wanted = |name: &str| column(name).ok_or_else(|| format!("there is no column `{name}`"));
    let (program, size, median) = (wanted("program")?, wanted("size")?, wanted("median_ns")?);
    let mut all: Vec<Series> = Vec::new();
    for (k, cells) in lines.filter(|(_, cells)| cells.iter().any(|cell| !cell.is_empty())) {
        let number = |at: usize| cells.get(at).and_then(|cell| cell.trim().parse::<u64>().ok());
        let time = cells.get(median).and_then(|cell| cell.trim().parse::<f64>().ok()).filter(|time| is_time(*time));
        let (Some(name), Some(size), Some(median)) = (cells.get(program), number(size), time) else {
            return Err(format!("line {} has no program, size and median", k + 1));
        };
        let whole = |name: &str| column(name).and_then(number);
        let other = |name: &str| {
            let text = column(name).and_then(|at| cells.get(at));
            text.and_then(|text| text.trim().parse().ok()).filter(|time| is_time(*time)).unwrap_or(median)
        };
        let sample = Sample {
            size,
            runs: whole("runs").unwrap_or(1) as usize,
            calls: whole("calls").map_or(1, |calls| calls.min(u64::from(u32::MAX)) as u32),
            median,
            least: other("least_ns"),
            middle: (other("low_ns"), other("high_ns")),
            outliers: whole("outliers").unwrap_or(0) as usize,
            operations: whole("operations").map_or(Operations::Unknown, |n| Operations::Calculated(n.into())),
        };
        match all.iter_mut().find(|series| series.name == *name) {
            Some(series) => series.samples.push(sample),
            None => all.push(Series { name: name.clone(), samples: vec![sample] }),
        }
    }
    all.iter_mut().for_each(|series| series.samples.sort_by_key(|sample| sample.size));
    Ok(all)
}

/// Whether a number of nanoseconds can be drawn: up to 10^18 are 30 years.
fn is_time(nanoseconds: f64) -> bool {
    (0.0..=1e18).contains(&nanoseconds)
}

/// Nanoseconds with picoseconds.
fn rounded(nanoseconds: f64) -> String {
    ((1e3 * nanoseconds).round() / 1e3).to_string()
}

/// A cell as CSV has it.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// The cells of a line.
fn fields(line: &str) -> Vec<String> {
    let (mut cells, mut quoted, mut rest) = (vec![String::new()], false, line.chars().peekable());
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                cells.last_mut().into_iter().for_each(|cell| cell.push('"'));
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    cells
}

/// Nanoseconds as three digits and a unit.
pub fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        // Only of an executable with a clock of its own, which counts microseconds.
        x if x <= 0.0 => return "< 1 µs".to_owned(),
        x if x < 1e3 => (x, "ns"),
        x if x < 1e6 => (x / 1e3, "µs"),
        x if x < 1e9 => (x / 1e6, "ms"),
        x => (x / 1e9, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

fn operations(operations: Operations) -> String {
    match operations {
        Operations::Counted(n) => n.to_string(),
        Operations::Calculated(n) => format!("≤ {n}"),
        Operations::Unknown => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::measure::{Operations, Sample};
    use super::{BenchReport, Series, duration, from_csv};

    fn report() -> BenchReport {
        let sample = |n: u64| {
            Sample::of(n, vec![Duration::from_micros(n * n)], 1, Duration::ZERO, Operations::Counted(u128::from(n)))
        };
        let series =
            Series { name: "a \"b\", c".into(), samples: [10, 20, 40].into_iter().filter_map(sample).collect() };
        BenchReport { title: "t".into(), size: "n".into(), machine: "m".into(), series: vec![series] }
    }

    #[test]
    fn what_is_written_is_read() {
        let read = from_csv(&report().csv()).expect("it is CSV");
        assert_eq!(read[0].name, report().series[0].name);
        assert_eq!(read[0].chart_points(), report().series[0].chart_points());
        assert_eq!(read[0].exponent().map(|p| (1e9 * p).round()), Some(2e9));
        let again = BenchReport { series: read, ..report() };
        assert_eq!(again.csv(), report().csv());
        for (wrong, why) in [
            ("", "there is no column `program`"),
            ("program,size\n", "there is no column `median_ns`"),
            ("program,size,median_ns\na,1\n", "line 2 has no program, size and median"),
            ("program,size,median_ns\na,1,NaN\n", "line 2 has no program, size and median"),
        ] {
            assert_eq!(from_csv(wrong), Err(why.to_owned()));
        }
    }

    #[test]
    fn a_table_has_a_row_for_each_size() {
        let lines: Vec<String> = report().table().lines().map(str::to_owned).collect();
        assert_eq!(lines[5], "       10     100 µs     100 µs    0.0%       1       1               10");
        assert_eq!(lines.last().map(String::as_str), Some("time grows as n^2.00"));
    }

    #[test]
    fn times_have_three_digits() {
        let found = [7.0, 1_230.0, 45_600_000.0, 9_999_000_000.0].map(duration);
        assert_eq!(found, ["7.00 ns", "1.23 µs", "45.6 ms", "10.00 s"]);
    }

    #[test]
    fn what_takes_less_than_a_step_of_the_clock_says_nothing_of_growth() {
        let of =
            |n: u64, micros| Sample::of(n, vec![Duration::from_micros(micros)], 1, Duration::ZERO, Operations::Unknown);
        let series = |samples: [(u64, u64); 3]| {
            let samples = samples.into_iter().filter_map(|(n, micros)| of(n, micros)).collect();
            BenchReport { series: vec![Series { name: "a".into(), samples }], ..report() }
        };
        let table = series([(10, 0), (20, 3), (40, 12)]).table();
        assert!(
            table.contains("       10     < 1 µs     < 1 µs") && table.ends_with("time grows as n^2.00\n"),
            "{table}"
        );
        assert!(!series([(10, 0), (20, 0), (40, 12)]).table().contains("grows"));
    }

    impl Series {
        fn chart_points(&self) -> Vec<(u64, f64)> {
            self.samples.iter().map(|s| (s.size, s.median)).collect()
        }
    }
}
