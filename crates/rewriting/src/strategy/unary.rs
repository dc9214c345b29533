//! Names the combinators of one strategy: each has a word that users write.

macro_rules! unary {
    (
        primitive { $($(#[doc = $doc:literal])+ $primitive:ident $word:literal;)* }
        derived { $($derived:ident $name:literal;)* }
    ) => {
        /// The combinators of one strategy.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Unary {
            $($(#[doc = $doc])+ $primitive,)*
            $(#[doc = concat!("`", $name, "(s)`, which the prelude of strategies defines.")] $derived,)*
        }

        impl Unary {
            /// All of them.
            pub const ALL: &[Unary] = &[$(Unary::$primitive,)* $(Unary::$derived,)*];

            /// The name that users write.
            pub fn text(self) -> &'static str {
                match self { $(Unary::$primitive => $word,)* $(Unary::$derived => $name,)* }
            }

            /// What a primitive one does, in a sentence.
            pub fn doc(self) -> &'static str {
                match self { $(Unary::$primitive => concat!($($doc),+).trim_ascii_start(),)* _ => "" }
            }
        }
    };
}

unary! {
    primitive {
        /// On exactly one child: the leftmost where s succeeds.
        One "one";
        /// On every child; succeeds on a leaf.
        All "all";
        /// On as many children as succeed, and at least one.
        Some "some";
        /// Succeeds without change where s fails.
        Not "not";
        /// s, unless it raises the term's symbolic work; never fails.
        Cheaper "cheaper";
        /// s, without the check before running that it can end.
        Force "force";
        /// s with the rules that keep every bit alone: all others fail.
        Exactly "exactly";
        /// s with all of its rules, also within `exactly`.
        InReals "inReals";
    }
    derived {
        Repeat "repeat";
        Try "try";
        Where "where";
        Repeat1 "repeat1";
        TopDown "topDown";
        BottomUp "bottomUp";
        AllTopDown "allTopDown";
        AllBottomUp "allBottomUp";
        TryAll "tryAll";
        Normalize "normalize";
        Outermost "outermost";
        Innermost "innermost";
    }
}

impl Unary {
    /// Whether it goes on as long as its strategy succeeds.
    pub fn repeats(self) -> bool {
        matches!(self, Unary::Repeat | Unary::Repeat1 | Unary::Normalize | Unary::Outermost | Unary::Innermost)
    }
}
