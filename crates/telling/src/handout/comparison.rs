//! Writes two derivations of one term as JSON: the number of steps before they part, where they meet again, and both of them.

use super::derivation::{TitledDerivation, derivation};
use redexter_language::ground::{Budget, StopReason};
use redexter_rewriting::compare::align;
use redexter_rewriting::derivation::Derivation;

/// Two derivations of one term as an object of JSON.
pub fn comparison([first, second]: [TitledDerivation; 2], budget: &Budget) -> Result<String, StopReason> {
    let parts = first.1.steps().iter().zip(second.1.steps()).take_while(|(a, b)| a == b).count();
    let meet = serde_json::Value::from(meeting(first.1, second.1, budget)?);
    let [a, b] = [derivation(first.0, first.1, budget)?, derivation(second.0, second.1, budget)?];
    Ok(format!("{{\"parts\": {parts}, \"meet\": {meet}, \"sides\": [{a},{b}]}}"))
}

/// A sentence on where two derivations that parted have the same term again; none where they don't.
fn meeting(first: &Derivation, second: &Derivation, budget: &Budget) -> Result<Option<String>, StopReason> {
    let [first, second] = [first, second].map(|of| of.trace(0..of.steps().len()));
    let aligned = align(&first, &second, budget)?;
    // Pieces alternate, and the first one is together: a third one begins where the second ends, at a term that both have.
    let [_, apart, _, ..] = &aligned[..] else { return Ok(None) };
    let [a, b] = apart.steps.each_ref().map(|steps| steps.end);
    Ok(Some(format!("They come to the same term again after {a} and {b} steps.")))
}
