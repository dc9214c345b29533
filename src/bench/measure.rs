//! What the times of many runs come to.

use std::time::Duration;

/// Runs of a program at one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The size.
    pub size: u64,
    /// How often it ran.
    pub runs: usize,
    /// Half of the runs took no longer.
    pub median: Duration,
    /// The shortest run.
    pub least: Duration,
    /// Half of the runs lie between these.
    pub middle: (Duration, Duration),
    /// Runs that took far longer or shorter than those: by three times what lies between them.
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
    /// Of at least one run.
    pub fn of(size: u64, mut times: Vec<Duration>, operations: Operations) -> Option<Sample> {
        times.sort_unstable();
        let least = *times.first()?;
        let (last, quarter) = (times.len() - 1, (times.len() - 1) / 4);
        let (median, low, high) = (times[last / 2], times[quarter], times[last - quarter]);
        let far = 3 * (high - low);
        let outliers = times.iter().filter(|time| **time > high + far || **time + far < low).count();
        Some(Sample { size, runs: times.len(), median, least, middle: (low, high), outliers, operations })
    }

    /// How far the middle half spreads, as a part of the median.
    pub fn spread(&self) -> f64 {
        (self.middle.1 - self.middle.0).as_secs_f64() / self.median.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Operations, Sample};

    #[test]
    fn samples_are_summed_up() {
        let times = [5, 3, 4, 100, 6].map(Duration::from_micros).to_vec();
        let sample = Sample::of(7, times, Operations::Unknown).expect("there are runs");
        assert_eq!((sample.runs, sample.outliers), (5, 1));
        assert_eq!([sample.least, sample.median], [3, 5].map(Duration::from_micros));
        assert_eq!(sample.middle, (Duration::from_micros(4), Duration::from_micros(6)));
        assert!((sample.spread() - 0.4).abs() < 1e-12);
        assert_eq!(Sample::of(7, Vec::new(), Operations::Unknown), None);
    }
}
