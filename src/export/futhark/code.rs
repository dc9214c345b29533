//! First-order Futhark expressions: what lowering gives and `text` lays out. Names in scope are distinct.

use std::rc::Rc;

use crate::term::Prim;

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
pub(super) enum Code {
    Var(Ident),
    Real(f64),
    Int(i64),
    Bool(bool),
    Neg(Box<Code>),
    Not(Box<Code>),
    Binary(Prim, Box<(Code, Code)>),
    /// A function of the library and its arguments.
    Call(&'static str, Vec<Code>),
    /// 1 for true, 0 for false.
    FromBool(Box<Code>),
    Tuple(Box<(Code, Code)>),
    Field(Box<Code>, u8),
    Index(Box<(Code, Code)>),
    /// At least one element.
    Array(Vec<Code>),
    /// The empty array of this type.
    Empty(String),
    /// The condition is a truth value.
    If(Box<(Code, Code, Code)>),
    Lets(Vec<(Ident, Code)>, Box<Code>),
    Loop(Box<Loop>),
    /// Size, index (if it is used), element.
    Tabulate(Dim, Option<Ident>, Box<Code>),
    /// The neutral element and the array.
    Sum(Box<(Code, Code)>),
    /// The same value under a type with other sizes, checked at run time.
    Coerce(Box<Code>, String),
    /// A condition and what is computed if it holds.
    Assert(Box<(Code, Code)>),
}

/// `loop (acc: ty) = init for index < bound do body`
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    pub(super) acc: Ident,
    /// The type, where it holds an array: without it a body that is `acc` in one branch and a new array in another
    /// would have an unknown size in Futhark.
    pub(super) ty: Option<String>,
    pub(super) init: Code,
    pub(super) index: Ident,
    pub(super) bound: Dim,
    pub(super) body: Code,
}

impl Code {
    pub(super) fn binary(op: Prim, a: Code, b: Code) -> Code {
        Code::Binary(op, Box::new((a, b)))
    }

    pub(super) fn if_else(condition: Code, a: Code, b: Code) -> Code {
        match condition {
            Code::Bool(true) => a,
            Code::Bool(false) => b,
            condition => Code::If(Box::new((condition, a, b))),
        }
    }

    /// `lets` around `body`, one chain where `body` is one.
    pub(super) fn lets(mut lets: Vec<(Ident, Code)>, body: Code) -> Code {
        match body {
            body if lets.is_empty() => body,
            Code::Lets(more, inner) => {
                lets.extend(more);
                Code::Lets(lets, inner)
            }
            body => Code::Lets(lets, Box::new(body)),
        }
    }

    /// The truth of an `i64`: whether it isn't 0.
    pub(super) fn truth(self) -> Code {
        match self {
            Code::FromBool(b) => *b,
            Code::Int(k) => Code::Bool(k != 0),
            Code::Lets(lets, body) => Code::Lets(lets, Box::new(body.truth())),
            other => Code::binary(Prim::Ne, other, Code::Int(0)),
        }
    }

    /// Whether repeating it costs nothing: a name or a constant.
    pub(super) fn is_atom(&self) -> bool {
        matches!(self, Code::Var(_) | Code::Real(_) | Code::Int(_) | Code::Bool(_))
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, Code::Int(0)) || matches!(self, Code::Real(x) if *x == 0.0)
    }

    /// Whether the variable occurs. It isn't bound again below: names in scope are distinct.
    pub(super) fn mentions(&self, name: &Ident) -> bool {
        let pair = |p: &(Code, Code)| p.0.mentions(name) || p.1.mentions(name);
        match self {
            Code::Var(x) => x == name,
            Code::Real(_) | Code::Int(_) | Code::Bool(_) | Code::Empty(_) => false,
            Code::Neg(a) | Code::Not(a) | Code::FromBool(a) | Code::Field(a, _) | Code::Coerce(a, _) => {
                a.mentions(name)
            }
            Code::Binary(_, p) | Code::Tuple(p) | Code::Index(p) | Code::Sum(p) | Code::Assert(p) => pair(p),
            Code::Call(_, all) | Code::Array(all) => all.iter().any(|a| a.mentions(name)),
            Code::If(p) => p.0.mentions(name) || p.1.mentions(name) || p.2.mentions(name),
            Code::Lets(lets, body) => lets.iter().any(|(_, a)| a.mentions(name)) || body.mentions(name),
            Code::Loop(l) => l.init.mentions(name) || l.body.mentions(name),
            Code::Tabulate(_, _, body) => body.mentions(name),
        }
    }
}
