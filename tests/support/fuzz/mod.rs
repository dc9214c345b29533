//! Inputs that are nearly right, and what must hold whatever comes of them: `tests/fuzz` runs some, `examples/fuzz` many.
//!
//! A [`Target`] takes bytes. `mutate` makes them from `seeds`, `world` is the machine on which they run, `program` what holds
//! of every term, `minimise` makes small what broke. An input follows from a seed and its number, and ends at the same
//! place each time: limits count, and none looks at a clock.

#[allow(dead_code, reason = "tests need more of it")]
#[path = "../generate.rs"]
mod generate;
mod minimise;
mod mutate;
mod program;
mod seeds;
mod targets;
mod world;

use redexter::ground::bug::{contained, noted};

pub use minimise::minimise;
pub use mutate::Mutator;
pub use targets::TARGETS;

/// What reads inputs.
pub struct Target {
    /// How it is called; a finding's file begins so.
    pub name: &'static str,
    /// Reads one.
    pub run: fn(&[u8]) -> Result<End, Finding>,
    /// What inputs are made from.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of its language, with two blanks between them.
    pub words: &'static str,
}

/// How an input ended, where nothing broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was right.
    Accepted,
    /// It was wrong, and that was said.
    Refused,
    /// A limit ended it.
    Stopped,
}

/// What broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What happened, without what differs between inputs: the same words are the same finding.
    pub kind: String,
    /// The rest.
    pub details: String,
}

impl Finding {
    pub fn new(kind: impl Into<String>, details: impl Into<String>) -> Finding {
        Finding { kind: kind.into(), details: details.into() }
    }
}

impl Target {
    /// The target of this name.
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// The target of a finding's file, which has its name before the hash.
    pub fn of_file(name: &str) -> Option<&'static Target> {
        Target::named(name.split('-').next()?)
    }

    /// Reads an input; a panic is a finding.
    pub fn meet(&self, input: &[u8]) -> Result<End, Finding> {
        contained(|| (self.run)(input)).unwrap_or_else(|bug| {
            let place = bug.place.unwrap_or_else(|| "an unknown place".to_owned());
            Err(Finding::new(format!("panic at {place}"), bug.message))
        })
    }

    /// The file for an input.
    pub fn file_of(&self, input: &[u8]) -> String {
        // FNV-1a: the same name on every machine.
        let hash = input.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        format!("{}-{hash:016x}", self.name)
    }
}

/// Panics of targets are told by who runs them alone.
pub fn keep_panics_quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !noted(info) {
            usual(info);
        }
    }));
}
