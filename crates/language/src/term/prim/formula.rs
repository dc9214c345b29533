//! Represents derivatives as data: a line of calculus for each primitive.

use super::Prim;

/// The derivative of a primitive's result by its operands.
#[derive(Clone, Copy, Debug)]
pub enum Derivative {
    /// The tangent of the result.
    Tangent(Formula),
    /// That of a power, by its base: the exponent decides.
    Power,
    /// None: its result is no real, or no operand is, or the derivative isn't known.
    None,
}

/// A term over the operands of a primitive, their tangents and its result.
#[derive(Clone, Copy, Debug)]
pub enum Formula {
    /// The first operand.
    X,
    /// The second operand.
    Y,
    /// The tangent of the first operand.
    Dx,
    /// The tangent of the second operand.
    Dy,
    /// The result.
    R,
    /// A number.
    Number(f64),
    /// A primitive of one operand.
    One(Prim, &'static Formula),
    /// A primitive of two operands.
    Two(Prim, &'static Formula, &'static Formula),
    /// A condition, what holds where it does, and what holds elsewhere.
    If(&'static Formula, &'static Formula, &'static Formula),
}

impl Formula {
    /// Whether the result stands in it.
    pub fn uses_result(&self) -> bool {
        match self {
            Formula::R => true,
            Formula::X | Formula::Y | Formula::Dx | Formula::Dy | Formula::Number(_) => false,
            Formula::One(_, a) => a.uses_result(),
            Formula::Two(_, a, b) => a.uses_result() || b.uses_result(),
            Formula::If(c, a, b) => c.uses_result() || a.uses_result() || b.uses_result(),
        }
    }
}
