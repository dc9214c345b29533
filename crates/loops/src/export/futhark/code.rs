//! Defines first-order Futhark expressions, which lowering gives and `text` lays out. Names in scope are distinct.

use std::rc::Rc;

use redexter_language::ground::writing::goes_on;
use redexter_language::term::Prim;

/// A legal Futhark name.
pub(super) type FutharkName = Rc<str>;

/// A size: a name or a literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Dim {
    Name(FutharkName),
    Literal(u64),
}

/// An expression. A binary operator is the primitive that it is written for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FutharkExpr {
    Var(FutharkName),
    Real(f64),
    Int(i64),
    Bool(bool),
    Neg(Box<FutharkExpr>),
    Not(Box<FutharkExpr>),
    Binary(Prim, Box<(FutharkExpr, FutharkExpr)>),
    /// A function of the library and its arguments.
    Call(&'static str, Vec<FutharkExpr>),
    /// 1 for true, 0 for false.
    FromBool(Box<FutharkExpr>),
    /// An operator on arrays, and both.
    Apply(FutharkOperator, Box<(FutharkExpr, FutharkExpr)>),
    /// At least two.
    Tuple(Vec<FutharkExpr>),
    Field(Box<FutharkExpr>, u8),
    /// An array and an index, and how long the array is where that is known.
    Index(Box<(FutharkExpr, FutharkExpr)>, Option<Dim>),
    /// An array that nothing else needs, with another element at an index.
    With(Box<(FutharkExpr, FutharkExpr, FutharkExpr)>),
    /// At least one element.
    Array(Vec<FutharkExpr>),
    /// The empty array of this type.
    Empty(String),
    /// The condition is a truth value.
    If(Box<(FutharkExpr, FutharkExpr, FutharkExpr)>),
    Lets(Vec<(FutharkName, FutharkExpr)>, Box<FutharkExpr>),
    Loop(Box<FutharkLoop>),
    /// Size, index (if it is used), element.
    Tabulate(Dim, Option<FutharkName>, Box<FutharkExpr>),
    /// The neutral element and the array.
    Reduce(FutharkOperator, Box<(FutharkExpr, FutharkExpr)>),
    /// The same, of each first part of the array.
    Scan(FutharkOperator, Box<(FutharkExpr, FutharkExpr)>),
    /// The neutral element, how many places there are, and arrays of places and of what is taken together at each.
    Hist(FutharkOperator, Dim, Box<[FutharkExpr; 3]>),
    /// Whether what is asked of an element, which has this name, holds for all of an array.
    All(FutharkName, Box<(FutharkExpr, FutharkExpr)>),
    /// The same value under a type with other sizes, checked at run time.
    Coerce(Box<FutharkExpr>, String),
    /// A condition and what is computed if it holds.
    Assert(Box<(FutharkExpr, FutharkExpr)>),
    /// What is computed without asking whether indices are in range: types have shown it.
    Unchecked(Box<FutharkExpr>),
}

/// An associative operator on values of one type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FutharkOperator {
    /// On numbers: of `+`, `*`, `max` and `min` one.
    Numbers(Prim),
    /// On arrays, element by element.
    Rows(Box<FutharkOperator>),
    /// On pairs, half by half.
    Halves(Box<(FutharkOperator, FutharkOperator)>),
}

/// `loop (acc: ty) = init for index < bound do body`
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FutharkLoop {
    /// What is carried: one part, or both halves of a pair. With the type, where it holds an array: without it a body that is
    /// `acc` in one branch and a new array in another would have an unknown size in Futhark.
    pub(super) parts: Vec<(FutharkName, Option<String>)>,
    pub(super) init: FutharkExpr,
    pub(super) index: FutharkName,
    pub(super) bound: Dim,
    pub(super) body: FutharkExpr,
}

impl FutharkExpr {
    pub(super) fn index(array: FutharkExpr, at: FutharkExpr) -> FutharkExpr {
        FutharkExpr::Index(Box::new((array, at)), None)
    }

    pub(super) fn binary(op: Prim, a: FutharkExpr, b: FutharkExpr) -> FutharkExpr {
        FutharkExpr::Binary(op, Box::new((a, b)))
    }

    pub(super) fn if_else(condition: FutharkExpr, a: FutharkExpr, b: FutharkExpr) -> FutharkExpr {
        match condition {
            FutharkExpr::Bool(true) => a,
            FutharkExpr::Bool(false) => b,
            condition => FutharkExpr::If(Box::new((condition, a, b))),
        }
    }

    /// `lets` around `body`, one chain where `body` is one.
    pub(super) fn lets(mut lets: Vec<(FutharkName, FutharkExpr)>, body: FutharkExpr) -> FutharkExpr {
        match body {
            body if lets.is_empty() => body,
            FutharkExpr::Lets(more, inner) => {
                lets.extend(more);
                FutharkExpr::Lets(lets, inner)
            }
            body => FutharkExpr::Lets(lets, Box::new(body)),
        }
    }

    /// A half of a pair.
    pub(super) fn half(self, k: u8) -> FutharkExpr {
        match self {
            FutharkExpr::Tuple(mut halves) if halves.len() == 2 => halves.swap_remove(usize::from(k)),
            pair => FutharkExpr::Field(Box::new(pair), k),
        }
    }

    /// The truth of an `i64`: whether it isn't 0.
    pub(super) fn truth(self) -> FutharkExpr {
        match self {
            FutharkExpr::FromBool(b) => *b,
            FutharkExpr::Int(k) => FutharkExpr::Bool(k != 0),
            FutharkExpr::Lets(lets, body) => FutharkExpr::Lets(lets, Box::new(body.truth())),
            other => FutharkExpr::binary(Prim::Ne, other, FutharkExpr::Int(0)),
        }
    }

    /// Whether repeating it costs nothing: a name or a constant.
    pub(super) fn is_atom(&self) -> bool {
        matches!(self, FutharkExpr::Var(_) | FutharkExpr::Real(_) | FutharkExpr::Int(_) | FutharkExpr::Bool(_))
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, FutharkExpr::Int(0)) || matches!(self, FutharkExpr::Real(x) if *x == 0.0)
    }

    /// Whether it takes an element of an array, or sets one.
    pub(super) fn has_index(&self) -> bool {
        self.any(&|code| matches!(code, FutharkExpr::Index(..) | FutharkExpr::With(_)))
    }

    /// Whether the variable occurs. It isn't bound again below: names in scope are distinct.
    pub(super) fn mentions(&self, name: &FutharkName) -> bool {
        self.any(&|code| matches!(code, FutharkExpr::Var(x) if x == name))
    }

    /// Whether something holds of a part. Who has to stop isn't told that it doesn't.
    fn any(&self, is: &dyn Fn(&FutharkExpr) -> bool) -> bool {
        let pair = |p: &(FutharkExpr, FutharkExpr)| p.0.any(is) || p.1.any(is);
        if !goes_on() || is(self) {
            return true;
        }
        match self {
            FutharkExpr::Var(_) | FutharkExpr::Real(_) | FutharkExpr::Int(_) => false,
            FutharkExpr::Bool(_) | FutharkExpr::Empty(_) => false,
            FutharkExpr::Neg(a)
            | FutharkExpr::Not(a)
            | FutharkExpr::FromBool(a)
            | FutharkExpr::Field(a, _)
            | FutharkExpr::Unchecked(a)
            | FutharkExpr::Coerce(a, _)
            | FutharkExpr::Tabulate(_, _, a) => a.any(is),
            FutharkExpr::Binary(_, p)
            | FutharkExpr::Index(p, _)
            | FutharkExpr::Reduce(_, p)
            | FutharkExpr::Scan(_, p)
            | FutharkExpr::Assert(p)
            | FutharkExpr::All(_, p)
            | FutharkExpr::Apply(_, p) => pair(p),
            FutharkExpr::Hist(_, _, all) => all.iter().any(|a| a.any(is)),
            FutharkExpr::Call(_, all) | FutharkExpr::Array(all) | FutharkExpr::Tuple(all) => {
                all.iter().any(|a| a.any(is))
            }
            FutharkExpr::If(p) | FutharkExpr::With(p) => p.0.any(is) || p.1.any(is) || p.2.any(is),
            FutharkExpr::Lets(lets, body) => lets.iter().any(|(_, a)| a.any(is)) || body.any(is),
            FutharkExpr::Loop(l) => l.init.any(is) || l.body.any(is),
        }
    }
}
