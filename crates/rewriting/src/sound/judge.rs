//! Judges whether two programs give the same on the same inputs, in the sense of an exactness; and if they don't, whether
//! rounding explains the difference.

use super::watch::{Rounding, RunWatch};
use crate::rule::Exactness;
use redexter_language::eval::{Sizes, Value, observed};
use redexter_language::ground::{Budget, Random, Trouble};
use redexter_language::term::{ConstructorGroups, Head, Prim, Program};

/// Results that round differently differ by at most so much of the largest intermediate; what differs by more is run
/// again, with other roundings.
const TOLERANCE: f64 = 1e-12;

/// The number of times that each side is run again.
const RERUNS: usize = 4;

/// Rounding explains a difference of so many times the largest one between runs that round differently.
const EXPLAINED_FACTOR: f64 = 8.0;

/// Where it explains more than this, of the larger of 1 and the result, the run tells nothing.
const TELLING_BOUND: f64 = 1e-6;

/// Results with more numbers aren't run again.
const MAX_RERUN_NUMBERS: u64 = 10_000;

/// Two programs, to be run on the same inputs.
pub(super) struct ProgramPair<'a> {
    pub(super) programs: [&'a Program; 2],
    pub(super) sizes: &'a Sizes,
    pub(super) exactness: Exactness,
}

/// The judgement on what both gave.
pub(super) enum RunJudgement {
    Same,
    /// The run tells nothing: something was undefined, by a zero times an infinite slope perhaps, or rounding decides.
    Unfit {
        steep: bool,
    },
    Different(Value, Value),
}

impl ProgramPair<'_> {
    fn run(
        &self,
        k: usize,
        inputs: &[Value],
        rounding: Rounding,
        budget: &Budget,
    ) -> Result<(Value, RunWatch), Trouble> {
        let mut watch = RunWatch::new(rounding);
        let value = observed(self.programs[k], inputs, self.sizes, &mut watch, budget)?;
        Ok((value, watch))
    }

    /// Runs both; what was seen of the second is told where they agree.
    pub(super) fn judge(
        &self,
        inputs: &[Value],
        seen: &mut dyn FnMut(&RunWatch),
        budget: &Budget,
    ) -> Result<RunJudgement, Trouble> {
        let [(left, of_left), (right, of_right)] =
            [self.run(0, inputs, Rounding::Plain, budget)?, self.run(1, inputs, Rounding::Plain, budget)?];
        let same = match self.exactness {
            Exactness::Exact => left.same(&right),
            Exactness::RealExact => left.near(&right, 0.0),
            Exactness::Reassociating => left.near(&right, TOLERANCE * of_left.largest.max(of_right.largest)),
        };
        if same {
            seen(&of_right);
            return Ok(RunJudgement::Same);
        }
        if self.exactness != Exactness::Exact {
            // Where the first side divides by 0 it isn't defined, so that the second may give anything. If the first has no
            // division at all the rule has brought it in, so that a 0 there excuses nothing.
            let by_zero = of_left.divided_by_zero || of_right.divided_by_zero && self.divides();
            if of_left.undefined || of_left.left_numbers || of_right.left_numbers || by_zero {
                let steep = [of_left, of_right].iter().any(|watch| watch.steep == Some(true));
                return Ok(RunJudgement::Unfit { steep });
            }
            if let Some(judged) = self.explained(&left, &right, inputs, budget)? {
                return Ok(judged);
            }
        }
        Ok(RunJudgement::Different(left, right))
    }

    /// Whether the first program may divide.
    fn divides(&self) -> bool {
        self.programs[0].term.held().holds_any(ConstructorGroups::of(Head::Prim(Prim::Div)))
    }

    /// What comes of the difference where other roundings explain it.
    fn explained(
        &self,
        left: &Value,
        right: &Value,
        inputs: &[Value],
        budget: &Budget,
    ) -> Result<Option<RunJudgement>, Trouble> {
        if left.sum(&|_| 1) > MAX_RERUN_NUMBERS {
            return Ok(Some(RunJudgement::Unfit { steep: false }));
        }
        let sides = [numbers(left), numbers(right)];
        let mut spread = vec![0.0f64; sides[0].len()];
        for round in 0..RERUNS {
            for (k, plain) in sides.iter().enumerate() {
                // A seed of its own for each run, otherwise both sides would be moved alike.
                let random = Random::new((2 * round + k) as u64 + 1);
                let rounding = match self.exactness {
                    Exactness::Reassociating => Rounding::Moved(random),
                    _ => Rounding::Signs(random),
                };
                let moved = numbers(&self.run(k, inputs, rounding, budget)?.0);
                for ((spread, plain), moved) in spread.iter_mut().zip(plain).zip(&moved) {
                    *spread = spread.max(plain.distance(*moved));
                }
            }
        }
        let mut telling = true;
        for ((left, right), spread) in sides[0].iter().zip(&sides[1]).zip(&spread) {
            let differs = left.distance(*right);
            if differs > EXPLAINED_FACTOR * spread {
                return Ok(None);
            }
            telling &= differs <= TELLING_BOUND * left.magnitude().max(1.0);
        }
        Ok(Some(if telling { RunJudgement::Same } else { RunJudgement::Unfit { steep: false } }))
    }
}

/// A number of a result. An integer is no real: those beyond 2^53 differ where the reals next to them don't.
#[derive(Clone, Copy)]
enum ResultNumber {
    Real(f64),
    Whole(i128),
}

impl ResultNumber {
    fn magnitude(self) -> f64 {
        match self {
            ResultNumber::Real(x) => x.abs(),
            ResultNumber::Whole(n) => n.unsigned_abs() as f64,
        }
    }

    /// How far two numbers are apart.
    fn distance(self, other: ResultNumber) -> f64 {
        match (self, other) {
            (ResultNumber::Real(a), ResultNumber::Real(b)) if a == b || a.is_nan() && b.is_nan() => 0.0,
            (ResultNumber::Real(a), ResultNumber::Real(b)) if (a - b).is_nan() => f64::INFINITY,
            (ResultNumber::Real(a), ResultNumber::Real(b)) => (a - b).abs(),
            (ResultNumber::Whole(a), ResultNumber::Whole(b)) => a.abs_diff(b) as f64,
            _ => f64::INFINITY,
        }
    }
}

/// The numbers in a value, in order.
fn numbers(value: &Value) -> Vec<ResultNumber> {
    match value {
        Value::Real(x) => vec![ResultNumber::Real(*x)],
        Value::Int(n) => vec![ResultNumber::Whole((*n).into())],
        Value::Index(n) => vec![ResultNumber::Whole((*n).into())],
        Value::Array(all) => all.items().flat_map(|item| numbers(&item)).collect(),
        Value::Pair(both) => [&both.0, &both.1].into_iter().flat_map(numbers).collect(),
        Value::Function(_) => Vec::new(),
    }
}
