//! Says what each primitive gives of numbers of twice the digits.

use super::double_double::DoubleDouble;
use redexter_language::term::Prim;

/// How a primitive computes with a [`DoubleDouble`] in the place of each real.
#[derive(Clone, Copy, Debug)]
pub enum LongPrimitive {
    /// Of one real.
    One(fn(DoubleDouble) -> DoubleDouble),
    /// Of two.
    Two(fn(DoubleDouble, DoubleDouble) -> DoubleDouble),
    /// Whether something holds of two.
    Test(fn(DoubleDouble, DoubleDouble) -> bool),
    /// Of a real and a whole number.
    Power(fn(DoubleDouble, i64) -> DoubleDouble),
    /// Of a whole number.
    OfWhole(fn(i64) -> DoubleDouble),
    /// As without more digits: it knows no reals, or is kept, and so rounds as doubles do.
    AsDoubles,
}

use LongPrimitive::{AsDoubles, OfWhole, One, Power, Test, Two};

impl LongPrimitive {
    /// That of a primitive.
    pub fn of(prim: Prim) -> LongPrimitive {
        match prim {
            Prim::Add => Two(DoubleDouble::plus),
            Prim::Sub => Two(DoubleDouble::minus),
            Prim::Mul => Two(DoubleDouble::times),
            Prim::Div => Two(DoubleDouble::over),
            Prim::Neg => One(DoubleDouble::negated),
            Prim::Exp => One(DoubleDouble::exp),
            Prim::Log => One(DoubleDouble::log),
            Prim::Sqrt => One(DoubleDouble::sqrt),
            Prim::Sin => One(|x| x.sin_cos().0),
            Prim::Cos => One(|x| x.sin_cos().1),
            Prim::Tanh => One(DoubleDouble::tanh),
            Prim::Abs => One(DoubleDouble::abs),
            Prim::Lgamma => One(DoubleDouble::lgamma),
            Prim::Digamma => One(DoubleDouble::digamma),
            Prim::Trigamma => One(DoubleDouble::trigamma),
            Prim::Sinh => One(DoubleDouble::sinh),
            Prim::Cosh => One(DoubleDouble::cosh),
            Prim::Atan => One(DoubleDouble::atan),
            Prim::Tan => One(DoubleDouble::tan),
            Prim::Asin => One(DoubleDouble::asin),
            Prim::Acos => One(DoubleDouble::acos),
            Prim::Atan2 => Two(DoubleDouble::atan2),
            Prim::Erf => One(DoubleDouble::erf),
            Prim::Erfc => One(DoubleDouble::erfc),
            Prim::Log1p => One(DoubleDouble::log1p),
            Prim::Expm1 => One(DoubleDouble::expm1),
            Prim::Floor => One(DoubleDouble::floor),
            Prim::Ceil => One(|x| x.negated().floor().negated()),
            Prim::Round => One(DoubleDouble::round),
            Prim::Sign => One(DoubleDouble::sign),
            Prim::RealPow => Two(DoubleDouble::real_power),
            Prim::Pow => Power(DoubleDouble::power),
            Prim::Min => Two(|x, y| if x.is_nan() || y.is_below(x) { y } else { x }),
            Prim::Max => Two(|x, y| if x.is_nan() || x.is_below(y) { y } else { x }),
            Prim::Lt => Test(DoubleDouble::is_below),
            Prim::Le => Test(|x, y| x.is_below(y) || x == y),
            Prim::Gt => Test(|x, y| y.is_below(x)),
            Prim::Ge => Test(|x, y| y.is_below(x) || x == y),
            Prim::Eq => Test(|x, y| x == y),
            Prim::Ne => Test(|x, y| x != y),
            Prim::ToReal => OfWhole(DoubleDouble::of_int),
            Prim::RoundedAdd | Prim::RoundedSub | Prim::RoundedMul | Prim::RoundedDiv => AsDoubles,
            Prim::RoundedNeg | Prim::Rounded => AsDoubles,
            Prim::Quot | Prim::Rem | Prim::And | Prim::Or | Prim::Not | Prim::ToInt | Prim::Offset(_) => AsDoubles,
        }
    }
}
