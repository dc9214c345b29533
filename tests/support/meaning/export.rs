//! Programs as Futhark: legal as far as our checker knows, and worth what the naive evaluator says.

use redexter::eval::Value;
use redexter::export::{FutharkOptions, futhark};
use redexter::ground::{Name, Random};
use redexter::term::Program;

use super::super::agree;
use super::super::futhark::compile;
use super::compare::{Compared, MIXED, Ran, drawn, shown, stands_for};
use super::naive;
use super::number::Doubts;
use super::tally::Tally;

/// The program as Futhark: legal as far as our checker knows, and worth the same.
pub fn exported(program: &Program, random: &mut Random, tally: &mut Tally) -> Compared {
    let options = FutharkOptions { sequential: random.chance(50) };
    let Ok(text) = futhark(&[(Name::new("main"), program.clone())], &options) else { return Ok(()) };
    let told = |what: String| format!("{what}\n{}\n{text}", shown(&program.term));
    let file = compile(&text).map_err(|why| told(format!("the export is illegal: {why}")))?;
    tally.exports += 1;
    let Some((sizes, inputs)) = drawn([program, program], MIXED, random) else { return Ok(()) };
    let Some(ran) = Ran::new(program, &sizes, &inputs) else { return Ok(()) };
    if ran.naive.doubts.undecided || ran.naive.doubts.overflow {
        return Ok(());
    }
    let (found, _) = agree::both(&file, "main", program, &sizes, &inputs).map_err(told)?;
    match exported_agrees(&found, &ran.naive.value) {
        true => Ok(()),
        false => Err(told(format!("the export gives {found:?}, not {:?}, at {sizes:?} on {inputs:?}", ran.value))),
    }
}

/// The same up to the order in which sums are added up.
fn exported_agrees(value: &Value, naive: &naive::Value) -> bool {
    match (value, naive) {
        (Value::Real(x), naive::Value::Real(number)) => {
            !number.is_known() || (x - number.value).abs() <= 8.0 * number.error
        }
        (Value::Pair(a), naive::Value::Pair(b)) => exported_agrees(&a.0, &b.0) && exported_agrees(&a.1, &b.1),
        (Value::Array(a), naive::Value::Array(b)) => {
            a.items().len() == b.len() && a.items().zip(b.iter()).all(|(a, b)| exported_agrees(&a, b))
        }
        (value, naive) => stands_for(value, naive, Doubts::default()),
    }
}
