//! Holds loop nests as data: slots of memory, values that are computed at once, statements, and walks through them.

mod show;
pub(in crate::nest) mod types;
pub(in crate::nest) mod value;
pub(in crate::nest) mod walk;

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use redexter_language::ground::Name;
use redexter_language::term::{Prim, PrimClass, Size, SizeAtom, SizeBounds};

pub use show::nest_text;
pub(in crate::nest) use show::place_text;
pub use types::{PairTree, leaves};
pub(in crate::nest) use walk::stored;
pub use walk::{each, each_value};

/// What stands in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarKind {
    /// A double.
    Real,
    /// An integer of 64 bits that wraps; indices are some, too.
    Int,
}

/// A dense array, its last index running fastest. A number has no dimensions.
#[derive(Clone, Debug)]
pub struct DenseArray {
    /// How long it is in each direction.
    pub dims: Vec<Size>,
    /// What stands in it.
    pub number: ScalarKind,
}

/// Something that has memory: a parameter, a result, a temporary array, a number.
#[derive(Clone, Debug)]
pub struct NestSlot {
    /// No other slot or index of the nest has it.
    pub cell: u32,
    /// What the user called it.
    pub hint: Rc<str>,
    /// What it is.
    pub array: DenseArray,
}

/// A part of a slot: indices for its first dimensions, each a number that is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NestPlace {
    /// Of which slot or index.
    pub cell: u32,
    /// None for a number.
    pub indices: Vec<NestValue>,
}

/// What is computed at once. Two are equal if they are written alike: reals by their bits.
#[derive(Clone, Debug)]
pub enum NestValue {
    /// A double.
    Real(f64),
    /// An integer.
    Int(i64),
    /// The value of a size variable.
    Size(Name),
    /// What stands at a place.
    Load(NestPlace),
    /// A primitive, on operands of which the first is such a number.
    Prim(Prim, ScalarKind, Vec<NestValue>),
    /// Whether an integer isn't 0, as 1 or 0.
    Truth(Box<NestValue>),
    /// Only one of the last two is computed: the first where the condition isn't 0.
    Select(Box<(NestValue, NestValue, NestValue)>),
}

/// What is done.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// A number that stays as it is.
    Let(NestSlot, NestValue),
    /// A number that will be set.
    Var(NestSlot),
    /// A number is stored.
    Set(NestPlace, NestValue),
    /// A loop.
    For(LoopRange, Vec<Stmt>),
    /// A loop two iterations at a time, as long as there are two: the first statements do the iterations of the index and of the
    /// one behind it. The others do one iteration: the one that may be left.
    Pairs(LoopRange, Vec<Stmt>, Vec<Stmt>),
    /// A loop whose iterations may be done in any order, or side by side: from 0 on.
    Lanes(LoopRange, Vec<Stmt>),
    /// A size in strips.
    Strips(Strips, Vec<Stmt>),
    /// What is done where a value isn't 0, and where it is.
    If(NestValue, Vec<Stmt>, Vec<Stmt>),
}

/// An index with its hint, and from where to below what it runs.
#[derive(Clone, Debug)]
pub struct LoopRange {
    /// The index.
    pub cell: u32,
    /// What the user called it.
    pub hint: Rc<str>,
    /// Where it begins.
    pub from: NestValue,
    /// It stays below.
    pub to: NestValue,
    /// Where lanes may run on to below this, since nobody reads what these iterations leave.
    pub most: Option<NestValue>,
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

impl LoopRange {
    /// All indices of a size.
    pub fn of(cell: u32, hint: &Rc<str>, size: &Size) -> LoopRange {
        LoopRange::to(cell, hint, NestValue::of(size))
    }

    /// Whether it runs from 0 to its end, and no lane goes further.
    pub(in crate::nest) fn is_whole(&self) -> bool {
        self.from == NestValue::Int(0) && self.most.is_none()
    }

    /// All indices below a value.
    pub fn to(cell: u32, hint: &str, to: NestValue) -> LoopRange {
        LoopRange { cell, hint: hint.into(), from: NestValue::Int(0), to, most: None }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Nest {
    /// Its size variables, in the order of their first occurrence.
    pub sizes: Vec<Name>,
    /// The least that sizes may be.
    pub bounds: SizeBounds,
    /// The sizes in its program that are computed: as those of arrays and loops, they are below
    /// [`LARGEST_LENGTH`](crate::nest::LARGEST_LENGTH).
    pub computed: Vec<Size>,
    /// What is given, pairs in parts.
    pub parameters: Vec<NestSlot>,
    /// Below which size the integers of each parameter are, if they are indices: from 0 on.
    pub below: Vec<Option<Size>>,
    /// What is asked for, pairs in parts. None overlaps another or a parameter.
    pub results: Vec<NestSlot>,
    /// What is needed meanwhile.
    pub temporaries: Vec<NestSlot>,
    /// What is done.
    pub body: Vec<Stmt>,
}

// A derived equality would take 0 and -0 for equal, and NaN for no value at all: what passes share must have the same bits.
impl PartialEq for NestValue {
    fn eq(&self, other: &NestValue) -> bool {
        match (self, other) {
            (NestValue::Real(a), NestValue::Real(b)) => a.to_bits() == b.to_bits(),
            (NestValue::Int(a), NestValue::Int(b)) => a == b,
            (NestValue::Size(a), NestValue::Size(b)) => a == b,
            (NestValue::Load(a), NestValue::Load(b)) => a == b,
            (NestValue::Prim(a, m, p), NestValue::Prim(b, n, q)) => (a, m) == (b, n) && p == q,
            (NestValue::Truth(a), NestValue::Truth(b)) => a == b,
            (NestValue::Select(a), NestValue::Select(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for NestValue {}

impl Hash for NestValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_outermost(state);
        self.each_part(&mut |part| part.hash(state));
    }
}

impl NestValue {
    /// The value of a size.
    pub fn of(size: &Size) -> NestValue {
        let join = |prim: Prim, a: NestValue, b: NestValue| NestValue::Prim(prim, ScalarKind::Int, vec![a, b]);
        let mut sum = None;
        for (monomial, coefficient) in size.terms() {
            // A factor 1 isn't written, unless it is all that there is.
            let literal = (coefficient != 1 || monomial.is_empty()).then_some(NestValue::Int(coefficient as i64));
            let factors = monomial.iter().filter_map(|(atom, power)| match atom {
                SizeAtom::Var(name) => Some(std::iter::repeat_n(NestValue::Size(name.clone()), *power as usize)),
                SizeAtom::Unknown(_) => None,
            });
            let product = literal.into_iter().chain(factors.flatten()).reduce(|a, b| join(Prim::Mul, a, b));
            let product = product.unwrap_or(NestValue::Int(1));
            sum = Some(match sum {
                Some(s) => join(Prim::Add, s, product),
                None => product,
            });
        }
        sum.unwrap_or(NestValue::Int(0))
    }

    /// The size that it is the value of, if it is made of sizes and numbers by sums and products.
    pub(in crate::nest) fn as_size(&self) -> Option<Size> {
        match self {
            NestValue::Int(k) => u64::try_from(*k).ok().map(Size::literal),
            NestValue::Size(name) => Some(Size::var(name)),
            NestValue::Prim(Prim::Add, ScalarKind::Int, operands) => {
                operands[0].as_size()?.plus(&operands[1].as_size()?)
            }
            NestValue::Prim(Prim::Mul, ScalarKind::Int, operands) => {
                operands[0].as_size()?.times(&operands[1].as_size()?)
            }
            _ => None,
        }
    }

    /// Which number it is; of what is loaded the function knows it.
    pub fn number(&self, loaded: &impl Fn(u32) -> ScalarKind) -> ScalarKind {
        match self {
            NestValue::Real(_) => ScalarKind::Real,
            NestValue::Int(_) | NestValue::Size(_) | NestValue::Truth(_) => ScalarKind::Int,
            NestValue::Load(place) => loaded(place.cell),
            NestValue::Select(p) => p.1.number(loaded),
            NestValue::Prim(prim, first, _) => match (prim.class(), prim) {
                (PrimClass::Function, _) | (_, Prim::ToReal) => ScalarKind::Real,
                (PrimClass::Arithmetic, Prim::Offset(_)) => ScalarKind::Int,
                (PrimClass::Arithmetic, _) => *first,
                (PrimClass::Comparison | PrimClass::Connective | PrimClass::Conversion, _) => ScalarKind::Int,
            },
        }
    }

    /// Hashes it but for the values that stand in it.
    pub fn hash_outermost<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            NestValue::Real(x) => x.to_bits().hash(state),
            NestValue::Int(k) => k.hash(state),
            NestValue::Size(name) => name.hash(state),
            NestValue::Load(place) => place.cell.hash(state),
            NestValue::Prim(prim, number, _) => (prim, number).hash(state),
            NestValue::Truth(_) | NestValue::Select(_) => {}
        }
    }

    /// Whether it reads a cell.
    pub fn mentions(&self, cell: u32) -> bool {
        let mut found = matches!(self, NestValue::Load(place) if place.cell == cell);
        self.each_part(&mut |part| found = found || part.mentions(cell));
        found
    }

    /// Whether repeating it costs nothing.
    pub(in crate::nest) fn is_atom(&self) -> bool {
        match self {
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => true,
            NestValue::Load(place) => place.indices.is_empty(),
            NestValue::Prim(..) | NestValue::Truth(_) | NestValue::Select(_) => false,
        }
    }
}
