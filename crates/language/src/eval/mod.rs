//! Evaluates programs: it is the reference for what a program means, and for what running it costs.
//!
//! It defines the language: strict, left to right, IEEE doubles, counts as they fall. It knows terms and nothing of
//! rules, strategies or D, so that tests may compare it with them; it prints nothing and reads neither clock nor
//! environment. Inputs come as JSON (`inputs`, which solves for sizes), from elsewhere, or at random (`random`).

mod array;
mod checkpoints;
mod code;
mod element_limits;
mod external;
mod inputs;
mod json;
mod machine;
mod measure;
mod nonfinite;
mod observe;
mod parameters;
mod random;
mod shape;
mod sizes;
mod solve;
mod steep;
mod value;

pub use array::Array;
pub use checkpoints::check_program_room;
pub use element_limits::{check_held, check_result, check_room, numbers, too_large};
pub use external::ExternalInputs;
pub use inputs::{inputs_from_json, inputs_with, no_size, only_sizes_of, sizes_with};
pub use json::value_to_json;
pub use nonfinite::{NonFiniteOrigin, NonFiniteReport, TracedOperation, ValuePlace, non_finite};
pub use observe::Observer;
pub use parameters::{Parameter, parameters};
pub use random::{NumberSource, drawn_inputs, few_inputs, random_inputs};
pub use sizes::{Sizes, open_sizes};
pub use steep::{is_steep, steep_slope};
pub use value::{Closure, MAX_ELEMENTS, Value};

use crate::ground::{Budget, Trouble};
use crate::term::Program;

/// Counts of what an evaluation executed.
///
/// ```
/// use std::cell::RefCell;
/// use redexter_language::ground::{Budget, Sources, Span, Trouble};
/// use redexter_language::{check, eval, syntax};
/// # fn main() -> Result<(), Trouble> {
/// let (sources, budget) = (RefCell::new(Sources::default()), Budget::default());
/// let (prelude, text) = (check::prelude(&sources), "fun (x : real) => x * 1 + x");
/// let id = sources.borrow_mut().add("it", text);
/// let raw = syntax::parse_term(&sources.borrow(), Span::new(id, 0, text.len()), &budget)?;
/// let program = check::term(&raw, &prelude, &budget)?;
/// let (inputs, sizes) = eval::inputs_from_json(&program, r#"{"x": 2}"#, &[], &budget)?;
/// let (value, counts) = eval::evaluate(&program, &inputs, &sizes, &budget)?;
/// assert_eq!((eval::value_to_json(&value).to_string(), counts.flops), ("4.0".to_owned(), 2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Real `+ - * /`, negation, `min`, `max` and named functions.
    pub flops: u64,
    /// Comparisons of any type.
    pub compares: u64,
    /// Indexings.
    pub reads: u64,
    /// Elements stored by `build`.
    pub writes: u64,
    /// Runs of a body of `build` or `ifold`.
    pub iterations: u64,
}

impl Counts {
    /// Each count with its name.
    pub fn named(&self) -> [(&'static str, u64); 5] {
        let Counts { flops, compares, reads, writes, iterations } = *self;
        [("flops", flops), ("compares", compares), ("reads", reads), ("writes", writes), ("iterations", iterations)]
    }
}

/// Applies a program to inputs, one for each of its outermost λs, and gives the result with what was executed.
///
/// Wrong are inputs that don't have the parameters' types at these sizes, sizes that are missing or below their
/// bounds, and programs that take or give functions. Stops where the budget says so, or with
/// [`crate::ground::StopReason::Elements`] where more than [`MAX_ELEMENTS`] elements are alive.
pub fn evaluate(
    program: &Program,
    inputs: &[Value],
    sizes: &Sizes,
    budget: &Budget,
) -> Result<(Value, Counts), Trouble> {
    let mut machine = machine::EvalMachine::new(inputs, budget, ());
    let value = run(program, inputs, sizes, &mut machine)?;
    Ok((value, machine.counts))
}

/// The same, seen by an observer.
pub fn observed<O: Observer>(
    program: &Program,
    inputs: &[Value],
    sizes: &Sizes,
    observer: &mut O,
    budget: &Budget,
) -> Result<Value, Trouble> {
    run(program, inputs, sizes, &mut machine::EvalMachine::new(inputs, budget, observer))
}

/// Whether a program takes and gives data, and these are inputs for it at these sizes.
pub fn check(program: &Program, inputs: &[Value], sizes: &Sizes) -> Result<(), Trouble> {
    let (parameters, _) = parameters::split(program)?;
    sizes.check(program)?;
    Ok(shape::check_all(&parameters, inputs, sizes)?)
}

/// Whether these are a program's sizes.
pub fn check_sizes(program: &Program, sizes: &Sizes) -> Result<(), Trouble> {
    Ok(sizes.check(program)?)
}

fn run<O: Observer>(
    program: &Program,
    inputs: &[Value],
    sizes: &Sizes,
    machine: &mut machine::EvalMachine<O>,
) -> Result<Value, Trouble> {
    check(program, inputs, sizes)?;
    let (_, body) = parameters::split(program)?;
    let (code, choices) = code::compile(&body, sizes);
    machine.observer.choices(choices);
    Ok(machine.run(&code)?)
}
