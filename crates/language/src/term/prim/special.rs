//! Computes functions on reals that no library has as the language means them.

use std::f64::consts::PI;

/// From here on the asymptotic series is good to the last bits.
const SERIES_FROM: f64 = 16.0;

/// `x` to the power `k`, or `-k` where `inverted`, by repeated squaring: `x^0` is 1 (for NaN, too), `x^1` is x, `x^2`
/// is exactly `x * x`, and a negative power is 1 divided by the positive one.
pub fn power(x: f64, mut k: u64, inverted: bool) -> f64 {
    let mut square = x;
    let mut result = 1.0;
    while k > 0 {
        if k & 1 == 1 {
            result *= square;
        }
        k >>= 1;
        if k > 0 {
            square *= square;
        }
    }
    if inverted { 1.0 / result } else { result }
}

/// ψ(x), the derivative of log Γ, to about 1e-14 times the larger of 1 and its magnitude. At 0 it is the infinity of the
/// other sign, at -1, -2, … and -∞ it is NaN.
pub fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return -1.0 / x;
    }
    if x == f64::INFINITY {
        return x;
    }
    if x < 0.0 {
        // Reflection, ψ(x) = ψ(1 - x) - π / tan πx: the tangent has period π, so that the distance to the nearest pole will do.
        let from_pole = x - x.round();
        let apart = from_pole != 0.0 && x.is_finite();
        return if apart { digamma(1.0 - x) - PI / libm::tan(PI * from_pole) } else { f64::NAN };
    }
    // B₂ₖ / 2k for the Bernoulli numbers: ψ(x) = log x - 1 / 2x - Σ B₂ₖ / (2k x²ᵏ), asymptotically.
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32_760.0, 1.0 / 12.0];
    let (mut far, mut sum) = (x, 0.0);
    // Recurrence, ψ(x) = ψ(x + 1) - 1 / x, up to where the series is good.
    while far < SERIES_FROM {
        sum += 1.0 / far;
        far += 1.0;
    }
    let square = 1.0 / far / far;
    let rest = SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) * square;
    libm::log(far) - 0.5 / far - rest - sum
}

/// ψ′(x), the second derivative of log Γ: infinite at 0, -1, -2, …, and NaN at -∞.
pub fn trigamma(x: f64) -> f64 {
    if x < 0.0 {
        // Reflection, ψ′(x) = (π / sin πx)² - ψ′(1 - x): the sine's magnitude has period 1.
        let sine = libm::sin(PI * (x - x.round()));
        return PI / sine * (PI / sine) - trigamma(1.0 - x);
    }
    // The Bernoulli numbers B₂ₖ: ψ′(x) = 1 / x + 1 / 2x² + Σ B₂ₖ / x²ᵏ⁺¹, asymptotically.
    const SERIES: [f64; 7] = [1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0, -691.0 / 2730.0, 7.0 / 6.0];
    let (mut far, mut sum) = (x, 0.0);
    // Recurrence, ψ′(x) = ψ′(x + 1) + 1 / x².
    while far < SERIES_FROM {
        sum += 1.0 / far / far;
        far += 1.0;
    }
    let square = 1.0 / far / far;
    let rest = SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) * square;
    (1.0 + (0.5 / far + rest)) / far + sum
}

/// 1 with the sign of a number other than 0; 0 of either sign and NaN stay as they are.
pub(super) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

/// The whole number q with a = q * b + r and 0 <= r < |b|; by 0 it is 0, so that r is a. It wraps.
pub(super) fn quotient(a: i64, b: i64) -> i64 {
    if b == 0 { 0 } else { a.wrapping_div_euclid(b) }
}

/// What `quotient` leaves over.
pub(super) fn remainder(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { a.wrapping_rem_euclid(b) }
}

/// C's `fmin`: of a number and NaN the number, of equals the first.
pub(super) fn min(a: f64, b: f64) -> f64 {
    if a.is_nan() || b < a { b } else { a }
}

/// C's `fmax`, in the same way.
pub(super) fn max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b > a { b } else { a }
}
