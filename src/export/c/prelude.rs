//! What C lacks, or means in another way.

use super::Caller;
use crate::term::Prim;

/// The functions of reals that come from outside, in the order in which loaded code is given them.
pub const FUNCTIONS: [Prim; 13] = [
    Prim::Exp,
    Prim::Log,
    Prim::Sin,
    Prim::Cos,
    Prim::Tanh,
    Prim::Lgamma,
    Prim::Digamma,
    Prim::Sinh,
    Prim::Cosh,
    Prim::Atan,
    Prim::Erf,
    Prim::Log1p,
    Prim::Expm1,
];

/// `min` and `max` of a number and NaN are the number, of equals the first; a power is one by repeated squaring.
const COMMON: &str = r"
static inline double redexter_min(double a, double b) { return a != a || b < a ? b : a; }
static inline double redexter_max(double a, double b) { return a != a || b > a ? b : a; }
static inline double redexter_pow(double x, int64_t k) {
  uint64_t left = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
  double square = x, result = 1.0;
  while (left > 0) {
    if (left & 1) result *= square;
    left >>= 1;
    if (left > 0) square *= square;
  }
  return k < 0 ? 1.0 / result : result;
}
";

/// Numbers of bytes, the largest where they are larger.
const BYTES: &str = r"
static inline size_t redexter_plus(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }
static inline size_t redexter_times(size_t a, size_t b) { return b && a > SIZE_MAX / b ? SIZE_MAX : a * b; }
";

/// The derivative of log gamma, as the evaluator computes it.
const DIGAMMA: &str = r"
static inline double redexter_digamma(double x) {
  if (x == 0.0) return -1.0 / x;
  if (x == INFINITY) return x;
  if (x < 0.0) {
    double from_pole = x - round(x);
    if (from_pole == 0.0 || isinf(x)) return NAN;
    return redexter_digamma(1.0 - x) - 3.141592653589793 / tan(3.141592653589793 * from_pole);
  }
  const double series[7] = {1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0};
  double far = x, sum = 0.0, rest = 0.0;
  while (far < 16.0) {
    sum += 1.0 / far;
    far += 1.0;
  }
  double square = 1.0 / far / far;
  for (int k = 6; k >= 0; k--) rest = rest * square + series[k];
  return log(far) - 0.5 / far - rest * square - sum;
}
";

pub(super) fn prelude(caller: Caller) -> String {
    match caller {
        Caller::C => format!(
            "/* Written by redexter. Compile with -ffp-contract=off to have each operation round by itself. */\n\
             #include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n{COMMON}{BYTES}{DIGAMMA}"
        ),
        Caller::Loaded => format!("#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n{COMMON}"),
    }
}

/// What a function of one real is called by.
pub(super) fn function(prim: Prim, caller: Caller) -> String {
    let place = FUNCTIONS.iter().position(|known| *known == prim);
    match (prim, place, caller) {
        (Prim::Abs, ..) => "fabs".to_owned(),
        (Prim::Digamma, _, Caller::C) => "redexter_digamma".to_owned(),
        (_, Some(k), Caller::Loaded) => format!("functions[{k}]"),
        _ => prim.text().to_owned(),
    }
}
