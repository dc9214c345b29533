//! Examples of rules written as text, beyond the published ones: what each makes of a term, and what it must refuse.
//! Those of native rules stand in their records.

pub mod arranged;
pub mod folds;
pub mod places;
pub mod scalars;
pub mod scans;
pub mod transposition;

/// A rule, a term and what it becomes.
pub type Example = (&'static str, &'static str, &'static str);

/// A rule and a term that it must not touch.
pub type Refusal = (&'static str, &'static str);

/// Every example.
pub fn examples() -> impl Iterator<Item = &'static Example> {
    let more = transposition::EXAMPLES;
    [scalars::EXAMPLES, folds::EXAMPLES, scans::EXAMPLES, places::EXAMPLES, arranged::EXAMPLES, more]
        .into_iter()
        .flatten()
}

/// Every refusal.
pub fn refused() -> impl Iterator<Item = &'static Refusal> {
    let more = transposition::REFUSED;
    [scalars::REFUSED, folds::REFUSED, scans::REFUSED, places::REFUSED, arranged::REFUSED, more].into_iter().flatten()
}
