//! The rows, and the types that are made of them.

use super::held::{Held, Replace};
use super::row::{Cost, Kid, Row, Signature, Two};
use crate::ground::Name;
use crate::term::node::Term;
use crate::term::path::Slot;
use crate::term::prim::Prim;
use crate::term::scheme::{MetaSize, MetaType};
use crate::term::size::Size;
use crate::term::types::Type;
use MetaType::{Fun, Int, Pair as Product, Real, Var as Any};
use Signature::{Each, Listed};

/// The type of what is held as this.
macro_rules! held {
    (Hint) => {
        Name
    };
    (Type) => {
        Type
    };
    (Size) => {
        Size
    };
    (SizeVar) => {
        Name
    };
    (Real) => {
        f64
    };
    (Int) => {
        i64
    };
    (Index) => {
        u64
    };
}

/// What is held as this, with other types and sizes.
macro_rules! replaced {
    (Type $held:ident $by:ident) => {
        $by.ty($held)?
    };
    (Size $held:ident $by:ident) => {
        $by.size($held)?
    };
    ($sort:ident $held:ident $by:ident) => {
        $held.clone()
    };
}

/// A type instead of something that is there for each child.
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
            $($(#[doc = $doc])+ $name $(($(held!($sort)),+))?,)*
            /// A primitive applied in full.
            Prim(Prim),
        }

        /// A term's constructor with what it holds and its children, for matching on.
        pub enum View {
            $($(#[doc = $doc])+
            $name($($(held!($sort),)+)? $(of!($index u32),)? $(of!($kid Term),)* $(of!($kids Vec<Term>),)?),)*
            /// A primitive and its operands.
            Prim(Prim, Vec<Term>),
        }

        /// The constructor of a node, without what it holds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Head {
            $(#[doc = concat!("`Kind::", stringify!($name), "`")] $name,)*
            /// A primitive; of offsets, whatever the literal is.
            Prim(Prim),
        }

        enum Plain { $($name),* }

        pub(super) const PLAIN: &[Head] = &[$(Head::$name),*];

        static ROWS: [Row; PLAIN.len() + 1] = [$($row,)* PRIM];

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
            pub fn each_held<'a>(&'a self, mut look: impl FnMut(Held<'a>)) {
                match self {
                    $(Kind::$name $(($($field),+))? => { $($(look(Held::$sort($field));)+)? })*
                    Kind::Prim(prim) => look(Held::Prim(prim)),
                }
            }

            /// The same constructor with other types and sizes.
            pub fn replaced<R: Replace>(&self, by: &mut R) -> Result<Kind, R::Error> {
                Ok(match self {
                    $(Kind::$name $(($($field),+))? => Kind::$name $(($(replaced!($sort $field by)),+))?,)*
                    Kind::Prim(prim) => Kind::Prim(*prim),
                })
            }

            /// How many binders stand around each child, and which children may be evaluated more than once, packed.
            #[inline(always)]
            pub(super) fn packed(&self) -> (u16, u8) {
                match self {
                    $(Kind::$name { .. } => const { (ROWS[Plain::$name as usize].binders(), ROWS[Plain::$name as usize].repeated()) },)*
                    Kind::Prim(_) => (0, 0),
                }
            }

            /// What a node of two children needs to know.
            #[inline(always)]
            pub(in crate::term) fn two(&self) -> Two {
                match self {
                    $(Kind::$name { .. } => const { ROWS[Plain::$name as usize].two() },)*
                    Kind::Prim(_) => Two::Plain,
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

const N: MetaSize = MetaSize::Var(0);
const BELOW: MetaType = MetaType::Fin(N);
const A: MetaType = Any(0);
const B: MetaType = Any(1);

const fn row(tag: u8, noun: &'static str, signature: Signature, cost: Cost) -> Row {
    let row = Row { tag, noun, signature, cost };
    assert!(row.is_plain(), "any number of children, under a binder or repeated");
    row
}

const fn leaf(tag: u8, noun: &'static str, ty: MetaType) -> Row {
    row(tag, noun, Listed(&[], ty), Cost::Nothing)
}

/// A child under no binder that is evaluated at most once.
const fn kid(slot: Slot, ty: MetaType, name: &'static str) -> Kid {
    Kid { slot, binds: &[], repeated: false, ty, name }
}

const PRIM: Row = row(17, "operands", Signature::Primitive, Cost::Primitive);

constructors! {
    /// A bound variable.
    Var [# index] = leaf(1, "variable", A);
    /// `fun x => body`: the hint and the type of x.
    Lam(name: Hint, parameter: Type) [body] = row(2, "fun", Listed(
        &[Kid { slot: Slot::Body, binds: &[(A, "the parameter of fun")], repeated: true, ty: B, name: "body" }],
        Fun(&A, &B)), Cost::Nothing);
    /// `function argument`
    App [function argument] = row(3, "application", Listed(
        &[kid(Slot::Function, Fun(&A, &B), "function"), kid(Slot::Argument, A, "argument")], B), Cost::Call);
    /// `let x := value; body`: the hint for x.
    Let(name: Hint) [value body] = row(4, "let", Listed(
        &[
            kid(Slot::Value, A, "value"),
            Kid { slot: Slot::LetBody, binds: &[(A, "the variable of let")], repeated: false, ty: B, name: "body" },
        ],
        B), Cost::Nothing);
    /// `if condition then a else b`
    If [condition then other] = row(5, "if", Listed(
        &[
            kid(Slot::Condition, Int, "condition"),
            kid(Slot::ThenBranch, A, "then branch"),
            kid(Slot::ElseBranch, A, "else branch"),
        ],
        A), Cost::Nothing);
    /// `ifold n f z`
    Ifold(size: Size) [f z] = row(6, "ifold", Listed(
        &[
            Kid { slot: Slot::FoldBody, binds: &[], repeated: true, ty: Fun(&A, &Fun(&BELOW, &A)), name: "ifold body" },
            kid(Slot::FoldInit, A, "ifold start"),
        ],
        A), Cost::Rounds { writes: 0 });
    /// `build n f`
    Build(size: Size) [f] = row(7, "build", Listed(
        &[Kid {
            slot: Slot::BuildBody,
            binds: &[],
            repeated: true,
            ty: Fun(&BELOW, &A),
            name: "build body's parameter",
        }],
        MetaType::Array(N, &A)), Cost::Rounds { writes: 1 });
    /// `[e1, …, ek]`: the type of the elements.
    Array(element: Type) [.. elements] = row(8, "array",
        Each(kid(Slot::Element(0), A, "array element"), MetaType::Array(MetaSize::Count, &A)), Cost::Nothing);
    /// `array[index]`
    Get [array index] = row(9, "indexing", Listed(
        &[kid(Slot::Array, MetaType::Array(N, &A), "array"), kid(Slot::Index, BELOW, "index")], A), Cost::Read);
    /// `(a, b)`
    Pair [first second] = row(10, "pair", Listed(
        &[kid(Slot::PairFirst, A, "first half"), kid(Slot::PairSecond, B, "second half")], Product(&A, &B)),
        Cost::Nothing);
    /// `fst p`
    Fst [pair] = row(11, "fst", Listed(&[kid(Slot::Projected, Product(&A, &B), "pair")], A), Cost::Nothing);
    /// `snd p`
    Snd [pair] = row(12, "snd", Listed(&[kid(Slot::Projected, Product(&A, &B), "pair")], B), Cost::Nothing);
    /// A real constant; compared by its bits.
    Real(value: Real) [] = leaf(13, "real", Real);
    /// An integer constant.
    Int(value: Int) [] = leaf(14, "int", Int);
    /// A constant index below a size.
    Fin(value: Index, size: Size) [] = leaf(15, "index", BELOW);
    /// A size variable used as an `int`.
    SizeVar(name: SizeVar) [] = leaf(16, "size", Int);
}

impl Kind {
    /// The constructor's row.
    pub(super) fn row(&self) -> &'static Row {
        &ROWS[self.head().number().min(PLAIN.len())]
    }
}
