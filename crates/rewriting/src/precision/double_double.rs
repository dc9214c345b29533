//! Computes with a [`DoubleDouble`]: the sum of two doubles, of which the second holds what the first rounds off. It has about 31
//! digits (Dekker 1971; Hida, Li and Bailey 2001).

use std::f64::consts;

use redexter_language::term::{Prim, Scalar};

/// A number of about 31 digits. Where it is no number, or infinite, the second part is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDouble {
    pub(super) high: f64,
    pub(super) low: f64,
}

const LN_2: DoubleDouble = DoubleDouble { high: consts::LN_2, low: 2.3190468138462996e-17 };
const HALF_PI: DoubleDouble = DoubleDouble { high: consts::FRAC_PI_2, low: 6.123233995736766e-17 };
pub(super) const PI: DoubleDouble = DoubleDouble { high: consts::PI, low: 1.2246467991473532e-16 };

/// The exponential is computed of the number divided by 2 so many times.
const HALVINGS: i32 = 9;

/// Beyond so many quarters of a circle nothing is known of an angle's digits.
const MOST_QUARTERS: f64 = 1e9;

impl DoubleDouble {
    /// One as a double-double.
    pub const ONE: DoubleDouble = DoubleDouble { high: 1.0, low: 0.0 };

    /// A double as it is.
    pub fn of(value: f64) -> DoubleDouble {
        DoubleDouble { high: value, low: 0.0 }
    }

    /// An integer as it is.
    pub fn of_int(value: i64) -> DoubleDouble {
        let high = value as f64;
        // The difference is below 2^10, also where the double is 2^63.
        sum(high, (i128::from(value) - high as i128) as f64)
    }

    /// The nearest double.
    pub fn rounded(self) -> f64 {
        self.high
    }

    /// How far a double is from it.
    pub fn distance(self, other: f64) -> f64 {
        self.minus(DoubleDouble::of(other)).high.abs()
    }

    /// The sum.
    pub fn plus(self, other: DoubleDouble) -> DoubleDouble {
        let (high, low) = (sum(self.high, other.high), sum(self.low, other.low));
        let first = joined(high.high, high.low + low.high);
        joined(first.high, first.low + low.low)
    }

    /// The number with the other sign.
    pub fn negated(self) -> DoubleDouble {
        DoubleDouble { high: -self.high, low: -self.low }
    }

    /// The difference.
    pub fn minus(self, other: DoubleDouble) -> DoubleDouble {
        self.plus(other.negated())
    }

    /// The product.
    pub fn times(self, other: DoubleDouble) -> DoubleDouble {
        let high = self.high * other.high;
        if !high.is_finite() {
            return DoubleDouble::of(high);
        }
        let low = self.high.mul_add(other.high, -high) + (self.high * other.low + self.low * other.high);
        joined(high, low)
    }

    /// The quotient, by long division.
    pub fn over(self, other: DoubleDouble) -> DoubleDouble {
        let first = self.high / other.high;
        if !first.is_finite() || first == 0.0 {
            return DoubleDouble::of(first);
        }
        let rest = self.minus(other.times(DoubleDouble::of(first)));
        let second = rest.high / other.high;
        let rest = rest.minus(other.times(DoubleDouble::of(second)));
        joined(first, second).plus(DoubleDouble::of(rest.high / other.high))
    }

    /// The square root: a step of Newton's method from that of the double.
    pub fn sqrt(self) -> DoubleDouble {
        let root = self.high.sqrt();
        if root == 0.0 || !root.is_finite() {
            return DoubleDouble::of(root);
        }
        let near = DoubleDouble::of(root);
        near.plus(self.minus(near.times(near)).times(DoubleDouble::of(0.5 / root)))
    }

    /// e to its power.
    pub fn exp(self) -> DoubleDouble {
        let times = (self.high / LN_2.high).round();
        if !self.high.is_finite() || times.abs() > 1000.0 {
            return DoubleDouble::of(double(Prim::Exp, self.high));
        }
        let rest = self.minus(LN_2.times(DoubleDouble::of(times)));
        rest.small_expm1().plus(DoubleDouble::ONE).scaled(times as i32)
    }

    /// e to its power, less 1.
    pub fn expm1(self) -> DoubleDouble {
        if self.high.abs() < 0.5 { self.small_expm1() } else { self.exp().minus(DoubleDouble::ONE) }
    }

    /// The same of what is small, by its series: e^(2x) - 1 is (e^x - 1)² + 2 (e^x - 1).
    fn small_expm1(self) -> DoubleDouble {
        let x = self.scaled(-HALVINGS);
        let (mut power, mut total) = (x, x);
        for k in 2..=9 {
            power = power.times(x).over(DoubleDouble::of(f64::from(k)));
            total = total.plus(power);
        }
        (0..HALVINGS).fold(total, |e, _| e.times(e).plus(e.scaled(1)))
    }

    /// Its logarithm.
    pub fn log(self) -> DoubleDouble {
        let near = double(Prim::Log, self.high);
        if !near.is_finite() {
            return DoubleDouble::of(near);
        }
        if near.abs() < 0.5 {
            return self.minus(DoubleDouble::ONE).log1p();
        }
        let near = DoubleDouble::of(near);
        near.plus(self.times(near.negated().exp()).minus(DoubleDouble::ONE))
    }

    /// The logarithm of 1 more than it: a step of Newton's method for e^y - 1.
    pub fn log1p(self) -> DoubleDouble {
        let near = DoubleDouble::of(double(Prim::Log1p, self.high));
        if !near.high.is_finite() {
            return near;
        }
        let power = near.expm1();
        near.minus(power.minus(self).over(power.plus(DoubleDouble::ONE)))
    }

    /// Its sine and cosine.
    pub fn sin_cos(self) -> (DoubleDouble, DoubleDouble) {
        let quarters = (self.high / HALF_PI.high).round();
        if !quarters.is_finite() || quarters.abs() > MOST_QUARTERS {
            return (DoubleDouble::of(double(Prim::Sin, self.high)), DoubleDouble::of(double(Prim::Cos, self.high)));
        }
        let x = self.minus(HALF_PI.times(DoubleDouble::of(quarters)));
        let (sin, cos) = (x.series(1), x.series(0));
        match (quarters as i64).rem_euclid(4) {
            0 => (sin, cos),
            1 => (cos, sin.negated()),
            2 => (sin.negated(), cos.negated()),
            _ => (cos.negated(), sin),
        }
    }

    /// x^k / k! for each second k from this one on, with signs that alternate.
    fn series(self, from: i32) -> DoubleDouble {
        let square = self.times(self).negated();
        let mut power = if from == 0 { DoubleDouble::ONE } else { self };
        let mut total = power;
        for k in (from + 2..=from + 28).step_by(2) {
            power = power.times(square).over(DoubleDouble::of(f64::from(k * (k - 1))));
            total = total.plus(power);
        }
        total
    }

    /// Its tangent.
    pub fn tan(self) -> DoubleDouble {
        let (sin, cos) = self.sin_cos();
        sin.over(cos)
    }

    /// The angle with this sine.
    pub fn asin(self) -> DoubleDouble {
        self.atan2(self.aside())
    }

    /// The angle with this cosine.
    pub fn acos(self) -> DoubleDouble {
        self.aside().atan2(self)
    }

    /// √(1 - x²)
    fn aside(self) -> DoubleDouble {
        DoubleDouble::ONE.minus(self).times(DoubleDouble::ONE.plus(self)).sqrt()
    }

    /// The angle of the point (x, y), of which this is y: the doubles' angle, and the small one between both.
    pub fn atan2(self, x: DoubleDouble) -> DoubleDouble {
        let near = DoubleDouble::of(doubles(Prim::Atan2, self.high, x.high));
        let (sin, cos) = near.sin_cos();
        let rest = self.times(cos).minus(x.times(sin)).over(x.times(cos).plus(self.times(sin)));
        if rest.high.is_finite() { near.plus(rest) } else { near }
    }

    /// Its power with an exponent that may be no whole number.
    pub fn real_power(self, exponent: DoubleDouble) -> DoubleDouble {
        let near = doubles(Prim::RealPow, self.high, exponent.high);
        if !near.is_normal() || !self.high.is_finite() {
            return DoubleDouble::of(near);
        }
        let power = exponent.times(self.abs().log()).exp();
        if near < 0.0 { power.negated() } else { power }
    }

    /// The angle with this tangent.
    pub fn atan(self) -> DoubleDouble {
        self.atan2(DoubleDouble::ONE)
    }

    /// Its hyperbolic sine.
    pub fn sinh(self) -> DoubleDouble {
        let e = self.expm1();
        if !e.high.is_finite() {
            return DoubleDouble::of(double(Prim::Sinh, self.high));
        }
        e.plus(e.over(e.plus(DoubleDouble::ONE))).scaled(-1)
    }

    /// Its hyperbolic cosine.
    pub fn cosh(self) -> DoubleDouble {
        let e = self.exp();
        if !e.high.is_finite() {
            return DoubleDouble::of(double(Prim::Cosh, self.high));
        }
        e.plus(DoubleDouble::ONE.over(e)).scaled(-1)
    }

    /// Its hyperbolic tangent.
    pub fn tanh(self) -> DoubleDouble {
        let e = self.scaled(1).expm1();
        if !e.high.is_finite() {
            return DoubleDouble::of(double(Prim::Tanh, self.high));
        }
        e.over(e.plus(DoubleDouble::of(2.0)))
    }

    /// Its power, by repeated squaring; a negative one is 1 divided by the positive one.
    pub fn power(self, k: i64) -> DoubleDouble {
        let (mut left, mut square, mut total) = (k.unsigned_abs(), self, DoubleDouble::ONE);
        while left > 0 {
            if left % 2 == 1 {
                total = total.times(square);
            }
            left /= 2;
            if left > 0 {
                square = square.times(square);
            }
        }
        if k < 0 { DoubleDouble::ONE.over(total) } else { total }
    }

    /// Its magnitude.
    pub fn abs(self) -> DoubleDouble {
        if self.high < 0.0 || self.high == 0.0 && self.high.is_sign_negative() { self.negated() } else { self }
    }

    /// The largest whole number that isn't above it.
    pub fn floor(self) -> DoubleDouble {
        let high = self.high.floor();
        if high == self.high { joined(high, self.low.floor()) } else { DoubleDouble::of(high) }
    }

    /// The nearest whole number, of two the even one.
    pub fn round(self) -> DoubleDouble {
        let below = self.floor();
        let rest = self.minus(below);
        let half = DoubleDouble::of(0.5);
        let is_even = below.scaled(-1) == below.scaled(-1).floor();
        match rest.is_below(half) || rest == half && is_even {
            true => below,
            false => below.plus(DoubleDouble::ONE),
        }
    }

    /// 1 with its sign; 0 and NaN as they are.
    pub fn sign(self) -> DoubleDouble {
        DoubleDouble::of(double(Prim::Sign, self.high))
    }

    /// Whether it isn't a number.
    pub fn is_nan(self) -> bool {
        self.high.is_nan()
    }

    /// Whether it is below another one.
    pub fn is_below(self, other: DoubleDouble) -> bool {
        self.high < other.high || self.high == other.high && self.low < other.low
    }

    /// The number times 2 to this power.
    pub(super) fn scaled(self, by: i32) -> DoubleDouble {
        // In two halves, neither of which leaves the doubles.
        let (half, rest) = (2f64.powi(by / 2), 2f64.powi(by - by / 2));
        joined(self.high * half * rest, self.low * half * rest)
    }
}

/// What a function gives of a double, as programs have it.
pub(super) fn double(function: Prim, x: f64) -> f64 {
    real(function.compute(&[Scalar::Real(x)]))
}

/// The same of two.
fn doubles(function: Prim, x: f64, y: f64) -> f64 {
    real(function.compute(&[Scalar::Real(x), Scalar::Real(y)]))
}

fn real(value: Option<Scalar>) -> f64 {
    if let Some(Scalar::Real(y)) = value { y } else { f64::NAN }
}

/// The sum of two doubles, exactly.
fn sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let other = high - a;
    kept(high, (a - (high - other)) + (b - other))
}

/// The same where the first is the larger one.
fn joined(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    kept(high, b - (high - a))
}

fn kept(high: f64, low: f64) -> DoubleDouble {
    DoubleDouble { high, low: if high.is_finite() { low } else { 0.0 } }
}
