//! Summarises the times of many runs.

use std::time::Duration;

/// Runs of a program at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The size.
    pub size: u64,
    /// How often it was timed.
    pub runs: usize,
    /// So many calls, one after another, are one run; what it took is divided by them.
    pub calls: u32,
    /// Half of the runs took no longer, in nanoseconds a call.
    pub median: f64,
    /// The shortest run.
    pub least: f64,
    /// Half of the runs lie between these.
    pub middle: (f64, f64),
    /// Runs that took far longer or shorter than those: by three times what lies between them, or what the clock tells apart,
    /// or a hundredth of the median.
    pub outliers: usize,
    /// Flops, compares, reads and writes.
    pub operations: Operations,
}

/// How much is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operations {
    /// Counted by running it.
    Counted(u128),
    /// By its formula, since counting would take long: exact, or an upper bound.
    Calculated(u128),
    /// Nobody knows: it comes from elsewhere.
    Unknown,
}

impl Sample {
    /// Of at least one run of so many calls, by a clock with this grain.
    pub fn of(
        size: u64,
        mut times: Vec<Duration>,
        calls: u32,
        grain: Duration,
        operations: Operations,
    ) -> Option<Sample> {
        times.sort_unstable();
        let least = *times.first()?;
        let (last, quarter) = (times.len() - 1, (times.len() - 1) / 4);
        let (median, low, high) = (times[last / 2], times[quarter], times[last - quarter]);
        let far = 3 * (high - low).max(grain).max(median / 100);
        let outliers = times.iter().filter(|time| **time > high + far || **time + far < low).count();
        let calls = calls.max(1);
        let a_call = |time: Duration| time.as_nanos() as f64 / f64::from(calls);
        let middle = (a_call(low), a_call(high));
        let (runs, median, least) = (times.len(), a_call(median), a_call(least));
        Some(Sample { size, runs, calls, median, least, middle, outliers, operations })
    }

    /// How far the middle half spreads, as a part of the median.
    pub fn spread(&self) -> f64 {
        (self.middle.1 - self.middle.0) / self.median.max(1e-3)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Operations, Sample};

    #[test]
    fn samples_are_summed_up() {
        let times = [5, 3, 4, 100, 6].map(Duration::from_micros).to_vec();
        let grain = Duration::from_nanos(10);
        let sample = Sample::of(7, times, 1, grain, Operations::Unknown).expect("there are runs");
        assert_eq!((sample.runs, sample.outliers), (5, 1));
        assert_eq!([sample.least, sample.median], [3000.0, 5000.0]);
        assert_eq!(sample.middle, (4000.0, 6000.0));
        assert!((sample.spread() - 0.4).abs() < 1e-12);
        assert_eq!(Sample::of(7, Vec::new(), 1, grain, Operations::Unknown), None);
    }

    #[test]
    fn a_run_of_many_calls_is_divided() {
        let times = [1001, 1002, 1003].map(Duration::from_nanos).to_vec();
        let sample = Sample::of(7, times, 400, Duration::ZERO, Operations::Unknown).expect("there are runs");
        assert_eq!((sample.runs, sample.calls, sample.median, sample.least), (3, 400, 2.505, 2.5025));
    }

    #[test]
    fn what_the_clock_hardly_tells_apart_is_no_outlier() {
        let times = || [100, 100, 100, 100, 100, 100, 100, 120, 131].map(Duration::from_nanos).to_vec();
        let outliers = |grain| {
            Sample::of(7, times(), 1, Duration::from_nanos(grain), Operations::Unknown).map(|sample| sample.outliers)
        };
        assert_eq!([outliers(0), outliers(10), outliers(11)], [Some(2), Some(1), Some(0)]);
    }

    #[test]
    fn a_part_in_a_hundred_is_no_outlier() {
        let times = [9_700, 10_000, 10_000, 10_000, 10_001, 10_001, 10_001, 10_300, 10_302].map(Duration::from_nanos);
        let sample = Sample::of(7, times.to_vec(), 1, Duration::ZERO, Operations::Unknown).expect("there are runs");
        assert_eq!((sample.middle, sample.outliers), ((10_000.0, 10_001.0), 1));
    }
}
