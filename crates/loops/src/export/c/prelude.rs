//! The prelude of written C defines what C lacks, or means in another way than models do.

use super::{CTarget, Caller};
use crate::nest::Freedom;
use redexter_language::term::Prim;

/// The functions of one real and of two that come from outside, in the order in which loaded code is given them.
pub const FUNCTIONS: [Prim; 20] = [
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
    Prim::Tan,
    Prim::Asin,
    Prim::Acos,
    Prim::Erfc,
    Prim::Trigamma,
    Prim::Atan2,
    Prim::RealPow,
];

/// `min` and `max` of a number and NaN are the number, of equals the first; a power is one by repeated squaring; division of
/// integers is Euclid's, and has a value by 0.
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
static inline double redexter_sign(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }
static inline int64_t redexter_rem(int64_t a, int64_t b) {
  if (b == 0) return a;
  if (b == -1) return 0;
  int64_t rest = a % b;
  return rest >= 0 ? rest : b > 0 ? rest + b : rest - b;
}
static inline int64_t redexter_quot(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return (int64_t)(0 - (uint64_t)a);
  int64_t down = a / b;
  return a % b >= 0 ? down : b > 0 ? down - 1 : down + 1;
}
";

/// Numbers of bytes, the largest where they are larger.
const BYTES: &str = r"
static inline size_t redexter_plus(size_t a, size_t b) { return a > SIZE_MAX - b ? SIZE_MAX : a + b; }
static inline size_t redexter_times(size_t a, size_t b) { return b && a > SIZE_MAX / b ? SIZE_MAX : a * b; }
";

/// An index with the numbers behind it, if all of them are there.
const CHECKED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static inline int64_t redexter_in(int64_t i, int64_t count, int64_t n) {
  if (i < 0 || i > n - count) {
    fprintf(stderr, "redexter: index %lld of %lld\n", (long long)i, (long long)n);
    abort();
  }
  return i;
}
"#;

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

/// The derivative of digamma, as the evaluator computes it.
const TRIGAMMA: &str = r"
static inline double redexter_trigamma(double x) {
  if (x < 0.0) {
    double sine = sin(3.141592653589793 * (x - round(x)));
    return 3.141592653589793 / sine * (3.141592653589793 / sine) - redexter_trigamma(1.0 - x);
  }
  const double series[7] = {1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0, -691.0 / 2730.0, 7.0 / 6.0};
  double far = x, sum = 0.0, rest = 0.0;
  while (far < 16.0) {
    sum += 1.0 / far / far;
    far += 1.0;
  }
  double square = 1.0 / far / far;
  for (int k = 6; k >= 0; k--) rest = rest * square + series[k];
  return (1.0 + (0.5 / far + rest * square)) / far + sum;
}
";

/// Vectors of GNU C, and what it lacks for them. A number is put into all lanes by taking 0 away, since adding 0 would make 0 of
/// -0.
const VECTORS: &str = r#"
#pragma GCC diagnostic ignored "-Wpsabi"
typedef double redexter_v __attribute__((vector_size(8 * REDEXTER_WIDTH), aligned(8), may_alias));
typedef int64_t redexter_i __attribute__((vector_size(8 * REDEXTER_WIDTH), aligned(8), may_alias));
typedef uint64_t redexter_u __attribute__((vector_size(8 * REDEXTER_WIDTH), aligned(8), may_alias));
REDEXTER_INLINE redexter_v redexter_all(double x) { return x - (redexter_v){0}; }
REDEXTER_INLINE redexter_i redexter_ints(int64_t k) { return k - (redexter_i){0}; }
REDEXTER_INLINE redexter_v redexter_choose(redexter_i m, redexter_v a, redexter_v b) {
  return (redexter_v)(((redexter_i)a & m) | ((redexter_i)b & ~m));
}
REDEXTER_INLINE redexter_i redexter_choose_int(redexter_i m, redexter_i a, redexter_i b) { return (a & m) | (b & ~m); }
REDEXTER_INLINE redexter_v redexter_mins(redexter_v a, redexter_v b) { return redexter_choose((a != a) | (b < a), b, a); }
REDEXTER_INLINE redexter_v redexter_maxs(redexter_v a, redexter_v b) { return redexter_choose((a != a) | (b > a), b, a); }
REDEXTER_INLINE redexter_v redexter_abss(redexter_v x) { return (redexter_v)((redexter_i)x & INT64_MAX); }
REDEXTER_INLINE redexter_v redexter_sqrts(redexter_v x) {
  redexter_v y;
  for (int k = 0; k < REDEXTER_WIDTH; k++) y[k] = __builtin_sqrt(x[k]);
  return y;
}
REDEXTER_INLINE redexter_v redexter_each(double (*f)(double), redexter_v x) {
  redexter_v y;
  for (int k = 0; k < REDEXTER_WIDTH; k++) y[k] = f(x[k]);
  return y;
}
REDEXTER_INLINE redexter_v redexter_pows(redexter_v x, int64_t k) {
  uint64_t left = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
  redexter_v square = x, result = redexter_all(1.0);
  while (left > 0) {
    if (left & 1) result *= square;
    left >>= 1;
    if (left > 0) square *= square;
  }
  if (k < 0) result = 1.0 / result;
  return result;
}
REDEXTER_INLINE double redexter_sum(redexter_v x) {
  double all[REDEXTER_WIDTH];
  for (int k = 0; k < REDEXTER_WIDTH; k++) all[k] = x[k];
  for (int w = REDEXTER_WIDTH / 2; w > 0; w /= 2)
    for (int k = 0; k < w; k++) all[k] += all[k + w];
  return all[0];
}
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define REDEXTER_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif
#endif
#ifndef REDEXTER_PICK
#define REDEXTER_PICK(a, b, ...) __builtin_shuffle(a, b, (redexter_i){__VA_ARGS__})
#endif
#if REDEXTER_WIDTH == 8
#define REDEXTER_ONES(a, b) (REDEXTER_PICK(a, b, 0, 8, 2, 10, 4, 12, 6, 14) + REDEXTER_PICK(a, b, 1, 9, 3, 11, 5, 13, 7, 15))
#define REDEXTER_TWOS(a, b) (REDEXTER_PICK(a, b, 0, 1, 4, 5, 8, 9, 12, 13) + REDEXTER_PICK(a, b, 2, 3, 6, 7, 10, 11, 14, 15))
#elif REDEXTER_WIDTH == 4
#define REDEXTER_ONES(a, b) (REDEXTER_PICK(a, b, 0, 4, 2, 6) + REDEXTER_PICK(a, b, 1, 5, 3, 7))
#define REDEXTER_TWOS(a, b) (REDEXTER_PICK(a, b, 0, 1, 4, 5) + REDEXTER_PICK(a, b, 2, 3, 6, 7))
#else
#define REDEXTER_ONES(a, b) (REDEXTER_PICK(a, b, 0, 2) + REDEXTER_PICK(a, b, 1, 3))
#define REDEXTER_TWOS(a, b) (a)
#endif
REDEXTER_INLINE redexter_v redexter_sums(redexter_v *all) {
  for (int k = 0; k < REDEXTER_WIDTH / 2; k++) all[k] = REDEXTER_ONES(all[2 * k], all[2 * k + 1]);
  for (int n = REDEXTER_WIDTH / 4; n > 0; n /= 2)
    for (int k = 0; k < n; k++) all[k] = REDEXTER_TWOS(all[2 * k], all[2 * k + 1]);
  return all[0];
}
"#;

/// e^x as fdlibm has it, which the evaluator's is: the same operations in the same order, in all lanes; where one overflows,
/// underflows or is no number, one by one.
const EXP: &str = r"
REDEXTER_INLINE redexter_v redexter_exact_exp(double (*f)(double), redexter_v x) {
  const redexter_v ln2_hi = redexter_all(6.93147180369123816490e-01), ln2_lo = redexter_all(1.90821492927058770002e-10);
  const redexter_i bits = (redexter_i)x, high = (bits >> 32) & INT64_C(0x7fffffff);
  const redexter_i far = high >= redexter_ints(INT64_C(0x4086232b));
  int64_t any = 0;
  for (int k = 0; k < REDEXTER_WIDTH; k++) any |= far[k];
  if (any) return redexter_each(f, x);
  const redexter_i sign = bits & redexter_ints(INT64_MIN);
  const redexter_v one = (redexter_v)(sign | (redexter_i)redexter_all(1.0)), half = (redexter_v)(sign | (redexter_i)redexter_all(0.5));
  const redexter_v shift = redexter_all(6755399441055744.0), zero = redexter_all(0.0);
  const redexter_v t = 1.44269504088896338700e+00 * x + half;
  const redexter_v near = (t + shift) - shift;
  const redexter_v whole = near - redexter_choose(redexter_abss(near) > redexter_abss(t), one, zero);
  const redexter_v small = redexter_choose(high > redexter_ints(INT64_C(0x3fd62e42)), one, zero);
  const redexter_v k = redexter_choose(high >= redexter_ints(INT64_C(0x3ff0a2b2)), whole, small);
  const redexter_v hi = x - k * ln2_hi, lo = k * ln2_lo;
  const redexter_v r = hi - lo, rr = r * r;
  const redexter_v p4 = -1.65339022054652515390e-06 + rr * 4.13813679705723846039e-08;
  const redexter_v p2 = -2.77777777770155933842e-03 + rr * (6.61375632143793436117e-05 + rr * p4);
  const redexter_v c = r - rr * (1.66666666666666019037e-01 + rr * p2);
  const redexter_v y = 1.0 + (r * c / (2.0 - c) - lo + hi);
  const redexter_i exponent = ((redexter_i)(k + shift) - (redexter_i)shift + 1023) << 52;
  return redexter_choose(high <= redexter_ints(INT64_C(0x3e300000)), 1.0 + x, y * (redexter_v)exponent);
}
";

/// Functions of the vector library, where there is one.
const LIBRARY: &str = r"
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(REDEXTER_NO_LIBRARY)
#if REDEXTER_WIDTH == 8 && defined(__AVX512F__)
#define REDEXTER_FUNCTION(f) _ZGVeN8v_##f
#elif REDEXTER_WIDTH == 4 && defined(__AVX2__)
#define REDEXTER_FUNCTION(f) _ZGVdN4v_##f
#elif REDEXTER_WIDTH == 2
#define REDEXTER_FUNCTION(f) _ZGVbN2v_##f
#endif
#endif
#ifdef REDEXTER_FUNCTION
#define REDEXTER_DECLARE(f) \
  redexter_v REDEXTER_FUNCTION(f)(redexter_v); \
  REDEXTER_INLINE redexter_v redexter_##f##s(redexter_v x) { return REDEXTER_FUNCTION(f)(x); }
#else
#define REDEXTER_DECLARE(f) REDEXTER_INLINE redexter_v redexter_##f##s(redexter_v x) { return redexter_each(f, x); }
#endif
REDEXTER_DECLARE(exp)
REDEXTER_DECLARE(log)
REDEXTER_DECLARE(sin)
REDEXTER_DECLARE(cos)
#if defined(REDEXTER_FUNCTION) && !(__GLIBC__ > 2 || __GLIBC_MINOR__ >= 35)
REDEXTER_INLINE redexter_v redexter_tanhs(redexter_v x) { return redexter_each(tanh, x); }
#else
REDEXTER_DECLARE(tanh)
#endif
";

/// Each operation rounds by itself and keeps the sign of a zero, whatever flags others compile with: gcc 12 takes `0 - abs x`
/// for `-(abs x)`, and adds 0 where a branch adds nothing, so that -0 becomes 0, if it makes a mask of the branch.
const EXACT: &str = r#"
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC optimize ("fp-contract=off", "rounding-math", "no-tree-loop-if-convert")
#endif
"#;

/// What others compile behind is theirs.
const EXACT_END: &str = r"
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
";

/// Whether others compile it, and results are to be the evaluator's.
fn is_exact(target: &CTarget) -> bool {
    target.caller == Caller::C && target.freedom != Freedom::Fast
}

/// What stands behind all functions.
pub(super) fn end(target: &CTarget) -> &'static str {
    if is_exact(target) { EXACT_END } else { "" }
}

pub(super) fn prelude(target: &CTarget) -> String {
    let mut text = match target.caller {
        Caller::C if is_exact(target) => {
            "/* Written by redexter. Each operation rounds by itself: what a compiler other than gcc and clang needs for this, and\n   -ffast-math to be left out, is up to you. */\n"
                .to_owned()
        }
        Caller::C => "/* Written by redexter. Sums may be added in another order. */\n".to_owned(),
        Caller::Loaded => String::new(),
    };
    text += "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n";
    if is_exact(target) {
        text += EXACT;
    }
    text += COMMON;
    if target.checked {
        text += CHECKED;
    }
    if target.caller == Caller::C {
        text += BYTES;
        text += DIGAMMA;
        text += TRIGAMMA;
    }
    if target.vectors > 1 {
        let lanes: Vec<String> = (0..target.vectors).map(|k| k.to_string()).collect();
        text += &format!(
            "#define REDEXTER_WIDTH {}\n#define REDEXTER_INLINE {}\n{VECTORS}",
            target.vectors,
            inline(target)
        );
        text += "REDEXTER_INLINE redexter_i redexter_lanes(void) { return (redexter_i){";
        text += &lanes.join(", ");
        text += "}; }\n";
        text += if target.freedom == Freedom::Fast { LIBRARY } else { EXP };
    }
    text
}

/// How functions of vectors are declared. A processor that isn't named may have narrower vectors, and gcc warns of each copy of a
/// function that it makes for one caller and passes such vectors to.
fn inline(target: &CTarget) -> &'static str {
    match target.caller {
        Caller::C => "static inline __attribute__((always_inline))",
        Caller::Loaded => "static inline",
    }
}

/// What a function of reals is called by.
pub(super) fn function(prim: Prim, target: &CTarget) -> String {
    let place = FUNCTIONS.iter().position(|known| *known == prim);
    match (prim, place, target.caller) {
        (Prim::Abs, ..) => "fabs".to_owned(),
        (Prim::Digamma | Prim::Trigamma, _, Caller::C) => format!("redexter_{}", prim.text()),
        (Prim::Sign, ..) => "redexter_sign".to_owned(),
        // To the nearest even number in ties, where nobody has asked C to round otherwise.
        (Prim::Round, ..) => "rint".to_owned(),
        // The evaluator's, but for those that C has, too, where these will do.
        (Prim::Lgamma | Prim::Digamma | Prim::Trigamma, Some(k), Caller::Loaded) => format!("functions[{k}]"),
        // All have one type in the table; by a type without parameters they may be taken for what they are.
        (_, Some(k), Caller::Loaded) if target.freedom != Freedom::Fast && prim.arity() == 2 => {
            format!("((double (*)(double, double))(void (*)(void))functions[{k}])")
        }
        (_, Some(k), Caller::Loaded) if target.freedom != Freedom::Fast => format!("functions[{k}]"),
        (Prim::RealPow, ..) => "pow".to_owned(),
        _ => prim.text().to_owned(),
    }
}
