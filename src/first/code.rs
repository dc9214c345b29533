//! First-order expressions. No two binders have the same number.

use std::rc::Rc;

use crate::ground::Name;
use crate::term::{Prim, Size, Type};

/// A variable: its number tells it from others.
#[derive(Clone, Debug)]
pub struct Var {
    /// No other variable of the program has it.
    pub number: u32,
    /// The user's name for it.
    pub hint: Rc<str>,
    /// Its type; an `int`'s for an index, too.
    pub ty: Type,
}

/// An expression, of data.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A variable.
    Var(Var),
    /// A `real`.
    Real(f64),
    /// An `int`, or an index.
    Int(i64),
    /// The value of a size variable.
    Size(Name),
    /// A primitive and its operands.
    Prim(Prim, Vec<Expr>),
    /// Whether an `int` isn't 0: the condition of an `if`, or a variable that is one.
    Truth(Box<Expr>),
    /// Both halves of a pair.
    Pair(Box<(Expr, Expr)>),
    /// The first half of a pair, or the second.
    Half(Box<Expr>, bool),
    /// An array and an index.
    Index(Box<(Expr, Expr)>),
    /// An array of these elements, of this type.
    Array(Type, Vec<Expr>),
    /// A truth, what holds where it does, and what holds elsewhere.
    If(Box<(Expr, Expr, Expr)>),
    /// Variables, each in the scope of those before it.
    Lets(Vec<(Var, Expr)>, Box<Expr>),
    /// A loop with an accumulator.
    Fold(Box<Fold>),
    /// Size, index, element.
    Build(Size, Var, Box<Expr>),
}

/// `ifold size (fun acc index => body) init`
#[derive(Clone, Debug)]
pub struct Fold {
    /// How many steps it takes.
    pub size: Size,
    /// What a step is given.
    pub acc: Var,
    /// The number of the step.
    pub index: Var,
    /// What the first step is given.
    pub init: Expr,
    /// What a step gives.
    pub body: Expr,
}

impl Expr {
    /// Whether an `int` isn't 0.
    pub(super) fn truth(self) -> Expr {
        Expr::Truth(Box::new(self))
    }

    pub(super) fn if_else(condition: Expr, a: Expr, b: Expr) -> Expr {
        match condition {
            Expr::Truth(c) if matches!(*c, Expr::Int(_)) => {
                if matches!(*c, Expr::Int(0)) {
                    b
                } else {
                    a
                }
            }
            condition => Expr::If(Box::new((condition, a, b))),
        }
    }

    /// `lets` around `body`, one chain where `body` is one.
    pub(super) fn lets(mut lets: Vec<(Var, Expr)>, body: Expr) -> Expr {
        match body {
            body if lets.is_empty() => body,
            Expr::Lets(more, inner) => {
                lets.extend(more);
                Expr::Lets(lets, inner)
            }
            body => Expr::Lets(lets, Box::new(body)),
        }
    }

    /// Whether repeating it costs nothing: a name or a constant.
    pub(super) fn is_atom(&self) -> bool {
        match self {
            Expr::Var(_) | Expr::Size(_) | Expr::Real(_) | Expr::Int(_) => true,
            Expr::Truth(c) => matches!(**c, Expr::Int(_)),
            _ => false,
        }
    }
}
