//! Defines what primitives take and compute: types and meaning in one, so that they can't differ.
//!
//! Reals are IEEE doubles, integers wrap. Indices are below their size, so that their sums are below the sum.

use super::Prim;
use crate::term::scheme::{MetaSize, MetaType};
use MetaType::{Int, Real};

/// The operands that a primitive takes, by their types, and the function that it computes of them.
#[derive(Clone, Copy, Debug)]
pub enum Overload {
    /// `real -> real`
    Real(fn(f64) -> f64),
    /// `real -> real -> real`
    Reals(fn(f64, f64) -> f64),
    /// `real -> int -> real`
    RealInt(fn(f64, i64) -> f64),
    /// `real -> fin n -> real`
    RealFin(fn(f64, u64) -> f64),
    /// `int -> int`
    Int(fn(i64) -> i64),
    /// `int -> int -> int`
    Ints(fn(i64, i64) -> i64),
    /// `fin n -> fin m -> fin (n + m)`
    Fins(fn(u64, u64) -> u64),
    /// `fin n -> fin (n + c)` for the literal c that the primitive holds.
    Shift(fn(u64, u64) -> u64),
    /// `real -> real -> int`, a truth.
    TestReals(fn(&f64, &f64) -> bool),
    /// `int -> int -> int`, a truth.
    TestInts(fn(&i64, &i64) -> bool),
    /// `fin n -> fin m -> int`, a truth.
    TestFins(fn(&u64, &u64) -> bool),
    /// `int -> real`
    IntToReal(fn(i64) -> f64),
    /// `fin n -> real`
    FinToReal(fn(u64) -> f64),
    /// `fin n -> int`
    FinToInt(fn(u64) -> i64),
}

/// A number of the language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A `real`.
    Real(f64),
    /// An `int`.
    Int(i64),
    /// A `fin n`.
    Fin(u64),
}

const N: MetaType = MetaType::Fin(MetaSize::Var(0));
const M: MetaType = MetaType::Fin(MetaSize::Var(1));

impl Overload {
    /// The types of the operands.
    pub fn operands(&self) -> &'static [MetaType] {
        match self {
            Overload::Real(_) => &[Real],
            Overload::Reals(_) | Overload::TestReals(_) => &[Real, Real],
            Overload::RealInt(_) => &[Real, Int],
            Overload::RealFin(_) => &[Real, N],
            Overload::Int(_) | Overload::IntToReal(_) => &[Int],
            Overload::Ints(_) | Overload::TestInts(_) => &[Int, Int],
            Overload::Fins(_) | Overload::TestFins(_) => &[N, M],
            Overload::Shift(_) | Overload::FinToReal(_) | Overload::FinToInt(_) => &[N],
        }
    }

    /// The type of the result.
    pub fn result(&self) -> &'static MetaType {
        match self {
            Overload::Real(_) | Overload::Reals(_) | Overload::RealInt(_) | Overload::RealFin(_) => &Real,
            Overload::IntToReal(_) | Overload::FinToReal(_) => &Real,
            Overload::Int(_) | Overload::Ints(_) | Overload::FinToInt(_) => &Int,
            Overload::TestReals(_) | Overload::TestInts(_) | Overload::TestFins(_) => &Int,
            Overload::Fins(_) => &MetaType::Fin(MetaSize::Sum(0, 1)),
            Overload::Shift(_) => &MetaType::Fin(MetaSize::Shifted(0)),
        }
    }

    /// The result, if it takes such operands; `literal` is what the primitive holds.
    fn compute(&self, literal: u64, operands: &[Scalar]) -> Option<Scalar> {
        use Scalar::{Fin, Int, Real};
        let truth = |holds: bool| Int(i64::from(holds));
        Some(match (self, operands) {
            (Overload::Real(f), [Real(a)]) => Real(f(*a)),
            (Overload::Reals(f), [Real(a), Real(b)]) => Real(f(*a, *b)),
            (Overload::RealInt(f), [Real(a), Int(k)]) => Real(f(*a, *k)),
            (Overload::RealFin(f), [Real(a), Fin(k)]) => Real(f(*a, *k)),
            (Overload::Int(f), [Int(a)]) => Int(f(*a)),
            (Overload::Ints(f), [Int(a), Int(b)]) => Int(f(*a, *b)),
            (Overload::Fins(f), [Fin(a), Fin(b)]) => Fin(f(*a, *b)),
            (Overload::Shift(f), [Fin(a)]) => Fin(f(*a, literal)),
            (Overload::TestReals(f), [Real(a), Real(b)]) => truth(f(a, b)),
            (Overload::TestInts(f), [Int(a), Int(b)]) => truth(f(a, b)),
            (Overload::TestFins(f), [Fin(a), Fin(b)]) => truth(f(a, b)),
            (Overload::IntToReal(f), [Int(a)]) => Real(f(*a)),
            (Overload::FinToReal(f), [Fin(a)]) => Real(f(*a)),
            (Overload::FinToInt(f), [Fin(a)]) => Int(f(*a)),
            (
                Overload::Real(_)
                | Overload::Reals(_)
                | Overload::RealInt(_)
                | Overload::RealFin(_)
                | Overload::Int(_)
                | Overload::Ints(_)
                | Overload::Fins(_)
                | Overload::Shift(_)
                | Overload::TestReals(_)
                | Overload::TestInts(_)
                | Overload::TestFins(_)
                | Overload::IntToReal(_)
                | Overload::FinToReal(_)
                | Overload::FinToInt(_),
                _,
            ) => return None,
        })
    }
}

impl Prim {
    /// What it gives, if it takes such operands.
    pub fn compute(self, operands: &[Scalar]) -> Option<Scalar> {
        self.overloads().iter().find_map(|overload| overload.compute(self.literal(), operands))
    }
}
