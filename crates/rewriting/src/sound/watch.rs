//! Watches runs of a program: their largest intermediate, operations that leave the numbers, and which way each `if` went. Runs
//! that are made to round otherwise show what rounding explains.

use std::collections::BTreeSet;

use redexter_language::eval::{Observer, is_steep};
use redexter_language::ground::Random;
use redexter_language::term::{Prim, Scalar, Term};

/// A disturbed run moves each result by up to so much of it, far more than rounding does.
const NOISE: f64 = 1e-12;

/// Integers up to this one are reals without rounding.
const EXACT_INTS: f64 = 9_007_199_254_740_992.0;

/// The manner in which a run rounds.
#[derive(Clone, Debug, Default)]
pub(super) enum Rounding {
    /// As it does.
    #[default]
    Plain,
    /// Zeros have any sign.
    Signs(Random),
    /// Results are moved a little, and zeros have any sign.
    Moved(Random),
}

/// An observer of a run, with what it has seen.
#[derive(Default)]
pub(super) struct RunWatch {
    rounding: Rounding,
    /// The largest magnitude of a result.
    pub(super) largest: f64,
    /// Numbers gave an infinity, or what is too small to have a reciprocal, or something was divided by such a number.
    pub(super) left_numbers: bool,
    /// Something was divided by 0.
    pub(super) divided_by_zero: bool,
    /// There was a NaN or an infinity.
    pub(super) undefined: bool,
    /// Whether the first NaN that an operation made is a zero times an infinite slope.
    pub(super) steep: Option<bool>,
    /// The `if`s of the program.
    choices: Vec<Term>,
    /// Those that took their first branch, or their second.
    chosen: BTreeSet<(u32, bool)>,
}

impl RunWatch {
    pub(super) fn new(rounding: Rounding) -> RunWatch {
        RunWatch { rounding, ..RunWatch::default() }
    }

    /// Which `if`s ran, each with the way that it went.
    pub(super) fn taken(&self) -> impl Iterator<Item = (&Term, bool)> {
        self.chosen.iter().filter_map(|(number, first)| Some((self.choices.get(*number as usize)?, *first)))
    }

    fn rounded(&mut self, prim: Prim, result: f64) -> f64 {
        let random = match &mut self.rounding {
            Rounding::Plain => return result,
            Rounding::Signs(random) | Rounding::Moved(random) => random,
        };
        // A zero has no magnitude that could be moved, so that only its sign is open.
        if result == 0.0 {
            return if random.chance(50) { 0.0 } else { -0.0 };
        }
        // These round nothing, so that to move their results would explain more than rounding does.
        let is_exact = matches!(prim, Prim::Neg | Prim::Abs | Prim::Min | Prim::Max | Prim::Rounded)
            || matches!(prim, Prim::Floor | Prim::Ceil | Prim::Round | Prim::Sign)
            || matches!(prim, Prim::ToReal if result.abs() <= EXACT_INTS);
        match &mut self.rounding {
            Rounding::Moved(random) if !is_exact => result * (1.0 + NOISE * random.moderate()),
            _ => result,
        }
    }
}

impl Observer for RunWatch {
    fn choices(&mut self, all: Vec<Term>) {
        self.choices = all;
    }

    fn real(&mut self, prim: Prim, operands: &[Scalar], result: f64) -> f64 {
        let prim = prim.unrounded();
        let by = divisor(prim, operands);
        self.divided_by_zero |= by == 0.0;
        if result.is_finite() {
            self.largest = self.largest.max(result.abs());
            self.left_numbers |= underflows(prim, operands, result);
        } else {
            self.undefined = true;
            if result.is_nan() {
                self.steep.get_or_insert_with(|| is_steep(prim, operands));
            }
            self.left_numbers |= by != 0.0 && result.is_infinite() && operands.iter().all(is_number);
        }
        self.left_numbers |= by != 0.0 && by.recip().is_infinite();
        self.rounded(prim, result)
    }

    fn chose(&mut self, number: u32, first: bool) {
        self.chosen.insert((number, first));
    }
}

/// What is divided by: a negative power of 0 is a division by 0; 1 where nothing is.
fn divisor(prim: Prim, operands: &[Scalar]) -> f64 {
    match (prim, operands) {
        (Prim::Div, [_, Scalar::Real(by)]) => *by,
        (Prim::Pow, [Scalar::Real(x), Scalar::Int(k)]) if *x == 0.0 && *k < 0 => *x,
        (Prim::RealPow, [Scalar::Real(x), Scalar::Real(y)]) if *x == 0.0 && *y < 0.0 => *x,
        _ => 1.0,
    }
}

/// Whether a result is smaller than what has a reciprocal, without being 0.
fn underflows(prim: Prim, operands: &[Scalar], result: f64) -> bool {
    let is_zero = |operand: &Scalar| matches!(operand, Scalar::Real(x) if *x == 0.0);
    let shrinks = matches!(prim, Prim::Mul | Prim::Div | Prim::Exp | Prim::Pow | Prim::RealPow);
    result.recip().is_infinite() && (result != 0.0 || shrinks && !operands.iter().any(is_zero))
}

fn is_number(operand: &Scalar) -> bool {
    match operand {
        Scalar::Real(x) => x.is_finite(),
        Scalar::Int(_) | Scalar::Fin(_) => true,
    }
}
