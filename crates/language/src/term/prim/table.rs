//! Lists the rows. What runs is the same on every machine: std where IEEE says each bit, `libm` for the rest.

use std::f64::consts::FRAC_2_SQRT_PI;

use super::formula::Derivative::{self, Power, Tangent};
use super::formula::Formula::{self, Dx, Dy, If, Number, One, R, Two, X, Y};
use super::futhark::FutharkForm::{self, Connective, Infix, Library, Minus, RealExponent, Same, Test};
use super::futhark::{DIGAMMA, EXPM1, LOG1P, QUOTIENT, REMAINDER, SIGN, TRIGAMMA};
use super::overload::Overload::{
    self, FinToInt, FinToReal, Fins, Int, IntToReal, Ints, Real, RealFin, RealInt, Reals, Shift, TestFins, TestInts,
    TestReals,
};
use super::special::{self, digamma, power, trigamma};
use super::{
    ADDITIVE, COMPARISON, CONJUNCTION, DISJUNCTION, Fixity, MINUS, MULTIPLICATIVE, NEGATION, POWER, PrimClass, PrimRow,
};
use crate::term::charge::Charge::{self, Compare, FlopIfReal, Free};
use Fixity::{Infix as Between, Open, Prefix, Reserved};
use Prim::{
    Abs, Add, Cos, Cosh, Digamma, Div, Exp, Gt, Log, Lt, Mul, Neg, RealPow, RoundedDiv, Sin, Sinh, Sqrt, Sub, Trigamma,
};
use PrimClass::{Arithmetic, Comparison, Connective as Logic, Conversion, Function};

macro_rules! prims {
    ($($name:ident $(($held:ident: $of:ty))? = $row:expr;)*) => {
        /// A primitive of the array language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Prim {
            $(#[doc = concat!("Row `", stringify!($name), "` of the table.")] $name $(($of))?,)*
        }

        enum Rank { $($name),* }

        static ROWS: [PrimRow; Prim::ALL.len()] = [$($row),*];

        impl Prim {
            /// Every primitive; of those that hold a literal, the one with 0.
            pub const ALL: &[Prim] = &[$(Prim::$name $((0 as $of))?),*];

            /// The literal that it holds.
            #[inline]
            pub fn held(self) -> Option<u64> {
                match self { $(Prim::$name $(($held))? => [$(Some($held),)? None][0]),* }
            }

            /// The number of its row.
            #[inline]
            pub(in crate::term) fn number(self) -> usize {
                match self { $(Prim::$name { .. } => Rank::$name as usize),* }
            }
        }
    };
}

/// Text, fixity, class, charge; what it takes and computes; derivative; Futhark.
const fn row(
    text: &'static str,
    fixity: Fixity,
    class: PrimClass,
    charge: Charge,
    overloads: &'static [Overload],
    derivative: Derivative,
    futhark: FutharkForm,
) -> PrimRow {
    assert!(!overloads.is_empty(), "a primitive takes something");
    PrimRow { text, fixity, class, charge, overloads, derivative, futhark }
}

/// A function of one real: text, fixity, what it computes, the tangent of its result, Futhark.
const fn function(
    text: &'static str,
    fixity: Fixity,
    overloads: &'static [Overload; 1],
    derivative: Derivative,
    futhark: FutharkForm,
) -> PrimRow {
    row(text, fixity, Function, FlopIfReal, overloads, derivative, futhark)
}

/// √(1 - x²), without losing digits near 1.
const ASIDE: Formula = One(Sqrt, &Two(Mul, &Two(Sub, &Number(1.0), &X), &Two(Add, &Number(1.0), &X)));

/// 2 / √π · exp(-x²) · x′, the tangent of erf.
const BELL: Formula = Two(Mul, &Two(Mul, &Number(FRAC_2_SQRT_PI), &One(Exp, &One(Neg, &Two(Mul, &X, &X)))), &Dx);

/// An operator of the reals as computers round it, which no law of the reals knows: text, fixity, what it computes, the tangent
/// of its result, Futhark.
const fn rounded(
    text: &'static str,
    fixity: Fixity,
    overloads: &'static [Overload; 1],
    derivative: Derivative,
    futhark: FutharkForm,
) -> PrimRow {
    row(text, fixity, Arithmetic, FlopIfReal, overloads, derivative, futhark)
}

/// A comparison: text, what it computes, Futhark.
const fn comparison(text: &'static str, overloads: &'static [Overload; 3], futhark: &'static str) -> PrimRow {
    row(text, Between(COMPARISON), Comparison, Compare, overloads, Derivative::None, Test(futhark))
}

prims! {
    Add = row("+", Between(ADDITIVE), Arithmetic, FlopIfReal,
        &[Reals(|a, b| a + b), Ints(i64::wrapping_add), Fins(u64::saturating_add)],
        Tangent(Two(Add, &Dx, &Dy)), Infix("+"));
    Sub = row("-", Between(ADDITIVE), Arithmetic, FlopIfReal, &[Reals(|a, b| a - b), Ints(i64::wrapping_sub)],
        Tangent(Two(Sub, &Dx, &Dy)), Infix("-"));
    Mul = row("*", Between(MULTIPLICATIVE), Arithmetic, FlopIfReal, &[Reals(|a, b| a * b), Ints(i64::wrapping_mul)],
        Tangent(Two(Add, &Two(Mul, &X, &Dy), &Two(Mul, &Dx, &Y))), Infix("*"));
    Div = row("/", Between(MULTIPLICATIVE), Arithmetic, FlopIfReal, &[Reals(|a, b| a / b)],
        Tangent(Two(Div, &Two(Sub, &Dx, &Two(Mul, &R, &Dy)), &Y)), Infix("/"));
    Quot = row("/", Between(MULTIPLICATIVE), Arithmetic, FlopIfReal, &[Ints(special::quotient)],
        Derivative::None, QUOTIENT);
    Rem = row("%", Between(MULTIPLICATIVE), Arithmetic, FlopIfReal, &[Ints(special::remainder)],
        Derivative::None, REMAINDER);
    Neg = row("-", Prefix(MINUS), Arithmetic, FlopIfReal, &[Real(|a| -a), Int(i64::wrapping_neg)],
        Tangent(One(Neg, &Dx)), Minus);
    Exp = function("exp", Reserved, &[Real(libm::exp)], Tangent(Two(Mul, &R, &Dx)), Library("f64.exp"));
    Log = function("log", Reserved, &[Real(libm::log)], Tangent(Two(Div, &Dx, &X)), Library("f64.log"));
    Sqrt = function("sqrt", Reserved, &[Real(f64::sqrt)],
        Tangent(Two(Div, &Dx, &Two(Mul, &Number(2.0), &R))), Library("f64.sqrt"));
    Sin = function("sin", Reserved, &[Real(libm::sin)], Tangent(Two(Mul, &One(Cos, &X), &Dx)), Library("f64.sin"));
    Cos = function("cos", Reserved, &[Real(libm::cos)],
        Tangent(One(Neg, &Two(Mul, &One(Sin, &X), &Dx))), Library("f64.cos"));
    Tanh = function("tanh", Reserved, &[Real(libm::tanh)],
        Tangent(Two(Mul, &Two(Sub, &Number(1.0), &Two(Mul, &R, &R)), &Dx)), Library("f64.tanh"));
    Abs = function("abs", Reserved, &[Real(f64::abs)],
        Tangent(If(&Two(Lt, &X, &Number(0.0)), &One(Neg, &Dx), &Dx)), Library("f64.abs"));
    Lgamma = function("lgamma", Reserved, &[Real(libm::lgamma)],
        Tangent(Two(Mul, &One(Digamma, &X), &Dx)), Library("f64.lgamma"));
    Digamma = function("digamma", Reserved, &[Real(digamma)],
        Tangent(Two(Mul, &One(Trigamma, &X), &Dx)), DIGAMMA);
    Trigamma = function("trigamma", Open, &[Real(trigamma)], Derivative::None, TRIGAMMA);
    Sinh = function("sinh", Open, &[Real(libm::sinh)], Tangent(Two(Mul, &One(Cosh, &X), &Dx)), Library("f64.sinh"));
    Cosh = function("cosh", Open, &[Real(libm::cosh)], Tangent(Two(Mul, &One(Sinh, &X), &Dx)), Library("f64.cosh"));
    Atan = function("atan", Open, &[Real(libm::atan)],
        Tangent(Two(Div, &Dx, &Two(Add, &Number(1.0), &Two(Mul, &X, &X)))), Library("f64.atan"));
    Tan = function("tan", Open, &[Real(libm::tan)],
        Tangent(Two(Mul, &Two(Add, &Number(1.0), &Two(Mul, &R, &R)), &Dx)), Library("f64.tan"));
    Asin = function("asin", Open, &[Real(libm::asin)], Tangent(Two(Div, &Dx, &ASIDE)), Library("f64.asin"));
    Acos = function("acos", Open, &[Real(libm::acos)],
        Tangent(One(Neg, &Two(Div, &Dx, &ASIDE))), Library("f64.acos"));
    // Quotients that no law takes apart: y * y underflows or overflows where y * (y / x) doesn't.
    Atan2 = row("atan2", Open, Function, FlopIfReal, &[Reals(libm::atan2)],
        Tangent(If(&Two(Lt, &One(Abs, &Y), &One(Abs, &X)),
            &Two(Div, &Two(Sub, &Two(Mul, &Two(RoundedDiv, &Y, &X), &Dx), &Dy),
                &Two(Add, &X, &Two(Mul, &Y, &Two(RoundedDiv, &Y, &X)))),
            &Two(Div, &Two(Sub, &Dx, &Two(Mul, &Two(RoundedDiv, &X, &Y), &Dy)),
                &Two(Add, &Y, &Two(Mul, &X, &Two(RoundedDiv, &X, &Y)))))),
        Library("f64.atan2"));
    Erf = function("erf", Open, &[Real(libm::erf)], Tangent(BELL), Library("f64.erf"));
    Erfc = function("erfc", Open, &[Real(libm::erfc)], Tangent(One(Neg, &BELL)), Library("f64.erfc"));
    Log1p = function("log1p", Open, &[Real(libm::log1p)],
        Tangent(Two(Div, &Dx, &Two(Add, &Number(1.0), &X))), LOG1P);
    Expm1 = function("expm1", Open, &[Real(libm::expm1)], Tangent(Two(Mul, &One(Exp, &X), &Dx)), EXPM1);
    Floor = function("floor", Open, &[Real(f64::floor)], Tangent(Number(0.0)), Library("f64.floor"));
    Ceil = function("ceil", Open, &[Real(f64::ceil)], Tangent(Number(0.0)), Library("f64.ceil"));
    Round = function("round", Open, &[Real(f64::round_ties_even)], Tangent(Number(0.0)), Library("f64.round"));
    Sign = function("sign", Open, &[Real(special::sign)], Tangent(Number(0.0)), SIGN);
    RealPow = row("^", Between(POWER), Function, FlopIfReal, &[Reals(libm::pow)],
        Tangent(Two(Add,
            &If(&Two(Prim::Eq, &Y, &Number(0.0)), &Number(0.0),
                &Two(Mul, &Two(Mul, &Y, &Two(RealPow, &X, &Two(Sub, &Y, &Number(1.0)))), &Dx)),
            &If(&Two(Gt, &X, &Number(0.0)), &Two(Mul, &Two(Mul, &R, &One(Log, &X)), &Dy), &Number(0.0)))),
        Infix("**"));
    Pow = row("pow", Reserved, Function, FlopIfReal,
        &[RealInt(|x, k| power(x, k.unsigned_abs(), k < 0)), RealFin(|x, k| power(x, k, false))],
        Power, RealExponent("**"));
    Min = row("min", Reserved, Arithmetic, FlopIfReal, &[Reals(special::min)],
        Tangent(If(&Two(Prim::Eq, &R, &X), &Dx, &Dy)), Library("f64.min"));
    Max = row("max", Reserved, Arithmetic, FlopIfReal, &[Reals(special::max)],
        Tangent(If(&Two(Prim::Eq, &R, &X), &Dx, &Dy)), Library("f64.max"));
    RoundedAdd = rounded("⊕", Between(ADDITIVE), &[Reals(|a, b| a + b)], Tangent(Two(Add, &Dx, &Dy)), Infix("+"));
    RoundedSub = rounded("⊖", Between(ADDITIVE), &[Reals(|a, b| a - b)], Tangent(Two(Sub, &Dx, &Dy)), Infix("-"));
    RoundedMul = rounded("⊗", Between(MULTIPLICATIVE), &[Reals(|a, b| a * b)],
        Tangent(Two(Add, &Two(Mul, &X, &Dy), &Two(Mul, &Dx, &Y))), Infix("*"));
    RoundedDiv = rounded("⊘", Between(MULTIPLICATIVE), &[Reals(|a, b| a / b)],
        Tangent(Two(Div, &Two(Sub, &Dx, &Two(Mul, &R, &Dy)), &Y)), Infix("/"));
    RoundedNeg = rounded("⊖", Prefix(MINUS), &[Real(|a| -a)], Tangent(One(Neg, &Dx)), Minus);
    Rounded = row("rounded", Open, Arithmetic, Free, &[Real(|a| a)], Tangent(Dx), Same);
    Lt = comparison("<", &[TestReals(f64::lt), TestInts(i64::lt), TestFins(u64::lt)], "<");
    Le = comparison("<=", &[TestReals(f64::le), TestInts(i64::le), TestFins(u64::le)], "<=");
    Gt = comparison(">", &[TestReals(f64::gt), TestInts(i64::gt), TestFins(u64::gt)], ">");
    Ge = comparison(">=", &[TestReals(f64::ge), TestInts(i64::ge), TestFins(u64::ge)], ">=");
    Eq = comparison("=", &[TestReals(f64::eq), TestInts(i64::eq), TestFins(u64::eq)], "==");
    Ne = comparison("!=", &[TestReals(f64::ne), TestInts(i64::ne), TestFins(u64::ne)], "!=");
    And = row("&&", Between(CONJUNCTION), Logic, Free, &[Ints(|a, b| i64::from(a != 0 && b != 0))],
        Derivative::None, Connective("&&"));
    Or = row("||", Between(DISJUNCTION), Logic, Free, &[Ints(|a, b| i64::from(a != 0 || b != 0))],
        Derivative::None, Connective("||"));
    Not = row("not", Prefix(NEGATION), Logic, Free, &[Int(|a| i64::from(a == 0))], Derivative::None, FutharkForm::Not);
    ToReal = row("real", Reserved, Conversion, Free, &[IntToReal(|a| a as f64), FinToReal(|a| a as f64)],
        Derivative::None, Library("f64.i64"));
    ToInt = row("int", Reserved, Conversion, Free, &[FinToInt(|a| a as i64)], Derivative::None, Same);
    Offset(c: u64) = row("+", Between(ADDITIVE), Arithmetic, Free, &[Shift(u64::saturating_add)],
        Derivative::None, FutharkForm::Shift);
}

impl Prim {
    /// Its row.
    pub(super) fn row(self) -> &'static PrimRow {
        &ROWS[self.number()]
    }

    /// An operation of the reals, and what it is where it is kept as it is written.
    const KEPT: [(Prim, Prim); 5] = [
        (Prim::Add, Prim::RoundedAdd),
        (Prim::Sub, Prim::RoundedSub),
        (Prim::Mul, Prim::RoundedMul),
        (Prim::Div, Prim::RoundedDiv),
        (Prim::Neg, Prim::RoundedNeg),
    ];

    /// What an operator of the reals is where it is kept as it is written.
    pub(in crate::term) fn kept(self) -> Option<Prim> {
        Prim::KEPT.iter().find(|(plain, _)| *plain == self).map(|(_, kept)| *kept)
    }

    /// The operator that computes the same, for who has no laws: of one that is kept the usual one, else itself.
    pub fn unrounded(self) -> Prim {
        Prim::KEPT.iter().find(|(_, kept)| *kept == self).map_or(self, |(plain, _)| *plain)
    }

    /// Whether it is an operation that no law of the reals knows.
    pub fn is_rounded(self) -> bool {
        self == Prim::Rounded || self.unrounded() != self
    }

    /// The literal that it holds; 0 for those that hold none.
    pub fn literal(self) -> u64 {
        self.held().unwrap_or(0)
    }
}
