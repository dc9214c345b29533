//! What is known of a target's inputs.

use std::collections::BTreeMap;
use std::time::Duration;

/// The inputs of one target.
#[derive(Default)]
pub struct Tally {
    pub inputs: u64,
    ends: BTreeMap<String, u64>,
    /// How long they took together.
    busy: Duration,
    /// The longest, and its number.
    slowest: (Duration, u64),
    /// Files by what broke.
    pub found: BTreeMap<String, String>,
}

impl Tally {
    /// An input ended so.
    pub fn end(&mut self, number: u64, how: &str, took: Duration) {
        self.inputs += 1;
        *self.ends.entry(how.to_owned()).or_default() += 1;
        self.busy += took;
        self.slowest = self.slowest.max((took, number));
    }

    fn row(&self, name: &str) -> String {
        let count = |how: &str| self.ends.get(how).copied().unwrap_or(0);
        let rate = self.inputs as f64 / self.busy.as_secs_f64().max(1e-9);
        let (slowest, number) = self.slowest;
        format!(
            "{name:<9} {:>8} {rate:>8.0} {:>9} {:>8} {:>8} {:>7.2} s (input {number}) {:>9}\n",
            self.inputs,
            count("Accepted"),
            count("Refused"),
            count("Stopped"),
            slowest.as_secs_f64(),
            self.found.len(),
        )
    }
}

/// The table of all targets, and what was found.
pub fn table(all: &[(&str, Tally)], seed: u64) -> String {
    let mut text = format!(
        "seed {seed}\n{:<9} {:>8} {:>8} {:>9} {:>8} {:>8} {:>9} {:>18}\n",
        "target", "inputs", "a second", "accepted", "refused", "stopped", "slowest", "findings"
    );
    text.extend(all.iter().map(|(name, tally)| tally.row(name)));
    let inputs: u64 = all.iter().map(|(_, tally)| tally.inputs).sum();
    let found: usize = all.iter().map(|(_, tally)| tally.found.len()).sum();
    text += &format!("{inputs} inputs, {found} findings\n");
    for (kind, file) in all.iter().flat_map(|(_, tally)| &tally.found) {
        text += &format!("{file}: {kind}\n");
    }
    text
}
