//! Examples of rules written as text, beyond the published ones: what each makes of a term, and what it must refuse.
//! Those of native rules stand in their records.

pub mod arranged;
pub mod folds;
pub mod places;
pub mod scalars;
pub mod scans;

/// A rule, a term and what it becomes.
pub type Example = (&'static str, &'static str, &'static str);

/// A rule and a term that it must not touch.
pub type Refusal = (&'static str, &'static str);

/// Every example.
pub fn examples() -> impl Iterator<Item = &'static Example> {
    [scalars::EXAMPLES, folds::EXAMPLES, scans::EXAMPLES, places::EXAMPLES, arranged::EXAMPLES].into_iter().flatten()
}

/// Every refusal.
pub fn refused() -> impl Iterator<Item = &'static Refusal> {
    [scalars::REFUSED, folds::REFUSED, scans::REFUSED, places::REFUSED, arranged::REFUSED].into_iter().flatten()
}
