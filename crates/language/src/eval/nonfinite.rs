//! Finds where the first NaN of a result comes from, or else its first infinity: an operation, with its operands and the indices
//! of the loops around it, or an input.
//!
//! It runs the program twice. In the first run each NaN carries a label in the bits that IEEE leaves free: the number of the
//! operation that made it, or of the input that it came in with. So the result says which operation is meant; the second run
//! says where that one stands.

use rustc_hash::{FxHashMap, FxHashSet};

use super::observe::Observer;
use super::sizes::Sizes;
use super::value::{SharedAddress, Value};
use super::{check, code, machine, parameters};
use crate::ground::{Budget, Trouble};
use crate::term::{Path, Prim, Program, Scalar};

/// The NaNs and infinities of a result, and where the first came from.
#[derive(Clone, Debug)]
pub struct NonFiniteReport {
    /// The numbers in the result, the reals among them that are NaN, and those that are infinite.
    pub numbers: u64,
    /// NaNs.
    pub nans: u64,
    /// Infinities.
    pub infinities: u64,
    /// The place of the first NaN in the result, or else of the first infinity.
    pub first: Option<ValuePlace>,
    /// Where it came from. Where the result has no NaN, but one arose on the way to it, where that did.
    pub origin: Option<NonFiniteOrigin>,
}

/// The origin of a NaN or an infinity.
#[derive(Clone, Debug)]
pub enum NonFiniteOrigin {
    /// An operation, none of whose operands was one.
    Operation(TracedOperation),
    /// An input.
    Input {
        /// The number of the parameter.
        parameter: usize,
        /// The place in its value.
        place: ValuePlace,
        /// The number there.
        value: f64,
        /// The first operation that used it.
        used: Option<TracedOperation>,
    },
}

/// An operation that was run, with all that belonged to it.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedOperation {
    /// Where it stands in the term.
    pub path: Path,
    /// The operation.
    pub prim: Prim,
    /// The values of its operands.
    pub operands: Vec<Scalar>,
    /// What it gave.
    pub result: f64,
    /// The loops that were running, outermost first, each with its index.
    pub loops: Vec<(Path, u64)>,
}

/// The place of a number in a value: at indices of arrays, and in halves of pairs (`.1`, `.2`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValuePlace(pub Vec<String>);

/// Labels from here on are those of inputs; below it are those of operations.
const FIRST_INPUT: u64 = 1 << 50;

/// The bits of a NaN without a label, and those of the label.
const QUIET: u64 = f64::NAN.to_bits();
const LABEL: u64 = (1 << 51) - 1;

/// Finds the NaNs and infinities of a program's result, and where the first came from. Stops where the budget says so.
pub fn non_finite(
    program: &Program,
    inputs: &[Value],
    sizes: &Sizes,
    budget: &Budget,
) -> Result<NonFiniteReport, Trouble> {
    check(program, inputs, sizes)?;
    let mut inputs_seen = InputLabels::default();
    let inputs: Vec<Value> = inputs.iter().map(|input| inputs_seen.labelled(input)).collect();
    let mut seen = Tracer::default();
    let (_, body) = parameters::split(program)?;
    let result = machine::EvalMachine::new(&inputs, budget, &mut seen).run(&code::compile(&body, sizes).0)?;
    let count = |of: fn(f64) -> bool| result.sum(&|x| matches!(x, Value::Real(x) if of(*x)).into());
    let (nans, infinities) = (count(f64::is_nan), count(f64::is_infinite));
    let is_odd: fn(f64) -> bool = if nans > 0 { f64::is_nan } else { f64::is_infinite };
    let first = find(&result, &is_odd);
    let label = least_label(&result);
    let wanted = match label {
        Some(label) if label < FIRST_INPUT => Some(TracedTarget::Number(label)),
        Some(label) => Some(TracedTarget::Operand(label)),
        None if seen.first_nan.is_some() => seen.first_nan.map(TracedTarget::Number),
        None if infinities > 0 && nans == 0 => {
            Some(seen.first_infinity.map_or(TracedTarget::Infinity, TracedTarget::Number))
        }
        None => None,
    };
    let operation = match wanted {
        Some(wanted) => traced(program, &inputs, sizes, wanted, budget)?,
        None => None,
    };
    let is_meant = |x: f64| match wanted {
        Some(TracedTarget::Operand(label)) => label_of(x) == Some(label),
        Some(TracedTarget::Infinity) => x.is_infinite(),
        Some(TracedTarget::Number(_)) | None => false,
    };
    let input = inputs.iter().enumerate().find_map(|(k, input)| Some((k, find(input, &is_meant)?)));
    let origin = match input {
        Some((parameter, (place, value))) => Some(NonFiniteOrigin::Input { parameter, place, value, used: operation }),
        None => operation.map(NonFiniteOrigin::Operation),
    };
    let numbers = result.sum(&|_| 1);
    Ok(NonFiniteReport { numbers, nans, infinities, first: first.map(|(place, _)| place), origin })
}

/// The operation that is wanted, from a run that says where it is.
fn traced(
    program: &Program,
    inputs: &[Value],
    sizes: &Sizes,
    wanted: TracedTarget,
    budget: &Budget,
) -> Result<Option<TracedOperation>, Trouble> {
    let (all, body) = parameters::split(program)?;
    let mut seen = Tracer { wanted: Some(wanted), ..Tracer::default() };
    let (code, ways) = code::compile_placed(&body, sizes);
    seen.ways(ways);
    let ran = machine::EvalMachine::new(inputs, budget, &mut seen).run(&code);
    let Some(mut found) = seen.found else { return ran.map(|_| None).map_err(Trouble::from) };
    let below = |path: &Path| Path(all.iter().map(|_| 0).chain(path.0.iter().copied()).collect());
    found.path = below(&found.path);
    found.loops.iter_mut().for_each(|(path, _)| *path = below(path));
    Ok(Some(found))
}

/// Which operation is wanted.
#[derive(Clone, Copy, Debug)]
enum TracedTarget {
    /// The one with this number.
    Number(u64),
    /// The first that has a NaN of this label as an operand.
    Operand(u64),
    /// The first that has an infinity as an operand.
    Infinity,
}

/// Numbers the operations on reals, labels NaNs, and knows where the run is if its code is placed.
#[derive(Default)]
struct Tracer {
    number: u64,
    first_nan: Option<u64>,
    first_infinity: Option<u64>,
    wanted: Option<TracedTarget>,
    found: Option<TracedOperation>,
    ways: Vec<Box<[u32]>>,
    /// Each place that was met but the first, by its number: the place above it, and the way from there.
    places: Vec<(u32, u32)>,
    numbers: FxHashMap<(u32, u32), u32>,
    here: u32,
    /// The places to come back to.
    back: Vec<u32>,
    loops: Vec<(u32, u64)>,
}

impl Tracer {
    fn is_wanted(&self, operands: &[Scalar]) -> bool {
        let mut reals = operands.iter().filter_map(real);
        match self.wanted {
            None => false,
            Some(TracedTarget::Number(number)) => self.number == number,
            Some(TracedTarget::Operand(label)) => reals.any(|x| label_of(x) == Some(label)),
            Some(TracedTarget::Infinity) => reals.any(f64::is_infinite),
        }
    }

    fn path(&self, mut place: u32) -> Path {
        let mut ways: Vec<&[u32]> = Vec::new();
        while let Some(above) = place.checked_sub(1) {
            let (outer, way) = self.places[above as usize];
            ways.push(&self.ways[way as usize]);
            place = outer;
        }
        ways.reverse();
        Path(ways.concat())
    }
}

impl Observer for Tracer {
    fn real(&mut self, prim: Prim, operands: &[Scalar], result: f64) -> f64 {
        self.number += 1;
        if self.found.is_none() && self.is_wanted(operands) {
            let loops = self.loops.iter().map(|(place, index)| (self.path(*place), *index)).collect();
            let path = self.path(self.here);
            self.found = Some(TracedOperation { path, prim, operands: operands.to_vec(), result, loops });
        }
        if result.is_nan() {
            let label = operands.iter().filter_map(real).filter_map(label_of).min();
            if label.is_none() {
                self.first_nan.get_or_insert(self.number);
            }
            return labelled(label.unwrap_or(self.number));
        }
        if result.is_infinite() && !operands.iter().filter_map(real).any(f64::is_infinite) {
            self.first_infinity.get_or_insert(self.number);
        }
        result
    }

    fn ways(&mut self, all: Vec<Box<[u32]>>) {
        self.ways = all;
    }

    fn enter(&mut self, way: u32) -> bool {
        self.back.push(self.here);
        let next = self.places.len() as u32 + 1;
        self.here = match self.numbers.get(&(self.here, way)) {
            Some(known) => *known,
            None => {
                self.numbers.insert((self.here, way), next);
                self.places.push((self.here, way));
                next
            }
        };
        self.found.is_none()
    }

    fn leave(&mut self) {
        self.here = self.back.pop().unwrap_or_default();
    }

    fn made(&mut self) -> u32 {
        self.here
    }

    fn call(&mut self, made: u32) {
        self.back.push(self.here);
        self.here = made;
    }

    fn begin_loop(&mut self) {
        self.loops.push((self.here, 0));
    }

    fn round(&mut self, index: u64) {
        if let Some((_, now)) = self.loops.last_mut() {
            *now = index;
        }
    }

    fn end_loop(&mut self) {
        self.loops.pop();
    }
}

fn real(scalar: &Scalar) -> Option<f64> {
    if let Scalar::Real(x) = scalar { Some(*x) } else { None }
}

fn labelled(label: u64) -> f64 {
    f64::from_bits(QUIET | label & LABEL)
}

/// The label of a NaN. One that stands in the program has none.
fn label_of(x: f64) -> Option<u64> {
    Some(x.to_bits() & LABEL).filter(|label| x.is_nan() && *label > 0)
}

/// Gives each NaN of the inputs its own label.
#[derive(Default)]
struct InputLabels(u64);

impl InputLabels {
    fn labelled(&mut self, value: &Value) -> Value {
        if value.sum(&|x| matches!(x, Value::Real(x) if x.is_nan()).into()) == 0 {
            return value.clone();
        }
        match value {
            Value::Real(_) => {
                self.0 += 1;
                Value::Real(labelled(FIRST_INPUT + self.0))
            }
            Value::Array(all) => Value::array(all.items().map(|item| self.labelled(&item)).collect()),
            Value::Pair(both) => Value::pair(self.labelled(&both.0), self.labelled(&both.1)),
            other => other.clone(),
        }
    }
}

/// The least label of the NaNs in a value; what is shared is looked at once.
fn least_label(value: &Value) -> Option<u64> {
    let mut least = None;
    visit(value, &mut Vec::new(), &mut FxHashSet::default(), &mut |x, _| {
        least = label_of(x).into_iter().chain(least).min();
        false
    });
    least
}

/// The first real in a value of which this holds, with its place.
fn find(value: &Value, holds: &dyn Fn(f64) -> bool) -> Option<(ValuePlace, f64)> {
    let mut found = None;
    visit(value, &mut Vec::new(), &mut FxHashSet::default(), &mut |x, place| {
        if holds(x) {
            found = Some((ValuePlace(place.iter().map(ToString::to_string).collect()), x));
        }
        found.is_some()
    });
    found
}

/// A step to a part of a value.
#[derive(Clone, Copy)]
enum ValueStep {
    Index(usize),
    Half(u8),
}

impl std::fmt::Display for ValueStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ValueStep::Index(k) => write!(f, "[{k}]"),
            ValueStep::Half(k) => write!(f, ".{k}"),
        }
    }
}

/// Calls `see` for each real with its place until it says that this is enough. What is shared and was seen isn't seen again.
fn visit(
    value: &Value,
    place: &mut Vec<ValueStep>,
    seen: &mut FxHashSet<SharedAddress>,
    see: &mut dyn FnMut(f64, &[ValueStep]) -> bool,
) -> bool {
    if value.shared().is_some_and(|shared| !seen.insert(shared)) {
        return false;
    }
    let mut below = |step, part: &Value, see: &mut dyn FnMut(f64, &[ValueStep]) -> bool| {
        place.push(step);
        let enough = visit(part, place, seen, see);
        place.pop();
        enough
    };
    match value {
        Value::Real(x) => see(*x, place),
        Value::Array(all) => all.items().enumerate().any(|(k, item)| below(ValueStep::Index(k), &item, see)),
        Value::Pair(both) => below(ValueStep::Half(1), &both.0, see) || below(ValueStep::Half(2), &both.1, see),
        Value::Int(_) | Value::Index(_) | Value::Function(_) => false,
    }
}

impl std::fmt::Display for ValuePlace {
    /// `[3].1`; nothing where the value is the number itself.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.concat())
    }
}
