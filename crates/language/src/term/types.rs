//! Defines types, shared like terms: equality and hashing look at a fingerprint, never at the whole tree.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fingerprint::FingerprintHasher;
use super::shape::{GOLDEN, mixed};
use super::size::{Size, SizeAtom};
use crate::ground::Name;
use crate::ground::cache::{self, Cache};

/// A type of the array language.
///
/// ```
/// use redexter_language::syntax::print_type;
/// use redexter_language::term::Type;
///
/// let ty = Type::fun(Type::real(), Type::pair(Type::real(), Type::int()));
/// assert_eq!(print_type(&ty), "real -> real * int");
/// ```
#[derive(Clone)]
pub struct Type(Rc<TypeNode>);

struct TypeNode {
    view: TypeView,
    fingerprint: u128,
    open: bool,
    unknown: bool,
    /// One more than the highest unknown type in it.
    unknowns: u32,
    function: bool,
    of_reals: bool,
    depth: u32,
}

/// The forms of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeView {
    /// Double-precision numbers.
    Real,
    /// 64-bit integers that wrap.
    Int,
    /// Indices below a size.
    Fin(Size),
    /// Arrays of a size.
    Array(Size, Type),
    /// Pairs.
    Pair(Type, Type),
    /// Functions.
    Fun(Type, Type),
    /// A type variable of a definition or a rule.
    Var(Name),
    /// A type that inference or matching has yet to find. Never part of a finished term.
    Unknown(u32),
}

thread_local! {
    static TYPES: Cache<Type, 1024> = const { Cache::new() };
}

impl TypeView {
    /// Whether both are made of the same objects.
    fn same(&self, other: &TypeView) -> bool {
        match (self, other) {
            (TypeView::Real, TypeView::Real) | (TypeView::Int, TypeView::Int) => true,
            (TypeView::Fin(n), TypeView::Fin(m)) => n.address() == m.address(),
            (TypeView::Array(n, a), TypeView::Array(m, b)) => n.address() == m.address() && a.address() == b.address(),
            (TypeView::Pair(a, b), TypeView::Pair(c, d)) | (TypeView::Fun(a, b), TypeView::Fun(c, d)) => {
                a.address() == c.address() && b.address() == d.address()
            }
            _ => false,
        }
    }

    /// Its key in the cache.
    fn key(&self) -> u64 {
        let (kind, a, b) = match self {
            TypeView::Fin(n) => (2, n.address(), 0),
            TypeView::Array(n, a) => (3, n.address(), a.address()),
            TypeView::Pair(a, b) => (4, a.address(), b.address()),
            TypeView::Fun(a, b) => (5, a.address(), b.address()),
            TypeView::Int => (1, 0, 0),
            _ => (0, 0, 0),
        };
        (a as u64 ^ (b as u64).rotate_left(20) ^ kind).wrapping_mul(GOLDEN) >> 32
    }
}

/// A substitution on types and sizes.
pub trait Assignment {
    /// The size that an atom stands for, if it isn't itself.
    fn size(&self, atom: &SizeAtom) -> Option<Size>;
    /// The type that a `Var` or `Unknown` stands for, if it isn't itself. `memo` is for a type that has to be assigned
    /// in its turn.
    fn ty(&self, leaf: &TypeView, memo: &mut TypeMemo) -> Option<Type>;
    /// Whether nothing in this type can be replaced.
    fn skips(&self, ty: &Type) -> bool {
        !ty.is_open()
    }
}

/// A size grew beyond what can be represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Type {
    fn new(view: TypeView) -> Type {
        let mut mix = FingerprintHasher::new();
        let (mut open, mut unknown, mut unknowns, mut function, mut depth) = (false, false, 0, false, 0);
        let mut of_reals = !matches!(view, TypeView::Int | TypeView::Fin(_) | TypeView::Fun(..));
        let mut kid = |t: &Type, mix: &mut FingerprintHasher| {
            mix.wide(t.0.fingerprint);
            of_reals &= t.0.of_reals;
            open |= t.0.open;
            unknown |= t.0.unknown;
            unknowns = unknowns.max(t.0.unknowns);
            function |= t.0.function;
            depth = depth.max(t.0.depth);
        };
        let mut size = None;
        match &view {
            TypeView::Real => mix.tag(1),
            TypeView::Int => mix.tag(2),
            TypeView::Fin(n) => {
                mix.tag(3);
                size = Some(n);
            }
            TypeView::Array(n, a) => {
                mix.tag(4);
                kid(a, &mut mix);
                size = Some(n);
            }
            TypeView::Pair(a, b) => {
                mix.tag(5);
                kid(a, &mut mix);
                kid(b, &mut mix);
            }
            TypeView::Fun(a, b) => {
                mix.tag(6);
                kid(a, &mut mix);
                kid(b, &mut mix);
                function = true;
            }
            TypeView::Var(n) => {
                mix.tag(7);
                mix.text(n.as_str());
                open = true;
            }
            TypeView::Unknown(k) => {
                open = true;
                unknown = true;
                unknowns = k.saturating_add(1);
            }
        }
        if let Some(n) = size {
            mix.size(n);
            for a in n.atoms() {
                open = true;
                unknown |= matches!(a, SizeAtom::Unknown(_));
            }
        }
        // Inference makes as many unknowns as a text has words: so theirs are made without the slower hash.
        let fingerprint = match &view {
            TypeView::Unknown(k) => u128::from(mixed(u64::from(*k))) << 64 | u128::from(mixed(!u64::from(*k))),
            _ => mix.finish(),
        };
        Type(Rc::new(TypeNode { view, fingerprint, open, unknown, unknowns, function, of_reals, depth: depth + 1 }))
    }

    /// A type of these parts: the same object as before, if it is in the cache.
    fn known(view: TypeView) -> Type {
        let key = view.key();
        let known = cache::find(&TYPES, key, |ty| ty.view().same(&view));
        known.unwrap_or_else(|| cache::kept(&TYPES, key, Type::new(view)))
    }

    /// `real`
    pub fn real() -> Type {
        Type::known(TypeView::Real)
    }
    /// `int`
    pub fn int() -> Type {
        Type::known(TypeView::Int)
    }
    /// `fin n`
    pub fn fin(n: Size) -> Type {
        Type::known(TypeView::Fin(n))
    }
    /// `array n a`
    pub fn array(n: Size, a: Type) -> Type {
        Type::known(TypeView::Array(n, a))
    }
    /// `a * b`
    pub fn pair(a: Type, b: Type) -> Type {
        Type::known(TypeView::Pair(a, b))
    }
    /// `a -> b`
    pub fn fun(a: Type, b: Type) -> Type {
        Type::known(TypeView::Fun(a, b))
    }
    /// A type variable.
    pub fn var(name: &Name) -> Type {
        Type::new(TypeView::Var(name.clone()))
    }
    /// An unknown, for inference.
    pub fn unknown(id: u32) -> Type {
        Type::new(TypeView::Unknown(id))
    }

    /// Where it is in memory: equal where it is the same object.
    pub(super) fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }
    /// Its outermost form.
    pub fn view(&self) -> &TypeView {
        &self.0.view
    }
    /// The fingerprint by which types are equal.
    pub fn fingerprint(&self) -> u128 {
        self.0.fingerprint
    }
    /// Whether it mentions a size variable, a type variable or an unknown.
    pub fn is_open(&self) -> bool {
        self.0.open
    }
    /// Whether it mentions an unknown.
    pub fn has_unknown(&self) -> bool {
        self.0.unknown
    }
    /// A number that is above those of all unknown types that it mentions.
    pub fn unknowns(&self) -> u32 {
        self.0.unknowns
    }
    /// Whether a function is part of it.
    pub fn has_function(&self) -> bool {
        self.0.function
    }
    /// Whether it is a real, or pairs and arrays of reals alone; a variable may stand for such a type.
    pub fn is_of_reals(&self) -> bool {
        self.0.of_reals
    }
    /// Its nesting.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }
    /// Whether it is a function type.
    pub fn is_function(&self) -> bool {
        matches!(self.view(), TypeView::Fun(..))
    }

    /// Replaces variables and unknowns. `memo` serves one assignment and may be kept between calls.
    pub fn assign(&self, by: &dyn Assignment, memo: &mut TypeMemo) -> Result<Type, TooLarge> {
        if by.skips(self) {
            return Ok(self.clone());
        }
        if let Some(done) = memo.0.get(&self.0.fingerprint) {
            return Ok(done.clone());
        }
        let size = |n: &Size| n.replace(|a| by.size(a)).ok_or(TooLarge);
        let done = match self.view() {
            TypeView::Real | TypeView::Int => self.clone(),
            TypeView::Fin(n) => Type::fin(size(n)?),
            TypeView::Array(n, a) => Type::array(size(n)?, a.assign(by, memo)?),
            TypeView::Pair(a, b) => Type::pair(a.assign(by, memo)?, b.assign(by, memo)?),
            TypeView::Fun(a, b) => Type::fun(a.assign(by, memo)?, b.assign(by, memo)?),
            leaf => by.ty(leaf, memo).unwrap_or_else(|| self.clone()),
        };
        memo.0.insert(self.0.fingerprint, done.clone());
        Ok(done)
    }
}

/// Results of [`Type::assign`] under one assignment.
#[derive(Default)]
pub struct TypeMemo(FxHashMap<u128, Type>);

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.0.fingerprint == other.0.fingerprint
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.0.fingerprint);
    }
}

impl fmt::Display for Type {
    /// In the notation of the language; what is nested more than 40 deep is shown as `…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(self, 0, 40, &mut 2_000, f)
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `strength`: 0 anything, 1 no arrow, 2 no product, 3 an atom. `left` bounds the nodes that are written.
fn write_type(t: &Type, strength: u8, depth: u32, left: &mut u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if depth == 0 || *left == 0 {
        return f.write_str("…");
    }
    *left -= 1;
    let own = match t.view() {
        TypeView::Fun(..) => 0,
        TypeView::Pair(..) => 1,
        TypeView::Fin(_) | TypeView::Array(..) => 2,
        _ => 3,
    };
    let size =
        |n: &Size| if n.as_atom().is_some() || n.as_literal().is_some() { format!("{n}") } else { format!("({n})") };
    if own < strength {
        f.write_str("(")?;
    }
    match t.view() {
        TypeView::Real => f.write_str("real")?,
        TypeView::Int => f.write_str("int")?,
        TypeView::Var(n) => write!(f, "{n}")?,
        TypeView::Unknown(_) => f.write_str("_")?,
        TypeView::Fin(n) => write!(f, "fin {}", size(n))?,
        TypeView::Array(n, a) => {
            write!(f, "array {} ", size(n))?;
            write_type(a, 3, depth - 1, left, f)?;
        }
        TypeView::Pair(a, b) => {
            write_type(a, 2, depth - 1, left, f)?;
            f.write_str(" * ")?;
            write_type(b, 1, depth - 1, left, f)?;
        }
        TypeView::Fun(a, b) => {
            write_type(a, 1, depth - 1, left, f)?;
            f.write_str(" -> ")?;
            write_type(b, 0, depth - 1, left, f)?;
        }
    }
    if own < strength {
        f.write_str(")")?;
    }
    Ok(())
}
