//! Says what primitives are in Futhark, and defines the functions that its library lacks.

/// A primitive as it is written in Futhark 0.22; operators bind in the same order there.
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

/// As [`digamma`](super::digamma) computes it.
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
