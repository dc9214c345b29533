//! Loop nests as data.

use std::rc::Rc;

use crate::ground::Name;
use crate::term::{Prim, Size};

/// What stands in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A double.
    Real,
    /// An integer of 64 bits that wraps; indices are some, too.
    Int,
}

/// A dense array, its last index running fastest. A number has no dimensions.
#[derive(Clone, Debug)]
pub struct Array {
    /// How long it is in each direction.
    pub dims: Vec<Size>,
    /// What stands in it.
    pub number: Number,
}

/// Something that has memory: a parameter, a result, a temporary array, a number.
#[derive(Clone, Debug)]
pub struct Slot {
    /// No other slot or index of the nest has it.
    pub cell: u32,
    /// What the user called it.
    pub hint: Rc<str>,
    /// What it is.
    pub array: Array,
}

/// A part of a slot: indices for its first dimensions, each a number that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Of which slot or index.
    pub cell: u32,
    /// None for a number.
    pub indices: Vec<Value>,
}

/// What is computed at once.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A double.
    Real(f64),
    /// An integer.
    Int(i64),
    /// The value of a size variable.
    Size(Name),
    /// What stands at a place.
    Load(Place),
    /// A primitive, on operands of which the first is such a number.
    Prim(Prim, Number, Vec<Value>),
    /// Whether an integer isn't 0, as 1 or 0.
    Truth(Box<Value>),
    /// Only one of the last two is computed: the first where the condition isn't 0.
    Select(Box<(Value, Value, Value)>),
}

/// What is done.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// A number that stays as it is.
    Let(Slot, Value),
    /// A number that will be set.
    Var(Slot),
    /// A number is stored.
    Set(Place, Value),
    /// An index with its hint, from 0 to below a size.
    For(u32, Rc<str>, Size, Vec<Stmt>),
    /// What is done where a value isn't 0, and where it is.
    If(Value, Vec<Stmt>, Vec<Stmt>),
}

/// A program.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Its size variables, in the order of their first occurrence.
    pub sizes: Vec<Name>,
    /// What is given, pairs in parts.
    pub parameters: Vec<Slot>,
    /// What is asked for, pairs in parts. None overlaps another or a parameter.
    pub results: Vec<Slot>,
    /// What is needed meanwhile.
    pub temporaries: Vec<Slot>,
    /// What is done.
    pub body: Vec<Stmt>,
}

impl Value {
    /// Whether repeating it costs nothing.
    pub(super) fn is_atom(&self) -> bool {
        match self {
            Value::Real(_) | Value::Int(_) | Value::Size(_) => true,
            Value::Load(place) => place.indices.is_empty(),
            Value::Prim(..) | Value::Truth(_) | Value::Select(_) => false,
        }
    }
}
