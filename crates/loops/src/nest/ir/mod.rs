//! Holds loop nests as data: slots of memory, values that are computed at once, statements, and walks through them.

mod show;
pub(in crate::nest) mod types;
pub(in crate::nest) mod value;
pub(in crate::nest) mod walk;

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use redexter_language::ground::Name;
use redexter_language::term::{Atom, Bounds, Class, Prim, Size};

pub use show::nest_text;
pub(in crate::nest) use show::place_text;
pub use types::{Tree, leaves};
pub(in crate::nest) use walk::stored;
pub use walk::{each, each_value};

/// What stands in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Of which slot or index.
    pub cell: u32,
    /// None for a number.
    pub indices: Vec<Value>,
}

/// What is computed at once. Two are equal if they are written alike: reals by their bits.
#[derive(Clone, Debug)]
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
    /// A loop.
    For(Range, Vec<Stmt>),
    /// A loop two iterations at a time, as long as there are two: the first statements do the iterations of the index and of the
    /// one behind it. The others do one iteration: the one that may be left.
    Pairs(Range, Vec<Stmt>, Vec<Stmt>),
    /// A loop whose iterations may be done in any order, or side by side: from 0 on.
    Lanes(Range, Vec<Stmt>),
    /// A size in strips.
    Strips(Strips, Vec<Stmt>),
    /// What is done where a value isn't 0, and where it is.
    If(Value, Vec<Stmt>, Vec<Stmt>),
}

/// An index with its hint, and from where to below what it runs.
#[derive(Clone, Debug)]
pub struct Range {
    /// The index.
    pub cell: u32,
    /// What the user called it.
    pub hint: Rc<str>,
    /// Where it begins.
    pub from: Value,
    /// It stays below.
    pub to: Value,
    /// Where lanes may run on to below this, since nobody reads what these iterations leave.
    pub most: Option<Value>,
}

/// A size in strips of so many iterations; the last one may be shorter.
#[derive(Clone, Debug)]
pub struct Strips {
    /// Where a strip begins.
    pub base: u32,
    /// How many iterations it has.
    pub count: u32,
    /// The size.
    pub size: Size,
    /// How many iterations each strip has but the last.
    pub lanes: u32,
}

impl Range {
    /// All indices of a size.
    pub fn of(cell: u32, hint: &Rc<str>, size: &Size) -> Range {
        Range::to(cell, hint, Value::of(size))
    }

    /// All indices below a value.
    pub fn to(cell: u32, hint: &str, to: Value) -> Range {
        Range { cell, hint: hint.into(), from: Value::Int(0), to, most: None }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Its size variables, in the order of their first occurrence.
    pub sizes: Vec<Name>,
    /// The least that sizes may be.
    pub bounds: Bounds,
    /// What is given, pairs in parts.
    pub parameters: Vec<Slot>,
    /// Below which size the integers of each parameter are, if they are indices: from 0 on.
    pub below: Vec<Option<Size>>,
    /// What is asked for, pairs in parts. None overlaps another or a parameter.
    pub results: Vec<Slot>,
    /// What is needed meanwhile.
    pub temporaries: Vec<Slot>,
    /// What is done.
    pub body: Vec<Stmt>,
}

// A derived equality would take 0 and -0 for equal, and NaN for no value at all: what passes share must have the same bits.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Real(a), Value::Real(b)) => a.to_bits() == b.to_bits(),
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Size(a), Value::Size(b)) => a == b,
            (Value::Load(a), Value::Load(b)) => a == b,
            (Value::Prim(a, m, p), Value::Prim(b, n, q)) => (a, m) == (b, n) && p == q,
            (Value::Truth(a), Value::Truth(b)) => a == b,
            (Value::Select(a), Value::Select(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_outermost(state);
        self.each_part(&mut |part| part.hash(state));
    }
}

impl Value {
    /// The value of a size.
    pub fn of(size: &Size) -> Value {
        let join = |prim: Prim, a: Value, b: Value| Value::Prim(prim, Number::Int, vec![a, b]);
        let mut sum = None;
        for (monomial, coefficient) in size.terms() {
            // A factor 1 isn't written, unless it is all that there is.
            let literal = (coefficient != 1 || monomial.is_empty()).then_some(Value::Int(coefficient as i64));
            let factors = monomial.iter().filter_map(|(atom, power)| match atom {
                Atom::Var(name) => Some(std::iter::repeat_n(Value::Size(name.clone()), *power as usize)),
                Atom::Unknown(_) => None,
            });
            let product = literal.into_iter().chain(factors.flatten()).reduce(|a, b| join(Prim::Mul, a, b));
            let product = product.unwrap_or(Value::Int(1));
            sum = Some(match sum {
                Some(s) => join(Prim::Add, s, product),
                None => product,
            });
        }
        sum.unwrap_or(Value::Int(0))
    }

    /// Which number it is; of what is loaded the function knows it.
    pub fn number(&self, loaded: &impl Fn(u32) -> Number) -> Number {
        match self {
            Value::Real(_) => Number::Real,
            Value::Int(_) | Value::Size(_) | Value::Truth(_) => Number::Int,
            Value::Load(place) => loaded(place.cell),
            Value::Select(p) => p.1.number(loaded),
            Value::Prim(prim, first, _) => match (prim.class(), prim) {
                (Class::Function, _) | (_, Prim::ToReal) => Number::Real,
                (Class::Arithmetic, Prim::Offset(_)) => Number::Int,
                (Class::Arithmetic, _) => *first,
                (Class::Comparison | Class::Connective | Class::Conversion, _) => Number::Int,
            },
        }
    }

    /// Hashes it but for the values that stand in it.
    pub fn hash_outermost<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Real(x) => x.to_bits().hash(state),
            Value::Int(k) => k.hash(state),
            Value::Size(name) => name.hash(state),
            Value::Load(place) => place.cell.hash(state),
            Value::Prim(prim, number, _) => (prim, number).hash(state),
            Value::Truth(_) | Value::Select(_) => {}
        }
    }

    /// Whether it reads a cell.
    pub fn mentions(&self, cell: u32) -> bool {
        let mut found = matches!(self, Value::Load(place) if place.cell == cell);
        self.each_part(&mut |part| found = found || part.mentions(cell));
        found
    }

    /// Whether repeating it costs nothing.
    pub(in crate::nest) fn is_atom(&self) -> bool {
        match self {
            Value::Real(_) | Value::Int(_) | Value::Size(_) => true,
            Value::Load(place) => place.indices.is_empty(),
            Value::Prim(..) | Value::Truth(_) | Value::Select(_) => false,
        }
    }
}
