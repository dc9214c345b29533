//! Computes the error function, and the logarithm of the gamma function with its derivatives, of a [`DoubleDouble`].

use super::double_double::{DoubleDouble, PI, double};
use redexter_language::term::Prim;

/// 2 / √π.
const SLOPE: DoubleDouble = DoubleDouble { high: std::f64::consts::FRAC_2_SQRT_PI, low: 1.533545961316588e-17 };

/// ½ log 2π.
const HALF_LOG_TAU: DoubleDouble = DoubleDouble { high: 0.9189385332046728, low: -3.8782941580672414e-17 };

/// The Bernoulli numbers B₂, B₄, …, as fractions of numbers that doubles hold.
const BERNOULLI: [(f64, f64); 15] = [
    (1.0, 6.0),
    (-1.0, 30.0),
    (1.0, 42.0),
    (-1.0, 30.0),
    (5.0, 66.0),
    (-691.0, 2730.0),
    (7.0, 6.0),
    (-3617.0, 510.0),
    (43867.0, 798.0),
    (-174611.0, 330.0),
    (854513.0, 138.0),
    (-236364091.0, 2730.0),
    (8553103.0, 6.0),
    (-23749461029.0, 870.0),
    (8615841276005.0, 14322.0),
];

/// From here on their series are good to the last digits.
const SERIES_FROM: f64 = 32.0;

/// From here on 1 - erf would lose too many digits.
const TAIL_FROM: f64 = 2.0;

/// Of the tail's continued fraction so many levels are enough, from there on.
const TAIL_LEVELS: u32 = 200;

/// Beyond this the tail is below all doubles.
const TAIL_TO: f64 = 28.0;

impl DoubleDouble {
    /// The error function.
    pub fn erf(self) -> DoubleDouble {
        if self.high.is_nan() || self.high.abs() >= TAIL_TO {
            return DoubleDouble::of(double(Prim::Erf, self.high));
        }
        match self.high {
            x if x >= TAIL_FROM => DoubleDouble::ONE.minus(self.tail()),
            x if x <= -TAIL_FROM => self.negated().tail().minus(DoubleDouble::ONE),
            _ => self.erf_near_0(),
        }
    }

    /// 1 less the error function.
    pub fn erfc(self) -> DoubleDouble {
        if self.high.is_nan() || self.high.abs() >= TAIL_TO {
            return DoubleDouble::of(double(Prim::Erfc, self.high));
        }
        if self.high >= TAIL_FROM { self.tail() } else { DoubleDouble::ONE.minus(self.erf()) }
    }

    /// 2 / √π e^-x² Σ 2ⁿ x²ⁿ⁺¹ / (1 · 3 · … · (2n + 1)), of which no terms cancel.
    fn erf_near_0(self) -> DoubleDouble {
        let square = self.times(self);
        let (mut term, mut total) = (self, self);
        for n in 1..80 {
            term = term.times(square).scaled(1).over(DoubleDouble::of(f64::from(2 * n + 1)));
            total = total.plus(term);
        }
        SLOPE.times(square.negated().exp()).times(total)
    }

    /// e^-x² / √π / (x + ½ / (x + 1 / (x + 1½ / …))).
    fn tail(self) -> DoubleDouble {
        let deeper = |below: DoubleDouble, k| self.plus(DoubleDouble::of(f64::from(k) / 2.0).over(below));
        let fraction = (1..=TAIL_LEVELS).rev().fold(self, deeper);
        self.times(self).negated().exp().times(SLOPE).scaled(-1).over(fraction)
    }

    /// The logarithm of the gamma function's magnitude: about 30 digits behind the point.
    pub fn lgamma(self) -> DoubleDouble {
        let near = double(Prim::Lgamma, self.high);
        if !near.is_finite() {
            return DoubleDouble::of(near);
        }
        if self.high < 0.5 {
            // Reflection: Γ(x) Γ(1 - x) = π / sin πx.
            let sine = self.sin_cos_of_pi().0;
            let sine = if sine.high < 0.0 { sine.negated() } else { sine };
            return PI.over(sine).log().minus(DoubleDouble::ONE.minus(self).lgamma());
        }
        let (mut far, mut product) = (self, DoubleDouble::ONE);
        while far.high < SERIES_FROM {
            product = product.times(far);
            far = far.plus(DoubleDouble::ONE);
        }
        let series = far.bernoulli_series(|n| n * (n - 1.0)).times(far);
        let half = DoubleDouble::of(0.5);
        far.minus(half).times(far.log()).minus(far).plus(HALF_LOG_TAU).plus(series).minus(product.log())
    }

    /// Its derivative.
    pub fn digamma(self) -> DoubleDouble {
        let near = double(Prim::Digamma, self.high);
        if !near.is_finite() || self.high == 0.0 {
            return DoubleDouble::of(near);
        }
        if self.high < 0.5 {
            let (sine, cosine) = self.sin_cos_of_pi();
            return DoubleDouble::ONE.minus(self).digamma().minus(PI.times(cosine).over(sine));
        }
        let (mut far, mut sum) = (self, DoubleDouble::of(0.0));
        while far.high < SERIES_FROM {
            sum = sum.plus(DoubleDouble::ONE.over(far));
            far = far.plus(DoubleDouble::ONE);
        }
        let half = DoubleDouble::of(0.5).over(far);
        far.log().minus(half).minus(far.bernoulli_series(|n| n)).minus(sum)
    }

    /// The derivative of that.
    pub fn trigamma(self) -> DoubleDouble {
        let near = double(Prim::Trigamma, self.high);
        if !near.is_finite() {
            return DoubleDouble::of(near);
        }
        if self.high < 0.5 {
            let ratio = PI.over(self.sin_cos_of_pi().0);
            return ratio.times(ratio).minus(DoubleDouble::ONE.minus(self).trigamma());
        }
        let (mut far, mut sum) = (self, DoubleDouble::of(0.0));
        while far.high < SERIES_FROM {
            let inverse = DoubleDouble::ONE.over(far);
            sum = sum.plus(inverse.times(inverse));
            far = far.plus(DoubleDouble::ONE);
        }
        let inverse = DoubleDouble::ONE.over(far);
        let half = inverse.scaled(-1);
        DoubleDouble::ONE.plus(half).plus(far.bernoulli_series(|_| 1.0)).times(inverse).plus(sum)
    }

    /// Σ Bₙ / (d(n) xⁿ) for n = 2, 4, …, asymptotically.
    fn bernoulli_series(self, divisor: impl Fn(f64) -> f64) -> DoubleDouble {
        let square = self.times(self);
        let mut n = 2.0 * BERNOULLI.len() as f64;
        BERNOULLI.iter().rev().fold(DoubleDouble::of(0.0), |total, (above, below)| {
            let factor = DoubleDouble::of(*above).over(DoubleDouble::of(below * divisor(n)));
            n -= 2.0;
            total.plus(factor).over(square)
        })
    }

    /// Sine and cosine of π times it; the number of half circles is taken away before, which is exact.
    fn sin_cos_of_pi(self) -> (DoubleDouble, DoubleDouble) {
        let whole = self.round();
        let (sin, cos) = self.minus(whole).times(PI).sin_cos();
        match whole.scaled(-1) == whole.scaled(-1).floor() {
            true => (sin, cos),
            false => (sin.negated(), cos.negated()),
        }
    }
}
