//! The primitives, as one table: how they are written, how many operands they take, how evaluation counts them.

/// How a primitive is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixity {
    /// Between its operands; a higher number binds tighter.
    Infix(u8),
    /// Before its operand, as an operator; a higher number binds tighter.
    Prefix(u8),
    /// As a function applied to its operands.
    Named,
}

/// What running a primitive once counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// A flop where the operands are real, nothing otherwise.
    FlopIfReal,
    /// A compare, whatever the type.
    Compare,
    /// Nothing.
    Free,
}

macro_rules! prims {
    ($($name:ident $text:literal $arity:literal $fixity:expr, $charge:ident;)*) => {
        /// A primitive of the array language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Prim {
            $(#[doc = concat!("`", $text, "`")] $name,)*
            /// `i + c`: a `fin n` and a literal give a `fin (n + c)`. One operand.
            Offset(u64),
        }

        /// The rows of the table, counted.
        enum Row { $($name),* }

        impl Prim {
            /// Every primitive that has a row in the table: all but `Offset`.
            pub const ALL: &[Prim] = &[$(Prim::$name),*];

            /// Its place in the table; `Offset` comes behind.
            #[inline]
            pub(super) fn number(self) -> usize {
                match self { $(Prim::$name => Row::$name as usize,)* Prim::Offset(_) => Prim::ALL.len() }
            }

            /// The operator or name that users write.
            pub fn text(self) -> &'static str {
                match self { $(Prim::$name => $text,)* Prim::Offset(_) => "+" }
            }

            /// The number of operands.
            pub fn arity(self) -> usize {
                match self { $(Prim::$name => $arity,)* Prim::Offset(_) => 1 }
            }

            /// How it is written.
            pub fn fixity(self) -> Fixity {
                match self { $(Prim::$name => $fixity,)* Prim::Offset(_) => Fixity::Infix(ADDITIVE) }
            }

            /// What running it once counts as.
            pub fn charge(self) -> Charge {
                match self { $(Prim::$name => Charge::$charge,)* Prim::Offset(_) => Charge::Free }
            }
        }
    };
}

/// Binding strength of `||`.
pub const DISJUNCTION: u8 = 1;
/// Binding strength of `&&`.
pub const CONJUNCTION: u8 = 2;
/// Binding strength of `not`.
pub const NEGATION: u8 = 3;
/// Binding strength of comparisons, which don't associate.
pub const COMPARISON: u8 = 4;
/// Binding strength of `+` and `-`.
pub const ADDITIVE: u8 = 5;
/// Binding strength of `*` and `/`.
pub const MULTIPLICATIVE: u8 = 6;
/// Binding strength of unary `-`.
pub const MINUS: u8 = 7;

prims! {
    Add "+" 2 Fixity::Infix(ADDITIVE), FlopIfReal;
    Sub "-" 2 Fixity::Infix(ADDITIVE), FlopIfReal;
    Mul "*" 2 Fixity::Infix(MULTIPLICATIVE), FlopIfReal;
    Div "/" 2 Fixity::Infix(MULTIPLICATIVE), FlopIfReal;
    Neg "-" 1 Fixity::Prefix(MINUS), FlopIfReal;
    Exp "exp" 1 Fixity::Named, FlopIfReal;
    Log "log" 1 Fixity::Named, FlopIfReal;
    Sqrt "sqrt" 1 Fixity::Named, FlopIfReal;
    Sin "sin" 1 Fixity::Named, FlopIfReal;
    Cos "cos" 1 Fixity::Named, FlopIfReal;
    Tanh "tanh" 1 Fixity::Named, FlopIfReal;
    Abs "abs" 1 Fixity::Named, FlopIfReal;
    Lgamma "lgamma" 1 Fixity::Named, FlopIfReal;
    Digamma "digamma" 1 Fixity::Named, FlopIfReal;
    Pow "pow" 2 Fixity::Named, FlopIfReal;
    Min "min" 2 Fixity::Named, FlopIfReal;
    Max "max" 2 Fixity::Named, FlopIfReal;
    Lt "<" 2 Fixity::Infix(COMPARISON), Compare;
    Le "<=" 2 Fixity::Infix(COMPARISON), Compare;
    Gt ">" 2 Fixity::Infix(COMPARISON), Compare;
    Ge ">=" 2 Fixity::Infix(COMPARISON), Compare;
    Eq "=" 2 Fixity::Infix(COMPARISON), Compare;
    Ne "!=" 2 Fixity::Infix(COMPARISON), Compare;
    And "&&" 2 Fixity::Infix(CONJUNCTION), Free;
    Or "||" 2 Fixity::Infix(DISJUNCTION), Free;
    Not "not" 1 Fixity::Prefix(NEGATION), Free;
    ToReal "real" 1 Fixity::Named, Free;
    ToInt "int" 1 Fixity::Named, Free;
}

impl Prim {
    /// The primitive written as a function under this name, such as `exp` or `real`.
    pub fn named(name: &str) -> Option<Prim> {
        Prim::ALL.iter().copied().find(|p| p.fixity() == Fixity::Named && p.text() == name)
    }

    /// The binary operator with this text.
    pub fn infix(text: &str) -> Option<Prim> {
        Prim::ALL.iter().copied().find(|p| matches!(p.fixity(), Fixity::Infix(_)) && p.text() == text)
    }

    /// Whether a comparison holds between two values of one kind.
    pub fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Prim::Lt => a < b,
            Prim::Le => a <= b,
            Prim::Gt => a > b,
            Prim::Ge => a >= b,
            Prim::Eq => a == b,
            _ => a != b,
        }
    }
}
