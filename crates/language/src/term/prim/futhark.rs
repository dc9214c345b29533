//! Says what primitives are in Futhark, and defines the functions that its library lacks.

/// A primitive as it is written in Futhark; operators bind in the same order there.
#[derive(Clone, Copy, Debug)]
pub enum FutharkForm {
    /// An operator between numbers.
    Infix(&'static str),
    /// Unary minus.
    Minus,
    /// An operator between numbers that gives a truth value.
    Test(&'static str),
    /// An operator between truth values.
    Connective(&'static str),
    /// The negation of a truth value.
    Not,
    /// An operator whose right operand becomes a real; it binds tightest.
    RealExponent(&'static str),
    /// The sum of an index and the literal that the primitive holds.
    Shift,
    /// Nothing: both types are one in Futhark.
    Same,
    /// A function of the library.
    Library(&'static str),
    /// A function that the library lacks: its name, and its definition, which is put on top of what uses it.
    Defined(&'static str, &'static str),
}

/// As [`digamma`](super::special::digamma) computes it.
pub(super) const DIGAMMA: FutharkForm = FutharkForm::Defined(
    "digamma",
    r"def digamma (x: f64) : f64 =
  if x == 0f64 then (-1f64) / x
  else if x == f64.inf then x
  else if x < 0f64 && (f64.isinf x || x == f64.round x) then f64.nan
  else
    let start = if x < 0f64 then 1f64 - x else x in
    let shifted =
      loop (far, steps) = (start, 0f64) while far < 16f64 do
        (far + 1f64, steps + 1f64 / far) in
    let far = shifted.0 in
    let steps = shifted.1 in
    let s = 1f64 / far / far in
    let c7 = 1f64 / 12f64 in
    let c6 = c7 * s - 691f64 / 32760f64 in
    let c5 = c6 * s + 1f64 / 132f64 in
    let c4 = c5 * s - 1f64 / 240f64 in
    let c3 = c4 * s + 1f64 / 252f64 in
    let c2 = c3 * s - 1f64 / 120f64 in
    let c1 = c2 * s + 1f64 / 12f64 in
    let value = f64.log far - 0.5f64 / far - c1 * s - steps in
    if x < 0f64 then value - f64.pi / f64.tan (f64.pi * (x - f64.round x)) else value
",
);

/// As [`trigamma`](super::special::trigamma) computes it.
pub(super) const TRIGAMMA: FutharkForm = FutharkForm::Defined(
    "trigamma",
    r"def trigamma (x: f64) : f64 =
  let start = if x < 0f64 then 1f64 - x else x in
  let shifted =
    loop (far, steps) = (start, 0f64) while far < 16f64 do
      (far + 1f64, steps + 1f64 / far / far) in
  let far = shifted.0 in
  let steps = shifted.1 in
  let s = 1f64 / far / far in
  let c7 = 7f64 / 6f64 in
  let c6 = c7 * s - 691f64 / 2730f64 in
  let c5 = c6 * s + 5f64 / 66f64 in
  let c4 = c5 * s - 1f64 / 30f64 in
  let c3 = c4 * s + 1f64 / 42f64 in
  let c2 = c3 * s - 1f64 / 30f64 in
  let c1 = c2 * s + 1f64 / 6f64 in
  let value = (1f64 + (0.5f64 / far + c1 * s)) / far + steps in
  let sine = f64.sin (f64.pi * (x - f64.round x)) in
  if x < 0f64 then f64.pi / sine * (f64.pi / sine) - value else value
",
);

/// The library's own gives 0 for NaN.
pub(super) const SIGN: FutharkForm = FutharkForm::Defined(
    "f64_sign",
    r"def f64_sign (x: f64) : f64 =
  if x > 0f64 then 1f64
  else if x < 0f64 then (-1f64)
  else x
",
);

/// Euclid's: the library's own round otherwise, and fail by 0.
pub(super) const QUOTIENT: FutharkForm = FutharkForm::Defined(
    "i64_quotient",
    r"def i64_quotient (a: i64) (b: i64) : i64 =
  if b == 0i64 then 0i64
  else if b == (-1i64) then 0i64 - a
  else if a %% b >= 0i64 then a // b
  else if b > 0i64 then a // b - 1i64
  else a // b + 1i64
",
);

/// What this leaves over.
pub(super) const REMAINDER: FutharkForm = FutharkForm::Defined(
    "i64_remainder",
    r"def i64_remainder (a: i64) (b: i64) : i64 =
  if b == 0i64 then a
  else if b == (-1i64) then 0i64
  else if a %% b >= 0i64 then a %% b
  else if b > 0i64 then a %% b + b
  else a %% b - b
",
);

/// Since Futhark 0.23 a part of its library. The rounding error of `1 + x` cancels (Kahan).
pub(super) const LOG1P: FutharkForm = FutharkForm::Defined(
    "f64_log1p",
    r"def f64_log1p (x: f64) : f64 =
  let u = 1f64 + x in
  if u == 1f64 || u == f64.inf then x
  else f64.log u * (x / (u - 1f64))
",
);

/// The rounding error of `exp x` cancels (Kahan).
pub(super) const EXPM1: FutharkForm = FutharkForm::Defined(
    "f64_expm1",
    r"def f64_expm1 (x: f64) : f64 =
  let u = f64.exp x in
  let less = u - 1f64 in
  if u == 1f64 then x
  else if less == (-1f64) || u == f64.inf then less
  else less * (x / f64.log u)
",
);
