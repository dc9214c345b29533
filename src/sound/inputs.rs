//! Random inputs: plain numbers, and for what must be equal to the last bit also those that break careless laws.

use crate::eval::{Numbers, Sizes, Value, drawn_inputs, parameters, value_to_json};
use crate::ground::{Budget, Random, StopReason};
use crate::term::Program;

/// Which reals to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    /// Whatever a double can be.
    Wild,
    /// Moderate numbers, round ones among them.
    Moderate,
    /// Moderate numbers that hit no kink or jump.
    Generic,
}

const ROUND: [f64; 6] = [0.0, 1.0, -1.0, 2.0, 0.5, -1.5];
const WILD: [f64; 8] = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 1e-310, 1.0];

/// Inputs for a program at these sizes; `None` where there are none, as for `fin 0`.
pub(super) fn inputs(
    program: &Program,
    sizes: &Sizes,
    flavour: Flavour,
    random: &mut Random,
    budget: &Budget,
) -> Result<Option<Vec<Value>>, StopReason> {
    let real: fn(&mut Random) -> f64 = match flavour {
        Flavour::Wild => wild,
        Flavour::Moderate => round,
        Flavour::Generic => generic,
    };
    let int = |random: &mut Random| *random.pick(&[0, 0, 1, 1, 2, 3, -1, -2]);
    drawn_inputs(program, sizes, Numbers { real, int }, random, budget)
}

fn wild(random: &mut Random) -> f64 {
    match random.below(10) {
        0..=3 => *random.pick(&WILD),
        4..=6 => *random.pick(&ROUND),
        _ => random.moderate(),
    }
}

fn round(random: &mut Random) -> f64 {
    match random.below(10) {
        4..=6 => *random.pick(&ROUND),
        _ => random.moderate(),
    }
}

fn generic(random: &mut Random) -> f64 {
    // As many numbers are drawn as for the others.
    random.below(10);
    random.moderate()
}

/// The same inputs, each real moved by far more than rounding does.
pub(super) fn moved(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::Real(x) => Value::Real(x + (x.abs() + 0.01) * 1e-7 * random.moderate()),
        Value::Array(all) => Value::array(all.items().map(|v| moved(&v, random)).collect()),
        Value::Pair(both) => Value::pair(moved(&both.0, random), moved(&both.1, random)),
        other => other.clone(),
    }
}

/// Values that differ from this one in one leaf, which is simpler.
pub(super) fn simpler(value: &Value) -> Vec<Value> {
    match value {
        Value::Real(x) => {
            let known = [0.0f64, 1.0, 2.0, 3.0];
            let rank = known.iter().position(|k| k.to_bits() == x.to_bits()).unwrap_or(known.len());
            known[..rank].iter().map(|k| Value::Real(*k)).collect()
        }
        Value::Int(n) => [0, 1, 2].iter().take_while(|k| *k != n).map(|k| Value::Int(*k)).collect(),
        Value::Index(n) => (0..*n).map(Value::Index).collect(),
        Value::Array(all) => {
            let at = |k: usize, new: Value| {
                let mut items = all.values();
                items[k] = new;
                Value::array(items)
            };
            let items = all.items().enumerate();
            items
                .flat_map(|(k, item)| simpler(&item).into_iter().map(move |new| (k, new)))
                .map(|(k, v)| at(k, v))
                .collect()
        }
        Value::Pair(both) => {
            let first = simpler(&both.0).into_iter().map(|a| Value::pair(a, both.1.clone()));
            first.chain(simpler(&both.1).into_iter().map(|b| Value::pair(both.0.clone(), b))).collect()
        }
        Value::Function(_) => Vec::new(),
    }
}

/// Inputs as the command line takes them: a JSON object, open sizes included.
pub(super) fn to_json(program: &Program, inputs: &[Value], sizes: &Sizes) -> String {
    let names = parameters(program);
    let taken = |name: &str| names.iter().any(|p| p.name.as_str() == name);
    let mut fields: Vec<String> =
        names.iter().zip(inputs).map(|(p, v)| format!("\"{}\": {}", p.name, value_to_json(v))).collect();
    let open = sizes.iter().filter(|(name, _)| !taken(name.as_str()));
    fields.extend(open.map(|(name, n)| format!("\"{name}\": {n}")));
    format!("{{{}}}", fields.join(", "))
}
