//! Functions on reals that the standard library lacks.

use std::f64::consts::PI;

/// Half the logarithm of 2π.
const HALF_LOG_TAU: f64 = 0.918_938_533_204_672_8;

/// Where the asymptotic series are good to the last bits.
const FAR: f64 = 16.0;

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

/// log |Γ(x)|, to about 1e-14 times the larger of 1 and its magnitude. Infinite at the poles 0, -1, -2, … and at both
/// infinities.
pub fn lgamma(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.is_infinite() || (x <= 0.0 && x == x.round()) {
        return f64::INFINITY;
    }
    if x < 0.0 {
        let from_pole = (x - x.round()).abs();
        return (PI / (PI * from_pole).sin()).ln() - lgamma(1.0 - x);
    }
    let (mut far, mut product) = (x, 1.0);
    while far < FAR {
        product *= far;
        far += 1.0;
    }
    stirling(far) - product.ln()
}

/// log Γ(x) for x ≥ 16.
fn stirling(x: f64) -> f64 {
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];
    let square = 1.0 / x / x;
    let rest = SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) / x;
    (x - 0.5) * (x.ln() - 1.0) + (HALF_LOG_TAU - 0.5 + rest)
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
        let from_pole = x - x.round();
        let apart = from_pole != 0.0 && x.is_finite();
        return if apart { digamma(1.0 - x) - PI / (PI * from_pole).tan() } else { f64::NAN };
    }
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32_760.0, 1.0 / 12.0];
    let (mut far, mut sum) = (x, 0.0);
    while far < FAR {
        sum += 1.0 / far;
        far += 1.0;
    }
    let square = 1.0 / far / far;
    let rest = SERIES.iter().rev().fold(0.0, |sum, c| sum * square + c) * square;
    far.ln() - 0.5 / far - rest - sum
}
