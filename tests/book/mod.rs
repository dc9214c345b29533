//! Examples of the rules beyond the published ones: what each makes of a term, and what it must refuse.

pub mod arranged;
pub mod folds;
pub mod natives;
pub mod places;
pub mod scalars;

/// A rule, a term and what it becomes.
pub type Example = (&'static str, &'static str, &'static str);

/// A rule and a term that it must not touch.
pub type Refusal = (&'static str, &'static str);

/// Every example.
pub fn examples() -> impl Iterator<Item = &'static Example> {
    [scalars::EXAMPLES, folds::EXAMPLES, places::EXAMPLES, natives::EXAMPLES, arranged::EXAMPLES].into_iter().flatten()
}

/// Every refusal.
pub fn refused() -> impl Iterator<Item = &'static Refusal> {
    [scalars::REFUSED, folds::REFUSED, places::REFUSED, natives::REFUSED, arranged::REFUSED].into_iter().flatten()
}
