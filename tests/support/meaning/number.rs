//! Reals with a bound on how far rounding has taken them from what they are without it.

use redexter::term::{Prim, Scalar};

/// How much an operation may round, in units of its result: arithmetic by half of that, functions by some.
const ARITHMETIC: f64 = f64::EPSILON;
const FUNCTION: f64 = 16.0 * f64::EPSILON;

/// The least number above 0: what underflow loses.
const LEAST: f64 = 5e-324;

/// A double, and the most by which it differs from the real number that it stands for: infinite where it stands for none, as
/// NaN and infinities do.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub value: f64,
    pub error: f64,
}

/// What was met while numbers were computed that leaves a comparison open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubts {
    /// Rounding may have decided a comparison of reals, or whether something is defined.
    pub undecided: bool,
    /// Something outgrew doubles, or is so near to 0, where it is divided by, that its reciprocal does.
    pub overflow: bool,
}

impl Number {
    /// A number that is what it says.
    pub fn exact(value: f64) -> Number {
        Number { value, error: if value.is_finite() { 0.0 } else { f64::INFINITY } }
    }

    /// Whether it stands for a real number.
    pub fn is_known(self) -> bool {
        self.error.is_finite()
    }

    fn rounded(value: f64, error: f64, unit: f64, doubts: &mut Doubts) -> Number {
        doubts.overflow |= value.is_infinite() || (value != 0.0 && value.abs() < f64::MIN_POSITIVE);
        let error = if value.is_finite() { error + value.abs() * unit + LEAST } else { f64::INFINITY };
        Number { value, error: if error.is_nan() { f64::INFINITY } else { error } }
    }

    /// `+`, `-`, `*`, `/`, `min` or `max`.
    pub fn binary(prim: Prim, a: Number, b: Number, doubts: &mut Doubts) -> Number {
        let (x, y) = (a.value, b.value);
        if !a.is_known() || !b.is_known() {
            doubts.overflow |= x.is_infinite() || y.is_infinite();
            return Number { value: plain(prim, x, y), error: f64::INFINITY };
        }
        match prim {
            Prim::Add | Prim::Sub => {
                let value = plain(prim, x, y);
                // What cancels exactly, or adds nothing, isn't rounded.
                let unit = if x == 0.0 || y == 0.0 { 0.0 } else { ARITHMETIC };
                let error = a.error + b.error;
                match error == 0.0 && unit == 0.0 {
                    true => Number::exact(value),
                    false => Number::rounded(value, error, unit, doubts),
                }
            }
            Prim::Mul => {
                let value = x * y;
                let error = x.abs() * b.error + y.abs() * a.error + a.error * b.error;
                let is_exact = error == 0.0 && [x, y].iter().any(|one| [0.0, 1.0, -1.0].contains(one));
                doubts.overflow |= value == 0.0 && x != 0.0 && y != 0.0;
                if is_exact { Number::exact(value) } else { Number::rounded(value, error, ARITHMETIC, doubts) }
            }
            Prim::Div => {
                let value = x / y;
                let near = y.abs() - b.error;
                if near <= 0.0 {
                    doubts.undecided |= b.error > 0.0;
                    doubts.overflow = true;
                    return Number { value, error: f64::INFINITY };
                }
                let error = (a.error + value.abs() * b.error) / near;
                doubts.overflow |= value == 0.0 && x != 0.0;
                let is_exact = error == 0.0 && (x == 0.0 || y.abs() == 1.0);
                if is_exact { Number::exact(value) } else { Number::rounded(value, error, ARITHMETIC, doubts) }
            }
            Prim::Atan2 | Prim::RealPow => {
                let value = plain(prim, x, y);
                // Corners of the box that both may lie in: these functions are monotone in each within it, or it is left open.
                let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
                let at = |(s, t): (f64, f64)| (plain(prim, x + s * a.error, y + t * b.error) - value).abs();
                let is_exact = a.error == 0.0 && b.error == 0.0;
                let spread = if is_exact { 0.0 } else { corners.map(at).into_iter().fold(0.0, f64::max) };
                let turns = prim == Prim::Atan2 && x.abs() <= a.error || value.is_nan() || spread.is_nan();
                if turns && !is_exact {
                    doubts.undecided = true;
                    return Number { value, error: f64::INFINITY };
                }
                doubts.overflow |= value == 0.0 && x != 0.0;
                Number::rounded(value, 2.0 * spread, FUNCTION, doubts)
            }
            _ => Number { value: plain(prim, x, y), error: a.error.max(b.error) },
        }
    }

    /// A function of one real.
    pub fn unary(prim: Prim, a: Number, doubts: &mut Doubts) -> Number {
        if prim == Prim::Neg || prim == Prim::Abs {
            return Number { value: function(prim, a.value), error: a.error };
        }
        let value = function(prim, a.value);
        if !a.is_known() {
            doubts.overflow |= a.value.is_infinite() || value.is_infinite();
            return Number { value, error: f64::INFINITY };
        }
        if value.is_nan() {
            doubts.undecided |= a.error > 0.0;
            return Number { value, error: f64::INFINITY };
        }
        if matches!(prim, Prim::Floor | Prim::Ceil | Prim::Round | Prim::Sign) {
            // They jump: what rounding may have taken over a jump is left open.
            let around = [a.value - a.error, a.value + a.error].map(|x| function(prim, x));
            let is_sure = a.error == 0.0 || around.iter().all(|other| *other == value);
            doubts.undecided |= !is_sure;
            return Number { value, error: if is_sure { 0.0 } else { f64::INFINITY } };
        }
        let spread = match prim {
            Prim::Sin | Prim::Cos => a.error,
            _ if a.error == 0.0 => 0.0,
            _ => spread(prim, a, value),
        };
        doubts.undecided |= !spread.is_finite();
        Number::rounded(value, spread, FUNCTION, doubts)
    }

    /// `pow x k`, by multiplying.
    pub fn power(self, k: i64, doubts: &mut Doubts) -> Number {
        let (mut left, mut square, mut result) = (k.unsigned_abs(), self, Number::exact(1.0));
        while left > 0 {
            if left % 2 == 1 {
                result = Number::binary(Prim::Mul, result, square, doubts);
            }
            left /= 2;
            if left > 0 {
                square = Number::binary(Prim::Mul, square, square, doubts);
            }
        }
        if k < 0 { Number::binary(Prim::Div, Number::exact(1.0), result, doubts) } else { result }
    }

    /// Whether both may stand for one real number.
    pub fn agrees(self, other: Number) -> bool {
        (self.value - other.value).abs() <= self.error + other.error
    }
}

fn plain(prim: Prim, x: f64, y: f64) -> f64 {
    match prim {
        Prim::Add => x + y,
        Prim::Sub => x - y,
        Prim::Mul => x * y,
        Prim::Div => x / y,
        Prim::Atan2 => x.atan2(y),
        Prim::RealPow => x.powf(y),
        // C's: a number rather than NaN, of equals the first.
        Prim::Min if x.is_nan() => y,
        Prim::Min => [x, y][usize::from(y < x)],
        Prim::Max if x.is_nan() => y,
        Prim::Max => [x, y][usize::from(y > x)],
        other => panic!("{other:?} takes no two reals"),
    }
}

/// The most by which a function changes where its operand does by its error; where it isn't monotone, that isn't told for
/// more than a little.
fn spread(prim: Prim, a: Number, value: f64) -> f64 {
    let around = [a.value - a.error, a.value + a.error].map(|x| (function(prim, x) - value).abs());
    let most = around[0].max(around[1]);
    match prim {
        _ if around.iter().any(|change| change.is_nan()) => f64::INFINITY,
        // Between poles it grows.
        Prim::Tan if a.error > 1e-3 || most > 1e3 * (1.0 + value.abs()) * a.error.sqrt() => f64::INFINITY,
        Prim::Lgamma | Prim::Digamma | Prim::Trigamma
            if a.error > 1e-3 * a.value.abs().min(1.0) || a.value <= 2.0 * a.error =>
        {
            f64::INFINITY
        }
        Prim::Lgamma | Prim::Digamma | Prim::Trigamma | Prim::Cosh => 2.0 * most + a.error,
        _ => most,
    }
}

fn function(prim: Prim, x: f64) -> f64 {
    match prim {
        Prim::Neg => -x,
        Prim::Abs => x.abs(),
        Prim::Exp => x.exp(),
        Prim::Log => x.ln(),
        Prim::Sqrt => x.sqrt(),
        Prim::Sin => x.sin(),
        Prim::Cos => x.cos(),
        Prim::Tanh => x.tanh(),
        Prim::Sinh => x.sinh(),
        Prim::Cosh => x.cosh(),
        Prim::Atan => x.atan(),
        Prim::Tan => x.tan(),
        Prim::Asin => x.asin(),
        Prim::Acos => x.acos(),
        Prim::Floor => x.floor(),
        Prim::Ceil => x.ceil(),
        Prim::Round => x.round_ties_even(),
        Prim::Sign if x == 0.0 || x.is_nan() => x,
        Prim::Sign => x.signum(),
        Prim::Log1p => x.ln_1p(),
        Prim::Expm1 => x.exp_m1(),
        // What std lacks, by the language's own table.
        Prim::Erf | Prim::Erfc | Prim::Lgamma | Prim::Digamma | Prim::Trigamma => {
            match prim.compute(&[Scalar::Real(x)]) {
                Some(Scalar::Real(y)) => y,
                other => panic!("{prim:?} gave {other:?}"),
            }
        }
        other => panic!("{other:?} is no function of one real"),
    }
}
