//! Draws random inputs: plain numbers, and for what must be equal to the last bit also those that break careless laws.

use super::compare::ComparisonPlan;
use super::hints::Hints;
use crate::rule::Exactness;
use redexter_language::eval::{NumberSource, Sizes, Value, drawn_inputs, parameters, value_to_json};
use redexter_language::ground::{Budget, Random, StopReason};
use redexter_language::term::Program;

/// The distribution that inputs are drawn from.
pub(super) struct InputDistribution<'a> {
    kind: InputKind,
    /// Where the integers are drawn from all there are, too.
    wide: bool,
    hints: Option<&'a Hints>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum InputKind {
    /// Whatever a double can be.
    Wild,
    /// Moderate numbers, round ones among them.
    Round,
    /// Few different numbers, and those with the other sign.
    Ties,
    /// Numbers of all magnitudes.
    Magnitudes,
    /// Round numbers, and those of the rule's text.
    Points,
    /// Moderate numbers that hit no kink or jump.
    Generic,
}

impl<'a> InputDistribution<'a> {
    /// The distribution of a run.
    pub(super) fn of(test: &ComparisonPlan<'a>, round: usize) -> InputDistribution<'a> {
        let exact = test.exactness == Exactness::Exact;
        let kind = match (test.hints, exact) {
            (None, true) if round % 2 == 1 => InputKind::Wild,
            (None, _) => InputKind::Round,
            (Some(_), true) => {
                [InputKind::Round, InputKind::Ties, InputKind::Wild, InputKind::Magnitudes, InputKind::Ties][round % 5]
            }
            (Some(_), false) => [InputKind::Round, InputKind::Magnitudes, InputKind::Ties][round % 3],
        };
        InputDistribution { kind, wide: test.hints.is_some() && !round.is_multiple_of(3), hints: test.hints }
    }

    /// The distribution of a run of D.
    pub(super) fn under_d(test: &ComparisonPlan<'a>, round: usize) -> InputDistribution<'a> {
        let kind = match test.hints {
            None => InputKind::Generic,
            Some(_) => [InputKind::Ties, InputKind::Generic, InputKind::Points][round % 3],
        };
        InputDistribution { kind, wide: false, hints: test.hints }
    }

    fn real(&self, random: &mut Random) -> f64 {
        // A number of the text is where a program may have a kink or a jump, which a generic input must not hit.
        if self.kind != InputKind::Generic
            && let Some(real) = self.hints.and_then(|hints| hints.real(random))
        {
            return real;
        }
        match (self.kind, random.below(10)) {
            (InputKind::Wild, 0..=3) => *random.pick(&WILD_REALS),
            (InputKind::Magnitudes, 0..=5) => magnitude(random),
            (InputKind::Magnitudes, 6..=7)
            | (InputKind::Wild | InputKind::Round, 4..=6)
            | (InputKind::Ties | InputKind::Points, 2..) => *random.pick(&ROUND_REALS),
            _ => random.moderate(),
        }
    }

    fn int(&self, random: &mut Random) -> i64 {
        if let Some(int) = self.hints.and_then(|hints| hints.int(random)) {
            return int;
        }
        if self.wide && random.chance(50) {
            return random.pick(&INT_ENDS).wrapping_add(random.below(5) as i64 - 2);
        }
        *random.pick(&[0, 0, 1, 1, 2, 3, -1, -2])
    }
}

const ROUND_REALS: [f64; 6] = [0.0, 1.0, -1.0, 2.0, 0.5, -1.5];
const WILD_REALS: [f64; 8] = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 1e-310, 1.0];

/// Integers around which something ends: all of them, those that are reals without rounding, their products.
const INT_ENDS: [i64; 6] = [i64::MAX, i64::MIN, 1 << 53, -(1 << 53), 1 << 32, 1_000_000];

/// A number up to 1e9 or, now and then, 1e18, or as small, of either sign.
fn magnitude(random: &mut Random) -> f64 {
    let most = if random.chance(70) { 9 } else { 18 };
    let size = 10f64.powi(random.below(2 * most + 1) as i32 - most as i32);
    size * random.moderate()
}

/// Inputs for a program at these sizes; `None` where there are none, as for `fin 0`.
pub(super) fn inputs(
    program: &Program,
    sizes: &Sizes,
    flavour: &InputDistribution,
    random: &mut Random,
    budget: &Budget,
) -> Result<Option<Vec<Value>>, StopReason> {
    if flavour.kind != InputKind::Ties {
        let numbers = NumberSource { real: &|random| flavour.real(random), int: &|random| flavour.int(random) };
        return drawn_inputs(program, sizes, numbers, random, budget);
    }
    let reals = [flavour.real(random), flavour.real(random)];
    let ints = [flavour.int(random), flavour.int(random)];
    let near = [ints[0], ints[0], ints[0].wrapping_add(1), ints[0].wrapping_sub(1), ints[1]];
    let real = |random: &mut Random| *random.pick(&[reals[0], reals[0], reals[1], -reals[0]]);
    let int = |random: &mut Random| *random.pick(&near);
    drawn_inputs(program, sizes, NumberSource { real: &real, int: &int }, random, budget)
}

/// Values that differ from this one in one leaf, which is simpler; each is made when it is asked for.
pub(super) fn simpler(value: Value) -> Box<dyn Iterator<Item = Value>> {
    match value {
        Value::Real(x) => {
            let known = [0.0f64, 1.0, -1.0, 2.0, 3.0];
            let rank = known.iter().position(|k| k.to_bits() == x.to_bits()).unwrap_or(known.len());
            // Only what is simpler than the number itself, so that to make inputs simpler comes to an end.
            Box::new(known.into_iter().take(rank).map(Value::Real))
        }
        Value::Int(n) => Box::new([0, 1, -1, 2].into_iter().take_while(move |k| *k != n).map(Value::Int)),
        Value::Index(n) => Box::new((0..n).map(Value::Index)),
        Value::Array(all) => Box::new((0..all.len()).flat_map(move |k| {
            let all = all.clone();
            simpler(all.item(k).into_owned()).map(move |new| {
                let mut items = all.values();
                items[k] = new;
                Value::array(items)
            })
        })),
        Value::Pair(both) => {
            let (a, b) = (both.0.clone(), both.1.clone());
            let first = simpler(a.clone()).map(move |new| Value::pair(new, b.clone()));
            Box::new(first.chain(simpler(both.1.clone()).map(move |new| Value::pair(a.clone(), new))))
        }
        Value::Function(_) => Box::new(std::iter::empty()),
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
