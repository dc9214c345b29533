//! Defines first-order Futhark expressions, which lowering gives and `text` lays out. Names in scope are distinct.

use std::rc::Rc;

use redexter_language::ground::writing::goes_on;
use redexter_language::term::Prim;

/// A legal Futhark name.
pub(super) type Ident = Rc<str>;

/// A size in Futhark 0.22: a name or a literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Dim {
    Name(Ident),
    Literal(u64),
}

/// An expression. A binary operator is the primitive that it is written for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    Var(Ident),
    Real(f64),
    Int(i64),
    Bool(bool),
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary(Prim, Box<(Expr, Expr)>),
    /// A function of the library and its arguments.
    Call(&'static str, Vec<Expr>),
    /// 1 for true, 0 for false.
    FromBool(Box<Expr>),
    /// At least two.
    Tuple(Vec<Expr>),
    Field(Box<Expr>, u8),
    Index(Box<(Expr, Expr)>),
    /// At least one element.
    Array(Vec<Expr>),
    /// The empty array of this type.
    Empty(String),
    /// The condition is a truth value.
    If(Box<(Expr, Expr, Expr)>),
    Lets(Vec<(Ident, Expr)>, Box<Expr>),
    Loop(Box<Loop>),
    /// Size, index (if it is used), element.
    Tabulate(Dim, Option<Ident>, Box<Expr>),
    /// The neutral element and the array.
    Sum(Box<(Expr, Expr)>),
    /// The same value under a type with other sizes, checked at run time.
    Coerce(Box<Expr>, String),
    /// A condition and what is computed if it holds.
    Assert(Box<(Expr, Expr)>),
}

/// `loop (acc: ty) = init for index < bound do body`
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    pub(super) acc: Ident,
    /// The type, where it holds an array: without it a body that is `acc` in one branch and a new array in another
    /// would have an unknown size in Futhark.
    pub(super) ty: Option<String>,
    pub(super) init: Expr,
    pub(super) index: Ident,
    pub(super) bound: Dim,
    pub(super) body: Expr,
}

impl Expr {
    pub(super) fn binary(op: Prim, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new((a, b)))
    }

    pub(super) fn if_else(condition: Expr, a: Expr, b: Expr) -> Expr {
        match condition {
            Expr::Bool(true) => a,
            Expr::Bool(false) => b,
            condition => Expr::If(Box::new((condition, a, b))),
        }
    }

    /// `lets` around `body`, one chain where `body` is one.
    pub(super) fn lets(mut lets: Vec<(Ident, Expr)>, body: Expr) -> Expr {
        match body {
            body if lets.is_empty() => body,
            Expr::Lets(more, inner) => {
                lets.extend(more);
                Expr::Lets(lets, inner)
            }
            body => Expr::Lets(lets, Box::new(body)),
        }
    }

    /// The truth of an `i64`: whether it isn't 0.
    pub(super) fn truth(self) -> Expr {
        match self {
            Expr::FromBool(b) => *b,
            Expr::Int(k) => Expr::Bool(k != 0),
            Expr::Lets(lets, body) => Expr::Lets(lets, Box::new(body.truth())),
            other => Expr::binary(Prim::Ne, other, Expr::Int(0)),
        }
    }

    /// Whether repeating it costs nothing: a name or a constant.
    pub(super) fn is_atom(&self) -> bool {
        matches!(self, Expr::Var(_) | Expr::Real(_) | Expr::Int(_) | Expr::Bool(_))
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, Expr::Int(0)) || matches!(self, Expr::Real(x) if *x == 0.0)
    }

    /// Whether the variable occurs. It isn't bound again below: names in scope are distinct.
    pub(super) fn mentions(&self, name: &Ident) -> bool {
        if !goes_on() {
            return true;
        }
        let pair = |p: &(Expr, Expr)| p.0.mentions(name) || p.1.mentions(name);
        match self {
            Expr::Var(x) => x == name,
            Expr::Real(_) | Expr::Int(_) | Expr::Bool(_) | Expr::Empty(_) => false,
            Expr::Neg(a) | Expr::Not(a) | Expr::FromBool(a) | Expr::Field(a, _) | Expr::Coerce(a, _) => {
                a.mentions(name)
            }
            Expr::Binary(_, p) | Expr::Index(p) | Expr::Sum(p) | Expr::Assert(p) => pair(p),
            Expr::Call(_, all) | Expr::Array(all) | Expr::Tuple(all) => all.iter().any(|a| a.mentions(name)),
            Expr::If(p) => p.0.mentions(name) || p.1.mentions(name) || p.2.mentions(name),
            Expr::Lets(lets, body) => lets.iter().any(|(_, a)| a.mentions(name)) || body.mentions(name),
            Expr::Loop(l) => l.init.mentions(name) || l.body.mentions(name),
            Expr::Tabulate(_, _, body) => body.mentions(name),
        }
    }
}
