//! Lists the rows, and generates the types that are made of them.

use super::payload::Payload;
use super::row::{ChildSpec, ConstructorRow, KindSignature};
use crate::term::charge::Charge;
use crate::term::node::Term;
use crate::term::path::Slot;
use crate::term::prim::{Fixity, Prim};
use crate::term::scheme::{MetaSize, MetaType};
use crate::term::size::Size;
use crate::term::types::Type;
use KindSignature::{Each, Listed};
use MetaType::{Fun, Int, Pair as Product, Real, Var as Any};

/// The types of the fields of constructors, by the sorts that the table gives them.
mod held_as {
    pub use crate::ground::{Name as Hint, Name as SizeVar};
    pub use crate::term::size::Size;
    pub use crate::term::types::Type;
    pub type Real = f64;
    pub type Int = i64;
    pub type Index = u64;
}

/// A field of this sort with other types and sizes.
macro_rules! replaced {
    (Type $held:ident $types:ident $sizes:ident) => {
        $types($held)?
    };
    (Size $held:ident $types:ident $sizes:ident) => {
        $sizes($held)?
    };
    ($sort:ident $held:ident $types:ident $sizes:ident) => {
        $held.clone()
    };
}

/// This type, once for each child that is given.
macro_rules! of {
    ($instead:ident $ty:ty) => {
        $ty
    };
}

macro_rules! constructors {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($($field:ident: $sort:ident),+))?
            [$(# $index:ident)? $($kid:ident)* $(.. $kids:ident)?] = $row:expr;
    )*) => {
        /// The constructor of a node with what it holds besides its children.
        #[derive(Clone, Debug)]
        pub enum Kind {
            $($(#[doc = $doc])+ $name $(($(held_as::$sort),+))?,)*
            /// A primitive applied in full.
            Prim(Prim),
        }

        /// A term's constructor with what it holds and its children, for matching on.
        pub enum View {
            $($(#[doc = $doc])+
            $name($($(held_as::$sort,)+)? $(of!($index u32),)? $(of!($kid Term),)* $(of!($kids Vec<Term>),)?),)*
            /// A primitive and its operands.
            Prim(Prim, Vec<Term>),
        }

        /// The constructor of a node, without what it holds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Head {
            $(#[doc = concat!("`Kind::", stringify!($name), "`")] $name,)*
            /// A primitive; of offsets, whatever the literal is.
            Prim(Prim),
        }

        enum Plain { $($name),* }

        pub(super) const PLAIN: &[Head] = &[$(Head::$name),*];

        static ROWS: [ConstructorRow; PLAIN.len() + 1] = [$($row,)* PRIM];

        const _: () = differ(&[$($row.tag,)* PRIM.tag]);
        $($(const _: () = assert!([$(stringify!($field)),+].len() <= 2, "more is held than can be told apart");)?)*

        impl Head {
            /// Its number, below [`Head::COUNT`].
            #[inline]
            pub fn number(self) -> usize {
                match self {
                    $(Head::$name => Plain::$name as usize,)*
                    Head::Prim(prim) => PLAIN.len() + prim.number(),
                }
            }
        }

        impl Kind {
            /// The constructor alone.
            #[inline]
            pub fn head(&self) -> Head {
                match self {
                    $(Kind::$name { .. } => Head::$name,)*
                    Kind::Prim(prim) => Head::Prim(*prim),
                }
            }

            /// Looks at what it holds, in order.
            #[inline(always)]
            pub fn each_held<'a>(&'a self, mut look: impl FnMut(Payload<'a>)) {
                match self {
                    $(Kind::$name $(($($field),+))? => { $($(look(Payload::$sort($field));)+)? })*
                    Kind::Prim(prim) => look(Payload::Prim(prim)),
                }
            }

            /// The same constructor with other types and sizes.
            pub fn replaced<E>(
                &self,
                mut types: impl FnMut(&Type) -> Result<Type, E>,
                mut sizes: impl FnMut(&Size) -> Result<Size, E>,
            ) -> Result<Kind, E> {
                Ok(match self {
                    $(Kind::$name $(($($field),+))? => Kind::$name $(($(replaced!($sort $field types sizes)),+))?,)*
                    Kind::Prim(prim) => Kind::Prim(*prim),
                })
            }

            /// How many binders stand around each child, and which children may be evaluated more than once, packed.
            #[inline(always)]
            pub(in crate::term) fn packed(&self) -> (u16, u8) {
                match self {
                    $(Kind::$name { .. } => const { ROWS[Plain::$name as usize].packed() },)*
                    Kind::Prim(_) => (0, 0),
                }
            }
        }

        impl Term {
            /// The constructor with what it holds and the children.
            pub fn view(&self) -> View {
                let mut k = 0;
                #[allow(unused_mut)]
                let mut next = || {
                    k += 1;
                    self.kid(k - 1)
                };
                match self.kind() {
                    $(Kind::$name $(($($field),+))? => View::$name(
                        $($($field.clone(),)+)?
                        $({ let $index = self.places()[0]; $index },)?
                        $({ let $kid = next(); $kid },)*
                        $({ let $kids = self.kids().into_vec(); $kids },)?
                    ),)*
                    Kind::Prim(prim) => View::Prim(*prim, self.kids().into_vec()),
                }
            }
        }
    };
}

/// Equal tags would make terms with different constructors equal.
const fn differ(tags: &[u8]) {
    let mut a = 0;
    while a < tags.len() {
        let mut b = a + 1;
        while b < tags.len() {
            assert!(tags[a] != tags[b], "two constructors have one tag");
            b += 1;
        }
        a += 1;
    }
}

const N: MetaSize = MetaSize::Var(0);
const BELOW: MetaType = MetaType::Fin(N);
const A: MetaType = Any(0);
const B: MetaType = Any(1);

/// A constructor with a notation of its own.
const fn row(tag: u8, noun: &'static str, charge: Charge, signature: KindSignature) -> ConstructorRow {
    ConstructorRow { tag, noun, word: None, signature, charge: Some(charge) }
}

/// A constructor that is written with its noun, which nothing else can be called.
const fn word(tag: u8, noun: &'static str, charge: Charge, signature: KindSignature) -> ConstructorRow {
    ConstructorRow { word: Some((noun, Fixity::Reserved)), ..row(tag, noun, charge, signature) }
}

/// A constructor that is written with its noun, where nothing else is called so.
const fn open_word(tag: u8, noun: &'static str, charge: Charge, signature: KindSignature) -> ConstructorRow {
    ConstructorRow { word: Some((noun, Fixity::Open)), ..row(tag, noun, charge, signature) }
}

const fn leaf(tag: u8, noun: &'static str, ty: MetaType) -> ConstructorRow {
    row(tag, noun, Charge::Free, Listed(&[], ty))
}

/// A child under no binder that is evaluated at most once.
const fn kid(slot: Slot, ty: MetaType, name: &'static str) -> ChildSpec {
    ChildSpec { slot, binds: &[], repeated: false, ty, name }
}

/// The same under these binders.
const fn under(binds: &'static [(MetaType, &'static str)], kid: ChildSpec) -> ChildSpec {
    ChildSpec { binds, ..kid }
}

/// The same evaluated as often as it takes.
const fn repeated(kid: ChildSpec) -> ChildSpec {
    ChildSpec { repeated: true, ..kid }
}

/// Of loops whose steps give the next state and an element.
const SCAN: KindSignature = Listed(
    &[
        repeated(kid(Slot::ScanBody, Fun(&A, &Fun(&BELOW, &Product(&A, &B))), "scan body")),
        kid(Slot::ScanInit, A, "scan start"),
    ],
    Product(&A, &MetaType::Array(N, &B)),
);

const PRIM: ConstructorRow =
    ConstructorRow { tag: 17, noun: "operands", word: None, signature: KindSignature::Primitive, charge: None };

constructors! {
    /// A bound variable.
    Var [# index] = leaf(1, "variable", A);
    /// `fun x => body`: the hint and the type of x.
    Lam(name: Hint, parameter: Type) [body] = row(2, "fun", Charge::Free, Listed(
        &[repeated(under(&[(A, "the parameter of fun")], kid(Slot::Body, B, "body")))], Fun(&A, &B)));
    /// `function argument`
    App [function argument] = row(3, "application", Charge::Call, Listed(
        &[kid(Slot::Function, Fun(&A, &B), "function"), kid(Slot::Argument, A, "argument")], B));
    /// `let x := value; body`: the hint for x.
    Let(name: Hint) [value body] = row(4, "let", Charge::Free, Listed(
        &[kid(Slot::Value, A, "value"), under(&[(A, "the variable of let")], kid(Slot::LetBody, B, "body"))], B));
    /// `if condition then a else b`
    If [condition then other] = row(5, "if", Charge::Free, Listed(&[
        kid(Slot::Condition, Int, "condition"),
        kid(Slot::ThenBranch, A, "then branch"),
        kid(Slot::ElseBranch, A, "else branch"),
    ], A));
    /// `ifold n f z`
    Ifold(size: Size) [f z] = word(6, "ifold", Charge::Rounds { writes: 0 }, Listed(&[
        repeated(kid(Slot::FoldBody, Fun(&A, &Fun(&BELOW, &A)), "ifold body")),
        kid(Slot::FoldInit, A, "ifold start"),
    ], A));
    /// `build n f`
    Build(size: Size) [f] = word(7, "build", Charge::Rounds { writes: 1 }, Listed(
        &[repeated(kid(Slot::BuildBody, Fun(&BELOW, &A), "build body's parameter"))], MetaType::Array(N, &A)));
    /// `[e1, …, ek]`: the type of the elements.
    Array(element: Type) [.. elements] = row(8, "array", Charge::Free,
        Each(Slot::Element(0), A, "array element", MetaType::Array(MetaSize::Count, &A)));
    /// `array[index]`
    Get [array index] = row(9, "indexing", Charge::Read, Listed(
        &[kid(Slot::Array, MetaType::Array(N, &A), "array"), kid(Slot::Index, BELOW, "index")], A));
    /// `(a, b)`
    Pair [first second] = row(10, "pair", Charge::Free, Listed(
        &[kid(Slot::PairFirst, A, "first half"), kid(Slot::PairSecond, B, "second half")], Product(&A, &B)));
    /// `fst p`
    Fst [pair] = word(11, "fst", Charge::Free, Listed(&[kid(Slot::Projected, Product(&A, &B), "pair")], A));
    /// `snd p`
    Snd [pair] = word(12, "snd", Charge::Free, Listed(&[kid(Slot::Projected, Product(&A, &B), "pair")], B));
    /// A real constant; compared by its bits.
    Real(value: Real) [] = leaf(13, "literal", Real);
    /// An integer constant.
    Int(value: Int) [] = leaf(14, "literal", Int);
    /// A constant index below a size.
    Fin(value: Index, size: Size) [] = leaf(15, "literal", BELOW);
    /// A size variable used as an `int`.
    SizeVar(name: SizeVar) [] = leaf(16, "size", Int);
    /// A whole number that is known to be an index below a size: what computes an index, where one is wanted.
    Within(size: Size) [number] = row(18, "index in range", Charge::Free, Listed(
        &[kid(Slot::Number, Int, "number of an index")], BELOW));
    /// `if name : fin size := number then inside else other`: what stands inside, where the number is an index below the size;
    /// else the other.
    Guard(name: Hint, size: Size) [number inside other] = row(19, "guard", Charge::Compare, Listed(&[
        kid(Slot::Asked, Int, "number of a guard"),
        under(&[(BELOW, "the index of a guard")], kid(Slot::InRange, A, "branch in range")),
        kid(Slot::OutOfRange, A, "branch out of range"),
    ], A));
    /// `scan n f z`: the last state, and what each step gives besides its state.
    Scan(size: Size) [f z] = open_word(20, "scan", Charge::Rounds { writes: 1 }, SCAN);
    /// `scanr n f z`: the same from the last index to the first.
    Scanr(size: Size) [f z] = open_word(21, "scanr", Charge::Rounds { writes: 1 }, SCAN);
    /// `scatter places rounds f`: zeros, to which each round in order adds a value at the place that it says, if there is one.
    Scatter(rounds: Size, places: Size) [f] = open_word(22, "scatter", Charge::Rounds { writes: 0 }, Listed(&[
        repeated(kid(Slot::ScatterBody, Fun(&BELOW, &Product(&Int, &MetaType::Reals(0))), "scatter body")),
    ], MetaType::Array(MetaSize::Var(1), &MetaType::Reals(0))));
    /// `pull f w`: f transposed, and applied to w. For each number of what f takes, the sum of products of w's numbers with those
    /// that f gives where that number is 1 and all others are 0.
    Pull [f weight] = open_word(23, "pull", Charge::Free, Listed(&[
        repeated(kid(Slot::Pulled, Fun(&MetaType::Reals(0), &MetaType::Reals(1)), "function of pull")),
        kid(Slot::Weight, MetaType::Reals(1), "weight of pull"),
    ], MetaType::Reals(0)));
    /// `plus a b`: the sum, number by number, of values of one type that is made of reals.
    Plus [a b] = open_word(24, "plus", Charge::Free, Listed(&[
        kid(Slot::Operand(0), MetaType::Reals(0), "operand of plus"),
        kid(Slot::Operand(1), MetaType::Reals(0), "operand of plus"),
    ], MetaType::Reals(0)));
}

impl Head {
    /// The constructor's row.
    pub(super) fn row(self) -> &'static ConstructorRow {
        &ROWS[self.number().min(PLAIN.len())]
    }
}
