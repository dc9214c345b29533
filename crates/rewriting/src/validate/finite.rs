//! Compares a derivative with finite differences of its primal: which parameters it is taken by follows from its type.

use super::readings::{DerivativePart, readings};
use crate::sound::{SEED, open_sizes, sizes_at};
use redexter_language::eval::{NumberSource, Parameter, Sizes, Value, drawn_inputs, evaluate, parameters, steep_slope};
use redexter_language::ground::text::listed;
use redexter_language::ground::{Budget, Diagnostic, Name, Random, StopReason, Trouble, code};
use redexter_language::syntax::print_type;
use redexter_language::term::{Program, Type};

/// Runs at each of these sizes; the second with natural numbers.
const SIZES: [u64; 6] = [1, 1, 2, 2, 3, 3];

/// Where logarithms are taken, and `int`s count, these tell more.
const NATURAL_NUMBERS: NumberSource<'static> =
    NumberSource { real: &|random| random.moderate().abs() + 0.125, int: &|random| random.below(5) as i64 };

/// While one runs, the budget's watch may be asked so often; larger ones are left out.
const MAX_ASKS: u64 = 3_900;

/// Inputs are moved by this times the larger of 1 and their magnitude.
const STEP_WIDTH: f64 = 1e-5;

/// How far a derivative may be from a difference quotient, times the larger of 1 and the magnitudes of both and of the primal.
const TOLERANCE: f64 = 1e-5;

/// The result of comparing a derivative with its primal.
#[derive(Clone, Debug)]
pub struct Slope {
    /// The parameters that it is taken by.
    pub by: Vec<Name>,
    /// On so many random inputs.
    pub runs: usize,
    /// Numbers that were compared with difference quotients in these.
    pub entries: usize,
    /// Numbers that had none: by a kink or a jump, NaN or an infinity.
    pub unfit: usize,
}

/// Compares a derivative with difference quotients of its primal, which takes the same parameters.
pub fn against_primal(derivative: &Program, primal: &Program, budget: &Budget) -> Result<Slope, Trouble> {
    let (taken, known) = (parameters(derivative), parameters(primal));
    let types = |all: &[Parameter]| all.iter().map(|p| p.ty.clone()).collect::<Vec<Type>>();
    if types(&taken) != types(&known) {
        let [first, second] = [primal, derivative].map(|program| print_type(program.term.ty()));
        let headline = format!("a primal of type {first} has other parameters than a derivative of type {second}");
        return Err(Diagnostic::error(code::COMMAND, headline).into());
    }
    let [result, of] = [derivative, primal].map(|program| program.term.applied().1.ty().clone());
    let mut readings = readings(&types(&known), &result, &of, budget)?;
    if readings.is_empty() {
        let headline =
            format!("a result of type {} is no derivative of one of type {}", print_type(&result), print_type(&of));
        let help =
            "a derivative has the type of a parameter, or is a pair of several, with the primal's result for each real";
        return Err(Diagnostic::error(code::COMMAND, headline).help(help).into());
    }
    let mut slope = Slope { by: Vec::new(), runs: 0, entries: 0, unfit: 0 };
    let mut random = Random::new(SEED);
    for (round, size) in SIZES.into_iter().enumerate() {
        let numbers = if round % 2 == 0 { NumberSource::PLAIN } else { NATURAL_NUMBERS };
        let programs = [derivative, primal];
        let sizes = sizes_at(&open_sizes(programs), programs, |k| size + k as u64 % 2);
        let Some(inputs) = drawn_inputs(primal, &sizes, numbers, &mut random, budget)? else { continue };
        let at = DerivativeTest { derivative, primal, sizes: &sizes, inputs: &inputs };
        match at.agreeing(&readings, &budget.asked_at_most(MAX_ASKS, Default::default())) {
            Ok(Ok((left, entries, unfit))) => {
                readings = left;
                slope.runs += usize::from(entries > 0);
                slope.entries += entries;
                slope.unfit += unfit;
            }
            Ok(Err(finding)) => return Err(finding.into()),
            // The sizes rise, so that the others would take as long at least.
            Err(Trouble::Stopped { reason: StopReason::Operations(MAX_ASKS), .. }) => break,
            Err(trouble) => return Err(trouble),
        }
    }
    if slope.runs == 0 {
        let headline =
            "no random input tells whether it is the derivative: NaN, infinities, kinks, or runs that are too long";
        return Err(Diagnostic::error(code::NO_DERIVATIVE, headline).into());
    }
    slope.by = readings[0].iter().map(|part| known[part.parameter].name.clone()).collect();
    Ok(slope)
}

/// Both on one input.
struct DerivativeTest<'a> {
    derivative: &'a Program,
    primal: &'a Program,
    sizes: &'a Sizes,
    inputs: &'a [Value],
}

/// The readings that agree, how many numbers were compared and how many couldn't be; or what is wrong with the first reading.
type AgreeingReadings = Result<(Vec<Vec<DerivativePart>>, usize, usize), Diagnostic>;

impl DerivativeTest<'_> {
    fn agreeing(&self, readings: &[Vec<DerivativePart>], budget: &Budget) -> Result<AgreeingReadings, Trouble> {
        let (value, _) = evaluate(self.derivative, self.inputs, self.sizes, budget)?;
        let here = self.numbers(self.inputs, budget)?;
        let (mut left, mut counts, mut wrong) = (Vec::new(), (0, 0), None);
        for reading in readings {
            match self.reading(reading, &value, &here, budget)? {
                Ok(found) => {
                    if left.is_empty() {
                        counts = found;
                    }
                    left.push(reading.clone());
                }
                Err(finding) => wrong = wrong.or(Some(finding)),
            }
        }
        Ok(match wrong {
            Some(finding) if left.is_empty() => Err(finding),
            _ => Ok((left, counts.0, counts.1)),
        })
    }

    /// How many numbers agree, and how many couldn't be compared; or the first that doesn't.
    fn reading(
        &self,
        reading: &[DerivativePart],
        value: &Value,
        here: &[f64],
        budget: &Budget,
    ) -> Result<Result<(usize, usize), Diagnostic>, Trouble> {
        let (mut rest, mut compared, mut unfit) = (value.clone(), 0, 0);
        for (k, part) in reading.iter().enumerate() {
            let piece = match &rest {
                Value::Pair(both) if k + 1 < reading.len() => both.0.clone(),
                whole => whole.clone(),
            };
            let claimed = numbers(&piece);
            let count = numbers(&self.inputs[part.parameter]).len();
            for leaf in 0..count {
                let quotients = self.quotients(part.parameter, leaf, budget)?;
                for (p, quotient) in quotients.iter().enumerate() {
                    let at = if part.within { p * count + leaf } else { leaf * here.len() + p };
                    let claim = claimed.get(at).copied().unwrap_or(f64::NAN);
                    match quotient.filter(|_| claim.is_finite() || here[p].is_finite()) {
                        None => unfit += 1,
                        Some(found) if close(claim, found, here[p]) => compared += 1,
                        Some(found) => return Ok(Err(self.finding(*part, leaf, [claim, found], value, budget))),
                    }
                }
            }
            if let Value::Pair(both) = &rest.clone() {
                rest = both.1.clone();
            }
        }
        Ok(Ok((compared, unfit)))
    }

    /// The difference quotients of the primal's numbers by one number of a parameter; `None` where a smaller step gives another.
    fn quotients(&self, parameter: usize, leaf: usize, budget: &Budget) -> Result<Vec<Option<f64>>, Trouble> {
        let x = numbers(&self.inputs[parameter])[leaf];
        let step = STEP_WIDTH * x.abs().max(1.0);
        let quotient = |step: f64| {
            let at = |x: f64| {
                let mut inputs = self.inputs.to_vec();
                inputs[parameter] = replaced(&inputs[parameter], &mut { leaf }, x).unwrap_or_else(|same| same);
                self.numbers(&inputs, budget)
            };
            let (above, below) = (at(x + step)?, at(x - step)?);
            // The width between the ends as they are rounded, because these are where the primal ran.
            let width = (x + step) - (x - step);
            Ok::<_, Trouble>(above.iter().zip(&below).map(|(a, b)| (a - b) / width).collect::<Vec<f64>>())
        };
        // Two widths, because their quotients differ at a kink or a jump, where there is no derivative.
        let (wide, narrow) = (quotient(step)?, quotient(step / 4.0)?);
        let settled = |(a, b): (&f64, &f64)| (a.is_finite() && close(*a, *b, 0.0)).then_some(*a);
        Ok(wide.iter().zip(&narrow).map(settled).collect())
    }

    fn numbers(&self, inputs: &[Value], budget: &Budget) -> Result<Vec<f64>, Trouble> {
        Ok(numbers(&evaluate(self.primal, inputs, self.sizes, budget)?.0))
    }

    fn finding(
        &self,
        part: DerivativePart,
        leaf: usize,
        [claim, found]: [f64; 2],
        value: &Value,
        budget: &Budget,
    ) -> Diagnostic {
        let all = parameters(self.primal);
        let name = &all[part.parameter].name;
        let sizes = listed(self.sizes.iter().map(|(name, size)| format!("{name} = {size}")));
        let at = if sizes.is_empty() { String::new() } else { format!(" at {sizes}") };
        let headline = format!("the derivative differs from finite differences of the primal by `{name}`");
        let numbers = format!("number {} of `{name}`{at}: it is {claim}, the differences have {found}", leaf + 1);
        let steep =
            claim.is_nan().then(|| steep_slope(self.derivative, self.inputs, self.sizes, value, budget)).flatten();
        let because = steep.map_or_else(String::new, |finding| format!("; {}", finding.headline));
        Diagnostic::error(code::NO_DERIVATIVE, headline).help(format!("{numbers}{because}"))
    }
}

fn close(a: f64, b: f64, of: f64) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(of.abs()).max(1.0)
}

/// The reals in a value, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Real(x) => vec![*x],
        Value::Array(all) => all.items().flat_map(|item| numbers(&item)).collect(),
        Value::Pair(both) => [&both.0, &both.1].into_iter().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

/// The value with another number in the place of a real, by its turn; the same value where that isn't in it.
fn replaced(value: &Value, turn: &mut usize, new: f64) -> Result<Value, Value> {
    match value {
        Value::Real(_) if *turn == 0 => Ok(Value::Real(new)),
        Value::Real(_) => {
            *turn -= 1;
            Err(value.clone())
        }
        Value::Array(all) => {
            let mut items = all.values();
            for item in &mut items {
                if let Ok(found) = replaced(item, turn, new) {
                    *item = found;
                    return Ok(Value::array(items));
                }
            }
            Err(value.clone())
        }
        Value::Pair(both) => match replaced(&both.0, turn, new) {
            Ok(first) => Ok(Value::pair(first, both.1.clone())),
            Err(_) => replaced(&both.1, turn, new)
                .map(|second| Value::pair(both.0.clone(), second))
                .map_err(|_| value.clone()),
        },
        _ => Err(value.clone()),
    }
}
