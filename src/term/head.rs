//! Constructors as numbers, each primitive on its own: what tables of rules and failures are indexed by.

use super::kind::Kind;
use super::prim::Prim;

macro_rules! heads {
    ($($name:ident = $pattern:pat,)*) => {
        /// The constructor of a node, without what it holds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Head {
            $(#[doc = concat!("`Kind::", stringify!($name), "`")] $name,)*
            /// A primitive; of offsets, whatever the literal is.
            Prim(Prim),
        }

        enum Plain { $($name,)* }

        const PLAIN: &[Head] = &[$(Head::$name),*];

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
                    $($pattern => Head::$name,)*
                    Kind::Prim(prim) => Head::Prim(*prim),
                }
            }
        }
    };
}

heads! {
    Var = Kind::Var,
    Lam = Kind::Lam(..),
    App = Kind::App,
    Let = Kind::Let(_),
    If = Kind::If,
    Ifold = Kind::Ifold(_),
    Build = Kind::Build(_),
    Array = Kind::Array(_),
    Get = Kind::Get,
    Pair = Kind::Pair,
    Fst = Kind::Fst,
    Snd = Kind::Snd,
    Real = Kind::Real(_),
    Int = Kind::Int(_),
    Fin = Kind::Fin(..),
    SizeVar = Kind::SizeVar(_),
}

impl Head {
    /// How many there are.
    pub const COUNT: usize = PLAIN.len() + Prim::ALL.len();

    /// Each of them once.
    pub fn all() -> impl Iterator<Item = Head> {
        PLAIN.iter().copied().chain(Prim::ALL.iter().map(|prim| Head::Prim(*prim)))
    }
}
